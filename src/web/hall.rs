//! What all pages have at hand: the window to the desk, who has called how often, and what was told of seats.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, watch};

use super::limits::{Meter, Places};
use super::public::Gallery;
use super::window::{Ask, Browser, Busy, Look, Spot, Window};
use super::{Settings, Words};

/// So many looks are kept; they are asked for anew when there are more.
const MOST_LOOKS: usize = 4_096;
/// A look is asked for anew after so long, whatever has changed.
const LONGEST_LOOK: Duration = Duration::from_secs(300);

/// What all pages have at hand.
pub(crate) struct Hall {
    pub settings: Settings,
    pub window: Window,
    pub words: Words,
    /// Whether browsers come by HTTPS.
    pub secure: bool,
    pub requests: Meter<IpAddr>,
    pub codes: Meter<IpAddr>,
    pub previews: Meter<Browser>,
    pub streams: Places<Browser>,
    /// So many previews are worked out at a time: the desk keeps a core for itself.
    pub thinking: Semaphore,
    /// Whether we are to end.
    pub ends: watch::Receiver<bool>,
    /// What was made of games that everybody may watch.
    pub gallery: Gallery,
    looks: Mutex<HashMap<(Browser, Spot), Kept>>,
}

/// What was told of a seat, and how long that is good.
struct Kept {
    look: Look,
    version: u64,
    until: Instant,
}

impl Hall {
    pub(crate) fn new(settings: Settings, window: Window, words: Words, ends: watch::Receiver<bool>) -> Hall {
        let limits = settings.limits;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Hall {
            secure: settings.is_secure(),
            requests: Meter::new(limits.requests),
            codes: Meter::new(limits.codes),
            previews: Meter::new(limits.previews),
            streams: Places::new(limits.streams_each),
            thinking: Semaphore::new(cores.saturating_sub(1).max(1)),
            gallery: Gallery::default(),
            looks: Mutex::default(),
            window,
            words,
            settings,
            ends,
        }
    }

    /// A seat as this browser may see it now. Only the first to ask after a change troubles the desk.
    ///
    /// # Errors
    /// The desk does not answer.
    pub(crate) async fn look(&self, browser: Browser, spot: &Spot) -> Result<Option<Look>, Busy> {
        let key = (browser, spot.clone());
        // What has changed since then makes this older than it is, and never younger.
        let version = self.window.board().version(&spot.game);
        let now = Instant::now();
        if let Some(kept) = self.looks().get(&key)
            && kept.version == version
            && now < kept.until
        {
            return Ok(Some(kept.look.clone()));
        }
        let spot = spot.clone();
        let told = self.window.ask(|answer| Ask::Look { browser, spot, answer }).await?;
        let mut looks = self.looks();
        match &told {
            Some(look) => {
                if looks.len() >= MOST_LOOKS {
                    looks.clear();
                }
                let until = now + look.good_for.unwrap_or(LONGEST_LOOK).min(LONGEST_LOOK);
                looks.insert(key, Kept { look: look.clone(), version, until });
            }
            None => {
                looks.remove(&key);
            }
        }
        Ok(told)
    }

    fn looks(&self) -> std::sync::MutexGuard<'_, HashMap<(Browser, Spot), Kept>> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
