//! What we print is read again: every command in both languages, every area with its prepositions, and whole sheets.
//!
//! The commands are the same at every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` choose others, and more of them.

use std::sync::LazyLock;

use cursus::game::command::{Ability, Asks, BuyLimits, Payment, SailAct, ShipPrice, Substitute, Test, Wanted, Wish};
use cursus::game::trade::OfferedTo;
use cursus::game::{Command, Count, Owner, Phase};
use cursus::orders::{Lexicon, Reading, Sheet, Written, read};
use cursus::report::{Names, worded};
use cursus::rules::{Advance, AreaId, Calamity, Civ, Commodity, Face, Group, Language, PrintedGame};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

static PRINTED: LazyLock<PrintedGame> =
    LazyLock::new(|| PrintedGame::built_in().expect("the built-in edition is sound"));
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&PRINTED));

/// So many random commands, the same at every run unless the environment says otherwise.
fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { cases };
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        RngSeed::Fixed(seed) => RngSeed::Fixed(seed),
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 3000, ..asked }
}

proptest! {
    #![proptest_config(config(6000))]

    #[test]
    fn a_command_is_read_again_as_itself(command in commands()) {
        for language in Language::ALL {
            let line = worded(Names::new(&PRINTED, language), &command);
            prop_assert_eq!(only_order(&line), Ok(command.clone()), "{}", line);
        }
    }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn so_is_what_the_market_asks_for(command in market()) {
        for language in Language::ALL {
            let line = worded(Names::new(&PRINTED, language), &command);
            prop_assert_eq!(only_order(&line), Ok(command.clone()), "{}", line);
        }
    }
}

/// Offers to several and again, answers to whatever fits, wishes.
fn market() -> impl Strategy<Value = Command> {
    let wanted = || vec(prop_oneof![Just(Wanted::Any), faces().prop_map(Wanted::Named)], 1..6);
    let offer = (vec(civs(), 0..4), vec(faces(), 1..6), wanted(), vec(faces(), 0..4), 1..9u16);
    let offer = offer.prop_map(|(to, gives, wants, says, times)| {
        let to = OfferedTo::these(to);
        Command::Offer { to, gives, wants, says, times }
    });
    prop_oneof![
        offer,
        (wanted(), vec(faces(), 1..6)).prop_map(|(of, gives)| Command::AcceptAny { of, gives }),
        (vec(faces(), 0..4), vec(faces(), 0..4)).prop_map(|(wants, has)| Command::Post { wants, has }),
    ]
}

/// Small words that say nothing, in either language.
const FILLERS: [&str; 5] = ["the", "my", "of the", "the my", "of my"];

proptest! {
    #![proptest_config(config(2500))]

    /// Fillers where they may stand, behind a preposition or a count, change nothing; anywhere else they may make a line
    /// unreadable, but never another order. The same holds for those that are left out.
    #[test]
    fn fillers_never_change_a_command(command in commands(), filler in select(&FILLERS[..]), places: u64) {
        for language in Language::ALL {
            let line = worded(Names::new(&PRINTED, language), &command);
            let words: Vec<&str> = line.split(' ').collect();
            let chosen = |at: usize| places >> (at % 64) & 1 == 1;
            let mut harmless = Vec::new();
            let mut anywhere = Vec::new();
            let mut fewer = Vec::new();
            for (at, word) in words.iter().enumerate() {
                harmless.push((*word).to_owned());
                anywhere.push((*word).to_owned());
                let is_preposition = ["from", "to", "in", "into"].contains(word) && language == Language::English;
                let is_name = at > 0 && words[at - 1] == "City";
                if is_preposition && !is_name && chosen(at) && is_before_area(&words[at + 1..]) {
                    harmless.push("the".to_owned());
                }
                let counts = matches!(command, Command::Move { .. }) && at == 1;
                if counts && language == Language::English {
                    harmless.push(if chosen(at) { "of the tokens" } else { "tokens" }.to_owned());
                }
                // Inside a name nobody writes one.
                let between = [Some(word), words.get(at + 1)].into_iter().flatten().any(|word| is_small(word));
                if chosen(at) && between {
                    anywhere.push(filler.to_owned());
                }
                let leaves_out = ["from", "to", "in", "z", "do", "na", "w"].contains(word) && chosen(at);
                fewer.extend((!leaves_out).then(|| (*word).to_owned()));
            }
            prop_assert_eq!(read_order(&harmless.join(" ")), Some(command.clone()), "{}", harmless.join(" "));
            for other in [anywhere.join(" "), fewer.join(" ")] {
                let read = read_order(&other);
                prop_assert!(read.is_none() || read == Some(command.clone()), "{}: {:?}", other, read);
            }
        }
    }
}

