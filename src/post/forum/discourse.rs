//! Discourse, over its JSON interface: a key and a name in the head of every request, a stream of posts' ids for each topic.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{Board, Body, Head, Look, PostId, RECENT, Standing, Thread, Upload};
use super::misago::{Payload, multipart, understood};
use super::post::{Author, Post};
use super::settings::ForumSettings;
use super::site::{Answer, Failure, Site};
use crate::post::carrier::Trouble;
use crate::post::secret::Secret;

/// So many posts are asked for at once.
const CHUNK: usize = RECENT + PAGE;
/// The most posts that are read of a topic at one look, beside the newest.
const MOST_UNKNOWN: usize = 240;
/// So many older posts are looked through at every look.
const PAGE: usize = 20;
/// So often it is asked for them at one look.
const MOST_CHUNKS: usize = 12;
/// The longest title that the forum takes.
const LONGEST_TITLE: usize = 255;
/// The most characters of a post, where the forum does not tell (`max_post_length` of its settings).
const LONGEST: usize = 32_000;
/// With so many posts a private thread is followed by a new one: at `auto_close_messages_post_count`, which is 500 at first,
/// the forum closes it, and only users of trust level 4 could still write there.
const FULL: u64 = 480;
/// What a window of a topic without a stream has: the forum sends no more at once.
const WINDOW: usize = 20;
/// The most windows that are read at one look.
const MOST_WINDOWS: usize = 15;
/// A proof of who we are is good for so long: the key stands in every request, and a wrong one is refused.
const PROOF: Duration = Duration::from_secs(600);
/// What the forum calls posts that people write: regular ones, and those of its staff.
const WRITTEN: [u8; 2] = [1, 2];

pub(super) struct Discourse {
    site: Site,
    user: String,
    key: Secret,
    us: Mutex<Option<(Author, Instant)>>,
    longest: OnceLock<usize>,
}

impl Discourse {
    pub(super) fn open(settings: &ForumSettings, key: Secret) -> Result<Self, Trouble> {
        // All keys of a forum's administrators together have 60 requests a minute; we are not the only ones.
        let site = Site::open(&settings.url, settings.root_certificate.as_deref(), 15, 30)?;
        Ok(Self { site, user: settings.user.clone(), key, us: Mutex::default(), longest: OnceLock::new() })
    }

    fn call(&self, method: Method, path: &str, body: &Payload) -> Result<Answer, Failure> {
        let request = self
            .site
            .request(method, path)
            .header("Accept", "application/json")
            .header("Api-Key", self.key.reveal())
            .header("Api-Username", &self.user);
        let answer = self.site.ask(match body {
            Payload::None => request,
            Payload::Json(value) => request.json(value),
            Payload::Form(boundary, bytes) => {
                request.header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}")).body(bytes.clone())
            }
        });
        if matches!(answer, Err(Failure::Denied(_))) {
            // It may be the key, which somebody has taken back: next time it is proved again.
            *self.us.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        answer
    }

    fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.call(Method::GET, path, &Payload::None)
    }

    /// The posts of a topic with these ids. A forum that sends fewer at once is asked for the rest, within bounds: what is
    /// missing then comes with the next looks, and nothing is done about a thread that was not read to its end.
    fn posts(&self, thread: Thread, ids: &[u64]) -> Result<(Vec<Entry>, bool), Failure> {
        let (mut entries, mut missing): (Vec<Entry>, Vec<u64>) = (Vec::new(), ids.to_vec());
        for _ in 0..MOST_CHUNKS {
            if missing.is_empty() {
                break;
            }
            let chunk: Vec<String> = missing.iter().take(CHUNK).map(|id| format!("post_ids[]={id}")).collect();
            let path = format!("/t/{}/posts.json?{}&include_raw=true", thread.id, chunk.join("&"));
            let stream: Posts = understood(self.get(&path)?.json()?)?;
            let found: BTreeSet<u64> = stream.post_stream.posts.iter().map(|entry| entry.id).collect();
            if found.is_empty() {
                // They are gone since the topic was read.
                missing.drain(..chunk.len());
            }
            missing.retain(|id| !found.contains(id));
            entries.extend(stream.post_stream.posts);
        }
        Ok((entries, missing.is_empty()))
    }

    /// The newest posts of a topic with so many posts that the forum sends no list of them: windows of it, going up from
    /// the last, until nothing in one is unknown.
    fn windows(&self, thread: Thread, topic: &Topic, is_known: &dyn Fn(u64) -> bool) -> Result<Vec<Entry>, Failure> {
        let mut entries = match topic.post_stream.last {
            Some(last) => self.posts(thread, &[last])?.0,
            None => Vec::new(),
        };
        let mut above = topic.highest_post_number;
        for round in 0..MOST_WINDOWS {
            let path = format!("/t/{}/posts.json?post_number={above}&asc=false&include_raw=true", thread.id);
            let window = understood::<Posts>(self.get(&path)?.json()?)?.post_stream.posts;
            let Some(lowest) = window.iter().map(|entry| entry.post_number).min() else { break };
            let is_old = window.iter().all(|entry| is_known(entry.id));
            entries.extend(window);
            if lowest >= above || lowest <= 1 || (is_old && (round + 1) * WINDOW >= RECENT) {
                break;
            }
            above = lowest;
        }
        Ok(entries)
    }

    /// What the user of this name is called, if there is one. A group of the same name is none: it would have many readers.
    fn user_named(&self, name: &str) -> Result<String, Failure> {
        let name: String = name.bytes().map(escaped).collect();
        let card: Card = understood(self.get(&format!("/u/{name}.json"))?.json()?)?;
        Ok(card.user.username)
    }

    /// A post that we have written.
    fn create(&self, request: Value) -> Result<PostId, Failure> {
        let answer = self.call(Method::POST, "/posts.json", &Payload::Json(request))?.json()?;
        if answer["action"] == json!("enqueued") {
            return Err(Failure::Refused(super::UNTRUSTED.to_owned()));
        }
        let created: Created = understood(answer)?;
        Ok(PostId { thread: created.topic_id, number: created.id, part: 0 })
    }
}

impl Board for Discourse {
    fn identity(&self) -> Result<Author, Failure> {
        let proved = self.us.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((us, _)) = proved.filter(|(_, proved)| proved.elapsed() < PROOF) {
            return Ok(us);
        }
        let session = match self.get("/session/current.json") {
            // A guest has no session: something on the way has taken the key out of the head.
            Err(Failure::Gone) => return Err(Failure::Barred("the forum takes us for a guest".to_owned())),
            session => session.map_err(Failure::of_identity)?.json()?,
        };
        let session: Session = understood(session)?;
        let us = Author { id: session.current_user.id.to_string(), name: session.current_user.username };
        *self.us.lock().unwrap_or_else(PoisonError::into_inner) = Some((us.clone(), Instant::now()));
        Ok(us)
    }

    fn look(&self, thread: Thread, is_known: &dyn Fn(u64) -> bool, round: Option<usize>) -> Result<Look, Failure> {
        let answer = self.get(&format!("/t/{}.json?include_raw=true", thread.id))?;
        let now = answer.now();
        let topic: Topic = understood(answer.json()?)?;
        // What the desk calls a public thread may have been made a private one, and the other way round.
        let thread = Thread { is_private: topic.archetype == "private_message", ..thread };
        let standing = Standing {
            is_full: topic.closed || topic.archived || (thread.is_private && topic.posts_count >= FULL),
            slow: Some(topic.slow_mode_seconds.unwrap_or_default()).filter(|it| *it > 0).map(Duration::from_secs),
        };
        let Some(stream) = topic.post_stream.stream else {
            let entries = self.windows(thread, &topic, is_known)?;
            let present: BTreeSet<u64> = entries.iter().map(|entry| entry.id).collect();
            let (posts, notes) = sorted(entries, thread);
            return Ok(Look { posts, notes, present, covered: Vec::new(), now, standing });
        };
        let recent = stream.len().saturating_sub(RECENT);
        let mut wanted: Vec<u64> = Vec::new();
        if let Some(round) = round {
            wanted.extend(stream[..recent].iter().filter(|id| !is_known(**id)).take(MOST_UNKNOWN));
            let start = (round * PAGE).checked_rem(recent).unwrap_or_default() / PAGE * PAGE;
            wanted.extend(stream[..recent].iter().skip(start).take(PAGE));
        }
        wanted.extend(&stream[recent..]);
        wanted.sort_unstable();
        wanted.dedup();
        // The first posts come with the topic. Without what was typed they are of no use: the same post must look the same.
        let mut entries: Vec<Entry> = topic.post_stream.posts.into_iter().filter(|entry| entry.raw.is_some()).collect();
        let read: BTreeSet<u64> = entries.iter().map(|entry| entry.id).collect();
        wanted.retain(|id| !read.contains(id));
        // What is new first, the newest of it before all.
        wanted.sort_by_key(|id| (is_known(*id), Reverse(*id)));
        let (found, is_whole) = self.posts(thread, &wanted)?;
        if round.is_none() && !is_whole {
            return Err(Failure::passing("the forum sends its posts too slowly"));
        }
        entries.extend(found);
        let (posts, notes) = sorted(entries, thread);
        let present = stream.into_iter().collect();
        // What is not there any more was taken away by the forum's staff, or its author did it long ago and we have seen it
        // then: neither takes an order back.
        Ok(Look { posts, notes, present, covered: Vec::new(), now, standing })
    }

