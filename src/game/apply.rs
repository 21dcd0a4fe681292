//! `State::apply`: the only way a state changes. One arm per event; it decides nothing.

#![warn(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use super::state::Progress;
use super::trade::{Offer, Traded};
use super::{City, Event, Force, Ground, Holding, Owner, Phase, Purpose, Ship, ShipCondition, Stacks, State};
use crate::rules::{Advance, AreaId, Civ, Epoch, Face, TradeCard};

impl State {
    /// Makes true what happened.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::StackPrepared { block, stack, cards } => {
                self.stacks_mut().lay(*block, *stack, cards.iter().copied());
                self.draws.note(Purpose::Top);
                self.draws.note(Purpose::Below);
            }
            Event::PhaseClosed { turn, phase } => self.close_phase(*turn, *phase),
            Event::GameOpened { .. } | Event::Refused { .. } | Event::Thwarted { .. } => {}
            Event::TurnAwaited { civ } => {
                // Who was asked before has had their say.
                let before = self.progress.asked.replace(*civ).filter(|before| before != civ);
                self.progress.acted.extend(before);
            }

            Event::TaxCollected { civ, amount, revolts, .. } => {
                let holding = self.holding_mut(*civ);
                holding.stock -= amount;
                holding.treasury += amount;
                self.acted(*civ);
                if *revolts > 0 {
                    self.progress.revolts.insert(*civ, *revolts);
                }
            }
            Event::CityRevolted { area, from, to, beside } => {
                self.take(*area, Owner::Civ(*from), *beside);
                self.remove_city(*area);
                if let Some(to) = to {
                    self.place_city(*area, Owner::Civ(*to), false);
                }
                if let Some(revolts) = self.progress.revolts.get_mut(from) {
                    *revolts = revolts.saturating_sub(1);
                }
            }

            Event::TokensGrew { civ, area, count } => self.put(*area, Owner::Civ(*civ), *count),
            Event::CensusTaken { civ, census } => {
                self.holding_mut(*civ).census = *census;
                self.acted(*civ);
            }

            Event::TokensWalked { civ, count, path } => {
                if let [from, .., to] = path[..] {
                    self.leave(from, *civ, *count, 0);
                    self.arrive(to, *civ, *count, 0);
                }
            }
            Event::ShipBuilt { civ, area, treasury, tokens } => {
                self.pay(*civ, *treasury);
                for (from, count) in tokens {
                    self.take(*from, Owner::Civ(*civ), *count);
                }
                let ship = Ship { area: *area, condition: ShipCondition::New, steps: 0, sailed: false };
                let holding = self.holding_mut(*civ);
                holding.ships.push(ship);
                holding.ships_built += 1;
                if let Some(index) = holding.scrapped.iter().position(|scrapped| scrapped == area) {
                    holding.scrapped.remove(index);
                }
            }
            Event::ShipMaintained { civ, ship, token_from, .. } => {
                match token_from {
                    Some(from) => self.take(*from, Owner::Civ(*civ), 1),
                    None => self.pay(*civ, 1),
                }
                self.holding_mut(*civ).ships[usize::from(*ship)].condition = ShipCondition::Maintained;
            }
            Event::ShipScrapped { civ, ship, area } => {
                let holding = self.holding_mut(*civ);
                holding.ships.remove(usize::from(*ship));
                holding.scrapped.push(*area);
            }
            Event::ShipSailed { civ, ship, route, stops } => {
                for stop in stops {
                    self.leave(stop.area, *civ, stop.loaded, stop.reloaded);
                    self.arrive(stop.area, *civ, stop.landed, stop.landed);
                }
                let ship = &mut self.holding_mut(*civ).ships[usize::from(*ship)];
                ship.area = *route.last().expect("a voyage has a first area");
                ship.steps += route.len() as u16 - 1;
                ship.sailed = true;
            }
            Event::MovementEnded { civ, .. } => {
                self.holding_mut(*civ).ships.retain(|ship| ship.condition != ShipCondition::Old);
                self.acted(*civ);
            }

            Event::TokensFought { area, losses, .. } => {
                for loss in losses {
                    self.take(*area, loss.owner, loss.tokens);
                    for (neighbour, count) in &loss.neighbours {
                        self.take(*neighbour, loss.owner, *count);
                    }
                    self.sink(*area, loss.owner, loss.ships);
                }
            }
            Event::AttackFailed { area, attacker, tokens, ships, .. } => {
                self.take(*area, *attacker, *tokens);
                self.sink(*area, *attacker, *ships);
            }
            Event::DefenceDelayed { civ, .. } => {
                self.progress.delayed.insert(*civ);
            }
            Event::CityFell { area, defender, replaced, .. } => {
                self.remove_city(*area);
                self.put(*area, *defender, *replaced);
            }
            Event::CardTaken { from, to, card } => {
                self.holding_mut(*from).give(*card);
                self.holding_mut(*to).receive(*card);
                self.draws.note(Purpose::Loot);
            }
            Event::LootTaken { civ, amount } => {
                let holding = self.holding_mut(*civ);
                holding.stock -= amount;
                holding.treasury += amount;
            }

            Event::CityBuilt { civ, area, treasury, neighbours, cleared } => {
                self.pay(*civ, *treasury);
                for (neighbour, count) in neighbours {
                    self.take(*neighbour, Owner::Civ(*civ), *count);
                }
                for (owner, count) in cleared {
                    self.take(*area, *owner, *count);
                }
                self.place_city(*area, Owner::Civ(*civ), true);
                if *treasury > 0 {
                    self.progress.used.insert((*civ, Advance::Architecture));
                }
                if !neighbours.is_empty() {
                    self.progress.used.insert((*civ, Advance::Urbanism));
                }
            }
            Event::SurplusRemoved { civ, area, count } => self.take(*area, Owner::Civ(*civ), *count),
            Event::CityReduced { civ, area, placed, .. } => {
                self.remove_city(*area);
                self.put(*area, Owner::Civ(*civ), *placed);
            }
            Event::SupportChecked { civ, .. } => self.acted(*civ),

            Event::CardDrawn { civ, stack, card } => self.deal(*civ, *stack, *card),
            Event::CardBought { civ, stack, price, card, free } => {
                self.pay(*civ, *price);
                self.deal(*civ, *stack, *card);
                if *free {
                    self.progress.used.insert((*civ, Advance::WonderOfTheWorld));
                }
            }
            Event::CardsDealt { sequence } => self.progress.dealt = Some(sequence.clone()),
            Event::PurchasesEnded { civ } => self.acted(*civ),

            Event::OfferMade { number, from, to, gives, told, says, wants, names, times } => {
                self.progress.offers.push(Offer {
                    number: *number,
                    from: *from,
                    to: to.clone(),
                    gives: gives.clone(),
                    told: *told,
                    says: says.clone(),
                    wants: *wants,
                    names: names.clone(),
                    times: *times,
                    open: true,
                });
            }
            Event::NoticePosted { civ, wants, has } => self.progress.post(*civ, wants, has),
            Event::OfferDeclined { number, by } => {
                if let Some(offer) = self.offer_mut(*number) {
                    offer.open &= offer.to.without(*by);
                }
            }
            Event::OfferWithdrawn { number } | Event::OfferVoided { number } => self.close_offer(*number),
            Event::TradeMade { number, from, to, given, received } => {
                self.hand_over(*from, *to, given);
                self.hand_over(*to, *from, received);
                if let Some(offer) = self.offer_mut(*number) {
                    offer.times = offer.times.saturating_sub(1);
                    offer.open &= offer.times > 0;
                }
                let (gave, got) = (given.len() as u16, received.len() as u16);
                self.progress.trades.push(Traded { from: *from, to: *to, gave, got });
            }
            Event::TradingEnded { civ } => self.acted(*civ),
            Event::TradeClosed { lapsed } => {
                for number in lapsed {
                    self.close_offer(*number);
                }
                self.progress.closed = true;
            }

            Event::CalamitiesLaid { civ, .. } => self.acted(*civ),
            Event::CalamityDiscarded { civ, card } => {
                self.discard(*civ, *card);
                self.draws.note(Purpose::Selection);
            }
            Event::CalamityStruck { card, victim, beneficiary } => {
                if let Face::Calamity(calamity) = card.face {
                    let struck = [Some(*victim), *beneficiary].into_iter().flatten();
                    self.progress.struck.extend(struck.map(|civ| (calamity, civ)));
                }
            }
            Event::VictimNamed { calamity, victim, .. } => {
                self.progress.struck.insert((*calamity, *victim));
            }
            Event::CalamityResolved { card, victim } => self.discard(*victim, *card),
            Event::UnitsDestroyed { owner, area, tokens, city, .. } => {
                self.take(*area, *owner, *tokens);
                if *city {
                    self.remove_city(*area);
                }
            }
            Event::UnitsAnnexed { from, to, area, tokens, city, .. } => {
                self.take(*area, *from, *tokens);
                self.put(*area, *to, *tokens);
                if *city {
                    self.remove_city(*area);
                    self.place_city(*area, *to, false);
                }
            }
            Event::TreasuryLost { civ, amount, .. } => self.pay(*civ, *amount),
            Event::TreasuryGained { civ, amount, .. } => {
                let holding = self.holding_mut(*civ);
                holding.stock -= amount;
                holding.treasury += amount;
            }
            Event::CardsDiscarded { civ, cards, .. } => cards.iter().for_each(|card| self.discard(*civ, *card)),
            Event::BarbariansCame { area, count } => self.put(*area, Owner::Barbarians, *count),
            Event::BarbariansWandered { from, to, count } => {
                self.take(*from, Owner::Barbarians, *count);
                self.put(*to, Owner::Barbarians, *count);
            }
            Event::MarkerMoved { civ, to, .. } => self.move_marker(*civ, *to),

            Event::AbilityUsed { civ, advance } => {
                self.progress.used.insert((*civ, *advance));
            }
            Event::TokensResettled { civ, from, to, count } => {
                self.take(*from, Owner::Civ(*civ), *count);
                self.put(*to, Owner::Civ(*civ), *count);
            }
            Event::CardGiven { from, to, card } => {
                self.holding_mut(*from).give(*card);
                self.holding_mut(*to).receive(*card);
            }
            Event::AbilitiesEnded { civ } | Event::AcquisitionEnded { civ } => self.acted(*civ),

            Event::AdvancesAcquired { civ, advances, cards, treasury, credits, .. } => {
                cards.iter().for_each(|card| self.discard(*civ, *card));
                self.pay(*civ, *treasury);
                let holding = self.holding_mut(*civ);
                advances.iter().for_each(|advance| holding.advances.insert(*advance));
                for (group, points) in credits {
                    *holding.credits.entry(*group).or_default() += points;
                }
            }

            Event::StackReshuffled { block, stack, cards } => {
                self.stacks_mut().reshuffle(*block, *stack, cards.iter().copied());
                self.draws.note(Purpose::Reshuffle);
            }
            Event::LastTurnAnnounced { turn } => self.last_turn = Some(*turn),
            Event::GameEnded { scores, .. } => self.scores = Some(scores.clone()),

            Event::ThemesDrawn { .. } => self.draws.note(Purpose::Theme),
            Event::CivilizationSet { civ, cities, tokens, treasury, advances, credits, position } => {
                for area in cities {
                    self.place_city(*area, Owner::Civ(*civ), false);
                }
                for (area, count) in tokens {
                    self.put(*area, Owner::Civ(*civ), *count);
                }
                let holding = self.holding_mut(*civ);
                holding.stock -= treasury;
                holding.treasury += treasury;
                advances.iter().for_each(|advance| holding.advances.insert(*advance));
                holding.credits.extend(credits.iter().copied());
                holding.position = *position;
            }
            Event::AreaClosed { area, civ } => self.close_area(*area, *civ),
            Event::LeavingAnnounced { civ } => {
                self.leaving.insert(*civ);
            }
            Event::PlayerLeft { civ } => self.unseat(*civ),
            Event::Corrected { change } => self.set_right(*change),
            Event::RolledBack { draws, .. } => self.draws = *draws,
        }
    }

    /// What lasts for a phase or a turn is over.
    fn close_phase(&mut self, turn: u16, phase: Phase) {
        self.phase = phase.next();
        let delayed = std::mem::take(&mut self.progress.delayed);
        self.progress = Progress { delayed, ..Progress::default() };
        match phase {
            Phase::Conflict => {
                for force in Arc::make_mut(&mut self.board).iter_mut().flat_map(|ground| &mut ground.forces) {
                    (force.moved, force.ferried) = (0, 0);
                }
            }
            Phase::Movement => {
                for holding in &mut self.holdings {
                    (holding.ships_built, holding.scrapped) = (0, Vec::new());
                    for ship in &mut holding.ships {
                        *ship = Ship { condition: ShipCondition::Old, steps: 0, sailed: false, ..*ship };
                    }
                }
            }
            Phase::Ast => {
                self.turn = turn + 1;
                self.progress = Progress::default();
                self.givers.clear();
                for city in Arc::make_mut(&mut self.board).iter_mut().filter_map(|ground| ground.city.as_mut()) {
                    city.new = false;
                }
            }
            Phase::Tax
            | Phase::Expansion
            | Phase::Cities
            | Phase::Cards
            | Phase::Trade
            | Phase::Selection
            | Phase::Calamities
            | Phase::Abilities
            | Phase::Support
            | Phase::Advances => {}
        }
    }

    /// RL.2: an out-of-play marker takes the place of what stood there, the units of other players apart.
    fn close_area(&mut self, area: AreaId, left: Civ) {
        for owner in [Owner::Civ(left), Owner::Barbarians] {
            self.take(area, owner, self.tokens(area, owner));
            if self.ground(area).city.is_some_and(|city| city.owner == owner) {
                self.remove_city(area);
            }
        }
        for holding in &mut self.holdings {
            holding.ships.retain(|ship| ship.area != area);
        }
        self.ground_mut(area).out_of_play = true;
    }

    /// RL.1: a player who left has no place in anything that is still to be decided.
    /// Whoever was in the late iron age has entered it, wherever their marker goes.
    fn move_marker(&mut self, civ: Civ, to: u8) {
        let was = self.epoch(civ);
        self.holding_mut(civ).position = to;
        match (was, self.epoch(civ)) {
            (_, Epoch::LateIron) => drop(self.fallen.remove(&civ)),
            (Epoch::LateIron, _) => drop(self.fallen.insert(civ)),
            _ => {}
        }
    }

    fn unseat(&mut self, civ: Civ) {
        self.leaving.remove(&civ);
        self.fallen.remove(&civ);
        self.holdings.retain(|holding| holding.civ != civ);
        self.givers.retain(|_, giver| *giver != civ);
        self.progress.acted.remove(&civ);
        self.progress.asked = self.progress.asked.filter(|asked| *asked != civ);
        self.progress.revolts.remove(&civ);
        self.progress.delayed.remove(&civ);
        self.progress.used.retain(|(user, _)| *user != civ);
        self.progress.struck.retain(|(_, struck)| *struck != civ);
        for offer in &mut self.progress.offers {
            offer.open &= offer.from != civ && offer.to.without(civ);
        }
        self.progress.notices.remove(&civ);
    }

    fn acted(&mut self, civ: Civ) {
        self.progress.acted.insert(civ);
        if self.progress.asked == Some(civ) {
            self.progress.asked = None;
        }
    }

    pub(super) fn holding_mut(&mut self, civ: Civ) -> &mut Holding {
        let rank = self.rank(civ);
        &mut self.holdings[rank]
    }

    fn ground_mut(&mut self, area: AreaId) -> &mut Ground {
        &mut Arc::make_mut(&mut self.board)[usize::from(area.0)]
    }

    fn stacks_mut(&mut self) -> &mut Stacks {
        Arc::make_mut(&mut self.stacks)
    }

    fn pay(&mut self, civ: Civ, amount: u16) {
        let holding = self.holding_mut(civ);
        holding.treasury -= amount;
        holding.stock += amount;
    }

    pub(super) fn put(&mut self, area: AreaId, owner: Owner, count: u16) {
        if let Owner::Civ(civ) = owner {
            self.holding_mut(civ).stock -= count;
        }
        self.ground_mut(area).add(owner, count);
    }

    /// Board to stock; those that have walked go first, then those that came by ship.
    pub(super) fn take(&mut self, area: AreaId, owner: Owner, count: u16) {
        if count == 0 {
            return;
        }
        let force = self.ground_mut(area).force_mut(owner);
        force.count -= count;
        force.moved -= force.moved.min(count);
        force.ferried = force.ferried.min(force.moved);
        self.ground_mut(area).tidy();
        if let Owner::Civ(civ) = owner {
            self.holding_mut(civ).stock += count;
        }
    }

    /// Tokens leave an area: some that have not moved, some that came by ship.
    fn leave(&mut self, area: AreaId, civ: Civ, fresh: u16, ferried: u16) {
        if fresh + ferried == 0 {
            return;
        }
        let force = self.ground_mut(area).force_mut(Owner::Civ(civ));
        force.count -= fresh + ferried;
        force.moved -= ferried;
        force.ferried -= ferried;
        self.ground_mut(area).tidy();
    }

    /// Tokens that have moved arrive.
    fn arrive(&mut self, area: AreaId, civ: Civ, count: u16, ferried: u16) {
        if count == 0 {
            return;
        }
        let ground = self.ground_mut(area);
        ground.add(Owner::Civ(civ), count);
        let force = ground.force_mut(Owner::Civ(civ));
        force.moved += count;
        force.ferried += ferried;
    }

    /// Ships of an owner in an area go to stock.
    fn sink(&mut self, area: AreaId, owner: Owner, count: u8) {
        if let (Owner::Civ(civ), 1..) = (owner, count) {
            let mut left = count;
            self.holding_mut(civ).ships.retain(|ship| {
                let sinks = ship.area == area && left > 0;
                left -= u8::from(sinks);
                !sinks
            });
        }
    }

    pub(super) fn place_city(&mut self, area: AreaId, owner: Owner, new: bool) {
        self.ground_mut(area).city = Some(City { owner, new });
        if let Owner::Civ(civ) = owner {
            self.holding_mut(civ).cities -= 1;
        }
    }

    pub(super) fn remove_city(&mut self, area: AreaId) {
        if let Some(Owner::Civ(civ)) = self.ground_mut(area).city.take().map(|city| city.owner) {
            self.holding_mut(civ).cities += 1;
        }
    }

    /// The top card of a stack, or water, goes to a hand.
    fn deal(&mut self, civ: Civ, stack: u8, card: TradeCard) {
        if card.face != Face::Water {
            self.stacks_mut().draw(card.block, stack);
        }
        self.holding_mut(civ).receive(card);
    }

    /// A card goes from a hand to the discards of its stack; water to its pile. R12.12.
    fn discard(&mut self, civ: Civ, card: TradeCard) {
        self.holding_mut(civ).give(card);
        match card.face {
            Face::Water | Face::Unseen | Face::UnseenCalamity => {}
            Face::Commodity(commodity) => {
                let stack = self.printed.commodities[usize::from(commodity.0)].stack;
                self.stacks_mut().discard(stack, card);
            }
            Face::Calamity(calamity) => {
                let stack = self.printed.calamities[calamity as usize].stack;
                self.stacks_mut().discard(stack, card);
            }
        }
    }

    /// Cards change hands in a trade; the giver of a calamity is remembered. R7.15.
    fn hand_over(&mut self, from: Civ, to: Civ, cards: &[TradeCard]) {
        for card in cards {
            self.holding_mut(from).give(*card);
            self.holding_mut(to).receive(*card);
            if card.face.is_calamity() {
                self.givers.insert(*card, from);
            }
        }
    }

    fn offer_mut(&mut self, number: u16) -> Option<&mut Offer> {
        self.progress.offers.iter_mut().find(|offer| offer.number == number)
    }

    fn close_offer(&mut self, number: u16) {
        if let Some(offer) = self.offer_mut(number) {
            offer.open = false;
        }
    }
}

impl Ground {
    fn add(&mut self, owner: Owner, count: u16) {
        if count == 0 {
            return;
        }
        match self.forces.binary_search_by_key(&owner, |force| force.owner) {
            Ok(index) => self.forces[index].count += count,
            Err(index) => self.forces.insert(index, Force { owner, count, moved: 0, ferried: 0 }),
        }
    }

    fn force_mut(&mut self, owner: Owner) -> &mut Force {
        let index = self.forces.iter().position(|force| force.owner == owner);
        &mut self.forces[index.expect("tokens are only taken from where they stand")]
    }

    fn tidy(&mut self) {
        self.forces.retain(|force| force.count > 0);
    }
}

impl Holding {
    fn give(&mut self, card: TradeCard) {
        let is_it = |held: &TradeCard| *held == card;
        // Of a hand that is not known it may be any card.
        let may_be = |held: &TradeCard| held.face.is_unseen() || card.face.is_unseen();
        let index = self.hand.iter().position(is_it).or_else(|| self.hand.iter().position(may_be));
        self.hand.remove(index.expect("a card is only given from the hand it is in"));
    }

    fn receive(&mut self, card: TradeCard) {
        let index = self.hand.partition_point(|held| *held < card);
        self.hand.insert(index, card);
    }
}
