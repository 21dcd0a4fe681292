//! The moderator's commands, by letter and from the door: shown first, done when the moderator says so, logged, and
//! announced.
//!
//! What would be done is found out by doing it at a table of its own, so the preview cannot differ from the deed.

use chrono::{DateTime, TimeZone, Utc};
use minijinja::context;

use super::{answering, creating, deputising, overruling, pressing, replacing, said};
use crate::archive::{
    Address, DispatchKind, Fate, LetterId, LetterRecord, LetterStatus, Moderation, NewLetter, OurLetter, Party, Reason,
    Role, SeatId, Settled, Status,
};
use crate::desk::clock::tell_moved;
use crate::desk::incoming::aside::Why;
use crate::desk::incoming::opened::Opened;
use crate::desk::incoming::{addresses, aside};
use crate::desk::table::commanding::{self, Command, Commanded, NewDeadline};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError, Table};
use crate::game::correction::{NoCorrection, correct};
use crate::game::{Event, GameId, Known, Phase, Reader, State, TurnPhase, leaving, replay};
use crate::orders::{self, Answer, Reply, Sheet, read};
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

/// What became of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It was done.
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
        let shown = match shown {
            Some(preview) => self.shown(game, preview)?,
            None => None,
        };
        let message = match answers {
            Some(answers) => self.message(game, answers, &opened.writing.text)?,
            None => None,
        };
        let text = shown.as_ref().map_or(opened.writing.text.as_str(), |(text, _)| text.as_str());
        let text = message.as_deref().unwrap_or(text);
        let by = format!("moderator ({})", opened.record.carrier);
        let confirmed = shown.as_ref().map(|(_, phase)| *phase);
        let request = Request { letter: opened.record.id, address: Some(address), by: &by, text, confirmed };
        let status = opened.fate(Fate::Handled, Some(SeatId::new(game.clone(), Party::Moderator)), None);
        let (mut sitting, outcome) = self.carry_out(game, &request, opened.now)?;
        sitting.deed.letters.push(status);
        let kind = match outcome.is {
            Came::Done => DispatchKind::Moderation,
            Came::Shown | Came::Refused => DispatchKind::Preview,
        };
        let (about, in_reply_to) = (format!("letter-{}", opened.record.id.0), opened.writing.message_id.as_deref());
        let envelope = Envelope { kind, about, in_reply_to, to: Some(address) };
        sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &outcome.lines });
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
        let is_command = matches!(commanding::read(text, lexicon), Some(Ok(_)));
        let words: Vec<&str> = text.lines().take_while(|line| line.trim_end() != "--").collect();
        let words = words.join("\n");
        let is_said = !is_command && !words.trim().is_empty();
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
        let request = Request { letter: record.id, address: None, by: DOOR, text, confirmed };
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
        let log = self.archive.moderations(game)?;
        let is_shown =
            |entry: &Moderation| entry.letter == number.map(LetterId) && !entry.done && entry.shown != Some(false);
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
            Some(Err(slip)) => Outcome::refused(lines(slip.say(sitting.words(Party::Moderator)))),
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
pub(super) struct Drawers<'a> {
    /// All that was written down.
    pub archive: &'a crate::archive::Archive,
    /// The table as it was before the command.
    pub table: &'a Table,
}

/// A phase when it began; none where it never did.
type Past = Option<Beginning>;

