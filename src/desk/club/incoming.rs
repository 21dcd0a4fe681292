//! Which letters and posts are the club's, and how much is known of who wrote them.

use chrono::{DateTime, Duration, Utc};

use super::visiting::{Visitor, proof};
use super::words::{self, Said};
use crate::archive::{Address, DispatchKind, Habits, OurLetter, Outgoing, Role, SeatId, Settled};
use crate::archive::{Deed, Departed};
use crate::desk::incoming::identity::{Identity, is_doubted};
use crate::desk::incoming::naming::club_letter;
use crate::desk::incoming::opened::Opened;
use crate::desk::incoming::proved::plays;
use crate::desk::settings::CarrierSettings;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::orders::Reply;
use crate::post::Receipt;
use crate::post::authentication::has_dmarc;
use crate::post::forum::ForumPlace;
use crate::post::letter::Letter;
use crate::post::writing::Posting;
use crate::rules::Language;

/// What is older than this when we first see it is nobody's wish any more.
const STALE: Duration = Duration::days(1);

/// So much the clock of a forum may be behind ours.
const SKEW: Duration = Duration::minutes(2);

/// What somebody says to the club, in which language; none is a bare answer.
type Lines = Option<(Language, Vec<Said>)>;

/// Whether a letter of the club asks something that `ok` answers.
fn asks(letter: &OurLetter) -> bool {
    let what = letter.about.split('.').nth(2).unwrap_or_default();
    ["ask-", "leave-", "news-", "link-"].iter().any(|begins| what.starts_with(begins))
}

impl Desk {
    /// A mail to the club: one that answers a letter of the club, or whose first line is a line of the club and whose sender a
    /// server of ours has proved. None where it is another's business.
    pub(in crate::desk) fn club_mail(
        &self,
        letter: &Letter,
        carrier: &CarrierSettings,
        sender: &Identity,
    ) -> Result<Option<(Visitor, Lines)>, DeskError> {
        match sender {
            Identity::Proved { .. } | Identity::Tapped { .. } => return Ok(None),
            Identity::Unproved { .. } | Identity::Ambiguous { .. } | Identity::Nobody => {}
        }
        let Some(from) = letter.sender.from.as_ref() else { return Ok(None) };
        let address = from.address.to_lowercase();
        let text = letter.writing().text;
        let said = words::read(&text);
        let answers = club_letter(&self.archive, letter, carrier)?;
        let is_proved =
            !is_doubted(letter, carrier, &address) && answers.as_ref().is_some_and(|own| own.recipient == address);
        let domain = address.rsplit('@').next().unwrap_or_default();
        let judged = carrier.authserv_id.as_deref();
        let is_passed = letter.sender.authors == 1
            && judged.is_some_and(|host| has_dmarc(&letter.sender.authentication_results, host, domain));
        let language = said.as_ref().map_or(self.house.settings.language, |(language, _)| *language);
        let seat = match sender {
            Identity::Unproved { of } | Identity::Ambiguous { of } => {
                self.archive.seats(&of.game)?.into_iter().find(|seat| seat.party == of.party && seat.knows(&address))
            }
            Identity::Proved { .. } | Identity::Tapped { .. } | Identity::Nobody => None,
        };
        let habits = match seat {
            Some(seat) => Habits { name: seat.player, language: seat.language, zone: seat.zone, html: seat.html },
            None => self.newcomer(from.name.as_deref(), language),
        };
        let visitor = Visitor {
            carrier: carrier.name.clone(),
            habits,
            address,
            proved: is_proved,
            seat: None,
            answers: answers.filter(|_| is_proved),
            thread: None,
        };
        if is_proved {
            return Ok(Some((visitor, said)));
        }
        // Whoever answers a letter of the club from elsewhere, and whoever may have been forged, is nobody.
        if !is_passed || said.is_none() {
            return Ok(None);
        }
        let is_confirmed = self.archive.person_at(&visitor.carrier, &visitor.address)?.is_some_and(|known| {
            known.reached.iter().any(|reached| reached.address == visitor.address && reached.confirmed.is_some())
        });
        let is_at_a_seat = *sender != Identity::Nobody;
        let wants = self.house.settings.club.open || is_confirmed || is_at_a_seat;
        let is_ours = wants && (!is_at_a_seat || self.said_by_player(&text)?.is_some());
        Ok(is_ours.then_some((Visitor { proved: is_at_a_seat, ..visitor }, said)))
    }

    /// What somebody who has a seat says to the club: where a line names a game there is one, and nothing else in the letter is
    /// an order. Whoever writes of the trade, or plays below a word of ours, plays.
    fn said_by_player(&self, text: &str) -> Result<Option<(Language, Vec<Said>)>, DeskError> {
        let Some((language, said)) = words::read(text) else { return Ok(None) };
        if !said.iter().all(Said::is_plain_anywhere) || plays(&words::rest(text), &self.house.edition.lexicon) {
            return Ok(None);
        }
        for id in said.iter().filter_map(Said::game).map(GameId::from) {
            if self.archive.gathering(&id)?.is_none() && self.archive.game(&id)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some((language, said)))
    }

