//! Every letter in both languages, as its reader gets it: `tests/letters_out`.
//!
//! The game is a small one between companions, so that the letters tell what letters tell. With `CURSUS_RECORD=1` the
//! letters are written anew; read the diff like code.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

#[path = "letters_out/other_words.rs"]
mod other_words;
#[path = "letters_out/samples.rs"]
pub mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cursus::rules::Language;
use samples::Samples;
use serde_json::Value;

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
        let mut known = BTreeSet::new();
        for (name, page) in samples.letters(language) {
            assert!(!page.subject.is_empty() && !page.subject.contains('\n'), "{name}: {:?}", page.subject);
            assert!(!page.text.contains("{{") && !page.text.contains('['.to_string().repeat(2).as_str()), "{name}");
            let text = format!("Subject: {}\n\n{}", page.subject, page.text);
            let html = page.html.unwrap();
            let mut files = vec![(format!("{name}.txt"), text)];
            if AS_HTML.contains(&name) {
                files.push((format!("{name}.html"), blocks(&html)));
            }
            if name.starts_with("public") || AS_POSTS.contains(&name) {
                files.push((format!("{name}.md"), page.markdown));
            }
            if name == "reminder" {
                files.push(("whole.html".to_owned(), html));
            }
            for (file, said) in files {
                let path = folder.join(&file);
                if record {
                    fs::write(&path, &said).unwrap();
                } else if fs::read_to_string(&path).unwrap_or_default() != said {
                    wrong.push(path.display().to_string());
                }
                known.insert(file);
            }
        }
        let kept = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let strange: Vec<String> = kept.filter(|file| !known.remove(file)).collect();
        assert!(strange.is_empty(), "letters that nobody writes: {strange:?}");
    }
    assert!(wrong.is_empty(), "not as they were read; CURSUS_RECORD=1 writes them anew:\n{}", wrong.join("\n"));
}

/// A seat that is only kept is still its player's, and everybody reads so; its player may even be called as a built-in one is.
#[test]
fn a_kept_seat_has_its_players_name() {
    let mut samples = Samples::play();
    for seat in samples.seats.iter_mut().filter(|seat| seat.companion) {
        (seat.player, seat.kept) = ("merchant".to_owned(), true);
    }
    for (language, line) in [
        (Language::English, "- Egypt: merchant (a built-in player keeps the seat)"),
        (Language::Polish, "- Egipt: merchant (miejsca pilnuje gracz wbudowany)"),
    ] {
        let pages = samples.letters(language);
        for letter in ["invitation", "welcome", "briefing", "public-status"] {
            let (_, page) = pages.iter().find(|(name, _)| *name == letter).unwrap();
            assert!(page.text.lines().any(|own| own == line), "{letter}: {}", page.text);
        }
    }
}

/// Letters that are kept as HTML too: between them they have every kind of block. All of them are the same lines.
const AS_HTML: [&str; 3] = ["report-09-calamities", "answer", "end"];
/// Letters to one player that are kept as private messages of a forum too.
const AS_POSTS: [&str; 4] = ["report-03-movement", "answer", "press-you", "parked"];

/// The blocks of a letter's HTML without their looks, which are the frame's and stand in `whole.html` once.
fn blocks(html: &str) -> String {
    let (_, body) = html.split_once("<body").unwrap();
    let mut kept = String::new();
    let mut rest = body.split_once('\n').unwrap().1;
    while let Some((before, looks)) = rest.split_once(" style=\"") {
        kept += before;
        rest = looks.split_once('"').unwrap().1;
    }
    kept + rest
}

#[test]
fn the_data_of_a_letter_is_as_its_schema_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cursus-view-1.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut checked = 0;
    for (name, page) in Samples::play().letters(Language::English) {
        let Some(data) = page.data else { continue };
        let data: Value = serde_json::from_str(&data).unwrap();
        assert_eq!(fits(&schema, &schema, &data), Ok(()), "{name}");
        let mut other = data.clone();
        other["seed"] = Value::from("a secret");
        assert!(fits(&schema, &schema, &other).is_err(), "nothing else may stand in it");
        checked += 1;
    }
    assert!(checked >= 8, "{checked} letters with data");
}

#[test]
fn html_loads_nothing_from_elsewhere_and_escapes_what_players_write() {
    let samples = Samples::play();
    for (name, page) in Language::ALL.into_iter().flat_map(|language| samples.letters(language)) {
        // A link loads nothing until it is followed.
        let html = page.html.unwrap().replace(samples::WATCH, "");
        assert!(!html.contains("http") && !html.contains("url(") && !html.contains("<script"), "{name}");
        assert!(!html.contains("src=") || html.matches("src=").count() == html.matches("src=\"cid:map\"").count());
        if name.starts_with("press") {
            assert!(html.contains("&lt;b&gt;no markup&lt;/b&gt;") && !html.contains("<b>"), "{name}");
        }
    }
}

/// Whether data fits a schema, by the words that our schema uses.
fn fits(root: &Value, schema: &Value, data: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}: {data} against {schema}").chars().take(400).collect());
    for (word, asked) in schema.as_object().unwrap() {
        let fine = match word.as_str() {
            "$ref" => {
                let name = asked.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                fits(root, &root["$defs"][name], data)?;
                true
            }
            "const" => data == asked,
            "enum" => asked.as_array().unwrap().contains(data),
            "anyOf" => asked.as_array().unwrap().iter().any(|one| fits(root, one, data).is_ok()),
            "type" => match asked.as_str().unwrap() {
                "object" => data.is_object(),
                "array" => data.is_array(),
                "string" => data.is_string(),
                "boolean" => data.is_boolean(),
                "integer" => data.is_u64() || data.is_i64(),
                "null" => data.is_null(),
                other => panic!("the schema says {other}"),
            },
            "minimum" => data.as_u64().is_none_or(|number| number >= asked.as_u64().unwrap()),
            "minItems" => data.as_array().is_some_and(|items| items.len() as u64 >= asked.as_u64().unwrap()),
            "maxItems" => data.as_array().is_some_and(|items| items.len() as u64 <= asked.as_u64().unwrap()),
            "items" => {
                data.as_array().into_iter().flatten().try_for_each(|item| fits(root, asked, item))?;
                true
            }
            "prefixItems" => {
                let pairs = data.as_array().into_iter().flatten().zip(asked.as_array().unwrap());
                pairs.into_iter().try_for_each(|(item, asked)| fits(root, asked, item))?;
                true
            }
            "properties" => {
                for (key, value) in data.as_object().into_iter().flatten() {
                    match asked.get(key) {
                        Some(asked) => fits(root, asked, value)?,
                        None => return wrong(key),
                    }
                }
                true
            }
            "required" => asked.as_array().unwrap().iter().all(|key| data.get(key.as_str().unwrap()).is_some()),
            "additionalProperties" => asked == false,
            "$schema" | "$defs" | "title" | "description" => true,
            other => panic!("the schema says {other}"),
        };
        if !fine {
            return wrong(word);
        }
    }
    Ok(())
}
