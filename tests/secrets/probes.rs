//! Letters that probe: lines which would stand or fall by a card that their writer has not seen.
//!
//! Whoever writes them knows the truth, so that they ask the right questions: a rival guesses until they do.

use cursus::game::State;
use cursus::report::Names;
use cursus::rules::{Advance, Civ, Face};

use super::Dice;

/// A letter of this player, mostly about the open phase; most of them only try.
pub fn letter(state: &State, me: Civ, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = Vec::new();
    if dice.below(4) > 0 {
        lines.push("try".to_owned());
    }
    let pen = Pen { state, me, names: Names::english(state.printed()) };
    for _ in 0..1 + dice.below(3) {
        lines.extend(match dice.below(8) {
            0..=2 => pen.trade(dice),
            3 => pen.tribute(dice),
            4 => pen.acquisition(dice),
            5 => pen.board(dice),
            6 => pen.fate(dice),
            _ => pen.question(dice),
        });
    }
    lines.join("\n")
}

struct Pen<'a> {
    state: &'a State,
    me: Civ,
    names: Names<'a>,
}

impl Pen<'_> {
    /// Accepts an offer, and offers on what its unnamed card may be: the true one, and others.
    fn trade(&self, dice: &mut Dice) -> Vec<String> {
        let open = |offer: &&cursus::game::trade::Offer| offer.is_open_to(self.me);
        let offers: Vec<_> = self.state.progress().offers.iter().filter(open).collect();
        let mut lines = Vec::new();
        for offer in offers.iter().take(1 + dice.below(3)) {
            let mut given = offer.names.clone();
            given.truncate(usize::from(offer.wants));
            while given.len() < usize::from(offer.wants) {
                given.push(self.own(dice));
            }
            lines.push(format!("accept {} with {}", offer.number, self.list(&given)));
            let hidden = offer.gives[dice.below(offer.gives.len())].face;
            lines.push(self.offer(hidden, dice));
        }
        lines.push(self.offer(self.any(dice), dice));
        let number = 1 + dice.below(self.state.progress().offers.len() + 2);
        lines.push(format!("{} {number}", ["decline", "withdraw"][dice.below(2)]));
        lines
    }

    fn offer(&self, face: Face, dice: &mut Dice) -> String {
        let given = [face, face, self.own(dice)];
        let to = self.other(dice);
        format!("offer to {}: {} for any, any, any", self.names.civ(to), self.list(&given))
    }

    /// Takes a card of another by Provincial Empire, and uses it.
    fn tribute(&self, dice: &mut Dice) -> Vec<String> {
        let from = self.other(dice);
        let hand = &self.state.holding(from).hand;
        let face = if hand.is_empty() { self.any(dice) } else { hand[dice.below(hand.len())].face };
        let price = Advance::ALL[dice.below(Advance::ALL.len())];
        vec![
            format!("use Provincial Empire on {}", self.names.civ(from)),
            format!("use Trade Routes with {}", self.list(&[face, face])),
            format!("give {}", self.list(&[face])),
            format!("acquire {} paying 1 {}", self.names.advance(price), self.names.face(face)),
        ]
    }

    fn acquisition(&self, dice: &mut Dice) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..2 {
            let advance = self.names.advance(Advance::ALL[dice.below(Advance::ALL.len())]);
            lines.push(match dice.below(3) {
                0 => format!("acquire {advance}"),
                1 => format!("acquire {advance} paying 2 {}", self.names.face(self.any(dice))),
                _ => format!("keep {}", self.list(&[self.any(dice), self.own(dice)])),
            });
        }
        lines
    }

    fn board(&self, dice: &mut Dice) -> Vec<String> {
        let map = &self.state.printed().map;
        let own: Vec<_> = self.state.areas_of(cursus::game::Owner::Civ(self.me)).collect();
        let mut lines = Vec::new();
        for _ in 0..3 {
            let Some(from) = own.get(dice.below(own.len())) else { break };
            let near = &map.area(*from).land;
            let Some(to) = near.get(dice.below(near.len())) else { continue };
            let (from, to) = (self.names.area(*from), self.names.area(*to));
            lines.push(format!("move {} from {from} to {to}", 1 + dice.below(4)));
            lines.push(format!("build city in {to}"));
        }
        lines.push(["buy 2 from stack 9", "loot card", "tax 3", "done", "ok"][dice.below(5)].to_owned());
        lines
    }

    fn fate(&self, dice: &mut Dice) -> Vec<String> {
        let calamities = &self.state.printed().calamities;
        let name = &calamities[dice.below(calamities.len())].name;
        let other = self.names.civ(self.other(dice));
        vec![
            format!("{name}: victims {other}"),
            format!("Corruption: discard {}", self.list(&[self.any(dice), self.own(dice)])),
            "wait".to_owned(),
        ]
    }

    fn question(&self, dice: &mut Dice) -> Vec<String> {
        let asked = ["status", "hand", "map", "sheet", "history", "help 7", "rules 7", "digest"];
        vec![asked[dice.below(asked.len())].to_owned()]
    }

    fn own(&self, dice: &mut Dice) -> Face {
        let hand = &self.state.holding(self.me).hand;
        if hand.is_empty() { self.any(dice) } else { hand[dice.below(hand.len())].face }
    }

    fn any(&self, dice: &mut Dice) -> Face {
        Face::Commodity(cursus::rules::Commodity(dice.below(self.state.printed().commodities.len()) as u8))
    }

    fn other(&self, dice: &mut Dice) -> Civ {
        let others: Vec<Civ> = self.state.ranking().filter(|civ| *civ != self.me).collect();
        others[dice.below(others.len())]
    }

    fn list(&self, faces: &[Face]) -> String {
        faces.iter().map(|face| self.names.face(*face)).collect::<Vec<_>>().join(", ")
    }
}
