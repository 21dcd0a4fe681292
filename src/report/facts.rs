//! Facts for templates: names that know their forms, so that a phrase may say `{{ area.from }}` in any language.
//!
//! Comes in: ids of the printed game. Goes out: values for [`super::templates`]. In Polish a name is inflected; in English
//! only the preposition changes.

use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::Object;

use crate::game::{Owner, Phase};
use crate::orders::Named;
use crate::rules::{Advance, AreaId, Calamity, Civ, Face, Forms, Language, PrintedGame};

/// Says names in a language.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    printed: &'a PrintedGame,
    language: Language,
}

/// A name with its forms.
#[derive(Debug)]
struct Name {
    printed: String,
    forms: Option<Forms>,
    language: Language,
}

impl<'a> Facts<'a> {
    /// Says names of an edition.
    pub fn new(printed: &'a PrintedGame, language: Language) -> Facts<'a> {
        Facts { printed, language }
    }

    /// An area: `{{ area }}`, `{{ area.in }}`, `{{ area.from }}`, `{{ area.to }}`.
    pub fn area(self, area: AreaId) -> Value {
        let area = self.printed.map.area(area);
        self.name(&area.name, self.printed.polish.area.get(&area.key))
    }

    /// Areas, as a list to join.
    pub fn areas(self, areas: impl IntoIterator<Item = AreaId>) -> Value {
        Value::from_iter(areas.into_iter().map(|area| self.area(area)))
    }

    /// A civilization.
    pub fn civ(self, civ: Civ) -> Value {
        let civilization = &self.printed.civilizations[usize::from(civ.0)];
        self.name(&civilization.name, self.printed.polish.civilization.get(&civilization.key))
    }

    /// An owner of pieces on the board.
    pub fn owner(self, owner: Owner) -> Value {
        match owner {
            Owner::Civ(civ) => self.civ(civ),
            Owner::Barbarians => self.name("the Barbarians", self.printed.polish.term.get("barbarians")),
        }
    }

    /// What a trade card shows.
    pub fn face(self, face: Face) -> Value {
        let polish = &self.printed.polish;
        match face {
            Face::Water => self.name("Water", polish.commodity.get("water")),
            Face::Commodity(commodity) => {
                let card = &self.printed.commodities[usize::from(commodity.0)];
                self.name(&card.name, polish.commodity.get(&card.key))
            }
            Face::Calamity(calamity) => self.calamity(calamity),
        }
    }

    /// A calamity.
    pub fn calamity(self, calamity: Calamity) -> Value {
        let card = &self.printed.calamities[calamity as usize];
        self.name(&card.name, self.printed.polish.calamity.get(&card.key))
    }

    /// An advance.
    pub fn advance(self, advance: Advance) -> Value {
        let card = &self.printed.advances[advance as usize];
        self.name(&card.name, self.printed.polish.advance.get(&card.key))
    }

    /// A phase.
    pub fn phase(self, phase: Phase) -> Value {
        self.name(title(phase), self.printed.polish.phase.get(&phase.number().to_string()))
    }

    /// Whatever a name was read as.
    pub fn named(self, named: Named) -> Value {
        match named {
            Named::Area(area) => self.area(area),
            Named::Civ(civ) => self.civ(civ),
            Named::Card(face) => self.face(face),
            Named::Advance(advance) => self.advance(advance),
        }
    }

    fn name(self, printed: &str, forms: Option<&Forms>) -> Value {
        let forms = forms.filter(|_| self.language == Language::Polish).cloned();
        Value::from_object(Name { printed: printed.to_owned(), forms, language: self.language })
    }
}

/// A phase as the English rulebook calls it.
fn title(phase: Phase) -> &'static str {
    match phase {
        Phase::Tax => "Tax collection",
        Phase::Expansion => "Population expansion and census",
        Phase::Movement => "Movement",
        Phase::Conflict => "Conflict",
        Phase::Cities => "City construction",
        Phase::Cards => "Trade cards acquisition",
        Phase::Trade => "Trade",
        Phase::Selection => "Calamity selection",
        Phase::Calamities => "Calamity resolution",
        Phase::Abilities => "Special abilities",
        Phase::Support => "Surplus population and city support",
        Phase::Advances => "Civilization advances acquisition",
        Phase::Ast => "A.S.T. alteration and end of turn",
    }
}

impl Name {
    /// The form of this key: a case, or a preposition with its case.
    fn form(&self, key: &str) -> Option<String> {
        let Some(forms) = &self.forms else {
            let preposition = match (key, self.language) {
                ("in", Language::English) => "in ",
                ("from", Language::English) => "from ",
                ("to", Language::English) => "to ",
                ("in", Language::Polish) => "w ",
                ("from", Language::Polish) => "z ",
                ("to", Language::Polish) => "do ",
                ("nom" | "gen" | "dat" | "acc" | "ins" | "loc", _) => "",
                _ => return None,
            };
            return Some(format!("{preposition}{}", self.printed));
        };
        let or_nom = |form: &Option<String>| form.clone().unwrap_or_else(|| forms.nom.clone());
        let at = forms.at.as_deref().unwrap_or("w");
        Some(match key {
            "nom" => forms.nom.clone(),
            "gen" => or_nom(&forms.r#gen),
            "dat" => or_nom(&forms.dat),
            "acc" => or_nom(&forms.acc),
            "ins" => or_nom(&forms.ins),
            "loc" => or_nom(&forms.loc),
            "in" => format!("{at} {}", or_nom(&forms.loc)),
            "from" => format!("{} {}", forms.from.as_deref().unwrap_or("z"), or_nom(&forms.r#gen)),
            "to" if matches!(at, "na" | "nad") => format!("{at} {}", or_nom(&forms.acc)),
            "to" => format!("do {}", or_nom(&forms.r#gen)),
            _ => return None,
        })
    }
}

impl Object for Name {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.form(key.as_str()?).map(Value::from)
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.forms.as_ref().map_or(&self.printed, |forms| &forms.nom))
    }
}
