//! A file that a domain offers on the web, or says where it is: many let their provider answer. Asked over a sealed line alone,
//! a few steps far, and never sent to a machine that only we can reach.

use std::io::Read;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use reqwest::Url;
use reqwest::blocking::Client;
use reqwest::header::LOCATION;
use reqwest::redirect::Policy;

use crate::post::trust::trust;

/// How long each step is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// No such file is longer.
const LARGEST: u64 = 256 * 1024;
/// So often somebody may say that it is elsewhere.
const MOST_STEPS: usize = 3;

/// The file, or the place to which one is sent on.
enum Reply {
    Text(String),
    /// It is at this address.
    Elsewhere(String),
}

/// The file at an address, or where it says that the file is.
pub(super) fn fetch(address: &str) -> Option<String> {
    follow(address, &resolve, &ask)
}

fn follow(
    address: &str,
    resolve: &dyn Fn(&str, u16) -> Vec<SocketAddr>,
    ask: &dyn Fn(&Url, &[SocketAddr]) -> Option<Reply>,
) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    let own = url.host_str()?.to_owned();
    for _ in 0..=MOST_STEPS {
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        let places = resolve(&host, url.port_or_known_default()?);
        let is_plain = url.scheme() != "https" || !url.username().is_empty() || url.password().is_some();
        // The domain itself may be in a house of its own; where it sends us must be open to everybody.
        let is_open = host == own || places.iter().all(|place| is_public(place.ip()));
        if is_plain || places.is_empty() || !is_open {
            return None;
        }
        match ask(&url, &places)? {
            Reply::Text(text) => return Some(text),
            Reply::Elsewhere(place) => url = url.join(&place).ok()?,
        }
    }
    None
}

/// Asks at these places and no others, whatever the name means a moment later.
fn ask(url: &Url, places: &[SocketAddr]) -> Option<Reply> {
    let config = trust(None).ok()?.as_ref().clone();
    let client = Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(Policy::none())
        .no_proxy()
        .resolve_to_addrs(url.host_str()?, places)
        .timeout(PATIENCE)
        .user_agent(concat!("Cursus/", env!("CARGO_PKG_VERSION")))
        .build()
        .ok()?;
    let answer = client.get(url.clone()).send().ok()?;
    if answer.status().is_redirection() {
        return Some(Reply::Elsewhere(answer.headers().get(LOCATION)?.to_str().ok()?.to_owned()));
    }
    let mut text = String::new();
    answer.error_for_status().ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(Reply::Text(text))
}

/// The addresses of a host. The system may take its time over this, so it is asked in a thread that may be left behind.
fn resolve(host: &str, port: u16) -> Vec<SocketAddr> {
    let (sender, receiver) = mpsc::channel();
    let host = host.to_owned();
    thread::spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // Nobody may be waiting any more.
        let _ = sender.send(found.unwrap_or_default());
    });
    receiver.recv_timeout(PATIENCE).unwrap_or_default()
}

/// Whether everybody means the same machine by an address.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            let is_own = address.is_private() || address.is_loopback() || address.is_link_local() || first == 0;
            !(is_own || is_shared || address.is_multicast() || address.is_broadcast() || first >= 240)
        }
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public(IpAddr::V4(mapped)),
            None => {
                let first = address.segments()[0];
                let is_own = first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80;
                let is_nobody = address == Ipv6Addr::LOCALHOST || address.is_unspecified() || address.is_multicast();
                !(is_own || is_nobody)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// What comes of asking, where these addresses send somebody on, and which were asked. `home` is in a house of its own.
    fn asked(moves: &[(&str, &str)]) -> (Option<String>, Vec<String>) {
        let log = RefCell::new(Vec::new());
        let resolve = |host: &str, port: u16| {
            let address = match host {
                "home.example" | "inside.example" => "192.168.1.7",
                "nobody.example" => return Vec::new(),
                host if host.parse::<IpAddr>().is_ok() => host,
                _ => "93.184.216.34",
            };
            vec![SocketAddr::new(address.parse().expect("an address"), port)]
        };
        let ask = |url: &Url, _: &[SocketAddr]| {
            log.borrow_mut().push(url.to_string());
            let to = moves.iter().find(|(from, _)| *from == url.as_str()).map(|(_, to)| *to);
            Some(to.map_or(Reply::Text("the file".to_owned()), |to| Reply::Elsewhere(to.to_owned())))
        };
        (follow("https://home.example/a.xml", &resolve, &ask), log.into_inner())
    }

    #[test]
    fn a_domain_may_let_its_provider_answer() {
        let file = Some("the file".to_owned());
        assert_eq!(asked(&[]), (file.clone(), vec!["https://home.example/a.xml".to_owned()]));
        let provider = "https://mail.example/b.xml";
        let (found, asked_at) = asked(&[("https://home.example/a.xml", provider)]);
        assert_eq!((found, asked_at.last().map(String::as_str)), (file.clone(), Some(provider)));
        let (found, asked_at) = asked(&[("https://home.example/a.xml", "/c.xml")]);
        assert_eq!((found, asked_at.last().map(String::as_str)), (file, Some("https://home.example/c.xml")));
    }

    #[test]
    fn nobody_is_sent_in_circles_or_to_a_machine_of_ours() {
        let first = "https://home.example/a.xml";
        let circle = [(first, "https://mail.example/b.xml"), ("https://mail.example/b.xml", first)];
        let (found, asked_at) = asked(&circle);
        assert_eq!((found, asked_at.len()), (None, 1 + MOST_STEPS));
        for place in [
            "http://mail.example/b.xml",
            "https://inside.example/b.xml",
            "https://127.0.0.1:8443/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data",
            "https://ann:secret@mail.example/",
            "https://nobody.example/",
            "file:///etc/passwd",
            "https://",
        ] {
            assert_eq!(asked(&[(first, place)]), (None, vec![first.to_owned()]), "{place}");
        }
    }

    #[test]
    fn addresses_of_everybody_are_told_from_our_own() {
        for open in ["93.184.216.34", "100.63.0.1", "2606:2800::1", "::ffff:8.8.8.8"] {
            assert!(is_public(open.parse().expect("an address")), "{open}");
        }
        for own in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(!is_public(own.parse().expect("an address")), "{own}");
        }
    }
}
