//! The fuzzer's corpus, replayed: what once looked dangerous stays harmless.

#[path = "../fuzz/src/lib.rs"]
mod bodies;

use std::fs;
use std::path::Path;

use bodies::{intake, letter, post};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Everything in a folder of the corpus.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a find can be read")).collect()
}

#[test]
fn every_letter_of_the_corpus_is_answered() {
    let letters = corpus("letter");
    assert!(letters.len() >= 40, "the corpus has {} letters", letters.len());
    letters.iter().for_each(|letter| letter::answer(letter));
}

#[test]
fn every_mail_of_the_corpus_is_opened_whole_and_broken() {
    let mails = corpus("intake");
    assert!(mails.len() >= 30, "the corpus has {} mails", mails.len());
    mails.iter().flat_map(|mail| broken(mail)).for_each(|mail| intake::open(&mail));
}

#[test]
fn every_post_of_the_corpus_is_read_whole_and_broken() {
    let posts = corpus("post");
    assert!(posts.len() >= 30, "the corpus has {} posts", posts.len());
    posts.iter().flat_map(|post| broken(post)).for_each(|post| post::read(&post));
}

/// A text as it is, cut off in eight places, and with a sign of another kind in eight.
fn broken(text: &[u8]) -> Vec<Vec<u8>> {
    const SIGNS: [u8; 8] = [b'<', b'>', b'"', b'\n', b'=', b'[', 0xff, b'&'];
    let mut found = vec![text.to_vec()];
    for (part, sign) in SIGNS.into_iter().enumerate() {
        let at = text.len() * (part + 1) / 9;
        found.push(text[..at].to_vec());
        found.push([&text[..at], &[sign], &text[at..]].concat());
    }
    found
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    for first in 0..=255 {
        letter::answer(&[first, 0xff, 0xfe, 0, b'm', 0xc3, b'\n', 0xe2, 0x80, b'2']);
        letter::answer(&[first]);
    }
    letter::answer(&[]);
}

/// Letters made of what players type, of what phones make of it, and of what breaks readers.
fn letters() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&str] = &[
        "move",
        "3",
        "all",
        "from",
        "Knossos",
        "to",
        "Phaestos",
        ">",
        "→",
        "-",
        "sail",
        "load",
        "unload",
        "build",
        "ship",
        "city",
        "in",
        "Thera",
        "Knosos",
        "Asaka",
        "offer",
        "Egypt",
        ":",
        "salt",
        ",",
        "for",
        "any",
        "accept",
        "4",
        "with",
        "undo",
        "clear",
        "done",
        "wait",
        "always",
        "never",
        "if",
        "holds",
        "is empty",
        "then",
        "else",
        ";",
        "tell",
        "help",
        "rules",
        "4b",
        "line",
        "2",
        "try",
        "ok",
        "Famine",
        "victims",
        "lose",
        "use",
        "Diaspora",
        "acquire",
        "Pottery",
        "paying",
        "treasury",
        "keep",
        "ruch",
        "z",
        "do",
        "zbuduj",
        "statek",
        "w",
        "jeśli",
        "ma",
        "płyń",
        "załaduj",
        "oferta",
        "dla",
        "Egiptu",
        "sól",
        "za",
        "cofnij",
        "koniec",
        "powiedz",
        "wszystkim",
        "(",
        ")",
        ">",
        "--",
        "\n",
        "\n",
        "\n\n",
        "🚢",
        "\u{200B}",
        "e\u{301}",
        "\u{AD}",
        "北",
        "\u{202E}",
        "„",
        "”",
        "1.",
        "*",
        "\t",
        "&gt;",
        "%",
        "{{",
        "}}",
    ];
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => any::<u32>().prop_map(|number| number.to_string()),
    ];
    let text = prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.join(" "));
    (any::<u8>(), text).prop_map(|(first, text)| [vec![first], text.into_bytes()].concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_letter_panics_on_its_way_to_the_reply(letter in letters()) {
        letter::answer(&letter);
    }
}
