//! The acknowledgement: what was understood of a letter, and what would come of it.
//!
//! Comes in: a letter as it was read, the sheet it went to, and the game. Goes out: plain data, and from that a text. It is
//! the same for a letter that is stored and for one that only tries.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::answers;
use super::diagnostics::{Diagnostic, diagnostic};
use super::facts::Facts;
use super::hints::{fault_hint, hint};
use super::preview::{Preview, preview, warnings};
use super::refusals::{no_occasion, reason};
use super::templates::Templates;
use super::wording::worded;
use crate::game::{Awaited, Command, Decision, Illegal, LineId, Phase, State};
use crate::orders::asking::{Timing, Until};
use crate::orders::sheet::{Answer, Entry, Outcome};
use crate::orders::{Forecast, Line, Named, Press, Reading, Recipient, Sheet, Verdict};
use crate::rules::Civ;

/// A letter that is to be answered.
pub struct Answered<'a> {
    /// The game as it stands.
    pub state: &'a State,
    /// Who wrote.
    pub civ: Civ,
    /// What he wrote, as it was read.
    pub letter: &'a [Line],
    /// What became of each piece.
    pub answers: &'a [Answer],
    /// His sheet before the letter.
    pub before: &'a Sheet,
    /// And after it.
    pub sheet: &'a Sheet,
    /// The number of the letter.
    pub arrival: u64,
    /// Whether the letter only tries.
    pub is_trial: bool,
}

/// What a player is told about his letter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Acknowledgement {
    /// Whether nothing of it was stored.
    pub trial: bool,
    /// Orders of the letter that stand, and those that do not.
    pub stand: usize,
    /// See above.
    pub fall: usize,
    /// Lines that could not be read.
    pub faults: Vec<Diagnostic>,
    /// Doubts of an earlier letter that are still open.
    pub doubts: Vec<Diagnostic>,
    /// Lines that were understood and not taken up.
    pub refused: Vec<Refused>,
    /// What was read for a misspelling: the player's word, and the name.
    pub read_as: Vec<(String, String)>,
    /// Lines that were taken back.
    pub taken_back: Vec<String>,
    /// What was sent to others.
    pub sent: Vec<Sent>,
    /// Wishes about deadlines, as they were understood.
    pub wishes: Vec<String>,
    /// Answers to questions.
    pub answers: Vec<Vec<String>>,
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
    /// Lines that are no orders.
    pub remarks: Vec<String>,
    /// How many lines were quoted.
    pub quoted: usize,
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
    let scribe = Scribe { templates, facts: Facts::new(answered.state.printed(), templates.language), answered };
    let forecast = Forecast::of(answered.state, answered.civ, answered.sheet, answered.arrival);
    let mut acknowledgement = Acknowledgement { trial: answered.is_trial, ..Acknowledgement::default() };
    scribe.letter(&mut acknowledgement);
    scribe.sheet(&mut acknowledgement, &forecast);
    acknowledgement.doubts = scribe.doubts();
    acknowledgement.preview = preview(templates, &forecast, answered.civ);
    acknowledgement.warnings = warnings(templates, answered.state, &forecast, answered.sheet, answered.civ);
    acknowledgement.owed = scribe.owed();
    acknowledgement
}

impl Acknowledgement {
    /// As a text letter.
    pub fn text(&self, templates: &Templates) -> String {
        let text = templates.letter("acknowledgement.txt", Value::from(Serde(self)));
        let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        // A section that is left out leaves no gap.
        lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
        format!("{}\n", lines.join("\n").trim())
    }

