//! The moderator's page on a phone: a command shown, done, logged and announced.

use serde_json::json;

use super::driver::Browser;
use super::house::House;
use super::looks::is_well;

/// A phone that has shown whose it is by the code of a letter.
fn confirm(house: &House, browser: &Browser, seat: &str, code_for: &str) {
    let sign = format!("/p/nile.{seat}.");
    let letter = house.letter(&sign);
    let link = letter.split_whitespace().find(|word| word.contains(&sign)).expect("a link");
    browser.open(link);
    browser.until("location.pathname === '/enter'");
    browser.tap_button("main", "Send me a code");
    browser.until("document.querySelector('#code')");
    let letter = house.letter(code_for);
    let is_code = |line: &&str| line.len() == 8 && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    browser.tap("#code");
    browser.press(letter.lines().map(str::trim).find(is_code).expect("a code"));
    browser.tap_button("main", "Open");
}

#[test]
fn a_command_is_shown_done_logged_and_announced() {
    let house = House::open();
    let browser = Browser::phone(house.folder.path());
    confirm(&house, &browser, "egypt", "the code for your order page");
    browser.until("location.pathname === '/s/nile/egypt' && document.querySelector('#ok')");
    browser.tap("#ok");
    browser.until("document.getElementById('when').textContent.startsWith('Turn 1 · Movement')");
    // The game has begun, and its moderator has a link. Both pages may be open in one browser.
    confirm(&house, &browser, "moderator", "the code for your moderator’s page");
    browser.until("location.pathname === '/m/nile'");
    assert!(browser.text("h1").contains("<b>Nile</b>"), "{}", browser.text("h1"));
    assert!(browser.text("#now").contains("Awaited: Egypt"), "{}", browser.text("#now"));
    let wide = browser.asks("return document.documentElement.scrollWidth > innerWidth", json!([]));
    assert_eq!(wide, json!(false), "nothing is wider than the phone");
    browser.tap_button("#commands", "Announce something");
    browser.tap("#c-announce textarea");
    browser.press("The ferry is late");
    browser.picture("moderator-form");
    browser.tap_button("#c-announce", "Show what it does");
    browser.until("document.querySelector('#do')");
    browser.picture("moderator-shown");
    assert!(browser.text("#answer-to").contains("The ferry is late"), "{}", browser.text("#answer-to"));
    assert!(browser.text("#log").contains("Nothing yet"), "{}", browser.text("#log"));
    // Whoever thinks better of it finds their words again.
    browser.tap_button("#answer-to", "Leave it");
    browser.until("!document.querySelector('#do') && document.querySelector('#c-announce textarea').value === 'The ferry is late'");
    browser.tap("#c-announce textarea");
    browser.press("!");
    browser.tap_button("#c-announce", "Show what it does");
    browser.until("document.querySelector('#do')");
    browser.tap("#do");
    browser.until("document.querySelector('#answer-to')?.dataset.is === 'done'");
    browser.picture("moderator-done");
    assert!(browser.text("#log").contains("The ferry is late!"), "{}", browser.text("#log"));
    browser.until("document.querySelector('#c-announce textarea').value === ''");
    assert!(house.letter("The ferry is late!").contains("Nile"), "everybody is told");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    browser.open(&format!("{}/s/nile/egypt", house.root));
    browser.until("document.getElementById('when').textContent.startsWith('Turn 1 · Movement')");
}

