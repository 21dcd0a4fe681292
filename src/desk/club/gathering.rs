//! An open game before it begins: who has come, who waits, and who has said that they are there.
//!
//! Comes in: what people do, and the time. Goes out: what is to be told to whom. It looks at nobody's address: it knows people
//! by their numbers.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::archive::{PersonId, Stage};
use crate::desk::settings::game_file::{Dealt, OpenRules};
use crate::rules::Civ;

/// Who has come so far to an open game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gathered {
    /// In the sequence in which they came.
    pub members: Vec<Member>,
    /// Whether the host has said that companions take what stays empty.
    pub companions: bool,
    /// What was said to the host at the command line, the last of it.
    pub answers: Vec<String>,
    /// How often anything was said there.
    pub answered: u64,
    /// How many letters were written about it, so that each has a name of its own.
    pub told: u64,
}

/// Somebody who has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Their number in this game, by which the host names them.
    pub number: u32,
    pub person: PersonId,
    /// What they would like to play, the dearest first.
    pub wishes: Vec<Civ>,
    pub place: Place,
    /// Since when they are where they are in the line.
    pub since: DateTime<Utc>,
    /// When they were asked whether they are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<DateTime<Utc>>,
    /// Whether they have said so.
    #[serde(default)]
    pub here: bool,
}

/// Where somebody stands who has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Nobody knows whether the address is theirs.
    Unconfirmed,
    /// The host has to approve.
    Applied,
    /// A seat is theirs.
    In,
    /// All seats were taken when they came.
    Waiting,
    /// They have left, were not there, or the host has said no.
    Out,
}

/// Something that is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A seat has become free, and it is theirs.
    Promoted(PersonId),
    /// They are asked whether they are there, until then.
    Muster(PersonId, DateTime<Utc>),
    /// They were not there in time.
    Lost(PersonId),
    /// Too few were there: they keep their place.
    Postponed(PersonId),
    /// The host hears that everybody is asked.
    HostMusters,
    /// The host hears that too few were there.
    HostPostponed,
    /// The host is asked about somebody, by their number.
    HostAsked(u32),
    /// Nothing comes of the game, and why.
    Withdrawn(PersonId, Option<String>),
}

/// What came of an attempt to join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// A question whether the address is theirs has to be answered first.
    Asked,
    /// The host has to approve.
    Applied,
    In,
    /// The number in the line of those who wait.
    Waiting(usize),
    /// They were there already, and are so still; their wishes are the new ones.
    Already(Place),
    /// All civilizations that they would play are taken.
    Taken,
}

/// An open game that people come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    pub stage: Stage,
    pub gathered: Gathered,
    pub rules: OpenRules,
    /// The civilizations that are to be dealt.
    pub free: Vec<Civ>,
    pub seed: [u8; 32],
    pub news: Vec<News>,
}

impl Meeting {
    /// The member that a person is, if they have not left.
    pub fn member(&self, person: PersonId) -> Option<&Member> {
        self.gathered.members.iter().find(|member| member.person == person && member.place != Place::Out)
    }

    fn member_mut(&mut self, person: PersonId) -> Option<&mut Member> {
        self.gathered.members.iter_mut().find(|member| member.person == person && member.place != Place::Out)
    }

    /// Those who stand there, the first first.
    pub fn at(&self, place: Place) -> impl Iterator<Item = &Member> {
        self.gathered.members.iter().filter(move |member| member.place == place)
    }

    /// How many seats are still to be had.
    pub fn left(&self) -> usize {
        self.free.len().saturating_sub(self.at(Place::In).count())
    }

    /// Somebody wants to play. `confirmed` says whether the address is known to be theirs.
    pub fn join(&mut self, person: PersonId, confirmed: bool, wishes: Vec<Civ>, now: DateTime<Utc>) -> Joined {
        let wishes: Vec<Civ> = wishes.into_iter().filter(|civ| self.free.contains(civ)).collect();
        if let Some(member) = self.member(person) {
            let place = member.place;
            if !self.has_choice(person, &wishes) {
                return Joined::Taken;
            }
            if let Some(member) = self.member_mut(person).filter(|_| !wishes.is_empty()) {
                member.wishes = wishes;
            }
            return Joined::Already(place);
        }
        if !self.has_choice(person, &wishes) {
            return Joined::Taken;
        }
        let number = self.gathered.members.iter().map(|member| member.number).max().unwrap_or(0) + 1;
        let place = Place::Unconfirmed;
        self.gathered.members.push(Member { number, person, wishes, place, since: now, asked: None, here: false });
        if confirmed { self.confirm(person, now) } else { Joined::Asked }
    }

