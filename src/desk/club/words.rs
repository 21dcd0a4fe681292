//! What people write who want to join, to leave or to stand in: a line each, in both languages.
//!
//! Comes in: the words of a letter. Goes out: what its lines ask for. Nothing of them is an order of the game.

use crate::archive::Level;
use crate::rules::Language;
use crate::rules::names::fold;

/// What somebody wants of the club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Which games are open.
    Games,
    /// A seat in a game, as one of these civilizations, the dearest first.
    Join { game: String, wishes: Vec<String> },
    /// No seat any more.
    Leave { game: Option<String> },
    /// To stand in where somebody leaves: in a game, or in any.
    Standby { game: Option<String> },
    /// To stand in no longer.
    NoStandby { game: Option<String> },
    /// That one is there, before the game begins.
    Here { game: Option<String> },
    /// What one is called.
    Name(String),
    /// How one has played so far.
    Record,
    /// What is stored about one.
    MyData,
    /// That one's name and addresses go out of the games that have ended.
    ForgetMe,
    /// Away in all games until then; nothing is back again.
    Vacation(Option<String>),
    /// To read the public record of a game.
    Observe { game: String, level: Level },
    /// To read it no longer.
    NoObserve { game: Option<String> },
    /// The host: who has come so far.
    Who { game: String },
    /// The host: that it begins with those who are there, companions in the rest.
    Start { game: String },
    /// The host: somebody who has applied may play.
    Approve { game: String, number: u32 },
    /// The host: they may not.
    Refuse { game: String, number: u32 },
    /// The host: nothing comes of it.
    Withdraw { game: String, reason: Option<String> },
}

/// So many lines of a letter are read; nobody needs more.
const MOST_LINES: usize = 8;
/// So many wishes are kept; there are no more civilizations.
const MOST_WISHES: usize = 18;

impl Said {
    /// The game that it names.
    pub fn game(&self) -> Option<&str> {
        match self {
            Said::Games | Said::Name(_) | Said::Record | Said::MyData | Said::ForgetMe | Said::Vacation(_) => None,
            Said::Observe { game, .. } => Some(game),
            Said::Join { game, .. } | Said::Who { game } | Said::Start { game } => Some(game),
            Said::Leave { game }
            | Said::Standby { game }
            | Said::NoStandby { game }
            | Said::Here { game }
            | Said::NoObserve { game } => game.as_deref(),
            Said::Approve { game, .. } | Said::Refuse { game, .. } | Said::Withdraw { game, .. } => Some(game),
        }
    }

    /// Whether players in a game may write it in answer to any letter. What else there is might be an order or a remark there.
    pub(crate) fn is_plain_anywhere(&self) -> bool {
        match self {
            Said::Games | Said::Join { .. } | Said::Leave { .. } => true,
            Said::Standby { .. } | Said::NoStandby { .. } => true,
            Said::Record | Said::MyData | Said::ForgetMe | Said::Vacation(_) => true,
            Said::Observe { .. } | Said::NoObserve { .. } => true,
            Said::Here { .. } | Said::Name(_) | Said::Who { .. } | Said::Start { .. } => false,
            Said::Approve { .. } | Said::Refuse { .. } | Said::Withdraw { .. } => false,
        }
    }
}

/// What a letter says and in which language, where its first line is a line of the club; none where it is none.
pub fn read(text: &str) -> Option<(Language, Vec<Said>)> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (language, first) = line(lines.next()?)?;
    let rest = lines.take_while(|line| *line != "--").take(MOST_LINES - 1).filter_map(line).map(|(_, said)| said);
    Some((language, std::iter::once(first).chain(rest).collect()))
}

/// The lines of a letter that are none of the club's.
pub fn rest(text: &str) -> String {
    let own = text.lines().take_while(|line| line.trim() != "--").filter(|text| line(text).is_none());
    own.collect::<Vec<_>>().join("\n")
}

