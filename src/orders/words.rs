//! The words of the order language, English and Polish, in one table.
//!
//! The reader knows a word by any of its spellings here, whatever the accents; the first of each language is the one we
//! print. Where they stand in a line is `orders::vocabulary`'s business.

use serde::{Deserialize, Serialize};

use super::asking::Detail;
use crate::game::Phase;
use crate::rules::Language;

/// A word that means something in an order, whatever the language. The tables below say each in both.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// A wish on the board of the trade; before an advance it acquires.
    Want,
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
    /// Passes on a message that was held; with a number and areas it moves.
    Send,
    /// Chooses one of the names that were suggested for a line.
    Line,
    /// Press.
    Tell,
    Status,
    Map,
    Sheet,
    Hand,
    History,
    Digest,
    /// The open offers.
    Offers,
    /// What there is to know of an area.
    Area,
    /// Every Advance with its price.
    Prices,
    Rules,
    Help,
    /// What can be written now.
    WhatNow,
    Extend,
    /// How often news of the trade are sent.
    News,
    Away,
    /// `addresses`.
    Addresses,
    Detail,
    Data,
    /// `forget anna@example.org`.
    Forget,
    /// `devices`.
    Devices,
    /// `forget devices`.
    ForgetDevices,
    /// `new link`.
    NewLink,
    /// `copies on`.
    CopiesOn,
    /// `copies off`.
    CopiesOff,
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
    /// One of them, and no more.
    OneToken,
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
    Occupied,
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
    Tomorrow,
    Overmorrow,
    Till,
    Rule,
    Turn,
    By,
    Deadline,
    Ordinal,
    /// Behind a card or a way: `salt x2`.
    Times,
    New,
    Rate,
    Per,
    /// Means the treasury only where no card can be meant.
    Gold,
    During,
    MoreThan,
    FewerThan,
    Exactly,
    Or,
    /// What a wish offers.
    Have,
    Daily,
}

/// A row: the word, its English spellings, its Polish ones.
pub(crate) type Row = (Word, &'static [&'static str], &'static [&'static str]);

