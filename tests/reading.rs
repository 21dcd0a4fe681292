//! Letters that nobody honest writes, and readings that would harm whoever wrote the line.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use cursus::door::casebook::{CaseTable, Seating};
use cursus::door::check::answered;
use cursus::orders::bounds::{MOST_ON_SHEET, MOST_ORDERS, MOST_PRESS};
use cursus::orders::sheet::Outcome;
use cursus::orders::{Line, Reading, Sheet, Written, read};
use cursus::report::{Acknowledgement, Templates};
use cursus::rules::{Civ, Language, PrintedGame};

/// A position on the printed map: Minoa and Hellas in the movement.
const MOVEMENT: &str = "phase movement
ranking Minoa, Hellas, Egypt
Knossos: Minoa 6
Phaestos: city Minoa
Thera: Minoa 3, ship Minoa 1
Athens: city Hellas
Corinth: Hellas 3
Tanis: Egypt 4
Minoa: treasury 5; hand Salt, Salt, Papyri";

static TABLE: LazyLock<CaseTable> =
    LazyLock::new(|| CaseTable::new(PrintedGame::built_in().expect("the built-in edition is sound")));

/// A player at their mailbox.
struct Writer {
    seating: Seating,
    civ: Civ,
    language: Language,
    sheet: Sheet,
    letters: u64,
}

impl Writer {
    fn of(civ: &str, position: &str) -> Writer {
        let page = format!("# Letters\n\n## A case\n\n```state\n{position}\n```\n");
        let seating = TABLE.position(&page).unwrap_or_else(|unreadable| panic!("{unreadable}"));
        let civ = seating.lexicon.civs.exact(civ).expect("the writer is seated");
        Writer { seating, civ, language: Language::English, sheet: Sheet::default(), letters: 0 }
    }

    fn minoa() -> Writer {
        Writer::of("Minoa", MOVEMENT)
    }

    fn writes(&mut self, letter: &str) -> Acknowledgement {
        self.letters += 1;
        let Seating { lexicon, state } = &self.seating;
        let templates = Templates::built_in(self.language, state.printed());
        answered(&templates, lexicon, state, self.civ, &mut self.sheet, letter, self.letters)
    }

    /// The text of the answer.
    fn is_told(&mut self, letter: &str) -> String {
        let told = self.writes(letter);
        told.text(&Templates::built_in(self.language, self.seating.state.printed()))
    }

    fn reads(&self, letter: &str) -> Vec<Line> {
        read(letter, &self.seating.lexicon)
    }
}

/// What is answered within this time keeps nobody waiting, on a slow machine and without optimisation.
const SOON: Duration = Duration::from_secs(8);

/// Answers a letter of somebody who means harm, in both languages: soon, and not at length.
#[track_caller]
fn is_answered_soon(name: &str, letter: &str) -> String {
    let mut last = String::new();
    for language in Language::ALL {
        let began = Instant::now();
        let mut writer = Writer { language, ..Writer::minoa() };
        last = writer.is_told(letter);
        let took = began.elapsed();
        assert!(took < SOON, "{name} took {took:?}");
        assert!(last.len() < 300_000, "{name} is answered with {} bytes", last.len());
        assert!(writer.sheet.lines_from(cursus::game::Phase::Tax) <= MOST_ON_SHEET, "{name}");
    }
    last
}

#[test]
fn one_long_word_keeps_nobody_waiting() {
    let long = "a".repeat(300_000);
    let wide = "ż".repeat(15_000 / 2);
    for (name, letter) in [
        ("a name", format!("move 1 from {long}")),
        ("a name on a line that is read", format!("move 1 from {wide} to {wide}")),
        ("a verb", long.clone()),
        ("a civilization", format!("tell {long}: hello")),
        ("a card", format!("offer to Egypt: {wide} for {wide}")),
        ("a calamity", format!("{wide}: lose Knossos")),
        ("a number", format!("move {} from Knossos to Thera", "9".repeat(15_000))),
        ("a topic", format!("help {long}\nrules {wide}")),
        ("marks", format!("move 1 from a{}", "\u{301}".repeat(100_000))),
        ("apostrophes", format!("move 1 from a{}b", "'".repeat(100_000))),
        ("dashes", format!("move 1 from {}", "- ".repeat(7_000))),
    ] {
        is_answered_soon(name, &letter);
    }
}

