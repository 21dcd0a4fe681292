//! Settings and the files of games: what is shipped loads, and what is wrong is told with its line and what to write.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cursus::companions::Temperament;
use cursus::desk::clock::schedule::{Missed, Schedule};
use cursus::desk::settings::game_file::{Dealt, GameFile, OpenGame, Sitter};
use cursus::desk::settings::toml_file::Faults;
use cursus::desk::settings::{CarrierKind, Health, Person, Settings, SettingsError};
use cursus::game::Rulebook;
use cursus::post::forum::Software;
use cursus::rules::{AstSide, PrintedGame};
use proptest::prelude::*;

#[test]
fn the_shipped_settings_say_what_holds_without_them() {
    let settings = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    let default = Settings::default();
    assert_eq!(settings.archive, Path::new("../cursus-data/cursus.sqlite"));
    let CarrierKind::Spool(spool) = &settings.carriers[0].kind else { panic!("the spool is the first carrier") };
    assert_eq!(spool.inbox, Path::new("../cursus-data/in"));
    assert_eq!(settings.moderators.len(), 1);
    let rest = Settings {
        archive: default.archive.clone(),
        carriers: default.carriers.clone(),
        moderators: Vec::new(),
        ..settings.clone()
    };
    assert_eq!(rest, default);
    assert_eq!(settings.carriers[0].address, default.carriers[0].address);
}

/// Everything that is only explained in the file could be written as it stands there.
#[test]
fn the_explained_settings_load_too() {
    let text: Vec<_> = shipped("cursus.toml").lines().map(|line| uncommented(line).to_owned()).collect();
    let text = text.join("\n").replace("password_env = \"CURSUS_PASSWORD\"\n", "");
    let text = text.replace("key_env = \"CURSUS_FORUM_KEY\"\n", "");
    let settings = Settings::read("cursus.toml", &text, Path::new("/etc/cursus")).expect("they load");
    let names: Vec<_> = settings.carriers.iter().map(|carrier| carrier.name.as_str()).collect();
    assert_eq!(names, ["spool", "mail", "outlook", "club", "misago", "board"]);
    let health = Health { file: Some(PathBuf::from("/etc/cursus/../cursus-data/health")), ..Health::default() };
    assert_eq!(settings.health, health);
    assert_eq!(settings.templates, Some(PathBuf::from("/etc/cursus/templates")));
    let CarrierKind::Mailbox(mailbox) = &settings.carriers[1].kind else { panic!("the mailbox is the second") };
    assert_eq!((mailbox.imap.port, mailbox.smtp.port), (Some(993), Some(465)));
    let CarrierKind::Mailbox(signed_in) = &settings.carriers[2].kind else { panic!("another mailbox is the third") };
    let token_file = signed_in.oauth.as_ref().map(|oauth| oauth.token_file.clone());
    assert_eq!((token_file, &signed_in.password_file), (Some(PathBuf::from("/var/lib/cursus/token.json")), &None));
    let CarrierKind::Forum(forum) = &settings.carriers[3].kind else { panic!("the forum is the fourth") };
    assert_eq!((forum.software, forum.category.as_deref()), (Software::Discourse, Some("5")));
    assert_eq!(forum.secret_file, Some(PathBuf::from("/etc/cursus/forum-key")));
    let web = settings.web.expect("there is an order page");
    assert_eq!((web.listen.port(), web.address.as_str(), web.proxies.len()), (8080, "https://games.example.org", 1));
    assert_eq!(web.url("/p/x"), "https://games.example.org/p/x");
    assert_eq!(web.tls.expect("a certificate").key, Path::new("/etc/cursus/privkey.pem"));
    assert!(settings.carriers[5].address.as_str().starts_with("cursus@"), "its letters have ids all the same");
}

