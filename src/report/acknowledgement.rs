//! The acknowledgement: what was understood of a letter, and what would come of it.
//!
//! Comes in: a letter as it was read, the sheet it went to, and the game. Goes out: plain data, and from that a text. It is
//! the same for a letter that is stored and for one that only tries.

use std::borrow::Cow;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::answers;
use super::diagnostics::{Diagnostic, diagnostic};
use super::facts::Facts;
use super::hints::{fault_hint, hint};
use super::letters;
use super::preview::{Preview, Seen, preview, warnings};
use super::refusals::{no_occasion, reason};
use super::templates::Templates;
use super::wording::worded;
use crate::game::{Awaited, Command, Decision, Event, Illegal, Known, LineId, Phase, Witnessed};
use crate::orders::asking::{Timing, Until};
use crate::orders::sheet::{Answer, Entry, Outcome, serves};
use crate::orders::{
    Bound, Forecast, Line, Named, Piece, Press, Question, Reading, Recipient, Sheet, Verdict, Written, awaited,
};
use crate::rules::{AreaId, Civ};

/// The most that an answer says, in bytes of its text. Nothing that a player could use is as long.
pub(crate) const LARGEST: usize = 256 * 1024;
/// What a line costs beside its words.
const BESIDES: usize = 8;
/// The most of a player's own line that is repeated to them, in characters.
const LONGEST_ECHO: usize = 300;

/// A letter that is to be answered.
pub struct Answered<'a> {
    /// What the writer knows of the game.
    pub known: &'a Known,
    /// What the player witnessed of a turn; none is the last. Only the archive knows.
    pub history: &'a dyn Fn(Option<u16>) -> Option<Witnessed>,
    /// Who wrote.
    pub civ: Civ,
    /// What the player wrote, as it was read.
    pub letter: &'a [Line],
    /// What became of each piece.
    pub answers: &'a [Answer],
    /// The player's sheet before the letter.
    pub before: &'a Sheet,
    /// And after it.
    pub sheet: &'a Sheet,
    /// The number of the letter.
    pub arrival: u64,
    /// Whether the letter only tries.
    pub is_trial: bool,
    /// What only the desk knows of the game: who is awaited and until when, finished sentences.
    pub around: &'a [String],
}

/// What a player is told about their letter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Acknowledgement {
    /// Whether nothing of it was stored.
    pub trial: bool,
    /// Orders of the letter that stand, and those that do not.
    pub stand: usize,
    /// See above.
    pub fall: usize,
    /// How it was read.
    #[serde(flatten)]
    pub understood: Understood,
    /// What the letter declares: that a phase is ended, that its writer waits, what holds for every turn.
    pub said: Vec<String>,
    /// That `ok` or `done` waits, and for which lines.
    pub not_ended: Vec<String>,
    /// Whether `ok` ended nothing, for the letter that it answers has no form.
    pub conversation: bool,
    /// Whether the letter answers a message, and so is one.
    pub reply: bool,
    /// The sheet after it, and what would come of that.
    #[serde(flatten)]
    pub sheet: SheetTold,
    /// What became of its messages to others.
    #[serde(flatten)]
    pub messages: Messages,
    /// How many lines of this answer were left out, lest it grow without end.
    pub left_out: usize,
    /// What it asks for beside its orders.
    #[serde(flatten)]
    pub asked: AskedFor,
}

/// How a letter was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Understood {
    /// Lines that could not be read.
    pub faults: Vec<Diagnostic>,
    /// Doubts of an earlier letter that are still open.
    pub doubts: Vec<Diagnostic>,
    /// Lines that were understood and not taken up.
    pub refused: Vec<Refused>,
    /// Whether the letter holds nothing that could be answered.
    pub nothing: bool,
    /// What was read for a misspelling: the player's word, and the name.
    pub read_as: Vec<(String, String)>,
    /// What was not read, for there was too much of it.
    pub beyond: Vec<String>,
    /// Lines that are no orders.
    pub remarks: Vec<String>,
    /// How many lines were quoted.
    pub quoted: usize,
}

