//! What was made for those who watch, kept until there is too much of it. Everything is known by the name of what it shows,
//! so nothing old is ever shown for something new.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::told::Turn;
use crate::game::GameId;

/// So many of those who watch stand at the window at a time; players find room beside them.
const AT_WINDOW: usize = 4;
/// So many turns are kept, and so many bytes of pages and pictures.
const MOST_TURNS: usize = 24;
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// What a turn is known by: its game, era and number.
type TurnKey = (GameId, u32, u16);

/// What was made, and the places of those who wait.
pub(crate) struct Gallery {
    /// Places at the window.
    pub asking: Semaphore,
    /// Whoever draws; the others wait, and find what was drawn.
    drawing: Semaphore,
    made: Mutex<Kept<(GameId, String), Arc<Made>>>,
    turns: Mutex<Kept<TurnKey, Arc<Turn>>>,
}

/// A page or a picture.
pub(crate) struct Made {
    pub bytes: Bytes,
    pub kind: &'static str,
    /// The hash of it, as a browser names it.
    pub tag: String,
}

/// Something that is to be made where it is not kept.
pub(crate) struct Work {
    key: (GameId, String),
    kind: &'static str,
    make: Box<dyn FnOnce() -> Option<Vec<u8>> + Send>,
}

impl Work {
    /// Something of a game under a name that nothing else has.
    pub(crate) fn new(
        game: &GameId,
        name: &str,
        kind: &'static str,
        make: impl FnOnce() -> Option<Vec<u8>> + Send + 'static,
    ) -> Work {
        Work { key: (game.clone(), name.to_owned()), kind, make: Box::new(make) }
    }
}

impl Default for Gallery {
    fn default() -> Gallery {
        Gallery {
            asking: Semaphore::new(AT_WINDOW),
            drawing: Semaphore::new(1),
            made: Mutex::new(Kept::new(MOST_BYTES)),
            turns: Mutex::new(Kept::new(MOST_TURNS)),
        }
    }
}

impl Gallery {
    /// A turn that is kept.
    pub(crate) fn turn(&self, key: &TurnKey) -> Option<Arc<Turn>> {
        lock(&self.turns).find(key)
    }

    /// Keeps a turn until there are too many.
    pub(crate) fn keep_turn(&self, key: TurnKey, turn: Arc<Turn>) {
        lock(&self.turns).keep(key, turn, 1);
    }

    /// What is kept, or what comes of the work on a thread that nobody else waits for; none where it came to grief.
    pub(crate) async fn made(&self, work: Work) -> Option<Arc<Made>> {
        let Work { key, kind, make } = work;
        if let Some(made) = lock(&self.made).find(&key) {
            return Some(made);
        }
        let _turn = self.drawing.acquire().await.ok()?;
        // Somebody may have made it while this one waited.
        if let Some(made) = lock(&self.made).find(&key) {
            return Some(made);
        }
        let bytes = tokio::task::spawn_blocking(make).await.ok()??;
        let hash = Sha256::digest(&bytes).iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>();
        let weight = bytes.len();
        let made = Arc::new(Made { bytes: bytes.into(), kind, tag: format!("\"{hash}\"") });
        lock(&self.made).keep(key, Arc::clone(&made), weight);
        Some(made)
    }
}

/// Things by their names, the oldest of which go when they weigh too much together.
struct Kept<K, V> {
    things: HashMap<K, (V, usize)>,
    sequence: VecDeque<K>,
    weight: usize,
    most: usize,
}

impl<K: Hash + Eq + Clone, V: Clone> Kept<K, V> {
    fn new(most: usize) -> Kept<K, V> {
        Kept { things: HashMap::new(), sequence: VecDeque::new(), weight: 0, most }
    }

    fn find(&self, key: &K) -> Option<V> {
        self.things.get(key).map(|(thing, _)| thing.clone())
    }

    fn keep(&mut self, key: K, thing: V, weight: usize) {
        if self.things.contains_key(&key) {
            return;
        }
        self.things.insert(key.clone(), (thing, weight));
        self.sequence.push_back(key);
        self.weight += weight;
        while self.weight > self.most {
            let Some(oldest) = self.sequence.pop_front() else { return };
            self.weight -= self.things.remove(&oldest).map_or(0, |(_, weight)| weight);
        }
    }
}

fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_oldest_goes_first_and_nothing_is_counted_twice() {
        let mut kept = Kept::new(10);
        for key in 0..3 {
            kept.keep(key, key, 4);
            kept.keep(key, key, 4);
        }
        assert_eq!([0, 1, 2].map(|key| kept.find(&key)), [None, Some(1), Some(2)]);
        assert_eq!(kept.weight, 8);
        kept.keep(3, 3, 11);
        assert!((0..4).all(|key| kept.find(&key).is_none()) && kept.weight == 0, "too large to be kept");
    }
}
