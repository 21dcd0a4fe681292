//! A letter on the desk, however it came.

use chrono::{DateTime, Utc};

use crate::archive::{Fate, LetterId, LetterRecord, LetterStatus, Proof, SeatId, Tapped};
use crate::desk::table::sitting::AnsweredForm;
use crate::orders::Reply;
use crate::orders::Written;
use crate::post::Writing;

/// A letter on the desk.
pub(in crate::desk) struct Opened<'a> {
    pub(in crate::desk) record: &'a LetterRecord,
    /// What its sender wrote.
    pub(in crate::desk) writing: Writing,
    pub(in crate::desk) now: DateTime<Utc>,
    /// Whether everybody can read it.
    pub(in crate::desk) is_public: bool,
    /// Whether it only stands below the letter of ours that it answers, and does not name it.
    pub(in crate::desk) is_below: bool,
    /// The letter whose place it takes.
    pub(in crate::desk) replaces: Option<Replaced>,
    /// How much is known of its sender, once that was asked.
    pub(in crate::desk) proof: Option<Proof>,
    /// The answer that was sent to its own address, which admits nothing else.
    pub(in crate::desk) tapped: Option<Tapped>,
    /// The id of a form of the order page, whose answer is read there.
    pub(in crate::desk) form: Option<String>,
    /// What tells the form apart whose answer it answers.
    pub(in crate::desk) agrees_to: Option<String>,
}

impl<'a> Opened<'a> {
    /// A letter that only those read whom it names.
    pub(in crate::desk) fn new(record: &'a LetterRecord, writing: Writing, now: DateTime<Utc>) -> Opened<'a> {
        Opened {
            record,
            writing,
            now,
            is_public: false,
            is_below: false,
            replaces: None,
            proof: None,
            form: None,
            agrees_to: None,
            tapped: None,
        }
    }

    /// Who says the player sent it.
    pub(in crate::desk) fn sender(&self) -> &str {
        &self.writing.from
    }

    /// What became of it.
    pub(in crate::desk) fn fate(&self, fate: Fate, of: Option<SeatId>, remark: Option<&str>) -> LetterStatus {
        let (id, remark, proof) = (self.record.id, remark.map(str::to_owned), self.proof);
        LetterStatus { id, fate, sender: self.sender().to_owned(), of, remark, proof }
    }

    pub(in crate::desk) fn key(&self) -> String {
        format!("letter-{}", self.record.id.0)
    }

    /// The form of the order page that it is.
    pub(in crate::desk) fn page_form(&self) -> Option<AnsweredForm> {
        let (id, mark) = (self.form.clone()?, self.writing.message_id.clone()?);
        Some(AnsweredForm { id, mark })
    }

    /// Whether it begins with a yes.
    pub(in crate::desk) fn says_ok(&self) -> bool {
        Reply::begins_with_yes(&self.writing.text)
    }
}

/// A letter whose place another takes: its post was edited.
#[derive(Debug, Clone)]
pub(crate) struct Replaced {
    /// The letter, where it had orders that are to leave the sheet.
    pub letter: Option<LetterId>,
    /// What of it has worked already and is not done twice: trade, press, and wishes about the clock.
    pub worked: Vec<Written>,
}
