//! Stored events stay readable: one line for every event, written once and never edited.
//!
//! A new event needs a line at the end of `golden/events.jsonl`; a line that is there is read as long as games last.

use std::collections::BTreeSet;

use cursus::game::event::Thwart;
use cursus::game::{Event, Illegal};

const STORED: &str = include_str!("golden/events.jsonl");

/// The events, and the reasons that carry something, whose shapes are frozen.
const EVENTS: usize = 36;
const ILLEGAL: usize = 54;
const THWARTS: usize = 2;

#[test]
fn every_stored_event_is_read_and_written_as_it_was() {
    let (mut events, mut illegal, mut thwarts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (number, text) in (1..).zip(STORED.lines()) {
        let event: Event = serde_json::from_str(text).unwrap_or_else(|error| panic!("line {number}: {error}"));
        let written = serde_json::to_string(&event).expect("an event can be stored");
        assert_eq!(written, text, "line {number} is written otherwise now");
        events.insert(event_name(&event));
        match &event {
            Event::Refused { why, .. } => drop(illegal.insert(illegal_name(why))),
            Event::Thwarted { why, .. } => drop(thwarts.insert(thwart_name(why))),
            _ => {}
        }
    }
    assert_eq!(events.len(), EVENTS, "an event has no stored line; there are {events:?}");
    assert_eq!(illegal.len(), ILLEGAL, "a reason has no stored line; there are {illegal:?}");
    assert_eq!(thwarts.len(), THWARTS, "a reason has no stored line; there are {thwarts:?}");
}

/// Fields that came later have a default, so lines from before are still read.
#[test]
fn a_loss_without_ships_and_neighbours_is_read() {
    let text = r#"{"tokens_fought":{"area":1,"forces":[[{"civ":0},2],["barbarians",1]],"losses":[{"owner":{"civ":0},"tokens":1}]}}"#;
    assert!(matches!(serde_json::from_str(text), Ok(Event::TokensFought { losses, .. }) if losses[0].ships == 0));
}

/// A new event does not compile here before it has its name and its line.
fn event_name(it: &Event) -> &'static str {
    match it {
        Event::StackPrepared { .. } => "stack_prepared",
        Event::PhaseClosed { .. } => "phase_closed",
        Event::Refused { .. } => "refused",
        Event::Thwarted { .. } => "thwarted",
        Event::TurnAwaited { .. } => "turn_awaited",
        Event::TaxCollected { .. } => "tax_collected",
        Event::CityRevolted { .. } => "city_revolted",
        Event::TokensGrew { .. } => "tokens_grew",
        Event::CensusTaken { .. } => "census_taken",
        Event::TokensWalked { .. } => "tokens_walked",
        Event::ShipBuilt { .. } => "ship_built",
        Event::ShipMaintained { .. } => "ship_maintained",
        Event::ShipScrapped { .. } => "ship_scrapped",
        Event::ShipSailed { .. } => "ship_sailed",
        Event::MovementEnded { .. } => "movement_ended",
        Event::TokensFought { .. } => "tokens_fought",
        Event::AttackFailed { .. } => "attack_failed",
        Event::DefenceDelayed { .. } => "defence_delayed",
        Event::CityFell { .. } => "city_fell",
        Event::CardTaken { .. } => "card_taken",
        Event::LootTaken { .. } => "loot_taken",
        Event::CityBuilt { .. } => "city_built",
        Event::SurplusRemoved { .. } => "surplus_removed",
        Event::CityReduced { .. } => "city_reduced",
        Event::SupportChecked { .. } => "support_checked",
        Event::CardDrawn { .. } => "card_drawn",
        Event::CardBought { .. } => "card_bought",
        Event::CardsDealt { .. } => "cards_dealt",
        Event::PurchasesEnded { .. } => "purchases_ended",
        Event::OfferMade { .. } => "offer_made",
        Event::OfferDeclined { .. } => "offer_declined",
        Event::OfferWithdrawn { .. } => "offer_withdrawn",
        Event::TradeMade { .. } => "trade_made",
        Event::OfferVoided { .. } => "offer_voided",
        Event::TradingEnded { .. } => "trading_ended",
        Event::TradeClosed { .. } => "trade_closed",
    }
}

