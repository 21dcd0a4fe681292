//! A feed: a carrier that only reads, for boards without an interface. RSS or Atom of a thread comes in, answers go by mail.
//!
//! The address of a thread's feed is the id of the thread. A feed shows the last entries only, so one that drops out of it
//! is not deleted; an edit is known by its text.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use feed_rs::model::Entry;
use feed_rs::parser;
use reqwest::blocking::Client;
use reqwest::header::{ACCEPT, IF_MODIFIED_SINCE, IF_NONE_MATCH};

use super::post::{Author, Post};
use super::settings::FeedSettings;
use super::site::{self, Failure};
use crate::post::carrier::{Carrier, Dispatch, Mark, Memory, Receipt, Received, Trouble};

/// A feed is looked at no more often than this.
const PAUSE: Duration = Duration::from_secs(30);

/// The feeds of some threads.
pub struct Feed {
    name: String,
    client: Client,
    state: Mutex<FeedState>,
}

#[derive(Default)]
struct FeedState {
    /// The addresses of the feeds.
    threads: Vec<String>,
    /// What each entry said that was kept.
    kept: HashMap<String, String>,
    /// What each feed showed when it had last changed.
    pages: BTreeMap<String, Page>,
    looked: Option<Instant>,
}

/// What a feed showed, and what it is to be asked by whether that has changed.
#[derive(Clone, Default)]
struct Page {
    tag: Option<String>,
    modified: Option<String>,
    posts: Vec<Shown>,
}

/// An entry of a feed.
#[derive(Clone)]
struct Shown {
    post: Post,
    /// What it said with what the board adds: so it was kept before that was taken away.
    whole: String,
}

impl Feed {
    /// The feeds that the house will name. Connects to nobody yet.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: the settings cannot work.
    pub fn open(name: &str, settings: FeedSettings) -> Result<Feed, Trouble> {
        let client = site::client(settings.root_certificate.as_deref())?;
        Ok(Feed { name: name.to_owned(), client, state: Mutex::default() })
    }

    /// Tries for real to read the feeds that the house has named.
    pub fn check(&self) -> Vec<(String, Result<String, String>)> {
        let threads = self.state().threads.clone();
        let mut found: Vec<_> = threads
            .iter()
            .map(|thread| {
                let read = self.read(thread, &Page::default()).map_err(|failure| Trouble::from(failure).to_string());
                (thread.clone(), read.map(|page| format!("{} entries", page.map_or(0, |page| page.posts.len()))))
            })
            .collect();
        if found.is_empty() {
            found.push(("feeds".to_owned(), Ok("no game has one yet".to_owned())));
        }
        found
    }

    fn state(&self) -> MutexGuard<'_, FeedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is new or edited now. A feed that cannot be read does not keep the others back.
    fn look(&self) -> Result<Vec<Post>, Trouble> {
        let (threads, pages) = {
            let state = self.state();
            (state.threads.clone(), state.pages.clone())
        };
        let mut trouble = None;
        for thread in &threads {
            let known = pages.get(thread).cloned().unwrap_or_default();
            match self.read(thread, &known) {
                Ok(Some(page)) => drop(self.state().pages.insert(thread.clone(), page)),
                Ok(None) => {}
                Err(failure) => trouble = Some(Trouble::from(failure)),
            }
        }
        let state = self.state();
        let shown = threads.iter().filter_map(|thread| state.pages.get(thread)).flat_map(|page| &page.posts);
        let is_new = |Shown { post, whole }: &&Shown| {
            state.kept.get(&post.id).is_none_or(|content| *content != post.content() && content != whole)
        };
        let mut news: Vec<Post> = shown.filter(is_new).map(|shown| shown.post.clone()).collect();
        news.sort_by(|a, b| (a.changed, a.posted, &a.id).cmp(&(b.changed, b.posted, &b.id)));
        match trouble {
            // Whatever is wrong may be mended at the board.
            Some(trouble) if news.is_empty() => Err(Trouble::Passing(trouble.to_string())),
            Some(_) | None => Ok(news),
        }
    }

