//! A post, as a carrier brings it to the desk.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::post::carrier::Mark;

/// A post in a thread, as it is now. An edited post comes again, and so does one that was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Its id, unique in the forum.
    pub id: String,
    /// The thread it stands in.
    pub thread: String,
    /// Whether only those who take part can read the thread.
    pub is_private: bool,
    /// Who wrote it.
    pub author: Author,
    /// When it was first posted, by the forum's clock.
    pub posted: DateTime<Utc>,
    /// When its text last changed.
    pub changed: DateTime<Utc>,
    /// The post it answers, where the forum knows.
    pub answers: Option<String>,
    /// Its text as the forum shows it; empty where it was deleted.
    pub html: String,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// Who wrote a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The forum's id of him, which stays when he is renamed; empty where the forum tells none.
    pub id: String,
    /// What he is called now.
    pub name: String,
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
    pub fn content(&self) -> String {
        let said = if self.is_deleted { "deleted".to_owned() } else { format!("html {}", self.html) };
        Sha256::digest(said).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// What its carrier calls it.
    pub fn mark(&self) -> Mark {
        Mark(format!("{}.{}", self.id, self.content()))
    }
}
