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
         írta|scris|yazdı|έγραψε|пише|написав|написала|rašė|kirjutas|napisao|je napisal|написа|viết|menulis|schreven|\
         작성|작성하였습니다|написали",
    )
});

/// How such lines end where no space parts the verb from what stands before it.
static ENDINGS: LazyLock<Phrases> = LazyLock::new(|| Phrases::new("写道|寫道|のメール|のメッセージ|님이 작성"));

/// How programs announce a quotation that names its author and needs no verb.
static CITING: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new("quoting|zitat von|zitiere|citando|citando a|citát|cytowanie|cytat|citat från|en citant|citation de")
});

/// Words that stand in a sentence about somebody's letter, and in no name.
static TALKING: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "as|like|what|when|since|because|tell|say|to|you|he|she|we|they|and|but|so|if|that|yesterday|today|also|where|\
         announce|whisper|jak|gdy|kiedy|bo|że|co|powiedz|wczoraj|dziś|też|także|ale|czy|wie|als|was|gestern|heute|comme|\
         hier|como|ayer|come|ieri|zoals|gisteren|как|что|вчера",
    )
});

/// The words such a line begins with: prepositions and the days of the week.
static BEGINNINGS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "on|w|we|dnia|am|le|el|il|op|em|no|den|på|in|at|wiadomość|в|dne|dňa|在|на|στις|pada|vào|בתאריך|ב|a|la|у|u|\
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
    let verb = verb(&words, closed);
    let has_mail = words.iter().any(|word| is_address(word));
    let has_date = words.iter().any(|word| is_date(word) || is_year(word));
    let has_time = words.iter().any(|word| is_time(word));
    let begins = begins(&words) && words.iter().take(8).any(|word| is_date(word) || is_year(word) || is_time(word));
    match verb {
        Some(verb) if begins => words.len() - verb <= 13,
        // `Jan <jan@example.org> kirjoitti 16.11.2026 kello 10.12:`
        Some(_) if has_mail || closed.starts_with("wiadomosc napisana przez ") => has_date && (has_time || has_mail),
        // `Missatge de Jan <jan@example.org> del dia dl., 16 de nov. 2026 a les 10:12:`
        None if has_mail && closed.starts_with("missatge de ") => has_date && has_time,
        // `Jan kirjoitti 16.11.2026 klo 10.12:`
        Some(_) => has_date && has_time && words.len() <= 12 && words.last().is_some_and(|word| is_time(word)),
        // `пн, 16 нояб. 2026 г. в 10:12, Jan <jan@example.org>:`
        None => begins && has_date && has_time && words.last().is_some_and(|word| is_address(word)),
    }
}

/// Whether these words are somebody's name, their address and a verb of writing with its colon, and nothing else:
/// `Some One <some.one@example.org> wrote:`. A date is not needed, for nobody begins a sentence of their own like this.
pub(super) fn is_signed(folded: &str) -> bool {
    let text = folded.trim_start_matches(['-', '*', ' ']);
    let Some(closed) = text.strip_suffix(':').filter(|closed| closed.len() <= 300) else { return false };
    let words: Vec<&str> = closed.split_whitespace().collect();
    let Some(first) = words.iter().position(|word| is_address(word)) else { return false };
    // The address stands in brackets, or alone; `to jan@example.org` is a sentence.
    let is_set_off =
        first == 0 || words[first].contains(['<', '(', '[']) || words[first - 1].ends_with(['<', '(', '[']);
    let last = words.iter().rposition(|word| is_address(word)).unwrap_or(first);
    let (name, verb_words) = (&words[..first], &words[last + 1..]);
    let is_name = name.len() <= 8 && name.iter().all(|part| !part.contains(':') && !TALKING.has(&word(part)));
    let is_one_address = last - first <= 2;
    if !is_set_off || !is_name || !is_one_address {
        return false;
    }
    match verb_words {
        [] => is_cited(name) || is_verb_glued(words[last]),
        some => some.len() <= 4 && (some.iter().any(|part| VERBS.has(&word(part))) || ENDINGS.end(closed.trim_end())),
    }
}

/// `Quoting Some One`, `Zitat von Some One`.
fn is_cited(name: &[&str]) -> bool {
    let words: Vec<String> = name.iter().map(|part| word(part)).collect();
    (1..=2).any(|count| words.get(..count).is_some_and(|first| CITING.has(&first.join(" "))))
}

/// `<jan@example.org>のメール`: the verb clings to the address.
fn is_verb_glued(address: &str) -> bool {
    ENDINGS.end(address.trim_end())
}

