//! The scribe of the acknowledgement: from a letter as it was read, and its forecast, to sentences.

use std::borrow::Cow;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::{Acknowledgement, Numbered, Part, ReadLetter, Refused, Sent};
use crate::game::{Awaited, Command, Count, Decision, Event, Illegal, Known, LineId, Owner, Phase};
use crate::orders::asking::{Timing, Until};
use crate::orders::sheet::{Answer, Entry, Outcome, serves};
use crate::orders::{
    Bound, Forecast, Line, Named, Piece, Press, Question, Reading, Recipient, Verdict, Written, awaited, ends_by_done,
};
use crate::report::answers;
use crate::report::diagnostics::{Diagnostic, diagnostic};
use crate::report::facts::Facts;
use crate::report::hints::{fault_hint, hint};
use crate::report::perils::{perils, would};
use crate::report::refusals::{no_occasion, reason};
use crate::report::templates::Templates;
use crate::report::wording::worded;
use crate::rules::Civ;

/// The most of a player's own line that is repeated to them, in characters.
const LONGEST_ECHO: usize = 300;

/// Writes an acknowledgement, part by part.
pub(super) struct Scribe<'a> {
    pub(super) templates: &'a Templates,
    pub(super) facts: Facts<'a>,
    pub(super) answered: &'a ReadLetter<'a>,
}

