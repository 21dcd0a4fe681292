//! Names instead of ids, and lists of them as English says them.

use crate::game::Owner;
use crate::rules::{AreaId, Civ, Face, PrintedGame, TradeCard};

/// The printed names of a game.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a>(pub &'a PrintedGame);

impl<'a> Names<'a> {
    /// A civilization.
    pub fn civ(self, civ: Civ) -> &'a str {
        &self.0.civilizations[usize::from(civ.0)].name
    }

    /// An owner of pieces on the board.
    pub fn owner(self, owner: Owner) -> &'a str {
        match owner {
            Owner::Civ(civ) => self.civ(civ),
            Owner::Barbarians => "the Barbarians",
        }
    }

    /// An area.
    pub fn area(self, area: AreaId) -> &'a str {
        &self.0.map.area(area).name
    }

    /// Areas, as `Troy, Rhodes and Crete`.
    pub fn areas(self, areas: &[AreaId]) -> String {
        listed(areas.iter().map(|area| self.area(*area)))
    }

    /// What a trade card shows.
    pub fn face(self, face: Face) -> &'a str {
        match face {
            Face::Water => "Water",
            Face::Commodity(commodity) => &self.0.commodities[usize::from(commodity.0)].name,
            Face::Calamity(calamity) => &self.0.calamities[calamity as usize].name,
        }
    }

    /// Trade cards, equal ones together, as `2 Salt, Wine and Treachery`.
    pub fn cards(self, cards: &[TradeCard]) -> String {
        let faces: Vec<_> = cards.iter().map(|card| card.face).collect();
        self.faces(&faces)
    }

    /// Faces of trade cards, equal ones together, in the sequence of their first.
    pub fn faces(self, faces: &[Face]) -> String {
        let mut kinds: Vec<(Face, u16)> = Vec::new();
        for face in faces {
            match kinds.iter_mut().find(|(kind, _)| kind == face) {
                Some((_, count)) => *count += 1,
                None => kinds.push((*face, 1)),
            }
        }
        listed(kinds.into_iter().map(|(face, count)| match count {
            1 => self.face(face).to_owned(),
            _ => format!("{count} {}", self.face(face)),
        }))
    }
}

/// A list as English says it: `a, b and c`.
pub fn listed(items: impl IntoIterator<Item = impl Into<String>>) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    match (items.pop(), items.is_empty()) {
        (None, _) => String::new(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{} and {last}", items.join(", ")),
    }
}

/// A number and its noun: `1 token`, `2 tokens`, `no token`.
pub fn counted(count: impl Into<u64>, one: &str, many: &str) -> String {
    match count.into() {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_numbers_are_said_as_in_english() {
        assert_eq!(listed(Vec::<String>::new()), "");
        assert_eq!(listed(["Troy"]), "Troy");
        assert_eq!(listed(["Troy", "Rhodes", "Crete"]), "Troy, Rhodes and Crete");
        assert_eq!(counted(0u8, "city", "cities"), "no city");
        assert_eq!(counted(1u8, "city", "cities"), "1 city");
        assert_eq!(counted(2u8, "city", "cities"), "2 cities");
    }
}
