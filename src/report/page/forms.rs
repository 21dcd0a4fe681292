//! Plain forms for whatever is not tapped on the map: fields, and the line that they write.
//!
//! Comes in: what a player knows. Goes out: the forms that could be of use now. In the pattern of a line `{area}` is what
//! a field holds, `{area.in}` the same as an order says it, and what stands in brackets is left out while a field in it is
//! empty. Whether the line may stand is not asked here: the trial says so.

use serde::Serialize;

use super::super::names::Names;
use super::super::perils::{Choice, choices, held};
use super::super::powers::{Power, PowerKind, Targets, powers};
use super::super::templates::Templates;

use crate::game::{Known, Owner, Phase, acquisition, tax};
use crate::rules::{Advance, AreaId, Calamity, Civ, TradeCard};

/// A form of the page, from whose fields a line is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineForm {
    /// What it is called in the tables of words.
    pub key: &'static str,
    pub title: String,
    pub fields: Vec<Field>,
    /// The pattern of its line.
    pub line: String,
    /// What it belongs to: a calamity in the hand, or the abilities; none where it stands with the others.
    pub about: Option<String>,
    /// Whether the line works at once, and is sent by itself.
    pub at_once: bool,
}

/// Something to choose or to type in a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// What the pattern calls it.
    pub name: &'static str,
    pub label: String,
    #[serde(flatten)]
    pub kind: Kind,
}

/// What a field takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Kind {
    /// One of these areas, or none.
    Area {
        areas: Vec<AreaId>,
    },
    /// Several of these areas, in the sequence in which they are chosen.
    Areas {
        areas: Vec<AreaId>,
        /// Whether a number of own tokens may stand at each.
        counted: bool,
    },
    Number {
        /// The least; a field that may be left out begins at 0.
        least: u16,
        most: u16,
        /// What stands there first.
        first: u16,
    },
    /// One of these, and how it is shown.
    Choice {
        /// What the line says, and what is shown.
        choices: Vec<(String, String)>,
    },
    /// Several of these, in the sequence in which they are chosen.
    Choices {
        /// What the line says, and what is shown.
        choices: Vec<(String, String)>,
    },
    Text {},
}

/// The forms of a seat.
pub(crate) fn forms(templates: &Templates, known: &Known, civ: Civ) -> Vec<LineForm> {
    let desk = Maker { templates, known, civ };
    let open = known.phase();
    let mut forms = Vec::new();
    if open <= Phase::Cities {
        forms.extend(desk.cities());
        forms.extend(desk.conflict());
    }
    if open <= Phase::Cards {
        forms.extend(desk.cards());
    }
    if open <= Phase::Calamities {
        forms.extend(desk.calamities());
    }
    if open <= Phase::Abilities {
        forms.extend(desk.abilities());
    }
    forms.extend(desk.advances().filter(|_| open <= Phase::Advances));
    forms.extend(desk.later());
    forms.extend(desk.press());
    forms
}

struct Maker<'a> {
    templates: &'a Templates,
    known: &'a Known,
    civ: Civ,
}

