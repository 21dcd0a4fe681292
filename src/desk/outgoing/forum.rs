//! What of a game stands in a forum: its public thread with the status at its head, and the private threads with players.
//!
//! A letter of ours is written for a person; where it goes in the forum is found out when it leaves, for the thread may be
//! opened by the letter before it. What a forum does not take for a while goes by mail, where an address is known.

use chrono::{DateTime, Duration, Utc};
use minijinja::context;
use sha2::{Digest, Sha256};

use crate::archive::{
    Address, Deed, Departed, DispatchKind, NewDispatch, Outgoing, Party, Role, SeatId, SeatRecord, Status, ThreadRecord,
};
use crate::desk::incoming::posts::private;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::post::forum::ForumPlace;
use crate::post::{Dispatch, Form, Receipt, Trouble};
use crate::report::letters::{self, Content, Enrolled};

/// So long a forum may be out of reach before its letters go by mail and the moderators are told.
const PATIENCE: Duration = Duration::minutes(30);

impl Sitting<'_> {
    pub(in crate::desk) fn note_thread(&mut self, thread: ThreadRecord) {
        self.deed.sent.threads.retain(|other| (other.party, &other.carrier) != (thread.party, &thread.carrier));
        self.deed.sent.threads.push(thread.clone());
        self.table.note_thread(thread);
    }

    /// Somebody else takes the seat: what stands in private threads with the one before is not for them.
    pub(in crate::desk) fn leave_private_threads(&mut self, party: Party) {
        let own: Vec<_> = self.table.ways.threads.iter().filter(|thread| thread.party == party).cloned().collect();
        for thread in own {
            self.note_thread(ThreadRecord { thread: None, ..thread });
        }
    }

    /// Writes the status anew if it says something else than it did: who is awaited until when, and who plays.
    pub(in crate::desk) fn renew_status(&mut self) {
        let public = self.table.ways.threads.iter().find(|thread| thread.party == Party::Public);
        let Some(thread) = public.filter(|thread| self.takes_posts(thread)).cloned() else { return };
        let Some(seat) = self.table.seat(Party::Public).cloned() else { return };
        let Some(to) = seat.mailbox(Role::Player) else { return };
        let roster = self.roster();
        let watch = self.house.watch_link(&self.table);
        let public_orders = self.table.agreed.public_orders;
        let content = Content::Status { roster: &roster, public_orders, watch: watch.as_deref() };
        let templates = self.table.edition.templates(seat.language);
        let surroundings = self.occasion(Party::Public);
        // Only the words tell whether there is anything new; the board changes with them.
        let mut bare = surroundings.view();
        bare.delivery.maps = None;
        let words = letters::write(templates, &bare, &content);
        let hash: String = Sha256::digest(&words.text).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        if thread.status.as_ref() == Some(&hash) {
            return;
        }
        let page = self.fitting(&seat, to, letters::write(templates, &surroundings.view(), &content));
        let number = thread.statuses + 1;
        let envelope =
            Envelope { kind: DispatchKind::Status, about: format!("status-{number}"), ..Envelope::default() };
        let dispatch = self.dispatch(Party::Public, &envelope, to, page);
        let dispatches = &mut self.deed.dispatches;
        match dispatches.iter().position(|other| other.kind == DispatchKind::Status) {
            Some(place) => dispatches[place] = dispatch,
            // The thread is opened by it, so nothing that is posted there may be ahead of it.
            None if thread.statuses == 0 => dispatches.insert(0, dispatch),
            None => dispatches.push(dispatch),
        }
        self.note_thread(ThreadRecord { status: Some(hash), statuses: number, ..thread });
    }

    fn takes_posts(&self, thread: &ThreadRecord) -> bool {
        // The thread of a feed is only read.
        !thread.thread.as_ref().is_some_and(|id| id.contains("://"))
            && self.house.carrier(&thread.carrier).form() == Form::Post
    }

    /// Who plays, as everybody may know.
    fn roster(&self) -> Vec<Enrolled> {
        let table = &self.table;
        let seat = |place: letters::Seat| {
            let party = Party::Seat(place.civ);
            Enrolled {
                away: table.is_away(party, self.now),
                accepted: table.seat(party).is_some_and(|seat| seat.accepted),
                civ: place.civ,
                player: place.player,
                companion: place.companion,
                kept: place.kept,
                deputy: table.seat(party).filter(|_| table.is_away(party, self.now)).and_then(SeatRecord::deputy_name),
            }
        };
        table.places().into_iter().map(seat).collect()
    }
}

