//! The carriers of the house, `[carriers.…]` of the settings: mailboxes, folders and forums.
//!
//! Comes in: the table of the file. Goes out: what each carrier is, or everything that is wrong with it.

use std::net::IpAddr;
use std::path::PathBuf;

use super::mail::{self, Habits};
use super::toml_file::{TomlFile, TomlTable, choices};
use super::written::Address;
use super::{CarrierKind, CarrierSettings, path};
use crate::post::Form;
use crate::post::forum::{FeedSettings, ForumSettings, Software};
use crate::post::mailbox::{MailboxSettings, Mechanism, OAuthSettings, Server, Tls};
use crate::post::spool::SpoolSettings;
use crate::report::letters::Markup;

/// All carriers, by the names of their tables.
pub(super) fn carriers(file: &mut TomlFile, mut table: TomlTable) -> Vec<CarrierSettings> {
    let names = table.left();
    if names.is_empty() {
        file.fault(
            table.place(""),
            "there is no carrier; write a table such as [carriers.spool], or leave [carriers] out",
        );
    }
    let carriers = names.into_iter().filter_map(|name| {
        let inner = table.table(file, &name)?;
        if name == Form::Door.name() {
            // What is typed at the command line comes from there, and nobody could tell the two apart.
            let message =
                "`door` is what the command line is called; give the carrier another name, such as [carriers.mail]";
            file.fault(inner.place(""), message);
        }
        carrier(file, inner, name)
    });
    carriers.collect()
}

/// What a carrier may be.
#[derive(Clone, Copy)]
enum Kind {
    Spool,
    Mailbox,
    Discourse,
    Misago,
    Feed,
}

choices!(Kind {
    "spool" => Kind::Spool,
    "mailbox" => Kind::Mailbox,
    "discourse" => Kind::Discourse,
    "misago" => Kind::Misago,
    "feed" => Kind::Feed,
});

fn carrier(file: &mut TomlFile, mut table: TomlTable, name: String) -> Option<CarrierSettings> {
    let kind = table.require(file, "kind")?;
    match kind {
        Kind::Spool | Kind::Mailbox => mail_carrier(file, table, name, kind),
        Kind::Discourse => forum_carrier(file, table, name, Software::Discourse),
        Kind::Misago => forum_carrier(file, table, name, Software::Misago),
        Kind::Feed => {
            let feed = FeedSettings { root_certificate: path(file, &mut table, "root_certificate") };
            let markup = table.take_or(file, "markup", Markup::BbCode);
            table.close(file);
            let (address, kind) = (in_our_name(None), CarrierKind::Feed(feed, markup));
            Some(CarrierSettings { name, address, authserv_id: None, habits: Habits::default(), kind })
        }
    }
}

/// A forum with an interface. Its key has one place, and that is elsewhere, like every password.
fn forum_carrier(
    file: &mut TomlFile,
    mut table: TomlTable,
    name: String,
    software: Software,
) -> Option<CarrierSettings> {
    let url = forum_url(file, &mut table);
    let user = table.require(file, "user");
    let secret = match software {
        Software::Discourse => "key",
        Software::Misago => "password",
    };
    check_secret(file, &mut table, secret);
    let forum = ForumSettings {
        software,
        secret_file: path(file, &mut table, &format!("{secret}_file")),
        secret_env: table.take(file, &format!("{secret}_env")),
        category: table.take(file, "category").map(|category: u32| category.to_string()),
        private_messages: table.take_or(file, "private_messages", true),
        root_certificate: path(file, &mut table, "root_certificate"),
        url: url.unwrap_or_default(),
        user: user.unwrap_or_default(),
    };
    table.close(file);
    if forum.url.is_empty() || forum.user.is_empty() {
        return None;
    }
    let address = in_our_name(host_of(&forum.url));
    let kind = CarrierKind::Forum(Box::new(forum));
    Some(CarrierSettings { name, address, authserv_id: None, habits: Habits::default(), kind })
}

