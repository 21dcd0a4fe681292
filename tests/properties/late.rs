//! Random positions at the end of trade, and what is true of every random game of phases 8 to 13.

use cursus::game::acquisition::{hand_limit, price};
use cursus::game::stacks::STACKS;
use cursus::game::{Chance, Commands, Event, Filed, LineId, Opening, Phase, State, adjudicate};
use cursus::rules::{Advance, AstSide, CalamityClass, Civ, Commodity, Face, Group, TradeCard};

use super::checks::{unended_conflict, unsupported};
use super::{Dice, Played, Position, Ruling, Script};

impl Position {
    /// The position of a script of phases 8 to 13: hands full of calamities, any advances, markers all over the A.S.T.
    pub fn late(script: &Script) -> Position {
        let mut dice = Dice::new(script.frame);
        let mut position = Position::on_a_board(&mut dice);
        position.opening.track = if dice.percent(50) { AstSide::Basic } else { AstSide::Expert };
        for seed in &script.pieces {
            position.place(&mut Dice::new(*seed));
            position.enrich(&mut Dice::new(seed.rotate_left(23)));
        }
        position.settle(script);
        // Mostly what a turn has left behind; now and then a board that no turn would.
        position.opening.phase = match dice.below(10) {
            0..=6 => {
                position.opening = calm(position.opening);
                Phase::Selection
            }
            7..=8 => Phase::Selection,
            _ => Phase::ALL[7 + dice.below(6)],
        };
        position
    }

    /// A calamity, advances, cards, a marker, credits, or the memory of a trade.
    fn enrich(&mut self, dice: &mut Dice) {
        let opening = &mut self.opening;
        let seat = dice.below(opening.holdings.len());
        let last_step = opening.printed.ast.track(opening.track).last_step;
        let giver = opening.holdings[dice.below(opening.holdings.len())].civ;
        let holding = &mut opening.holdings[seat];
        match dice.below(10) {
            0..=3 => {
                let stack = 2 + dice.below(usize::from(STACKS) - 1) as u8;
                let blocks: Vec<_> = opening.stacks.blocks().collect();
                // Trade has mixed the blocks.
                let block = dice.prefer(80, &[holding.block], &blocks).unwrap_or(holding.block);
                let mut cards: Vec<_> = opening.stacks.stack(block, stack).iter().copied().collect();
                let calamities: Vec<_> = (0..cards.len()).filter(|at| is_calamity(&cards[*at])).collect();
                if let Some(at) = dice.pick(&calamities) {
                    let card = cards.remove(at);
                    opening.stacks.lay(block, stack, cards);
                    holding.hand.push(card);
                    holding.hand.sort_unstable();
                    if dice.percent(50) && giver != holding.civ {
                        opening.givers.insert(card, giver);
                    }
                }
            }
            4..=6 => {
                for _ in 0..dice.between(1, 6) {
                    let all = &opening.printed.advances;
                    holding.advances.insert(all[dice.below(all.len())].advance);
                }
            }
            7 => holding.position = dice.between(0, u16::from(last_step)) as u8,
            8 => {
                let groups = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
                let points = 5 * dice.between(1, 8);
                holding.credits.extend(dice.pick(&groups).map(|group| (group, points)));
            }
            _ => {
                let count = dice.between(1, 15).min(holding.stock);
                holding.stock -= count;
                holding.treasury += count;
            }
        }
    }
}

/// The same board after conflicts, surplus and support.
fn calm(opening: Opening) -> Opening {
    let mut state = State::new(Opening { phase: Phase::Conflict, ..opening.clone() });
    for _ in [Phase::Conflict, Phase::Cities] {
        state = adjudicate(
            &state,
            &Commands { filed: Vec::new(), cut_off: true, ..Commands::default() },
            &Chance::numbered(1),
        )
        .1;
    }
    let board = state.grounds().map(|(_, ground)| ground.clone()).collect();
    Opening { board, holdings: state.holdings().to_vec(), stacks: state.stacks().clone(), ..opening }
}

fn is_calamity(card: &TradeCard) -> bool {
    matches!(card.face, Face::Calamity(_))
}

/// What must be true when a phase has come to its end.
pub fn unfinished(played: &Played) -> Option<String> {
    let after = |phase| played.closing(phase).map(|ruling| &ruling.after);
    after(Phase::Selection)
        .and_then(too_many_calamities)
        .or_else(|| after(Phase::Calamities).and_then(calamity_left))
        .or_else(|| after(Phase::Support).and_then(|state| unended_conflict(state).or_else(|| unsupported(state))))
        .or_else(|| after(Phase::Advances).and_then(too_full_a_hand))
        .or_else(|| after(Phase::Ast).and_then(discards_left))
}

