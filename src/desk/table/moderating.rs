//! The moderator's commands, by letter and from the door: shown first, done when the moderator says so, logged, and
//! announced.
//!
//! What would be done is found out by doing it at a table of its own, so the preview cannot differ from the deed.

mod edits;
pub(super) mod hours;
mod rollback;

use chrono::{DateTime, Utc};
use minijinja::context;
use serde::Serialize;

use super::{deputising, edited, page, pressing, replacing, said, standing_in, stopping, voting};
use crate::archive::{
    Address, DispatchKind, Fate, LetterId, LetterRecord, LetterStatus, Moderation, NewLetter, OurLetter, Party, Reason,
    SeatId, Settled, Status,
};
use crate::desk::incoming::aside::Why;
use crate::desk::incoming::opened::Opened;
use crate::desk::incoming::{addresses, aside};
use crate::desk::table::commanding::{self, Commanded, Instruction};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError, Table};
use crate::game::correction::{NoCorrection, correct};
use crate::game::{GameId, Known, Reader, TurnPhase};
use crate::orders::Reply;
use crate::post::Form;
use crate::post::writing::Typed;
use crate::report::Names;
use crate::report::letters::Content;
use crate::report::set_right::{overruled, set_right};
use crate::rules::Civ;

/// The carrier of commands that somebody typed at the door.
pub(crate) const DOOR: &str = "door";

/// A command on its way.
struct Request<'a> {
    letter: LetterId,
    /// Where the answer goes; none where it is read at the door.
    address: Option<&'a Address>,
    by: &'a str,
    text: &'a str,
    /// The phase that a preview was shown in, where the answer to it says `ok`.
    confirmed: Option<TurnPhase>,
    /// Whether it came from the moderator's page, where all that changes anything is shown first.
    on_page: bool,
    /// The player whose message it answers.
    answers: Option<Civ>,
}

impl Request<'_> {
    fn is_at_the_door(&self) -> bool {
        self.address.is_none()
    }

    /// What letters about it are called.
    fn about(&self) -> String {
        format!("letter-{}", self.letter.0)
    }
}

/// A command that was shown, and the phase that was open then.
type Shown = (String, TurnPhase);

/// What came of a command.
struct Outcome {
    lines: Vec<String>,
    is: Came,
}

/// The answer to a command as the moderator's page reads it.
#[derive(Serialize)]
struct Told<'a> {
    came: Came,
    lines: &'a [String],
}

/// What became of a command.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Came {
    Done,
    /// It was shown, and `ok` does it.
    Shown,
    /// Nothing came of it.
    Refused,
}

impl Outcome {
    fn refused(lines: Vec<String>) -> Outcome {
        Outcome { lines, is: Came::Refused }
    }
}

