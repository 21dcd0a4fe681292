//! The host of an open game: who has come, who may play, and that it begins.

use chrono::{DateTime, Utc};
use minijinja::context;

use super::Gathering;
use super::gathering::{Member, News, Place};
use super::words::Said;
use super::writing::{Note, Reader, civs, dispatch, lines, say, when, words};
use crate::archive::{
    Fate, GatheringRecord, LetterRecord, LetterStatus, NewDispatch, PersonId, Settled, Stage, Status,
};
use crate::desk::table::standing_in::shortly;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::post::writing::Typed;

/// So many answers at the command line are kept.
const MOST_ANSWERS: usize = 5;

impl Desk {
    /// Where the host of an open game is written to.
    pub(in crate::desk) fn host(&self, gathering: &Gathering) -> Reader {
        let forum = gathering.game.file.forum.as_ref().map(|forum| forum.carrier.as_str());
        Reader::named(&self.house, &gathering.game.file.moderator, forum)
    }

    /// A letter to the host.
    pub(in crate::desk) fn tell_host(
        &self,
        gathering: &Gathering,
        news: &News,
        about: &str,
        now: DateTime<Utc>,
    ) -> Result<NewDispatch, DeskError> {
        let host = self.host(gathering);
        let (game, title) = (gathering.record.id.as_str(), gathering.record.title.as_str());
        let text = match news {
            News::HostAsked(number) => {
                let member = gathering.meeting.gathered.members.iter().find(|member| member.number == *number);
                let name = member.map(|member| self.name_of(member.person)).transpose()?.unwrap_or_default();
                let wishes = member.map(|member| civs(&self.house, host.language, member.wishes.iter().copied()));
                let wishes = wishes.unwrap_or_default().join(", ");
                let record = member.map(|member| self.archive.record(member.person)).transpose()?.unwrap_or_default();
                let record = shortly(words(&self.house, host.language), &record);
                say(&self.house, host.language, "host_asked", context! { game, title, number, name, wishes, record })
            }
            News::HostMusters | News::HostPostponed | News::Promoted(_) | News::Muster(..) => {
                let key = if *news == News::HostPostponed { "host_postponed" } else { "host_musters" };
                let left = gathering.meeting.left();
                say(&self.house, host.language, key, context! { game, title, left })
            }
            News::Lost(_) | News::Postponed(_) | News::Withdrawn(..) => String::new(),
        };
        let subject = say(&self.house, host.language, "subject_game", context! { title });
        let to = self.placed(host)?;
        let (id, about) = (&gathering.record.id, format!("{about}.host"));
        let note = Note { to: &to, game: Some(id), about, in_reply_to: None, subject, lines: lines(&text) };
        Ok(dispatch(&self.house, note, now))
    }

    /// What a person is called.
    pub(in crate::desk) fn name_of(&self, person: PersonId) -> Result<String, DeskError> {
        Ok(self.archive.person(person)?.map(|person| person.habits.name).unwrap_or_default())
    }

