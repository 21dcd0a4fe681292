//! Posts come in: whose they are, whether they are orders at all, and what an edit means.
//!
//! In a thread people talk. What somebody without a seat writes there is conversation, and so is what a player writes,
//! unless it begins with an order, calls us by our name, or puts orders into a code block. An edit before `done` is a new
//! letter in the place of the old one; afterwards it changes nothing, and everybody who could read it is told.

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use crate::archive::{
    Address, DispatchKind, Earlier, Fate, LetterRecord, OurLetter, Party, Proof, Role, SeatId, SeatRecord, Settled,
    Status, ThreadRecord,
};
use crate::desk::incoming::inviting::Says;
use crate::desk::incoming::opened::{Opened, Replaced};
use crate::desk::table::commanding;
use crate::desk::table::sitting::Envelope;
use crate::desk::{Desk, DeskError, Table};
use crate::orders::{Lexicon, Line, Reading, Written, read};
use crate::post::forum::{ForumPlace, Post, PostWords};
use crate::post::writing::Posting;
use crate::report::letters::Content;
use crate::rules::Civ;

/// So much the clock of a forum may be behind ours.
const SKEW: Duration = Duration::minutes(2);

/// The game and the seat that somebody may speak for, and their address there.
type SpeaksFor = (SeatId, Address);

/// A post on the desk.
struct Posted<'a> {
    record: &'a LetterRecord,
    posting: Posting,
    earlier: Option<Earlier>,
    now: DateTime<Utc>,
}

impl Posted<'_> {
    /// As a letter like any other.
    fn opened(&self) -> Opened<'_> {
        let is_public = !self.posting.post.is_private;
        Opened { is_public, ..Opened::new(self.record, self.posting.writing(), self.now) }
    }
}

impl Desk {
    /// Takes a post up.
    pub(in crate::desk) fn take_post(
        &mut self,
        record: &LetterRecord,
        mut posting: Posting,
        now: DateTime<Utc>,
    ) -> Result<Settled, DeskError> {
        let us = self.house.carrier(&record.carrier).own_name().to_owned();
        let earlier = self.archive.earlier(&record.carrier, &posting.post.id, record.id)?;
        let before = earlier.as_ref().and_then(|earlier| Post::read(&earlier.raw));
        let author = &mut posting.post.author;
        if let Some(before) = before.as_ref().filter(|_| author.id.is_empty() && author.name.is_empty()) {
            // Of a deleted post a forum may no longer say who wrote it.
            *author = before.author.clone();
        }
        let is_same = |before: &Post| {
            before.is_deleted == posting.post.is_deleted && before.words(&us, &posting.sent) == posting.words
        };
        let is_unchanged = before.as_ref().is_some_and(is_same);
        // What was said to the club is done; an edit does not do it again.
        if earlier.is_none()
            && let Some((visitor, said)) = self.club_post(&record.carrier, &posting, now)?
        {
            let posted = Posted { record, posting, earlier, now };
            return self.take_club(&mut posted.opened(), &visitor, said);
        }
        let posted = Posted { record, posting, earlier, now };
        if is_unchanged {
            return self.pass_by(&posted, "nothing in it has changed");
        }
        let is_private = posted.posting.post.is_private;
        let mut known = self.known(&posted)?;
        match (known.len(), known.pop()) {
            (_, None) => self.pass_by(&posted, "conversation"),
            (1, Some((of, address))) => self.read_post(&posted, of, &address),
            (_, Some((of, address))) if is_private => self.ask_which(&posted.opened(), of, Some(&address)),
            (_, Some(_)) => self.pass_by(&posted, "it does not say which seat it means"),
        }
    }

    /// A post that is none of our business.
    fn pass_by(&self, posted: &Posted, why: &str) -> Result<Settled, DeskError> {
        let status = posted.opened().fate(Fate::Ignored, None, Some(why));
        self.settle(status)
    }

