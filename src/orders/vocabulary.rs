//! The words of the order language, English and Polish, in one table.
//!
//! The reader knows a word by any of its spellings here; the first of each language is the one we print.

use super::lexemes::{Lexeme, LexemeKind};
use crate::game::Phase;

/// A word that means something in an order, whatever the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    // Orders begin with one of these.
    Tax,
    Select,
    Expand,
    Move,
    Build,
    BuildNot,
    Maintain,
    Scrap,
    Sail,
    Done,
    Ok,
    Wait,
    Always,
    Never,
    Undo,
    Clear,
    If,
    Resolve,
    Delay,
    Loot,
    Substitute,
    Reduce,
    Buy,
    Pass,
    Offer,
    Accept,
    Decline,
    Withdraw,
    Victims,
    Lose,
    Spare,
    Pay,
    Discard,
    Use,
    Give,
    Acquire,
    /// Also acquires, but such words begin many a remark: an advance must follow.
    Learn,
    KeepCards,
    // Between names and numbers.
    From,
    To,
    In,
    With,
    For,
    And,
    Filler,
    Via,
    Token,
    Ship,
    City,
    Treasury,
    Card,
    Stack,
    OfferNumber,
    No,
    Nothing,
    All,
    Any,
    Last,
    Load,
    Unload,
    Leaving,
    UpTo,
    Until,
    Calamity,
    Keep,
    Free,
    Saying,
    Paying,
    Credits,
    As,
    Against,
    Point,
    Then,
    Else,
    Holds,
    Is,
    Empty,
    AtMost,
    AtLeast,
    Barbarians,
    Pirate,
    Please,
    /// At the head of a letter: answer it, store nothing.
    Try,
    /// Before an order, out of politeness or habit.
    Lead,
    /// Press: the rest of the line is no order.
    Tell,
}

/// A row: the word, its English spellings, its Polish ones, all folded.
type Row = (Word, &'static [&'static str], &'static [&'static str]);

/// The words that begin an order.
const VERBS: &[Row] = &[
    (Word::Tax, &["tax", "taxes"], &["podatek", "podatki"]),
    (Word::Select, &["select", "choose"], &["wybieram", "wybierz"]),
    (Word::Expand, &["expand", "grow"], &["rozrost"]),
    (
        Word::Move,
        &["move", "moves", "moving", "mv", "walk", "march", "go", "send", "transfer"],
        &["ruch", "przesun", "przesuwam", "idz", "ruszam", "rusz", "przenies"],
    ),
    (Word::Build, &["build", "builds", "construct"], &["zbuduj", "buduj", "buduje", "zbudowac", "budowa"]),
    (Word::BuildNot, &["dont build", "do not build"], &["nie buduj", "nie buduje"]),
    (Word::Maintain, &["maintain", "upkeep"], &["utrzymaj", "utrzymuje", "utrzymac"]),
    (Word::Scrap, &["scrap"], &["zniszcz", "zezlomuj"]),
    (Word::Sail, &["sail", "sails", "sailing"], &["plyn", "plyne", "poplyn", "zegluj", "plynac"]),
    (Word::Done, &["done", "finished"], &["koniec", "gotowe", "skonczylem", "skonczylam"]),
    (Word::Ok, &["ok"], &[]),
    (Word::Wait, &["wait", "waiting"], &["czekam", "czekaj"]),
    (Word::Always, &["always"], &["zawsze"]),
    (Word::Never, &["never"], &["nigdy"]),
    (Word::Undo, &["undo"], &["cofnij", "cofam"]),
    (Word::Clear, &["clear"], &["wyczysc", "czysc"]),
    (Word::If, &["if"], &["jesli", "jezeli", "gdy"]),
    (Word::Resolve, &["resolve"], &["rozstrzygnij", "rozstrzygam"]),
    (Word::Delay, &["delay"], &["wstrzymaj", "wstrzymuje"]),
    (Word::Loot, &["loot"], &["lup", "lupy"]),
    (Word::Substitute, &["substitute"], &["zastap", "zastepuje"]),
    (Word::Reduce, &["reduce"], &["redukuj", "redukuje", "zredukuj"]),
    (Word::Buy, &["buy", "buys", "purchase"], &["kup", "kupuje", "kupic"]),
    (Word::Pass, &["pass"], &["pas", "pasuje"]),
    (Word::Offer, &["offer"], &["oferta", "oferuje", "oferte"]),
    (Word::Accept, &["accept"], &["przyjmuje", "akceptuje", "przyjmij"]),
    (Word::Decline, &["decline", "reject"], &["odrzucam", "odrzuc"]),
    (Word::Withdraw, &["withdraw"], &["wycofaj", "wycofuje"]),
    (Word::Victims, &["victims", "victim"], &["ofiary", "ofiara"]),
    (Word::Lose, &["lose", "loses"], &["trace", "strace"]),
    (Word::Spare, &["spare", "spares"], &["oszczedz", "oszczedzam"]),
    (Word::Pay, &["pay", "pays"], &["zaplac", "zaplace"]),
    (Word::Discard, &["discard", "discards"], &["odrzucam karty", "odrzucam karte"]),
    (Word::Use, &["use", "uses"], &["uzyj", "uzywam", "uzyje"]),
    (Word::Give, &["give", "gives"], &["daje", "oddaje"]),
    (Word::Acquire, &["acquire", "acquires"], &["nabywam", "nabywaj", "nabede"]),
    (Word::Learn, &["learn", "research", "get"], &["poznaje"]),
    (Word::KeepCards, &["keep", "keeps"], &["zatrzymuje", "zatrzymaj", "zachowuje"]),
];

