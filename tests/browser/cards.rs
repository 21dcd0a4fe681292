//! The cards in a browser: a trade between two browsers and a mail player, and an offer that was overtaken.

use std::collections::BTreeSet;

use cursus::game::Phase;
use serde_json::json;
use tempfile::TempDir;

use super::bourse::Bourse;
use super::club::game;
use super::driver::Browser;

pub fn look_at(browser: &Browser, view: &str) {
    browser.tap(&format!("#views a[href=\"#{view}\"]"));
    browser.until(&format!("document.body.dataset.view === '{view}'"));
}

/// Chooses the first cards that may be given, and as many of any kind for them; offers them to all.
fn offer_three(browser: &Browser) {
    if browser.asks("return document.querySelector('[data-fold=offer]').open", json!([])) == json!(false) {
        browser.tap("[data-fold=offer] > summary");
    }
    for count in 1..=3 {
        browser.tap("[data-fold=offer] .choose:nth-of-type(2) .beside:not(.picks) button:not(:disabled)");
        browser.until(&format!("document.querySelectorAll('[data-key^=give-out]').length === {count}"));
    }
    for count in 1..=3 {
        browser.tap("[data-key=\"want-in-any\"]");
        browser.until(&format!("document.querySelectorAll('[data-key^=want-out]').length === {count}"));
    }
    browser.picture("phone-offer");
    browser.tap("#offer-send");
    browser.until("[...document.querySelectorAll('.offer')].some((one) => one.innerText.includes('yours'))");
}

/// From now on what is answered to a letter is held back.
const HELD: &str = "const real = window.fetch; const held = new Promise((go) => (window.release = go));
    window.fetch = async (path, more) => { const answer = await real(path, more); if (String(path).endsWith('/send')) await held; return answer }";

/// Lets go what was held back; when the note of it is there: what a finger would hit at an element, and how far that was moved.
const RELEASED: &str = "return (async (...args) => {
    const find = () => document.querySelector(args[0]), top = () => find().getBoundingClientRect().top;
    find().scrollIntoView({block: 'nearest'});
    const was = top();
    const told = new Promise((seen) => new MutationObserver(() => document.querySelector('[data-note=answer]') && seen()).observe(document.body, {childList: true, subtree: true}));
    window.release(); await told;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const box = find().getBoundingClientRect();
    return [document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).id, Math.abs(top() - was) < 2]
})(...arguments)";

/// The lines on the sheet, as the server has them.
fn stored(browser: &Browser) -> Vec<String> {
    let script = format!("return (async () => {{ {} }})()", super::STORED);
    let lines = browser.asks(&script, json!([]));
    lines.as_array().expect("lines").iter().map(|line| line.as_str().expect("a line").to_owned()).collect()
}

#[test]
fn advances_bought_with_a_payment_chosen_card_by_card_equal_the_same_by_mail() {
    let bourse = Bourse::open(Phase::Advances);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    look_at(&egypt, "advances");
    egypt.until("document.querySelectorAll('.advance').length === 51");
    egypt.picture("phone-advances");
    // The cheapest, as it would be paid if nobody chose.
    egypt.tap(".advance .put");
    egypt.until("document.querySelector('#pays') && !document.querySelector('#order-advances').disabled");
    egypt.picture("phone-basket");
    // Chosen card by card: everything that was found is put back, and other cards are taken until they are enough.
    egypt.tap("[data-key=pay-self]");
    egypt.until("document.querySelector('#paying')");
    while egypt.asks("return Boolean(document.querySelector('[data-key^=pay-out]'))", json!([])) == json!(true) {
        egypt.tap("[data-key^=pay-out]");
    }
    let enough = "!document.querySelector('#order-advances').disabled";
    for count in 1..=9 {
        let ready = format!("return {enough}");
        std::thread::sleep(std::time::Duration::from_millis(600));
        if egypt.asks(&ready, json!([])) == json!(true) && count > 1 {
            break;
        }
        egypt.tap("[data-key^=pay-in]:not(:disabled)");
        egypt.until(&format!("document.querySelectorAll('[data-key^=pay-out]').length === {count}"));
    }
    egypt.until(enough);
    egypt.picture("phone-paying");
    let line = egypt.text("#buys");
    assert!(line.contains(" paying "), "{line}");
    egypt.tap("#order-advances");
    egypt.until("document.querySelector('#basket .call') && !document.querySelector('#buys')");
    egypt.until("document.querySelector('#bar .status').textContent === 'All sent'");
    let tapped = stored(&egypt);
    assert_eq!(tapped.join("\n"), line);
    // The same by mail, in a player's own words.
    let by_mail = line.replace("acquire", "we buy").replace(" paying ", " for ");
    bourse.mails("Egypt", format!("clear advances\n{by_mail}"));
    egypt.until("document.querySelector('#basket .order')");
    assert_eq!(stored(&egypt), tapped);
    // What was chosen is what is paid.
    let paid = line.split_once(" paying ").expect("a payment").1.to_owned();
    bourse.at_desk(|club| club.wait(chrono::Duration::days(8)));
    let (cards, treasury) = bourse.paid("Egypt");
    let counted = |(card, count): (String, usize)| if count > 1 { format!("{count} {card}") } else { card };
    let treasury = (treasury > 0).then(|| format!("{treasury} treasury"));
    let ruled: BTreeSet<String> = cards.into_iter().map(counted).chain(treasury).collect();
    assert_eq!(ruled, paid.split(", ").map(str::to_owned).collect());
    assert_eq!(egypt.complaints(), Vec::<String>::new());
}