impl Desk {
    /// A letter of the moderator of a game.
    pub(in crate::desk) fn moderate(
        &mut self,
        opened: &Opened,
        game: &GameId,
        answers: Option<&OurLetter>,
        address: &Address,
    ) -> Result<Settled, DeskError> {
        let shown = answers
            .filter(|answers| answers.kind == DispatchKind::Preview && Reply::of(&opened.writing.text) == Reply::Yes);
        let shown = match (shown, opened.agrees_to.as_deref()) {
            (_, Some(mark)) if Reply::of(&opened.writing.text) == Reply::Yes => {
                let letter = self.archive.letter_named(&opened.record.carrier, mark)?;
                letter.map(|letter| self.shown_by(game, Some(letter))).transpose()?.flatten()
            }
            (Some(preview), _) => self.shown(game, preview)?,
            (None, _) => None,
        };
        let message = match answers {
            Some(answers) => self.message(game, answers, &opened.writing.text)?,
            None => None,
        };
        let writer = answers.filter(|answers| answers.kind == DispatchKind::Press && message.is_none());
        let writer = writer.and_then(|answers| answers.writer?.civ());
        let text = shown.as_ref().map_or(opened.writing.text.as_str(), |(text, _)| text.as_str());
        let text = message.as_deref().unwrap_or(text);
        let by = format!("moderator ({})", opened.record.carrier);
        let confirmed = shown.as_ref().map(|(_, phase)| *phase);
        let on_page = opened.form.is_some();
        let request = Request {
            letter: opened.record.id,
            address: Some(address),
            by: &by,
            text,
            confirmed,
            on_page,
            answers: writer,
        };
        let status = opened.fate(Fate::Handled, Some(SeatId::new(game.clone(), Party::Moderator)), None);
        let (mut sitting, outcome) = self.carry_out(game, &request, opened.now)?;
        sitting.deed.letters.push(status);
        sitting.form = opened.page_form();
        let kind = match outcome.is {
            Came::Done => DispatchKind::Moderation,
            Came::Shown | Came::Refused => DispatchKind::Preview,
        };
        let (about, in_reply_to) = (format!("letter-{}", opened.record.id.0), opened.writing.message_id.as_deref());
        let envelope = Envelope { kind, about, in_reply_to, to: Some(address) };
        sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &outcome.lines });
        sitting.answer_form(Party::Moderator);
        sitting.answer_as_data(&Told { came: outcome.is, lines: &outcome.lines });
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, opened.record.id)
    }

    /// What the moderator writes in reply to a player's message, as the command that passes it on; none where it is a command
    /// itself.
    fn message(&mut self, game: &GameId, answers: &OurLetter, text: &str) -> Result<Option<String>, DeskError> {
        let Some(Party::Seat(civ)) = answers.writer.filter(|_| answers.kind == DispatchKind::Press) else {
            return Ok(None);
        };
        let lexicon = &self.table(game)?.edition.lexicon;
        let words: Vec<&str> = text.lines().take_while(|line| line.trim_end() != "--").collect();
        let words = words.join("\n");
        let is_said = !commanding::is_meant(&words, lexicon) && !words.trim().is_empty();
        Ok(is_said.then(|| commanding::tell(lexicon.civs.name(civ), words.trim())))
    }

    /// A command that somebody typed at the door. Its answer is in the log.
    pub(in crate::desk) fn moderate_from_door(
        &mut self,
        record: &LetterRecord,
        typed: &Typed,
        now: DateTime<Utc>,
    ) -> Result<Settled, DeskError> {
        let Typed { game, command } = typed;
        let game = &GameId::from(game.as_str());
        if let Some(settled) = self.host_at_the_door(record, typed, now)? {
            return Ok(settled);
        }
        let status = LetterStatus {
            id: record.id,
            fate: Fate::Handled,
            sender: String::new(),
            of: Some(SeatId::new(game.clone(), Party::Moderator)),
            remark: None,
            proof: None,
        };
        if self.archive.game(game)?.is_none() {
            let remark = Some(Why::NoSuchGame.stored());
            let status = LetterStatus { fate: Fate::Aside, of: None, remark, ..status };
            return self.settle(status);
        }
        let shown = match Reply::of(command) {
            Reply::Yes => self.shown_at_the_door(game)?,
            Reply::No | Reply::Other => None,
        };
        let text = shown.as_ref().map_or(command.as_str(), |(text, _)| text.as_str());
        let confirmed = shown.as_ref().map(|(_, phase)| *phase);
        let request =
            Request { letter: record.id, address: None, by: DOOR, text, confirmed, on_page: false, answers: None };
        let (mut sitting, _) = self.carry_out(game, &request, now)?;
        sitting.deed.letters.push(status);
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, record.id)
    }

    /// Hands a command in at the door; says under which number.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn hand_in(
        archive: &crate::archive::Archive,
        game: &GameId,
        command: &str,
        now: DateTime<Utc>,
    ) -> Result<String, DeskError> {
        let id: String = crate::desk::house::random()?.iter().map(|byte| format!("{byte:02x}")).collect();
        let raw = format!("{game}\n{command}");
        let letter = NewLetter {
            carrier: DOOR,
            form: Form::Door,
            message_id: &id,
            hash: "",
            arrived: now,
            queue: game.as_str(),
            raw: raw.as_bytes(),
            size: raw.len(),
        };
        archive.remember(&[letter], now)?;
        Ok(id)
    }

    /// The command that a preview showed, and the phase it was shown in. Once it was done, `ok` does not do it again.
    fn shown(&self, game: &GameId, preview: &OurLetter) -> Result<Option<Shown>, DeskError> {
        let parts = preview.about.split('.').skip(1);
        let number = parts.filter_map(|part| part.strip_prefix("letter-")?.parse().ok()).next();
        self.shown_by(game, number.map(LetterId))
    }

    /// The command that the answer to a letter showed.
    fn shown_by(&self, game: &GameId, letter: Option<LetterId>) -> Result<Option<Shown>, DeskError> {
        let log = self.archive.moderations(game)?;
        let is_shown = |entry: &Moderation| entry.letter == letter && !entry.done && entry.shown != Some(false);
        let Some(place) = log.iter().position(is_shown) else { return Ok(None) };
        let entry = &log[place];
        let is_done = log[place..].iter().any(|later| later.done && later.command == entry.command);
        Ok((!is_done).then(|| (entry.command.clone(), entry.phase)))
    }

    /// The command that was last shown at the door, and the phase it was shown in. A question may stand between; whatever
    /// else was written there since takes its place, a command that was refused too.
    fn shown_at_the_door(&mut self, game: &GameId) -> Result<Option<Shown>, DeskError> {
        let log = self.archive.moderations(game)?;
        let lexicon = &self.table(game)?.edition.lexicon;
        let asks = |text: &str| matches!(commanding::read(text, lexicon), Some(Ok(commanded)) if commanded.command.is_of_no_phase());
        let last = log.into_iter().rev().find(|entry| entry.by == DOOR && !asks(&entry.command));
        Ok(last.filter(|entry| entry.shown == Some(true)).map(|entry| (entry.command, entry.phase)))
    }

    /// Carries a command out, or shows what it would do; notes either in the log.
    fn carry_out(
        &mut self,
        game: &GameId,
        request: &Request,
        now: DateTime<Utc>,
    ) -> Result<(Sitting<'_>, Outcome), DeskError> {
        self.table(game)?;
        let table = self.tables[game].clone();
        let drawers = Drawers { archive: &self.archive, table: &table };
        let mut sitting = Sitting::new(&self.house, &table, now).because_of(request.letter);
        let outcome = match commanding::read(request.text, &table.edition.lexicon) {
            None => Outcome::refused(not_understood(&sitting, request)),
            Some(Err(slip)) => {
                let mut told = lines(slip.say(sitting.words(Party::Moderator)));
                let kept = request.answers.map(|civ| sitting.civ(Party::Moderator, civ));
                told.extend(kept.map(|civ| sitting.say(Party::Moderator, "not_passed_on", context! { civ })));
                Outcome::refused(told)
            }
            Some(Ok(commanded)) => obey(&mut sitting, &commanded, request, &drawers)?,
        };
        sitting.deed.people.moderation.push(Moderation {
            letter: Some(request.letter),
            at: now,
            by: request.by.to_owned(),
            command: request.text.trim().to_owned(),
            phase: table.phase(),
            outcome: outcome.lines.join("\n"),
            done: outcome.is == Came::Done,
            shown: Some(outcome.is == Came::Shown),
        });
        Ok((sitting, outcome))
    }
}

