//! The answer to an invitation, before the game begins: yes, no, a question, or a word to the moderator.
//!
//! Comes in: a letter of somebody whose seat is offered. Goes out: the person's seat, taken or not, and an answer. Only
//! what is plainly a yes takes the seat; whoever says no is heard by the moderator; what is neither is answered with
//! the invitation.

use minijinja::context;

use super::rehearsal;
use crate::archive::{DispatchKind, OurLetter, Party, Status};
use crate::desk::incoming::opened::Opened;
use crate::desk::table::creating;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::game::{Known, Reader};
use crate::orders::{Line, Question, Reading, Recipient, Reply, Sheet, Written, read};
use crate::report;
use crate::report::letters::{Audience, Content};
use crate::rules::Civ;
use crate::rules::names::fold;

/// What somebody says to an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::desk) enum Says {
    /// That the player plays.
    Yes,
    /// That the player does not.
    No,
    Other,
}

/// Words with which a yes begins, beside those that agree to anything.
const BEGINS_YES: [&str; 17] = [
    "sure",
    "yep",
    "yeah",
    "yup",
    "absolutely",
    "gladly",
    "definitely",
    "certainly",
    "jasne",
    "pewnie",
    "oczywiscie",
    "chetnie",
    "gram",
    "wchodze",
    "dobra",
    "dobrze",
    "super",
];
/// What says yes anywhere.
const YES_ANYWHERE: [&str; 24] = [
    "no to gram",
    "no to gramy",
    "gramy",
    "count me in",
    "i m in",
    "im in",
    "i am in",
    "i ll play",
    "i will play",
    "i accept",
    "happy to play",
    "love to play",
    "let s play",
    "lets play",
    "i d love to",
    "gram",
    "zagram",
    "wchodze w to",
    "jestem za",
    "bede grac",
    "zagramy",
    "biore udzial",
    "licz na mnie",
    "pisze sie",
];
/// A question that is a yes where a short line ends with it: `Sure, why not?`
const ENDS_YES: [[&str; 2]; 3] = [["why", "not"], ["czemu", "nie"], ["dlaczego", "nie"]];
/// So many words such a line has at most.
const SHORT: usize = 4;
/// What says no anywhere.
const NO_ANYWHERE: [&str; 34] = [
    "no thanks",
    "no thank you",
    "no thx",
    "not this time",
    "count me out",
    "i m out",
    "im out",
    "i am out",
    "i can t",
    "i cannot",
    "i can not",
    "cannot play",
    "can t play",
    "decline",
    "not interested",
    "no time",
    "unfortunately",
    "i won t",
    "don t want",
    "nie dzieki",
    "nie dziekuje",
    "nie tym razem",
    "nie moge",
    "nie dam rady",
    "nie gram",
    "nie zagram",
    "nie bede",
    "rezygnuje",
    "odmawiam",
    "niestety",
    "nie chce",
    "nie mam czasu",
    "odpadam",
    "not ok",
];
/// A no at the head, unless one of these follows it.
const BEGINS_NO: [&str; 4] = ["no", "nope", "nah", "nie"];
const NO_HARM: [&str; 10] =
    ["problem", "worries", "ma", "problemu", "sprawy", "doubt", "to", "jasne", "pewnie", "dobra"];
/// How letters are opened.
const GREETINGS: [&str; 11] =
    ["hi", "hello", "hey", "dear", "thanks", "czesc", "hej", "witam", "witaj", "dzieki", "dziekuje"];

