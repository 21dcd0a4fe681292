//! The line that says who wrote the quotation below it: `On Mon, 16 Nov 2026 at 10:12, Jan wrote:`.

use std::sync::LazyLock;

use super::fold::{Phrases, fold};

/// Over so many lines a client may break it.
pub(super) const MOST_LINES: usize = 4;

/// Verbs of writing, as they stand in such lines.
static VERBS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "wrote|writes|written|napisał|napisała|napisano|napisana|napisał/a|pisze|schrieb|schreibt|geschrieben|écrit|écrivait|\
         escribió|escribe|escrito|scritto|scrive|schreef|geschreven|schrijft|escreveu|escreve|пишет|писал|писала|писали|\
         написал|написала|написал/а|написано|skrev|skrevet|skriver|skreiv|kirjoitti|kirjoittaa|napsal|napsala|napísal|\
         írta|scris|yazdı|έγραψε|пише|написав|написала|rašė|kirjutas|napisao|je napisal",
    )
});

/// The words such a line begins with: prepositions and the days of the week.
static BEGINNINGS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "on|w|we|dnia|am|le|el|il|op|em|no|den|på|in|at|wiadomość|в|dne|dňa|\
         mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\
         pon|wt|śr|czw|pt|pią|sob|nd|niedz|ndz|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|\
         mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|\
         lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\
         mié|jue|vie|sáb|dom|lunes|martes|miércoles|jueves|viernes|sábado|domingo|\
         gio|sab|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|\
         ma|wo|vr|za|zo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|\
         seg|ter|qua|qui|sex|segunda|terça|quarta|quinta|sexta|segunda-feira|terça-feira|quarta-feira|quinta-feira|\
         sexta-feira|пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|\
         mån|tis|ons|tor|tors|fre|lör|sön|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|\
         man|tir|lør|søn|mandag|tirsdag|lørdag|søndag|ti|ke|to|pe|la|su|maanantai|tiistai|keskiviikko|torstai|\
         perjantai|lauantai|sunnuntai|po|út|st|čt|pá|ne",
    )
});

/// How the names of months begin.
static MONTHS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sty|lut|kwi|maj|cze|lip|sie|wrz|paź|lis|gru|mär|mai|okt|dez|\
         fév|avr|juin|juil|aoû|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|mrt|maa|mei|fev|out|янв|фев|мар|апр|мая|май|\
         июн|июл|авг|сен|окт|ноя|дек|des|tam|hel|huh|tou|kes|hei|elo|syy|lok|jou|de",
    )
});

/// Whether these words, from the first to the last, are such a line with its date, verb and colon. Nothing else looks like
/// it, so what follows is another's even if nothing marks it.
pub(super) fn is_dated(folded: &str) -> bool {
    if !may_have_date(folded) {
        return false;
    }
    let text = folded.trim_start_matches(['-', '*', ' ']);
    let closed = match text.strip_suffix(':') {
        Some(text) => text,
        // Zoho: `---- On Mon, 16 Nov 2026 10:12:33 +0100 Jan <jan@example.org> wrote ----`.
        None if folded.starts_with("--") && text.ends_with("--") => text.trim_end_matches('-'),
        None => return false,
    };
    let words: Vec<String> = closed.split_whitespace().map(word).collect();
    if words.is_empty() {
        return false;
    }
    let verb = words.iter().rposition(|word| VERBS.has(word));
    let has_mail = words.iter().any(|word| is_address(word));
    let has_date = words.iter().any(|word| is_date(word) || is_year(word));
    let has_time = words.iter().any(|word| is_time(word));
    let begins = begins(&words) && words.iter().take(8).any(|word| is_date(word) || is_year(word) || is_time(word));
    match verb {
        Some(verb) if begins => words.len() - verb <= 13,
        // `Jan <jan@example.org> kirjoitti 16.11.2026 kello 10.12:`
        Some(_) if has_mail || closed.starts_with("wiadomosc napisana przez ") => has_date && (has_time || has_mail),
        // `Jan kirjoitti 16.11.2026 klo 10.12:`
        Some(_) => has_date && has_time && words.len() <= 12 && words.last().is_some_and(|word| is_time(word)),
        // `пн, 16 нояб. 2026 г. в 10:12, Jan <jan@example.org>:`
        None => begins && has_date && has_time && words.last().is_some_and(|word| is_address(word)),
    }
}

/// Whether it is short enough, and has a digit.
fn may_have_date(folded: &str) -> bool {
    folded.len() <= 600 && folded.bytes().any(|byte| byte.is_ascii_digit()) && folded.split(' ').nth(60).is_none()
}

