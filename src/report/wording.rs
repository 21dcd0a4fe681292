//! Commands in words: a sheet as it was understood, in the canonical forms of the order language.
//!
//! Comes in: a command and the names in the reader's language. Goes out: a line that the reading desk would read as that
//! command again. The words are the reading desk's own, the first spelling of each; Polish ones that must be inflected
//! are written out here.

#![warn(clippy::wildcard_enum_match_arm)]

use super::{Names, Term, wishes};
use crate::game::command::{Asks, BuyLimits, SailAct, ShipPrice, Substitute, Test, Wanted};
use crate::game::trade::OfferedTo;
use crate::game::{Command, Count, Owner};
use crate::orders::words::{Small, Word};
use crate::rules::{AreaId, Case, Face, Language};

/// The canonical line of a command.
pub fn worded(names: Names, command: &Command) -> String {
    let say = |word: Word| word.said(names.language);
    match command {
        Command::Tax { rate } => format!("{} {rate}", say(Word::Tax)),
        Command::Select { areas } => format!("{} {}", say(Word::Select), objects(names, areas)),
        Command::Expand { shares } => {
            let shares = shares.iter().map(|(at, count)| format!("{} {count}", names.area(*at)));
            format!("{} {}", say(Word::Expand), joined(shares, ", "))
        }
        Command::Move { count, path } => moved(names, *count, path),
        Command::BuildShip { area, price } => {
            let price = Some(price).filter(|price| **price != ShipPrice::treasury());
            let paid = price.map(|price| format!(" {} {}", say(Word::For), paid(names, *area, price)));
            let ship = format!("{} {}", say(Word::Build), say(Word::Ship));
            format!("{ship} {}{}", names.area_in(*area), paid.unwrap_or_default())
        }
        Command::MaintainShip { area, token_from } => {
            let with = names.small(Small::WithToken);
            let token = token_from.map(|from| format!(" {with} {}", names.area_from(from)));
            let ship = format!("{} {}", say(Word::Maintain), say(Word::Ship));
            format!("{ship} {}{}", names.area_in(*area), token.unwrap_or_default())
        }
        Command::ScrapShip { area } => {
            format!("{} {} {}", say(Word::Scrap), say(Word::Ship), names.area_in(*area))
        }
        Command::Sail { from, acts } => {
            let acts = acts.iter().map(|act| match act {
                SailAct::Load(count) => format!("{} {}", say(Word::Load), number(names, *count)),
                SailAct::Unload(count) => format!("{} {}", say(Word::Unload), number(names, *count)),
                SailAct::To(to) => names.area_to(*to),
            });
            format!("{} {} {}", say(Word::Sail), names.area_from(*from), joined(acts, " "))
        }
        Command::Done => say(Word::Done).to_owned(),
        Command::Wait => say(Word::Wait).to_owned(),
        // A list of cities in their sequence, not the object of the verb.
        Command::Resolve { areas } => {
            format!("{} {}", say(Word::Resolve), joined(areas.iter().map(|area| names.area(*area)), ", "))
        }
        Command::Delay { area } => format!("{} {}", say(Word::Delay), names.area_as(*area, Case::Accusative)),
        Command::Loot { treasury, card } => {
            let card = card.map(|card| if card { say(Word::Card) } else { names.small(Small::NoCard) });
            let taken = treasury.map(|amount| amount.to_string()).into_iter().chain(card.map(str::to_owned));
            format!("{} {}", say(Word::Loot), joined(taken, ", "))
        }
        Command::Substitute { area, with } => {
            format!("{} {} {}", say(Word::Substitute), substitute(names, with), names.area_in(*area))
        }
        Command::BuildCity { area, treasury, neighbours, leaving } => {
            let mut line = format!("{} {} {}", say(Word::Build), say(Word::City), names.area_in(*area));
            if *treasury > 0 {
                line += &format!(" {} {treasury} {}", names.small(Small::Paying), treasury_of(names));
            }
            for (from, count) in neighbours {
                line += &format!(" {} {count} {}", say(Word::With), names.area_from(*from));
            }
            if *leaving > 0 {
                line += &format!(" {} {leaving}", say(Word::Leaving));
            }
            line
        }
        Command::BuildNoCity { area: None } => names.small(Small::BuildNoCities).to_owned(),
        Command::BuildNoCity { area: Some(area) } => {
            format!("{} {}", names.small(Small::BuildNoCity), names.area_in(*area))
        }
        Command::Reduce { areas } => format!("{} {}", say(Word::Reduce), objects(names, areas)),
        Command::Buy { stack, count, limits, free } => bought(names, *stack, *count, *limits, *free),
        Command::Pass => say(Word::Pass).to_owned(),
        Command::Offer { to, gives, wants, says, times } => {
            let often = match times {
                0 | 1 => String::new(),
                times => format!(" {} {times} {}", names.small(Small::UpTo), names.small(Small::Times)),
            };
            offered(names, to, gives, wants, says) + &often
        }
        Command::AcceptAny { of, gives } => {
            let offers = format!("{} {}", say(Word::Accept), names.small(Small::OffersOf));
            format!("{offers} {} {} {}", wanted(names, of), say(Word::For), plain(names, gives))
        }
        Command::Post { wants, has } if wants.is_empty() && has.is_empty() => {
            format!("{} {}", say(Word::Want), names.small(Small::NothingAtAll))
        }
        Command::Post { wants, has } => {
            let half = |word: Word, cards: &[Face]| format!("{} {}", say(word), faces(names, cards, Case::Accusative));
            let wants = (!wants.is_empty()).then(|| half(Word::Want, wants));
            let has = (!has.is_empty()).then(|| half(Word::Have, has));
            joined(wants.into_iter().chain(has), " ")
        }
        Command::Accept { number, gives } => {
            let gives = joined(gives.iter().map(|face| names.face_as(*face, Case::Accusative)), ", ");
            format!("{} {number} {} {gives}", say(Word::Accept), names.small(Small::Giving))
        }
        Command::Decline { number } => format!("{} {number}", say(Word::Decline)),
        Command::Withdraw { number } => format!("{} {number}", say(Word::Withdraw)),
        Command::Wish { calamity, wish } => wishes::wish(names, *calamity, wish),
        Command::Use { ability } => wishes::ability(names, ability.as_ref()),
        Command::Give { cards } => format!("{} {}", say(Word::Give), faces(names, cards, Case::Accusative)),
        Command::Acquire { advances, payment, library_for, free, credits } => {
            wishes::acquisition(names, advances, payment.as_ref(), *library_for, *free, credits)
        }
        Command::Keep { cards } => format!("{} {}", say(Word::KeepCards), faces(names, cards, Case::Accusative)),
        Command::If { test, then, otherwise } => {
            let then = format!("{} {}", say(Word::Then), worded(names, then));
            let otherwise =
                otherwise.as_ref().map(|command| format!(" {} {}", say(Word::Else), worded(names, command)));
            format!("{} {} {then}{}", say(Word::If), tested(names, test), otherwise.unwrap_or_default())
        }
    }
}

