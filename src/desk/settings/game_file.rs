//! The file of a game, which `cursus game create` reads: its scenario, its house rules, its schedule, and who sits where.
//!
//! Comes in: the text of the file, the printed game and the settings of the house. Goes out: a [`GameFile`] in which
//! everything is checked, or everything that is wrong with it.

use crate::companions::Temperament;
use crate::desk::clock::schedule::{Absences, Missed, Schedule};
use crate::desk::settings::seats::{Placed, check_addresses, check_own_addresses, check_seats, seats};
use crate::desk::settings::toml_file::{Faults, TomlFile, TomlTable, choices, there_are};
use crate::desk::settings::written::{Length, Zone};
use crate::desk::settings::{CarrierKind, CarrierSettings, Person, Settings, person};
use crate::desk::table::ending::Ending;
use crate::desk::table::standing_in::MissingRules;
use crate::desk::table::voting::{Majority, VoteRules};
use crate::game::{GameId, Rulebook};
use crate::post::Form;
use crate::rules::{AstSide, Civ, Language, PrintedGame, Scenario, names};

/// A game as it is to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct GameFile {
    /// Its short name: small letters, digits and hyphens. It is part of addresses.
    pub id: GameId,
    /// Its title, as players read it.
    pub title: String,
    /// The key of its scenario.
    pub scenario: String,
    /// The side of the A.S.T.
    pub track: AstSide,
    /// Whether it is a short game.
    pub short: bool,
    /// When it ends at the latest, if the group has agreed on that.
    pub ends_after: Option<Ending>,
    pub rulebook: Rulebook,
    /// When letters are due.
    pub schedule: Schedule,
    /// Whether players may write to each other through the moderator.
    pub press: bool,
    /// Whether whoever takes a seat over is shown what was written from it and to it.
    pub hand_over_press: bool,
    /// Whether a decision that nobody foresaw is asked for in a further letter, instead of taking the default.
    pub further_requests: bool,
    /// Whether everybody who takes their seat is sent a practice letter.
    pub rehearsal: bool,
    /// Whether the house shows it to everybody, on a page of its own.
    pub public_page: bool,
    /// Whether anybody whom the house knows may read the public record by mail.
    pub observers: bool,
    /// How the group decides what its players propose.
    pub votes: VoteRules,
    /// What is done where players do not come.
    pub missing: MissingRules,
    /// The thread that holds its public record, if it has one.
    pub forum: Option<Forum>,
    pub moderator: Person,
    /// The seats, in A.S.T.-ranking.
    pub seats: Vec<Seat>,
}

/// The forum of a game, `[forum]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forum {
    /// The carrier, by its name in the settings.
    pub carrier: String,
    /// The thread, where it is there already: the forum's id of it, or the address of a feed.
    pub thread: Option<String>,
    /// Whether orders may be posted where everybody reads them.
    pub public_orders: bool,
    /// The language of the public record.
    pub language: Language,
}

/// A game that whoever wants may join, as `cursus game open` reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenGame {
    /// The game with the seats that are taken already.
    pub file: GameFile,
    /// The civilizations that nobody has yet, in A.S.T.-ranking.
    pub free: Vec<Civ>,
    pub rules: OpenRules,
}

/// How people come to an open game: `[open]` of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenRules {
    pub civilizations: Dealt,
    /// Whether the host approves of everybody who joins.
    pub approval: bool,
    /// How long everybody has to say that they are there, before it begins; nothing asks nobody.
    pub muster: Length,
    /// The built-in players in the seats that stay empty where the host says that it begins.
    pub companion: Temperament,
    /// So many of a hundred letters must have come in time, of whoever has a record already.
    pub least_in_time: u8,
    /// So many games somebody must have finished.
    pub least_finished: u8,
}

/// How the civilizations of an open game are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealt {
    /// Whoever comes first chooses first.
    Chosen,
    /// Everybody names some, and the seed draws who chooses first.
    Wished,
    /// The seed draws all of them.
    Drawn,
}

choices!(Dealt { "chosen" => Dealt::Chosen, "wished" => Dealt::Wished, "drawn" => Dealt::Drawn });

/// A seat of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    pub civ: Civ,
    pub sitter: Sitter,
    /// The carrier of the player's letters; none is the first of the settings.
    pub carrier: Option<String>,
}

/// Who sits at a seat.
#[derive(Debug, Clone, PartialEq)]
pub enum Sitter {
    Player {
        player: Person,
        /// Who writes in their place while the player is away.
        deputy: Option<Person>,
    },
    Companion(Temperament),
}

