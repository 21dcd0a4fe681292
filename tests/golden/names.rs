//! The names under which events and reasons are stored: a new one does not compile here before it has its name.

use cursus::game::event::{Cause, Thwart};
use cursus::game::{Event, Illegal};

/// How many events there are.
pub const EVENTS: usize = 63;

pub fn event(it: &Event) -> &'static str {
    match it {
        Event::GameOpened { .. } => "game_opened",
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
        Event::CalamitiesLaid { .. } => "calamities_laid",
        Event::CalamityDiscarded { .. } => "calamity_discarded",
        Event::CalamityStruck { .. } => "calamity_struck",
        Event::VictimNamed { .. } => "victim_named",
        Event::CalamityResolved { .. } => "calamity_resolved",
        Event::UnitsDestroyed { .. } => "units_destroyed",
        Event::UnitsAnnexed { .. } => "units_annexed",
        Event::TreasuryLost { .. } => "treasury_lost",
        Event::TreasuryGained { .. } => "treasury_gained",
        Event::CardsDiscarded { .. } => "cards_discarded",
        Event::BarbariansCame { .. } => "barbarians_came",
        Event::BarbariansWandered { .. } => "barbarians_wandered",
        Event::MarkerMoved { .. } => "marker_moved",
        Event::AbilityUsed { .. } => "ability_used",
        Event::TokensResettled { .. } => "tokens_resettled",
        Event::CardGiven { .. } => "card_given",
        Event::AbilitiesEnded { .. } => "abilities_ended",
        Event::AdvancesAcquired { .. } => "advances_acquired",
        Event::AcquisitionEnded { .. } => "acquisition_ended",
        Event::StackReshuffled { .. } => "stack_reshuffled",
        Event::LastTurnAnnounced { .. } => "last_turn_announced",
        Event::GameEnded { .. } => "game_ended",
        Event::ThemesDrawn { .. } => "themes_drawn",
        Event::CivilizationSet { .. } => "civilization_set",
        Event::AreaClosed { .. } => "area_closed",
        Event::PlayerLeft { .. } => "player_left",
    }
}

/// How many reasons of a refusal there are.
pub const ILLEGALS: usize = 77;

pub fn illegal(it: &Illegal) -> &'static str {
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
        Illegal::TooFewInStock { .. } => "too_few_in_stock",
        Illegal::NoUnitsBeside { .. } => "no_units_beside",
        Illegal::NoUnitsToTake { .. } => "no_units_to_take",
        Illegal::TooManyTokens { .. } => "too_many_tokens",
        Illegal::NotElsewhere { .. } => "not_elsewhere",
        Illegal::AboveLimit { .. } => "above_limit",
        Illegal::TooFewBarbarians { .. } => "too_few_barbarians",
        Illegal::TooManyPlayers { .. } => "too_many_players",
        Illegal::OnOneself => "on_oneself",
        Illegal::Protected { .. } => "protected",
        Illegal::NotBeside { .. } => "not_beside",
        Illegal::NotSold { .. } => "not_sold",
        Illegal::AlreadyHeld { .. } => "already_held",
        Illegal::NamedTwice { .. } => "named_twice",
        Illegal::OnlyWhenAcquired { .. } => "only_when_acquired",
        Illegal::NoDiscount { .. } => "no_discount",
        Illegal::NoGift { .. } => "no_gift",
        Illegal::CreditsChosen { .. } => "credits_chosen",
        Illegal::TooLittlePaid { .. } => "too_little_paid",
        Illegal::TooMuchTreasury { .. } => "too_much_treasury",
        Illegal::TooDear { .. } => "too_dear",
        Illegal::NoCommodity { .. } => "no_commodity",
        Illegal::CannotStandIn { .. } => "cannot_stand_in",
    }
}

/// How many reasons of a line without an occasion there are.
pub const THWARTS: usize = 2;

pub fn thwart(it: &Thwart) -> &'static str {
    match it {
        Thwart::TestNotMet => "test_not_met",
        Thwart::TokensGone { .. } => "tokens_gone",
    }
}

/// How many causes there are.
pub const CAUSES: usize = 6;

pub fn cause(it: &Cause) -> &'static str {
    match it {
        Cause::Support => "support",
        Cause::Calamity(_) => "calamity",
        Cause::Advance(_) => "advance",
        Cause::HandLimit => "hand_limit",
        Cause::Ast => "ast",
        Cause::Leaving => "leaving",
    }
}
