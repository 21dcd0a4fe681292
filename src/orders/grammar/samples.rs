//! Lines of the printed game, read for the tests of the grammar.

use std::sync::LazyLock;

use crate::game::Command;
use crate::orders::{Fault, Lexicon, Piece, Reading, Written, read};
use crate::rules::{AreaId, Civ, Face, PrintedGame};

static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::new(&PrintedGame::built_in().expect("the built-in edition is checked")));

/// The one order of a line.
#[track_caller]
pub(crate) fn reads(line: &str) -> Command {
    match reading(line) {
        Reading::Written(Written::Orders(commands)) if commands.len() == 1 => commands[0].clone(),
        other => panic!("{line}: {other:?}"),
    }
}

/// All orders of a line.
#[track_caller]
pub(crate) fn reads_all(line: &str) -> Vec<Command> {
    match written(line) {
        Written::Orders(commands) => commands,
        other => panic!("{line}: {other:?}"),
    }
}

/// What a line says.
#[track_caller]
pub(crate) fn written(line: &str) -> Written {
    match reading(line) {
        Reading::Written(written) => written,
        other => panic!("{line}: {other:?}"),
    }
}

/// The fault of a line.
#[track_caller]
pub(crate) fn fault(line: &str) -> Fault {
    match reading(line) {
        Reading::Fault(fault) => fault,
        other => panic!("{line}: {other:?}"),
    }
}

/// Whether a line does not begin like an order.
pub(crate) fn is_remark(line: &str) -> bool {
    reading(line) == Reading::Remark
}

/// What a line of one piece is.
pub(crate) fn reading(line: &str) -> Reading {
    let pieces: Vec<Piece> = read(line, &LEXICON).into_iter().flat_map(|line| line.pieces).collect();
    pieces.into_iter().next().map_or(Reading::Remark, |piece| piece.reading)
}

/// The names of the printed game.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// The area of that name.
pub(crate) fn area(name: &str) -> AreaId {
    LEXICON.areas.exact(name).expect("the area is on the map")
}

/// The civilization of that name.
pub(crate) fn civ(name: &str) -> Civ {
    LEXICON.civs.exact(name).expect("the civilization is printed")
}

/// The card of that name.
pub(crate) fn card(name: &str) -> Face {
    LEXICON.cards.exact(name).expect("the card is printed")
}

proptest::proptest! {
    /// Whatever stands behind the verbs of the later phases, reading ends in an order, a fault or a remark.
    #[test]
    fn no_line_panics(head in HEADS, tail in TAIL, wild: String) {
        reading(&format!("{head} {tail}"));
        reading(&format!("{head} {wild}"));
    }
}

const HEADS: &str = "(Famine:|Theocracy:|Civil:)? ?(victims|lose|reduce|spare|select|pay|discard|odrzucam|use|use Diaspora|\
                     use Politics|use Trade Routes|use Universal Doctrine|give|acquire|acquire Law|get|keep)?";
const TAIL: &str = "((Egypt|Thera|salt|Library|credits|arts|paying|with|for|as|free|treasury|on|from|to|nothing|[0-9]{1,6}|\
                    [,:>/-]|[a-zł]{1,5}) ?){0,9}";
