//! Prices and payments, against hand-made examples and against trying everything.

use std::sync::Arc;

use proptest::prelude::*;

use super::payment::Purse;
use super::*;
use crate::game::command::Payment;
use crate::game::{Opening, Rulebook, setup};
use crate::rules::{Advance, AstSide, Commodity, Group, PrintedGame, TradeCard, set_value};

const MINOA: Civ = Civ(0);

/// Minoa of five players with these cards, advances and treasury.
fn state(cards: &[Face], advances: &[Advance], treasury: u16) -> State {
    let mut opening = opening();
    let holding = &mut opening.holdings[0];
    holding.hand = cards.iter().map(|face| TradeCard { face: *face, block: holding.block }).collect();
    holding.hand.sort_unstable();
    holding.advances = advances.iter().copied().collect();
    holding.credits.clear();
    holding.stock -= treasury;
    holding.treasury = treasury;
    State::new(opening)
}

fn opening() -> Opening {
    use std::sync::OnceLock;
    static PRINTED: OnceLock<Arc<PrintedGame>> = OnceLock::new();
    let printed = PRINTED.get_or_init(|| Arc::new(PrintedGame::built_in().expect("the edition is sound"))).clone();
    let scenario = printed.scenarios[0].clone();
    setup::opening(printed, &scenario, Rulebook::default(), AstSide::Basic)
}

fn card(state: &State, name: &str) -> Face {
    let index = state.printed().commodities.iter().position(|card| card.name == name).expect("a commodity");
    Face::Commodity(Commodity(index as u8))
}

fn line(advances: &[Advance]) -> Command {
    let advances = advances.to_vec();
    Command::Acquire { advances, payment: None, library_for: None, free: None, credits: Vec::new() }
}

fn close(state: &State, lines: &[Command]) -> Result<Event, Illegal> {
    let mut transaction = Transaction::open(state, MINOA, AdvanceSet::default());
    for line in lines {
        transaction = transaction.with(line)?;
    }
    Ok(transaction.close().expect("something is acquired"))
}

#[test]
fn the_better_colour_and_the_specific_credits_count() {
    // Pottery gives Crafts 10 and 10 towards Agriculture; Mysticism Arts 5 and Religion 5.
    let state = state(&[], &[Advance::Pottery, Advance::Mysticism, Advance::Sculpture], 0);
    assert_eq!(price(&state, MINOA, Advance::Agriculture), 120 - 10 - 10);
    // Arts 5 + 5 + 10 = 20, Religion 5, and 10 of Mysticism towards Monument of Crafts and Religion.
    assert_eq!(price(&state, MINOA, Advance::Music), 80 - 20);
    assert_eq!(price(&state, MINOA, Advance::Monument), 180 - 10 - 10);
    assert_eq!(price(&state, MINOA, Advance::WrittenRecord), 60 - 5);
}

#[test]
fn a_price_is_never_below_zero() {
    let state = state(&[], &[Advance::WonderOfTheWorld, Advance::CulturalAscendancy, Advance::Politics], 0);
    assert_eq!(price(&state, MINOA, Advance::Sculpture), 0);
}

#[test]
fn credits_nobody_chose_are_spread() {
    let state = state(&[], &[], 50);
    let event = close(&state, &[line(&[Advance::Mysticism])]);
    assert!(matches!(event, Ok(Event::AdvancesAcquired { credits, .. }) if credits.is_empty()));
    assert_eq!(spread(10).into_iter().collect::<Vec<_>>(), [(Group::Arts, 5), (Group::Civics, 5)]);
    assert_eq!(spread(30).values().copied().collect::<Vec<_>>(), [10, 5, 5, 5, 5]);
}

#[test]
fn stated_cards_are_used_and_the_rest_is_found() {
    let base = state(&[], &[], 0);
    let (gold, fish) = (card(&base, "Gold"), card(&base, "Fish"));
    let state = state(&[gold, gold, fish, fish, fish], &[], 50);
    let payment = Some(Payment { cards: vec![fish, fish, fish], treasury: 23, stands_in: None });
    let stated = Command::Acquire {
        advances: vec![Advance::Sculpture],
        payment,
        library_for: None,
        free: None,
        credits: Vec::new(),
    };
    let Ok(Event::AdvancesAcquired { cards, treasury, .. }) = close(&state, &[stated, line(&[Advance::Urbanism])])
    else {
        panic!("both lines stand");
    };
    // 100 together: 27 of Fish, 36 of Gold, and 37 from the treasury.
    assert_eq!((cards.len(), treasury), (5, 37));
}

#[test]
fn a_hand_of_forty_cards_is_paid_from_at_once() {
    let base = state(&[], &[], 0);
    let faces: Vec<_> = ["Ochre", "Papyri", "Fish", "Oil", "Wine", "Copper", "Incense", "Gemstones", "Gold"]
        .into_iter()
        .flat_map(|name| std::iter::repeat_n(card(&base, name), 5))
        .collect();
    let state = state(&faces, &[], 30);
    let paid = Purse::open(&state, MINOA).cheapest(1150).expect("it suffices");
    assert!(paid.treasury <= 30);
}

/// The least loss, treasury and cards over every choice there is.
fn by_trying(counts: &[(u8, u16)], treasury: u16, worth: u16, price: u16) -> Option<(u16, u16, u16)> {
    let mut best = None;
    let choices: usize = counts.iter().map(|(_, held)| usize::from(*held) + 1).product();
    for mut choice in 0..choices {
        let (mut value, mut loss, mut cards) = (0, 0, 0);
        for &(stack, held) in counts {
            let count = (choice % (usize::from(held) + 1)) as u16;
            choice /= usize::from(held) + 1;
            value += set_value(count, stack);
            loss += set_value(held, stack) - set_value(held - count, stack);
            cards += count;
        }
        let tokens = price.saturating_sub(value).div_ceil(worth);
        if tokens <= treasury {
            let tried = (loss + tokens, tokens, cards);
            best = Some(best.map_or(tried, |best: (u16, u16, u16)| best.min(tried)));
        }
    }
    best
}

proptest! {
    #[test]
    fn no_payment_is_cheaper_than_the_one_found(
        held in proptest::collection::vec((0usize..18, 1u16..5), 0..5),
        treasury in 0u16..40,
        mining in any::<bool>(),
        price in 0u16..200,
    ) {
        let held: std::collections::BTreeMap<usize, u16> = held.into_iter().collect();
        let faces: Vec<_> = held
            .iter()
            .flat_map(|(id, count)| std::iter::repeat_n(Face::Commodity(Commodity(*id as u8)), usize::from(*count)))
            .collect();
        let advances: &[Advance] = if mining { &[Advance::Mining] } else { &[] };
        let state = state(&faces, advances, treasury);
        let stack = |id: usize| state.printed().commodities[id].stack;
        let counts: Vec<_> = held.iter().map(|(id, count)| (stack(*id), *count)).collect();
        let found = Purse::open(&state, MINOA).cheapest(price).ok().map(|paid| {
            let paid_of = |id: usize| {
                paid.cards.iter().filter(|card| card.face == Face::Commodity(Commodity(id as u8))).count() as u16
            };
            let lost = |(id, count): (&usize, &u16)| {
                set_value(*count, stack(*id)) - set_value(count - paid_of(*id), stack(*id))
            };
            let loss: u16 = held.iter().map(lost).sum();
            (loss + paid.treasury, paid.treasury, paid.cards.len() as u16)
        });
        prop_assert_eq!(found, by_trying(&counts, treasury, 1 + u16::from(mining), price));
    }
}
