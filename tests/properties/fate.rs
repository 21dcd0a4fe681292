//! Random lines of phases 9, 10 and 12: wishes, abilities, tribute, acquisitions and what is kept.

use cursus::game::Owner;
use cursus::rules::{Advance, AreaId, Face};

use super::letters::Pen;

/// The advances with a special ability. R10.2.
const ABILITIES: [Advance; 7] = [
    Advance::Diaspora,
    Advance::Fundamentalism,
    Advance::Monotheism,
    Advance::Politics,
    Advance::ProvincialEmpire,
    Advance::TradeRoutes,
    Advance::UniversalDoctrine,
];

const GROUPS: [&str; 5] = ["arts", "civics", "crafts", "religion", "science"];

impl Pen<'_> {
    /// A line of phase 9.
    pub fn wish(&mut self) -> String {
        let all = &self.state.printed().calamities;
        let named =
            if self.dice.percent(50) { format!("{}: ", all[self.dice.below(all.len())].name) } else { String::new() };
        let wished = match self.dice.below(12) {
            0..=1 => format!("{} {}", self.either("victims", "ofiary"), self.civs(true)),
            2..=3 => format!("{} {}", self.either("lose", "tracę"), self.shares()),
            4..=5 => {
                let cities: Vec<_> = self.state.cities_of(self.civ).collect();
                format!("{} {}", self.either("reduce", "redukuj"), self.list(&cities))
            }
            6 => {
                let own: Vec<_> = self.state.areas_of(Owner::Civ(self.civ)).collect();
                format!("{} {}", self.either("spare", "oszczędź"), self.list(&own))
            }
            7..=8 => {
                let others = self.units_of_others();
                format!("{} {}", self.either("select", "wybieram"), self.list(&others))
            }
            9 => {
                let times = ["", " 1", " 2", " nothing"][self.dice.below(4)];
                format!("{}{times}", self.either("pay", "zapłać"))
            }
            _ => format!("{} {}", self.either("discard", "odrzucam karty"), self.hand(4)),
        };
        format!("{named}{wished}")
    }

    /// A line of phase 10.
    pub fn ability(&mut self) -> String {
        if self.dice.percent(12) {
            return format!("{} {}", self.either("give", "daję"), self.hand(3));
        }
        let held: Vec<_> = ABILITIES.into_iter().filter(|advance| self.has(*advance)).collect();
        let Some(advance) = self.dice.prefer(95, &held, &ABILITIES) else { return "use nothing".to_owned() };
        let beside = self.beside();
        let on = match advance {
            Advance::Diaspora => {
                let own = self.own_areas();
                let moves: Vec<_> = (0..1 + self.dice.below(3))
                    .map(|_| {
                        let all: Vec<_> = self.state.printed().map.ids().collect();
                        let (count, from, to) = (self.dice.between(1, 3), self.one_of(&own), self.one_of(&all));
                        self.either(&format!("{count} from {from} to {to}"), &format!("{count} z {from} do {to}"))
                    })
                    .collect();
                moves.join(", ")
            }
            Advance::Politics if self.dice.percent(40) => {
                let amount = self.dice.between(1, 6);
                self.either(&format!("for {amount} treasury"), &format!("za {amount} skarbca"))
            }
            Advance::ProvincialEmpire => format!("{} {}", self.either("on", "na"), self.civs(false)),
            Advance::TradeRoutes => format!("{} {}", self.either("with", "za"), self.hand(5)),
            Advance::UniversalDoctrine => {
                let black: Vec<_> = self.state.areas_of(Owner::Barbarians).collect();
                let count = if self.dice.percent(50) { " 2" } else { "" };
                format!("{} {}{count}", self.either("on", "na"), self.one_of(&black))
            }
            _ => format!("{} {}", self.either("on", "na"), self.list(&beside)),
        };
        let name = &self.state.printed().advances[advance as usize].name;
        format!("{} {name} {on}", self.either("use", "użyj"))
    }

    /// A line of phase 12.
    pub fn acquisition(&mut self) -> String {
        if self.dice.percent(15) {
            return format!("{} {}", self.either("keep", "zatrzymuję"), self.hand(9));
        }
        let cards = &self.state.printed().advances;
        let wanted: Vec<_> = cards.iter().filter(|card| !self.has(card.advance)).map(|card| card.advance).collect();
        let all: Vec<_> = cards.iter().map(|card| card.advance).collect();
        let serving = [Advance::Library, Advance::Anatomy, Advance::WrittenRecord, Advance::Monument];
        let mut chosen = Vec::new();
        for _ in 0..1 + self.dice.below(3) {
            let from = if self.dice.percent(25) { &serving[..] } else { &wanted };
            chosen.extend(self.dice.prefer(95, from, &all));
        }
        let name = |advance: &Advance| cards[*advance as usize].name.clone();
        let names: Vec<_> = chosen.iter().map(name).collect();
        let mut line = format!("{} {}", self.either("acquire", "nabywam"), names.join(", "));
        if self.dice.percent(30) {
            let treasury = self.dice.between(0, self.state.holding(self.civ).treasury + 2);
            let mut hand = self.hand(6);
            if self.dice.percent(if self.has(Advance::TradeEmpire) { 60 } else { 5 }) {
                hand += &format!(", {} {} {}", self.hand(1), self.either("as", "jako"), self.hand(1));
            }
            line += &self.either(
                &format!(" paying {hand}, {treasury} treasury"),
                &format!(" płacąc {hand}, {treasury} skarbca"),
            );
        }
        if self.dice.percent(if chosen.contains(&Advance::Library) { 70 } else { 3 }) {
            let other = self.dice.pick(&chosen).unwrap_or(Advance::Law);
            let other = name(&other);
            line += &self.either(&format!(" with Library for {other}"), &format!(" z Biblioteką za {other}"));
        }
        if self.dice.percent(if chosen.contains(&Advance::Anatomy) { 70 } else { 3 }) {
            let gifts =
                [Advance::Empiricism, Advance::Astronavigation, Advance::Coinage, Advance::WrittenRecord, Advance::Law];
            let gift = name(&self.dice.pick(&gifts).unwrap_or(Advance::Coinage));
            line += &self.either(&format!(" with {gift} free"), &format!(" z {gift} za darmo"));
        }
        if self.dice.percent(30) {
            let points = [5, 10, 10, 15, 20, 30][self.dice.below(6)];
            let group = GROUPS[self.dice.below(5)];
            line += &self.either(&format!(" with credits {points} {group}"), &format!(" ze zniżkami {points} {group}"));
        }
        line
    }

    /// Some civilizations, mostly seated ones and mostly others; now and then with points.
    fn civs(&mut self, points: bool) -> String {
        let printed = &self.state.printed().civilizations;
        let others: Vec<_> =
            self.state.ranking().filter(|civ| *civ != self.civ).map(|civ| usize::from(civ.0)).collect();
        let all: Vec<_> = (0..printed.len()).collect();
        let names: Vec<_> = (0..1 + self.dice.below(7))
            .map(|_| {
                let name = printed[self.dice.prefer(95, &others, &all).unwrap_or(0)].name.clone();
                if points && self.dice.percent(20) { format!("{name} {}", self.dice.between(0, 12)) } else { name }
            })
            .collect();
        names.join(", ")
    }

    /// Areas with own units, some with a number.
    fn shares(&mut self) -> String {
        let own: Vec<_> = self.state.areas_of(Owner::Civ(self.civ)).collect();
        let shares: Vec<_> = (0..1 + self.dice.below(4))
            .map(|_| {
                if self.dice.percent(60) {
                    format!("{} {}", self.one_of(&own), self.dice.between(1, 6))
                } else {
                    self.one_of(&own)
                }
            })
            .collect();
        shares.join(", ")
    }

    /// So many cards of the own hand at most, calamities among them.
    fn hand(&mut self, most: usize) -> String {
        let hand = self.dice.shuffled(self.state.holding(self.civ).hand.clone());
        let count = 1 + self.dice.below(most);
        let names: Vec<_> = hand.into_iter().take(count).map(|card| self.card(card.face)).collect();
        if names.is_empty() { self.card(Face::Water) } else { names.join(", ") }
    }

    fn units_of_others(&self) -> Vec<AreaId> {
        let own = Owner::Civ(self.civ);
        let is_other = |owner: Owner| owner != own;
        let others = self.state.grounds().filter(|(_, ground)| {
            ground.forces.iter().any(|force| is_other(force.owner))
                || ground.city.is_some_and(|city| is_other(city.owner))
        });
        others.map(|(area, _)| area).collect()
    }

    /// Areas with units of others, adjacent by land to own units.
    fn beside(&self) -> Vec<AreaId> {
        let mut beside = self.units_of_others();
        let own = |area: &AreaId| self.state.unit_points(*area, Owner::Civ(self.civ)) > 0;
        beside.retain(|area| self.near(*area).iter().any(own));
        beside
    }
}
