//! Plays a random game as the desk would: letters are read and filed, and every phase is ruled.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use cursus::game::{Chance, Commands, Event, LineId, Phase, State, adjudicate};
use cursus::orders::course::{self, Course, Cue};
use cursus::orders::sheet::Outcome;
use cursus::orders::{Sheet, is_trial, read};
use cursus::rules::Civ;

use super::maps::Table;
use super::{Dice, Position, Script, letters};

/// One ruling.
pub struct Ruling {
    /// What was true before it.
    pub before: State,
    /// What was filed for it.
    pub commands: Commands,
    /// What happened.
    pub events: Vec<Event>,
    /// What is true after it.
    pub after: State,
}

/// A game from its first phase to its last, which is trade or the end of the turn.
pub struct Played {
    /// The position it began with.
    pub position: Position,
    /// The chance it was played with.
    pub chance: Chance,
    /// The rulings, in sequence.
    pub rulings: Vec<Ruling>,
    /// The letters, as written.
    pub letters: Vec<(Phase, Civ, String)>,
    /// How many pieces of letters became what.
    pub outcomes: Outcomes,
}

/// How many pieces of letters became what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcomes {
    /// Orders on a sheet.
    pub filed: usize,
    /// Lines taken back.
    pub taken_back: usize,
    /// Refused at once.
    pub illegal: usize,
    /// Not understood.
    pub faults: usize,
    /// Remarks and quoted lines.
    pub remarks: usize,
}

/// Plays a script.
pub fn play(script: &Script) -> Played {
    play_from(Position::of(script), script, Phase::Trade)
}

/// Plays a script of phases 8 to 13.
pub fn play_late(script: &Script) -> Played {
    play_from(Position::late(script), script, Phase::Ast)
}

fn play_from(position: Position, script: &Script, last: Phase) -> Played {
    let mut game = Game {
        table: position.table,
        open: Phase::Tax,
        state: position.state(),
        sheets: BTreeMap::new(),
        chance: Chance::numbered(script.frame),
        rulings: Vec::new(),
        letters: Vec::new(),
        outcomes: Outcomes::default(),
    };
    let first = game.state.phase();
    for phase in Phase::ALL.into_iter().filter(|phase| (first..=last).contains(phase)) {
        game.open(phase, script);
        game.close(phase);
    }
    let Game { chance, rulings, letters, outcomes, .. } = game;
    Played { position, chance, rulings, letters, outcomes }
}

struct Game {
    table: &'static Table,
    /// The phase that is played.
    open: Phase,
    state: State,
    sheets: BTreeMap<Civ, Sheet>,
    chance: Chance,
    rulings: Vec<Ruling>,
    letters: Vec<(Phase, Civ, String)>,
    outcomes: Outcomes,
}

impl Game {
    /// Letters of a phase arrive; in trade each is ruled when it does.
    fn open(&mut self, phase: Phase, script: &Script) {
        self.open = phase;
        course::open(self);
        for (arrival, (at, lines)) in (0..).zip(&script.letters) {
            if *at != phase.number() || self.state.phase() != phase {
                continue;
            }
            let mut dice = Dice::new(lines[0]);
            let seats: Vec<_> = self.state.ranking().collect();
            let civ = seats[dice.below(seats.len())];
            let lines: Vec<_> =
                lines.iter().map(|seed| letters::line(self.table, &self.state, civ, &mut Dice::new(*seed))).collect();
            let filed = self.receive(civ, lines.join("\n"), arrival);
            course::arrive(self, civ, &filed);
        }
    }

    /// The cut-off: rules until the phase has come to its end.
    fn close(&mut self, phase: Phase) {
        course::drive(self);
        assert!(!self.goes_on(), "{} does not come to its end", phase.name());
    }

