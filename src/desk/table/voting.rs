//! Votes: a player proposes something, the others say yes or no, silence is no, and the group's rules decide.
//!
//! Comes in: wishes to propose and to vote, and the time. Goes out: what comes of them, and letters to everybody. Where the
//! group says so, nobody learns how anybody voted before it is decided, the moderator neither.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

use crate::archive::{DispatchKind, GameRecord, Party, Reason, Status, Stopped};
use crate::desk::settings::written::Length;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{Table, creating, stopping};
use crate::game::{TurnPhase, ast};
use crate::orders::asking::Proposed;
use crate::rules::Civ;

/// How a group decides what its players propose: `[votes]` of the game's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VoteRules {
    pub extension: Majority,
    pub earlier: Majority,
    /// A pause, and its end.
    pub pause: Majority,
    /// The end of the game, scored as it stands.
    pub end: Majority,
    /// The end of the game without a winner and without scores.
    pub abandon: Majority,
    /// Whether nobody learns who voted how before it is decided.
    pub secret: bool,
    /// How long a proposal is open that names no cut-off.
    pub open: Length,
}

impl Default for VoteRules {
    fn default() -> VoteRules {
        VoteRules {
            extension: Majority::TwoThirds,
            earlier: Majority::Unanimous,
            pause: Majority::TwoThirds,
            end: Majority::Unanimous,
            abandon: Majority::Unanimous,
            secret: true,
            open: Length::hours(48),
        }
    }
}

impl VoteRules {
    fn of(&self, what: Proposed) -> Majority {
        match what {
            Proposed::Extension { .. } => self.extension,
            Proposed::Earlier { .. } => self.earlier,
            Proposed::Pause | Proposed::Resume => self.pause,
            Proposed::End => self.end,
            Proposed::Abandon => self.abandon,
        }
    }
}

/// What it takes to carry a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Majority {
    Unanimous,
    /// Two thirds of the people at the seats say yes.
    TwoThirds,
    /// The moderator decides; how players voted is advice.
    Host,
    /// It cannot be proposed.
    Off,
}

impl Majority {
    /// So many must say yes of so many; none where votes do not decide.
    fn needed(self, people: usize) -> Option<usize> {
        match self {
            Majority::Unanimous => Some(people),
            Majority::TwoThirds => Some((2 * people).div_ceil(3)),
            Majority::Host | Majority::Off => None,
        }
    }
}

/// What somebody has proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its number in the game.
    pub number: u16,
    pub what: Proposed,
    pub by: Civ,
    pub at: DateTime<Utc>,
    /// Until when votes count.
    pub closes: DateTime<Utc>,
    /// The cut-off that it would bring, where it names one.
    pub to: Option<DateTime<Utc>>,
    /// The phase that was open, and how many rollbacks there had been.
    pub phase: TurnPhase,
    /// How many rollbacks there had been.
    pub era: u32,
    pub ballots: BTreeMap<Civ, bool>,
    /// What became of it.
    pub fate: Decided,
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    Open,
    /// It was agreed to, and done.
    Carried,
    Lost,
    /// What it was about is over.
    Overtaken,
}

impl Decided {
    fn key(self) -> &'static str {
        match self {
            Decided::Open => "vote_open",
            Decided::Carried => "vote_carried",
            Decided::Lost => "vote_lost",
            Decided::Overtaken => "vote_overtaken",
        }
    }
}

/// So many proposals one player may make in one phase: each is a letter to everybody.
const MOST_IN_A_PHASE: usize = 2;

/// Reads what was proposed in a game.
pub(crate) fn stored(game: &GameRecord) -> Vec<Proposal> {
    serde_json::from_str(&game.votes).unwrap_or_default()
}

/// When the next proposal of a game closes.
pub(in crate::desk) fn next(game: &GameRecord) -> Option<DateTime<Utc>> {
    stored(game).iter().filter(|proposal| proposal.fate == Decided::Open).map(|proposal| proposal.closes).min()
}