/// Shows a command of the page; typed words go into its first field.
fn show(browser: &Browser, key: &str, title: &str, typed: &[&str]) {
    if browser.asks(&format!("return document.querySelector('#c-{key}').open"), json!([])) == json!(false) {
        browser.tap_button("#commands", title);
    }
    for (at, words) in typed.iter().enumerate() {
        let mark =
            "const field = document.querySelectorAll(arguments[0])[arguments[1]]; field.id = 'field'; field.value = ''";
        browser.asks(mark, json!([format!("#c-{key} textarea, #c-{key} input:not([type=hidden])"), at]));
        // A list that the browser proposes takes the first tap beside it.
        browser.tap_until("#field", "document.activeElement.id === 'field'");
        browser.press(words);
        // Whatever the browser proposes below the field goes with its focus.
        browser.asks("const field = document.querySelector('#field'); field.blur(); field.id = ''", json!([]));
    }
    browser.picture(&format!("moderate-{key}-form"));
    let came = "document.querySelector('#do') || document.querySelector('[data-is=refused]')";
    browser.tap_until(&format!("#c-{key} button"), came);
    browser.picture(&format!("moderate-{key}"));
    assert_eq!(
        browser.asks("return document.querySelector('#answer-to').dataset.is", json!([])),
        json!("shown"),
        "{key}"
    );
}

fn agree(browser: &Browser, key: &str) {
    browser.tap("#do");
    // Between the two pages there is no answer at all.
    browser.until("['done', 'refused'].includes(document.querySelector('#answer-to')?.dataset.is)");
    browser.picture(&format!("moderate-{key}-done"));
    let came = browser.asks("return document.querySelector('#answer-to').dataset.is", json!([]));
    assert_eq!(came, json!("done"), "{key}: {}", browser.text("#answer-to"));
}

#[test]
fn a_game_is_moderated_from_the_page_alone() {
    let house = House::open();
    let browser = Browser::phone(house.folder.path());
    confirm(&house, &browser, "egypt", "the code for your order page");
    browser.until("location.pathname === '/s/nile/egypt' && document.querySelector('#ok')");
    browser.tap("#ok");
    browser.until("document.getElementById('when').textContent.startsWith('Turn 1 · Movement')");
    confirm(&house, &browser, "moderator", "the code for your moderator’s page");
    browser.until("location.pathname === '/m/nile'");
    browser.picture("moderate");
    show(&browser, "pause", "Stop the clock", &[]);
    agree(&browser, "pause");
    assert!(browser.text("#now").contains("paused"), "{}", browser.text("#now"));
    show(&browser, "resume", "Go on", &[]);
    agree(&browser, "resume");
    show(&browser, "later", "Move the cut-off", &["12"]);
    agree(&browser, "later");
    show(&browser, "tokens", "Tokens in an area", &["Memphis", "2"]);
    // Whatever was only shown is left with one tap.
    browser.tap_button("#answer-to", "Leave it");
    browser.until("!document.querySelector('#answer-to')");
    show(&browser, "keep", "A built-in player keeps a seat", &[]);
    browser.tap_button("#answer-to", "Leave it");
    browser.until("!document.querySelector('#answer-to')");
    browser.tap_button(".asks", "Standing by");
    browser.until("document.querySelector('[data-is=done]')");
    browser.picture("moderate-standby");
    let before = browser.text("#now");
    show(&browser, "process", "Rule now", &[]);
    agree(&browser, "process");
    assert_ne!(browser.text("#now"), before);
    show(&browser, "rollback", "Take the game back", &["a letter was lost"]);
    agree(&browser, "rollback");
    assert!(browser.text("#log").contains("rollback"), "{}", browser.text("#log"));
    show(&browser, "abandon", "Abandon the game", &["nobody has time"]);
    browser.tap_button("#answer-to", "Leave it");
    browser.until("!document.querySelector('#answer-to')");
    for dark in [false, true] {
        if dark {
            browser.dark();
        }
        browser.asks("document.querySelectorAll('details').forEach((one) => (one.open = true))", json!([]));
        is_well(&browser, "the moderator's page");
        browser.asks("document.querySelector('#commands').scrollIntoView()", json!([]));
        browser.picture(if dark { "moderate-dark" } else { "moderate-light" });
        browser.asks("document.querySelector('#log').scrollIntoView()", json!([]));
        browser.picture(if dark { "moderate-log-dark" } else { "moderate-log-light" });
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
