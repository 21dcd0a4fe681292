//! Who a letter is from. Only the desk can say: it sees both the post and the archive.
//!
//! A letter counts if it names a letter of ours by its secret and the address it came from is known. With one of the two it is
//! parked, and the known address is asked; so it is where it names letters of several seats. Nothing about a seat is told to an
//! address that is not proved.

use chrono::{DateTime, Utc};

use crate::archive::{Absence, Address, Archive, OurLetter, Role, SeatId, Tapped};
use crate::desk::DeskError;
use crate::desk::incoming::naming::names;
use crate::desk::settings::CarrierSettings;
use crate::orders::words::VERBS;
use crate::post::authentication::{Verdict, verdict};
use crate::post::letter::Letter;
use crate::rules::names::fold;

/// Who a letter is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The secret is right and the address is known.
    Proved {
        /// The game and the seat.
        of: SeatId,
        address: Address,
        /// The letter of ours that is answered.
        answers: OurLetter,
    },
    /// The address is known, and the letter was sent to one that admits a single line: that is what it says.
    Tapped {
        /// The game and the seat.
        of: SeatId,
        address: Address,
        /// The letter of ours that offered the line.
        answers: OurLetter,
        tapped: Tapped,
    },
    /// One of the two is wanting: the known address is to be asked.
    Unproved {
        /// The game and the seat that the letter speaks for.
        of: SeatId,
    },
    /// A known address of several seats, without a secret: nobody can say which game is meant.
    Ambiguous {
        /// Any of the seats.
        of: SeatId,
    },
    Nobody,
}

/// Finds out who a letter is from that arrived at this time.
///
/// # Errors
/// The archive does not answer.
pub(crate) fn identify(
    archive: &Archive,
    letter: &Letter,
    carrier: &CarrierSettings,
    at: DateTime<Utc>,
) -> Result<Identity, DeskError> {
    let Some(from) = letter.sender.from.as_ref().map(|from| from.address.to_lowercase()) else {
        return Ok(Identity::Nobody);
    };
    let is_doubted = is_doubted(letter, carrier, &from);
    let names = names(archive, letter, carrier)?;
    if names.seats.len() > 1 {
        // It names letters of several seats: whoever of them it is from is asked.
        let mut own = Vec::new();
        for of in &names.seats {
            if speaker(archive, of, &from, at)?.is_some() {
                own.push(of.clone());
            }
        }
        let of = own.into_iter().next().or_else(|| names.seats.first().cloned());
        return Ok(of.map_or(Identity::Nobody, |of| Identity::Unproved { of }));
    }
    if let Some(answers) = names.answers
        && let Some(of) = answers.of.clone()
        && !is_void(archive, &of, &answers)?
    {
        return Ok(match speaker(archive, &of, &from, at)? {
            Some(address) if !is_doubted => Identity::Proved { of, address, answers },
            Some(_) | None => Identity::Unproved { of },
        });
    }
    if let Some((tapped, answers)) = names.tapped
        && let Some(of) = answers.of.clone()
        && !is_void(archive, &of, &answers)?
        && let Some(address) = speaker(archive, &of, &from, at)?
    {
        // Whoever has the link and another address, or says something else, has nothing of it.
        let says = is_line(&letter.writing().text, &tapped.line) && !is_doubted;
        return Ok(if says { Identity::Tapped { of, address, answers, tapped } } else { Identity::Unproved { of } });
    }
    let mut known = archive.seats_at(&from)?;
    Ok(match (known.len(), known.pop()) {
        (_, None) => Identity::Nobody,
        (1, Some(of)) => Identity::Unproved { of },
        (_, Some(of)) => Identity::Ambiguous { of },
    })
}

/// Whether nobody can be sure that the one who is named has sent a letter.
pub(in crate::desk) fn is_doubted(letter: &Letter, carrier: &CarrierSettings, from: &str) -> bool {
    let domain = from.rsplit('@').next().unwrap_or_default();
    let judged =
        carrier.authserv_id.as_deref().map(|host| verdict(&letter.sender.authentication_results, host, domain));
    // A server judges one author; whoever names several could have themselves judged and speak for another.
    letter.sender.authors != 1 || judged == Some(Verdict::Failed)
}

