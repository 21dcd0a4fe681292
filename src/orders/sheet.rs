//! The sheet: what a player has ordered this turn, in parts, one a phase.
//!
//! Comes in: the lines of the player's letters, in the sequence of their arrival. Goes out: the commands of a phase.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::asking::{Question, Timing};
use super::bounds::{Bound, MOST_ON_SHEET};
use super::fault::Fault;
use super::mailing::{ends_by_done, mailing};
use super::press::Press;
use super::read::{Doubt, Line, Piece, Reading, Written};
use super::standing::is_wanted;
use crate::game::command::Wish;
use crate::game::{Command, Commands, Filed, Illegal, LineId, Phase};
use crate::rules::Civ;

/// A player's orders of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sheet {
    parts: BTreeMap<Phase, Vec<Entry>>,
    /// Standing orders, kept over the turns.
    standing: Vec<Entry>,
    /// The lines of the last letter that may mean one of several things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<Doubt>,
    /// Messages of the last letter that are not sent before the player says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held: Vec<Press>,
    /// The phases whose form was filed as it is: by `ok`, or by silence at the cut-off.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    settled: BTreeSet<Phase>,
    /// The phases for which the last letter with lines had a mistake among them, so that it answered nothing. Only the desk
    /// notes it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    left_open: BTreeSet<Phase>,
    lines: u32,
}

/// A line on a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its own for the whole turn.
    pub line: LineId,
    /// Its number in its part; `done` and `wait` have none.
    pub number: Option<u16>,
    /// The letter it came with, counted over all players.
    pub arrival: u64,
    /// Whether it was written before its phase opened.
    pub ahead: bool,
    /// Whether its phase was ruled already, so that it is kept for the next turn.
    pub next_turn: bool,
    pub command: Command,
}

/// What became of a piece of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The line of the letter.
    pub line: usize,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Quoted,
    Remark,
    Fault(Fault),
    /// It stands on the sheet.
    Filed(Vec<LineId>),
    /// It would end a phase, and does not for these lines of its letter.
    NotEnded(Vec<usize>),
    /// Lines were taken back.
    TakenBack(Vec<LineId>),
    /// Understood and not allowed.
    Illegal(Illegal),
    /// Understood, and there is nothing it could speak of.
    NoOccasion,
    Sent(Vec<Press>),
    /// Not sent before the player says so.
    Held(Press),
    /// A question, to be answered at once.
    Asked(Question),
    /// A wish about deadlines, which the desk grants or not.
    Wished(Timing),
    /// A number that chooses among names or proposals, where there were none or not so many.
    NoSuchName,
    /// Not read, for there is too much of its kind.
    Beyond(Bound),
}

/// The lines of a letter that stand on the sheet.
pub fn filed(answers: &[Answer]) -> BTreeSet<LineId> {
    let lines = answers.iter().map(|answer| match &answer.outcome {
        Outcome::Filed(lines) => lines.as_slice(),
        _ => &[],
    });
    lines.flatten().copied().collect()
}

impl Sheet {
    /// Adds a letter to the sheet. `open` is the phase that is open when it arrives.
    pub fn add(&mut self, letter: &[Line], open: Phase, arrival: u64) -> Vec<Answer> {
        let mut answers = Vec::new();
        // What is held waits for one letter: whoever does not pass it on has turned to something else.
        let held = std::mem::take(&mut self.held);
        for line in letter {
            for piece in &line.pieces {
                let outcome = match &piece.reading {
                    Reading::Quoted => Outcome::Quoted,
                    Reading::Remark => Outcome::Remark,
                    Reading::Fault(fault) => Outcome::Fault(fault.clone()),
                    Reading::Written(Written::Send) if held.is_empty() => Outcome::NoOccasion,
                    Reading::Written(Written::Send) => Outcome::Sent(held.clone()),
                    Reading::Written(written) => self.write(written, open, arrival),
                    Reading::Beyond(bound) => Outcome::Beyond(*bound),
                    // It was sent with the line above.
                    Reading::Press => continue,
                };
                answers.push(Answer { line: line.number, outcome });
            }
        }
        self.renumber();
        self.doubt(letter);
        answers
    }