/// The words that begin an order.
pub const VERBS: &[Row] = &[
    (
        Word::Tax,
        &["tax", "taxes", "tax rate", "set tax", "set taxes"],
        &["podatek", "podatki", "stawka", "stawka podatku", "stawka podatkowa", "ustaw podatek"],
    ),
    (Word::Select, &["select", "choose"], &["wybieram", "wybierz"]),
    (Word::Expand, &["expand", "grow"], &["rozrost", "rozrastam"]),
    (
        Word::Move,
        &["move", "moves", "moving", "mv", "walk", "march", "go", "transfer"],
        &[
            "ruch",
            "ruchy",
            "przesuń",
            "przesuwam",
            "przesunąć",
            "idź",
            "idę",
            "ruszam",
            "rusz",
            "przenieś",
            "przenoszę",
            "przemieść",
        ],
    ),
    (
        Word::Build,
        &["build", "builds", "building", "construct", "found", "establish"],
        &["zbuduj", "buduj", "buduję", "zbudować", "budowa", "wybuduj", "postaw", "załóż", "zakładam"],
    ),
    (Word::BuildNot, &["don't build", "do not build"], &["nie buduj", "nie buduję", "nie zbuduję", "nie będę budować"]),
    (Word::Maintain, &["maintain", "upkeep", "maintain upkeep"], &["utrzymaj", "utrzymuję", "utrzymać"]),
    (Word::Scrap, &["scrap"], &["zniszcz", "zezłomuj"]),
    (
        Word::Sail,
        &["sail", "sails", "sailing"],
        &["płyń", "płynę", "popłyń", "żegluj", "płynąć", "płynie", "płyną", "popłynę"],
    ),
    (
        Word::Done,
        &["done", "finished", "done moving", "done trading"],
        &["koniec", "gotowe", "skończyłem", "skończyłam", "koniec ruchu", "koniec ruchów", "koniec handlu"],
    ),
    (Word::Ok, &["ok"], &[]),
    (
        Word::Wait,
        &["wait", "waiting", "wait for my turn", "wait my turn"],
        &["czekam", "czekaj", "czekam na swoją kolej", "czekam na swoją turę"],
    ),
    (Word::Always, &["always"], &["zawsze"]),
    (Word::Never, &["never"], &["nigdy"]),
    (Word::Undo, &["undo", "cancel", "delete", "remove"], &["cofnij", "cofam", "anuluj", "usuń", "skreśl"]),
    (Word::Clear, &["clear"], &["wyczyść", "czyść", "wykasuj"]),
    (Word::If, &["if"], &["jeśli", "jeżeli", "jak", "gdy", "gdyby"]),
    (Word::Resolve, &["resolve"], &["rozstrzygnij", "rozstrzygam"]),
    (Word::Delay, &["delay"], &["wstrzymaj", "wstrzymuję"]),
    (Word::Loot, &["loot"], &["łup", "łupy"]),
    (Word::Substitute, &["substitute"], &["zastąp", "zastępuję"]),
    (Word::Reduce, &["reduce"], &["redukuj", "redukuję", "zredukuj"]),
    (Word::Buy, &["buy", "buys", "purchase"], &["kup", "kupuję", "kupuj", "kupić"]),
    (Word::Pass, &["pass"], &["pas", "pasuję"]),
    (
        Word::Offer,
        &["offer", "trade", "trade with", "swap", "swap with", "propose"],
        &["oferta", "oferuję", "ofertę", "proponuję", "wymiana", "wymieniam", "handluję", "handel"],
    ),
    (Word::Accept, &["accept", "accepts"], &["przyjmuję", "akceptuję", "przyjmij", "akceptuj", "przyjmuj"]),
    (Word::Want, &["want", "wants", "looking for", "seeking"], &["szukam", "poszukuję"]),
    (Word::Decline, &["decline", "reject", "refuse", "no to", "no thanks to"], &["odrzucam", "odrzuć", "nie dla"]),
    (Word::Withdraw, &["withdraw", "retract"], &["wycofaj", "wycofuję"]),
    (Word::Victims, &["victims", "victim"], &["ofiary", "ofiara"]),
    (Word::Lose, &["lose", "loses"], &["tracę", "stracę"]),
    (Word::Spare, &["spare", "spares"], &["oszczędź", "oszczędzam", "oszczędzaj"]),
    (Word::Pay, &["pay", "pays"], &["zapłać", "zapłacę", "płać"]),
    (Word::Discard, &["discard", "discards"], &["odrzucam karty", "odrzucam kartę", "wyrzucam", "wyrzuć"]),
    (Word::Use, &["use", "uses"], &["użyj", "używam", "użyję"]),
    (Word::Give, &["give", "gives"], &["daję", "oddaję"]),
    (Word::Acquire, &["acquire", "acquires"], &["nabywam", "nabywaj", "nabędę", "nabądź"]),
    (
        Word::Learn,
        &["learn", "research", "get", "take", "would like", "id like"],
        &["poznaję", "biorę", "chcę", "poproszę", "chciałbym", "chciałabym"],
    ),
    (Word::KeepCards, &["keep", "keeps"], &["zatrzymuję", "zatrzymaj", "zachowuję"]),
    (Word::Line, &["line"], &["wiersz", "linia"]),
    (Word::Send, &["send"], &["wyślij"]),
    (Word::Tell, &["tell", "press to"], &["powiedz", "przekaż"]),
    (Word::Status, &["status"], &["stan"]),
    (Word::Map, &["map"], &["mapa"]),
    (Word::Sheet, &["sheet", "orders"], &["arkusz", "rozkazy"]),
    (Word::Hand, &["hand", "my hand"], &["ręka", "moja ręka"]),
    (Word::History, &["history"], &["historia"]),
    (Word::Digest, &["digest", "summary"], &["podsumowanie"]),
    (Word::Offers, &["offers", "open offers"], &["oferty", "otwarte oferty"]),
    (Word::Area, &["area"], &["obszar"]),
    (Word::Prices, &["prices", "price list"], &["ceny", "cennik"]),
    (Word::Rules, &["rules", "rule"], &["zasady", "zasada"]),
    (Word::Help, &["help"], &["pomoc"]),
    (
        Word::WhatNow,
        &["what can i do", "what can i write", "what should i do", "what now"],
        &["co mogę zrobić", "co mogę napisać", "co mam zrobić", "co teraz"],
    ),
    (Word::News, &["news"], &["wieści", "nowiny"]),
    (Word::Extend, &["extend"], &["przedłuż", "przedłużenie"]),
    (Word::Away, &["away", "absent"], &["nieobecność", "nieobecny", "nieobecna"]),
    (Word::Detail, &["detail", "details"], &["szczegóły"]),
    (Word::Data, &["data"], &["dane"]),
    (Word::Addresses, &["addresses", "my addresses"], &["adresy", "moje adresy"]),
    (Word::Forget, &["forget"], &["zapomnij"]),
    (Word::Devices, &["devices", "my devices"], &["urządzenia", "moje urządzenia"]),
    (
        Word::ForgetDevices,
        &["forget devices", "forget my devices", "forget all devices"],
        &["zapomnij urządzenia", "zapomnij moje urządzenia"],
    ),
    (Word::NewLink, &["new link"], &["nowy link", "nowy odnośnik"]),
    (Word::CopiesOn, &["copies on"], &["kopie tak"]),
    (Word::CopiesOff, &["copies off"], &["kopie nie"]),
    (Word::Back, &["back"], &["wracam", "wróciłem", "wróciłam"]),
];