/// So much of a command is repeated to its writer, to be sent again.
const LONGEST_COMMAND: usize = 120;
/// So much of what is no command.
const LONGEST_ECHO: usize = 60;

/// What a command may look up.
pub(in crate::desk) struct Drawers<'a> {
    /// All that was written down.
    pub archive: &'a crate::archive::Archive,
    /// The table as it was before the command.
    pub table: &'a Table,
}

/// Does a command where it names the open phase; else shows what it would do.
fn obey(
    sitting: &mut Sitting,
    commanded: &Commanded,
    request: &Request,
    drawers: &Drawers,
) -> Result<Outcome, DeskError> {
    let open = sitting.table.phase();
    let asks_only = commanded.command.is_of_no_phase();
    let meant_for = commanded.meant_for.or(request.confirmed);
    if let Some(meant) = meant_for.filter(|meant| *meant != open && !asks_only) {
        let facts = context! { meant => name(sitting, meant), open => name(sitting, open) };
        return Ok(Outcome::refused(lines(sitting.say(Party::Moderator, "meant_for_another", facts))));
    }
    // On the page a finger may slip, so whatever changes anything is shown there before it is done.
    let is_shown_first = request.on_page && request.confirmed.is_none() && !commanded.command.only_asks();
    let is_meant = if asks_only { !is_shown_first } else { meant_for.is_some() };
    // A preview is the deed itself, at a table that is cleared afterwards.
    let mut trial = Sitting::new(sitting.house, &sitting.table, sitting.now).because_of(request.letter);
    let at = if is_meant { &mut *sitting } else { &mut trial };
    // Whoever answers what tells of it speaks to the moderator.
    at.speaks = Some(Party::Moderator);
    let told = perform(at, &commanded.command, request, drawers)?;
    at.speaks = None;
    match told {
        Err(refused) => Ok(Outcome::refused(lines(refused))),
        Ok(told) if is_meant => Ok(Outcome { lines: told, is: Came::Done }),
        Ok(mut told) => {
            let facts = context! {
                command => with_phase(sitting, &commanded.command),
                at_door => request.is_at_the_door(),
                on_page => request.on_page,
                game => sitting.table.game.id.as_str(),
            };
            told.insert(0, sitting.say(Party::Moderator, "preview", context! {}));
            told.extend(
                lines(sitting.say(Party::Moderator, "confirm", facts)).into_iter().filter(|line| !line.is_empty()),
            );
            Ok(Outcome { lines: told, is: Came::Shown })
        }
    }
}

