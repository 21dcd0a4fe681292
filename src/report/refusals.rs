//! Why a line may not stand, in words: a phrase for every reason, most with the number of its rule in brackets.

#![warn(clippy::wildcard_enum_match_arm)]

use minijinja::{Value, context};

use super::facts::Facts;
use super::templates::Templates;
use crate::game::Illegal;
use crate::game::event::Thwart;
use crate::rules::PrintedGame;

/// The reason, as the player who wrote the line is told.
pub fn reason(templates: &Templates, printed: &PrintedGame, why: &Illegal) -> String {
    let (key, facts) = facts(Facts::new(printed, templates.language), why);
    templates.say("reason", key, facts)
}

/// Why a line finds no occasion.
pub(crate) fn no_occasion(templates: &Templates, printed: &PrintedGame, why: &Thwart) -> String {
    let facts = Facts::new(printed, templates.language);
    match why {
        Thwart::TestNotMet => templates.say("no_occasion", "test_not_met", context! {}),
        Thwart::NothingStays { area } => {
            templates.say("no_occasion", "nothing_stays", context! { area => facts.area(*area) })
        }
        Thwart::TokensGone { area, have, need } => {
            templates.say("no_occasion", "tokens_gone", context! { area => facts.area(*area), have, need })
        }
    }
}

