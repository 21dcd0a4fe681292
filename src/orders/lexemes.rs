//! The reader's eye: from a line as a player typed it to words, numbers and signs.
//!
//! Comes in: one line of a letter, any Unicode at all. Goes out: its [`Lexeme`]s, each with the bytes it was read from,
//! so that a fault can point at the player's own words. Looks at single characters only and never refuses a line.

use std::ops::Range;

use super::characters::{digit, is_apostrophe, is_arrow, is_dash, is_letter, is_mark, is_unseen, push_folded};

/// Reads a line from left to right. What has no meaning in an order (emoji, quotation marks, full stops, asterisks) is
/// dropped and separates words; what cannot be seen (zero-width characters, soft hyphens) is dropped and does not.
pub(crate) fn lexemes(line: &str) -> Vec<Lexeme> {
    // A closing quotation mark is no arrow: «Crete» » «Thera» is beyond us, «Crete» is not.
    let quotes = line.contains(['«', '‹']);
    let mut lexemes = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let (kind, length) = first(&line[at..], quotes);
        lexemes.extend(kind.map(|kind| Lexeme { kind, span: at..at + length }));
        at += length;
    }
    lexemes
}

/// A word, number or sign of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub kind: LexemeKind,
    /// The bytes of the line it was read from, always on char boundaries.
    pub span: Range<usize>,
}

/// What a lexeme is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LexemeKind {
    /// A word, folded to lower case ASCII. `&` and `+` are "and". A word in letters that cannot be folded, or too long, holds a `?`,
    /// and an arrow to the left is "<": nothing is called so, and dropping it would turn an order round.
    Word(String),
    /// A number in digits of any script. Too large a number is the largest.
    Number(u32),
    /// `->`, `>`, `=>`, `→` and their like.
    Arrow,
    /// A hyphen, dash or minus alone: part of a name, or an arrow between names.
    Hyphen,
    /// `,`, also `;` and `/`.
    Comma,
    /// `:`.
    Colon,
    /// `(` or `[`.
    Open,
    /// `)` or `]`.
    Close,
}

/// The words and numbers of a text in lower case ASCII, with one space between: `Chanhu-Daro` is "chanhu daro", `Łódź`
/// is "lodz". Everything the reader compares goes through here.
pub fn fold(text: &str) -> String {
    let mut folded: Vec<String> = Vec::new();
    for lexeme in lexemes(text) {
        match lexeme.kind {
            LexemeKind::Word(word) if word != "<" => folded.push(word),
            LexemeKind::Number(number) => folded.push(number.to_string()),
            LexemeKind::Word(_)
            | LexemeKind::Arrow
            | LexemeKind::Hyphen
            | LexemeKind::Comma
            | LexemeKind::Colon
            | LexemeKind::Open
            | LexemeKind::Close => {}
        }
    }
    folded.join(" ")
}

/// The folded letters of a text with a `~` after each that lost an accent, composed or decomposed: what is left of a
/// spelling when case is ignored and accents are not.
pub(crate) fn accented(text: &str) -> String {
    let mut accented = String::new();
    for c in text.chars() {
        if is_mark(c) && !accented.ends_with('~') {
            accented.push('~');
        } else if is_letter(c) {
            push_folded(&mut accented, c);
            if !c.is_ascii() {
                accented.push('~');
            }
        }
    }
    accented
}

/// The byte where the order begins, after white space and bullets: `-`, `*`, `•`, `3.`, `3)`, `(3)`, `a)`, emoji, also
/// several of them. A number is an order's own (`3 Crete > Thera`, or a bare `2` or `2.`) unless it is plainly a label.
pub(crate) fn without_bullet(line: &str) -> usize {
    let mut at = 0;
    while at < line.len() {
        match bullet(&line[at..]) {
            0 => break,
            length => at += length,
        }
    }
    at
}