/// The words inside an order.
pub const INNER: &[Row] = &[
    (Word::From, &["from", "off", "out of"], &["z", "ze", "znad", "spod"]),
    (Word::To, &["to", "into", "onto", "towards", "toward"], &["do", "na", "nad", "ku", "dla"]),
    (Word::In, &["in", "at", "on", "near"], &["w", "we", "na", "nad"]),
    (
        Word::With,
        &["with", "using", "plus", "carrying", "carries", "carry", "giving", "taking", "takes", "transporting"],
        &["z", "ze", "za", "dając", "oddając", "wioząc", "wiezie", "zabiera", "zabierając"],
    ),
    (Word::For, &["for"], &["za"]),
    (Word::And, &["and", "comma"], &["i", "oraz", "a", "przecinek"]),
    (
        Word::Filler,
        &["the", "of", "a", "an", "my", "x", "by", "by land", "by sea"],
        &["moje", "mój", "moja", "moją", "moich"],
    ),
    (Word::Via, &["via", "through", "over", "arrow"], &["przez", "strzałka"]),
    (
        Word::Token,
        &["tokens", "token", "units", "unit", "pop", "pops", "population", "people", "men", "guys", "tok", "toks"],
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
            "pionki",
            "pionków",
            "pionek",
            "ludzi",
        ],
    ),
    (Word::OneToken, &["token", "unit", "tok"], &["żeton", "żetonem", "żetonu", "jednostka", "jednostkę", "pionek"]),
    (
        Word::Ship,
        &["ship", "ships", "boat", "boats", "fleet"],
        &["statek", "statki", "statków", "statkiem", "statkami", "statku", "okręt", "okręty", "łódź"],
    ),
    (
        Word::City,
        &["city", "cities", "town", "towns"],
        &["miasto", "miasta", "miast", "miastem", "mieście", "miastami"],
    ),
    (
        Word::Treasury,
        &["treasury", "gold coins", "coins", "coin", "treasure", "money"],
        &["skarbiec", "skarbca", "skarbcza", "skarbcu", "skarbcem", "monety", "monet", "moneta", "monetę", "monetami"],
    ),
    (Word::Card, &["card", "cards"], &["karta", "karty", "kartę", "kart"]),
    (Word::Stack, &["stack", "deck", "stacks", "pile", "stk"], &["talii", "talia", "talię", "stosu", "stos"]),
    (Word::OfferNumber, &["offer", "number", "no", "nr", "num"], &["oferta", "ofertę", "oferty", "numer", "nr"]),
    (Word::No, &["no", "without", "not"], &["bez", "żadnego", "żadnych", "nie"]),
    (Word::Nothing, &["nothing", "none", "nobody", "no one"], &["nic", "żadne", "niczego", "nikt", "nikogo"]),
    (
        Word::All,
        &[
            "all",
            "everything",
            "everyone",
            "everybody",
            "every",
            "each",
            "rest",
            "remaining",
            "all of",
            "all of them",
            "all of it",
            "all of these",
            "all of those",
            "each of",
            "every one of",
            "rest of",
        ],
        &[
            "wszystkie",
            "wszystko",
            "wszystkich",
            "wszyscy",
            "wszystkim",
            "wszystkimi",
            "każdy",
            "każdego",
            "każdemu",
            "każde",
            "każdą",
            "resztę",
            "reszta",
            "pozostałe",
        ],
    ),
    (
        Word::Any,
        &["any", "anything", "whatever"],
        &["dowolna", "dowolne", "dowolny", "dowolnych", "dowolną", "cokolwiek", "jakąkolwiek"],
    ),
    (
        Word::Last,
        &["last", "last one", "last line"],
        &["ostatni", "ostatnie", "ostatnia", "ostatnią", "ostatni wiersz"],
    ),
    (
        Word::Load,
        &["load", "loads", "loading", "embark", "pick up"],
        &["załaduj", "ładuj", "załadować", "załadunek", "weź", "zabierz"],
    ),
    (
        Word::Unload,
        &["unload", "unloads", "disembark", "land", "drop", "drop off"],
        &["wyładuj", "rozładuj", "wysadź", "wyładować", "zostaw"],
    ),
    (Word::Leaving, &["leaving", "leave", "leaves"], &["zostawiając", "zostaw", "pozostawiając", "zostawiam"]),
    (
        Word::UpTo,
        &["up to", "at most", "max", "maximum", "no more than"],
        &["najwyżej", "co najwyżej", "do", "maksymalnie", "maks"],
    ),
    (Word::Until, &["until", "till", "stop at", "stop on", "stopping at"], &["do", "aż do", "aż trafię"]),
    (
        Word::Calamity,
        &["calamity", "a calamity", "the first calamity", "first calamity"],
        &["katastrofy", "katastrofa", "katastrofę", "pierwszej katastrofy"],
    ),
    (
        Word::Keep,
        &["keep", "keeping", "leaving", "leave"],
        &["zostaw", "zostawiając", "zachowaj", "zostawiam", "zachowując"],
    ),
    (Word::Free, &["free", "for free"], &["za darmo", "darmo", "gratis"]),
    (Word::Saying, &["saying", "say"], &["mówiąc", "mówię", "mów"]),
    (Word::Paying, &["paying", "pay with", "by paying", "pay", "paid with"], &["płacąc", "płacę", "zapłacę"]),
    (
        Word::Credits,
        &["credits", "credit"],
        &["zniżki", "zniżek", "zniżka", "zniżkę", "zniżkami", "kredyty", "kredytami"],
    ),
    (Word::As, &["as"], &["jako"]),
    (Word::Against, &["against", "upon"], &["przeciw", "przeciwko"]),
    (Word::Point, &["points", "point", "pts"], &["punkty", "punktów", "punkt"]),
    (Word::Then, &["then"], &["to", "wtedy", "wówczas"]),
    (
        Word::Else,
        &["else", "otherwise", "or else", "if not"],
        &["inaczej", "w przeciwnym razie", "w przeciwnym wypadku", "a jeśli nie", "jeśli nie"],
    ),
    (Word::Holds, &["holds", "hold", "has", "have", "contains"], &["ma", "mają", "zawiera"]),
    (Word::Is, &["is", "are", "be", "there is", "there are"], &["jest", "są"]),
    (Word::Empty, &["empty", "vacant", "unoccupied"], &["puste", "pusty", "pusta", "pusto"]),
    (Word::Occupied, &["occupied", "taken"], &["zajęte", "zajęty", "zajęta"]),
    (Word::AtMost, &["at most", "up to", "no more than", "max"], &["najwyżej", "co najwyżej", "maksymalnie"]),
    (Word::AtLeast, &["at least", "no fewer than", "no less than"], &["co najmniej", "przynajmniej", "minimum"]),
    (Word::Barbarians, &["barbarians", "barbarian"], &["barbarzyńcy", "barbarzyńców", "barbarzyńca"]),
    (Word::Pirate, &["pirate", "pirates"], &["pirackie", "piratów", "piraci", "piraty"]),
    (
        Word::Please,
        &[
            "please",
            "pls",
            "plz",
            "thanks",
            "thank you",
            "thx",
            "ty",
            "now",
            "too",
            "also",
            "cheers",
            "period",
            "full stop",
            "if possible",
        ],
        &["proszę", "dziękuję", "dzięki", "teraz", "kropka", "pozdrawiam", "też"],
    ),
    (Word::Try, &["try"], &["próba"]),
    (
        Word::Lead,
        &[
            "please",
            "pls",
            "plz",
            "kindly",
            "then",
            "and",
            "also",
            "next",
            "now",
            "first",
            "second",
            "third",
            "finally",
            "i",
            "we",
            "ill",
            "and then",
            "after that",
            "i will",
            "we will",
            "let",
            "lets",
            "let us",
            "id like to",
            "want to",
            "would like to",
            "going to",
            "im going to",
            "my orders",
            "my order",
            "my moves",
            "here are my orders",
            "here are my moves",
            "hi",
            "hello",
            "hey",
            "ok",
            "okay",
            "so",
            "order",
        ],
        &[
            "proszę",
            "potem",
            "a potem",
            "następnie",
            "oraz",
            "chcę",
            "chciałbym",
            "chciałabym",
            "teraz",
            "najpierw",
            "dalej",
            "później",
            "na koniec",
            "moje rozkazy",
            "moje ruchy",
            "cześć",
            "hej",
            "dobra",
            "rozkaz",
        ],
    ),
    (Word::Moderator, &["moderator", "gm", "referee"], &["moderatora", "moderator", "moderatorowi", "sędziego"]),
    (Word::Hour, &["h", "hours", "hour", "hrs", "hr"], &["godzin", "godziny", "godzinę", "godzina", "godz"]),
    (Word::Day, &["days", "day", "d"], &["dni", "dzień", "dnia"]),
    (Word::Week, &["weeks", "week"], &["tygodnie", "tydzień", "tygodni"]),
    (Word::Tomorrow, &["tomorrow"], &["jutra", "jutro"]),
    (Word::Overmorrow, &["the day after tomorrow"], &["pojutrza", "pojutrze"]),
    (Word::Till, &["until", "till", "til", "to"], &["do", "aż do"]),
    (Word::Turn, &["turn", "of turn"], &["tura", "tury", "turę"]),
    (Word::By, &["by", "for another"], &["o", "jeszcze o"]),
    (Word::Deadline, &["deadline", "the deadline", "cutoff", "cut off"], &["termin", "terminu"]),
    (Word::Ordinal, &["st", "nd", "rd", "th"], &["ego"]),
    (Word::Rule, &["r", "rule", "phase"], &["zasada", "faza", "fazy"]),
    (Word::Times, &["x", "times"], &["razy"]),
    (Word::New, &["new", "another", "one more"], &["nowy", "nowe", "nowa", "kolejny", "kolejne"]),
    (Word::Rate, &["rate", "tax rate"], &["stawka", "stawkę", "po"]),
    (Word::Per, &["per", "each", "for each"], &["za każde", "od"]),
    (Word::Gold, &["gold"], &["złota", "złoto", "złotych"]),
    (
        Word::During,
        &["for", "in", "on", "during", "in case of", "at"],
        &["przy", "podczas", "w razie", "w przypadku", "na wypadek", "dla"],
    ),
    (Word::MoreThan, &["more than", "over", "above"], &["więcej niż", "ponad"]),
    (Word::FewerThan, &["fewer than", "less than", "under", "below"], &["mniej niż", "poniżej"]),
    (Word::Exactly, &["exactly", "just"], &["dokładnie", "równo"]),
    (Word::Or, &["or"], &["lub", "albo"]),
    (Word::Have, &["have", "having", "i have", "we have"], &["mam", "mamy", "mając"]),
    (Word::Daily, &["daily", "once a day", "every day"], &["codziennie", "raz dziennie", "dziennie"]),
];

