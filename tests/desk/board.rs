//! A forum in memory, as the desk sees it: a carrier with threads, users and a switch that turns it off. The real forums are in
//! `tests/forum.rs`; here the desk is tried.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, Utc};
use cursus::post::forum::{Author, ForumPlace, Post};
use cursus::post::{Carrier, Dispatch, Mark, Memory, Receipt, Received, Trouble};

/// The forum.
pub struct Board {
    name: String,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    now: DateTime<Utc>,
    is_down: bool,
    /// Whether it refuses for good what is written in private.
    refuses_private: bool,
    users: BTreeMap<u32, String>,
    threads: Vec<Thread>,
    posts: Vec<Stored>,
    watched: Vec<String>,
    kept: Vec<Mark>,
    sent: BTreeMap<String, Receipt>,
}

struct Thread {
    title: String,
    members: Option<Vec<u32>>,
}

struct Stored {
    post: Post,
    is_ours: bool,
}

impl Board {
    pub fn open(name: &str, users: &[&str]) -> Arc<Board> {
        let users = (1..).zip(users.iter().map(|user| (*user).to_owned())).collect();
        Arc::new(Board { name: name.to_owned(), inner: Mutex::new(Inner { users, ..Inner::default() }) })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("the board")
    }

    pub fn set_clock(&self, now: DateTime<Utc>) {
        self.inner().now = now;
    }

    pub fn switch(&self, is_down: bool) {
        self.inner().is_down = is_down;
    }

    /// It refuses for good whatever is written in private, as where somebody takes no messages.
    pub fn refuse_private(&self) {
        self.inner().refuses_private = true;
    }

    pub fn rename(&self, from: &str, to: &str) {
        let mut inner = self.inner();
        let id = inner.id_of(from);
        inner.users.insert(id, to.to_owned());
    }

    /// The titles of all threads.
    pub fn titles(&self) -> Vec<String> {
        self.inner().threads.iter().map(|thread| thread.title.clone()).collect()
    }

    /// The public thread's number.
    pub fn public(&self) -> String {
        let place = self.inner().threads.iter().position(|thread| thread.members.is_none());
        place.expect("a public thread").to_string()
    }

    /// The private thread with a user.
    pub fn private(&self, user: &str) -> String {
        let inner = self.inner();
        let id = inner.id_of(user);
        let is_of_the_player = |thread: &Thread| thread.members.as_ref().is_some_and(|members| members.contains(&id));
        inner
            .threads
            .iter()
            .position(is_of_the_player)
            .unwrap_or_else(|| panic!("no private thread with {user}"))
            .to_string()
    }

    /// How many private threads a user is in.
    pub fn private_threads(&self, user: &str) -> usize {
        let inner = self.inner();
        let id = inner.id_of(user);
        inner.threads.iter().filter(|thread| thread.members.as_ref().is_some_and(|all| all.contains(&id))).count()
    }

    /// What we have posted in a thread, one text a post.
    pub fn ours(&self, thread: &str) -> Vec<String> {
        let inner = self.inner();
        let ours = inner.posts.iter().filter(|stored| stored.is_ours && stored.post.thread == thread);
        ours.map(|stored| stored.post.html.clone()).collect()
    }

    /// A thread of people, in which nobody plays yet.
    pub fn thread(&self, title: &str) -> String {
        self.inner().open(title, None)
    }

    /// Somebody posts; says the id of the post.
    pub fn post(&self, user: &str, thread: &str, text: &str) -> String {
        let mut inner = self.inner();
        let id = inner.id_of(user);
        inner.put(thread, id.to_string(), user, html(text), false)
    }

    /// Somebody writes to us in private, in a thread of their own; says the thread.
    pub fn message(&self, user: &str, text: &str) -> String {
        let mut inner = self.inner();
        let id = inner.id_of(user);
        let thread = inner.open("a private message", Some(vec![id]));
        inner.put(&thread, id.to_string(), user, html(text), false);
        thread
    }

    /// Somebody posts on a board that shows its thread as a feed: it tells no ids of users, and the thread is an address.
    pub fn post_in_feed(&self, user: &str, feed: &str, text: &str) {
        let mut inner = self.inner();
        if inner.threads.is_empty() {
            inner.open("a thread of people", None);
        }
        inner.put("0", String::new(), user, html(text), false);
        let last = inner.posts.last_mut().expect("the post");
        last.post.thread = feed.to_owned();
    }

    pub fn edit(&self, post: &str, text: &str) {
        self.change(post, |post| post.html = html(text));
    }

    pub fn delete(&self, post: &str) {
        self.change(post, |post| {
            post.html = String::new();
            post.is_deleted = true;
        });
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Post)) {
        let mut inner = self.inner();
        let now = inner.now;
        let stored = inner.posts.iter_mut().find(|stored| stored.post.id == id).expect("a post");
        change(&mut stored.post);
        stored.post.changed = now;
    }
}

