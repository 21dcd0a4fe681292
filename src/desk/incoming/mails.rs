//! Mails come in: whether a person wrote them, whose they are, and what of ours came back.

use chrono::{DateTime, Utc};
use minijinja::context;

use crate::archive::{Deed, Departed, DispatchKind, Fate, LetterRecord, OurLetter, Party, Proof, SeatId, Settled};
use crate::desk::house::own_host;
use crate::desk::incoming::aside::{Aside, Why};
use crate::desk::incoming::identity::{Identity, identify};
use crate::desk::incoming::naming::returned;
use crate::desk::incoming::opened::Opened;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::post::letter::{Kind, Letter};
use crate::report::letters::Content;

impl Desk {
    /// Takes a mail up.
    pub(in crate::desk) fn take_mail(
        &mut self,
        record: &LetterRecord,
        letter: &Letter,
        now: DateTime<Utc>,
    ) -> Result<Settled, DeskError> {
        let mut opened = Opened::new(record, letter.writing(), now);
        opened.proof = match letter.kind {
            Kind::Letter => None,
            Kind::Bounce | Kind::AutoReply | Kind::List | Kind::Loop => Some(Proof::Machine),
        };
        if let Some(settled) = self.take_leaving(&opened, letter)? {
            return Ok(settled);
        }
        match letter.kind {
            Kind::Letter => {}
            Kind::Bounce => return self.bounced(&opened, letter),
            Kind::AutoReply | Kind::List | Kind::Loop => {
                let status = opened.fate(Fate::Ignored, None, Some(kind_name(letter.kind)));
                return self.settle(status);
            }
        }
        if self.house.settings.is_own(opened.sender()) {
            // Whoever writes in our name is nobody, whatever else the player knows.
            let status = opened.fate(Fate::Ignored, None, Some("in our own name"));
            return self.settle(status);
        }
        let carrier = self.house.carrier(&record.carrier).clone();
        let archive = &self.archive;
        let at = record.arrived.min(now);
        let sender = identify(archive, letter, &carrier, at)?;
        if let Some((visitor, said)) = self.club_mail(letter, &carrier, &sender)? {
            return self.take_club(&mut opened, &visitor, said);
        }
        let proof = match sender {
            Identity::Proved { .. } | Identity::Tapped { .. } => Proof::Proved,
            Identity::Unproved { .. } | Identity::Ambiguous { .. } | Identity::Nobody => Proof::Unproved,
        };
        opened.proof = Some(proof);
        let limit = self.limit(&opened, proof)?;
        // Its sender has become known since: what was written is not there to be read.
        if record.is_cut() && sender != Identity::Nobody {
            let (why, sender) = (Why::Cut, opened.sender().to_owned());
            return self.set_aside(Aside { record, why, sender, of: None, proof: Some(proof) }, now);
        }
        match (sender, limit) {
            (Identity::Proved { of, address, .. } | Identity::Tapped { of, address, .. }, Some(ends)) => {
                self.turn_away(&opened, Some(of), Some(&address), ends)
            }
            (Identity::Unproved { of } | Identity::Ambiguous { of }, Some(ends)) => {
                self.turn_away(&opened, Some(of), None, ends)
            }
            (Identity::Proved { of, address, answers }, None) => self.read(&opened, of, &address, &answers),
            (Identity::Tapped { of, address, answers, tapped }, None) => {
                opened.tapped = Some(tapped);
                self.read(&opened, of, &address, &answers)
            }
            (Identity::Unproved { of }, None) => self.park(&opened, of),
            (Identity::Ambiguous { of }, None) => self.ask_which(&opened, of, None),
            (Identity::Nobody, _) => {
                let status = opened.fate(Fate::Stranger, None, Some("nobody we know"));
                self.settle(status)
            }
        }
    }

    /// A letter of ours came back: it is noted, and the moderator of its game is told.
    fn bounced(&mut self, opened: &Opened, letter: &Letter) -> Result<Settled, DeskError> {
        let mut status = opened.fate(Fate::Ignored, None, Some("a bounce"));
        if is_delay(&opened.record.raw) {
            status.remark = Some("a letter of ours is late".to_owned());
            return self.settle(status);
        }
        let carrier = self.house.carrier(&opened.record.carrier);
        let host = own_host(carrier);
        let mut about = None;
        let came_to = returned(letter, carrier.address.as_str()).into_iter().map(|id| format!("{id}@{host}"));
        for id in came_to.chain(ids_within(&opened.record.raw, &host)) {
            // What has not left cannot come back, whoever says so; and who has not seen a letter cannot know its id.
            if self.archive.was_sent(&id)? {
                about = self.archive.written(&id)?.filter(OurLetter::is_sealed).or(about);
            }
        }
        let Some(answered) = about else {
            return self.settle(status);
        };
        status.of = answered.of.clone();
        let lost = Departed::lost(&answered.message_id, "it came back");
        match answered.of {
            Some(SeatId { game: id, party }) => self.sit_about(&id, opened.now, status, |sitting| {
                sitting.deed.sent = lost;
                tell_undeliverable(sitting, party, &opened.key(), "bounced");
            }),
            None => {
                let deed = Deed { letters: vec![status], sent: lost, ..Deed::default() };
                Ok(self.archive.settle(&deed, opened.record.id)?)
            }
        }
    }
}

/// Tells the moderator that somebody is not reached.
pub(in crate::desk) fn tell_undeliverable(sitting: &mut Sitting, party: Party, about: &str, why: &'static str) {
    if party == Party::Moderator {
        return;
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
    let line = sitting.say(Party::Moderator, why, context! { player => player });
    let envelope = Envelope { kind: DispatchKind::Moderation, about: format!("{about}.{why}"), ..Envelope::default() };
    sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
}

/// Whether a server says only that it is still trying (RFC 3464).
fn is_delay(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw).to_lowercase();
    let actions = text.lines().filter_map(|line| line.strip_prefix("action:")).map(str::trim);
    let mut actions = actions.peekable();
    actions.peek().is_some() && actions.all(|action| ["delayed", "delivered", "relayed", "expanded"].contains(&action))
}

/// The ids of ours that stand somewhere in a letter.
fn ids_within(raw: &[u8], host: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut ids: Vec<String> = Vec::new();
    for piece in text.split('<').skip(1) {
        if let Some((id, _)) = piece.split_once('>')
            && id.len() < 200
            && id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
        {
            ids.push(id.to_owned());
        }
    }
    ids
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Letter => "a letter",
        Kind::AutoReply => "an automatic answer",
        Kind::Bounce => "a bounce",
        Kind::List => "of a mailing list",
        Kind::Loop => "our own",
    }
}
