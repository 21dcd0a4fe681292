//! All names of an edition: areas, civilizations, cards and advances, in English and Polish.
//!
//! Comes in: the printed game. Goes out: the [`Lexicon`] the reader looks names up in. Looks into `rules` only.

use std::collections::BTreeMap;

use super::fault::Named;
use super::names::{NameForm, Names, Spelling};
use crate::rules::{Advance, AreaId, Calamity, Civ, Commodity, Face, Forms, Group, Language, PrintedGame};

/// The groups of advances: the printed name, its key, and the colour of its cards.
const GROUPS: [(Group, &str, &str, &str); 5] = [
    (Group::Arts, "Arts", "arts", "blue"),
    (Group::Civics, "Civics", "civics", "red"),
    (Group::Crafts, "Crafts", "crafts", "orange"),
    (Group::Religion, "Religion", "religion", "yellow"),
    (Group::Science, "Science", "science", "green"),
];

/// The names of an edition, by the kind of thing that is wanted: Assyria is an area and a civilization.
#[derive(Debug, Clone)]
pub struct Lexicon {
    /// Areas, with their aliases.
    pub areas: Names<AreaId>,
    /// Civilizations and their peoples.
    pub civs: Names<Civ>,
    /// Trade cards: water, commodities and calamities.
    pub cards: Names<Face>,
    /// Calamities alone, also by half of a double name: `Heresy`.
    pub calamities: Names<Calamity>,
    pub advances: Names<Advance>,
    /// Groups of advances, also by their colours.
    pub groups: Names<Group>,
}

impl Lexicon {
    /// Gathers the names. Polish ones are attached by key, so the areas of a casebook map have theirs as well.
    pub fn new(game: &PrintedGame) -> Lexicon {
        let polish = &game.polish;
        let areas = game.map.ids().map(|id| {
            let area = game.map.area(id);
            (id, spellings(&area.name, &area.aliases, &area.key, &polish.area))
        });
        let civs = (0..).zip(&game.civilizations).map(|(position, civilization)| {
            (
                Civ(position),
                spellings(&civilization.name, &civilization.aliases, &civilization.key, &polish.civilization),
            )
        });
        let water = [(Face::Water, spellings("Water", &numbers("Water"), "water", &polish.commodity))];
        let commodities = (0..).zip(&game.commodities).map(|(position, card)| {
            let face = Face::Commodity(Commodity(position));
            (face, spellings(&card.name, &numbers(&card.name), &card.key, &polish.commodity))
        });
        let calamities = game.calamities.iter().map(|card| {
            let halves: Vec<_> =
                card.name.split(" and ").filter(|half| *half != card.name).map(str::to_owned).collect();
            (card.calamity, spellings(&card.name, &halves, &card.key, &polish.calamity))
        });
        let calamity_cards = calamities.clone().map(|(calamity, spellings)| (Face::Calamity(calamity), spellings));
        let groups = GROUPS
            .into_iter()
            .map(|(group, name, key, colour)| (group, spellings(name, &[colour.to_owned()], key, &polish.group)));
        let advances =
            game.advances.iter().map(|card| (card.advance, spellings(&card.name, &[], &card.key, &polish.advance)));
        Lexicon {
            areas: Names::new(areas),
            civs: Names::new(civs),
            cards: Names::new(water.into_iter().chain(commodities).chain(calamity_cards)),
            calamities: Names::new(calamities),
            advances: Names::new(advances),
            groups: Names::new(groups),
        }
    }
}

impl Lexicon {
    /// The printed name of a thing.
    pub(crate) fn name(&self, named: Named) -> &str {
        match named {
            Named::Area(area) => self.areas.name(area),
            Named::Civ(civ) => self.civs.name(civ),
            Named::Card(face) => self.cards.name(face),
            Named::Advance(advance) => self.advances.name(advance),
            Named::Verb(verb) => verb.said(Language::English),
        }
    }
}