#[test]
fn many_small_lines_keep_nobody_waiting() {
    for (name, letter) in [
        ("rules", "rules 3\n".repeat(99_000)),
        ("rules of many things", (0..30_000).map(|number| format!("rules x{number}\n")).collect()),
        ("help", (0..30_000).map(|number| format!("help x{number}\n")).collect()),
        ("press", "tell Egypt: x\n\n".repeat(6_000)),
        ("orders", "move 1 from Knossos to Phaestos\n".repeat(99_000)),
        ("orders that may not stand", "sail from Knossos load 1 to Rhodes\n".repeat(99_000)),
        ("faults", "move many Knossos > Phaestos\n".repeat(99_000)),
        ("doubts", "move 1 from East > Sinai\n".repeat(99_000)),
        ("talk", "pass the salt, my friend Knossoss Phaestoss Atthens\n".repeat(70_000)),
        ("pieces", "move 1 from Knossos to Phaestos;".repeat(99_000)),
        ("short pieces", ";x".repeat(8_000)),
        ("many moves in a line", format!("move {}", "1 Knossos > Phaestos, ".repeat(700))),
        ("words of talk", format!("move {}", "aaaaaa ".repeat(40_000))),
        ("words that begin names", format!("move {}\n", "east ".repeat(500)).repeat(50)),
        ("standing orders", "always reduce Knossos\n".repeat(99_000)),
        ("undo", "undo 1-999\n".repeat(99_000)),
        ("one long message", format!("tell Egypt: hello\n{}", "we are\n".repeat(99_000))),
    ] {
        is_answered_soon(name, &letter);
    }
}

#[test]
fn what_is_too_much_is_told_and_the_rest_is_read() {
    let orders = Writer::minoa().writes(&"move 1 from Knossos to Phaestos\n".repeat(MOST_ORDERS + 7));
    assert_eq!(orders.stand + orders.fall, MOST_ORDERS);
    assert!(
        orders.understood.beyond[0].contains(&format!("from line {} on 7 lines", MOST_ORDERS + 1)),
        "{:?}",
        orders.understood.beyond
    );
    assert!(!orders.is_clean());

    let asked = Writer::minoa().writes(&"rules 3\nhelp sail\n".repeat(300));
    assert_eq!((asked.asked.answers.len(), asked.understood.beyond.len()), (2, 0), "each is answered once");

    let press = Writer::minoa().writes(&"tell Egypt: x\n\n".repeat(MOST_PRESS + 5));
    assert_eq!(press.messages.sent.len(), MOST_PRESS);
    assert!(press.understood.beyond[0].contains("5 messages"), "{:?}", press.understood.beyond);

    // What stands behind a line that is too long is read all the same.
    let long = Writer::minoa().writes(&format!("{}\nmove 1 from Knossos to Phaestos", "x".repeat(20_000)));
    assert_eq!((long.stand, long.understood.beyond.len()), (1, 1), "{:?}", long.understood.beyond);
}

/// A late turn of a large empire is far below every bound.
#[test]
fn an_honest_turn_is_read_whole() {
    let lines: Vec<String> = (0..55).map(|_| "move 1 from Knossos to Phaestos".to_owned()).collect();
    let talk = "And this is why I think that the Egyptians should not be trusted, whatever they say. ".repeat(60);
    let letter = format!("{}\nbuild city in Knossos\ntell Hellas: {talk}", lines.join("\n"));
    let told = Writer::minoa().writes(&letter);
    assert_eq!((told.understood.beyond.len(), told.left_out, told.messages.sent.len()), (0, 0, 1));
    assert_eq!(told.stand + told.fall, 56);
}

#[test]
fn a_sheet_does_not_grow_for_ever() {
    let mut writer = Writer::minoa();
    let mut told = Acknowledgement::default();
    for _ in 0..=MOST_ON_SHEET / MOST_ORDERS {
        told = writer.writes(&"reduce Knossos\n".repeat(MOST_ORDERS));
    }
    assert!(told.understood.beyond[0].contains("A sheet holds"), "{:?}", told.understood.beyond);
    // `done` is heard all the same.
    assert_eq!(writer.writes("done").understood.beyond, Vec::<String>::new());
}