/// The bytes of the bullet a text begins with, 0 if it begins with none.
fn bullet(text: &str) -> usize {
    let Some(c) = text.chars().next() else { return 0 };
    match first(text, true) {
        // Whatever is dropped anyway may go first as well: white space, emoji, asterisks, dots in the middle.
        (None, _) if c == '«' => 0,
        (None, length) => length,
        (Some(LexemeKind::Hyphen), length) => length,
        // An arrow that is an emoji or a triangle is a bullet; `->` and `>` are not.
        (Some(LexemeKind::Arrow), _) if !c.is_ascii() && !is_dash(c) => c.len_utf8(),
        (Some(LexemeKind::Word(_)), length) if c == '+' && text[length..].starts_with(char::is_whitespace) => length,
        (Some(LexemeKind::Word(_) | LexemeKind::Number(_) | LexemeKind::Open), _) => label(text),
        (Some(LexemeKind::Arrow | LexemeKind::Comma | LexemeKind::Colon | LexemeKind::Close), _) => 0,
    }
}

/// The bytes of a label such as `3.`, `3)`, `3.)`, `(3)`, `a)`, `(a)` or a keycap, with something after it.
fn label(text: &str) -> usize {
    let opened = text.strip_prefix('(');
    let inside = opened.unwrap_or(text);
    let numbered = inside.trim_start_matches(|c| digit(c).is_some());
    let after = if numbered.len() < inside.len() {
        let keycap = numbered.strip_prefix('\u{FE0F}').unwrap_or(numbered).strip_prefix('\u{20E3}');
        let stopped = numbered.strip_prefix('.').filter(|rest| !rest.starts_with(|c| digit(c).is_some()));
        let stopped = stopped.map(|rest| rest.strip_prefix(')').unwrap_or(rest));
        numbered.strip_prefix(')').or(if opened.is_some() { None } else { keycap.or(stopped) })
    } else {
        inside.strip_prefix(is_letter).and_then(|rest| rest.strip_prefix(')'))
    };
    match after {
        Some(rest) if !rest.trim_start().is_empty() => text.len() - rest.len(),
        Some(_) | None => 0,
    }
}

/// The lexeme a text begins with, or none if its first character is dropped, and how many bytes that is.
fn first(text: &str, quotes: bool) -> (Option<LexemeKind>, usize) {
    let Some(c) = text.chars().next() else { return (None, 0) };
    // `w/ 3`, as phones like it.
    if matches!(c, 'w' | 'W') && text[1..].starts_with('/') {
        return (Some(LexemeKind::Word("with".into())), 2);
    }
    if is_letter(c) {
        return word(text);
    }
    if digit(c).is_some() {
        return number(text);
    }
    if is_dash(c) || c == '=' || is_arrow(c, quotes) || text.starts_with(POINT) {
        return stroke(text, quotes);
    }
    if let Some((meant, length)) = entity(text) {
        return (if is_dash(meant) { Some(LexemeKind::Hyphen) } else { sign(meant) }, length);
    }
    (sign(c), c.len_utf8())
}

/// What a character that is neither letter nor digit nor part of an arrow means.
fn sign(c: char) -> Option<LexemeKind> {
    match c {
        ',' | ';' | '/' | '，' | '、' | '،' => Some(LexemeKind::Comma),
        ':' | '：' => Some(LexemeKind::Colon),
        '(' | '[' | '（' => Some(LexemeKind::Open),
        ')' | ']' | '）' => Some(LexemeKind::Close),
        '&' | '+' | '＆' | '＋' => Some(LexemeKind::Word("and".into())),
        '×' => Some(LexemeKind::Word("x".into())),
        '<' | '←' | '⇐' | '⟵' | '⬅' => Some(LexemeKind::Word("<".into())),
        _ => None,
    }
}

/// The point of an arrow as a careless program leaves it in a text.
const POINT: &str = "&gt;";