/// What became of messages to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Messages {
    /// What was sent to others.
    pub sent: Vec<Sent>,
    /// What is not sent before the player says so.
    pub held: Vec<Sent>,
    /// What was held since the player's last letter and is dropped now.
    pub dropped: Vec<Sent>,
}

/// What a letter asks for beside its orders, and what it is told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AskedFor {
    /// Wishes about deadlines, as they were understood.
    pub wishes: Vec<String>,
    /// Answers to questions.
    pub answers: Vec<Vec<String>>,
    /// The map the player asks to see: all that is in play, or what is around an area.
    #[serde(skip)]
    pub map: Option<Option<AreaId>>,
}

/// The sheet after a letter, and what would come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SheetTold {
    /// Lines that were taken back.
    pub taken_back: Vec<String>,
    /// The whole sheet.
    pub parts: Vec<Part>,
    /// The standing orders.
    pub standing: Vec<Numbered>,
    /// The position if nobody else did anything.
    pub preview: Option<Preview>,
    /// What a good friend would say.
    pub warnings: Vec<String>,
    /// What is still missing.
    pub owed: Vec<String>,
}

/// What the desk adds to an answer: it alone knows addresses and the clock, and who is reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beside {
    /// Lines that it did not take up.
    pub refused: Vec<Refused>,
    /// What came of wishes about deadlines.
    pub wishes: Vec<String>,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// Whether `ok` ended nothing, for the letter that it answers has no form.
    pub conversation: bool,
    /// Whether the letter answers a message, and so is one.
    pub reply: bool,
    /// Answers to questions.
    pub answers: Vec<Vec<String>>,
}

/// A line that was not taken up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Its number in the letter.
    pub line: usize,
    /// The player's own words.
    pub text: String,
    /// Why.
    pub why: String,
    /// What would be allowed.
    pub hint: Option<String>,
}

/// Press that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// To whom.
    pub to: String,
    /// What, line by line.
    pub text: Vec<String>,
}

/// A part of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of its phase.
    pub phase: u8,
    /// Its title.
    pub title: String,
    /// Whether all of it is judged later, when its phase comes.
    pub later: bool,
    /// Whether all of it is kept for the next turn.
    pub next_turn: bool,
    /// Its lines.
    pub lines: Vec<Numbered>,
}

/// A line of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Numbered {
    /// Its number; `done` and `wait` have none.
    pub number: Option<u16>,
    /// The order in its canonical form.
    pub order: String,
    /// Whether it came with this letter.
    pub new: bool,
    /// Why it would not stand.
    pub illegal: Option<String>,
    /// What would be allowed.
    pub hint: Option<String>,
    /// Why it would find no occasion.
    pub no_occasion: Option<String>,
    /// Whether it is judged later, when its phase comes.
    pub later: bool,
    /// Whether it is kept for the next turn.
    pub next_turn: bool,
}

/// Says what was understood of a letter.
pub fn acknowledgement(templates: &Templates, answered: &Answered) -> Acknowledgement {
    foreseen(templates, answered).0
}

/// The same, and the forecast that it was said from.
pub(crate) fn foreseen(templates: &Templates, answered: &Answered) -> (Acknowledgement, Forecast) {
    let scribe = Scribe { templates, facts: Facts::new(answered.known.printed(), templates.language), answered };
    let forecast = Forecast::of(answered.known, answered.civ, answered.sheet, answered.arrival);
    let mut acknowledgement = Acknowledgement { trial: answered.is_trial, ..Acknowledgement::default() };
    scribe.letter(&mut acknowledgement);
    scribe.sheet(&mut acknowledgement, &forecast);
    scribe.said(&mut acknowledgement);
    acknowledgement.understood.nothing = scribe.found_nothing(&acknowledgement);
    acknowledgement.understood.doubts = scribe.doubts();
    // Who only asks or tells something has read all this before.
    if answered.answers.iter().any(|answer| touches_the_sheet(&answer.outcome)) {
        let seen = Seen::of(answered.known, &forecast, answered.sheet);
        acknowledgement.sheet.preview = preview(templates, answered.known, &seen, answered.civ);
        acknowledgement.sheet.warnings =
            warnings(templates, answered.known, &forecast, &seen, answered.sheet, answered.civ);
        acknowledgement.sheet.warnings.extend(scribe.early_taxes());
    }
    acknowledgement.sheet.owed = scribe.owed(&forecast);
    acknowledgement.fit();
    (acknowledgement, forecast)
}

