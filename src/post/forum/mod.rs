//! Forums: carriers that read threads and private messages, and post into them.
//!
//! Comes in: posts, as the forum has them. Goes out: [`Received`] letters whose bytes are a [`Post`] as JSON, the same for
//! the same text; and posts, edits and private messages of ours. A carrier knows which threads to look at
//! ([`Memory`]), and nothing of the games that are played in them.
//!
//! What a forum's software does differently stands behind a `Board`: `discourse` and `misago` speak with the `Site`. What is
//! known of posts is in `watch`, and how a post of ours is found again in `reference`.

mod board;
mod check;
mod discourse;
mod feed;
mod misago;
mod place;
mod post;
mod reference;
mod sending;
mod settings;
mod site;
mod splitting;
mod struck;
mod typed;
mod watch;
mod words;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use chrono::Utc;

use self::board::{Board, Thread};
use self::sending::Sent;
use self::site::Failure;
use self::watch::Watch;
use super::carrier::{Carrier, Cause, Dispatch, Mark, Memory, Receipt, Received, Trouble, Warning};
use super::refusals::Refusals;
use super::secret::Secret;
pub use feed::Feed;
pub use place::ForumPlace;
pub use post::{Author, Post};
pub use settings::{FeedSettings, ForumSettings, Software};
pub(crate) use site::{client, verified};
pub(crate) use words::PostWords;

/// What is said of a post that nobody will see until somebody has read it.
const UNTRUSTED: &str = "our posts wait for approval; our user must be trusted there";
/// The most posts that are brought at once.
const MOST_LETTERS: usize = 500;
/// The most pages of the list of private threads that are read at one look.
const MOST_LISTS: usize = 20;
/// After the first failure we rest so long, then twice as long each time.
const FIRST_REST: Duration = Duration::from_secs(1);
/// We never rest longer.
const LONGEST_REST: Duration = Duration::from_secs(120);

/// A carrier that reads and writes the threads of a forum.
pub struct Forum {
    name: String,
    settings: ForumSettings,
    /// With the key or the password of the moment, which somebody may replace while we serve.
    board: RwLock<(Secret, Arc<dyn Board>)>,
    refusals: Refusals,
    watch: Mutex<Watch>,
    pace: Mutex<Pace>,
    /// One dispatch at a time, and what is known of those that were sent.
    sent: Mutex<Sent>,
}

/// How often we look.
#[derive(Default)]
struct Pace {
    /// When we last looked.
    looked: Option<Instant>,
    /// How often in sequence a look failed, until when we rest, and why.
    failures: u32,
    rest: Option<(Instant, Trouble)>,
}

impl Forum {
    /// A forum with these settings. Connects to nobody yet.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: the settings cannot work.
    pub fn open(name: &str, settings: ForumSettings) -> Result<Forum, Trouble> {
        if settings.user.trim().is_empty() || settings.user.contains(char::is_control) {
            return Err(Trouble::Lasting("user is no name in a forum".to_owned()));
        }
        let secret = secret(&settings)?;
        let board = RwLock::new((secret.clone(), board(&settings, secret)?));
        Ok(Forum {
            name: name.to_owned(),
            settings,
            board,
            refusals: Refusals::default(),
            watch: Mutex::default(),
            pace: Mutex::default(),
            sent: Mutex::default(),
        })
    }

