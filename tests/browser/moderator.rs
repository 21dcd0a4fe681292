//! The moderator's page on a phone: a command shown, done, logged and announced.

use serde_json::json;

use super::driver::Browser;
use super::house::House;

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