/// The address of a forum: sealed, unless it is on this machine.
fn forum_url(file: &mut TomlFile, table: &mut TomlTable) -> Option<String> {
    const WANTED: &str = "write it like \"https://forum.example.org\"";
    let url: String = table.require(file, "url")?;
    let url = url.trim().trim_end_matches('/').to_owned();
    let Some(host) = host_of(&url) else {
        file.fault(table.place("url"), format!("`url` is {url:?}, which is no address of a forum; {WANTED}"));
        return None;
    };
    if url.starts_with("http://") && !is_here(host) {
        let message = format!("`url` is {url:?}: the key would travel in the open; {WANTED}");
        file.fault(table.place("url"), message);
        return None;
    }
    Some(url)
}

/// The host of a web address.
pub(super) fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(host, _)| host);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._[]:".contains(letter);
    Some(host).filter(|host| !host.is_empty() && host.chars().all(is_plain))
}

/// What the ids of our letters are made of where nobody writes to us by mail.
fn in_our_name(host: Option<&str>) -> Address {
    let usual = || "cursus@localhost.invalid".parse().expect("the usual name is an address");
    host.and_then(|host| format!("cursus@{host}").parse().ok()).unwrap_or_else(usual)
}

fn mail_carrier(file: &mut TomlFile, mut table: TomlTable, name: String, kind: Kind) -> Option<CarrierSettings> {
    let address: Option<Address> = table.require(file, "address");
    let authserv_id = table.take(file, "authserv_id");
    let display_name = table.take(file, "display_name");
    let habits = mail::habits(file, &mut table);
    let written = address.as_ref().map(ToString::to_string).unwrap_or_default();
    let kind = match kind {
        Kind::Spool => Some(CarrierKind::Spool(SpoolSettings {
            inbox: path(file, &mut table, "in").unwrap_or_else(|| PathBuf::from("cursus-data/in")),
            outbox: path(file, &mut table, "out").unwrap_or_else(|| PathBuf::from("cursus-data/out")),
            address: written,
            display_name,
        })),
        Kind::Mailbox | Kind::Discourse | Kind::Misago | Kind::Feed => {
            mailbox(file, &mut table, written, display_name).map(Box::new).map(CarrierKind::Mailbox)
        }
    };
    table.close(file);
    Some(CarrierSettings { name, address: address?, authserv_id, habits, kind: kind? })
}

fn mailbox(
    file: &mut TomlFile,
    table: &mut TomlTable,
    address: String,
    display_name: Option<String>,
) -> Option<MailboxSettings> {
    let user = table.require(file, "user");
    let oauth = oauth(file, table);
    if oauth.is_none() {
        check_secret(file, table, "password");
    }
    let password_file = path(file, table, "password_file");
    let password_env = table.take(file, "password_env");
    let imap = server(file, table, "imap");
    let smtp = server(file, table, "smtp");
    let inbox = table.take(file, "inbox").unwrap_or_else(|| "INBOX".to_owned());
    let folder = table.take(file, "folder").unwrap_or_else(|| "Cursus".to_owned());
    let root_certificate = path(file, table, "root_certificate");
    Some(MailboxSettings {
        imap: imap?,
        smtp: smtp?,
        user: user?,
        password_file,
        password_env,
        oauth: oauth.flatten(),
        address,
        display_name,
        inbox,
        folder,
        root_certificate,
    })
}