/// Slips of the fingers in small words that stand in nearly every order, and that no rule of slips may judge: they are
/// too short, or words themselves.
pub(crate) const SLIPS: &[(Word, &[&str])] = &[
    (Word::From, &["form", "fom", "frm", "rfom", "fro"]),
    (Word::To, &["ot", "tto", "tp"]),
    (Word::With, &["wiht", "wtih", "wit"]),
    (Word::And, &["adn", "annd"]),
    (Word::Filler, &["teh", "hte"]),
    (Word::Ship, &["shpi", "shp", "hsip", "shiip", "sihp"]),
    (Word::Ship, &["statke", "sttaek", "satek"]),
    (Word::City, &["ciyt", "cty", "icty", "citty", "ctiy"]),
    (Word::City, &["maisto", "miatso", "misto"]),
    (Word::Token, &["tokns", "toekns", "tokesn", "zeotny", "zetnoy"]),
    (Word::Stack, &["stak", "satck", "stakc", "tali"]),
    (Word::Treasury, &["tresury", "treasry", "treasuyr", "tresaury"]),
];

/// Spellings that are ordinary words too: an order begins with one of them only if all of it can be read.
#[rustfmt::skip]
pub(crate) const LOOSE: &[&str] = &[
    "accepts", "anuluj", "area", "arkusz", "back", "biore", "building", "builds", "buys", "cancel", "cennik", "ceny", "chce", "chcialabym",
    "chcialbym", "choose", "construct", "czysc", "dane", "data", "delete", "detail", "details", "digest", "done moving", "done trading", "establish", "finished",
    "found", "gdy", "gdyby", "go", "gotowe", "grow", "hand", "handel", "handluje", "help", "historia", "history", "id like",
    "ide", "jak", "koniec handlu", "koniec ruchow", "koniec ruchu", "line", "linia", "looking for", "map", "mapa", "march",
    "moves", "moving", "news", "nie dla", "no thanks to", "no to", "nowiny", "obszar", "oferty", "offers", "ok", "open offers", "otwarte oferty", "orders", "plac", "plyna", "plynie",
    "podsumowanie", "pomoc", "price list", "prices", "poprosze", "poszukuje", "postaw", "proponuje", "propose", "purchase", "refuse", "reka", "remove", "rozkazy", "ruchy", "rozrastam",
    "rule", "rules", "rusz", "ruszam", "sailing", "sails", "seeking", "send", "set tax", "set taxes", "sheet", "skresl",
    "stan", "status", "stawka", "summary", "swap", "szczegoly", "swap with", "szukam", "take", "trade", "trade with", "transfer", "usun", "waiting",
    "walk", "want", "wants", "what can i do", "what can i write", "what now", "what should i do", "co mam zrobic", "co moge napisac",
    "co moge zrobic", "co teraz", "wiersz", "wiesci", "would like", "wracam", "wrocilam", "wrocilem", "wymiana", "wymieniam", "wyrzuc",
    "wyrzucam", "wyslij", "zakladam", "zaloz", "zasada", "zasady",
];

