//! What was: letters of old, words between players, and how scores and steps have grown, as data.
//!
//! Comes in: what the desk has of it, each reader's own. Goes out: the same in words.

use serde::Serialize;

use super::super::letters::Moment;
use super::super::names::Names;
use super::super::templates::Templates;
use super::board::Whose;
use crate::game::{Known, Owner, Phase};
use crate::rules::{Civ, PrintedGame};
use minijinja::Value;
use minijinja::value::Serde;

/// A letter that was written to this seat before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldLetter {
    pub number: i64,
    /// What it is about.
    pub turn: Option<u16>,
    pub phase: Option<Phase>,
    pub subject: String,
    pub written: Moment,
}

/// Words of one player to another, or of the moderator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Who wrote; none is the moderator.
    pub from: Option<Civ>,
    /// Who reads; none is the moderator.
    pub to: Option<Civ>,
    pub written: Moment,
    pub text: String,
}

/// How everybody stood at the end of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings {
    /// Points, and the step on the A.S.T.
    pub civs: Vec<(Civ, u16, u8)>,
}

impl Standings {
    /// How everybody stands now. All of it is open to everybody.
    pub fn of(known: &Known) -> Standings {
        let civ = |civ: Civ| (civ, known.score(civ).total(), known.holding(civ).position);
        Standings { civs: known.ranking().map(civ).collect() }
    }
}

/// What was, for scripts.
#[derive(Debug, Clone, Serialize)]
pub struct Past {
    /// Which era it is of: a rollback begins another.
    era: u32,
    /// The turns that are over.
    turns: u16,
    /// The letters, the newest first.
    letters: Vec<Told>,
    /// Curves, a civilization each.
    curves: Vec<Curve>,
    /// Words, by whom they were exchanged with.
    people: Vec<Person>,
}

#[derive(Debug, Clone, Serialize)]
struct Told {
    number: i64,
    title: String,
    written: String,
}

#[derive(Debug, Clone, Serialize)]
struct Curve {
    civ: Whose,
    points: Vec<Option<u16>>,
    steps: Vec<Option<u8>>,
}

#[derive(Debug, Clone, Serialize)]
struct Person {
    /// What tells this place from the others, in any language.
    key: String,
    /// As `tell` names them.
    tell: String,
    name: String,
    words: Vec<Said>,
}

#[derive(Debug, Clone, Serialize)]
struct Said {
    own: bool,
    written: String,
    text: String,
}

/// What a seat has behind it.
pub struct Behind<'a> {
    /// What is known now.
    pub known: &'a Known,
    /// Whose seat it is.
    pub civ: Civ,
    /// The words of the player's language.
    pub templates: &'a Templates,
    /// Which era it is of.
    pub era: u32,
    /// Its letters, the newest first.
    pub letters: &'a [OldLetter],
    /// Words, the oldest first.
    pub words: &'a [Words],
    /// How everybody stood, turn by turn.
    pub standings: &'a [Standings],
}

/// What was, in words.
pub fn past(behind: &Behind) -> Past {
    let Behind { known, civ, templates, .. } = *behind;
    let printed: &PrintedGame = known.printed();
    let names = Names::new(printed, templates.language);
    let moment = |moment: &Moment| templates.say("moment", "full", Value::from(Serde(moment)));
    let told = |letter: &OldLetter| {
        let turn = letter.turn.map(|turn| templates.page.say("words", "turn").replace("{n}", &turn.to_string()));
        let phase = letter.phase.map(|phase| names.phase(phase).to_owned());
        let about: Vec<String> = turn.into_iter().chain(phase).collect();
        let title = if about.is_empty() { letter.subject.clone() } else { about.join(" · ") };
        Told { number: letter.number, title, written: moment(&letter.written) }
    };
    let curve = |civ: Civ| {
        let find = |one: &Standings| one.civs.iter().find(|(who, _, _)| *who == civ).copied();
        let found: Vec<_> = behind.standings.iter().map(find).collect();
        Curve {
            civ: Whose(Owner::Civ(civ)),
            points: found.iter().map(|one| one.map(|(_, points, _)| points)).collect(),
            steps: found.iter().map(|one| one.map(|(_, _, step)| step)).collect(),
        }
    };
    let person = |who: Option<Civ>| {
        let me = Some(civ);
        let is_with = |one: &&Words| (one.from == who && one.to == me) || (one.from == me && one.to == who);
        let said = |one: &Words| Said { own: one.from == me, written: moment(&one.written), text: one.text.clone() };
        let name = match who {
            Some(civ) => names.civ(civ).to_owned(),
            None => templates.page.say("words", "moderator"),
        };
        let (key, tell) = match who {
            Some(civ) => (names.civ(civ).to_owned(), names.civ(civ).to_owned()),
            None => ("moderator".to_owned(), templates.page.say("choice", "moderator")),
        };
        Person { key, tell, name, words: behind.words.iter().filter(is_with).map(said).collect() }
    };
    let others = known.ranking().filter(|other| *other != civ).map(Some).chain([None]);
    let mut people: Vec<Person> = others.map(person).collect();
    // Whoever has written or was written to comes first.
    people.sort_by_key(|person| person.words.is_empty());
    // What is said to everybody stands with each of them.
    let all = templates.page.say("words", "everybody");
    people.push(Person {
        key: "all".to_owned(),
        tell: templates.page.say("choice", "all"),
        name: all,
        words: Vec::new(),
    });
    Past {
        era: behind.era,
        turns: behind.standings.len() as u16,
        letters: behind.letters.iter().map(told).collect(),
        curves: known.ranking().map(curve).collect(),
        people,
    }
}