/// The words inside an order.
const INNER: &[Row] = &[
    (Word::From, &["from", "off"], &["z", "ze", "znad", "spod"]),
    (Word::To, &["to", "into", "onto", "towards"], &["do", "na", "nad", "ku", "dla"]),
    (Word::In, &["in", "at", "on", "near"], &["w", "we", "na", "nad"]),
    (Word::With, &["with", "using", "plus", "carrying", "giving"], &["z", "ze", "za", "dajac", "oddajac"]),
    (Word::For, &["for"], &["za"]),
    (Word::And, &["and"], &["i", "oraz", "a"]),
    (Word::Filler, &["the", "of", "a", "an", "my", "x", "by", "by land", "by sea", "all of"], &["moje", "moj"]),
    (Word::Via, &["via", "through", "over"], &["przez"]),
    (
        Word::Token,
        &["tokens", "token", "units", "unit", "pop", "population", "people", "men"],
        &[
            "zetony",
            "zeton",
            "zetonow",
            "zetonem",
            "zetonami",
            "zetonu",
            "jednostki",
            "jednostka",
            "jednostek",
            "jednostke",
        ],
    ),
    (
        Word::Ship,
        &["ship", "ships", "boat", "boats"],
        &["statek", "statki", "statkow", "statkiem", "statkami", "statku"],
    ),
    (Word::City, &["city", "cities", "town"], &["miasto", "miasta", "miast", "miastem", "miescie"]),
    (
        Word::Treasury,
        &["treasury", "gold coins", "coins", "coin"],
        &["skarbiec", "skarbca", "skarbcza", "skarbcu", "skarbcem"],
    ),
    (Word::Card, &["card", "cards"], &["karta", "karty", "karte", "kart"]),
    (Word::Stack, &["stack", "deck", "stacks", "pile"], &["talii", "talia", "talie", "stosu"]),
    (Word::OfferNumber, &["offer", "number", "no", "nr"], &["oferta", "oferte", "oferty", "numer", "nr"]),
    (Word::No, &["no", "without"], &["bez", "zadnego", "zadnych", "nie"]),
    (Word::Nothing, &["nothing", "none", "nobody"], &["nic", "zadne", "niczego"]),
    (
        Word::All,
        &["all", "everything", "everyone", "everybody", "every"],
        &["wszystkie", "wszystko", "wszystkich", "wszyscy", "wszystkim"],
    ),
    (Word::Any, &["any", "anything", "whatever"], &["dowolna", "dowolne", "dowolny", "dowolnych", "cokolwiek"]),
    (Word::Last, &["last"], &["ostatni", "ostatnie", "ostatnia"]),
    (Word::Load, &["load", "loads", "loading", "embark"], &["zaladuj", "laduj", "zaladowac"]),
    (Word::Unload, &["unload", "unloads", "disembark", "land"], &["wyladuj", "rozladuj", "wysadz", "wyladowac"]),
    (Word::Leaving, &["leaving", "leave"], &["zostawiajac", "zostaw", "pozostawiajac"]),
    (Word::UpTo, &["up to", "at most", "max"], &["najwyzej", "co najwyzej", "do"]),
    (Word::Until, &["until"], &["do", "az do"]),
    (Word::Calamity, &["calamity", "a calamity"], &["katastrofy", "katastrofa"]),
    (Word::Keep, &["keep", "keeping"], &["zostaw", "zostawiajac", "zachowaj"]),
    (Word::Free, &["free", "for free"], &["za darmo", "darmo", "gratis"]),
    (Word::Saying, &["saying", "say"], &["mowiac", "mowie", "mow"]),
    (Word::Paying, &["paying", "pay with", "by paying"], &["placac", "place"]),
    (
        Word::Credits,
        &["credits", "credit"],
        &["znizki", "znizek", "znizka", "znizke", "znizkami", "kredyty", "kredytami"],
    ),
    (Word::As, &["as"], &["jako"]),
    (Word::Against, &["against", "upon"], &["przeciw", "przeciwko"]),
    (Word::Point, &["points", "point", "pts"], &["punkty", "punktow", "punkt"]),
    (Word::Then, &["then"], &["to", "wtedy"]),
    (Word::Else, &["else", "otherwise"], &["inaczej", "w przeciwnym razie", "a jesli nie"]),
    (Word::Holds, &["holds", "hold", "has", "have", "contains"], &["ma", "zawiera"]),
    (Word::Is, &["is"], &["jest"]),
    (Word::Empty, &["empty"], &["puste", "pusty", "pusta", "pusto"]),
    (Word::AtMost, &["at most", "up to"], &["najwyzej", "co najwyzej"]),
    (Word::AtLeast, &["at least"], &["co najmniej", "przynajmniej"]),
    (Word::Barbarians, &["barbarians", "barbarian"], &["barbarzyncy", "barbarzyncow", "barbarzynca"]),
    (Word::Pirate, &["pirate", "pirates"], &["pirackie", "piratow", "piraci", "piraty"]),
    (
        Word::Please,
        &["please", "pls", "plz", "thanks", "thank you", "thx", "now", "too", "cheers"],
        &["prosze", "dziekuje", "dzieki", "teraz"],
    ),
    (Word::Try, &["try"], &["proba"]),
    (
        Word::Lead,
        &[
            "please",
            "pls",
            "then",
            "and",
            "also",
            "next",
            "i",
            "and then",
            "i will",
            "i want to",
            "id like to",
            "i would like to",
        ],
        &["prosze", "potem", "nastepnie", "oraz", "chce"],
    ),
    (Word::Tell, &["tell"], &["powiedz"]),
];

