//! The summary of many games.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Ending, Outcome};
use crate::game::chance::in_hex;
use crate::rules::AstSide;

/// What many games came to.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Summary {
    pub games: usize,
    /// Of these on the expert side of the A.S.T.
    pub expert: usize,
    /// Ended by the table.
    pub by_the_table: usize,
    /// Not ended within the turns that anybody would play.
    pub not_ended: usize,
    /// Came to a dead end.
    pub dead_ends: usize,
    pub panics: usize,
    /// Broke a law, or cannot be verified.
    pub laws_broken: usize,
    /// Turns in all, and the shortest and the longest game.
    pub turns: u64,
    pub shortest: u16,
    pub longest: u16,
    /// The mean score, to a tenth of a point.
    pub mean_score: f64,
    /// The mean score of winners, to a tenth of a point.
    pub mean_winner: f64,
    pub best_score: u16,
    /// How often each civilization won, and how often it played.
    pub civilizations: BTreeMap<String, Record>,
    /// The same for each temperament, with its mean score.
    pub temperaments: BTreeMap<String, Manner>,
    /// How often a marker was to make a step on the A.S.T., and how often it did not.
    pub chances: u64,
    pub stalls: u64,
    /// How often cities were wanting for it, and how often advances.
    pub few_cities: u64,
    pub few_advances: u64,
    /// Turns in which no marker made a step.
    pub idle_turns: u64,
    /// SHA-256 of all records: the same numbers of two builds are of the same games only if this is the same.
    pub records: String,
    /// Letters, and the orders in them.
    pub letters: u64,
    pub orders: u64,
    /// Lines that could not be read.
    pub faults: u64,
    /// Orders that were refused.
    pub refused: u64,
    /// Decisions answered by default.
    pub defaults: u64,
    /// Trades, and the cards that changed hands.
    pub trades: u64,
    pub cards_traded: u64,
    pub calamities: u64,
    /// Areas where tokens fought, and cities that were attacked.
    pub conflicts: u64,
    pub attacks: u64,
    pub abilities: u64,
    pub advances: u64,
    /// What went wrong, with the seed of the game.
    pub troubles: Vec<(u64, String)>,
}

/// How often a civilization won, and how often it played.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Record {
    pub won: u32,
    pub played: u32,
}

/// How a temperament fared.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Manner {
    pub won: u32,
    pub played: u32,
    /// To a tenth of a point.
    pub mean_score: f64,
    #[serde(skip)]
    points: u64,
}

impl Summary {
    /// Adds all outcomes up, in their sequence.
    pub(crate) fn of(outcomes: &[Outcome]) -> Summary {
        let mut summary = Summary { shortest: u16::MAX, ..Summary::default() };
        let (mut points, mut players, mut best, mut ended) = (0u64, 0u64, 0u64, 0u64);
        let mut records = Sha256::new();
        for outcome in outcomes {
            summary.add(outcome);
            records.update(&outcome.record);
            for (place, (name, score)) in outcome.scores.iter().enumerate() {
                let record = summary.civilizations.entry(name.clone()).or_default();
                record.won += u32::from(place == 0);
                record.played += 1;
                if let Some(temperament) = outcome.temperaments.get(name) {
                    let manner = summary.temperaments.entry(temperament.name().to_owned()).or_default();
                    manner.won += u32::from(place == 0);
                    manner.played += 1;
                    manner.points += u64::from(score.total());
                }
                points += u64::from(score.total());
                players += 1;
            }
            if let Some((_, first)) = outcome.scores.first() {
                summary.best_score = summary.best_score.max(first.total());
                best += u64::from(first.total());
                ended += 1;
            }
        }
        let to_a_tenth = |sum: u64, count: u64| (10 * sum / count.max(1)) as f64 / 10.0;
        for manner in summary.temperaments.values_mut() {
            manner.mean_score = to_a_tenth(manner.points, u64::from(manner.played));
        }
        summary.records = in_hex(&records.finalize());
        summary.mean_score = to_a_tenth(points, players);
        summary.mean_winner = to_a_tenth(best, ended);
        summary
    }

