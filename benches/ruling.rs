//! How long a ruling takes: phases 3 to 5 on crowded positions of the printed map, and replaying stored events.
//!
//! Prints tables; every ratio is of two numbers measured in the same run. Asserts nothing about time.

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cursus::game::{
    Chance, City, Commands, Event, Force, Opening, Owner, Phase, Rulebook, Ship, ShipCondition, State, adjudicate,
    replay, setup,
};
use cursus::orders::{Lexicon, Sheet, commands, read};
use cursus::rules::{Area, AreaId, AreaKind, AstSide, Civ, Map, PrintedGame, Scenario};

/// How often each ruling is measured; the median counts.
const RUNS: usize = 401;
/// How many stored events are replayed.
const STORED: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let printed = Arc::new(PrintedGame::built_in()?);
    let lexicon = Lexicon::new(&printed);
    let game = |players: u8, orders: usize| Game::new(&printed, &lexicon, players, orders);

    println!("Phases 3 to 5, 400 orders, median of {RUNS} runs");
    table([5, 9, 12, 18].map(|players| game(players, 400)))?;
    println!("\nPhases 3 to 5, 18 players, median of {RUNS} runs");
    table([100, 200, 400, 800, 1600, 3200].map(|orders| game(18, orders)))?;
    println!("\nReplaying stored events of phases 1 to 7, 18 players, median of {RUNS} runs");
    replays(game(18, 400)?)
}

/// A crowded position and the orders filed for it.
struct Game {
    opening: Opening,
    orders: usize,
    parts: [Commands; 3],
    reading: Duration,
}

impl Game {
    fn new(printed: &Arc<PrintedGame>, lexicon: &Lexicon, players: u8, orders: usize) -> Result<Game, Box<dyn Error>> {
        let scenario = printed.scenarios.iter().find(|scenario| scenario.players == players);
        let opening = crowded(printed, scenario.ok_or("no scenario for so many players")?);
        let state = State::new(opening.clone());
        let civs: Vec<_> = state.ranking().collect();
        let letters: Vec<_> = civs
            .iter()
            .enumerate()
            .map(|(seat, civ)| letter(&state, *civ, orders * (seat + 1) / civs.len() - orders * seat / civs.len()))
            .collect();
        let start = Instant::now();
        let mut sheets: BTreeMap<Civ, Sheet> = BTreeMap::new();
        for (arrival, (civ, text)) in (0..).zip(civs.iter().zip(&letters)) {
            sheets.entry(*civ).or_default().add(&read(text, lexicon), Phase::Movement, arrival);
        }
        let parts = [Phase::Movement, Phase::Conflict, Phase::Cities].map(|phase| commands(&sheets, phase, true));
        Ok(Game { opening, orders, parts, reading: start.elapsed() })
    }

    /// Phases 3 to 5.
    fn rule(&self, state: &State, chance: &Chance) -> (Vec<Event>, State) {
        let mut events = Vec::new();
        let mut state = state.clone();
        for part in &self.parts {
            let (happened, then) = adjudicate(&state, part, chance);
            events.extend(happened);
            state = then;
        }
        (events, state)
    }
}

fn table<const N: usize>(games: [Result<Game, Box<dyn Error>>; N]) -> Result<(), Box<dyn Error>> {
    println!(
        "{:>7} {:>7} {:>7} {:>7} {:>11} {:>9} {:>9} {:>6}",
        "players", "orders", "legal", "events", "reading µs", "ruling µs", "µs/order", "ratio"
    );
    let chance = Chance::numbered(0);
    let games = games.into_iter().collect::<Result<Vec<_>, _>>()?;
    let states: Vec<_> = games.iter().map(|game| State::new(game.opening.clone())).collect();
    let times = medians(games.len(), |row| games[row].rule(&states[row], &chance));
    let mut before: Option<f64> = None;
    for ((game, state), time) in games.iter().zip(&states).zip(times) {
        let (events, _) = game.rule(state, &chance);
        let refused = events.iter().filter(|event| matches!(event, Event::Refused { .. })).count();
        println!(
            "{:>7} {:>7} {:>6}% {:>7} {:>11.0} {:>9.0} {:>9.3} {:>6}",
            game.opening.holdings.len(),
            game.orders,
            (game.orders - refused) * 100 / game.orders,
            events.len(),
            micros(game.reading),
            time,
            time / game.orders as f64,
            before.map_or("–".to_owned(), |before| format!("{:.2}", time / before)),
        );
        before = Some(time);
    }
    Ok(())
}