    /// Whether one of the wishes can still be fulfilled where whoever comes first chooses.
    fn has_choice(&self, person: PersonId, wishes: &[Civ]) -> bool {
        let taken: Vec<Civ> =
            self.claims().into_iter().filter(|(other, _)| *other != person).map(|(_, civ)| civ).collect();
        self.rules.civilizations != Dealt::Chosen
            || wishes.is_empty()
            || wishes.iter().any(|civ| !taken.contains(civ))
            || self.left() == 0
    }

    /// Which civilizations are somebody's already: where whoever comes first chooses.
    pub(crate) fn claims(&self) -> Vec<(PersonId, Civ)> {
        let mut claims: Vec<(PersonId, Civ)> = Vec::new();
        if self.rules.civilizations == Dealt::Chosen {
            for member in self.at(Place::In) {
                let is_free = |civ: &&Civ| !claims.iter().any(|(_, taken)| taken == *civ);
                let civ = member.wishes.iter().find(is_free).copied();
                claims.extend(civ.map(|civ| (member.person, civ)));
            }
        }
        claims
    }

    /// The address is theirs: they come into the line now.
    pub fn confirm(&mut self, person: PersonId, now: DateTime<Utc>) -> Joined {
        let place = match self.member(person).map(|member| member.place) {
            None | Some(Place::Out) => return Joined::Asked,
            Some(Place::Unconfirmed) if self.rules.approval => Place::Applied,
            Some(Place::Unconfirmed) => self.open_place(),
            Some(place) => return Joined::Already(place),
        };
        self.put(person, place, now);
        if place == Place::Applied {
            let number = self.member(person).map(|member| member.number);
            self.news.extend(number.map(News::HostAsked));
        }
        match place {
            Place::Applied => Joined::Applied,
            Place::In => Joined::In,
            Place::Waiting | Place::Unconfirmed | Place::Out => Joined::Waiting(self.at(Place::Waiting).count()),
        }
    }

    /// Where somebody comes who comes now. Whoever waits already comes first.
    fn open_place(&self) -> Place {
        let is_open = self.left() > 0 && self.at(Place::Waiting).next().is_none();
        if is_open && self.stage == Stage::Open { Place::In } else { Place::Waiting }
    }

    /// Moves somebody, behind everybody who is there already.
    fn put(&mut self, person: PersonId, place: Place, now: DateTime<Utc>) {
        let at = self.gathered.members.iter().position(|member| member.person == person && member.place != Place::Out);
        if let Some(at) = at {
            let member = self.gathered.members.remove(at);
            self.gathered.members.push(Member { place, since: now, ..member });
        }
    }

    /// The host approves of somebody who has applied, or does not. Says who it is.
    pub fn decide(&mut self, number: u32, yes: bool, now: DateTime<Utc>) -> Option<(PersonId, Place)> {
        let person = self.at(Place::Applied).find(|member| member.number == number)?.person;
        let place = if yes { self.open_place() } else { Place::Out };
        self.put(person, place, now);
        Some((person, place))
    }

    /// Somebody leaves. Says whether they were there.
    pub fn leave(&mut self, person: PersonId) -> bool {
        let member = self.member_mut(person);
        let is_there = member.is_some();
        if let Some(member) = member {
            member.place = Place::Out;
        }
        is_there
    }

    /// Somebody says that they are there. Says whether they were asked.
    pub fn here(&mut self, person: PersonId) -> bool {
        let asked = self.member_mut(person).filter(|member| member.place == Place::In && member.asked.is_some());
        let is_asked = asked.is_some();
        if let Some(member) = asked {
            member.here = true;
        }
        is_asked
    }

    /// The host says that it begins with those who are in, and companions in the rest. False where nobody is in.
    pub fn start(&mut self, now: DateTime<Utc>) -> bool {
        if self.at(Place::In).next().is_none() || !self.stage.gathers() {
            return false;
        }
        self.gathered.companions = true;
        if self.stage == Stage::Open {
            self.begin_mustering(now);
        }
        true
    }

    /// The host withdraws it: whoever has come is told. An address that nobody has confirmed is written to no more. Says how
    /// many are told.
    pub fn withdraw(&mut self, reason: Option<&str>) -> usize {
        let has_come = |member: &&Member| matches!(member.place, Place::In | Place::Waiting | Place::Applied);
        let come: Vec<PersonId> = self.gathered.members.iter().filter(has_come).map(|member| member.person).collect();
        let news = come.iter().map(|person| News::Withdrawn(*person, reason.map(str::to_owned)));
        self.news.extend(news);
        self.stage = Stage::Withdrawn;
        come.len()
    }