#[test]
fn an_order_that_cannot_be_read_does_not_go_to_the_enemy() {
    for line in [
        "Withdraw all my troops from Knossos to Phaestos",
        "withdrawal of everybody, and build ships there",
        "Keep everything quiet in the islands",
        "Please move the big army over there",
        "- 2. Reduce whatever is too much",
        "moev everyone home",
        "Wycofaj wszystkie wojska z Knossos",
        "If Athens is weak we attack Athens",
    ] {
        let mut writer = Writer::minoa();
        let told = writer.writes(&format!("tell Hellas: peace?\n{line}"));
        let sent: Vec<_> = told.messages.sent.iter().flat_map(|sent| &sent.text).collect();
        let is_order = told.stand + told.fall > 0;
        assert!(sent.is_empty() || is_order, "{line}: {sent:?}");
        if line.starts_with("With") || line.starts_with("Keep") {
            assert_eq!(told.messages.held.len(), 1, "{line}: {told:?}");
        }
    }
    // Behind a semicolon, too.
    let told = Writer::minoa().writes("tell Hellas: peace?; move everybody to Athens at night");
    assert_eq!((told.messages.sent.len(), told.messages.held.len()), (0, 1));
}

#[test]
fn what_is_held_is_passed_on_or_dropped() {
    let letter = "tell Hellas: peace?\nKeep your word and I keep mine.";
    for (send, language) in [("send", Language::English), ("wyślij", Language::Polish)] {
        let mut writer = Writer { language, ..Writer::minoa() };
        let held = writer.is_told(letter);
        assert!(held.contains(send), "{held}");
        let told = writer.writes(&format!("{send}\nmove 1 from Knossos to Phaestos"));
        assert_eq!(told.messages.sent[0].text, ["peace?", "Keep your word and I keep mine."]);
        assert_eq!((told.stand, told.messages.held.len(), told.messages.dropped.len()), (1, 0, 0));
        // It is sent once.
        let again = writer.writes(send);
        assert_eq!((again.messages.sent.len(), again.understood.refused.len()), (0, 1));
    }
    let mut writer = Writer::minoa();
    writer.writes(letter);
    // A trial leaves it as it was.
    assert_eq!(writer.writes("try\nmove 1 from Knossos to Phaestos").messages.dropped.len(), 0);
    assert_eq!(writer.writes("move 1 from Knossos to Phaestos").messages.dropped.len(), 1);
    assert_eq!(writer.writes("send").messages.sent.len(), 0);
    // To send somebody somewhere is to move.
    assert_eq!(writer.writes("send 2 from Knossos to Phaestos").stand, 1);
}

#[test]
fn messages_that_speak_of_the_game_are_sent() {
    for text in [
        "peace?\nYou have 7 tokens in Athens, I have 3 in Corinth.",
        "3 salt for 2 iron?",
        "Athens will fall, unless you leave Argos.",
        "hello\nBack home I thought about it.\nGo well!\nI want peace.\nIf you want it too, say so.",
        "hello\n\nKnossos is mine.",
        "hello\nTell me what you think.",
    ] {
        let told = Writer::minoa().writes(&format!("tell Hellas: {text}"));
        assert_eq!((told.messages.sent.len(), told.messages.held.len()), (1, 0), "{text}: {told:?}");
    }
}

/// The canonical lines of the movement part after a letter, or what was refused.
fn sheet(position: &str, letter: &str) -> Vec<String> {
    let mut writer = Writer::of("Minoa", position);
    let told = writer.writes(letter);
    let faults = told.understood.faults.iter().map(|fault| format!("? {}", fault.candidates.join(" | ")));
    let lines = told.sheet.parts.iter().flat_map(|part| &part.lines).map(|line| match &line.illegal {
        Some(why) => format!("{} ! {why} {}", line.order, line.hint.clone().unwrap_or_default()),
        None => line.order.clone(),
    });
    lines.chain(faults).collect()
}

