//! A table: one game with everything the desk knows of it, as the archive has it.

pub(crate) mod answering;
pub(in crate::desk) mod attendance;
pub(in crate::desk) mod boards;
pub(in crate::desk) mod commanding;
pub(in crate::desk) mod companions;
pub(crate) mod creating;
mod deputising;
pub mod edited;
pub mod ending;
pub(in crate::desk) mod importing;
pub(crate) mod moderating;
mod overruling;
pub(in crate::desk) mod page;
mod pressing;
mod proceeding;
mod replacing;
mod said;
pub(crate) mod sitting;
pub mod standing_in;
pub(in crate::desk) mod stopping;
pub(in crate::desk) mod timing;
pub mod voting;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::archive::{Absence, Archive, GameRecord, LinkRecord, Party, Role, SeatRecord, Status, ThreadRecord};
use crate::companions::Temperament;
use crate::desk::DeskError;
use crate::desk::clock::schedule::{Mailing, Schedule};
use crate::desk::house::{Edition, House};
use crate::desk::settings::written::Zone;
use crate::desk::table::ending::Ending;
use crate::game::{Chance, GameId, Known, Opening, Reader, Rulebook, State, TurnPhase, replay, setup, short_game};
use crate::orders::{Sheet, mailing, owed};
use crate::report::letters;
use crate::rules::{AstSide, Civ};

/// A game and everything about it.
#[derive(Clone)]
pub struct Table {
    /// As it is written down.
    pub game: GameRecord,
    /// What the group has agreed on.
    pub agreed: Agreed,
    /// The edition it is played with.
    pub edition: Arc<Edition>,
    /// Everybody, the moderator first.
    pub seats: Vec<SeatRecord>,
    pub absences: Vec<Absence>,
    pub ways: BesideMail,
    pub state: State,
    /// What is ordered this turn.
    pub sheets: BTreeMap<Civ, Sheet>,
    pub ruled: RuledSoFar,
    /// What players have proposed, the oldest first.
    pub votes: Vec<voting::Proposal>,
    /// What is known of players who do not come.
    pub missing: standing_in::Missing,
    /// What the moderator has edited and nobody has been told yet.
    pub edited: edited::Edited,
}

/// Where a game is played beside the mail.
#[derive(Debug, Clone, Default)]
pub struct BesideMail {
    /// Where it stands in forums.
    pub threads: Vec<ThreadRecord>,
    /// Links of the order page that are not as they were at first.
    pub links: BTreeMap<Party, LinkRecord>,
}

/// How far the rulings of a game go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuledSoFar {
    /// The number of the last event.
    pub last_event: u64,
    /// How many rulings the open phase has had.
    pub steps: u32,
}

/// What a group has agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreed {
    /// The key of the scenario.
    pub scenario: String,
    /// The side of the A.S.T.
    pub track: AstSide,
    /// Whether it is a short game. setup.md 7.
    #[serde(default)]
    pub short: bool,
    /// When it ends at the latest. R13.6.
    #[serde(default)]
    pub ends_after: Option<Ending>,
    pub rulebook: Rulebook,
    /// When letters are due.
    pub schedule: Schedule,
    /// Whether players may write to each other through the moderator.
    pub press: bool,
    /// Whether a decision that nobody foresaw is asked for in a further letter.
    pub further_requests: bool,
    /// Whether everybody who takes their seat is sent a practice letter.
    #[serde(default = "is_rehearsed")]
    pub rehearsal: bool,
    /// Whether orders may be posted where everybody reads them.
    #[serde(default)]
    pub public_orders: bool,
    /// Whether everybody may watch it on a page of the house. Games of earlier releases are nobody else's business.
    #[serde(default)]
    pub public_page: bool,
    /// Whether anybody whom the house knows may read the public record by mail. Those of earlier releases were not asked.
    #[serde(default)]
    pub observers: bool,
    /// Whether whoever takes a seat over is shown what was written from it and to it.
    #[serde(default)]
    pub hand_over_press: bool,
    /// How the group decides what its players propose.
    #[serde(default)]
    pub votes: voting::VoteRules,
    /// What is done where players do not come.
    #[serde(default = "standing_in::MissingRules::of_old")]
    pub missing: standing_in::MissingRules,
}

/// Games that were created before there was a rehearsal have one for whoever joins them.
fn is_rehearsed() -> bool {
    true
}

