//! What a carrier remembers of a forum: which posts were kept, and which threads it watches.
//!
//! Comes in: what a [`Look`] at a thread showed. Goes out: the posts that are new, edited or gone. Nothing of it is on disk:
//! the house remembers, and tells it again after a restart.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::board::{Head, Look, PostId, Thread};
use super::post::{Author, Post};
use crate::post::carrier::{Mark, Memory};

/// A private thread in which somebody wrote so short a time ago is looked at every time, for edits.
const LIVELY: chrono::Duration = chrono::Duration::hours(1);
/// So many of them, and so many of the others in turn.
const MOST_LIVELY: usize = 8;
const OTHERS: usize = 2;

#[derive(Default)]
pub(super) struct Watch {
    threads: BTreeSet<u64>,
    /// What each post said that was kept, by thread and number.
    kept: HashMap<u64, BTreeMap<u64, String>>,
    /// The thread of each of them.
    homes: HashMap<u64, u64>,
    /// The numbers of posts that bring no letter: ours, and the forum's own notes.
    passed: HashSet<u64>,
    /// What is known of posts beside their text, for the day they are gone.
    seen: HashMap<u64, (Author, DateTime<Utc>)>,
    /// How often each thread was looked at.
    rounds: HashMap<u64, usize>,
    /// The threads that could not be read when they were last looked at.
    unreadable: HashSet<u64>,
    /// The private threads, and their stamps when they were last looked at.
    private: BTreeMap<u64, Visited>,
}

struct Visited {
    stamp: String,
    last: DateTime<Utc>,
    /// The time it was last looked at, counted in looks.
    looked: usize,
}

impl Watch {
    /// What the house remembers.
    pub(super) fn recall(&mut self, memory: &Memory) {
        self.threads = memory.threads.iter().filter_map(|thread| thread.parse().ok()).collect();
        self.keep(&memory.kept);
    }

    /// These posts need not be brought again.
    pub(super) fn keep(&mut self, marks: &[Mark]) {
        for mark in marks {
            let read = mark.0.rsplit_once('.').and_then(|(id, content)| Some((id.parse::<PostId>().ok()?, content)));
            if let Some((id, content)) = read {
                if let Some(home) = self.homes.insert(id.number, id.thread).filter(|home| *home != id.thread) {
                    self.kept.entry(home).or_default().remove(&id.number);
                }
                self.kept.entry(id.thread).or_default().insert(id.number, content.to_owned());
            }
        }
    }

    pub(super) fn threads(&self) -> Vec<Thread> {
        self.threads.iter().map(|id| Thread { id: *id, is_private: false }).collect()
    }

    /// The numbers that are known: a look need not fetch them for what is new.
    pub(super) fn known(&self) -> HashSet<u64> {
        self.homes.keys().chain(&self.passed).copied().collect()
    }

    /// How often this thread was looked at; this look counts.
    pub(super) fn round(&mut self, thread: Thread) -> usize {
        let round = self.rounds.entry(thread.id).or_default();
        *round += 1;
        *round - 1
    }

    /// A thread cannot be read; says whether it could be the last time.
    pub(super) fn is_first_failure(&mut self, thread: Thread) -> bool {
        self.unreadable.insert(thread.id)
    }