    /// The seats that the author of a post may speak for in its thread, with the player's address there.
    fn known(&mut self, posted: &Posted) -> Result<Vec<SpeaksFor>, DeskError> {
        let (carrier, post) = (&posted.record.carrier, &posted.posting.post);
        let played = self.archive.game_in(carrier, &post.thread)?;
        if played.is_none() && !post.is_private {
            return Ok(Vec::new());
        }
        let mut known = Vec::new();
        for address in [post.author.place(), ForumPlace::Name(post.author.name.to_lowercase())] {
            for of in self.archive.seats_by(carrier, &address.to_string())? {
                let is_here = played.as_ref().is_none_or(|here| here.game == of.game);
                // An old `ok` to the same account answers another game.
                let is_older = post.posted + SKEW < self.table(&of.game)?.game.created_at;
                if is_here && !is_older && !known.iter().any(|(other, _)| *other == of) {
                    let address =
                        Address { carrier: carrier.clone(), address: address.to_string(), role: Role::Player };
                    known.push((of, address));
                }
            }
        }
        // Who both moderates and plays commands with a command and plays with everything else.
        let game = known.first().map(|(of, _)| of.game.clone()).unwrap_or_default();
        if known.len() > 1 && known.iter().all(|(of, _)| of.game == game) {
            let commands = is_command(&posted.posting.words.text, &self.table(&game)?.edition.lexicon);
            known.retain(|(of, _)| (of.party == Party::Moderator) == commands);
        }
        Ok(known)
    }

    /// Reads a post whose author is known, if it is meant for us.
    fn read_post(&mut self, posted: &Posted, of: SeatId, address: &Address) -> Result<Settled, DeskError> {
        let mut opened = posted.opened();
        opened.proof = Some(Proof::Proved);
        if let Some(ends) = self.limit(&opened, Proof::Proved)? {
            return self.turn_away(&opened, Some(of), Some(address), ends);
        }
        let table = self.table(&of.game)?.clone();
        let (post, words) = (&posted.posting.post, &posted.posting.words);
        let is_first = posted.earlier.is_none() && !post.is_deleted;
        // Before the game begins a name is bound to a seat only by the player who accepts it.
        let agrees = opened.says_ok() || post.is_private && Says::of(&words.text) == Says::Yes;
        let accepts = is_first && agrees;
        let (is_meant, may_bind) = match of.party {
            Party::Seat(civ) if table.game.status != Status::Inviting => {
                return self.read_orders(posted, of, civ, address, &table);
            }
            Party::Seat(_) => (accepts || (is_first && post.is_private), accepts),
            // What the player has commanded is done; an edit does not do it again.
            Party::Moderator => {
                let commands = is_command(&words.text, &table.edition.lexicon);
                (is_first && (post.is_private || words.mentions_us || commands), true)
            }
            Party::Public => (false, false),
        };
        if is_meant {
            self.answer_post(posted, opened, of, address, may_bind)
        } else {
            self.pass_by(posted, "conversation")
        }
    }

    /// Reads a post of a player in a game that is played.
    fn read_orders(
        &mut self,
        posted: &Posted,
        of: SeatId,
        civ: Civ,
        address: &Address,
        table: &Table,
    ) -> Result<Settled, DeskError> {
        let lexicon = &table.edition.lexicon;
        let mut opened = posted.opened();
        opened.proof = Some(Proof::Proved);
        let us = self.house.carrier(&posted.record.carrier).own_name();
        let before = posted.earlier.as_ref().filter(|earlier| earlier.was_handled).and_then(|earlier| {
            let said = Post::read(&earlier.raw)?.words(us, &posted.posting.sent).text;
            Some((earlier, read(&said, lexicon)))
        });
        // Whoever only asked something, or took their seat, may write their post anew like any other.
        let is_done = table.sheet(civ).is_done(table.state.phase());
        let letter = before.as_ref().filter(|(_, lines)| is_done || lines.iter().any(has_orders));
        let letter = letter.map(|(earlier, _)| *earlier);
        opened.replaces = before.as_ref().map(|(_, lines)| {
            let letter = letter.map(|earlier| earlier.id);
            Replaced { letter, worked: worked(lines) }
        });
        match letter {
            Some(earlier) if is_too_late(table, civ, earlier) => self.note_late_edit(posted, &of, civ),
            Some(_) => self.answer_post(posted, opened, of, address, true),
            None => {
                let is_meant = posted.posting.post.is_private
                    || is_orders(&posted.posting.words, &read(&posted.posting.words.text, lexicon));
                if posted.posting.post.is_deleted || !is_meant {
                    self.pass_by(posted, "conversation")
                } else if opened.is_public && !table.agreed.public_orders {
                    self.decline_public(posted, &of)
                } else {
                    self.answer_post(posted, opened, of, address, true)
                }
            }
        }
    }

