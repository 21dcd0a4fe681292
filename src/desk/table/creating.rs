//! A game begins: its file becomes a game, its seats are offered, and it starts when everybody has accepted.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeZone, Utc};
use minijinja::context;

use crate::archive::{
    Address, Deputy, DispatchKind, GameRecord, GatheringRecord, Hours, NewGame, Party, Reason, Role, SeatRecord,
    Status, ThreadRecord,
};
use crate::desk::clock::moment::moment;
use crate::desk::clock::schedule::Mailing;
use crate::desk::settings::game_file::{Forum, GameFile, Seat, Sitter};
use crate::desk::settings::{Format, Person};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{Agreed, BesideMail, RuledSoFar, Table};
use crate::desk::{Desk, DeskError};
use crate::game::short_game::{self, Theme};
use crate::game::{Chance, Event, State, setup};
use crate::orders::Detail;
use crate::post::forum::ForumPlace;
use crate::report::letters::{Content, Moment};
use crate::rules::Civ;

impl Desk {
    /// Writes a new game down and sends the invitations. Where all seats are built-in players' it begins at once.
    ///
    /// # Errors
    /// There is such a game already, or the archive does not answer.
    pub fn create(&mut self, file: &GameFile, seed: [u8; 32], now: DateTime<Utc>) -> Result<(), DeskError> {
        self.check_free(&file.id)?;
        self.create_with(file, seed, now, None)
    }

    /// The same of an open game: whoever has gathered has accepted their seat.
    ///
    /// # Errors
    /// There is such a game already, or the archive does not answer.
    pub(in crate::desk) fn create_gathered(
        &mut self,
        file: &GameFile,
        seed: [u8; 32],
        gathered: Gathered,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        if self.archive.game(&file.id)?.is_some() {
            return Err(DeskError::GameExists(file.id.clone()));
        }
        self.create_with(file, seed, now, Some(gathered))
    }

    fn create_with(
        &mut self,
        file: &GameFile,
        seed: [u8; 32],
        now: DateTime<Utc>,
        gathered: Option<Gathered>,
    ) -> Result<(), DeskError> {
        let end = file.ends_after.and_then(|ending| ending.moment(file.schedule.zone));
        if end.is_some_and(|end| end <= now) {
            return Err(DeskError::EndHasPassed(file.ends_after.map(|ending| ending.to_string()).unwrap_or_default()));
        }
        let agreed = agreed(file);
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
            votes: "[]".to_owned(),
            club: "{}".to_owned(),
            edits: "{}".to_owned(),
            stopped: None,
        };
        let ways = Ways::of(self, file);
        let threads = file.forum.as_ref().map(thread).into_iter().collect::<Vec<_>>();
        let seats = seats(file, gathered.as_ref(), &ways);
        let opening = agreed.opening(&edition)?;
        let table = Table {
            game,
            agreed,
            edition: edition.clone(),
            seats: seats.clone(),
            absences: Vec::new(),
            ways: BesideMail { threads: threads.clone(), ..BesideMail::default() },
            state: State::new(opening),
            sheets: Default::default(),
            ruled: RuledSoFar { last_event: 0, steps: 0 },
            votes: Vec::new(),
            missing: Default::default(),
            edited: Default::default(),
        };
        let mut sitting = Sitting::new(&self.house, &table, now);
        sitting.deed.new_game = Some(NewGame { edition: edition.files.clone() });
        sitting.deed.seats = seats;
        sitting.deed.sent.threads = threads;
        // The thread is opened before anything is posted in it.
        sitting.renew_status();
        let invited = |civ: &Civ| sitting.table.seat(Party::Seat(*civ)).is_some_and(|seat| !seat.accepted);
        let invited: Vec<Civ> = sitting.people().into_iter().filter(invited).collect();
        for civ in invited {
            invite(&mut sitting, Party::Seat(civ), "invitation".to_owned(), None, false);
        }
        begin_if_complete(&mut sitting);
        for civ in gathered.iter().flat_map(|gathered| &gathered.came) {
            crate::desk::incoming::rehearsal::invite(&mut sitting, Party::Seat(*civ), "beginning".to_owned(), None);
        }
        sitting.deed.gatherings.extend(gathered.map(|gathered| gathered.record));
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)
    }
}

/// What the group has agreed on, by the file of its game.
fn agreed(file: &GameFile) -> Agreed {
    Agreed {
        scenario: file.scenario.clone(),
        track: file.track,
        short: file.short,
        ends_after: file.ends_after,
        rulebook: file.rulebook,
        schedule: file.schedule.clone(),
        press: file.press,
        further_requests: file.further_requests,
        rehearsal: file.rehearsal,
        public_page: file.public_page,
        observers: file.observers,
        hand_over_press: file.hand_over_press,
        votes: file.votes,
        missing: file.missing,
        public_orders: file.forum.as_ref().is_some_and(|forum| forum.public_orders),
    }
}