    fn private_threads(&self, start: Option<u64>) -> Result<(Vec<Head>, Option<u64>), Failure> {
        let us = self.identity()?;
        let page = start.unwrap_or_default();
        // The list of somebody's own: what all the forum's private posts are, an administrator would see as well.
        let list = self.get(&format!("/topics/private-messages/{}.json?page={page}", us.name))?;
        let list: Topics = understood(list.json()?)?;
        let goes_on = list.topic_list.more_topics_url.is_some() && !list.topic_list.topics.is_empty();
        let heads = list.topic_list.topics.into_iter().map(|topic| Head {
            thread: Thread { id: topic.id, is_private: true },
            stamp: format!("{} {} {}", topic.highest_post_number, topic.posts_count, topic.bumped_at),
            last: topic.last_posted_at.unwrap_or(topic.bumped_at),
        });
        Ok((heads.collect(), goes_on.then_some(page + 1)))
    }

    fn begun(&self, is_private: bool) -> Result<Vec<(Thread, String)>, Failure> {
        let us = self.identity()?;
        let kind = if is_private { "private-messages-sent" } else { "created-by" };
        let list: Topics = understood(self.get(&format!("/topics/{kind}/{}.json", us.name))?.json()?)?;
        let topics = list.topic_list.topics.into_iter();
        Ok(topics.map(|topic| (Thread { id: topic.id, is_private }, topic.title)).collect())
    }

    fn name_of(&self, user: &str) -> Result<String, Failure> {
        let user: u64 = user.parse().map_err(|_| Failure::Gone)?;
        // What every user may ask, where `/admin/users` is for administrators.
        let cards: Cards = understood(self.get(&format!("/user-cards.json?user_ids={user}"))?.json()?)?;
        cards.users.into_iter().find(|card| card.id == user).map(|card| card.username).ok_or(Failure::Gone)
    }

    fn upload(&self, picture: &[u8]) -> Result<Upload, Failure> {
        let form = multipart(&[("upload_type", "composer"), ("synchronous", "true")], "file", picture);
        let answer = self.call(Method::POST, "/uploads.json", &form)?.json()?;
        let address = answer["short_url"].as_str().map(str::to_owned);
        let address =
            address.ok_or_else(|| Failure::passing("the forum took a picture and does not say where it is"))?;
        Ok(Upload { address, number: None })
    }

    fn begin(&self, category: &str, title: &str, body: &Body) -> Result<PostId, Failure> {
        let category: u64 = category.parse().map_err(|_| Failure::Refused("the category is no number".to_owned()))?;
        self.create(json!({"title": short(title), "raw": body.text, "category": category}))
    }

    fn begin_private(&self, name: &str, title: &str, body: &Body) -> Result<PostId, Failure> {
        let name = self.user_named(name)?;
        self.create(json!({
            "title": short(title),
            "raw": body.text,
            "target_recipients": name,
            "archetype": "private_message",
        }))
    }

    fn reply(&self, thread: Thread, body: &Body) -> Result<PostId, Failure> {
        self.create(json!({"topic_id": thread.id, "raw": body.text}))
    }

    fn source(&self, post: PostId) -> Result<String, Failure> {
        let post = self.get(&format!("/posts/{}.json", post.number))?.json()?;
        Ok(post["raw"].as_str().unwrap_or_default().to_owned())
    }

