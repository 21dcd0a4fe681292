//! Commands in words: a sheet as it was understood, in the canonical forms of the order language.
//!
//! Comes in: a command. Goes out: a line that the reading desk would read as that command again.

#![warn(clippy::wildcard_enum_match_arm)]

use super::{Names, wishes};
use crate::game::command::{Asks, SailAct, ShipPrice, Substitute, Test, Wanted};
use crate::game::{Command, Count};
use crate::rules::{AreaId, Face, PrintedGame};

/// The canonical line of a command.
pub fn worded(printed: &PrintedGame, command: &Command) -> String {
    let names = Names(printed);
    let area = |area: &AreaId| names.area(*area);
    let areas = |areas: &[AreaId]| joined(areas.iter().map(area), ", ");
    let faces = |faces: &[Face]| joined(faces.iter().map(|face| names.face(*face)), ", ");
    match command {
        Command::Tax { rate } => format!("tax {rate}"),
        Command::Select { areas: chosen } if chosen.is_empty() => "select nothing".to_owned(),
        Command::Select { areas: chosen } => format!("select {}", areas(chosen)),
        Command::Expand { shares } => {
            format!("expand {}", joined(shares.iter().map(|(at, count)| format!("{} {count}", area(at))), ", "))
        }
        Command::Move { count, path } => match path.split_first() {
            Some((from, steps)) => {
                format!("move {} from {} to {}", number(*count), area(from), joined(steps.iter().map(area), " to "))
            }
            None => format!("move {}", number(*count)),
        },
        Command::BuildShip { area: at, price } => format!("build ship in {} for {}", area(at), paid(names, price)),
        Command::MaintainShip { area: at, token_from: None } => format!("maintain ship in {}", area(at)),
        Command::MaintainShip { area: at, token_from: Some(from) } => {
            format!("maintain ship in {} with token from {}", area(at), area(from))
        }
        Command::ScrapShip { area: at } => format!("scrap ship in {}", area(at)),
        Command::Sail { from, acts } => {
            let acts = acts.iter().map(|act| match act {
                SailAct::Load(count) => format!("load {}", number(*count)),
                SailAct::Unload(count) => format!("unload {}", number(*count)),
                SailAct::To(to) => format!("to {}", area(to)),
            });
            format!("sail from {} {}", area(from), joined(acts, " "))
        }
        Command::Done => "done".to_owned(),
        Command::Wait => "wait".to_owned(),
        Command::Resolve { areas: cities } => format!("resolve {}", areas(cities)),
        Command::Delay { area: city } => format!("delay {}", area(city)),
        Command::Loot { treasury, card } => {
            let card = card.map(|card| if card { "card" } else { "no card" }.to_owned());
            format!("loot {}", joined(treasury.map(|amount| amount.to_string()).into_iter().chain(card), ", "))
        }
        Command::Substitute { area: at, with: Substitute::Ships(_) } => format!("substitute ships in {}", area(at)),
        Command::Substitute { area: at, with: Substitute::Tokens { from, count } } => {
            format!("substitute {} from {} in {}", number(*count), area(from), area(at))
        }
        Command::BuildCity { area: at, treasury, neighbours, leaving } => {
            let mut line = format!("build city in {}", area(at));
            if *treasury > 0 {
                line += &format!(" with {treasury} treasury");
            }
            for (from, count) in neighbours {
                line += &format!(" with {count} from {}", area(from));
            }
            if *leaving > 0 {
                line += &format!(" leaving {leaving}");
            }
            line
        }
        Command::BuildNoCity { area: None } => "build no city".to_owned(),
        Command::BuildNoCity { area: Some(at) } => format!("build no city in {}", area(at)),
        Command::Reduce { areas: cities } => format!("reduce {}", areas(cities)),
        Command::Buy { stack, count, limits, free } => {
            let up_to = if limits.is_some() { "up to " } else { "" };
            let until = if limits.is_some_and(|limits| limits.until_calamity) { " until calamity" } else { "" };
            let keep = limits.filter(|limits| limits.keep > 0).map_or(String::new(), |l| format!(" keep {}", l.keep));
            let free = if *free { " free" } else { "" };
            format!("buy {up_to}{count} from stack {stack}{until}{keep}{free}")
        }
        Command::Pass => "pass".to_owned(),
        Command::Offer { to, gives, wants, says } => {
            let to = to.map_or("all", |civ| names.civ(civ));
            let wants = wants.iter().map(|wanted| match wanted {
                Wanted::Named(face) => names.face(*face),
                Wanted::Any => "any",
            });
            let says = if says.is_empty() { String::new() } else { format!(" saying {}", faces(says)) };
            format!("offer to {to}: {} for {}{says}", faces(gives), joined(wants, ", "))
        }
        Command::Accept { number, gives } => format!("accept {number} with {}", faces(gives)),
        Command::Decline { number } => format!("decline {number}"),
        Command::Withdraw { number } => format!("withdraw {number}"),
        Command::Wish { calamity, wish } => wishes::wish(names, *calamity, wish),
        Command::Use { ability } => wishes::ability(names, ability.as_ref()),
        Command::Give { cards } => format!("give {}", wishes::faces(names, cards)),
        Command::Acquire { advances, payment, library_for, free, credits } => {
            wishes::acquisition(names, advances, payment.as_ref(), *library_for, *free, credits)
        }
        Command::Keep { cards } => format!("keep {}", wishes::faces(names, cards)),
        Command::If { test, then, otherwise } => {
            let otherwise = otherwise.as_ref().map(|command| format!(" else {}", worded(printed, command)));
            format!("if {} then {}{}", tested(names, test), worded(printed, then), otherwise.unwrap_or_default())
        }
    }
}

