//! A turn in a few lines: what an onlooker would remember of it. All of it is public.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use minijinja::context;

use super::words::Words;
use crate::game::event::Cause;
use crate::game::{Event, Owner, State, scoring};
use crate::rules::{Civ, Face};

/// So many names are told, of areas for each people and of fights; the others are counted.
const MOST_AREAS: usize = 3;
const MOST_FIGHTS: usize = 4;

/// One line: what it is about, and the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The key of its heading, and of its explanation.
    pub about: &'static str,
    pub text: String,
}

/// What a calamity has cost.
#[derive(Default)]
struct Toll {
    tokens: u64,
    reduced: u64,
    cities: u64,
    treasury: u64,
}

/// The turn's marches, fights, cities, trades, calamities and advances, a line each where there is something to tell.
pub(crate) fn turn(words: &Words, before: &State, after: &State, events: &[Event]) -> Vec<Entry> {
    let names = words.names;
    let mut told: Vec<Entry> = Vec::new();
    let mut tell = |about: &'static str, text: String| told.push(Entry { about, text });
    tell("spread", spread(words, before, events));

    let builders: BTreeSet<Civ> = events.iter().filter_map(ship_builder).collect();
    if !builders.is_empty() {
        let civs: Vec<_> = builders.iter().map(|civ| names.civ(*civ).to_owned()).collect();
        tell("ships", words.say("ships", context! { civs }));
    }
    let fights: Vec<String> = events.iter().filter_map(|event| fight(words, event)).collect();
    if !fights.is_empty() {
        let more = fights.len().saturating_sub(MOST_FIGHTS);
        let places = fights[..fights.len() - more].to_vec();
        tell("fights", words.say("fights", context! { places, more }));
    }
    let war: Vec<String> = events.iter().filter_map(|event| attack(words, event)).collect();
    if !war.is_empty() {
        tell("war", war.join(" "));
    }
    let mut built: BTreeMap<Civ, Vec<String>> = BTreeMap::new();
    for event in events {
        if let Event::CityBuilt { civ, area, .. } = event {
            built.entry(*civ).or_default().push(names.area(*area).to_owned());
        }
    }
    if !built.is_empty() {
        let one = |(civ, areas): (&Civ, &Vec<String>)| {
            words.say("built", context! { civ => names.civ(*civ), areas => areas.clone() })
        };
        tell("cities", words.say("all_built", context! { all => built.iter().map(one).collect::<Vec<_>>() }));
    }
    if let Some(text) = trade(words, events) {
        tell("trade", text);
    }
    let calamities = calamities(words, events);
    if !calamities.is_empty() {
        tell("calamities", calamities.join(" "));
    }
    let mut acquired = Vec::new();
    let (mut used, mut ends) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::AbilityUsed { civ, advance } => {
                let facts = context! { civ => names.civ(*civ), advance => names.advance(*advance) };
                used.push(words.say("used", facts));
            }
            Event::AdvancesAcquired { civ, advances, .. } if !advances.is_empty() => {
                let advances: Vec<_> = advances.iter().map(|advance| names.advance(*advance).to_owned()).collect();
                acquired.push(words.say("acquired", context! { civ => names.civ(*civ), advances }));
            }
            Event::LastTurnAnnounced { turn } => ends.push(words.say("last_turn", context! { turn })),
            Event::GameEnded { .. } => ends.push(words.say("ended", context! {})),
            _ => {}
        }
    }
    if !used.is_empty() {
        tell("abilities", used.join(" "));
    }
    if !acquired.is_empty() {
        tell("advances", words.say("acquisitions", context! { all => acquired }));
    }
    let stays: Vec<_> = after
        .ranking()
        .filter(|civ| before.is_seated(*civ) && after.holding(*civ).position <= before.holding(*civ).position)
        .map(|civ| names.civ(civ).to_owned())
        .collect();
    if !stays.is_empty() {
        ends.insert(0, words.say("stays", context! { civs => stays }));
    }
    if !ends.is_empty() {
        tell("ast", ends.join(" "));
    }
    tell("standing", standing(words, after));
    told
}

