//! The intake: letters as phones, clients and webmails send them, and letters that mean harm.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cursus::door::read::{FileKind, read};
use cursus::post::letter::{Broken, Kind, LARGEST, Letter, open, open_with};
use cursus::post::words::{Words, own};
use cursus::post::{html, letter};
use proptest::prelude::*;
use serde_json::Value;

const ORDERS: &str = "move 3 from Crete to Thera\ndone";

// ---- letters in files

#[test]
fn letters_are_read_as_a_reader_says() {
    let record = std::env::var_os("CURSUS_RECORD").is_some();
    let mut wrong = String::new();
    let mut count = 0;
    for path in files(&["eml", "html"]) {
        let form = if path.extension().is_some_and(|extension| extension == "html") {
            FileKind::Html
        } else {
            FileKind::Letter
        };
        let mut out = Vec::new();
        read(&path, form, &mut out).unwrap();
        let shown = String::from_utf8(out).unwrap();
        let beside = path.with_extension("json");
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if record {
            fs::write(&beside, &shown).unwrap();
        } else if json(&shown) != json(&expected) {
            write!(wrong, "{}\nexpected {expected}but read {shown}", path.display()).unwrap();
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 100, "only {count} letters");
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters_in")
}

fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)))
        .collect();
    files.sort();
    files
}

// ---- bodies and lines in tables

