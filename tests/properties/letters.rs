//! Random lines of letters: mostly what a player would sensibly write now, in both languages, and some nonsense.

use cursus::game::{Owner, Phase, State};
use cursus::rules::{Advance, AreaId, Civ};

use super::Dice;
use super::maps::Table;
use super::movement;

/// One line (now and then two that belong together) by this player.
pub fn line(table: &Table, state: &State, civ: Civ, dice: &mut Dice) -> String {
    let polish = dice.percent(30);
    let mut pen = Pen { table, state, civ, dice, polish };
    match pen.dice.below(100) {
        0..=73 => pen.order(state.phase()),
        74..=86 => {
            // What is written ahead is of the same half of the turn.
            let half = if state.phase() <= Phase::Trade { &Phase::ALL[..7] } else { &Phase::ALL[7..] };
            let phases: Vec<_> = half.iter().copied().filter(|phase| *phase >= state.phase()).collect();
            let phase = pen.dice.pick(&phases).unwrap_or(state.phase());
            pen.order(phase)
        }
        87 => {
            let phase = Phase::ALL[pen.dice.below(7)];
            pen.order(phase)
        }
        88..=89 => pen.either("done", "koniec"),
        90 => pen.either("wait", "czekam"),
        91..=93 => pen.taking_back(),
        _ => pen.nonsense(),
    }
}

/// Who writes, about which position, in which language.
pub struct Pen<'a> {
    pub table: &'a Table,
    pub state: &'a State,
    pub civ: Civ,
    pub dice: &'a mut Dice,
    pub polish: bool,
}