/// `move 3 from Crete to Thera to Naxos`.
fn moved(names: Names, count: Count, path: &[AreaId]) -> String {
    let from = path.first().map(|from| names.area_from(*from));
    let steps = path.iter().skip(1).map(|to| names.area_to(*to));
    let walked = [Word::Move.said(names.language).to_owned(), number(names, count)];
    joined(walked.into_iter().chain(from).chain(steps), " ")
}

fn number(names: Names, count: Count) -> String {
    match count {
        Count::All => Word::All.said(names.language).to_owned(),
        Count::Exactly(count) => count.to_string(),
    }
}

/// The word behind a number of what is paid: `3 treasury`, `3 ze skarbca`.
pub(crate) fn treasury_of(names: Names) -> &'static str {
    names.small(Small::OfTreasury)
}

/// `1 treasury and 1 token`, `2 tokens, 1 from Thera`: the one is among the two.
fn paid(names: Names, area: AreaId, price: &ShipPrice) -> String {
    let said = |count: u16| format!("{count} {}", treasury_of(names));
    let sum = |shares: &[&(AreaId, u16)]| shares.iter().fold(0u16, |sum, (_, count)| sum.saturating_add(*count));
    let (there, elsewhere): (Vec<_>, Vec<_>) = price.elsewhere.iter().partition(|(from, _)| *from == area);
    let here = price.here.saturating_add(sum(&there));
    let tokens = (here > 0).then(|| here.saturating_add(sum(&elsewhere)));
    let treasury = (price.treasury > 0).then(|| said(price.treasury));
    let tokens = tokens.map(|count| names.counted_as(count, Term::Token, Case::Accusative));
    let paid = joined(treasury.into_iter().chain(tokens), &format!(" {} ", Word::And.said(names.language)));
    let elsewhere = elsewhere.iter().map(|(from, count)| format!("{count} {}", names.area_from(*from)));
    let all = joined(Some(paid).filter(|paid| !paid.is_empty()).into_iter().chain(elsewhere), ", ");
    if all.is_empty() { said(0) } else { all }
}