/// Number words.
pub(crate) const NUMBERS: &[(u16, &[&str], &[&str])] = &[
    (0, &["zero"], &["zero"]),
    (1, &["one", "single"], &["jeden", "jedna", "jedno", "jednego", "jednej", "jedną", "jednym"]),
    (
        2,
        &["two", "both", "couple", "pair"],
        &[
            "dwa", "dwie", "dwóch", "dwoma", "dwiema", "dwoje", "dwójka", "dwójkę", "oba", "obie", "obydwa", "obydwie",
            "para",
        ],
    ),
    (3, &["three"], &["trzy", "trzech", "trzema", "trójka", "trójkę"]),
    (4, &["four"], &["cztery", "czterech", "czterema", "czwórka", "czwórkę"]),
    (5, &["five"], &["pięć", "pięciu"]),
    (6, &["six"], &["sześć", "sześciu"]),
    (7, &["seven"], &["siedem", "siedmiu"]),
    (8, &["eight"], &["osiem", "ośmiu"]),
    (9, &["nine"], &["dziewięć", "dziewięciu"]),
    (10, &["ten"], &["dziesięć", "dziesięciu"]),
    (11, &["eleven"], &["jedenaście", "jedenastu"]),
    (12, &["twelve", "dozen"], &["dwanaście", "dwunastu", "tuzin"]),
    (13, &["thirteen"], &["trzynaście", "trzynastu"]),
    (14, &["fourteen"], &["czternaście", "czternastu"]),
    (15, &["fifteen"], &["piętnaście", "piętnastu"]),
    (16, &["sixteen"], &["szesnaście", "szesnastu"]),
    (17, &["seventeen"], &["siedemnaście", "siedemnastu"]),
    (18, &["eighteen"], &["osiemnaście", "osiemnastu"]),
    (19, &["nineteen"], &["dziewiętnaście", "dziewiętnastu"]),
    (20, &["twenty"], &["dwadzieścia", "dwudziestu"]),
    (30, &["thirty"], &["trzydzieści", "trzydziestu"]),
    (40, &["forty", "fourty"], &["czterdzieści", "czterdziestu"]),
    (50, &["fifty"], &["pięćdziesiąt", "pięćdziesięciu"]),
    (60, &["sixty"], &["sześćdziesiąt", "sześćdziesięciu"]),
    (70, &["seventy"], &["siedemdziesiąt", "siedemdziesięciu"]),
    (80, &["eighty"], &["osiemdziesiąt", "osiemdziesięciu"]),
    (90, &["ninety"], &["dziewięćdziesiąt", "dziewięćdziesięciu"]),
];