/// The points, steps and cities of all, the first first.
pub(crate) fn standing(words: &Words, state: &State) -> String {
    let one = |score: crate::game::event::Score| {
        let facts = context! {
            civ => words.names.civ(score.civ),
            points => score.total(),
            step => state.holding(score.civ).position,
            cities => state.city_count(score.civ),
        };
        words.say("standing", facts)
    };
    words.say("standings", context! { all => scoring::scores(state).into_iter().map(one).collect::<Vec<_>>() })
}

/// Where each people came that had not been there.
fn spread(words: &Words, before: &State, events: &[Event]) -> String {
    let mut reached: BTreeMap<Civ, Vec<String>> = BTreeMap::new();
    let mut seen: BTreeSet<(Civ, u16)> = BTreeSet::new();
    let ends = events.iter().flat_map(|event| match event {
        Event::TokensWalked { civ, path, .. } => path.last().map(|area| (*civ, *area)).into_iter().collect::<Vec<_>>(),
        Event::ShipSailed { civ, stops, .. } => {
            stops.iter().filter(|stop| stop.landed > 0).map(|stop| (*civ, stop.area)).collect()
        }
        _ => Vec::new(),
    });
    for (civ, area) in ends {
        let is_new = before.unit_points(area, Owner::Civ(civ)) == 0;
        if is_new && seen.insert((civ, area.0)) {
            reached.entry(civ).or_default().push(words.names.area(area).to_owned());
        }
    }
    if reached.is_empty() {
        return words.say("no_ground", context! {});
    }
    let one = |(civ, areas): (&Civ, &Vec<String>)| {
        let more = areas.len().saturating_sub(MOST_AREAS);
        let areas = areas[..areas.len() - more].to_vec();
        words.say("spread", context! { civ => words.names.civ(*civ), areas, more })
    };
    words.say("new_ground", context! { all => reached.iter().map(one).collect::<Vec<_>>() })
}

fn ship_builder(event: &Event) -> Option<Civ> {
    match event {
        Event::ShipBuilt { civ, .. } => Some(*civ),
        _ => None,
    }
}

fn fight(words: &Words, event: &Event) -> Option<String> {
    let Event::TokensFought { area, forces, .. } = event else { return None };
    let owners: Vec<_> = forces.iter().map(|(owner, _)| words.names.owner(*owner).to_owned()).collect();
    Some(words.say("fought", context! { area => words.names.area(*area), owners }))
}

fn attack(words: &Words, event: &Event) -> Option<String> {
    let (key, area, attacker, defender) = match event {
        Event::CityFell { area, attacker, defender, .. } => ("fell", area, attacker, defender),
        Event::AttackFailed { area, attacker, defender, .. } => ("held", area, attacker, defender),
        _ => return None,
    };
    let names = words.names;
    let (attacker, defender) = (names.owner(*attacker), names.owner(*defender));
    Some(words.say(key, context! { area => names.area(*area), attacker, defender }))
}

/// Who traded with whom; how many offers were made where nobody did.
fn trade(words: &Words, events: &[Event]) -> Option<String> {
    let mut pairs: BTreeMap<(Civ, Civ), u64> = BTreeMap::new();
    let (mut cards, mut offers) = (0, 0u64);
    for event in events {
        match event {
            Event::TradeMade { from, to, given, received, .. } => {
                *pairs.entry((*from.min(to), *from.max(to))).or_default() += 1;
                cards += given.len() + received.len();
            }
            Event::OfferMade { .. } => offers += 1,
            _ => {}
        }
    }
    if pairs.is_empty() {
        return (offers > 0).then(|| words.say("no_trades", context! { offers }));
    }
    let trades: u64 = pairs.values().sum();
    let pair = |((one, other), times): (&(Civ, Civ), &u64)| {
        words.say("pair", context! { one => words.names.civ(*one), other => words.names.civ(*other), times })
    };
    let pairs: Vec<_> = pairs.iter().map(pair).collect();
    Some(words.say("trades", context! { trades, cards, pairs }))
}

