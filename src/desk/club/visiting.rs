//! Somebody writes to the club: what they want is done, and they are answered.
//!
//! Of a stranger nothing is believed but that the address is theirs, and only where a server of ours has proved it: such a one
//! gets one letter a day, which repeats nothing of what was written, and is asked to answer it before anything else is sent.

use minijinja::context;

use super::gathering::{Joined, Place};
use super::words::Said;
use super::writing::{Note, Reader, cleaned, dispatch, lines, private_thread, say};
use crate::archive::{
    Address, Deed, Fate, Habits, OurLetter, PersonId, PersonRecord, Proof, Reached, Role, SeatId, SeatRecord, Settled,
    Stage, Standby, Status,
};
use crate::desk::incoming::opened::Opened;
use crate::desk::settings::game_file::{Seat, Sitter};
use crate::desk::settings::written::Zone;
use crate::desk::table::standing_in::Answered;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::orders::Reply;
use crate::post::forum::ForumPlace;
use crate::rules::{Civ, Language};

/// Somebody who writes to the club.
#[derive(Debug, Clone)]
pub(in crate::desk) struct Visitor {
    /// The carrier that brought the letter.
    pub carrier: String,
    /// Where they wrote from.
    pub address: String,
    /// What they are called, and how they like their letters, as far as that is known.
    pub habits: Habits,
    /// Whether the address is proved to be theirs: by the secret of a letter of ours, or by their forum.
    pub proved: bool,
    /// The seat that they wrote from, if it is one.
    pub seat: Option<SeatId>,
    /// The letter of the club that is answered.
    pub answers: Option<OurLetter>,
    /// The thread where they are answered, if it was a post: public or private.
    pub thread: Option<(String, bool)>,
}

impl Visitor {
    /// Whether everybody reads what they are answered.
    pub(in crate::desk) fn is_in_public(&self) -> bool {
        matches!(&self.thread, Some((_, false)))
    }
}

/// So many open games somebody may have joined at once.
const MOST_GAMES: usize = 10;

impl Desk {
    /// Does what a visitor wants, and answers.
    pub(in crate::desk) fn visit(
        &mut self,
        opened: &Opened,
        visitor: &Visitor,
        said: Option<(Language, Vec<Said>)>,
    ) -> Result<Settled, DeskError> {
        let known = self.archive.person_at(&visitor.carrier, &visitor.address)?;
        let is_known = visitor.proved || known.as_ref().is_some_and(|known| is_confirmed_at(known, visitor));
        if !is_known {
            return self.answer_stranger(opened, visitor, known, said);
        }
        let person = match known {
            Some(known) if is_confirmed_at(&known, visitor) => known,
            Some(known) => {
                self.archive.note_reached(known.id, &reached(visitor, opened))?;
                self.archive.person(known.id)?.unwrap_or(known)
            }
            None => self.note_visitor(visitor, opened)?,
        };
        let language = person.habits.language;
        let mut told = self.confirm_all(&person, opened)?;
        let forgets = said.as_ref().is_some_and(|(_, said)| said.contains(&Said::ForgetMe));
        let leaves = match &said {
            Some((_, said)) => self.wants_to_leave(&person, visitor, said)?,
            None => None,
        };
        // What a program leaves below it is not the answer.
        let first = opened.writing.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let reply = Reply::of(first);
        match said {
            Some((_, said)) => {
                for one in &said {
                    told.extend(self.does(&person, visitor, one, opened)?);
                }
            }
            // Whoever has just said that the address is theirs has not said that they are there.
            None if !told.is_empty() => {}
            None => told.extend(self.replied(&person, visitor, reply, opened)?),
        }
        if told.is_empty() {
            told = lines(&say(&self.house, language, "help", context! {}));
        }
        // A name may have changed with it.
        let habits = self.archive.person(person.id)?.map_or(person.habits, |person| person.habits);
        let reader = Reader::at(&habits, &reached(visitor, opened));
        self.answer_visitor(opened, visitor, reader, told, (leaves, forgets))
    }