/// Reads a line of a letter.
fn line(text: &str) -> Option<(Language, Said)> {
    let text = text.trim().trim_end_matches(['.', '!']).trim_end();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches([',', '"', '`'])).collect();
    let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let folded: Vec<&str> = folded.iter().map(String::as_str).collect();
    let (english, polish) = (Language::English, Language::Polish);
    let id = |at: usize| words.get(at).map(|word| word.to_lowercase()).filter(|word| is_id(word));
    let only = |count: usize| (words.len() <= count).then_some(());
    let number = |at: usize| words.get(at).and_then(|word| word.trim_start_matches('#').parse().ok());
    Some(match folded.as_slice() {
        ["games"] | ["open", "games"] => (english, Said::Games),
        ["gry"] | ["otwarte", "gry"] => (polish, Said::Games),
        ["join", _, ..] => (english, Said::Join { game: id(1)?, wishes: wishes(&words[2..])? }),
        ["dolacz", "do", _, ..] | ["dolaczam", "do", _, ..] => {
            (polish, Said::Join { game: id(2)?, wishes: wishes(&words[3..])? })
        }
        ["dolacz" | "dolaczam", _, ..] => (polish, Said::Join { game: id(1)?, wishes: wishes(&words[2..])? }),
        ["leave"] => (english, Said::Leave { game: None }),
        ["leave", _] => (english, Said::Leave { game: Some(id(1)?) }),
        ["opusc"] | ["opuszczam"] | ["rezygnuje"] => (polish, Said::Leave { game: None }),
        ["rezygnuje", "z", _] => (polish, Said::Leave { game: Some(id(2)?) }),
        ["opusc" | "opuszczam" | "rezygnuje", _] => (polish, Said::Leave { game: Some(id(1)?) }),
        ["standby"] | ["stand", "by"] => (english, Said::Standby { game: None }),
        ["standby", _] => (english, Said::Standby { game: Some(id(1)?) }),
        ["stop", "standby"] => (english, Said::NoStandby { game: None }),
        ["stop", "standby", _] => (english, Said::NoStandby { game: Some(id(2)?) }),
        ["rezerwa"] => (polish, Said::Standby { game: None }),
        ["rezerwa", _] => (polish, Said::Standby { game: Some(id(1)?) }),
        ["koniec", "rezerwy"] => (polish, Said::NoStandby { game: None }),
        ["koniec", "rezerwy", _] => (polish, Said::NoStandby { game: Some(id(2)?) }),
        ["here"] => (english, Said::Here { game: None }),
        ["here", _] => (english, Said::Here { game: Some(id(1)?) }),
        ["jestem"] => (polish, Said::Here { game: None }),
        ["jestem", _] => (polish, Said::Here { game: Some(id(1)?) }),
        ["name", _, ..] => (english, Said::Name(words[1..].join(" "))),
        ["imie", _, ..] => (polish, Said::Name(words[1..].join(" "))),
        ["record"] | ["my", "record"] => (english, Said::Record),
        ["historia"] | ["moja", "historia"] => (polish, Said::Record),
        ["my", "data"] => (english, Said::MyData),
        ["moje", "dane"] => (polish, Said::MyData),
        ["forget", "me"] => (english, Said::ForgetMe),
        ["zapomnij", "mnie"] | ["zapomnij", "o", "mnie"] => (polish, Said::ForgetMe),
        ["vacation", "until", _, ..] => (english, Said::Vacation(Some(words[2..].join(" ")))),
        ["urlop", "do", _, ..] => (polish, Said::Vacation(Some(words[2..].join(" ")))),
        ["vacation", "over"] => (english, Said::Vacation(None)),
        ["koniec", "urlopu"] => (polish, Said::Vacation(None)),
        ["observe", _] => (english, Said::Observe { game: id(1)?, level: Level::Turns }),
        ["observe", _, how] => (english, Said::Observe { game: id(1)?, level: level(how)? }),
        ["obserwuj", _] => (polish, Said::Observe { game: id(1)?, level: Level::Turns }),
        ["obserwuj", _, how] => (polish, Said::Observe { game: id(1)?, level: level(how)? }),
        ["stop", "observing"] => (english, Said::NoObserve { game: None }),
        ["stop", "observing", _] => (english, Said::NoObserve { game: Some(id(2)?) }),
        ["koniec", "obserwacji"] => (polish, Said::NoObserve { game: None }),
        ["koniec", "obserwacji", _] => (polish, Said::NoObserve { game: Some(id(2)?) }),
        ["who", _] => (english, Said::Who { game: id(1)? }),
        ["kto", _] => (polish, Said::Who { game: id(1)? }),
        ["start", _] => (english, Said::Start { game: id(1)? }),
        ["zacznij", _] => (polish, Said::Start { game: id(1)? }),
        ["approve", _, _] => (english, Said::Approve { game: id(1)?, number: number(2)? }),
        ["przyjmij", _, _] => (polish, Said::Approve { game: id(1)?, number: number(2)? }),
        ["refuse", _, _] => (english, Said::Refuse { game: id(1)?, number: number(2)? }),
        ["odrzuc", _, _] => (polish, Said::Refuse { game: id(1)?, number: number(2)? }),
        ["withdraw", _] => (english, Said::Withdraw { game: id(1)?, reason: None }),
        ["withdraw", _, "because", ..] => (english, Said::Withdraw { game: id(1)?, reason: why(&words[3..]) }),
        ["wycofaj", _] => (polish, Said::Withdraw { game: id(1)?, reason: None }),
        ["wycofaj", _, "bo" | "poniewaz", ..] => (polish, Said::Withdraw { game: id(1)?, reason: why(&words[3..]) }),
        _ => return only(0).and(None),
    })
}