/// What struck whom, and what it cost everybody. All copies of a calamity are shown before anybody loses anything (C.9), and
/// are then resolved one after another: a loss is that of the first copy that is not over yet.
fn calamities(words: &Words, events: &[Event]) -> Vec<String> {
    let mut told = Vec::new();
    let mut open: VecDeque<(Face, Civ, Toll)> = VecDeque::new();
    for event in events {
        match event {
            Event::CalamityStruck { card, victim, .. } => open.push_back((card.face, *victim, Toll::default())),
            Event::CalamityResolved { .. } => told.extend(open.pop_front().map(|struck| calamity(words, &struck))),
            event => {
                if let Some((_, _, toll)) = open.front_mut() {
                    toll.note(event);
                }
            }
        }
    }
    told.extend(open.iter().map(|struck| calamity(words, struck)));
    told
}

impl Toll {
    fn note(&mut self, event: &Event) {
        match event {
            Event::CityReduced { why: Cause::Calamity(_), .. } => self.reduced += 1,
            Event::UnitsDestroyed { owner: Owner::Civ(_), tokens, city, why: Cause::Calamity(_), .. }
            | Event::UnitsAnnexed { from: Owner::Civ(_), tokens, city, why: Cause::Calamity(_), .. } => {
                self.tokens += u64::from(*tokens);
                self.cities += u64::from(*city);
            }
            Event::TreasuryLost { amount, why: Cause::Calamity(_), .. } => self.treasury += u64::from(*amount),
            Event::CityFell { attacker: Owner::Barbarians, .. } => self.cities += 1,
            _ => {}
        }
    }
}

fn calamity(words: &Words, (face, victim, toll): &(Face, Civ, Toll)) -> String {
    let mut costs = Vec::new();
    for (key, count) in [("toll_tokens", toll.tokens), ("toll_reduced", toll.reduced), ("toll_cities", toll.cities)] {
        if count > 0 {
            costs.push(words.say(key, context! { count }));
        }
    }
    if toll.treasury > 0 {
        costs.push(words.say("toll_treasury", context! { amount => toll.treasury }));
    }
    let (calamity, victim) = (words.names.face(*face), words.names.civ(*victim));
    if costs.is_empty() {
        words.say("struck_in_vain", context! { calamity, victim })
    } else {
        words.say("struck", context! { calamity, victim, toll => costs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AreaId, Block, Calamity, Language, PrintedGame, TradeCard};

    /// C.9: both copies are shown first, and each is charged with its own losses.
    #[test]
    fn two_copies_of_a_calamity_are_each_told_with_their_own_toll() {
        let printed = PrintedGame::built_in().expect("the built-in edition can be read");
        let words = Words::new(&printed, Language::English).expect("the demo has its words");
        let (minoa, saba) = (Civ(0), Civ(1));
        let card = |block| TradeCard { face: Face::Calamity(Calamity::Superstition), block };
        let struck = |victim, block| Event::CalamityStruck { card: card(block), victim, beneficiary: None };
        let over = |victim, block| Event::CalamityResolved { card: card(block), victim };
        let reduced = |civ, area| {
            let why = Cause::Calamity(Calamity::Superstition);
            Event::CityReduced { civ, area: AreaId(area), placed: 2, why }
        };
        let events = [
            struck(minoa, Block::West),
            struck(saba, Block::East),
            reduced(minoa, 1),
            over(minoa, Block::West),
            reduced(saba, 2),
            reduced(saba, 3),
            over(saba, Block::East),
        ];
        let told = calamities(&words, &events);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("Minoa") && told[0].contains("1 city"), "{told:?}");
        assert!(told[1].contains("Saba") && told[1].contains("2 cities"), "{told:?}");
    }
}
