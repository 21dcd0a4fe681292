//! The mailbox: a carrier with a real one. IMAP brings letters in, SMTP takes them out.
//!
//! Comes in: letters in the inbox of a mail server. Goes out: dispatches, and every letter that is kept leaves the inbox for
//! a folder of its own. The two ways have nothing in common, so neither waits for the other.
//!
//! Nothing hangs: `collect` ends at the latest 45 seconds after its patience, whatever the server does. A session that
//! ends is opened anew at once; when that fails too, the next attempts rest longer and longer.

mod bearer;
mod consent;
mod inbox;
mod outbox;
mod password;
mod settings;
mod tokens;
mod trip;
mod wire;
mod words;

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rustls::ClientConfig;

pub(crate) use self::inbox::Lies;
use self::inbox::{Failure, Failures, Inbox, Key, Waited};
use self::outbox::Outbox;
use self::password::Password;
pub use self::settings::{MailboxSettings, Mechanism, OAuthSettings, Server, Tls};
pub(crate) use self::tokens::Tokens;
use self::tokens::Way;
pub(crate) use self::trip::{Strayed, Trip};
use super::carrier::{Carrier, Cause, Dispatch, Mark, Receipt, Received, Trouble, Warning};
pub(crate) use super::secret::Secret;
use super::trust::trust;

/// So long after its patience `collect` may still be at work.
const GRACE: Duration = Duration::from_secs(45);
/// After the first failure we rest so long, then twice as long each time.
const FIRST_REST: Duration = Duration::from_secs(1);
/// We never rest longer.
const LONGEST_REST: Duration = Duration::from_secs(120);
/// A server whose IDLE does not work is asked from time to time instead, for so long.
const WITHOUT_IDLE: Duration = Duration::from_secs(600);
/// So many letters that were kept are brought once more at a time.
const PORTION: usize = 20;
/// Somebody who waits for the session looks so often whether the writer may have it.
const GLANCE: Duration = Duration::from_millis(5);

/// A carrier that fetches by IMAP and sends by SMTP.
pub struct Mailbox {
    name: String,
    settings: MailboxSettings,
    credential: Credential,
    trust: Arc<ClientConfig>,
    incoming: Mutex<Incoming>,
    /// How many want the session to keep letters, while somebody waits for new ones.
    keepers: AtomicUsize,
    called_away: Arc<AtomicBool>,
    outbox: Outbox,
}

/// How we show that the mailbox is ours.
enum Credential {
    Password(Box<Password>),
    /// With the token of the moment.
    Tokens(Arc<Tokens>),
}

#[derive(Default)]
struct Incoming {
    inbox: Option<Inbox>,
    /// Which letters could not be fetched, and how often.
    failures: Failures,
    /// How often in sequence we could not connect, until when we rest, and why.
    attempts: u32,
    rest: Option<(Instant, Trouble)>,
    /// IDLE did not work; it is tried again then.
    without_idle: Option<Instant>,
}

/// How a look at the mailbox ended.
enum Look {
    Letters(Vec<Received>),
    CalledAway,
}

impl Mailbox {
    /// A mailbox with these settings. Connects to nobody yet.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: the settings cannot work.
    pub fn open(name: &str, settings: MailboxSettings) -> Result<Self, Trouble> {
        settings.verified()?;
        let root = settings.root_certificate.as_deref();
        let (credential, outbox) = match &settings.oauth {
            Some(oauth) => {
                let tokens = Arc::new(Tokens::open(oauth, root)?);
                (Credential::Tokens(Arc::clone(&tokens)), Outbox::with_tokens(&settings, tokens)?)
            }
            None => {
                let outbox = Outbox::with_password(&settings, Password::open(&settings)?)?;
                (Credential::Password(Box::new(Password::open(&settings)?)), outbox)
            }
        };
        Ok(Self {
            name: name.to_owned(),
            trust: trust(root)?,
            incoming: Mutex::default(),
            keepers: AtomicUsize::new(0),
            called_away: Arc::default(),
            credential,
            outbox,
            settings,
        })
    }