/// What was true when a phase began.
struct Beginning {
    state: State,
    /// The number of the last event before that.
    number: u64,
    /// What was ordered in its turn.
    sheets: Vec<(Civ, Sheet)>,
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
    let is_meant = asks_only || meant_for.is_some();
    // A preview is the deed itself, at a table that is cleared afterwards.
    let mut trial = Sitting::new(sitting.house, &sitting.table, sitting.now).because_of(request.letter);
    let at = if is_meant { &mut *sitting } else { &mut trial };
    match perform(at, &commanded.command, request, drawers)? {
        Err(refused) => Ok(Outcome::refused(lines(refused))),
        Ok(told) if is_meant => Ok(Outcome { lines: told, is: Came::Done }),
        Ok(mut told) => {
            let facts = context! {
                command => with_phase(sitting, &commanded.command),
                at_door => request.is_at_the_door(),
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
fn with_phase(sitting: &Sitting, command: &Command) -> Option<String> {
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
        return lines(sitting.say(me, "nothing_to_confirm", context! { at_door => request.is_at_the_door() }));
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
    command: &Command,
    request: &Request,
    drawers: &Drawers,
) -> Result<Result<Vec<String>, String>, DeskError> {
    let me = Party::Moderator;
    let is_begun = matches!(sitting.table.game.status, Status::Running | Status::Paused);
    Ok(match command {
        Command::EditOrders { .. } | Command::EditPosition(_) | Command::Eject(_) if !is_begun => {
            Err(sitting.say(me, "not_running", context! {}))
        }
        Command::Status => Ok(status(sitting)),
        Command::SetAside => Ok(aside::list(drawers.archive, sitting)?),
        Command::Release(number) => aside::release(drawers.archive, sitting, *number)?.map(|told| vec![told]),
        Command::Addresses => Ok(vec![addresses::list(sitting, me)]),
        Command::Forget(address) => {
            let about = format!("letter-{}", request.letter.0);
            Ok(vec![addresses::forget(sitting, me, address, request.address, &about)])
        }
        Command::Help => Ok(help(sitting, request)),
        Command::Deadline(to) => deadline(sitting, *to),
        Command::Process => process(sitting),
        Command::Pause => pause(sitting),
        Command::Resume => resume(sitting),
        Command::Replace { civ, person } => replacing::replace(sitting, *civ, person, &request.about(), drawers)?,
        Command::Deputy { civ, person } => deputising::name(sitting, *civ, person.as_ref(), &request.about()),
        Command::EditOrders { civ, text } => edit_orders(sitting, *civ, text, request),
        Command::EditPosition(change) => match correct(&sitting.table.state, *change) {
            Err(NoCorrection::StockTooSmall) => Err(sitting.say(me, "stock_too_small", context! {})),
            Err(NoCorrection::NoSuchPlace) => Err(sitting.say(me, "no_such_place", context! {})),
            Err(NoCorrection::NothingChanges) => Err(sitting.say(me, "nothing_changes", context! {})),
            Ok((events, state)) => {
                let before = Known::of(&sitting.table.state, Reader::Public);
                sitting.record(events, state, Reason::Moderator);
                let after = Known::of(&sitting.table.state, Reader::Public);
                let facts = |sitting: &Sitting, party: Party| {
                    context! { change => set_right(sitting.words(party), &before, *change) }
                };
                announce(sitting, &request.about(), "corrected", &facts, None);
                let mut told = vec![set_right(sitting.words(me), &before, *change)];
                told.extend(overruled(sitting.words(me), &after, *change));
                told.push(sitting.say(me, "all_told", context! {}));
                Ok(told)
            }
        },
        Command::Rollback { to, reason } => match before_phase(drawers.archive, drawers.table, *to)? {
            None => Err(sitting.say(me, "no_such_past", context! { phase => name(sitting, *to) })),
            Some(beginning) => roll_back(sitting, *to, beginning, reason.as_deref()),
        },
        Command::Announce(text) => {
            for party in sitting.everybody().into_iter().filter(|party| *party != me) {
                let about = format!("{}.announced", request.about());
                let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
                sitting.write(party, envelope, &Content::Announcement { lines: &[], text: Some(text) });
            }
            // Whoever says `ok` to it has read all of it.
            let words: String = text.trim().lines().map(|line| format!("\n: {line}")).collect();
            Ok(vec![format!("{}{words}", sitting.say(me, "announced", context! {}))])
        }
        Command::Tell { to, text } => pressing::from_moderator(sitting, to, text, request.letter),
        Command::Eject(civ) => eject(sitting, *civ, request),
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

/// How the game stands: who is awaited until when, and who is away.
fn status(sitting: &Sitting) -> Vec<String> {
    let me = Party::Moderator;
    let table = &sitting.table;
    let names = |civs: Vec<Civ>| civs.into_iter().map(|civ| sitting.civ(me, civ)).collect::<Vec<_>>().join(", ");
    let away = table.people().filter(|(civ, _)| table.is_away(Party::Seat(*civ), sitting.now)).map(|(civ, _)| civ);
    let unaccepted = table.people().filter(|(_, seat)| !seat.accepted).map(|(civ, _)| civ);
    let facts = context! {
        phase => name(sitting, table.phase()),
        status => table.game.status.name(),
        cut_off => table.game.hours.cut_off.filter(|_| table.is_running()).map(|cut_off| sitting.when(me, cut_off)),
        awaited => if table.is_running() { names(table.owing()) } else { String::new() },
        away => names(away.collect()),
        unaccepted => names(unaccepted.collect()),
    };
    let mut told = lines(sitting.say(me, "status", facts));
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

fn deadline(sitting: &mut Sitting, to: NewDeadline) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    let Some(old) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) else {
        return Err(sitting.say(me, "no_cut_off", context! {}));
    };
    let new = match to {
        NewDeadline::Later(length) => old + length.delta(),
        NewDeadline::Earlier(length) => old - length.delta(),
        NewDeadline::At(local) => match sitting.table.zone(me).0.from_local_datetime(&local).latest() {
            Some(time) => time.to_utc(),
            None => return Err(sitting.say(me, "no_such_day", context! {})),
        },
    };
    if new <= sitting.now {
        return Err(sitting.say(me, "deadline_past", context! {}));
    }
    sitting.table.game.hours.cut_off = Some(new);
    tell_moved(sitting, "deadline_moved", new);
    let facts = context! { old => sitting.when(me, old), new => sitting.when(me, new) };
    Ok(vec![sitting.say(me, "deadline", facts)])
}

fn process(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if !sitting.table.is_running() {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    let missing: Vec<_> = sitting.table.owing().into_iter().map(|civ| sitting.civ(me, civ)).collect();
    let was = name(sitting, sitting.table.phase());
    sitting.rule_on(Reason::Moderator);
    // Who has written something and not ended it is for nobody to know, so all who are awaited are told of alike.
    let facts = context! { missing => missing.join(", "), was, phase => name(sitting, sitting.table.phase()) };
    Ok(lines(sitting.say(me, "processed", facts)))
}

fn pause(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if !sitting.table.is_running() {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    sitting.table.game.status = Status::Paused;
    sitting.table.game.hours.paused = Some(sitting.now);
    tell_everybody(sitting, "paused");
    let cut_off = sitting.table.game.hours.cut_off.map(|cut_off| sitting.when(me, cut_off));
    let left = sitting.table.game.hours.cut_off.map(|cut_off| cut_off - sitting.now);
    let left = left.filter(|left| left.num_minutes() > 0).map(|left| creating::length(sitting, me, left));
    Ok(vec![sitting.say(me, "paused_before_after", context! { cut_off, left })])
}

fn resume(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if sitting.table.game.status != Status::Paused {
        return Err(sitting.say(me, "not_paused", context! {}));
    }
    sitting.table.game.status = Status::Running;
    let hours = sitting.table.game.hours;
    match hours.cut_off.zip(hours.paused) {
        // What was left when the clock stopped is left again.
        Some((cut_off, paused)) => {
            let later = sitting.table.agreed.schedule.resumed(cut_off, paused, sitting.now);
            sitting.table.game.hours.cut_off = Some(sitting.behind_absences(later));
        }
        None => sitting.open_hours(),
    }
    sitting.table.game.hours.paused = None;
    let Some(cut_off) = sitting.table.game.hours.cut_off else { return Ok(Vec::new()) };
    // Built-in players whose offers a rollback took back in the pause make them now.
    super::companions::write(sitting);
    tell_moved(sitting, "resumed", cut_off);
    let old = hours.cut_off.map(|old| sitting.when(me, old));
    Ok(vec![sitting.say(me, "resumed_before_after", context! { old, cut_off => sitting.when(me, cut_off) })])
}

fn tell_everybody(sitting: &mut Sitting, key: &'static str) {
    for party in sitting.everybody().into_iter().filter(|party| *party != Party::Moderator) {
        let about = format!("{key}.{}", sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, key, context! {})]);
    }
}

/// Puts lines on a player's sheet. The player is told which; the others only that it was done.
fn edit_orders(sitting: &mut Sitting, civ: Civ, text: &str, request: &Request) -> Result<Vec<String>, String> {
    let (me, party) = (Party::Moderator, Party::Seat(civ));
    if !sitting.table.state.is_seated(civ) {
        return Err(sitting.say(me, "no_seat", context! {}));
    }
    let letter = read(text, &sitting.table.edition.lexicon);
    let open = sitting.table.state.phase();
    let arrival = request.letter.0 as u64;
    let mut sheet = sitting.table.sheet(civ);
    let answers = sheet.add(&letter, open, arrival);
    let is_filed = |answer: &Answer| matches!(answer.outcome, orders::sheet::Outcome::Filed(_));
    let filed = answers.iter().filter(|answer| is_filed(answer)).count();
    let wrong = unfit(sitting, &letter, &answers);
    let wrong = if wrong.is_empty() { overruling::refused(sitting, civ, &letter, &sheet, arrival) } else { wrong };
    if !wrong.is_empty() {
        let head = sitting.say(me, "edit_refused", context! {});
        return Err(std::iter::once(head).chain(wrong).collect::<Vec<_>>().join("\n"));
    }
    if filed == 0 {
        return Err(sitting.say(me, "no_order_in_edit", context! {}));
    }
    sitting.table.sheets.insert(civ, sheet.clone());
    sitting.write_sheet(civ);
    let envelope = Envelope {
        kind: DispatchKind::Announcement,
        about: format!("letter-{}", request.letter.0),
        ..Envelope::default()
    };
    sitting.tell(party, envelope, &|sitting| {
        let own = overruling::worded_lines(sitting, party, &sheet, arrival);
        lines(sitting.say(party, "orders_edited_yours", context! { lines => own.join("\n") }))
    });
    for other in sitting.everybody().into_iter().filter(|other| ![party, me].contains(other)) {
        let envelope = Envelope {
            kind: DispatchKind::Announcement,
            about: format!("letter-{}", request.letter.0),
            ..Envelope::default()
        };
        let said = |sitting: &Sitting| sitting.say(other, "orders_edited", context! { civ => sitting.civ(other, civ) });
        sitting.tell(other, envelope, &|sitting| vec![said(sitting)]);
    }
    if open == Phase::Trade {
        answering::trade_at_once(sitting, civ, &sheet, arrival);
    }
    let mut told = vec![sitting.say(me, "orders_filed", context! { civ => sitting.civ(me, civ), filed })];
    told.extend(overruling::worded_lines(sitting, me, &sheet, arrival).into_iter().map(|line| format!("`{line}`")));
    told.push(sitting.say(me, "orders_filed_told", context! {}));
    Ok(told)
}

/// The lines of an edit that are no orders, with what was seen of them. A hurried moderator's slip files nothing at all.
fn unfit(sitting: &Sitting, letter: &[orders::Line], answers: &[Answer]) -> Vec<String> {
    let is_unfit = |answer: &&Answer| match &answer.outcome {
        orders::sheet::Outcome::Filed(_) | orders::sheet::Outcome::NoOccasion | orders::sheet::Outcome::Quoted => false,
        orders::sheet::Outcome::Remark
        | orders::sheet::Outcome::NotEnded(_)
        | orders::sheet::Outcome::Fault(_)
        | orders::sheet::Outcome::TakenBack(_)
        | orders::sheet::Outcome::Illegal(_)
        | orders::sheet::Outcome::Sent(_)
        | orders::sheet::Outcome::Held(_)
        | orders::sheet::Outcome::Asked(_)
        | orders::sheet::Outcome::Wished(_)
        | orders::sheet::Outcome::NoSuchName
        | orders::sheet::Outcome::Beyond(_) => true,
    };
    let mut numbers: Vec<usize> = answers.iter().filter(is_unfit).map(|answer| answer.line).collect();
    numbers.dedup();
    let text = |number: &usize| letter.iter().find(|line| line.number == *number).map(|line| line.text.trim());
    let said = numbers.iter().filter_map(text).map(|line| sitting.say(Party::Moderator, "no_order", context! { line }));
    said.collect()
}

fn eject(sitting: &mut Sitting, civ: Civ, request: &Request) -> Result<Vec<String>, String> {
    let (me, party) = (Party::Moderator, Party::Seat(civ));
    let (events, state) = leaving::announce(&sitting.table.state, civ);
    if events.is_empty() {
        return Err(sitting.say(me, "no_seat", context! {}));
    }
    // From now on the player gets no letters; what the player has filed for the open phase is played, then their
    // civilization goes. RL.1.
    let own = sitting.table.seat(party).and_then(|seat| seat.mailbox(Role::Player)).cloned();
    let envelope =
        Envelope { kind: DispatchKind::Announcement, about: request.about(), to: own.as_ref(), ..Envelope::default() };
    sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, "ejected_you", context! {})]);
    deputising::dismiss(sitting, party, "deputy_of_nobody", &request.about());
    let before = sitting.table.state.clone();
    sitting.record(events.clone(), state, Reason::Moderator);
    let asks = |state: &State| (state.turn(), state.phase(), state.progress().asked);
    if asks(&before) == asks(&sitting.table.state) {
        // The others are asked what they were asked before, until the same time.
        sitting.report(&before, &events)
    } else {
        sitting.publish(&before, &events)
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone());
    Ok(vec![sitting.say(me, "ejected", context! { civ => sitting.civ(me, civ), player })])
}

/// Takes the game back. Sheets keep what is still to come; whoever had ended their movement may write again.
fn roll_back(
    sitting: &mut Sitting,
    to: TurnPhase,
    beginning: Beginning,
    reason: Option<&str>,
) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if sitting.table.game.status == Status::Inviting {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    let before = sitting.table.state.clone();
    let Beginning { state, number, sheets } = beginning;
    let (draws, from) = (*before.draws(), before.turn_phase());
    sitting.deed.void_behind = Some(number);
    sitting.table.game.era += 1;
    if sitting.table.game.status == Status::Ended {
        sitting.table.game.status = Status::Running;
    }
    sitting.table.steps = 0;
    sitting.table.state = state;
    let present = std::mem::replace(&mut sitting.table.sheets, sheets.into_iter().collect());
    // Everybody has a sheet from now on, so that none of a turn that did not happen is found again.
    for civ in sitting.table.state.ranking().collect::<Vec<_>>() {
        let sheet = sitting.table.sheets.entry(civ).or_default();
        if let Some(present) = present.get(&civ) {
            sheet.keep_standing(present);
        }
    }
    let companions: Vec<Civ> = sitting.table.companions().into_iter().map(|(civ, _)| civ).collect();
    for (civ, sheet) in &mut sitting.table.sheets {
        *sheet = sheet.reopened(to.phase);
        // A built-in player writes anew whatever is asked from now on.
        if let Some(asked) = orders::course::next_asked(to.phase).filter(|_| companions.contains(civ)) {
            *sheet = sheet.without_lines_from(asked);
        }
    }
    let event = Event::RolledBack { turn: to.turn, phase: to.phase, draws };
    let after = replay(&sitting.table.state, [&event]);
    sitting.record(vec![event], after, Reason::Moderator);
    let void = sitting.table.last_event - 1 - number;
    sitting.open_hours();
    if sitting.table.is_running() {
        super::companions::write(sitting);
    }
    for party in sitting.everybody().into_iter().filter(|party| *party != me) {
        let envelope = sitting.about_phase(DispatchKind::Rollback);
        sitting.tell_each(party, envelope, &|sitting, envelope| {
            let own = |civ| overruling::standing_lines(sitting, party, civ, to.phase);
            let kept = party.civ().map(own).unwrap_or_default();
            sitting.write(party, envelope, &Content::Rollback { to, from, kept: &kept, reason });
        });
    }
    let facts = context! { phase => name(sitting, to), from => name(sitting, from), events => void };
    Ok(vec![sitting.say(me, "rolled_back", facts)])
}

/// Replays a game up to the beginning of a phase.
fn before_phase(archive: &crate::archive::Archive, table: &Table, to: TurnPhase) -> Result<Past, DeskError> {
    // A phase may begin with the ruling that ended the turn before.
    let (mut state, from) = table.state_before(archive, to.turn.saturating_sub(1))?;
    let mut last = from - 1;
    let mut found = None;
    for (number, event) in archive.numbered_events(&table.game.id, from)? {
        let was = state.turn_phase();
        state.apply(&event);
        last = number;
        let is = state.turn_phase();
        if is == to && was != to {
            found = Some((state.clone(), last));
        }
    }
    // The phase that is open now has not been ruled: there is nothing to take back before its first event.
    let found = found.filter(|(_, number)| *number < last);
    let beginning = |(state, number)| {
        // The sheets of the open turn are newer at the table than anywhere else.
        let sheets = if to.turn == table.state.turn() {
            table.sheets.clone().into_iter().collect()
        } else {
            archive.sheets(&table.game.id, to.turn)?
        };
        Ok(Beginning { state, number, sheets })
    };
    found.map(beginning).transpose()
}