impl Scribe<'_> {
    /// What became of the letter, piece by piece.
    pub(super) fn letter(&self, told: &mut Acknowledgement) {
        let pieces = self.answered.letter.iter().flat_map(|line| line.pieces.iter().map(move |piece| (line, piece)));
        let pieces = pieces.filter(|(_, piece)| piece.reading != Reading::Press);
        let several = self.answered.sheet.doubts().len() > 1;
        let mut beyond: Vec<(Bound, usize)> = Vec::new();
        for ((line, piece), answer) in pieces.zip(self.answered.answers) {
            let text = shortened(line.text.get(piece.span.clone()).unwrap_or(&line.text).trim());
            let text = text.as_ref();
            self.note_read_as(told, line, piece);
            match &answer.outcome {
                Outcome::Quoted => told.understood.quoted += 1,
                Outcome::Remark if is_trial_mark(line, told.trial) => {}
                Outcome::Remark => told.understood.remarks.push(text.to_owned()),
                Outcome::Fault(fault) => {
                    let mut diagnostic = diagnostic(self.templates, self.facts.names(), line, piece, fault, several);
                    let hint = fault_hint(self.templates, self.answered.known, self.answered.civ, piece, fault);
                    diagnostic.hint = hint.or(diagnostic.hint);
                    told.understood.faults.push(diagnostic);
                }
                Outcome::Filed(_) => {}
                Outcome::NotEnded(lines) => {
                    let files = matches!(piece.reading, Reading::Written(Written::Waits { files: true, .. }));
                    let by_done = ends_by_done(self.answered.known.phase());
                    let facts = context! { lines, files, by_done, trial => told.trial };
                    let said = self.templates.say("said", "not_ended", facts);
                    told.not_ended.extend((!told.not_ended.contains(&said)).then_some(said));
                }
                Outcome::TakenBack(lines) => {
                    told.sheet.taken_back.extend(lines.iter().filter_map(|line| self.before(*line)))
                }
                Outcome::Illegal(why) => told.understood.refused.push(self.refused(line.number, text, why, piece)),
                // Where nothing ends by `done`, the form is all that `ok` files.
                Outcome::NoOccasion if is_end(piece) => {
                    told.said.push(self.templates.say("said", "ok", context! {}));
                }
                Outcome::NoOccasion if piece.reading == Reading::Written(Written::Send) => {
                    told.understood.refused.push(self.plain(line.number, text, "nothing_held"));
                }
                Outcome::NoOccasion if matches!(piece.reading, Reading::Written(Written::Press(_))) => {
                    told.understood.refused.push(self.plain(line.number, text, "no_text"));
                }
                Outcome::NoOccasion => told.understood.refused.push(self.plain(line.number, text, "no_occasion")),
                Outcome::NoSuchName if matches!(piece.reading, Reading::Written(Written::Proposal(_))) => {
                    told.understood.refused.push(self.plain(line.number, text, "no_such_proposal"));
                }
                Outcome::NoSuchName => told.understood.refused.push(self.plain(line.number, text, "no_such_name")),
                Outcome::Sent(press) => {
                    for press in press {
                        match self.absent(press) {
                            Some(civ) => {
                                let why = Illegal::NotSeated { civ };
                                told.understood.refused.push(self.refused(line.number, text, &why, piece));
                            }
                            None => told.messages.sent.push(self.sent(press)),
                        }
                    }
                }
                Outcome::Held(press) => match self.absent(press) {
                    Some(civ) => {
                        let why = Illegal::NotSeated { civ };
                        told.understood.refused.push(self.refused(line.number, text, &why, piece));
                    }
                    None => told.messages.held.push(self.sent(press)),
                },
                Outcome::Beyond(bound) => beyond.push((*bound, line.number)),
                Outcome::Asked(question) => {
                    if let Question::Map(area) = question {
                        told.asked.map = Some(*area);
                    }
                    let answer = answers::answer(self.templates, self.answered, question);
                    told.asked.answers.extend(Some(answer).filter(|answer| !answer.is_empty()));
                }
                Outcome::Wished(timing) => told.asked.wishes.push(self.wish(timing)),
            }
        }
        told.understood.beyond = self.beyond(&beyond);
        told.messages.dropped = self.dropped(told.trial);
    }

    /// The messages that were held, and are not sent by this letter.
    fn dropped(&self, is_trial: bool) -> Vec<Sent> {
        let sends = |line: &Line| line.pieces.iter().any(|piece| piece.reading == Reading::Written(Written::Send));
        if is_trial || self.answered.letter.iter().any(sends) {
            return Vec::new();
        }
        self.answered.before.held().iter().map(|press| self.sent(press)).collect()
    }

    /// The words of a piece that were read as something else. What could not be read was not read as anything.
    fn note_read_as(&self, told: &mut Acknowledgement, line: &Line, piece: &Piece) {
        for read_as in piece.read_as.iter().filter(|_| matches!(piece.reading, Reading::Written(_))) {
            let word = line.text.get(read_as.span.clone()).unwrap_or_default();
            let is_known = |(known, _): &(String, String)| known.to_lowercase() == word.to_lowercase();
            if !told.understood.read_as.iter().any(is_known) {
                told.understood.read_as.push((word.to_owned(), self.named(read_as.name)));
            }
        }
    }

    /// A sentence for every bound that was passed: what was not read, and from which line on.
    fn beyond(&self, beyond: &[(Bound, usize)]) -> Vec<String> {
        let mut said = Vec::new();
        for bound in Bound::ALL.into_iter().filter(|bound| *bound != Bound::Again) {
            let mut lines = beyond.iter().filter(|(passed, _)| *passed == bound).map(|(_, line)| *line);
            if let Some(line) = lines.next() {
                let count = 1 + lines.count();
                let key = Value::from(Serde(bound)).to_string();
                said.push(self.templates.say("bound", &key, context! { line, count, most => bound.most() }));
            }
        }
        said
    }

    /// The sheet with its verdicts.
    pub(super) fn sheet(&self, told: &mut Acknowledgement, forecast: &Forecast) {
        let sheet = self.answered.sheet;
        for phase in Phase::ALL {
            // What was traded is history; the letter's own lines are news.
            let part = sheet.part(phase);
            let is_news = |entry: &Entry| phase != Phase::Trade || entry.arrival == self.answered.arrival;
            // So is what was played earlier in this turn: nobody judges it any more.
            let open = self.answered.known.phase();
            let to_come =
                |entry: &Entry| Phase::ALL.into_iter().any(|to| to >= open && serves(&entry.command, phase, to));
            let is_open = |entry: &Entry| entry.next_turn || to_come(entry) || entry.arrival == self.answered.arrival;
            let is_shown = |entry: &&Entry| is_news(entry) && is_open(entry) && !is_over(entry, phase, part);
            let lines: Vec<_> = part.iter().filter(is_shown).map(|entry| self.numbered(entry, forecast)).collect();
            for line in lines.iter().filter(|line| line.new && line.number.is_some()) {
                match line.illegal {
                    Some(_) => told.fall += 1,
                    None => told.stand += 1,
                }
            }
            if !lines.is_empty() {
                let title = self.facts.names().phase(phase).to_owned();
                let later = lines.iter().all(|line| line.later);
                let next_turn = lines.iter().all(|line| line.next_turn);
                told.sheet.parts.push(Part { phase: phase.number(), title, later, next_turn, lines });
            }
        }
        told.sheet.standing = sheet.standing().iter().map(|entry| self.numbered(entry, forecast)).collect();
    }

    fn numbered(&self, entry: &Entry, forecast: &Forecast) -> Numbered {
        let verdict = forecast.verdicts.get(&entry.line);
        let (mut illegal, mut help, mut thwarted) = (None, None, None);
        match verdict {
            Some(Verdict::Illegal(why)) => {
                illegal = Some(self.reason(why, &entry.command));
                // What could still be written is played behind what stands on the sheet; after `done` nothing can.
                let last = forecast_at_last(self.answered.known, forecast, self.answered.civ);
                let is_done = |entry: &Entry| entry.command == Command::Done;
                help = if self.answered.sheet.part(self.answered.known.phase()).iter().any(is_done) {
                    None
                } else {
                    hint(self.templates, &last, self.answered.civ, why, Some(&entry.command))
                };
            }
            // Whether a calamity comes is not the writer's to know.
            Some(Verdict::Thwarted(_)) if self.answered.known.phase() == Phase::Calamities => {}
            Some(Verdict::Thwarted(why)) => {
                thwarted = Some(no_occasion(self.templates, self.answered.known.printed(), why));
            }
            Some(Verdict::Stands | Verdict::Later | Verdict::Played) | None => {}
        }
        Numbered {
            number: entry.number,
            order: self.order(&entry.command),
            new: entry.arrival == self.answered.arrival,
            illegal,
            hint: help,
            no_occasion: thwarted,
            later: verdict == Some(&Verdict::Later),
            next_turn: entry.next_turn,
        }
    }

    /// What the letter declares.
    pub(super) fn said(&self, told: &mut Acknowledgement) {
        // A trial declares nothing.
        if told.trial {
            return;
        }
        let say = |key, facts| self.templates.say("said", key, facts);
        let is_new = |entry: &&Entry| entry.arrival == self.answered.arrival;
        for phase in Phase::ALL {
            let part = self.answered.sheet.part(phase);
            let shown = told.sheet.parts.iter().find(|shown| shown.phase == phase.number());
            let falls = shown.is_some_and(|shown| shown.lines.iter().any(|line| line.illegal.is_some()));
            let lines = part.iter().filter(|entry| entry.number.is_some()).count();
            for entry in part.iter().filter(is_new).filter(|entry| !is_over(entry, phase, part)) {
                match (&entry.command, phase) {
                    (Command::Done, Phase::Movement) => {
                        told.said.push(say("done_movement", context! { lines, falls }));
                    }
                    (Command::Done, Phase::Trade) => told.said.push(say("done_trade", context! {})),
                    (Command::Wait, Phase::Movement) => told.said.push(say("wait_movement", context! {})),
                    (Command::Wait, _) => told.said.push(say("wait", context! {})),
                    _ => {}
                }
            }
        }
        let standing = self.answered.sheet.standing().iter().filter(is_new).count();
        if standing > 0 {
            told.said.push(say("always", context! { standing }));
        }
        let asks = |answer: &Answer| matches!(answer.outcome, Outcome::Asked(Question::Sheet));
        if told.sheet.parts.is_empty() && told.sheet.standing.is_empty() && self.answered.answers.iter().any(asks) {
            told.said.push(say("empty_sheet", context! {}));
        }
    }

    /// Tax rates of this letter that are judged later, and would not be allowed as things are. R1.3.
    pub(super) fn early_taxes(&self) -> Vec<String> {
        let ReadLetter { known, civ, sheet, arrival, .. } = *self.answered;
        let later = sheet.part(Phase::Tax).iter().filter(|entry| entry.next_turn || known.phase() != Phase::Tax);
        let new = later.chain(sheet.standing()).filter(|entry| entry.arrival == arrival);
        let told = new.filter(|entry| matches!(entry.command, Command::Tax { .. })).filter_map(|entry| {
            let why = Phase::Tax.rules().may_stand(known, civ, &entry.command).err()?;
            let (line, why) = (self.order(&entry.command), self.reason(&why, &entry.command));
            Some(self.templates.say("warning", "tax_early", context! { line, why }))
        });
        told.collect()
    }

    pub(super) fn found_nothing(&self, told: &Acknowledgement) -> bool {
        let answers = |answer: &Answer| matches!(answer.outcome, Outcome::Quoted | Outcome::Remark);
        told.understood.refused.is_empty()
            && told.said.is_empty()
            && told.not_ended.is_empty()
            && self.answered.answers.iter().all(answers)
    }

    /// A walk that could be ordered now, for whoever wrote something that is no order. Somebody who greets needs none.
    pub(super) fn example(&self, told: &Acknowledgement) -> Option<String> {
        let (known, civ) = (self.answered.known, self.answered.civ);
        let has_number = |remark: &String| remark.chars().any(|letter| letter.is_ascii_digit());
        let meant = told.understood.nothing && told.understood.remarks.iter().any(has_number);
        let is_asked = awaited(known).contains(&Awaited { civ, decision: Decision::Movement });
        let (owner, map) = (Owner::Civ(civ), &known.printed().map);
        let walk = known.areas_of(owner).filter(|area| known.tokens(*area, owner) > 0).find_map(|area| {
            let next = map.area(area).land.iter().find(|next| !known.ground(**next).out_of_play)?;
            Some(Command::Move { count: Count::Exactly(1), path: vec![area, *next] })
        });
        let walk = walk.filter(|_| meant && is_asked)?;
        Some(worded(self.facts.names(), &walk))
    }

    /// What this letter did not settle.
    pub(super) fn doubts(&self) -> Vec<Diagnostic> {
        let doubts = self.answered.sheet.doubts();
        let mine = |line: usize| self.answered.letter.iter().any(|own| own.number == line && has_fault(own));
        let old = doubts.iter().filter(|doubt| !mine(doubt.line));
        let several = doubts.len() > 1;
        old.map(|doubt| crate::report::diagnostics::doubtful(self.templates, self.facts.names(), doubt, several))
            .collect()
    }

    /// What the open phase still waits for.
    pub(super) fn owed(&self, forecast: &Forecast) -> Vec<String> {
        let (state, sheet) = (self.answered.known, self.answered.sheet);
        let mine = awaited(state).into_iter().filter(|awaited| awaited.civ == self.answered.civ);
        mine.filter_map(|awaited| {
            // The special abilities are asked for with the calamities.
            let phase = if awaited.decision == Decision::Abilities { Phase::Abilities } else { state.phase() };
            self.owes(awaited, phase, sheet.part(phase), forecast)
        })
        .collect()
    }

    fn owes(&self, awaited: Awaited, phase: Phase, part: &[Entry], forecast: &Forecast) -> Option<String> {
        let ends =
            |entry: &Entry| matches!(entry.command, Command::Done | Command::Wait) && !is_over(entry, phase, part);
        let falls = |entry: &Entry| matches!(forecast.verdicts.get(&entry.line), Some(Verdict::Illegal(_)));
        let lines = part.iter().any(|entry| entry.number.is_some() && !entry.next_turn && !falls(entry));
        let is_settled = self.answered.sheet.is_settled(phase);
        let key = match awaited.decision {
            _ if part.iter().any(ends) => return None,
            Decision::Movement if lines => "done",
            Decision::Trade if lines => "done_trade",
            Decision::Movement | Decision::Trade => awaited.decision.name(),
            _ if is_settled || (lines && !self.answered.sheet.is_left_open(phase)) => return None,
            _ if lines => "mistaken",
            decision => decision.name(),
        };
        let state = self.answered.known;
        let default = phase.rules().silence(state, awaited);
        let default = default.iter().map(|command| self.order(command)).collect::<Vec<_>>().join("; ");
        Some(self.templates.say("owed", key, context! { default }))
    }

    /// What each calamity of the own hand would do with this sheet, if it struck alone. Of those of others nothing is known.
    pub(super) fn perils(&self) -> Vec<String> {
        let ReadLetter { known, civ, sheet, .. } = self.answered;
        if known.phase() != Phase::Calamities {
            return Vec::new();
        }
        perils(known, *civ, sheet).iter().flat_map(|peril| would(self.templates, known, peril)).collect()
    }

    fn before(&self, line: LineId) -> Option<String> {
        let before = self.answered.before;
        let parts = Phase::ALL.into_iter().flat_map(|phase| before.part(phase)).chain(before.standing());
        let now = self.answered.sheet;
        let parts = parts.chain(Phase::ALL.into_iter().flat_map(|phase| now.part(phase)));
        let entry = parts.into_iter().find(|entry| entry.line == line)?;
        let number = entry.number.map(|number| format!("{number}. ")).unwrap_or_default();
        Some(format!("{number}{}", self.order(&entry.command)))
    }

    fn refused(&self, line: usize, text: &str, why: &Illegal, piece: &Piece) -> Refused {
        if let (Illegal::NoSuchLine { number }, Reading::Written(Written::Undo { part, .. })) = (why, &piece.reading) {
            let before = self.answered.before.part(part.unwrap_or(self.answered.known.phase()));
            if before.iter().any(|entry| entry.number == Some(*number)) {
                return self.plain(line, text, "taken_back_already");
            }
        }
        let hint = match (why, &piece.reading) {
            (Illegal::NoSuchLine { .. }, Reading::Written(Written::UndoAlways { .. })) => {
                Some(self.lines(self.answered.before.standing()))
            }
            (Illegal::NoSuchLine { .. }, Reading::Written(Written::Undo { part, .. })) => {
                let phase = part.unwrap_or(self.answered.known.phase());
                Some(self.lines(self.answered.before.part(phase)))
            }
            _ => hint(self.templates, self.answered.known, self.answered.civ, why, None),
        };
        Refused { line, text: text.to_owned(), why: self.reason(why, &Command::Done), hint }
    }

    /// The lines there were to take back: numbers are those of the last answer.
    fn lines(&self, before: &[Entry]) -> String {
        match before.iter().filter_map(|entry| entry.number).max() {
            Some(last) => self.templates.say("hint", "lines", context! { last }),
            None => self.templates.say("hint", "no_lines", context! {}),
        }
    }

    /// A recipient who does not play.
    fn absent(&self, press: &Press) -> Option<Civ> {
        press.to.iter().find_map(|recipient| match recipient {
            Recipient::Civ(civ) => Some(*civ).filter(|civ| !self.answered.known.is_seated(*civ)),
            Recipient::All | Recipient::Moderator => None,
        })
    }

    fn plain(&self, line: usize, text: &str, key: &str) -> Refused {
        let why = self.templates.say("refused", key, context! {});
        Refused { line, text: text.to_owned(), why, hint: None }
    }

    fn sent(&self, press: &Press) -> Sent {
        let to = press.to.iter().map(|recipient| match recipient {
            Recipient::Civ(civ) => self.templates.say("label", "to", context! { civ => self.facts.civ(*civ) }),
            Recipient::All => self.templates.say("label", "all", context! {}),
            Recipient::Moderator => self.templates.say("label", "moderator", context! {}),
        });
        Sent { to: to.collect::<Vec<_>>().join(", "), text: press.text.lines().map(str::to_owned).collect() }
    }

    fn wish(&self, timing: &Timing) -> String {
        match timing {
            Timing::Extend { hours } => self.templates.say("wish", "extend", context! { hours }),
            Timing::Away { until: None } => self.templates.say("wish", "away", context! {}),
            Timing::Away { until: Some(Until::Date { day, month, year }) } => {
                self.templates.say("wish", "away_date", context! { day, month, year })
            }
            Timing::Away { until: Some(Until::Weekday(weekday)) } => {
                self.templates.say("wish", "away_weekday", context! { weekday })
            }
            Timing::Away { until: Some(Until::Days(days)) } => {
                self.templates.say("wish", "away_days", context! { days })
            }
            Timing::News { hours } => self.templates.say("wish", "news", context! { hours }),
            Timing::Back => self.templates.say("wish", "back", context! {}),
            Timing::Propose(what) => self.templates.say("wish", "propose", context! { what => what.name() }),
            Timing::Vote { number, yes } => self.templates.say("wish", "vote", context! { number, yes }),
            Timing::Votes => self.templates.say("wish", "votes", context! {}),
        }
    }

    fn reason(&self, why: &Illegal, command: &Command) -> String {
        if let (Illegal::NoSuchOffer { number }, Command::Withdraw { .. }) = (why, command) {
            return self.templates.say("reason", "no_own_offer", context! { number });
        }
        if let Illegal::WrongPhase { phase } = why
            && *phase < self.answered.known.phase()
        {
            return self.templates.say("reason", "phase_over", context! { phase => self.facts.phase(*phase) });
        }
        reason(self.templates, self.answered.known.printed(), why)
    }

    fn order(&self, command: &Command) -> String {
        worded(self.facts.names(), command)
    }

    fn named(&self, named: Named) -> String {
        self.facts.names().named(named).to_owned()
    }
}

