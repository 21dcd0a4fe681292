//! What the fuzzer and the replay of its corpus do with the bytes of a mail.

use std::sync::LazyLock;

use cursus::post::letter::{self, Letter};
use cursus::post::words::Sent;

/// A letter of ours, as those who answer it quote it.
pub const OURS: &str = "Turn 7, movement: Egypt\n\nYou have until Monday 4 January, 20:00 UTC.\n\nWrite your orders below this \
    line, or ok to file the form as it stands:\n\nmove 3 from Memphis to Sinai\nbuild city in Thebes\nbuy up to 2 from \
    stack 9 until calamity keep 3\ndone\n\nYour areas\nMemphis 4 of 5, Sinai 0 of 2, Thebes 6 of 4\n";

static SENT: LazyLock<Sent> = LazyLock::new(|| Sent::new([OURS]));

/// Opens the bytes as a mail in each of the ways in which mails are opened, and as a bare body.
pub fn open(data: &[u8]) {
    let is_ours = |id: &str| id.contains("cursus");
    let opened = letter::open_answer(data, &is_ours, &|_| SENT.clone());
    assert_eq!(opened, letter::open_answer(data, &is_ours, &|_| SENT.clone()), "the same bytes are the same letter");
    match opened {
        Ok(letter) => is_sound(&letter),
        Err(broken) => assert!(!broken.to_string().is_empty(), "what is set aside has its reason"),
    }
    if let Ok(letter) = letter::open(data) {
        is_sound(&letter);
    }
    let (id, body) = letter::marks(data);
    assert!(body.len() <= data.len() && id.is_none_or(|id| !id.is_empty()));
    // How the sender's program writes is asked of every letter that answers one of ours.
    let _ = letter::style(data, &SENT);
    for words in [letter::own_plain(data), letter::own_html(data)].into_iter().flatten() {
        assert!(!words.text.contains('\0'), "no text has null bytes");
    }
}

fn is_sound(letter: &Letter) {
    assert!(!letter.text.contains('\0'), "no text has null bytes");
    assert!(letter.message_id.as_ref().is_none_or(|id| !id.is_empty() && !id.contains(['<', '>', '\n'])));
    assert!(letter.sender.authors > 0 || letter.sender.from.is_none(), "who is named is counted");
    assert!(!letter.subject.contains('\n'), "a subject is one line");
}