    /// Does what the host wants of an open game; says what came of it, in the host's language.
    pub(in crate::desk) fn host_says(
        &mut self,
        id: &GameId,
        said: &Said,
        cause: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>, DeskError> {
        let Some(gathering) = self.gathering(id)? else { return Ok(Vec::new()) };
        let host = self.host(&gathering);
        let language = host.language;
        let game = id.as_str();
        let said = match said {
            Said::Who { .. } => return self.who(&gathering, &host),
            Said::Start { .. } => {
                let started = self.gather(id, now, cause, |gathering| gathering.meeting.start(now))?;
                let has_begun = self.archive.game(id)?.is_some();
                let key = match started {
                    Some(true) if has_begun => "begun_host",
                    Some(true) => "started",
                    Some(false) | None => "nobody_in",
                };
                let invites = self.archive.game(id)?.is_some_and(|game| game.status == Status::Inviting);
                say(&self.house, language, key, context! { game, invites })
            }
            Said::Approve { number, .. } | Said::Refuse { number, .. } => {
                let yes = matches!(said, Said::Approve { .. });
                let decided = self.gather(id, now, cause, |it| it.meeting.decide(*number, yes, now))?;
                match decided.flatten() {
                    None => say(&self.house, language, "no_applicant", context! { number, game }),
                    Some((person, place)) => {
                        self.tell_decided(&gathering, person, place, cause, now)?;
                        let name = self.name_of(person)?;
                        let waits = place == Place::Waiting;
                        say(&self.house, language, "decided", context! { name, yes, waits })
                    }
                }
            }
            Said::Withdraw { reason, .. } => {
                let told = self.gather(id, now, cause, |it| it.meeting.withdraw(reason.as_deref()))?;
                self.archive.stand_down_all(id)?;
                say(&self.house, language, "withdrawn_host", context! { game, told => told.unwrap_or(0) })
            }
            Said::Games | Said::Join { .. } | Said::Leave { .. } | Said::Standby { .. } => return Ok(Vec::new()),
            Said::NoStandby { .. } | Said::Here { .. } | Said::Name(_) => return Ok(Vec::new()),
            Said::Record | Said::MyData | Said::ForgetMe | Said::Vacation(_) => return Ok(Vec::new()),
            Said::Observe { .. } | Said::NoObserve { .. } => return Ok(Vec::new()),
        };
        Ok(lines(&said))
    }

    fn tell_decided(
        &self,
        gathering: &Gathering,
        person: PersonId,
        place: Place,
        cause: &str,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let (house, id) = (&self.house, &gathering.record.id);
        let (game, title) = (id.as_str(), gathering.record.title.as_str());
        let key = match place {
            Place::In => "promoted",
            Place::Waiting | Place::Applied | Place::Unconfirmed => "approved_waiting",
            Place::Out => "refused",
        };
        let said = |reader: &Reader| {
            let subject = say(house, reader.language, "subject_game", context! { title });
            (subject, lines(&say(house, reader.language, key, context! { game, title })))
        };
        let written = self.write_to_person(person, Some(id), &format!("decided.{cause}"), now, &said)?;
        let dispatches = written.into_iter().collect();
        Ok(self.archive.commit(&crate::archive::Deed { dispatches, ..Default::default() })?)
    }

    /// Who has come so far, as the host may know: numbers, names and wishes, and nobody's address.
    fn who(&self, gathering: &Gathering, host: &Reader) -> Result<Vec<String>, DeskError> {
        let house = &self.house;
        let meeting = &gathering.meeting;
        let facts = context! {
            title => gathering.record.title.as_str(),
            left => meeting.left(),
            musters => meeting.stage == Stage::Mustering,
        };
        let mut told = lines(&say(house, host.language, "who", facts));
        let order = [Place::In, Place::Waiting, Place::Applied, Place::Unconfirmed];
        let members = order.into_iter().flat_map(|place| meeting.at(place));
        for Member { number, person, wishes, place, here, asked, .. } in members {
            let facts = context! {
                number,
                name => self.name_of(*person)?,
                record => shortly(words(house, host.language), &self.archive.record(*person)?),
                wishes => civs(house, host.language, wishes.iter().copied()).join(", "),
                place => match place {
                    Place::In if *here => "here",
                    Place::In if asked.is_some() => "asked",
                    Place::In => "in",
                    Place::Waiting => "waiting",
                    Place::Applied => "applied",
                    Place::Unconfirmed | Place::Out => "unconfirmed",
                },
            };
            told.push(say(house, host.language, "who_line", facts));
        }
        if let Some(due) = meeting.due() {
            told.push(say(house, host.language, "who_until", context! { until => when(house, host, due) }));
        }
        if self.house.settings.is_deaf() {
            told.push(say(house, host.language, "deaf", context! {}));
        }
        Ok(told)
    }

    /// A command about an open game that somebody typed at the command line. Its answer is kept with the game; none where
    /// there is no such open game.
    pub(in crate::desk) fn host_at_the_door(
        &mut self,
        record: &LetterRecord,
        typed: &Typed,
        now: DateTime<Utc>,
    ) -> Result<Option<Settled>, DeskError> {
        let id = GameId::from(typed.game.as_str());
        let Some(gathering) = self.gathering(&id)? else { return Ok(None) };
        let language = self.host(&gathering).language;
        let cause = format!("letter-{}", record.id.0);
        // The game need not be named again where it is the one that is spoken of.
        let text = typed.command.trim();
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let named = format!("{verb} {id} {rest}");
        let read = |text: &str| super::words::read(text).map(|(_, mut all)| all.remove(0));
        let is_hosts = |said: &Said| said.game_of_host().is_some();
        let said = read(&named).filter(is_hosts).or_else(|| read(text).filter(is_hosts));
        let told = match said {
            Some(said) => self.host_says(&id, &said, &cause, now)?,
            None => lines(&say(&self.house, language, "host_help", context! { game => id.as_str() })),
        };
        // A game that has begun keeps what was said as well: somebody waits for it.
        if let Some(record) = self.archive.gathering(&id)? {
            self.keep_answer(record, &told)?;
        }
        let (fate, remark) = (Fate::Handled, Some("about an open game".to_owned()));
        let status = LetterStatus { id: record.id, fate, sender: String::new(), of: None, remark, proof: None };
        self.settle(status).map(Some)
    }

    fn keep_answer(&self, record: GatheringRecord, told: &[String]) -> Result<(), DeskError> {
        let damaged = |error: serde_json::Error| DeskError::Damaged(error.to_string());
        let mut gathered: super::gathering::Gathered = serde_json::from_str(&record.state).map_err(damaged)?;
        gathered.answered += 1;
        gathered.answers.push(told.join("\n"));
        let more = gathered.answers.len().saturating_sub(MOST_ANSWERS);
        gathered.answers.drain(..more);
        let state = serde_json::to_string(&gathered).map_err(damaged)?;
        let gatherings = vec![GatheringRecord { state, ..record }];
        Ok(self.archive.commit(&crate::archive::Deed { gatherings, ..Default::default() })?)
    }
}

impl Said {
    /// The game that a host speaks of; none where it is nothing that a host says.
    pub(in crate::desk) fn game_of_host(&self) -> Option<&str> {
        match self {
            Said::Who { game } | Said::Start { game } => Some(game),
            Said::Approve { game, .. } | Said::Refuse { game, .. } | Said::Withdraw { game, .. } => Some(game),
            Said::Games | Said::Join { .. } | Said::Leave { .. } | Said::Standby { .. } => None,
            Said::NoStandby { .. } | Said::Here { .. } | Said::Name(_) => None,
            Said::Record | Said::MyData | Said::ForgetMe | Said::Vacation(_) => None,
            Said::Observe { .. } | Said::NoObserve { .. } => None,
        }
    }
}