/// What a careless program left in a text, and what it stands for.
const ENTITIES: [(&str, char); 12] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&nbsp;", ' '),
    ("&#160;", ' '),
    ("&quot;", '"'),
    ("&#34;", '"'),
    ("&#39;", '\''),
    ("&apos;", '\''),
    ("&rsquo;", '’'),
    ("&ndash;", '–'),
    ("&mdash;", '—'),
    ("&times;", '×'),
];

/// The character that an entity at the start of a text stands for, and the bytes of the entity.
fn entity(text: &str) -> Option<(char, usize)> {
    let found = text.starts_with('&').then(|| ENTITIES.iter().find(|(entity, _)| text.starts_with(entity)))??;
    Some((found.1, found.0.len()))
}

/// Whether a text ends with an entity: the semicolon behind it separates nothing.
pub(crate) fn ends_with_entity(text: &str) -> bool {
    text.ends_with(POINT) || ENTITIES.iter().any(|(entity, _)| text.ends_with(entity))
}

/// Whether a line is quoted from another letter.
pub(crate) fn is_quoted(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || is_unseen(c));
    line.starts_with('>') || line.starts_with(POINT)
}

/// Letters of a word that may be anything's name, all its words run together; the longest of ours has half as many. A longer
/// one is nobody's, and is not kept, so that nothing can be asked to compare it.
const LONGEST_WORD: usize = 64;

/// A word: letters, their combining marks, and between letters apostrophes and what cannot be seen.
fn word(text: &str) -> (Option<LexemeKind>, usize) {
    let mut folded = String::new();
    let mut length = 0;
    // Where the last apostrophe stood, in the folded letters.
    let mut apostrophe = None;
    for (at, c) in text.char_indices() {
        if is_mark(c) || is_letter(c) {
            length = at + c.len_utf8();
            if !is_mark(c) && folded.len() <= LONGEST_WORD {
                push_folded(&mut folded, c);
            }
        } else if is_apostrophe(c) {
            apostrophe = Some(folded.len());
        } else if !is_unseen(c) {
            break;
        }
    }
    // `Egypt's` is Egypt.
    if let Some(at) = apostrophe.filter(|at| *at > 2 && &folded[*at..] == "s") {
        folded.truncate(at);
    }
    if folded.is_empty() || folded.len() > LONGEST_WORD {
        folded = "?".into();
    }
    (Some(LexemeKind::Word(folded)), length)
}

fn number(text: &str) -> (Option<LexemeKind>, usize) {
    let mut value = 0u32;
    let mut length = 0;
    for (at, c) in text.char_indices() {
        match digit(c) {
            Some(digit) => value = value.saturating_mul(10).saturating_add(digit),
            None if is_mark(c) || is_unseen(c) => {}
            None => break,
        }
        length = at + c.len_utf8();
    }
    (Some(LexemeKind::Number(value)), length)
}