/// R8.2: three calamities at most, two of them major, none of them twins.
fn too_many_calamities(state: &State) -> Option<String> {
    state.holdings().iter().find_map(|holding| {
        let held: Vec<_> = holding.hand.iter().filter(|card| is_calamity(card)).collect();
        let major = held.iter().filter(|card| match card.face {
            Face::Calamity(calamity) => state.printed().calamities[calamity as usize].class == CalamityClass::Major,
            Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => false,
        });
        let twins = held.iter().any(|card| held.iter().filter(|other| other.face == card.face).count() > 1);
        let wrong = held.len() > 3 || major.count() > 2 || twins;
        wrong.then(|| format!("{:?} holds too many calamities: {held:?}", holding.civ))
    })
}

/// R9.5: all of them have gone to the discards.
fn calamity_left(state: &State) -> Option<String> {
    let held = state.holdings().iter().find(|holding| holding.hand.iter().any(is_calamity));
    held.map(|holding| format!("{:?} still holds a calamity", holding.civ))
}

/// R12.11.
fn too_full_a_hand(state: &State) -> Option<String> {
    let full = |holding: &&cursus::game::Holding| {
        holding.hand.iter().filter(|card| !is_calamity(card)).count() > hand_limit(state, holding.civ)
    };
    state.holdings().iter().find(full).map(|holding| format!("{:?} keeps too many cards", holding.civ))
}

/// R13.7.
fn discards_left(state: &State) -> Option<String> {
    let blocks: Vec<_> = state.stacks().blocks().collect();
    let piles = blocks.into_iter().flat_map(|block| (1..=STACKS).map(move |stack| (block, stack)));
    let mut left = piles.filter(|(block, stack)| !state.stacks().discards(*block, *stack).is_empty());
    left.next().map(|pile| format!("the discards of {pile:?} were not put under their stack"))
}

/// R12.3, R12.5, R12.6: nothing is had too cheap, and no treasury is paid in vain.
pub fn wrong_payment(ruling: &Ruling) -> Option<String> {
    let mut state = ruling.before.clone();
    for event in &ruling.events {
        if let Event::AdvancesAcquired { civ, advances, cards, treasury, .. } = event {
            let wrong = payment_is_wrong(&state, *civ, advances, cards, *treasury);
            if let Some(wrong) = wrong {
                return Some(format!("{wrong}: {event:?}"));
            }
        }
        state.apply(event);
    }
    None
}

fn payment_is_wrong(state: &State, civ: Civ, advances: &[Advance], cards: &[TradeCard], paid: u16) -> Option<String> {
    let printed = state.printed();
    let mut full = 0;
    for advance in advances {
        let (price, card) = (price(state, civ, *advance), &printed.advances[*advance as usize]);
        let colour = card.groups.iter().map(|group| state.credits(civ, *group)).max().unwrap_or(0);
        let given = state.holding(civ).advances.iter().filter_map(|held| printed.advances[held as usize].credit_to);
        let specific: u16 = given.filter(|(to, _)| to == advance).map(|(_, points)| points).sum();
        if i32::from(price) != (i32::from(card.cost) - i32::from(colour) - i32::from(specific)).max(0) {
            return Some(format!("{advance:?} costs {price}"));
        }
        full += price;
    }
    let gift = if advances.contains(&Advance::Anatomy) { 100 } else { 0 };
    let discount = if advances.contains(&Advance::Library) { 40 } else { 0 };
    let worth = if state.has(civ, Advance::Mining) { 2 } else { 1 };
    let mut sets: std::collections::BTreeMap<Commodity, u16> = std::collections::BTreeMap::new();
    for card in cards {
        if let Face::Commodity(commodity) = card.face {
            *sets.entry(commodity).or_default() += 1;
        }
    }
    let value = |commodity: &Commodity| u16::from(printed.commodities[usize::from(commodity.0)].stack);
    let sets: u16 = sets.iter().map(|(commodity, count)| count * count * value(commodity)).sum();
    // R12.10: a card that stands in may be worth as much as the largest set.
    let stand_in = if state.has(civ, Advance::TradeEmpire) { 2 * 9 * cards.len() as u16 } else { 0 };
    if sets + stand_in + worth * paid + gift + discount < full {
        return Some(format!("{full} were paid with {}", sets + worth * paid));
    }
    (worth * paid > full + 1).then(|| format!("{paid} treasury for {full}"))
}

/// Who writes what silence means brings about what writing nothing would have.
pub fn telling_silence(ruling: &Ruling, chance: &Chance) -> Option<String> {
    // R5.3: which cities the tokens allow depends on those that others build before.
    if ruling.before.phase() == Phase::Cities {
        return None;
    }
    let rules = ruling.before.phase().rules();
    let awaited = rules.awaits(&ruling.before);
    let spoken = awaited.iter().flat_map(|awaited| {
        let lines = (1..).map(LineId).zip(rules.silence(&ruling.before, *awaited));
        lines.map(|(line, command)| Filed { civ: awaited.civ, line, ahead: false, command })
    });
    let spoken = Commands { filed: spoken.collect(), cut_off: true, ..Commands::default() };
    let silent = Commands { filed: Vec::new(), cut_off: true, ..Commands::default() };
    let same = adjudicate(&ruling.before, &spoken, chance).1 == adjudicate(&ruling.before, &silent, chance).1;
    (!same).then(|| format!("silence in {} means something else than it says", ruling.before.phase().name()))
}