    /// A feed, unless it is as it was.
    fn read(&self, thread: &str, known: &Page) -> Result<Option<Page>, Failure> {
        site::verified(thread).map_err(|trouble| Failure::Passing(trouble.to_string()))?;
        let mut request =
            self.client.get(thread).header(ACCEPT, "application/atom+xml, application/rss+xml, */*;q=0.5");
        if let Some(tag) = &known.tag {
            request = request.header(IF_NONE_MATCH, tag);
        }
        if let Some(modified) = &known.modified {
            request = request.header(IF_MODIFIED_SINCE, modified);
        }
        let answer = site::ask(request)?;
        if answer.status == 304 {
            return Ok(None);
        }
        let now = answer.now();
        let feed = parser::Builder::new().build().parse(answer.body.as_slice());
        let feed = feed.map_err(|_| Failure::passing("what stands at the address of a feed is no feed"))?;
        let posts = feed.entries.into_iter().map(|entry| shown(thread, entry, now));
        Ok(Some(Page { tag: answer.header("etag"), modified: answer.header("last-modified"), posts: posts.collect() }))
    }
}

impl Carrier for Feed {
    fn name(&self) -> &str {
        &self.name
    }

    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble> {
        let until = Instant::now() + patience;
        loop {
            let looked = self.state().looked;
            if let Some(looked) = looked {
                thread::sleep((looked + PAUSE).min(until).saturating_duration_since(Instant::now()));
            }
            let posts = self.look();
            self.state().looked = Some(Instant::now());
            let posts = posts?;
            if !posts.is_empty() || Instant::now() >= until {
                let received = |post: Post| Received { mark: post.mark(), arrived: post.changed, raw: post.raw() };
                return Ok(posts.into_iter().map(received).collect());
            }
        }
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        let mut state = self.state();
        let read = marks.iter().filter_map(|mark| mark.0.rsplit_once('.'));
        state.kept.extend(read.map(|(id, content)| (id.to_owned(), content.to_owned())));
        Ok(())
    }

    fn send(&self, _dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        Err(Trouble::Lasting("a feed takes no letters".to_owned()))
    }

    fn recall(&self, memory: &Memory) {
        // What is no address of the web is not ours to read.
        let is_feed = |thread: &&String| thread.starts_with("https://") || thread.starts_with("http://");
        self.state().threads = memory.threads.iter().filter(is_feed).cloned().collect();
        // It takes no letters in, so it cannot fail.
        let _ = self.keep(&memory.kept);
    }
}

/// An entry of a feed as a post. Feeds tell nobody's id.
fn shown(thread: &str, entry: Entry, now: DateTime<Utc>) -> Shown {
    let post = post(thread, entry, now);
    let whole = post.content();
    let html = own_words(&post.html, &post.author.name).to_owned();
    Shown { post: Post { html, ..post }, whole }
}

/// What somebody wrote, without what phpBB puts below it in a feed unless `feed_item_statistics` is off: a paragraph
/// with who posted when, and a rule (styles/all/template/feed.xml.twig and phpbb/feed/post_base.php of 3.3). The paragraph says
/// "today" and "yesterday", so a post would be another every day.
fn own_words<'h>(html: &'h str, author: &str) -> &'h str {
    let without_rule = html.trim_end();
    let rules = ["<hr />", "<hr/>", "<hr>"];
    let Some(above) = rules.into_iter().find_map(|rule| without_rule.strip_suffix(rule)) else { return html };
    let above = above.trim_end();
    let paragraph = above.strip_suffix("</p>").and_then(|inner| inner.rfind("<p>"));
    let names = |text: &str| text.contains("mode=viewprofile") || !author.is_empty() && text.contains(author);
    let tells_who = |paragraph: &str| paragraph.contains('—') && names(paragraph);
    match paragraph.and_then(|at| above.split_at_checked(at)) {
        Some((own, statistics)) if tells_who(statistics) => own.trim_end(),
        Some(_) | None => above,
    }
}

fn post(thread: &str, entry: Entry, now: DateTime<Utc>) -> Post {
    let posted = entry.published.or(entry.updated).unwrap_or(now);
    let content = entry.content.and_then(|content| content.body).or(entry.summary.map(|summary| summary.content));
    let author = entry.authors.into_iter().find_map(|author| author.name).unwrap_or_default();
    Post {
        // An entry's id is unique in its feed only.
        id: format!("{thread}#{}", entry.id),
        thread: thread.to_owned(),
        is_private: false,
        author: Author { id: String::new(), name: author.trim().to_owned() },
        posted,
        changed: entry.updated.unwrap_or(posted).max(posted),
        answers: None,
        html: content.unwrap_or_default(),
        source: None,
        is_deleted: false,
    }
}