impl Acknowledgement {
    /// As a text letter.
    pub fn text(&self, templates: &Templates) -> String {
        letters::plain(&templates.letter("acknowledgement.txt", Value::from(Serde(self))))
    }

    /// With what only the desk could say.
    pub fn with(mut self, beside: Beside) -> Acknowledgement {
        self.understood.refused.extend(beside.refused);
        self.asked.answers.extend(beside.answers);
        // What came of a wish takes the place of the wish.
        if !beside.wishes.is_empty() {
            self.asked.wishes = beside.wishes;
        }
        self.asked.wishes.extend(beside.notes);
        (self.conversation, self.reply) = (beside.conversation, beside.reply);
        self.fit();
        self
    }

    /// As short as it can be where a letter was a message and nothing else, and went where it should: nothing of the sheet
    /// has changed.
    pub fn confirm_alone(&mut self) -> bool {
        let is_alone = self.reply
            && !self.messages.sent.is_empty()
            && self.messages.held.is_empty()
            && self.messages.dropped.is_empty();
        let is_plain = is_alone && self.understood.refused.is_empty() && self.understood.beyond.is_empty();
        if is_plain {
            self.sheet.parts.clear();
            self.sheet.standing.clear();
            self.sheet.owed.clear();
            self.understood.doubts.clear();
        }
        is_plain
    }

    /// Whether every line of the letter was understood and would stand.
    pub fn is_clean(&self) -> bool {
        self.understood.faults.is_empty()
            && self.understood.refused.is_empty()
            && self.understood.beyond.is_empty()
            && self.fall == 0
    }

    /// Leaves out what would make the answer larger than [`LARGEST`], and counts it: first what repeats the player's
    /// own words, last their sheet. May be asked again when something was added.
    pub(crate) fn fit(&mut self) {
        let mut room = LARGEST;
        let mut left_out = 0;
        let text = |text: &String| text.len();
        let sent = |sent: &Sent| sent.to.len() + sent.text.iter().map(String::len).sum::<usize>();
        let numbered = |line: &Numbered| {
            let said = [&line.illegal, &line.hint, &line.no_occasion];
            line.order.len() + said.into_iter().flatten().map(String::len).sum::<usize>()
        };
        for part in &mut self.sheet.parts {
            left_out += keep(&mut part.lines, &mut room, numbered);
        }
        left_out += keep(&mut self.sheet.standing, &mut room, numbered);
        left_out += keep(&mut self.understood.faults, &mut room, Diagnostic::size);
        left_out += keep(&mut self.understood.refused, &mut room, |refused| {
            refused.text.len() + refused.why.len() + refused.hint.as_ref().map_or(0, String::len)
        });
        left_out += keep(&mut self.understood.doubts, &mut room, Diagnostic::size);
        left_out += keep(&mut self.messages.held, &mut room, sent);
        left_out += keep(&mut self.messages.dropped, &mut room, sent);
        for lines in [
            &mut self.not_ended,
            &mut self.understood.beyond,
            &mut self.said,
            &mut self.asked.wishes,
            &mut self.sheet.owed,
            &mut self.sheet.warnings,
        ] {
            left_out += keep(lines, &mut room, text);
        }
        for answer in &mut self.asked.answers {
            left_out += keep(answer, &mut room, text);
        }
        left_out += keep(&mut self.sheet.taken_back, &mut room, text);
        left_out += keep(&mut self.understood.read_as, &mut room, |(word, name)| word.len() + name.len());
        left_out += keep(&mut self.messages.sent, &mut room, sent);
        left_out += keep(&mut self.understood.remarks, &mut room, text);
        self.left_out += left_out;
    }
}

/// Keeps as many as there is room for; says how many were left out.
fn keep<T>(lines: &mut Vec<T>, room: &mut usize, size: impl Fn(&T) -> usize) -> usize {
    let all = lines.len();
    let mut kept = 0;
    while let Some(left) = lines.get(kept).and_then(|line| room.checked_sub(size(line) + BESIDES)) {
        *room = left;
        kept += 1;
    }
    lines.truncate(kept);
    all - kept
}