/// Dashes and equals signs with a point are an arrow, also with a space before the point (`- >`); dashes alone are a
/// hyphen; equals signs alone are nothing.
fn stroke(text: &str, quotes: bool) -> (Option<LexemeKind>, usize) {
    let pointed = text.trim_start_matches(|c| is_dash(c) || c == '=' || is_unseen(c));
    let shaft = &text[..text.len() - pointed.len()];
    let mut after = pointed.trim_start();
    let point = after;
    loop {
        let rest = after.strip_prefix(POINT).unwrap_or(after);
        let rest = rest.trim_start_matches(|c| is_arrow(c, quotes) || is_unseen(c));
        if rest.len() == after.len() {
            break;
        }
        after = rest;
    }
    if point.starts_with(|c| is_arrow(c, quotes)) || point.starts_with(POINT) {
        return (Some(LexemeKind::Arrow), text.len() - after.len());
    }
    (shaft.contains(is_dash).then_some(LexemeKind::Hyphen), shaft.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A line's lexemes in a row: words and numbers as they are, signs as their usual character.
    fn row(line: &str) -> String {
        let shown = lexemes(line).into_iter().map(|lexeme| match lexeme.kind {
            LexemeKind::Word(word) => word,
            LexemeKind::Number(number) => number.to_string(),
            LexemeKind::Arrow => "→".into(),
            LexemeKind::Hyphen => "-".into(),
            LexemeKind::Comma => ",".into(),
            LexemeKind::Colon => ":".into(),
            LexemeKind::Open => "(".into(),
            LexemeKind::Close => ")".into(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn accents_and_case_do_not_matter() {
        assert_eq!(row("PŁYŃ z Łodzi załaduj trzy żółte"), "plyn z lodzi zaladuj trzy zolte");
        assert_eq!(row("Babiloni\u{65}\u{328} z\u{307}eton Ko\u{301}s\u{301}c\u{301}"), "babilonie zeton kosc");
        assert_eq!(row("Straße ﬁsh Ｃｒｅｔｅ"), "strasse fish crete");
    }

    #[test]
    fn what_has_no_meaning_is_dropped() {
        assert_eq!(row("🚢 move 3️⃣ “Crete”. **Thera**!? _Naxos_ `Ios` „Delos” «Paros» … ✅"), {
            "move 3 crete thera naxos ios delos paros"
        });
        assert_eq!(row("Ⓜ ℹ️ 🅰️ 🇵🇱 👨‍👩‍👧 ☃ ™ ½ ①"), "");
        assert_eq!(row("\u{FEFF}Cre\u{AD}te\u{200B} The\u{2060}ra\u{200E}"), "crete thera");
        assert_eq!(row("Crete.Thera upper_egypt"), "crete thera upper egypt");
    }

    #[test]
    fn apostrophes_join() {
        assert_eq!(row("Knossos' don't Ma’in T‘ana Maʿin 'Crete' ‘Thera’"), "knossos dont main tana main crete thera");
    }

    #[test]
    fn possessives_name_the_owner() {
        assert_eq!(row("Egypt's Minoa’s don't it's Knossos' Ma'in"), "egypt minoa dont its knossos main");
    }

    #[test]
    fn what_careless_programs_leave_is_understood() {
        assert_eq!(
            row("salt &amp; iron&nbsp;tin&#39;s &quot;wine&quot; 3&times;oil"),
            "salt and iron tin s wine 3 x oil"
        );
        assert_eq!(row("Crete &mdash; Thera"), "crete - thera");
        assert!(ends_with_entity("Crete -&gt;") && !ends_with_entity("Crete;"));
        assert!(is_quoted("\u{FEFF} > move") && is_quoted("&gt; move") && !is_quoted("- > move"));
    }

    #[test]
    fn any_white_space_separates() {
        assert_eq!(row("move\u{A0}3\u{2009}Crete\tThera\u{3000}Naxos\u{202F}"), "move 3 crete thera naxos");
    }

    #[test]
    fn arrows_of_every_kind() {
        for arrow in [
            "->",
            "-->",
            "–>",
            "—>",
            "=>",
            "==>",
            ">",
            ">>",
            "→",
            "⇒",
            "➔",
            "➡",
            "➡\u{FE0F}",
            "»",
            "- >",
            "−>",
            "&gt;",
            "-&gt;",
            "—&gt;",
            "&gt;&gt;",
            "👉",
            "⏩",
        ] {
            assert_eq!(row(&format!("Crete {arrow} Thera")), "crete → thera", "{arrow}");
            assert_eq!(row(&format!("Crete{arrow}Thera")), "crete → thera", "{arrow}");
        }
        for hyphen in ["-", "–", "—", "−", "--", "\u{2011}"] {
            assert_eq!(row(&format!("Crete {hyphen} Thera")), "crete - thera", "{hyphen}");
        }
        assert_eq!(row("Thera <- Crete"), "thera < - crete");
        assert_eq!(row("«Crete» 3 = 3"), "crete 3 3");
    }

    #[test]
    fn signs_and_letters_beside_digits() {
        assert_eq!(row("3x Crete, salt&iron + tin/wine: [2] (4b) 24h"), {
            "3 x crete , salt and iron and tin , wine : ( 2 ) ( 4 b ) 24 h"
        });
    }

    #[test]
    fn digits_of_any_script_and_any_length() {
        assert_eq!(row("٣ ३ １２ 𝟟 0042"), "3 3 12 7 42");
        assert_eq!(lexemes(&"9".repeat(5000))[0].kind, LexemeKind::Number(u32::MAX));
    }

    #[test]
    fn spans_point_at_the_players_words() {
        let line = "• „Łódź” → 12 Ma’in’";
        let words: Vec<&str> = lexemes(line).into_iter().map(|lexeme| &line[lexeme.span]).collect();
        assert_eq!(words, ["Łódź", "→", "12", "Ma’in"]);
    }

    #[test]
    fn folding_keeps_words_and_numbers() {
        assert_eq!(fold("  Chanhu-Daro "), "chanhu daro");
        assert_eq!(fold("Volcanic Eruption / Earthquake"), "volcanic eruption earthquake");
        assert_eq!(fold("Ma'in"), "main");
        assert_eq!(fold("żetonów: 3"), "zetonow 3");
        assert_eq!(accented("Babilonię"), accented("babilonie\u{328}"));
        assert_ne!(accented("Babilonię"), accented("Babilonie"));
    }

    #[test]
    fn bullets_are_passed_over() {
        let bullets =
            ["-", "- ", "* ", "• ", "– ", "— ", "· ", "3. ", "3.", "3) ", "3.) ", "(3) ", "a) ", "(b) ", "🚢 ", "✔️"];
        for bullet in
            bullets.into_iter().chain(["  - 3) ", "**1.** ", "+ ", "➡️ ", "3️⃣ ", "① ", "\u{FEFF}\u{A0}", "> "])
        {
            let line = format!("{bullet}move 3 Crete");
            let rest = &line[without_bullet(&line)..];
            // The `>` of a quotation stays: whether it is read at all is not for us to say.
            assert_eq!(rest, if bullet == "> " { line.as_str() } else { "move 3 Crete" }, "{bullet}");
        }
        assert_eq!(without_bullet("2. 3 Crete > Thera"), 3);
    }

    #[test]
    fn numbers_of_an_order_stay() {
        for line in
            ["3 Crete > Thera", "2", "2.", "2)", "(2)", "3.5 Crete", "3x Crete", "-> Thera", "a Crete", "", "(3 Crete)"]
        {
            assert_eq!(without_bullet(line), 0, "{line}");
        }
        assert_eq!(without_bullet("- 2"), 2);
        assert_eq!(without_bullet(" 2. "), 1);
        assert_eq!(without_bullet("- "), 2);
    }

    /// Lines made of what players type and what breaks readers.
    fn lines() -> impl Strategy<Value = String> {
        let pieces = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(
                &["-", ">", "=", " ", "3", ".", ")", "(", "'", "ł", "e\u{328}", "🚢", "\u{200D}", "»", "«"][..]
            )
            .prop_map(String::from),
        ];
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_line_panics_and_spans_are_sound(line in lines()) {
            let mut end = 0;
            for lexeme in lexemes(&line) {
                prop_assert!(end <= lexeme.span.start && lexeme.span.start < lexeme.span.end);
                prop_assert!(line.get(lexeme.span.clone()).is_some());
                if let LexemeKind::Word(word) = &lexeme.kind {
                    prop_assert!(!word.is_empty());
                    prop_assert!(word.chars().all(|c| c.is_ascii_lowercase() || "?<".contains(c)));
                }
                end = lexeme.span.end;
            }
            prop_assert!(line.is_char_boundary(without_bullet(&line)));
            accented(&line);
            let folded = fold(&line);
            prop_assert!(folded.contains('?') || fold(&folded) == folded);
        }
    }
}