    /// The seats of games that are not over which somebody has, wherever they are known.
    pub(in crate::desk) fn seats_of(&self, person: &PersonRecord, visitor: &Visitor) -> Result<Vec<SeatId>, DeskError> {
        let mut seats: Vec<SeatId> = visitor.seat.iter().cloned().collect();
        let confirmed = person.reached.iter().filter(|reached| reached.confirmed.is_some());
        for reached in confirmed {
            let found = if reached.address.contains('@') {
                self.archive.seats_at(&reached.address)?
            } else {
                self.archive.seats_by(&reached.carrier, &reached.address)?
            };
            for of in found {
                let is_played = self.archive.game(&of.game)?.is_some_and(|game| game.status != Status::Ended);
                let is_own = || -> Result<bool, DeskError> {
                    let seats = self.archive.seats(&of.game)?;
                    let address = |seat: &SeatRecord| {
                        let own = |known: &&Address| known.address.eq_ignore_ascii_case(&reached.address);
                        seat.addresses.iter().find(own).is_some_and(|known| known.role == Role::Player)
                    };
                    Ok(seats.iter().any(|seat| seat.party == of.party && address(seat)))
                };
                if is_played && of.party.civ().is_some() && !seats.contains(&of) && is_own()? {
                    seats.push(of);
                }
            }
        }
        Ok(seats)
    }

    /// The seat that somebody wants to leave: the one that the letter names, or that it was written from, or the only one.
    fn wants_to_leave(
        &self,
        person: &PersonRecord,
        visitor: &Visitor,
        said: &[Said],
    ) -> Result<Option<(SeatId, Civ)>, DeskError> {
        let game = said.iter().find_map(|said| match said {
            Said::Leave { game } => Some(game.as_deref()),
            _ => None,
        });
        let Some(game) = game else { return Ok(None) };
        let seats = self.seats_of(person, visitor)?;
        let seat = match (game, &visitor.seat) {
            (Some(game), _) => seats.into_iter().find(|of| of.game.as_str() == game),
            (None, Some(seat)) => Some(seat.clone()),
            // What has not begun is left by the same word.
            (None, None) if self.all_gatherings()?.iter().any(|it| it.meeting.member(person.id).is_some()) => None,
            (None, None) => Some(seats).filter(|seats| seats.len() == 1).and_then(|mut seats| seats.pop()),
        };
        Ok(seat.and_then(|seat| seat.party.civ().map(|civ| (seat, civ))))
    }

    /// Notes somebody who has proved their address.
    fn note_visitor(&self, visitor: &Visitor, opened: &Opened) -> Result<PersonRecord, DeskError> {
        let person = self.archive.note_person(&visitor.habits, &reached(visitor, opened), opened.now)?;
        if !person.habits.name.is_empty() {
            return Ok(person);
        }
        let name = say(&self.house, person.habits.language, "guest", context! { number => person.id.0 });
        self.archive.note_habits(person.id, &Habits { name: name.trim().to_owned(), ..person.habits.clone() })?;
        Ok(self.archive.person(person.id)?.unwrap_or(person))
    }

    /// The open games that somebody joined before we knew whether the address is theirs: they are in the line from now on.
    fn confirm_all(&mut self, person: &PersonRecord, opened: &Opened) -> Result<Vec<String>, DeskError> {
        let mut told = Vec::new();
        for gathering in self.all_gatherings()? {
            let member = gathering.meeting.member(person.id);
            if !member.is_some_and(|member| member.place == Place::Unconfirmed) {
                continue;
            }
            let id = gathering.record.id.clone();
            let joined = self.gather(&id, opened.now, &opened.key(), |it| it.meeting.confirm(person.id, opened.now))?;
            told.extend(joined.map(|joined| self.joined(person, &id, joined)).transpose()?.unwrap_or_default());
        }
        Ok(told)
    }