/// The name of the phrase, and its facts.
fn facts(facts: Facts, why: &Illegal) -> (&'static str, Value) {
    let area = |area: &_| facts.area(*area);
    let civ = |civ: &_| facts.civ(*civ);
    let card = |face: &_| facts.face(*face);
    let advance = |advance: &_| facts.advance(*advance);
    match why {
        Illegal::WrongPhase { phase } => ("wrong_phase", context! { phase => facts.phase(*phase) }),
        Illegal::AfterDone => ("after_done", context! {}),
        Illegal::TaxRate { rate, lowest, highest } if lowest == highest => ("fixed_rate", context! { rate, lowest }),
        Illegal::TaxRate { rate, lowest, highest } => ("tax_rate", context! { rate, lowest, highest }),
        Illegal::StockSuffices => ("stock_suffices", context! {}),
        Illegal::TooMuchGrowth { area: at, most, wrote } => {
            ("too_much_growth", context! { area => area(at), most, wrote })
        }
        Illegal::TooFewTokens { area: at, have, need, moved } => {
            ("too_few_tokens", context! { area => area(at), have, need, moved })
        }
        Illegal::Nothing => ("nothing", context! {}),
        Illegal::NotAdjacentByLand { from, to } => {
            ("not_adjacent_by_land", context! { from => area(from), to => area(to) })
        }
        Illegal::NotAdjacentByWater { from, to } => {
            ("not_adjacent_by_water", context! { from => area(from), to => area(to) })
        }
        Illegal::TooManySteps { most } => ("too_many_steps", context! { most }),
        Illegal::StopsInConflict { area: at } => ("stops_in_conflict", context! { area => area(at) }),
        Illegal::OutOfPlay { area: at } => ("out_of_play", context! { area => area(at) }),
        Illegal::NoLand { area: at } => ("no_land", context! { area => area(at) }),
        Illegal::Forbidden { advance: ban, holder, area: at } => {
            ("forbidden", context! { advance => advance(ban), holder => civ(holder), area => area(at) })
        }
        Illegal::NotCoastal { area: at } => ("not_coastal", context! { area => area(at) }),
        Illegal::NoTokenThere { area: at } => ("no_token_there", context! { area => area(at) }),
        Illegal::TooManyShipsBuilt => ("too_many_ships_built", context! {}),
        Illegal::NoShipInStock => ("no_ship_in_stock", context! {}),
        Illegal::RebuildElsewhere => ("rebuild_elsewhere", context! {}),
        Illegal::ShipPrice => ("ship_price", context! {}),
        Illegal::TooLittleTreasury { have, need } => ("too_little_treasury", context! { have, need }),
        Illegal::TooFewToDestroy { area: at, have, need } => {
            ("too_few_to_destroy", context! { area => area(at), have, need })
        }
        Illegal::NoShip { area: at } => ("no_ship", context! { area => area(at) }),
        Illegal::ShipNotMaintained { area: at } => ("ship_not_maintained", context! { area => area(at) }),
        Illegal::ShipInUse { area: at } => ("ship_in_use", context! { area => area(at) }),
        Illegal::TooFewSteps { area: at, left, need } => ("too_few_steps", context! { area => area(at), left, need }),
        Illegal::OpenSea { area: at } => ("open_sea", context! { area => area(at) }),
        Illegal::ShipFull { holds } => ("ship_full", context! { holds }),
        Illegal::TooFewAboard { have } => ("too_few_aboard", context! { have }),
        Illegal::NeedsAdvance { advance: needed } => ("needs_advance", context! { advance => advance(needed) }),
        Illegal::TooMuchLoot { most } => ("too_much_loot", context! { most }),
        Illegal::TooFewForCity { area: at, have, need } => {
            ("too_few_for_city", context! { area => area(at), have, need })
        }
        Illegal::NoCityOnLimitZero { area: at } => ("no_city_on_limit_zero", context! { area => area(at) }),
        Illegal::CityThere { area: at } => ("city_there", context! { area => area(at) }),
        Illegal::NoCityInStock => ("no_city_in_stock", context! {}),
        Illegal::TooMuchForCity { advance: used, most } => {
            ("too_much_for_city", context! { advance => advance(used), most })
        }
        Illegal::OncePerTurn { advance: used } => ("once_per_turn", context! { advance => advance(used) }),
        Illegal::OnlyWilderness { area: at } => ("only_wilderness", context! { area => area(at) }),
        Illegal::NothingLeftOver { area: at } => ("nothing_left_over", context! { area => area(at) }),
        Illegal::NotForSale { stack } => ("not_for_sale", context! { stack }),
        Illegal::FreeCardTooLow { stack, cities } => ("free_card_too_low", context! { stack, cities }),
        Illegal::NoCityNoPurchase => ("no_city_no_purchase", context! {}),
        Illegal::TooFewCards { cards, least } => ("too_few_cards", context! { cards, least }),
        Illegal::NotInHand { card: face } => ("not_in_hand", context! { card => card(face) }),
        Illegal::NotTradeable { card: face } => ("not_tradeable", context! { card => card(face) }),
        Illegal::CalamityNamed { card: face } => ("calamity_named", context! { card => card(face) }),
        Illegal::TooFewCommodities => ("too_few_commodities", context! {}),
        Illegal::SaysTooMuch => ("says_too_much", context! {}),
        Illegal::WithOneself => ("with_oneself", context! {}),
        Illegal::NotSeated { civ: other } => ("not_seated", context! { civ => civ(other) }),
        Illegal::NoSuchOffer { number } => ("no_such_offer", context! { number }),
        Illegal::WrongNumber { cards, asked } => ("wrong_number", context! { cards, asked }),
        Illegal::NotAsAsked { card: face } => ("not_as_asked", context! { card => card(face) }),
        Illegal::NoSuchLine { number } => ("no_such_line", context! { number }),
        Illegal::TooFewInStock { have, need } => ("too_few_in_stock", context! { have, need }),
        Illegal::NoUnitsBeside { area: at } => ("no_units_beside", context! { area => area(at) }),
        Illegal::NoUnitsToTake { area: at } => ("no_units_to_take", context! { area => area(at) }),
        Illegal::TooManyTokens { most } => ("too_many_tokens", context! { most }),
        Illegal::NotElsewhere { area: at } => ("not_elsewhere", context! { area => area(at) }),
        Illegal::AboveLimit { area: at, room, then } => ("above_limit", context! { area => area(at), room, then }),
        Illegal::TooFewBarbarians { area: at, have, need } => {
            ("too_few_barbarians", context! { area => area(at), have, need })
        }
        Illegal::TooManyPlayers { most } => ("too_many_players", context! { most }),
        Illegal::OnOneself => ("on_oneself", context! {}),
        Illegal::Protected { civ: other, advance: shield } => {
            ("protected", context! { civ => civ(other), advance => advance(shield) })
        }
        Illegal::NotBeside { civ: other } => ("not_beside", context! { civ => civ(other) }),
        Illegal::NotSold { card: face } => ("not_sold", context! { card => card(face) }),
        Illegal::AlreadyHeld { advance: held } => ("already_held", context! { advance => advance(held) }),
        Illegal::NamedTwice { advance: twice } => ("named_twice", context! { advance => advance(twice) }),
        Illegal::OnlyWhenAcquired { advance: used } => ("only_when_acquired", context! { advance => advance(used) }),
        Illegal::NoDiscount { advance: target } => ("no_discount", context! { advance => advance(target) }),
        Illegal::NoGift { advance: gift } => ("no_gift", context! { advance => advance(gift) }),
        Illegal::CreditsChosen { points, wrote } => ("credits_chosen", context! { points, wrote }),
        Illegal::TooLittlePaid { price, paid } => ("too_little_paid", context! { price, paid }),
        Illegal::TooMuchTreasury { most, wrote } => ("too_much_treasury", context! { most, wrote }),
        Illegal::TooDear { price, can_pay } => ("too_dear", context! { price, can_pay }),
        Illegal::NoCommodity { card: face } => ("no_commodity", context! { card => card(face) }),
        Illegal::InlandFirst { inland } => ("inland_first", context! { inland }),
        Illegal::CannotStandIn { card: face, stands_for } => {
            ("cannot_stand_in", context! { card => card(face), stands_for => card(stands_for) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Advance, AreaId, Language};

    #[test]
    fn a_reason_names_facts_and_its_rule() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let knossos = (0..).map(AreaId).find(|id| printed.map.area(*id).name == "Knossos").expect("Knossos is printed");
        let [english, polish] = Language::ALL.map(|language| Templates::built_in(language, &printed));
        let few = |moved| Illegal::TooFewTokens { area: knossos, have: 1, need: 3, moved };
        let said = |why| [&english, &polish].map(|templates| reason(templates, &printed, &why));
        assert_eq!(said(few(0))[0], "in Knossos 1 token can still move, not 3 [R3.6]");
        assert_eq!(said(few(0))[1], "w Knossos może się jeszcze ruszyć 1 żeton, a nie 3 [R3.6]");
        assert_eq!(said(few(2))[1], "w Knossos może się jeszcze ruszyć 1 żeton, a nie 3; 2 już się ruszyły [R3.6]");
        let dear = said(Illegal::TooDear { price: 60, can_pay: 40 });
        assert_eq!(dear[0], "all of it costs 60, and you can pay 40 [R12.5]");
        let held = said(Illegal::AlreadyHeld { advance: Advance::Pottery });
        assert_eq!(held, ["you hold Pottery already [R12.2]", "masz już tę kartę: Garncarstwo [R12.2]"]);
    }
}