/// The board when the last line of the open phase was played.
fn forecast_at_last(now: &Known, forecast: &Forecast, civ: Civ) -> Known {
    let ends = |event: &Event| matches!(event, Event::MovementEnded { civ: who, .. } if *who == civ);
    match forecast.events.iter().position(ends).filter(|_| now.phase() == Phase::Movement) {
        Some(end) => now.after(&forecast.events[..end]),
        None => now.clone(),
    }
}

/// A player's own words, cut where they are too long to be repeated.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Whether a `wait` was overtaken: in movement it holds until a later line.
fn is_over(entry: &Entry, phase: Phase, part: &[Entry]) -> bool {
    let is_last = part.last().is_some_and(|last| last.line == entry.line);
    phase == Phase::Movement && entry.command == Command::Wait && !is_last
}

/// Whether a piece says that its writer has nothing more to say: `ok`, `done`.
fn is_end(piece: &Piece) -> bool {
    match &piece.reading {
        Reading::Written(Written::Ok) => true,
        Reading::Written(Written::Orders(orders)) => orders.iter().all(|order| *order == Command::Done),
        Reading::Written(_) | Reading::Quoted | Reading::Remark | Reading::Press => false,
        Reading::Fault(_) | Reading::Beyond(_) => false,
    }
}

/// Whether a piece changed the sheet, or asked for it.
pub(super) fn touches_the_sheet(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Filed(_) | Outcome::NotEnded(_) | Outcome::TakenBack(_) | Outcome::Asked(Question::Sheet) => true,
        Outcome::Quoted | Outcome::Remark | Outcome::Fault(_) | Outcome::Illegal(_) | Outcome::NoOccasion => false,
        Outcome::Sent(_) | Outcome::Held(_) | Outcome::Asked(_) | Outcome::Wished(_) => false,
        Outcome::NoSuchName | Outcome::Beyond(_) => false,
    }
}

fn has_fault(line: &Line) -> bool {
    line.pieces.iter().any(|piece| matches!(piece.reading, Reading::Fault(_)))
}

/// `try` at the head says what the letter is; it is no remark.
fn is_trial_mark(line: &Line, trial: bool) -> bool {
    trial && crate::orders::is_trial(std::slice::from_ref(line))
}