/// What a game of the forum says at its end, and who plays there.
#[test]
fn a_game_is_given_a_thread() {
    let text: Vec<_> = shipped("cursus.toml").lines().map(|line| uncommented(line).to_owned()).collect();
    let text = text.join("\n").replace("password_env = \"CURSUS_PASSWORD\"\n", "");
    let text = text.replace("key_env = \"CURSUS_FORUM_KEY\"\n", "");
    let settings = Settings::read("cursus.toml", &text, Path::new("")).expect("they load");
    let printed = PrintedGame::built_in().expect("the edition loads");
    let five = shipped("games/five.toml");
    let (head, end) = five.split_once("# [forum]").expect("the forum is explained");
    let end: Vec<_> = end.lines().map(uncommented).collect();
    let whole = format!("{head}[forum]\n{}", end.join("\n"));
    let read = |text: &str| GameFile::read("five.toml", text, &printed, &settings);
    let game = read(&whole).expect("it loads");
    let forum = game.forum.expect("it has a forum");
    assert_eq!((forum.carrier.as_str(), forum.thread.as_deref(), forum.public_orders), ("club", Some("1234"), false));
    let told = |text: &str| read(text).expect_err("it is wrong").to_string();
    let in_forum =
        whole.replace("addresses = [\"anna@example.org\", \"anna.at.work@example.com\"]", "forum = \"@Ann\"");
    assert_eq!(people(&read(&in_forum).expect("whoever is in the forum needs no address")).first(), Some(&"Anna"));
    assert!(told(&in_forum.replace("carrier = \"club\"", "carrier = \"clubb\"")).contains("did you mean \"club\"?"));
    assert!(told(&in_forum.replace("[forum]", "[forun]")).contains("did you mean `forum`?"));
    let nowhere = five.replace("addresses = [\"anna@example.org\", \"anna.at.work@example.com\"]", "forum = \"Ann\"");
    assert!(told(&nowhere).contains("write a table [forum]"), "{}", told(&nowhere));
    let feed = in_forum.replace("carrier = \"club\"", "carrier = \"board\"");
    let feed = feed.replace("thread = 1234", "thread = \"https://board.example.org/17.rss\"");
    assert!(told(&feed).contains("write `addresses` as well"), "{}", told(&feed));
    let feed = feed.replace("forum = \"@Ann\"", "forum = \"@Ann\"\naddresses = [\"anna@example.org\"]");
    let thread = |text: &str| read(text).expect("it loads").forum.and_then(|forum| forum.thread);
    assert_eq!(thread(&feed).as_deref(), Some("https://board.example.org/17.rss"));
    let unread = feed.replace("public_orders = false", "public_orders = false\nread = false");
    assert_eq!(
        thread(&unread).as_deref(),
        Some("unread+https://board.example.org/17.rss"),
        "an address that nobody reads"
    );
    assert!(told(&whole.replace("public_orders = false", "read = false")).contains("`read` is no setting"));
}

/// The sample of an open game has seats that nobody has yet; a game of a closed group may not.
#[test]
fn an_open_game_has_empty_seats() {
    let printed = PrintedGame::built_in().expect("the edition loads");
    let settings = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    let text = shipped("games/open.toml");
    let game = OpenGame::read("open.toml", &text, &printed, &settings).expect("it loads");
    assert_eq!((game.free.len(), game.file.seats.len()), (4, 1));
    assert_eq!((game.rules.civilizations, game.rules.approval), (Dealt::Wished, false));
    assert_eq!(game.file.missing.companion, Some(Temperament::Merchant));
    let told =
        |text: &str| OpenGame::read("open.toml", text, &printed, &settings).expect_err("it is wrong").to_string();
    assert!(told(&text.replace("\"wished\"\n", "\"wised\"\n")).contains("wised"));
    assert!(told(&text.replace("civ = \"Hatti\"", "civ = \"Rome\"")).contains("does not play"));
    assert!(told(&text.replace("muster =", "mustre =")).contains("`muster`"));
    let closed = GameFile::read("open.toml", &text, &printed, &settings).expect_err("its seats are empty").to_string();
    assert!(closed.contains("`cursus game open` opens it"), "{closed}");
}

