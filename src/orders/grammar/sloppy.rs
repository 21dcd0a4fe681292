//! Lines as phones and hurried people write them, each beside what it says.

mod cards;
mod moves;
mod names;
mod talk;

use super::samples::{area, card, reads};
use crate::game::command::{SailAct, ShipPrice};
use crate::game::{Command, Count};

fn walk(count: u16, path: &[&str]) -> Command {
    Command::Move { count: Count::Exactly(count), path: path.iter().map(|name| area(name)).collect() }
}

fn sail(from: &str, load: u16, steps: &[&str]) -> Command {
    let mut acts = vec![SailAct::Load(Count::Exactly(load))];
    acts.extend(steps.iter().map(|name| SailAct::To(area(name))));
    Command::Sail { from: area(from), acts }
}

fn city(name: &str) -> Command {
    Command::BuildCity { area: area(name), treasury: 0, neighbours: Vec::new(), leaving: 0 }
}

fn ship(name: &str) -> Command {
    Command::BuildShip { area: area(name), price: ShipPrice::treasury() }
}

fn keep(cards: &[(&str, usize)]) -> Command {
    Command::Keep { cards: cards.iter().flat_map(|(name, count)| vec![card(name); *count]).collect() }
}

#[track_caller]
fn all_read(lines: &[&str], command: &Command) {
    for line in lines {
        assert_eq!(reads(line), *command, "{line}");
    }
}