    fn board(&self) -> Arc<dyn Board> {
        Arc::clone(&self.board.read().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// Who we are there, if our key or password may be shown now. One that was refused is read again: somebody may have
    /// written another.
    fn identity(&self) -> Result<Author, Failure> {
        let mut key = self.board.read().unwrap_or_else(PoisonError::into_inner).0.clone();
        if self.refusals.says().is_some()
            && let Ok(now) = secret(&self.settings)
            && now != key
            && let Ok(anew) = board(&self.settings, now.clone())
        {
            *self.board.write().unwrap_or_else(PoisonError::into_inner) = (now.clone(), anew);
            key = now;
        }
        self.refusals
            .allow(&key, Instant::now())
            .map_err(|_| Failure::Barred("we wait before we ask again".to_owned()))?;
        let us = self.board().identity();
        match &us {
            Ok(_) => self.refusals.clear(),
            Err(failure @ Failure::Barred(_)) => {
                self.refusals.refuse(&key, &Trouble::from(failure.clone()).to_string(), Instant::now());
            }
            Err(_) => {}
        }
        us
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is new, edited or gone now.
    fn look(&self) -> Result<Vec<Post>, Failure> {
        let us = self.identity()?;
        let mut posts = Vec::new();
        let threads = self.watch().threads();
        for thread in threads {
            match self.look_at(thread, &us) {
                Ok(found) => posts.extend(found),
                // It must not keep the others back; and a thread that is hidden for a while is not deleted.
                Err(Failure::Gone | Failure::Denied(_)) => {
                    if self.watch().is_first_failure(thread) {
                        tracing::warn!(carrier = self.name, thread = thread.id, "this thread cannot be read any more");
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        if self.settings.private_messages {
            match self.look_at_private(&us) {
                Ok(found) => posts.extend(found),
                // What stands in the open can be read all the same, and comes first.
                Err(Failure::Gone | Failure::Denied(_)) if !posts.is_empty() => {}
                Err(Failure::Gone) => return Err(Failure::passing("the forum has no private messages for our user")),
                Err(failure) => return Err(failure),
            }
        }
        posts.sort_by(|a, b| (a.changed, a.posted, a.id.len(), &a.id).cmp(&(b.changed, b.posted, b.id.len(), &b.id)));
        posts.truncate(MOST_LETTERS);
        Ok(posts)
    }

    fn look_at(&self, thread: Thread, us: &Author) -> Result<Vec<Post>, Failure> {
        let (known, round) = {
            let mut watch = self.watch();
            (watch.known(), watch.round(thread))
        };
        let look = self.board().look(thread, &|number| known.contains(&number), Some(round))?;
        Ok(self.watch().sift(thread, us, look))
    }

    /// The private threads that have something new, and a few others.
    fn look_at_private(&self, us: &Author) -> Result<Vec<Post>, Failure> {
        let (mut heads, mut start) = (Vec::new(), None);
        for _ in 0..MOST_LISTS {
            let (page, next) = self.board().private_threads(start)?;
            let before = heads.len();
            heads.extend(page);
            // Below a page on which nothing is new there is nothing new.
            let is_new = self.watch().is_new(&heads[before..]);
            match next {
                Some(next) if is_new => start = Some(next),
                Some(_) | None => break,
            }
        }
        let chosen = self.watch().choose(&heads, Utc::now());
        let mut posts = Vec::new();
        for thread in chosen {
            match self.look_at(thread, us) {
                Ok(found) => {
                    posts.extend(found);
                    let mut watch = self.watch();
                    match heads.iter().find(|head| head.thread == thread) {
                        Some(head) => watch.looked(head),
                        None => watch.looked_again(thread),
                    }
                }
                // Somebody took us out of it.
                Err(Failure::Gone | Failure::Denied(_)) => self.watch().forget(thread),
                Err(failure) => return Err(failure),
            }
        }
        Ok(posts)
    }

    /// Rests after failures, and between two looks, as far as patience goes; says whether it is time to look. Whoever has no
    /// patience at all asks for a look now.
    fn rest(&self, until: Instant, patience: Duration) -> Result<bool, Trouble> {
        let (rest, looked) = {
            let pace = self.pace();
            (pace.rest.clone(), pace.looked)
        };
        if let Some((rest, trouble)) = rest {
            thread::sleep(rest.min(until).saturating_duration_since(Instant::now()));
            if Instant::now() < rest {
                return Err(trouble);
            }
        } else if let Some(next) = looked.map(|looked| looked + self.board().pause()).filter(|_| !patience.is_zero()) {
            // Also after a look that found something: the limits of a forum are those of everybody who asks it.
            thread::sleep(next.min(until).saturating_duration_since(Instant::now()));
            return Ok(Instant::now() >= next);
        }
        Ok(true)
    }
}

impl Pace {
    /// A look failed; the forum wants us to wait for so long. A look that failed was one all the same, so the next is not nearer
    /// than any other would be.
    fn fail(&mut self, wait: Duration, pause: Duration, trouble: &Trouble) {
        let rest = (FIRST_REST * 2_u32.pow(self.failures.min(10))).min(LONGEST_REST).max(wait).max(pause);
        self.failures = self.failures.saturating_add(1);
        self.rest = Some((Instant::now() + rest, trouble.clone()));
    }
}

impl Carrier for Forum {
    fn name(&self) -> &str {
        &self.name
    }

    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble> {
        let until = Instant::now() + patience;
        loop {
            if !self.rest(until, patience)? {
                return Ok(Vec::new());
            }
            match self.look() {
                Ok(posts) => {
                    let is_over = !posts.is_empty() || Instant::now() >= until;
                    *self.pace() = Pace { looked: Some(Instant::now()), failures: 0, rest: None };
                    if is_over {
                        return Ok(posts.iter().map(received).collect());
                    }
                }
                Err(failure) => {
                    let wait = match &failure {
                        Failure::Busy(wait) => *wait,
                        Failure::Passing(_)
                        | Failure::Unanswered(_)
                        | Failure::Denied(_)
                        | Failure::Barred(_)
                        | Failure::Gone
                        | Failure::Refused(_) => Duration::ZERO,
                    };
                    // Whatever a forum says while we read, it may say something else tomorrow.
                    let trouble = match Trouble::from(failure) {
                        Trouble::Lasting(says) | Trouble::Passing(says) => Trouble::Passing(says),
                        barred @ Trouble::Barred(_) => barred,
                    };
                    self.pace().fail(wait, self.board().pause(), &trouble);
                    return Err(trouble);
                }
            }
        }
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.watch().keep(marks);
        Ok(())
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.post(dispatch)
    }

    fn warnings(&self) -> Vec<Warning> {
        self.refusals.says().map(|says| Warning { cause: Cause::SecretIn, says }).into_iter().collect()
    }

    /// Posts of a thread stand in the sequence they were written.
    fn lanes(&self) -> usize {
        1
    }

    fn recall(&self, memory: &Memory) {
        self.watch().recall(memory);
    }
}

/// The key or the password, as the settings have it now.
fn secret(settings: &ForumSettings) -> Result<Secret, Trouble> {
    Secret::read("secret", settings.secret_file.as_deref(), settings.secret_env.as_deref())
}

fn board(settings: &ForumSettings, secret: Secret) -> Result<Arc<dyn Board>, Trouble> {
    Ok(match settings.software {
        Software::Discourse => Arc::new(discourse::Discourse::open(settings, secret)?),
        Software::Misago => Arc::new(misago::Misago::open(settings, secret)?),
    })
}

fn received(post: &Post) -> Received {
    Received { mark: post.mark(), arrived: post.changed, raw: post.raw() }
}
