//! Every letter in both languages, as its reader gets it: `tests/letters_out`.
//!
//! The game is a small one between companions, so that the letters tell what letters tell. With `CURSUS_RECORD=1` the
//! letters are written anew; read the diff like code.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod letters_out {
    pub mod samples;
}

use std::fs;
use std::path::Path;

use cursus::report::letters::Maps;
use cursus::rules::Language;
use letters_out::samples::Samples;

#[test]
fn every_letter_is_as_it_was_read() {
    let mut wrong = Vec::new();
    let record = std::env::var_os("CURSUS_RECORD").is_some();
    let samples = Samples::play();
    for language in Language::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters_out").join(language.code());
        if record {
            fs::create_dir_all(&folder).unwrap();
        }
        for (name, page) in samples.letters(language) {
            assert!(!page.subject.is_empty() && !page.subject.contains('\n'), "{name}: {:?}", page.subject);
            assert!(!page.text.contains("{{") && !page.text.contains('['.to_string().repeat(2).as_str()), "{name}");
            let text = format!("Subject: {}\n\n{}", page.subject, page.text);
            let path = folder.join(format!("{name}.txt"));
            if record {
                fs::write(&path, &text).unwrap();
            } else if fs::read_to_string(&path).unwrap_or_default() != text {
                wrong.push(path.display().to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "not as they were read; CURSUS_RECORD=1 writes them anew:\n{}", wrong.join("\n"));
}

/// Writes every letter with its picture into the folder `CURSUS_LOOK` names, for a browser.
#[test]
fn letters_can_be_looked_at() {
    let Some(folder) = std::env::var_os("CURSUS_LOOK") else { return };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).unwrap();
    let mut samples = Samples::play();
    samples.maps = Some(Maps::default());
    for language in Language::ALL {
        for (name, page) in samples.letters(language) {
            let name = format!("{}-{name}", language.code());
            let html = page.html.unwrap().replace("cid:map", &format!("{name}.png"));
            fs::write(folder.join(format!("{name}.html")), html).unwrap();
            if let Some(picture) = page.picture {
                fs::write(folder.join(format!("{name}.png")), &*picture).unwrap();
            }
        }
    }
}