/// A text as a forum shows it.
fn html(text: &str) -> String {
    let escaped = |line: &str| line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.lines().map(|line| format!("<p>{}</p>\n", escaped(line))).collect()
}

impl Inner {
    fn id_of(&self, user: &str) -> u32 {
        let found = self.users.iter().find(|(_, name)| name.eq_ignore_ascii_case(user));
        *found.unwrap_or_else(|| panic!("there is no user {user}")).0
    }

    fn put(&mut self, thread: &str, author: String, name: &str, html: String, is_ours: bool) -> String {
        let id = (self.posts.len() + 1).to_string();
        let place: usize = thread.parse().expect("a thread");
        let post = Post {
            id: id.clone(),
            thread: thread.to_owned(),
            is_private: self.threads[place].members.is_some(),
            author: Author { id: author, name: name.to_owned() },
            posted: self.now,
            changed: self.now,
            answers: None,
            html,
            source: None,
            is_deleted: false,
        };
        self.posts.push(Stored { post, is_ours });
        id
    }

    fn open(&mut self, title: &str, members: Option<Vec<u32>>) -> String {
        self.threads.push(Thread { title: title.to_owned(), members });
        (self.threads.len() - 1).to_string()
    }

    fn take(&mut self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        let text = dispatch.html.clone().unwrap_or_else(|| dispatch.text.clone());
        let thread = match dispatch.to.parse().unwrap_or_else(|()| panic!("{} is no place", dispatch.to)) {
            ForumPlace::Category(_) => self.open(&dispatch.subject, None),
            ForumPlace::Thread(id) | ForumPlace::Private(id) | ForumPlace::Followed { thread: id, .. } => id,
            ForumPlace::User(id) => self.open(&dispatch.subject, Some(vec![id.parse().expect("an id")])),
            ForumPlace::Name(name) => {
                let id = self.id_of(&name);
                self.open(&dispatch.subject, Some(vec![id]))
            }
            ForumPlace::Post(id) if self.posts.iter().any(|stored| stored.post.id == id && stored.post.is_deleted) => {
                return Err(Trouble::Lasting("the post is gone".to_owned()));
            }
            ForumPlace::Post(id) => {
                let stored = self.posts.iter_mut().find(|stored| stored.post.id == id).expect("our post");
                stored.post.html = text;
                return Ok(Receipt { thread: Some(stored.post.thread.clone()), post: Some(id) });
            }
        };
        let post = self.put(&thread, "0".to_owned(), "cursus", text, true);
        Ok(Receipt { thread: Some(thread), post: Some(post) })
    }
}

impl Carrier for Board {
    fn name(&self) -> &str {
        &self.name
    }

    fn collect(&self, _: Duration) -> Result<Vec<Received>, Trouble> {
        let inner = self.inner();
        if inner.is_down {
            return Err(Trouble::Passing("the forum is down".to_owned()));
        }
        let is_read = |post: &Post| post.is_private || inner.watched.contains(&post.thread);
        let was_known = |post: &Post| inner.kept.iter().any(|mark| mark.0.starts_with(&format!("{}.", post.id)));
        let is_new = |post: &Post| !inner.kept.contains(&post.mark()) && (!post.is_deleted || was_known(post));
        let new = inner.posts.iter().filter(|stored| !stored.is_ours).map(|stored| &stored.post);
        let new = new.filter(|post| is_read(post) && is_new(post));
        Ok(new.map(|post| Received { mark: post.mark(), arrived: post.changed, raw: post.raw() }).collect())
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        let mut inner = self.inner();
        for mark in marks {
            let post = mark.0.split('.').next().unwrap_or_default().to_owned();
            inner.kept.retain(|other| !other.0.starts_with(&format!("{post}.")));
            inner.kept.push(mark.clone());
        }
        Ok(())
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        let mut inner = self.inner();
        if inner.is_down {
            return Err(Trouble::Passing("the forum is down".to_owned()));
        }
        if let Some(receipt) = inner.sent.get(&dispatch.message_id) {
            return Ok(receipt.clone());
        }
        let is_public =
            |to: &ForumPlace| matches!(to, ForumPlace::Category(_) | ForumPlace::Thread(_) | ForumPlace::Post(_));
        if inner.refuses_private && !dispatch.to.parse().is_ok_and(|to| is_public(&to)) {
            return Err(Trouble::Lasting("the forum refuses this post".to_owned()));
        }
        let receipt = inner.take(dispatch)?;
        inner.sent.insert(dispatch.message_id.clone(), receipt.clone());
        Ok(receipt)
    }

    fn lanes(&self) -> usize {
        1
    }

    fn recall(&self, memory: &Memory) {
        let mut inner = self.inner();
        inner.watched = memory.threads.clone();
        inner.kept = memory.kept.clone();
    }
}