/// Whether these words are a date, a name and an address, and nothing else: `2026/11/16 Jan <jan@example.org>`,
/// `2026-11-16 10:12 GMT+01:00 Jan <jan@example.org>`; with the zone a bare name is enough.
pub(super) fn is_date_and_name(folded: &str) -> bool {
    let text = folded.strip_suffix(':').unwrap_or(folded).trim_end();
    let words: Vec<&str> = text.split_whitespace().collect();
    if text.len() > 300 || !(2..=12).contains(&words.len()) || !is_date(words[0]) {
        return false;
    }
    let has_time = is_time(words[1]);
    let zone = words.get(2).filter(|_| has_time).copied().unwrap_or_default();
    let has_zone = (zone.starts_with("gmt") || zone.starts_with("utc")) && zone.contains(['+', '-']);
    let name = &words[1 + usize::from(has_time) + usize::from(has_zone)..];
    let Some((last, before)) = name.split_last() else { return false };
    let is_bare_name =
        |part: &&str| !part.contains(['@', ':', '<', '>']) && !part.bytes().any(|byte| byte.is_ascii_digit());
    let is_enclosed = last.ends_with(['>', ')']) && is_address(last);
    (is_enclosed && before.iter().all(is_bare_name)) || (has_zone && name.len() <= 5 && name.iter().all(is_bare_name))
}

/// Where the verb of writing stands.
fn verb(words: &[String], closed: &str) -> Option<usize> {
    let verb = words.iter().rposition(|word| VERBS.has(word));
    verb.or_else(|| ENDINGS.end(closed.trim_end()).then(|| words.len() - 1))
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

/// Whether a line begins with a day and its month, or names a moment, so that no order can be meant: `On Monday, 16 November`.
pub(super) fn begins_with_day(folded: &str) -> bool {
    let words: Vec<String> = folded.split_whitespace().take(6).map(word).collect();
    let is_day = |word: &String| word.len() <= 2 && word.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
    let is_month = |word: &String| word.len() >= 3 && MONTHS.begin(word);
    let is_pair =
        |pair: &[String]| (is_day(&pair[0]) && is_month(&pair[1])) || (is_month(&pair[0]) && is_day(&pair[1]));
    begins(&words) && (has_moment(folded) || words.windows(2).any(is_pair))
}

/// Whether a line begins as such lines do, so that nothing above belongs to it.
pub(super) fn begins_alone(folded: &str) -> bool {
    begins(&folded.trim_start_matches(['-', '*', ' ']).split_whitespace().take(2).map(word).collect::<Vec<_>>())
}

fn begins(words: &[String]) -> bool {
    let Some(first) = words.first() else { return false };
    if BEGINNINGS.has(first) || MONTHS.has(first) || is_date(first) || (is_year(first) && first.len() > 4) {
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
    // Hebrew writes `at-10:12`.
    let word = word.strip_prefix("b-").unwrap_or(word);
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

/// Whether there is an address somewhere.
pub(super) fn has_address(folded: &str) -> bool {
    folded.split_whitespace().map(word).any(|word| is_address(&word))
}

/// Whether there are a day of a year and a time of it.
pub(super) fn has_moment(folded: &str) -> bool {
    let words: Vec<String> = folded.split_whitespace().map(word).collect();
    words.iter().any(|word| is_date(word) || is_year(word)) && words.iter().any(|word| is_time(word))
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
    fn a_name_with_its_address_needs_no_date() {
        for line in [
            "Some One <some.one@example.org> wrote:",
            "\"One, Some\" <some.one@example.org> napisał(a):",
            "some.one@example.org wrote:",
            "Some One [mailto:some.one@example.org] a écrit :",
            "Some One <some.one@example.org<mailto:some.one@example.org>> ha scritto:",
            "Zitat von Some One <some.one@example.org>:",
        ] {
            assert!(is_signed(&fold(line)), "{line}");
        }
        for line in [
            "As Some One <some.one@example.org> wrote:",
            "I wrote to some.one@example.org:",
            "tell Egypt: some.one@example.org wrote:",
            "Some One wrote:",
            "Some One <some.one@example.org>:",
            "write to Some One <some.one@example.org> what he wrote to us and to all of them:",
        ] {
            assert!(!is_signed(&fold(line)), "{line}");
        }
    }

    #[test]
    fn a_date_with_a_name_needs_no_verb() {
        for line in [
            "2016-03-03 17:21 GMT+01:00 Some One <some.one@example.org>",
            "2016-03-03 17:21 GMT+01:00 Some One",
            "2013/7/20 name <some.one@example.org>",
            "2013/7/20 <some.one@example.org>:",
        ] {
            assert!(is_date_and_name(&fold(line)), "{line}");
        }
        for line in ["2026-11-20 20:00 GMT suits me", "2026/11/16 was a good day", "2013/7/20", "3 Crete > Thera"] {
            assert!(!is_date_and_name(&fold(line)), "{line}");
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
