//! A deed: all that one letter, one ruling or one stroke of the clock changes, written down in one transaction or not at all.

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use super::club::{GatheringRecord, upsert_gathering};
use super::devices::{CodeRecord, PageChange, insert_code, write_page_change};
use super::games::{
    Absence, GameRecord, SeatRecord, end_absences, insert_absence, insert_edition, insert_game, insert_press,
    update_game, upsert_seat,
};
use super::letters::{LetterId, LetterStatus, Parked, insert_parked, release_letter, settle_letter};
use super::messages::{Message, insert_message};
use super::moderation::{Moderation, insert_moderation};
use super::offered::use_up;
use super::outbox::{NewDispatch, fail_dispatch, insert_dispatch};
use super::rulings::{NewRuling, insert_events, insert_ruling, insert_snapshot, upsert_sheet, void_rulings};
use super::stays::{self, Tally};
use super::threads::{ThreadRecord, note_receipt, upsert_thread};
use super::{Archive, ArchiveError, DispatchKind, Party};
use crate::orders::Sheet;
use crate::post::Receipt;
use crate::rules::Civ;

/// What is to be written down together. An empty one changes nothing.
#[derive(Debug, Clone, Default)]
pub struct Deed {
    /// The letters it settles.
    pub letters: Vec<LetterStatus>,
    /// What it does with letters that wait.
    pub waiting: Pending,
    /// A game that begins.
    pub new_game: Option<NewGame>,
    /// The game as it is now.
    pub game: Option<GameRecord>,
    /// Seats that have changed.
    pub seats: Vec<SeatRecord>,
    /// Sheets that have changed, with their turn.
    pub sheets: Vec<(u16, Civ, Sheet)>,
    pub rulings: Rulings,
    pub dispatches: Vec<NewDispatch>,
    /// What is known of letters that have left.
    pub sent: Departed,
    /// What people of the game say and do beside their orders.
    pub people: People,
    /// What changes about the order page of the game's seats.
    pub page: PageChanges,
    /// Open games that have changed.
    pub gatherings: Vec<GatheringRecord>,
}

/// What a deed does with letters that wait for something.
#[derive(Debug, Clone, Default)]
pub struct Pending {
    /// Letters that wait from now on, until their sender is proved.
    pub parked: Vec<Parked>,
    /// Letters that were set aside and wait again.
    pub released: Vec<LetterId>,
    /// Answers that were sent to an address of their own, by its secret, and when.
    pub used: Vec<(String, DateTime<Utc>)>,
}

/// What a deed changes about what was ruled.
#[derive(Debug, Clone, Default)]
pub struct Rulings {
    /// A rollback: every ruling with an event behind this number is void.
    pub void_behind: Option<u64>,
    /// What was ruled now, each with its events.
    pub new: Vec<NewRuling>,
}

/// What a deed knows of letters of ours that have left.
#[derive(Debug, Clone, Default)]
pub struct Departed {
    /// Those that nobody gets, by their ids, and why.
    pub undeliverable: Vec<(String, String)>,
    /// Those that a forum has taken, by their ids, and where they stand now.
    pub receipts: Vec<(String, Receipt)>,
    /// Threads that have changed.
    pub threads: Vec<ThreadRecord>,
}

impl Departed {
    /// A letter that nobody gets, by its id, and why.
    pub(crate) fn lost(message_id: &str, why: &str) -> Departed {
        Departed { undeliverable: vec![(message_id.to_owned(), why.to_owned())], ..Departed::default() }
    }
}

/// What people of a game say and do beside their orders.
#[derive(Debug, Clone, Default)]
pub struct People {
    pub absences: Vec<Absence>,
    pub back: Vec<(Party, DateTime<Utc>)>,
    /// Messages that a seat has sent to others: when, and how many.
    pub press: Vec<(Party, DateTime<Utc>, u32)>,
    /// What players wrote to each other, where it is kept for whoever takes a seat over.
    pub messages: Vec<Message>,
    pub moderation: Vec<Moderation>,
    /// Who was there when a cut-off passed.
    pub tallies: Vec<Tally>,
    /// What time it is, where it matters who has which seat since when.
    pub now: Option<DateTime<Utc>>,
}

/// What changes about the order page of a game's seats.
#[derive(Debug, Clone, Default)]
pub struct PageChanges {
    /// The changes, one after another.
    pub changes: Vec<PageChange>,
    /// A code that leaves for a seat.
    pub code: Option<CodeRecord>,
}