/// All spellings of a thing, the printed name first. Of a double name such as `Volcanic Eruption / Earthquake`, either
/// half will do.
fn spellings(name: &str, aliases: &[String], key: &str, polish: &BTreeMap<String, Forms>) -> Vec<Spelling> {
    let halves = name.split('/').filter(|half| *half != name).map(str::to_string);
    let english = [name.to_string(), key.replace('_', " ")].into_iter().chain(aliases.iter().cloned()).chain(halves);
    let mut spellings: Vec<Spelling> = english.map(|text| Spelling { text, form: NameForm::English }).collect();
    if let Some(forms) = polish.get(key) {
        spellings.extend(declined(forms));
    }
    spellings
}

/// The name of a commodity as one counts it: `2 salts`, `1 hide`, `1 papyrus`.
fn numbers(name: &str) -> Vec<String> {
    match name.strip_suffix('s').filter(|singular| !singular.ends_with('s')) {
        Some(singular) => vec![singular.to_owned()],
        None if name.ends_with("ri") => vec![format!("{}us", name.trim_end_matches('i'))],
        None => vec![format!("{name}s"), format!("{name}es")],
    }
}

/// The forms of a regular Polish adjective: `egipski`, `egipskie`, `egipskich`.
fn adjectives(adjective: &str) -> impl Iterator<Item = String> {
    ["", "e", "ego", "emu", "ch", "m", "mi"].into_iter().map(move |ending| format!("{adjective}{ending}"))
}

