//! A secret that somebody refuses: until when we leave them alone, for whoever goes on knocking with a wrong password has the
//! account locked; and that another secret is tried at once.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::carrier::Trouble;
use super::secret::Secret;

/// After the first refusal we rest so long, then twice as long each time.
const FIRST_REST: Duration = Duration::from_secs(5 * 60);
/// We never rest longer.
const LONGEST_REST: Duration = Duration::from_secs(60 * 60);
/// While one tries whether the rest was enough, the others wait so long for what comes of it.
const TRIAL: Duration = Duration::from_secs(60);

/// What was refused, by one server.
#[derive(Default)]
pub(super) struct Refusals(Mutex<Option<Refused>>);

struct Refused {
    secret: Secret,
    times: u32,
    until: Instant,
    says: String,
}

impl Refusals {
    /// Whether a secret may be shown now.
    ///
    /// # Errors
    /// [`Trouble::Barred`]: it was refused, and we rest.
    pub(super) fn allow(&self, secret: &Secret, now: Instant) -> Result<(), Trouble> {
        let mut state = self.state();
        let Some(refused) = state.as_mut().filter(|refused| refused.secret == *secret) else { return Ok(()) };
        if now < refused.until {
            return Err(Trouble::Barred(refused.says.clone()));
        }
        refused.until = now + TRIAL;
        Ok(())
    }

    /// It was refused, with these words.
    pub(super) fn refuse(&self, secret: &Secret, says: &str, now: Instant) {
        let mut state = self.state();
        let times = state.as_ref().filter(|refused| refused.secret == *secret).map_or(0, |refused| refused.times);
        let rest = (FIRST_REST * 2_u32.pow(times.min(8))).min(LONGEST_REST);
        let (secret, says) = (secret.clone(), says.to_owned());
        *state = Some(Refused { secret, times: times + 1, until: now + rest, says });
    }

    /// We were let in.
    pub(super) fn clear(&self) {
        *self.state() = None;
    }

    /// What was last said, as long as nothing was taken since.
    pub(super) fn says(&self) -> Option<String> {
        self.state().as_ref().map(|refused| refused.says.clone())
    }

    fn state(&self) -> MutexGuard<'_, Option<Refused>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_refused_is_shown_less_and_less_and_another_at_once() {
        let (refusals, now) = (Refusals::default(), Instant::now());
        let (wrong, right) = (Secret::token("wrong"), Secret::token("right"));
        let minutes = |minutes: u64| now + Duration::from_secs(minutes * 60);
        assert_eq!((refusals.allow(&wrong, now), refusals.says()), (Ok(()), None));
        let mut at = 0;
        for rest in [5, 10, 20, 40, 60, 60] {
            refusals.refuse(&wrong, "no", minutes(at));
            let barred = Err(Trouble::Barred("no".to_owned()));
            assert_eq!(refusals.allow(&wrong, minutes(at + rest - 1)), barred, "{rest} minutes");
            at += rest;
            assert_eq!(refusals.allow(&wrong, minutes(at)), Ok(()), "{rest} minutes");
            assert_eq!(refusals.allow(&wrong, minutes(at)), barred, "one tries, the others wait");
        }
        assert_eq!(refusals.allow(&right, minutes(at)), Ok(()));
        assert_eq!(refusals.says().as_deref(), Some("no"), "nothing was taken yet");
        refusals.refuse(&right, "neither", minutes(at));
        assert_eq!(refusals.allow(&right, minutes(at + 5)), Ok(()), "another secret begins anew");
        refusals.clear();
        assert_eq!((refusals.allow(&right, minutes(at)), refusals.says()), (Ok(()), None));
    }
}
