//! Misago, over its JSON interface: a session with a cookie, pages of posts, private threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, REFERER, SET_COOKIE};
use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{Board, Body, Head, Look, PostId, RECENT, Standing, Thread, Upload};
use super::post::{Author, Post};
use super::settings::ForumSettings;
use super::site::{Answer, Failure, Site};
use crate::post::carrier::Trouble;
use crate::post::secret::Secret;

/// The forum's own word against forged requests. Sent as a cookie and as a header, any will do.
const TOKEN: &str = "csrftoken";
/// The most pages that are read of a thread at one look.
const MOST_PAGES: u64 = 40;
/// A forum that controls floods is tried again for so long, so often.
const FLOOD: Duration = Duration::from_secs(13);
const FLOOD_PAUSE: Duration = Duration::from_millis(3_100);
/// The longest title that the forum takes.
const LONGEST_TITLE: usize = 90;
/// The most characters of a post, as its settings have it at first (`post_length_max`).
const LONGEST: usize = 60_000;
/// A proof of who we are is good for so long.
const PROOF: Duration = Duration::from_secs(20);

pub(super) struct Misago {
    site: Site,
    user: String,
    password: Secret,
    session: Mutex<Session>,
    /// The last page of each thread when it was last looked at.
    last_pages: Mutex<HashMap<u64, u64>>,
}

#[derive(Default)]
struct Session {
    cookies: BTreeMap<String, String>,
    us: Option<(Author, Instant)>,
}

impl Misago {
    pub(super) fn open(settings: &ForumSettings, password: Secret) -> Result<Self, Trouble> {
        // The forum has no limit of its own for reading; a person who turns pages quickly is the measure.
        let site = Site::open(&settings.url, settings.root_certificate.as_deref(), 60, 180)?;
        Ok(Self {
            site,
            user: settings.user.clone(),
            password,
            session: Mutex::default(),
            last_pages: Mutex::default(),
        })
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks within the session. One that has ended is opened anew, once.
    fn call(&self, method: &Method, path: &str, body: &Payload) -> Result<Answer, Failure> {
        match self.send(method, path, body) {
            Err(Failure::Denied(says)) => match self.is_signed_in()? {
                Some(_) => Err(Failure::Denied(says)),
                None => {
                    self.sign_in()?;
                    self.send(method, path, body)
                }
            },
            answer => answer,
        }
    }

    fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.call(&Method::GET, path, &Payload::None)
    }

    /// Posts; waits for the flood control, which lets nobody post twice in three seconds and says so in its own language.
    fn publish(&self, method: &Method, path: &str, body: Value) -> Result<Value, Failure> {
        let (body, begun) = (Payload::Json(body), Instant::now());
        loop {
            match self.call(method, path, &body) {
                Err(Failure::Denied(_)) if begun.elapsed() + FLOOD_PAUSE < FLOOD => thread::sleep(FLOOD_PAUSE),
                answer => return answer?.json(),
            }
        }
    }

