//! Names are their own: within a kind, no two things are called the same once case, accents and hyphens are gone.
//!
//! The English names and the Polish ones are read side by side, so they share one register. Two things may share a
//! form only if it belongs to different grammatical cases of the two, for then the words around it tell them apart.

use std::collections::BTreeMap;

use super::error::EditionError;
use super::{EditionFile, EditionFiles};
use crate::rules::map::Feature;
use crate::rules::names::fold;
use crate::rules::{Forms, PrintedGame};

/// Checks the names of each kind.
pub(super) fn check(files: &EditionFiles, printed: &PrintedGame) -> Result<(), EditionError> {
    let polish = &printed.polish;

    let mut register = Register::of("area");
    for area in &printed.map.areas {
        register.add_plain(&files.map, &area.key, &area.name)?;
        area.aliases.iter().try_for_each(|alias| register.add_plain(&files.map, &area.key, alias))?;
    }
    register.add_polish(&files.polish, &polish.area)?;

    let mut register = Register::of("civilization");
    for civilization in &printed.civilizations {
        register.add_plain(&files.civilizations, &civilization.key, &civilization.name)?;
        let mut aliases = civilization.aliases.iter();
        aliases.try_for_each(|alias| register.add_plain(&files.civilizations, &civilization.key, alias))?;
    }
    register.add_polish(&files.polish, &polish.civilization)?;

    let mut register = Register::of("commodity");
    register.add_plain(&files.trade_cards, "water", "Water")?;
    for card in &printed.commodities {
        register.add_plain(&files.trade_cards, &card.key, &card.name)?;
    }
    register.add_polish(&files.polish, &polish.commodity)?;

    let mut register = Register::of("calamity");
    for card in &printed.calamities {
        register.add_plain(&files.calamities, &card.key, &card.name)?;
    }
    register.add_polish(&files.polish, &polish.calamity)?;

    let mut register = Register::of("advance");
    for card in &printed.advances {
        register.add_plain(&files.advances, &card.key, &card.name)?;
    }
    register.add_polish(&files.polish, &polish.advance)?;

    let features: [(&'static str, &[Feature], _); 2] = [
        ("flood_plain", &printed.map.flood_plains, &polish.flood_plain),
        ("volcano", &printed.map.volcanoes, &polish.volcano),
    ];
    for (kind, features, polish) in features {
        let mut register = Register::of(kind);
        for feature in features {
            register.add_plain(&files.features, &feature.key, &feature.name)?;
        }
        register.add_polish(&files.polish, polish)?;
    }

    let rest = [("group", &polish.group), ("epoch", &polish.epoch), ("phase", &polish.phase), ("term", &polish.term)];
    rest.into_iter().try_for_each(|(kind, names)| Register::of(kind).add_polish(&files.polish, names))
}

/// The grammatical case of a form. A form without one may stand anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Nominative,
    Genitive,
    Dative,
    Accusative,
    Instrumental,
    Locative,
    Few,
    Many,
}

/// The forms of one kind of thing: folded form, then whose it is and in which case.
struct Register {
    kind: &'static str,
    forms: BTreeMap<String, Vec<(String, Option<Case>)>>,
}

impl Register {
    fn of(kind: &'static str) -> Register {
        Register { kind, forms: BTreeMap::new() }
    }

    /// Adds a name that may stand in any case, as English ones do.
    fn add_plain(&mut self, file: &EditionFile, key: &str, name: &str) -> Result<(), EditionError> {
        let folded = fold(name);
        self.add(file, key, name, folded, None)
    }

    fn add_polish(&mut self, file: &EditionFile, names: &BTreeMap<String, Forms>) -> Result<(), EditionError> {
        for (key, forms) in names {
            for (case, form) in cases(forms) {
                let folded = fold(form);
                if forms.swap {
                    for swapped in swapped(&folded) {
                        self.add(file, key, form, swapped, case)?;
                    }
                }
                self.add(file, key, form, folded, case)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        file: &EditionFile,
        key: &str,
        form: &str,
        folded: String,
        case: Option<Case>,
    ) -> Result<(), EditionError> {
        let place = || file.place(self.kind, key);
        if folded.is_empty() {
            return Err(place().wrong(format!("the name {form:?} has no letters"), "a name"));
        }
        let owners = self.forms.entry(folded).or_default();
        let rival = owners
            .iter()
            .find(|(owner, theirs)| owner != key && (case.is_none() || theirs.is_none() || *theirs == case));
        if let Some((rival, _)) = rival {
            let found = format!("{form:?} is also a name of {} {rival:?}", self.kind);
            return Err(place().wrong(found, "a name of its own, accents, case and hyphens aside"));
        }
        if !owners.iter().any(|(owner, theirs)| owner == key && *theirs == case) {
            owners.push((key.to_owned(), case));
        }
        Ok(())
    }
}

/// All forms of a Polish name with their cases.
fn cases(forms: &Forms) -> impl Iterator<Item = (Option<Case>, &str)> {
    let single = [
        (Case::Nominative, Some(&forms.nom)),
        (Case::Genitive, forms.r#gen.as_ref()),
        (Case::Dative, forms.dat.as_ref()),
        (Case::Accusative, forms.acc.as_ref()),
        (Case::Instrumental, forms.ins.as_ref()),
        (Case::Locative, forms.loc.as_ref()),
        (Case::Few, forms.few.as_ref()),
        (Case::Many, forms.many.as_ref()),
    ];
    let people = [Case::Nominative, Case::Genitive, Case::Dative, Case::Instrumental];
    let single = single.into_iter().filter_map(|(case, form)| Some((Some(case), form?.as_str())));
    let people = people.into_iter().map(Some).zip(forms.people.iter().map(String::as_str));
    let anywhere = forms.also.iter().chain(&forms.adj).map(|form| (None, form.as_str()));
    single.chain(people).chain(anywhere)
}

/// The first word last, and the last first.
fn swapped(folded: &str) -> Vec<String> {
    let first_last = folded.split_once(' ').map(|(first, rest)| format!("{rest} {first}"));
    let last_first = folded.rsplit_once(' ').map(|(rest, last)| format!("{last} {rest}"));
    first_last.into_iter().chain(last_first).collect()
}