/// A command with its phase, to be written at once. What is long nobody types again; `ok` does it.
fn with_phase(sitting: &Sitting, command: &Instruction) -> Option<String> {
    let names = Names::new(&sitting.table.edition.printed, sitting.words(Party::Moderator).language);
    said::said(command, sitting.table.phase(), names).filter(|line| line.chars().count() <= LONGEST_COMMAND)
}

/// A phase as the moderator writes it.
fn name(sitting: &Sitting, phase: TurnPhase) -> String {
    commanding::named(phase, sitting.words(Party::Moderator).language)
}

/// What is said where no command was found: that there was none, or that nothing waits for an `ok`; and what can be written.
fn not_understood(sitting: &Sitting, request: &Request) -> Vec<String> {
    let me = Party::Moderator;
    if Reply::of(request.text) == Reply::Yes {
        return lines(sitting.say(
            me,
            "nothing_to_confirm",
            context! { at_door => request.is_at_the_door(), on_page => request.on_page },
        ));
    }
    let words = request.text.lines().map(str::trim).find(|line| !line.is_empty());
    let words = words.map(|line| line.chars().take(LONGEST_ECHO).collect::<String>());
    let unknown = words.map(|words| sitting.say(me, "unknown_command", context! { words }));
    unknown.into_iter().chain(help(sitting, request)).collect()
}

fn help(sitting: &Sitting, request: &Request) -> Vec<String> {
    lines(sitting.say(Party::Moderator, "moderator_help", context! { at_door => request.is_at_the_door() }))
}

fn perform(
    sitting: &mut Sitting,
    command: &Instruction,
    request: &Request,
    drawers: &Drawers,
) -> Result<Result<Vec<String>, String>, DeskError> {
    let me = Party::Moderator;
    let is_begun = matches!(sitting.table.game.status, Status::Running | Status::Paused);
    if let Some(over) = stopping::refused(sitting, command) {
        return Ok(Err(over));
    }
    Ok(match command {
        Instruction::EditOrders { .. } | Instruction::EditPosition(_) | Instruction::Eject(_) if !is_begun => {
            Err(sitting.say(me, "not_running", context! {}))
        }
        Instruction::Status => Ok(status(sitting)),
        Instruction::SetAside => Ok(aside::list(drawers.archive, sitting)?),
        Instruction::Release(number) => aside::release(drawers.archive, sitting, *number)?.map(|told| vec![told]),
        Instruction::Addresses => Ok(vec![addresses::list(sitting, me)]),
        Instruction::Forget(address) => {
            let about = format!("letter-{}", request.letter.0);
            Ok(vec![addresses::forget(sitting, me, address, request.address, &about)])
        }
        Instruction::Help => Ok(help(sitting, request)),
        Instruction::Page(wish) => {
            let devices = drawers.archive.devices_at(&sitting.table.game.id, me)?;
            Ok(page::answer(sitting, me, *wish, &devices))
        }
        Instruction::Deadline(to) => hours::deadline(sitting, *to),
        Instruction::Process => hours::process(sitting),
        Instruction::Pause => hours::pause(sitting),
        Instruction::Resume => hours::resume(sitting),
        Instruction::Decide { number, yes } => voting::decide(sitting, *number, *yes),
        Instruction::Replace { civ, person } => replacing::replace(sitting, *civ, person, &request.about(), drawers)?,
        Instruction::Keep { civ, temperament } => {
            standing_in::keep_by_command(sitting, *civ, *temperament, &request.about())
        }
        Instruction::AskNext(civ) => standing_in::ask_next(sitting, *civ, drawers)?,
        Instruction::Standbys => {
            let standing = standing_in::standing_by(drawers.archive, sitting)?;
            Ok(standing_in::list(sitting, &standing))
        }
        Instruction::Deputy { civ, person } => {
            let known = person.as_ref().map(|person| replacing::habits(sitting, *civ, person, drawers)).transpose()?;
            deputising::name(sitting, *civ, person.as_ref(), &request.about(), known.flatten().as_ref())
        }
        Instruction::EditOrders { civ, text } => edits::edit_orders(sitting, *civ, text, request),
        Instruction::EditPosition(change) => match correct(&sitting.table.state, *change) {
            Err(NoCorrection::StockTooSmall) => Err(sitting.say(me, "stock_too_small", context! {})),
            Err(NoCorrection::NoSuchPlace) => Err(sitting.say(me, "no_such_place", context! {})),
            Err(NoCorrection::NothingChanges) => Err(sitting.say(me, "nothing_changes", context! {})),
            Ok((events, state)) => {
                let before = Known::of(&sitting.table.state, Reader::Public);
                sitting.record(events, state, Reason::Moderator);
                let after = Known::of(&sitting.table.state, Reader::Public);
                edited::note_change(sitting, &before, *change);
                let mut told = vec![set_right(sitting.words(me), &before, *change)];
                told.extend(overruled(sitting.words(me), &after, *change));
                told.push(sitting.say(me, "all_told", context! {}));
                Ok(told)
            }
        },
        Instruction::Rollback { to, reason } => match rollback::before_phase(drawers.archive, drawers.table, *to)? {
            None => Err(sitting.say(me, "no_such_past", context! { phase => name(sitting, *to) })),
            Some(beginning) => rollback::roll_back(sitting, *to, beginning, reason.as_deref()),
        },
        Instruction::Announce(text) => {
            for party in sitting.everybody().into_iter().filter(|party| *party != me) {
                let about = format!("{}.announced", request.about());
                let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
                sitting.write(party, envelope, &Content::Announcement { lines: &[], text: Some(text) });
            }
            // Whoever says `ok` to it has read all of it.
            let words: String = text.trim().lines().map(|line| format!("\n: {line}")).collect();
            Ok(vec![format!("{}{words}", sitting.say(me, "announced", context! {}))])
        }
        Instruction::Tell { to, text } => pressing::from_moderator(sitting, to, text, request.letter),
        Instruction::Eject(civ) => edits::eject(sitting, *civ, request),
        Instruction::Withdraw { reason } => stopping::withdraw(sitting, reason.as_deref(), &request.about()),
        Instruction::Abandon { reason } => stopping::abandon(sitting, reason.as_deref(), &request.about()),
    })
}