/// How much letters tell, as players say it.
pub(crate) const DETAILS: &[(Detail, &[&str], &[&str])] = &[
    (Detail::Brief, &["brief", "short", "less", "low"], &["zwięźle", "krótko", "mało", "zwięzłe", "krótkie", "mniej"]),
    (Detail::Normal, &["normal", "medium", "default"], &["normalnie", "zwykle", "normalne", "zwykłe"]),
    (Detail::Full, &["full", "all", "more", "high"], &["pełne", "wszystko", "dużo", "pełnie", "więcej", "wszystkie"]),
];

/// Yes and no, as players say it of something that is on or off.
pub(crate) const SWITCH: &[(bool, &[&str], &[&str])] =
    &[(true, &["on", "yes"], &["tak", "włącz", "wł"]), (false, &["off", "no"], &["nie", "wyłącz", "wył"])];

/// Words of talk. A line of talk may begin with a verb of ours, and one of these and no name betrays it.
#[rustfmt::skip]
pub(crate) const TALK: &[&str] = &[
    // English.
    "along", "am", "anyone", "because", "break", "but", "can", "cant", "could", "dear", "did", "do", "does", "dont", "else", "friend",
    "friends", "going", "good", "great", "guys", "happy", "has", "he", "her", "here", "him", "his", "hope", "how", "i", "is",
    "it", "its", "just", "know", "like", "luck", "maybe", "me", "mine", "nice", "now", "our", "really", "seems", "she",
    "should", "so", "still", "than", "that", "thats", "their", "them", "there", "these", "they", "think", "this",
    "those", "time", "today", "tomorrow", "turn", "up", "us", "very", "was", "way", "we", "well", "were", "what", "when", "where",
    "who", "why", "will", "would", "you", "your", "yours", "yourself",
    // Polish, folded.
    "ale", "bardzo", "bo", "by", "byc", "byl", "byla", "bylo", "chyba", "ci", "cie", "co", "czy", "dobrze", "dzis",
    "dzisiaj", "gdzie", "go", "ich", "jak", "jednak", "jego", "jej", "jest", "jestem", "juz", "jutro", "kiedy", "kto",
    "ktory", "mam", "mi", "mnie", "moze", "my", "nam", "nas", "nasz", "nic", "niestety", "oni", "pan", "pani", "sa",
    "sie", "slowo", "sobie", "spac", "swoj", "ta", "tak", "tam", "te", "ten", "tego", "tu", "twoj", "twoja", "twoje", "ty", "tylko", "wam", "was", "wasz",
    "wiem", "ze", "zeby",
];