/// Whether a letter of ours went to somebody who no longer sits there: it proves nobody, whatever name stands on the answer.
fn is_void(archive: &Archive, of: &SeatId, answers: &OurLetter) -> Result<bool, DeskError> {
    let seats = archive.seats(&of.game)?;
    let is_before = |change: DateTime<Utc>| answers.written_at <= change;
    Ok(seats
        .iter()
        .find(|seat| seat.party == of.party)
        .is_some_and(|seat| seat.changed_at.is_some_and(is_before) && !seat.knows(&answers.recipient)))
}

/// The letter of ours that is answered, by what the answer names.
///
/// # Errors
/// The archive does not answer.
pub(crate) fn answered(
    archive: &Archive,
    letter: &Letter,
    carrier: &CarrierSettings,
) -> Result<Option<OurLetter>, DeskError> {
    Ok(names(archive, letter, carrier)?.answers)
}

/// The address of a seat from which somebody may speak for it. A deputy speaks for the player only while the player is
/// away.
fn speaker(archive: &Archive, of: &SeatId, from: &str, at: DateTime<Utc>) -> Result<Option<Address>, DeskError> {
    let seats = archive.seats(&of.game)?;
    let seat = seats.iter().find(|seat| seat.party == of.party);
    let known = seat.and_then(|seat| seat.addresses.iter().find(|known| known.address == from));
    let may_speak = match known.map(|known| known.role) {
        Some(Role::Player) => true,
        Some(Role::Deputy) => is_away(archive, of, at)?,
        None => false,
    };
    Ok(known.filter(|_| may_speak).cloned())
}

/// Whether a letter says this line and nothing else, whatever the program made of its case and spaces. People sign what they
/// send, with two dashes above it or without.
fn is_line(text: &str, line: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().is_some_and(|first| words(first) == words(line)) && is_farewell(&lines.collect::<Vec<_>>())
}

/// Lines and words that a farewell has at most.
const LONGEST_FAREWELL: (usize, usize) = (3, 4);
/// How people end a letter, folded.
const FAREWELLS: [&str; 22] = [
    "best",
    "bye",
    "cheers",
    "cordially",
    "greetings",
    "kind",
    "many",
    "regards",
    "sincerely",
    "thank",
    "thanks",
    "thx",
    "warm",
    "yours",
    "czesc",
    "dzieki",
    "dziekuje",
    "narka",
    "pozdrawiam",
    "pozdrowienia",
    "serdecznie",
    "uklony",
];

/// Whether these lines are only a name, or a farewell with one: nothing of it could be meant for us.
fn is_farewell(lines: &[&str]) -> bool {
    let (most_lines, most_words) = LONGEST_FAREWELL;
    let words = |line: &str| -> Vec<String> {
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let says = |word: &str| {
        VERBS.iter().any(|(_, english, polish)| english.iter().chain(*polish).any(|verb| fold(verb) == word))
    };
    let is_name = |word: &String| word.chars().next().is_some_and(char::is_uppercase) && !says(&fold(word));
    let ends = |line: &&str| {
        let words = words(line);
        let is_plain = !line.contains([':', ';', '?', '>', '=']) && !line.contains(|c: char| c.is_ascii_digit());
        let bids = words.first().is_some_and(|word| FAREWELLS.contains(&fold(word).as_str()));
        is_plain && words.len() <= most_words && (bids || words.iter().all(is_name))
    };
    lines.len() <= most_lines && lines.iter().all(ends)
}

/// Whether a player was away then.
fn is_away(archive: &Archive, of: &SeatId, at: DateTime<Utc>) -> Result<bool, DeskError> {
    let absences = archive.absences(&of.game)?;
    let covers = |absence: &Absence| absence.since <= at && absence.until.is_none_or(|until| at < until);
    Ok(absences.iter().any(|absence| absence.party == of.party && covers(absence)))
}
