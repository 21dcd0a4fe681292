//! What a seat has behind it, as its page needs it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::archive::{OldWords, Party};
use crate::desk::clock::moment::moment;
use crate::desk::{Desk, DeskError};
use crate::game::{GameId, Known, Reader};
use crate::report::page::{OldLetter, Spoken, Standings};
use crate::web::window::{Browser, Past, Spot};

impl Desk {
    /// Letters, words and curves.
    pub(super) fn past_of(
        &mut self,
        browser: &Browser,
        spot: &Spot,
        now: DateTime<Utc>,
    ) -> Result<Option<Past>, DeskError> {
        let Some(here) = self.here(browser, spot, now)? else { return Ok(None) };
        let party = here.device.party;
        let letters = self.archive.letters_of(&spot.game, party)?;
        let standings = self.standings(&spot.game)?;
        let table = self.table(&spot.game)?;
        // What was written to somebody who sat here before is theirs, unless the group hands it over.
        let changed = table.seat(party).and_then(|seat| seat.changed_at);
        let changed = changed.filter(|_| !table.agreed.hand_over_press);
        // Whoever stands in for somebody reads what is written meanwhile, and nothing of before.
        let since = changed.max(here.device.absence);
        let (zone, era) = (table.zone(party), table.game.era);
        let words = self.archive.words_of(&spot.game, party, since)?;
        let civ = |party: Party| match party {
            Party::Seat(civ) => Some(Some(civ)),
            Party::Moderator => Some(None),
            Party::Public => None,
        };
        let spoken = |words: OldWords| {
            let (from, to) = (civ(words.writer)?, civ(words.reader)?);
            let written = moment(words.written_at, zone);
            Some(Spoken { from, to, written, text: words.text })
        };
        let letters = letters.into_iter().map(|letter| OldLetter {
            number: letter.number,
            turn: letter.turn,
            phase: letter.phase,
            subject: letter.subject,
            written: moment(letter.written_at, zone),
        });
        Ok(Some(Past {
            era,
            letters: letters.collect(),
            words: words.into_iter().filter_map(spoken).collect(),
            standings,
        }))
    }

    /// What the seat knew at the end of a turn that is over.
    pub(super) fn then(
        &mut self,
        browser: &Browser,
        spot: &Spot,
        (era, turn): (u32, u16),
        now: DateTime<Utc>,
    ) -> Result<Option<Box<Known>>, DeskError> {
        let Some(here) = self.here(browser, spot, now)? else { return Ok(None) };
        let Party::Seat(civ) = here.device.party else { return Ok(None) };
        let table = self.table(&spot.game)?.clone();
        let is_over = turn > 0 && (turn < table.state.turn() || table.state.has_ended() && turn == table.state.turn());
        if era != table.game.era || !is_over {
            return Ok(None);
        }
        let (mut state, from) = table.state_before(&self.archive, turn + 1)?;
        for (_, event) in self.archive.events_until(&spot.game, from, turn)? {
            state.apply(&event);
        }
        Ok(state.is_seated(civ).then(|| Box::new(Known::of(&state, Reader::Player(civ)))))
    }

    /// How everybody stood at the end of each turn; worked out once a turn.
    pub(super) fn standings(&mut self, game: &GameId) -> Result<Arc<Vec<Standings>>, DeskError> {
        let table = self.table(game)?.clone();
        let key = (table.game.era, table.state.turn(), table.state.has_ended());
        let kept = self.window.as_ref().and_then(|window| window.standings.get(game));
        if let Some((_, standings)) = kept.filter(|(of, _)| *of == key) {
            return Ok(Arc::clone(standings));
        }
        let mut state = crate::game::State::new(table.opening()?);
        let mut standings = Vec::new();
        for event in self.archive.events(game, 1)? {
            let turn = state.turn();
            state.apply(&event);
            if state.turn() > turn {
                standings.push(Standings::of(&Known::of(&state, Reader::Public)));
            }
        }
        // No turn follows the last.
        if state.has_ended() {
            standings.push(Standings::of(&Known::of(&state, Reader::Public)));
        }
        let standings = Arc::new(standings);
        if let Some(window) = &mut self.window {
            window.standings.insert(game.clone(), (key, Arc::clone(&standings)));
        }
        Ok(standings)
    }
}
