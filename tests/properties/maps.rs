//! The boards that random games are played on: the printed map, and little maps of all kinds of areas.

use std::sync::{Arc, OnceLock};

use cursus::orders::Lexicon;
use cursus::rules::map::Feature;
use cursus::rules::{Area, AreaId, AreaKind, CitySite, Map, PrintedGame};

use super::Dice;

/// A board and the names on it.
pub struct Table {
    /// The printed game with this board.
    pub printed: Arc<PrintedGame>,
    /// Its names.
    pub lexicon: Lexicon,
    /// Areas under an out-of-play marker; on the printed map the scenario says so.
    pub out_of_play: Vec<AreaId>,
}

/// How many little maps there are.
const LITTLE_MAPS: u64 = 40;

const NAMES: [&str; 14] = [
    "Crete", "Thera", "Rhodes", "Naxos", "Argos", "Sparta", "Athens", "Corinth", "Lemnos", "Samos", "Delos", "Paros",
    "Melos", "Chios",
];

/// The printed map.
pub fn printed() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition can be read"));
        let lexicon = Lexicon::new(&printed);
        Table { printed, lexicon, out_of_play: Vec::new() }
    })
}

/// One of the little maps.
pub fn little(number: u64) -> &'static Table {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| (0..LITTLE_MAPS).map(|seed| little_table(&mut Dice::new(seed))).collect());
    &tables[(number % LITTLE_MAPS) as usize]
}

fn little_table(dice: &mut Dice) -> Table {
    let mut map = Map::default();
    let count = 3 + dice.below(NAMES.len() - 2);
    for name in &NAMES[..count] {
        let kind = match dice.below(10) {
            0..=4 => AreaKind::Coastal,
            5..=7 => AreaKind::Land,
            8 => AreaKind::Sea,
            _ => AreaKind::OpenSea,
        };
        // The first two have land, so that there is something to play for.
        let kind = if map.areas.len() < 2 { AreaKind::Coastal } else { kind };
        let mut area = Area { key: name.to_lowercase(), name: (*name).to_owned(), kind, ..Area::default() };
        if area.has_land() {
            area.limit = dice.below(5) as u8;
            area.site = [None, Some(CitySite::Black), Some(CitySite::White)][dice.below(3)];
        }
        map.areas.push(area);
    }
    for a in 0..count {
        for b in a + 1..count {
            let near = b == a + 1 || dice.percent(25);
            let (land, water) = (|area: &Area| area.has_land(), |area: &Area| area.kind != AreaKind::Land);
            if near && land(&map.areas[a]) && land(&map.areas[b]) && dice.percent(80) {
                join(&mut map, a, b, |area| &mut area.land);
            }
            if near && water(&map.areas[a]) && water(&map.areas[b]) {
                join(&mut map, a, b, |area| &mut area.water);
            }
        }
    }
    for area in &mut map.areas {
        area.land.sort_unstable();
        area.water.sort_unstable();
    }
    let limits = map.areas.iter().fold(0, |sum, area| sum * 5 + u64::from(area.limit));
    features(&mut map, &mut Dice::new(limits));
    let out_of_play = map.ids().skip(2).filter(|_| dice.percent(8)).collect();
    let mut printed = PrintedGame { map, ..PrintedGame::clone(&self::printed().printed) };
    printed.civilizations.iter_mut().for_each(|civ| civ.start = None);
    let lexicon = Lexicon::new(&printed);
    Table { printed: Arc::new(printed), lexicon, out_of_play }
}

/// A flood plain and a volcano, each over one to three areas with land.
fn features(map: &mut Map, dice: &mut Dice) {
    let mut feature = |map: &Map, name: &str| {
        let land = map.ids().filter(|area| map.area(*area).has_land()).collect();
        let count = 1 + dice.below(3);
        let mut areas: Vec<_> = dice.shuffled(land).into_iter().take(count).collect();
        areas.sort_unstable();
        Feature { key: name.to_lowercase(), name: name.to_owned(), areas, position: None }
    };
    let (plain, volcano) = (feature(map, "Plain"), feature(map, "Etna"));
    plain.areas.iter().for_each(|area| map.areas[usize::from(area.0)].features.flood_plain = Some(0));
    volcano.areas.iter().for_each(|area| map.areas[usize::from(area.0)].features.volcano = Some(0));
    (map.flood_plains, map.volcanoes) = (vec![plain], vec![volcano]);
}

fn join(map: &mut Map, a: usize, b: usize, borders: impl Fn(&mut Area) -> &mut Vec<AreaId>) {
    borders(&mut map.areas[a]).push(AreaId(b as u16));
    borders(&mut map.areas[b]).push(AreaId(a as u16));
}