impl Pen<'_> {
    fn order(&mut self, phase: Phase) -> String {
        match phase {
            Phase::Tax if self.dice.percent(50) => {
                let (coinage, monarchy) = (self.has(Advance::Coinage), self.has(Advance::Monarchy));
                let (coinage, monarchy) = (u16::from(coinage), u16::from(monarchy));
                let rate = if self.dice.percent(15) {
                    self.dice.between(1, 4)
                } else {
                    self.dice.between(2 - coinage, 2 + coinage + monarchy)
                };
                self.either(&format!("tax {rate}"), &format!("podatek {rate}"))
            }
            Phase::Tax if self.dice.percent(10) => "select nothing".to_owned(),
            Phase::Tax => {
                let cities = self.cities_of_others();
                format!("{} {}", self.either("select", "wybieram"), self.list(&cities))
            }
            Phase::Expansion => self.expand(),
            Phase::Movement => movement::order(self),
            Phase::Conflict => self.conflict(),
            Phase::Cities => self.build_city(),
            Phase::Cards => self.purchase(),
            Phase::Trade => self.trade(),
            Phase::Selection | Phase::Calamities => self.wish(),
            Phase::Abilities => self.ability(),
            Phase::Support if self.dice.percent(50) => self.conflict(),
            Phase::Support => {
                let cities: Vec<_> = self.state.cities_of(self.civ).collect();
                format!("{} {}", self.either("reduce", "redukuj"), self.list(&cities))
            }
            Phase::Advances | Phase::Ast => self.acquisition(),
        }
    }

    fn expand(&mut self) -> String {
        let areas = self.own_areas();
        let growth: u16 = areas.iter().map(|area| self.tokens(*area).min(2)).sum();
        // Where the stock suffices there is nothing to write, but a board may still be short.
        if growth <= self.state.holding(self.civ).stock && self.dice.percent(85) {
            return movement::order(self);
        }
        let count = 1 + self.dice.below(3);
        let shares: Vec<_> = (0..count)
            .map(|_| {
                let area = self.dice.pick(&areas).unwrap_or(AreaId(0));
                let most = self.tokens(area).clamp(1, 2);
                format!("{} {}", self.name(area), self.dice.between(1, most))
            })
            .collect();
        format!("{} {}", self.either("expand", "rozrost"), shares.join(", "))
    }

    fn conflict(&mut self) -> String {
        let (own, others) = (self.own_areas(), self.cities_of_others());
        let cities: Vec<_> = self.state.cities_of(self.civ).collect();
        let kinds = match (self.has(Advance::AdvancedMilitary), self.has(Advance::NavalWarfare)) {
            _ if self.dice.percent(10) => 7,
            (true, _) => 7,
            (false, true) => 5,
            (false, false) => 4,
        };
        match self.dice.below(kinds) {
            0 => format!("{} {}", self.either("resolve", "rozstrzygnij"), self.list(&cities)),
            1 => format!("{} {}", self.either("resolve", "rozstrzygnij"), self.list(&others)),
            2 => {
                let attacked = cities.iter().copied().filter(|area| self.state.is_conflict(*area)).collect::<Vec<_>>();
                let city = self.dice.prefer(80, &attacked, &cities).unwrap_or(AreaId(0));
                format!("{} {}", self.either("delay", "wstrzymaj"), self.name(city))
            }
            3 => {
                let tokens = self.dice.below(13) / 3;
                let card = if self.dice.percent(30) { self.either(", no card", ", bez karty") } else { String::new() };
                format!("{} {tokens}{card}", self.either("loot", "łup"))
            }
            4 => format!("{} {}", self.either("substitute ships in", "zastąp statkami w"), self.one_of(&own)),
            _ => {
                let area = self.dice.pick(&own).unwrap_or(AreaId(0));
                let neighbours: Vec<_> = self.near(area).into_iter().filter(|near| self.tokens(*near) > 0).collect();
                let (from, here) = (self.one_of(&neighbours), self.name(area));
                let count = self.dice.between(1, 4);
                self.either(
                    &format!("substitute {count} from {from} in {here}"),
                    &format!("zastąp {count} z {from} w {here}"),
                )
            }
        }
    }

    fn build_city(&mut self) -> String {
        let own = self.own_areas();
        let crowded = own.iter().copied().filter(|area| {
            let area_has_room = self.state.ground(*area).city.is_none() && self.state.limit(*area) > 0;
            area_has_room && self.tokens(*area) >= 6
        });
        let crowded: Vec<_> = crowded.collect();
        let area = self.dice.prefer(80, &crowded, &own).unwrap_or(AreaId(0));
        let here = self.name(area);
        let treasury = self.dice.between(1, 4);
        let kind = self.dice.below(9);
        let may = match kind {
            3 => self.has(Advance::PublicWorks),
            4 => self.has(Advance::Architecture),
            5 => self.has(Advance::Urbanism),
            _ => !crowded.is_empty(),
        };
        // What the tokens or the advances do not allow is written rarely.
        let kind = if may || self.dice.percent(15) { kind } else { 7 + kind % 2 };
        match kind {
            0..=2 => self.either(&format!("build city in {here}"), &format!("zbuduj miasto w {here}")),
            3 => self
                .either(&format!("build city in {here} leaving 1"), &format!("zbuduj miasto w {here} zostawiając 1")),
            4 => self.either(
                &format!("build city in {here} with {treasury} treasury"),
                &format!("zbuduj miasto w {here} za {treasury} skarbiec"),
            ),
            5 => {
                let near = self.near(area);
                let from = self.one_of(&near);
                let count = self.dice.between(1, 4);
                self.either(
                    &format!("build city in {here} with {count} from {from}"),
                    &format!("zbuduj miasto w {here} z {count} z {from}"),
                )
            }
            6 => movement::condition(self, &format!("build city in {here}")),
            7 => "build no city".to_owned(),
            _ => {
                let cities: Vec<_> = self.state.cities_of(self.civ).chain([area]).collect();
                format!("{} {}", self.either("reduce", "redukuj"), self.list(&cities))
            }
        }
    }

    fn taking_back(&mut self) -> String {
        let number = self.dice.between(1, 4);
        match self.dice.below(5) {
            0 => self.either("undo last", "cofnij"),
            1 => self.either("clear", "wyczyść"),
            2 => format!("undo cities {number}"),
            _ => self.either(&format!("undo {number}"), &format!("cofnij {number}")),
        }
    }

    fn nonsense(&mut self) -> String {
        let own = self.own_areas();
        let here = self.one_of(&own);
        match self.dice.below(12) {
            0 => format!("move many {here} -> {here}"),
            1 => format!("move 65535 {here} > {here}"),
            2 => format!("> move 1 {here} > {here}"),
            3 => "I hope this finds you well".to_owned(),
            4 => format!("sail from {here} load 99999999999 to {here} unload 65535"),
            5 => format!("if {here} holds 70000 then done else wait"),
            6 => "accept 65535 with 65535 salt, 65535 wine, flood".to_owned(),
            7 => format!("build 65535 ships in {here} for 65535 tokens, 65535 from {here}"),
            8 => "buy 65535 from stack 65535 free; tax 0; loot 65535; expand".to_owned(),
            9 => format!("offer to {here}: : for for any"),
            10 => format!("build city in {here} with 65535 treasury and 65535 from {here} leaving 65535"),
            _ => "try".to_owned(),
        }
    }

    /// The same in the writer's language.
    pub fn either(&self, english: &str, polish: &str) -> String {
        if self.polish { polish } else { english }.to_owned()
    }

    /// The name of an area, now and then the Polish one.
    pub fn name(&mut self, area: AreaId) -> String {
        let printed = self.state.printed().map.area(area);
        let forms = self.table.printed.polish.area.get(&printed.key);
        match forms.filter(|_| self.polish && self.dice.percent(40)) {
            Some(forms) => forms.nom.clone(),
            None => printed.name.clone(),
        }
    }

    /// The name of one of these areas, or of any where there are none.
    pub fn one_of(&mut self, areas: &[AreaId]) -> String {
        let all = self.state.printed().map.areas.len();
        let area = self.dice.pick(areas).unwrap_or(AreaId(self.dice.below(all) as u16));
        self.name(area)
    }

    /// Some of these areas.
    pub fn list(&mut self, areas: &[AreaId]) -> String {
        let names: Vec<_> = (0..1 + self.dice.below(3)).map(|_| self.one_of(areas)).collect();
        names.join(", ")
    }

    /// Areas with own tokens.
    pub fn own_areas(&self) -> Vec<AreaId> {
        let owner = Owner::Civ(self.civ);
        let own = self.state.grounds().filter(|(_, ground)| ground.force(owner).is_some());
        own.map(|(area, _)| area).collect()
    }

    /// Whether the writer holds an advance.
    pub fn has(&self, advance: Advance) -> bool {
        self.state.has(self.civ, advance)
    }

    /// Own tokens in an area.
    pub fn tokens(&self, area: AreaId) -> u16 {
        self.state.tokens(area, Owner::Civ(self.civ))
    }

    /// Areas adjacent by land.
    pub fn near(&self, area: AreaId) -> Vec<AreaId> {
        self.state.printed().map.area(area).land.clone()
    }

    fn cities_of_others(&self) -> Vec<AreaId> {
        let own = Owner::Civ(self.civ);
        let others = self.state.grounds().filter(|(_, ground)| ground.city.is_some_and(|city| city.owner != own));
        others.map(|(area, _)| area).collect()
    }
}