/// A day alone is taken as it stands; nobody is written to at the addresses of the samples.
#[test]
fn slips_of_a_first_evening_are_taken_or_told() {
    let printed = PrintedGame::built_in().expect("the edition loads");
    let five = shipped("games/five.toml");
    let days = "weekdays = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]";
    let monday = five.replace(days, "weekdays = \"monday\"");
    assert_ne!(five, monday);
    let spool = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    let game = GameFile::read("five.toml", &monday, &printed, &spool).expect("it loads");
    assert_eq!(game.schedule.weekdays.iter().collect::<Vec<_>>(), [chrono::Weekday::Mon]);
    let mailbox = "[carriers.mail]\nkind = \"mailbox\"\naddress = \"c@b.c\"\nuser = \"c\"\npassword_env = \"P\"\n\
        imap = { host = \"i.b.c\" }\nsmtp = { host = \"s.b.c\" }\n[[moderators]]\nname = \"M\"\naddresses = [\"m@b.c\"]\n";
    let settings = Settings::read("cursus.toml", mailbox, Path::new("")).expect("they load");
    assert_eq!(settings.sample(), None);
    let told = GameFile::read("five.toml", &five, &printed, &settings).expect_err("nobody has these").to_string();
    assert!(told.contains("ben@example.org is an address of the sample file, which nobody has"), "{told}");
    for (real, sample) in [("m@b.c", "m@example.org"), ("c@b.c", "C@Example.com")] {
        let settings = Settings::read("cursus.toml", &mailbox.replace(real, sample), Path::new("")).expect("they load");
        assert_eq!(settings.sample().map(|address| address.as_str()), Some(sample));
    }
}

#[test]
fn an_empty_file_will_do() {
    assert_eq!(Settings::read("cursus.toml", "", Path::new("")), Ok(Settings::default()));
}

#[test]
fn relative_paths_begin_at_the_folder_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cursus.toml");
    fs::write(&path, "archive = \"here.sqlite\"\nrules = \"/there\"\n").expect("it can be written");
    let settings = Settings::load(&path).expect("it loads");
    assert_eq!(settings.archive, folder.path().join("here.sqlite"));
    assert_eq!(settings.rules, Some(PathBuf::from("/there")));
}

#[test]
fn a_missing_file_is_named() {
    let error = Settings::load(Path::new("no/such.toml")).expect_err("there is none");
    assert!(matches!(error, SettingsError::Closed { .. }));
    assert!(error.to_string().starts_with("cannot read the settings no/such.toml: "), "{error}");
}

#[test]
fn no_persons_address_shows_itself() {
    let settings = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    assert!(!format!("{:?}", settings.moderators).contains("example.org"));
}

