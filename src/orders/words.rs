//! The words of the order language, English and Polish, in one table.
//!
//! The reader knows a word by any of its spellings here, whatever the accents; the first of each language is the one we
//! print. Where they stand in a line is [`super::vocabulary`]'s business.

use serde::Deserialize;

use crate::game::Phase;
use crate::rules::Language;

/// A word that means something in an order, whatever the language. The tables below say each in both.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    // At any time.
    /// Chooses one of the names that were suggested for a line.
    Line,
    /// Press.
    Tell,
    Status,
    Map,
    Sheet,
    History,
    Rules,
    Help,
    Extend,
    Away,
    Back,
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
    /// The one who runs the game.
    Moderator,
    Hour,
    Day,
    Week,
    Till,
    Rule,
    Turn,
    By,
    Deadline,
    Ordinal,
}

/// A row: the word, its English spellings, its Polish ones.
pub type Row = (Word, &'static [&'static str], &'static [&'static str]);

/// The words that begin an order.
pub const VERBS: &[Row] = &[
    (Word::Tax, &["tax", "taxes"], &["podatek", "podatki"]),
    (Word::Select, &["select", "choose"], &["wybieram", "wybierz"]),
    (Word::Expand, &["expand", "grow"], &["rozrost"]),
    (
        Word::Move,
        &["move", "moves", "moving", "mv", "walk", "march", "go", "send", "transfer"],
        &["ruch", "przesuń", "przesuwam", "idź", "ruszam", "rusz", "przenieś"],
    ),
    (Word::Build, &["build", "builds", "construct"], &["zbuduj", "buduj", "buduję", "zbudować", "budowa"]),
    (Word::BuildNot, &["dont build", "do not build"], &["nie buduj", "nie buduję"]),
    (Word::Maintain, &["maintain", "upkeep"], &["utrzymaj", "utrzymuję", "utrzymać"]),
    (Word::Scrap, &["scrap"], &["zniszcz", "zezłomuj"]),
    (Word::Sail, &["sail", "sails", "sailing"], &["płyń", "płynę", "popłyń", "żegluj", "płynąć"]),
    (Word::Done, &["done", "finished"], &["koniec", "gotowe", "skończyłem", "skończyłam"]),
    (Word::Ok, &["ok"], &[]),
    (Word::Wait, &["wait", "waiting"], &["czekam", "czekaj"]),
    (Word::Always, &["always"], &["zawsze"]),
    (Word::Never, &["never"], &["nigdy"]),
    (Word::Undo, &["undo"], &["cofnij", "cofam"]),
    (Word::Clear, &["clear"], &["wyczyść", "czyść"]),
    (Word::If, &["if"], &["jeśli", "jeżeli", "gdy"]),
    (Word::Resolve, &["resolve"], &["rozstrzygnij", "rozstrzygam"]),
    (Word::Delay, &["delay"], &["wstrzymaj", "wstrzymuję"]),
    (Word::Loot, &["loot"], &["łup", "łupy"]),
    (Word::Substitute, &["substitute"], &["zastąp", "zastępuję"]),
    (Word::Reduce, &["reduce"], &["redukuj", "redukuję", "zredukuj"]),
    (Word::Buy, &["buy", "buys", "purchase"], &["kup", "kupuję", "kupić"]),
    (Word::Pass, &["pass"], &["pas", "pasuję"]),
    (Word::Offer, &["offer"], &["oferta", "oferuję", "ofertę"]),
    (Word::Accept, &["accept"], &["przyjmuję", "akceptuję", "przyjmij"]),
    (Word::Decline, &["decline", "reject"], &["odrzucam", "odrzuć"]),
    (Word::Withdraw, &["withdraw"], &["wycofaj", "wycofuję"]),
    (Word::Victims, &["victims", "victim"], &["ofiary", "ofiara"]),
    (Word::Lose, &["lose", "loses"], &["tracę", "stracę"]),
    (Word::Spare, &["spare", "spares"], &["oszczędź", "oszczędzam"]),
    (Word::Pay, &["pay", "pays"], &["zapłać", "zapłacę"]),
    (Word::Discard, &["discard", "discards"], &["odrzucam karty", "odrzucam kartę"]),
    (Word::Use, &["use", "uses"], &["użyj", "używam", "użyję"]),
    (Word::Give, &["give", "gives"], &["daję", "oddaję"]),
    (Word::Acquire, &["acquire", "acquires"], &["nabywam", "nabywaj", "nabędę"]),
    (Word::Learn, &["learn", "research", "get"], &["poznaję"]),
    (Word::KeepCards, &["keep", "keeps"], &["zatrzymuję", "zatrzymaj", "zachowuję"]),
    (Word::Line, &["line"], &["wiersz", "linia"]),
    (Word::Tell, &["tell", "press to"], &["powiedz", "przekaż"]),
    (Word::Status, &["status"], &["stan"]),
    (Word::Map, &["map"], &["mapa"]),
    (Word::Sheet, &["sheet", "orders"], &["arkusz", "rozkazy"]),
    (Word::History, &["history"], &["historia"]),
    (Word::Rules, &["rules", "rule"], &["zasady", "zasada"]),
    (Word::Help, &["help"], &["pomoc"]),
    (Word::Extend, &["extend"], &["przedłuż", "przedłużenie"]),
    (Word::Away, &["away", "absent"], &["nieobecność", "nieobecny", "nieobecna"]),
    (Word::Back, &["back"], &["wracam", "wróciłem", "wróciłam"]),
];

