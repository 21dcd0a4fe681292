//! What a domain says itself about its mail servers: the file that mail programs ask for (autoconfig, config-v1.1.xml).

use html5gum::{Token, Tokenizer};

use super::fetching;
use super::providers::Host;

/// The servers of a domain: where letters are fetched, and where they are handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Servers {
    /// Where letters are fetched.
    pub imap: Host,
    /// Where letters are handed in.
    pub smtp: Host,
    /// Whether one signs in with the part before the `@` alone.
    pub short_user: bool,
}

/// Asks a domain for its servers. Whatever goes wrong, it has none. The name before the `@` is nobody's business, so it is not
/// asked with.
pub(crate) fn ask(domain: &str) -> Option<Servers> {
    let places = [
        format!("https://autoconfig.{domain}/mail/config-v1.1.xml"),
        format!("https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"),
    ];
    places.iter().find_map(|place| read(&fetching::fetch(place)?))
}

/// One server as the file has it.
#[derive(Default)]
struct Found {
    kind: String,
    host: String,
    port: String,
    socket: String,
    user: String,
}

/// The servers that a file names: the first that can be sealed.
pub(crate) fn read(text: &str) -> Option<Servers> {
    let (mut servers, mut current, mut element) = (Vec::new(), Found::default(), String::new());
    for Ok(token) in Tokenizer::new(text) {
        match token {
            Token::StartTag(tag) => {
                element = String::from_utf8_lossy(&tag.name).to_lowercase();
                if ["incomingserver", "outgoingserver"].contains(&element.as_str()) {
                    let kind = tag.attributes.get(&b"type"[..]);
                    let kind = kind.map(|kind| String::from_utf8_lossy(kind).to_lowercase()).unwrap_or_default();
                    current = Found { kind, ..Found::default() };
                }
            }
            Token::String(words) => {
                let words = String::from_utf8_lossy(&words).trim().to_owned();
                match element.as_str() {
                    "hostname" => current.host.push_str(&words),
                    "port" => current.port.push_str(&words),
                    "sockettype" => current.socket.push_str(&words),
                    "username" => current.user.push_str(&words),
                    _ => {}
                }
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).to_lowercase();
                if ["incomingserver", "outgoingserver"].contains(&name.as_str()) {
                    servers.push(std::mem::take(&mut current));
                }
                element.clear();
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    let host =
        |kind: &str| servers.iter().find_map(|found| (found.kind == kind).then(|| Some((host(found)?, found)))?);
    let (imap, fetched) = host("imap")?;
    let (smtp, _) = host("smtp")?;
    Some(Servers { imap, smtp, short_user: fetched.user == "%EMAILLOCALPART%" })
}

fn host(found: &Found) -> Option<Host> {
    let tls = match found.socket.to_lowercase().as_str() {
        "ssl" => "implicit",
        "starttls" => "starttls",
        _ => return None,
    };
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-.".contains(sign);
    let is_host = !found.host.is_empty() && found.host.len() < 254 && found.host.chars().all(is_name);
    is_host.then_some(())?;
    Some(Host { host: found.host.to_lowercase(), port: found.port.parse().ok()?, tls: tls.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.org">
        <domain>example.org</domain>
        <incomingServer type="pop3"><hostname>pop.example.org</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
        <incomingServer type="imap"><hostname>open.example.org</hostname><port>143</port><socketType>plain</socketType></incomingServer>
        <incomingServer type="imap"><hostname>Imap.example.org</hostname><port>993</port><socketType>SSL</socketType>
          <authentication>password-cleartext</authentication><username>%EMAILLOCALPART%</username></incomingServer>
        <outgoingServer type="smtp"><hostname>smtp.example.org</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
      </emailProvider></clientConfig>"#;

    #[test]
    fn the_servers_of_a_domain_are_read_and_open_ones_are_not_taken() {
        let servers = read(FILE).expect("servers");
        assert_eq!((servers.imap.host.as_str(), servers.imap.port), ("imap.example.org", 993));
        assert_eq!((servers.smtp.host.as_str(), servers.smtp.tls.as_str()), ("smtp.example.org", "starttls"));
        assert!(servers.short_user);
    }

    #[test]
    fn what_is_no_such_file_has_no_servers() {
        for text in ["", "<html><body>404</body></html>", "\u{0}\u{1}", &FILE.replace("SSL", "plain")] {
            assert_eq!(read(text), None);
        }
        assert_eq!(
            read(&FILE.replace("Imap.example.org", "a\"; host = \"b")),
            None,
            "nothing comes into the settings by it"
        );
    }
}