    /// Reads a post like any letter, and answers it.
    fn answer_post(
        &mut self,
        posted: &Posted,
        mut opened: Opened,
        of: SeatId,
        address: &Address,
        may_bind: bool,
    ) -> Result<Settled, DeskError> {
        let address = self.bind(posted, &of, address, may_bind)?;
        let (answers, is_named) = self.answered_by(posted, &of)?;
        opened.is_below = !is_named;
        self.read(&opened, of, &address, &answers)
    }

    /// An edit that changes nothing: whoever could read the post is told.
    fn note_late_edit(&mut self, posted: &Posted, of: &SeatId, civ: Civ) -> Result<Settled, DeskError> {
        let key = if posted.posting.post.is_deleted { "deleted_late" } else { "edited_late" };
        let status = posted.opened().fate(Fate::Handled, Some(of.clone()), Some("edited when it was too late"));
        let about = format!("letter-{}", posted.record.id.0);
        self.sit_about(&of.game, posted.now, status, |sitting| {
            let party = match sitting.public() {
                Some(public) if !posted.posting.post.is_private => public,
                Some(_) | None => of.party,
            };
            let line = sitting.say(party, key, context! { civ => sitting.civ(party, civ) });
            let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
            sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
        })
    }

    /// Orders were posted where everybody reads them, and the game does not take them there.
    fn decline_public(&mut self, posted: &Posted, of: &SeatId) -> Result<Settled, DeskError> {
        let status = posted.opened().fate(Fate::Ignored, Some(of.clone()), Some("orders in public"));
        let about = format!("letter-{}", posted.record.id.0);
        self.sit_about(&of.game, posted.now, status, |sitting| {
            let line = sitting.say(of.party, "no_public_orders", context! {});
            let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
            sitting.write(of.party, envelope, &Content::Announcement { lines: &[line], text: None });
        })
    }

    /// Where the author is answered. From now on the player is known by the forum's id of them, whatever the player is
    /// called; and the private thread the player wrote in is the one the player is answered in.
    fn bind(&mut self, posted: &Posted, of: &SeatId, address: &Address, may_bind: bool) -> Result<Address, DeskError> {
        let bound = Address { address: posted.posting.post.author.place().to_string(), ..address.clone() };
        let reaches = self.house.carrier(&posted.record.carrier).reaches_persons();
        self.sit(&of.game, posted.now, |sitting| {
            let seat = sitting.table.seat_mut(of.party);
            if let Some(seat) = seat.filter(|_| may_bind && bound.address != address.address) {
                seat.addresses.iter_mut().filter(|own| **own == *address).for_each(|own| *own = bound.clone());
                let seat = seat.clone();
                sitting.deed.seats.push(seat);
            }
            let is_open = sitting.table.thread(of.party, &bound.carrier).is_some_and(|thread| thread.thread.is_some());
            if may_bind && posted.posting.post.is_private && !is_open {
                sitting.note_thread(private(of.party, &bound.carrier, &posted.posting.post.thread));
            }
            let seat = sitting.table.seat(of.party);
            let known = seat.and_then(|seat| own_address(seat, &bound, reaches));
            known.unwrap_or_else(|| address.clone())
        })
    }

    /// The letter of ours that a post answers: the one it replies to, or the last above it. Where there is none, it speaks
    /// of what is open. Says also whether the post names it.
    fn answered_by(&mut self, posted: &Posted, of: &SeatId) -> Result<(OurLetter, bool), DeskError> {
        let (carrier, post) = (&posted.record.carrier, &posted.posting.post);
        let named = match &post.answers {
            Some(answers) => self.archive.posted_as(carrier, answers)?,
            None => None,
        };
        let is_named = named.is_some();
        let found = match named {
            Some(named) => Some(named),
            None => self.archive.posted_before(carrier, &post.thread, &post.id)?,
        };
        let fresh = self.unasked(of)?;
        let own = found.filter(|found| found.of.as_ref().is_some_and(|here| here.game == of.game));
        Ok((own.unwrap_or(fresh), is_named))
    }
}