/// The words inside an order.
pub const INNER: &[Row] = &[
    (Word::From, &["from", "off"], &["z", "ze", "znad", "spod"]),
    (Word::To, &["to", "into", "onto", "towards"], &["do", "na", "nad", "ku", "dla"]),
    (Word::In, &["in", "at", "on", "near"], &["w", "we", "na", "nad"]),
    (Word::With, &["with", "using", "plus", "carrying", "giving"], &["z", "ze", "za", "dając", "oddając"]),
    (Word::For, &["for"], &["za"]),
    (Word::And, &["and"], &["i", "oraz", "a"]),
    (Word::Filler, &["the", "of", "a", "an", "my", "x", "by", "by land", "by sea", "all of"], &["moje", "mój"]),
    (Word::Via, &["via", "through", "over"], &["przez"]),
    (
        Word::Token,
        &["tokens", "token", "units", "unit", "pop", "population", "people", "men"],
        &[
            "żetony",
            "żeton",
            "żetonów",
            "żetonem",
            "żetonami",
            "żetonu",
            "jednostki",
            "jednostka",
            "jednostek",
            "jednostkę",
        ],
    ),
    (
        Word::Ship,
        &["ship", "ships", "boat", "boats"],
        &["statek", "statki", "statków", "statkiem", "statkami", "statku"],
    ),
    (Word::City, &["city", "cities", "town"], &["miasto", "miasta", "miast", "miastem", "mieście"]),
    (
        Word::Treasury,
        &["treasury", "gold coins", "coins", "coin"],
        &["skarbiec", "skarbca", "skarbcza", "skarbcu", "skarbcem"],
    ),
    (Word::Card, &["card", "cards"], &["karta", "karty", "kartę", "kart"]),
    (Word::Stack, &["stack", "deck", "stacks", "pile"], &["talii", "talia", "talię", "stosu"]),
    (Word::OfferNumber, &["offer", "number", "no", "nr"], &["oferta", "ofertę", "oferty", "numer", "nr"]),
    (Word::No, &["no", "without"], &["bez", "żadnego", "żadnych", "nie"]),
    (Word::Nothing, &["nothing", "none", "nobody"], &["nic", "żadne", "niczego"]),
    (
        Word::All,
        &["all", "everything", "everyone", "everybody", "every"],
        &["wszystkie", "wszystko", "wszystkich", "wszyscy", "wszystkim", "wszystkimi"],
    ),
    (Word::Any, &["any", "anything", "whatever"], &["dowolna", "dowolne", "dowolny", "dowolnych", "cokolwiek"]),
    (Word::Last, &["last"], &["ostatni", "ostatnie", "ostatnia"]),
    (Word::Load, &["load", "loads", "loading", "embark"], &["załaduj", "ładuj", "załadować"]),
    (Word::Unload, &["unload", "unloads", "disembark", "land"], &["wyładuj", "rozładuj", "wysadź", "wyładować"]),
    (Word::Leaving, &["leaving", "leave"], &["zostawiając", "zostaw", "pozostawiając"]),
    (Word::UpTo, &["up to", "at most", "max"], &["najwyżej", "co najwyżej", "do"]),
    (Word::Until, &["until"], &["do", "aż do"]),
    (Word::Calamity, &["calamity", "a calamity"], &["katastrofy", "katastrofa"]),
    (Word::Keep, &["keep", "keeping"], &["zostaw", "zostawiając", "zachowaj"]),
    (Word::Free, &["free", "for free"], &["za darmo", "darmo", "gratis"]),
    (Word::Saying, &["saying", "say"], &["mówiąc", "mówię", "mów"]),
    (Word::Paying, &["paying", "pay with", "by paying"], &["płacąc", "płacę"]),
    (
        Word::Credits,
        &["credits", "credit"],
        &["zniżki", "zniżek", "zniżka", "zniżkę", "zniżkami", "kredyty", "kredytami"],
    ),
    (Word::As, &["as"], &["jako"]),
    (Word::Against, &["against", "upon"], &["przeciw", "przeciwko"]),
    (Word::Point, &["points", "point", "pts"], &["punkty", "punktów", "punkt"]),
    (Word::Then, &["then"], &["to", "wtedy"]),
    (Word::Else, &["else", "otherwise"], &["inaczej", "w przeciwnym razie", "a jeśli nie"]),
    (Word::Holds, &["holds", "hold", "has", "have", "contains"], &["ma", "mają", "zawiera"]),
    (Word::Is, &["is"], &["jest"]),
    (Word::Empty, &["empty"], &["puste", "pusty", "pusta", "pusto"]),
    (Word::AtMost, &["at most", "up to"], &["najwyżej", "co najwyżej"]),
    (Word::AtLeast, &["at least"], &["co najmniej", "przynajmniej"]),
    (Word::Barbarians, &["barbarians", "barbarian"], &["barbarzyńcy", "barbarzyńców", "barbarzyńca"]),
    (Word::Pirate, &["pirate", "pirates"], &["pirackie", "piratów", "piraci", "piraty"]),
    (
        Word::Please,
        &["please", "pls", "plz", "thanks", "thank you", "thx", "now", "too", "cheers"],
        &["proszę", "dziękuję", "dzięki", "teraz"],
    ),
    (Word::Try, &["try"], &["próba"]),
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
        &["proszę", "potem", "następnie", "oraz", "chcę"],
    ),
    (Word::Moderator, &["moderator", "gm", "referee"], &["moderatora", "moderator", "moderatorowi", "sędziego"]),
    (Word::Hour, &["h", "hours", "hour", "hrs", "hr"], &["godzin", "godziny", "godzinę", "godzina", "godz"]),
    (Word::Day, &["days", "day", "d"], &["dni", "dzień", "dnia"]),
    (Word::Week, &["weeks", "week"], &["tygodnie", "tydzień", "tygodni"]),
    (Word::Till, &["until", "till", "til", "to"], &["do", "aż do"]),
    (Word::Turn, &["turn", "of turn"], &["tura", "tury", "turę"]),
    (Word::By, &["by", "for another"], &["o", "jeszcze o"]),
    (Word::Deadline, &["deadline", "the deadline", "cutoff", "cut off"], &["termin", "terminu"]),
    (Word::Ordinal, &["st", "nd", "rd", "th"], &["ego"]),
    (Word::Rule, &["r", "rule", "phase"], &["zasada", "faza", "fazy"]),
];