#[test]
fn two_browsers_and_a_mail_player_trade_and_whoever_is_late_hears_it_at_once() {
    let bourse = Bourse::open(Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    let hellas = bourse.phone(folder.path(), "Hellas");
    look_at(&egypt, "cards");
    egypt.picture("phone-cards");
    offer_three(&egypt);
    // The other browser hears of it without reloading: a badge, and the title of the tab.
    hellas.until("document.querySelector('#views .badge')?.textContent === '1' && document.title.startsWith('(1) ')");
    hellas.picture("phone-badge");
    look_at(&hellas, "cards");
    hellas.until("!document.querySelector('#views .badge') && !document.title.startsWith('(')");
    hellas.until("document.querySelector('.offer.ready[data-offer=\"1\"]')");
    // Cards are being chosen for it, and the mail player is quicker.
    hellas.tap("[data-key=\"row-1-with\"]");
    hellas.until("document.querySelector('.panel')");
    let cards = |name: &'static str| -> Vec<String> {
        let hand = bourse.hand(name);
        hand.into_iter().flat_map(|(card, count)| std::iter::repeat_n(card, count)).collect()
    };
    let gives = cards("Assyria")[..3].join(", ");
    let told = bourse.mails("Assyria", format!("accept 1 with {gives}"));
    assert!(told.iter().any(|mail| mail.text.contains("Egypt")), "{told:?}", told = told.len());
    hellas.until(
        "document.querySelector('#deal').innerText.includes('Offer 1 is gone') && !document.querySelector('.panel')",
    );
    hellas.picture("phone-overtaken");
    egypt.until("document.querySelector('#cards').innerText.includes('Assyria')");
    // A second offer is answered with a button, while there is no line; the mail player is quicker again.
    offer_three(&egypt);
    hellas.until("document.querySelector('.offer.ready[data-offer=\"2\"]')");
    hellas.offline(true);
    hellas.tap("[data-key$=\"-2-yes\"]");
    let gives = cards("Assyria")[..3].join(", ");
    bourse.mails("Assyria", format!("accept 2 with {gives}"));
    let offer = cards("Assyria")[..3].join(", ");
    bourse.mails("Assyria", format!("offer to Hellas: {offer} for any, any, any"));
    hellas.offline(false);
    hellas.until("document.querySelector('#deal.call')?.innerText.includes('Open now') && document.querySelector('#deal [data-offer=\"3\"]')");
    hellas.picture("phone-refused");
    // What is open now is answered from there.
    let before = bourse.hand("Hellas");
    // The answer to the letter is slower than the news of the trade, and by then something else is being done.
    hellas.asks(HELD, json!([]));
    hellas.tap("#deal [data-key=\"now-3-yes\"]");
    hellas.until(
        "!document.querySelector('[data-offer=\"3\"]') && document.querySelector('#deal').innerText.includes('Traded')",
    );
    assert_ne!(bourse.hand("Hellas"), before, "the cards were swapped");
    // A wish is put up by choosing cards, and the others read it.
    hellas.tap("[data-fold=wish] > summary");
    hellas.tap("[data-key^=wish-want-in]");
    hellas.until("document.querySelector('[data-key^=wish-want-out]')");
    // What is told now lies over nothing that may be tapped, and moves nothing away from under a finger.
    let reached = hellas.asks(RELEASED, json!(["#wish-send"]));
    assert_eq!(reached, json!(["wish-send", true]), "the note is in the way");
    hellas.picture("phone-note");
    hellas.tap("#wish-send");
    egypt.until("document.querySelector('#cards').innerText.includes('Hellas wants')");
    egypt.dark();
    egypt.picture("phone-cards-dark");
    for browser in [&egypt, &hellas] {
        let wide = browser.asks("return document.documentElement.scrollWidth - innerWidth", json!([]));
        assert!(wide.as_i64() <= Some(0), "{wide} too wide");
    }
    assert_eq!(egypt.complaints(), Vec::<String>::new());
}