/// Ordinary words that a slip away from a verb mean what they say: `love` is no `move`.
#[rustfmt::skip]
pub(crate) const NO_VERBS: &[&str] = &[
    // English.
    "after", "also", "bail", "base", "been", "beep", "best", "boot", "build", "built", "buying", "chase", "chose",
    "chosen", "close", "come", "cove", "days", "deep", "dear", "debut", "dine", "dive", "does", "dome", "dont", "done",
    "dove", "down", "else", "fail", "five", "fine", "foot", "free", "full", "gain", "game", "gave", "given", "glow",
    "gone", "guild", "guys", "hail", "have", "help", "here", "hive", "hope", "hose", "house", "into", "jail", "jeep",
    "keen", "kelp", "kept", "last", "late", "less", "life", "like", "live", "lives", "loose", "look", "loop", "loss",
    "lost", "lots", "love", "loves", "made", "mail", "main", "make", "many", "mars", "mass", "mode", "more", "mouse",
    "much", "must", "nail", "nine", "none", "nope", "nose", "only", "onto", "over", "paid", "pain", "part", "past",
    "peep", "phase", "play", "pose", "post", "quit", "rail", "real", "resolved", "root", "rose", "said", "sale",
    "same", "save", "saves", "says", "seal", "seems", "seen", "self", "sell", "sends", "sent", "share", "slow", "soil",
    "some", "soot", "sorry", "space", "spend", "square", "such", "sure", "tail", "take", "talk", "tall", "text",
    "than", "that", "them", "then", "they", "this", "thus", "till", "time", "turn", "undue", "used", "user", "wail",
    "wake", "walt", "want", "ways", "weep", "well", "went", "were", "what", "will", "wine", "wise", "with", "your",
    // Polish, folded.
    "bedzie", "bylo", "dalej", "dama", "dane", "dala", "dale", "duch", "dusza", "gdyz", "jaki", "kiedy", "komu", "koni",
    "kupa", "kupy", "lipa", "lupa", "mapy", "maja", "mecz", "moje", "nasz", "oferty", "ofiara", "panie", "para", "pasy",
    "prace", "praca", "razem", "ruchu", "ruchy", "szary", "tace", "tracy", "tracisz", "wasz", "wiec", "zasad", "zawsze",
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
pub(crate) const MONTHS: [(&[&str], &[&str]); 12] = [
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
pub(crate) const WEEKDAYS: [(&[&str], &[&str]); 7] = [
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
    pub(crate) fn said(self, language: Language) -> &'static str {
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