/// Spellings that are ordinary words too: an order begins with one of them only if all of it can be read.
pub const LOOSE: &[&str] = &[
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
    "arkusz",
    "back",
    "help",
    "historia",
    "history",
    "line",
    "linia",
    "map",
    "mapa",
    "orders",
    "pomoc",
    "rozkazy",
    "rule",
    "rules",
    "sheet",
    "stan",
    "status",
    "wiersz",
    "wracam",
    "wrocilam",
    "wrocilem",
    "zasada",
    "zasady",
];

/// Number words.
pub const NUMBERS: &[(u16, &[&str], &[&str])] = &[
    (0, &["zero"], &["zero"]),
    (1, &["one"], &["jeden", "jedna", "jedno", "jednego", "jednej"]),
    (2, &["two"], &["dwa", "dwie", "dwóch", "dwoma"]),
    (3, &["three"], &["trzy", "trzech", "trzema"]),
    (4, &["four"], &["cztery", "czterech"]),
    (5, &["five"], &["pięć", "pięciu"]),
    (6, &["six"], &["sześć", "sześciu"]),
    (7, &["seven"], &["siedem", "siedmiu"]),
    (8, &["eight"], &["osiem", "ośmiu"]),
    (9, &["nine"], &["dziewięć", "dziewięciu"]),
    (10, &["ten"], &["dziesięć", "dziesięciu"]),
    (11, &["eleven"], &["jedenaście", "jedenastu"]),
    (12, &["twelve"], &["dwanaście", "dwunastu"]),
    (13, &["thirteen"], &["trzynaście", "trzynastu"]),
    (14, &["fourteen"], &["czternaście", "czternastu"]),
    (15, &["fifteen"], &["piętnaście", "piętnastu"]),
    (16, &["sixteen"], &["szesnaście", "szesnastu"]),
    (17, &["seventeen"], &["siedemnaście", "siedemnastu"]),
    (18, &["eighteen"], &["osiemnaście", "osiemnastu"]),
    (19, &["nineteen"], &["dziewiętnaście", "dziewiętnastu"]),
    (20, &["twenty"], &["dwadzieścia", "dwudziestu"]),
];

