//! How a game at the table goes on: the course of its phases, as the casebook and the simulation have it too.

use std::collections::{BTreeMap, BTreeSet};

use super::companions;
use super::sitting::Sitting;
use crate::archive::Reason;
use crate::game::{Commands, Event, LineId, Phase};
use crate::orders::Sheet;
use crate::orders::course::{Course, Cue};
use crate::rules::Civ;

/// A table whose game is driven on, for a reason or because nobody is awaited.
pub(super) struct Proceeding<'s, 'a> {
    sitting: &'s mut Sitting<'a>,
    /// Why the open phase is ruled though somebody is awaited.
    reason: Option<Reason>,
    /// Why it is ruled now.
    why: Reason,
    /// What has happened so far.
    pub(super) events: Vec<Event>,
}

impl<'s, 'a> Proceeding<'s, 'a> {
    pub(super) fn new(sitting: &'s mut Sitting<'a>, reason: Option<Reason>) -> Proceeding<'s, 'a> {
        Proceeding { sitting, reason, why: Reason::AtOnce, events: Vec::new() }
    }
}

impl Course for Proceeding<'_, '_> {
    fn phase(&self) -> Phase {
        self.sitting.table.state.phase()
    }

    fn goes_on(&self) -> bool {
        !self.sitting.table.state.has_ended()
    }

    fn is_fresh(&self) -> bool {
        self.sitting.table.ruled.steps == 0
    }

    fn sheets(&mut self) -> &mut BTreeMap<Civ, Sheet> {
        &mut self.sitting.table.sheets
    }

    fn asked(&self) -> Vec<Civ> {
        let table = &self.sitting.table;
        let awaited = table.state.phase().rules().awaits(&table.state);
        let companions = table.companions().into_iter().map(|(civ, _)| civ);
        companions.filter(|civ| awaited.iter().any(|awaited| awaited.civ == *civ)).collect()
    }

    fn write(&mut self, civ: Civ) -> Option<BTreeSet<LineId>> {
        companions::receive(self.sitting, civ)
    }

    fn is_due(&mut self) -> bool {
        let table = &self.sitting.table;
        self.why = match self.reason.take() {
            Some(why) => why,
            None if !table.awaits_letters() || table.owing().is_empty() => Reason::AtOnce,
            None => return false,
        };
        self.events.extend(self.sitting.announce_end());
        self.sitting.settle_silent(self.sitting.table.state.phase());
        true
    }

    fn rule(&mut self, filed: &Commands, cue: Cue) -> bool {
        let reason = match cue {
            Cue::Opens => Reason::AtOnce,
            Cue::Letter => Reason::Letter,
            Cue::CutOff => self.why,
        };
        let events = self.sitting.rule(filed, reason);
        let is_anything = !events.is_empty();
        self.events.extend(events);
        is_anything
    }
}
