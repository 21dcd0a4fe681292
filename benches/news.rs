//! The market with eighteen real browsers: how long it takes from a finger on the button of one to the offer on the screens of
//! the others, each at a seat of its own.
//!
//! Browsers and server share the machine's cores. Asserts nothing about time. `CURSUS_OFFERS=20` makes fewer offers.

#[path = "../tests/browser/bourse.rs"]
#[allow(dead_code, reason = "tests use the rest of the bourse")]
mod bourse;
#[path = "../tests/desk/club.rs"]
#[allow(dead_code, reason = "tests use the rest of the club")]
mod club;
#[path = "../tests/browser/driver.rs"]
#[allow(dead_code, reason = "tests use the rest of the browser")]
mod driver;

use std::error::Error;
use std::time::Duration;

use bourse::Bourse;
use cursus::desk::settings::game_file::{GameFile, Seat, Sitter};
use cursus::game::Phase;
use cursus::rules::{Civ, PrintedGame};
use driver::Browser;
use serde_json::json;

/// How many sit at the table, all of them with a browser.
const PLAYERS: u8 = 18;
/// How many offers are made, unless somebody says otherwise.
const OFFERS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let offers = std::env::var("CURSUS_OFFERS").ok().and_then(|offers| offers.parse().ok()).unwrap_or(OFFERS);
    let printed = PrintedGame::built_in()?;
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == PLAYERS).ok_or("no scenario")?;
    let name = |civ: &Civ| printed.civilizations[usize::from(civ.0)].name.clone();
    let names: Vec<&'static str> = scenario.civilizations.iter().map(|civ| &*name(civ).leak()).collect();
    let small = club::game("nile", &["Egypt"]);
    let seat = |civ: &Civ| {
        let sitter = Sitter::Player { player: club::person(&name(civ)), deputy: None };
        Seat { civ: *civ, sitter, carrier: None }
    };
    let seats = scenario.civilizations.iter().map(seat).collect();
    let bourse = Bourse::of(GameFile { scenario: scenario.key.clone(), seats, ..small.clone() }, Phase::Trade);
    let folder = tempfile::TempDir::new()?;
    let mut browsers: Vec<Browser> = Vec::new();
    for name in &names {
        let browser = bourse.phone(folder.path(), name);
        browser.asks("location.hash = 'cards'", json!([]));
        browsers.push(browser);
    }
    println!("{} browsers", browsers.len());
    let at = names.iter().position(|name| *name == "Egypt").ok_or("nobody offers")?;
    let maker = browsers.remove(at);
    // Each screen notes when an offer is drawn on it.
    for browser in &browsers {
        browser.asks(SEES, json!([]));
    }
    let mut times: Vec<f64> = Vec::new();
    for number in 1..=offers {
        // People take their time, and what follows closely is told together.
        std::thread::sleep(Duration::from_millis(400));
        let made = maker.asks(OFFERS_THREE, json!([])).as_f64().ok_or("no offer is made")?;
        for browser in &browsers {
            browser.until(&format!("window.seen?.[{number}]"));
            let seen = browser.asks(&format!("return window.seen[{number}]"), json!([])).as_f64().ok_or("no time")?;
            times.push(seen - made);
        }
        maker.until("document.querySelector('.offer [data-key$=-no]')");
        maker.asks("document.querySelector('.offer [data-key$=-no]').click()", json!([]));
        maker.until("!document.querySelector('.offer')");
        for browser in &browsers {
            browser.until("!document.querySelector('.offer')");
        }
    }
    times.sort_by(f64::total_cmp);
    let share = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    println!(
        "News of an offer, from one browser's button to the screens of {} others, {offers} offers",
        browsers.len()
    );
    println!("{:>8} {:>8} {:>8} {:>8}", "p50 ms", "p90 ms", "p99 ms", "most");
    println!("{:>8.0} {:>8.0} {:>8.0} {:>8.0}", share(0.5), share(0.9), share(0.99), share(1.0));
    Ok(())
}

/// Notes by its number when an offer is on the screen: after the frame that shows it.
const SEES: &str = "window.seen = {};
    new MutationObserver(() => {
        for (const one of document.querySelectorAll('.offer[data-offer]')) {
            const number = one.dataset.offer;
            if (window.seen[number] === undefined) {
                window.seen[number] = 0;
                requestAnimationFrame(() => requestAnimationFrame(() => (window.seen[number] = Date.now())));
            }
        }
    }).observe(document.getElementById('cards'), {childList: true, subtree: true});";

/// Chooses three cards for any three, and offers them; says when.
const OFFERS_THREE: &str = "const fold = document.querySelector('[data-fold=offer]');
    if (!fold.open) fold.open = true;
    for (let n = 0; n < 3; n++) document.querySelector('[data-key^=give-in]:not(:disabled)').click();
    for (let n = 0; n < 3; n++) document.querySelector('[data-key=want-in-any]').click();
    const now = Date.now();
    document.getElementById('offer-send').click();
    return now;";