impl Table {
    /// Opens a game: its last snapshot, and what happened since.
    ///
    /// # Errors
    /// There is no such game, or what is stored cannot be read.
    pub fn open(archive: &Archive, house: &House, id: &GameId) -> Result<Table, DeskError> {
        let game = archive.game(id)?.ok_or_else(|| DeskError::NoGame(id.to_owned()))?;
        let agreed: Agreed =
            serde_json::from_str(&game.settings).map_err(|error| DeskError::Damaged(error.to_string()))?;
        let edition = house.edition_of(archive, &game.edition)?;
        let (start, from) = match archive.snapshot(id)? {
            Some(snapshot) => {
                let state = State::thaw(Arc::clone(&edition.printed), &snapshot.state);
                (state.map_err(|error| DeskError::Damaged(error.to_string()))?, snapshot.number + 1)
            }
            None => (State::new(agreed.opening(&edition)?), 1),
        };
        let state = replay(&start, &archive.events(id, from)?);
        Ok(Table {
            seats: archive.seats(id)?,
            absences: archive.absences(id)?,
            ways: BesideMail { threads: archive.threads(id)?, links: archive.links(id)?.into_iter().collect() },
            sheets: archive.sheets(id, state.turn())?.into_iter().collect(),
            ruled: RuledSoFar {
                last_event: archive.last_event(id)?,
                steps: archive.steps(id, game.era, state.turn(), state.phase())?,
            },
            votes: voting::stored(&game),
            missing: standing_in::stored(&game),
            edited: edited::stored(&game),
            game,
            agreed,
            edition,
            state,
        })
    }

    /// What was true when a turn began, or the nearest time before that the archive has; and the number of the first event
    /// behind it.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub fn state_before(&self, archive: &Archive, turn: u16) -> Result<(State, u64), DeskError> {
        let Some(snapshot) = archive.snapshot_before(&self.game.id, turn)? else {
            return Ok((State::new(self.opening()?), 1));
        };
        let state = State::thaw(Arc::clone(&self.edition.printed), &snapshot.state);
        Ok((state.map_err(|error| DeskError::Damaged(error.to_string()))?, snapshot.number + 1))
    }

    /// What the game began with.
    ///
    /// # Errors
    /// Its edition has no such scenario.
    pub fn opening(&self) -> Result<Opening, DeskError> {
        self.agreed.opening(&self.edition)
    }

    /// The seed of all chance.
    pub fn chance(&self) -> Chance {
        Chance::new(self.game.seed)
    }

    /// The turn and the phase that is open.
    pub fn phase(&self) -> TurnPhase {
        self.state.turn_phase()
    }

    /// Whether it is played now.
    pub fn is_running(&self) -> bool {
        self.game.status == Status::Running
    }

    /// Who sits there, where anybody does.
    pub fn seat(&self, party: Party) -> Option<&SeatRecord> {
        self.seats.iter().find(|seat| seat.party == party)
    }

    /// Somebody's seat, to be changed.
    pub(crate) fn seat_mut(&mut self, party: Party) -> Option<&mut SeatRecord> {
        self.seats.iter_mut().find(|seat| seat.party == party)
    }

    /// The thread of somebody in a forum.
    pub(crate) fn thread(&self, party: Party, carrier: &str) -> Option<&ThreadRecord> {
        self.ways.threads.iter().find(|thread| thread.party == party && thread.carrier == carrier)
    }

    /// The link of somebody's seat.
    pub fn link(&self, party: Party) -> LinkRecord {
        self.ways.links.get(&party).copied().unwrap_or_default()
    }

    pub(crate) fn note_thread(&mut self, thread: ThreadRecord) {
        self.ways.threads.retain(|other| (other.party, &other.carrier) != (thread.party, &thread.carrier));
        self.ways.threads.push(thread);
    }

    /// The people at the seats of civilizations that are still in the game and stay there, in A.S.T.-ranking.
    pub fn people(&self) -> impl Iterator<Item = (Civ, &SeatRecord)> {
        let staying = self.state.ranking().filter(|civ| !self.state.is_leaving(*civ));
        let seats = staying.filter_map(|civ| self.seat(Party::Seat(civ)).map(|seat| (civ, seat)));
        seats.filter(|(_, seat)| seat.companion.is_none())
    }

    pub(crate) fn companions(&self) -> Vec<(Civ, Temperament)> {
        let all = self.state.ranking().filter_map(|civ| {
            let name = self.seat(Party::Seat(civ))?.companion.as_deref()?;
            let temperament = Temperament::ALL.into_iter().find(|temperament| temperament.name() == name);
            Some((civ, temperament.unwrap_or(Temperament::Settler)))
        });
        all.collect()
    }

    /// The seats as everybody may know them.
    pub(crate) fn places(&self) -> Vec<letters::Seat> {
        let seat = |civ: Civ| {
            let seat = self.seat(Party::Seat(civ));
            letters::Seat {
                civ,
                player: seat.map(|seat| seat.player.clone()).unwrap_or_default(),
                companion: seat.is_some_and(|seat| seat.companion.is_some()),
                kept: self.missing.kept.contains_key(&civ),
            }
        };
        self.state.ranking().map(seat).collect()
    }

    /// The orders that a player has given for this turn.
    pub fn sheet(&self, civ: Civ) -> Sheet {
        self.sheets.get(&civ).cloned().unwrap_or_default()
    }

    /// Whether the open phase waits for letters at all.
    pub(crate) fn awaits_letters(&self) -> bool {
        let state = &self.state;
        state.progress().asked.is_some()
            || mailing::is_awaited(state.phase())
            || (self.agreed.further_requests && !state.phase().rules().awaits(state).is_empty())
    }

    /// The people who owe something in the open phase, in A.S.T.-ranking. Built-in players have always written.
    pub fn owing(&self) -> Vec<Civ> {
        let empty = Sheet::default();
        let sheet = |civ: Civ| self.sheets.get(&civ).unwrap_or(&empty);
        // Who is awaited is everybody's to know.
        let known = Known::of(&self.state, Reader::Public);
        self.people().map(|(civ, _)| civ).filter(|civ| !owed(&known, *civ, sheet(*civ)).is_empty()).collect()
    }

    /// The kind of the open mailing, as far as its time goes.
    pub(crate) fn mailing(&self) -> Mailing {
        Mailing::open(&self.state).unwrap_or(Mailing::Turn)
    }

    /// Whether a player is away.
    pub fn is_away(&self, party: Party, at: DateTime<Utc>) -> bool {
        let covers = |absence: &Absence| absence.since <= at && absence.until.is_none_or(|until| at < until);
        self.absences.iter().any(|absence| absence.party == party && covers(absence))
    }

    /// Until when somebody is away now; the inner none is until the person is back.
    pub(crate) fn away_until(&self, party: Party, at: DateTime<Utc>) -> Option<Option<DateTime<Utc>>> {
        let own = self.absences.iter().find(|absence| absence.party == party);
        own.filter(|_| self.is_away(party, at)).map(|absence| absence.until)
    }

    /// The zone of somebody's clock.
    pub(crate) fn zone(&self, party: Party) -> Zone {
        let zone = self.seat(party).and_then(|seat| seat.zone.parse().ok());
        zone.map_or(self.agreed.schedule.zone, Zone)
    }

    /// The zone of the clock of whoever answers for a player.
    pub(crate) fn deputy_zone(&self, party: Party) -> Zone {
        let deputy = self.seat(party).and_then(|seat| seat.deputy.as_ref());
        let zone = deputy.and_then(|deputy| deputy.zone.as_deref()?.parse().ok());
        zone.map_or_else(|| self.zone(party), Zone)
    }
}