/// Everybody: the moderator, whoever reads the thread, and the players. Whoever has gathered has accepted.
fn seats(file: &GameFile, gathered: Option<&Gathered>, ways: &Ways) -> Vec<SeatRecord> {
    let moderator = seat(Party::Moderator, &file.moderator, None, ways);
    let public = file.forum.as_ref().map(|forum| everybody(forum, file, &moderator, ways));
    let players = file.seats.iter().map(|seat| {
        let taken = taken(seat, ways);
        let is_there = gathered.is_some_and(|gathered| gathered.came.contains(&seat.civ));
        let place = gathered.and_then(|gathered| gathered.there.get(&seat.civ));
        let accepted = taken.accepted || is_there;
        SeatRecord { accepted, addresses: in_place(taken.addresses, place), ..taken }
    });
    std::iter::once(SeatRecord { accepted: true, ..moderator }).chain(public).chain(players).collect()
}

/// Who has come to an open game that begins.
pub(in crate::desk) struct Gathered {
    /// The seats of those who have said that they are there.
    pub came: Vec<Civ>,
    /// Where those are known in the game's forum who wrote from there.
    pub there: BTreeMap<Civ, Address>,
    /// The open game, as it is written down from now on.
    pub record: GatheringRecord,
}

/// Addresses with the forum's own id of somebody in the place of their name.
fn in_place(addresses: Vec<Address>, place: Option<&Address>) -> Vec<Address> {
    let is_name = |address: &Address| place.is_some_and(|place| place.carrier == address.carrier);
    addresses.into_iter().map(|address| place.filter(|_| is_name(&address)).cloned().unwrap_or(address)).collect()
}

/// Offers a seat; `again` to somebody whose letter was not an `ok`.
pub(crate) fn invite(sitting: &mut Sitting, party: Party, about: String, in_reply_to: Option<&str>, again: bool) {
    let schedule = terms(sitting, party);
    let envelope = Envelope { kind: DispatchKind::Invitation, about, in_reply_to, to: None };
    sitting.write(party, envelope, &Content::Invitation { schedule: &schedule, again });
}

/// Somebody has accepted their seat.
pub(crate) fn accept(sitting: &mut Sitting, party: Party) {
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
    let (mut events, state) =
        if sitting.table.agreed.short { short_game::begin(&before, &chance) } else { setup::begin(&before, &chance) };
    sitting.record(events.clone(), state, Reason::Beginning);
    let themes = themes(&events);
    events.extend(sitting.proceed(None));
    if sitting.table.state.has_ended() {
        return sitting.publish(&before, &events);
    }
    sitting.open_hours();
    let commitment = chance.commitment_in_hex();
    for party in sitting.everybody() {
        sitting.write_about_phase(
            party,
            DispatchKind::Welcome,
            &Content::Welcome { commitment: &commitment, themes: &themes },
        );
    }
    for civ in sitting.people() {
        super::deputising::tell(sitting, Party::Seat(civ), "beginning");
    }
}

/// The themes that a short game has dealt; they lie open once everybody has built on them.
fn themes(events: &[Event]) -> Vec<(Civ, Theme)> {
    let drawn = events.iter().find_map(|event| match event {
        Event::ThemesDrawn { themes } => Some(themes.clone()),
        _ => None,
    });
    drawn.unwrap_or_default()
}

/// How the game is scheduled, a sentence each.
fn terms(sitting: &Sitting, party: Party) -> Vec<String> {
    let schedule = &sitting.table.agreed.schedule;
    let days = |mailing: Mailing| length(sitting, party, schedule.length(mailing).delta());
    let (time, zone) = (schedule.time.to_string(), schedule.zone.to_string());
    let here = local_cut_off(sitting, party);
    let moderator = sitting.table.seat(Party::Moderator).map(|seat| seat.player.clone()).unwrap_or_default();
    let facts = context! {
        moderator,
        movement => days(Mailing::Movement),
        trade => days(Mailing::Trade),
        calamities => days(Mailing::Calamities),
        advances => days(Mailing::Advances),
        time => here.as_ref().map_or(time.clone(), |here| format!("{:02}:{:02}", here.hour, here.minute)),
        zone => here.as_ref().map_or(zone.clone(), |here| here.zone.clone()),
        elsewhere => (sitting.table.zone(party).0 != schedule.zone.0).then(|| format!("{time} {zone}")),
        extensions => schedule.extensions,
        press => sitting.table.agreed.press,
    };
    let terms = sitting.say(party, "terms", facts);
    let end = sitting.say(party, "terms_end", sitting.end_facts(party));
    terms.lines().chain(end.lines()).filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// When cut-offs fall these days, on the reader's own clock.
fn local_cut_off(sitting: &Sitting, party: Party) -> Option<Moment> {
    let schedule = &sitting.table.agreed.schedule;
    let today = sitting.now.with_timezone(&schedule.zone.0).date_naive();
    let at = schedule.zone.0.from_local_datetime(&today.and_time(schedule.time.0)).latest()?;
    Some(moment(at.to_utc(), sitting.table.zone(party)))
}

/// A length of time in somebody's language.
pub(in crate::desk) fn length(sitting: &Sitting, party: Party, length: chrono::TimeDelta) -> String {
    let minutes = length.num_minutes();
    let facts = context! { days => minutes / (24 * 60), hours => minutes / 60 % 24, minutes => minutes % 60 };
    sitting.say(party, "length", facts).trim().to_owned()
}

/// The carriers by which the people of a game are reached.
pub(crate) struct Ways<'a> {
    /// The carrier of mail.
    pub mail: &'a str,
    /// The game's forum, and whether it has private messages.
    pub forum: Option<(&'a str, bool)>,
}

impl<'a> Ways<'a> {
    fn of(desk: &'a Desk, file: &'a GameFile) -> Ways<'a> {
        let forum = file
            .forum
            .as_ref()
            .map(|forum| (forum.carrier.as_str(), desk.house.carrier(&forum.carrier).reaches_persons()));
        Ways { mail: &desk.house.mail_carrier().name, forum }
    }
}

