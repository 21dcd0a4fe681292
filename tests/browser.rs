//! The order page in a real browser, at a phone's size with touch and at a desk's, against the finished daemon.

mod bourse;
mod broken;
mod cards;
#[path = "desk/club.rs"]
#[allow(dead_code, reason = "tests of the desk use the rest of the club")]
mod club;
mod demo;
mod driver;
mod house;
mod looks;
mod moderator;
mod public;

use demo::Demo;
use driver::Browser;
use house::House;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the server has of the sheet.
const STORED: &str = "const answer = await fetch(document.body.dataset.address + '/data');
    return (await answer.json()).plan.lines.map((line) => line.text)";

struct Table {
    browser: Browser,
    demo: Demo,
    _folder: TempDir,
}

impl Table {
    /// Egypt's page in a browser, its seat taken and its first movement open.
    fn open(browser: impl Fn(&std::path::Path) -> Browser) -> Table {
        let folder = TempDir::new().expect("a folder");
        let demo = Demo::start(folder.path());
        let browser = browser(folder.path());
        browser.open(&demo.link);
        browser.until("document.querySelector('#ok')");
        browser.tap("#ok");
        let table = Table { browser, demo, _folder: folder };
        table.until_phase("1", "Movement");
        table
    }

    fn until_phase(&self, turn: &str, phase: &str) {
        self.browser.until(&format!("document.getElementById('when').textContent.startsWith('Turn {turn} · {phase}')"));
        self.browser.until("document.querySelector('.area')");
    }

    /// Until all phases before it are over, says `ok`.
    fn play_to(&self, turn: &str, phase: &str) {
        let there = format!("document.getElementById('when').textContent.startsWith('Turn {turn} · {phase}')");
        for _ in 0..12 {
            if self.browser.asks(&format!("return {there}"), json!([])) == json!(true) {
                break;
            }
            let now = self.browser.text("#when");
            self.send_as_it_is("ok");
            self.browser.until(&format!("document.getElementById('when').innerText !== {now:?}"));
        }
        self.until_phase(turn, phase);
    }

    fn stored(&self) -> Vec<String> {
        let script = format!("return (async () => {{ {STORED} }})()");
        let lines = self.browser.asks(&script, json!([]));
        lines.as_array().expect("lines").iter().map(|line| line.as_str().expect("a line").to_owned()).collect()
    }