/// `ships`, `2 ships`, `2 from Argos`.
fn substitute(names: Names, with: &Substitute) -> String {
    match with {
        Substitute::Ships(Count::All) => names.small(Small::ByShips).to_owned(),
        Substitute::Ships(Count::Exactly(1)) => names.small(Small::ByOneShip).to_owned(),
        Substitute::Ships(Count::Exactly(count)) => format!("{count} {}", names.small(Small::ByShips)),
        Substitute::Tokens { from, count: Count::All } => {
            format!("{} {}", names.small(Small::ByAll), names.area_from(*from))
        }
        Substitute::Tokens { from, count: Count::Exactly(count) } => format!("{count} {}", names.area_from(*from)),
    }
}

/// `buy up to 3 from stack 9 until calamity keep 10`.
fn bought(names: Names, stack: u16, count: u16, limits: Option<BuyLimits>, free: bool) -> String {
    let say = |word: Word| word.said(names.language).to_owned();
    let mut words = vec![say(Word::Buy)];
    words.extend(limits.map(|_| say(Word::UpTo)));
    words.push(format!("{count} {} {} {stack}", say(Word::From), say(Word::Stack)));
    let until = limits.filter(|limits| limits.until_calamity);
    words.extend(until.map(|_| format!("{} {}", say(Word::Until), say(Word::Calamity))));
    let keep = limits.filter(|limits| limits.keep > 0);
    words.extend(keep.map(|limits| format!("{} {}", say(Word::Keep), limits.keep)));
    words.extend(free.then(|| say(Word::Free)));
    words.join(" ")
}

/// `offer to Egypt: salt, salt, wine for iron, iron, any`: one by one, for the first two are told.
fn offered(names: Names, to: &OfferedTo, gives: &[Face], wants: &[Wanted], says: &[Face]) -> String {
    let say = |word: Word| word.said(names.language);
    let or = format!(" {} ", say(Word::Or));
    let to = match (names.language, to.named()) {
        (_, []) => names.small(Small::ToAll).to_owned(),
        (Language::English, civs) => {
            format!("{} {}", names.small(Small::To), joined(civs.iter().map(|civ| names.civ(*civ)), &or))
        }
        (Language::Polish, civs) => joined(civs.iter().map(|civ| names.civ_for(*civ)), &or),
    };
    let says = if says.is_empty() { String::new() } else { format!(" {} {}", say(Word::Saying), plain(names, says)) };
    format!("{} {to}: {} {} {}{says}", say(Word::Offer), plain(names, gives), say(Word::For), wanted(names, wants))
}

/// Cards one by one, not inflected.
fn plain(names: Names, faces: &[Face]) -> String {
    joined(faces.iter().map(|face| names.face(*face)), ", ")
}

fn wanted(names: Names, wants: &[Wanted]) -> String {
    let wants = wants.iter().map(|wanted| match wanted {
        Wanted::Named(face) => names.face(*face),
        Wanted::Any => Word::Any.said(names.language),
    });
    joined(wants, ", ")
}