/// The text of a table, without its first line.
fn table(name: &str) -> String {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    text.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn bodies_are_sorted_as_a_reader_says() {
    let mut wrong = String::new();
    for text in [table("bodies.txt"), table("replies.txt")] {
        for body in text.split("\n== ").skip(1) {
            let (name, lines) = body.split_once('\n').unwrap();
            let (body, expected) = marked(lines);
            let words = own(&body);
            if (words.text.as_str(), counts(&words)) != (expected.0.as_str(), expected.1) {
                writeln!(wrong, "{name}: expected {expected:?} but read {:?}", (&words.text, counts(&words))).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A body without its marks, and what the marks say: the own text, and how many lines are quoted, signature and other.
fn marked(lines: &str) -> (String, (String, [usize; 3])) {
    let (mut body, mut text, mut counts) = (String::new(), String::new(), [0; 3]);
    let (mut blank, mut left_out) = (0, false);
    for line in lines.trim_end().lines() {
        let content = line.get(2..).unwrap_or_default().replace('␠', " ");
        writeln!(body, "{content}").unwrap();
        match line.chars().next() {
            None => blank += 1,
            Some('o') => {
                if !text.is_empty() {
                    text.push_str(&"\n".repeat(if left_out { blank.min(1) } else { blank } + 1));
                }
                text.push_str(content.trim_end());
                (blank, left_out) = (0, false);
            }
            Some(mark) => {
                counts["qsx".find(mark).unwrap()] += 1;
                left_out = true;
            }
        }
    }
    (body, (text, counts))
}

fn counts(words: &Words) -> [usize; 3] {
    [words.ignored.quoted, words.ignored.signature, words.ignored.other]
}

#[test]
fn attributions_end_the_own_words_and_begin_a_quotation() {
    for line in table("attributions.txt").lines() {
        let above = own(&format!("{ORDERS}\n\n{line}\n\nbuild city in Sparta\nwait\n"));
        assert_eq!((above.text.as_str(), counts(&above)), (ORDERS, [3, 0, 0]), "{line}");
        let below = own(&format!("{line}\n\n> build city in Sparta\n> wait\n\n{ORDERS}\n"));
        assert_eq!((below.text.as_str(), counts(&below)), (ORDERS, [3, 0, 0]), "{line}");
    }
}

#[test]
fn own_words_are_parted_from_an_attribution_on_the_same_line() {
    for shared in [
        "done On Wed, Nov 16, 2026 at 3:59 PM, cursus@example.org wrote:\n> wait",
        "done--- On Wed, Nov 16, 2026 at 3:59 PM, Cursus wrote:\n\n> wait",
        "done W dniu 16.11.2026 o 10:12 Cursus <cursus@example.org> napisał(a):\nwait",
    ] {
        let words = own(&format!("move 3 from Crete to Thera\n{shared}"));
        assert_eq!((words.text.as_str(), counts(&words)), (ORDERS, [2, 0, 0]), "{shared}");
    }
}

#[test]
fn copied_heads_end_the_own_words() {
    for head in table("heads.txt").trim_end().split("\n==\n") {
        let quote = if head.starts_with('>') { "> " } else { "" };
        let words = own(&format!("{ORDERS}\n\n{head}\n\n{quote}build city in Sparta\n"));
        assert_eq!((words.text.as_str(), counts(&words)), (ORDERS, [head.lines().count() + 1, 0, 0]), "{head}");
    }
}

#[test]
fn lines_of_phones_are_left_out() {
    for line in table("phones.txt").lines() {
        let words = own(&format!("{ORDERS}\n\n{line}\n"));
        assert_eq!((words.text.as_str(), counts(&words)), (ORDERS, [0, 1, 0]), "{line}");
        let words = own(&format!("{ORDERS}\n\n{line}\n\nOn 16.11.2026 10:12, Cursus wrote:\n> wait\n"));
        assert_eq!((words.text.as_str(), counts(&words)), (ORDERS, [2, 1, 0]), "{line}");
    }
}

#[test]
fn lines_of_players_are_never_lost() {
    let lines = table("orders.txt");
    for line in lines.lines() {
        for body in [
            format!("{line}\ndone"),
            format!("ok\n{line}\ndone"),
            format!("ok\n{line}\n{line}\n\n{line}\nok"),
            format!("{line}\nOn Thera build city"),
        ] {
            let words = own(&body);
            assert_eq!((words.text.as_str(), counts(&words)), (body.as_str(), [0; 3]), "{line}");
            let replied = own(&format!("{body}\nOn 16.11.2026 10:12, Cursus wrote:\n> wait\n"));
            assert_eq!(replied.text, body, "{line}");
            let below = own(&format!("On 16.11.2026 10:12, Cursus wrote:\n> wait\n{body}\n"));
            assert_eq!(below.text, body, "{line}");
        }
    }
    let all = lines.trim_end();
    assert_eq!(own(all).text, all);
}

// ---- what a letter says besides its text

#[test]
fn the_head_is_understood() {
    let raw = "Delivered-To: cursus+thera.minoa.k7q2x9@play.example.org\n\
               Authentication-Results: mx.play.example.org;\n\tdkim=pass header.d=example.pl\n\
               Authentication-Results: somewhere.else; spf=fail\n\
               From: =?utf-8?B?xYF1a2Fzeg==?= <Lukasz@Example.PL>\n\
               Reply-To: other@example.pl\n\
               To: \"Cursus, moderator\" <cursus+thera.minoa.k7q2x9@play.example.org>, b@example.org\n\
               Cc: c@example.org\n\
               Subject: =?iso-8859-2?Q?Tura_4=2C_=B3=F3d=BC?=\n\
               Date: Mon, 16 Nov 2026 18:42:07 +0100\n\
               Message-ID: <one@example.pl>\n\
               In-Reply-To: <two@cursus.play.example.org>\n\
               References: <three@cursus.play.example.org>\n <two@cursus.play.example.org>\n\
               \n\
               done\n";
    let letter = open(raw.as_bytes()).unwrap();
    let from = letter.sender.from.unwrap();
    assert_eq!((from.name.as_deref(), from.address.as_str()), (Some("Łukasz"), "Lukasz@Example.PL"));
    assert_eq!(letter.addressed.reply_to, ["other@example.pl"]);
    assert_eq!(letter.addressed.to, ["cursus+thera.minoa.k7q2x9@play.example.org", "b@example.org", "c@example.org"]);
    assert_eq!(letter.addressed.delivered_to, ["cursus+thera.minoa.k7q2x9@play.example.org"]);
    assert_eq!(letter.subject, "Tura 4, łódź");
    assert_eq!(letter.message_id.as_deref(), Some("one@example.pl"));
    assert_eq!(letter.in_reply_to, ["two@cursus.play.example.org"]);
    assert_eq!(letter.references, ["three@cursus.play.example.org", "two@cursus.play.example.org"]);
    assert_eq!(letter.date, Some(1_794_850_927));
    assert_eq!(
        letter.sender.authentication_results,
        [["mx.play.example.org; dkim=pass header.d=example.pl", "somewhere.else; spf=fail"]]
    );
    assert_eq!((letter.kind, letter.text.as_str()), (Kind::Letter, "done"));
}

#[test]
fn our_own_letters_are_known_by_what_we_are_told() {
    let raw = b"From: a@example.org\nMessage-ID: <thera.4@moderator.example.org>\n\ndone\n";
    assert_eq!(open(raw).unwrap().kind, Kind::Letter);
    assert_eq!(open_with(raw, &|id| id.ends_with("@moderator.example.org")).unwrap().kind, Kind::Loop);
}

#[test]
fn a_quotation_in_html_is_marked_in_plain_text() {
    let text = html::plain("<div>done</div><blockquote>wait<blockquote>undo</blockquote></blockquote>").unwrap();
    assert_eq!(text, "done\n> wait\n>> undo");
}

// ---- letters that mean harm

fn head(kind: &str) -> String {
    format!("From: jan@example.pl\nSubject: x\nMIME-Version: 1.0\nContent-Type: {kind}\n")
}

#[test]
fn ten_thousand_parts_are_set_aside() {
    let mut raw = head("multipart/mixed; boundary=b") + "\n";
    for part in 0..10_000 {
        write!(raw, "--b\nContent-Type: text/plain\n\npart {part}\n").unwrap();
    }
    assert_eq!(open(raw.as_bytes()), Err(Broken::TooManyParts));
    // The same without a head or a line in any part.
    let raw = head("multipart/mixed; boundary=b") + "\n" + &"--b\n\n".repeat(1_000_000);
    assert_eq!(open(raw.as_bytes()), Err(Broken::TooManyParts));
}

#[test]
fn deep_nesting_is_set_aside() {
    let mut raw = head("multipart/mixed; boundary=b0") + "\n";
    for depth in 1..1_000 {
        write!(raw, "--b{}\nContent-Type: multipart/mixed; boundary=b{depth}\n\n", depth - 1).unwrap();
    }
    assert_eq!(open(raw.as_bytes()), Err(Broken::TooDeep));
    // Boundaries that never come, each searched for.
    let mut raw = head("multipart/mixed; boundary=b") + "\n";
    for part in 0..1_000 {
        write!(raw, "--b\nContent-Type: multipart/mixed; boundary=never{part}\n\n").unwrap();
    }
    assert_eq!(open(raw.as_bytes()), Err(Broken::TooDeep).or(Err(Broken::TooManyParts)));
}

#[test]
fn letters_in_letters_stay_closed() {
    let mut raw = head("message/rfc822");
    for _ in 0..100_000 {
        raw.push_str("\nFrom: a@b.example\nContent-Type: message/rfc822\n");
    }
    raw.push_str("\nmove 3 from Crete to Thera\n");
    assert_eq!(open(raw.as_bytes()).unwrap().text, "");
}

#[test]
fn nested_html_is_set_aside() {
    let deep = head("text/html") + "\n" + &"<div>".repeat(700_000);
    assert_eq!(open(deep.as_bytes()), Err(Broken::TooDeep));
    // Ends without beginnings cost nothing.
    let ends = head("text/html") + "\n" + &"<i>".repeat(10_000) + &"</div>".repeat(500_000) + "done";
    assert_eq!(open(ends.as_bytes()).unwrap().text, "done");
    let quotes = head("text/html") + "\n" + &"<div class=gmail_quote>x<br>".repeat(19_000) + "</div>";
    assert_eq!(open(quotes.as_bytes()).unwrap().text, "");
}

#[test]
fn null_bytes_are_set_aside() {
    let raw = head("text/plain") + "\nmove 3\0 from Crete\n";
    assert_eq!(open(raw.as_bytes()), Err(Broken::NullBytes));
    assert_eq!(letter::own_plain(b"a\0b"), Err(Broken::NullBytes));
    // In an encoded part they are only left out.
    let raw = head("text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable") + "\ndo=00ne\n";
    assert_eq!(open(raw.as_bytes()).unwrap().text, "done");
}

#[test]
fn huge_letters_are_set_aside() {
    let line = vec![b'x'; 50 * 1024 * 1024];
    assert_eq!(open(&line), Err(Broken::TooLarge));
    let raw = [head("text/plain").as_bytes(), b"\n", &line[..LARGEST - 1000]].concat();
    assert_eq!(open(&raw), Err(Broken::TextTooLong));
    let raw = [head("application/octet-stream").as_bytes(), b"\n", &line[..LARGEST - 1000]].concat();
    assert_eq!(open(&raw).unwrap().text, "");
    let raw = [b"From: a@b.example\nSubject: ", &line[..1024 * 1024], b"\n\ndone\n"].concat();
    assert_eq!(open(&raw), Err(Broken::HeadTooLarge));
    // As much as is read, in one line and in many.
    let longest = head("text/plain") + "\n" + &"> ".repeat(2 * 1024 * 1024 - 10);
    assert_eq!(open(longest.as_bytes()).unwrap().text, "");
    let many = head("text/plain") + "\n" + &"to:\n".repeat(19_000);
    assert_eq!(open(many.as_bytes()).unwrap().ignored.quoted, 0);
    let many = head("text/plain") + "\n" + &"to:\n".repeat(21_000);
    assert_eq!(open(many.as_bytes()), Err(Broken::TextTooLong));
}

#[test]
fn broken_off_base64_is_set_aside() {
    let whole = "bW92ZSAzIGZyb20gQ3JldGUgdG8gVGhlcmEKZG9uZQo=";
    let raw = |text: &str| head("text/plain\nContent-Transfer-Encoding: base64") + "\n" + text;
    assert_eq!(open(raw(whole).as_bytes()).unwrap().text, ORDERS);
    assert_eq!(open(raw(&whole[..21]).as_bytes()), Err(Broken::BrokenOff));
    let parts = head("multipart/mixed; boundary=b") + "\n--b\nContent-Transfer-Encoding: base64\n\n" + &whole[..20];
    assert_eq!(open(parts.as_bytes()), Err(Broken::BrokenOff));
}

#[test]
fn what_is_no_letter_is_set_aside() {
    for raw in [&b""[..], b"\n\n", b"done\n", b"\x89PNG\r\n\x1a\n garbage", b"move 3 from Crete to Thera\ndone\n"] {
        assert_eq!(open(raw), Err(Broken::NoHead), "{raw:?}");
    }
}

#[test]
fn encrypted_letters_are_set_aside() {
    let pgp = head("multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b")
        + "\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n\n-----BEGIN PGP MESSAGE-----\nx\n--b--\n";
    assert_eq!(open(pgp.as_bytes()), Err(Broken::Encrypted));
    let smime = head("application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64")
        + "\nMIAGCSqGSIb3DQEHA6CA\n";
    assert_eq!(open(smime.as_bytes()), Err(Broken::Encrypted));
}

#[test]
fn reasons_are_printed_and_the_answer_is_no() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-letter.eml");
    fs::write(&path, "done\n").unwrap();
    let mut out = Vec::new();
    assert!(!read(&path, FileKind::Letter, &mut out).unwrap());
    let shown: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(shown["set_aside"], "no-head");
}

// ---- whatever comes

/// An order, or what a player might write for one.
fn order() -> impl Strategy<Value = String> {
    let area = prop::sample::select(vec!["Crete", "Thera", "Naxos", "Ur", "Od", "On", "Mari", "Chanhu-Daro"]);
    let form = prop::sample::select(vec![
        "move # from @ to %",
        "# @ > %",
        "- # @ -> %",
        "build city in @",
        "On @ build city",
        "sail from @ load # to % unload #",
        "offer to @: salt, salt, wine for iron, iron, any",
        "tell @: we wrote to you on 16.11.2026, did we not",
        "#) # @ => %",
        "if @ holds # % then # @ > %",
        "from @ to % #",
        "do @ # z %",
        "done",
        "ok",
        "--",
        "",
    ]);
    (form, area.clone(), area, 1..9u8)
        .prop_map(|(form, from, to, number)| form.replace('@', from).replace('%', to).replace('#', &number.to_string()))
}

fn orders() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(order(), 1..12).prop_filter("a delimiter alone is no order", |lines| {
        // Dashes with nothing below them are no words; one alone may begin a signature.
        let written: Vec<&String> = lines.iter().filter(|line| !line.is_empty()).collect();
        written.last().is_some_and(|last| *last != "--") && lines.iter().filter(|line| *line == "--").count() != 1
    })
}

fn text(lines: &[String]) -> String {
    lines.join("\n").trim_matches('\n').to_owned()
}

proptest! {
    #[test]
    fn no_bytes_panic(raw in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = open(&raw);
        let _ = letter::own_plain(&raw);
        let _ = letter::own_html(&raw);
    }

    #[test]
    fn no_letter_panics(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60), cut in 0..4000usize) {
        let mut raw = String::from("From: a@b.example\n");
        raw.extend(pieces);
        let _ = open(raw.as_bytes());
        let _ = open(&raw.as_bytes()[..cut.min(raw.len())]);
        let _ = letter::own_html(raw.as_bytes());
        let _ = letter::own_plain(raw.as_bytes());
    }

    #[test]
    fn what_is_quoted_never_acts(own_lines in orders(), quoted in orders(), places in prop::collection::vec(any::<bool>(), 24), marks in "(>|> |>> |  > |> > )") {
        let mut body = Vec::new();
        let (mut own_lines, mut quoted) = (own_lines.into_iter(), quoted.into_iter());
        for place in places {
            let line = if place { own_lines.next() } else { quoted.next().map(|line| format!("{marks}SECRET {line}")) };
            body.extend(line);
        }
        let words = own(&body.join("\n"));
        prop_assert!(!words.text.contains("SECRET"), "{}", words.text);
        let letter = open(format!("From: a@b.example\nSubject: Fwd: x\n\n{}", body.join("\r\n")).as_bytes()).unwrap();
        prop_assert!(!letter.text.contains("SECRET"), "{}", letter.text);
    }

    #[test]
    fn orders_alone_pass_unchanged(lines in orders()) {
        let body = text(&lines);
        prop_assert_eq!(own(&body).text, body.as_str());
        let letter = open(format!("From: a@b.example\n\n{body}").as_bytes()).unwrap();
        prop_assert_eq!(&letter.text, &body);
        prop_assert_eq!(letter.ignored, Default::default());
    }

    #[test]
    fn orders_pass_unchanged_above_and_below_a_quotation(lines in orders(), attribution in 0..80usize) {
        let table = table("attributions.txt");
        let attribution = table.lines().nth(attribution).unwrap();
        let body = text(&lines);
        prop_assert_eq!(own(&format!("{body}\n\n{attribution}\n> wait\n")).text, body.as_str());
        prop_assert_eq!(own(&format!("{attribution}\n\n> wait\n\n{body}\n")).text, body.as_str());
    }

    #[test]
    fn orders_pass_unchanged_through_html(lines in orders()) {
        let body = text(&lines);
        let escaped = body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let html = format!("<div>{}</div><blockquote>wait</blockquote>", escaped.replace('\n', "<br>"));
        let words = letter::own_html(html.as_bytes()).unwrap();
        prop_assert_eq!(words.text, body);
    }
}

/// What letters are made of.
const PIECES: &[&str] = &[
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/alternative; boundary=\"b\"\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: text/html; charset=utf-16\n",
    "Content-Type: text/plain; format=flowed; delsp=yes\n",
    "Content-Type: application/pkcs7-mime\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Disposition: attachment; filename*0*=utf-8''%e2; filename*1=x\n",
    "Subject: =?utf-8?Q?=C4?= =?x?B?!?=\n",
    "\n",
    "\n\n",
    "--b\n",
    "--b--\n",
    "> quoted\n",
    "-- \n",
    "On 16.11.2026 10:12, Cursus wrote:\n",
    "-----Original Message-----\n",
    "---------- Forwarded message ---------\n",
    "From: Cursus <c@x.example>\nSent: 16.11.2026\nTo: x\nSubject: y\n",
    "Sent from my iPhone\n",
    "<div class=\"gmail_quote\"><blockquote>",
    "</div></p></blockquote>",
    "<table><tr><td><li><p>",
    "<!-- <pre>",
    "żółw = Łódź ",
    "=C5=\n",
    "MIAGCSqGSIb3DQEHAqCAMIACAQExADCABgkqhkiG9w0BBwGggCSABAE=\n",
    "-----BEGIN PGP SIGNED MESSAGE-----\n",
    "_______________________________________________\nx mailing list\n",
];

#[test]
fn a_letter_has_all_that_the_desk_asks_for() {
    // The seams: these fields are what `desk` builds on.
    let Letter { kind, sender, text, ignored, forwarded, attachments, .. } =
        open(b"From: a@b.example\n\nok\n").unwrap();
    assert_eq!((kind, text.as_str(), forwarded, attachments), (Kind::Letter, "ok", false, 0));
    assert_eq!(sender.from.unwrap().address, "a@b.example");
    assert_eq!(ignored, Default::default());
}