    /// Whether every line of the letter was understood and would stand.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.refused.is_empty() && self.fall == 0
    }
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
        for ((line, piece), answer) in pieces.zip(self.answered.answers) {
            let text = line.text.get(piece.span.clone()).unwrap_or(&line.text).trim();
            for read_as in &piece.read_as {
                let word = line.text.get(read_as.span.clone()).unwrap_or_default().to_owned();
                told.read_as.push((word, self.named(read_as.name)));
            }
            match &answer.outcome {
                Outcome::Quoted => told.quoted += 1,
                Outcome::Remark if is_trial_mark(line, told.trial) => {}
                Outcome::Remark => told.remarks.push(text.to_owned()),
                Outcome::Fault(fault) => {
                    let mut diagnostic = diagnostic(self.templates, self.facts.names(), line, piece, fault, several);
                    diagnostic.hint = fault_hint(self.templates, self.answered.state, self.answered.civ, piece, fault);
                    told.faults.push(diagnostic);
                }
                Outcome::Filed(_) => {}
                Outcome::TakenBack(lines) => told.taken_back.extend(lines.iter().filter_map(|line| self.before(*line))),
                Outcome::Illegal(why) => told.refused.push(self.refused(line.number, text, why)),
                Outcome::NoOccasion => told.refused.push(self.plain(line.number, text, "no_occasion")),
                Outcome::NoSuchName => told.refused.push(self.plain(line.number, text, "no_such_name")),
                Outcome::Sent(press) => told.sent.push(self.sent(press)),
                Outcome::Asked(question) => {
                    let answer = answers::answer(self.templates, self.answered.state, self.answered.civ, question);
                    told.answers.extend(Some(answer).filter(|answer| !answer.is_empty()));
                }
                Outcome::Wished(timing) => told.wishes.push(self.wish(timing)),
            }
        }
    }

    /// The sheet with its verdicts.
    fn sheet(&self, told: &mut Acknowledgement, forecast: &Forecast) {
        let sheet = self.answered.sheet;
        for phase in Phase::ALL {
            // What was traded is history; the letter's own lines are news.
            let is_shown = |entry: &&Entry| phase != Phase::Trade || entry.arrival == self.answered.arrival;
            let lines: Vec<_> =
                sheet.part(phase).iter().filter(is_shown).map(|entry| self.numbered(entry, forecast)).collect();
            for line in lines.iter().filter(|line| line.new && line.number.is_some()) {
                match line.illegal {
                    Some(_) => told.fall += 1,
                    None => told.stand += 1,
                }
            }
            if !lines.is_empty() {
                let title = self.facts.names().phase(phase).to_owned();
                told.parts.push(Part { phase: phase.number(), title, lines });
            }
        }
        told.standing = sheet.standing().iter().map(|entry| self.numbered(entry, forecast)).collect();
    }

    fn numbered(&self, entry: &Entry, forecast: &Forecast) -> Numbered {
        let verdict = forecast.verdicts.get(&entry.line);
        let (mut illegal, mut help, mut thwarted) = (None, None, None);
        match verdict {
            Some(Verdict::Illegal(why)) => {
                illegal = Some(self.reason(why));
                help = hint(self.templates, self.answered.state, self.answered.civ, why, Some(&entry.command));
            }
            Some(Verdict::Thwarted(why)) => {
                thwarted = Some(no_occasion(self.templates, self.answered.state.printed(), why));
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

    /// What this letter did not settle.
    fn doubts(&self) -> Vec<Diagnostic> {
        let doubts = self.answered.sheet.doubts();
        let mine = |line: usize| self.answered.letter.iter().any(|own| own.number == line && has_fault(own));
        let old = doubts.iter().filter(|doubt| !mine(doubt.line));
        let several = doubts.len() > 1;
        old.map(|doubt| super::diagnostics::doubtful(self.templates, self.facts.names(), doubt, several)).collect()
    }

    /// What the open phase still waits for.
    fn owed(&self) -> Vec<String> {
        let (state, sheet) = (self.answered.state, self.answered.sheet);
        let awaited = state.phase().rules().awaits(state);
        let mine = awaited.into_iter().filter(|awaited| awaited.civ == self.answered.civ);
        mine.filter_map(|awaited| self.owes(awaited, sheet.part(state.phase()))).collect()
    }

    fn owes(&self, awaited: Awaited, part: &[Entry]) -> Option<String> {
        let ends = |entry: &Entry| matches!(entry.command, Command::Done | Command::Wait);
        let lines = part.iter().any(|entry| entry.number.is_some());
        let key = match awaited.decision {
            _ if part.iter().any(ends) => return None,
            Decision::Movement | Decision::Trade if lines => "done",
            _ if lines => return None,
            Decision::Movement => "movement",
            Decision::TaxRate => "tax_rate",
            Decision::Revolts => "revolts",
            Decision::Growth => "growth",
            Decision::Defence => "defence",
            Decision::Loot => "loot",
            Decision::Substitutes => "substitutes",
            Decision::Building => "building",
            Decision::Purchases => "purchases",
            Decision::Trade => "trade",
            Decision::Calamities => "calamities",
            Decision::Abilities => "abilities",
            Decision::Support => "support",
            Decision::Acquisition => "acquisition",
        };
        let state = self.answered.state;
        let default = state.phase().rules().silence(state, awaited);
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

    fn refused(&self, line: usize, text: &str, why: &Illegal) -> Refused {
        let hint = hint(self.templates, self.answered.state, self.answered.civ, why, None);
        Refused { line, text: text.to_owned(), why: self.reason(why), hint }
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
            Timing::Back => self.templates.say("wish", "back", context! {}),
        }
    }

    fn reason(&self, why: &Illegal) -> String {
        reason(self.templates, self.answered.state.printed(), why)
    }

    fn order(&self, command: &Command) -> String {
        worded(self.facts.names(), command)
    }

    fn named(&self, named: Named) -> String {
        self.facts.names().named(named).to_owned()
    }
}

fn has_fault(line: &Line) -> bool {
    line.pieces.iter().any(|piece| matches!(piece.reading, Reading::Fault(_)))
}

/// `try` at the head says what the letter is; it is no remark.
fn is_trial_mark(line: &Line, trial: bool) -> bool {
    trial && crate::orders::is_trial(std::slice::from_ref(line))
}