/// A player proposes something. Says what came of it.
pub(super) fn propose(sitting: &mut Sitting, civ: Civ, what: Proposed) -> String {
    let party = Party::Seat(civ);
    let table = &sitting.table;
    let refuse = |key: &str| sitting.say(party, key, context! {});
    let (closes, to) = match timed(sitting, what) {
        Ok(times) => times,
        Err(key) => return refuse(key),
    };
    let is_open = |other: &&Proposal| other.fate == Decided::Open;
    let own = |other: &&Proposal| other.by == civ && other.phase == table.phase() && other.era == table.game.era;
    let rule = table.agreed.votes.of(what);
    if rule == Majority::Off {
        return refuse("vote_off");
    }
    if let Some(other) = table.votes.iter().filter(is_open).find(|other| other.what.is_like(what)) {
        return sitting.say(party, "vote_twice", context! { number => other.number });
    }
    if table.votes.iter().filter(own).count() >= MOST_IN_A_PHASE {
        return refuse("vote_too_many");
    }
    let number = table.votes.iter().map(|other| other.number).max().unwrap_or(0) + 1;
    let (phase, era, at) = (table.phase(), table.game.era, sitting.now);
    let ballots = BTreeMap::from([(civ, true)]);
    let proposal = Proposal { number, what, by: civ, at, closes, to, phase, era, ballots, fate: Decided::Open };
    let needed = rule.needed(sitting.people().len());
    let is_decided = needed.is_some_and(|needed| needed <= 1);
    if !is_decided {
        for other in sitting.everybody().into_iter().filter(|other| *other != party) {
            let about = format!("vote-{number}.{}", sitting.cause);
            let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
            sitting.tell(other, envelope, &|sitting| {
                let facts = facts(sitting, other, &proposal);
                lines(sitting.say(other, "vote_proposed", context! { moderates => other == Party::Moderator, ..facts }))
            });
        }
    }
    let said = sitting.say(party, "vote_made", facts(sitting, party, &proposal));
    sitting.table.votes.push(proposal);
    said
}

/// Until when a proposal would be open, and the cut-off that it would bring.
type Times = (DateTime<Utc>, Option<DateTime<Utc>>);

/// # Errors
/// Why it cannot be proposed now, as a phrase.
fn timed(sitting: &Sitting, what: Proposed) -> Result<Times, &'static str> {
    let (table, now) = (&sitting.table, sitting.now);
    let open = now + table.agreed.votes.open.delta();
    let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > now);
    match what {
        Proposed::Extension { hours: 0 } | Proposed::Earlier { hours: 0 } => Err("vote_no_hours"),
        Proposed::Extension { hours } => {
            let cut_off = cut_off.ok_or("no_cut_off")?;
            Ok((cut_off, Some(table.agreed.schedule.extended(cut_off, hours))))
        }
        Proposed::Earlier { hours } => {
            let to = cut_off.ok_or("no_cut_off")? - Duration::hours(i64::from(hours));
            if to > now { Ok((to, Some(to))) } else { Err("vote_too_early") }
        }
        Proposed::Pause if table.is_running() => Ok((open, None)),
        Proposed::Resume if table.game.status == Status::Paused => Ok((open, None)),
        Proposed::Resume => Err("not_paused"),
        Proposed::End | Proposed::Abandon if is_played(sitting) => Ok((open, None)),
        Proposed::Pause | Proposed::End | Proposed::Abandon => Err("not_running"),
    }
}

fn is_played(sitting: &Sitting) -> bool {
    matches!(sitting.table.game.status, Status::Running | Status::Paused)
}

/// A player votes. Says what was noted.
pub(super) fn vote(sitting: &mut Sitting, civ: Civ, number: Option<u16>, yes: bool) -> String {
    let party = Party::Seat(civ);
    let now = sitting.now;
    let is_open = |proposal: &&mut Proposal| proposal.fate == Decided::Open && now < proposal.closes;
    let open: Vec<&mut Proposal> = sitting.table.votes.iter_mut().filter(is_open).collect();
    let several = open.len() > 1;
    let mut meant = open.into_iter().filter(|proposal| number.is_none_or(|number| number == proposal.number));
    match (meant.next(), number) {
        (Some(_), None) if several => sitting.say(party, "vote_which", context! {}),
        (Some(proposal), _) => {
            proposal.ballots.insert(civ, yes);
            let proposal = proposal.clone();
            sitting.say(party, "vote_noted", context! { yes, ..facts(sitting, party, &proposal) })
        }
        (None, Some(number)) => sitting.say(party, "vote_over", context! { number }),
        (None, None) => sitting.say(party, "vote_none", context! {}),
    }
}

/// What is open, for whoever asks.
pub(super) fn list(sitting: &Sitting, civ: Civ) -> String {
    let party = Party::Seat(civ);
    let open = sitting.table.votes.iter().filter(|proposal| proposal.fate == Decided::Open);
    let said: Vec<String> = open
        .map(|proposal| {
            let own = proposal.ballots.get(&civ).copied();
            // What is secret is not even counted.
            let cast = (!sitting.table.agreed.votes.secret).then(|| counted(sitting, party, proposal));
            sitting.say(party, "vote_listed", context! { own, cast, ..facts(sitting, party, proposal) })
        })
        .collect();
    if said.is_empty() { sitting.say(party, "vote_none", context! {}) } else { said.join(" ") }
}

