//! Facts for templates: names that know their forms, so that a phrase may say `{{ area.from }}` in any language.
//!
//! Comes in: ids of the printed game. Goes out: values for [`super::templates`].

use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use super::names::Names;
use crate::game::{Owner, Phase};
use crate::rules::{Advance, AreaId, Calamity, Case, Civ, Face, Language, PrintedGame};

/// The cases of a name, by the keys a template knows them by.
const CASES: [(&str, Case); 6] = [
    ("nom", Case::Nominative),
    ("gen", Case::Genitive),
    ("dat", Case::Dative),
    ("acc", Case::Accusative),
    ("ins", Case::Instrumental),
    ("loc", Case::Locative),
];

/// Says names to templates.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a>(Names<'a>);

/// A name with its forms, the nominative first.
#[derive(Debug)]
struct Name {
    forms: Vec<(&'static str, String)>,
    /// Whether it is the reader.
    you: bool,
    /// Whether verbs stand in the plural with it.
    plural: bool,
}

impl<'a> Facts<'a> {
    /// Says names of an edition in a language.
    pub(crate) fn new(printed: &'a PrintedGame, language: Language) -> Facts<'a> {
        Facts(Names::new(printed, language))
    }

    pub(crate) fn names(self) -> Names<'a> {
        self.0
    }

    /// An area: `{{ area }}`, `{{ area.in }}`, `{{ area.from }}`, `{{ area.to }}`.
    pub(crate) fn area(self, area: AreaId) -> Value {
        let names = self.0;
        let mut forms = forms(|case| names.area_as(area, case));
        forms.push(("in", names.area_in(area)));
        forms.push(("from", names.area_from(area)));
        forms.push(("to", names.area_to(area)));
        Value::from_object(Name { forms, you: false, plural: names.is_plural(area) })
    }

    /// Areas, as a list to join.
    pub(crate) fn areas(self, areas: impl IntoIterator<Item = AreaId>) -> Value {
        Value::from_iter(areas.into_iter().map(|area| self.area(area)))
    }

    pub(crate) fn civ(self, civ: Civ) -> Value {
        name(|case| self.0.civ_as(civ, case))
    }

    /// An owner of pieces as the subject or object of a sentence. The reader is `you`: `{{ who.subj }}` is what stands
    /// before a verb, `{{ who|verb("builds", "build") }}` the verb that agrees with it, `{{ who.poss }}` English only.
    pub(crate) fn who(self, owner: Owner, reader: Option<Civ>) -> Value {
        let names = self.0;
        let you = reader.is_some() && owner.civ() == reader;
        let mut forms = match (you, names.language) {
            (false, _) => forms(|case| names.owner_as(owner, case)),
            (true, Language::English) => forms(|_| "you"),
            (true, Language::Polish) => forms(|case| match case {
                Case::Nominative => "Ty",
                Case::Genitive | Case::Accusative => "Ciebie",
                Case::Dative => "Ci",
                Case::Instrumental => "Tobą",
                Case::Locative => "Tobie",
            }),
        };
        // A Polish verb says itself that it is yours.
        let subject = match (you, names.language) {
            (true, Language::English) => "you",
            (true, Language::Polish) => "",
            (false, _) => names.owner(owner),
        };
        forms.push(("subj", subject.to_owned()));
        let possessive = match owner {
            _ if you => "your".to_owned(),
            Owner::Civ(_) => format!("{}'s", names.owner(owner)),
            Owner::Barbarians => format!("{}'", names.owner(owner)),
        };
        forms.push(("poss", possessive));
        let plural = match names.language {
            Language::English => owner == Owner::Barbarians,
            Language::Polish => names.agreement(owner).is_plural(),
        };
        Value::from_object(Name { forms, you, plural })
    }

    /// What a trade card shows.
    pub(crate) fn face(self, face: Face) -> Value {
        name(|case| self.0.face_as(face, case))
    }

    pub(crate) fn calamity(self, calamity: Calamity) -> Value {
        name(|case| self.0.calamity_as(calamity, case))
    }

    pub(crate) fn advance(self, advance: Advance) -> Value {
        name(|case| self.0.advance_as(advance, case))
    }

    pub(crate) fn phase(self, phase: Phase) -> Value {
        name(|case| self.0.phase_as(phase, case))
    }
}

fn name<'a>(said: impl Fn(Case) -> &'a str) -> Value {
    Value::from_object(Name { forms: forms(said), you: false, plural: false })
}

fn forms<'a>(said: impl Fn(Case) -> &'a str) -> Vec<(&'static str, String)> {
    CASES.map(|(key, case)| (key, said(case).to_owned())).to_vec()
}

impl Object for Name {
    /// A name is something, also where a template asks whether there is one.
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str()? {
            "you" => Some(Value::from(self.you)),
            "plural" => Some(Value::from(self.plural)),
            key => self.forms.iter().find(|(form, _)| *form == key).map(|(_, said)| Value::from(said)),
        }
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.forms[0].1)
    }
}