/// Settings that are wrong, and everything that is said of them.
const BROKEN_SETTINGS: [(&str, &str); 42] = [
    ("polling = \"0s\"", "cursus.toml:1: `polling` is 0s; write at least 1s"),
    ("[keep]\nletters = \"1h\"", "cursus.toml:2: `letters` is 1h; write at least 1day"),
    ("[keep]\npicture = \"30days\"", "cursus.toml:2: `picture` is no setting of [keep]; did you mean `pictures`?"),
    ("letters_per_hour = 0", "cursus.toml:1: `letters_per_hour` is 0; write at least 1"),
    ("pollin = \"1min\"", "cursus.toml:1: `pollin` is no setting; did you mean `polling`?"),
    ("\n\npolling = 5", "cursus.toml:3: `polling` is 5; write a length of time such as \"2days 12h\""),
    ("polling = \"often\"", "cursus.toml:1: `polling`: \"often\" is no length of time; write it like \"2days 12h\""),
    ("polling = \"2years\"", "cursus.toml:1: `polling`: \"2years\" is too long; a year is the most"),
    ("language = \"de\"", "cursus.toml:1: `language` is \"de\"; write \"en\" or \"pl\""),
    ("log = \"loud\"", "cursus.toml:1: `log` is \"loud\"; write \"error\", \"warn\", \"info\", \"debug\" or \"trace\""),
    ("archive = \" \"", "cursus.toml:1: `archive` is \" \"; write a text in quotes"),
    ("letters_per_hour = -1", "cursus.toml:1: `letters_per_hour` is -1; write a whole number from 0 to 4294967295"),
    ("log = info", "cursus.toml:1: a text needs quotes; write log = \"info\""),
    ("archive = here", "cursus.toml:1: a text needs quotes; write archive = \"here\""),
    ("archive = “here”", "cursus.toml:1: these quotes are of a word processor; write straight ones, \"…\""),
    (
        "archive = \"C:\\Users\\me\"",
        "cursus.toml:1: a \\ within quotes is read as the beginning of a sign; write / in its place",
    ),
    ("log = \"info\"\narchive: here", "cursus.toml:2: there is no `=`; write archive = \"here\""),
    ("log = \"info\"\nlog = \"warn\"", "cursus.toml:2: `log` is written twice; keep one of them"),
    ("[health]\n[health]", "cursus.toml:2: [health] is written twice; put what stands below it below the first"),
    ("[carriers.a", "cursus.toml:1: \"[carriers.a\" cannot be read: unclosed table, expected `]`"),
    (
        "[carriers.a]\nkind = \"mailbox\"\naddress = \"a@b.c\"\nuser = \"a\"\npassword_file = \"x\"\n\
         imap = \"imap.b.c\"\nsmtp = \"smtp.b.c:587\"",
        "cursus.toml:6: `imap` is \"imap.b.c\"; write imap = { … } with keys of its own, or a table [carriers.a.imap]\n\
         cursus.toml:7: `smtp` is \"smtp.b.c:587\"; write smtp = { … } with keys of its own, or a table [carriers.a.smtp]",
    ),
    (
        "[carriers.a]\nkind = \"mailbox\"\naddress = \"a@b.c\"\nuser = \"a\"\npassword_file = \"x\"\n\
         imap = { host = \"imaps://imap.b.c\" }\nsmtp = { host = \"smtp.b.c:587\" }",
        "cursus.toml:6: `host` is \"imaps://imap.b.c\"; write the name of the server alone, and its port as `port`\n\
         cursus.toml:7: `host` is \"smtp.b.c:587\"; write the name of the server alone, and its port as `port`",
    ),
    ("[health]\neverry = \"1min\"", "cursus.toml:2: `everry` is no setting of [health]; did you mean `every`?"),
    (
        "[health]\narchive = \"x\"",
        "cursus.toml:2: `archive` is no setting of [health], but of the whole file; write it above the first [table]",
    ),
    ("[health]\ncolour = 1", "cursus.toml:2: `colour` is no setting of [health]; there are `file` and `every`"),
    (
        "[web]",
        "cursus.toml:1: `address` is missing in [web]; write a text in quotes\n\
         cursus.toml:1: `listen` is missing in [web]; write a text in quotes",
    ),
    (
        "[web]\nlisten = \"8080\"\naddress = \"http://games.b.c\"\nproxies = [\"proxy\"]\nkey = \"k\"",
        "cursus.toml:1: `certificate` is missing in [web]; write the file with the certificate\n\
         cursus.toml:2: `listen` is \"8080\"; write an address of this machine and a port, \"127.0.0.1:8080\"\n\
         cursus.toml:3: `address` is \"http://games.b.c\": hands and orders would travel in the open; write it like \
         \"https://games.example.org\", without a path\n\
         cursus.toml:4: `proxies` has \"proxy\"; write the addresses of your proxies, [\"127.0.0.1\"]",
    ),
    (
        "[web]\nlisten = \"127.0.0.1:80\"\naddress = \"https://games.b.c/cursus\"",
        "cursus.toml:3: `address` is \"https://games.b.c/cursus\"; write it like \"https://games.example.org\", without a path",
    ),
    ("health = 1", "cursus.toml:1: `health` is 1; write a table [health]"),
    (
        "log = \"info\"\n[carriers.door]\nkind = \"spool\"\naddress = \"a@b.c\"",
        "cursus.toml:2: `door` is what the command line is called; give the carrier another name, such as [carriers.mail]",
    ),
    (
        "[carriers]",
        "cursus.toml:1: there is no carrier; write a table such as [carriers.spool], or leave [carriers] out",
    ),
    (
        "log = \"info\"\n[carriers.a]\nin = \"x\"",
        "cursus.toml:2: `kind` is missing in [carriers.a]; write \"spool\", \"mailbox\", \"discourse\", \"misago\" or \"feed\"",
    ),
    (
        "[carriers.a]\nkind = \"discourse\"\nurl = \"forum.b.c\"\nuser = \"u\"\nkey = \"k\"",
        "cursus.toml:3: `url` is \"forum.b.c\", which is no address of a forum; write it like \"https://forum.example.org\"\n\
         cursus.toml:5: `key` must not stand here; write `key_file`, the path of a file with the key, or `key_env`, the name \
         of a variable",
    ),
    (
        "[carriers.a]\nkind = \"misago\"\nurl = \"http://forum.b.c/\"\nuser = \"u\"\npassword_env = \"X\"",
        "cursus.toml:3: `url` is \"http://forum.b.c\": the key would travel in the open; write it like \
         \"https://forum.example.org\"",
    ),
    (
        "[carriers.a]\nkind = \"pigeon\"\naddress = \"a@b@\"",
        "cursus.toml:2: `kind` is \"pigeon\"; write \"spool\", \"mailbox\", \"discourse\", \"misago\" or \"feed\"",
    ),
    (
        "[carriers.a]\nkind = \"mailbox\"\naddress = \"a@b.c\"",
        "cursus.toml:1: `imap` is missing in [carriers.a]; write imap = { host = \"imap.example.org\" }\n\
         cursus.toml:1: `password_file` is missing in [carriers.a]; write the path of a file with the password, or \
         `password_env`, the name of a variable\n\
         cursus.toml:1: `smtp` is missing in [carriers.a]; write smtp = { host = \"smtp.example.org\" }\n\
         cursus.toml:1: `user` is missing in [carriers.a]; write a text in quotes",
    ),
    (
        "[carriers.a]\nkind = \"mailbox\"\naddress = \"a@b.c\"\nuser = \"a\"\npassword = \"hush\"\n\
         imap = { host = \"b\", tls = true }\nsmtp = { hots = \"b\" }",
        "cursus.toml:5: `password` must not stand here; write `password_file`, the path of a file with the password, or \
         `password_env`, the name of a variable\n\
         cursus.toml:6: `tls` is true; write \"implicit\", \"starttls\" or \"none\"\n\
         cursus.toml:7: `host` is missing in [carriers.a.smtp]; write a text in quotes\n\
         cursus.toml:7: `hots` is no setting of [carriers.a.smtp]; did you mean `host`?",
    ),
    (
        "[carriers.a]\nkind = \"mailbox\"\naddress = \"a@b.c\"\nuser = \"a\"\npassword_file = \"x\"\npassword_env = \"X\"\n\
         imap = { host = \"127.0.0.1\", tls = \"none\" }\nsmtp = { host = \"b\", port = 70000, tls = \"none\" }",
        "cursus.toml:6: there are two places of the password; keep `password_file` or `password_env`\n\
         cursus.toml:8: `port` is 70000; write a whole number from 0 to 65535\n\
         cursus.toml:8: `tls` is \"none\", which is only for a server on this machine; write \"implicit\" or \"starttls\"",
    ),
    (
        "[[moderators]]\nname = \"M\"\naddresses = \"m@example.org\"",
        "cursus.toml:3: `addresses` is \"m@example.org\"; write a list, [ ], each entry an address such as \
         \"anna@example.org\"",
    ),
    (
        "[[moderators]]\nname = \"M\"\naddresses = []\nzone = \"Europe/Warsow\"",
        "cursus.toml:3: `addresses` is empty; write at least one\n\
         cursus.toml:4: `zone`: \"Europe/Warsow\" is no time zone; did you mean \"Europe/Warsaw\"?",
    ),
    (
        "[[moderators]]\nname = \"M\\u001b[31m\"\naddresses = [\"m@example.org\"]",
        "cursus.toml:2: `name`: \"M\\u{1b}[31m\" has signs that nobody can see; write it in one line, without them",
    ),
    (
        "[moderators]\nname = \"M\"",
        "cursus.toml:1: `addresses` is missing in [[moderators]]; write a list, [ ], each entry an address such as \"anna@example.org\"",
    ),
];

