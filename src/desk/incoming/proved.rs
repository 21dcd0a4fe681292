//! A letter whose sender is proved, however it came: it goes to the table, to the moderator, or to the practice.

use minijinja::context;

use super::{inviting, rehearsal};
use crate::archive::{Address, DispatchKind, Fate, OurLetter, Party, Role, SeatId, Settled, Status};
use crate::desk::incoming::opened::Opened;
use crate::desk::table::answering::{self, InReply, OnFile, PlayerLetter};
use crate::desk::table::moderating::Drawers;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{attendance, standing_in, stopping};
use crate::desk::{Desk, DeskError};
use crate::game::{Event, State};
use crate::orders::asking::Timing;
use crate::orders::words::Word;
use crate::orders::{Lexicon, Reading, Reply, Written, read};
use crate::report::letters::Content;
use crate::rules::Civ;

impl Desk {
    /// Reads a letter whose sender is proved.
    pub(in crate::desk) fn read(
        &mut self,
        opened: &Opened,
        of: SeatId,
        address: &Address,
        answers: &OurLetter,
    ) -> Result<Settled, DeskError> {
        // Whatever else the player writes in reply to the question is a letter like any other.
        match Reply::of(&opened.writing.text) {
            says @ (Reply::Yes | Reply::No) if answers.kind == DispatchKind::Parked => {
                return self.confirm(opened, of, address, answers, says);
            }
            Reply::Yes | Reply::No | Reply::Other => {}
        }
        if let Some(settled) = self.club_from_seat(opened, &of, address)? {
            return Ok(settled);
        }
        if let Party::Seat(civ) = of.party
            && answers.kind.is_practice()
            && self.table(&of.game)?.game.stopped.is_none()
        {
            return self.practise(opened, of, civ, address, answers);
        }
        let SeatId { game: id, party } = of.clone();
        // What came after the cut-off meets a phase that has been ruled; where that cannot be done, the one that is open.
        match self.rule_if_due(&id, opened.record.arrived.min(opened.now)) {
            Err(error) if error.is_of_everything() => return Err(error),
            Ok(_) => {}
            Err(error) => tracing::error!(game = id.as_str(), "a game could not be ruled, by a bug of ours: {error}"),
        }
        match party {
            Party::Moderator => self.moderate(opened, &id, Some(answers), address),
            // Nobody writes in everybody's name; but the record of a board without an interface goes to its moderator.
            Party::Public
                if self.table(&id)?.seat(Party::Moderator).is_some_and(|seat| seat.knows(&address.address)) =>
            {
                self.moderate(opened, &id, Some(answers), address)
            }
            Party::Public => self.settle(opened.fate(Fate::Ignored, Some(of), Some("in answer to the public record"))),
            Party::Seat(civ) => self.read_player(opened, of, civ, address, answers),
        }
    }

    /// Reads a player's letter at the table, as far as the game has come.
    fn read_player(
        &mut self,
        opened: &Opened,
        of: SeatId,
        civ: Civ,
        address: &Address,
        answers: &OurLetter,
    ) -> Result<Settled, DeskError> {
        let SeatId { game: id, party } = of.clone();
        let archive = &self.archive;
        let table = match self.tables.get(&id) {
            Some(table) => table.clone(),
            None => crate::desk::Table::open(archive, &self.house, &id)?,
        };
        let devices = archive.devices_at(&id, party)?;
        let quotes = opened.writing.ignored.quoted > 0;
        let reply = InReply {
            to: answers,
            is_below: opened.is_below,
            is_of_several: answers.kind == DispatchKind::Reminder
                && !archive.told_with(&answers.message_id)?.is_empty(),
            changed: quotes && self.has_changed_quotation(opened.record, answers, &table.edition.lexicon)?,
            replaces: opened.replaces.as_ref(),
        };
        let filed = OnFile {
            is_first: !archive.has_been_answered(&id, party)?,
            pressed: archive.press_since(&id, party, opened.now - chrono::Duration::days(1))?,
            devices: &devices,
            proposed: &|number| archive_lines(archive, &answers.message_id, number),
            history: &|turn| past(archive, &table, turn).ok().flatten(),
        };
        let (public, letter) = (opened.is_public, &opened.writing);
        let received = PlayerLetter { id: opened.record.id, civ, letter, address, public, reply, filed };
        let mut sitting = Sitting::new(&self.house, &table, opened.now).because_of(opened.record.id);
        sitting.form = opened.page_form();
        sitting.deed.letters.push(opened.fate(Fate::Handled, Some(of), None));
        if let Some(tapped) = &opened.tapped {
            sitting.deed.waiting.used.push((tapped.secret.clone(), opened.now));
        }
        let plays = plays(&opened.writing.text, &table.edition.lexicon);
        attendance::pardon(&mut sitting, civ, opened.record.arrived);
        if standing_in::comes_back(&sitting, civ, address.role, plays) {
            standing_in::hand_back(&mut sitting, civ, &Drawers { archive, table: &table })?;
        } else if address.role == Role::Player {
            standing_in::shows_up(&mut sitting, civ, plays);
        }
        match sitting.table.game.status {
            _ if sitting.table.game.stopped.is_some() => stopping::answer(&mut sitting, opened, party, address),
            _ if let Some(why) = refused_tap(&sitting, opened, answers) => {
                tell_tap(&mut sitting, opened, party, address, why);
            }
            Status::Inviting => inviting::answer(&mut sitting, opened, civ, answers),
            Status::Running | Status::Paused | Status::Ended => answering::answer(&mut sitting, &received),
        }
        sitting.answer_form(party);
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, opened.record.id)
    }

    /// The answer of somebody who answers no letter of ours in particular: it speaks of what is open, as if of the last report.
    ///
    /// # Errors
    /// The game cannot be opened.
    pub(in crate::desk) fn unasked(&mut self, of: &SeatId) -> Result<OurLetter, DeskError> {
        let table = self.table(&of.game)?;
        Ok(OurLetter {
            message_id: String::new(),
            about: String::new(),
            of: Some(of.clone()),
            kind: DispatchKind::Report,
            cut_off: None,
            asks: Some(table.phase()),
            era: table.game.era,
            recipient: String::new(),
            written_at: table.game.created_at,
            writer: None,
        })
    }

    /// Answers a practice letter. Nothing of it changes the game.
    fn practise(
        &mut self,
        opened: &Opened,
        of: SeatId,
        civ: Civ,
        address: &Address,
        answers: &OurLetter,
    ) -> Result<Settled, DeskError> {
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("practice"));
        let style = self.style_of(opened.record)?;
        self.sit_about(&of.game, opened.now, status, |sitting| {
            let (id, letter) = (opened.record.id, &opened.writing);
            rehearsal::answer(sitting, &rehearsal::Practised { id, civ, letter, style, address, answers });
        })
    }

    /// A known address of several seats wrote without a secret: it is asked to answer a letter of the game it means.
    pub(in crate::desk) fn ask_which(
        &mut self,
        opened: &Opened,
        of: SeatId,
        address: Option<&Address>,
    ) -> Result<Settled, DeskError> {
        let SeatId { game: id, party } = of.clone();
        // It is answered, so it counts against the share of its sender.
        let status = opened.fate(Fate::Ignored, None, Some("it does not say which game it means"));
        self.sit_about(&id, opened.now, status, |sitting| {
            let from = opened.sender();
            let known = sitting
                .table
                .seat(party)
                .and_then(|seat| seat.addresses.iter().find(|known| known.address == from).cloned());
            let line = sitting.say(party, "which_game", context! {});
            let envelope = Envelope {
                kind: DispatchKind::Announcement,
                about: opened.key(),
                in_reply_to: opened.writing.message_id.as_deref(),
                to: address.or(known.as_ref()),
            };
            sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
        })
    }
}