fn taken(taken: &Seat, ways: &Ways) -> SeatRecord {
    let party = Party::Seat(taken.civ);
    let mail = taken.carrier.as_deref().unwrap_or(ways.mail);
    match &taken.sitter {
        Sitter::Player { player, deputy } => seat(party, player, deputy.as_ref(), &Ways { mail, ..*ways }),
        Sitter::Companion(temperament) => SeatRecord {
            party,
            player: temperament.name().to_owned(),
            language: crate::rules::Language::English,
            zone: "UTC".to_owned(),
            html: false,
            companion: Some(temperament.name().to_owned()),
            accepted: true,
            extensions: 0,
            news: None,
            board: None,
            detail: Detail::default(),
            data: false,
            addresses: Vec::new(),
            deputy: None,
            changed_at: None,
        },
    }
}

/// Whoever reads the public record: a seat that nobody sits at. Of a board that takes no posts the moderator gets it,
/// to put it there themselves.
fn everybody(forum: &Forum, file: &GameFile, moderator: &SeatRecord, ways: &Ways) -> SeatRecord {
    let place = match &forum.thread {
        Some(id) => ForumPlace::Thread(id.clone()),
        None => ForumPlace::Category(None),
    };
    let posts = Address { carrier: forum.carrier.clone(), address: place.to_string(), role: Role::Player };
    let takes_posts = !forum.thread.as_ref().is_some_and(|thread| thread.contains("://"));
    let by_hand = || moderator.addresses.iter().find(|address| address.carrier == ways.mail).cloned();
    SeatRecord {
        party: Party::Public,
        player: forum.carrier.clone(),
        language: forum.language,
        zone: file.schedule.zone.to_string(),
        html: true,
        companion: None,
        accepted: true,
        extensions: 0,
        news: None,
        board: None,
        detail: Detail::default(),
        data: false,
        addresses: if takes_posts { vec![posts] } else { by_hand().into_iter().collect() },
        deputy: None,
        changed_at: None,
    }
}

/// The public thread of a game that begins.
fn thread(forum: &Forum) -> ThreadRecord {
    ThreadRecord {
        party: Party::Public,
        carrier: forum.carrier.clone(),
        thread: forum.thread.clone(),
        status_post: None,
        status: None,
        statuses: 0,
    }
}

/// A person at a seat. Whoever is in the forum is written to there, if it has private messages; by mail otherwise, and
/// when the forum is out of reach.
pub(crate) fn seat(party: Party, person: &Person, deputy: Option<&Person>, ways: &Ways) -> SeatRecord {
    let by_mail = |person: &Person, role: Role| {
        let address = |address: &crate::desk::settings::written::Address| Address {
            carrier: ways.mail.to_owned(),
            address: address.as_str().to_lowercase(),
            role,
        };
        person.addresses.iter().map(address).collect::<Vec<_>>()
    };
    let in_forum = ways.forum.zip(person.forum.as_ref()).map(|((carrier, _), name)| {
        let address = ForumPlace::Name(name.to_lowercase()).to_string();
        Address { carrier: carrier.to_owned(), address, role: Role::Player }
    });
    let mut addresses: Vec<_> = in_forum.into_iter().chain(by_mail(person, Role::Player)).collect();
    if ways.forum.is_some_and(|(_, reaches)| !reaches) {
        // The player is known there, but not written to.
        addresses.sort_by_key(|address| address.carrier != ways.mail);
    }
    addresses.extend(deputy.map(|deputy| by_mail(deputy, Role::Deputy)).unwrap_or_default());
    SeatRecord {
        party,
        player: person.name.clone(),
        language: person.language,
        zone: person.zone.to_string(),
        html: person.format == Format::Html,
        companion: None,
        accepted: false,
        extensions: 0,
        news: None,
        board: None,
        detail: Detail::default(),
        data: false,
        addresses,
        deputy: deputy.map(|deputy| Deputy {
            name: deputy.name.clone(),
            language: deputy.language,
            zone: Some(deputy.zone.to_string()),
        }),
        changed_at: None,
    }
}
