//! The window of the order page: browsers ask here what their seat may know, and bring what they write.
//!
//! Comes in: questions from the web's threads, a few at a time and between letters. Goes out: what a seat may know, as an
//! immutable whole, made when somebody first asks after a change. Nobody at the window sees the archive or a true state.

mod entering;
mod moderating;
mod past;
mod public;
mod publishing;

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};

use crate::archive::{DeviceRecord, Party, Role, SeatId};
use crate::desk::house::slug;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::post::writing::PageForm;
use crate::report::page::Standings;
use crate::rules::Language;
use crate::web::Words;
use crate::web::window::{Answer, Ask, Browser, Fate, Hatch, MODERATOR, Seat, Spot, Window, window};

/// So many questions are answered between two letters.
const AT_ONCE: usize = 32;
/// So often it is noted that a browser was here.
const SEEN: Duration = Duration::hours(20);

/// How everybody stood turn by turn; until which era and turn that is, and whether that was the last.
type Curves = ((u32, u16, bool), Arc<Vec<Standings>>);

/// The window, as the desk has it.
pub(in crate::desk) struct Open {
    hatch: Hatch,
    /// What was told of seats, and of which version of their game.
    told: HashMap<SeatId, (u64, Arc<Seat>)>,
    /// How everybody stood turn by turn, and until which era and turn that is.
    standings: HashMap<GameId, Curves>,
    /// What was told of games that everybody may watch, and which those are.
    watched: public::Watching,
    shown: public::Shown,
    /// Games that have changed since somebody last asked.
    touched: BTreeSet<GameId>,
    /// A seat that its link opens at once.
    opens: Option<SeatId>,
}

/// A browser at a seat that it has.
struct Here {
    device: DeviceRecord,
    /// For how long; none until something changes.
    good_for: Option<std::time::Duration>,
}

impl Desk {
    /// Opens the window; whoever has it may ask.
    pub fn open_window(&mut self) -> Window {
        let (window, hatch) = window();
        self.window = Some(Open {
            hatch,
            told: HashMap::new(),
            standings: HashMap::new(),
            watched: public::Watching::default(),
            shown: public::Shown::default(),
            touched: BTreeSet::new(),
            opens: None,
        });
        window
    }

    /// The words for those of whom nobody knows whose seat they have.
    pub fn page_words(&self) -> Words {
        let edition = &self.house.edition;
        Words {
            english: Arc::clone(edition.shared_templates(Language::English)),
            polish: Arc::clone(edition.shared_templates(Language::Polish)),
            usual: self.house.settings.language,
        }
    }

    /// From now on the link of a seat opens it at once: there is no mailbox to confirm it with. For a demonstration on
    /// somebody's own machine. Says what the link has in it.
    ///
    /// # Errors
    /// There is no such game.
    pub fn open_at_once(&mut self, game: &GameId, party: Party) -> Result<String, DeskError> {
        if let Some(window) = &mut self.window {
            window.opens = Some(SeatId { game: game.clone(), party });
        }
        let table = self.table(game)?.clone();
        Ok(self.house.link_of(&table, party, Role::Player))
    }

    /// How the desk is woken when somebody asks.
    pub(crate) fn wake_by(&self, knock: impl Fn() + Send + 'static) {
        if let Some(window) = &self.window {
            window.hatch.board().wake_by(knock);
        }
    }

    /// A game has changed: what was told of it is old.
    pub(in crate::desk) fn touch(&mut self, game: &GameId) {
        if let Some(window) = &mut self.window {
            window.touched.insert(game.clone());
        }
    }

    /// Lets the other side of the window know what is old. Whatever is told after this is newer.
    fn tell_touched(&mut self) {
        let Some(window) = &mut self.window else { return };
        for game in std::mem::take(&mut window.touched) {
            window.told.retain(|told, _| told.game != game);
            window.hatch.board().touch(&game);
        }
    }