/// Whether an edit comes too late: the player has said `done`, or nothing of the letter is still to be played.
fn is_too_late(table: &Table, civ: Civ, earlier: &Earlier) -> bool {
    let (sheet, open) = (table.sheet(civ), table.state.phase());
    let is_ruled = table.game.hours.opened.is_some_and(|opened| earlier.arrived < opened);
    let has_ended = table.game.status == Status::Ended;
    has_ended || sheet.is_done(open) || (is_ruled && !sheet.has_lines_of(earlier.id.0 as u64, open))
}

/// The private thread with somebody.
pub(in crate::desk) fn private(party: Party, carrier: &str, thread: &str) -> ThreadRecord {
    ThreadRecord {
        party,
        carrier: carrier.to_owned(),
        thread: Some(thread.to_owned()),
        status_post: None,
        status: None,
        statuses: 0,
    }
}

/// Where somebody is answered who wrote from this address: there, or by mail where nobody can be reached there.
fn own_address(seat: &SeatRecord, from: &Address, reaches: bool) -> Option<Address> {
    let same = seat.addresses.iter().find(|own| own.address == from.address && own.carrier == from.carrier);
    same.filter(|_| reaches).or(seat.mailbox(Role::Player)).cloned()
}

/// Whether a player's post in public is meant for us: it calls us, has a code block, or begins with an order. A bare `ok` is
/// what people say to each other.
fn is_orders(words: &PostWords, lines: &[Line]) -> bool {
    let readings = |line: &Line| line.pieces.iter().map(|piece| piece.reading.clone()).collect::<Vec<_>>();
    let is_order = |reading: &Reading| match reading {
        Reading::Written(written) => *written != Written::Ok,
        Reading::Quoted | Reading::Remark | Reading::Fault(_) | Reading::Press | Reading::Beyond(_) => false,
    };
    let is_any = |reading: &Reading| matches!(reading, Reading::Written(_) | Reading::Fault(_));
    if words.in_code || words.mentions_us {
        lines.iter().flat_map(readings).any(|reading| is_any(&reading))
    } else {
        let mut said = lines.iter().filter(|line| !line.text.trim().is_empty());
        said.next().is_some_and(|first| readings(first).iter().any(is_order))
    }
}

/// Whether something in a line speaks of the sheet.
fn has_orders(line: &Line) -> bool {
    line.pieces.iter().any(|piece| match &piece.reading {
        Reading::Written(written) => match written {
            Written::Orders(_) | Written::Always(_) | Written::Undo { .. } => true,
            Written::UndoAlways { .. } | Written::Clear { .. } | Written::Choice { .. } => true,
            Written::Proposal(_) => true,
            Written::Ok | Written::Waits { .. } | Written::Press(_) | Written::Held(_) | Written::Send => false,
            Written::Question(_) | Written::Timing(_) => false,
        },
        Reading::Quoted | Reading::Remark | Reading::Fault(_) | Reading::Press | Reading::Beyond(_) => false,
    })
}

/// What of a letter has worked at once.
fn worked(lines: &[Line]) -> Vec<Written> {
    let written = lines.iter().flat_map(|line| &line.pieces).filter_map(|piece| match &piece.reading {
        Reading::Written(written) => Some(written),
        Reading::Quoted | Reading::Remark | Reading::Fault(_) | Reading::Press | Reading::Beyond(_) => None,
    });
    let works = |written: &&Written| match written {
        Written::Press(_) | Written::Held(_) | Written::Send | Written::Timing(_) => true,
        Written::Orders(orders) => orders.iter().any(|order| order.phase() == Some(crate::game::Phase::Trade)),
        Written::Ok
        | Written::Proposal(_)
        | Written::Waits { .. }
        | Written::Undo { .. }
        | Written::Always(_)
        | Written::UndoAlways { .. }
        | Written::Clear { .. }
        | Written::Question(_)
        | Written::Choice { .. } => false,
    };
    written.filter(works).cloned().collect()
}

/// Whether a text is a moderator's command.
fn is_command(text: &str, lexicon: &Lexicon) -> bool {
    matches!(commanding::read(text, lexicon), Some(Ok(_)))
}