    fn send(&self, method: &Method, path: &str, body: &Payload) -> Result<Answer, Failure> {
        let request = self.site.request(method.clone(), path);
        let cookies = self.cookies();
        let request = request
            .header("Accept", "application/json")
            .header(REFERER, format!("{}/", self.site.base()))
            .header("X-CSRFToken", cookies.get(TOKEN).cloned().unwrap_or_default())
            .header(
                COOKIE,
                cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; "),
            );
        let request = match body {
            Payload::None => request,
            Payload::Json(value) => request.json(value),
            Payload::Form(boundary, bytes) => {
                request.header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}")).body(bytes.clone())
            }
        };
        let answer = self.site.ask(request)?;
        let mut session = self.session();
        for cookie in answer.headers.get_all(SET_COOKIE) {
            let pair = cookie.to_str().ok().and_then(|cookie| cookie.split(';').next()?.split_once('='));
            if let Some((name, value)) = pair {
                session.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
        Ok(answer)
    }

    fn cookies(&self) -> BTreeMap<String, String> {
        let mut session = self.session();
        session.cookies.entry(TOKEN.to_owned()).or_insert_with(|| {
            let bytes = [0_u8; 16].map(|_| getrandom::u32().unwrap_or_default() as u8);
            bytes.iter().map(|byte| format!("{byte:02x}")).collect()
        });
        session.cookies.clone()
    }

    /// Who the forum thinks we are; nobody where we are guests.
    fn is_signed_in(&self) -> Result<Option<Author>, Failure> {
        let user = self.send(&Method::GET, "/api/auth/", &Payload::None)?.json()?;
        let us = if user["is_authenticated"] == json!(true) { author(&user) } else { None };
        self.session().us = us.clone().map(|us| (us, Instant::now()));
        Ok(us)
    }

    fn sign_in(&self) -> Result<Author, Failure> {
        self.session().cookies.clear();
        let login = json!({"username": self.user, "password": self.password.reveal()});
        let user = match self.send(&Method::POST, "/api/auth/", &Payload::Json(login)) {
            Ok(answer) => answer.json()?,
            // A wrong password is refused like a wrong post; but it can be mended.
            Err(Failure::Refused(says)) => return Err(Failure::Barred(says)),
            Err(failure) => return Err(failure.of_identity()),
        };
        let us = author(&user).ok_or_else(|| Failure::passing("the forum answers what is no forum's answer"))?;
        self.session().us = Some((us.clone(), Instant::now()));
        Ok(us)
    }

    fn page(&self, thread: Thread, page: u64) -> Result<Page, Failure> {
        let query = if page > 1 { format!("?page={page}") } else { String::new() };
        let answer = self.get(&format!("{}posts/{query}", path(thread)))?;
        let now = answer.now();
        let listed: Listed = understood(answer.json()?)?;
        let set = listed.post_set;
        let (mut posts, mut notes, mut present) = (Vec::new(), Vec::new(), BTreeSet::new());
        for entry in set.results {
            present.insert(entry.id);
            if entry.is_covered() {
                continue;
            }
            if entry.is_event || entry.is_unapproved {
                notes.push(entry.id);
            } else {
                posts.push(entry.post(thread));
            }
        }
        let first = if set.page <= 1 { Some(0) } else { present.first().copied() };
        let last = if set.page >= set.pages { Some(u64::MAX) } else { present.last().copied() };
        let covered = first.zip(last).map(|(first, last)| first..=last);
        Ok(Page {
            number: set.page,
            pages: set.pages,
            look: Look {
                posts,
                notes,
                present,
                covered: covered.into_iter().collect(),
                now,
                standing: Standing::default(),
            },
        })
    }

    /// The last page of a thread. It is where it was, most of the time.
    fn last_page(&self, thread: Thread) -> Result<Page, Failure> {
        let known = |board: &Self| {
            board.last_pages.lock().unwrap_or_else(PoisonError::into_inner).get(&thread.id).copied().unwrap_or(1)
        };
        let mut page = match self.page(thread, known(self)) {
            Err(Failure::Gone) if known(self) > 1 => self.page(thread, 1)?,
            page => page?,
        };
        if page.pages > page.number {
            page = self.page(thread, page.pages)?;
        }
        self.last_pages.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.id, page.number);
        Ok(page)
    }

    /// Whether a thread is private: those who know a post know only its thread.
    fn thread(&self, id: u64) -> Result<Thread, Failure> {
        let public = Thread { id, is_private: false };
        match self.get(&path(public)) {
            Ok(_) => Ok(public),
            Err(Failure::Gone) => {
                let private = Thread { id, is_private: true };
                self.get(&path(private)).map(|_| private)
            }
            Err(failure) => Err(failure),
        }
    }

    /// The first post of a thread that was just begun.
    fn first_post(&self, thread: Thread) -> Result<PostId, Failure> {
        let answer = self.get(&format!("{}posts/", path(thread)))?.json()?;
        let listed: Listed = understood(answer)?;
        let first = listed.post_set.results.into_iter().find(|entry| !entry.is_event);
        let first = first.ok_or_else(|| Failure::passing("the forum has a thread without posts"))?;
        first.is_trusted()?;
        Ok(PostId { thread: thread.id, number: first.id, part: 0 })
    }
}

