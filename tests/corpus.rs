//! The fuzzer's corpus, replayed: what once looked dangerous stays harmless.

#[path = "../fuzz/body.rs"]
mod body;

use std::fs;
use std::path::Path;

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