/// A whole recorded turn, replayed until so many events have been applied.
fn replays(game: Game) -> Result<(), Box<dyn Error>> {
    let chance = Chance::numbered(0);
    let opening = State::new(Opening { phase: Phase::Tax, ..game.opening });
    let mut state = opening.clone();
    let mut events = Vec::new();
    while state.phase() <= Phase::Trade {
        let part = match state.phase() {
            Phase::Movement => &game.parts[0],
            Phase::Conflict => &game.parts[1],
            Phase::Cities => &game.parts[2],
            _ => &Commands { filed: Vec::new(), cut_off: true, ..Commands::default() },
        };
        let (happened, then) = adjudicate(&state, part, &chance);
        events.extend(happened);
        state = then;
    }
    let stored = events.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    let games = STORED.div_ceil(events.len());
    // The last game is cut short, so that it is exactly so many events.
    let lengths: Vec<_> = (0..games).map(|game| events.len().min(STORED - game * events.len())).collect();
    let values = || {
        let replayed = lengths.iter().map(|length| replay(&opening, &events[..*length]));
        replayed.fold(0, |turns, state| turns + usize::from(state.turn()))
    };
    let texts = || {
        let replayed = lengths.iter().map(|length| {
            let read = stored[..*length].iter().map(|text| serde_json::from_str::<Event>(text));
            read.collect::<Result<Vec<_>, _>>().map(|events| replay(&opening, &events))
        });
        replayed.map(|state| state.map_or(0, |state| usize::from(state.turn()))).sum::<usize>()
    };
    let times = medians(2, |row| if row == 0 { values() } else { texts() });
    let (values, texts) = (times[0], times[1]);
    println!("{:>7} {:>7} {:>10} {:>6}", "events", "games", "ms", "ratio");
    println!("{STORED:>7} {games:>7} {:>10.2} {:>6}  as values", values / 1000.0, "–");
    println!("{STORED:>7} {games:>7} {:>10.2} {:>6.2}  from JSON text", texts / 1000.0, texts / values);
    Ok(())
}

