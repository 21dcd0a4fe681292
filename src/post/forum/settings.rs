//! Where a forum is, and who we are there.

use std::path::PathBuf;

/// A forum in the settings. The key or password is not among them: they say where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForumSettings {
    pub software: Software,
    /// Its address, such as `https://forum.example.org`, without a slash at its end.
    pub url: String,
    /// The name of our user.
    pub user: String,
    /// A file with the key (Discourse) or the password (Misago) and nothing else.
    pub secret_file: Option<PathBuf>,
    /// The environment variable that has it.
    pub secret_env: Option<String>,
    /// The category that threads of games are opened in, by its id.
    pub category: Option<String>,
    /// Whether we may write private messages there.
    pub private_messages: bool,
    /// A certificate (PEM) that is trusted beside those of the system.
    pub root_certificate: Option<PathBuf>,
}

/// What runs a forum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Software {
    Discourse,
    Misago,
}

/// Boards without an interface: threads are read as RSS or Atom, and answers go by mail. The address of a thread's feed is
/// the id of the thread.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedSettings {
    /// A certificate (PEM) that is trusted beside those of the system.
    pub root_certificate: Option<PathBuf>,
}
