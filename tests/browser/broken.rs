//! What breaks on the way to a browser and in it: lines, answers, storages, letters of old.

use cursus::game::Phase;
use serde_json::json;
use tempfile::TempDir;

use super::Table;
use super::bourse::Bourse;
use super::cards::look_at;
use super::driver::Browser;

/// A phone in which this runs before the scripts of any page.
fn prepared(script: &'static str) -> impl Fn(&std::path::Path) -> Browser {
    move |folder| {
        let browser = Browser::phone(folder);
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
        browser
    }
}

#[test]
fn a_browser_that_keeps_nothing_plays_all_the_same() {
    let forbidden = "for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {get() { throw new DOMException('no', 'SecurityError') }});";
    let table = Table::open(prepared(forbidden));
    table.browser.tap_area("Tanis");
    table.browser.tap_area("Memphis");
    table.judged(1);
    table.browser.tap("#send");
    table.browser.until("document.querySelector('#bar .status').innerText === 'All sent'");
    assert_eq!(table.stored(), ["move 2 from Tanis to Memphis"]);
    for view in ["cards", "advances", "report", "more"] {
        look_at(&table.browser, view);
    }
    table.is_clean();
}

#[test]
fn a_letter_that_is_never_taken_keeps_no_other_waiting_and_its_words_come_back() {
    let table = Table::open(Browser::phone);
    let spoilt = "const data = await (await fetch(document.body.dataset.address + '/data')).json();
        const letters = [null, {lines: 7}, {id: 'no id at all', lines: 'tell all: lost words', revision: ''}, {id: 'good', lines: 'move 1 Tanis > Gaza', revision: '', from: 'nowhere'}];
        localStorage.setItem(`cursus/${data.game}/${data.seat}/out`, JSON.stringify(letters));";
    table.browser.asks(&format!("return (async () => {{ {spoilt} }})()"), json!([]));
    table.browser.open(&table.demo.link);
    table.browser.until("document.querySelector('[data-note=back]')");
    table.browser.until("document.querySelectorAll('#lines .line').length === 1");
    assert_eq!(table.stored(), ["move 1 from Tanis to Gaza"]);
    let typed = table.browser.asks("return document.getElementById('typed').value", json!([]));
    assert_eq!(typed, json!("tell all: lost words"));
    table.browser.until("!Object.keys(localStorage).some((key) => key.endsWith('/out'))");
}

#[test]
fn a_page_that_could_not_be_loaded_says_so_and_is_loaded_by_a_tap() {
    let broken = "window.broken = true; const real = window.fetch;
        window.fetch = (path, more) => window.broken && String(path).endsWith('/data') ? Promise.reject(new TypeError('no line')) : real(path, more);";
    let folder = TempDir::new().expect("a folder");
    let demo = super::Demo::start(folder.path());
    let browser = prepared(broken)(folder.path());
    browser.open(&demo.link);
    browser.until("document.querySelector('#failed button')");
    browser.picture("phone-failed");
    assert!(!browser.text("#failed").contains("undefined"), "{}", browser.text("#failed"));
    browser.asks("window.broken = false", json!([]));
    browser.tap("#failed button");
    browser.until("document.querySelector('#stage .area') && !document.querySelector('#failed')");
}

#[test]
fn news_come_again_after_an_answer_that_was_none_and_an_older_one_takes_nothing_back() {
    // The first stream that is asked for is not there.
    let none = "const Real = window.EventSource; let first = true;
        window.EventSource = class extends Real { constructor(url) { super(first ? `${url}/none` : url); first = false } };";
    let bourse = Bourse::open(Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone_by(folder.path(), "Egypt", prepared(none));
    look_at(&egypt, "cards");
    let cards = |name: &'static str, count: usize| -> String {
        let hand = bourse.hand(name);
        let all: Vec<String> = hand.into_iter().flat_map(|(card, count)| std::iter::repeat_n(card, count)).collect();
        all[..count].join(", ")
    };
    bourse.mails("Hellas", format!("offer to all: {} for any, any, any", cards("Hellas", 3)));
    egypt.until("document.querySelector('.offer.ready[data-offer=\"1\"]')");
    // An answer that was asked for before an offer was made comes after it.
    let slow = "const real = window.fetch; let first = true; const held = new Promise((go) => (window.release = go));
        window.fetch = async (path, more) => { const answer = await real(path, more);
          if (!first || !String(path).endsWith('/data')) return answer;
          first = false; const text = await answer.text(); window.isHeld = true; await held; return new Response(text, {status: 200}) };
        dispatchEvent(new Event('online'))";
    egypt.asks(slow, json!([]));
    egypt.until("window.isHeld");
    bourse.mails("Assyria", format!("offer to all: {} for any, any, any", cards("Assyria", 3)));
    egypt.until("document.querySelector('[data-offer=\"2\"]')");
    let released = "return (async () => {
        let isGone = false;
        new MutationObserver(() => (isGone ||= !document.querySelector('[data-offer=\"2\"]'))).observe(document.getElementById('cards'), {childList: true, subtree: true});
        window.release();
        for (let turn = 0; turn < 5; turn++) await (await fetch('/about')).text();
        return isGone || !document.querySelector('[data-offer=\"2\"]') })()";
    assert_eq!(egypt.asks(released, json!([])), json!(false), "the older answer has taken an offer away");
    // An answer is on its way, and somebody is quicker: that is said before the letter is answered.
    let waits = "const now = window.fetch; const out = new Promise((go) => (window.send = go));
        window.fetch = async (path, more) => { if (String(path).endsWith('/send')) await out; return now(path, more) }";
    egypt.asks(waits, json!([]));
    egypt.tap("[data-key=\"row-2-yes\"]");
    bourse.mails("Hatti", format!("accept 2 with {}", cards("Hatti", 3)));
    egypt.until("document.querySelector('#deal').innerText.includes('Offer 2 is gone')");
    egypt.until("document.querySelector('#deal [data-offer=\"1\"]')");
    egypt.picture("phone-quicker");
    egypt.asks("window.send()", json!([]));
    egypt.until("document.querySelector('#deal code')?.innerText.includes('accept 2')");
}

