//! What a phone shows: nothing is cut off, nothing is too small to tap or to read, in light and in dark.

use cursus::desk::settings::game_file::GameFile;
use cursus::game::Phase;
use serde_json::json;
use tempfile::TempDir;

use super::bourse::{ALL, Bourse};
use super::cards::look_at;
use super::club::game;
use super::driver::Browser;

/// Words that stand out too little from what is behind them, and how little.
const PALE: &str = "
    const parts = (text) => { const found = text.match(/[\\d.]+/g).map(Number); const [r, g, b, a = 1] = found;
        return text.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a] };
    const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    const light = (colour) => { const [r, g, b] = colour.slice(0, 3).map((one) => { const v = one / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b };
    const behind = (one) => { const up = []; for (let at = one; at; at = at.parentElement) up.push(parts(getComputedStyle(at).backgroundColor));
        return up.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255, 1]) };
    const isFaint = (one) => { for (let at = one; at; at = at.parentElement) if (Number(getComputedStyle(at).opacity) < 1) return true; return false };
    return [...document.querySelectorAll('body *:not(svg *)')].filter((one) => one.offsetParent && !isFaint(one) && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((one) => { const ground = behind(one), ink = over(parts(getComputedStyle(one).color), ground);
            const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x); return [(a + 0.05) / (b + 0.05), one] })
        .filter(([ratio]) => ratio < 4.5).map(([ratio, one]) => `${ratio.toFixed(2)} ${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)";

/// What may be tapped and is smaller than a finger.
const SMALL: &str = "return [...document.querySelectorAll('button, select, summary, textarea, input:not([type=hidden], [type=checkbox], [type=range]), nav a')].filter((one) => one.offsetParent)
    .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()]).filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([text, box]) => `${text} ${box.width}x${box.height}`)";

/// Fields around which a telephone would enlarge the page.
const ENLARGED: &str = "return [...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.outerHTML.slice(0, 90))";

/// What is wider than its view.
const WIDE: &str = "return [document.documentElement, ...document.querySelectorAll('.sheet-view, main, main > section')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth).map((one) => `${one.tagName}#${one.id} ${one.scrollWidth} in ${one.clientWidth}`)";

/// Nothing of what is shown now is cut off, too small or too pale.
pub fn is_well(browser: &Browser, what: &str) {
    for (script, is) in [(WIDE, "too wide"), (SMALL, "too small"), (ENLARGED, "enlarged"), (PALE, "too pale")] {
        assert_eq!(browser.asks(script, json!([])), json!([]), "{what}: {is}");
    }
}

#[test]
fn nothing_is_cut_off_too_small_or_too_pale_on_a_phone() {
    let bourse = Bourse::of(GameFile { public_page: true, ..game("nile", &ALL) }, Phase::Trade);
    let folder = TempDir::new().expect("a folder");
    let egypt = bourse.phone(folder.path(), "Egypt");
    let cards: Vec<String> = bourse.hand("Hellas").into_keys().collect();
    let gives = cards.iter().cycle().take(3).cloned().collect::<Vec<_>>().join(", ");
    // Somebody offers, so that there is a badge; what cannot be offered is told to Hellas.
    bourse.mails("Hellas", format!("want {}\noffer to Egypt: {gives} for any, any, any", cards[0]));
    egypt.until("document.querySelector('#views .badge')");
    for dark in [false, true] {
        if dark {
            egypt.dark();
        }
        for view in ["map", "cards", "advances", "report", "more"] {
            look_at(&egypt, view);
            egypt.asks(
                "document.querySelectorAll('.sheet-view details').forEach((one) => (one.open = true))",
                json!([]),
            );
            if view == "report" {
                egypt.until("document.querySelector('#then svg')");
                let touch =
                    egypt.asks("return getComputedStyle(document.getElementById('then')).touchAction", json!([]));
                assert_eq!(touch, json!("pan-y"), "a finger on the map of a turn still scrolls the page");
            }
            is_well(&egypt, &format!("{view}, {}", if dark { "dark" } else { "light" }));
            egypt.picture(&format!("looks-{view}-{}", if dark { "dark" } else { "light" }));
        }
    }
    egypt.open(&format!("{}/g/nile", bourse.base));
    egypt.until("document.querySelector('#then svg')");
    is_well(&egypt, "public page, dark");
}
