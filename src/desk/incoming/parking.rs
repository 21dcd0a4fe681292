//! Letters whose sender is not proved: they wait, and a known address is asked whether they are the sender's.
//!
//! The question shows what waits and what `ok` would do, for whoever agrees must know to what. Only a bare yes counts,
//! and only a bare no drops the letter; whatever else is said in reply is a letter like any other, and the question
//! stays open.

use chrono::Duration;
use minijinja::context;

use crate::archive::{
    Address, DispatchKind, Fate, LetterRecord, OurLetter, Parked, Party, Proof, Role, SeatId, Settled,
};
use crate::desk::clock::moment::moment;
use crate::desk::incoming::addresses;
use crate::desk::incoming::aside::{Aside, Why};
use crate::desk::incoming::identity::answered;
use crate::desk::incoming::naming::unmarked;
use crate::desk::incoming::opened::Opened;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError, Table};
use crate::orders::Reply;
use crate::post::Incoming;
use crate::report::letters::{Content, shown};

/// So many questions about one seat are asked in an hour: whoever writes in somebody's name must not fill their
/// mailbox.
const MOST_QUESTIONS: u32 = 10;

impl Desk {
    /// Parks a letter and asks the known address whether it is the player's.
    pub(in crate::desk) fn park(&mut self, opened: &Opened, of: SeatId) -> Result<Settled, DeskError> {
        let asked = self.archive.parked_for(&of, opened.record.arrived - Duration::hours(1))?;
        if asked >= MOST_QUESTIONS && !opened.record.released {
            let aside = Aside {
                record: opened.record,
                why: Why::TooManyUnproved(MOST_QUESTIONS),
                sender: opened.sender().to_owned(),
                of: Some(of),
                proof: opened.proof,
            };
            return self.set_aside(aside, opened.now);
        }
        let SeatId { game: id, party } = of.clone();
        self.table(&id)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[&id], opened.now);
        let from = opened.sender().to_owned();
        let is_away = sitting.table.is_away(party, opened.record.arrived.min(opened.now));
        let known = sitting.table.seat(party).and_then(|seat| {
            // The address that wrote without a secret is asked itself, a deputy's while the player is away; else the first.
            let may_answer = |known: &&Address| known.role == Role::Player || is_away;
            let same = seat.addresses.iter().filter(may_answer).find(|known| known.address == from);
            same.or(seat.mailbox(Role::Player)).cloned()
        });
        let Some(known) = known else {
            let status = opened.fate(Fate::Aside, Some(of), Some("no known address to ask"));
            return self.settle(status);
        };
        let arrived = moment(opened.record.arrived, sitting.table.zone(party));
        let content = Content::Parked {
            sender: &from,
            arrived: &arrived,
            subject: &unmarked(&opened.writing.subject),
            words: &opened.writing.text,
            adds: may_be_added(&sitting, party, &from),
            commands: party == Party::Moderator,
        };
        let envelope =
            Envelope { kind: DispatchKind::Parked, about: opened.key(), to: Some(&known), ..Envelope::default() };
        sitting.write(party, envelope, &content);
        let question = sitting.deed.dispatches.last().map(|new| new.dispatch.message_id.clone()).unwrap_or_default();
        sitting.deed.letters.push(opened.fate(Fate::Parked, Some(of.clone()), None));
        sitting.deed.waiting.parked.push(Parked { letter: opened.record.id, of, sender: from, question });
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, opened.record.id)
    }

    /// A known address answers whether a parked letter is the player's. The player's answer is settled last: after an
    /// accident it is taken up again, and finds what was done already.
    pub(in crate::desk) fn confirm(
        &mut self,
        opened: &Opened,
        of: SeatId,
        address: &Address,
        answers: &OurLetter,
        says: Reply,
    ) -> Result<Settled, DeskError> {
        let asked = self.archive.asked_about(&answers.message_id)?;
        let told = match (asked, says) {
            (Some((parked, Fate::Parked)), Reply::Yes) => {
                if let Some(record) = self.archive.letter(parked.letter)? {
                    let _: Settled = self.read_parked(opened, of.clone(), answers, parked, &record)?;
                }
                None
            }
            (Some((parked, Fate::Parked)), Reply::No) => return self.drop_parked(opened, of, address, &parked),
            // Said twice it changes nothing; said otherwise it comes too late.
            (Some((_, Fate::Handled)), Reply::No) => Some("parked_was_read"),
            (Some((_, Fate::Aside | Fate::Ignored)), Reply::Yes) => Some("parked_was_dropped"),
            (Some(_) | None, Reply::Yes | Reply::No | Reply::Other) => None,
        };
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("about a parked letter"));
        match told {
            Some(key) => self.sit_about(&of.game, opened.now, status, |sitting| {
                tell(sitting, opened, of.party, address, key);
            }),
            None => self.settle(status),
        }
    }

    /// A parked letter is nobody's: it is kept as evidence, and never read.
    fn drop_parked(
        &mut self,
        opened: &Opened,
        of: SeatId,
        address: &Address,
        parked: &Parked,
    ) -> Result<Settled, DeskError> {
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("about a parked letter"));
        let dropped = crate::archive::LetterStatus {
            id: parked.letter,
            fate: Fate::Ignored,
            sender: parked.sender.clone(),
            of: Some(of.clone()),
            remark: Some("the known address says that it is not theirs".to_owned()),
            proof: None,
        };
        self.sit_about(&of.game, opened.now, status, |sitting| {
            sitting.deed.letters.push(dropped);
            tell(sitting, opened, of.party, address, "parked_dropped");
        })
    }

    /// Reads a letter that was parked and is confirmed.
    fn read_parked(
        &mut self,
        opened: &Opened,
        of: SeatId,
        answers: &OurLetter,
        parked: Parked,
        record: &LetterRecord,
    ) -> Result<Settled, DeskError> {
        let SeatId { game: id, party } = of.clone();
        // The player's address is known from now on, and the letter counts as of now.
        self.sit(&id, opened.now, |sitting| {
            if may_be_added(sitting, party, &parked.sender) {
                let (carrier, address) = (record.carrier.clone(), parked.sender.clone());
                addresses::add(sitting, party, Address { carrier, address, role: Role::Player }, &opened.key());
            }
        })?;
        let incoming = match self.open(record)? {
            Ok(incoming) => incoming,
            Err(broken) => {
                let (why, proof) = (Why::Broken(broken), Some(Proof::Unproved));
                let aside = Aside { record, why, sender: parked.sender, of: Some(of), proof };
                return self.set_aside(aside, opened.now);
            }
        };
        let mut confirmed = Opened::new(record, incoming.writing(), opened.now);
        // Nobody has agreed to what the player was not shown.
        let (words, is_cut) = shown(&confirmed.writing.text);
        if is_cut {
            confirmed.writing.text = words.join("\n");
        }
        // Whoever confirmed it is proved; the letter itself never was, and counts among its like.
        confirmed.proof = Some(Proof::Unproved);
        let table = self.table(&id)?;
        let address = table.seat(party).and_then(|seat| {
            seat.addresses.iter().find(|known| known.address == parked.sender).or(seat.mailbox(Role::Player)).cloned()
        });
        let Some(address) = address else {
            let status = confirmed.fate(Fate::Aside, Some(of), Some("no known address to answer"));
            return self.settle(status);
        };
        // It speaks of the phase of the letter it answers; where it answers none, of the one in which it was parked.
        let carrier = self.house.carrier(&record.carrier);
        let named = match &incoming {
            Incoming::Mail(letter) => answered(&self.archive, letter, carrier)?,
            Incoming::Post(_) | Incoming::Door(_) | Incoming::Web(_) => None,
        };
        let answers = match named {
            Some(own) if own.kind != DispatchKind::Parked && own.of.as_ref() == Some(&of) => own,
            Some(_) | None => OurLetter { kind: DispatchKind::Report, ..answers.clone() },
        };
        self.read(&confirmed, of, &address, &answers)
    }
}

/// Whether an address may become one of this seat: never that of another seat of the game, whoever says `ok` to it, nor ours.
fn may_be_added(sitting: &Sitting, party: Party, address: &str) -> bool {
    let Table { seats, .. } = &sitting.table;
    !seats.iter().any(|seat| seat.knows(address))
        && seats.iter().any(|seat| seat.party == party)
        && !sitting.house.settings.is_own(address)
}

fn tell(sitting: &mut Sitting, opened: &Opened, party: Party, address: &Address, key: &str) {
    let line = sitting.say(party, key, context! {});
    let in_reply_to = opened.writing.message_id.as_deref();
    let envelope = Envelope { kind: DispatchKind::Announcement, about: opened.key(), in_reply_to, to: Some(address) };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
}