    /// The lines of the last letter that may mean one of several things.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// The messages of the last letter that are not sent before the player says so.
    pub(crate) fn held(&self) -> &[Press] {
        &self.held
    }

    /// Notes what is in doubt now. Whoever settles one doubt is asked about the others again; whoever settles none has
    /// turned to something else.
    fn doubt(&mut self, letter: &[Line]) {
        let settled: Vec<usize> = letter.iter().filter_map(|line| line.settles).collect();
        let unsettled = |(place, _): &(usize, Doubt)| !settled.is_empty() && !settled.contains(place);
        let old: Vec<_> = std::mem::take(&mut self.doubts).into_iter().enumerate().filter(unsettled).collect();
        let new = letter.iter().flat_map(|line| line.pieces.iter().filter_map(|piece| doubtful(line, piece)));
        self.doubts = new.collect();
        for (_, doubt) in old {
            if self.doubts.iter().all(|new| new.line != doubt.line) {
                self.doubts.push(doubt);
            }
        }
    }

    /// The lines of a part.
    pub fn part(&self, phase: Phase) -> &[Entry] {
        self.parts.get(&phase).map_or(&[], Vec::as_slice)
    }

    /// Files the form of these phases as it is: whatever it asks for beyond the sheet is left to the default.
    pub(crate) fn settle(&mut self, phases: &[Phase]) {
        self.settled.extend(phases);
    }

    /// Notes after a letter whether a mistake in it leaves the open mailing unanswered; `before` is the sheet without it.
    pub(crate) fn note_mistakes(&mut self, before: &Sheet, open: Phase, is_mistaken: bool) {
        let phases = mailing(open);
        if is_mistaken {
            self.left_open.extend(phases);
        } else if phases.iter().any(|phase| self.part(*phase) != before.part(*phase)) {
            self.left_open.retain(|phase| !phases.contains(phase));
        }
    }

    /// Whether a mistake leaves this phase unanswered, though lines for it stand.
    pub(crate) fn is_left_open(&self, phase: Phase) -> bool {
        self.left_open.contains(&phase)
    }

    /// The sheet as it would be with these lines and the form filed as it is. They come behind all others.
    pub fn with_form(&self, lines: &[Command], open: Phase) -> Sheet {
        let mut sheet = self.clone();
        if !lines.is_empty() {
            sheet.file(lines, open, u64::MAX);
        }
        sheet.write(&Written::Ok, open, u64::MAX);
        sheet
    }

    /// Whether the form of this phase was filed as it is.
    pub fn is_settled(&self, phase: Phase) -> bool {
        self.settled.contains(&phase)
    }

    /// The orders that stand until they are taken back.
    pub fn standing(&self) -> &[Entry] {
        &self.standing
    }

    /// The sheet of the next turn: standing orders, and what was written for its first phases.
    pub(crate) fn next_turn(&self) -> Sheet {
        let mut sheet = Sheet { standing: self.standing.clone(), lines: self.lines, ..Sheet::default() };
        for (phase, lines) in &self.parts {
            let kept = lines.iter().filter(|entry| entry.next_turn).cloned();
            let kept: Vec<_> = kept.map(|entry| Entry { next_turn: false, ..entry }).collect();
            if !kept.is_empty() {
                sheet.parts.insert(*phase, kept);
            }
        }
        sheet.renumber();
        sheet
    }

    /// The sheet after the game went back to a phase of this turn: its lines stand again, and what was declared ended is open.
    pub(crate) fn reopened(&self, phase: Phase) -> Sheet {
        let mut sheet = self.clone();
        sheet.settled.retain(|settled| *settled < phase);
        sheet.left_open.clear();
        // What was traded is history; it was taken back.
        sheet.parts.remove(&Phase::Trade);
        for (_, lines) in sheet.parts.range_mut(phase..) {
            lines.retain(|entry| !matches!(entry.command, Command::Done | Command::Wait));
        }
        sheet.renumber();
        sheet
    }

