//! Letters to people of the house who need no seat for them.
//!
//! Comes in: a person, and what to say. Goes out: a dispatch that belongs to no game, whose answer is known by its secret as any
//! other's is.

use chrono::{DateTime, Utc};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

use super::Gathering;
use super::gathering::News;
use crate::archive::{Archive, DispatchKind, Habits, NewDispatch, PersonId, PersonRecord, Reached};
use crate::desk::clock::moment::moment;
use crate::desk::settings::written::Zone;
use crate::desk::settings::{Format, Person};
use crate::desk::{Desk, DeskError, House};
use crate::game::GameId;
use crate::post::forum::ForumPlace;
use crate::post::{Dispatch, Form};
use crate::report::letters::{self, Page};
use crate::report::{Names, Templates};
use crate::rules::{Civ, Language};

/// Where a letter to a person goes, and how they like it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::desk) struct Reader {
    pub carrier: String,
    pub address: String,
    pub language: Language,
    pub zone: Zone,
    pub html: bool,
}

/// A letter to a person of the house.
pub(in crate::desk) struct Note<'a> {
    pub to: &'a Reader,
    /// The open game that it is about.
    pub game: Option<&'a GameId>,
    /// What makes it different from others to the same person.
    pub about: String,
    /// The letter it answers.
    pub in_reply_to: Option<&'a str>,
    pub subject: String,
    pub lines: Vec<String>,
}

impl Reader {
    /// A person, where they are written to.
    pub(in crate::desk) fn of(person: &PersonRecord) -> Option<Reader> {
        person.mailbox().map(|reached| Reader::at(&person.habits, reached))
    }

    /// A person at one of their addresses.
    pub(in crate::desk) fn at(habits: &Habits, reached: &Reached) -> Reader {
        Reader {
            carrier: reached.carrier.clone(),
            address: reached.address.clone(),
            language: habits.language,
            zone: Zone(habits.zone.parse().unwrap_or_default()),
            html: habits.html,
        }
    }

    /// Somebody whom the settings or a file name.
    pub(in crate::desk) fn named(house: &House, person: &Person, forum: Option<&str>) -> Reader {
        let (carrier, address) = match (person.addresses.first(), &person.forum, forum) {
            (None, Some(name), Some(forum)) => (forum.to_owned(), ForumPlace::Name(name.to_lowercase()).to_string()),
            (address, ..) => {
                let address = address.map(|address| address.as_str().to_lowercase()).unwrap_or_default();
                (house.mail_carrier().name.clone(), address)
            }
        };
        let html = person.format == Format::Html;
        Reader { carrier, address, language: person.language, zone: person.zone, html }
    }
}

/// The words of a language, of the edition that new games are played with.
pub(in crate::desk) fn words(house: &House, language: Language) -> &Templates {
    house.edition.templates(language)
}

/// A phrase of the club.
pub(in crate::desk) fn say(house: &House, language: Language, key: &str, facts: Value) -> String {
    words(house, language).say("club", key, facts)
}

/// A point in time on somebody's own clock.
pub(in crate::desk) fn when(house: &House, reader: &Reader, time: DateTime<Utc>) -> String {
    let moment = moment(time, reader.zone);
    words(house, reader.language).say("moment", "full", Value::from(Serde(&moment)))
}

/// Civilizations in somebody's language.
pub(in crate::desk) fn civs(house: &House, language: Language, civs: impl IntoIterator<Item = Civ>) -> Vec<String> {
    let names = Names::new(&house.edition.printed, language);
    civs.into_iter().map(|civ| names.civ(civ).to_owned()).collect()
}

/// A person's name as others read it: one line without an address, and not too long.
pub(in crate::desk) fn cleaned(name: &str) -> Option<String> {
    let shown = |letter: char| if crate::desk::settings::written::steers(letter) { ' ' } else { letter };
    let name: String = name.chars().map(shown).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.trim_matches(['"', '\'', '`']).chars().take(LONGEST_NAME).collect();
    let is_name = name.chars().any(char::is_alphabetic) && !name.contains(['@', '`', '|', '<', '>']);
    Some(name.trim().to_owned()).filter(|_| is_name && !name.contains("://"))
}

/// So many letters of a name are shown to others.
const LONGEST_NAME: usize = 40;

/// Puts a letter to a person into its envelope.
pub(in crate::desk) fn dispatch(house: &House, note: Note, now: DateTime<Utc>) -> NewDispatch {
    let page = letters::note(words(house, note.to.language), &note.subject, &note.lines);
    dispatch_page(house, note, page, now)
}

