//! The house: each room looks only where it may, and the inner rooms have no clock, no files and no network.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms it may look into.
const ROOMS: [(&str, &[&str]); 10] = [
    ("rules", &[]),
    ("game", &["rules"]),
    ("orders", &["rules", "game"]),
    ("report", &["rules", "game", "orders"]),
    ("post", &[]),
    ("archive", &["rules", "game", "orders", "report", "post"]),
    ("companions", &["rules", "report"]),
    ("web", &["rules", "game", "orders", "report", "post"]),
    ("desk", &["rules", "game", "orders", "report", "post", "archive", "companions", "web"]),
    ("door", &["rules", "game", "orders", "report", "post", "archive", "companions", "web", "desk"]),
];

/// The pure rooms, and what would make them impure.
const PURE: [&str; 5] = ["rules", "game", "orders", "report", "companions"];
const IMPURE: [&str; 14] = [
    "std::fs",
    "std::net",
    "std::time",
    "std::io",
    "std::process",
    "std::env",
    "std::thread",
    "chrono::",
    "tokio::",
    "sqlx::",
    "tracing::",
    "println!",
    "eprintln!",
    "SystemTime",
];

#[test]
fn each_room_looks_only_where_it_may() {
    let mut wrong = Vec::new();
    for (room, allowed) in ROOMS {
        for page in pages(room) {
            let text = code(&page);
            for seen in rooms_seen(&text) {
                if seen != room && !allowed.contains(&seen.as_str()) {
                    wrong.push(format!("{} looks into `{seen}`", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_inner_rooms_are_pure() {
    let mut wrong = Vec::new();
    for page in PURE.iter().flat_map(|room| pages(room)) {
        let text = code(&page);
        wrong.extend(
            IMPURE.iter().filter(|word| text.contains(*word)).map(|word| format!("{}: {word}", page.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rooms that know what somebody may know, and the words that would lead them to what is true.
const KNOWING: [&str; 4] = ["orders", "report", "companions", "web"];
const TRUTH: [&str; 8] =
    ["State", "Opening", "Chronicle", "Chance", "adjudicate", "replay", "Known::of", "Witnessed::of"];

#[test]
fn nothing_leads_from_a_reader_to_what_is_true() {
    let mut wrong = Vec::new();
    for page in KNOWING.iter().flat_map(|room| pages(room)) {
        // What a test of the page needs it may have.
        let text = code(&page);
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        wrong
            .extend(TRUTH.iter().filter(|word| has_word(text, word)).map(|word| format!("{}: {word}", page.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a public item begins with. Its fields and variants may speak for themselves.
const ITEMS: [&str; 9] = [
    "pub fn ",
    "pub const ",
    "pub async fn ",
    "pub struct ",
    "pub enum ",
    "pub trait ",
    "pub type ",
    "pub static ",
    "pub macro ",
];

#[test]
fn public_items_are_explained_and_no_comment_is_a_mere_word() {
    let mut wrong = Vec::new();
    for page in ROOMS.iter().flat_map(|(room, _)| pages(room)) {
        let text = fs::read_to_string(&page).expect("a page is text");
        wrong.extend(unexplained(&text).into_iter().map(|(line, why)| format!("{}:{line}: {why}", page.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mere_word_is_seen() {
    let said =
        "/// What it costs, all told.\n#[must_use]\npub fn price() {}\n/// R7.7.\nleast: u8,\n/// `en` or `pl`.\n";
    assert_eq!(unexplained(said), []);
    let mute = "pub fn price() {}\n/// Whose.\npub civ: Civ,\n";
    assert_eq!(unexplained(mute), [(1, "nothing explains it"), (2, "says nothing")]);
}

/// Public items without a comment, and comments of at most three words that neither cite nor show anything.
fn unexplained(text: &str) -> Vec<(usize, &'static str)> {
    let mut wrong = Vec::new();
    // How long the comment above is, in lines; attributes may stand between it and the item.
    let mut above = 0;
    let mut lines = text.lines().map(str::trim_start).enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        if let Some(words) = line.strip_prefix("///") {
            let goes_on = lines.peek().is_some_and(|(_, next)| next.starts_with("///"));
            let says = words.split_whitespace().count() > 3 || words.contains(|c: char| c == '`' || c.is_ascii_digit());
            let cites = words.split('.').next().is_some_and(|word| word.trim().len() == 1);
            if above == 0 && !goes_on && !says && !cites {
                wrong.push((at + 1, "says nothing"));
            }
            above += 1;
        } else if !line.starts_with("#[") && !line.ends_with(")]") {
            if above == 0 && ITEMS.iter().any(|item| line.starts_with(item)) {
                wrong.push((at + 1, "nothing explains it"));
            }
            above = 0;
        }
    }
    wrong
}

#[test]
fn comments_speak_of_the_player_and_no_match_asks_a_boolean() {
    let config = below(&root().join("config"));
    let code = ["src", "tests", "benches", "fuzz/fuzz_targets"].iter().flat_map(|folder| below(&root().join(folder)));
    let pages = code.chain(config).filter(|page| page.extension().is_some_and(|end| end == "rs" || end == "toml"));
    let mut wrong = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page is text");
        wrong.extend(bad_habits(&text).into_iter().map(|(line, why)| format!("{}:{line}: {why}", page.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bad_habit_is_seen() {
    let bad = "/// What he wrote.\nlet said = 1; @ It is his.\n# For him.\nmatch yes {\n    true => 1,\n    false if no => 2,\n}\n";
    assert_eq!(bad_habits(&bad.replace('@', "//")).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 3, 5, 6]);
    let good = "/// The here and this.\nlet said = \"he // said\";\nfound.filter(|_| true)\n#[test]\n";
    assert_eq!(bad_habits(good), []);
}

/// Comments that take the player for a man, and arms of a `match` on what an `if` could ask.
fn bad_habits(text: &str) -> Vec<(usize, &'static str)> {
    const MEN: [&str; 7] = ["he", "him", "his", "himself", "He", "His", "Him"];
    let mut wrong = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let comment = match line.trim_start() {
            whole if whole.starts_with("//") || whole.starts_with("# ") => Some(whole),
            _ => line.split_once("; // ").map(|(_, behind)| behind),
        };
        if comment.is_some_and(|comment| MEN.iter().any(|word| has_word(comment, word))) {
            wrong.push((at + 1, "speak of the player, and of them"));
        }
        let arm = line.trim_start();
        let is_boolean =
            |word: &str| arm.strip_prefix(word).is_some_and(|rest| rest.starts_with(" =>") || rest.starts_with(" if "));
        if is_boolean("true") || is_boolean("false") {
            wrong.push((at + 1, "`if` says it"));
        }
    }
    wrong
}

/// Names that stand for one thing in the whole house: the glossary's, and those that once misled.
const ONE_THING: [&str; 31] = [
    "AnsweredForm",
    "Browser",
    "Carrier",
    "Command",
    "Companion",
    "Decided",
    "Deed",
    "Desk",
    "Dispatch",
    "Event",
    "Form",
    "Gathering",
    "House",
    "Instruction",
    "Known",
    "Letter",
    "Line",
    "Mailing",
    "Outbox",
    "PageForm",
    "Party",
    "Place",
    "Received",
    "Sender",
    "Settled",
    "Sheet",
    "Sitting",
    "State",
    "Table",
    "Window",
    "Witnessed",
];

#[test]
fn a_name_of_the_glossary_is_one_type() {
    let pages = everything();
    let texts: Vec<String> = pages.iter().map(|page| code(page)).collect();
    let mut wrong = Vec::new();
    for name in ONE_THING {
        let of = |text: &String| text.lines().filter(|line| type_named(line) == Some(name)).count();
        let counts = pages.iter().zip(texts.iter().map(of)).filter(|(_, count)| *count > 0);
        let places: Vec<String> = counts.map(|(page, count)| format!("{} ({count})", page.display())).collect();
        if places.len() != 1 || !places[0].ends_with("(1)") {
            wrong.push(format!("{name}: {}", places.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_second_type_of_a_name_is_seen() {
    assert_eq!(type_named("    pub(in crate::desk) struct Sheet<'a>(u8);"), Some("Sheet"));
    assert_eq!(type_named("type Known = (SeatId, Address);"), Some("Known"));
    assert_eq!(type_named("let known = Known::of(state);"), None);
    assert_eq!(type_named("pub use sheet::Sheet;"), None);
}

/// The name of the type that a line begins, if it begins one.
fn type_named(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(line, |(_, rest)| rest);
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|head| line.strip_prefix(head))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some(&rest[..end])
}

/// How many items the library shows: the binary, the tests, the benchmarks and the fuzzer need no more. Whoever needs one more
/// makes it public; whoever finds that nobody does lowers the number.
const MOST_PUBLIC: usize = 1190;

#[test]
fn the_house_shows_no_more_than_it_did() {
    let heads = ["fn", "const fn", "async fn", "struct", "enum", "const", "mod", "trait", "type", "use", "static"];
    let is_public = |line: &str| {
        let item = line.trim_start().strip_prefix("pub ");
        item.is_some_and(|item| heads.iter().any(|head| item.starts_with(head)))
    };
    let count =
        everything().iter().map(|page| code(page).lines().filter(|line| is_public(line)).count()).sum::<usize>();
    assert!(count <= MOST_PUBLIC, "{count} public items; is each for the binary, a test, a benchmark or the fuzzer?");
    assert!(count + 40 > MOST_PUBLIC, "{count} public items: lower the number");
}

/// A longer function is read in two sittings, unless it is one `match` with an arm for each of many things.
const LONGEST_FUNCTION: usize = 80;
const ONE_MATCH: [&str; 7] = [
    "game/apply.rs: apply",
    "game/known.rs: told",
    "report/letters/scribe.rs: told",
    "report/map/changes.rs: note",
    "report/refusals.rs: facts",
    "report/wording.rs: worded",
    "desk/table/moderating.rs: perform",
];

#[test]
fn a_function_is_read_in_one_sitting() {
    let mut long = Vec::new();
    for page in everything() {
        let text = fs::read_to_string(&page).expect("a page is text");
        let name = page.strip_prefix(source()).expect("a page of the house").display().to_string();
        let functions = lengths(&text).into_iter().filter(|(_, length)| *length > LONGEST_FUNCTION);
        long.extend(functions.map(|(of, length)| (format!("{name}: {of}"), length)));
    }
    long.retain(|(name, _)| !ONE_MATCH.contains(&name.as_str()));
    assert!(long.is_empty(), "cut where they part: {long:?}");
}

#[test]
fn functions_are_measured() {
    let text = "impl A {\n    pub(crate) fn one(&self) {\n        loop {\n        }\n    }\n    fn two();\n}\nfn three() {\n}\n";
    assert_eq!(lengths(text), [("one", 4), ("two", 1), ("three", 2)]);
}

/// The functions of a page, and how many lines each has.
fn lengths(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let margin = |line: &str| line.len() - line.trim_start().len();
    let mut functions = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((before, rest)) = line.split_once("fn ") else { continue };
        let is_head = |word: &str| word.starts_with("pub") || ["const", "async", "in", "crate::desk)"].contains(&word);
        if !before.split_whitespace().all(is_head) {
            continue;
        }
        let name = &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        // It ends with the brace below its head, or with its head where a trait only names it.
        let is_end = |line: &&str| margin(line) == margin(lines[at]) && line.trim_start().starts_with('}');
        let named = lines[at..].iter().position(|line| line.ends_with(';') || line.ends_with('{')).unwrap_or(0);
        let length = if lines[at + named].ends_with(';') {
            named + 1
        } else {
            lines[at..].iter().position(is_end).map_or(1, |end| end + 1)
        };
        functions.push((name, length));
    }
    functions
}

#[test]
fn words_of_a_language_are_chosen_in_tables() {
    let mut wrong = Vec::new();
    for page in everything() {
        let text = code(&page);
        let chosen = text.lines().filter(|line| line.contains("either(\""));
        wrong.extend(chosen.map(|line| format!("{}: {}", page.display(), line.trim())));
    }
    assert!(wrong.is_empty(), "templates and `orders::words` have the words:\n{}", wrong.join("\n"));
}

/// More fields than a reader keeps in mind have only types that are flat for a reason.
const MOST_FIELDS: usize = 12;
const FLAT: [(&str, &str); 19] = [
    ("archive/games.rs: GameRecord", "a row of the archive"),
    ("archive/games.rs: SeatRecord", "a row of the archive"),
    ("desk/clock/schedule.rs: Schedule", "a section of a game's file"),
    ("desk/settings/game_file.rs: GameFile", "a file that people write"),
    ("desk/settings/mod.rs: Settings", "a file that people write"),
    ("desk/table/mod.rs: Agreed", "a game's file as it is stored"),
    ("door/simulate/summary.rs: Summary", "what `simulate --json` prints"),
    ("game/frozen.rs: Frozen", "a state as it is stored"),
    ("game/rulebook.rs: Rulebook", "the house rules of a game's file, as they are stored"),
    ("game/state.rs: Holding", "a part of a state as it is stored"),
    ("game/state.rs: State", "a state as it is stored and hashed"),
    ("post/forum/discourse.rs: Entry", "a post as Discourse sends it"),
    ("report/page/advances.rs: Card", "data for the scripts of a page"),
    ("report/page/board.rs: Area", "data for the scripts of a page"),
    ("report/page/data.rs: Data", "data for the scripts of a page"),
    ("report/view.rs: Civilization", "data for players"),
    ("report/view.rs: View", "data for players"),
    ("rules/edition/map.rs: AreaEntry", "an entry of an edition's file"),
    ("rules/polish.rs: Forms", "an entry of an edition's file"),
];

#[test]
fn a_type_with_many_fields_is_a_flat_row() {
    let mut wide = BTreeSet::new();
    for page in everything() {
        let name = page.strip_prefix(source()).expect("a page of the house").display().to_string();
        let text = code(&page);
        let types = fields_of(&text).into_iter().filter(|(_, fields)| *fields > MOST_FIELDS);
        wide.extend(types.map(|(of, _)| format!("{name}: {of}")));
    }
    let flat: BTreeSet<String> = FLAT.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(wide, flat, "part what does not belong together, or say why it is flat");
}

#[test]
fn fields_are_counted() {
    let text = "pub struct Two<'a> {\n    pub one: &'a str,\n    #[serde(default)]\n    pub(crate) r#in: Vec<(u8, u8)>,\n}\n\
                struct Unit;\nenum Each {\n    Of {\n        one: u8,\n    },\n}\nstruct One {\n    one: u8,\n}";
    assert_eq!(fields_of(text), [("Two", 2), ("One", 1)]);
}

/// The types of a page with named fields, and how many each has.
fn fields_of(text: &str) -> Vec<(&str, usize)> {
    let mut types: Vec<(&str, usize)> = Vec::new();
    let mut open = None;
    for line in text.lines() {
        let margin = line.len() - line.trim_start().len();
        if let Some((name, at)) = open {
            let field = line.trim_start().trim_start_matches("pub");
            let field = field.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(field, |(_, rest)| rest);
            let field = field.trim_start().trim_start_matches("r#");
            let is_field = field.split_once(": ").is_some_and(|(name, _)| {
                name.starts_with(|c: char| c.is_lowercase()) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            });
            if margin == at && line.trim_start().starts_with('}') {
                open = None;
            } else if margin == at + 4
                && is_field
                && let Some((last, fields)) = types.last_mut()
            {
                debug_assert_eq!(*last, name);
                *fields += 1;
            }
        } else if line.ends_with('{')
            && line.contains("struct ")
            && let Some(name) = type_named(line)
        {
            types.push((name, 0));
            open = Some((name, margin));
        }
    }
    types
}

#[test]
fn every_module_of_the_crate_is_a_room() {
    let lib = fs::read_to_string(source().join("lib.rs")).expect("the library has a root");
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(ROOMS.iter().any(|(room, _)| *room == module), "`{module}` is no room of the house");
    }
}

#[test]
fn a_wrong_look_is_seen() {
    let text = "use crate::game::State;\nuse crate::{desk::Desk, post};\nlet x = crate::archive::open();";
    assert!(has_word(text, "State") && !has_word(text, "Stat") && !has_word(text, "esk"));
    assert_eq!(rooms_seen(text), BTreeSet::from(["archive", "desk", "game", "post"].map(str::to_owned)));
}

/// The pages that lead an outsider through the house.
const GUIDES: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rooms.md"];

#[test]
fn what_the_guides_name_exists() {
    let pages = everything();
    let house: Vec<(Vec<String>, String)> = pages
        .iter()
        .map(|page| {
            let path = page.strip_prefix(source()).expect("a page of the house").with_extension("");
            let parts = path.iter().map(|part| part.to_string_lossy().into_owned()).filter(|part| part != "mod");
            (parts.collect(), code(page))
        })
        .collect();
    let mut wrong = Vec::new();
    for guide in GUIDES {
        let text = fs::read_to_string(root().join(guide)).expect("a guide is text");
        wrong.extend(
            paths(&text).into_iter().filter(|path| !is_somewhere(path, &house)).map(|path| format!("{guide}: {path}")),
        );
        let files =
            text.split(|c: char| !(c.is_alphanumeric() || "/_.-".contains(c))).filter(|word| word.ends_with(".rs"));
        let is_file = |file: &&str| pages.iter().any(|page| page.ends_with(file)) || root().join(file).exists();
        wrong.extend(files.filter(|file| !is_file(file)).map(|file| format!("{guide}: {file}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_name_that_is_nowhere_is_seen() {
    let house =
        [(vec!["desk".to_owned(), "table".to_owned()], "impl Sitting {\n fn tell_each(&self) {}\n}".to_owned())];
    assert_eq!(paths("`Sitting::tell_each`, desk::table → ::identity, `a: b`."), ["Sitting::tell_each", "desk::table"]);
    assert!(is_somewhere("Sitting::tell_each", &house) && is_somewhere("desk::table", &house));
    assert!(is_somewhere("table::tell_each", &house) && is_somewhere("desk::tell_each", &house));
    assert!(!is_somewhere("Sitting::to_each", &house) && !is_somewhere("desk::chair", &house));
    assert!(!is_somewhere("Chair::tell_each", &house));
}

/// What a text names as `room::file::name` or `Type::name`, without what only shows the form of it.
fn paths(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
    let words = words.map(|word| word.trim_end_matches(':'));
    words.filter(|word| word.contains("::") && !word.starts_with(':') && *word != "room::file::name").collect()
}

/// Whether a page of the house is called so, or has such a name: below the modules that stand before it, or beside the
/// type whose it is. What a room hands on from a page of its own counts as the room's.
fn is_somewhere(path: &str, house: &[(Vec<String>, String)]) -> bool {
    let parts: Vec<&str> = path.split("::").collect();
    let (name, before) = parts.split_last().expect("a path has a name");
    let is_type = before.last().is_some_and(|part| part.starts_with(char::is_uppercase));
    let (modules, owner) = if is_type { before.split_at(before.len() - 1) } else { (before, &[][..]) };
    let leads = |page: &[String], to: &[&str]| to.is_empty() || page.windows(to.len()).any(|part| part == to);
    let has = |text: &str| {
        let is_owned = owner.iter().all(|owner| declares(text, owner) || text.contains(&format!("impl {owner}")));
        is_owned && declares(text, name)
    };
    house.iter().any(|(page, text)| leads(page, modules) && has(text) || !is_type && leads(page, &parts))
}

/// Whether a text declares a name: a function, a type, a constant, or a field or variant at the head of a line.
fn declares(text: &str, name: &str) -> bool {
    const HEADS: [&str; 8] = ["fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ", "mod "];
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.lines().map(str::trim_start).any(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let line = line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(line, |(_, rest)| rest);
        let line = ["async ", "const "]
            .iter()
            .fold(line, |line, word| line.strip_prefix(word).filter(|rest| rest.starts_with("fn ")).unwrap_or(line));
        let item = HEADS.iter().find_map(|head| line.strip_prefix(head)).and_then(|rest| rest.strip_prefix(name));
        let field = line.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with([':', ',', '(', ' ']));
        item.or(field).is_some_and(ends)
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source() -> PathBuf {
    root().join("src")
}

/// Every page of the house.
fn everything() -> Vec<PathBuf> {
    ROOMS.iter().flat_map(|(room, _)| pages(room)).collect()
}

/// Whether a name stands in a text, and not as a part of another.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

/// All pages of a room.
fn pages(room: &str) -> Vec<PathBuf> {
    let pages = below(&source().join(room));
    assert!(!pages.is_empty(), "there is no room `{room}`");
    pages
}

/// All files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => pages.push(path),
            }
        }
    }
    pages
}

/// A page without its comments.
fn code(page: &Path) -> String {
    let text = fs::read_to_string(page).expect("a page is text");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The rooms named after `crate::`, alone or in braces.
fn rooms_seen(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for (start, _) in text.match_indices("crate::") {
        let rest = &text[start + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let group = &group[..group.find(['}', ';']).unwrap_or(group.len())];
                seen.extend(group.split(',').map(first_name));
            }
            None => {
                seen.insert(first_name(rest));
            }
        }
    }
    seen.remove("");
    seen
}

fn first_name(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}