    /// Takes back what stands of a letter: its post was edited or deleted. What works at once is done, and what is ruled
    /// is ruled; the form of the open mailing is to be filed anew.
    pub(crate) fn withdraw(&mut self, arrival: u64, open: Phase) {
        for (phase, lines) in &mut self.parts {
            let is_played = *phase == Phase::Trade || *phase < open;
            lines.retain(|entry| entry.arrival != arrival || (is_played && !entry.next_turn));
        }
        self.standing.retain(|entry| entry.arrival != arrival);
        self.settled.retain(|phase| !mailing(open).contains(phase));
        self.renumber();
    }

    /// Whether anything that stands came with this letter and is still to be played.
    pub(crate) fn has_lines_of(&self, arrival: u64, open: Phase) -> bool {
        let parts = self.parts.iter().filter(|(phase, _)| **phase >= open);
        let entries = parts.flat_map(|(_, lines)| lines).chain(&self.standing);
        entries
            .chain(self.parts.values().flatten().filter(|entry| entry.next_turn))
            .any(|entry| entry.arrival == arrival)
    }

    /// Whether the player has said `done` in this phase: then nothing of it changes any more.
    pub fn is_done(&self, phase: Phase) -> bool {
        self.part(phase).iter().any(|entry| entry.command == Command::Done)
    }

    /// Keeps the standing orders of a later sheet, which hold until they are taken back.
    pub(crate) fn keep_standing(&mut self, later: &Sheet) {
        self.standing = later.standing.clone();
        self.lines = self.lines.max(later.lines);
    }

    /// The lines that stand for a phase and those after it.
    pub(crate) fn entries_from(&self, phase: Phase) -> impl Iterator<Item = &Entry> {
        self.parts.range(phase..).flat_map(|(_, lines)| lines).filter(|entry| !entry.next_turn)
    }

    /// How many they are.
    pub fn lines_from(&self, phase: Phase) -> usize {
        self.entries_from(phase).count()
    }

    /// The sheet as it is without them.
    pub(crate) fn without_lines_from(&self, phase: Phase) -> Sheet {
        let mut sheet = self.clone();
        for (_, lines) in sheet.parts.range_mut(phase..) {
            lines.retain(|entry| entry.next_turn);
        }
        sheet.settled.retain(|settled| *settled < phase);
        sheet.renumber();
        sheet
    }

    fn write(&mut self, written: &Written, open: Phase, arrival: u64) -> Outcome {
        let taken_back = match written {
            Written::Orders(commands) => return self.file(commands, open, arrival),
            Written::Always(commands) => return self.stand(commands, arrival),
            Written::UndoAlways { numbers } => take_back(&mut self.standing, numbers, 1),
            Written::Undo { part, numbers, last } => self.undo(part.unwrap_or(open), numbers, *last),
            Written::Clear { part } => self.clear(part.unwrap_or(open)),
            Written::Ok => {
                self.settle(mailing(open));
                // Where nothing ends by `done`, the form alone is filed.
                let ends = ends_by_done(open).then(|| self.file(&[Command::Done], open, arrival));
                return ends.unwrap_or(Outcome::NoOccasion);
            }
            Written::Waits { files, lines } => {
                // Where nothing ends by `done`, filing the form would end it.
                if *files && ends_by_done(open) {
                    self.settle(mailing(open));
                }
                return Outcome::NotEnded(lines.clone());
            }
            Written::Press(press) if press.text.trim().is_empty() => return Outcome::NoOccasion,
            Written::Press(press) => return Outcome::Sent(vec![press.clone()]),
            Written::Held(press) => {
                self.held.push(press.clone());
                return Outcome::Held(press.clone());
            }
            // Passed on before, where the sheet still knew it.
            Written::Send => return Outcome::NoOccasion,
            Written::Question(question) => return Outcome::Asked(question.clone()),
            Written::Timing(timing) => return Outcome::Wished(*timing),
            // Whoever reads the letter has put the lines in its place, where there are any.
            Written::Choice { .. } | Written::Proposal(_) => return Outcome::NoSuchName,
        };
        taken_back.map_or_else(Outcome::Illegal, Outcome::TakenBack)
    }