    /// Tries for real what the mailbox needs: login, folders, letters that wait, and the way out.
    pub fn check(&self) -> Vec<(String, Result<String, String>)> {
        let seen = guarded(|| {
            let mut inbox = self.enter(Instant::now() + GRACE, Arc::default())?;
            let waiting = inbox.waiting()?.len();
            Ok((inbox.describe(), waiting))
        });
        let server = |server: &Server, port: u16| format!("{}, port {port}", server.host);
        let imap = server(&self.settings.imap, self.settings.imap.port_or(993, 143));
        let smtp = server(&self.settings.smtp, self.settings.smtp.port_or(465, 587));
        let way_in = match seen {
            Ok((abilities, waiting)) => vec![
                ("letters in (IMAP)".to_owned(), Ok(format!("{imap}: the login works; the server {abilities}"))),
                ("the inbox".to_owned(), Ok(format!("{waiting} letters wait in {}", self.settings.inbox))),
            ],
            Err(failure) => vec![("letters in (IMAP)".to_owned(), Err(format!("{imap}: {}", failure.says())))],
        };
        let way_out = match self.outbox.greet() {
            Ok(()) => Ok(format!("{smtp}: the login works")),
            Err(trouble) => Err(format!("{smtp}: {trouble}")),
        };
        way_in.into_iter().chain([("letters out (SMTP)".to_owned(), way_out)]).collect()
    }

    /// Opens a session. A token that is refused is renewed, once.
    fn enter(&self, end: Instant, called_away: Arc<AtomicBool>) -> Result<Inbox, Failure> {
        let open = |secret: &Secret| {
            let key = Key { settings: &self.settings, secret, trust: &self.trust };
            Inbox::open(key, end, Arc::clone(&called_away))
        };
        let tokens = match &self.credential {
            Credential::Password(password) => {
                let secret = password.shown().map_err(failure_of)?;
                let opened = open(&secret);
                match &opened {
                    Ok(_) => password.taken(),
                    Err(Failure::Barred(says)) => password.refused(&secret, says),
                    Err(Failure::Refused(_) | Failure::Broken(_)) => {}
                }
                return opened;
            }
            Credential::Tokens(tokens) => tokens,
        };
        let token = tokens.shown(Way::In).map_err(failure_of)?;
        let says = match open(&token) {
            Err(Failure::Barred(says)) => says,
            opened => {
                opened.iter().for_each(|_| tokens.taken(Way::In));
                return opened;
            }
        };
        let token = tokens.instead_of(Way::In, &token, &says).map_err(failure_of)?;
        let anew = open(&token);
        match &anew {
            Ok(_) => tokens.taken(Way::In),
            Err(Failure::Barred(says)) => tokens.refused_anew(Way::In, &token, says),
            Err(Failure::Refused(_) | Failure::Broken(_)) => {}
        }
        anew
    }

    fn incoming(&self) -> MutexGuard<'_, Incoming> {
        self.incoming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, for somebody who waits for letters: whoever keeps some goes first.
    fn incoming_after_keepers(&self) -> MutexGuard<'_, Incoming> {
        while self.keepers.load(Ordering::SeqCst) > 0 {
            thread::sleep(GLANCE);
        }
        self.incoming()
    }

    /// The session, for somebody who keeps letters: whoever waits in it is called away.
    fn incoming_at_once(&self) -> MutexGuard<'_, Incoming> {
        self.keepers.fetch_add(1, Ordering::SeqCst);
        self.called_away.store(true, Ordering::SeqCst);
        let incoming = self.incoming();
        if self.keepers.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.called_away.store(false, Ordering::SeqCst);
        }
        incoming
    }

    /// Rests after failures, as far as patience goes.
    fn rest(&self, until: Instant) -> Result<(), Trouble> {
        let rest = self.incoming().rest.clone();
        if let Some((rest, trouble)) = rest {
            thread::sleep(rest.min(until).saturating_duration_since(Instant::now()));
            if Instant::now() < rest {
                return Err(trouble);
            }
        }
        Ok(())
    }

    /// Looks for letters in the session, which is opened if need be, and waits for some.
    fn look(&self, incoming: &mut Incoming, until: Instant) -> Result<Look, Failure> {
        let end = until + GRACE;
        let mut inbox = self.session(incoming, end)?;
        loop {
            let uids = inbox.waiting()?;
            let letters = inbox.fetch(uids, &mut incoming.failures)?;
            if !letters.is_empty() || Instant::now() >= until {
                incoming.inbox = Some(inbox);
                return Ok(Look::Letters(letters));
            }
            if self.called_away.load(Ordering::SeqCst) {
                incoming.inbox = Some(inbox);
                return Ok(Look::CalledAway);
            }
            // Until the server agrees to tell what happens, it is at fault for whatever goes wrong.
            let without = incoming.without_idle.replace(Instant::now() + WITHOUT_IDLE);
            let may_idle = without.is_none_or(|without| Instant::now() >= without);
            let waited = inbox.wait(until, may_idle);
            match &waited {
                Ok(Waited::IdleFailed) => {
                    return Err(Failure::Broken("the IMAP server's IDLE does not work".to_owned()));
                }
                Ok(Waited::Enough) | Err(_) => incoming.without_idle = if may_idle { None } else { without },
            }
            waited?;
        }
    }

    /// Takes the session out, selected anew, or opens one. Whoever brings it to a good end puts it back.
    fn session(&self, incoming: &mut Incoming, end: Instant) -> Result<Inbox, Failure> {
        if let Some(mut inbox) = incoming.inbox.take() {
            inbox.end_at(end);
            inbox.select()?;
            return Ok(inbox);
        }
        self.enter(end, Arc::clone(&self.called_away))
    }

    /// Does something in the session. One that has ended is opened anew, once.
    fn with_session<T>(
        &self,
        incoming: &mut Incoming,
        mut does: impl FnMut(&mut Incoming) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let was_open = incoming.inbox.is_some();
        match guarded(|| does(incoming)) {
            Err(failure) if was_open => {
                tracing::debug!("the mail session is opened anew: {}", failure.says());
                incoming.inbox = None;
                guarded(|| does(incoming))
            }
            done => done,
        }
    }
}

