//! Somebody's mail program asks for no more letters: with the link that stands in the head of each of ours.
//!
//! A seat cannot be left by a button, for others play with whoever has it. So the moderator is told, and who asked is told
//! what can be done. The link admits this and nothing else; pressed again it changes nothing that day.

use minijinja::context;

use crate::archive::{DispatchKind, Fate, Party, SeatId, Settled, Status};
use crate::desk::house::slug;
use crate::desk::incoming::identity::is_doubted;
use crate::desk::incoming::naming::leaving;
use crate::desk::incoming::opened::Opened;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::post::letter::{Kind, Letter};
use crate::report::letters::Content;

impl Desk {
    /// Takes a letter up that a program has sent to the link; none where it is another.
    pub(in crate::desk) fn take_leaving(
        &mut self,
        opened: &Opened,
        letter: &Letter,
    ) -> Result<Option<Settled>, DeskError> {
        match letter.kind {
            // It is a machine that writes.
            Kind::Letter | Kind::AutoReply | Kind::List => {}
            Kind::Bounce | Kind::Loop => return Ok(None),
        }
        let Some(of) = self.leaves(opened, letter)? else { return Ok(None) };
        let table = self.table(&of.game)?.clone();
        let party = of.party;
        let name = slug(&table.edition.printed, party);
        let about = format!("leave-{name}-{}", opened.now.timestamp() / 86_400);
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("asks for no more letters"));
        let from = opened.sender().to_owned();
        let mut sitting = Sitting::new(&self.house, &table, opened.now);
        let known = table.seat(party).and_then(|seat| seat.addresses.iter().find(|known| known.address == from));
        let key = match party {
            Party::Moderator => "leave_moderator",
            Party::Seat(_) | Party::Public => "leave_player",
        };
        let line = sitting.say(party, key, context! {});
        let envelope = Envelope {
            kind: DispatchKind::Announcement,
            about: about.clone(),
            in_reply_to: opened.writing.message_id.as_deref(),
            to: known,
        };
        sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
        if party != Party::Moderator && table.game.status != Status::Ended {
            let player = table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
            let line = sitting.say(Party::Moderator, "leave_told", context! { player });
            let envelope =
                Envelope { kind: DispatchKind::Moderation, about: format!("{about}.told"), ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
        }
        // Pressed twice it was told already; and whatever answers by itself is not answered for ever.
        let mut new = Vec::new();
        for dispatch in std::mem::take(&mut sitting.deed.dispatches) {
            if !self.archive.has_written(&dispatch)? {
                new.push(dispatch);
            }
        }
        sitting.deed.dispatches = new;
        sitting.deed.letters.push(status);
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, opened.record.id).map(Some)
    }

    /// The seat whose link it is, if the letter came from the address that the link was given to.
    fn leaves(&self, opened: &Opened, letter: &Letter) -> Result<Option<SeatId>, DeskError> {
        let carrier = self.house.carrier(&opened.record.carrier);
        let secrets = leaving(letter, carrier.address.as_str());
        let from = opened.sender();
        if secrets.is_empty() || self.house.settings.is_own(from) || is_doubted(letter, carrier, from) {
            return Ok(None);
        }
        let seats = self.archive.seats_at(from)?;
        Ok(seats.into_iter().find(|of| secrets.contains(&self.house.leave_secret(of, from))))
    }
}