fn lines(text: String) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Tells every player what the moderator has done, in their language; one may have read of it elsewhere.
pub(super) fn announce(
    sitting: &mut Sitting,
    about: &str,
    key: &str,
    facts: &dyn Fn(&Sitting, Party) -> minijinja::Value,
    but: Option<Party>,
) {
    let readers = sitting.everybody().into_iter().filter(|party| *party != Party::Moderator && Some(*party) != but);
    for party in readers.collect::<Vec<_>>() {
        let about = format!("{about}.{key}");
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, key, facts(sitting, party))]);
    }
}

/// What somebody has to mend at the carriers that a game uses.
pub(in crate::desk) fn warned(sitting: &Sitting) -> Vec<String> {
    let me = Party::Moderator;
    let is_used =
        |carrier: &str| sitting.table.seats.iter().any(|seat| seat.addresses.iter().any(|at| at.carrier == carrier));
    let of_game = sitting.house.warnings.iter().filter(|((carrier, _), _)| is_used(carrier));
    of_game
        .map(|((carrier, _), (since, why))| {
            let since = sitting.when(me, DateTime::from_timestamp(*since, 0).unwrap_or(sitting.now));
            sitting.say(me, "carrier_warned", context! { carrier, why, since })
        })
        .collect()
}

/// How the game stands: who is awaited until when, and who is away.
pub(in crate::desk) fn status(sitting: &Sitting) -> Vec<String> {
    let me = Party::Moderator;
    let table = &sitting.table;
    let names = |civs: Vec<Civ>| civs.into_iter().map(|civ| sitting.civ(me, civ)).collect::<Vec<_>>().join(", ");
    let away = table.people().filter(|(civ, _)| table.is_away(Party::Seat(*civ), sitting.now)).map(|(civ, _)| civ);
    let unaccepted = table.people().filter(|(_, seat)| !seat.accepted).map(|(civ, _)| civ);
    let facts = context! {
        phase => name(sitting, table.phase()),
        status => table.game.standing(),
        cut_off => table.game.hours.cut_off.filter(|_| table.is_running()).map(|cut_off| sitting.when(me, cut_off)),
        awaited => if table.is_running() { names(table.owing()) } else { String::new() },
        away => names(away.collect()),
        unaccepted => names(unaccepted.collect()),
    };
    let mut told = lines(sitting.say(me, "status", facts));
    told.extend(warned(sitting));
    for (civ, seat) in table.people() {
        let waits = table.is_running() && table.owing().contains(&civ);
        let away = table.away_until(Party::Seat(civ), sitting.now);
        let until = away.flatten().map(|until| sitting.when(me, until - chrono::Duration::minutes(1)));
        let facts = context! {
            civ => sitting.civ(me, civ),
            player => seat.player.as_str(),
            waits,
            extensions => seat.extensions,
            away => away.is_some(),
            until,
            deputy => seat.deputy_name(),
        };
        told.push(sitting.say(me, "status_seat", facts));
    }
    told
}