    fn lines(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('#lines .text')].map((one) => one.textContent)";
        let lines = self.browser.asks(script, json!([]));
        lines.as_array().expect("lines").iter().map(|line| line.as_str().expect("a line").to_owned()).collect()
    }

    fn judged(&self, count: usize) {
        self.browser.until(&format!("document.querySelectorAll('#lines .line:not(.new)').length === {count}"));
    }

    /// Sends a letter past the page, with an id of its own, as often as it is asked to.
    fn send(&self, id: &str, lines: &str, times: usize) -> Vec<Value> {
        let script = "const {address, token} = document.body.dataset; const [id, lines, times] = arguments;
            return (async () => { const all = []; for (let n = 0; n < times; n++) {
              const answer = await fetch(address + '/send', {method: 'POST', headers: {'content-type': 'application/json', 'x-cursus-token': token},
                body: JSON.stringify({id, lines})}); all.push(await answer.json()); } return all; })()";
        self.browser.asks(script, json!([id, lines, times])).as_array().expect("answers").clone()
    }

    fn send_as_it_is(&self, text: &str) {
        let script = "return crypto.randomUUID()";
        let id = self.browser.asks(script, json!([]));
        self.send(id.as_str().expect("an id"), text, 1);
    }

    /// Nothing went wrong in the browser, and it asked nobody else.
    fn is_clean(&self) {
        let complaints = self.browser.complaints();
        assert!(complaints.is_empty(), "{complaints:#?}");
        let root = format!("{}/", self.demo.root());
        let others: Vec<_> = self
            .browser
            .asked_for()
            .into_iter()
            .filter(|url| url.starts_with("http") && !url.starts_with(&root))
            .collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
fn a_movement_with_a_voyage_is_tapped_tried_and_sent_and_equals_the_same_by_letter() {
    let mut table = Table::open(Browser::phone);
    let browser = &table.browser;
    // The first turn is left to the form; in the second there are four tokens.
    table.play_to("2", "Movement");
    browser.tap_area("Tanis");
    browser.until("document.querySelector('#card .stepper')");
    browser.picture("phone-card");
    // A ship for two tokens, and a voyage with the others: one ashore at the first stop, one at the last.
    browser.tap_button("#card", "Build a ship");
    browser.tap_button("#card", "for 2 tokens from here");
    table.judged(1);
    browser.until("[...document.querySelectorAll('#card button')].some((one) => one.innerText.startsWith('Sail'))");
    browser.tap_button("#card", "Sail");
    browser.tap_area("Gaza");
    browser.until("document.querySelector('.route').innerText.includes('→ Gaza')");
    browser.tap_button("#card", "Gaza: Unload: One more");
    browser.tap_area("Jerusalem");
    browser.until("document.querySelector('.route').innerText.includes('Gaza −1 → Jerusalem')");
    browser.picture("phone-voyage");
    browser.tap_button("#card", "Write the line");
    table.judged(2);
    assert_eq!(
        table.lines(),
        [
            "1. build ship in Tanis for 2 tokens, stands",
            "2. sail from Tanis load 2 to Gaza unload 1 to Jerusalem, stands"
        ]
    );
    // What would stand where is on the map.
    browser.until("document.querySelectorAll('.map .after').length >= 3 && document.querySelector('.map .way.sea')");
    browser.picture("phone-preview");
    assert!(table.stored().is_empty(), "a trial stores nothing");
    browser.tap("#send");
    browser.until("document.querySelector('#bar .status').innerText === 'All sent'");
    let tapped = table.stored();
    assert_eq!(tapped, ["build ship in Tanis for 2 tokens", "sail from Tanis load 2 to Gaza unload 1 to Jerusalem"]);
    // The same by letter, in a player's own words.
    table.demo.writes("clear\nbuild ship Tanis for 2 tokens\nsail Tanis load 2 > Gaza unload 1 > Jerusalem");
    table.demo.until("Your letter as Egypt");
    table.browser.until("document.querySelectorAll('#lines .line').length === 2");
    assert_eq!(table.stored(), tapped);
    table.is_clean();
}

#[test]
fn a_walk_turns_red_before_a_limit_breaks_and_lines_are_changed_moved_and_deleted() {
    let table = Table::open(Browser::phone);
    let browser = &table.browser;
    let view = || browser.asks("return document.querySelector('#stage svg').getAttribute('viewBox')", json!([]));
    // One finger moves the map, two zoom it.
    let before = view();
    browser.draw([200, 300], [140, 330]);
    browser.until(&format!("document.querySelector('#stage svg').getAttribute('viewBox') !== {before}"));
    let moved = view();
    browser.pinch(180, 300, 60, 120);
    browser.until(&format!("document.querySelector('#stage svg').getAttribute('viewBox') !== {moved}"));
    browser.tap_button("#map", "My realm");
    // Two are too many for Gaza, one is not.
    browser.tap_area("Tanis");
    let gaza = "[...document.querySelectorAll('#card .chip')].find((one) => one.innerText.startsWith('Gaza')).classList.contains('over')";
    browser.until(gaza);
    assert!(browser.asks("return document.querySelectorAll('.map .light.over').length", json!([])).as_u64() > Some(0));
    browser.tap_button("#card", "How many move?: One fewer");
    browser.until(&format!("!{gaza}"));
    browser.tap_area("Gaza");
    table.judged(1);
    // Who is left may stay, so the area is let go; whoever wants to move more taps it again.
    browser.until("document.getElementById('card').hidden");
    browser.tap_area("Tanis");
    browser.tap_area("Memphis");
    table.judged(2);
    assert_eq!(table.lines(), ["1. move 1 from Tanis to Gaza, stands", "2. move 1 from Tanis to Memphis, stands"]);
    // Up, by its button.
    browser.tap("#lines .line:nth-child(2) .text");
    browser.tap_button("#lines", "Move line 2 up");
    browser.until("document.querySelector('#lines .text').innerText.includes('Memphis')");
    // Back, by dragging.
    let grips = browser.asks(
        "return [...document.querySelectorAll('.grip')].map((one) => { const box = one.getBoundingClientRect(); return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)] })",
        json!([]),
    );
    let at = |line: usize| [0, 1].map(|axis| grips[line][axis].as_i64().expect("a place"));
    browser.draw(at(0), [at(1)[0], at(1)[1] + 14]);
    browser.until("document.querySelector('#lines .text').innerText.includes('Gaza')");
    // A walk is changed on the map.
    table.judged(2);
    browser.tap_until("#lines .line:nth-child(1) .text", "document.querySelector('#lines .line .row')");
    browser.tap_button("#lines", "Change");
    browser.until("document.querySelector('#card .stepper')");
    browser.tap_area("Alexandria");
    browser.until("document.querySelector('#lines .text').innerText.includes('Alexandria')");
    // Whatever a letter can say can be typed; what is wrong is said at its line.
    browser.until("document.getElementById('card').hidden");
    browser.tap(".type input");
    browser.press("move 9 Tanis > Gaza\u{e007}");
    browser.until("document.querySelector('#lines .line.illegal .says')");
    browser.picture("phone-illegal");
    browser.tap("#lines .line:nth-child(3) .close");
    browser.until("document.querySelectorAll('#lines .line').length === 2");
    browser.tap_button("#bar", "Undo");
    browser.until("document.querySelectorAll('#lines .line').length === 3");
    assert!(table.stored().is_empty());
    table.is_clean();
}

#[test]
fn the_same_form_sent_twice_counts_once_and_words_stay_words() {
    let table = Table::open(Browser::phone);
    let answers = table.send("twice-and-once", "move 1 Tanis > Gaza", 3);
    assert!(answers.iter().all(|answer| answer["state"] == "handled"), "{answers:?}");
    assert_eq!(table.stored(), ["move 1 from Tanis to Gaza"]);
    // A line that would like to be a script is quoted as text.
    table.browser.open(&format!("{}#more", table.demo.link));
    table.browser.until("document.querySelector('#typed') && document.body.classList.contains('live')");
    table.browser.tap("#typed");
    table.browser.press("tell all: <img src=x onerror=document.title=1><script>document.title=1</script>");
    table.browser.tap_button("#text", "Send as it is");
    table.browser.until("document.querySelector('#told')?.innerText.includes('<script>')");
    let injected = "return document.querySelectorAll('#told img, #told script').length + (document.title === '1')";
    assert_eq!(table.browser.asks(injected, json!([])), json!(0));
    table.is_clean();
}

#[test]
fn without_a_line_lines_stay_and_are_sent_once_later_and_a_ruling_takes_nothing() {
    let mut table = Table::open(Browser::phone);
    table.browser.tap_area("Tanis");
    table.browser.tap_area("Memphis");
    table.judged(1);
    table.browser.offline(true);
    table.browser.tap("#send");
    table.browser.until("document.querySelector('[data-note=offline]')");
    table.browser.picture("phone-offline");
    table.browser.offline(false);
    table.browser.until("document.querySelector('#bar .status').innerText === 'All sent'");
    assert_eq!(table.stored(), ["move 2 from Tanis to Memphis"]);
    // Lines that were not sent outlive a reload, and a phase that is ruled meanwhile.
    table.browser.tap(".type input");
    table.browser.press("loot 2\u{e007}");
    table.judged(2);
    table.browser.open(&table.demo.link);
    table.browser.until("document.querySelectorAll('#lines .line').length === 2");
    table.demo.writes("done");
    // Nobody has anything to trade in the first turn: the second begins, and shows what was never sent.
    table.until_phase("2", "Movement");
    table.browser.until("document.querySelector('[data-note=old1]').innerText.includes('loot 2')");
    table.browser.tap_button("[data-note=old1]", "Take them over");
    table.judged(1);
    assert_eq!(table.lines(), ["1. loot 2, stands"]);
    // The first was refused while there was no line; that is all the console may say.
    let complaints = table.browser.complaints();
    assert!(complaints.iter().all(|line| line.contains("ERR_INTERNET_DISCONNECTED")), "{complaints:#?}");
}

#[test]
fn without_scripts_an_order_is_filed_and_answered() {
    let table = Table::open(Browser::phone);
    let browser = &table.browser;
    browser.cdp("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&table.demo.link);
    assert!(browser.asks("return document.body.className", json!([])) == json!(""));
    browser.tap("#typed");
    browser.press("move 1 Tanis > Gaza");
    browser.tap("#text button");
    browser.until("document.querySelector('#answer')");
    assert!(browser.text("#answer").contains("move 1 from Tanis to Gaza"), "{}", browser.text("#answer"));
    assert!(browser.text("#list").contains("move 1 from Tanis to Gaza"), "{}", browser.text("#list"));
    browser.picture("phone-no-script");
    table.is_clean();
}

#[test]
fn a_keyboard_does_everything_at_a_desk_and_nothing_is_cut_off() {
    let table = Table::open(Browser::desk);
    let browser = &table.browser;
    // The seat was taken a moment ago: the page may still show the board as it was before tokens grew.
    browser.until("document.querySelector('.area[tabindex=\"0\"]')?.getAttribute('aria-label')?.endsWith('Egypt: 2')");
    browser.picture("desk-light");
    // Enter on the own area, which has the focus of the map; then a button of the card.
    browser.asks("document.querySelector('.area[tabindex=\"0\"]').focus()", json!([]));
    browser.press("\u{e007}");
    browser.until("document.activeElement.closest('#card')");
    browser.asks(
        "[...document.querySelectorAll('#card .chip.lit')].find((one) => one.innerText.startsWith('Memphis')).focus()",
        json!([]),
    );
    browser.press("\u{e007}");
    table.judged(1);
    // The area was let go, and has the focus again; Escape closes a card as well.
    browser.until("document.getElementById('card').hidden && document.activeElement.closest('.area')");
    browser.press("\u{e007}");
    browser.until("document.activeElement.closest('#card')");
    browser.press("\u{e00c}");
    browser.until("document.getElementById('card').hidden && document.activeElement.closest('.area')");
    // From area to area with the arrows; each says what it is.
    let heard = "return document.activeElement.getAttribute('aria-label')";
    let own = browser.asks(heard, json!([]));
    assert_eq!(own, json!("Tanis, limit 2, city site, Egypt: 2"));
    browser.press("\u{e015}");
    let next = browser.asks(heard, json!([]));
    assert!(next != own && next.is_string(), "{next}");
    browser.dark();
    browser.picture("desk-dark");
    for view in ["report", "more", "map"] {
        browser.asks("location.hash = arguments[0]", json!([view]));
        browser.until(&format!("document.body.dataset.view === '{view}'"));
        for (width, height) in [(360, 640), (390, 844), (768, 1024), (1280, 900), (1920, 1080)] {
            browser.resize(width, height);
            for size in ["", "200%"] {
                browser.asks("document.documentElement.style.fontSize = arguments[0]", json!([size]));
                let wide = browser.asks("return document.documentElement.scrollWidth - innerWidth", json!([]));
                assert!(wide.as_i64() <= Some(0), "{view} at {width} with {size:?} is {wide} too wide");
            }
            browser.asks("document.documentElement.style.fontSize = ''", json!([]));
            let small = "return [...document.querySelectorAll('button, select, summary, nav a')].filter((one) => one.offsetParent)
                .map((one) => [one.innerText, one.getBoundingClientRect()]).filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([text]) => text)";
            assert_eq!(browser.asks(small, json!([])), json!([]), "{view} at {width}");
        }
    }
    table.is_clean();
}

/// The code of the letter about it.
fn code(house: &House) -> String {
    let letter = house.letter("the code for your order page");
    let is_code = |line: &&str| line.len() == 8 && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    letter.lines().map(str::trim).find(is_code).unwrap_or_else(|| panic!("no code: {letter}")).to_owned()
}

#[test]
fn a_new_device_is_confirmed_by_letter_and_a_daemon_that_is_killed_loses_and_doubles_nothing() {
    let mut house = House::open();
    let link = house.link();
    let browser = Browser::phone(house.folder.path());
    browser.open(&link);
    browser.until("location.pathname === '/enter'");
    browser.picture("phone-enter");
    browser.tap_button("main", "Send me a code");
    browser.until("document.querySelector('#code')");
    // Somebody to whom the letter was forwarded sees the same page, and nothing of the seat.
    let other = Browser::phone(house.folder.path());
    other.open(&link);
    other.until("location.pathname === '/enter'");
    other.open(&format!("{}/s/nile/egypt", house.root));
    assert_eq!(other.asks("return Boolean(document.querySelector('#lines, #stage'))", json!([])), json!(false));
    assert!(!other.text("body").contains("Tanis"), "{}", other.text("body"));
    let asked = "return fetch('/s/nile/egypt/data').then((answer) => answer.status)";
    assert_eq!(other.asks(asked, json!([])), json!(403));
    drop(other);
    browser.tap("#code");
    browser.press(&code(&house));
    browser.tap_button("main", "Open");
    browser.until("location.pathname === '/s/nile/egypt' && document.querySelector('#ok')");
    browser.tap("#ok");
    browser.until("document.getElementById('when').textContent.startsWith('Turn 1 · Movement')");
    // Names with signs of HTML are text.
    assert!(browser.text("h1").contains("<b>Nile</b>"), "{}", browser.text("h1"));
    assert_eq!(browser.asks("return document.title", json!([])), json!("The <b>Nile</b>: Egypt"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // The daemon dies before, while and after the letter arrives.
    let stored = format!("return (async () => {{ {STORED} }})()");
    for (number, pause) in [None, Some(0), Some(30)].into_iter().enumerate() {
        browser.until("document.querySelector('.type input') && document.querySelector('#send')");
        browser.tap(".type input");
        browser.press(&format!("loot {number}\u{e007}"));
        browser.until("!document.querySelector('#send').disabled");
        if pause.is_none() {
            house.kill();
        }
        browser.tap("#send");
        if let Some(pause) = pause {
            std::thread::sleep(std::time::Duration::from_millis(pause));
            house.kill();
        }
        house.start();
        browser.until("document.querySelector('#bar .status')?.innerText === 'All sent'");
        let wanted: Vec<String> = (0..=number).map(|line| format!("loot {line}")).collect();
        assert_eq!(browser.asks(&stored, json!([])), json!(wanted));
    }
    let out = "return Object.keys(localStorage).filter((key) => key.startsWith('cursus/')).length";
    browser.until(&out.replace("return ", "!"));
    // Nothing was asked of another host.
    let root = format!("{}/", house.root);
    let others: Vec<_> =
        browser.asked_for().into_iter().filter(|url| url.starts_with("http") && !url.starts_with(&root)).collect();
    assert!(others.is_empty(), "{others:?}");
}

/// What stands out on a page of the demo: wider than the screen, cut off, unreadably small, or upon each other.
const WRONG_WITH_IT: &str = r#"
    const wrong = [];
    const shown = (one) => one.checkVisibility && one.checkVisibility();
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) { wrong.push(`${wide} too wide`); }
    for (const one of document.querySelectorAll('td, th, .badge, summary, button, select, h1, h2, h3, p, li')) {
        const box = one.getBoundingClientRect();
        const holder = one.closest('.wide');
        if (shown(one) && (box.left < -1 || box.right > innerWidth + 1)) { wrong.push(`off the screen: ${one.innerText}`); }
        if (holder && holder.scrollWidth > holder.clientWidth + 1) { wrong.push('a table scrolls'); }
    }
    for (const chart of document.querySelectorAll('svg.chart')) {
        if (!shown(chart)) { continue; }
        const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
        const ends = [...chart.querySelectorAll('text')].filter((one) => !one.classList.contains('sign'));
        for (const one of ends) {
            const box = one.getBoundingClientRect();
            if (parseFloat(getComputedStyle(one).fontSize) * scale < 9) { wrong.push(`small: ${one.textContent}`); }
            if (box.right > innerWidth || box.left < 0) { wrong.push(`cut off: ${one.textContent}`); }
        }
        const upon = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 3 && other.top < one.bottom - 3;
        const boxes = ends.map((one) => one.getBoundingClientRect());
        boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => { if (upon(one, other)) { wrong.push('labels upon each other'); } }));
    }
    return wrong;