struct Scribe<'a> {
    templates: &'a Templates,
    facts: Facts<'a>,
    answered: &'a Answered<'a>,
}

impl Scribe<'_> {
    /// What became of the letter, piece by piece.
    fn letter(&self, told: &mut Acknowledgement) {
        let pieces = self.answered.letter.iter().flat_map(|line| line.pieces.iter().map(move |piece| (line, piece)));
        let pieces = pieces.filter(|(_, piece)| piece.reading != Reading::Press);
        let several = self.answered.sheet.doubts().len() > 1;
        let mut beyond: Vec<(Bound, usize)> = Vec::new();
        for ((line, piece), answer) in pieces.zip(self.answered.answers) {
            let text = shortened(line.text.get(piece.span.clone()).unwrap_or(&line.text).trim());
            let text = text.as_ref();
            // What could not be read was not read as anything.
            let read_as = piece.read_as.iter().filter(|_| matches!(piece.reading, Reading::Written(_)));
            for read_as in read_as {
                let word = line.text.get(read_as.span.clone()).unwrap_or_default();
                let is_known = |(known, _): &(String, String)| known.to_lowercase() == word.to_lowercase();
                if !told.understood.read_as.iter().any(is_known) {
                    told.understood.read_as.push((word.to_owned(), self.named(read_as.name)));
                }
            }
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
                    let facts = context! { lines, files, trial => told.trial };
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
        let sends = |line: &Line| line.pieces.iter().any(|piece| piece.reading == Reading::Written(Written::Send));
        if !told.trial && !self.answered.letter.iter().any(sends) {
            told.messages.dropped = self.answered.before.held().iter().map(|press| self.sent(press)).collect();
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
    fn sheet(&self, told: &mut Acknowledgement, forecast: &Forecast) {
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
    fn said(&self, told: &mut Acknowledgement) {
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
    fn early_taxes(&self) -> Vec<String> {
        let Answered { known, civ, sheet, arrival, .. } = *self.answered;
        let later = sheet.part(Phase::Tax).iter().filter(|entry| entry.next_turn || known.phase() != Phase::Tax);
        let new = later.chain(sheet.standing()).filter(|entry| entry.arrival == arrival);
        let told = new.filter(|entry| matches!(entry.command, Command::Tax { .. })).filter_map(|entry| {
            let why = Phase::Tax.rules().may_stand(known, civ, &entry.command).err()?;
            let (line, why) = (self.order(&entry.command), self.reason(&why, &entry.command));
            Some(self.templates.say("warning", "tax_early", context! { line, why }))
        });
        told.collect()
    }

    fn found_nothing(&self, told: &Acknowledgement) -> bool {
        let answers = |answer: &Answer| matches!(answer.outcome, Outcome::Quoted | Outcome::Remark);
        told.understood.refused.is_empty()
            && told.said.is_empty()
            && told.not_ended.is_empty()
            && self.answered.answers.iter().all(answers)
    }

    /// What this letter did not settle.
    fn doubts(&self) -> Vec<Diagnostic> {
        let doubts = self.answered.sheet.doubts();
        let mine = |line: usize| self.answered.letter.iter().any(|own| own.number == line && has_fault(own));
        let old = doubts.iter().filter(|doubt| !mine(doubt.line));
        let several = doubts.len() > 1;
        old.map(|doubt| super::diagnostics::doubtful(self.templates, self.facts.names(), doubt, several)).collect()
    }

    /// What the open phase still waits for.
    fn owed(&self, forecast: &Forecast) -> Vec<String> {
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
            _ if lines || is_settled => return None,
            decision => decision.name(),
        };
        let state = self.answered.known;
        let default = phase.rules().silence(state, awaited);
        let default = default.iter().map(|command| self.order(command)).collect::<Vec<_>>().join("; ");
        Some(self.templates.say("owed", key, context! { default }))
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
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
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
fn touches_the_sheet(outcome: &Outcome) -> bool {
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
