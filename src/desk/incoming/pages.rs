//! Forms of the order page come in: lines from somebody who has shown to the page whose seat he has.

use chrono::{DateTime, Utc};

use crate::archive::{Archive, LetterRecord, NewLetter, Party, Proof, Role, SeatId, Settled};
use crate::desk::house::slug;
use crate::desk::incoming::aside::Aside;
use crate::desk::incoming::opened::Opened;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::post::Form;
use crate::post::writing::PageForm;

/// The carrier of what the order page sends.
const PAGE: &str = "web";

impl Desk {
    /// Hands in a form of the order page; says whether it is new. Sent twice it is one, whatever the second has in it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn hand_in_form(archive: &Archive, form: &PageForm, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let letter = NewLetter {
            carrier: PAGE,
            form: Form::Web,
            message_id: &form.mark(),
            hash: "",
            arrived: now,
            queue: &form.game,
            raw: &form.raw(),
        };
        Ok(archive.remember(&[letter], now)? > 0)
    }

    /// Takes a form of the order page up. Its seat is proved, and is answered like any other where it is written to.
    pub(in crate::desk) fn take_page_form(
        &mut self,
        record: &LetterRecord,
        form: &PageForm,
        now: DateTime<Utc>,
    ) -> Result<Settled, DeskError> {
        let game = GameId::from(form.game.as_str());
        if self.archive.game(&game)?.is_none() {
            return self.set_aside(Aside::nobodys(record, "there is no such game"), now);
        }
        let table = self.table(&game)?;
        let is_meant = |party: Party| party != Party::Public && slug(&table.edition.printed, party) == form.seat;
        let seat = table.seats.iter().find(|seat| is_meant(seat.party));
        let Some((party, address)) = seat.and_then(|seat| Some((seat.party, seat.mailbox(Role::Player)?.clone())))
        else {
            return self.set_aside(Aside::nobodys(record, "nobody has that seat"), now);
        };
        let of = SeatId { game, party };
        let mut opened = Opened::new(record, form.writing(), now);
        opened.proof = Some(Proof::Proved);
        if let Some(ends) = self.limit(&opened, Proof::Proved)? {
            return self.turn_away(&opened, Some(of), Some(&address), ends);
        }
        let answers = self.unasked(&of)?;
        self.read(&opened, of, &address, &answers)
    }
}