fn number(count: Count) -> String {
    match count {
        Count::All => "all".to_owned(),
        Count::Exactly(count) => count.to_string(),
    }
}

fn paid(names: Names, price: &ShipPrice) -> String {
    let treasury = Some(format!("{} treasury", price.treasury)).filter(|_| price.treasury > 0);
    let here = Some(format!("{} tokens", price.here)).filter(|_| price.here > 0);
    let elsewhere = price.elsewhere.iter().map(|(area, count)| format!("{count} from {}", names.area(*area)));
    joined(treasury.into_iter().chain(here).chain(elsewhere), " and ")
}

fn tested(names: Names, test: &Test) -> String {
    let asks = match test.asks {
        Asks::Holds(count, owner) => format!("holds {count} {}", names.owner(owner)),
        Asks::AtMost(count, owner) => format!("holds at most {count} {}", names.owner(owner)),
        Asks::AtLeast(count, owner) => format!("holds at least {count} {}", names.owner(owner)),
        Asks::IsEmpty => "is empty".to_owned(),
        Asks::HasCity(owner) => format!("has city {}", names.owner(owner)),
    };
    format!("{} {asks}", names.area(test.area))
}

/// Items with something between them.
pub fn joined(items: impl IntoIterator<Item = impl Into<String>>, between: &str) -> String {
    items.into_iter().map(Into::into).collect::<Vec<String>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::{Lexicon, Reading, Written, read};

    #[test]
    fn what_is_worded_is_read_again_as_the_same_command() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let lexicon = Lexicon::new(&printed);
        let first = |line: &str| match &read(line, &lexicon)[0].pieces[0].reading {
            Reading::Written(Written::Orders(commands)) => commands[0].clone(),
            Reading::Quoted | Reading::Remark | Reading::Press | Reading::Written(_) | Reading::Fault(_) => {
                panic!("{line} is not read")
            }
        };
        let lines = [
            "tax 3",
            "expand Knossos 2, Troy 1",
            "2 Knossos > Phaestos",
            "move all Knossos to Phaestos",
            "build ship in Knossos",
            "build ship in Knossos for 1 treasury and 1 token",
            "build ship in Knossos for 2 tokens",
            "build ship in Knossos for 2 tokens, 1 from Phaestos",
            "maintain ship in Knossos",
            "maintain ship in Knossos with token from Troy",
            "scrap ship in Knossos",
            "sail from Knossos load 3 to Phaestos unload 1 load all to Knossos",
            "done",
            "wait",
            "resolve Knossos, Troy",
            "delay Troy",
            "loot 2",
            "loot no card",
            "substitute ships in Troy",
            "substitute 2 from Troy in Knossos",
            "build city in Troy",
            "build city in Troy with 3 treasury",
            "build city in Troy with 4 from Knossos leaving 1",
            "build no city",
            "reduce Troy, Knossos",
            "buy 2 from stack 9",
            "buy up to 3 from stack 9 until calamity keep 10",
            "buy 1 from stack 7 free",
            "pass",
            "offer to Egypt: 2 salt, iron for iron, iron, any saying timber",
            "offer to all: salt, salt, iron for any, any, any",
            "accept 4 with iron, iron, salt",
            "decline 4",
            "withdraw 4",
            "if Troy holds at least 3 Egypt then move 1 Knossos > Phaestos else build ship in Knossos",
            "if Troy is empty then build city in Knossos",
            "if Troy has city Egypt then move 1 Knossos > Phaestos",
        ];
        for line in lines {
            let command = first(line);
            let worded = worded(&printed, &command);
            assert_eq!(first(&worded), command, "{line} was worded {worded}");
        }
    }
}