/// The median times in microseconds of so many rows. They are measured in turns, so that whatever else the machine does
/// falls on all of them alike.
fn medians<T>(rows: usize, mut work: impl FnMut(usize) -> T) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(RUNS); rows];
    for run in 0..RUNS + RUNS / 10 {
        for (row, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            black_box(work(row));
            // The first runs only warm up.
            if run >= RUNS / 10 {
                times.push(micros(start.elapsed()));
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    times.iter().map(|times| times[RUNS / 2]).collect()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Everybody has spread over the land around their start and into their neighbours', with cities, ships and a treasury.
fn crowded(printed: &Arc<PrintedGame>, scenario: &Scenario) -> Opening {
    let mut opening = setup::opening(printed.clone(), scenario, Rulebook::default(), AstSide::Basic);
    opening.phase = Phase::Movement;
    for seat in 0..opening.holdings.len() {
        let civ = opening.holdings[seat].civ;
        let start = printed.civilizations[usize::from(civ.0)].start;
        let land = around(&printed.map, start, |area| {
            area.has_land() && area.region.is_none_or(|civ| scenario.civilizations.contains(&civ))
        });
        for (place, id) in land.iter().take(18).enumerate() {
            let area = printed.map.area(*id);
            let ground = &mut opening.board[usize::from(id.0)];
            let holding = &mut opening.holdings[seat];
            match (area.site, ground.city) {
                (Some(_), None) if place % 4 == 1 && holding.cities > 4 && ground.forces.is_empty() => {
                    holding.cities -= 1;
                    ground.city = Some(City { owner: Owner::Civ(civ), new: false });
                }
                (_, None) => {
                    // Six or seven here and there, for a city or an attack.
                    let count = if place % 6 == 2 { 7 } else { 2 };
                    let count = holding.stock.min(count);
                    holding.stock -= count;
                    let owner = Owner::Civ(civ);
                    match ground.forces.binary_search_by_key(&owner, |force| force.owner) {
                        Ok(index) => ground.forces[index].count += count,
                        Err(_) if count == 0 => {}
                        Err(index) => ground.forces.insert(index, Force { owner, count, moved: 0, ferried: 0 }),
                    }
                }
                (_, Some(_)) => {}
            }
            if area.is_coastal() && holding.ships.len() < 2 {
                let ship = Ship { area: *id, condition: ShipCondition::Old, steps: 0, sailed: false };
                holding.ships.push(ship);
            }
        }
        let holding = &mut opening.holdings[seat];
        holding.treasury = holding.stock.min(8);
        holding.stock -= holding.treasury;
        holding.census = printed.pieces.tokens - holding.stock - holding.treasury;
    }
    opening
}

/// The areas around a start, near ones first.
fn around(map: &Map, start: Option<AreaId>, fits: impl Fn(&Area) -> bool) -> Vec<AreaId> {
    let mut found: Vec<_> = start.into_iter().collect();
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        let area = map.area(id);
        for near in area.land.iter().chain(&area.water) {
            if !found.contains(near) && fits(map.area(*near)) {
                found.push(*near);
            }
        }
        next += 1;
    }
    found
}

/// So many lines: ships maintained, sailed and built, cities to be built, and tokens that walk one by one, some of them on
/// a condition. When every token has moved, the lines begin anew.
fn letter(state: &State, civ: Civ, lines: usize) -> String {
    let map = &state.printed().map;
    let name = |area: AreaId| map.area(area).name.as_str();
    let owner = Owner::Civ(civ);
    let own: Vec<_> = state.grounds().filter_map(|(area, ground)| Some((area, ground.force(owner)?.count))).collect();
    let mut text = Vec::new();
    for ship in &state.holding(civ).ships {
        let shallow = map.area(ship.area).water.iter().find(|area| map.area(**area).kind != AreaKind::OpenSea);
        text.push(format!("maintain ship in {}", name(ship.area)));
        text.extend(shallow.map(|to| format!("sail from {} load 1 to {}", name(ship.area), name(*to))));
    }
    let coast = own.iter().find(|(area, _)| map.area(*area).is_coastal());
    text.extend(coast.map(|(area, _)| format!("build ship in {}", name(*area))));
    let crowd = own.iter().filter(|(area, count)| *count >= 6 && map.area(*area).site.is_some());
    text.extend(crowd.map(|(area, _)| format!("build city in {}", name(*area))));
    for step in 0..7 {
        for (number, (from, count)) in own.iter().enumerate() {
            // A crowd moves as one, into the same area; the others one by one, each somewhere else.
            let near: Vec<_> = map.area(*from).land.iter().filter(|to| !state.ground(**to).out_of_play).collect();
            let moved = u16::from(*count > 6) * 6 + 1;
            if near.is_empty() || step * moved >= *count {
                continue;
            }
            let (here, there) = (name(*from), name(*near[(number + usize::from(step)) % near.len()]));
            text.push(match number % 4 {
                0 => format!(
                    "if {here} holds at least {moved} {} then move {moved} from {here} to {there}",
                    civ_name(state, civ)
                ),
                1 => format!("{moved} {here} > {there}"),
                _ => format!("move {moved} from {here} to {there}"),
            });
        }
    }
    let mut written: Vec<_> = text.iter().cycle().take(lines).cloned().collect();
    written.push("done".to_owned());
    written.join("\n")
}

fn civ_name(state: &State, civ: Civ) -> &str {
    &state.printed().civilizations[usize::from(civ.0)].name
}