/// Whether a word is a number or stands between names.
fn is_small(word: &str) -> bool {
    let words =
        ["from", "to", "in", "on", "with", "for", "load", "unload", "paying", "leaving", "holds", "then", "all"];
    let polish = ["z", "ze", "do", "na", "w", "we", "za", "ma", "dla", "płacąc", "załaduj", "wyładuj", "wszystkie"];
    word.parse::<u16>().is_ok() || words.contains(&word) || polish.contains(&word)
}

/// Whether an area follows, and not the treasury or a stack.
fn is_before_area(words: &[&str]) -> bool {
    words.first().is_some_and(|word| word.starts_with(char::is_uppercase))
}

/// The one order of a line, whatever was guessed; none if it is no order, or several.
fn read_order(line: &str) -> Option<Command> {
    let mut pieces = read(line, &LEXICON).into_iter().flat_map(|line| line.pieces);
    match (pieces.next()?.reading, pieces.next()) {
        (Reading::Written(Written::Orders(mut commands)), None) if commands.len() == 1 => commands.pop(),
        _ => None,
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// The phase that is open is the movement: what is older is for the next turn, and `done` and `wait` speak of it.
    #[test]
    fn a_sheet_is_read_again_as_itself(commands in vec(commands(), 0..12)) {
        let lines: Vec<_> =
            commands.iter().map(|command| worded(Names::new(&PRINTED, Language::English), command)).collect();
        let sheet = filed(&lines.join("\n"));
        let entries: usize = Phase::ALL.into_iter().map(|phase| sheet.part(phase).len()).sum();
        prop_assert_eq!(entries, commands.len(), "each has its place");
        for language in Language::ALL {
            let printed = numbered(Names::new(&PRINTED, language), &sheet);
            let again = filed(&printed);
            for phase in Phase::ALL {
                prop_assert_eq!(on(&again, phase), on(&sheet, phase), "{}", printed);
            }
        }
    }
}

#[test]
fn every_area_is_known_again_behind_every_preposition() {
    for language in Language::ALL {
        let names = Names::new(&PRINTED, language);
        let other = AreaId(0);
        let mut wrong = Vec::new();
        for area in PRINTED.map.ids() {
            let with = Substitute::Tokens { from: area, count: Count::Exactly(1) };
            let lines = [
                Command::Move { count: Count::Exactly(1), path: vec![area, other] },
                Command::Move { count: Count::Exactly(1), path: vec![other, area, area] },
                Command::Sail { from: area, acts: vec![SailAct::To(area), SailAct::To(area)] },
                Command::BuildShip { area, price: ShipPrice::treasury() },
                Command::MaintainShip { area, token_from: Some(area) },
                Command::Substitute { area, with },
                Command::BuildCity { area, treasury: 1, neighbours: vec![(area, 1)], leaving: 1 },
                Command::BuildNoCity { area: Some(area) },
                Command::Resolve { areas: vec![area, area] },
                Command::Delay { area },
                Command::Reduce { areas: vec![area, area] },
                Command::Expand { shares: vec![(area, 2), (area, 3)] },
                Command::Wish { calamity: None, wish: Wish::Lose(vec![(area, Some(2)), (area, None)]) },
                Command::Use { ability: Some(Ability::Monotheism(vec![area, area])) },
                Command::Use { ability: Some(Ability::Diaspora(vec![(1, area, area), (2, area, area)])) },
                emptiness(area, Asks::IsEmpty),
                emptiness(area, Asks::IsOccupied),
                emptiness(area, Asks::Holds(2, Owner::Barbarians)),
            ];
            let lines = lines.into_iter().map(|command| (worded(names, &command), command));
            wrong
                .extend(lines.filter(|(line, command)| only_order(line).as_ref() != Ok(command)).map(|(line, _)| line));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// The areas of a casebook map have Polish forms only by chance.
#[test]
fn names_that_a_casebook_made_up_stay_as_they_are() {
    let mut printed = PRINTED.clone();
    for (area, name) in printed.map.areas.iter_mut().zip(["Crete", "Thera", "Isle 2", "Wyspa", "Old Town"]) {
        (area.key, area.name) = (name.to_lowercase().replace(' ', "_"), name.to_owned());
    }
    // The printed areas of that name make room.
    printed.map.areas.truncate(5);
    let lexicon = Lexicon::new(&printed);
    let names = Names::new(&printed, Language::Polish);
    let walk = |path: &[u16]| Command::Move {
        count: Count::Exactly(3),
        path: path.iter().map(|area| AreaId(*area)).collect(),
    };
    for (command, line) in [
        (walk(&[0, 1]), "ruch 3 z Crete na Terę"),
        (walk(&[4, 2, 3]), "ruch 3 z Old Town do Isle 2 do Wyspa"),
        (Command::BuildShip { area: AreaId(0), price: ShipPrice::treasury() }, "zbuduj statek w Crete"),
        (Command::Expand { shares: vec![(AreaId(2), 2), (AreaId(3), 1)] }, "rozrost Isle 2 2, Wyspa 1"),
    ] {
        assert_eq!(worded(names, &command), line);
        assert_eq!(order_of(line, &lexicon), Ok(command), "{line}");
    }
}

fn emptiness(area: AreaId, asks: Asks) -> Command {
    Command::If { test: Test { area, asks }, then: Box::new(Command::Use { ability: None }), otherwise: None }
}

/// A sheet as its player is shown it: part by part, one number an order.
fn numbered(names: Names, sheet: &Sheet) -> String {
    let entries = Phase::ALL.into_iter().flat_map(|phase| sheet.part(phase));
    let lines = entries.map(|entry| match entry.number {
        Some(number) => format!("{number}. {}\n", worded(names, &entry.command)),
        None => worded(names, &entry.command) + "\n",
    });
    lines.collect()
}

fn filed(letter: &str) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.add(&read(letter, &LEXICON), Phase::Movement, 1);
    sheet
}

fn on(sheet: &Sheet, phase: Phase) -> Vec<(Option<u16>, Command)> {
    sheet.part(phase).iter().map(|entry| (entry.number, entry.command.clone())).collect()
}

fn only_order(line: &str) -> Result<Command, String> {
    order_of(line, &LEXICON)
}

/// The one order of a line, which is read without any guess.
fn order_of(line: &str, lexicon: &Lexicon) -> Result<Command, String> {
    let mut pieces = read(line, lexicon).into_iter().flat_map(|line| line.pieces);
    match (pieces.next(), pieces.next()) {
        (Some(piece), None) => match piece.reading {
            Reading::Written(Written::Orders(mut commands)) if commands.len() == 1 && piece.read_as.is_empty() => {
                Ok(commands.remove(0))
            }
            reading => Err(format!("{reading:?}, read as {:?}", piece.read_as)),
        },
        pieces => Err(format!("{pieces:?}")),
    }
}

/// Every command that a line can say. What no line says, and no reader makes, is left out: lists without a member where
/// `nothing` means nothing, `loot` without any choice, a wish for every calamity to reduce or select (that is the order
/// of phase 5 or 1), a walk or voyage without a step, a ship's price that calls its own area elsewhere.
fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![3 => dependable(), 4 => independent(), 2 => conditional()]
}

/// What may stand behind a test.
fn dependable() -> BoxedStrategy<Command> {
    let price = (0..6u16, 0..6u16, vec((areas(), 0..4u16), 0..3));
    let ship = (areas(), price).prop_map(|(area, (treasury, here, mut elsewhere))| {
        elsewhere.retain(|(from, _)| *from != area);
        Command::BuildShip { area, price: ShipPrice { treasury, here, elsewhere } }
    });
    let plain = areas().prop_map(|area| Command::BuildShip { area, price: ShipPrice::treasury() });
    let city = (areas(), 0..9u16, vec((areas(), 0..9u16), 0..3), 0..4u16)
        .prop_map(|(area, treasury, neighbours, leaving)| Command::BuildCity { area, treasury, neighbours, leaving });
    let act = prop_oneof![counts().prop_map(SailAct::Load), counts().prop_map(SailAct::Unload), steps()];
    let sail = (areas(), vec(act, 0..5), steps(), vec(counts().prop_map(SailAct::Unload), 0..2))
        .prop_map(|(from, acts, step, last)| Command::Sail { from, acts: [acts, vec![step], last].concat() });
    prop_oneof![
        (counts(), vec(areas(), 2..5)).prop_map(|(count, path)| Command::Move { count, path }),
        ship,
        plain,
        (areas(), option::of(areas())).prop_map(|(area, token_from)| Command::MaintainShip { area, token_from }),
        areas().prop_map(|area| Command::ScrapShip { area }),
        sail,
        city,
        option::of(abilities()).prop_map(|ability| Command::Use { ability }),
        acquisitions(),
    ]
    .boxed()
}

/// What speaks for itself.
fn independent() -> impl Strategy<Value = Command> {
    let lists = || vec(areas(), 1..5);
    let loot = (option::of(numbers()), option::of(any::<bool>()))
        .prop_filter("loot says something", |(treasury, card)| treasury.is_some() || card.is_some())
        .prop_map(|(treasury, card)| Command::Loot { treasury, card });
    let with = prop_oneof![
        counts().prop_map(Substitute::Ships),
        (areas(), counts()).prop_map(|(from, count)| Substitute::Tokens { from, count }),
    ];
    let limits = (any::<bool>(), numbers()).prop_map(|(until_calamity, keep)| BuyLimits { until_calamity, keep });
    let buy = (numbers(), numbers(), option::of(limits), any::<bool>())
        .prop_map(|(stack, count, limits, free)| Command::Buy { stack, count, limits, free });
    let wanted = prop_oneof![Just(Wanted::Any), faces().prop_map(Wanted::Named)];
    let offer = (option::of(civs()), vec(faces(), 1..6), vec(wanted, 1..6), vec(faces(), 0..4));
    let offer = offer.prop_map(|(to, gives, wants, says)| {
        let to = OfferedTo::these(to);
        Command::Offer { to, gives, wants, says, times: 1 }
    });
    let phases_1_to_5 = prop_oneof![
        numbers().prop_map(|rate| Command::Tax { rate }),
        vec(areas(), 0..5).prop_map(|areas| Command::Select { areas }),
        vec((areas(), numbers()), 1..5).prop_map(|shares| Command::Expand { shares }),
        Just(Command::Done),
        Just(Command::Wait),
        lists().prop_map(|areas| Command::Resolve { areas }),
        areas().prop_map(|area| Command::Delay { area }),
        loot,
        (areas(), with).prop_map(|(area, with)| Command::Substitute { area, with }),
        option::of(areas()).prop_map(|area| Command::BuildNoCity { area }),
        vec(areas(), 0..5).prop_map(|areas| Command::Reduce { areas }),
    ];
    let phases_6_to_12 = prop_oneof![
        buy,
        Just(Command::Pass),
        offer,
        (numbers(), vec(faces(), 1..6)).prop_map(|(number, gives)| Command::Accept { number, gives }),
        numbers().prop_map(|number| Command::Decline { number }),
        numbers().prop_map(|number| Command::Withdraw { number }),
        wishes(),
        wishes(),
        wishes(),
        vec(faces(), 1..6).prop_map(|cards| Command::Give { cards }),
        vec(faces(), 0..9).prop_map(|cards| Command::Keep { cards }),
    ];
    prop_oneof![phases_1_to_5, phases_6_to_12]
}

/// Tests in tests, as deep as they are read. An `else` belongs to the last `if`, so a test that has one must not hold
/// one that has none before it.
fn conditional() -> impl Strategy<Value = Command> {
    let owner = || prop_oneof![3 => civs().prop_map(Owner::Civ), 1 => Just(Owner::Barbarians)];
    let asks = prop_oneof![
        (numbers(), owner()).prop_map(|(count, owner)| Asks::Holds(count, owner)),
        (numbers(), owner()).prop_map(|(count, owner)| Asks::AtMost(count, owner)),
        (numbers(), owner()).prop_map(|(count, owner)| Asks::AtLeast(count, owner)),
        Just(Asks::IsEmpty),
        Just(Asks::IsOccupied),
        owner().prop_map(Asks::HasCity),
    ];
    let test = (areas(), asks).prop_map(|(area, asks)| Test { area, asks }).boxed();
    let tested = |test: BoxedStrategy<Test>, inner: BoxedStrategy<Command>| {
        (test, inner.clone(), option::of(inner)).prop_map(|(test, then, otherwise)| {
            let otherwise = otherwise.filter(|_| !is_open(&then)).map(Box::new);
            Command::If { test, then: Box::new(then), otherwise }
        })
    };
    let mut nested = tested(test.clone(), dependable()).boxed();
    for _ in 0..3 {
        let inner = prop_oneof![2 => dependable(), 1 => nested.clone()].boxed();
        nested = prop_oneof![nested, tested(test.clone(), inner)].boxed();
    }
    nested
}

/// Whether an `else` behind it would be taken for its own.
fn is_open(command: &Command) -> bool {
    match command {
        Command::If { otherwise: Some(otherwise), .. } => is_open(otherwise),
        Command::If { otherwise: None, .. } => true,
        _ => false,
    }
}

fn wishes() -> impl Strategy<Value = Command> {
    let lists = || vec(areas(), 0..5);
    let of_all = prop_oneof![
        vec((civs(), option::of(numbers())), 0..5).prop_map(Wish::Victims),
        vec((areas(), option::of(numbers())), 0..5).prop_map(Wish::Lose),
        lists().prop_map(Wish::Spare),
        option::of(numbers()).prop_map(Wish::Pay),
        vec(faces(), 0..6).prop_map(Wish::Discard),
    ];
    let of_one = prop_oneof![lists().prop_map(Wish::Reduce), lists().prop_map(Wish::Select)];
    let calamities = || select(&Calamity::ALL[..]);
    prop_oneof![
        3 => (option::of(calamities()), of_all).prop_map(|(calamity, wish)| Command::Wish { calamity, wish }),
        1 => (calamities(), of_one).prop_map(|(calamity, wish)| Command::Wish { calamity: Some(calamity), wish }),
    ]
}

fn abilities() -> impl Strategy<Value = Ability> {
    let lists = || vec(areas(), 1..4);
    prop_oneof![
        vec((numbers(), areas(), areas()), 1..4).prop_map(Ability::Diaspora),
        lists().prop_map(Ability::Fundamentalism),
        lists().prop_map(Ability::Monotheism),
        numbers().prop_map(Ability::PoliticsTreasury),
        lists().prop_map(Ability::PoliticsAnnex),
        vec(civs(), 1..4).prop_map(Ability::ProvincialEmpire),
        vec(faces(), 1..5).prop_map(Ability::TradeRoutes),
        vec((areas(), option::of(numbers())), 1..4).prop_map(Ability::UniversalDoctrine),
    ]
}

fn acquisitions() -> impl Strategy<Value = Command> {
    let advances = || select(&Advance::ALL[..]);
    let groups = select(&Group::ALL[..]);
    let payment = (vec(faces(), 0..6), numbers(), option::of((faces(), faces())))
        .prop_map(|(cards, treasury, stands_in)| Payment { cards, treasury, stands_in });
    let gifts = (option::of(advances()), option::of(advances()), vec((groups, numbers()), 0..3));
    (vec(advances(), 1..4), option::of(payment), gifts).prop_map(|(advances, payment, (library_for, free, credits))| {
        Command::Acquire { advances, payment, library_for, free, credits }
    })
}

fn steps() -> impl Strategy<Value = SailAct> {
    areas().prop_map(SailAct::To)
}

fn areas() -> impl Strategy<Value = AreaId> {
    (0..PRINTED.map.areas.len() as u16).prop_map(AreaId)
}

fn civs() -> impl Strategy<Value = Civ> {
    (0..PRINTED.civilizations.len() as u8).prop_map(Civ)
}

/// Mostly few, so that equal ones stand together.
fn faces() -> impl Strategy<Value = Face> {
    prop_oneof![
        1 => Just(Face::Water),
        3 => (0..3u8).prop_map(|commodity| Face::Commodity(Commodity(commodity))),
        5 => (0..PRINTED.commodities.len() as u8).prop_map(|commodity| Face::Commodity(Commodity(commodity))),
        2 => select(&Calamity::ALL[..]).prop_map(Face::Calamity),
    ]
}

fn counts() -> impl Strategy<Value = Count> {
    prop_oneof![1 => Just(Count::All), 3 => numbers().prop_map(Count::Exactly)]
}

fn numbers() -> impl Strategy<Value = u16> {
    prop_oneof![4 => 0..25u16, 1 => 0..10_000u16]
}