    /// A letter from a seat whose first line is one of the club's.
    pub(in crate::desk) fn club_from_seat(
        &mut self,
        opened: &Opened,
        of: &SeatId,
        address: &Address,
    ) -> Result<Option<Settled>, DeskError> {
        let Some((language, said)) = self.said_by_player(&opened.writing.text)? else { return Ok(None) };
        if opened.form.is_some() || opened.tapped.is_some() {
            return Ok(None);
        }
        // The moderator's own `standby` asks who stands by.
        let is_asked = |said: &Said| matches!(said, Said::Standby { .. } | Said::Leave { .. } | Said::NoStandby { .. });
        if of.party.civ().is_none() && said.iter().any(is_asked) {
            return Ok(None);
        }
        let table = self.table(&of.game)?;
        let Some(seat) = table.seat(of.party).cloned() else { return Ok(None) };
        // In a forum the answer stands where it was asked, in private at least.
        let thread = table.thread(of.party, &address.carrier).and_then(|thread| thread.thread.clone());
        let habits = match address.role {
            Role::Player => Habits { name: seat.player, language: seat.language, zone: seat.zone, html: seat.html },
            Role::Deputy => {
                let deputy = seat.deputy.as_ref();
                let language = deputy.map_or(language, |deputy| deputy.language);
                self.newcomer(deputy.map(|deputy| deputy.name.as_str()), language)
            }
        };
        let visitor = Visitor {
            carrier: address.carrier.clone(),
            address: address.address.clone(),
            habits,
            proved: true,
            seat: Some(of.clone()).filter(|_| address.role == Role::Player),
            answers: None,
            thread: thread.map(|thread| (thread, true)),
        };
        self.visit(opened, &visitor, Some((language, said))).map(Some)
    }

    /// A post to the club: in the thread where people sign up, or in private.
    pub(in crate::desk) fn club_post(
        &mut self,
        carrier: &str,
        posting: &Posting,
        now: DateTime<Utc>,
    ) -> Result<Option<(Visitor, Lines)>, DeskError> {
        let post = &posting.post;
        let club = &self.house.settings.club;
        let signs_up = club.thread.as_ref().is_some_and(|(forum, thread)| forum == carrier && *thread == post.thread);
        let is_stale = post.is_deleted || post.posted + STALE < now;
        if is_stale || !(signs_up || post.is_private) || post.author.id.is_empty() {
            return Ok(None);
        }
        let said = words::read(&posting.words.text);
        // Of two games with the same name the first one is over: what was said of it is nobody's wish for the second.
        for game in said.iter().flat_map(|(_, said)| said).filter_map(Said::game) {
            let gathering = self.gathering(&GameId::from(game))?;
            if gathering.is_some_and(|gathering| post.posted + SKEW < gathering.record.created_at) {
                return Ok(None);
            }
        }
        let above = if post.is_private { self.club_above(carrier, posting)? } else { None };
        let address = post.author.place().to_string();
        let is_known = self.archive.person_at(carrier, &address)?.is_some();
        let is_at_a_seat = !self.archive.seats_by(carrier, &address)?.is_empty();
        let is_plain = if is_at_a_seat {
            self.said_by_player(&posting.words.text)?.is_some()
        } else {
            said.as_ref().is_some_and(|(_, said)| said.iter().all(Said::is_plain_anywhere))
        };
        // Where somebody plays in the same thread, `ok` is an answer to the club only below a question of the club's.
        let is_reply =
            Reply::of(&posting.words.text) != Reply::Other && (!is_at_a_seat || above.as_ref().is_some_and(asks));
        let is_ours = match &above {
            Some(_) if is_at_a_seat => is_plain || is_reply,
            Some(_) => said.is_some() || is_reply,
            None if signs_up => said.is_some(),
            None => is_plain,
        };
        if !is_ours || !(club.open || is_known || signs_up) {
            return Ok(None);
        }
        let language = said.as_ref().map_or(self.house.settings.language, |(language, _)| *language);
        let mut habits = self.newcomer(Some(&post.author.name), language);
        if habits.name.is_empty() {
            habits.name = post.author.name.chars().filter(|letter| letter.is_alphanumeric()).collect();
        }
        let visitor = Visitor {
            carrier: carrier.to_owned(),
            address,
            habits,
            proved: true,
            seat: None,
            answers: above,
            thread: Some((post.thread.clone(), post.is_private)),
        };
        Ok(Some((visitor, said)))
    }

    /// The letter of the club that a private post answers.
    fn club_above(&self, carrier: &str, posting: &Posting) -> Result<Option<OurLetter>, DeskError> {
        let post = &posting.post;
        let named = match &post.answers {
            Some(answers) => self.archive.posted_as(carrier, answers)?,
            None => None,
        };
        let above = match named {
            Some(named) => Some(named),
            None => self.archive.posted_before(carrier, &post.thread, &post.id)?,
        };
        Ok(above.filter(|above| above.kind == DispatchKind::Club))
    }

    /// Takes a letter of the club up.
    pub(in crate::desk) fn take_club(
        &mut self,
        opened: &mut Opened,
        visitor: &Visitor,
        said: Lines,
    ) -> Result<Settled, DeskError> {
        let proof = proof(visitor);
        opened.proof = Some(proof);
        if let Some(ends) = self.limit(opened, proof)? {
            return self.turn_away(opened, None, None, ends);
        }
        self.visit(opened, visitor, said)
    }

    /// A forum has taken a letter of the club: where it stands, and in which private thread.
    pub(in crate::desk) fn note_club_receipt(
        &mut self,
        outgoing: &Outgoing,
        receipt: &Receipt,
    ) -> Result<(), DeskError> {
        let receipts = vec![(outgoing.dispatch.message_id.clone(), receipt.clone())];
        let sent = Departed { receipts, ..Departed::default() };
        self.archive.commit(&Deed { sent, ..Deed::default() })?;
        let reader = match outgoing.recipient.parse() {
            Ok(reader @ (ForumPlace::User(_) | ForumPlace::Name(_))) => reader.to_string(),
            Ok(ForumPlace::Followed { reader, .. }) => reader.to_string(),
            Ok(_) | Err(()) => return Ok(()),
        };
        let Some(thread) = &receipt.thread else { return Ok(()) };
        Ok(self.archive.keep(&super::writing::private_thread(&outgoing.carrier, &reader), thread.as_bytes())?)
    }
}
