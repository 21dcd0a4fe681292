//! Forms of the order page come in: lines from somebody who has shown to the page whose seat the person has.

use chrono::{DateTime, Utc};

use crate::archive::{Archive, LetterRecord, NewLetter, OurLetter, Party, Proof, Role, SeatId, Settled};
use crate::desk::house::slug;
use crate::desk::incoming::aside::{Aside, Why};
use crate::desk::incoming::opened::Opened;
use crate::desk::{Desk, DeskError};
use crate::game::{GameId, Phase, TurnPhase};
use crate::post::Form;
use crate::post::writing::PageForm;

/// The carrier of what the order page sends.
pub(in crate::desk) const PAGE: &str = "web";

impl Desk {
    /// Hands in a form of the order page; says whether it is new. Sent twice it is one, whatever the second has in it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn hand_in_form(archive: &Archive, form: &PageForm, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let raw = form.raw();
        let letter = NewLetter {
            carrier: PAGE,
            form: Form::Web,
            message_id: &form.mark(),
            hash: "",
            arrived: now,
            queue: &form.game,
            raw: &raw,
            size: raw.len(),
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
            return self.set_aside(Aside::nobodys(record, Why::NoSuchGame), now);
        }
        let table = self.table(&game)?;
        let is_meant = |party: Party| party != Party::Public && slug(&table.edition.printed, party) == form.seat;
        let seat = table.seats.iter().find(|seat| is_meant(seat.party));
        let role = if form.deputy { Role::Deputy } else { Role::Player };
        let Some((party, address)) = seat.and_then(|seat| Some((seat.party, seat.mailbox(role)?.clone()))) else {
            return self.set_aside(Aside::nobodys(record, Why::NoSuchSeat), now);
        };
        let of = SeatId { game, party };
        let mut opened = Opened::new(record, form.writing(), now);
        opened.proof = Some(Proof::Proved);
        opened.form = Some(form.id.clone());
        let mark = |id: &String| PageForm::mark_of(&form.game, &form.seat, id);
        opened.agrees_to = form.answers.as_ref().map(mark);
        if let Some(ends) = self.limit(&opened, Proof::Proved)? {
            return self.turn_away(&opened, Some(of), Some(&address), ends);
        }
        // What the page showed when it was written may have been ruled meanwhile.
        let (asks, era) = form.seen.as_deref().and_then(seen).unzip();
        let unasked = self.unasked(&of)?;
        let answers = OurLetter { asks: asks.or(unasked.asks), era: era.unwrap_or(unasked.era), ..unasked };
        self.read(&opened, of, &address, &answers)
    }
}

/// The phase that a page showed, and the era: `0.4.movement.…`, as `web::window::Seat::revision` writes it.
fn seen(revision: &str) -> Option<(TurnPhase, u32)> {
    let mut pieces = revision.split('.');
    let (era, turn, phase) = (pieces.next()?, pieces.next()?, pieces.next()?);
    Some((TurnPhase::new(turn.parse().ok()?, Phase::named(phase)?), era.parse().ok()?))
}
