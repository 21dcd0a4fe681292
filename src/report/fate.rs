//! Calamities, abilities, Advances and the A.S.T. in sentences.

use minijinja::{Value, context};

use super::narrator::{Narrator, Tale, civs};
use crate::game::event::Cause;
use crate::game::{Event, Known, Owner, Told};
use crate::rules::AreaId;

/// Phases 8 and 9: who was struck by what, and what it cost whom.
pub(crate) fn calamities(narrator: Narrator, before: &Known, told: &[(Told, &Event)]) -> Vec<Tale> {
    // Whoever stands where barbarians come is concerned.
    let there = |area: AreaId| {
        let ground = before.ground(area);
        let tokens = ground.forces.iter().map(|force| force.owner);
        civs(tokens.chain(ground.city.map(|city| city.owner)))
    };
    let mut tales = Tales { narrator, tales: Vec::new(), losses: None };
    let laid = told.iter().filter_map(|(_, event)| match event {
        Event::CalamitiesLaid { civ, count } => Some(context! { civ => narrator.civ(*civ), count }),
        _ => None,
    });
    let laid: Vec<Value> = laid.collect();
    if !laid.is_empty() {
        tales.add(narrator.tale("laid", &[], context! { all => laid }));
    }
    for (how, event) in told {
        match event {
            Event::CalamityDiscarded { civ, card } => {
                let facts = context! { who => narrator.civ(*civ), card => narrator.facts.face(card.face) };
                tales.add(narrator.tale("spared", &[*civ], facts));
            }
            Event::CalamityStruck { card, victim, beneficiary } => {
                let about: Vec<_> = [*victim].into_iter().chain(*beneficiary).collect();
                let gains = beneficiary.map(|civ| narrator.civ(civ));
                let card = narrator.facts.face(card.face);
                let facts = context! { card, victim => narrator.civ(*victim), gains };
                tales.add(narrator.tale("struck", &about, facts));
            }
            Event::VictimNamed { by, victim, calamity } => {
                let card = narrator.facts.calamity(*calamity);
                let facts = context! { card, by => narrator.civ(*by), victim => narrator.civ(*victim) };
                tales.add(narrator.tale("drawn_in", &[*by, *victim], facts));
            }
            Event::BarbariansCame { area, count } => {
                tales.add(narrator.tale("barbarians", &there(*area), context! { area => narrator.area(*area), count }));
            }
            Event::BarbariansWandered { from, to, count } => {
                let about = there(*to);
                let (from, to) = (narrator.area(*from), narrator.area(*to));
                tales.add(narrator.tale("wandered", &about, context! { from, to, count }));
            }
            other => tales.loss(*how, other),
        }
    }
    tales.all()
}

/// Phase 10.
pub(crate) fn abilities(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut tales = Tales { narrator, tales: Vec::new(), losses: None };
    for (how, event) in told {
        match event {
            Event::AbilityUsed { civ, advance } => {
                let facts = context! { who => narrator.civ(*civ), advance => narrator.facts.advance(*advance) };
                tales.add(narrator.tale("ability", &[*civ], facts));
            }
            Event::TokensResettled { civ, from, to, count } => {
                let (from, to) = (narrator.area(*from), narrator.area(*to));
                let facts = context! { who => narrator.civ(*civ), from, to, count };
                tales.add(narrator.tale("resettled", &[*civ], facts));
            }
            Event::CardGiven { from, to, card } => {
                let card = (*how == Told::Everything).then(|| narrator.facts.face(card.face));
                let facts = context! { from => narrator.civ(*from), to => narrator.civ(*to), card };
                tales.add(narrator.tale("given", &[*from, *to], facts));
            }
            other => tales.loss(*how, other),
        }
    }
    tales.all()
}

/// Phase 12.
pub(crate) fn advances(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut tales = Tales { narrator, tales: Vec::new(), losses: None };
    for (how, event) in told {
        match event {
            Event::AdvancesAcquired { civ, advances, cards, treasury, library_for, stands_in, .. } => {
                let names = narrator.names();
                let advances = Value::from_iter(advances.iter().map(|advance| narrator.facts.advance(*advance)));
                let cards = (!cards.is_empty()).then(|| names.cards(cards));
                let cheaper = library_for.map(|advance| narrator.facts.advance(advance));
                let stands_in = stands_in.map(|(card, other)| (names.face(card), names.face(other)));
                let facts = context! { who => narrator.civ(*civ), advances, cards, treasury, cheaper, stands_in };
                tales.add(narrator.tale("acquired", &[*civ], facts));
            }
            other => tales.loss(*how, other),
        }
    }
    tales.all()
}

