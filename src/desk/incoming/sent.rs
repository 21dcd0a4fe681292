//! What we sent ourselves: the letters of ours that a letter or a post answers, for the post to know them when they
//! come back.
//!
//! Only letters to the same seat count. Otherwise whoever names another's letter could learn from what is left out of
//! their own words whether the player guessed a line of it.

use crate::archive::{LetterRecord, OurLetter};
use crate::desk::incoming::identity::answered;
use crate::desk::incoming::rehearsal::has_orders;
use crate::desk::{Desk, DeskError};
use crate::orders::Lexicon;
use crate::post::forum::Post;
use crate::post::letter::{self, Letter};
use crate::post::style::Style;
use crate::post::words::Sent;
use crate::post::{Form, html};

/// So many letters of a thread are looked up, the youngest first.
const MOST: usize = 6;

impl Desk {
    /// How the mail program of its sender made a letter; none where it was no mail.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn style_of(&self, record: &LetterRecord) -> Result<Option<Style>, DeskError> {
        match record.form {
            Form::Mail => {}
            Form::Post | Form::Door | Form::Web => return Ok(None),
        }
        let Ok(letter) = letter::open_with(&record.raw, &|_| false) else { return Ok(None) };
        let sent = self.sent_to(&record.carrier, &letter)?;
        Ok(letter::style(&record.raw, &sent).ok())
    }

    /// Whether a mail has orders in what it quotes of the letter of ours that it answers, which are not in that letter.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn has_changed_quotation(
        &self,
        record: &LetterRecord,
        answers: &OurLetter,
        lexicon: &Lexicon,
    ) -> Result<bool, DeskError> {
        let Some(style) = self.style_of(record)? else { return Ok(false) };
        let Some((text, page)) = self.archive.written_text(&answers.message_id)? else { return Ok(false) };
        let page = page.and_then(|page| html::plain(&page).ok()).unwrap_or_default();
        Ok(has_orders(lexicon, &style.quoted, &format!("{text}\n{page}")))
    }

    /// The letters of ours that a mail answers.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn sent_to(&self, carrier: &str, letter: &Letter) -> Result<Sent, DeskError> {
        let answers = answered(&self.archive, letter, self.house.carrier(carrier))?;
        let seats = match (answers.as_ref().and_then(|answers| answers.of.clone()), &letter.sender.from) {
            (Some(of), _) => vec![of],
            (None, Some(from)) => self.archive.seats_at(&from.address.to_lowercase())?,
            (None, None) => Vec::new(),
        };
        let named = letter.in_reply_to.iter().chain(letter.references.iter().rev()).take(MOST);
        let mut ids: Vec<String> = answers.into_iter().map(|answers| answers.message_id).collect();
        for id in named.filter(|_| !seats.is_empty()) {
            let written = self.archive.written(id)?.and_then(|written| written.of);
            if !ids.contains(id) && written.is_some_and(|of| seats.contains(&of)) {
                ids.push(id.clone());
            }
        }
        self.written_forms(&ids)
    }

    /// The letter of ours that a post answers: the one it replies to, or the last above it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn sent_above(&self, carrier: &str, post: &Post) -> Result<Sent, DeskError> {
        let named = match &post.answers {
            Some(answers) => self.archive.posted_as(carrier, answers)?,
            None => None,
        };
        let above = self.archive.posted_before(carrier, &post.thread, &post.id)?;
        let ids: Vec<String> = named.into_iter().chain(above).map(|answers| answers.message_id).collect();
        self.written_forms(&ids)
    }

    /// These letters of ours, each in both of its forms.
    fn written_forms(&self, ids: &[String]) -> Result<Sent, DeskError> {
        let mut texts = Vec::new();
        for id in ids {
            let Some((text, page)) = self.archive.written_text(id)? else { continue };
            texts.push(text);
            // A page says the same, but may say it in another sequence. In a forum it is Markdown, which reads as itself.
            texts.extend(page.and_then(|page| html::plain(&page).ok()));
        }
        Ok(Sent::new(texts.iter().map(String::as_str)))
    }
}
