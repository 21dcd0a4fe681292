//! Phase 6: trade cards acquisition.

use super::rulebook::YesNo;
use super::stacks::STACKS;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Illegal, PhaseRules, State};
use crate::rules::{Advance, Civ, Face, TradeCard};

/// Stacks for sale: the advance they need, the stack, the price. R6.11, R6.12.
const FOR_SALE: [(Option<Advance>, u8, u16); 6] = [
    (None, 9, 15),
    (Some(Advance::Rhetoric), 3, 9),
    (Some(Advance::Cartography), 2, 5),
    (Some(Advance::Cartography), 7, 13),
    (Some(Advance::Mining), 6, 13),
    (Some(Advance::Mining), 8, 13),
];

/// Phase 6.
pub(crate) struct Cards;

impl PhaseRules for Cards {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let buying = state.drawing_sequence().into_iter();
        let buying = buying.filter(|civ| may_buy(state, *civ).is_ok() && !state.progress().acted.contains(civ));
        let asked = state.progress().asked;
        let awaited = buying.filter(|civ| asked.is_none_or(|asked| asked == *civ));
        awaited.map(|civ| Awaited { civ, decision: Decision::Purchases }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        if state.progress().acted.contains(&civ) {
            return Err(Illegal::AfterDone);
        }
        match command {
            Command::Buy { stack, count, limits: None, free: false } => {
                let price = price(state, civ, *stack)?;
                let (have, need) = (state.holding(civ).treasury, price.saturating_mul(*count));
                match (count, have < need) {
                    (0, _) => Err(Illegal::Nothing),
                    (_, true) => Err(Illegal::TooLittleTreasury { have, need }),
                    (_, false) => Ok(()),
                }
            }
            Command::Buy { stack, limits: Some(_), free: false, .. } => price(state, civ, *stack).map(|_| ()),
            Command::Buy { stack, count, free: true, .. } => may_take_free(state, civ, *stack, *count),
            _ => Ok(()),
        }
    }

    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        vec![Command::Pass]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        if chronicle.state().progress().dealt.is_none() {
            deal(chronicle);
        }
        // 6b: everybody in the sequence of drawing. R6.9.
        for civ in chronicle.state().drawing_sequence() {
            if chronicle.state().progress().acted.contains(&civ) {
                continue;
            }
            if commands.waits(civ) && chronicle.waits_for(commands, civ) {
                return;
            }
            purchase(chronicle, commands, civ);
        }
    }
}

/// 6a: one card from each stack up to the number of cities, fewest cities first. R6.4, R6.5.
fn deal(chronicle: &mut Chronicle) {
    let sequence = chronicle.state().drawing_sequence();
    let drawing = sequence.into_iter().filter(|civ| chronicle.state().city_count(*civ) > 0);
    let drawing: Vec<_> = drawing.collect();
    for &civ in &drawing {
        for stack in 1..=chronicle.state().city_count(civ).min(STACKS) {
            let card = top_or_water(chronicle.state(), civ, stack);
            chronicle.record(Event::CardDrawn { civ, stack, card });
        }
    }
    chronicle.record(Event::CardsDealt { sequence: drawing });
}

/// The top card of a player's own stacks; water from an empty one. R6.7, R6.17.
fn top_or_water(state: &State, civ: Civ, stack: u8) -> TradeCard {
    let block = state.holding(civ).block;
    state.stacks().top(block, stack).unwrap_or(TradeCard { face: Face::Water, block })
}

fn purchase(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    let mut passed = false;
    for filed in commands.of(civ) {
        match filed.command {
            Command::Pass => passed = true,
            Command::Buy { .. } if passed => chronicle.refuse(filed, Illegal::AfterDone),
            Command::Buy { stack, count, limits, free } => {
                match Cards.may_stand(chronicle.state(), civ, &filed.command) {
                    Ok(()) if free => buy(chronicle, civ, stack as u8, 0, true),
                    Ok(()) => {
                        let until = limits.is_some_and(|limits| limits.until_calamity);
                        let keep = limits.map_or(0, |limits| limits.keep);
                        buy_several(chronicle, civ, stack, count, keep, until);
                    }
                    Err(why) => chronicle.refuse(filed, why),
                }
            }
            _ => {}
        }
    }
    chronicle.record(Event::PurchasesEnded { civ });
}

/// One card after another, each seen before the next. R6.10, R6.15.
fn buy_several(chronicle: &mut Chronicle, civ: Civ, stack: u16, count: u16, keep: u16, until_calamity: bool) {
    for _ in 0..count {
        let Ok(price) = price(chronicle.state(), civ, stack) else { return };
        if chronicle.state().holding(civ).treasury < price.saturating_add(keep) {
            return;
        }
        let card = top_or_water(chronicle.state(), civ, stack as u8);
        buy(chronicle, civ, stack as u8, price, false);
        if until_calamity && matches!(card.face, Face::Calamity(_)) {
            return;
        }
    }
}

fn buy(chronicle: &mut Chronicle, civ: Civ, stack: u8, price: u16, free: bool) {
    let card = top_or_water(chronicle.state(), civ, stack);
    chronicle.record(Event::CardBought { civ, stack, price, card, free });
}

/// R6.9: a player without cities buys where the house rule lets them.
fn may_buy(state: &State, civ: Civ) -> Result<(), Illegal> {
    match state.rulebook().purchases_without_cities {
        YesNo::No if state.city_count(civ) == 0 => Err(Illegal::NoCityNoPurchase),
        YesNo::No | YesNo::Yes => Ok(()),
    }
}

/// What a card of the stack costs this player. R6.11, R6.12.
fn price(state: &State, civ: Civ, stack: u16) -> Result<u16, Illegal> {
    may_buy(state, civ)?;
    let mut sold = FOR_SALE.iter().filter(|(_, sold, _)| u16::from(*sold) == stack);
    let (advance, _, price) = sold.next().ok_or(Illegal::NotForSale { stack })?;
    match advance {
        Some(advance) if !state.has(civ, *advance) => Err(Illegal::NeedsAdvance { advance: *advance }),
        Some(_) | None => Ok(*price),
    }
}

/// R6.13: one free card a turn, from a stack above the number of cities.
fn may_take_free(state: &State, civ: Civ, stack: u16, count: u16) -> Result<(), Illegal> {
    let advance = Advance::WonderOfTheWorld;
    may_buy(state, civ)?;
    if !state.has(civ, advance) {
        return Err(Illegal::NeedsAdvance { advance });
    }
    if count != 1 || state.progress().used.contains(&(civ, advance)) {
        return Err(Illegal::OncePerTurn { advance });
    }
    let cities = state.city_count(civ);
    if stack > u16::from(STACKS) || stack == 0 {
        return Err(Illegal::NotForSale { stack });
    }
    if stack <= u16::from(cities) { Err(Illegal::FreeCardTooLow { stack, cities }) } else { Ok(()) }
}
