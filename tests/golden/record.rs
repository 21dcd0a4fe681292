//! Records a game: companions write what they can, and where they are silent a plain line is written for them.

use std::collections::BTreeMap;

use cursus::companions::{self, Temperament};
use cursus::game::acquisition::price;
use cursus::game::{Chance, Commands, Event, Known, Phase, Reader, State, adjudicate};
use cursus::orders::sheet::filed;
use cursus::orders::{Lexicon, Sheet, course, read};
use cursus::report::View;
use cursus::rules::Civ;

/// How often everybody is asked in a trade phase.
const TRADE_ROUNDS: usize = 3;

/// Plays on until the game has ended, and says all that happened.
pub fn record(mut state: State, chance: &Chance) -> (Vec<Event>, State) {
    let lexicon = Lexicon::new(state.printed());
    let temperaments = Temperament::ALL.into_iter().cycle();
    let seats: BTreeMap<Civ, Temperament> = state.ranking().zip(temperaments).collect();
    let mut sheets: BTreeMap<Civ, Sheet> = BTreeMap::new();
    let mut events = Vec::new();
    let mut arrival = 0;
    while !state.has_ended() {
        let phase = state.phase();
        if phase == Phase::Tax {
            sheets.clear();
        }
        let rounds = if phase == Phase::Trade { TRADE_ROUNDS } else { 1 };
        for civ in (0..rounds).flat_map(|_| seats.keys().copied()) {
            if state.phase() != phase {
                break;
            }
            arrival += 1;
            let letter = read(&letter(&state, civ, seats[&civ]), &lexicon);
            let answers = sheets.entry(civ).or_default().add(&letter, phase, arrival);
            let lines = filed(&answers);
            if let Some(filed) = course::arriving(&sheets, phase, civ, &lines) {
                rule(&mut state, &mut events, &filed, chance);
            }
        }
        if state.phase() == phase {
            rule(&mut state, &mut events, &course::closing(&sheets, phase), chance);
        }
    }
    (events, state)
}

fn rule(state: &mut State, events: &mut Vec<Event>, filed: &Commands, chance: &Chance) {
    let (happened, then) = adjudicate(state, filed, chance);
    events.extend(happened);
    *state = then;
}

fn letter(state: &State, civ: Civ, temperament: Temperament) -> String {
    let written = companions::letter(&View::of(&Known::of(state, Reader::Player(civ))), temperament);
    match state.phase() {
        Phase::Abilities if written.is_empty() => "use Politics for 3 treasury".to_owned(),
        Phase::Advances if written.is_empty() => {
            let missing = state.printed().advances.iter().filter(|card| !state.has(civ, card.advance));
            let cheapest = missing.min_by_key(|card| price(state, civ, card.advance));
            cheapest.map_or(String::new(), |card| format!("acquire {}", card.name))
        }
        _ => written,
    }
}