/// `Rhodes holds 3 Egypt`, `Rodos ma 3 żetony Egiptu`.
fn tested(names: Names, test: &Test) -> String {
    let holds = |word: Option<Word>, count: u16, owner: Owner| {
        let bound = word.map_or(String::new(), |word| format!("{} ", word.said(names.language)));
        match (names.language, owner) {
            (Language::English, owner) => {
                let whose = owner.civ().map_or(names.small(Small::OfBarbarians), |civ| names.civ(civ));
                format!("{} {bound}{count} {whose}", names.small(Small::Holds))
            }
            (Language::Polish, owner) => {
                let tokens = names.counted_as(count, Term::Token, Case::Accusative);
                format!("{} {bound}{tokens} {}", has(names, test.area), names.owner_as(owner, Case::Genitive))
            }
        }
    };
    let asks = match test.asks {
        Asks::Holds(count, owner) => holds(None, count, owner),
        Asks::AtMost(count, owner) => holds(Some(Word::AtMost), count, owner),
        Asks::AtLeast(count, owner) => holds(Some(Word::AtLeast), count, owner),
        // Polish says it of the place, so that no adjective need agree with its name.
        Asks::IsEmpty if names.language == Language::Polish => {
            return format!("{} {}", names.area_in(test.area), names.small(Small::IsEmpty));
        }
        Asks::IsEmpty => names.small(Small::IsEmpty).to_owned(),
        Asks::IsOccupied if names.language == Language::Polish => {
            return format!("{} {}", names.area_in(test.area), names.small(Small::IsOccupied));
        }
        Asks::IsOccupied => names.small(Small::IsOccupied).to_owned(),
        Asks::HasCity(Owner::Barbarians) => {
            format!("{} {}", has(names, test.area), names.small(Small::PirateCity))
        }
        Asks::HasCity(Owner::Civ(civ)) => {
            let city = Word::City.said(names.language);
            format!("{} {city} {}", has(names, test.area), names.civ_as(civ, Case::Genitive))
        }
    };
    format!("{} {asks}", names.area(test.area))
}

fn has(names: Names, area: AreaId) -> &'static str {
    names.small(if names.is_plural(area) { Small::HavePlural } else { Small::Has })
}

/// Areas that something is done to; `nothing` if there are none.
pub(crate) fn objects(names: Names, areas: &[AreaId]) -> String {
    match areas {
        [] => Word::Nothing.said(names.language).to_owned(),
        areas => joined(areas.iter().map(|area| names.area_as(*area, Case::Accusative)), ", "),
    }
}

/// `3 salt, iron`: equal cards that stand together are counted, and in Polish a card that is counted is not inflected.
pub(crate) fn faces(names: Names, faces: &[Face], case: Case) -> String {
    let runs = faces.chunk_by(|one, next| one == next).map(|run| match run {
        [face] => names.face_as(*face, case).to_owned(),
        run => format!("{} {}", run.len(), names.face(run[0])),
    });
    match faces {
        [] => Word::Nothing.said(names.language).to_owned(),
        _ => joined(runs, ", "),
    }
}