/// How one signs in where no password is taken: nothing where it is left out, and nothing within where it is wrong.
fn oauth(file: &mut TomlFile, table: &mut TomlTable) -> Option<Option<OAuthSettings>> {
    if !table.has("oauth") {
        return None;
    }
    for key in ["password_file", "password_env"] {
        table.refuse(file, key, "is not used beside `oauth`; take one of them away");
    }
    let Some(mut inner) = table.table(file, "oauth") else { return Some(None) };
    inner.refuse(file, "client_secret", "must not stand here; write `client_secret_file`, the path of a file with it");
    let client_id = inner.require(file, "client_id");
    let client_secret_file = path(file, &mut inner, "client_secret_file");
    let token_file = path(file, &mut inner, "token_file").unwrap_or_else(|| PathBuf::from("token.json"));
    let token_url = sealed_url(file, &mut inner, "token_url");
    if !inner.has("token_url") && token_url.is_none() {
        inner.missing(file, "token_url", "the address where the provider gives tokens");
    }
    let device_url = sealed_url(file, &mut inner, "device_url");
    let authorize_url = sealed_url(file, &mut inner, "authorize_url");
    let scope = inner.require(file, "scope");
    let mechanism = inner.take_or(file, "mechanism", Mechanism::XOAuth2);
    let redirect: Option<String> = inner.take(file, "redirect");
    if let Some(other) = redirect.as_deref().filter(|host| !["127.0.0.1", "localhost"].contains(host)) {
        let message = format!("`redirect` is {other:?}; a browser comes back to \"127.0.0.1\" or \"localhost\"");
        file.fault(inner.place("redirect"), message);
    }
    if device_url.is_none() && authorize_url.is_none() {
        inner.missing(file, "authorize_url", "or `device_url`, the address where one consents");
    }
    inner.close(file);
    let whole = |client_id, token_url, scope| OAuthSettings {
        client_id,
        client_secret_file,
        token_file,
        token_url,
        device_url,
        authorize_url,
        scope,
        mechanism,
        redirect,
    };
    Some(client_id.zip(token_url).zip(scope).map(|((client_id, token_url), scope)| whole(client_id, token_url, scope)))
}

/// An address of the web to which secrets are sent: sealed, unless it is on this machine.
fn sealed_url(file: &mut TomlFile, table: &mut TomlTable, key: &str) -> Option<String> {
    let place = table.place(key);
    let url: String = table.take(file, key)?;
    let is_sealed = host_of(&url).is_some_and(|host| url.starts_with("https://") || is_here(host));
    if !is_sealed {
        file.fault(place, format!("`{key}` is {url:?}; write an address that begins with https://"));
        return None;
    }
    Some(url)
}

/// A password or a key has one place, and that is elsewhere.
fn check_secret(file: &mut TomlFile, table: &mut TomlTable, secret: &str) {
    let (in_file, in_env) = (format!("{secret}_file"), format!("{secret}_env"));
    let wanted = format!("the path of a file with the {secret}, or `{in_env}`, the name of a variable");
    let is_open = table.has(secret);
    table.refuse(file, secret, &format!("must not stand here; write `{in_file}`, {wanted}"));
    match (table.has(&in_file), table.has(&in_env)) {
        (true, true) => {
            let message = format!("there are two places of the {secret}; keep `{in_file}` or `{in_env}`");
            file.fault(table.place(&in_env), message);
        }
        (false, false) if !is_open => table.missing(file, &in_file, &wanted),
        (true, false) | (false, true) | (false, false) => {}
    }
}

fn server(file: &mut TomlFile, table: &mut TomlTable, key: &str) -> Option<Server> {
    if !table.has(key) {
        table.missing(file, key, &format!("{key} = {{ host = \"{key}.example.org\" }}"));
    }
    let mut inner = table.table(file, key)?;
    let host: Option<String> = inner.require(file, "host");
    if let Some(host) = host.as_deref().filter(|host| !is_host(host)) {
        let message = format!("`host` is {host:?}; write the name of the server alone, and its port as `port`");
        file.fault(inner.place("host"), message);
    }
    let tls = inner.take_or(file, "tls", Tls::Implicit);
    let port = inner.take(file, "port");
    if tls == Tls::None && host.as_deref().is_some_and(|host| !is_here(host)) {
        let message =
            "`tls` is \"none\", which is only for a server on this machine; write \"implicit\" or \"starttls\"";
        file.fault(inner.place("tls"), message);
    }
    inner.close(file);
    Some(Server { host: host?, port, tls })
}

/// Whether this is the name or the number of a host, and not an address of the web or one with a port.
fn is_host(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok() || !host.contains([':', '/', '@', ' '])
}

/// Whether a host is this machine itself.
pub(super) fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