    fn add(&mut self, outcome: &Outcome) {
        self.games += 1;
        self.expert += usize::from(outcome.track == AstSide::Expert);
        let trouble = match &outcome.ending {
            Ending::ByTheTable => {
                self.by_the_table += 1;
                None
            }
            Ending::NotEnded => {
                self.not_ended += 1;
                Some("did not end".to_owned())
            }
            Ending::DeadEnd(place) => {
                self.dead_ends += 1;
                Some(format!("came to a dead end in {place}"))
            }
            Ending::Panic(words) => {
                self.panics += 1;
                Some(format!("panicked: {words}"))
            }
        };
        self.laws_broken += usize::from(outcome.broken.is_some());
        let law = outcome.broken.as_ref().map(|law| format!("broke a law: {law}"));
        let setting = format!("{} {:?}, turn {}", outcome.scenario, outcome.track, outcome.turns).to_lowercase();
        let troubles = trouble.into_iter().chain(law).map(|words| (outcome.seed, format!("{setting}: {words}")));
        self.troubles.extend(troubles);
        self.turns += u64::from(outcome.turns);
        self.shortest = self.shortest.min(outcome.turns);
        self.longest = self.longest.max(outcome.turns);
        let tally = outcome.tally;
        self.letters += tally.written.letters;
        self.orders += tally.written.orders;
        self.faults += tally.written.faults;
        self.refused += tally.written.refused;
        self.defaults += tally.written.defaults;
        self.trades += tally.market.trades;
        self.cards_traded += tally.market.cards;
        self.calamities += tally.board.calamities;
        self.conflicts += tally.board.fights;
        self.attacks += tally.board.attacks;
        self.abilities += tally.board.abilities;
        self.advances += tally.board.advances;
        self.chances += tally.steps.chances;
        self.stalls += tally.steps.stalls;
        self.few_cities += tally.steps.few_cities;
        self.few_advances += tally.steps.few_advances;
        self.idle_turns += tally.steps.idle_turns;
    }

    /// Whether every game came to its proper end.
    pub(crate) fn is_sound(&self) -> bool {
        self.troubles.is_empty()
    }

    fn manners(&self) -> String {
        let manner = |(name, manner): (&String, &Manner)| {
            format!("{name} {} of {}, mean {:.1}", manner.won, manner.played, manner.mean_score)
        };
        self.temperaments.iter().map(manner).collect::<Vec<_>>().join("; ")
    }

    /// The summary in lines. `players` is part of the call that plays a game again.
    pub(crate) fn text(&self, players: &RangeInclusive<u8>) -> String {
        let tenths = |number: u64| format!("{}.{}", number / 10, number % 10);
        let games = self.games.max(1) as u64;
        let mut winners: Vec<_> = self.civilizations.iter().filter(|(_, record)| record.won > 0).collect();
        winners.sort_by_key(|(name, Record { won, played })| (std::cmp::Reverse((won * 1000 / played, *won)), *name));
        let winners = winners.iter().map(|(name, Record { won, played })| format!("{name} {won} of {played}"));
        let winners: Vec<_> = winners.collect();
        let share = 1000 * self.refused / self.orders.max(1);
        let mut lines = vec![
            ("games", format!("{} ({} on the expert side)", self.games, self.expert)),
            (
                "turns",
                format!(
                    "{} in all, {} a game, from {} to {}",
                    self.turns,
                    tenths(10 * self.turns / games),
                    self.shortest,
                    self.longest
                ),
            ),
            ("endings", format!("{} by the table, {} not ended", self.by_the_table, self.games - self.by_the_table)),
            (
                "scores",
                format!(
                    "mean {}, winners {}, best {}",
                    format_args!("{:.1}", self.mean_score),
                    format_args!("{:.1}", self.mean_winner),
                    self.best_score
                ),
            ),
            ("winners", winners.join(", ")),
            ("temperaments", self.manners()),
            (
                "no step",
                format!(
                    "for nobody in {} turns ({}%); for {} of {} markers ({}%), {} of them for want of cities, {} of advances",
                    self.idle_turns,
                    tenths(1000 * self.idle_turns / self.turns.max(1)),
                    self.stalls,
                    self.chances,
                    tenths(1000 * self.stalls / self.chances.max(1)),
                    self.few_cities,
                    self.few_advances,
                ),
            ),
            ("letters", format!("{} with {} orders", self.letters, self.orders)),
            ("refused", format!("{} ({}%)", self.refused, tenths(share))),
            ("faults", self.faults.to_string()),
            ("by default", self.defaults.to_string()),
            ("cards traded", format!("{} in {} trades", self.cards_traded, self.trades)),
            ("calamities", self.calamities.to_string()),
            ("conflicts", format!("{}, and {} attacks on cities", self.conflicts, self.attacks)),
            ("abilities", self.abilities.to_string()),
            ("advances", format!("{}, {} a game", self.advances, tenths(10 * self.advances / games))),
            ("laws broken", self.laws_broken.to_string()),
            ("dead ends", self.dead_ends.to_string()),
            ("panics", self.panics.to_string()),
            ("records", self.records.clone()),
        ];
        lines.retain(|(_, text)| !text.is_empty());
        let mut text: String = lines.into_iter().map(|(head, text)| format!("{head:14}{text}\n")).collect();
        for (seed, words) in &self.troubles {
            let (least, most) = (players.start(), players.end());
            text += &format!(
                "\nseed {seed}, {words}\n  again: cursus simulate --games 1 --players {least}..{most} --seed {seed}\n"
            );
        }
        text
    }
}
