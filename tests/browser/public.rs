//! The public page in a browser that nobody knows: at a phone's size with touch, and at a desk's.

use cursus::desk::settings::game_file::GameFile;
use cursus::game::Phase;
use serde_json::json;
use tempfile::TempDir;

use super::bourse::{ALL, Bourse};
use super::club::game;
use super::driver::Browser;

/// The same place of the page on every picture.
fn show(browser: &Browser, css: &str, name: &str) {
    browser.asks("document.querySelector(arguments[0]).scrollIntoView({block: 'start'})", json!([css]));
    browser.picture(name);
}

#[test]
fn a_stranger_looks_through_the_turns_of_a_game_and_copies_its_record() {
    let bourse = Bourse::of(GameFile { public_page: true, ..game("nile", &ALL) }, Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let phone = Browser::phone(folder.path());
    let root = bourse.base.clone();
    phone.open(&format!("{root}/g"));
    phone.tap(".seats a");
    phone.until("location.pathname === '/g/nile' && document.querySelector('#then svg .area')");
    assert_eq!(phone.asks("return document.cookie", json!([])), json!(""));
    phone.picture("public-phone");
    // The slider, by its buttons and by its own keys; the address goes along, and so do the map, the table and the record.
    let last = phone.asks("return Number(document.getElementById('turn').max)", json!([])).as_u64().expect("turns");
    assert!(last > 2, "some turns are over");
    let map = |browser: &Browser| browser.asks("return document.getElementById('then').dataset.shown", json!([]));
    let now = map(&phone);
    phone.tap("#less");
    let over = last - 1;
    phone.until(&format!(
        "location.search === '?turn={over}' && document.querySelector('#record h2').innerText.includes('turn {over}')"
    ));
    phone.until(&format!("document.getElementById('then').dataset.shown !== {now}"));
    assert_eq!(
        phone.asks("return document.activeElement.id", json!([])),
        json!("less"),
        "a keyboard stays where it is"
    );
    phone.asks("document.getElementById('turn').focus()", json!([]));
    phone.press("\u{e012}");
    phone.until(&format!("location.search === '?turn={}' && document.activeElement.id === 'turn'", over - 1));
    phone.picture("public-phone-turn");
    phone.asks("history.back()", json!([]));
    phone.until(&format!("document.querySelector('#record h2').innerText.includes('turn {over}')"));
    show(&phone, "#roster", "public-phone-roster");
    show(&phone, "#charts", "public-phone-charts");
    // The record as text.
    phone.tap(".paste summary");
    phone.tap(".paste .copy");
    phone.until("document.querySelector('.paste [role=status]').innerText");
    show(&phone, "#record", "public-phone-record");
    // Nothing is wider than the screen, in the dark as well.
    phone.dark();
    phone.asks("scrollTo(0, 0)", json!([]));
    phone.picture("public-phone-dark");
    let wide = phone.asks("return document.documentElement.scrollWidth - innerWidth", json!([]));
    assert!(wide.as_i64() <= Some(0), "{wide} too wide");
    assert_eq!(phone.complaints(), Vec::<String>::new());
    let others: Vec<String> = phone.asked_for();
    let others: Vec<&String> = others.iter().filter(|url| url.starts_with("http") && !url.starts_with(&root)).collect();
    assert!(others.is_empty(), "{others:?}");
    // At a desk, in Polish; and without scripts.
    let desk = Browser::desk(folder.path());
    desk.open(&format!("{root}/g/nile?language=pl"));
    desk.until("document.querySelector('#then svg .area')");
    desk.picture("public-desk");
    show(&desk, "#roster", "public-desk-roster");
    desk.dark();
    show(&desk, "#charts", "public-desk-dark");
    desk.cdp("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    desk.open(&format!("{root}/g/nile?language=pl"));
    desk.tap("#turns a");
    desk.until("location.search.includes('turn=1') && document.querySelector('#then img').naturalWidth > 0");
    desk.picture("public-desk-no-script");
    assert_eq!(desk.complaints(), Vec::<String>::new());
}