    /// What is said to somebody about their place in an open game.
    fn joined(&self, person: &PersonRecord, id: &GameId, joined: Joined) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let game = id.as_str();
        let (place, number) = match joined {
            Joined::Asked => ("asked", 0),
            Joined::Applied => ("applied", 0),
            Joined::In => ("in", 0),
            Joined::Waiting(number) => ("waiting", number),
            Joined::Taken => ("taken", 0),
            Joined::Already(Place::In) => ("already_in", 0),
            Joined::Already(Place::Applied) => ("applied", 0),
            Joined::Already(Place::Waiting) => ("already_waiting", 0),
            Joined::Already(Place::Unconfirmed | Place::Out) => ("asked", 0),
        };
        let facts = context! { game, place, number, name => person.habits.name.as_str() };
        Ok(lines(&say(&self.house, language, "joined", facts)))
    }

    /// A yes or a no to a letter of the club.
    fn replied(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        reply: Reply,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let named = visitor.answers.as_ref().and_then(|answers| answers.about.split('.').nth(1));
        let named = named.filter(|game| *game != "-").map(str::to_owned);
        let about = |what: &str| {
            let answers = visitor.answers.as_ref()?;
            let number = answers.about.split('.').nth(2)?.strip_prefix(what)?.parse().ok()?;
            Some(Civ(number))
        };
        let asked = about("ask-");
        let is_forgetting =
            || visitor.answers.as_ref().is_some_and(|answers| answers.about.starts_with("club.-.forget-"));
        if reply != Reply::Other && is_forgetting() {
            return self.forgets(person, reply == Reply::Yes);
        }
        if let (Some(civ), Some(game)) = (about("leave-"), &named) {
            return self.leaves_for_good(person, visitor, (&GameId::from(game.as_str()), civ), reply, opened);
        }
        if let (Some(civ), Some(game), Reply::Yes | Reply::No) = (asked, &named, reply) {
            let id = GameId::from(game.as_str());
            if self.archive.game(&id)?.is_none() {
                return Ok(Vec::new());
            }
            let (yes, language) = (reply == Reply::Yes, person.habits.language);
            let at = (opened.record.id, opened.now);
            let key = match self.answers_asked(&id, (civ, &visitor.address), yes, language, at)? {
                Answered::TakenOver if self.archive.game(&id)?.is_some_and(|game| game.status == Status::Inviting) => {
                    "you_took_seat"
                }
                Answered::TakenOver => "you_took_over",
                Answered::Declined => "you_declined_over",
                Answered::TooLate if self.archive.game(&id)?.is_some_and(|game| game.status == Status::Ended) => {
                    "ended_over"
                }
                Answered::TooLate => "too_late_over",
            };
            return Ok(lines(&say(&self.house, language, key, context! { game => id.as_str() })));
        }
        if let Some(told) = self.was_withdrawn(person, named.as_deref())? {
            return Ok(told);
        }
        match reply {
            Reply::Yes => self.is_here(person, named.as_deref(), opened),
            Reply::No if named.is_some() => self.gives_up(person, visitor, named.as_deref(), opened),
            Reply::No | Reply::Other => Ok(Vec::new()),
        }
    }

    fn does(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        said: &Said,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        if let Some(game) = said.game_of_host() {
            let id = GameId::from(game);
            let is_host = match self.gathering(&id)? {
                Some(gathering) => self.is_host(&gathering, visitor, person),
                None => false,
            };
            if is_host {
                return self.host_says(&id, said, &opened.key(), opened.now);
            }
            if let Some(told) = self.was_withdrawn(person, Some(game))? {
                return Ok(told);
            }
            return Ok(lines(&say(&self.house, language, "not_host", context! {})));
        }
        match said {
            Said::Join { game, .. } | Said::Leave { game: Some(game) } | Said::Standby { game: Some(game) }
                if let Some(told) = self.was_withdrawn(person, Some(game))? =>
            {
                Ok(told)
            }
            Said::Games => self.listed(language),
            Said::Join { game, wishes } => self.joins(person, game, wishes, opened),
            Said::Leave { game } => self.gives_up(person, visitor, game.as_deref(), opened),
            Said::Here { game } => self.is_here(person, game.as_deref(), opened),
            Said::Standby { game } => self.stands_by(person, game.as_deref(), opened),
            Said::NoStandby { game } => {
                let id = game.as_deref().map(GameId::from);
                let did = self.archive.stand_down(person.id, id.as_ref())?;
                let facts = context! { game => game.as_deref(), did };
                Ok(lines(&say(&self.house, language, "stands_down", facts)))
            }
            Said::Name(name) => {
                let Some(name) = cleaned(name) else {
                    return Ok(lines(&say(&self.house, language, "no_name", context! {})));
                };
                let facts = context! { name => name.as_str() };
                self.archive.note_habits(person.id, &Habits { name, ..person.habits.clone() })?;
                Ok(lines(&say(&self.house, language, "named", facts)))
            }
            Said::Record | Said::MyData | Said::ForgetMe if visitor.is_in_public() => {
                Ok(lines(&say(&self.house, language, "only_in_private", context! {})))
            }
            Said::Record => self.tell_record(person),
            Said::MyData => self.tell_data(person, visitor),
            Said::ForgetMe => Ok(lines(&say(&self.house, language, "forget_really", context! {}))),
            Said::Vacation(until) => self.vacation(person, visitor, until.as_deref(), opened.now),
            Said::Observe { game, level } => self.observes(person, visitor, game, *level, opened.now),
            Said::NoObserve { game } => {
                let id = game.as_deref().map(GameId::from);
                let did = self.archive.stop_observing(person.id, id.as_ref())? > 0;
                Ok(lines(&say(&self.house, language, "observes_no_more", context! { did })))
            }
            Said::Who { .. } | Said::Start { .. } | Said::Approve { .. } => Ok(Vec::new()),
            Said::Refuse { .. } | Said::Withdraw { .. } => Ok(Vec::new()),
        }
    }

    /// What is said of an open game that was withdrawn; none where it was not.
    fn was_withdrawn(&self, person: &PersonRecord, game: Option<&str>) -> Result<Option<Vec<String>>, DeskError> {
        let Some(id) = game.map(GameId::from) else { return Ok(None) };
        let is_withdrawn = self.archive.gathering(&id)?.is_some_and(|gathering| gathering.stage == Stage::Withdrawn);
        if !is_withdrawn || self.archive.game(&id)?.is_some() {
            return Ok(None);
        }
        let facts = context! { game => id.as_str() };
        Ok(Some(lines(&say(&self.house, person.habits.language, "was_withdrawn", facts))))
    }

    /// Whether a visitor hosts an open game: by an address that its file names, or by the name in its forum.
    fn is_host(&self, gathering: &super::Gathering, visitor: &Visitor, person: &PersonRecord) -> bool {
        let file = &gathering.game.file;
        let is_named =
            |address: &str| file.moderator.addresses.iter().any(|known| known.as_str().eq_ignore_ascii_case(address));
        let confirmed = person.reached.iter().filter(|reached| reached.confirmed.is_some());
        let by_forum = file.forum.as_ref().is_some_and(|forum| {
            forum.carrier == visitor.carrier
                && visitor.thread.is_some()
                && file.moderator.forum.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(&visitor.habits.name))
        });
        is_named(&visitor.address) || confirmed.map(|reached| reached.address.as_str()).any(is_named) || by_forum
    }

    fn joins(
        &mut self,
        person: &PersonRecord,
        game: &str,
        wishes: &[String],
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let id = GameId::from(game);
        let Some(gathering) = self.gathering(&id)? else {
            let has_begun = self.archive.game(&id)?.is_some_and(|game| game.status != Status::Ended);
            let facts = context! { game => id.as_str(), has_begun };
            return Ok(lines(&say(&self.house, language, "no_such_game", facts)));
        };
        let (wishes, unknown) = self.wished(wishes);
        if let Some(unknown) = unknown {
            let facts = context! { unknown, free => super::writing::civs(&self.house, language, gathering.meeting.free.iter().copied()).join(", ") };
            return Ok(lines(&say(&self.house, language, "no_such_civ", facts)));
        }
        if !self.can_be_reached(person, &gathering) {
            return Ok(lines(&say(&self.house, language, "not_reached", context! { game => id.as_str() })));
        }
        // Nobody sits at two seats: the file may have given them one.
        let is_seated = |seat: &Seat| match &seat.sitter {
            Sitter::Player { player, .. } => player.addresses.iter().any(|address| person.knows(address.as_str())),
            Sitter::Companion(_) => false,
        };
        if gathering.game.file.seats.iter().any(is_seated) {
            return self.joined(person, &id, Joined::Already(Place::In));
        }
        let record = self.archive.record(person.id)?;
        let rules = gathering.game.rules;
        let is_late = record.share().is_some_and(|share| share < u32::from(rules.least_in_time));
        if is_late || record.finished < u32::from(rules.least_finished) {
            let facts =
                context! { game => id.as_str(), in_time => rules.least_in_time, finished => rules.least_finished };
            return Ok(lines(&say(&self.house, language, "below_minimum", facts)));
        }
        let mine = |it: &super::Gathering| it.meeting.member(person.id).is_some();
        if !mine(&gathering) && self.all_gatherings()?.iter().filter(|it| mine(it)).count() >= MOST_GAMES {
            return Ok(lines(&say(&self.house, language, "too_many_games", context! {})));
        }
        let joined =
            self.gather(&id, opened.now, &opened.key(), |it| it.meeting.join(person.id, true, wishes, opened.now))?;
        joined.map(|joined| self.joined(person, &id, joined)).transpose().map(Option::unwrap_or_default)
    }

    /// The civilizations that somebody names, and the first name that is none.
    fn wished(&self, wishes: &[String]) -> (Vec<Civ>, Option<String>) {
        let lexicon = &self.house.edition.lexicon;
        let mut civs = Vec::new();
        for wish in wishes {
            match lexicon.civs.exact(wish) {
                Some(civ) if !civs.contains(&civ) => civs.push(civ),
                Some(_) => {}
                None => return (civs, Some(wish.chars().take(30).collect())),
            }
        }
        (civs, None)
    }

    /// Whether a game can be played from where somebody is known: by mail, or in its own forum by private messages.
    fn can_be_reached(&self, person: &PersonRecord, gathering: &super::Gathering) -> bool {
        let forum = gathering.game.file.forum.as_ref().map(|forum| forum.carrier.as_str());
        person.reached.iter().any(|reached| {
            let is_mail = reached.address.contains('@');
            let is_here = forum == Some(reached.carrier.as_str());
            reached.confirmed.is_some()
                && (is_mail || is_here && self.house.carrier(&reached.carrier).reaches_persons())
        })
    }

    fn gives_up(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        game: Option<&str>,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let mine = self.all_gatherings()?.into_iter().filter(|it| it.meeting.member(person.id).is_some());
        let mine: Vec<GameId> = mine.map(|it| it.record.id).collect();
        let said = [Said::Leave { game: game.map(str::to_owned) }];
        if let Some((seat, civ)) = self.wants_to_leave(person, visitor, &said)? {
            let civ = super::writing::civs(&self.house, language, [civ]).join(", ");
            let facts = context! { game => seat.game.as_str(), civ };
            return Ok(lines(&say(&self.house, language, "leave_really", facts)));
        }
        let id = match (game, mine.as_slice()) {
            (Some(game), _) => GameId::from(game),
            (None, [only]) => only.clone(),
            (None, []) => {
                let seats = self.seats_of(person, visitor)?;
                let games = seats.iter().map(|seat| seat.game.to_string()).collect::<Vec<_>>().join(", ");
                if !games.is_empty() {
                    return Ok(lines(&say(&self.house, language, "leave_which", context! { games })));
                }
                return Ok(lines(&say(&self.house, language, "left_none", context! {})));
            }
            (None, _) => {
                return Ok(lines(&say(
                    &self.house,
                    language,
                    "which_game",
                    context! { games => mine.iter().map(GameId::to_string).collect::<Vec<_>>().join(", ") },
                )));
            }
        };
        let left = self.gather(&id, opened.now, &opened.key(), |it| it.meeting.leave(person.id))?;
        let facts = context! { game => id.as_str() };
        let key = match left {
            Some(true) => "left",
            Some(false) | None => "left_none",
        };
        Ok(lines(&say(&self.house, language, key, facts)))
    }

    /// Whoever was asked whether they leave a game for good has answered.
    fn leaves_for_good(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        (id, civ): (&GameId, Civ),
        reply: Reply,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let facts = context! { game => id.as_str() };
        let is_theirs = self.seats_of(person, visitor)?.iter().any(|of| of.game == *id && of.party.civ() == Some(civ));
        let key = match reply {
            Reply::Yes if is_theirs && self.leaves_seat(id, civ, (opened.record.id, opened.now))? => "leaves_seat",
            Reply::Yes => "leave_over",
            Reply::No => "leave_not",
            Reply::Other => return Ok(Vec::new()),
        };
        Ok(lines(&say(&self.house, language, key, facts)))
    }

    fn is_here(
        &mut self,
        person: &PersonRecord,
        game: Option<&str>,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let is_asked = |it: &super::Gathering| {
            let member = it.meeting.member(person.id);
            it.meeting.stage == Stage::Mustering && member.is_some_and(|member| member.asked.is_some())
        };
        let asked = self.all_gatherings()?.into_iter().filter(is_asked).map(|it| it.record.id);
        let asked: Vec<GameId> = asked.filter(|id| game.is_none_or(|game| game == id.as_str())).collect();
        let mut told = Vec::new();
        for id in asked {
            let noted = self.gather(&id, opened.now, &opened.key(), |it| it.meeting.here(person.id))?;
            if noted == Some(true) {
                let has_begun = self.gathering(&id)?.is_none();
                let invites = self.archive.game(&id)?.is_some_and(|game| game.status == Status::Inviting);
                let facts = context! { game => id.as_str(), has_begun, invites };
                told.extend(lines(&say(&self.house, language, "here", facts)));
            }
        }
        Ok(told)
    }

    fn stands_by(
        &mut self,
        person: &PersonRecord,
        game: Option<&str>,
        opened: &Opened,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let game = game.map(GameId::from);
        let is_there = match &game {
            Some(id) => {
                self.gathering(id)?.is_some() || self.archive.game(id)?.is_some_and(|game| game.status != Status::Ended)
            }
            None => true,
        };
        if !is_there {
            let facts = context! { game => game.as_ref().map(GameId::as_str), has_begun => false };
            return Ok(lines(&say(&self.house, language, "no_such_game", facts)));
        }
        self.archive.stand_by(&Standby { person: person.id, game: game.clone(), since: opened.now })?;
        let facts = context! { game => game.as_ref().map(GameId::as_str) };
        Ok(lines(&say(&self.house, language, "stands_by", facts)))
    }

    /// Answers somebody we do not know, once in a day, and so many of them a day in all. Nothing of what was written is repeated.
    fn answer_stranger(
        &mut self,
        opened: &Opened,
        visitor: &Visitor,
        known: Option<PersonRecord>,
        said: Option<(Language, Vec<Said>)>,
    ) -> Result<Settled, DeskError> {
        let Some((language, said)) = said.filter(|_| self.house.settings.club.open) else {
            return self.settle(opened.fate(Fate::Stranger, None, Some("nobody we know")));
        };
        let day = opened.now.timestamp() / 86_400;
        let about = format!("stranger-{}-{day}", self.house.aside_name(&visitor.address));
        let habits = Habits { language, ..visitor.habits.clone() };
        let reader = Reader::at(&habits, &reached(visitor, opened));
        let subject = say(&self.house, language, "subject", context! {});
        let first = said.iter().find_map(|said| match said {
            Said::Join { game, wishes } => Some((game.clone(), wishes.clone())),
            _ => None,
        });
        let sketch = Note {
            to: &reader,
            game: None,
            about: about.clone(),
            in_reply_to: None,
            subject: subject.clone(),
            lines: Vec::new(),
        };
        let count_name = format!("club.answered.{}", day % 2);
        let counted = self.archive.kept(&count_name)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let counted = counted.and_then(|counted| {
            let (of, count) = counted.split_once(' ')?;
            (of == day.to_string()).then(|| count.parse::<u32>().ok()).flatten()
        });
        let counted = counted.unwrap_or(0);
        let is_answered = self.archive.has_written(&dispatch(&self.house, sketch, opened.now))?;
        if is_answered || counted >= self.house.settings.club.answers_a_day {
            let why = if is_answered { "answered today" } else { "as many strangers as are answered in a day" };
            return self.settle(opened.fate(Fate::Stranger, None, Some(why)));
        }
        let mut told = Vec::new();
        if let Some((game, wishes)) = first {
            let id = GameId::from(game.as_str());
            let wishes = self.wished(&wishes).0;
            // What is taken is not asked about: the list shows what is left.
            let has_place = |it: super::Gathering| {
                let mut trial = it.meeting;
                trial.join(PersonId(0), false, wishes.clone(), opened.now) != Joined::Taken
            };
            if self.gathering(&id)?.is_some_and(has_place) {
                let name = said.iter().find_map(|said| match said {
                    Said::Name(name) => cleaned(name),
                    _ => None,
                });
                let named = Visitor {
                    habits: Habits { name: name.unwrap_or(habits.name.clone()), ..habits.clone() },
                    ..visitor.clone()
                };
                let person = match known {
                    Some(known) => known,
                    None => self.note_visitor(&named, opened)?,
                };
                self.gather(&id, opened.now, &opened.key(), |it| {
                    it.meeting.join(person.id, false, wishes, opened.now)
                })?;
                told.extend(lines(&say(&self.house, language, "confirm", context! {})));
            }
        }
        if told.is_empty() {
            told = self.listed(language)?;
            told.push(String::new());
            told.extend(lines(&say(&self.house, language, "stranger", context! {})));
        }
        self.archive.keep(&count_name, format!("{day} {}", counted + 1).as_bytes())?;
        let note = Note { to: &reader, game: None, about, in_reply_to: None, subject, lines: told };
        let dispatches = vec![dispatch(&self.house, note, opened.now)];
        let letters = vec![opened.fate(Fate::Handled, None, Some("a stranger to the club"))];
        Ok(self.archive.settle(&Deed { letters, dispatches, ..Deed::default() }, opened.record.id)?)
    }

    /// Answers where the letter came from: by mail, in the private thread, or in the thread where people sign up.
    fn answer_visitor(
        &mut self,
        opened: &Opened,
        visitor: &Visitor,
        reader: Reader,
        told: Vec<String>,
        (leaves, said_forget): (Option<(SeatId, Civ)>, bool),
    ) -> Result<Settled, DeskError> {
        let language = reader.language;
        let to = match &visitor.thread {
            Some((thread, true)) => {
                self.archive.keep(&private_thread(&visitor.carrier, &visitor.address), thread.as_bytes())?;
                Reader { address: ForumPlace::Private(thread.clone()).to_string(), ..reader }
            }
            Some((thread, false)) => Reader { address: ForumPlace::Thread(thread.clone()).to_string(), ..reader },
            None => self.placed(reader)?,
        };
        let is_public = matches!(&visitor.thread, Some((_, false)));
        let mut told = told;
        if is_public {
            // In a thread everybody writes; whose answer it is stands first.
            told.insert(0, say(&self.house, language, "to", context! { name => visitor.habits.name.as_str() }));
        }
        let subject = say(&self.house, language, "subject", context! {});
        let in_reply_to = opened.writing.message_id.as_deref();
        let game = leaves.as_ref().map(|(seat, _)| &seat.game);
        let forgets = said_forget && !is_public;
        let about = match &leaves {
            _ if forgets => format!("forget-.{}", opened.key()),
            Some((_, civ)) => format!("leave-{}.{}", civ.0, opened.key()),
            None => opened.key(),
        };
        let note = Note { to: &to, game, about, in_reply_to, subject, lines: told };
        let dispatches = vec![dispatch(&self.house, note, opened.now)];
        let letters = vec![opened.fate(Fate::Handled, visitor.seat.clone(), Some("to the club"))];
        Ok(self.archive.settle(&Deed { letters, dispatches, ..Deed::default() }, opened.record.id)?)
    }

    /// Somebody of whom nothing is known but the address and what they call themselves.
    pub(in crate::desk) fn newcomer(&self, name: Option<&str>, language: Language) -> Habits {
        let zone = Zone::default().to_string();
        Habits { name: name.and_then(cleaned).unwrap_or_default(), language, zone, html: true }
    }
}

/// Whether the address they wrote from is confirmed to be theirs, and what was written is known to come from there.
fn is_confirmed_at(person: &PersonRecord, visitor: &Visitor) -> bool {
    person.reached.iter().any(|reached| reached.address == visitor.address && reached.confirmed.is_some())
}

/// The address they wrote from, as one that is theirs where that is proved.
fn reached(visitor: &Visitor, opened: &Opened) -> Reached {
    let confirmed = visitor.proved.then_some(opened.now);
    Reached { carrier: visitor.carrier.clone(), address: visitor.address.clone(), confirmed }
}

/// What is known of the sender of a letter to the club.
pub(in crate::desk) fn proof(visitor: &Visitor) -> Proof {
    if visitor.proved { Proof::Proved } else { Proof::Unproved }
}
