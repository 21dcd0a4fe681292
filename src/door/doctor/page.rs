//! The order page: asked for by its public address, as a browser would.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use reqwest::redirect::Policy;

use super::Finding;
use crate::desk::settings::Settings;
use crate::post::trust::trust;
use crate::web;
use crate::web::about::{About, Called};

/// So long the page may take.
const PATIENCE: Duration = Duration::from_secs(15);
/// A stream whose words come closer together than this was held back.
const HELD_BACK: Duration = Duration::from_millis(200);
/// What every page of ours is sent with.
const HEADERS: [&str; 3] = ["content-security-policy", "referrer-policy", "x-content-type-options"];

/// Examines the order page, where there is one.
pub(super) fn page(settings: &Settings) -> Vec<Finding> {
    let Some(web) = &settings.web else { return Vec::new() };
    let what = "order page";
    let Some(client) = client() else {
        return vec![Finding::wrong(what, "no client of HTTP can be made", "see to the certificates of this machine")];
    };
    let response = match client.get(web.url("/about")).send() {
        Ok(response) => response,
        Err(trouble) => return vec![unreached(what, web, &trouble)],
    };
    let status = response.status().as_u16();
    let mut findings = Vec::new();
    let missing: Vec<&str> = HEADERS.into_iter().filter(|name| !response.headers().contains_key(*name)).collect();
    let is_kept = response.headers().contains_key("age");
    let Some(about) = (status == 200).then(|| response.json::<About>().ok()).flatten() else {
        return vec![strange(what, web, status)];
    };
    findings.push(if about.cursus == env!("CARGO_PKG_VERSION") {
        Finding::well(what, format!("{} answers", web.address))
    } else {
        let says = format!("{} answers, and it is Cursus {}", web.address, about.cursus);
        Finding::mind(what, says, "restart the daemon: it runs another version than this one")
    });
    if !missing.is_empty() {
        let says = format!("the proxy takes headers away: {}", missing.join(", "));
        findings.push(Finding::wrong(
            what,
            says,
            "let it pass on what the page says to browsers; it keeps scripts out",
        ));
    }
    if is_kept {
        let says = "somebody on the way keeps copies of pages";
        findings.push(Finding::wrong(what, says, "switch its cache off for this site: pages are one reader's own"));
    }
    findings.extend(called(what, about.called));
    findings.extend(stream(what, client.get(web.url("/about/stream")).send().ok()));
    findings
}

/// Who is said to call.
fn called(what: &str, called: Called) -> Option<Finding> {
    let all_as_one = "all browsers are counted as one, so a single one that asks too often shuts out all";
    match called {
        Called::Directly | Called::ByProxy => None,
        Called::BySilentProxy => Some(Finding::wrong(
            what,
            format!("the proxy does not say for whom it asks: {all_as_one}"),
            "let it add X-Forwarded-For; docs/running.md has the lines for Caddy and nginx",
        )),
        Called::ByUnknownProxy => Some(Finding::wrong(
            what,
            format!("a proxy that the settings do not name asks for others: {all_as_one}"),
            "write its address into [web], proxies = [\"127.0.0.1\"]",
        )),
    }
}

/// Whether news come when they are told.
fn stream(what: &str, response: Option<Response>) -> Option<Finding> {
    let mut times = Vec::new();
    let words = BufReader::new(response?).lines().map_while(Result::ok).filter(|line| line.starts_with("data:"));
    words.for_each(|_| times.push(Instant::now()));
    let is_held = match times[..] {
        [first, .., last] => last - first < HELD_BACK,
        _ => true,
    };
    is_held.then(|| {
        let says = "the proxy holds news back until a page is complete";
        Finding::mind(what, says, "switch its buffering off (nginx: proxy_buffering off)")
    })
}

fn unreached(what: &str, web: &web::Settings, trouble: &reqwest::Error) -> Finding {
    let says = format!("{} cannot be reached{}", web.address, if trouble.is_timeout() { " in time" } else { "" });
    let advice = if web.address.starts_with("http://") {
        format!("is the daemon running? It would listen at {}", web.listen)
    } else {
        format!(
            "is the daemon running (it would listen at {}), does the name lead to this machine, and does the proxy have a \
             certificate that browsers trust?",
            web.listen
        )
    };
    Finding::wrong(what, says, advice)
}

/// Somebody answers, and it is not us.
fn strange(what: &str, web: &web::Settings, status: u16) -> Finding {
    let (says, advice) = match status {
        421 => (
            "the proxy calls us by another name".to_owned(),
            format!("let it pass on the Host of the browser: it must be {}", web.host()),
        ),
        502..=504 => (
            format!("the proxy answers {status}: it does not reach us"),
            format!("is the daemon running? The proxy must ask {}", web.listen),
        ),
        300..=399 => (
            format!("it answers {status} and sends browsers elsewhere"),
            "write into [web], address what browsers end at, without a path".to_owned(),
        ),
        _ => (
            format!("{} answers {status}, and it is not the order page", web.address),
            format!("let the proxy pass everything of this name on to {}", web.listen),
        ),
    };
    Finding::wrong(what, says, advice)
}

fn client() -> Option<Client> {
    let config = trust(None).ok()?.as_ref().clone();
    let client = Client::builder().tls_backend_preconfigured(config).redirect(Policy::none()).no_proxy();
    client.connect_timeout(PATIENCE).timeout(PATIENCE).build().ok()
}