/// Phase 13. `after` is what is true now.
pub(crate) fn ast(narrator: Narrator, after: &Known, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut tales = Tales { narrator, tales: Vec::new(), losses: None };
    let (mut moved, mut own, mut is_over) = (Vec::new(), None, false);
    for (how, event) in told {
        match event {
            Event::PhaseClosed { .. } => is_over = true,
            Event::MarkerMoved { civ, to, .. } if narrator.is_me(*civ) => {
                own = Some(narrator.tale("marker_yours", &[*civ], context! { to }));
            }
            Event::MarkerMoved { civ, to, .. } => moved.push(context! { civ => narrator.civ(*civ), to }),
            Event::LastTurnAnnounced { turn } => tales.add(narrator.tale("last_turn", &[], context! { turn })),
            Event::LeavingAnnounced { civ } => {
                tales.add(narrator.tale("leaving", &[*civ], context! { who => narrator.civ(*civ) }));
            }
            Event::PlayerLeft { civ } => {
                tales.add(narrator.tale("left", &[*civ], context! { who => narrator.civ(*civ) }));
            }
            Event::GameEnded { scores, .. } => {
                let scores =
                    scores.iter().map(|score| context! { civ => narrator.civ(score.civ), total => score.total() });
                tales.add(narrator.tale("ended", &[], context! { all => scores.collect::<Vec<_>>() }));
            }
            other => tales.loss(*how, other),
        }
    }
    // R13.1: who stays is told so, for nothing else says it.
    let me = narrator.me().filter(|civ| is_over && own.is_none() && after.is_seated(*civ) && !after.has_ended());
    let stays = me.map(|civ| narrator.tale("marker_stays", &[civ], context! { at => after.holding(civ).position }));
    let all = (!moved.is_empty()).then(|| narrator.tale("markers", &[], context! { all => moved }));
    own.into_iter().chain(stays).chain(all).chain(tales.all()).collect()
}

/// Sentences, and the losses of one owner to one cause that are still gathered for one.
struct Tales<'a> {
    narrator: Narrator<'a>,
    tales: Vec<Tale>,
    losses: Option<Losses>,
}

/// What an owner lost to a cause.
struct Losses {
    owner: Owner,
    why: Cause,
    places: Vec<(AreaId, u16, bool)>,
}

impl Tales<'_> {
    fn add(&mut self, tale: Tale) {
        self.tell_losses();
        self.tales.push(tale);
    }

    fn all(mut self) -> Vec<Tale> {
        self.tell_losses();
        self.tales
    }

    fn tell_losses(&mut self) {
        let Some(losses) = self.losses.take() else { return };
        let places = losses.places.iter().map(|(area, tokens, city)| {
            context! { area => self.narrator.area(*area), tokens, city }
        });
        let places: Vec<Value> = places.collect();
        let facts = context! { why => self.cause(losses.why), who => self.narrator.owner(losses.owner), places };
        self.tales.push(self.narrator.tale("destroyed", &civs([losses.owner]), facts));
    }

    /// What was lost, gained or moved, whatever the cause.
    fn loss(&mut self, how: Told, event: &Event) {
        let narrator = self.narrator;
        match event {
            Event::UnitsDestroyed { owner, area, tokens, city, why } => {
                let place = (*area, *tokens, *city);
                match self.losses.as_mut().filter(|losses| losses.owner == *owner && losses.why == *why) {
                    Some(losses) => losses.places.push(place),
                    None => {
                        self.tell_losses();
                        self.losses = Some(Losses { owner: *owner, why: *why, places: vec![place] });
                    }
                }
            }
            Event::CityReduced { civ, area, placed, why } => {
                let facts = context! { who => narrator.civ(*civ), area => narrator.area(*area), placed };
                self.caused("reduced", &[*civ], *why, facts);
            }
            Event::UnitsAnnexed { from, to, area, tokens, city, why } => {
                let (who, whose) = (narrator.owner(*to), narrator.owner(*from));
                let pirates = *to == Owner::Barbarians;
                let facts = context! { to => who, from => whose, area => narrator.area(*area), tokens, city, pirates };
                self.caused("annexed", &civs([*from, *to]), *why, facts);
            }
            Event::TreasuryLost { civ, amount, why } => {
                self.caused("treasury_lost", &[*civ], *why, context! { who => narrator.civ(*civ), amount });
            }
            Event::TreasuryGained { civ, amount, why } => {
                self.caused("treasury_gained", &[*civ], *why, context! { who => narrator.civ(*civ), amount });
            }
            Event::CardsDiscarded { civ, cards, why } => {
                let names = (how == Told::Everything).then(|| narrator.names().cards(cards));
                let limit = *why == Cause::HandLimit;
                let facts = context! { who => narrator.civ(*civ), count => cards.len(), cards => names, limit };
                self.caused("discarded", &[*civ], *why, facts);
            }
            Event::MarkerMoved { civ, to, why } => {
                self.caused("marker_back", &[*civ], *why, context! { who => narrator.civ(*civ), to });
            }
            _ => {}
        }
    }

    fn caused(&mut self, key: &str, about: &[crate::rules::Civ], why: Cause, facts: Value) {
        let tale = self.narrator.tale(key, about, context! { why => self.cause(why), ..facts });
        self.add(tale);
    }

    /// The name of a cause, where it has one.
    fn cause(&self, why: Cause) -> Option<Value> {
        match why {
            Cause::Calamity(calamity) => Some(self.narrator.facts.calamity(calamity)),
            Cause::Advance(advance) => Some(self.narrator.facts.advance(advance)),
            Cause::Support | Cause::HandLimit | Cause::Ast | Cause::Leaving => None,
        }
    }
}
