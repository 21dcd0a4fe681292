//! Random games are only worth something if much happens in them.

use std::collections::{BTreeMap, BTreeSet};

use cursus::game::event::Event;
use cursus::game::{Illegal, adjudicate};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::conflicts::{crowded_conflict, fights, separate_conflicts, substitutes};
use super::{late_scripts, play, play_late, scripts};
use crate::properties::config;

#[test]
fn random_games_are_not_trivial() {
    let mut runner = TestRunner::new(config(0));
    let scripts = scripts();
    let (mut filed, mut refused, mut faults) = (0, 0, 0);
    let mut games: BTreeMap<String, usize> = BTreeMap::new();
    let mut several = 0;
    const GAMES: usize = 400;
    for _ in 0..GAMES {
        let script = scripts.new_tree(&mut runner).expect("a script can be made").current();
        let played = play(&script);
        filed += played.outcomes.filed;
        faults += played.outcomes.faults;
        let events = played.rulings.iter().flat_map(|ruling| &ruling.events);
        let mut names: Vec<_> = events.map(kind).collect();
        refused += names.iter().filter(|name| *name == "refused").count();
        let separate = separate_conflicts(&script).state();
        several += usize::from(fights(&separate, &substitutes(&separate)).len() > 1);
        // Where everybody waits, somebody must wait in vain now and then.
        let (state, commands) = crowded_conflict(&script);
        let (events, _) = adjudicate(&state, &commands, &played.chance);
        names.extend(events.iter().filter(|event| matches!(event, Event::DefenceDelayed { .. })).map(kind));
        for name in names.into_iter().collect::<BTreeSet<_>>() {
            *games.entry(name).or_default() += 1;
        }
    }
    let share = |name: &str| games.get(name).copied().unwrap_or(0) * 100 / GAMES;
    assert!(filed > 40 * GAMES, "only {filed} orders");
    assert!(refused * 2 < filed, "{refused} of {filed} orders were refused");
    assert!(faults * 10 < filed, "{faults} lines were not read");
    assert!(several * 2 > GAMES, "only {several} games have several conflicts");
    for (name, least) in [("tokens_fought", 60), ("attack_failed", 30), ("city_fell", 25), ("trade_made", 10)] {
        assert!(share(name) >= least, "{name} happens in {}% of the games", share(name));
    }
    for name in RARE {
        assert!(games.contains_key(name), "{name} never happens");
    }
}

/// Everything that may happen in phases 1 to 7 happens now and then.
const RARE: [&str; 35] = [
    "phase_closed",
    "refused",
    "thwarted",
    "turn_awaited",
    "tax_collected",
    "city_revolted",
    "tokens_grew",
    "census_taken",
    "tokens_walked",
    "ship_built",
    "ship_maintained",
    "ship_scrapped",
    "ship_sailed",
    "movement_ended",
    "tokens_fought",
    "attack_failed",
    "defence_delayed",
    "city_fell",
    "card_taken",
    "loot_taken",
    "city_built",
    "surplus_removed",
    "city_reduced",
    "support_checked",
    "card_drawn",
    "card_bought",
    "cards_dealt",
    "purchases_ended",
    "offer_made",
    "offer_declined",
    "offer_withdrawn",
    "trade_made",
    "offer_voided",
    "trading_ended",
    "trade_closed",
];

/// And of the second half of a turn.
#[test]
fn random_fates_are_not_trivial() {
    let mut runner = TestRunner::new(config(0));
    let scripts = late_scripts();
    let (mut filed, mut refused, mut faults) = (0, 0, 0);
    let mut happened: BTreeMap<String, usize> = BTreeMap::new();
    let mut reasons: BTreeSet<String> = BTreeSet::new();
    const GAMES: usize = 400;
    for _ in 0..GAMES {
        let played = play_late(&scripts.new_tree(&mut runner).expect("a script can be made").current());
        filed += played.outcomes.filed;
        faults += played.outcomes.faults;
        let events: Vec<_> = played.rulings.iter().flat_map(|ruling| &ruling.events).collect();
        for event in &events {
            if let Event::Refused { why, .. } = event {
                refused += 1;
                reasons.insert(reason(why));
            }
            // Which calamity it is matters as much as what happens.
            if let Event::CalamityStruck { card, .. } = event {
                *happened.entry(format!("{:?}", card.face)).or_default() += 1;
            }
        }
        for name in events.into_iter().map(kind).collect::<BTreeSet<_>>() {
            *happened.entry(name).or_default() += 1;
        }
    }
    assert!(filed > 40 * GAMES, "only {filed} orders");
    assert!(refused * 2 < filed, "{refused} of {filed} orders were refused");
    assert!(faults * 10 < filed, "{faults} lines were not read");
    for name in FATES {
        assert!(happened.contains_key(name), "{name} never happens");
    }
    let struck = happened.keys().filter(|name| name.starts_with("Calamity(")).count();
    assert_eq!(struck, 24, "some calamities never strike: {happened:?}");
    for name in REASONS {
        assert!(reasons.contains(name), "nothing is refused for {name}; there are {reasons:?}");
    }
}

/// Everything that may happen in phases 8 to 13.
const FATES: [&str; 31] = [
    "calamities_laid",
    "calamity_discarded",
    "calamity_struck",
    "victim_named",
    "calamity_resolved",
    "units_destroyed",
    "units_annexed",
    "treasury_lost",
    "treasury_gained",
    "cards_discarded",
    "barbarians_came",
    "barbarians_wandered",
    "marker_moved",
    "city_reduced",
    "city_fell",
    "attack_failed",
    "tokens_fought",
    "ability_used",
    "tokens_resettled",
    "card_given",
    "abilities_ended",
    "surplus_removed",
    "support_checked",
    "advances_acquired",
    "acquisition_ended",
    "stack_reshuffled",
    "last_turn_announced",
    "game_ended",
    "turn_awaited",
    "refused",
    "phase_closed",
];

/// Why lines of phases 8 to 13 may not stand.
const REASONS: [&str; 22] = [
    "too_few_in_stock",
    "no_units_beside",
    "no_units_to_take",
    "too_many_tokens",
    "not_elsewhere",
    "above_limit",
    "too_few_barbarians",
    "protected",
    "not_beside",
    "not_sold",
    "already_held",
    "named_twice",
    "only_when_acquired",
    "no_discount",
    "no_gift",
    "credits_chosen",
    "too_little_paid",
    "too_much_treasury",
    "too_dear",
    "no_commodity",
    "cannot_stand_in",
    "on_oneself",
];

/// The name under which a reason is stored.
fn reason(why: &Illegal) -> String {
    name(serde_json::to_value(why).expect("a reason can be stored"))
}

/// The name under which an event is stored.
fn kind(event: &Event) -> String {
    name(serde_json::to_value(event).expect("an event can be stored"))
}

fn name(stored: serde_json::Value) -> String {
    match stored {
        serde_json::Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}