#[test]
fn whatever_is_wrong_with_the_settings_is_told_with_its_line() {
    let told = BROKEN_SETTINGS.map(|(text, _)| {
        let faults = Settings::read("cursus.toml", text, Path::new("")).expect_err(text);
        (text, faults.to_string())
    });
    compare(&told, &BROKEN_SETTINGS);
}

#[test]
fn the_sample_games_load() {
    let [five, nine, eighteen] = ["five", "nine", "eighteen"].map(|name| {
        let game = read(&shipped(&format!("games/{name}.toml"))).expect("a sample loads");
        assert_eq!(game.id.as_str(), name);
        game
    });
    assert_eq!((five.scenario.as_str(), five.seats.len()), ("west_5", 5));
    assert_eq!((nine.scenario.as_str(), nine.seats.len()), ("east_9", 9));
    assert_eq!((eighteen.scenario.as_str(), eighteen.seats.len()), ("both_18", 18));
    assert_eq!(five.schedule, Schedule::default(), "five.toml explains the defaults");
    assert_eq!(five.rulebook, Rulebook::default());
    assert_eq!((five.track, five.press, five.further_requests), (AstSide::Basic, true, false));
    assert_eq!(people(&five), ["Anna", "Ben"]);
    assert_eq!(five.moderator.name, "Moderator");
    assert_eq!((eighteen.moderator.name.as_str(), eighteen.schedule.missed), ("Marta", Missed::Moderator));
    assert!(five.seats.is_sorted_by_key(|seat| seat.civ), "seats are in A.S.T.-ranking, however they are written");
    let raiders = five.seats.iter().filter(|seat| seat.sitter == Sitter::Companion(Temperament::Raider));
    assert_eq!(raiders.count(), 1);
}

