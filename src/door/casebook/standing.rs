//! What stands in an area, as a page writes it: `Minoa 3, Barbarians 2, city Egypt, ship Minoa 1`.

use std::collections::BTreeMap;

use super::CaseTable;
use super::page::Unreadable;
use crate::game::{Owner, State};
use crate::rules::{AreaId, Civ};

/// Everything that stands in an area.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Standing {
    pub tokens: BTreeMap<Owner, u16>,
    /// The owner of the city.
    pub city: Option<Owner>,
    pub ships: BTreeMap<Civ, u16>,
}

impl Standing {
    /// Reads the part behind the colon.
    pub(crate) fn parse(table: &CaseTable, number: usize, text: &str) -> Result<Standing, Unreadable> {
        let mut standing = Standing::default();
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty() && *part != "empty") {
            standing.add(table, number, part)?;
        }
        Ok(standing)
    }

    fn add(&mut self, table: &CaseTable, number: usize, part: &str) -> Result<(), Unreadable> {
        let civ = |name: &str| {
            let found = table.lexicon.civs.exact(name);
            found.ok_or_else(|| Unreadable::at(number, format!("a civilization, not `{}`", name.trim())))
        };
        let one_city = |city: Option<Owner>| match city {
            None => Ok(()),
            Some(_) => Err(Unreadable::at(number, "one city in an area, not two")),
        };
        if part == "pirate city" {
            one_city(self.city.replace(Owner::Barbarians))?;
        } else if let Some(name) = part.strip_prefix("city ") {
            one_city(self.city.replace(Owner::Civ(civ(name)?)))?;
        } else if let Some(ship) = part.strip_prefix("ship ").or_else(|| part.strip_prefix("ships ")) {
            let (name, count) = counted(ship).unwrap_or((ship, 1));
            *self.ships.entry(civ(name)?).or_default() += count;
        } else {
            let (name, count) = counted(part).ok_or_else(|| {
                Unreadable::at(
                    number,
                    format!("`CIV n`, `Barbarians n`, `city CIV`, `pirate city` or `ship CIV n`, not `{part}`"),
                )
            })?;
            let owner =
                if name.trim().eq_ignore_ascii_case("barbarians") { Owner::Barbarians } else { Owner::Civ(civ(name)?) };
            *self.tokens.entry(owner).or_default() += count;
        }
        self.tokens.retain(|_, count| *count > 0);
        self.ships.retain(|_, count| *count > 0);
        Ok(())
    }

    /// What stands in an area now.
    pub(crate) fn found(state: &State, area: AreaId) -> Standing {
        let ground = state.ground(area);
        let ships = state.ranking().map(|civ| (civ, state.ships_at(area, civ) as u16)).filter(|(_, count)| *count > 0);
        Standing {
            tokens: ground.forces.iter().map(|force| (force.owner, force.count)).collect(),
            city: ground.city.map(|city| city.owner),
            ships: ships.collect(),
        }
    }

    /// In the words of a page.
    pub(crate) fn words(&self, table: &CaseTable) -> String {
        let name = |civ: &Civ| table.printed.civilizations[usize::from(civ.0)].name.clone();
        let mut parts = Vec::new();
        match &self.city {
            Some(Owner::Civ(civ)) => parts.push(format!("city {}", name(civ))),
            Some(Owner::Barbarians) => parts.push("pirate city".to_owned()),
            None => {}
        }
        for (owner, count) in &self.tokens {
            match owner {
                Owner::Civ(civ) => parts.push(format!("{} {count}", name(civ))),
                Owner::Barbarians => parts.push(format!("Barbarians {count}")),
            }
        }
        parts.extend(self.ships.iter().map(|(civ, count)| format!("ship {} {count}", name(civ))));
        if parts.is_empty() { "empty".to_owned() } else { parts.join(", ") }
    }
}

/// `Minoa 3` as a name and a number.
fn counted(text: &str) -> Option<(&str, u16)> {
    let (name, count) = text.trim().rsplit_once(char::is_whitespace)?;
    Some((name, count.parse().ok().filter(|count| *count < 1000)?))
}
