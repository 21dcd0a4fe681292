//! Numbers, months and days of the week in words.

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