#[test]
fn what_is_typed_stays_while_news_come_and_a_device_that_is_forgotten_keeps_nothing() {
    let bourse = Bourse::open(Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    look_at(&egypt, "more");
    egypt.tap("[data-form=always] > summary");
    egypt.tap("[data-form=always] textarea");
    egypt.press("buy 1 from stack 9");
    egypt.tap("[data-person=Hellas] > summary");
    egypt.tap("[data-person=Hellas] textarea");
    egypt.press("Salt for");
    egypt.asks("window.field = document.activeElement", json!([]));
    bourse.mails("Hellas", "tell Egypt: good morning".to_owned());
    // What has come is read beside what is being typed.
    egypt.until("document.querySelector('[data-person=Hellas]').innerText.includes('good morning')");
    assert_eq!(egypt.asks("return document.activeElement === window.field", json!([])), json!(true));
    egypt.press(" wine");
    assert_eq!(egypt.asks("return window.field.value", json!([])), json!("Salt for wine"));
    let half = egypt.asks("return document.querySelector('[data-form=always] textarea').value", json!([]));
    assert_eq!(half, json!("buy 1 from stack 9"));
    // The moderator and everybody are written to like anybody else.
    egypt.tap("[data-person=moderator] > summary");
    egypt.tap("[data-person=moderator] textarea");
    egypt.press("Is the ferry late?");
    egypt.tap_button("[data-person=moderator]", "Send");
    egypt.until("document.querySelector('[data-person=moderator] .said.own')");
    egypt.tap("[data-person=all] > summary");
    egypt.tap("[data-person=all] textarea");
    egypt.press("Good evening");
    egypt.tap_button("[data-person=all]", "Send");
    egypt.until("document.querySelector('[data-person=Minoa]').textContent.includes('Good evening')");
    egypt.picture("phone-to-all");
    // Lines that were never sent are kept, until the device is forgotten.
    look_at(&egypt, "map");
    egypt.tap(".type input");
    egypt.press("loot 2\u{e007}");
    egypt.until("Object.keys(localStorage).some((key) => key.startsWith('cursus/'))");
    look_at(&egypt, "more");
    egypt.tap_button("#more", "Forget this device");
    egypt.until("!document.querySelector('#more')");
    assert_eq!(egypt.asks("return Object.keys(localStorage)", json!([])), json!([]));
}

#[test]
fn an_old_letter_stays_open_while_another_is_written_and_gives_the_newest_back() {
    let bourse = Bourse::open(Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    look_at(&egypt, "report");
    egypt.until("document.querySelector('#old-letter')?.options.length > 5");
    let newest = egypt.text("#report .letter");
    let choose = "const one = document.getElementById('old-letter'); one.value = one.options[arguments[0]].value; one.dispatchEvent(new Event('change'))";
    egypt.asks(choose, json!([3]));
    egypt.until(&format!("document.querySelector('#report .letter').innerText !== {newest:?}"));
    let (old, count) = (egypt.text("#report .letter"), "document.getElementById('old-letter').options.length");
    let before = egypt.asks(&format!("return {count}"), json!([]));
    bourse.at_desk(|club| club.wait(chrono::Duration::days(8)));
    egypt.until(&format!("{count} > {before}"));
    egypt.until(&format!("document.querySelector('#report .letter').innerText === {old:?}"));
    assert_eq!(egypt.asks("return document.getElementById('old-letter').value !== ''", json!([])), json!(true));
    egypt.asks(choose, json!([0]));
    egypt.until(&format!("![{newest:?}, {old:?}].includes(document.querySelector('#report .letter').innerText)"));
}