/// What is open, as the moderator was told of it, by number; and whether the moderator decides.
pub(in crate::desk) fn open(sitting: &Sitting) -> Vec<(u16, Vec<String>, bool)> {
    let me = Party::Moderator;
    let open = sitting.table.votes.iter().filter(|proposal| proposal.fate == Decided::Open);
    let told = |proposal: &Proposal| {
        let decides = sitting.table.agreed.votes.of(proposal.what) == Majority::Host;
        // How to decide is said by buttons.
        let facts = context! { moderates => true, ..facts(sitting, me, proposal) };
        let said = lines(sitting.say(me, "vote_proposed", facts));
        (proposal.number, said.into_iter().take(2).collect(), decides)
    };
    open.map(told).collect()
}

/// The moderator decides what the group leaves to the moderator.
///
/// # Errors
/// Why not, in words.
pub(super) fn decide(sitting: &mut Sitting, number: u16, yes: bool) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    let found = sitting.table.votes.iter().find(|proposal| proposal.number == number && proposal.fate == Decided::Open);
    let Some(proposal) = found.cloned() else {
        return Err(sitting.say(me, "vote_over", context! { number }));
    };
    if sitting.table.agreed.votes.of(proposal.what) != Majority::Host {
        return Err(sitting.say(me, "vote_not_yours", context! { number }));
    }
    conclude(sitting, number, if yes { Decided::Carried } else { Decided::Lost });
    let key = if yes { "vote_granted" } else { "vote_refused" };
    Ok(vec![sitting.say(me, key, facts(sitting, me, &proposal))])
}

/// Another person sits here: how the one before voted counts no longer.
pub(super) fn forget(sitting: &mut Sitting, civ: Civ) {
    let open = sitting.table.votes.iter_mut().filter(|proposal| proposal.fate == Decided::Open);
    for proposal in open {
        proposal.ballots.remove(&civ);
    }
}

/// The game is over: nothing is voted on any more, and nobody is told but that it is over.
pub(super) fn let_go(sitting: &mut Sitting) {
    for proposal in sitting.table.votes.iter_mut().filter(|proposal| proposal.fate == Decided::Open) {
        proposal.fate = Decided::Overtaken;
    }
}

/// Decides what can be decided, and lets go of what is overtaken.
pub(in crate::desk) fn settle(sitting: &mut Sitting) {
    let open = sitting.table.votes.iter().filter(|proposal| proposal.fate == Decided::Open);
    for proposal in open.cloned().collect::<Vec<_>>() {
        match fate(sitting, &proposal) {
            Decided::Open => {}
            fate @ (Decided::Carried | Decided::Lost | Decided::Overtaken) => conclude(sitting, proposal.number, fate),
        }
    }
}

/// What is to become of a proposal by now.
fn fate(sitting: &Sitting, proposal: &Proposal) -> Decided {
    let table = &sitting.table;
    let is_same_phase = proposal.phase == table.phase() && proposal.era == table.game.era;
    let later = |cut_off: DateTime<Utc>| proposal.to.is_some_and(|to| to < cut_off);
    let stands = match proposal.what {
        Proposed::Extension { .. } => table.is_running() && is_same_phase,
        Proposed::Earlier { .. } => table.is_running() && is_same_phase && table.game.hours.cut_off.is_some_and(later),
        Proposed::Pause => table.is_running(),
        Proposed::Resume => table.game.status == Status::Paused,
        Proposed::End | Proposed::Abandon => is_played(sitting),
    };
    let people = sitting.people();
    let said = |yes: bool| people.iter().filter(|civ| proposal.ballots.get(civ) == Some(&yes)).count();
    let needed = table.agreed.votes.of(proposal.what).needed(people.len());
    match needed {
        _ if !stands => Decided::Overtaken,
        Some(needed) if said(true) >= needed => Decided::Carried,
        Some(needed) if people.len() - said(false) < needed => Decided::Lost,
        // Silence is no.
        Some(_) | None if sitting.now >= proposal.closes => Decided::Lost,
        Some(_) | None => Decided::Open,
    }
}