/// Whether somebody plays in a letter: gives orders, files a form, or says that they are back. Questions and talk are none of that.
pub(in crate::desk) fn plays(text: &str, lexicon: &Lexicon) -> bool {
    let mut pieces = read(text, lexicon).into_iter().flat_map(|line| line.pieces);
    pieces.any(|piece| match piece.reading {
        Reading::Written(written) => match written {
            Written::Orders(_) | Written::Always(_) | Written::Ok | Written::Proposal(_) | Written::Waits { .. } => {
                true
            }
            Written::Timing(timing) => matches!(timing, Timing::Back | Timing::Extend { .. } | Timing::Vote { .. }),
            _ => false,
        },
        _ => false,
    })
}

/// Why an answer that came with a tap is not read: once is enough, and what is over is over.
fn refused_tap(sitting: &Sitting, opened: &Opened, answers: &OurLetter) -> Option<&'static str> {
    let tapped = opened.tapped.as_ref()?;
    let is_over = answers.asks != Some(sitting.table.phase()) || answers.era != sitting.table.game.era;
    let asks = Word::Help.spellings();
    let is_question = asks.0.iter().chain(asks.1).any(|word| *word == tapped.line);
    if tapped.used {
        Some("tap_used")
    } else if is_over && !is_question {
        Some("tap_over")
    } else {
        None
    }
}

fn tell_tap(sitting: &mut Sitting, opened: &Opened, party: Party, address: &Address, why: &str) {
    let line = opened.tapped.as_ref().map(|tapped| tapped.line.as_str()).unwrap_or_default();
    let line = sitting.say(party, why, context! { line });
    let in_reply_to = opened.writing.message_id.as_deref();
    let envelope = Envelope { kind: DispatchKind::Announcement, about: opened.key(), in_reply_to, to: Some(address) };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
}

/// The lines that a letter of ours proposes under a number.
fn archive_lines(archive: &crate::archive::Archive, message_id: &str, number: u16) -> Option<Vec<String>> {
    let answer = format!("ok {number}");
    let offered = archive.offered(message_id).ok()?.into_iter().find(|offered| offered.line == answer)?;
    Some(offered.files).filter(|files| !files.is_empty())
}

/// What was true before a turn and what happened in it; none is the last that is complete, or the present one.
pub(in crate::desk) fn past(
    archive: &crate::archive::Archive,
    table: &crate::desk::Table,
    turn: Option<u16>,
) -> Result<Option<(State, Vec<Event>)>, DeskError> {
    let turn = turn.unwrap_or_else(|| table.phase().last_eventful_turn().max(1));
    let (mut state, from) = table.state_before(archive, turn)?;
    let mut events = archive.events_until(&table.game.id, from, turn)?.into_iter().map(|(_, event)| event);
    while state.turn() < turn {
        let Some(event) = events.next() else { return Ok(None) };
        state.apply(&event);
    }
    let before = state.clone();
    let mut happened: Vec<Event> = Vec::new();
    for event in events {
        state.apply(&event);
        happened.push(event);
        if state.turn() > turn {
            break;
        }
    }
    Ok(Some((before, happened)))
}
