//! The head of a letter: its lines, and what they say of sender, subject and thread.

use mail_parser::{Addr, HeaderForm, HeaderValue, Message, MessageParser};
use serde::Serialize;

use super::coding;

/// Somebody's name and address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Address {
    /// What the writer calls themselves.
    pub name: Option<String>,
    /// The address, as it is written.
    pub address: String,
}

/// The lines of a head.
#[derive(Debug)]
pub(super) struct Lines {
    text: String,
    /// Names in lower case, values on one line, from the top.
    fields: Vec<(String, String)>,
}

impl Lines {
    pub(super) fn read(bytes: &[u8]) -> Self {
        let text = coding::text(bytes, None, None);
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = fields.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.trim_end().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        Self { text, fields }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.fields.iter().any(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()))
    }

    /// All values of a line, from the top.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All values of a line, from the top, parted where another line stands.
    pub(super) fn between(&self, name: &str, parting: &str) -> Vec<Vec<String>> {
        let blocks = self.fields.split(|(key, _)| key == parting);
        let values = |block: &[(String, String)]| {
            let own = block.iter().filter(|(key, _)| key == name);
            own.map(|(_, value)| value.clone()).collect::<Vec<_>>()
        };
        blocks.map(values).filter(|block| !block.is_empty()).collect()
    }

    pub(super) fn first(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.first(name).is_some()
    }

    pub(super) fn has_like(&self, prefix: &str) -> bool {
        self.fields.iter().any(|(name, _)| name.starts_with(prefix))
    }

    /// The same head, with its fields understood.
    pub(super) fn parsed(&self) -> Option<Message<'_>> {
        MessageParser::default().parse_headers(self.text.as_bytes())
    }
}

/// All addresses in the lines of this name.
pub(super) fn addresses(message: &Message, name: &str) -> Vec<Address> {
    let values = message.header_as(name.to_owned(), HeaderForm::Addresses);
    let mut found = Vec::new();
    for value in &values {
        if let HeaderValue::Address(address) = value {
            found.extend(address.iter().filter_map(address_of));
        }
    }
    found
}

fn address_of(one: &Addr) -> Option<Address> {
    let address = one.address()?.trim();
    let name = one.name().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    (!address.is_empty()).then(|| Address { name, address: address.to_owned() })
}

/// The ids in the lines of this name, without their brackets.
pub(super) fn ids(lines: &Lines, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for value in lines.all(name) {
        let mut rest = value;
        while let Some((_, tail)) = rest.split_once('<') {
            let Some((id, tail)) = tail.split_once('>') else { break };
            let id: String = id.split_whitespace().collect();
            if !id.is_empty() {
                found.push(id);
            }
            rest = tail;
        }
        if found.is_empty() && !value.is_empty() && !value.contains(['<', ' ']) {
            found.push(value.to_owned());
        }
    }
    found
}
