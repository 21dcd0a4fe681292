//! How long a letter takes: reading and checking 40 lines against the printed map, well spelt and misspelt.
//!
//! Prints a table; every ratio is of two numbers measured in the same run. Asserts nothing about time.

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cursus::door::casebook::{CaseTable, Seating};
use cursus::door::check::answered;
use cursus::game::{Known, Reader};
use cursus::orders::{Forecast, Sheet, read};
use cursus::report::Templates;
use cursus::rules::{Civ, Language, PrintedGame};

/// How often each letter is measured; the median counts.
const RUNS: usize = 301;

const POSITION: &str = "# A position\n\n## A case\n\n```state\nphase movement\nranking Minoa, Hellas, Egypt, Assyria, Rome\n\
    Knossos: Minoa 6, ship Minoa 2\nPhaestos: Minoa 6\nThera: Minoa 4\nRhodes: Minoa 4\nAthens: city Hellas\n\
    Argos: Hellas 4\nSparta: Hellas 3\nMinoa: treasury 12; hand Salt, Salt, Iron\n```\n";

/// Ten lines, well spelt, misspelt, and in Polish; each letter has them four times.
const LETTERS: [(&str, &str); 3] = [
    (
        "well spelt",
        "move 1 from Knossos to Phaestos\nmaintain ship in Knossos\nbuild ship in Phaestos for 1 treasury and 1 token\n\
         sail from Knossos load 2 to Thera\n1 Phaestos > Knossos\nif Rhodes holds 3 Egypt then move 1 Knossos > Phaestos\n\
         build city in Phaestos\nresolve Knossos, Phaestos\nbuy 2 from stack 9\nreduce Knossos, Thera\n",
    ),
    (
        "misspelt",
        "move 1 from Knosos to Phaetsos\nmaintian ship in Knosso\nbuild ship in Pheastos for 1 treasury and 1 token\n\
         sail from Knosssos load 2 to Theera\n1 Phaestoss > Konssos\nif Rohdes holds 3 Egpyt then move 1 Knossso > Phaestsos\n\
         build city in Phastos\nresolve Knoossos, Phaestoz\nbuy 2 from stack 9\nreduce Knossoss, Thearra\n",
    ),
    (
        "in Polish",
        "ruch 1 z Knossos do Fajstos\nutrzymaj statek w Knossos\nzbuduj statek w Fajstos za 1 skarbiec i 1 żeton\n\
         płyń z Knossos załaduj 2 na Terę\n1 Fajstos > Knossos\njeśli Rodos ma 3 Egipt to ruch 1 z Knossos do Fajstos\n\
         zbuduj miasto w Fajstos\nrozstrzygnij Knossos, Fajstos\nkup 2 z talii 9\nredukuj Knossos, Terę\n",
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let printed = PrintedGame::built_in()?;
    let templates = Templates::built_in(Language::English, &printed);
    let Seating { lexicon, state } = CaseTable::new(printed).position(POSITION).map_err(|e| e.to_string())?;
    let civ = lexicon.civs.exact("Minoa").ok_or("Minoa is seated")?;
    println!("A letter of 40 lines, median of {RUNS} runs, in µs");
    println!("{:>11} {:>8} {:>9} {:>8} {:>11} {:>7}", "", "reading", "checking", "both", "with reply", "ratio");
    let mut first: Option<Duration> = None;
    for (name, ten) in LETTERS {
        let letter = ten.repeat(4);
        let sheet = |text: &str| {
            let mut sheet = Sheet::default();
            sheet.add(&read(text, &lexicon), state.phase(), 1);
            sheet
        };
        let filed = sheet(&letter);
        let reading = median(|| drop(black_box(sheet(&letter))));
        let checking =
            median(|| drop(black_box(Forecast::of(&Known::of(&state, Reader::Player(civ)), civ, &filed, 1))));
        let replying = median(|| drop(black_box(reply(&templates, &lexicon, &state, civ, &letter))));
        let both = reading + checking;
        let ratio = both.as_secs_f64() / first.get_or_insert(both).as_secs_f64();
        let [reading, checking, both, replying] = [reading, checking, both, replying].map(|time| time.as_micros());
        println!("{name:>11} {reading:>8} {checking:>9} {both:>8} {replying:>11} {ratio:>7.2}");
    }
    Ok(())
}

fn reply(
    templates: &Templates,
    lexicon: &cursus::orders::Lexicon,
    state: &cursus::game::State,
    civ: Civ,
    letter: &str,
) -> String {
    let mut sheets: BTreeMap<Civ, Sheet> = BTreeMap::new();
    answered(templates, lexicon, state, civ, sheets.entry(civ).or_default(), letter, 1).text(templates)
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<_> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}