impl Desk {
    /// Whether a status is overtaken by a later one that waits. The first opens the thread.
    pub(in crate::desk) fn is_renewed(&mut self, outgoing: &Outgoing) -> Result<bool, DeskError> {
        let Some(SeatId { game, party }) = outgoing.of.clone() else { return Ok(false) };
        let is_open = self.table(&game)?.thread(party, &outgoing.carrier).is_some_and(|it| it.status_post.is_some());
        Ok(is_open && self.archive.is_followed(&outgoing.dispatch.message_id)?)
    }

    /// Where a letter goes in its forum now.
    pub(in crate::desk) fn place(&mut self, outgoing: &mut Outgoing) -> Result<(), DeskError> {
        let Some(SeatId { game, party }) = outgoing.of.clone() else { return Ok(()) };
        if self.house.carrier(&outgoing.carrier).form() == Form::Mail {
            return Ok(());
        }
        let table = self.table(&game)?;
        let Some(thread) = table.thread(party, &outgoing.carrier) else { return Ok(()) };
        let is_theirs = is_own(table.seat(party), outgoing);
        let place = match (&thread.thread, &thread.status_post) {
            (_, Some(post)) if outgoing.kind == DispatchKind::Status => ForumPlace::Post(post.clone()),
            (Some(id), _) if party == Party::Public => ForumPlace::Thread(id.clone()),
            // A thread that the forum has closed, or soon will, is followed by a new one with the same reader.
            (Some(id), _) if is_theirs => match outgoing.recipient.parse() {
                Ok(reader @ (ForumPlace::User(_) | ForumPlace::Name(_))) => {
                    ForumPlace::Followed { thread: id.clone(), reader: Box::new(reader) }
                }
                Ok(_) | Err(()) => ForumPlace::Private(id.clone()),
            },
            (Some(_) | None, _) => return Ok(()),
        };
        outgoing.dispatch.to = place.to_string();
        Ok(())
    }

    /// Notes where a letter stands that a forum has taken.
    pub(in crate::desk) fn note_receipt(
        &mut self,
        outgoing: &Outgoing,
        receipt: &Receipt,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        if outgoing.kind == DispatchKind::Club && outgoing.of.is_none() && receipt.post.is_some() {
            return self.note_club_receipt(outgoing, receipt);
        }
        let Some(SeatId { game, party }) = outgoing.of.clone().filter(|_| receipt.post.is_some()) else {
            return Ok(());
        };
        self.sit(&game, now, |sitting| {
            sitting.deed.sent.receipts.push((outgoing.dispatch.message_id.clone(), receipt.clone()));
            let Some(id) = &receipt.thread else { return };
            let known = sitting.table.thread(party, &outgoing.carrier).cloned();
            let is_status = outgoing.kind == DispatchKind::Status;
            match (party, known) {
                (Party::Public, Some(known)) => {
                    let status_post = if is_status { receipt.post.clone() } else { known.status_post.clone() };
                    let thread = Some(known.thread.clone().unwrap_or_else(|| id.clone()));
                    if (&thread, &status_post) != (&known.thread, &known.status_post) {
                        sitting.note_thread(ThreadRecord { thread, status_post, ..known });
                    }
                }
                (Party::Public, None) => {}
                (Party::Seat(_) | Party::Moderator, known) => {
                    let is_known = known.is_some_and(|known| known.thread.as_ref() == Some(id));
                    // The one who had the seat before may still be written to; the player's thread is not the seat's.
                    if !is_known && is_own(sitting.table.seat(party), outgoing) {
                        sitting.note_thread(private(party, &outgoing.carrier, id));
                    }
                }
            }
        })
    }

