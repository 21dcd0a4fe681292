//! Why a line may not stand, in words: a sentence for every reason, with the number of its rule in brackets.

#![warn(clippy::wildcard_enum_match_arm)]

use super::Names;
use super::names::counted;
use crate::game::Illegal;
use crate::rules::{Advance, PrintedGame};

/// The reason, as the player who wrote the line is told.
pub fn reason(printed: &PrintedGame, why: &Illegal) -> String {
    let names = Names::english(printed);
    let advance = |advance: &Advance| printed.advances[*advance as usize].name.as_str();
    let tokens = |count: &u16| counted(*count, "token", "tokens");
    let cards = |count: &u16| counted(*count, "card", "cards");
    match why {
        Illegal::WrongPhase { phase } => {
            format!("it belongs to the phase {}, which is over or not yet open", phase.name())
        }
        Illegal::AfterDone => "you have said that you have finished [R3.3, R6.16]".to_owned(),
        Illegal::TaxRate { rate, lowest, highest } if lowest == highest => {
            format!("the rate {rate} is not yours to choose: it is {lowest} [R1.3]")
        }
        Illegal::TaxRate { rate, lowest, highest } => {
            format!("the rate {rate} is not allowed: yours is from {lowest} to {highest} [R1.3]")
        }
        Illegal::StockSuffices => {
            "your stock suffices for the whole growth, so there is nothing to choose [R2.5]".into()
        }
        Illegal::TooMuchGrowth { area, most, wrote } => {
            format!("{} grows by {most} at most, not by {wrote} [R2.2, R2.5]", names.area(*area))
        }
        Illegal::TooFewTokens { area, have, need, moved: 0 } => {
            format!("{} has {} that can still move, not {need} [R3.6]", names.area(*area), tokens(have))
        }
        Illegal::TooFewTokens { area, have, need, moved } => format!(
            "{} has {} that can still move, not {need}; {moved} more have moved already [R3.6]",
            names.area(*area),
            tokens(have)
        ),
        Illegal::Nothing => "the number must be at least one".to_owned(),
        Illegal::NotAdjacentByLand { from, to } => {
            format!("{} and {} have no common border on land [R3.6]", names.area(*from), names.area(*to))
        }
        Illegal::NotAdjacentByWater { from, to } => {
            format!("{} and {} have no common border over water [R3.21]", names.area(*from), names.area(*to))
        }
        Illegal::TooManySteps { most } => {
            format!("a token walks {} at most [R3.8]", counted(*most, "step", "steps"))
        }
        Illegal::StopsInConflict { area } => {
            format!("tokens must stop in {}, where there is a conflict [R3.8]", names.area(*area))
        }
        Illegal::OutOfPlay { area } => format!("{} is out of play [R3.25]", names.area(*area)),
        Illegal::NoLand { area } => format!("{} has no land to stand on [G.5]", names.area(*area)),
        Illegal::Forbidden { advance: ban, holder, area } => {
            format!("{} of {} forbids it in {} [R3.42, R3.43]", advance(ban), names.civ(*holder), names.area(*area))
        }
        Illegal::NotCoastal { area } => format!("{} has no coast [R3.11]", names.area(*area)),
        Illegal::NoTokenThere { area } => format!("you have no token in {} [R3.11]", names.area(*area)),
        Illegal::TooManyShipsBuilt => "you have built as many ships this turn as you may [R3.12]".to_owned(),
        Illegal::NoShipInStock => "you have no ship left in stock [G.1]".to_owned(),
        Illegal::RebuildElsewhere => "a ship that was given up is built again where it was [R3.19]".to_owned(),
        Illegal::ShipPrice => {
            "a ship costs two: treasury, tokens or one of each, one token from its area [R3.13]".into()
        }
        Illegal::TooLittleTreasury { have, need } => format!("your treasury has {have}, and {need} are needed"),
        Illegal::TooFewToDestroy { area, have, need } => {
            format!("{} has {} of yours, and {need} would be destroyed", names.area(*area), tokens(have))
        }
        Illegal::NoShip { area } => format!("you have no ship in {}", names.area(*area)),
        Illegal::ShipNotMaintained { area } => {
            format!("the ship in {0} is old; write `maintain ship in {0}` first [R3.15]", names.area(*area))
        }
        Illegal::ShipInUse { area } => {
            format!("the ship in {} is new or maintained already [R3.18, R3.20]", names.area(*area))
        }
        Illegal::TooFewSteps { area, left, need } => {
            let left = counted(*left, "step", "steps");
            format!("a ship in {} has {left} left, and {need} are needed [R3.21]", names.area(*area))
        }
        Illegal::OpenSea { area } => format!("{} is open sea [R3.22]", names.area(*area)),
        Illegal::ShipFull { holds } => format!("a ship holds {} at once [R3.23]", tokens(holds)),
        Illegal::TooFewAboard { have } => format!("there is {} aboard [R3.23]", tokens(have)),
        Illegal::NeedsAdvance { advance: needed } => format!("it needs {}, which you do not hold", advance(needed)),
        Illegal::TooMuchLoot { most } => format!("the loot is {} at most [R4.28]", tokens(most)),
        Illegal::TooFewForCity { area, have, need } => {
            format!("a city in {} takes {need}, and there are {have} with all you pay [R5.3]", names.area(*area))
        }
        Illegal::NoCityOnLimitZero { area } => {
            format!("no city stands in {}, whose limit is 0 [R5.4]", names.area(*area))
        }
        Illegal::CityThere { area } => format!("a city stands in {} already [R5.5]", names.area(*area)),
        Illegal::NoCityInStock => "you have no city left in stock [R5.5]".to_owned(),
        Illegal::TooMuchForCity { advance: used, most } => {
            format!("{} gives {most} at most for this city [R5.8, R5.9]", advance(used))
        }
        Illegal::OncePerTurn { advance: used } => format!("{} serves once a turn", advance(used)),
        Illegal::OnlyWilderness { area } => {
            format!("Urbanism is for the wilderness, and {} has a city site [R5.9]", names.area(*area))
        }
        Illegal::NothingLeftOver { area } => format!("no token is left over in {} to stay [R5.10]", names.area(*area)),
        Illegal::NotForSale { stack } => format!("stack {stack} is not for sale to you [R6.11, R6.12]"),
        Illegal::FreeCardTooLow { stack, cities } => format!(
            "the free card comes from a stack above your {}, not from stack {stack} [R6.13]",
            counted(*cities, "city", "cities")
        ),
        Illegal::NoCityNoPurchase => "nobody without a city buys cards [R6.9]".to_owned(),
        Illegal::TooFewCards { cards: wrote, least } => {
            format!("each side gives {} or more, not {wrote} [R7.7]", cards(least))
        }
        Illegal::NotInHand { card } => format!("you do not hold {}, or not so often", names.face(*card)),
        Illegal::NotTradeable { card } => format!("{} may not be traded [R7.5]", names.face(*card)),
        Illegal::CalamityNamed { card } => format!("{} is a calamity and may not be named [R7.5]", names.face(*card)),
        Illegal::TooFewCommodities => "at least two of the cards must be commodities [R7.8]".to_owned(),
        Illegal::SaysTooMuch => "more is said than there are cards to speak of [R7.8]".to_owned(),
        Illegal::WithOneself => "a trade has two sides [R7.6]".to_owned(),
        Illegal::NotSeated { civ } => format!("{} does not play in this game", names.civ(*civ)),
        Illegal::NoSuchOffer { number } => format!("there is no offer {number} open to you"),
        Illegal::WrongNumber { cards: gives, asked } => {
            format!("{} were asked for, not {gives} [R7.12]", cards(asked))
        }
        Illegal::NotAsAsked { card } => format!("{} was asked for and is not among them [R7.8]", names.face(*card)),
        Illegal::NoSuchLine { number } => format!("there is no line {number} to take back"),
        Illegal::TooFewInStock { have, need } => format!("your stock has {}, and {need} are needed", tokens(have)),
        Illegal::NoUnitsBeside { area } => {
            format!("none of your units stands beside {} by land [R10.2]", names.area(*area))
        }
        Illegal::NoUnitsToTake { area } => {
            format!("nothing stands in {} that the ability could take [R10.6]", names.area(*area))
        }
        Illegal::TooManyTokens { most } => format!("the ability takes {} at most [R10.2]", tokens(most)),
        Illegal::NotElsewhere { area } => format!("the tokens stand in {} already [R10.2]", names.area(*area)),
        Illegal::AboveLimit { area, room, then } => {
            format!("{} has room for {}, not for {then} [R10.2]", names.area(*area), tokens(room))
        }
        Illegal::TooFewBarbarians { area, have, need } => {
            format!("{} barbarians stand in {}, not {need} [R10.2]", have, names.area(*area))
        }
        Illegal::TooManyPlayers { most } => {
            format!("{} at most may be selected [R10.2]", counted(*most, "player", "players"))
        }
        Illegal::OnOneself => "nobody selects himself [R10.2]".to_owned(),
        Illegal::Protected { civ, advance: shield } => {
            format!("{} is protected by {} [R10.6]", names.civ(*civ), advance(shield))
        }
        Illegal::NotBeside { civ } => format!("no unit of {} is beside one of yours [R10.2]", names.civ(*civ)),
        Illegal::NotSold { card } => format!("{} is no commodity and is not sold [R10.2]", names.face(*card)),
        Illegal::AlreadyHeld { advance: held } => format!("you hold {} already [R12.2]", advance(held)),
        Illegal::NamedTwice { advance: twice } => format!("{} is named twice [R12.2]", advance(twice)),
        Illegal::OnlyWhenAcquired { advance: used } => {
            format!("this serves only when {} is acquired [R12.9]", advance(used))
        }
        Illegal::NoDiscount { advance: target } => {
            format!("Library makes another advance of the same purchase cheaper, not {} [R12.9]", advance(target))
        }
        Illegal::NoGift { advance: gift } => {
            format!("Anatomy gives a science advance printed below 100, not {} [R12.9]", advance(gift))
        }
        Illegal::CreditsChosen { points, wrote } => {
            format!("{points} points of credits are chosen in steps of 5, not {wrote} [R12.9]")
        }
        Illegal::TooLittlePaid { price, paid } => format!("the price is {price}, and you pay {paid} [R12.5]"),
        Illegal::TooMuchTreasury { most, wrote } => {
            format!("no more than {most} treasury is needed, and you wrote {wrote} [R12.6]")
        }
        Illegal::TooDear { price, can_pay } => format!("all of it costs {price}, and you can pay {can_pay} [R12.5]"),
        Illegal::NoCommodity { card } => format!("{} is no commodity [R12.5]", names.face(*card)),
        Illegal::CannotStandIn { card, stands_for } => {
            format!("{} may not stand in for {} [R12.10]", names.face(*card), names.face(*stands_for))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::AreaId;

    #[test]
    fn a_reason_names_facts_and_its_rule() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let area = AreaId(0);
        let name = printed.map.area(area).name.clone();
        let few = |moved| reason(&printed, &Illegal::TooFewTokens { area, have: 1, need: 3, moved });
        assert_eq!(few(0), format!("{name} has 1 token that can still move, not 3 [R3.6]"));
        assert!(few(2).contains("2 more have moved already"));
        let dear = reason(&printed, &Illegal::TooDear { price: 60, can_pay: 40 });
        assert_eq!(dear, "all of it costs 60, and you can pay 40 [R12.5]");
        let held = reason(&printed, &Illegal::AlreadyHeld { advance: Advance::Pottery });
        assert_eq!(held, "you hold Pottery already [R12.2]");
    }
}