/// Changes of `five.toml` that break it, and everything that is said of them.
const BROKEN_GAMES: [(&str, &str, &str); 32] = [
    (
        "id = \"five\"",
        "id = \"Our game\"",
        "five.toml:4: `id` is \"Our game\"; write at most 24 small letters, digits and hyphens, such as \"summer-2\"",
    ),
    (
        "title = ",
        "titel = ",
        "five.toml:1: `title` is missing; write a text in quotes\nfive.toml:5: `titel` is no setting; did you mean `title`?",
    ),
    ("\"west_5\"", "\"west_4\"", "five.toml:8: `scenario` is \"west_4\", which is none; did you mean \"west_5\"?"),
    ("scenario = \"west_5\"", "players = 4", "five.toml:8: `players` is 4; the game is for 5 to 18"),
    (
        "scenario = \"west_5\"",
        "scenario = \"west_5\"\nplayers = 6",
        "five.toml:9: `players` is 6, but \"west_5\" is for 5; leave one out",
    ),
    (
        "scenario = \"west_5\"",
        "",
        "five.toml:1: `scenario` is missing; write one such as scenario = \"west_5\", or how many `players` there are",
    ),
    (
        "scenario = \"west_5\"",
        "players = 6",
        "five.toml:8: \"west_6\" has no seat for Carthage, Rome and Iberia; write [[seats]] for each\n\
         five.toml:100: Egypt does not play in \"west_6\"; there are Minoa, Carthage, Hatti, Rome, Iberia and Hellas\n\
         five.toml:110: Assyria does not play in \"west_6\"; there are Minoa, Carthage, Hatti, Rome, Iberia and Hellas",
    ),
    ("track = \"basic\"", "track = \"hard\"", "five.toml:11: `track` is \"hard\"; write \"basic\" or \"expert\""),
    ("press = true", "press = \"yes\"", "five.toml:14: `press` is \"yes\"; write true or false, without quotes"),
    (
        "# moderator = \"Moderator\"",
        "moderator = \"Modertor\"",
        "five.toml:38: the settings name no moderator \"Modertor\"; did you mean \"Moderator\"?",
    ),
    (
        "# moderator = \"Moderator\"",
        "moderator = { name = \"M\" }",
        "five.toml:38: `addresses` is missing in [moderator]; write a list, [ ], each entry an address such as \
         \"anna@example.org\"",
    ),
    ("# short = true", "short = \"yes\"", "five.toml:45: `short` is \"yes\"; write true or false, without quotes"),
    (
        "track = \"basic\"",
        "track = \"expert\"\nshort = true",
        "five.toml:11: a short game is played on the basic side; leave `track` out, or write track = \"basic\"",
    ),
    (
        "# ends_after = 18",
        "ends_after = 0",
        "five.toml:49: `ends_after` is 0; write a number of turns such as 18, or a day such as 2027-06-30",
    ),
    (
        "# ends_after = 18",
        "ends_after = \"the thirtieth of June\"",
        "five.toml:49: `ends_after` is \"the thirtieth of June\"; write a number of turns such as 18, or a day such as \
         2027-06-30",
    ),
    (
        "# carrier = \"spool\"",
        "carrier = \"forum\"",
        "five.toml:41: the settings have no carrier \"forum\"; there is only spool",
    ),
    (
        "weekdays = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]",
        "weekday = \"monday\"",
        "five.toml:64: `weekday` is no setting of [schedule]; did you mean `weekdays`?",
    ),
    (
        "movement = \"3days\"",
        "movment = \"3days\"",
        "five.toml:56: `movment` is no setting of [schedule]; did you mean `movement`?",
    ),
    ("time = \"20:00\"", "time = \"8pm\"", "five.toml:62: `time`: \"8pm\" is no time of day; write it like \"20:00\""),
    (
        "\"sat\", \"sun\"]",
        "\"sat\", \"never\"]",
        "five.toml:64: `weekdays`: \"never\" is no day of the week; write \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \
         \"sat\" or \"sun\"",
    ),
    (
        "[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]",
        "[]",
        "five.toml:64: `weekdays`: no day of the week is left; write at least one",
    ),
    (
        "missed = \"default\"",
        "missed = \"skip\"",
        "five.toml:73: `missed` is \"skip\"; write \"default\", \"wait\" or \"moderator\"",
    ),
    (
        "# black_pieces = \"as_printed\"",
        "black_pieces = 50\nship_rids = \"several\"\ncalamity_excess = \"all\"\nlate_iron_bonus = [\"none\"]",
        "five.toml:85: `black_pieces` is 50; write \"unlimited\" or \"as_printed\"\n\
         five.toml:86: `ship_rids` is no setting of [rules]; did you mean `ship_rides`?\n\
         five.toml:87: `calamity_excess` is \"all\"; write \"major_first\" or \"any_card\"\n\
         five.toml:88: `late_iron_bonus` is a list; write \"both_tracks\", \"expert_only\", \"none\"",
    ),
    (
        "civ = \"Assyria\"",
        "civ = \"Asyria\"",
        "five.toml:110: `civ` is \"Asyria\", which is no civilization; did you mean \"Assyria\"?",
    ),
    (
        "civ = \"Assyria\"",
        "civ = \"Egyptians\"",
        "five.toml:8: \"west_5\" has no seat for Assyria; write [[seats]] for each\n\
         five.toml:110: Egypt has two seats; keep one of them",
    ),
    (
        "player = \"Anna\"\naddresses = [\"anna@example.org\", \"anna.at.work@example.com\"]",
        "",
        "five.toml:92: nobody sits here; write `player` and `addresses`, or `companion`, which is a built-in player",
    ),
    (
        "companion = \"settler\"",
        "companion = \"settler\"\nplayer = \"Cyd\"\naddresses = [\"cyd@example.org\"]",
        "five.toml:111: a companion and a player share this seat; keep `companion`, or `player` and `addresses`",
    ),
    (
        "[\"ben@example.org\"]",
        "[\"Anna@Example.org\"]",
        "five.toml:102: Anna@Example.org is written for Minoa already; nobody may see two hands",
    ),
    (
        "[\"ben@example.org\"]",
        "[\"Cursus+ben@Example.org\"]",
        "five.toml:102: Cursus+ben@Example.org is the address that Cursus writes from, or leads to it; write the player's own",
    ),
    (
        "[\"bea@example.org\"]",
        "[\"cursus@example.org\"]",
        "five.toml:102: cursus@example.org is the address that Cursus writes from, or leads to it; write the player's own",
    ),
    (
        "title = ",
        "title = \"A\\u0000B\\r\\nC\" # ",
        "five.toml:5: `title`: \"A\\0B\\r\\nC\" has signs that nobody can see; write it in one line, without them",
    ),
    (
        "[\"bea@example.org\"]",
        "[\"bea at example.org\"], telephone = 1",
        "five.toml:106: `addresses`: \"bea at example.org\" is no address; write it like \"anna@example.org\"\n\
         five.toml:106: `telephone` is no setting of [seats.deputy]; there are `name`, `forum`, `addresses`, `language`, `zone` and `format`",
    ),
];