/// A proposal is decided: it is done, and everybody is told who wanted what.
fn conclude(sitting: &mut Sitting, number: u16, fate: Decided) {
    let Some(proposal) = sitting.table.votes.iter_mut().find(|proposal| proposal.number == number) else { return };
    proposal.fate = fate;
    let mut proposal = proposal.clone();
    if fate == Decided::Carried
        && let (Proposed::Extension { hours }, Some(cut_off)) = (proposal.what, sitting.table.game.hours.cut_off)
    {
        // The cut-off may have moved since.
        proposal.to = Some(sitting.table.agreed.schedule.extended(cut_off, hours));
    }
    if fate == Decided::Carried && proposal.what != Proposed::End {
        enact(sitting, &proposal);
    }
    // How it ends is told to those as well whose seats are kept for them.
    let kept = if fate == Decided::Carried && proposal.what == Proposed::Abandon { sitting.kept() } else { Vec::new() };
    for party in sitting.everybody().into_iter().chain(kept) {
        let about = format!("vote-{number}-over.{}", sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| {
            let cut_off = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running());
            let now_cut_off = cut_off.map(|cut_off| sitting.when(party, cut_off));
            let facts = context! { now_cut_off, ..facts(sitting, party, &proposal) };
            let said = sitting.say(party, fate.key(), facts);
            // What was overtaken was never decided, and stays secret where votes are.
            let tells = fate != Decided::Overtaken || !sitting.table.agreed.votes.secret;
            let counted = tells.then(|| sitting.say(party, "vote_counted", counted(sitting, party, &proposal)));
            let stopped = stopping::said(sitting, party).filter(|_| proposal.what == Proposed::Abandon);
            lines(said).into_iter().chain(counted).chain(stopped).collect()
        });
    }
    if fate == Decided::Carried && proposal.what == Proposed::End {
        end(sitting);
    }
}

fn enact(sitting: &mut Sitting, proposal: &Proposal) {
    match proposal.what {
        Proposed::Extension { .. } | Proposed::Earlier { .. } => sitting.table.game.hours.cut_off = proposal.to,
        Proposed::Pause => {
            sitting.table.game.status = Status::Paused;
            sitting.table.game.hours.paused = Some(sitting.now);
        }
        Proposed::Resume => super::moderating::hours::go_on(sitting),
        Proposed::Abandon => stopping::end(sitting, Stopped::Abandoned { reason: None, voted: true }),
        Proposed::End => {}
    }
}

/// Whether the moderator has ended the game, where the group leaves that to the moderator.
pub(super) fn is_ended_by_host(table: &Table) -> bool {
    let carried = |proposal: &&Proposal| proposal.what == Proposed::End && proposal.fate == Decided::Carried;
    table.agreed.votes.end == Majority::Host && table.votes.iter().any(|proposal| carried(&proposal))
}

/// The game ends as it stands, and is scored by the printed table.
fn end(sitting: &mut Sitting) {
    let before = sitting.table.state.clone();
    let (events, state) = ast::end_now(&before, &sitting.table.chance());
    sitting.record(events.clone(), state, Reason::Vote);
    sitting.publish(&before, &events);
}

/// Who said what, by name.
fn counted(sitting: &Sitting, party: Party, proposal: &Proposal) -> Value {
    let people = sitting.people();
    let said = |vote: Option<bool>| {
        let civs = people.iter().filter(|civ| proposal.ballots.get(civ).copied() == vote);
        civs.map(|civ| sitting.civ(party, *civ)).collect::<Vec<_>>().join(", ")
    };
    context! { yes => said(Some(true)), no => said(Some(false)), silent => said(None) }
}

/// What every sentence about a proposal may say.
fn facts(sitting: &Sitting, party: Party, proposal: &Proposal) -> Value {
    let rules = &sitting.table.agreed.votes;
    let people = sitting.people().len();
    let hours = match proposal.what {
        Proposed::Extension { hours } | Proposed::Earlier { hours } => Some(hours),
        Proposed::Pause | Proposed::Resume | Proposed::End | Proposed::Abandon => None,
    };
    let length = hours.map(|hours| creating::length(sitting, party, Duration::hours(i64::from(hours))));
    let to = proposal.to.map(|to| sitting.when(party, to));
    context! {
        number => proposal.number,
        civ => sitting.civ(party, proposal.by),
        what => sitting.say(party, &format!("vote_{}", proposal.what.name()), context! { length, to }),
        kind => proposal.what.name(),
        closes => sitting.when(party, proposal.closes),
        kept => sitting.kept().len(),
        needed => rules.of(proposal.what).needed(people),
        people,
        secret => rules.secret,
    }
}

fn lines(text: String) -> Vec<String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}
