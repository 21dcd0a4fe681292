//! The demo: letters that are understood, laws that hold, secrets that are kept, a folder that is whole, a seat to play.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cursus::archive::Archive;
use cursus::door::demo::{Wish, demo, scenario};
use cursus::door::session::Session;
use cursus::game::trade::OfferedTo;
use cursus::game::{Event, Illegal, Known, LineId, Opening, Phase, Reader, Rulebook, State, Witnessed, setup};
use cursus::post::letter;
use cursus::report::{Templates, View, account};
use cursus::rules::{AstSide, Block, Civ, Commodity, Face, Language, PrintedGame, TradeCard};
use flate2::read::ZlibDecoder;
use resvg::usvg;
use serde_json::Value;

fn known(state: &State, civ: Civ) -> Known {
    Known::of(state, Reader::Player(civ))
}

fn wish(players: u8, turns: Option<u16>, seed: u64, long: bool) -> Wish {
    Wish { players, turns, seed, long, language: Language::English, me: None, out: None }
}

/// Plays so many turns. Debug builds check the laws after every event.
fn play(players: u8, turns: u16, seed: u64) -> Session {
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let scenario = scenario(&printed, players).unwrap();
    let mut session = Session::new(Arc::clone(&printed), scenario, AstSide::Basic, seed);
    while session.state().turn() <= turns {
        session.rule_phase();
    }
    session
}

#[test]
fn companions_write_what_can_be_read_and_played() {
    for (players, turns, seed) in [(5, 8, 2), (5, 8, 3), (12, 8, 1), (18, 7, 2)] {
        let tally = play(players, turns, seed).tally();
        let share = 100.0 * tally.written.refused as f64 / tally.written.orders as f64;
        println!(
            "{players} players, {turns} turns, seed {seed}: {share:.2}% of {} refused; {tally:?}",
            tally.written.orders
        );
        assert_eq!(tally.written.faults, 0);
        assert!(share < 5.0, "{share:.2}% of the orders of {players} players are refused");
        assert!(
            tally.board.cities > u64::from(players)
                && tally.market.trades > 0
                && tally.board.ships > 0
                && tally.board.fights > 0
        );
    }
}