#[test]
fn a_name_is_read_by_where_the_writer_stands() {
    let position = "phase movement
ranking Minoa, Egypt
Eastern Desert: Minoa 3
Fayum: Minoa 4
Western Armenia: Egypt 1";
    // Fourteen areas are called eastern something, and in one of them the player has tokens.
    assert_eq!(sheet(position, "1 eastern > sinai"), ["move 1 from Eastern Desert to Sinai"]);
    // Six are called upper something, and one of them borders.
    assert_eq!(sheet(position, "1 fayum > upper"), ["move 1 from Fayum to Upper Egypt"]);
    let told = Writer::of("Minoa", position).writes("1 eastern > sinai");
    assert_eq!(told.understood.read_as, [("eastern".to_owned(), "Eastern Desert".to_owned())], "it is said");
    // Where two fit, the player is asked, and those that fit stand first.
    let two = format!("{position}\nEastern Armenia: Minoa 2");
    let asked = sheet(&two, "1 eastern > sinai");
    assert!(asked[0].starts_with("? Eastern Armenia | Eastern Desert | "), "{asked:?}");
    // Of two misspellings nobody knows which was meant.
    assert!(sheet(position, "build city in Asaka")[0].starts_with("? Asmaka | Assaka"));
}

#[test]
fn a_voyage_finds_its_way() {
    let position = "phase movement
ranking Minoa, Egypt
Gaza: Minoa 4, ship Minoa 1
Minoa: treasury 5";
    let sails = |letter: &str| sheet(position, &format!("maintain ship in Gaza\n{letter}")).pop().expect("a line");
    let way = sails("sail from Gaza load 3 to Tyre");
    assert!(way.starts_with("sail from Gaza load 3 to ") && way.ends_with(" to Tyre"), "{way}");
    assert!(!way.contains('!'), "{way}");
    // What was found is printed, and reads as itself.
    assert_eq!(sails(&way), way);
    // What names its steps is not corrected.
    assert!(sails("sail from Gaza load 3 to Tyre to Salamis").contains('!'));
    // A refusal says why.
    let far = sails("sail from Gaza load 3 to Rome");
    assert!(far.contains("The shortest way has"), "{far}");
}

/// Whoever copies a voyage from the help can sail it.
#[test]
fn the_voyages_of_the_help_can_be_sailed() {
    let position = "phase movement
ranking Minoa, Egypt
Knossos: Minoa 8, ship Minoa 1
Rhodes: Minoa 4, ship Minoa 1
Minoa: treasury 9";
    for language in Language::ALL {
        let help = Templates::built_in(language, &PrintedGame::built_in().expect("the edition is sound")).help;
        for example in &help.verbs[&cursus::orders::words::Word::Sail].examples {
            let told = Writer::of("Minoa", position).writes(&format!("maintain all ships\n{example}"));
            assert!(told.is_clean(), "{example}: {:?}", told.sheet.parts);
        }
    }
}

#[test]
fn done_is_never_rejected_where_nothing_needs_it() {
    let position = "phase advances\nranking Minoa, Egypt\nMinoa: treasury 50";
    for (line, language) in [("done", Language::English), ("koniec", Language::Polish)] {
        let mut writer = Writer { language, ..Writer::of("Minoa", position) };
        let told = writer.writes(&format!("acquire Cloth Making\n{line}"));
        assert_eq!((told.understood.refused.len(), told.said.len(), told.not_ended.len()), (0, 1, 0), "{told:?}");
        // Beside a mistake it is held, and said again it ends what stands.
        let mut writer = Writer { language, ..Writer::of("Minoa", position) };
        let told = writer.writes(&format!("acquire Pottery\n{line}"));
        assert_eq!((told.understood.refused.len(), told.said.len(), told.not_ended.len()), (0, 0, 1), "{told:?}");
        let told = writer.writes(line);
        assert_eq!((told.understood.refused.len(), told.said.len(), told.not_ended.len()), (0, 1, 0), "{told:?}");
    }
}