    /// Reads and files a letter; says which lines are new.
    fn receive(&mut self, civ: Civ, text: String, arrival: u64) -> BTreeSet<LineId> {
        let phase = self.state.phase();
        let letter = read(&text, &self.table.lexicon);
        self.letters.push((phase, civ, text));
        let sheet = self.sheets.entry(civ).or_default();
        let mut new = BTreeSet::new();
        if is_trial(&letter) {
            return new;
        }
        for line in letter {
            let parts = |sheet: &Sheet| Phase::ALL.map(|phase| sheet.part(phase).to_vec());
            let before = parts(sheet);
            let answers = sheet.add(std::slice::from_ref(&line), phase, arrival);
            let mut changes = false;
            for answer in answers {
                match answer.outcome {
                    Outcome::Filed(lines) => {
                        changes = true;
                        self.outcomes.filed += lines.len();
                        new.extend(lines);
                    }
                    Outcome::TakenBack(lines) => {
                        changes = true;
                        self.outcomes.taken_back += lines.len();
                    }
                    Outcome::Illegal(_) => self.outcomes.illegal += 1,
                    Outcome::Fault(_) => self.outcomes.faults += 1,
                    Outcome::NotEnded(_)
                    | Outcome::Quoted
                    | Outcome::Remark
                    | Outcome::NoOccasion
                    | Outcome::Sent(_)
                    | Outcome::Held(_)
                    | Outcome::Beyond(_)
                    | Outcome::Asked(_)
                    | Outcome::Wished(_)
                    | Outcome::NoSuchName => self.outcomes.remarks += 1,
                }
            }
            assert!(changes || parts(sheet) == before, "a refused line changed the sheet: {}", line.text);
        }
        // The forecast of every line on the sheet is asked for, as for an acknowledgement.
        for part in Phase::ALL {
            for entry in sheet.part(part) {
                let _ = part.rules().may_stand(&self.state, civ, &entry.command);
            }
        }
        new
    }
}

impl Course for Game {
    fn phase(&self) -> Phase {
        self.state.phase()
    }

    fn goes_on(&self) -> bool {
        self.state.phase() == self.open && !self.state.has_ended()
    }

    fn is_fresh(&self) -> bool {
        self.rulings.last().is_none_or(|ruling| ruling.before.phase() != self.open)
    }

    fn sheets(&mut self) -> &mut BTreeMap<Civ, Sheet> {
        &mut self.sheets
    }

    /// Everybody writes what the script says.
    fn asked(&self) -> Vec<Civ> {
        Vec::new()
    }

    fn write(&mut self, _civ: Civ) -> Option<BTreeSet<LineId>> {
        None
    }

    fn is_due(&mut self) -> bool {
        true
    }

    fn rule(&mut self, commands: &Commands, _cue: Cue) -> bool {
        let rules = self.state.phase().rules();
        for awaited in rules.awaits(&self.state) {
            for command in rules.silence(&self.state, awaited) {
                assert_eq!(rules.may_stand(&self.state, awaited.civ, &command), Ok(()), "silence may stand");
            }
        }
        let (events, after) = adjudicate(&self.state, commands, &self.chance);
        let before = std::mem::replace(&mut self.state, after.clone());
        let is_anything = !events.is_empty();
        self.rulings.push(Ruling { before, commands: commands.clone(), events, after });
        is_anything
    }
}

impl Played {
    /// The ruling that closed a phase.
    pub fn closing(&self, phase: Phase) -> Option<&Ruling> {
        self.rulings.iter().find(|ruling| ruling.before.phase() == phase && ruling.after.phase() != phase)
    }
}

/// The game for a person who wants to know why it failed.
impl Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printed = &self.position.opening.printed;
        writeln!(f, "{:?}", self.position.opening.rulebook)?;
        for holding in &self.position.opening.holdings {
            writeln!(f, "{}: {holding:?}", printed.civilizations[usize::from(holding.civ.0)].name)?;
        }
        for (area, ground) in printed.map.areas.iter().zip(&self.position.opening.board) {
            if ground.city.is_some() || !ground.forces.is_empty() {
                writeln!(f, "{} (limit {}): {ground:?}", area.name, area.limit)?;
            }
        }
        for (phase, civ, text) in &self.letters {
            let name = &printed.civilizations[usize::from(civ.0)].name;
            writeln!(f, "-- {} writes in {}\n{text}", name, phase.name())?;
        }
        self.rulings.iter().flat_map(|ruling| &ruling.events).try_for_each(|event| writeln!(f, "{event:?}"))
    }
}
