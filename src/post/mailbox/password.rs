//! The password of a mailbox: read where the settings say it is, shown as seldom as a refusal wants it, and read again until
//! somebody has mended it.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::settings::MailboxSettings;
use crate::post::carrier::Trouble;
use crate::post::refusals::Refusals;
use crate::post::secret::Secret;

/// A password that is shown to one server: another may take it all the same.
pub(super) struct Password {
    settings: MailboxSettings,
    secret: Mutex<Secret>,
    refusals: Refusals,
}

impl Password {
    /// Shows it to nobody yet.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: there is none.
    pub(super) fn open(settings: &MailboxSettings) -> Result<Password, Trouble> {
        let secret = Mutex::new(settings.password()?);
        Ok(Password { settings: settings.clone(), secret, refusals: Refusals::default() })
    }

    /// The password, if it may be shown now. One that was refused is read again: somebody may have written another.
    ///
    /// # Errors
    /// [`Trouble::Barred`]: it was refused, and we rest.
    pub(super) fn shown(&self) -> Result<Secret, Trouble> {
        let mut secret = self.secret.lock().unwrap_or_else(PoisonError::into_inner);
        if self.refusals.says().is_some()
            && let Ok(now) = self.settings.password()
        {
            *secret = now;
        }
        self.refusals.allow(&secret, Instant::now())?;
        Ok(secret.clone())
    }

    /// The server does not take it.
    pub(super) fn refused(&self, secret: &Secret, says: &str) {
        self.refusals.refuse(secret, says, Instant::now());
    }

    /// The server has taken it.
    pub(super) fn taken(&self) {
        self.refusals.clear();
    }

    /// What the server said, as long as it takes none.
    pub(super) fn warning(&self) -> Option<String> {
        self.refusals.says()
    }
}