/// The same of a page that is written already.
pub(in crate::desk) fn dispatch_page(house: &House, note: Note, page: Page, now: DateTime<Utc>) -> NewDispatch {
    let carrier = house.carrier(&note.to.carrier);
    let is_mail = carrier.form() == Form::Mail;
    let about = format!("club.{}.{}", note.game.map_or("-", GameId::as_str), note.about);
    let message_id = house.message_id(carrier, &about);
    let secret = house.secret(&message_id);
    let root = house.thread_id(carrier, &format!("club.{}", note.game.map_or("-", GameId::as_str)));
    let in_reply_to = note.in_reply_to.map(str::to_owned);
    let html = if is_mail { page.html.filter(|_| note.to.html) } else { Some(page.markdown) };
    let dispatch = Dispatch {
        reply_to: house.reply_address(carrier, None, &secret).filter(|_| is_mail),
        message_id,
        date: now,
        to: note.to.address.clone(),
        references: std::iter::once(root).chain(in_reply_to.clone()).collect(),
        in_reply_to,
        subject: page.subject,
        text: page.text,
        html,
        picture: page.picture.filter(|_| note.to.html),
        data: None,
        list: None,
    };
    NewDispatch {
        dispatch,
        about,
        secret,
        of: None,
        kind: DispatchKind::Club,
        asks: None,
        carrier: carrier.name.clone(),
        told_elsewhere: false,
        cut_off: None,
        offered: Vec::new(),
        writer: None,
        words: None,
    }
}

impl Desk {
    /// Where somebody is written to: in a forum in the private thread that there is already.
    pub(in crate::desk) fn placed(&self, reader: Reader) -> Result<Reader, DeskError> {
        placed(&self.archive, &self.house, reader)
    }

    /// Writes a letter to a person; none where nobody knows where they are reached.
    pub(in crate::desk) fn write_to_person(
        &self,
        person: PersonId,
        game: Option<&GameId>,
        about: &str,
        now: DateTime<Utc>,
        said: &dyn Fn(&Reader) -> (String, Vec<String>),
    ) -> Result<Option<NewDispatch>, DeskError> {
        let reader = self.archive.person(person)?.as_ref().and_then(Reader::of);
        let Some(reader) = reader else { return Ok(None) };
        let (subject, lines) = said(&reader);
        let reader = self.placed(reader)?;
        let about = format!("{about}.{}", person.0);
        let note = Note { to: &reader, game, about, in_reply_to: None, subject, lines };
        Ok(Some(dispatch(&self.house, note, now)))
    }

    /// The letters in which people hear of an open game.
    pub(in crate::desk) fn tell_news(
        &self,
        gathering: &Gathering,
        news: Vec<News>,
        cause: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<NewDispatch>, DeskError> {
        let (house, id) = (&self.house, &gathering.record.id);
        let title = gathering.record.title.as_str();
        let game = id.as_str();
        let mut dispatches = Vec::new();
        for (number, one) in (gathering.meeting.gathered.told..).zip(news) {
            let about = format!("news-{number}.{cause}");
            let (person, key, until, reason) = match one {
                News::Promoted(person) => (person, "promoted", None, None),
                News::Muster(person, until) => (person, "muster", Some(until), None),
                News::Lost(person) => (person, "lost", None, None),
                News::Postponed(person) => (person, "postponed", None, None),
                News::Withdrawn(person, reason) => (person, "withdrawn", None, reason),
                News::HostMusters | News::HostPostponed | News::HostAsked(_) => {
                    dispatches.push(self.tell_host(gathering, &one, &about, now)?);
                    continue;
                }
            };
            let said = |reader: &Reader| {
                let until = until.map(|until| when(house, reader, until));
                let text = say(house, reader.language, key, context! { game, title, until });
                let reason = reason.iter().map(|reason| format!(": {reason}"));
                let told = lines(&text).into_iter().chain(reason).collect();
                (say(house, reader.language, "subject_game", context! { title }), told)
            };
            dispatches.extend(self.write_to_person(person, Some(id), &about, now, &said)?);
        }
        Ok(dispatches)
    }
}

/// Where somebody is written to: in a forum in the private thread that there is already.
pub(in crate::desk) fn placed(archive: &Archive, house: &House, reader: Reader) -> Result<Reader, DeskError> {
    let place = reader.address.parse();
    let Ok(user @ (ForumPlace::User(_) | ForumPlace::Name(_))) = place else { return Ok(reader) };
    if house.carrier(&reader.carrier).form() == Form::Mail {
        return Ok(reader);
    }
    let kept = archive.kept(&private_thread(&reader.carrier, &reader.address))?;
    let Some(thread) = kept.and_then(|bytes| String::from_utf8(bytes).ok()) else { return Ok(reader) };
    let address = ForumPlace::Followed { thread, reader: Box::new(user) }.to_string();
    Ok(Reader { address, ..reader })
}

/// The lines of a phrase.
pub(in crate::desk) fn lines(text: &str) -> Vec<String> {
    text.trim_end().lines().map(str::to_owned).collect()
}

/// Under which name the private thread with somebody is kept.
pub(in crate::desk) fn private_thread(carrier: &str, address: &str) -> String {
    format!("club.thread.{carrier}.{address}")
}