/// Items with something between them.
pub(crate) fn joined(items: impl IntoIterator<Item = impl Into<String>>, between: &str) -> String {
    items.into_iter().map(Into::into).collect::<Vec<String>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::{Lexicon, Reading, Written, read};
    use crate::rules::PrintedGame;

    /// Lines as they are printed, in both languages; what a proof with chance must not blur is how they read.
    #[rustfmt::skip]
    const LINES: [(&str, &str); 76] = [
        ("tax 3", "podatek 3"),
        ("select Athens, Thebes", "wybieram Ateny, Teby"),
        ("select nothing", "wybieram nic"),
        ("expand Knossos 2, Thera 1", "rozrost Knossos 2, Tera 1"),
        ("move 3 from Knossos to Thera", "ruch 3 z Knossos na Terę"),
        ("move all from Sparta to Athens to Thebes", "ruch wszystkie ze Sparty do Aten do Teb"),
        ("move 2 from Rubicon to Upper Danube", "ruch 2 znad Rubikonu nad Górny Dunaj"),
        ("build ship in Athens", "zbuduj statek w Atenach"),
        ("build ship in Athens for 1 treasury and 1 token", "zbuduj statek w Atenach za 1 ze skarbca i 1 żeton"),
        ("build ship in Thera for 2 tokens", "zbuduj statek na Terze za 2 żetony"),
        ("build ship in Thera for 2 tokens, 1 from Sparta", "zbuduj statek na Terze za 2 żetony, 1 ze Sparty"),
        ("build ship in Thera for 1 treasury, 1 from Sparta", "zbuduj statek na Terze za 1 ze skarbca, 1 ze Sparty"),
        ("maintain ship in Phrygia", "utrzymaj statek we Frygii"),
        ("maintain ship in Athens with token from Thera", "utrzymaj statek w Atenach żetonem z Tery"),
        ("scrap ship in Rhodes", "zniszcz statek na Rodos"),
        ("sail from Knossos load 3 to Rhodes unload 1 load all to Thera", "płyń z Knossos załaduj 3 na Rodos wyładuj 1 załaduj wszystkie na Terę"),
        ("done", "koniec"),
        ("wait", "czekam"),
        ("resolve Sparta, Athens", "rozstrzygnij Sparta, Ateny"),
        ("delay Sparta", "wstrzymaj Spartę"),
        ("loot 2", "łup 2"),
        ("loot card", "łup karta"),
        ("loot 2, no card", "łup 2, bez karty"),
        ("substitute ships in Rhodes", "zastąp statkami na Rodos"),
        ("substitute 1 ship in Rhodes", "zastąp 1 statkiem na Rodos"),
        ("substitute 2 ships in Rhodes", "zastąp 2 statkami na Rodos"),
        ("substitute 2 from Argos in Sparta", "zastąp 2 z Argos w Sparcie"),
        ("substitute all from Argos in Sparta", "zastąp wszystkimi z Argos w Sparcie"),
        ("build city in Sparta", "zbuduj miasto w Sparcie"),
        ("build city in Sparta with 3 treasury with 4 from Argos leaving 1", "zbuduj miasto w Sparcie za 3 ze skarbca z 4 z Argos zostawiając 1"),
        ("build no city", "nie buduj miast"),
        ("build no city in Sparta", "nie buduj miasta w Sparcie"),
        ("reduce Athens, Corinth", "redukuj Ateny, Korynt"),
        ("buy 2 from stack 9", "kup 2 z talii 9"),
        ("buy up to 3 from stack 9 until calamity keep 10", "kup najwyżej 3 z talii 9 do katastrofy zostaw 10"),
        ("buy 1 from stack 7 free", "kup 1 z talii 7 za darmo"),
        ("pass", "pas"),
        ("offer to Egypt: Salt, Salt, Wine for Iron, Iron, any", "oferta dla Egiptu: sól, sól, wino za żelazo, żelazo, dowolna"),
        ("offer to all: Salt, Salt, Famine for any, any, any saying Textiles", "oferta dla wszystkich: sól, sól, Głód za dowolna, dowolna, dowolna mówiąc tkaniny"),
        ("offer to Celt: Clay, Clay, Clay for any, any, any", "oferta dla Celtów: glina, glina, glina za dowolna, dowolna, dowolna"),
        ("offer to all: Salt, Salt, Wine for Iron, any, any up to 3 times", "oferta dla wszystkich: sól, sól, wino za żelazo, dowolna, dowolna do 3 razy"),
        ("offer to Egypt or Hatti: Salt, Salt, Wine for Iron, any, any saying Wine up to 2 times", "oferta dla Egiptu lub dla Hatti: sól, sól, wino za żelazo, dowolna, dowolna mówiąc wino do 2 razy"),
        ("accept offers of Iron, Iron, any for Salt, Salt, Salt", "przyjmuję oferty żelazo, żelazo, dowolna za sól, sól, sól"),
        ("want Iron, 2 Wine have 3 Salt", "szukam żelazo, 2 wino mam 3 sól"),
        ("have Salt", "mam sól"),
        ("want nothing", "szukam niczego"),
        ("accept 4 with Iron, Iron, Tin", "przyjmuję 4 dając żelazo, żelazo, cynę"),
        ("decline 4", "odrzucam 4"),
        ("withdraw 4", "wycofaj 4"),
        ("Famine: victims Egypt, Hellas", "Głód: ofiary Egipt, Hellada"),
        ("victims Egypt 8, Hellas 7", "ofiary Egipt 8, Hellada 7"),
        ("lose Knossos 3, Sparta", "tracę Knossos 3, Spartę"),
        ("Slave Revolt: reduce Athens", "Bunt niewolników: redukuj Ateny"),
        ("spare Thera, Athens", "oszczędź Terę, Ateny"),
        ("Treachery: select Sparta", "Zdrada: wybieram Spartę"),
        ("City in Flames: pay", "Miasto w płomieniach: zapłać"),
        ("Banditry: pay 2", "Bandytyzm: zapłać 2"),
        ("Corruption: discard 2 Salt, Clay", "Korupcja: odrzucam 2 sól, glinę"),
        ("Theocracy: discard 2 Water", "Teokracja: odrzucam 2 woda"),
        ("discard nothing", "odrzucam nic"),
        ("use Monotheism on Sidon", "użyj Monoteizmu na Sydon"),
        ("use Politics for 5 treasury", "użyj Polityki za 5 ze skarbca"),
        ("use Diaspora 3 from Knossos to Thera, 2 from Argos to Sparta", "użyj Diaspory 3 z Knossos na Terę, 2 z Argos do Sparty"),
        ("use Trade Routes with Salt, 2 Iron", "użyj Szlaków handlowych dając sól, 2 żelazo"),
        ("use Provincial Empire on Egypt, Celt", "użyj Imperium prowincjonalnego na Egipt, Celtów"),
        ("use Universal Doctrine on Rhodes 3, Thera", "użyj Doktryny uniwersalnej na Rodos 3, Terę"),
        ("use nothing", "użyj nic"),
        ("give Salt", "daję sól"),
        ("acquire Pottery, Agriculture paying 3 Salt, 2 Iron, 12 treasury", "nabywam Garncarstwo, Rolnictwo płacąc 3 sól, 2 żelazo, 12 ze skarbca"),
        ("acquire Library, Law with Library for Law paying 3 Salt, Wine as Salt", "nabywam Bibliotekę, Prawo z Biblioteką dla Prawa płacąc 3 sól, wino jako sól"),
        ("acquire Anatomy with Empiricism free", "nabywam Anatomię z Empiryzmem za darmo"),
        ("acquire Monument with credits 10 arts 10 science", "nabywam Pomnik ze zniżkami 10 Sztuka 10 Nauka"),
        ("keep 2 Gold, Clay", "zatrzymuję 2 złoto, glinę"),
        ("if Athens holds at least 3 Egypt then move 1 from Knossos to Thera else build ship in Knossos", "jeśli Ateny mają co najmniej 3 żetony Egiptu to ruch 1 z Knossos na Terę inaczej zbuduj statek w Knossos"),
        ("if Thera is empty then build city in Thera", "jeśli na Terze jest pusto to zbuduj miasto na Terze"),
        ("if Sparta has pirate city then if Argos holds 5 barbarians then use nothing", "jeśli Sparta ma pirackie miasto to jeśli Argos ma 5 żetonów barbarzyńców to użyj nic"),
    ];

    #[test]
    fn each_language_has_its_lines_and_reads_both() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let lexicon = Lexicon::new(&printed);
        let first = |line: &str| match &read(line, &lexicon)[0].pieces[0].reading {
            Reading::Written(Written::Orders(commands)) => commands[0].clone(),
            Reading::Quoted
            | Reading::Remark
            | Reading::Press
            | Reading::Beyond(_)
            | Reading::Written(_)
            | Reading::Fault(_) => {
                panic!("{line} is not read")
            }
        };
        for (english, polish) in LINES {
            let command = first(english);
            assert_eq!(worded(Names::english(&printed), &command), english);
            assert_eq!(worded(Names::new(&printed, Language::Polish), &command), polish);
            assert_eq!(first(polish), command, "{polish}");
        }
    }
}
