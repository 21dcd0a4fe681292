//! The terms of the game that are counted: the noun behind a number, in English here and in Polish by its key.

/// A thing that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Term {
    Token,
    TreasuryToken,
    BarbarianToken,
    City,
    PirateCity,
    Ship,
    Area,
    Card,
    TradeCard,
    Commodity,
    WaterCard,
    Set,
    Stack,
    Calamity,
    Advance,
    Credit,
    VictoryPoint,
    UnitPoint,
    Step,
    AstSpace,
    Turn,
    Phase,
    Offer,
    Exchange,
    Player,
    Civilization,
    Order,
    Line,
    Letter,
    Day,
    Hour,
}

/// The terms with their key in the table of Polish names, and in English: one of them, several.
const TERMS: [(Term, &str, &str, &str); 31] = [
    (Term::Token, "token", "token", "tokens"),
    (Term::TreasuryToken, "treasury_token", "treasury token", "treasury tokens"),
    (Term::BarbarianToken, "barbarian_token", "barbarian token", "barbarian tokens"),
    (Term::City, "city", "city", "cities"),
    (Term::PirateCity, "pirate_city", "pirate city", "pirate cities"),
    (Term::Ship, "ship", "ship", "ships"),
    (Term::Area, "area", "area", "areas"),
    (Term::Card, "card", "card", "cards"),
    (Term::TradeCard, "trade_card", "trade card", "trade cards"),
    (Term::Commodity, "commodity", "commodity", "commodities"),
    (Term::WaterCard, "water_card", "water card", "water cards"),
    (Term::Set, "set", "set", "sets"),
    (Term::Stack, "stack", "stack", "stacks"),
    (Term::Calamity, "calamity", "calamity", "calamities"),
    (Term::Advance, "advance", "Advance", "Advances"),
    (Term::Credit, "credit", "credit", "credits"),
    (Term::VictoryPoint, "victory_point", "victory point", "victory points"),
    (Term::UnitPoint, "unit_point", "unit point", "unit points"),
    (Term::Step, "step", "step", "steps"),
    (Term::AstSpace, "ast_space", "space on the A.S.T.", "spaces on the A.S.T."),
    (Term::Turn, "turn", "turn", "turns"),
    (Term::Phase, "phase", "phase", "phases"),
    (Term::Offer, "offer", "offer", "offers"),
    (Term::Exchange, "exchange", "trade", "trades"),
    (Term::Player, "player", "player", "players"),
    (Term::Civilization, "civilization", "civilization", "civilizations"),
    (Term::Order, "order", "order", "orders"),
    (Term::Line, "line", "line", "lines"),
    (Term::Letter, "letter", "letter", "letters"),
    (Term::Day, "day", "day", "days"),
    (Term::Hour, "hour", "hour", "hours"),
];

impl Term {
    /// Its key in the table of Polish names.
    pub(crate) fn key(self) -> &'static str {
        TERMS[self as usize].1
    }

    /// In English, one of them and several.
    pub(crate) fn english(self) -> (&'static str, &'static str) {
        let (_, _, one, many) = TERMS[self as usize];
        (one, many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PrintedGame;

    #[test]
    fn every_term_has_its_place_and_its_polish_forms() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        for (place, (term, key, _, _)) in TERMS.into_iter().enumerate() {
            assert_eq!(term as usize, place, "{key}");
            let forms = printed.polish.term.get(key).unwrap_or_else(|| panic!("{key} is a term"));
            assert!(forms.few.is_some() && forms.many.is_some() && forms.g.is_some(), "{key} is counted");
        }
    }
}
