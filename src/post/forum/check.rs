//! Trying for real what a forum's carrier needs.

use super::board::{Body, PostId};
use super::reference::Reference;
use super::site::Failure;
use super::{Author, Forum, Software};
use crate::post::carrier::Trouble;

/// What the post says that is written and removed again.
const TITLE: &str = "A test of the game moderator";
const TEXT: &str = "This post is a test and is removed at once.";

impl Forum {
    /// Tries for real what the forum needs: who we are, the category, private messages, and a post that is removed again.
    pub fn check(&self) -> Vec<(String, Result<String, String>)> {
        let us = match self.board.identity() {
            Ok(us) => us,
            Err(failure) => return vec![("our user".to_owned(), Err(says(failure)))],
        };
        let mut found = vec![("our user".to_owned(), Ok(format!("{}: signed in as {}", self.settings.url, us.name)))];
        let category = match &self.settings.category {
            Some(category) => match self.board.may_begin(category) {
                Ok(name) => Ok(format!("threads can be begun in “{name}”")),
                Err(Failure::Gone) => Err(format!("there is no category {category}, or our user does not see it")),
                Err(failure) => Err(says(failure)),
            },
            None => Ok("none is named: every game must be given its thread".to_owned()),
        };
        found.push(("the category".to_owned(), category));
        if self.settings.private_messages {
            let private = self.board.private_threads(None).map_err(says);
            let private = private.map(|(threads, _)| format!("{} private threads are there", threads.len()));
            found.push(("private messages".to_owned(), private));
        }
        if let Some(tried) = self.rehearse(&us) {
            found.push(("a test post".to_owned(), tried));
        }
        found
    }

    /// Writes a post and removes it: where nobody else reads it, if the forum has such a place.
    fn rehearse(&self, us: &Author) -> Option<Result<String, String>> {
        let id = getrandom::u64().unwrap_or_default();
        let reference = Reference::of(&format!("check {id}"));
        let text = reference.below(TEXT, |line| self.board.discreet(line));
        let body = Body { text, uploads: vec![] };
        let title = format!("{TITLE} {}", id % 10_000);
        let written: Result<PostId, Failure> = match (self.settings.software, &self.settings.category) {
            (Software::Discourse, _) if self.settings.private_messages => {
                self.board.begin_private(&us.name, &title, &body)
            }
            // Nobody can write to themselves there.
            (Software::Discourse | Software::Misago, Some(category)) => self.board.begin(category, &title, &body),
            (Software::Discourse | Software::Misago, None) => return None,
        };
        Some(match written {
            Ok(post) => match self.board.remove(post) {
                Ok(()) => Ok("it was written and removed again".to_owned()),
                Err(failure) => Err(format!("thread {} was begun, but not removed: {}", post.thread, says(failure))),
            },
            Err(failure) => Err(says(failure)),
        })
    }
}

fn says(failure: Failure) -> String {
    Trouble::from(failure).to_string()
}