impl GameFile {
    /// The game in this text.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(name: &str, text: &str, printed: &PrintedGame, settings: &Settings) -> Result<GameFile, Faults> {
        let (mut file, mut head) = TomlFile::open(name, text)?;
        head.refuse(&mut file, "open", "is of a game that anybody may join; `cursus game open` opens it");
        let game = game(&mut file, &mut head, printed, settings, false);
        file.close(head, game.map(|(game, _)| game))
    }
}

impl OpenGame {
    /// The open game in this text: its seats may be empty.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(name: &str, text: &str, printed: &PrintedGame, settings: &Settings) -> Result<OpenGame, Faults> {
        let (mut file, mut head) = TomlFile::open(name, text)?;
        let rules = open_rules(&mut file, &mut head);
        let game = game(&mut file, &mut head, printed, settings, true);
        file.close(head, game.map(|(game, free)| OpenGame { file: game, free, rules }))
    }
}

fn open_rules(file: &mut TomlFile, head: &mut TomlTable) -> OpenRules {
    let usual = OpenRules {
        civilizations: Dealt::Wished,
        approval: false,
        muster: Length::hours(2 * 24),
        companion: Temperament::Settler,
        least_in_time: 0,
        least_finished: 0,
    };
    let Some(mut table) = head.table(file, "open") else { return usual };
    let rules = OpenRules {
        civilizations: table.take_or(file, "civilizations", usual.civilizations),
        approval: table.take_or(file, "approval", usual.approval),
        muster: table.take_or(file, "muster", usual.muster),
        companion: table.take_or(file, "companion", usual.companion),
        least_in_time: table.take_or(file, "least_in_time", usual.least_in_time),
        least_finished: table.take_or(file, "least_finished", usual.least_finished),
    };
    if rules.least_in_time > 100 {
        file.fault(table.place("least_in_time"), "it is a share of a hundred letters; write at most 100");
    }
    table.close(file);
    rules
}

/// Reads the file, and which civilizations nobody has; `open` says whether there may be such.
fn game(
    file: &mut TomlFile,
    head: &mut TomlTable,
    printed: &PrintedGame,
    settings: &Settings,
    open: bool,
) -> Option<(GameFile, Vec<Civ>)> {
    let id = id(file, head);
    let title = head.require(file, "title");
    let track = head.take_or(file, "track", AstSide::Basic);
    let short = head.take_or(file, "short", false);
    if short && track == AstSide::Expert {
        let message = "a short game is played on the basic side; leave `track` out, or write track = \"basic\"";
        file.fault(head.place("track"), message);
    }
    let ends_after = head.take(file, "ends_after");
    let press = head.take_or(file, "press", true);
    let hand_over_press = head.take_or(file, "hand_over_press", false);
    let further_requests = head.take_or(file, "further_requests", false);
    let rehearsal = head.take_or(file, "rehearsal", true);
    let public_page = head.take_or(file, "public_page", false);
    let observers = head.take_or(file, "observers", open);
    let rulebook = head.table(file, "rules").map_or_else(Rulebook::default, |table| table.chosen(file));
    let schedule = head.table(file, "schedule").map_or_else(Schedule::default, |table| schedule(file, table));
    let votes = head.table(file, "votes").map_or_else(VoteRules::default, |table| votes(file, table));
    let missing = head.table(file, "missing").map_or_else(MissingRules::default, |table| missing(file, table));
    let forum = forum(file, head, settings);
    let moderator = moderator(file, head, settings);
    let wanted = wanted(file, head, printed);
    let carrier = carrier(file, head, settings);
    let seats = seats(file, head, printed, settings, schedule.zone);
    let scenario = wanted.and_then(|wanted| fitting(printed, &wanted, &seats));
    if let Some(scenario) = scenario {
        check_seats(file, head, printed, scenario, &seats, open);
    }
    check_addresses(file, printed, &seats);
    check_own_addresses(file, head, settings, (carrier.as_deref(), moderator.as_ref()), &seats);
    check_ways(file, settings, forum.as_ref(), &seats);
    let mut seats: Vec<Seat> = seats.into_iter().filter_map(|placed| placed.seat(&carrier)).collect();
    seats.sort_by_key(|seat| seat.civ);
    let free = free(scenario?, &seats);
    let game = GameFile {
        id: id?,
        title: title?,
        scenario: scenario?.key.clone(),
        track,
        short,
        ends_after,
        rulebook,
        schedule,
        press,
        hand_over_press,
        further_requests,
        rehearsal,
        public_page,
        observers,
        votes,
        missing,
        forum,
        moderator: moderator?,
        seats,
    };
    Some((game, free))
}