/// Spellings that are ordinary words too: an order begins with one of them only if all of it can be read.
const LOOSE: &[&str] = &[
    "always",
    "never",
    "nigdy",
    "zawsze",
    "builds",
    "buys",
    "choose",
    "construct",
    "czysc",
    "finished",
    "gdy",
    "go",
    "gotowe",
    "grow",
    "march",
    "moves",
    "moving",
    "ok",
    "purchase",
    "rusz",
    "ruszam",
    "sailing",
    "sails",
    "send",
    "transfer",
    "waiting",
    "walk",
];

/// Number words.
const NUMBERS: &[(u16, &[&str], &[&str])] = &[
    (0, &["zero"], &["zero"]),
    (1, &["one"], &["jeden", "jedna", "jedno", "jednego", "jednej"]),
    (2, &["two"], &["dwa", "dwie", "dwoch", "dwoma"]),
    (3, &["three"], &["trzy", "trzech", "trzema"]),
    (4, &["four"], &["cztery", "czterech"]),
    (5, &["five"], &["piec", "pieciu"]),
    (6, &["six"], &["szesc", "szesciu"]),
    (7, &["seven"], &["siedem", "siedmiu"]),
    (8, &["eight"], &["osiem", "osmiu"]),
    (9, &["nine"], &["dziewiec", "dziewieciu"]),
    (10, &["ten"], &["dziesiec", "dziesieciu"]),
    (11, &["eleven"], &["jedenascie", "jedenastu"]),
    (12, &["twelve"], &["dwanascie", "dwunastu"]),
    (13, &["thirteen"], &["trzynascie", "trzynastu"]),
    (14, &["fourteen"], &["czternascie", "czternastu"]),
    (15, &["fifteen"], &["pietnascie", "pietnastu"]),
    (16, &["sixteen"], &["szesnascie", "szesnastu"]),
    (17, &["seventeen"], &["siedemnascie", "siedemnastu"]),
    (18, &["eighteen"], &["osiemnascie", "osiemnastu"]),
    (19, &["nineteen"], &["dziewietnascie", "dziewietnastu"]),
    (20, &["twenty"], &["dwadziescia", "dwudziestu"]),
];