"#;

#[test]
fn the_pages_of_a_demo_fit_a_phone() {
    let folder = TempDir::new().expect("a folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_cursus"))
        .args(["demo", "--turns", "5", "--players", "18"])
        .current_dir(folder.path())
        .output()
        .expect("the demonstration runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // A market and no flood: the first edition sent 71 to 75 letters.
    let said = String::from_utf8_lossy(&output.stdout);
    let letters = said.split("Each player got ").nth(1).and_then(|rest| rest.split(' ').next());
    let letters: f64 = letters.and_then(|letters| letters.parse().ok()).expect("the post bag is told");
    assert!(letters > 0.5 && letters <= 12.0, "{letters} letters a player a turn");
    let browser = Browser::phone(folder.path());
    let page = |name: &str| format!("file://{}/cursus-demo/{name}", folder.path().display());
    browser.open(&page("index.html"));
    browser.until("document.querySelector('#map svg') && document.querySelector('#count').textContent !== '0'");
    assert_eq!(browser.asks(WRONG_WITH_IT, json!([])), json!([]));
    assert_eq!(browser.asks("return document.querySelectorAll('svg.chart.narrow').length", json!([])), json!(2));
    assert_eq!(browser.asks("return document.querySelectorAll('tbody .badge').length", json!([])), json!(18));
    let badges =
        "return [...document.querySelectorAll('.badge')].every((one) => one.scrollWidth <= one.clientWidth + 1)";
    assert_eq!(browser.asks(badges, json!([])), json!(true), "letters stand within their badges");
    // The slider is under a thumb: its buttons are large, and it leads from turn to turn.
    let thumb = "return [...document.querySelectorAll('.slider button')].map((one) => one.getBoundingClientRect())
        .every((box) => box.width >= 43.5 && box.height >= 43.5)";
    assert_eq!(browser.asks(thumb, json!([])), json!(true));
    let room = "return document.querySelector('#turns').getBoundingClientRect().width";
    assert!(browser.asks(room, json!([])).as_f64() > Some(150.0), "the slider has room");
    browser.asks("document.querySelector('.slider').scrollIntoView({block: 'center'})", json!([]));
    let when = browser.text("#when");
    browser.tap("#before");
    browser.until(&format!("document.querySelector('#when').innerText !== {when:?}"));
    browser.picture("phone-demo");
    let cards = "return [...document.querySelectorAll('.cards a')].map((one) => one.getAttribute('href'))
        .filter((link) => link.startsWith('letters/read'))";
    let cards = browser.asks(cards, json!([]));
    // A letter and a map are read without scrolling sideways; a map in full size scrolls within itself.
    for letter in cards.as_array().expect("links") {
        browser.open(&page(letter.as_str().expect("a link")));
        browser.until("document.querySelector('#back') && document.body.innerText.length > 200");
        assert_eq!(browser.asks(WRONG_WITH_IT, json!([])), json!([]), "{letter}");
    }
    browser.open(&page("maps/map.html?1"));
    browser.until("document.querySelector('#map svg')");
    let ways = "const box = document.querySelector('#ways').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth";
    assert_eq!(browser.asks(ways, json!([])), json!(true), "the way back stays on the screen");
}