/// The civilizations that have no seat in the file.
fn free(scenario: &Scenario, seats: &[Seat]) -> Vec<Civ> {
    let is_free = |civ: &Civ| !seats.iter().any(|seat| seat.civ == *civ);
    let mut free: Vec<Civ> = scenario.civilizations.iter().copied().filter(is_free).collect();
    free.sort();
    free
}

choices!(AstSide { "basic" => AstSide::Basic, "expert" => AstSide::Expert });

/// The longest id: with the seat and its secret it must fit before the `@`.
const LONGEST_ID: usize = 24;

fn id(file: &mut TomlFile, head: &mut TomlTable) -> Option<GameId> {
    let id: String = head.require(file, "id")?;
    match check_id(&id) {
        Ok(()) => Some(id.into()),
        Err(message) => {
            file.fault(head.place("id"), message);
            None
        }
    }
}

/// Whether a game may be called so: its id is part of addresses, of ids of letters and of names of files.
///
/// # Errors
/// What to write instead.
pub(in crate::desk) fn check_id(id: &str) -> Result<(), String> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_framed = !id.starts_with('-') && !id.ends_with('-') && !id.is_empty() && id.len() <= LONGEST_ID;
    if is_framed && id.chars().all(is_letter) {
        Ok(())
    } else {
        Err(format!(
            "`id` is {id:?}; write at most {LONGEST_ID} small letters, digits and hyphens, such as \"summer-2\""
        ))
    }
}

fn schedule(file: &mut TomlFile, mut table: TomlTable) -> Schedule {
    let usual = Schedule::default();
    let schedule = Schedule {
        movement: table.take_or(file, "movement", usual.movement),
        trade: table.take_or(file, "trade", usual.trade),
        calamities: table.take_or(file, "calamities", usual.calamities),
        advances: table.take_or(file, "advances", usual.advances),
        turn: table.take_or(file, "turn", usual.turn),
        time: table.take_or(file, "time", usual.time),
        zone: table.take_or(file, "zone", usual.zone),
        weekdays: table.take_or(file, "weekdays", usual.weekdays),
        grace: table.take_or(file, "grace", usual.grace),
        cooling_off: table.take_or(file, "cooling_off", usual.cooling_off),
        reminders: table.take_or(file, "reminders", usual.reminders),
        missed: table.take_or(file, "missed", usual.missed),
        extensions: table.take_or(file, "extensions", usual.extensions),
        longest_extension: table.take_or(file, "longest_extension", usual.longest_extension),
        absences: table.take_or(file, "absences", usual.absences),
        longest_absence: table.take_or(file, "longest_absence", usual.longest_absence),
    };
    table.close(file);
    schedule
}

choices!(Missed { "default" => Missed::Default, "wait" => Missed::Wait, "moderator" => Missed::Moderator });
choices!(Absences { "default" => Absences::Default, "wait" => Absences::Wait });

fn missing(file: &mut TomlFile, mut table: TomlTable) -> MissingRules {
    let usual = MissingRules::default();
    let missing = MissingRules {
        told: table.take_or(file, "told", usual.told),
        companion: table.take(file, "companion"),
        after: table.take_or(file, "after", usual.after),
        waits: table.take_or(file, "waits", usual.waits),
        answer: table.take_or(file, "answer", usual.answer),
    };
    table.close(file);
    missing
}

fn votes(file: &mut TomlFile, mut table: TomlTable) -> VoteRules {
    let usual = VoteRules::default();
    let votes = VoteRules {
        extension: table.take_or(file, "extension", usual.extension),
        earlier: table.take_or(file, "earlier", usual.earlier),
        pause: table.take_or(file, "pause", usual.pause),
        end: table.take_or(file, "end", usual.end),
        abandon: table.take_or(file, "abandon", usual.abandon),
        secret: table.take_or(file, "secret", usual.secret),
        open: table.take_or(file, "open", usual.open),
    };
    table.close(file);
    votes
}

choices!(Majority {
    "unanimous" => Majority::Unanimous,
    "two_thirds" => Majority::TwoThirds,
    "host" => Majority::Host,
    "off" => Majority::Off,
});