impl Says {
    /// What a letter says in its sender's own words.
    pub(in crate::desk) fn of(text: &str) -> Says {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(fold).collect()
        };
        let all = words(text);
        let said = format!(" {} ", all.join(" "));
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(&format!(" {phrase} ")));
        let is_yes = |word: &String| Reply::of(word) == Reply::Yes || BEGINS_YES.contains(&word.as_str());
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        // A line that greets, with a name or none, says nothing yet.
        let greets = |line: &&&str| words(line).first().is_some_and(|word| GREETINGS.contains(&word.as_str()));
        let is_short = |line: &&&str| words(line).len() <= 4;
        let mut heads = lines.iter().skip_while(|line| greets(line) && is_short(line) && lines.len() > 1);
        let head = heads.next().copied().unwrap_or_default();
        let first: Vec<String> =
            words(head).into_iter().skip_while(|word| GREETINGS.contains(&word.as_str())).take(2).collect();
        let asks = head.ends_with('?');
        let is_bare = |line: &&str| !line.ends_with('?') && !words(line).is_empty() && words(line).iter().all(is_yes);
        let is_soft = |line: &&str| {
            let said = words(line);
            said.len() <= SHORT && ENDS_YES.iter().any(|end| said.ends_with(&end.map(str::to_owned)))
        };
        let thumb = text.contains('\u{1F44D}') && !asks;
        let yes = first.first().is_some_and(|word| is_yes(word) && !asks)
            || thumb
            || YES_ANYWHERE.iter().any(|phrase| has(&[phrase]) && !has(&[format!("nie {phrase}").as_str()]))
            || lines.iter().any(is_bare)
            || lines.iter().any(is_soft);
        let begins_no = first.first().is_some_and(|word| BEGINS_NO.contains(&word.as_str()))
            && !first.get(1).is_some_and(|word| NO_HARM.contains(&word.as_str()));
        match (yes, begins_no || has(&NO_ANYWHERE)) {
            (true, false) => Says::Yes,
            (false, true) => Says::No,
            (true, true) | (false, false) => Says::Other,
        }
    }
}

/// Answers a letter of somebody whose game has not begun.
pub(in crate::desk) fn answer(sitting: &mut Sitting, opened: &Opened, civ: Civ, answers: &OurLetter) {
    let party = Party::Seat(civ);
    let edition = sitting.table.edition.clone();
    let letter = read(&opened.writing.text, &edition.lexicon);
    let mut told = pass_on(sitting, opened, civ, &letter);
    told.extend(questions(sitting, civ, &letter));
    let own = own_words(&letter);
    let is_message = answers.kind == DispatchKind::Press && answers.writer == Some(Party::Moderator);
    // Who is asked whether a letter is theirs is not asked whether they play.
    let says = if answers.kind == DispatchKind::Parked { Says::Other } else { Says::of(&own) };
    let accepted = sitting.table.seat(party).is_some_and(|seat| seat.accepted);
    let in_reply_to = opened.writing.message_id.as_deref();
    match says {
        // A reply to a message is a message.
        _ if is_message && told.is_empty() && !own.trim().is_empty() => {
            told.push(tell_moderator(sitting, civ, &own, opened.key()));
        }
        Says::Yes if accepted => told.push(sitting.say(party, "accepted", context! {})),
        Says::Yes => {
            creating::accept(sitting, party);
            let is_told = rehearsal::invite(sitting, party, opened.key(), in_reply_to);
            if sitting.table.game.status != Status::Inviting {
                return;
            }
            told.extend((!is_told).then(|| sitting.say(party, "accepted", context! {})));
        }
        Says::No => told.push(decline(sitting, party, &own, opened)),
        Says::Other if told.is_empty() => return creating::invite(sitting, party, opened.key(), in_reply_to, true),
        Says::Other => {}
    }
    let is_open = !sitting.table.seat(party).is_some_and(|seat| seat.accepted);
    if is_open && says != Says::No {
        told.push(sitting.say(party, "not_accepted", context! {}));
    }
    if !told.is_empty() {
        let envelope = Envelope { kind: DispatchKind::Announcement, about: opened.key(), in_reply_to, to: None };
        sitting.write(party, envelope, &Content::Announcement { lines: &told, text: None });
    }
}

/// Somebody does not play: the person's seat is free, and the moderator hears of it.
fn decline(sitting: &mut Sitting, party: Party, words: &str, opened: &Opened) -> String {
    let me = Party::Moderator;
    let civ = party.civ().map(|civ| sitting.civ(me, civ)).unwrap_or_default();
    let player = sitting.table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
    if let Some(seat) = sitting.table.seat_mut(party).filter(|seat| seat.accepted) {
        seat.accepted = false;
        let seat = seat.clone();
        sitting.deed.seats.push(seat);
    }
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_TOLD).collect();
    let line = sitting.say(me, "declined_seat", context! { civ, player, words });
    let about = format!("{}.declined", opened.key());
    let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
    sitting.write(me, envelope, &Content::Moderation { lines: &[line] });
    sitting.say(party, "you_declined", context! {})
}

/// So many characters of a refusal the moderator is told.
const MOST_TOLD: usize = 300;