fn illegal_name(it: &Illegal) -> &'static str {
    match it {
        Illegal::WrongPhase { .. } => "wrong_phase",
        Illegal::AfterDone => "after_done",
        Illegal::TaxRate { .. } => "tax_rate",
        Illegal::StockSuffices => "stock_suffices",
        Illegal::TooMuchGrowth { .. } => "too_much_growth",
        Illegal::TooFewTokens { .. } => "too_few_tokens",
        Illegal::Nothing => "nothing",
        Illegal::NotAdjacentByLand { .. } => "not_adjacent_by_land",
        Illegal::NotAdjacentByWater { .. } => "not_adjacent_by_water",
        Illegal::TooManySteps { .. } => "too_many_steps",
        Illegal::StopsInConflict { .. } => "stops_in_conflict",
        Illegal::OutOfPlay { .. } => "out_of_play",
        Illegal::NoLand { .. } => "no_land",
        Illegal::Forbidden { .. } => "forbidden",
        Illegal::NotCoastal { .. } => "not_coastal",
        Illegal::NoTokenThere { .. } => "no_token_there",
        Illegal::TooManyShipsBuilt => "too_many_ships_built",
        Illegal::NoShipInStock => "no_ship_in_stock",
        Illegal::RebuildElsewhere => "rebuild_elsewhere",
        Illegal::ShipPrice => "ship_price",
        Illegal::TooLittleTreasury { .. } => "too_little_treasury",
        Illegal::TooFewToDestroy { .. } => "too_few_to_destroy",
        Illegal::NoShip { .. } => "no_ship",
        Illegal::ShipNotMaintained { .. } => "ship_not_maintained",
        Illegal::ShipInUse { .. } => "ship_in_use",
        Illegal::TooFewSteps { .. } => "too_few_steps",
        Illegal::OpenSea { .. } => "open_sea",
        Illegal::ShipFull { .. } => "ship_full",
        Illegal::TooFewAboard { .. } => "too_few_aboard",
        Illegal::NeedsAdvance { .. } => "needs_advance",
        Illegal::TooMuchLoot { .. } => "too_much_loot",
        Illegal::TooFewForCity { .. } => "too_few_for_city",
        Illegal::NoCityOnLimitZero { .. } => "no_city_on_limit_zero",
        Illegal::CityThere { .. } => "city_there",
        Illegal::NoCityInStock => "no_city_in_stock",
        Illegal::TooMuchForCity { .. } => "too_much_for_city",
        Illegal::OncePerTurn { .. } => "once_per_turn",
        Illegal::OnlyWilderness { .. } => "only_wilderness",
        Illegal::NothingLeftOver { .. } => "nothing_left_over",
        Illegal::NotForSale { .. } => "not_for_sale",
        Illegal::FreeCardTooLow { .. } => "free_card_too_low",
        Illegal::NoCityNoPurchase => "no_city_no_purchase",
        Illegal::TooFewCards { .. } => "too_few_cards",
        Illegal::NotInHand { .. } => "not_in_hand",
        Illegal::NotTradeable { .. } => "not_tradeable",
        Illegal::CalamityNamed { .. } => "calamity_named",
        Illegal::TooFewCommodities => "too_few_commodities",
        Illegal::SaysTooMuch => "says_too_much",
        Illegal::WithOneself => "with_oneself",
        Illegal::NotSeated { .. } => "not_seated",
        Illegal::NoSuchOffer { .. } => "no_such_offer",
        Illegal::WrongNumber { .. } => "wrong_number",
        Illegal::NotAsAsked { .. } => "not_as_asked",
        Illegal::NoSuchLine { .. } => "no_such_line",
    }
}

fn thwart_name(it: &Thwart) -> &'static str {
    match it {
        Thwart::TestNotMet => "test_not_met",
        Thwart::TokensGone { .. } => "tokens_gone",
    }
}