impl Carrier for Mailbox {
    fn name(&self) -> &str {
        &self.name
    }

    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble> {
        let until = Instant::now() + patience;
        if let Credential::Tokens(tokens) = &self.credential {
            // A session may last for days, and a token must not end meanwhile. What is wrong is told where it is used.
            let _ = tokens.current();
        }
        self.rest(until)?;
        loop {
            let mut incoming = self.incoming_after_keepers();
            match self.with_session(&mut incoming, |incoming| self.look(incoming, until)) {
                Ok(look) => {
                    incoming.attempts = 0;
                    incoming.rest = None;
                    match look {
                        Look::Letters(letters) => return Ok(letters),
                        Look::CalledAway => {}
                    }
                }
                Err(failure) => {
                    incoming.fail(&failure);
                    return Err(trouble_of(&failure));
                }
            }
        }
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        if marks.is_empty() {
            return Ok(());
        }
        let mut incoming = self.incoming_at_once();
        let end = Instant::now() + GRACE;
        let kept = self.with_session(&mut incoming, |incoming| {
            let mut inbox = self.session(incoming, end)?;
            let kept = inbox.keep(marks);
            if !matches!(kept, Err(Failure::Broken(_))) {
                incoming.inbox = Some(inbox);
            }
            kept
        });
        kept.map_err(|failure| trouble_of(&failure))
    }

    fn look_back(&self, since: DateTime<Utc>, bring: &mut dyn FnMut(Vec<Received>) -> bool) -> Result<(), Trouble> {
        // In a session of its own: the other folder is open in it.
        let looked = guarded(|| {
            let mut inbox = self.enter(Instant::now() + GRACE, Arc::default())?;
            // A server counts days by its own clock.
            let since = (since - chrono::Duration::days(1)).date_naive();
            for uids in inbox.kept(since)?.chunks(PORTION) {
                inbox.end_at(Instant::now() + GRACE);
                if !bring(inbox.letters(uids)?) {
                    break;
                }
            }
            Ok(())
        });
        looked.map_err(|failure| trouble_of(&failure))
    }

    fn warnings(&self) -> Vec<Warning> {
        let way_in = match &self.credential {
            Credential::Password(password) => password.warning(),
            // Their warnings are of both ways.
            Credential::Tokens(tokens) => return tokens.warnings(),
        };
        let all = [(Cause::SecretIn, way_in), (Cause::SecretOut, self.outbox.warning())];
        all.into_iter().filter_map(|(cause, says)| Some(Warning { cause, says: says? })).collect()
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.outbox.send(dispatch).map(|()| Receipt::default())
    }
}

impl Incoming {
    /// A failure: the session is gone, and we rest, not all of us at the same time.
    fn fail(&mut self, failure: &Failure) {
        self.inbox = None;
        let longest = (FIRST_REST * 2_u32.pow(self.attempts.min(10))).min(LONGEST_REST);
        self.attempts = self.attempts.saturating_add(1);
        let share = f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX);
        let rest = longest.mul_f64(0.5 + share / 2.0);
        self.rest = Some((Instant::now() + rest, trouble_of(failure)));
    }
}

/// A failure as the desk hears of it.
fn trouble_of(failure: &Failure) -> Trouble {
    match failure {
        Failure::Refused(says) | Failure::Broken(says) => Trouble::Passing(says.clone()),
        Failure::Barred(says) => Trouble::Barred(says.clone()),
    }
}

/// There is no token to open a session with.
fn failure_of(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Barred(says) | Trouble::Lasting(says) => Failure::Barred(says),
        Trouble::Passing(says) => Failure::Broken(says),
    }
}

/// Whatever a server answers, a session ends in a failure at worst: the crate that reads it panics at some answers.
fn guarded<T>(does: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(does))
        .unwrap_or_else(|_| Err(Failure::Broken("the IMAP server's answer cannot be understood".to_owned())))
}
