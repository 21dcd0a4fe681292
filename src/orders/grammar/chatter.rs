//! Talk that begins with a verb of ours: `Pass me the salt`, `Sail safely!`, `Idź spać`.
//!
//! Comes in: a cursor behind the verb of a line that could not be read. Goes out: whether the line begins like an order
//! at all. A fault costs the player a polite note, an order passed over may cost them the game: so only what names
//! nothing that the verb could speak of is talk.

use crate::game::Phase;
use crate::orders::cursor::{Cursor, Kind};
use crate::orders::lexemes::{Lexeme, LexemeKind};
use crate::orders::mailing::mailing;
use crate::orders::vocabulary::{self, Word};

/// Whether a line that cannot be read is talk. The verb alone is none, nor is what points with an arrow, names a thing
/// that the verb could speak of, or has numbers, an unknown name or a rare verb and no word of talk.
pub(crate) fn is_chatter(cursor: &mut Cursor, verb: Word) -> bool {
    let Some(kinds) = spoken_of(cursor, verb) else { return false };
    if cursor.is_over() || cursor.has_arrow() || cursor.has_name_ahead(kinds) || cursor.has_anywhere(is_thing) {
        return false;
    }
    // `people` and `men` are tokens to whom they walk.
    if matches!(verb, Word::Move | Word::Send | Word::Sail)
        && cursor.has_anywhere(|rest| Word::Token.at(rest).is_some())
    {
        return false;
    }
    // `loot many`, `decline all of it`: how much was meant, and not who spoke to whom.
    if counts(verb) && cursor.has_anywhere(is_amount) {
        return false;
    }
    // What the open phase asks for, and something on the board that it could be done to.
    if is_open(cursor, verb) && cursor.has_occupied_ahead(kinds) {
        return false;
    }
    let names_unknown = !kinds.is_empty() && verb != Word::Wait && cursor.has_capital_ahead();
    let is_short = cursor.rest().len() < 2 && !is_common(verb);
    let exact = cursor.has_anywhere(is_number) || names_unknown || is_short;
    cursor.rest().iter().any(vocabulary::is_talk) || !exact
}

/// Verbs that speak of nothing but a number, or of all.
fn counts(verb: Word) -> bool {
    matches!(verb, Word::Loot | Word::Decline | Word::Withdraw | Word::Tax)
}

/// A word that says how much, and no number.
fn is_amount(rest: &[Lexeme]) -> bool {
    let says = |lexeme: &Lexeme| matches!(&lexeme.kind, LexemeKind::Word(word) if AMOUNTS.contains(&word.as_str()));
    Word::All.at(rest).is_some() || rest.first().is_some_and(says)
}

#[rustfmt::skip]
const AMOUNTS: [&str; 14] = [
    "few", "half", "less", "many", "more", "most", "much", "several", "some",
    "duzo", "kilka", "najwiecej", "troche", "wiele",
];

/// Whether the open phase, or one that is asked for together with it, knows orders that begin so.
fn is_open(cursor: &Cursor, verb: Word) -> bool {
    let phases = match verb {
        Word::Move | Word::Send | Word::Sail | Word::Maintain | Word::Scrap => &[Phase::Movement][..],
        Word::Build | Word::BuildNot => &[Phase::Movement, Phase::Cities],
        Word::Resolve | Word::Delay | Word::Substitute => &[Phase::Conflict, Phase::Support],
        Word::Reduce => &[Phase::Cities, Phase::Calamities, Phase::Support],
        Word::Select => &[Phase::Tax, Phase::Calamities],
        Word::Lose | Word::Spare | Word::Victims => &[Phase::Calamities],
        Word::Expand => &[Phase::Expansion],
        Word::Use => &[Phase::Abilities],
        _ => &[],
    };
    cursor.bearings.is_some_and(|bearings| mailing(bearings.phase()).iter().any(|phase| phases.contains(phase)))
}

/// Verbs with which people begin what they say all day long.
fn is_common(verb: Word) -> bool {
    let movement =
        [Word::Move, Word::Send, Word::Build, Word::Sail, Word::Wait, Word::Done, Word::Loot, Word::Tax, Word::Lose];
    let trade = [Word::Pay, Word::Pass, Word::Give, Word::KeepCards, Word::Use, Word::Offer, Word::Accept, Word::Buy];
    movement.contains(&verb) || trade.contains(&verb) || matches!(verb, Word::Always | Word::Never | Word::Select)
}

/// Whether the rest of a line names a thing that the verb could speak of, or has a number: a misspelt verb needs one.
pub(crate) fn is_plain(cursor: &mut Cursor, verb: Word) -> bool {
    let kinds = spoken_of(cursor, verb).unwrap_or(&[Kind::Area, Kind::Civ, Kind::Card, Kind::Advance]);
    cursor.has_name_ahead(kinds) || verb == Word::Tax && cursor.has_anywhere(is_number)
}

/// Whether the rest of a line names anything of the game.
pub(crate) fn names_a_thing(cursor: &Cursor) -> bool {
    let kinds = [Kind::Area, Kind::Civ, Kind::Card, Kind::Advance];
    cursor.has_anywhere(is_number)
        || cursor.has_anywhere(is_thing)
        || cursor.has_anywhere(|rest| Word::Token.at(rest).is_some())
        || cursor.has_name_ahead(&kinds)
}

/// What a verb speaks of, if talk often begins with it.
fn spoken_of(cursor: &mut Cursor, verb: Word) -> Option<&'static [Kind]> {
    Some(match verb {
        Word::Move
        | Word::Send
        | Word::Build
        | Word::Sail
        | Word::Lose
        | Word::Spare
        | Word::Reduce
        | Word::Select
        | Word::Delay => &[Kind::Area],
        Word::BuildNot | Word::Resolve | Word::Expand | Word::Maintain | Word::Scrap | Word::Substitute => {
            &[Kind::Area]
        }
        Word::Tax | Word::Pass | Word::Done | Word::Loot | Word::Pay => &[],
        Word::Wait | Word::Victims => &[Kind::Civ],
        Word::Use => &[Kind::Advance, Kind::Area],
        Word::Give | Word::KeepCards | Word::Discard | Word::Offer | Word::Propose | Word::Accept => {
            &[Kind::Card, Kind::Civ]
        }
        Word::Buy => &[Kind::Card, Kind::Advance],
        Word::Decline | Word::Withdraw | Word::Undo | Word::Clear => &[],
        // Whether it always or never does, what it does decides.
        Word::Always | Word::Never => {
            let start = cursor.place();
            let inner = cursor.takes_verb();
            let kinds = match inner {
                Some(Word::Always | Word::Never) | None => Some(&[][..]),
                Some(verb) => spoken_of(cursor, verb),
            };
            cursor.back_to(start);
            return kinds;
        }
        _ => return None,
    })
}

fn is_number(rest: &[Lexeme]) -> bool {
    match rest.first().map(|lexeme| &lexeme.kind) {
        Some(LexemeKind::Number(_)) => true,
        Some(LexemeKind::Word(word)) => vocabulary::number_word(word).is_some_and(|number| number != 1),
        _ => false,
    }
}

/// The pieces of the game.
fn is_thing(rest: &[Lexeme]) -> bool {
    let things = [Word::Ship, Word::City, Word::Stack, Word::Treasury, Word::Calamity, Word::Barbarians];
    things.into_iter().any(|thing| thing.at(rest).is_some())
}
