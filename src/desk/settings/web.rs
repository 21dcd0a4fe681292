//! `[web]`: where the order page is served, and what browsers call it.

use std::net::{IpAddr, SocketAddr};

use super::carriers::{host_of, is_here};
use super::path;
use super::toml_file::{TomlFile, TomlTable};
use crate::web::limits::Limits;
use crate::web::{Settings, TlsFiles};

const ADDRESS: &str = "write it like \"https://games.example.org\", without a path";

/// The order page. There is none where the table is left out.
pub(super) fn web(file: &mut TomlFile, mut table: TomlTable) -> Option<Settings> {
    let listen = listen(file, &mut table);
    let address = address(file, &mut table);
    let proxies = proxies(file, &mut table);
    let tls = tls(file, &mut table);
    table.close(file);
    Some(Settings { listen: listen?, address: address?, proxies: proxies?, tls: tls?, limits: Limits::default() })
}

fn listen(file: &mut TomlFile, table: &mut TomlTable) -> Option<SocketAddr> {
    let written: String = table.require(file, "listen")?;
    let listen = written.parse().ok();
    if listen.is_none() {
        let message =
            format!("`listen` is {written:?}; write an address of this machine and a port, \"127.0.0.1:8080\"");
        file.fault(table.place("listen"), message);
    }
    listen
}

fn address(file: &mut TomlFile, table: &mut TomlTable) -> Option<String> {
    let written: String = table.require(file, "address")?;
    let address = written.trim().trim_end_matches('/').to_lowercase();
    let host = host_of(&address).filter(|_| address.matches('/').count() == 2);
    let Some(host) = host else {
        file.fault(table.place("address"), format!("`address` is {written:?}; {ADDRESS}"));
        return None;
    };
    if address.starts_with("http://") && !is_here(host.trim_matches(['[', ']'])) {
        let message = format!("`address` is {written:?}: hands and orders would travel in the open; {ADDRESS}");
        file.fault(table.place("address"), message);
        return None;
    }
    Some(address)
}

/// The proxies in front of us.
fn proxies(file: &mut TomlFile, table: &mut TomlTable) -> Option<Vec<IpAddr>> {
    let written: Vec<String> = table.take(file, "proxies").unwrap_or_default();
    let mut proxies = Vec::new();
    for one in &written {
        match one.parse() {
            Ok(proxy) => proxies.push(proxy),
            Err(_) => {
                let message = format!("`proxies` has {one:?}; write the addresses of your proxies, [\"127.0.0.1\"]");
                file.fault(table.place("proxies"), message);
                return None;
            }
        }
    }
    Some(proxies)
}

/// A certificate of our own: both files or none.
fn tls(file: &mut TomlFile, table: &mut TomlTable) -> Option<Option<TlsFiles>> {
    match (path(file, table, "certificate"), path(file, table, "key")) {
        (None, None) => Some(None),
        (Some(certificate), Some(key)) => Some(Some(TlsFiles { certificate, key })),
        (Some(_), None) => {
            table.missing(file, "key", "the file with the key of the certificate");
            None
        }
        (None, Some(_)) => {
            table.missing(file, "certificate", "the file with the certificate");
            None
        }
    }
}