    /// Sends by mail what a forum has not taken for a while, or never will, if an address is known. Says whether it did.
    pub(in crate::desk) fn send_by_mail(
        &mut self,
        outgoing: &Outgoing,
        trouble: &Trouble,
        now: DateTime<Utc>,
    ) -> Result<bool, DeskError> {
        let Some(SeatId { game, party }) = outgoing.of.clone() else { return Ok(false) };
        let is_over = match trouble {
            Trouble::Lasting(_) => true,
            Trouble::Passing(_) | Trouble::Barred(_) => now - outgoing.dispatch.date >= PATIENCE,
        };
        if self.house.carrier(&outgoing.carrier).form() == Form::Mail || !is_over || party == Party::Public {
            return Ok(false);
        }
        let table = self.table(&game)?.clone();
        let house = &self.house;
        let mails = |address: &&Address| address.role == Role::Player && house.is_mailbox(address);
        let mailbox = table.seat(party).and_then(|seat| seat.addresses.iter().find(mails));
        let Some(mailbox) = mailbox.filter(|_| is_own(table.seat(party), outgoing)) else { return Ok(false) };
        let carrier = house.carrier(&mailbox.carrier);
        let written = self.archive.written(&outgoing.dispatch.message_id)?;
        let about = written.as_ref().map(|written| format!("{}.by-mail", written.about)).unwrap_or_default();
        let message_id = house.message_id(carrier, &about);
        let secret = house.secret(&message_id);
        let slug = crate::desk::house::slug(&table.edition.printed, party);
        let dispatch = Dispatch {
            reply_to: house.reply_address(carrier, Some((&game, &slug)), &secret),
            to: mailbox.address.clone(),
            html: None,
            message_id,
            ..outgoing.dispatch.clone()
        };
        let cut_off = written.as_ref().and_then(|written| written.cut_off);
        // What it proposes is in its text; links it has none.
        let offered = self.archive.offered(&outgoing.dispatch.message_id)?;
        let writer = written.as_ref().and_then(|written| written.writer);
        let (kind, asks) = (outgoing.kind, written.and_then(|written| written.asks));
        let of = Some(SeatId { game, party });
        let carrier = carrier.name.clone();
        let told_elsewhere = false;
        let new = NewDispatch {
            dispatch,
            about,
            secret,
            of,
            kind,
            cut_off,
            asks,
            carrier,
            told_elsewhere,
            writer,
            // They are kept with the letter that the forum did not take.
            words: None,
            offered,
        };
        let sent = Departed::lost(&outgoing.dispatch.message_id, "it went by mail instead");
        self.archive.commit(&Deed { dispatches: vec![new], sent, ..Deed::default() })?;
        Ok(true)
    }

    /// A status that can no longer be edited, for it is gone or too old, is posted anew. Says whether it was one.
    pub(in crate::desk) fn renew_lost_status(
        &mut self,
        outgoing: &Outgoing,
        trouble: &Trouble,
        now: DateTime<Utc>,
    ) -> Result<bool, DeskError> {
        let (Trouble::Lasting(why), Some(SeatId { game, party: Party::Public })) = (trouble, outgoing.of.clone())
        else {
            return Ok(false);
        };
        let thread = self.table(&game)?.thread(Party::Public, &outgoing.carrier).cloned();
        let Some(thread) =
            thread.filter(|thread| outgoing.kind == DispatchKind::Status && thread.status_post.is_some())
        else {
            return Ok(false);
        };
        let lost = (outgoing.dispatch.message_id.clone(), why.clone());
        let notices = self.tell_status_anew(&game, &outgoing.carrier, why, now)?;
        self.sit(&game, now, |sitting| {
            sitting.deed.sent.undeliverable.push(lost);
            sitting.deed.dispatches.extend(notices);
            // The next one that is written, at once, finds no post to edit.
            sitting.note_thread(ThreadRecord { status_post: None, status: None, ..thread });
        })?;
        Ok(true)
    }

