//! Mail providers, as `config/providers.toml` has them.

use serde::Deserialize;

/// A mail provider: facts from its documentation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provider {
    /// What it is called in answers and flags, `gmail`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Addresses of these domains belong to it.
    pub domains: Vec<String>,
    /// Where letters are fetched.
    pub imap: Host,
    /// Where letters are handed in.
    pub smtp: Host,
    /// How one signs in, the easiest first.
    pub sign_in: Vec<SignIn>,
    /// Whether `name+anything@…` reaches `name@…`; nobody says where it is left out.
    pub plus: Option<bool>,
    /// How many letters an account may send a day, where it is told.
    pub per_day: Option<u32>,
    /// What has to be done in the account before it works.
    pub switch_on: Option<String>,
    /// Where tokens come from.
    pub oauth: Option<OAuth>,
    /// Where all this stands.
    pub source: String,
    /// When it was read there.
    pub as_of: String,
}

/// Where a provider gives tokens.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OAuth {
    /// Where a browser of this machine consents.
    pub authorize_url: Option<String>,
    /// Where a code is given that is typed into any browser.
    pub device_url: Option<String>,
    /// Where tokens are given and renewed.
    pub token_url: String,
    /// What is asked for.
    pub scope: String,
    /// What this machine is called where a browser comes back to it.
    pub redirect: Option<String>,
    /// `xoauth2` unless it says otherwise.
    pub mechanism: Option<String>,
    /// Whether a program that is registered there has a secret.
    #[serde(default)]
    pub has_secret: bool,
    /// How one registers a program there.
    pub register: String,
    /// Where all this stands; facts of this file are not tried.
    #[allow(dead_code, reason = "for readers of the file")]
    pub source: String,
}

/// A server of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Host {
    pub host: String,
    pub port: u16,
    /// `implicit`, `starttls` or `none`, as the settings write it.
    pub tls: String,
}

/// How one signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignIn {
    /// With a password that was made for one program.
    AppPassword,
    /// With the password of the account.
    Password,
    Oauth2,
    /// With the password of a program of the provider that runs on this machine.
    Bridge,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    provider: Vec<Provider>,
}

pub(crate) fn providers() -> Vec<Provider> {
    let file: File =
        toml::from_str(include_str!("../../../config/providers.toml")).expect("the built-in list is sound");
    file.provider
}

impl Provider {
    /// Whether a password of any kind is taken.
    pub(crate) fn takes_passwords(&self) -> bool {
        self.sign_in.iter().any(|way| *way != SignIn::Oauth2)
    }

    /// What the password is called that one has to have.
    pub(crate) fn password(&self) -> &'static str {
        match self.sign_in.first() {
            Some(SignIn::AppPassword) => "app password",
            Some(SignIn::Bridge) => "password that the Bridge shows",
            Some(SignIn::Password | SignIn::Oauth2) | None => "password",
        }
    }
}

/// The provider that an address belongs to.
pub(crate) fn of_address<'a>(providers: &'a [Provider], address: &str) -> Option<&'a Provider> {
    let (_, domain) = address.rsplit_once('@')?;
    providers.iter().find(|provider| provider.domains.iter().any(|known| known.eq_ignore_ascii_case(domain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_can_be_written_into_settings() {
        let providers = providers();
        assert!(providers.len() >= 12);
        for provider in &providers {
            for server in [&provider.imap, &provider.smtp] {
                assert!(["implicit", "starttls", "none"].contains(&server.tls.as_str()), "{provider:?}");
                assert!(server.tls != "none" || server.host == "127.0.0.1", "{provider:?}");
            }
            let signs_in_by_browser = provider.sign_in.contains(&SignIn::Oauth2);
            assert_eq!(signs_in_by_browser, provider.oauth.is_some(), "{}", provider.id);
            if let Some(oauth) = &provider.oauth {
                let urls = [Some(&oauth.token_url), oauth.device_url.as_ref(), oauth.authorize_url.as_ref()];
                assert!(urls.iter().flatten().all(|url| url.starts_with("https://")), "{}", provider.id);
                assert!(!oauth.source.is_empty() && !oauth.register.is_empty(), "{}", provider.id);
            }
            assert!(!provider.sign_in.is_empty() && !provider.source.is_empty(), "{provider:?}");
            let same = providers.iter().filter(|other| other.id == provider.id).count();
            assert_eq!(same, 1, "{}", provider.id);
        }
        assert_eq!(of_address(&providers, "ann@GMX.de").map(|found| found.id.as_str()), Some("gmx"));
        assert!(of_address(&providers, "ann@example.org").is_none());
        let of_two = providers.iter().flat_map(|one| &one.domains).collect::<Vec<_>>();
        assert_eq!(of_two.len(), of_two.iter().collect::<std::collections::BTreeSet<_>>().len(), "a domain is of one");
    }
}