    /// Which of these private threads are to be looked at: those with something new, the lively ones, and some others.
    pub(super) fn choose(&self, heads: &[Head], now: DateTime<Utc>) -> Vec<Thread> {
        let (mut chosen, mut rest): (Vec<Thread>, Vec<(&Visited, Thread)>) = (Vec::new(), Vec::new());
        for head in heads {
            match self.private.get(&head.thread.id) {
                Some(known) if known.stamp == head.stamp => rest.push((known, head.thread)),
                Some(_) | None => chosen.push(head.thread),
            }
        }
        let in_list: BTreeSet<u64> = heads.iter().map(|head| head.thread.id).collect();
        rest.extend(self.private.iter().filter(|(id, _)| !in_list.contains(id)).map(|(id, known)| {
            let thread = Thread { id: *id, is_private: true };
            (known, thread)
        }));
        rest.sort_by_key(|(known, thread)| (known.looked, thread.id));
        let (lively, quiet): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(known, _)| now - known.last < LIVELY);
        let left_over = lively.iter().skip(MOST_LIVELY);
        chosen.extend(lively.iter().take(MOST_LIVELY).map(|(_, thread)| *thread));
        chosen.extend(left_over.chain(&quiet).take(OTHERS).map(|(_, thread)| *thread));
        chosen
    }

    /// A private thread was looked at, and looked like this in the list.
    pub(super) fn looked(&mut self, head: &Head) {
        let looked = self.rounds.get(&head.thread.id).copied().unwrap_or_default();
        self.private.insert(head.thread.id, Visited { stamp: head.stamp.clone(), last: head.last, looked });
    }

    /// The same for one that is not in the part of the list that was read.
    pub(super) fn looked_again(&mut self, thread: Thread) {
        let looked = self.rounds.get(&thread.id).copied().unwrap_or_default();
        if let Some(known) = self.private.get_mut(&thread.id) {
            known.looked = looked;
        }
    }

    /// Whether any of these has something new.
    pub(super) fn is_new(&self, heads: &[Head]) -> bool {
        heads.iter().any(|head| self.private.get(&head.thread.id).is_none_or(|known| known.stamp != head.stamp))
    }

    /// A private thread is not there any more, or we are not in it.
    pub(super) fn forget(&mut self, thread: Thread) {
        self.private.remove(&thread.id);
    }

    /// The posts that are new, edited or gone.
    pub(super) fn sift(&mut self, thread: Thread, us: &Author, look: Look) -> Vec<Post> {
        let mut letters = Vec::new();
        self.unreadable.remove(&thread.id);
        self.passed.extend(look.notes);
        for post in look.posts {
            let Ok(PostId { number, .. }) = post.id.parse() else { continue };
            if post.author.id == us.id {
                self.passed.insert(number);
                continue;
            }
            let kept = self.homes.get(&number).and_then(|home| self.kept.get(home)?.get(&number));
            // Nobody need hear of a post that was gone before it was ever read.
            let is_news = kept.map_or(!post.is_deleted, |content| *content != post.content());
            if !post.author.name.is_empty() {
                self.seen.insert(number, (post.author.clone(), post.posted));
            }
            if is_news {
                letters.push(post);
            }
        }
        let deleted = Post::deleted_content();
        let known = self.kept.get(&thread.id).into_iter().flatten();
        let gone = known.filter(|(number, content)| {
            **content != deleted
                && !look.present.contains(number)
                && look.covered.iter().any(|range| range.contains(number))
        });
        letters.extend(gone.map(|(number, _)| {
            let (author, posted) = self
                .seen
                .get(number)
                .cloned()
                .unwrap_or_else(|| (Author { id: String::new(), name: String::new() }, look.now));
            Post {
                id: PostId { thread: thread.id, number: *number, part: 0 }.to_string(),
                thread: thread.id.to_string(),
                is_private: thread.is_private,
                author,
                posted,
                changed: look.now,
                answers: None,
                html: String::new(),
                source: None,
                is_deleted: true,
            }
        }));
        letters
    }

    /// What the user of this id was called when they last wrote.
    pub(super) fn name_of(&self, user: &str) -> Option<String> {
        let seen = self.seen.values().filter(|(author, _)| author.id == user);
        seen.max_by_key(|(_, posted)| *posted).map(|(author, _)| author.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Standing;
    use super::*;

    const THREAD: Thread = Thread { id: 7, is_private: false };

    fn us() -> Author {
        Author { id: "1".to_owned(), name: "cursus".to_owned() }
    }

    fn post(number: u64, author: &str, html: &str) -> Post {
        Post {
            id: format!("7-{number}"),
            thread: "7".to_owned(),
            is_private: false,
            author: Author { id: author.to_owned(), name: format!("user{author}") },
            posted: DateTime::UNIX_EPOCH,
            changed: DateTime::UNIX_EPOCH,
            answers: None,
            html: html.to_owned(),
            source: None,
            is_deleted: false,
        }
    }

    fn look(posts: Vec<Post>, covered: std::ops::RangeInclusive<u64>) -> Look {
        let present = posts.iter().map(|post| post.id.parse::<PostId>().expect("an id").number).collect();
        let now = DateTime::UNIX_EPOCH;
        Look { posts, notes: vec![], present, covered: vec![covered], now, standing: Standing::default() }
    }

    #[test]
    fn a_post_comes_until_it_is_kept_and_again_when_it_is_edited_or_gone() {
        let mut watch = Watch::default();
        let first = || vec![post(1, "1", "ours"), post(2, "5", "build Thera")];
        let all = 0..=u64::MAX;
        for _ in 0..2 {
            assert_eq!(watch.sift(THREAD, &us(), look(first(), all.clone())), [post(2, "5", "build Thera")]);
        }
        watch.keep(&[post(2, "5", "build Thera").mark()]);
        assert_eq!(watch.sift(THREAD, &us(), look(first(), all.clone())), []);
        let edited = post(2, "5", "build Crete");
        assert_eq!(watch.sift(THREAD, &us(), look(vec![edited.clone()], all.clone())), vec![edited.clone()]);
        watch.keep(&[edited.mark()]);
        assert_eq!(watch.sift(THREAD, &us(), look(vec![], 5..=u64::MAX)), [], "the look did not go so far");
        let gone = watch.sift(THREAD, &us(), look(vec![], all.clone()));
        let [gone] = gone.as_slice() else { panic!("one post is gone: {gone:?}") };
        assert_eq!((gone.is_deleted, gone.id.as_str(), gone.author.id.as_str()), (true, "7-2", "5"));
        watch.keep(&[gone.mark()]);
        assert_eq!(watch.sift(THREAD, &us(), look(vec![], all.clone())), [], "it is told once");
        assert_eq!(watch.sift(THREAD, &us(), look(vec![edited.clone()], all)), [edited], "it is back");
    }

    #[test]
    fn after_a_restart_only_what_the_house_remembers_is_known() {
        let mut watch = Watch::default();
        watch.recall(&Memory { threads: vec!["7".to_owned()], kept: vec![post(2, "5", "ok").mark()] });
        assert_eq!(watch.threads(), [THREAD]);
        assert_eq!(watch.sift(THREAD, &us(), look(vec![post(2, "5", "ok")], 0..=9)), []);
        let mut watch = Watch::default();
        watch.recall(&Memory { threads: vec!["7".to_owned()], kept: vec![post(2, "5", "ok").mark()] });
        let gone = watch.sift(THREAD, &us(), look(vec![], 0..=9));
        assert_eq!(
            gone.iter().map(|post| post.author.id.as_str()).collect::<Vec<_>>(),
            [""],
            "nobody knows whose it was"
        );
    }
}