#[test]
fn what_speaks_of_all_of_them_is_read() {
    let position = "phase movement
ranking Minoa, Egypt
Knossos: Minoa 6, ship Minoa 2
Thera: Minoa 3, ship Minoa 1
Minoa: treasury 5";
    let ships = ["maintain ship in Knossos", "maintain ship in Knossos", "maintain ship in Thera"];
    for line in ["maintain all ships", "maintain all my ships", "maintain all of my ships", "utrzymaj wszystkie statki"]
    {
        assert_eq!(sheet(position, line), ships, "{line}");
    }
    let conditional = "if Thera is not empty then move 1 from Knossos to Phaestos";
    assert_eq!(sheet(position, conditional), [conditional]);
    assert_eq!(sheet(position, "jeśli Thera nie jest pusta to ruch 1 z Knossos do Fajstos"), [conditional]);
    assert_eq!(sheet(position, "delay Knossos, Thera"), ["delay Knossos", "delay Thera"]);
    let mut writer = Writer::of("Minoa", position);
    writer.writes("1 Knossos > Phaestos\n1 Knossos > Phaestos\n1 Knossos > Phaestos");
    assert_eq!(writer.writes("undo last 2").sheet.taken_back.len(), 2);
    assert_eq!(writer.writes("cofnij ostatnie 5").sheet.taken_back.len(), 1, "as many as there are");

    let trade = "phase trade
ranking Minoa, Egypt
Minoa: hand Salt, Salt, Papyri, Papyri, Papyri, Iron
Egypt: hand Salt, Salt, Iron";
    let none = Writer::of("Minoa", trade).writes("withdraw all");
    assert_eq!(none.understood.faults.len(), 1, "{none:?}");
    let advances = "phase advances
ranking Minoa, Egypt
Minoa: treasury 50; hand Papyri, Papyri, Papyri, Salt";
    assert_eq!(
        sheet(advances, "acquire Pottery paying all papyri, 40 treasury")[0].split(" !").next(),
        Some("acquire Pottery paying 3 Papyri, 40 treasury")
    );
    assert_eq!(Writer::of("Minoa", advances).writes("acquire Pottery paying all iron").understood.faults.len(), 1);
}

#[test]
fn questions_are_heard_as_people_ask_them() {
    for question in
        ["Status?", "status", "Stan?", "help ships", "pomoc statki", "what can I do?", "Co mogę zrobić?", "Map?"]
    {
        assert!(!Writer::minoa().writes(question).asked.answers.is_empty(), "{question}");
    }
    let now = Writer::minoa().writes("what can I do?").asked.answers.concat().join("\n");
    assert!(now.contains("sail from") && now.contains("build city"), "{now}");
    for talk in ["What can I do about it?", "what now, my friend?", "Help!? I need some wine"] {
        assert!(Writer::minoa().writes(talk).understood.faults.is_empty(), "{talk}");
    }
    for line in ["away until tomorrow", "nieobecny do jutra", "away until the day after tomorrow"] {
        assert_eq!(Writer::minoa().writes(line).asked.wishes.len(), 1, "{line}");
    }
}

#[test]
fn what_the_open_phase_asks_for_is_not_passed_over() {
    let position = "phase calamities
ranking Minoa, Egypt
Kara-Bogaz Gol: city Minoa
Knossos: city Minoa";
    for line in ["select Karra-Bogaz", "reduce Kara and the other one", "spare Knos, because it is mine"] {
        let told = Writer::of("Minoa", position).writes(line);
        assert!(told.stand + told.fall + told.understood.faults.len() > 0, "{line}: {told:?}");
    }
    for line in ["loot many", "loot as much as possible", "decline all of it", "łup dużo"] {
        assert_eq!(Writer::minoa().writes(line).understood.faults.len(), 1, "{line}");
    }
}

/// All that is read of a line.
fn reading(line: &str) -> Reading {
    let mut letter = Writer::minoa().reads(line);
    letter.remove(0).pieces.remove(0).reading
}

#[test]
fn a_word_that_is_too_long_is_nobodys_name() {
    let long = format!("knossos{}", "s".repeat(80));
    assert!(matches!(reading(&format!("move 1 from {long} to Thera")), Reading::Fault(_)));
    assert!(!matches!(reading(&long), Reading::Written(Written::Orders(_))));
    let mut sheet = Sheet::default();
    let letter = Writer::minoa().reads(&"status\n".repeat(3));
    let answers = sheet.add(&letter, cursus::game::Phase::Movement, 1);
    let asked = |outcome: &Outcome| matches!(outcome, Outcome::Asked(_));
    assert_eq!(answers.iter().filter(|answer| asked(&answer.outcome)).count(), 1);
}
