//! A board: what a carrier needs of a forum's software, whichever runs there.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::post::{Author, Post};
use super::site::Failure;

/// So many of a thread's newest posts are read at every look.
pub(super) const RECENT: usize = 60;

/// A forum's software, as far as a carrier needs it.
pub(super) trait Board: Send + Sync {
    /// Who we are there. Proved, not believed: a forum reads to guests as well.
    fn identity(&self) -> Result<Author, Failure>;

    /// Looks at a thread: its newest posts, those that are not known, and in each round another page of the older ones.
    fn look(&self, thread: Thread, is_known: &dyn Fn(u64) -> bool, round: Option<usize>) -> Result<Look, Failure>;

    /// The private threads that we take part in, those that were written in last first, and where the list goes on.
    fn private_threads(&self, start: Option<u64>) -> Result<(Vec<Head>, Option<u64>), Failure>;

    /// The threads that we began lately, with their titles.
    fn begun(&self, is_private: bool) -> Result<Vec<(Thread, String)>, Failure>;

    /// What the user of this id is called now.
    fn name_of(&self, user: &str) -> Result<String, Failure>;

    /// Takes a picture (PNG) in, to be shown in a post.
    fn upload(&self, picture: &[u8]) -> Result<Upload, Failure>;

    /// Begins a thread in a category.
    fn begin(&self, category: &str, title: &str, body: &Body) -> Result<PostId, Failure>;

    /// Begins a private thread with the user of this name.
    fn begin_private(&self, name: &str, title: &str, body: &Body) -> Result<PostId, Failure>;

    /// Replies in a thread.
    fn reply(&self, thread: Thread, body: &Body) -> Result<PostId, Failure>;

    /// What we typed into a post of ours.
    fn source(&self, post: PostId) -> Result<String, Failure>;

    /// Replaces the text of a post of ours.
    fn replace(&self, post: PostId, body: &Body) -> Result<(), Failure>;

    /// Removes a post of ours, with its thread where it is the first.
    fn remove(&self, post: PostId) -> Result<(), Failure>;

    /// Whether we may begin threads in a category; says its name.
    fn may_begin(&self, category: &str) -> Result<String, Failure>;

    /// Whether we may still replace the text of a post of ours, where the forum tells.
    fn may_replace(&self, _post: PostId) -> Result<Option<bool>, Failure> {
        Ok(None)
    }

    /// What we have written that waits for approval, as it was typed; nothing where a forum does not tell.
    fn pending(&self) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// The most characters that a post may have.
    fn longest(&self) -> usize;

    /// Where somebody else's key would work as well, or ours does not: what is known of it, for whoever has made it.
    fn about_key(&self, _category: Option<&str>) -> Option<String> {
        None
    }

    /// How a line looks that stands out less than others.
    fn discreet(&self, line: &str) -> String;

    /// Whether it lets nobody write more than a few posts in sequence, and wants the last one edited instead.
    fn wants_joined(&self) -> bool;

    /// The pause between two looks.
    fn pause(&self) -> Duration;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Thread {
    pub(super) id: u64,
    pub(super) is_private: bool,
}

/// What a look at a thread showed.
pub(super) struct Look {
    /// The posts that were read, ours among them.
    pub(super) posts: Vec<Post>,
    /// The numbers of what the forum itself noted in the thread.
    pub(super) notes: Vec<u64>,
    /// The numbers of all posts that are there, as far as the look went.
    pub(super) present: BTreeSet<u64>,
    /// How far it went: whatever is not present in here is gone.
    pub(super) covered: Vec<RangeInclusive<u64>>,
    /// When that was, by the forum's clock.
    pub(super) now: DateTime<Utc>,
    /// How the thread itself stands.
    pub(super) standing: Standing,
}

/// How a thread stands: whether others can write in it, and for how long we cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Standing {
    /// Whether it is closed, or will be before long: players cannot answer in it any more.
    pub(super) is_full: bool,
    /// Between two posts of the same author so much time must pass.
    pub(super) slow: Option<Duration>,
}

/// A private thread in a list.
pub(super) struct Head {
    pub(super) thread: Thread,
    /// Another one when somebody has written in it.
    pub(super) stamp: String,
    /// When somebody last did.
    pub(super) last: DateTime<Utc>,
}

/// What is to be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) uploads: Vec<u64>,
}

/// A picture that a forum has taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Upload {
    /// The address that a post shows it by.
    pub(super) address: String,
    /// Its number, where a post must name it.
    pub(super) number: Option<u64>,
}

/// What a post is called: its thread and its number, and which part of it is meant where several dispatches share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PostId {
    pub(super) thread: u64,
    pub(super) number: u64,
    pub(super) part: usize,
}

impl fmt::Display for PostId {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}-{}", self.thread, self.number)?;
        if self.part > 0 { write!(formatter, "#{}", self.part) } else { Ok(()) }
    }
}

impl FromStr for PostId {
    type Err = ();

    fn from_str(text: &str) -> Result<PostId, ()> {
        let (thread, rest) = text.split_once('-').ok_or(())?;
        let (number, part) = rest.split_once('#').unwrap_or((rest, "0"));
        Ok(PostId {
            thread: thread.parse().map_err(drop)?,
            number: number.parse().map_err(drop)?,
            part: part.parse().map_err(drop)?,
        })
    }
}
