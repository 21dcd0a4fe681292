//! Who calls: the address of a connection, or what a proxy of ours says it is.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;

use super::limits::counted;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller(pub IpAddr);

/// The header in which proxies say for whom they call; each puts its caller behind those that it was told of.
pub(crate) const FORWARDED: &str = "x-forwarded-for";

impl Caller {
    /// Whoever called us themselves; or, where that is a proxy of ours, the last whom it names that is none.
    pub(crate) fn of(peer: SocketAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> Caller {
        if !is_among(proxies, peer.ip()) {
            return Caller(counted(peer.ip()));
        }
        let named: Vec<&str> = headers
            .get_all(FORWARDED)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        let mut caller = peer.ip();
        for name in named.iter().rev() {
            // What cannot be read was not written by a proxy of ours.
            let Some(address) = address(name.trim()) else { break };
            caller = address;
            if !is_among(proxies, address) {
                break;
            }
        }
        Caller(counted(caller))
    }
}

/// Whether an address is one of these.
pub(crate) fn is_among(proxies: &[IpAddr], address: IpAddr) -> bool {
    proxies.iter().any(|proxy| proxy.to_canonical() == address.to_canonical())
}

/// `192.0.2.7`, `[2001:db8::7]:4711`.
fn address(text: &str) -> Option<IpAddr> {
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().expect("a value"));
        }
        let proxies = ["127.0.0.1".parse().expect("an address"), "10.0.0.2".parse().expect("an address")];
        Caller::of(peer.parse().expect("a peer"), &headers, &proxies).0.to_string()
    }

    #[test]
    fn only_a_proxy_of_ours_is_believed_and_only_its_own_word() {
        assert_eq!(caller("192.0.2.9:1", &["198.51.100.1"]), "192.0.2.9", "a stranger's word counts for nothing");
        assert_eq!(caller("127.0.0.1:1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            caller("127.0.0.1:1", &["203.0.113.5, 198.51.100.1"]),
            "198.51.100.1",
            "the caller made up the first"
        );
        assert_eq!(caller("127.0.0.1:1", &["203.0.113.5", "198.51.100.1, 10.0.0.2"]), "198.51.100.1");
        assert_eq!(caller("127.0.0.1:1", &["nonsense"]), "127.0.0.1");
        assert_eq!(caller("127.0.0.1:1", &[]), "127.0.0.1");
        assert_eq!(caller("127.0.0.1:1", &["[2001:db8::7]:99"]), "2001:db8::");
    }
}
