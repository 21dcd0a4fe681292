//! A carrier: how letters come in and go out. The desk knows carriers only by this page.
//!
//! Comes in: what waits at a mailbox, a folder or a forum. Goes out: [`Received`] letters, raw. And the other way round: a
//! [`Dispatch`] comes in and leaves the house. A carrier knows no game, and it may block: the desk gives each its own threads.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Brings letters in and takes dispatches out. Every method may be called from several threads.
pub trait Carrier: Send + Sync {
    /// Its name in the settings.
    fn name(&self) -> &str;

    /// Brings what is new, in the sequence of arrival; waits up to `patience` for the first letter. A letter that was
    /// brought and not kept since comes again.
    ///
    /// # Errors
    /// The carrier is in trouble; the next call begins anew.
    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble>;

    /// These letters are remembered, and need not be brought again. A mark that is no longer known is passed over.
    ///
    /// # Errors
    /// The letters will be brought again, which does no harm.
    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble>;

    /// Brings once more what was kept and arrived since, in portions, to a house that may have lost some of it; ends early
    /// when nobody wants more. A carrier that keeps nothing brings nothing: what a forum has and the house does not
    /// remember comes with [`Carrier::recall`] by itself.
    ///
    /// # Errors
    /// The carrier is in trouble; what it has brought, it has brought.
    fn look_back(&self, _since: DateTime<Utc>, _bring: &mut dyn FnMut(Vec<Received>) -> bool) -> Result<(), Trouble> {
        Ok(())
    }

    /// Takes a dispatch out. Sent again after a failure it is the same letter, with the same id, and where it is there
    /// already nothing is sent.
    ///
    /// # Errors
    /// It is to be tried again, or never: see [`Trouble`].
    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble>;

    /// How many dispatches it takes at the same time. Posts of a thread stand in the sequence they were written, so a
    /// forum takes one.
    fn lanes(&self) -> usize {
        4
    }

    /// What its moderator has to know at once, though it may still work: the right to use it has ended, or is about to. Each
    /// cause stands for itself, so that what one way in or out tells takes nothing from the others.
    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// What the house remembers for it: a forum marks nothing as read. Called before the first `collect`, and again when
    /// there are other threads. Mailboxes remember for themselves.
    fn recall(&self, _memory: &Memory) {}
}

/// Something that only a person can mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What it is about: one thing is told once, in whatever words.
    pub cause: Cause,
    pub says: String,
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A sign-in cannot be renewed.
    Renewal,
    /// What was given for it cannot be written down.
    TokenFile,
    /// Where a sign-in with a browser was done, letters no longer come in, or go out.
    TokenIn,
    TokenOut,
    /// A password or a key is not taken where letters come in, or where they go out.
    SecretIn,
    SecretOut,
}

impl Cause {
    pub(crate) const ALL: [Cause; 6] =
        [Cause::Renewal, Cause::TokenFile, Cause::TokenIn, Cause::TokenOut, Cause::SecretIn, Cause::SecretOut];

    /// What it is called in the archive.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cause::Renewal => "renewal",
            Cause::TokenFile => "token-file",
            Cause::TokenIn => "token-in",
            Cause::TokenOut => "token-out",
            Cause::SecretIn => "secret-in",
            Cause::SecretOut => "secret-out",
        }
    }

    /// Whether somebody signs in with a browser to mend it; else there is a password or a key to be put right.
    pub(crate) fn wants_browser(self) -> bool {
        match self {
            Cause::Renewal | Cause::TokenFile | Cause::TokenIn | Cause::TokenOut => true,
            Cause::SecretIn | Cause::SecretOut => false,
        }
    }
}

/// What the house remembers for a carrier.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// The public threads of games, by the forum's ids. What is private is found without being told.
    pub threads: Vec<String>,
    /// The marks of the last letter of every post that was kept.
    pub kept: Vec<Mark>,
}

/// What a carrier calls what it has sent. Mail has no name for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// The thread that it stands in.
    pub thread: Option<String>,
    /// The post; what it is called when it is edited.
    pub post: Option<String>,
}

/// What a carrier calls a letter that it brought: only the carrier itself can read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mark(pub String);

/// A letter as it came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// What its carrier calls it.
    pub mark: Mark,
    /// When the server had it; not what its writer says.
    pub arrived: DateTime<Utc>,
    pub raw: Vec<u8>,
}

/// A letter that leaves the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    /// Its own id, without brackets; the same at every attempt.
    pub message_id: String,
    /// When it was written.
    pub date: DateTime<Utc>,
    /// To whom it goes, each recipient alone in the head: nobody learns another's address. In a forum a
    /// [`ForumPlace`](super::forum::ForumPlace).
    pub to: String,
    /// Where an answer is to go, if not to the carrier's own address.
    pub reply_to: Option<String>,
    /// The letter it answers, without brackets.
    pub in_reply_to: Option<String>,
    /// The letters of its thread, without brackets, the oldest first.
    pub references: Vec<String>,
    pub subject: String,
    pub text: String,
    /// The same as HTML; as Markdown where it goes to a forum, with `![…](cid:map)` for the picture.
    pub html: Option<String>,
    /// A picture that the page shows as `cid:map`.
    pub picture: Option<Arc<Vec<u8>>>,
    /// Data for people who write tools, as JSON.
    pub data: Option<String>,
    /// The list that it belongs to, where programs sort mail by such; known when it leaves.
    pub list: Option<List>,
}

/// What a letter belongs to, for programs that sort mail: the letters of a game are sorted together, and one may ask for
/// no more of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The list, as a name of a host.
    pub id: String,
    /// Where a program writes whose user wants no more letters: a link that opens a mail.
    pub leave: String,
}

/// What is wrong with a carrier. Says nothing that must not stand in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It may work later: no connection, a server that is busy or full.
    Passing(String),
    /// It will never work: the server has refused this letter or these settings for good.
    Lasting(String),
    /// We are not let in until a person has done something: signed in anew, or mended a password. No letter is at fault,
    /// so none is given up for it.
    Barred(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Trouble::Passing(says) | Trouble::Lasting(says) | Trouble::Barred(says) => formatter.write_str(says),
        }
    }
}

impl std::error::Error for Trouble {}