impl Maker<'_> {
    /// A form, its words from the tables.
    fn form(&self, key: &'static str, fields: Vec<(&'static str, Kind)>) -> LineForm {
        let words = &self.templates.page;
        let field = |(name, kind): (&'static str, Kind)| Field { name, label: words.say("field", name), kind };
        let fields = fields.into_iter().map(field).collect();
        let (title, line) = (words.say("form", key), words.say("line", key));
        LineForm { key, title, fields, line, about: None, at_once: key == "tell" }
    }

    /// What is wished when a calamity of the own hand strikes: what can be chosen about it, and from what.
    fn calamities(&self) -> Vec<LineForm> {
        let names = Names::new(self.known.printed(), self.templates.language);
        let mut forms = Vec::new();
        for calamity in held(self.known, self.civ) {
            let of = |form: LineForm| LineForm {
                line: format!("{}: {}", names.calamity(calamity), form.line),
                about: Some(names.calamity(calamity).to_owned()),
                ..form
            };
            forms.extend(self.wishes(calamity).into_iter().map(of));
        }
        // Whatever others draw the player into, or let the player gain.
        let others = self.others_cities();
        let general = [("lose", self.own()), ("reduced", self.own_cities()), ("select", others)];
        for (key, areas) in general.into_iter().filter(|(_, areas)| !areas.is_empty()) {
            let form = self.form(key, vec![("areas", Kind::Areas { areas, counted: key == "lose" })]);
            forms.push(LineForm { about: Some(String::new()), ..form });
        }
        forms
    }

    /// What its holder may wish for this calamity.
    fn wishes(&self, calamity: Calamity) -> Vec<LineForm> {
        let areas = |key, areas| self.form(key, vec![("areas", several(areas))]);
        let effect = &self.known.printed().calamities[calamity as usize].effect;
        let find = |what: &str| effect.iter().find(|(name, _)| name == what).map(|(_, number)| *number);
        // Where a ransom is for each card, some of them may be kept.
        let times = find("ransom_treasury_per_card").and(find("commodity_cards_discarded"));
        let times = times.and_then(|times| u16::try_from(times).ok());
        let form = |choice: Choice| match choice {
            Choice::Victims(civs) => self.form("victims", vec![("civs", self.civs(civs))]),
            Choice::Reduce(cities) => areas("reduced", cities),
            Choice::Lose(areas) => self.form("lose", vec![("areas", Kind::Areas { areas, counted: true })]),
            Choice::Spare(spared) => areas("spared", spared),
            Choice::Ransom => {
                self.form("ransom", times.map(|most| ("times", number(1, most, most))).into_iter().collect())
            }
            Choice::Discard => self.form("discard", vec![("cards", self.hand())]),
        };
        choices(self.known, self.civ, calamity).into_iter().map(form).collect()
    }

    fn civs(&self, civs: Vec<Civ>) -> Kind {
        let names = Names::new(self.known.printed(), self.templates.language);
        Kind::Choices {
            choices: civs.into_iter().map(|civ| (names.civ(civ).to_owned(), names.civ(civ).to_owned())).collect(),
        }
    }

    /// The own commodity cards, each as often as it is held.
    fn hand(&self) -> Kind {
        let names = Names::new(self.known.printed(), self.templates.language);
        let hand = self.known.holding(self.civ).hand.iter().filter(|card| !card.face.is_calamity());
        let name = |card: &TradeCard| (names.face(card.face).to_owned(), names.face(card.face).to_owned());
        Kind::Choices { choices: hand.map(name).collect() }
    }

    fn others_cities(&self) -> Vec<AreaId> {
        let is_others = |area: &AreaId| {
            let city = self.known.ground(*area).city;
            city.is_some_and(|city| matches!(city.owner, Owner::Civ(civ) if civ != self.civ))
        };
        self.known.printed().map.ids().filter(is_others).collect()
    }

    /// The abilities that the player holds, each with what it may be used on now.
    fn abilities(&self) -> Vec<LineForm> {
        let (known, civ) = (self.known, self.civ);
        let form = |power: Power| {
            let key = match power.kind {
                PowerKind::Monotheism => "monotheism",
                PowerKind::Fundamentalism => "fundamentalism",
                PowerKind::Annexing => "politics",
                PowerKind::Doctrine => "doctrine",
                PowerKind::Treasury => "politics_treasury",
                PowerKind::Empire => "empire",
                PowerKind::Routes => "routes",
                PowerKind::Diaspora => "diaspora",
            };
            let fields = match power.on {
                Targets::Areas(areas) => vec![("areas", several(areas))],
                Targets::Tokens(most) => vec![("count", number(1, most?, most?))],
                Targets::Civs(civs) => vec![("civs", self.civs(civs))],
                Targets::Cards(_) => vec![("cards", self.hand())],
                Targets::Ways { from, to } => vec![
                    ("count", number(1, 9, 1)),
                    ("source", Kind::Area { areas: from }),
                    ("area", Kind::Area { areas: to }),
                ],
            };
            Some(self.form(key, fields))
        };
        let mut forms: Vec<LineForm> = powers(known, civ).into_iter().filter_map(form).collect();
        let pays_tribute = known.ranking().any(|other| other != civ && known.has(other, Advance::ProvincialEmpire));
        if pays_tribute && !known.holding(civ).hand.is_empty() {
            forms.push(self.form("give", vec![("cards", self.hand())]));
        }
        let about = self.templates.page.say("words", "abilities");
        forms.into_iter().map(|form| LineForm { about: Some(about.clone()), ..form }).collect()
    }

    fn has(&self, advance: Advance) -> bool {
        self.known.has(self.civ, advance)
    }

    /// The areas where the player has tokens or a city.
    fn own(&self) -> Vec<AreaId> {
        self.known.areas_of(Owner::Civ(self.civ)).collect()
    }

    fn own_cities(&self) -> Vec<AreaId> {
        let is_own =
            |area: &AreaId| self.known.ground(*area).city.is_some_and(|city| city.owner == Owner::Civ(self.civ));
        self.own().into_iter().filter(is_own).collect()
    }

    /// The areas where the player is, or could be at the end of the movement.
    fn near(&self) -> Vec<AreaId> {
        let map = &self.known.printed().map;
        let own = self.own();
        let beside = own.iter().flat_map(|area| map.area(*area).land.iter().chain(&map.area(*area).water)).copied();
        let mut near: Vec<AreaId> = own.iter().copied().chain(beside).collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|area| map.area(*area).has_land() && !self.known.ground(*area).out_of_play);
        near
    }

    fn cities(&self) -> Vec<LineForm> {
        let near = self.near();
        let is_free = |area: &AreaId| self.known.ground(*area).city.is_none();
        let free: Vec<AreaId> = near.iter().copied().filter(is_free).collect();
        let mut fields = vec![("area", Kind::Area { areas: free.clone() })];
        if self.has(Advance::Architecture) {
            fields.push(("treasury", number(0, self.known.holding(self.civ).treasury.max(1), 0)));
        }
        if self.has(Advance::Urbanism) {
            fields.push(("count", number(0, 4, 0)));
            fields.push(("source", Kind::Area { areas: near }));
        }
        if self.has(Advance::PublicWorks) {
            fields.push(("leaving", number(0, 1, 0)));
        }
        let mut forms =
            vec![self.form("city", fields), self.form("no_city", vec![("area", Kind::Area { areas: free })])];
        let cities = self.own_cities();
        if !cities.is_empty() {
            forms.push(self.form("reduce", vec![("areas", several(cities))]));
        }
        forms
    }

    fn conflict(&self) -> Vec<LineForm> {
        let (near, cities) = (self.near(), self.own_cities());
        let say = |key: &str| self.templates.page.say("choice", key);
        let card = Kind::Choice { choices: ["card", "no_card"].map(|key| (say(key), say(key))).into() };
        let mut forms = vec![
            self.form("resolve", vec![("areas", several(near.clone()))]),
            self.form("loot", vec![("loot", number(0, 3, 3)), ("card", card)]),
        ];
        if !cities.is_empty() {
            forms.push(self.form("delay", vec![("area", Kind::Area { areas: cities })]));
        }
        if self.has(Advance::NavalWarfare) {
            forms.push(self.form("substitute_ships", vec![("area", Kind::Area { areas: near.clone() })]));
        }
        if self.has(Advance::AdvancedMilitary) {
            let fields = vec![("count", number(1, 9, 1)), ("source", Kind::Area { areas: near.clone() })];
            let fields = fields.into_iter().chain([("area", Kind::Area { areas: near })]);
            forms.push(self.form("substitute", fields.collect()));
        }
        forms
    }

    fn cards(&self) -> Vec<LineForm> {
        let stacks = || {
            let last = self.known.printed().commodities.iter().map(|card| card.stack).max().unwrap_or(1);
            let stacks = (1..=last).map(|stack| (stack.to_string(), stack.to_string()));
            ("stack", Kind::Choice { choices: stacks.collect() })
        };
        let until = self.templates.page.say("choice", "until");
        let shown = self.templates.page.say("choice", "until_shown");
        let until = Kind::Choice { choices: vec![(String::new(), "–".to_owned()), (until, shown)] };
        let most = self.known.holding(self.civ).treasury;
        let mut forms = vec![
            self.form("buy", vec![("count", number(1, 9, 1)), stacks()]),
            self.form(
                "buy_up_to",
                vec![("count", number(1, 9, 1)), stacks(), ("until", until), ("keep", number(0, most, 0))],
            ),
            self.form("pass", Vec::new()),
        ];
        if self.has(Advance::WonderOfTheWorld) {
            forms.push(self.form("buy_free", vec![stacks()]));
        }
        forms
    }

    fn advances(&self) -> impl Iterator<Item = LineForm> {
        let names = Names::new(self.known.printed(), self.templates.language);
        let open = Advance::ALL.into_iter().filter(|advance| !self.has(*advance));
        let price = acquisition::prices(self.known, self.civ);
        let choice = |advance: Advance| {
            let price = price(advance);
            let name = names.advance(advance);
            (price, name.to_owned(), format!("{name} · {price}"))
        };
        let mut priced: Vec<_> = open.map(choice).collect();
        priced.sort();
        let choices = priced.into_iter().map(|(_, name, shown)| (name, shown)).collect();
        std::iter::once(self.form("acquire", vec![("advances", Kind::Choices { choices })]))
    }

    /// Next turn's tax, what stays to the last whatever comes, and what holds for every turn.
    fn later(&self) -> Vec<LineForm> {
        let (least, most) = tax::rates(self.known, self.civ);
        let cities = self.own_cities();
        let mut forms = Vec::new();
        if least < most {
            forms.push(self.form("tax", vec![("rate", number(least, most, least))]));
        }
        if !cities.is_empty() {
            forms.push(self.form("spare", vec![("areas", several(cities))]));
        }
        forms.push(self.form("always", vec![("order", Kind::Text {})]));
        forms
    }

    fn press(&self) -> Vec<LineForm> {
        let names = Names::new(self.known.printed(), self.templates.language);
        let all = self.templates.page.say("choice", "all");
        let others = self.known.ranking().filter(|civ| *civ != self.civ).map(|civ| names.civ(civ).to_owned());
        let choices = std::iter::once(all).chain(others).map(|name| (name.clone(), name)).collect();
        vec![self.form("tell", vec![("to", Kind::Choice { choices }), ("text", Kind::Text {})])]
    }
}

fn several(areas: Vec<AreaId>) -> Kind {
    Kind::Areas { areas, counted: false }
}

fn number(least: u16, most: u16, first: u16) -> Kind {
    Kind::Number { least, most, first }
}
