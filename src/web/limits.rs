//! How much of anything there is for one caller: requests, previews, open lines.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many callers are remembered; of more than these the ones that have been still for longest are forgotten.
const MOST_CALLERS: usize = 20_000;

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Open connections of everybody together.
    pub connections: usize,
    /// Open connections from one address; a proxy's are counted by nobody but the proxy.
    pub connections_each: usize,
    /// Requests from one address: at once, and each second after.
    pub requests: Rate,
    /// Previews and forms of one browser.
    pub previews: Rate,
    /// Codes asked for and typed from one address.
    pub codes: Rate,
    /// Open streams of news of one browser.
    pub streams_each: usize,
    /// Bytes of what is sent to us.
    pub body: usize,
    /// How long the head of a request may take.
    pub head_time: Duration,
    /// How long a request may take.
    pub time: Duration,
    /// How long a connection lives, whatever it does.
    pub life: Duration,
}

/// So many at once, and so many each second after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    pub burst: f64,
    pub each_second: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 2_048,
            connections_each: 64,
            requests: Rate { burst: 240.0, each_second: 20.0 },
            previews: Rate { burst: 60.0, each_second: 10.0 },
            codes: Rate { burst: 12.0, each_second: 12.0 / 3_600.0 },
            streams_each: 8,
            body: 64 * 1024,
            head_time: Duration::from_secs(10),
            time: Duration::from_secs(30),
            life: Duration::from_secs(600),
        }
    }
}

/// An address as it is counted: whoever has a network of the new kind has all of its addresses.
pub(crate) fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// Counts what callers do, each for itself.
pub(crate) struct Meter<K> {
    rate: Rate,
    callers: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Hash + Eq + Clone> Meter<K> {
    /// Nobody has called yet.
    pub(crate) fn new(rate: Rate) -> Meter<K> {
        Meter { rate, callers: Mutex::default() }
    }

    /// Whether a caller may have one more now.
    pub(crate) fn allows(&self, caller: &K, now: Instant) -> bool {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= MOST_CALLERS && !callers.contains_key(caller) {
            make_room(&mut callers);
        }
        let (left, since) = callers.entry(caller.clone()).or_insert((self.rate.burst, now));
        let gained = now.saturating_duration_since(*since).as_secs_f64() * self.rate.each_second;
        *left = (*left + gained).min(self.rate.burst);
        *since = now;
        let is_allowed = *left >= 1.0;
        if is_allowed {
            *left -= 1.0;
        }
        is_allowed
    }
}

/// Forgets the half that has been still for longest.
fn make_room<K: Hash + Eq + Clone>(callers: &mut HashMap<K, (f64, Instant)>) {
    let mut times: Vec<Instant> = callers.values().map(|(_, since)| *since).collect();
    times.sort_unstable();
    let middle = times[times.len() / 2];
    callers.retain(|_, (_, since)| *since > middle);
}

/// Places that callers hold, so many each.
pub(crate) struct Places<K: Hash + Eq> {
    most: usize,
    held: Arc<Mutex<HashMap<K, usize>>>,
}

/// A place that somebody holds, until this is dropped.
pub(crate) struct Held<K: Hash + Eq> {
    caller: K,
    held: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Hash + Eq + Clone> Places<K> {
    /// So many places for each.
    pub(crate) fn new(most: usize) -> Places<K> {
        Places { most, held: Arc::default() }
    }

    /// A place, if the caller has not all of the player's.
    pub(crate) fn take(&self, caller: &K) -> Option<Held<K>> {
        let mut held = lock(&self.held);
        let count = held.entry(caller.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Held { caller: caller.clone(), held: Arc::clone(&self.held) })
    }
}

impl<K: Hash + Eq> Drop for Held<K> {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        if let Some(count) = held.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.caller);
            }
        }
    }
}

fn lock<K>(held: &Mutex<HashMap<K, usize>>) -> MutexGuard<'_, HashMap<K, usize>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_had_his_share_waits_for_more_and_nobody_else_does() {
        let meter = Meter::new(Rate { burst: 3.0, each_second: 2.0 });
        let now = Instant::now();
        assert_eq!([(); 4].map(|()| meter.allows(&"a", now)), [true, true, true, false]);
        assert!(meter.allows(&"b", now));
        let later = now + Duration::from_millis(500);
        assert!(meter.allows(&"a", later) && !meter.allows(&"a", later));
        let much_later = now + Duration::from_secs(3_600);
        assert_eq!([(); 4].map(|()| meter.allows(&"a", much_later)), [true, true, true, false], "no more than a burst");
    }

    #[test]
    fn those_who_called_last_are_remembered() {
        let meter = Meter::new(Rate { burst: 1.0, each_second: 0.0 });
        let begin = Instant::now();
        for caller in 0..MOST_CALLERS + 10 {
            assert!(meter.allows(&caller, begin + Duration::from_millis(caller as u64)));
        }
        let now = begin + Duration::from_secs(100);
        assert!(!meter.allows(&(MOST_CALLERS + 5), now));
        assert!(meter.callers.lock().expect("nobody has panicked").len() <= MOST_CALLERS);
    }

    #[test]
    fn a_place_is_free_again_when_it_is_left() {
        let places = Places::new(2);
        let one = places.take(&"a");
        let two = places.take(&"a");
        assert!(one.is_some() && two.is_some() && places.take(&"a").is_none() && places.take(&"b").is_some());
        drop(one);
        assert!(places.take(&"a").is_some());
    }

    #[test]
    fn a_network_of_the_new_kind_is_one_caller() {
        let read = |text: &str| counted(text.parse().expect("an address"));
        assert_eq!(read("2001:db8:1:2::7"), read("2001:db8:1:2:ffff::9"));
        assert_ne!(read("2001:db8:1:2::7"), read("2001:db8:1:3::7"));
        assert_eq!(read("::ffff:192.0.2.1"), read("192.0.2.1"));
    }
}