    /// Whether so many more lines have room.
    fn has_room(&self, more: usize) -> bool {
        self.parts.values().map(Vec::len).sum::<usize>() + self.standing.len() + more <= MOST_ON_SHEET
    }

    fn file(&mut self, commands: &[Command], open: Phase, arrival: u64) -> Outcome {
        // `done` and its like are always heard.
        if commands.iter().any(|command| command.phase().is_some()) && !self.has_room(commands.len()) {
            return Outcome::Beyond(Bound::Sheet);
        }
        let mut filed = Vec::new();
        for command in commands {
            let Some(phase) = phase_of(command, open) else { return Outcome::NoOccasion };
            // What is ruled is ruled; the first two phases are kept for the next turn.
            if phase < open && phase > Phase::Expansion {
                return Outcome::Illegal(Illegal::WrongPhase { phase });
            }
            // Whoever insists on their turn wants to be asked, whatever the player has agreed to before.
            if *command == Command::Wait {
                self.settled.remove(&phase);
            }
            self.lines += 1;
            let line = LineId(self.lines);
            let part = self.parts.entry(phase).or_default();
            let last = part.iter().rev().find_map(|entry| entry.number).unwrap_or(0);
            let number = (!matches!(command, Command::Done | Command::Wait)).then_some(last.saturating_add(1));
            let (ahead, next_turn) = (phase != open, phase < open);
            part.push(Entry { line, number, arrival, ahead, next_turn, command: command.clone() });
            filed.push(line);
        }
        Outcome::Filed(filed)
    }

    fn stand(&mut self, commands: &[Command], arrival: u64) -> Outcome {
        if !self.has_room(commands.len()) {
            return Outcome::Beyond(Bound::Sheet);
        }
        let mut filed = Vec::new();
        for command in commands {
            self.lines += 1;
            let line = LineId(self.lines);
            let last = self.standing.iter().rev().find_map(|entry| entry.number).unwrap_or(0);
            let number = Some(last.saturating_add(1));
            let command = command.clone();
            self.standing.push(Entry { line, number, arrival, ahead: true, next_turn: false, command });
            filed.push(line);
        }
        Outcome::Filed(filed)
    }

    /// Takes these numbers back, or the last line.
    fn undo(&mut self, phase: Phase, numbers: &[u16], last: u16) -> Result<Vec<LineId>, Illegal> {
        take_back(self.open_part(phase)?, numbers, last)
    }

    fn clear(&mut self, phase: Phase) -> Result<Vec<LineId>, Illegal> {
        let part = self.open_part(phase)?;
        Ok(std::mem::take(part).into_iter().map(|entry| entry.line).collect())
    }

    /// A part whose lines may still be taken back: not after `done`, and never what works at once. R3.3.
    fn open_part(&mut self, phase: Phase) -> Result<&mut Vec<Entry>, Illegal> {
        let part = self.parts.entry(phase).or_default();
        if phase == Phase::Trade || part.iter().any(|entry| entry.command == Command::Done) {
            Err(Illegal::AfterDone)
        } else {
            Ok(part)
        }
    }

    /// Numbers are given anew when a letter has been read, not while it is.
    fn renumber(&mut self) {
        for part in self.parts.values_mut().chain([&mut self.standing]) {
            let numbers = part.iter_mut().filter_map(|entry| entry.number.as_mut());
            numbers.zip(1..=u16::MAX).for_each(|(number, next)| *number = next);
        }
    }
}

