//! `polish.toml`: a Polish name for everything the other files name, and for nothing else.

use std::collections::BTreeMap;

use super::EditionFile;
use super::error::EditionError;
use super::keys::Keys;
use crate::rules::map::Feature;
use crate::rules::{Epoch, Forms, Group, PrintedGame};

/// The number of phases in a turn, whose keys are their numbers.
const PHASES: u8 = 13;

/// Checks the Polish names against the rest of the edition.
pub(super) fn check(file: &EditionFile, printed: &PrintedGame) -> Result<(), EditionError> {
    let polish = &printed.polish;
    let features = |features: &[Feature]| features.iter().map(|feature| feature.key.clone()).collect();
    let areas = printed.map.areas.iter().map(|area| area.key.clone()).collect();
    let civilizations = printed.civilizations.iter().map(|civilization| civilization.key.clone()).collect();
    let water = std::iter::once("water".to_owned());
    let commodities = water.chain(printed.commodities.iter().map(|card| card.key.clone())).collect();
    let calamities = printed.calamities.iter().map(|card| card.key.clone()).collect();
    let advances = printed.advances.iter().map(|card| card.key.clone()).collect();
    let groups = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
    let groups = Keys::of_enum("group", &groups).iter().map(str::to_owned).collect();
    let epochs = Keys::of_enum("epoch", &Epoch::ALL).iter().map(str::to_owned).collect();
    let phases = (1..=PHASES).map(|phase| phase.to_string()).collect();

    check_kind(file, "area", &polish.area, areas)?;
    check_kind(file, "civilization", &polish.civilization, civilizations)?;
    check_kind(file, "commodity", &polish.commodity, commodities)?;
    check_kind(file, "calamity", &polish.calamity, calamities)?;
    check_kind(file, "advance", &polish.advance, advances)?;
    check_kind(file, "group", &polish.group, groups)?;
    check_kind(file, "epoch", &polish.epoch, epochs)?;
    check_kind(file, "phase", &polish.phase, phases)?;
    check_kind(file, "flood_plain", &polish.flood_plain, features(&printed.map.flood_plains))?;
    check_kind(file, "volcano", &polish.volcano, features(&printed.map.volcanoes))?;
    let terms = polish.term.keys().cloned().collect();
    check_kind(file, "term", &polish.term, terms)
}

fn check_kind(
    file: &EditionFile,
    kind: &'static str,
    names: &BTreeMap<String, Forms>,
    known: Vec<String>,
) -> Result<(), EditionError> {
    for (key, forms) in names {
        let place = || file.place(kind, key);
        if !known.contains(key) {
            let known = known.iter().map(String::as_str);
            return Err(file.place("", "").unresolved(kind, key, kind, known));
        }
        if forms.nom.is_empty() {
            return Err(place().wrong("there is no nom", "a nominative"));
        }
        if !matches!(forms.people.len(), 0 | 4) {
            let found = format!("people has {} forms", forms.people.len());
            return Err(place().wrong(found, "nominative, genitive, dative, instrumental"));
        }
        if let Some(agreement) = &forms.g
            && !matches!(agreement.as_str(), "m" | "f" | "n" | "mp" | "pl" | "plp")
        {
            return Err(place().wrong(format!("g is {agreement:?}"), "m, f, n, mp, pl or plp"));
        }
    }
    match known.iter().find(|key| !names.contains_key(*key)) {
        Some(key) => Err(file.place(kind, key).wrong("there is none", format!("a Polish name for every {kind}"))),
        None => Ok(()),
    }
}