/// A game that is written down for the first time.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// The files of its edition, as JSON.
    pub edition: String,
}

impl Deed {
    /// Whether there is nothing to write down. Every field is named, so that none is forgotten.
    pub(crate) fn is_empty(&self) -> bool {
        let Deed {
            letters,
            waiting: Pending { parked, released, used },
            new_game,
            game,
            seats,
            sheets,
            rulings: Rulings { void_behind, new: rulings },
            dispatches,
            sent: Departed { undeliverable, receipts, threads },
            people: People { absences, back, press, messages, moderation, tallies, now: _ },
            page: PageChanges { changes, code },
            gatherings,
        } = self;
        let settles = !(letters.is_empty() && parked.is_empty() && released.is_empty() && used.is_empty());
        let plays = new_game.is_some() || game.is_some() || void_behind.is_some();
        let changes_game = !(seats.is_empty() && sheets.is_empty() && rulings.is_empty());
        let sends = !(dispatches.is_empty() && undeliverable.is_empty() && receipts.is_empty() && threads.is_empty());
        let speaks = !(press.is_empty() && messages.is_empty() && moderation.is_empty());
        let leaves = !(absences.is_empty() && back.is_empty() && tallies.is_empty());
        let opens_pages = !changes.is_empty() || code.is_some() || !gatherings.is_empty();
        !(settles || plays || changes_game || sends || speaks || leaves || opens_pages)
    }
}

/// The proof that a letter is settled. Only a deed that settles it makes one, so whoever must bring one cannot forget.
#[derive(Debug)]
#[must_use]
pub(crate) struct Settled(LetterId);

impl Settled {
    /// Which letter it is.
    pub(crate) fn letter(&self) -> LetterId {
        self.0
    }
}

impl Archive {
    /// Writes a deed down: all of it or nothing.
    ///
    /// # Errors
    /// Nothing of it was written.
    pub fn commit(&self, deed: &Deed) -> Result<(), ArchiveError> {
        if deed.is_empty() {
            return Ok(());
        }
        if self.gathers.get() {
            return self.run(async |connection| write_between(connection, deed).await);
        }
        self.run(async |connection| at_once(connection, async |connection| write(connection, deed).await).await)
    }

    /// Writes a deed down that settles a letter, and proves that it did.
    ///
    /// # Errors
    /// Nothing of it was written; or it would not settle the letter at all.
    pub(crate) fn settle(&self, deed: &Deed, letter: LetterId) -> Result<Settled, ArchiveError> {
        if !deed.letters.iter().any(|status| status.id == letter) {
            return Err(ArchiveError::Damaged(format!("letter {} would not be settled", letter.0)));
        }
        self.commit(deed)?;
        Ok(Settled(letter))
    }

    /// From now on deeds are gathered in one transaction: each is all or nothing as ever, and visible to us at once, but
    /// none has happened before [`Archive::write_gathered`].
    ///
    /// # Errors
    /// Nothing is gathered: the archive does not answer.
    pub fn gather(&self) -> Result<(), ArchiveError> {
        self.run(async |connection| say(connection, "begin immediate").await)?;
        self.gathers.set(true);
        Ok(())
    }

    /// Writes down what was gathered, all of it.
    ///
    /// # Errors
    /// Nothing of it was written; it is to be dropped.
    pub fn write_gathered(&self) -> Result<(), ArchiveError> {
        self.run(async |connection| say(connection, "commit").await)?;
        self.gathers.set(false);
        Ok(())
    }

    /// Lets go of what was gathered.
    pub fn drop_gathered(&self) {
        self.gathers.set(false);
        // A full disk may have ended the transaction already; then there is nothing left to let go of.
        let _ = self.run(async |connection| say(connection, "rollback").await);
    }
}

/// A deed among others: where it fails, what was gathered before it stays.
async fn write_between(connection: &mut SqliteConnection, deed: &Deed) -> Result<(), ArchiveError> {
    say(connection, "savepoint deed").await?;
    let written = write(connection, deed).await;
    if written.is_err() {
        // A full disk may have ended the whole transaction; then the savepoint is gone as well.
        let _ = say(connection, "rollback to deed").await;
    }
    let released = say(connection, "release deed").await;
    written.and(released)
}