impl Board for Misago {
    fn identity(&self) -> Result<Author, Failure> {
        let proved = self.session().us.clone().filter(|(_, proved)| proved.elapsed() < PROOF);
        if let Some((us, _)) = proved {
            return Ok(us);
        }
        match self.is_signed_in()? {
            Some(us) => Ok(us),
            None => self.sign_in(),
        }
    }

    fn look(&self, thread: Thread, is_known: &dyn Fn(u64) -> bool, round: Option<usize>) -> Result<Look, Failure> {
        let Page { mut number, mut look, .. } = self.last_page(thread)?;
        let mut read = 1;
        let mut is_met = !look.posts.iter().any(|post| !is_known_post(post, is_known));
        while number > 1 && read < MOST_PAGES && (look.posts.len() < RECENT || !is_met) {
            let page = match self.page(thread, number - 1) {
                // Somebody deleted posts meanwhile.
                Err(Failure::Gone) => break,
                page => page?,
            };
            (number, read) = (number - 1, read + 1);
            is_met = !page.look.posts.iter().any(|post| !is_known_post(post, is_known));
            look.add(page.look);
        }
        if let Some(round) = round
            && number > 1
        {
            match self.page(thread, 1 + round as u64 % (number - 1)) {
                Ok(page) => look.add(page.look),
                Err(Failure::Gone) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(look)
    }

    fn private_threads(&self, start: Option<u64>) -> Result<(Vec<Head>, Option<u64>), Failure> {
        let query = start.map(|start| format!("?start={start}")).unwrap_or_default();
        let list: Threads = understood(self.get(&format!("/api/private-threads/{query}"))?.json()?)?;
        let heads = list.results.into_iter().map(|entry| Head {
            thread: Thread { id: entry.id, is_private: true },
            stamp: format!("{:?} {}", entry.last_post, entry.replies),
            last: entry.last_post_on,
        });
        Ok((heads.collect(), list.next))
    }

    fn begun(&self, is_private: bool) -> Result<Vec<(Thread, String)>, Failure> {
        let kind = if is_private { "private-threads" } else { "threads" };
        let list: Threads = understood(self.get(&format!("/api/{kind}/?list=my"))?.json()?)?;
        Ok(list.results.into_iter().map(|entry| (Thread { id: entry.id, is_private }, entry.title)).collect())
    }

    fn name_of(&self, user: &str) -> Result<String, Failure> {
        let user: u64 = user.parse().map_err(|_| Failure::Gone)?;
        let user = self.get(&format!("/api/users/{user}/"))?.json()?;
        author(&user).map(|author| author.name).ok_or(Failure::Gone)
    }

    fn upload(&self, picture: &[u8]) -> Result<Upload, Failure> {
        let form = multipart(&[], "upload", picture);
        let answer = self.call(&Method::POST, "/api/attachments/", &form)?.json()?;
        let address = answer["url"]["index"].as_str().map(str::to_owned);
        let address =
            address.ok_or_else(|| Failure::passing("the forum took a picture and does not say where it is"))?;
        Ok(Upload { address, number: answer["id"].as_u64() })
    }

    fn begin(&self, category: &str, title: &str, body: &Body) -> Result<PostId, Failure> {
        let category: u64 = category.parse().map_err(|_| Failure::Refused("the category is no number".to_owned()))?;
        let request =
            json!({"category": category, "title": short(title), "post": body.text, "attachments": body.uploads});
        let thread = self.publish(&Method::POST, "/api/threads/", request)?;
        self.first_post(Thread { id: number(&thread)?, is_private: false })
    }

    fn begin_private(&self, name: &str, title: &str, body: &Body) -> Result<PostId, Failure> {
        let request = json!({"to": [name], "title": short(title), "post": body.text, "attachments": body.uploads});
        let thread = self.publish(&Method::POST, "/api/private-threads/", request)?;
        self.first_post(Thread { id: number(&thread)?, is_private: true })
    }

    fn reply(&self, thread: Thread, body: &Body) -> Result<PostId, Failure> {
        let request = json!({"post": body.text, "attachments": body.uploads});
        let entry: Entry = understood(self.publish(&Method::POST, &format!("{}posts/", path(thread)), request)?)?;
        entry.is_trusted()?;
        Ok(PostId { thread: thread.id, number: entry.id, part: 0 })
    }

    fn source(&self, post: PostId) -> Result<String, Failure> {
        let thread = self.thread(post.thread)?;
        let editor = self.get(&format!("{}posts/{}/post_editor/", path(thread), post.number))?.json()?;
        Ok(editor["post"].as_str().unwrap_or_default().to_owned())
    }

    fn replace(&self, post: PostId, body: &Body) -> Result<(), Failure> {
        let path = format!("{}posts/{}/", path(self.thread(post.thread)?), post.number);
        let editor = self.get(&format!("{path}post_editor/"))?.json()?;
        // A picture that the post no longer shows may go, if we may take it away.
        let kept = editor["attachments"].as_array().into_iter().flatten().filter(|attachment| {
            let address = attachment["url"]["index"].as_str().unwrap_or_default();
            attachment["acl"]["can_delete"] != json!(true) || body.text.contains(address)
        });
        let uploads: Vec<u64> =
            kept.filter_map(|kept| kept["id"].as_u64()).chain(body.uploads.iter().copied()).collect();
        let request = json!({"post": body.text, "attachments": uploads});
        self.publish(&Method::PUT, &path, request).map(drop)
    }

    fn remove(&self, post: PostId) -> Result<(), Failure> {
        let thread = self.thread(post.thread)?;
        let is_first = self.first_post(thread).is_ok_and(|first| first.number == post.number);
        let removed = if is_first {
            self.call(&Method::DELETE, &path(thread), &Payload::None)
        } else {
            self.call(&Method::DELETE, &format!("{}posts/{}/", path(thread), post.number), &Payload::None)
        };
        match removed {
            // We take our leave of a private thread that we may not delete.
            Err(Failure::Denied(_)) if is_first && thread.is_private => {
                let us = self.identity()?;
                let leave = json!([{"op": "remove", "path": "participants", "value": us.id.parse::<u64>().ok()}]);
                self.call(&Method::PATCH, &path(thread), &Payload::Json(leave)).map(drop)
            }
            removed => removed.map(drop),
        }
    }

    fn may_begin(&self, category: &str) -> Result<String, Failure> {
        let category: u64 = category.parse().map_err(|_| Failure::Gone)?;
        let categories = self.get("/api/threads/editor/")?.json()?;
        let mut categories = categories.as_array().into_iter().flatten();
        let found = categories.find(|entry| entry["id"].as_u64() == Some(category)).ok_or(Failure::Gone)?;
        if found["post"] == json!(false) {
            return Err(Failure::Denied("threads cannot be begun in this category".to_owned()));
        }
        Ok(found["name"].as_str().unwrap_or_default().to_owned())
    }

    fn discreet(&self, line: &str) -> String {
        format!("*{line}*")
    }

    fn wants_joined(&self) -> bool {
        false
    }

    fn longest(&self) -> usize {
        LONGEST
    }

    fn pause(&self) -> Duration {
        Duration::from_secs(5)
    }
}

/// What a request carries.
pub(super) enum Payload {
    None,
    Json(Value),
    /// Its boundary, and its bytes.
    Form(String, Vec<u8>),
}

/// A form with these fields and one picture.
pub(super) fn multipart(fields: &[(&str, &str)], name: &str, picture: &[u8]) -> Payload {
    let bytes = [0_u8; 16].map(|_| getrandom::u32().unwrap_or_default() as u8);
    let boundary: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut form = Vec::new();
    for (field, value) in fields {
        let part = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n");
        form.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"map.png\"\r\n\
         Content-Type: image/png\r\n\r\n"
    );
    form.extend_from_slice(head.as_bytes());
    form.extend_from_slice(picture);
    form.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Payload::Form(boundary, form)
}

/// A page of a thread.
struct Page {
    number: u64,
    pages: u64,
    look: Look,
}

impl Look {
    fn add(&mut self, other: Look) {
        // The last post of a page stands on the next one too.
        self.posts.extend(other.posts.into_iter().filter(|post| {
            let number = post.id.parse::<PostId>().map(|id| id.number);
            number.is_ok_and(|number| !self.present.contains(&number))
        }));
        self.notes.extend(other.notes);
        self.present.extend(other.present);
        self.covered.extend(other.covered);
        self.now = other.now;
    }
}

#[derive(Deserialize)]
struct Listed {
    post_set: PostSet,
}

#[derive(Deserialize)]
struct PostSet {
    results: Vec<Entry>,
    page: u64,
    pages: u64,
}

#[derive(Deserialize)]
struct Entry {
    id: u64,
    poster: Option<Poster>,
    poster_name: String,
    content: Option<String>,
    posted_on: DateTime<Utc>,
    updated_on: Option<DateTime<Utc>>,
    hidden_on: Option<DateTime<Utc>>,
    #[serde(default)]
    is_event: bool,
    #[serde(default)]
    is_hidden: bool,
    /// The user who has hidden it.
    #[serde(default)]
    hidden_by: Option<u64>,
    #[serde(default)]
    is_unapproved: bool,
}

#[derive(Deserialize)]
struct Poster {
    id: u64,
    username: String,
}

impl Entry {
    fn post(self, thread: Thread) -> Post {
        // Somebody who hides their post means to delete it. A post without content is broken, and says nothing either.
        let is_deleted = self.is_hidden || self.content.is_none();
        let changed = self.updated_on.into_iter().chain(self.hidden_on.filter(|_| is_deleted)).max();
        Post {
            id: PostId { thread: thread.id, number: self.id, part: 0 }.to_string(),
            thread: thread.id.to_string(),
            is_private: thread.is_private,
            author: Author {
                id: self.poster.as_ref().map(|poster| poster.id.to_string()).unwrap_or_default(),
                name: self.poster.map_or(self.poster_name, |poster| poster.username),
            },
            posted: self.posted_on,
            changed: changed.unwrap_or(self.posted_on).max(self.posted_on),
            answers: None,
            html: self.content.filter(|_| !is_deleted).unwrap_or_default(),
            source: None,
            is_deleted,
        }
    }

    /// Whether the forum's staff has hidden it: nobody else takes an order back.
    fn is_covered(&self) -> bool {
        let poster = self.poster.as_ref().map(|poster| poster.id);
        self.is_hidden && self.hidden_by.is_some() && self.hidden_by != poster
    }

    /// Nobody sees a post that waits for approval.
    fn is_trusted(&self) -> Result<(), Failure> {
        if self.is_unapproved { Err(Failure::Refused(super::UNTRUSTED.to_owned())) } else { Ok(()) }
    }
}

#[derive(Deserialize)]
struct Threads {
    results: Vec<ThreadEntry>,
    next: Option<u64>,
}

#[derive(Deserialize)]
struct ThreadEntry {
    id: u64,
    title: String,
    replies: u64,
    last_post: Option<u64>,
    last_post_on: DateTime<Utc>,
}

fn is_known_post(post: &Post, is_known: &dyn Fn(u64) -> bool) -> bool {
    post.id.parse::<PostId>().is_ok_and(|id| is_known(id.number))
}

fn path(thread: Thread) -> String {
    format!("/api/{}/{}/", if thread.is_private { "private-threads" } else { "threads" }, thread.id)
}

fn author(user: &Value) -> Option<Author> {
    Some(Author { id: user["id"].as_u64()?.to_string(), name: user["username"].as_str()?.to_owned() })
}

fn number(thread: &Value) -> Result<u64, Failure> {
    thread["id"].as_u64().ok_or_else(|| Failure::passing("the forum answers what is no forum's answer"))
}

fn short(title: &str) -> String {
    title.chars().take(LONGEST_TITLE).collect()
}

/// An answer in the shape that it must have.
pub(super) fn understood<T: for<'a> Deserialize<'a>>(answer: Value) -> Result<T, Failure> {
    serde_json::from_value(answer)
        .map_err(|_| Failure::passing("the forum's answer has another shape than it used to; was it updated?"))
}
