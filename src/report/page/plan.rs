//! The plan: the lines of a sheet that can still be changed, each as it would be written, and how all of them are taken
//! back at once.

use serde::Serialize;

use super::super::names::Names;
use super::super::templates::Templates;
use super::super::wording::worded;
use crate::game::{Command, Count, Phase};
use crate::orders::Sheet;
use crate::orders::sheet::Entry;
use crate::rules::AreaId;

/// What of a sheet can still be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub lines: Vec<Planned>,
    /// The lines that take all of them back.
    pub clear: Vec<String>,
    /// Whether the player insists on the own turn.
    pub waits: bool,
    /// Whether the open phase is declared ended.
    pub done: bool,
    /// Lines that stand and cannot be changed any more.
    pub fixed: Vec<String>,
    pub standing: Vec<String>,
}

/// A line of the plan, as its card shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Planned {
    /// The line as it would be written.
    pub text: String,
    /// What it does, where it can be tapped.
    #[serde(flatten)]
    pub walk: Option<Walk>,
}

/// Tokens that walk or sail, to be drawn as an arrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Walk {
    /// From where, over what, to where.
    pub path: Vec<AreaId>,
    /// How many tokens; none is all.
    pub count: Option<u16>,
}

/// What of a sheet can still be changed while a phase is open.
pub(crate) fn plan(templates: &Templates, names: Names, sheet: &Sheet, open: Phase) -> Plan {
    let line = |entry: &Entry| worded(names, &entry.command);
    let mut plan = Plan {
        lines: Vec::new(),
        clear: Vec::new(),
        waits: false,
        done: sheet.is_done(open),
        fixed: Vec::new(),
        standing: sheet.standing().iter().map(line).collect(),
    };
    for phase in Phase::ALL {
        let entries: Vec<&Entry> = sheet.part(phase).iter().filter(|entry| entry.next_turn || phase >= open).collect();
        if entries.is_empty() || phase == Phase::Trade {
            continue;
        }
        let numbered = entries.iter().filter(|entry| entry.number.is_some());
        if sheet.is_done(phase) {
            plan.fixed.extend(numbered.map(|entry| line(entry)));
            continue;
        }
        plan.waits |= entries.last().is_some_and(|entry| entry.command == Command::Wait);
        plan.lines.extend(numbered.map(|entry| Planned { text: line(entry), walk: walk(&entry.command) }));
        plan.clear.extend(templates.page.find("clear", phase.name()));
    }
    plan
}

fn walk(command: &Command) -> Option<Walk> {
    match command {
        Command::Move { count: Count::All, path } => Some(Walk { path: path.clone(), count: None }),
        Command::Move { count: Count::Exactly(count), path } => Some(Walk { path: path.clone(), count: Some(*count) }),
        _ => None,
    }
}