/// All spellings of a Polish name.
fn declined(forms: &Forms) -> Vec<Spelling> {
    let cases = [&forms.r#gen, &forms.dat, &forms.acc, &forms.ins, &forms.few, &forms.many];
    let others = [&forms.nom].into_iter().chain(cases.into_iter().flatten()).chain(&forms.also).chain(&forms.people);
    let others = others.map(|text| (text, NameForm::Polish));
    let adjectives = forms.adj.iter().flat_map(|adjective| adjectives(adjective));
    let mut spellings: Vec<_> = adjectives.map(|text| Spelling { text, form: NameForm::Polish }).collect();
    for (text, form) in others.chain(forms.loc.iter().map(|text| (text, NameForm::Locative))) {
        spellings.push(Spelling { text: text.clone(), form });
        if forms.swap {
            spellings.extend(swapped(text).map(|text| Spelling { text, form }));
        }
    }
    spellings
}

/// The same words with the first one last, and with the last one first.
fn swapped(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let turns = if words.len() > 1 { vec![1, words.len() - 1] } else { Vec::new() };
    turns.into_iter().map(move |turn| [&words[turn..], &words[..turn]].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::lexemes::{Lexeme, LexemeKind, fold, lexemes};
    use super::super::names::{Found, How, Stop};
    use super::*;
    use crate::rules::{
        AdvanceCard, Area, Block, Calamity, CalamityCard, CalamityClass, Civilization, CommodityCard, Map, Pieces,
        Polish,
    };

    const POLISH: &str = r#"
    [area]
    argos = { nom = "Argos", gen = "Argos", loc = "Argos", also = ["Argosu", "Argosie"] }
    babylon = { nom = "Babilon", gen = "Babilonu", loc = "Babilonie", acc = "Babilon" }
    babylonia = { nom = "Babilonia", gen = "Babilonii", loc = "Babilonii", acc = "Babilonię" }
    chanhu_daro = { nom = "Czanhu-Daro", uninflected = true }
    eastern_arabia_felix = { nom = "Wschodnia Arabia Szczęśliwa", gen = "Wschodniej Arabii Szczęśliwej", swap = true }
    eastern_armenia = { nom = "Armenia Wschodnia", gen = "Armenii Wschodniej", acc = "Armenię Wschodnią", swap = true }
    western_armenia = { nom = "Armenia Zachodnia", gen = "Armenii Zachodniej", acc = "Armenię Zachodnią", swap = true }
    [civilization.egypt]
    nom = "Egipt"
    gen = "Egiptu"
    dat = "Egiptowi"
    ins = "Egiptem"
    loc = "Egipcie"
    people = ["Egipcjanie", "Egipcjan", "Egipcjanom", "Egipcjanami"]
    [commodity]
    water = { nom = "woda", gen = "wody", acc = "wodę" }
    salt = { nom = "sól", gen = "soli", acc = "sól", few = "sole", many = "solek" }
    bone = { nom = "kość", gen = "kości" }
    ivory = { nom = "kość słoniowa", gen = "kości słoniowej" }
    [calamity]
    volcanic_eruption_earthquake = { nom = "Wybuch wulkanu / Trzęsienie ziemi", also = ["Trzęsienie ziemi"] }
    [advance]
    drama_and_poetry = { nom = "Dramat i poezja", gen = "Dramatu i poezji" }
    trade_empire = { nom = "Imperium handlowe", gen = "Imperium handlowego", swap = true }
    "#;

    /// A small printed game; its areas have the folded name as key, like those of a casebook map.
    fn game() -> PrintedGame {
        let names = ["Argos", "Assyria", "Babylon", "Babylonia", "Chanhu-Daro", "Eastern Arabia Felix"];
        let names = names.into_iter().chain(["Eastern Armenia", "Western Armenia", "Toprak-Kala"]);
        let commodities = ["Salt", "Bone", "Ivory"].map(|name| CommodityCard {
            key: fold(name),
            name: name.into(),
            stack: 3,
            cards: 9,
            single_blocks: vec![Block::West],
            single_min_players: 5,
            double_min_players: 12,
            west_cards: 5,
            east_cards: 4,
        });
        let volcano = CalamityCard {
            calamity: Calamity::VolcanicEruptionEarthquake,
            key: "volcanic_eruption_earthquake".into(),
            name: "Volcanic Eruption / Earthquake".into(),
            stack: 2,
            class: CalamityClass::Major,
            tradeable: false,
            order: 9,
            effect: Vec::new(),
            modifiers: Vec::new(),
        };
        let advances = [(Advance::DramaAndPoetry, "Drama and Poetry"), (Advance::TradeEmpire, "Trade Empire")];
        let advances = advances.into_iter().chain([(Advance::Pottery, "Pottery")]).map(|(advance, name)| AdvanceCard {
            advance,
            key: fold(name).replace(' ', "_"),
            name: name.into(),
            cost: 80,
            victory_points: 1,
            groups: Vec::new(),
            credits: Vec::new(),
            credit_to: None,
        });
        PrintedGame {
            map: Map { areas: names.map(area).collect(), ..Map::default() },
            pieces: Pieces { tokens: 55, cities: 9, ships: 4 },
            civilizations: ["Assyria", "Egypt"].map(civilization).into(),
            commodities: commodities.into(),
            calamities: vec![volcano],
            advances: advances.collect(),
            scenarios: Vec::new(),
            ast: PrintedGame::built_in().expect("the built-in edition is checked").ast,
            polish: toml::from_str::<Polish>(POLISH).expect("the Polish names can be read"),
        }
    }

    fn civilization(name: &str) -> Civilization {
        Civilization {
            key: fold(name),
            name: name.into(),
            aliases: vec![format!("{name}ians")],
            block: Block::West,
            start: None,
            color: "#ffffff".into(),
        }
    }

    fn area(name: &str) -> Area {
        Area {
            key: fold(name).replace(' ', "_"),
            name: name.into(),
            aliases: if name == "Toprak-Kala" { vec!["toprok-kala".into()] } else { Vec::new() },
            ..Area::default()
        }
    }

    /// The thing a whole line names in full.
    fn full<T: Copy>(names: &Names<T>, line: &str, place: bool) -> Option<T> {
        let lexemes = lexemes(line);
        let stop = |lexeme: &Lexeme| {
            if ["i", "and"].map(|word| LexemeKind::Word(word.into())).contains(&lexeme.kind) {
                Stop::Joint
            } else {
                Stop::Free
            }
        };
        match names.find(line, &lexemes, &stop, place) {
            Found::Read { what, taken, how: How::Full } if taken == lexemes.len() => Some(what),
            Found::Read { .. } | Found::Several { .. } | Found::Nothing => None,
        }
    }

    #[test]
    fn areas_are_known_by_name_alias_key_and_every_polish_form() {
        let areas = Lexicon::new(&game()).areas;
        for (line, id) in
            [("ARGOS", 0), ("Argosie", 0), ("Argosu", 0), ("assyria", 1), ("Babilonu", 2), ("Babilonii", 3)]
        {
            assert_eq!(full(&areas, line, false), Some(AreaId(id)), "{line}");
        }
        for (line, id) in [("chanhu_daro", 4), ("Czanhu-Daro", 4), ("Toprok Kala", 8), ("toprakkala", 8)] {
            assert_eq!(full(&areas, line, false), Some(AreaId(id)), "{line}");
        }
        assert_eq!(areas.exact("Chanhu-Daro"), Some(AreaId(4)));
        assert_eq!(full(&areas, "Egypt", false), None);
    }

    #[test]
    fn the_one_collision_is_settled() {
        let areas = Lexicon::new(&game()).areas;
        assert_eq!(full(&areas, "Babilonie", true), Some(AreaId(2)));
        assert_eq!(full(&areas, "Babilonie", false), Some(AreaId(3)));
        assert_eq!(full(&areas, "Babilonię", true), Some(AreaId(3)));
    }

    #[test]
    fn swapped_words_agree_in_case() {
        let lexicon = Lexicon::new(&game());
        for line in ["Armenia Wschodnia", "Wschodnia Armenia", "wschodniej armenii", "Armenię Wschodnią"] {
            assert_eq!(full(&lexicon.areas, line, false), Some(AreaId(6)), "{line}");
        }
        for line in ["Arabia Szczęśliwa Wschodnia", "Wschodniej Arabii Szczesliwej", "Szczęśliwa Wschodnia Arabia"]
        {
            assert_eq!(full(&lexicon.areas, line, false), Some(AreaId(5)), "{line}");
        }
        assert_eq!(full(&lexicon.areas, "Zachodniej Armenia", false), None);
        assert_eq!(full(&lexicon.areas, "Zachodnia Armenia", false), Some(AreaId(7)));
        assert_eq!(full(&lexicon.advances, "handlowego imperium", false), Some(Advance::TradeEmpire));
        assert_eq!(full(&lexicon.cards, "słoniowa kość", false), None);
    }

    #[test]
    fn half_a_polish_name_suggests_both_areas() {
        let found = Lexicon::new(&game()).areas.find("Armenii", &lexemes("Armenii"), &|_| Stop::Free, true);
        assert_eq!(found, Found::Several { candidates: vec![AreaId(6), AreaId(7)], taken: 1, how: How::Beginning });
    }

    #[test]
    fn civilizations_are_known_by_their_people_too() {
        let civs = Lexicon::new(&game()).civs;
        for line in ["Egypt", "Egiptowi", "Egiptem", "Egipcie", "Egipcjanami", "egipcjan"] {
            assert_eq!(full(&civs, line, false), Some(Civ(1)), "{line}");
        }
        assert_eq!(civs.exact("Assyria"), Some(Civ(0)));
    }

    #[test]
    fn cards_are_water_commodities_and_calamities() {
        let cards = Lexicon::new(&game()).cards;
        for (line, face) in [("Water", Face::Water), ("wodę", Face::Water), ("sole", Face::Commodity(Commodity(0)))] {
            assert_eq!(full(&cards, line, false), Some(face), "{line}");
        }
        assert_eq!(full(&cards, "kości", false), Some(Face::Commodity(Commodity(1))));
        assert_eq!(full(&cards, "kości słoniowej", false), Some(Face::Commodity(Commodity(2))));
        let volcano = Some(Face::Calamity(Calamity::VolcanicEruptionEarthquake));
        for line in ["Volcanic Eruption / Earthquake", "volcanic eruption earthquake", "Earthquake", "trzesienie ziemi"]
        {
            assert_eq!(full(&cards, line, false), volcano, "{line}");
        }
        assert_eq!(cards.exact("Volcanic Eruption/Earthquake"), volcano);
    }

    #[test]
    fn advances_run_over_and() {
        let advances = Lexicon::new(&game()).advances;
        for line in ["Drama and Poetry", "drama & poetry", "dramatu i poezji"] {
            assert_eq!(full(&advances, line, false), Some(Advance::DramaAndPoetry), "{line}");
        }
        let line = "Drama and Pottery";
        let stop =
            |lexeme: &Lexeme| if lexeme.kind == LexemeKind::Word("and".into()) { Stop::Joint } else { Stop::Free };
        let found = advances.find(line, &lexemes(line), &stop, false);
        assert_eq!(found, Found::Read { what: Advance::DramaAndPoetry, taken: 1, how: How::Beginning });
    }
}