#[test]
fn what_a_calamity_takes_is_tapped_on_the_map_in_sequence() {
    let bourse = Bourse::open(Phase::Calamities);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    look_at(&egypt, "cards");
    egypt.until("document.querySelector('.peril .call')");
    egypt.picture("phone-calamity");
    // What is to be spared, or lost first: areas in the sequence in which they are tapped.
    egypt.tap("[data-form=lose] button");
    egypt.until("document.body.dataset.view === 'map' && document.querySelectorAll('#card .beside .chip').length > 1");
    egypt.tap("#card .beside .chip:nth-child(2)");
    egypt.until("document.querySelectorAll('#card .chip.picked').length === 1");
    egypt.tap("#card .beside .chip:nth-child(1)");
    egypt.until("document.querySelectorAll('#card .chip.picked').length === 2");
    egypt.picture("phone-picking");
    let [second, first] = [1, 2].map(|at| egypt.text(&format!("#card .beside .chip:nth-child({at}) b")));
    egypt.tap("#picked");
    egypt.until("document.body.dataset.view === 'cards'");
    egypt.until("document.querySelector('#bar .status').textContent === 'All sent'");
    let stored = stored(&egypt);
    assert!(stored.len() == 1 && stored[0].ends_with(&format!("lose {first}, {second}")), "{stored:?}");
    // Where several tokens stand, it may be some of them.
    let crowded = "return (async () => { const data = await (await fetch(document.body.dataset.address + '/data')).json();
        const own = data.own.find((one) => one.tokens > 1); return own && data.areas.find((area) => area.id === own.area).name })()";
    let crowded = egypt.asks(crowded, json!([]));
    let crowded = crowded.as_str().expect("some stand together");
    look_at(&egypt, "cards");
    egypt.tap("#cards > [data-form=lose] button");
    egypt.until("document.body.dataset.view === 'map' && document.querySelectorAll('#card .beside .chip').length > 1");
    let chip = "[...document.querySelectorAll('#card .beside .chip')].find((one) => one.innerText.includes(arguments[0])).click()";
    egypt.asks(chip, json!([crowded]));
    egypt.until("document.querySelector('#card [data-count] .step')");
    egypt.tap("#card [data-count] .step:nth-of-type(2)");
    egypt.until("document.querySelector('#card [data-count] output').innerText === '1'");
    egypt.picture("phone-some");
    egypt.tap("#picked");
    egypt.until(
        "document.body.dataset.view === 'cards' && document.querySelector('#bar .status').textContent === 'All sent'",
    );
    let stored = self::stored(&egypt);
    assert!(stored.iter().any(|line| *line == format!("lose {crowded} 1")), "{stored:?}");
    assert_eq!(egypt.complaints(), Vec::<String>::new());
}

