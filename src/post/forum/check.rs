//! Trying for real what a forum's carrier needs.

use super::board::{Body, PostId};
use super::reference::Reference;
use super::site::Failure;
use super::{Author, Forum, Software, UNTRUSTED};
use crate::post::carrier::Trouble;

/// What the posts say that are written and removed again.
const TITLE: &str = "A test of the game moderator";
const TEXT: &str = "This post is a test and is removed at once.";
const EDITED: &str = "This post is a test, was edited, and is removed at once.";
/// A picture of one point.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x68, 0, 0, 0, 0x82,
    0, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// What was tried, and what came of it.
type Tried = (String, Result<String, String>);

impl Forum {
    /// Tries for real what the forum needs: who we are, the category, pictures, threads with an edit, and private messages;
    /// everything is removed again.
    pub fn check(&self) -> Vec<Tried> {
        let category = self.settings.category.as_deref();
        let us = match self.board().identity() {
            Ok(us) => us,
            Err(Failure::Barred(says)) => {
                let about = self.board().about_key(category).unwrap_or_else(|| self::says(Failure::Barred(says)));
                return vec![("our user".to_owned(), Err(about))];
            }
            Err(failure) => return vec![("our user".to_owned(), Err(says(failure)))],
        };
        let mut found = vec![("our user".to_owned(), Ok(format!("{}: signed in as {}", self.settings.url, us.name)))];
        let may_begin = match category {
            Some(category) => match self.board().may_begin(category) {
                Ok(name) => Ok(format!("threads can be begun in “{name}”")),
                Err(Failure::Gone) => Err(format!("there is no category {category}, or our user does not see it")),
                Err(failure) => Err(says(failure)),
            },
            None => Ok("none is named: every game must be given its thread".to_owned()),
        };
        found.push(("the category".to_owned(), may_begin));
        if self.settings.private_messages {
            let private = self.board().private_threads(None).map_err(says);
            let private = private.map(|(threads, _)| format!("{} private threads are there", threads.len()));
            found.push(("private messages".to_owned(), private));
        }
        match self.settings.software {
            Software::Discourse => {
                let picture = self.board().upload(PICTURE).map_err(says);
                found.push(("a picture".to_owned(), picture.map(|_| "it was taken".to_owned())));
                found.extend(category.map(|category| {
                    self.rehearse("a test thread", &|title, body| self.board().begin(category, title, body))
                }));
                found.extend(self.settings.private_messages.then(|| self.rehearse_privately(&us)));
            }
            // Nobody can write to themselves there.
            Software::Misago => found.extend(category.map(|category| {
                self.rehearse("a test post", &|title, body| self.board().begin(category, title, body))
            })),
        }
        found
    }

    fn rehearse_privately(&self, us: &Author) -> Tried {
        self.rehearse("a test message", &|title, body| self.board().begin_private(&us.name, title, body))
    }

    /// Writes a thread, edits it and removes it.
    fn rehearse(&self, what: &str, begin: &dyn Fn(&str, &Body) -> Result<PostId, Failure>) -> Tried {
        let id = getrandom::u64().unwrap_or_default();
        let reference = Reference::of(&format!("check {id}"));
        let body = |text| Body { text: reference.below(text, |line| self.board().discreet(line)), uploads: vec![] };
        let post = match begin(&format!("{TITLE} {}", id % 10_000), &body(TEXT)) {
            Ok(post) => post,
            // Nobody but the forum's staff can take it out of there.
            Err(Failure::Refused(why)) if why == UNTRUSTED => {
                let told = format!("{UNTRUSTED}. This test waits in the forum's queue; reject it there by hand");
                return (what.to_owned(), Err(told));
            }
            Err(failure) => return (what.to_owned(), Err(says(failure))),
        };
        let edited = self.board().replace(post, &body(EDITED));
        let removed = self.board().remove(post);
        match (edited, removed) {
            (Ok(()), Ok(())) => (what.to_owned(), Ok("it was written, edited and removed again".to_owned())),
            (Err(failure), Ok(())) => ("an edit".to_owned(), Err(says(failure))),
            (Ok(()) | Err(_), Err(failure)) => {
                let told = format!("thread {} was begun, but not removed: {}", post.thread, says(failure));
                ("removing".to_owned(), Err(told))
            }
        }
    }
}

fn says(failure: Failure) -> String {
    Trouble::from(failure).to_string()
}