impl SeatRecord {
    /// Whether an address is one of theirs, or of their deputy.
    pub fn knows(&self, address: &str) -> bool {
        self.addresses.iter().any(|known| known.address.eq_ignore_ascii_case(address))
    }

    /// Where the player is written to: the first of the player's own addresses, and their deputy's first while the
    /// deputy is away.
    pub fn mailbox(&self, role: Role) -> Option<&crate::archive::Address> {
        self.addresses.iter().find(|address| address.role == role)
    }
}

impl SeatRecord {
    /// The deputy's name. Where the first edition noted none, what stands before the @ of the address.
    pub fn deputy_name(&self) -> Option<String> {
        let address = self.mailbox(Role::Deputy)?;
        let before_at = || address.address.split('@').next().unwrap_or_default().to_owned();
        Some(self.deputy.as_ref().map_or_else(before_at, |deputy| deputy.name.clone()))
    }
}

impl Agreed {
    /// What such a game begins with.
    ///
    /// # Errors
    /// The edition has no such scenario.
    pub(crate) fn opening(&self, edition: &Edition) -> Result<Opening, DeskError> {
        let printed = Arc::clone(&edition.printed);
        let scenario = edition.printed.scenarios.iter().find(|scenario| scenario.key == self.scenario);
        let missing = || DeskError::Damaged(format!("the edition has no scenario {}", self.scenario));
        let scenario = scenario.ok_or_else(missing)?;
        Ok(if self.short {
            short_game::opening(printed, scenario, self.rulebook)
        } else {
            setup::opening(printed, scenario, self.rulebook, self.track)
        })
    }
}

/// Whether a line is a command of the moderator that can be read: what we print for moderators is tried with it.
pub fn commanded(line: &str, lexicon: &crate::orders::Lexicon) -> bool {
    matches!(commanding::read(line, lexicon), Some(Ok(_)))
}