#[test]
fn what_was_is_looked_up_and_players_write_to_each_other() {
    let bourse = Bourse::open(Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    let hellas = bourse.phone(folder.path(), "Hellas");
    look_at(&egypt, "report");
    egypt.until("document.querySelector('#old-letter')?.options.length > 5 && document.querySelector('#then svg')");
    // An old letter takes the place of the newest, and gives it back.
    let newest = egypt.text("#report .letter");
    let choose = |value: &str| {
        let script = "const one = document.getElementById('old-letter'); one.value = one.options[arguments[0]].value; one.dispatchEvent(new Event('change'))";
        egypt.asks(script, json!([value.parse::<u32>().expect("a number")]));
    };
    choose("4");
    egypt.until(&format!("document.querySelector('#report .letter').innerText !== {newest:?}"));
    choose("0");
    egypt.until(&format!("document.querySelector('#report .letter').innerText === {newest:?}"));
    // The map of any turn; the curves and the table go with it.
    let last = egypt.asks("return document.getElementById('turn').max", json!([]));
    egypt.until(&format!("document.getElementById('then').dataset.turn === {last}"));
    egypt.tap("#history .turns button");
    let before = last.as_str().and_then(|turn| turn.parse::<u32>().ok()).expect("a turn") - 1;
    egypt.until(&format!("document.getElementById('then').dataset.turn === '{before}'"));
    egypt.until(&format!("document.querySelector('.legend caption').innerText === 'Turn {before}'"));
    assert_eq!(egypt.asks("return document.querySelectorAll('.chart .curve').length", json!([])), json!(5));
    egypt.picture("phone-history");
    egypt.asks("window.drawn = document.querySelector('#then svg')", json!([]));
    egypt.tap("[data-key=chart-steps]");
    egypt.until("document.querySelector('[data-key=chart-steps]').getAttribute('aria-pressed') === 'true'");
    let stays = egypt.asks("return document.querySelector('#then svg') === window.drawn", json!([]));
    assert_eq!(stays, json!(true), "the map stays while another curve is looked at");
    egypt.picture("phone-chart");
    // The rules, searched.
    look_at(&egypt, "more");
    egypt.tap("#open-book > summary");
    egypt.until("document.querySelectorAll('#found details').length > 50");
    egypt.tap("#search");
    egypt.press("flood plain");
    egypt.until("document.querySelectorAll('#found details').length < 20 && document.querySelector('#found').innerText.includes('Flood')");
    egypt.picture("phone-rules");
    // Words by correspondent: written here, read there, answered there.
    egypt.tap("[data-person=Hellas] > summary");
    egypt.tap("[data-person=Hellas] textarea");
    egypt.press("Salt for <b>wine</b>?");
    egypt.tap_button("[data-person=Hellas]", "Send");
    egypt
        .until("document.querySelector('[data-person=Hellas] .said.own')?.innerText.includes('Salt for <b>wine</b>?')");
    // The other browser hears of it without reloading.
    hellas.until("document.querySelector('#views a[href=\"#more\"] .badge')");
    look_at(&hellas, "more");
    hellas.until("document.querySelector('[data-person=Egypt] .said')");
    hellas.tap("[data-person=Egypt] > summary");
    hellas.until("document.querySelector('[data-person=Egypt] .said').innerText.includes('Salt for <b>wine</b>?')");
    hellas.tap("[data-person=Egypt] textarea");
    hellas.press("Gladly.");
    hellas.tap_button("[data-person=Egypt]", "Send");
    hellas.until("document.querySelectorAll('[data-person=Egypt] .said').length === 2");
    hellas.picture("phone-press");
    assert_eq!(egypt.complaints(), Vec::<String>::new());
}

/// Whether something is on the screen now.
fn has(browser: &Browser, selector: &str) -> bool {
    let script = "return [...document.querySelectorAll(arguments[0])].some((one) => one.offsetParent && !one.disabled)";
    browser.asks(script, json!([selector])) == json!(true)
}

#[test]
fn two_whole_turns_are_played_by_tapping_alone_beside_companions_and_a_mail_player() {
    let bourse = Bourse::of(game("nile", &["Egypt", "Hellas"]), Phase::Movement);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    let when = || egypt.text("#when");
    let turn = || when().split(' ').nth(1).and_then(|turn| turn.parse::<u32>().ok()).expect("a turn");
    let first = turn();
    let (mut acted, mut bought, mut moved) = (Vec::new(), 0, 0);
    while turn() < first + 2 {
        let now = when();
        let before = bourse.at_desk(|club| club.table("nile").phase());
        assert!(acted.len() < 12, "{acted:?}");
        let phase = now.split(" · ").nth(1).expect("a phase").to_owned();
        let name = format!("walk-{}-{}", turn(), phase.split(' ').next().expect("a word").to_lowercase());
        look_at(&egypt, "map");
        egypt.picture(&format!("{name}-map"));
        // What the phase is about is one tap away.
        // Whoever cannot trade is in, and only waits.
        let is_in = egypt.asks(
            "return (async () => (await (await fetch(document.body.dataset.address + '/data')).json()).plan.done)()",
            json!([]),
        ) == json!(true);
        if phase != "Movement" && !is_in {
            egypt.until("document.querySelector('#go')?.offsetParent");
        }
        for view in ["cards", "advances", "report", "more"] {
            look_at(&egypt, view);
            egypt.picture(&format!("{name}-{view}"));
        }
        match phase.as_str() {
            _ if is_in => {}
            "Movement" => {
                look_at(&egypt, "map");
                // The first own area where somebody can move, and the first neighbour with room.
                let own = egypt.asks(
                    "return (async () => { const data = await (await fetch(document.body.dataset.address + '/data')).json();
                       const own = data.own.find((one) => one.fresh > 0 && data.areas.find((area) => area.id === one.area).reach.length);
                       return data.areas.find((area) => area.id === own.area).name })()",
                    json!([]),
                );
                egypt.tap_area(own.as_str().expect("an area"));
                egypt.until("document.querySelector('#card .stepper')");
                egypt.picture(&format!("{name}-card"));
                egypt.tap("#card .chip.lit");
                egypt.until("document.querySelector('#lines .line:not(.new)')");
                egypt.picture(&format!("{name}-lines"));
                moved += 1;
                egypt.tap("#finish");
            }
            "Trade" => {
                look_at(&egypt, "cards");
                if has(&egypt, "[data-key$=\"-yes\"]") {
                    egypt.tap("[data-key$=\"-yes\"]");
                    egypt.until("document.querySelector('#deal').innerText");
                    egypt.picture(&format!("{name}-swapped"));
                }
                egypt.until("document.querySelector('#end-trade') || !document.querySelector('[data-fold]')");
                if has(&egypt, "#end-trade") {
                    egypt.tap("#end-trade");
                    egypt.until("!document.querySelector('#end-trade')");
                    egypt.picture(&format!("{name}-ended"));
                }
            }
            "Civilization Advances Acquisition" => {
                look_at(&egypt, "advances");
                if has(&egypt, ".buys") || egypt.text("#advances").contains("You can afford") {
                    egypt.tap(".advance .put");
                    egypt.until("!document.querySelector('#order-advances').disabled");
                    egypt.picture(&format!("{name}-basket"));
                    egypt.tap("#order-advances");
                    egypt.until("document.querySelector('#bar .status').textContent === 'All sent'");
                    egypt.picture(&format!("{name}-ordered"));
                    bought += 1;
                } else {
                    look_at(&egypt, "map");
                    egypt.tap("#ok");
                }
            }
            _ => {
                look_at(&egypt, "map");
                egypt.tap("#ok");
            }
        }
        acted.push(now.clone());
        // The other person answers by mail, as it is; where something else is awaited, the cut-off comes.
        bourse.mails("Hellas", "ok".to_owned());
        bourse.at_desk(move |club| {
            for _ in 0..30 {
                if club.table("nile").phase() != before {
                    return;
                }
                club.wait(chrono::Duration::hours(12));
            }
            panic!("{before} never ends");
        });
        egypt.until(&format!("document.getElementById('when').innerText !== {now:?}"));
        if acted.len() == 4 {
            egypt.dark();
        }
    }
    assert!(moved >= 2, "{acted:?}");
    let phases = |word: &str| acted.iter().filter(|now| now.contains(word)).count();
    assert_eq!((phases("Movement"), phases("Trade"), phases("Advances")), (2, 2, 2), "{acted:?}");
    assert!(bought >= 1, "{acted:?}");
    assert_eq!(egypt.complaints(), Vec::<String>::new());
}
