//! A post, as a carrier brings it to the desk.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ForumPlace;
use crate::post::carrier::Mark;

/// What a deleted post says.
const DELETED: &str = "deleted";

/// A post in a thread, as it is now. An edited post comes again, and so does one that was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Its id, unique in the forum: `THREAD-NUMBER`, or an entry's own id in a feed.
    pub id: String,
    /// The thread it stands in.
    pub thread: String,
    /// Whether only those who take part can read the thread.
    pub is_private: bool,
    /// Who wrote it. A carrier that was opened after the post was kept knows no more of one that is gone than its id:
    /// then both the author's id and the writer's name are empty.
    pub author: Author,
    /// When it was first posted, by the forum's clock.
    pub posted: DateTime<Utc>,
    /// When its text last changed.
    pub changed: DateTime<Utc>,
    /// The post it answers, where the forum knows.
    pub answers: Option<String>,
    /// Its text as the forum shows it; empty where it was deleted.
    pub html: String,
    /// Its text as it was typed, where the forum tells. What is shown may change though nobody edits: pictures are measured,
    /// links unfolded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// Who wrote a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The forum's id of the writer, which stays when the writer is renamed; empty where the forum tells none.
    pub id: String,
    /// What the writer is called now.
    pub name: String,
}

impl Author {
    /// Where they are written to: by the forum's id of them, or by their name where it tells none.
    pub(crate) fn place(&self) -> ForumPlace {
        match self.id.as_str() {
            "" => ForumPlace::Name(self.name.to_lowercase()),
            id => ForumPlace::User(id.to_owned()),
        }
    }
}

impl Post {
    /// The post in these bytes.
    pub fn read(raw: &[u8]) -> Option<Post> {
        serde_json::from_slice(raw).ok()
    }

    /// As it is remembered.
    pub fn raw(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a post has nothing that JSON cannot say")
    }

    /// The hash of what it says: another one when somebody edits or deletes it, the same when it is edited back.
    pub(crate) fn content(&self) -> String {
        content(&match (&self.source, self.is_deleted) {
            (_, true) => DELETED.to_owned(),
            (Some(source), false) => format!("source {source}"),
            (None, false) => format!("html {}", self.html),
        })
    }

    /// What its carrier calls it.
    pub fn mark(&self) -> Mark {
        Mark(format!("{}.{}", self.id, self.content()))
    }

    /// The content of a post that was deleted.
    pub(super) fn deleted_content() -> String {
        content(DELETED)
    }
}

fn content(said: &str) -> String {
    Sha256::digest(said).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