/// The parts of the sheet, as `undo` and `clear` name them.
pub const PARTS: &[(Phase, &[&str])] = &[
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

/// The months, by their number; Polish dates have them in the genitive.
pub const MONTHS: [(&[&str], &[&str]); 12] = [
    (&["january", "jan"], &["stycznia", "styczeń"]),
    (&["february", "feb"], &["lutego", "luty"]),
    (&["march", "mar"], &["marca", "marzec"]),
    (&["april", "apr"], &["kwietnia", "kwiecień"]),
    (&["may"], &["maja", "maj"]),
    (&["june", "jun"], &["czerwca", "czerwiec"]),
    (&["july", "jul"], &["lipca", "lipiec"]),
    (&["august", "aug"], &["sierpnia", "sierpień"]),
    (&["september", "sep", "sept"], &["września", "wrzesień"]),
    (&["october", "oct"], &["października", "październik"]),
    (&["november", "nov"], &["listopada", "listopad"]),
    (&["december", "dec"], &["grudnia", "grudzień"]),
];

/// The days of the week, Monday first.
pub const WEEKDAYS: [(&[&str], &[&str]); 7] = [
    (&["monday", "mon"], &["poniedziałku", "poniedziałek"]),
    (&["tuesday", "tue"], &["wtorku", "wtorek"]),
    (&["wednesday", "wed"], &["środy", "środa", "środę"]),
    (&["thursday", "thu"], &["czwartku", "czwartek"]),
    (&["friday", "fri"], &["piątku", "piątek"]),
    (&["saturday", "sat"], &["soboty", "sobota", "sobotę"]),
    (&["sunday", "sun"], &["niedzieli", "niedziela", "niedzielę"]),
];

impl Word {
    /// The word as we print it.
    pub fn said(self, language: Language) -> &'static str {
        let (english, polish) = self.spellings();
        match language {
            Language::English => english[0],
            // What has no word of its own is said in English: `ok`.
            Language::Polish => polish.first().copied().unwrap_or(english[0]),
        }
    }

    /// All spellings, English and Polish.
    pub fn spellings(self) -> (&'static [&'static str], &'static [&'static str]) {
        let row = VERBS.iter().chain(INNER).find(|(word, _, _)| *word == self);
        row.map(|(_, english, polish)| (*english, *polish)).expect("every word has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexemes::fold;
    use super::*;

    #[test]
    fn no_two_orders_begin_alike() {
        let mut seen = std::collections::BTreeMap::new();
        for (word, english, polish) in VERBS {
            for spelling in english.iter().chain(*polish) {
                assert_eq!(seen.insert(fold(spelling), word), None, "{spelling}");
            }
        }
    }

    #[test]
    fn loose_spellings_are_spellings_of_verbs() {
        for loose in LOOSE {
            let is = |spelling: &&str| fold(spelling) == *loose;
            assert!(VERBS.iter().any(|(_, english, polish)| english.iter().chain(*polish).any(&is)), "{loose}");
        }
    }
}
