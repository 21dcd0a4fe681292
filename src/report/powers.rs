//! Special abilities: what each that a player holds could be used on now.
//!
//! Comes in: what a player knows. Goes out: for each ability what it may be used on, as the rules of phase 10 themselves
//! have it, and a line that uses it. The form of a letter and the order page tell the same.

use crate::game::command::{Ability, Command};
use crate::game::{Known, Owner, Phase};
use crate::rules::{Advance, AreaId, Civ, Face};

/// An ability, and what it may be used on now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Power {
    pub kind: PowerKind,
    pub on: Targets,
}

/// What is used, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PowerKind {
    Monotheism,
    Fundamentalism,
    /// Politics, units are bought.
    Annexing,
    Doctrine,
    /// Politics, tokens go to the treasury.
    Treasury,
    Empire,
    Routes,
    Diaspora,
}

/// What an ability may be used on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Targets {
    Areas(Vec<AreaId>),
    /// So many tokens at most; none where it cannot be used.
    Tokens(Option<u16>),
    Civs(Vec<Civ>),
    /// Cards of the own hand.
    Cards(Vec<Face>),
    /// Tokens of these areas, to these.
    Ways {
        from: Vec<AreaId>,
        to: Vec<AreaId>,
    },
}

/// The most tokens of the treasury choice of Politics.
const MOST_TREASURY: u16 = 5;

/// The abilities that a player holds.
pub fn powers(known: &Known, civ: Civ) -> Vec<Power> {
    let all = [
        PowerKind::Monotheism,
        PowerKind::Fundamentalism,
        PowerKind::Annexing,
        PowerKind::Doctrine,
        PowerKind::Treasury,
        PowerKind::Empire,
        PowerKind::Routes,
        PowerKind::Diaspora,
    ];
    let held = all.into_iter().filter(|kind| known.has(civ, kind.advance()));
    held.map(|kind| Power { kind, on: targets(known, civ, kind) }).collect()
}

impl PowerKind {
    /// The Advance that brings it.
    pub(crate) fn advance(self) -> Advance {
        match self {
            PowerKind::Monotheism => Advance::Monotheism,
            PowerKind::Fundamentalism => Advance::Fundamentalism,
            PowerKind::Annexing | PowerKind::Treasury => Advance::Politics,
            PowerKind::Doctrine => Advance::UniversalDoctrine,
            PowerKind::Empire => Advance::ProvincialEmpire,
            PowerKind::Routes => Advance::TradeRoutes,
            PowerKind::Diaspora => Advance::Diaspora,
        }
    }
}

impl Power {
    /// A line that uses it, the first that may stand; none where nothing may.
    pub fn line(&self, known: &Known, civ: Civ) -> Option<Command> {
        let may = |ability: &Ability| stands(known, civ, ability.clone());
        let ability = match &self.on {
            Targets::Areas(areas) => areas.first().map(|area| on_area(self.kind, *area)),
            Targets::Tokens(most) => most.map(Ability::PoliticsTreasury),
            // Whoever may be selected may be selected with the others.
            Targets::Civs(civs) if civs.is_empty() => None,
            Targets::Civs(civs) => Some(Ability::ProvincialEmpire(civs.iter().take(MOST_PLAYERS).copied().collect())),
            Targets::Cards(cards) => cards.iter().map(|card| Ability::TradeRoutes(vec![*card])).find(may),
            Targets::Ways { from, to } => {
                let ways = from.iter().flat_map(|from| to.iter().map(|to| Ability::Diaspora(vec![(1, *from, *to)])));
                ways.into_iter().find(may)
            }
        };
        ability.filter(may).map(|ability| Command::Use { ability: Some(ability) })
    }
}

/// Players that Provincial Empire may select.
const MOST_PLAYERS: usize = 5;

fn stands(known: &Known, civ: Civ, ability: Ability) -> bool {
    Phase::Abilities.rules().may_stand(known, civ, &Command::Use { ability: Some(ability) }).is_ok()
}

/// The ability on an area; those that know no area are used on nothing.
fn on_area(kind: PowerKind, area: AreaId) -> Ability {
    match kind {
        PowerKind::Fundamentalism => Ability::Fundamentalism(vec![area]),
        PowerKind::Annexing => Ability::PoliticsAnnex(vec![area]),
        PowerKind::Doctrine => Ability::UniversalDoctrine(vec![(area, None)]),
        PowerKind::Monotheism => Ability::Monotheism(vec![area]),
        PowerKind::Treasury | PowerKind::Empire | PowerKind::Routes | PowerKind::Diaspora => {
            Ability::Diaspora(Vec::new())
        }
    }
}

fn targets(known: &Known, civ: Civ, kind: PowerKind) -> Targets {
    let map = &known.printed().map;
    let in_play = || map.ids().filter(|area| !known.ground(*area).out_of_play);
    match kind {
        PowerKind::Monotheism | PowerKind::Fundamentalism | PowerKind::Annexing | PowerKind::Doctrine => {
            Targets::Areas(in_play().filter(|area| stands(known, civ, on_area(kind, *area))).collect())
        }
        PowerKind::Treasury => {
            let may = |count: &u16| stands(known, civ, Ability::PoliticsTreasury(*count));
            Targets::Tokens((1..=MOST_TREASURY).rev().find(may))
        }
        PowerKind::Empire => {
            let may = |other: &Civ| stands(known, civ, Ability::ProvincialEmpire(vec![*other]));
            Targets::Civs(known.ranking().filter(may).collect())
        }
        PowerKind::Routes => {
            let hand = known.holding(civ).hand.iter().map(|card| card.face);
            Targets::Cards(hand.filter(|face| !face.is_calamity()).collect())
        }
        PowerKind::Diaspora => Targets::Ways {
            from: known.areas_of(Owner::Civ(civ)).collect(),
            to: in_play().filter(|area| map.area(*area).has_land()).collect(),
        },
    }
}