    /// Answers those who wait at the window, a few of them. Says how many. What they are told is written down by then.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn attend(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        self.tell_touched();
        for count in 0..AT_ONCE {
            let Some(ask) = self.window.as_ref().and_then(|window| window.hatch.next()) else { return Ok(count) };
            match catch_unwind(AssertUnwindSafe(|| self.answer_at_window(ask, now))) {
                Ok(Err(error)) if error.is_of_everything() => return Err(error),
                Ok(Err(error)) => tracing::error!("the order page could not be answered, by a bug of ours: {error}"),
                Ok(Ok(())) => {}
                Err(_) => tracing::error!("a question of the order page panicked"),
            }
        }
        Ok(AT_ONCE)
    }

    /// Answers one. Whoever has gone meanwhile does not hear it.
    fn answer_at_window(&mut self, ask: Ask, now: DateTime<Utc>) -> Result<(), DeskError> {
        match ask {
            Ask::Look { browser, spot, answer } => {
                let look = self.look_at_seat(&browser, &spot, now)?;
                let _ = answer.send(look);
            }
            Ask::Seats { browser, answer } => {
                let places = self.places_of(&browser, now)?;
                let _ = answer.send(places);
            }
            Ask::Follow { link, browser, answer } => {
                let followed = self.follow(&link, &browser, now)?;
                let _ = answer.send(followed);
            }
            Ask::SendCode { link, browser, name, answer } => {
                let coded = self.send_code(&link, browser, name, now)?;
                let _ = answer.send(coded);
            }
            Ask::Confirm { link, browser, code, answer } => {
                let confirmed = self.confirm_code(&link, &browser, &code, now)?;
                let _ = answer.send(confirmed);
            }
            Ask::Bring { browser, form, answer } => {
                let brought = self.bring(&browser, form, now)?;
                let _ = answer.send(brought);
            }
            Ask::Told { browser, spot, form, answer } => {
                let fate = self.fate_of_form(&browser, &spot, &form, now)?;
                let _ = answer.send(fate);
            }
            Ask::Past { browser, spot, answer } => {
                let past = self.past_of(&browser, &spot, now)?;
                let _ = answer.send(past);
            }
            Ask::Then { browser, spot, era, turn, answer } => {
                let then = self.then(&browser, &spot, (era, turn), now)?;
                let _ = answer.send(then);
            }
            Ask::Letter { browser, spot, number, answer } => {
                let letter = match self.here(&browser, &spot, now)? {
                    Some(here) => self.archive.letter_of(&spot.game, here.device.party, number)?,
                    None => None,
                };
                let _ = answer.send(letter);
            }
            Ask::Public(ask) => self.answer_public(ask, now)?,
            Ask::Moderated { browser, game, answer } => {
                let moderated = self.moderated(&browser, &game, now)?;
                let _ = answer.send(moderated);
            }
            Ask::Moderates { browser, answer } => {
                let moderates = self.moderates(&browser, now)?;
                let _ = answer.send(moderates);
            }
            Ask::Leave { browser, spot, answer } => {
                if let Some(here) = self.here(&browser, &spot, now)? {
                    self.archive.drop_device(&here.device)?;
                    self.touch(&spot.game);
                    self.tell_touched();
                }
                let _ = answer.send(());
            }
        }
        Ok(())
    }

    /// The browser at this seat, if it has it.
    fn here(&mut self, browser: &Browser, spot: &Spot, now: DateTime<Utc>) -> Result<Option<Here>, DeskError> {
        let moderates = spot.seat == MODERATOR;
        let Some(device) = self.archive.device(browser, &spot.game, moderates)? else { return Ok(None) };
        let table = self.table(&spot.game)?;
        if slug(&table.edition.printed, device.party) != spot.seat {
            return Ok(None);
        }
        let good_for = match device.absence {
            None => None,
            // A deputy's ends with the absence, and another absence is another.
            Some(since) => {
                let is_it = |away: &&crate::archive::Absence| {
                    away.party == device.party && away.since.timestamp_millis() == since.timestamp_millis()
                };
                let away = table.absences.iter().find(is_it).filter(|away| away.until.is_none_or(|until| now < until));
                let has_deputy = table.seat(device.party).is_some_and(|seat| seat.mailbox(Role::Deputy).is_some());
                let Some(away) = away.filter(|_| has_deputy) else {
                    self.archive.drop_device(&device)?;
                    return Ok(None);
                };
                away.until.and_then(|until| (until - now).to_std().ok())
            }
        };
        if now - device.seen > SEEN {
            self.archive.note_seen(&device, now)?;
        }
        Ok(Some(Here { device, good_for }))
    }

    /// Remembers a form of a browser that has the seat.
    fn bring(&mut self, browser: &Browser, form: PageForm, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let spot = Spot { game: form.game.as_str().into(), seat: form.seat.clone() };
        let Some(here) = self.here(browser, &spot, now)? else { return Ok(false) };
        let form = PageForm { deputy: here.device.absence.is_some(), ..form };
        Desk::hand_in_form(&self.archive, &form, now)?;
        Ok(true)
    }

    /// What became of a form.
    fn fate_of_form(
        &mut self,
        browser: &Browser,
        spot: &Spot,
        form: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Fate>, DeskError> {
        let Some(here) = self.here(browser, spot, now)? else { return Ok(None) };
        if let Some(answer) = self.archive.page_answer(&spot.game, here.device.party, form)? {
            return Ok(Some(Fate::Answered(Answer { told: answer.told, text: answer.words })));
        }
        let mark = PageForm::mark_of(spot.game.as_str(), &spot.seat, form);
        Ok(Some(match self.archive.letter_waits(crate::desk::incoming::pages::PAGE, &mark)? {
            None => Fate::Unknown,
            Some(true) => Fate::Waits,
            Some(false) => Fate::Aside,
        }))
    }
}