    fn replace(&self, post: PostId, body: &Body) -> Result<(), Failure> {
        let request = json!({"post": {"raw": body.text}});
        self.call(Method::PUT, &format!("/posts/{}.json", post.number), &Payload::Json(request)).map(drop)
    }

    fn remove(&self, post: PostId) -> Result<(), Failure> {
        let entry = self.get(&format!("/posts/{}.json", post.number))?.json()?;
        let path = match entry["post_number"].as_u64() {
            Some(1) => format!("/t/{}.json", post.thread),
            Some(_) | None => format!("/posts/{}.json", post.number),
        };
        self.call(Method::DELETE, &path, &Payload::None).map(drop)
    }

    fn may_begin(&self, category: &str) -> Result<String, Failure> {
        let category: u64 = category.parse().map_err(|_| Failure::Gone)?;
        let answer: Shown = understood(self.get(&format!("/c/{category}/show.json"))?.json()?)?;
        if answer.category.permission != Some(1) {
            return Err(Failure::Denied("threads cannot be begun in this category".to_owned()));
        }
        Ok(answer.category.name)
    }

    fn may_replace(&self, post: PostId) -> Result<Option<bool>, Failure> {
        let post = self.get(&format!("/posts/{}.json", post.number))?.json()?;
        Ok(post["can_edit"].as_bool())
    }

    fn pending(&self) -> Result<Vec<String>, Failure> {
        let us = self.identity()?;
        let name: String = us.name.bytes().map(escaped).collect();
        let pending: Pending = understood(self.get(&format!("/posts/{name}/pending.json"))?.json()?)?;
        Ok(pending.pending_posts.into_iter().filter_map(|post| post.raw_text).collect())
    }

    fn longest(&self) -> usize {
        let asked = || {
            let settings = self.get("/site/settings.json").and_then(|answer| answer.json()).ok()?;
            settings["max_post_length"].as_u64().and_then(|most| usize::try_from(most).ok())
        };
        match self.longest.get() {
            Some(longest) => *longest,
            None => asked().map_or(LONGEST, |longest| *self.longest.get_or_init(|| longest.max(1_000))),
        }
    }

    fn about_key(&self, category: Option<&str>) -> Option<String> {
        // A wrong key is refused everywhere, also where guests may read; one with scopes is taken where its scopes go.
        let category = category.map(|category| format!("/c/{category}/show.json"));
        let shown = ["/latest.json", "/categories.json"].map(str::to_owned);
        let user: String = self.user.bytes().map(escaped).collect();
        let mut asked = category.into_iter().chain(shown).chain([format!("/u/{user}.json")]);
        let is_taken = asked.any(|path| !matches!(self.get(&path), Err(Failure::Denied(_))));
        is_taken.then(|| "the key is one with scopes, and no scope covers what Cursus does".to_owned())
    }

    fn discreet(&self, line: &str) -> String {
        format!("<small>{line}</small>")
    }

    fn wants_joined(&self) -> bool {
        true
    }

    fn pause(&self) -> Duration {
        Duration::from_secs(20)
    }
}

#[derive(Deserialize)]
struct Session {
    current_user: User,
}

#[derive(Deserialize)]
struct User {
    id: u64,
    username: String,
}

/// `/u/NAME.json`.
#[derive(Deserialize)]
struct Card {
    user: User,
}

/// `/user-cards.json`.
#[derive(Deserialize)]
struct Cards {
    users: Vec<User>,
}

#[derive(Deserialize)]
struct Topic {
    post_stream: Stream,
    #[serde(default)]
    archetype: String,
    #[serde(default)]
    closed: bool,
    #[serde(default)]
    archived: bool,
    #[serde(default)]
    posts_count: u64,
    #[serde(default)]
    highest_post_number: u64,
    #[serde(default)]
    slow_mode_seconds: Option<u64>,
}

#[derive(Deserialize)]
struct Stream {
    /// Not there in a topic of 10,000 posts.
    #[serde(default)]
    stream: Option<Vec<u64>>,
    /// There instead of it: the id of the last post.
    #[serde(default, rename = "lastId")]
    last: Option<u64>,
    #[serde(default)]
    posts: Vec<Entry>,
}

#[derive(Deserialize)]
struct Posts {
    post_stream: PostStream,
}