/// Whether such a line, with an address in it, stands before the first words of the quotation on the same line.
pub(super) fn has_dated_beginning(folded: &str) -> bool {
    folded.match_indices(": ").take(4).any(|(colon, _)| {
        let beginning = &folded[..=colon];
        beginning.contains('@') && is_dated(beginning)
    })
}

/// Where in a line such an attribution begins, if the sender's last words stand before it: `done On Mon, 16 Nov 2026…`.
pub(super) fn shared(text: &str) -> Option<usize> {
    const BEGINNINGS: [&str; 11] = ["On", "W", "Dnia", "Am", "Le", "El", "Il", "Op", "Em", "Den", "På"];
    if !text.trim_end().ends_with(':') || text.len() > 400 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let folded = fold(text);
    let words: Vec<String> = folded.split_whitespace().take(2).map(word).collect();
    if begins(&words) && is_dated(&folded) {
        return None;
    }
    let starts = text.match_indices([' ', '-']).map(|(at, _)| at + 1);
    let begun = starts.filter(|at| {
        BEGINNINGS.iter().any(|word| text[*at..].strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
    });
    // A line has one attribution: a few tries are enough.
    begun.take(4).find(|at| is_dated(&fold(&text[*at..])))
}

/// Whether these words may be such a line because a quotation follows.
pub(super) fn is_loose(folded: &str) -> bool {
    let text = folded.trim_start_matches(['-', '*', ' ']);
    let words: Vec<String> = text.trim_end_matches([':', ' ', '-']).split_whitespace().map(word).collect();
    if words.is_empty() || words.len() > 30 {
        return false;
    }
    let has_mail = words.iter().any(|word| is_address(word));
    let has_date = words.iter().any(|word| is_date(word) || is_year(word) || is_time(word));
    // Phones: `---- Jan wrote ----`.
    let is_dashed = folded.starts_with("--") && folded.ends_with("--");
    let ends_in_mail = words.last().is_some_and(|word| is_address(word));
    let verb = words.iter().rposition(|word| VERBS.has(word));
    if !text.ends_with(':') && !is_dashed {
        // `2026/11/16 Jan <jan@example.org>`, `Jan <jan@example.org> wrote in message news:…`
        return (is_date(&words[0]) && ends_in_mail) || (verb.is_some() && has_mail && text.contains(" news:"));
    }
    match verb {
        Some(verb) => has_mail || has_date || (verb + 1 == words.len() && !text.trim_end_matches(':').contains(':')),
        // `Zitat von Jan <jan@example.org>:`
        None => has_mail && (has_date || ends_in_mail),
    }
}

/// Whether such a line may begin with this one.
pub(super) fn may_begin(folded: &str) -> bool {
    let words: Vec<String> = folded.trim_start_matches(['-', '*', ' ']).split_whitespace().take(2).map(word).collect();
    let may_end = folded.ends_with(':') && folded.bytes().any(|byte| byte.is_ascii_digit());
    begins(&words) || folded.contains('@') || may_end
}

fn begins(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    if BEGINNINGS.has(first) || MONTHS.has(first) || is_date(first) {
        return true;
    }
    let is_day = first.len() <= 2 && first.bytes().all(|byte| byte.is_ascii_digit());
    is_day && words.get(1).is_some_and(|next| MONTHS.begin(next) || next.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A word without the marks round it; `napisał(a)` is `napisal`.
fn word(text: &str) -> String {
    let text = text.strip_suffix("(a)").or_else(|| text.strip_suffix("(a):")).unwrap_or(text);
    let text = text.trim_matches(|character: char| !character.is_alphanumeric());
    text.strip_suffix("(a").unwrap_or(text).to_owned()
}

pub(super) fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.len() > 1)
}

/// `16.11.2026`, `2026-11-16`, `16/11/26`.
fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['.', '-', '/']).filter(|part| !part.is_empty()).collect();
    parts.len() == 3 && parts.iter().all(|part| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_year(word: &str) -> bool {
    let digits = word.trim_end_matches(|character: char| character.is_ascii_alphabetic() || character == '.');
    digits.len() == 4
        && (digits.starts_with("19") || digits.starts_with("20"))
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `10:12`, `10.12`, `10h12`, `10:12:33am`.
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).split([':', '.', 'h']).collect();
    (2..=3).contains(&parts.len())
        && parts[0].len() <= 2
        && parts[1..].iter().all(|part| part.len() == 2)
        && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether there is an address or a time somewhere: a letter's head has one of them.
pub(super) fn has_address_or_date(folded: &str) -> bool {
    folded
        .split_whitespace()
        .map(word)
        .any(|word| is_address(&word) || is_date(&word) || is_year(&word) || is_time(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributions_of_many_clients_are_known() {
        for line in [
            "On Mon, Nov 16, 2026 at 10:12 AM Cursus <cursus@example.org> wrote:",
            "On Mon, Nov 16, 2026 at 10:12:33AM +0100, Cursus wrote:",
            "On 16 Nov 2026, at 10:12, Cursus <cursus@example.org> wrote:",
            "On 16 Nov 2026, 10:12 +0100, Cursus <cursus@example.org>, wrote:",
            "On Monday, November 16th, 2026 at 10:12 AM, Cursus <cursus@example.org> wrote:",
            "On 11/16/26, 10:12 AM, \"Cursus\" <cursus@example.org> wrote:",
            "---- On Mon, 16 Nov 2026 10:12:33 +0100 Cursus <cursus@example.org> wrote ----",
            "W dniu 16.11.2026 o 10:12, Cursus pisze:",
            "W dniu pon., 16.11.2026 o 10:12 Cursus <cursus@example.org> napisał(a):",
            "pon., 16 lis 2026 o 10:12 Cursus <cursus@example.org> napisał(a):",
            "Dnia 16 listopada 2026 10:12 Cursus <cursus@example.org> napisał(a):",
            "Wiadomość napisana przez Cursus <cursus@example.org> w dniu 16.11.2026, o godz. 10:12:",
            "Am Mo., 16. Nov. 2026 um 10:12 Uhr schrieb Cursus <cursus@example.org>:",
            "Am 16.11.26 um 10:12 schrieb Cursus:",
            "Le lun. 16 nov. 2026 à 10:12, Cursus <cursus@example.org> a écrit :",
            "El lun, 16 nov 2026 a las 10:12, Cursus (<cursus@example.org>) escribió:",
            "Il giorno lun 16 nov 2026 alle ore 10:12 Cursus <cursus@example.org> ha scritto:",
            "Op ma 16 nov 2026 om 10:12 schreef Cursus <cursus@example.org>:",
            "Op 16 nov. 2026, om 10:12 heeft Cursus <cursus@example.org> het volgende geschreven:",
            "Em seg., 16 de nov. de 2026 às 10:12, Cursus <cursus@example.org> escreveu:",
            "Cursus <cursus@example.org> escreveu (segunda, 16/11/2026 à(s) 10:12):",
            "16.11.2026 10:12, Cursus пишет:",
            "пн, 16 нояб. 2026 г. в 10:12, Cursus <cursus@example.org>:",
            "Понедельник, 16 ноября 2026, 10:12 +03:00 от Cursus <cursus@example.org>:",
            "16.11.2026, 10:12, \"Cursus\" <cursus@example.org>:",
            "16 нояб. 2026 г., в 10:12, Cursus <cursus@example.org> написал(а):",
            "Den mån 16 nov. 2026 kl 10:12 skrev Cursus <cursus@example.org>:",
            "man. 16. nov. 2026 kl. 10:12 skrev Cursus <cursus@example.org>:",
            "Den 16-11-2026 kl. 10:12 skrev Cursus:",
            "Cursus <cursus@example.org> kirjoitti 16.11.2026 kello 10.12:",
            "ma 16. marrask. 2026 klo 10.12 Cursus (cursus@example.org) kirjoitti:",
        ] {
            assert!(is_dated(&fold(line)), "{line}");
        }
    }

    #[test]
    fn orders_are_no_attributions() {
        for line in [
            "On Thera build city",
            "3 Crete > Thera",
            "Od Krety do Thery 3",
            "On turn 4 I wrote:",
            "tell all: on 3.11.2026 Egypt wrote:",
            "tell Egypt: you wrote on 16 Nov 2026 at 10:12 that we have peace",
            "offer to Egypt: salt, salt, wine for iron, iron, any",
            "Famine: victims Egypt, Hellas, Rome",
        ] {
            assert!(!is_dated(&fold(line)), "{line}");
        }
    }

    #[test]
    fn before_a_quotation_less_is_enough() {
        for line in ["Cursus <cursus@example.org> wrote:", "Cursus pisze:", "2026/11/16 Cursus <cursus@example.org>"] {
            assert!(is_loose(&fold(line)), "{line}");
        }
        for line in ["My orders for Crete:", "done", "tell Egypt: peace?", "3 Crete > Thera"] {
            assert!(!is_loose(&fold(line)), "{line}");
        }
    }
}