    /// What the moderator is told of a status that is posted anew: once a day, for a forum that lets us edit for a while only
    /// refuses every one.
    fn tell_status_anew(
        &mut self,
        game: &GameId,
        carrier: &str,
        why: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<NewDispatch>, DeskError> {
        let table = self.table(game)?.clone();
        let mut sitting = Sitting::new(&self.house, &table, now);
        let line = sitting.say(Party::Moderator, "status_anew", context! { carrier, why });
        let about = format!("status-anew-{}", now.timestamp() / 86_400);
        let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
        sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
        let mut notices = Vec::new();
        for notice in sitting.deed.dispatches {
            if !self.archive.has_written(&notice)? {
                notices.push(notice);
            }
        }
        Ok(notices)
    }

    /// A carrier is in trouble. When it has been so for a while, the moderators of its games are told, once.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_trouble(
        &mut self,
        carrier: &str,
        trouble: &Trouble,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let name = format!("trouble.{carrier}");
        let stored = self.archive.kept(&name)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let Ok(since) = DateTime::parse_from_rfc3339(&stored) else {
            return Ok(self.archive.keep(&name, now.to_rfc3339().as_bytes())?);
        };
        if now - since.to_utc() < PATIENCE {
            return Ok(());
        }
        for game in self.archive.games()?.into_iter().filter(|game| game.status != Status::Ended) {
            let table = match self.try_table(&game.id) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(table) => table,
                // A game that cannot be opened keeps nobody else from hearing of it.
                Err(_) => continue,
            };
            let mut sitting = Sitting::new(&self.house, &table, now);
            let uses = |address: &Address| address.carrier == carrier;
            let is_used = table.seats.iter().any(|seat| seat.addresses.iter().any(uses));
            let moderator = table.seat(Party::Moderator);
            let another = moderator.and_then(|seat| seat.addresses.iter().find(|address| !uses(address))).cloned();
            let Some(another) = another.filter(|_| is_used) else { continue };
            let line =
                sitting.say(Party::Moderator, "carrier_trouble", context! { carrier, why => trouble.to_string() });
            let about = format!("trouble-{carrier}-{}", since.timestamp());
            let envelope =
                Envelope { kind: DispatchKind::Moderation, about, to: Some(&another), ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
            let (mut dispatches, mut new) = (std::mem::take(&mut sitting.deed.dispatches), Vec::new());
            for notice in dispatches.drain(..) {
                if !self.archive.has_written(&notice)? {
                    new.push(notice);
                }
            }
            self.archive.commit(&Deed { dispatches: new, ..Deed::default() })?;
        }
        Ok(())
    }

    /// A carrier works again: what waited for it need not wait longer.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_well(&mut self, carrier: &str, now: DateTime<Utc>) -> Result<(), DeskError> {
        let name = format!("trouble.{carrier}");
        if self.archive.kept(&name)?.is_some_and(|since| !since.is_empty()) {
            self.archive.keep(&name, b"")?;
            self.archive.try_now(carrier, now)?;
        }
        Ok(())
    }
}

/// Whether a letter goes to the one who has the seat now.
fn is_own(seat: Option<&SeatRecord>, outgoing: &Outgoing) -> bool {
    let is_theirs = |own: &Address| own.role == Role::Player && own.address == outgoing.recipient;
    seat.is_some_and(|seat| seat.addresses.iter().any(is_theirs))
}