/// The moderator: one of the settings by their name, or a person of their own; else the first of the settings.
fn moderator(file: &mut TomlFile, head: &mut TomlTable, settings: &Settings) -> Option<Person> {
    if head.has_table("moderator") {
        let mut table = head.table(file, "moderator")?;
        let moderator = person(file, &mut table, "name", (settings.language, Zone::default()));
        table.close(file);
        return moderator;
    }
    let known = || settings.moderators.iter();
    if !head.has("moderator") {
        let first = known().next().cloned();
        if first.is_none() {
            let message = "`moderator` is missing, and the settings name none; write a table [moderator] with `name` \
                           and `addresses`";
            file.fault(head.place("moderator"), message);
        }
        head.take::<String>(file, "moderator");
        return first;
    }
    let name: String = head.take(file, "moderator")?;
    let moderator = known().find(|moderator| names::fold(&moderator.name) == names::fold(&name)).cloned();
    if moderator.is_none() {
        let near = suggestion(&name, known().map(|moderator| moderator.name.as_str()));
        let near = near.unwrap_or_else(|| "write a table [moderator] with `name` and `addresses`".to_owned());
        file.fault(head.place("moderator"), format!("the settings name no moderator {name:?}; {near}"));
    }
    moderator
}

/// What the file says of its scenario.
enum Wanted<'p> {
    Scenario(&'p Scenario),
    Players(u8),
}

fn wanted<'p>(file: &mut TomlFile, head: &mut TomlTable, printed: &'p PrintedGame) -> Option<Wanted<'p>> {
    let key: Option<String> = head.take(file, "scenario");
    let players: Option<u8> = head.take(file, "players");
    let keys = || printed.scenarios.iter().map(|scenario| scenario.key.as_str());
    match (key, players) {
        (Some(key), players) => {
            let Some(scenario) = printed.scenarios.iter().find(|scenario| scenario.key == key) else {
                let near = suggestion(&key, keys()).unwrap_or_else(|| there_are(keys()));
                file.fault(head.place("scenario"), format!("`scenario` is {key:?}, which is none; {near}"));
                return None;
            };
            if let Some(players) = players.filter(|players| *players != scenario.players) {
                let message = format!("`players` is {players}, but {key:?} is for {}; leave one out", scenario.players);
                file.fault(head.place("players"), message);
            }
            Some(Wanted::Scenario(scenario))
        }
        (None, Some(players)) => {
            let counts = || printed.scenarios.iter().map(|scenario| scenario.players);
            if counts().any(|count| count == players) {
                return Some(Wanted::Players(players));
            }
            let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
            file.fault(head.place("players"), format!("`players` is {players}; the game is for {least} to {most}"));
            None
        }
        (None, None) if head.has("scenario") || head.has("players") => None,
        (None, None) => {
            let message =
                "`scenario` is missing; write one such as scenario = \"west_5\", or how many `players` there are";
            file.fault(head.place("scenario"), message);
            None
        }
    }
}

/// The scenario; of several for so many players, the one in which most of the seats play.
fn fitting<'p>(printed: &'p PrintedGame, wanted: &Wanted<'p>, seats: &[Placed]) -> Option<&'p Scenario> {
    match wanted {
        Wanted::Scenario(scenario) => Some(scenario),
        Wanted::Players(players) => {
            let strangers = |scenario: &&Scenario| {
                let civs = seats.iter().filter_map(|seat| seat.civ);
                civs.filter(|civ| !scenario.civilizations.contains(civ)).count()
            };
            printed.scenarios.iter().filter(|scenario| scenario.players == *players).min_by_key(strangers)
        }
    }
}

/// The thread of the public record.
fn forum(file: &mut TomlFile, head: &mut TomlTable, settings: &Settings) -> Option<Forum> {
    let mut table = head.table(file, "forum")?;
    let is_forum = |carrier: &&CarrierSettings| carrier.form() == Form::Post;
    let known = || settings.carriers.iter().filter(is_forum);
    let names = || known().map(|carrier| carrier.name.as_str());
    let name: Option<String> = table.take(file, "carrier");
    let found = match &name {
        Some(name) => known().find(|carrier| carrier.name == *name),
        None => known().next(),
    };
    if found.is_none() {
        let said = name
            .as_ref()
            .map_or("the settings have no forum".to_owned(), |name| format!("the settings have no forum {name:?}"));
        let near = name.as_deref().and_then(|name| suggestion(name, names()));
        let near = near.unwrap_or_else(|| match names().next() {
            Some(_) => there_are(names()),
            None => "write a table such as [carriers.club] with kind = \"discourse\" into them".to_owned(),
        });
        file.fault(table.place("carrier"), format!("{said}; {near}"));
    }
    let thread = forum_thread(file, &mut table, found);
    let forum = Forum {
        carrier: found.map(|carrier| carrier.name.clone()).unwrap_or_default(),
        thread,
        public_orders: table.take_or(file, "public_orders", false),
        language: table.take_or(file, "language", settings.language),
    };
    table.close(file);
    found.map(|_| forum)
}