#[test]
fn whatever_is_wrong_with_a_game_is_told_with_its_line() {
    let five = shipped("games/five.toml");
    let told = BROKEN_GAMES.map(|(old, new, _)| {
        assert!(five.contains(old), "five.toml has {old}");
        (new, read(&five.replacen(old, new, 1)).expect_err(new).to_string())
    });
    compare(&told, &BROKEN_GAMES.map(|(_, new, message)| (new, message)));
}

/// Says all differences at once.
fn compare(told: &[(&str, String)], expected: &[(&str, &str)]) {
    let pairs = told.iter().zip(expected).filter(|(told, expected)| told.1 != expected.1);
    let wrong: Vec<_> =
        pairs.map(|((text, told), (_, expected))| format!("{text}\ntold\n{told}\nexpected\n{expected}\n")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_seats_tell_which_of_two_scenarios_is_meant() {
    let east = shipped("games/nine.toml").replace("scenario = \"east_9\"", "players = 9");
    assert_eq!(read(&east).expect("it loads").scenario, "east_9");
}

#[test]
fn a_game_without_a_moderator_is_not_created() {
    let printed = PrintedGame::built_in().expect("the edition loads");
    let read = GameFile::read("five.toml", &shipped("games/five.toml"), &printed, &Settings::default());
    let message = "five.toml:1: `moderator` is missing, and the settings name none; write a table [moderator] with `name` \
                   and `addresses`";
    assert_eq!(read.expect_err("nobody moderates").to_string(), message);
}

proptest! {
    /// However a file is damaged, something is said of it, at a line that it has.
    #[test]
    fn a_damaged_file_is_read_or_told(cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..30usize, ".{0,6}"), 1..4)) {
        let mut text = shipped("games/five.toml");
        for (at, length, new) in cuts {
            let letters: Vec<_> = text.chars().collect();
            let at = at.index(letters.len());
            let rest = letters.iter().skip(at + length);
            text = letters[..at].iter().chain(new.chars().collect::<Vec<_>>().iter()).chain(rest).collect();
        }
        let lines = text.lines().count().max(1);
        if let Err(faults) = read(&text) {
            prop_assert!(!faults.0.is_empty());
            prop_assert!(faults.0.iter().all(|fault| (1..=lines + 1).contains(&fault.line)), "{}", faults);
        }
    }
}

fn read(text: &str) -> Result<GameFile, Faults> {
    static PRINTED: LazyLock<PrintedGame> = LazyLock::new(|| PrintedGame::built_in().expect("the edition loads"));
    let settings = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    GameFile::read("five.toml", text, &PRINTED, &settings)
}

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config").join(name);
    fs::read_to_string(path).expect("it is shipped")
}

/// A line whose setting is written, where it was only explained.
fn uncommented(line: &str) -> &str {
    let is_setting =
        |rest: &str| rest.starts_with('[') || rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
    line.strip_prefix("# ").filter(|rest| is_setting(rest)).unwrap_or(line)
}

fn people(game: &GameFile) -> Vec<&str> {
    let people = game.seats.iter().filter_map(|seat| match &seat.sitter {
        Sitter::Player { player: Person { name, .. }, .. } => Some(name.as_str()),
        Sitter::Companion(_) => None,
    });
    people.collect()
}