#[derive(Deserialize)]
struct PostStream {
    posts: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: u64,
    /// Nobody, where the user was deleted.
    #[serde(default)]
    user_id: Option<i64>,
    #[serde(default)]
    username: Option<String>,
    post_number: u64,
    post_type: u8,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[serde(default)]
    deleted_at: Option<DateTime<Utc>>,
    /// Shown to the staff alone.
    #[serde(default)]
    deleted_by: Option<By>,
    #[serde(default)]
    user_deleted: bool,
    #[serde(default)]
    reply_to_post_number: Option<u64>,
    #[serde(default)]
    cooked: String,
    /// Not there for us where it is hidden.
    #[serde(default)]
    raw: Option<String>,
    /// Whether it is hidden, for people have flagged it.
    #[serde(default)]
    hidden: bool,
}

/// Who has done something to a post.
#[derive(Deserialize)]
struct By {
    id: i64,
}

impl Entry {
    /// Whether the forum shows a sentence of its own instead of what was typed, or its staff took the post away: that is no
    /// edit, and nobody else takes an order back.
    fn is_covered(&self) -> bool {
        (self.hidden && self.raw.is_none()) || (self.deleted_at.is_some() && !self.is_taken_back())
    }

    /// Whether its author has deleted it. Of somebody of the staff only the name of who did it tells.
    fn is_taken_back(&self) -> bool {
        let by_author = || self.deleted_by.as_ref().is_some_and(|by| Some(by.id) == self.user_id);
        self.user_deleted || (self.deleted_at.is_some() && by_author())
    }

    fn post(self, thread: Thread, numbers: &HashMap<u64, u64>) -> Post {
        let name = |number| PostId { thread: thread.id, number, part: 0 }.to_string();
        // Somebody's own deletion first leaves a sentence of the forum in its place.
        let is_deleted = self.is_taken_back();
        Post {
            id: name(self.id),
            thread: thread.id.to_string(),
            is_private: thread.is_private,
            author: Author {
                id: self.user_id.map(|id| id.to_string()).unwrap_or_default(),
                name: self.username.unwrap_or_default(),
            },
            posted: self.created_at,
            changed: self.deleted_at.unwrap_or(self.updated_at).max(self.created_at),
            answers: self.reply_to_post_number.and_then(|number| numbers.get(&number)).map(|id| name(*id)),
            html: if is_deleted { String::new() } else { self.cooked },
            source: self.raw.filter(|_| !is_deleted),
            is_deleted,
        }
    }
}

#[derive(Deserialize)]
struct Created {
    id: u64,
    topic_id: u64,
}

#[derive(Deserialize)]
struct Topics {
    topic_list: TopicList,
}

#[derive(Deserialize)]
struct TopicList {
    topics: Vec<TopicEntry>,
    #[serde(default)]
    more_topics_url: Option<String>,
}

#[derive(Deserialize)]
struct TopicEntry {
    id: u64,
    title: String,
    highest_post_number: u64,
    posts_count: u64,
    bumped_at: DateTime<Utc>,
    #[serde(default)]
    last_posted_at: Option<DateTime<Utc>>,
}

/// `/posts/NAME/pending.json`.
#[derive(Deserialize)]
struct Pending {
    pending_posts: Vec<PendingPost>,
}

#[derive(Deserialize)]
struct PendingPost {
    #[serde(default)]
    raw_text: Option<String>,
}

#[derive(Deserialize)]
struct Shown {
    category: Category,
}

#[derive(Deserialize)]
struct Category {
    name: String,
    #[serde(default)]
    permission: Option<u8>,
}

/// What people wrote, as far as we may see it, and the ids of what the forum noted.
fn sorted(entries: Vec<Entry>, thread: Thread) -> (Vec<Post>, Vec<u64>) {
    let numbers: HashMap<u64, u64> = entries.iter().map(|entry| (entry.post_number, entry.id)).collect();
    let (written, notes): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().partition(|entry| WRITTEN.contains(&entry.post_type));
    let seen = written.into_iter().filter(|entry| !entry.is_covered());
    let posts = seen.map(|entry| entry.post(thread, &numbers)).collect();
    (posts, notes.into_iter().map(|entry| entry.id).collect())
}

/// A byte of a name as it may stand in an address.
fn escaped(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

fn short(title: &str) -> String {
    title.chars().take(LONGEST_TITLE).collect()
}