/// Messages to the moderator go to them; for others there is nobody yet. Says what became of each.
fn pass_on(sitting: &mut Sitting, opened: &Opened, civ: Civ, letter: &[Line]) -> Vec<String> {
    let mut told = Vec::new();
    let pieces = letter.iter().flat_map(|line| &line.pieces);
    for (number, piece) in pieces.enumerate() {
        let Reading::Written(Written::Press(press) | Written::Held(press)) = &piece.reading else { continue };
        let is_for_moderator = press.to.contains(&Recipient::Moderator) && !press.text.trim().is_empty();
        told.push(if is_for_moderator {
            tell_moderator(sitting, civ, &press.text, format!("{}.{number}", opened.key()))
        } else {
            sitting.say(Party::Seat(civ), "only_the_moderator", context! {})
        });
    }
    told
}

fn tell_moderator(sitting: &mut Sitting, civ: Civ, text: &str, about: String) -> String {
    let envelope = Envelope { kind: DispatchKind::Press, about, ..Envelope::default() };
    let content = Content::Press { from: Some(civ), to: Audience::Moderator, text };
    sitting.write(Party::Moderator, envelope, &content);
    sitting.say(Party::Seat(civ), "told_moderator", context! {})
}

/// The answers to what can be asked before the game begins, as on its opening position.
fn questions(sitting: &Sitting, civ: Civ, letter: &[Line]) -> Vec<String> {
    let asks = |line: &&Line| line.pieces.iter().any(|piece| asked(&piece.reading));
    let letter: Vec<Line> = letter.iter().filter(asks).cloned().collect();
    let Some(state) = rehearsal::position(&sitting.table).filter(|_| !letter.is_empty()) else { return Vec::new() };
    let known = Known::of(&state, Reader::Player(civ));
    let (before, mut sheet) = (Sheet::default(), Sheet::default());
    let answers = sheet.add(&letter, known.phase(), 0);
    let answered = report::ReadLetter {
        known: &known,
        history: &|_| None,
        civ,
        letter: &letter,
        answers: &answers,
        before: &before,
        sheet: &sheet,
        arrival: 0,
        is_trial: true,
        around: &[],
    };
    report::acknowledgement(sitting.words(Party::Seat(civ)), &answered).asked.answers.concat()
}

fn asked(reading: &Reading) -> bool {
    matches!(reading, Reading::Written(Written::Question(Question::Help(_) | Question::Rules(_) | Question::Map(_))))
}

/// What of a letter is neither a message nor a question of the kind that is answered.
fn own_words(letter: &[Line]) -> String {
    let is_own = |line: &&Line| {
        line.pieces.iter().all(|piece| match &piece.reading {
            Reading::Written(Written::Press(_) | Written::Held(_)) | Reading::Press | Reading::Quoted => false,
            reading @ (Reading::Remark | Reading::Written(_) | Reading::Fault(_) | Reading::Beyond(_)) => {
                !asked(reading)
            }
        })
    };
    let lines: Vec<&str> = letter.iter().filter(is_own).map(|line| line.text.as_str()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_to_an_invitation_is_understood() {
        for yes in [
            "ok",
            "OK!",
            "Yes, I am in!",
            "Sure, count me in! OK",
            "Okej, gram!",
            "Hi Anna,\n\nsure thing!\n\nMarek",
            "👍",
            "No problem, I'm in",
            "Cześć! Jasne, chętnie zagram",
            "Tak",
            "Thanks for asking! Count me in",
            "Hello!\nok",
            "Nie ma sprawy, gram",
            "Sure, why not",
            "sure, why not?",
            "Why not!",
            "No to gram",
            "no to gramy!",
            "Czemu nie?",
        ] {
            assert_eq!(Says::of(yes), Says::Yes, "{yes}");
        }
        for no in [
            "no thanks",
            "No, thank you.",
            "nie dzięki",
            "Nie, dziękuję",
            "Sorry, I can't this winter",
            "Niestety nie dam rady",
            "no",
            "Nie.",
            "Hi!\nNot this time.",
            "Nie gram",
        ] {
            assert_eq!(Says::of(no), Says::No, "{no}");
        }
        for other in [
            "",
            "Is it ok if I play Rome?",
            "ok?",
            "Who moderates?",
            "Kto prowadzi grę?",
            "not ok",
            "ok, but unfortunately I have no time",
            "Let me think about it",
            "Why not begin in May, when everybody is back?",
            "No to, zobaczymy",
            "Muszę się zastanowić",
        ] {
            assert_eq!(Says::of(other), if other == "not ok" { Says::No } else { Says::Other }, "{other}");
        }
    }
}