/// A piece that may mean one of several things.
fn doubtful(line: &Line, piece: &Piece) -> Option<Doubt> {
    let Reading::Fault(fault) = &piece.reading else { return None };
    let within = fault.span.start.checked_sub(piece.span.start)?..fault.span.end.checked_sub(piece.span.start)?;
    let text = line.text.get(piece.span.clone())?.to_owned();
    let candidates = fault.candidates.clone();
    (!candidates.is_empty()).then_some(Doubt { line: line.number, text, span: within, candidates })
}

/// Takes the lines of these numbers away, or so many of the last.
fn take_back(lines: &mut Vec<Entry>, numbers: &[u16], last: u16) -> Result<Vec<LineId>, Illegal> {
    let known = lines.iter().rev().filter_map(|entry| entry.number).take(usize::from(last));
    let numbers = if numbers.is_empty() { known.collect() } else { numbers.to_vec() };
    if numbers.is_empty() {
        return Err(Illegal::NoSuchLine { number: 1 });
    }
    if let Some(number) = numbers.iter().find(|number| !lines.iter().any(|entry| entry.number == Some(**number))) {
        return Err(Illegal::NoSuchLine { number: *number });
    }
    let is_meant = |entry: &Entry| entry.number.is_some_and(|number| numbers.contains(&number));
    let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(lines).into_iter().partition(is_meant);
    *lines = kept;
    Ok(gone.into_iter().map(|entry| entry.line).collect())
}

/// The part an order belongs to; `done` and `wait` speak of the open phase, or of the next that knows them.
fn phase_of(command: &Command, open: Phase) -> Option<Phase> {
    let next_of = |phases: &[Phase]| phases.iter().copied().find(|phase| *phase >= open);
    match command {
        Command::Done => next_of(&[Phase::Movement, Phase::Trade]),
        Command::Wait => next_of(&[Phase::Movement, Phase::Cards, Phase::Calamities, Phase::Abilities]),
        Command::Select { .. } => next_of(&[Phase::Tax]).or(Some(Phase::Calamities)),
        // What serves in several phases is written for the next of them.
        Command::Reduce { .. } => next_of(&[Phase::Cities, Phase::Calamities]).or(Some(Phase::Support)),
        Command::Resolve { .. } | Command::Delay { .. } | Command::Loot { .. } | Command::Substitute { .. } => {
            next_of(&[Phase::Conflict]).or(Some(Phase::Support))
        }
        Command::If { then, .. } => phase_of(then, open),
        other => other.phase(),
    }
}

/// Whether a line of one part serves another phase too: the words of phases 4 and 5 in phase 11, and in phase 9 what was
/// said of cities that go.
pub(crate) fn serves(command: &Command, part: Phase, phase: Phase) -> bool {
    match (part, phase) {
        (Phase::Cities, Phase::Calamities | Phase::Support) => matches!(command, Command::Reduce { .. }),
        (Phase::Calamities, Phase::Support) => {
            matches!(command, Command::Reduce { .. } | Command::Wish { calamity: None, wish: Wish::Spare(_) })
        }
        // What stays to the last does so whatever makes cities go.
        (Phase::Calamities, Phase::Cities) => {
            matches!(command, Command::Wish { calamity: None, wish: Wish::Spare(_) })
        }
        (Phase::Tax, Phase::Calamities) => matches!(command, Command::Select { .. }),
        (Phase::Conflict, Phase::Support) => true,
        (part, phase) => part == phase,
    }
}