/// Does something in a transaction: all of it or nothing.
pub(super) async fn at_once<T>(
    connection: &mut SqliteConnection,
    work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, ArchiveError>,
) -> Result<T, ArchiveError> {
    say(connection, "begin immediate").await?;
    let done = match work(connection).await {
        Ok(done) => say(connection, "commit").await.map(|()| done),
        Err(error) => Err(error),
    };
    if done.is_err() {
        undo(connection).await;
    }
    done
}

/// Ends a transaction of which nothing is to stay.
pub(super) async fn undo(connection: &mut SqliteConnection) {
    // A full disk may have ended the transaction by itself, which sqlx's own transactions do not survive.
    let _ = say(connection, "rollback").await;
}

pub(super) async fn say(connection: &mut SqliteConnection, words: &'static str) -> Result<(), ArchiveError> {
    sqlx::query(words).execute(connection).await?;
    Ok(())
}

async fn write(connection: &mut SqliteConnection, deed: &Deed) -> Result<(), ArchiveError> {
    for status in &deed.letters {
        settle_letter(connection, status).await?;
    }
    if let Some(game) = &deed.game {
        write_game(connection, deed, game).await?;
    }
    for gathering in &deed.gatherings {
        upsert_gathering(connection, gathering).await?;
    }
    for letter in &deed.waiting.released {
        release_letter(connection, *letter).await?;
    }
    for parked in &deed.waiting.parked {
        insert_parked(connection, parked).await?;
    }
    // Whoever wrote has their answer before anybody has news of it.
    let answer = deed.dispatches.iter().find(|new| new.kind == DispatchKind::Acknowledgement);
    if let Some(answer) = answer {
        insert_dispatch(connection, answer, None).await?;
    }
    let answer = answer.map(|new| new.dispatch.message_id.as_str());
    for new in deed.dispatches.iter().filter(|new| Some(new.dispatch.message_id.as_str()) != answer) {
        insert_dispatch(connection, new, answer).await?;
    }
    for (secret, at) in &deed.waiting.used {
        use_up(connection, secret, *at).await?;
    }
    for (message_id, receipt) in &deed.sent.receipts {
        note_receipt(connection, message_id, receipt.thread.as_deref(), receipt.post.as_deref()).await?;
    }
    for (message_id, why) in &deed.sent.undeliverable {
        fail_dispatch(connection, message_id, None, why).await?;
    }
    Ok(())
}

async fn write_game(connection: &mut SqliteConnection, deed: &Deed, game: &GameRecord) -> Result<(), ArchiveError> {
    match &deed.new_game {
        Some(new) => {
            insert_edition(connection, &game.edition, &new.edition).await?;
            insert_game(connection, game).await?;
        }
        None => update_game(connection, game).await?,
    }
    for seat in &deed.seats {
        upsert_seat(connection, &game.id, seat).await?;
    }
    for (turn, civ, sheet) in &deed.sheets {
        upsert_sheet(connection, &game.id, *turn, *civ, sheet).await?;
    }
    if let Some(now) = deed.people.now {
        stays::note(connection, game, &deed.seats, &deed.people.tallies, now).await?;
    }
    if let Some(last) = deed.rulings.void_behind {
        void_rulings(connection, &game.id, last).await?;
    }
    for ruling in &deed.rulings.new {
        let id = insert_ruling(connection, &game.id, game.era, ruling).await?;
        insert_events(connection, &game.id, id, ruling.first_event, &ruling.events).await?;
        if let Some(snapshot) = &ruling.snapshot {
            insert_snapshot(connection, &game.id, id, snapshot).await?;
        }
    }
    for (party, at) in &deed.people.back {
        end_absences(connection, &game.id, *party, *at).await?;
    }
    for absence in &deed.people.absences {
        insert_absence(connection, &game.id, absence).await?;
    }
    for (party, at, messages) in &deed.people.press {
        insert_press(connection, &game.id, *party, *at, *messages).await?;
    }
    for message in &deed.people.messages {
        insert_message(connection, &game.id, message).await?;
    }
    for thread in &deed.sent.threads {
        upsert_thread(connection, &game.id, thread).await?;
    }
    for moderation in &deed.people.moderation {
        insert_moderation(connection, &game.id, moderation).await?;
    }
    for change in &deed.page.changes {
        write_page_change(connection, &game.id, change).await?;
    }
    if let Some(code) = &deed.page.code {
        insert_code(connection, code).await?;
    }
    Ok(())
}
