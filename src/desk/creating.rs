//! A game begins: its file becomes a game, its seats are offered, and it starts when everybody has accepted.

use chrono::{DateTime, Utc};
use minijinja::context;

use super::game_file::{GameFile, Seat, Sitter};
use super::schedule::Mailing;
use super::settings::{Format, Person};
use super::sitting::{Envelope, Sitting};
use super::table::{Agreed, Table};
use super::written::Length;
use super::{Desk, DeskError};
use crate::archive::{Address, GameRecord, Hours, NewGame, Party, Reason, Role, SeatRecord, Status};
use crate::game::{Chance, State, setup};
use crate::report::letters::Content;

impl Desk {
    /// Writes a new game down and sends the invitations. Where all seats are built-in players' it begins at once.
    ///
    /// # Errors
    /// There is such a game already, or the archive does not answer.
    pub fn create(&mut self, file: &GameFile, seed: [u8; 32], now: DateTime<Utc>) -> Result<(), DeskError> {
        if self.archive.game(&file.id)?.is_some() {
            return Err(DeskError::GameExists(file.id.clone()));
        }
        let agreed = Agreed {
            scenario: file.scenario.clone(),
            track: file.track,
            rulebook: file.rulebook,
            schedule: file.schedule.clone(),
            press: file.press,
            further_requests: file.further_requests,
            rehearsal: file.rehearsal,
        };
        let edition = self.house.edition.clone();
        let settings = serde_json::to_string(&agreed).map_err(|error| DeskError::Damaged(error.to_string()))?;
        let game = GameRecord {
            id: file.id.clone(),
            title: file.title.clone(),
            edition: edition.hash.clone(),
            settings,
            seed,
            status: Status::Inviting,
            era: 0,
            created_at: now,
            hours: Hours::default(),
        };
        let carrier = self.house.carrier("").name.clone();
        let moderator = seat(Party::Moderator, &file.moderator, None, &carrier);
        let seats = file.seats.iter().map(|seat| taken(seat, &carrier));
        let seats: Vec<_> = std::iter::once(SeatRecord { accepted: true, ..moderator }).chain(seats).collect();
        let scenario = edition.printed.scenarios.iter().find(|scenario| scenario.key == agreed.scenario);
        let missing = || DeskError::Damaged(format!("the edition has no scenario {}", agreed.scenario));
        let opening =
            setup::opening(edition.printed.clone(), scenario.ok_or_else(missing)?, agreed.rulebook, agreed.track);
        let table = Table {
            game,
            agreed,
            edition: edition.clone(),
            seats: seats.clone(),
            absences: Vec::new(),
            state: State::new(opening),
            sheets: Default::default(),
            last_event: 0,
            steps: 0,
        };
        let mut sitting = Sitting::new(&self.house, &table, now);
        sitting.deed.new_game = Some(NewGame { edition: edition.files.clone() });
        sitting.deed.seats = seats;
        for civ in sitting.people() {
            invite(&mut sitting, Party::Seat(civ), "invitation".to_owned(), None);
        }
        begin_if_complete(&mut sitting);
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)
    }
}

/// Offers a seat.
pub fn invite(sitting: &mut Sitting, party: Party, about: String, in_reply_to: Option<&str>) {
    let schedule = terms(sitting, party);
    let envelope = Envelope { kind: "invitation", about, in_reply_to, to: None };
    sitting.write(party, envelope, &Content::Invitation { schedule: &schedule });
}

/// Somebody has accepted his seat.
pub fn accept(sitting: &mut Sitting, party: Party) {
    if let Some(seat) = sitting.table.seat_mut(party) {
        seat.accepted = true;
        let seat = seat.clone();
        sitting.deed.seats.push(seat);
    }
    begin_if_complete(sitting);
}

fn begin_if_complete(sitting: &mut Sitting) {
    if sitting.table.game.status != Status::Inviting || sitting.table.seats.iter().any(|seat| !seat.accepted) {
        return;
    }
    sitting.table.game.status = Status::Running;
    let chance: Chance = sitting.table.chance();
    let before = sitting.table.state.clone();
    let (mut events, state) = setup::begin(&before, &chance);
    sitting.record(events.clone(), state, Reason::Beginning);
    events.extend(sitting.proceed(None));
    if sitting.table.state.has_ended() {
        return sitting.publish(&before, &events);
    }
    sitting.open_hours();
    let commitment = chance.commitment_in_hex();
    for party in sitting.everybody() {
        sitting.write_about_phase(party, "welcome", &Content::Welcome { commitment: &commitment });
    }
}

/// How the game is scheduled, a sentence each.
fn terms(sitting: &Sitting, party: Party) -> Vec<String> {
    let schedule = &sitting.table.agreed.schedule;
    let days = |mailing: Mailing| length(sitting, party, schedule.length(mailing));
    let facts = context! {
        movement => days(Mailing::Movement),
        trade => days(Mailing::Trade),
        calamities => days(Mailing::Calamities),
        advances => days(Mailing::Advances),
        time => schedule.time.to_string(),
        zone => schedule.zone.to_string(),
        extensions => schedule.extensions,
        press => sitting.table.agreed.press,
    };
    sitting.say(party, "terms", facts).lines().map(str::to_owned).collect()
}

/// A length of time in somebody's language.
fn length(sitting: &Sitting, party: Party, length: Length) -> String {
    let minutes = length.delta().num_minutes();
    let facts = context! { days => minutes / (24 * 60), hours => minutes / 60 % 24, minutes => minutes % 60 };
    sitting.say(party, "length", facts).trim().to_owned()
}

fn taken(taken: &Seat, default_carrier: &str) -> SeatRecord {
    let party = Party::Seat(taken.civ);
    let carrier = taken.carrier.as_deref().unwrap_or(default_carrier);
    match &taken.sitter {
        Sitter::Player { player, deputy } => seat(party, player, deputy.as_ref(), carrier),
        Sitter::Companion(temperament) => SeatRecord {
            party,
            player: temperament.name().to_owned(),
            language: crate::rules::Language::English,
            zone: "UTC".to_owned(),
            html: false,
            companion: Some(temperament.name().to_owned()),
            accepted: true,
            extensions: 0,
            addresses: Vec::new(),
        },
    }
}

/// A person at a seat.
pub fn seat(party: Party, person: &Person, deputy: Option<&Person>, carrier: &str) -> SeatRecord {
    let of = |person: &Person, role: Role| {
        let address = |address: &super::written::Address| Address {
            carrier: carrier.to_owned(),
            address: address.as_str().to_lowercase(),
            role,
        };
        person.addresses.iter().map(address).collect::<Vec<_>>()
    };
    let deputies = deputy.map(|deputy| of(deputy, Role::Deputy)).unwrap_or_default();
    SeatRecord {
        party,
        player: person.name.clone(),
        language: person.language,
        zone: person.zone.to_string(),
        html: person.format == Format::Html,
        companion: None,
        accepted: false,
        extensions: 0,
        addresses: [of(person, Role::Player), deputies].concat(),
    }
}
