//! What the fuzzer and the replay of its corpus do with a post of a forum.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use cursus::post::forum::{Author, Post};
use cursus::post::words::Sent;

static SENT: LazyLock<Sent> = LazyLock::new(|| Sent::new([super::intake::OURS]));

/// Reads the bytes as a post that a forum shows, as one that was typed, and as one that lies in the archive.
pub fn read(data: &[u8]) {
    if let Some(post) = Post::read(data) {
        is_sound(&post);
    }
    let said = String::from_utf8_lossy(data).into_owned();
    let shown = Post {
        id: "7-1".to_owned(),
        thread: "7".to_owned(),
        is_private: false,
        author: Author { id: "3".to_owned(), name: "Ann".to_owned() },
        posted: DateTime::<Utc>::UNIX_EPOCH,
        changed: DateTime::<Utc>::UNIX_EPOCH,
        answers: None,
        html: said.clone(),
        source: None,
        is_deleted: false,
    };
    let typed = Post { source: Some(said), html: String::new(), ..shown.clone() };
    is_sound(&shown);
    is_sound(&typed);
}

fn is_sound(post: &Post) {
    assert_eq!(Post::read(&post.raw()).as_ref(), Some(post), "what is remembered is what was posted");
    let words = post.words("cursus", &SENT);
    assert_eq!(words, post.words("cursus", &SENT), "the same post says the same");
    assert!(!words.text.contains('\u{e000}'), "our own mark of a line of code is nobody's word");
    assert!(!words.in_code || !words.text.trim().is_empty() || words.ignored.other > 0, "code is a text");
    let gone = Post { is_deleted: true, html: String::new(), source: None, ..post.clone() };
    assert_eq!(gone.words("cursus", &SENT).text, "", "a deleted post says nothing");
}
