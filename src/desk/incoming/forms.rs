//! The one place where it matters in which form a letter came: it is opened, and handed to the page of its form.

use std::cell::RefCell;

use chrono::{DateTime, Utc};

use crate::archive::{LetterRecord, Settled};
use crate::desk::house::is_own_id;
use crate::desk::incoming::aside::{Aside, Why};
use crate::desk::{Desk, DeskError};
use crate::post::letter::{self, Broken, Letter};
use crate::post::words::Sent;
use crate::post::{Form, Incoming, Lookup, open};

impl Desk {
    /// Takes a letter up.
    pub(in crate::desk) fn take_up(&mut self, record: &LetterRecord, now: DateTime<Utc>) -> Result<Settled, DeskError> {
        match self.open(record)? {
            Err(broken) => self.set_aside(Aside::nobodys(record, Why::Broken(broken)), now),
            Ok(Incoming::Mail(letter)) => self.take_mail(record, &letter, now),
            Ok(Incoming::Post(posting)) => self.take_post(record, *posting, now),
            Ok(Incoming::Door(typed)) => self.moderate_from_door(record, &typed, now),
            Ok(Incoming::Web(form)) => self.take_page_form(record, &form, now),
        }
    }

    /// Opens a letter, with what we know of the letters it answers.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn open(&self, record: &LetterRecord) -> Result<Result<Incoming, Broken>, DeskError> {
        let carrier = self.house.carrier(&record.carrier);
        if record.size > letter::LARGEST as u64 {
            return Ok(Err(Broken::TooLarge));
        }
        // Of what nobody we know has sent only the beginning is there.
        if record.is_cut() && record.form == Form::Mail {
            let letter = letter::open_beginning(&record.raw, &|id| is_own_id(carrier, id));
            return Ok(letter.map(|letter| Incoming::Mail(Box::new(letter))));
        }
        let trouble = RefCell::new(None);
        let noted = |sent: Result<Sent, DeskError>| {
            sent.unwrap_or_else(|error| {
                *trouble.borrow_mut() = Some(error);
                Sent::default()
            })
        };
        let lookup = Lookup {
            is_ours: &|id| is_own_id(carrier, id),
            own_name: carrier.own_name(),
            sent_to: &|letter: &Letter| noted(self.sent_to(&record.carrier, letter)),
            sent_above: &|post| noted(self.sent_above(&record.carrier, post)),
        };
        let incoming = open(record.form, &record.raw, &lookup);
        match trouble.into_inner() {
            Some(error) => Err(error),
            None => Ok(incoming),
        }
    }
}