#[test]
fn six_turns_of_five_players_have_cities_ships_fights_and_trades() {
    for seed in 1..=3 {
        let tally = play(5, 6, seed).tally();
        assert!(
            tally.board.cities >= 5 && tally.board.ships >= 1 && tally.board.fights >= 1 && tally.market.trades >= 1,
            "{seed}: {tally:?}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_text() {
    let text = |seed| {
        let mut out = Vec::new();
        demo(PrintedGame::built_in().unwrap(), &wish(5, Some(6), seed, true), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
    assert!(text(1).lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_whole_game_is_told_with_its_scores() {
    let mut out = Vec::new();
    demo(PrintedGame::built_in().unwrap(), &wish(5, None, 1, false), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("A marker has reached the end of the track"), "{text}");
    assert!(text.contains("The game has ended after"));
    assert!(!text.contains("no rules yet"));
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    assert!(text.lines().count() < 700, "{} lines", text.lines().count());
}

#[test]
fn a_wrong_number_of_players_or_turns_says_what_is_allowed() {
    let error = |players, turns| {
        demo(PrintedGame::built_in().unwrap(), &wish(players, Some(turns), 1, false), &mut Vec::new())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(error(3, 6), "--players 3: the game is for 5 to 18 players");
    assert_eq!(error(19, 6), "--players 19: the game is for 5 to 18 players");
    assert_eq!(error(5, 0), "--turns 0: a demo has 1 to 100 turns");
}

#[test]
fn a_seat_that_is_not_there_says_which_are() {
    let error = |players, me: &str| {
        let wish = Wish { me: Some(me.to_owned()), ..wish(players, Some(1), 1, false) };
        demo(PrintedGame::built_in().unwrap(), &wish, &mut Vec::new()).unwrap_err().to_string()
    };
    let unknown = error(5, "Atlantis");
    assert!(unknown.starts_with("--me Atlantis: there is no such civilization;\nwith 5 players choose one of "));
    assert!(unknown.contains("Egypt") && unknown.lines().all(|line| line.chars().count() <= 100), "{unknown}");
    let elsewhere = error(5, "Rome");
    assert!(elsewhere.contains("Rome plays in games of 6, ") && elsewhere.contains("add --players 6"), "{elsewhere}");
    assert!(error(18, "H").contains("write more of the name"));
    assert_eq!(error(4, "Egypt"), "--players 4: the game is for 5 to 18 players");
}

/// The addresses that a page links to or shows.
fn links(html: &str) -> BTreeSet<&str> {
    let after = |mark: &'static str| html.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap());
    after("href=\"").chain(after("src=\"")).collect()
}

/// What a script of one call holds, unpacked as a browser does it.
fn unpacked(pack: &Path) -> Value {
    let script = fs::read_to_string(pack).unwrap_or_else(|trouble| panic!("{}: {trouble}", pack.display()));
    let text = script.strip_prefix("cursus(\"").and_then(|rest| rest.strip_suffix("\");\n")).expect("a call");
    let mut json = String::new();
    ZlibDecoder::new(STANDARD.decode(text).unwrap().as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// The folder of a demo as somebody finds it who follows its links.
struct Folder {
    path: PathBuf,
    index: String,
    /// The page that shows any letter, which says how they are packed and which answers which.
    reader: String,
}

impl Folder {
    fn of(wish: Wish, path: PathBuf) -> Folder {
        let mut text = Vec::new();
        demo(PrintedGame::built_in().unwrap(), &Wish { out: Some(path.clone()), ..wish }, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 100 || line.contains("index.html")), "{text}");
        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
        Folder { index: read("index.html"), reader: read("letters/read.html"), path }
    }

    /// What a variable of the reader's script is.
    fn variable(&self, name: &str) -> &str {
        let (_, rest) = self.reader.split_once(&format!("{name} = ")).unwrap();
        &rest[..rest.find(['}', ';', ']']).unwrap()]
    }

    fn pairs(&self, name: &str) -> BTreeMap<usize, usize> {
        let pairs = self.variable(name).trim_start_matches('{').split(',').filter_map(|pair| pair.split_once(':'));
        pairs.map(|(one, other)| (one.parse().unwrap(), other.parse().unwrap())).collect()
    }

    /// The list of all letters: number, turn, seat, kind, subject, whose.
    fn list(&self) -> Vec<(usize, u16, String, String, String, String)> {
        serde_json::from_value(unpacked(&self.path.join("letters/list.js"))).unwrap()
    }

    fn letters(&self) -> BTreeSet<usize> {
        self.list().into_iter().map(|(number, ..)| number).collect()
    }

    /// The pages of all letters, the first at 0.
    fn pages(&self) -> Vec<String> {
        let size: usize = self.variable("size").parse().unwrap();
        let packs = self.letters().len().div_ceil(size);
        let packs: Vec<Value> =
            (0..packs).map(|number| unpacked(&self.path.join(format!("letters/pack-{number:03}.js")))).collect();
        let page = |place: usize| packs[place / size][place % size].as_str().expect("a page").to_owned();
        (0..self.letters().len()).map(page).collect()
    }

    /// The names of files in a folder of it.
    fn files(&self, folder: &str) -> BTreeSet<String> {
        let files = fs::read_dir(self.path.join(folder)).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

#[test]
fn the_folder_is_whole_and_its_links_lead_somewhere() {
    let folder = tempfile::tempdir().unwrap();
    for language in Language::ALL {
        let wish = Wish { language, ..wish(5, Some(4), 1, false) };
        let folder = Folder::of(wish, folder.path().join(language.code()));
        let (out, index) = (&folder.path, &folder.index);
        assert!(index.contains("prefers-color-scheme: dark"));
        let map = fs::read_to_string(out.join("maps/map.html")).unwrap();
        for page in [index, &folder.reader, &map] {
            assert!(!page.contains("://"), "nothing is loaded from afar");
            assert!(!page.contains("{{") && !page.contains("{%") && !page.contains("[page."), "{page}");
        }
        let found = links(index);
        for link in found.iter().filter(|link| !link.starts_with('#')) {
            assert!(out.join(link.split('?').next().unwrap()).is_file(), "{link} leads nowhere");
        }
        for link in found.iter().filter_map(|link| link.strip_prefix('#')) {
            assert!(index.contains(&format!("id=\"{link}\"")), "#{link} leads nowhere");
        }
        // Two charts, for a desk and for a phone, each with a line for every civilization.
        assert_eq!(index.matches("<polyline class=\"line\"").count(), 2 * 2 * 5);
        assert_eq!(index.matches("<li>").count(), 3, "the first letter, a report with a map, slips and their answer");

        let turns: BTreeSet<usize> =
            found.iter().filter_map(|link| link.strip_prefix("maps/map.html?")?.parse().ok()).collect();
        assert_eq!(turns, (0..=4).collect(), "before turn 1 and after each");
        let album = unpacked(&out.join("maps/maps.js"));
        for turn in turns {
            let runs: Vec<usize> = serde_json::from_value(album["turns"][turn].clone()).unwrap();
            let parts =
                runs.chunks(2).flat_map(|run| (run[0]..run[0] + run[1]).map(|part| album["parts"][part].as_str()));
            let svg: String = parts.map(|part| part.expect("a part")).collect();
            usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap_or_else(|trouble| panic!("{turn}: {trouble}"));
        }

        // Whatever is listed can be chosen, and has a heading to stand under.
        for (number, turn, seat, kind, subject, whose) in folder.list() {
            assert!(!subject.is_empty() && whose.contains(" · ") && !whose.contains('['), "{number}: {whose}");
            for value in [&turn.to_string(), &seat, &kind] {
                assert!(index.contains(&format!("<option value=\"{value}\">")), "{number}: {value}");
            }
            assert!(index.contains(&format!("<details data-t=\"{turn}\">")));
        }
        let (letters, pages) = (folder.letters(), folder.pages());
        assert!(letters.len() > 60 && letters == (1..=letters.len()).collect(), "every letter is listed");
        let (mut pictures, mut slips) = (BTreeSet::new(), 0);
        for page in &pages {
            assert!(page.contains("<body") && !page.contains("cid:"), "{page}");
            // A link that opens an answer leads to a mail.
            for link in links(page).into_iter().filter(|link| !link.starts_with("mailto:")) {
                assert!(out.join("letters").join(link).is_file(), "{link} leads nowhere");
                pictures.extend(link.strip_prefix("../pictures/").map(str::to_owned));
            }
            slips += usize::from(page.contains("move half "));
            assert!(language == Language::English || !page.contains(" the "), "{page}");
        }
        assert!(pictures.len() >= 15 && slips >= 2, "{} pictures, {slips} pages with slips", pictures.len());
        assert_eq!(folder.files("pictures"), pictures, "each picture that a letter shows, once, and no other");

        // A letter leads to its answer, and that one back to it. What a player wrote stands above what they quote.
        let (answered, questions) = (folder.pairs("answered"), folder.pairs("questions"));
        assert!(answered.len() > 20 && answered.iter().all(|(one, other)| questions[other] == *one && one < other));
        for number in answered.keys() {
            assert!(pages[number - 1].contains("<pre class=\"own\">"), "{}", pages[number - 1]);
        }
        for number in answered.values() {
            assert!(!pages[number - 1].contains("<pre class=\"own\">"), "{}", pages[number - 1]);
        }
    }
}

#[test]
fn the_folder_holds_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Folder::of(wish(5, Some(4), 1, false), folder.path().join("demo"));
    let names = folder.files("");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(
        names,
        ["cursus.sqlite", "cursus.sqlite.mark", "index.html", "letters", "maps", "pictures"],
        "no mailboxes, no log of SQLite"
    );
    let archive = fs::read(folder.path.join("cursus.sqlite")).unwrap();
    let holds = |bytes: &[u8]| archive.windows(bytes.len()).any(|window| window == bytes);
    assert!(!holds(b"\x89PNG") && !holds(b"<!DOCTYPE html>"), "pictures and pages lie beside the archive");
    assert!(holds(b"YOUR FORM"), "the words of our letters are kept");
    // It is still an archive: the game in it can be made again from its seed.
    let archive = Archive::visit(&folder.path.join("cursus.sqlite")).unwrap();
    assert!(archive.events(&"demo".into(), 1).unwrap().len() > 100);
    assert_eq!(archive.outbox_status(None).unwrap().waiting, 0);
    // Mails with their pictures are large: those that are to be looked at first are kept, and no others.
    let mails: BTreeSet<String> = folder.files("letters").into_iter().filter(|name| name.ends_with(".eml")).collect();
    assert!((4..=7).contains(&mails.len()), "{mails:?}");
    let known = format!("mails = {}]", folder.variable("mails"));
    assert!(folder.index.contains(&known), "the list links to them as well");
    let numbers =
        folder.variable("mails").trim_start_matches('[').split(',').map(|number| number.parse::<u32>().unwrap());
    assert_eq!(numbers.map(|number| format!("{number:05}.eml")).collect::<BTreeSet<_>>(), mails);
    let size = |name: &str| -> u64 {
        folder.files(name).iter().map(|file| folder.path.join(name).join(file).metadata().unwrap().len()).sum()
    };
    // A whole game of some twenty turns is under 60 MB, and its first turns are the small ones.
    let all = ["", "letters", "maps", "pictures"].iter().map(|name| size(name)).sum::<u64>();
    assert!(all < 2_000_000 * 4, "{all} bytes for 4 turns");
    // Maps and pages are nothing beside the pictures.
    assert!(size("maps") < 500_000, "{}", size("maps"));
    let packs: u64 = size("letters")
        - mails.iter().map(|mail| folder.path.join("letters").join(mail).metadata().unwrap().len()).sum::<u64>();
    assert!(packs < 1_000 * folder.letters().len() as u64, "{packs}");
}

#[test]
fn a_mail_that_was_written_in_a_hurry_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = Folder::of(wish(5, Some(3), 1, false), folder.path().join("demo"));
    let mails = folder.files("letters").into_iter().filter(|name| name.ends_with(".eml"));
    let own = |name: String| letter::open(&fs::read(folder.path.join("letters").join(name)).unwrap()).unwrap().text;
    let hurried: Vec<String> = mails.map(own).filter(|own| own.starts_with("Sorry, in a hurry")).collect();
    assert!(hurried.len() == 1 && !hurried[0].contains("Cursus wrote"), "{hurried:?}");
}

#[test]
fn the_mail_that_the_readme_names_is_read_without_its_quotation() {
    let (_, rest) = include_str!("../README.md").split_once("-- read ").unwrap();
    let mail = Path::new(env!("CARGO_MANIFEST_DIR")).join(rest.split_whitespace().next().unwrap());
    let read = letter::open(&fs::read(mail).unwrap()).unwrap();
    assert!(!read.text.is_empty() && read.ignored.quoted > 0 && !read.text.contains('>'), "{}", read.text);
}

/// The real demo with somebody at its keyboard.
struct Sitting {
    demo: Child,
    said: BufReader<ChildStdout>,
    heard: String,
}

impl Sitting {
    fn begin(out: &Path) -> Sitting {
        let mut demo = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["demo", "--me", "egypt", "--out", out.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(demo.stdout.take().unwrap());
        Sitting { demo, said, heard: String::new() }
    }

    /// Reads on to a line with these words; gives all that was said up to it.
    fn until(&mut self, words: &str) -> String {
        let from = self.heard.len();
        loop {
            let mut line = String::new();
            let read = self.said.read_line(&mut line).unwrap();
            assert!(read > 0, "`{words}` was never said: {}", self.heard);
            self.heard += &line;
            if line.contains(words) {
                return self.heard[from..].to_owned();
            }
        }
    }

    fn types(&mut self, text: &str) {
        self.demo.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }
}

#[test]
fn somebody_plays_a_seat_by_typing_and_by_putting_files_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("demo");
    let mut sitting = Sitting::begin(&out);
    let opening = sitting.until("Your letter as Egypt (");
    assert!(opening.contains("You play Egypt yourself") && opening.contains("a seat for you, Egypt"), "{opening}");
    sitting.types("ok\n\n");
    let welcome = sitting.until("Your letter as Egypt, turn 1, Movement");
    assert!(welcome.contains("you are Egypt") && welcome.contains("YOUR FORM"), "{welcome}");
    let map = welcome.lines().find_map(|line| line.strip_prefix("Its map: ")).expect("the map has a path");
    assert!(Path::new(map).is_file());
    // A slip, ended with a dot, is answered with a mark under the word; nothing is ruled before they are ready.
    sitting.types("move half Memphis -> Thebes\n.\n");
    let answer = sitting.until("Your letter as Egypt, turn 1, Movement");
    assert!(answer.contains("^^^^"), "{answer}");
    sitting.types("\nok\n\n");
    let ruled = sitting.until("Your letter as Egypt, turn 2, Movement");
    assert!(ruled.contains("── Turn 2 ") && ruled.contains("Points     "), "{ruled}");
    let put = |name: &str, text: &str| fs::write(out.join("write-here").join(name), text).unwrap();
    put("second.txt", "\u{feff}ok\r\n");
    let third = sitting.until("Your letter as Egypt, turn 3, Movement");
    assert!(third.contains("Sent: second.txt"), "{third}");
    // A mail as a program makes it: another sender, another coding, and a quotation that never acts.
    put(
        "third.eml",
        "From: Me <me@home.example>\nTo: you@example.org\nSubject: orders\nMIME-Version: 1.0\n\
         Content-Type: text/plain;\n charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
         o=6B\n\nOn Monday Cursus wrote:\n> move half Memphis -> Thebes\n",
    );
    let fourth = sitting.until("Your letter as Egypt, turn 4, Movement");
    assert!(fourth.contains("Sent: third.eml") && !fourth.contains("^^^^"), "{fourth}");
    // The end of the input is a farewell.
    drop(sitting.demo.stdin.take());
    let farewell = sitting.until("index.html");
    assert!(farewell.contains("You have left the table"), "{farewell}");
    assert!(sitting.demo.wait().unwrap().success());
    assert!(sitting.heard.lines().all(|line| line.chars().count() <= 100 || line.contains(out.to_str().unwrap())));
    let index = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(
        links(&index)
            .iter()
            .filter(|link| !link.starts_with('#'))
            .all(|link| out.join(link.split('?').next().unwrap()).is_file())
    );
    assert!(out.join("write-here/third.eml.sent").is_file());
}

fn card(commodity: u8) -> TradeCard {
    TradeCard { face: Face::Commodity(Commodity(commodity)), block: Block::West }
}

/// A west_5 game in which the second player holds these, and whose stacks lie as they do or the other way round.
fn secret(printed: &Arc<PrintedGame>, hand: &[TradeCard], turned: bool, phase: Phase) -> State {
    let opening = setup::opening(Arc::clone(printed), &printed.scenarios[0], Rulebook::default(), AstSide::Basic);
    let mut opening = Opening { phase, ..opening };
    opening.holdings[1].hand = hand.to_vec();
    if turned {
        for stack in 1..=9 {
            let cards: Vec<_> = opening.stacks.stack(Block::West, stack).iter().rev().copied().collect();
            opening.stacks.lay(Block::West, stack, cards);
        }
    }
    State::new(opening)
}

fn offer(state: &State, third: TradeCard, to: Option<Civ>) -> Event {
    let gives = vec![card(0), card(1), third];
    let from = state.holdings()[1].civ;
    let told = [card(0).face, card(1).face];
    let (to, names) = (OfferedTo::these(to), vec![card(3).face]);
    Event::OfferMade { number: 1, from, to, gives, told, says: Vec::new(), wants: 3, names, times: 1 }
}

#[test]
fn hands_stacks_and_sheets_of_others_are_in_no_view_of_any_phase() {
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let templates = Templates::built_in(Language::English, &printed);
    for phase in Phase::ALL {
        let one = secret(&printed, &[card(0), card(1), card(5)], false, phase);
        let other = secret(&printed, &[card(0), card(1), card(20)], true, phase);
        let civs: Vec<_> = one.ranking().collect();
        let json = |state: &State, civ| serde_json::to_string(&View::of(&known(state, civ))).unwrap();
        for civ in &civs {
            assert_eq!(json(&one, *civ) == json(&other, *civ), *civ != civs[1], "{phase:?}");
        }
        // A refused line speaks of a sealed sheet and of a hand: only its writer hears of it, and why.
        let why = Illegal::NotInHand { card: card(5).face };
        let refused = [Event::Refused { civ: civs[1], line: LineId(1), why }];
        assert!(account(&templates, &Witnessed::of(&one, &refused, Reader::Player(civs[0]))).is_empty());
        assert!(account(&templates, &Witnessed::of(&one, &refused, Reader::Public)).is_empty());
        assert!(
            account(&templates, &Witnessed::of(&one, &refused, Reader::Player(civs[1])))[0]
                .text
                .contains("you do not hold")
        );
    }
}

#[test]
fn a_view_tells_its_reader_prices_sets_and_the_next_step() {
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let state = secret(&printed, &[card(0), card(0), card(1)], false, Phase::Advances);
    let known = known(&state, state.holdings()[1].civ);
    let view = View::of(&known);
    let value = view.sets.iter().find(|set| set.count == 2).map(|set| set.value);
    assert_eq!(value, Some(4 * u16::from(printed.commodities[0].stack)));
    let dearest = view.advances.iter().max_by_key(|card| card.price).unwrap();
    // Five players begin with ten points of every colour.
    assert_eq!((dearest.price, view.hand_limit, view.last_turn), (dearest.cost - 10, 8, None));
    let step = view.next_step.as_ref().unwrap();
    assert!(step.step == 1 && step.is_met && step.later.len() == 5);
}

#[test]
fn a_view_and_an_account_leak_nothing() {
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let templates = Templates::built_in(Language::English, &printed);
    let one = secret(&printed, &[card(0), card(1), card(5)], false, Phase::Trade);
    let other = secret(&printed, &[card(0), card(1), card(6)], true, Phase::Trade);
    let civs: Vec<_> = one.ranking().collect();
    let (holder, reader) = (civs[1], civs[0]);
    assert_ne!(View::of(&known(&one, holder)), View::of(&known(&other, holder)), "the holder sees the difference");
    for reader in civs.iter().filter(|civ| **civ != holder) {
        assert_eq!(View::of(&known(&one, *reader)), View::of(&known(&other, *reader)));
    }
    // An offer whose third card is another, a trade of it, and the loss of it.
    let trade = |third| {
        let (given, received) = (vec![card(0), card(1), third], Vec::new());
        Event::TradeMade { number: 1, from: holder, to: civs[2], given, received }
    };
    let drawn = |card| Event::CardDrawn { civ: holder, stack: 2, card };
    for to in [None, Some(civs[2])] {
        let mut texts = Vec::new();
        for (state, third) in [(&one, card(5)), (&other, card(6))] {
            let made = offer(state, third, to);
            let events = [made.clone(), trade(third)];
            let mut offered = state.clone();
            offered.apply(&made);
            let voided = account(
                &templates,
                &Witnessed::of(&offered, &[Event::OfferVoided { number: 1 }], Reader::Player(reader)),
            );
            assert_eq!(voided.is_empty(), to.is_some(), "only the parties hear of an offer to one");
            texts.push((
                account(&templates, &Witnessed::of(state, &events, Reader::Player(reader))),
                account(&templates, &Witnessed::of(state, &events, Reader::Public)),
            ));
            assert_eq!(View::of(&known(&offered, reader)).offers.len(), usize::from(to.is_none()));
            assert_eq!(View::of(&known(&offered, civs[2])).offers.len(), 1);
            assert_eq!(View::of(&known(&offered, holder)).offers.len(), 1);
        }
        assert_eq!(texts[0], texts[1]);
        assert!(!texts[0].1.is_empty(), "that a trade was made is public");
    }
    let top = |state: &State| state.stacks().top(Block::West, 2).unwrap();
    let told = |state: &State, reader| account(&templates, &Witnessed::of(state, &[drawn(top(state))], reader));
    assert_ne!(top(&one), top(&other));
    assert_eq!(told(&one, Reader::Player(reader)), told(&other, Reader::Player(reader)));
    assert_ne!(told(&one, Reader::Player(holder)), told(&other, Reader::Player(holder)));
}