/// The commands of a phase from all sheets, in the sequence of their arrival.
pub fn commands(sheets: &BTreeMap<Civ, Sheet>, phase: Phase, cut_off: bool) -> Commands {
    let mut entries: Vec<_> = Vec::new();
    for (civ, sheet) in sheets {
        let mut lines = Vec::new();
        for (part, written) in &sheet.parts {
            lines.extend(written.iter().filter(|entry| !entry.next_turn && serves(&entry.command, *part, phase)));
        }
        let standing = sheet.standing.iter().filter(|entry| {
            entry.command.phase().is_some_and(|part| serves(&entry.command, part, phase)) && is_wanted(entry, &lines)
        });
        let standing: Vec<_> = standing.collect();
        entries.extend(standing.into_iter().chain(lines).map(|entry| (*civ, entry)));
    }
    // Letters in the sequence of arrival, lines of a letter in the sequence written.
    entries.sort_by_key(|(_, entry)| (entry.arrival, entry.line));
    let filed = entries.into_iter().map(|(civ, entry)| Filed {
        civ,
        line: entry.line,
        ahead: entry.ahead,
        command: entry.command.clone(),
    });
    Commands { filed: filed.collect(), cut_off, ..Commands::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::AreaId;

    fn letter(command: Command) -> Vec<Line> {
        let reading = Reading::Written(Written::Orders(vec![command]));
        let piece = Piece { span: 0..0, reading, verb: None, area: None, read_as: Vec::new() };
        vec![Line { number: 1, text: String::new(), pieces: vec![piece], settles: None }]
    }

    /// The part a line goes to when it arrives while a phase is open.
    fn part(command: Command, open: Phase) -> Option<Phase> {
        let mut sheet = Sheet::default();
        sheet.add(&letter(command), open, 0);
        Phase::ALL.into_iter().find(|phase| !sheet.part(*phase).is_empty())
    }

    fn reduce() -> Command {
        Command::Reduce { areas: vec![AreaId(3)] }
    }

    fn select() -> Command {
        Command::Select { areas: vec![AreaId(4)] }
    }

    #[test]
    fn a_line_that_serves_several_phases_is_written_for_the_next_of_them() {
        let parts = |command: &Command| Phase::ALL.map(|open| part(command.clone(), open).map(Phase::number));
        let expected = |numbers: [u8; 13]| numbers.map(|number| Some(number).filter(|number| *number > 0));
        assert_eq!(parts(&reduce()), expected([5, 5, 5, 5, 5, 9, 9, 9, 9, 11, 11, 0, 0]));
        assert_eq!(parts(&select()), expected([1, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0]));
        let loot = Command::Loot { treasury: Some(2), card: None };
        assert_eq!(parts(&loot), expected([4, 4, 4, 4, 11, 11, 11, 11, 11, 11, 11, 0, 0]));
        assert_eq!(parts(&Command::Wait), expected([3, 3, 3, 6, 6, 6, 9, 9, 9, 10, 0, 0, 0]));
        assert_eq!(parts(&Command::Done), expected([3, 3, 3, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn later_phases_are_handed_what_was_written_for_earlier_ones() {
        let mut sheet = Sheet::default();
        let loot = Command::Loot { treasury: Some(2), card: None };
        let wish = Command::Wish { calamity: None, wish: Wish::Pay(None) };
        let written = [(select(), Phase::Tax), (loot.clone(), Phase::Tax), (reduce(), Phase::Cities)];
        let later = [(reduce(), Phase::Calamities), (wish.clone(), Phase::Calamities), (reduce(), Phase::Support)];
        for (command, open) in written.into_iter().chain(later) {
            sheet.add(&letter(command), open, 0);
        }
        let sheets = BTreeMap::from([(Civ(0), sheet)]);
        let handed = |phase| {
            let commands = commands(&sheets, phase, true);
            commands.filed.into_iter().map(|filed| filed.command).collect::<Vec<_>>()
        };
        assert_eq!(handed(Phase::Tax), [select()]);
        assert_eq!(handed(Phase::Cities), [reduce()]);
        assert_eq!(handed(Phase::Calamities), [select(), reduce(), reduce(), wish]);
        assert_eq!(handed(Phase::Support), [loot, reduce(), reduce(), reduce()]);
    }
}