    fn begin_mustering(&mut self, now: DateTime<Utc>) {
        self.stage = Stage::Mustering;
        self.news.push(News::HostMusters);
        let everybody: Vec<PersonId> = self.at(Place::In).map(|member| member.person).collect();
        everybody.into_iter().for_each(|person| self.ask(person, now));
    }

    /// Asks somebody whether they are there; where nobody is asked, everybody is.
    fn ask(&mut self, person: PersonId, now: DateTime<Utc>) {
        let muster = self.rules.muster.delta();
        let is_asked = !muster.is_zero();
        if let Some(member) = self.member_mut(person) {
            member.asked = Some(now);
            member.here = !is_asked;
        }
        if is_asked {
            self.news.push(News::Muster(person, now + muster));
        }
    }

    /// Until when somebody has time to say that they are there.
    fn until(&self, member: &Member) -> Option<DateTime<Utc>> {
        member
            .asked
            .filter(|_| member.place == Place::In && !member.here)
            .map(|asked| asked + self.rules.muster.delta())
    }

    /// When it next needs a look: somebody who is asked may not have answered by then.
    pub fn due(&self) -> Option<DateTime<Utc>> {
        let is_asked = self.stage == Stage::Mustering;
        self.gathered.members.iter().filter(|_| is_asked).filter_map(|member| self.until(member)).min()
    }

    /// Does what follows of itself by now: seats that are free go to those who wait, everybody is asked when all have come,
    /// and whoever was not there in time makes room. Says whether it begins.
    pub fn settle(&mut self, now: DateTime<Utc>) -> bool {
        if !self.stage.gathers() {
            return false;
        }
        let late: Vec<PersonId> = match self.stage {
            Stage::Mustering => {
                let is_late = |member: &&Member| self.until(member).is_some_and(|until| until <= now);
                self.gathered.members.iter().filter(is_late).map(|member| member.person).collect()
            }
            Stage::Open | Stage::Begun | Stage::Withdrawn => Vec::new(),
        };
        for person in late {
            self.leave(person);
            self.news.push(News::Lost(person));
        }
        while self.left() > 0 {
            let Some(next) = self.at(Place::Waiting).next().map(|member| member.person) else { break };
            self.put(next, Place::In, now);
            if self.stage == Stage::Mustering {
                self.ask(next, now);
            } else {
                self.news.push(News::Promoted(next));
            }
        }
        if self.stage == Stage::Open && self.left() == 0 && !self.free.is_empty() {
            self.begin_mustering(now);
        }
        let is_nobody = self.at(Place::In).next().is_none();
        if self.stage == Stage::Mustering && (is_nobody || (self.left() > 0 && !self.gathered.companions)) {
            self.postpone();
        }
        self.stage == Stage::Mustering && self.at(Place::In).all(|member| member.here)
    }

    /// Too few are there: others may join again, and whoever is in stays so.
    fn postpone(&mut self) {
        self.stage = Stage::Open;
        self.gathered.companions = false;
        self.news.retain(|news| !matches!(news, News::Muster(..)));
        self.news.push(News::HostPostponed);
        for member in self.gathered.members.iter_mut().filter(|member| member.place == Place::In) {
            member.asked = None;
            member.here = false;
            self.news.push(News::Postponed(member.person));
        }
    }

    /// Who plays what. The seed draws in which sequence they choose, unless whoever comes first does; whoever has none of
    /// their wishes gets one that is left, which the seed draws as well.
    pub fn deal(&self) -> Vec<(PersonId, Civ)> {
        let mut people: Vec<&Member> = self.at(Place::In).collect();
        match self.rules.civilizations {
            Dealt::Chosen => {}
            Dealt::Wished | Dealt::Drawn => people.sort_by_key(|member| self.drawn("person", member.number)),
        }
        let mut left = self.free.clone();
        left.sort_by_key(|civ| self.drawn("civilization", u32::from(civ.0)));
        let (mut dealt, mut without) = (Vec::new(), Vec::new());
        for member in people {
            let wishes = if self.rules.civilizations == Dealt::Drawn { &[][..] } else { &member.wishes[..] };
            match wishes.iter().find_map(|civ| left.iter().position(|other| other == civ)) {
                Some(at) => dealt.push((member.person, left.remove(at))),
                None => without.push(member.person),
            }
        }
        dealt.extend(without.into_iter().zip(left));
        dealt
    }

    /// What the seed draws for somebody or something: whoever knows the seed can draw it again.
    fn drawn(&self, what: &str, number: u32) -> [u8; 32] {
        Sha256::new().chain_update(self.seed).chain_update(format!("{what} {number}")).finalize().into()
    }
}