/// What stands before the address of a thread that is not read.
pub(crate) const UNREAD: &str = "unread+";

/// The thread that is there already: its number, or the address of its feed.
fn forum_thread(file: &mut TomlFile, table: &mut TomlTable, carrier: Option<&CarrierSettings>) -> Option<String> {
    match carrier.map(|carrier| &carrier.kind) {
        Some(CarrierKind::Feed(..)) => {
            let feed: Option<String> = table.take(file, "thread");
            let is_feed = |feed: &String| feed.starts_with("https://") || feed.starts_with("http://");
            if !feed.as_ref().is_some_and(is_feed) {
                let message = "`thread` is the address of the thread's feed; write it like \
                               thread = \"https://board.example.org/topic/17.rss\"";
                file.fault(table.place("thread"), message);
            }
            // Of a thread that no feed shows only the address is known, for whoever pastes the record there.
            let is_read = table.take_or(file, "read", true);
            feed.map(|feed| if is_read { feed } else { format!("{UNREAD}{feed}") })
        }
        Some(CarrierKind::Forum(forum)) => {
            let thread: Option<u32> = table.take(file, "thread");
            if thread.is_none() && forum.category.is_none() && !table.has("thread") {
                let message = "the game has no `thread`, and the carrier no `category` to open one in; write \
                               thread = 1234, the number in its address, or `category` in the settings";
                file.fault(table.place("carrier"), message);
            }
            thread.map(|thread| thread.to_string())
        }
        Some(CarrierKind::Spool(_) | CarrierKind::Mailbox(_)) | None => {
            table.take::<String>(file, "thread");
            None
        }
    }
}

/// Everybody can be reached in private: by mail, or by private messages of the forum.
fn check_ways(file: &mut TomlFile, settings: &Settings, forum: Option<&Forum>, seats: &[Placed]) {
    let carrier = forum.and_then(|forum| settings.carrier(&forum.carrier));
    for seat in seats {
        let Some(Sitter::Player { player, .. }) = &seat.sitter else { continue };
        if player.forum.is_some() && carrier.is_none() {
            let message = "`forum` names somebody in a forum, but the game has none; write a table [forum]";
            file.fault(seat.at_addresses.clone(), message);
        } else if player.addresses.is_empty() && !carrier.is_some_and(CarrierSettings::reaches_persons) {
            let message = "hands and sealed orders go by mail here, for the forum has no private messages that we can \
                           use; write `addresses` as well";
            file.fault(seat.at_addresses.clone(), message);
        }
        if !player.addresses.is_empty() && !settings.carriers.iter().any(|carrier| carrier.form() == Form::Mail) {
            let message = "`addresses` are written to by mail, and the settings have no carrier for it; write a table \
                           such as [carriers.mail]";
            file.fault(seat.at_addresses.clone(), message);
        }
    }
}

/// The carrier of all seats that name none.
pub(super) fn carrier(file: &mut TomlFile, table: &mut TomlTable, settings: &Settings) -> Option<String> {
    let name: String = table.take(file, "carrier")?;
    if settings.carrier(&name).is_none() {
        let known = || settings.carriers.iter().map(|carrier| carrier.name.as_str());
        let near = suggestion(&name, known()).unwrap_or_else(|| there_are(known()));
        file.fault(table.place("carrier"), format!("the settings have no carrier {name:?}; {near}"));
    }
    Some(name)
}

/// `did you mean "Egypt"?`
pub(super) fn suggestion<'n>(misspelt: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let known: Vec<_> = known.map(|name| (names::fold(name), name)).collect();
    let near = names::nearest(&names::fold(misspelt), known.iter().map(|(folded, _)| folded.as_str()))?;
    let (_, name) = known.iter().find(|(folded, _)| folded == near)?;
    Some(format!("did you mean {name:?}?"))
}
