//! The fuzzer's corpus, replayed: what once looked dangerous stays harmless.

#[path = "../fuzz/body.rs"]
mod body;

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[test]
fn every_letter_of_the_corpus_is_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/letter");
    let mut letters = 0;
    for entry in fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("the corpus can be listed").path();
        body::answer(&fs::read(&path).expect("a letter can be read"));
        letters += 1;
    }
    assert!(letters >= 40, "the corpus has {letters} letters");
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    for first in 0..=255 {
        body::answer(&[first, 0xff, 0xfe, 0, b'm', 0xc3, b'\n', 0xe2, 0x80, b'2']);
        body::answer(&[first]);
    }
    body::answer(&[]);
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
        body::answer(&letter);
    }
}