/// So many letters of a reason are passed on.
const LONGEST_REASON: usize = 300;

fn why(words: &[&str]) -> Option<String> {
    let reason: String = words.join(" ").chars().take(LONGEST_REASON).collect();
    (!reason.is_empty()).then_some(reason)
}

/// `as Egypt or Minoa`; nothing is no wish, and anything else is no line of ours.
fn wishes(words: &[&str]) -> Option<Vec<String>> {
    let Some((first, rest)) = words.split_first() else { return Some(Vec::new()) };
    if !matches!(fold(first).as_str(), "as" | "jako" | "czyli") || rest.is_empty() {
        return None;
    }
    let mut wishes: Vec<String> = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    let end = |name: &mut Vec<&str>, wishes: &mut Vec<String>| {
        if !name.is_empty() {
            wishes.push(std::mem::take(name).join(" "));
        }
    };
    for word in rest {
        match fold(word).as_str() {
            "or" | "lub" | "albo" | "" => end(&mut name, &mut wishes),
            _ => {
                name.extend(word.split([',', '/']).filter(|part| !part.is_empty()));
                if word.contains([',', '/']) {
                    end(&mut name, &mut wishes);
                }
            }
        }
    }
    end(&mut name, &mut wishes);
    wishes.truncate(MOST_WISHES);
    Some(wishes)
}

/// How much somebody wants to read.
fn level(word: &str) -> Option<Level> {
    match word {
        "each" | "rulings" | "all" | "kazde" | "rozstrzygniecia" | "wszystko" => Some(Level::Each),
        "turn" | "turns" | "tura" | "tury" => Some(Level::Turns),
        "end" | "koniec" => Some(Level::End),
        _ => None,
    }
}

fn is_id(word: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !word.is_empty() && word.len() <= 24 && word.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<Said> {
        read(text).map(|(_, mut all)| all.remove(0))
    }

    fn join(game: &str, wishes: &[&str]) -> Option<Said> {
        Some(Said::Join { game: game.to_owned(), wishes: wishes.iter().map(|wish| (*wish).to_owned()).collect() })
    }

    #[test]
    fn what_people_write_to_a_club_is_understood() {
        assert_eq!(one("games"), Some(Said::Games));
        assert_eq!(one("\nGry.\n"), Some(Said::Games));
        assert_eq!(one("join winter"), join("winter", &[]));
        assert_eq!(one("Join Winter as Egypt or Minoa!"), join("winter", &["Egypt", "Minoa"]));
        assert_eq!(one("Dołącz do winter jako Egipt albo Minos"), join("winter", &["Egipt", "Minos"]));
        assert_eq!(one("dołączam winter"), join("winter", &[]));
        assert_eq!(one("rezygnuję z winter"), Some(Said::Leave { game: Some("winter".to_owned()) }));
        assert_eq!(one("approve winter #3"), Some(Said::Approve { game: "winter".to_owned(), number: 3 }));
        let withdrawn = |reason: Option<&str>| {
            Some(Said::Withdraw { game: "winter".to_owned(), reason: reason.map(str::to_owned) })
        };
        assert_eq!(one("withdraw winter"), withdrawn(None));
        assert_eq!(one("wycofaj winter bo nikt nie przyszedł"), withdrawn(Some("nikt nie przyszedł")));
        assert_eq!(one("standby"), Some(Said::Standby { game: None }));
        assert_eq!(one("koniec rezerwy"), Some(Said::NoStandby { game: None }));
        let several = read("join winter\nname Anna Nowak\nBest,\nAnna").map(|(_, all)| all);
        let anna = Said::Name("Anna Nowak".to_owned());
        assert_eq!(several, Some(vec![join("winter", &[]).expect("a line"), anna]));
        for other in [
            "",
            "join us for dinner",
            "leave 2 in Crete",
            "withdraw your money today",
            "move 3 Crete -> Thera",
            "games are fun",
            "ok",
            "start",
            "Dear all",
            "here you are, my orders",
        ] {
            assert_eq!(one(other), None, "{other}");
        }
    }
}
