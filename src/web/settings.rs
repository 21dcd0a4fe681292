//! How the page is served.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use super::limits::Limits;

/// How the page is served, `[web]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the server listens.
    pub listen: SocketAddr,
    /// What browsers call it: `https://games.example.org`, without a path.
    pub address: String,
    /// The proxies whose word is taken for who calls.
    pub proxies: Vec<IpAddr>,
    /// The certificate, where no proxy in front has one.
    pub tls: Option<TlsFiles>,
    /// How much of anything there is for one caller.
    pub limits: Limits,
}

// Limits have numbers that are never NaN.
impl Eq for Settings {}

/// A certificate and its key, as PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate with what leads to a root.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Settings {
    /// Whether browsers come by HTTPS. Without it there is a page only on the machine itself.
    pub(crate) fn is_secure(&self) -> bool {
        self.address.starts_with("https://")
    }

    /// The host, with its port where it is not the usual one: what a browser writes into `Host`.
    pub(crate) fn host(&self) -> &str {
        self.address.split_once("://").map_or(self.address.as_str(), |(_, host)| host).trim_end_matches('/')
    }

    /// The address of a page.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address.trim_end_matches('/'))
    }
}
