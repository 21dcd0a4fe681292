//! What a browser is sent: the page of a seat, its data, its map and its trials.

use cursus::game::{Known, Witnessed};
use cursus::orders::{Bearings, Lens, Lexicon, Sheet, read_reply};
use cursus::report::letters::Moment;
use cursus::report::page::{
    self, Newest, Public, PublicLink, PublicPast, Ruled, Seat, SeatName, Stamp, Standings, Visit, Waiting, Watcher,
};
use cursus::report::{ReadLetter, Templates};
use cursus::rules::Civ;

/// The page of a seat with its data, and what would come of a letter.
pub fn sent(templates: &Templates, lexicon: &Lexicon, known: &Known, civ: Civ, sheet: &Sheet, letter: &str) -> String {
    let seat = Seat {
        known,
        civ,
        sheet,
        templates,
        name: SeatName { game: "game", title: "a game", slug: "seat", watched: true },
        cut_off: None,
        awaited: &[],
        ended: false,
        report: None,
        newest: Newest { revision: "1", map: "map", heard: 0 },
        visit: Visit { token: "token", mark: "mark", answer: None },
    };
    let bearings = Bearings::of(known, civ);
    let letter = read_reply(letter, Lens { lexicon, bearings: Some(&bearings) }, sheet.doubts());
    let mut after = sheet.clone();
    let answers = after.add(&letter, known.phase(), u64::MAX);
    let answered = ReadLetter {
        known,
        history: &|_| None,
        around: &[],
        civ,
        letter: &letter,
        answers: &answers,
        before: sheet,
        sheet: &after,
        arrival: u64::MAX,
        is_trial: true,
    };
    let tried = serde_json::to_string(&page::tried(templates, &answered)).unwrap();
    let data = serde_json::to_string(&page::data(&seat)).unwrap();
    [page::html(&seat), data, tried].join("\n")
}

/// What everybody is sent of a game that may be watched: its page now and at the end of a turn, the record as text to paste,
/// the map, the words and the map of its preview, and all that the name of the view is made of.
pub fn watched(templates: &Templates, seen: &Witnessed) -> [String; 6] {
    let known = seen.after();
    let seats = known.ranking().map(|civ| Watcher {
        civ,
        player: format!("player {}", civ.0),
        companion: civ.0.is_multiple_of(2),
        accepted: true,
    });
    let seats: Vec<Watcher> = seats.collect();
    let moment = Moment { year: 2026, month: 3, day: 29, weekday: 7, hour: 2, minute: 30, zone: "CEST".to_owned() };
    let stamp = Stamp { moment, utc: "2026-03-29T00:30:00Z".to_owned() };
    let record = page::record(templates, "a game", &[Ruled { seen: seen.clone(), at: stamp.clone() }]);
    let standings = [Standings::of(seen.before()), Standings::of(known)];
    let awaited: Vec<Civ> = known.ranking().collect();
    let public = |then| Public {
        templates,
        game: "a-game",
        title: "a game",
        now: known,
        standing: if known.has_ended() { "ended" } else { "running" },
        seats: &seats,
        awaited: &awaited,
        cut_off: Some(&stamp),
        past: PublicPast { era: 0, standings: &standings, then },
        record: (known.turn(), &record[..]),
        link: PublicLink { address: "https://games.example.org", revision: "0", language: None },
    };
    [
        page::public(&public(None)),
        page::public(&public(Some((1, seen.before())))),
        serde_json::to_string(&record).unwrap(),
        page::map(known, templates.language),
        page::preview(known, templates, "a game"),
        serde_json::to_string(&**known).unwrap(),
    ]
}

/// The page of the game's moderator.
pub fn moderators(templates: &Templates, known: &Known) -> String {
    let game = page::Moderated {
        id: "game".to_owned(),
        title: "a game".to_owned(),
        now: page::Now::Running,
        known: known.clone(),
        status: Vec::new(),
        cut_off: None,
        people: known.ranking().map(|civ| (civ, "Anna".to_owned())).collect(),
        watched: true,
        me: page::Me { plays: true, addresses: vec!["anna@player.example".to_owned()] },
        waiting: Waiting::default(),
        phases: Vec::new(),
        done: Vec::new(),
    };
    page::moderated(templates, &game, None, "token", "mark", None)
}
