//! What a seat may know, as its page needs it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::archive::{Party, SeatId, Status};
use crate::desk::clock::moment::moment;
use crate::desk::house::slug;
use crate::desk::{Desk, DeskError};
use crate::game::{Known, Reader};
use crate::report::Names;
use crate::rules::Civ;
use crate::web::window::{Browser, Look, OwnSeat, Seat, SeatGame, Spot, Standing};

impl Desk {
    /// A seat as a browser that has it may see it.
    pub(super) fn look_at_seat(
        &mut self,
        browser: &Browser,
        spot: &Spot,
        now: DateTime<Utc>,
    ) -> Result<Option<Look>, DeskError> {
        let Some(here) = self.here(browser, spot, now)? else { return Ok(None) };
        let Party::Seat(civ) = here.device.party else { return Ok(None) };
        let key = SeatId { game: spot.game.clone(), party: here.device.party };
        let version = self.window.as_ref().map_or(0, |window| window.hatch.board().version(&spot.game));
        let told = self.window.as_ref().and_then(|window| window.told.get(&key));
        if let Some((_, seat)) = told.filter(|(told, _)| *told == version) {
            return Ok(Some(Look { seat: Arc::clone(seat), good_for: here.good_for }));
        }
        let Some(seat) = self.publish(spot, civ, now)?.map(Arc::new) else { return Ok(None) };
        if let Some(window) = &mut self.window {
            window.told.insert(key, (version, Arc::clone(&seat)));
        }
        Ok(Some(Look { seat, good_for: here.good_for }))
    }

    /// Everything that a page needs of a seat. None where its civilization has left the game.
    fn publish(&mut self, spot: &Spot, civ: Civ, now: DateTime<Utc>) -> Result<Option<Seat>, DeskError> {
        let party = Party::Seat(civ);
        let report = self.archive.last_report(&spot.game, party)?;
        let heard = self.archive.last_words(&spot.game, party)?;
        let table = self.table(&spot.game)?;
        let Some(record) = table.seat(party).filter(|_| table.state.is_seated(civ)) else { return Ok(None) };
        let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > now);
        Ok(Some(Seat {
            spot: spot.clone(),
            game: SeatGame {
                title: table.game.title.clone(),
                standing: match table.game.status {
                    Status::Inviting => Standing::Inviting,
                    Status::Running => Standing::Running,
                    Status::Paused => Standing::Paused,
                    Status::Ended => Standing::Ended,
                },
                awaited: if table.is_running() { table.owing() } else { Vec::new() },
                cut_off: cut_off.map(|cut_off| moment(cut_off, table.zone(party))),
                era: table.game.era,
                watched: table.agreed.public_page,
            },
            civ,
            known: Known::of(&table.state, Reader::Player(civ)),
            sheet: table.sheet(civ),
            seats: table.places(),
            report: report.map(|(html, text)| html.unwrap_or_else(|| as_page(&text))),
            heard,
            lexicon: Arc::clone(&table.edition.lexicon),
            templates: Arc::clone(table.edition.shared_templates(record.language)),
            drawn: Default::default(),
        }))
    }

    /// The seats of a browser, in all games.
    pub(super) fn places_of(&mut self, browser: &Browser, now: DateTime<Utc>) -> Result<Vec<OwnSeat>, DeskError> {
        let mut places = Vec::new();
        for device in self.archive.seats_of_browser(browser)? {
            let table = self.table(&device.game)?;
            let seat = slug(&table.edition.printed, device.party);
            let language = table.seat(device.party).map(|seat| seat.language).unwrap_or_default();
            let civ = match device.party {
                Party::Seat(civ) => Names::new(&table.edition.printed, language).civ(civ).to_owned(),
                Party::Moderator => table.edition.templates(language).page.say("moderator", "role"),
                Party::Public => continue,
            };
            let place = OwnSeat { title: table.game.title.clone(), civ, spot: Spot { game: device.game, seat } };
            if self.here(browser, &place.spot, now)?.is_some() {
                places.push(place);
            }
        }
        Ok(places)
    }
}

/// A letter of words alone, as HTML.
fn as_page(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    format!("<pre>{safe}</pre>")
}