/// The parts of the sheet, as `undo` and `clear` name them.
const PARTS: &[(Phase, &[&str])] = &[
    (Phase::Tax, &["tax", "podatki", "podatek"]),
    (Phase::Expansion, &["expansion", "rozrost"]),
    (Phase::Movement, &["movement", "moves", "ruch", "ruchy"]),
    (Phase::Conflict, &["conflict", "konflikt", "konflikty"]),
    (Phase::Cities, &["cities", "miasta"]),
    (Phase::Cards, &["cards", "purchases", "karty", "zakupy"]),
    (Phase::Trade, &["trade", "handel"]),
    (Phase::Calamities, &["calamities", "katastrofy"]),
    (Phase::Abilities, &["abilities", "zdolnosci"]),
    (Phase::Support, &["support", "zaopatrzenie"]),
    (Phase::Advances, &["advances", "rozwoj"]),
];

impl Word {
    /// How many lexemes at the start say this word.
    pub fn at(self, lexemes: &[Lexeme]) -> Option<usize> {
        let row = VERBS.iter().chain(INNER).find(|(word, _, _)| *word == self)?;
        let spellings = row.1.iter().chain(row.2);
        spellings.filter_map(|spelling| phrase_at(spelling, lexemes)).max()
    }

    /// The word that begins an order here.
    pub fn verb_at(lexemes: &[Lexeme]) -> Option<(Word, usize)> {
        let found = VERBS.iter().filter_map(|(word, _, _)| Some((*word, word.at(lexemes)?)));
        found.max_by_key(|(_, taken)| *taken)
    }
}

/// The number that a word says.
pub fn number_word(word: &str) -> Option<u16> {
    let says = |spellings: &[&str]| spellings.contains(&word);
    NUMBERS.iter().find(|(_, english, polish)| says(english) || says(polish)).map(|(number, _, _)| *number)
}

/// The part of the sheet that a word names.
pub fn part(word: &str) -> Option<Phase> {
    PARTS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(phase, _)| *phase)
}

/// Whether a line begins with an ordinary word that may also begin an order.
pub fn is_loose(lexemes: &[Lexeme]) -> bool {
    matches!(lexemes.first().map(|lexeme| &lexeme.kind), Some(LexemeKind::Word(word)) if LOOSE.contains(&word.as_str()))
}

/// Whether a lexeme in brackets carries part of an order.
pub fn is_weighty(lexeme: &Lexeme) -> bool {
    let words = [Word::Token, Word::Treasury, Word::Free, Word::Leaving, Word::Card, Word::Load, Word::Unload];
    match &lexeme.kind {
        LexemeKind::Number(_) | LexemeKind::Arrow => true,
        LexemeKind::Word(word) => {
            number_word(word).is_some() || words.iter().any(|word| word.at(std::slice::from_ref(lexeme)).is_some())
        }
        LexemeKind::Hyphen | LexemeKind::Comma | LexemeKind::Colon | LexemeKind::Open | LexemeKind::Close => false,
    }
}

/// Whether a lexeme is a word of the language by itself, over which an unsure name may not run.
pub fn is_reserved(lexeme: &Lexeme) -> bool {
    let LexemeKind::Word(word) = &lexeme.kind else { return false };
    let is = |spellings: &[&str]| spellings.contains(&word.as_str());
    VERBS.iter().chain(INNER).any(|(_, english, polish)| is(english) || is(polish)) || number_word(word).is_some()
}

fn phrase_at(phrase: &str, lexemes: &[Lexeme]) -> Option<usize> {
    let mut taken = 0;
    for word in phrase.split(' ') {
        match lexemes.get(taken).map(|lexeme| &lexeme.kind) {
            Some(LexemeKind::Word(said)) if said == word => taken += 1,
            _ => return None,
        }
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_folded() {
        let rows = VERBS.iter().chain(INNER);
        for spelling in rows.flat_map(|(_, english, polish)| english.iter().chain(*polish)) {
            assert_eq!(&super::super::lexemes::fold(spelling), spelling);
        }
    }

    #[test]
    fn no_two_orders_begin_alike() {
        let mut seen = std::collections::BTreeMap::new();
        for (word, english, polish) in VERBS {
            for spelling in english.iter().chain(*polish) {
                assert_eq!(seen.insert(spelling, word), None, "{spelling}");
            }
        }
    }
}
