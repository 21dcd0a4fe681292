//! Each check of an edition finds what was broken in a copy of the built-in one, and says it.

use std::borrow::Cow;

use cursus::rules::{EditionFile, EditionFiles, PrintedGame};
use proptest::prelude::*;

/// Replaces the first `old` after `anchor` in a file.
fn edit(file: &mut EditionFile, anchor: &str, old: &str, new: &str) {
    let from = file.text.find(anchor).unwrap_or_else(|| panic!("{} has no {anchor:?}", file.name));
    let (before, after) = file.text.split_at(from);
    assert!(after.contains(old), "{} has no {old:?} after {anchor:?}", file.name);
    file.text = Cow::Owned(format!("{before}{}", after.replacen(old, new, 1)));
}

/// What is said of an edition of which one file was edited.
fn said(change: impl FnOnce(&mut EditionFiles)) -> String {
    let mut files = EditionFiles::built_in();
    change(&mut files);
    match PrintedGame::read(&files) {
        Ok(_) => "the edition was read".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// A check: its name, and the file, the anchor, the old and the new text, and what is said of it.
macro_rules! checks {
    ($($name:ident: $file:ident, $anchor:expr, $old:expr => $new:expr, $said:expr;)+) => {
        $(#[test]
        fn $name() {
            assert_eq!(said(|files| edit(&mut files.$file, $anchor, $old, $new)), $said);
        })+
    };
}

const KNOSSOS: &str = "id = \"knossos\"";

checks! {
    // The map.
    neighbours_exist: map, KNOSSOS, "\"phaestos\"" => "\"phaistos\"",
        "map.toml: area \"knossos\": land_adjacent names \"phaistos\", which is no area; did you mean \"phaestos\"?";
    far_misspellings_have_no_suggestion: map, KNOSSOS, "\"phaestos\"" => "\"atlantis\"",
        "map.toml: area \"knossos\": land_adjacent names \"atlantis\", which is no area";
    borders_have_two_sides: map, KNOSSOS, "\"rhodes\", " => "",
        "map.toml: area \"knossos\": water_adjacent does not name \"rhodes\", but \"rhodes\" names \"knossos\"; \
         expected both or neither";
    land_borders_have_two_sides: map, KNOSSOS, "land_adjacent = [\"phaestos\"]" => "land_adjacent = []",
        "map.toml: area \"knossos\": land_adjacent does not name \"phaestos\", but \"phaestos\" names \"knossos\"; \
         expected both or neither";
    neighbours_are_in_order: map, KNOSSOS, "\"rhodes\", \"thera\"" => "\"thera\", \"rhodes\"",
        "map.toml: area \"knossos\": water_adjacent has \"rhodes\" after \"thera\"; \
         expected alphabetical order, each once";
    neighbours_stand_once: map, KNOSSOS, "\"rhodes\"" => "\"rhodes\", \"rhodes\"",
        "map.toml: area \"knossos\": water_adjacent has \"rhodes\" after \"rhodes\"; \
         expected alphabetical order, each once";
    no_area_borders_itself: map, KNOSSOS, "[\"phaestos\"]" => "[\"knossos\", \"phaestos\"]",
        "map.toml: area \"knossos\": land_adjacent names the area itself; expected other areas only";
    land_has_no_water: map, "id = \"tunisia\"", "land_adjacent" => "water_adjacent = [\"thapsus\"]\nland_adjacent",
        "map.toml: area \"tunisia\": kind is land and there is water_adjacent; expected no water_adjacent";
    open_sea_has_no_land: map, "id = \"aegean_sea\"", "water_adjacent" => "land_adjacent",
        "map.toml: area \"aegean_sea\": kind is open_sea and there is land_adjacent; expected no land_adjacent";
    open_sea_has_no_region: map, "id = \"aegean_sea\"", "water_adjacent" => "region = \"minoa\"\nwater_adjacent",
        "map.toml: area \"aegean_sea\": kind is open_sea and there is region; expected no region";
    land_has_a_region: map, KNOSSOS, "region = \"minoa\"\n" => "",
        "map.toml: area \"knossos\": kind is coastal and there is no region; expected region";
    land_has_a_limit: map, KNOSSOS, "population_limit = 3\n" => "",
        "map.toml: area \"knossos\": kind is coastal and there is no population_limit; expected population_limit";
    limits_end_at_four: map, KNOSSOS, "population_limit = 3" => "population_limit = 5",
        "map.toml: area \"knossos\": population_limit is 5; expected 0 to 4";
    regions_exist: map, KNOSSOS, "\"minoa\"" => "\"mino\"",
        "map.toml: area \"knossos\": region names \"mino\", which is no civilization; did you mean \"minoa\"?";
    areas_have_ids_of_their_own: map, KNOSSOS, KNOSSOS => "id = \"phaestos\"",
        "map.toml: area \"phaestos\": the id stands twice; expected an id of its own";
    white_sites_lie_on_a_plain: map, KNOSSOS, "\"black\"" => "\"white\"",
        "map.toml: area \"knossos\": city_site is white and there is no flood_plain; expected a flood_plain";
    labels_can_be_drawn: map, KNOSSOS, "radius = 14.4" => "radius = nan",
        "map.toml: area \"knossos\": label, ship or radius is not finite; expected numbers that can be drawn";
    the_map_has_a_size: map, "[map]", "4000" => "-1",
        "map.toml: map: width is -1 and height 1400; expected positive numbers";

    coasts_have_a_place_for_ships: map, KNOSSOS, "ship = " => "# ship = ",
        "map.toml: area \"knossos\": kind is coastal and there is no ship; expected ship";
    ids_are_not_empty: map, KNOSSOS, KNOSSOS => "id = \"\"",
        "map.toml: area: an id is empty; expected a key";
    volcanoes_can_be_drawn: features, "id = \"etna\"", "991.5" => "inf",
        "features.toml: volcano \"etna\": position is not finite; expected numbers that can be drawn";
    // Plains, volcanoes and outlines.
    plains_exist: map, "id = \"nis\"", "\"hamun\"" => "\"hamum\"",
        "map.toml: area \"nis\": flood_plain names \"hamum\", which is no flood plain; did you mean \"hamun\"?";
    plains_name_their_areas: features, "id = \"padus\"", "\"etruria\", " => "",
        "features.toml: flood plain \"padus\": areas does not name \"etruria\", which names it in map.toml; \
         expected both or neither";
    areas_name_their_volcano: features, "id = \"etna\"", "[\"milazzo\"" => "[\"knossos\", \"milazzo\"",
        "features.toml: volcano \"etna\": areas names \"knossos\", which does not name it in map.toml; \
         expected both or neither";
    areas_of_features_exist: features, "id = \"etna\"", "\"milazzo\"" => "\"milazo\"",
        "features.toml: volcano \"etna\": areas names \"milazo\", which is no area; did you mean \"milazzo\"?";
    every_area_has_an_outline: outlines, "[outline.knossos]", "knossos" => "knosos",
        "outlines.toml: outline \"knossos\": there is none; expected an outline for every area";
    outlines_are_of_areas: outlines, "[outline.knossos]", "[outline.knossos]" => "[outline.knosos]\n[outline.knossos]",
        "outlines.toml: outline names \"knosos\", which is no area; did you mean \"knossos\"?";
    rings_have_points: outlines, "[outline.aegean_sea]", "[\"" => "[\"0,0 1,0\", \"",
        "outlines.toml: outline \"aegean_sea\": water has a ring of 2 points; expected three at least";
    points_are_numbers: outlines, "[outline.aegean_sea]", "[\"" => "[\"inf,0 ",
        "outlines.toml: outline \"aegean_sea\": water has the point \"inf,0\"; expected x,y in finite numbers";
    parts_have_a_boundary: outlines, "[outline.aegean_sea]", "[\"" => "[], [\"",
        "outlines.toml: outline \"aegean_sea\": water has a part without a ring; expected its outer boundary";
    seas_have_no_land_outline: outlines, "[outline.aegean_sea]", "water" => "land",
        "outlines.toml: outline \"aegean_sea\": there is land; expected no land, for it is a sea";
    coasts_have_a_water_outline: outlines, "[outline.knossos]", "water = [" => "water = []\n[outline.x]\nwater = [",
        "outlines.toml: outline \"knossos\": there is no water; expected its water part";

    // Cards.
    shares_are_all_cards: trade_cards, "id = \"salt\"", "west_cards = 4" => "west_cards = 5",
        "trade_cards.toml: commodity \"salt\": west_cards is 5 and east_cards 5; expected together the 9 of cards";
    there_are_nine_stacks: trade_cards, "id = \"salt\"", "stack = 3" => "stack = 10",
        "trade_cards.toml: commodity \"salt\": stack is 10; expected 1 to 9";
    water_is_in_no_stack: trade_cards, "id = \"salt\"", "id = \"salt\"" => "id = \"water\"",
        "trade_cards.toml: commodity \"water\": water is listed; expected commodities of the stacks only";
    blocks_are_named_once: trade_cards, "id = \"bone\"", "[\"west\", \"east\"]" => "[\"west\", \"west\"]",
        "trade_cards.toml: commodity \"bone\": single_blocks has other blocks; expected west, east, or west and east";
    commodities_have_ids_of_their_own: trade_cards, "id = \"salt\"", "id = \"salt\"" => "id = \"clay\"",
        "trade_cards.toml: commodity \"clay\": the id stands twice; expected an id of its own";
    calamities_are_known: calamities, "id = \"famine\"", "famine" => "famin",
        "calamities.toml: id names \"famin\", which is no calamity; did you mean \"famine\"?";
    calamities_stand_once: calamities, "id = \"famine\"", "famine" => "flood",
        "calamities.toml: calamity \"flood\": the id stands twice; expected an id of its own";
    calamities_have_their_own_order: calamities, "id = \"famine\"", "order = 11" => "order = 12",
        "calamities.toml: calamity \"slave_revolt\": order is 12, as that of \"famine\"; expected an order of its own";
    modifiers_name_advances: calamities, "id = \"famine\"", "\"pottery\"" => "\"potery\"",
        "calamities.toml: calamity \"famine\": modifiers names \"potery\", which is no advance; \
         did you mean \"pottery\"?";
    advances_are_known: advances, "id = \"music\"", "music" => "musik",
        "advances.toml: id names \"musik\", which is no advance; did you mean \"music\"?";
    advances_stand_once: advances, "id = \"music\"", "music" => "theocracy",
        "advances.toml: advance \"theocracy\": the id stands twice; expected an id of its own";
    credits_name_advances: advances, "id = \"music\"", "\"enlightenment\"" => "\"enlightement\"",
        "advances.toml: advance \"music\": credit_to names \"enlightement\", which is no advance; \
         did you mean \"enlightenment\"?";
    credits_have_an_amount: advances, "id = \"music\"", "credit_to_amount = 10\n" => "",
        "advances.toml: advance \"music\": credit_to is alone; expected credit_to_amount with it";
    victory_points_are_printed: advances, "id = \"music\"", "victory_points = 1" => "victory_points = 2",
        "advances.toml: advance \"music\": victory_points is 2; expected 1, 3 or 6";

    amounts_have_a_credit: advances, "id = \"music\"", "credit_to = " => "# ",
        "advances.toml: advance \"music\": credit_to_amount is alone; expected credit_to with it";
    groups_are_one_or_two: advances, "id = \"music\"", "[\"arts\"]" => "[]",
        "advances.toml: advance \"music\": groups has other groups; \
         expected one group, or two in alphabetical order";
    advances_cost_something: advances, "id = \"music\"", "cost = 80" => "cost = 0",
        "advances.toml: advance \"music\": cost is 0; expected 1 to 65535";
    stack_one_has_no_calamity: calamities, "id = \"famine\"", "stack = 3" => "stack = 1",
        "calamities.toml: calamity \"famine\": stack is 1; expected 2 to 9";
    calamities_have_an_order: calamities, "id = \"famine\"", "order = 11" => "order = 25",
        "calamities.toml: calamity \"famine\": order is 25; expected 1 to 24";
    commodities_have_cards: trade_cards, "id = \"salt\"", "cards = 9" => "cards = 0",
        "trade_cards.toml: commodity \"salt\": cards is 0; expected 1 to 255";
    // Civilizations and the A.S.T.
    ranks_have_no_gaps: civilizations, "id = \"parthia\"", "ast_rank = 18" => "ast_rank = 19",
        "civilizations.toml: civilization \"parthia\": ast_rank is 19; \
         expected 18, for ranks run from 1 without gaps, each once";
    ranks_stand_once: civilizations, "id = \"saba\"", "ast_rank = 2" => "ast_rank = 1",
        "civilizations.toml: civilization \"saba\": ast_rank is 1; \
         expected 2, for ranks run from 1 without gaps, each once";
    aliases_of_civilizations_are_their_own: civilizations, "id = \"minoa\"", "\"Minoans\"" => "\"Egyptians\"",
        "civilizations.toml: civilization \"egypt\": \"Egyptians\" is also a name of civilization \"minoa\"; \
        expected a name of its own, accents, case and hyphens aside";
    aliases_of_civilizations_have_letters: civilizations, "id = \"minoa\"", "\"Minoans\"" => "\"…\"",
        "civilizations.toml: civilization \"minoa\": the name \"…\" has no letters; expected a name";
    starts_exist: civilizations, "id = \"minoa\"", "\"knossos\"" => "\"knosos\"",
        "civilizations.toml: civilization \"minoa\": start names \"knosos\", which is no area; \
         did you mean \"knossos\"?";
    starts_lie_in_their_region: civilizations, "id = \"minoa\"", "\"knossos\"" => "\"tunisia\"",
        "civilizations.toml: civilization \"minoa\": start is \"tunisia\", which lies outside its region; \
         expected an area whose region is \"minoa\"";
    colours_are_colours: civilizations, "id = \"minoa\"", "#c6de1c" => "green",
        "civilizations.toml: civilization \"minoa\": color is \"green\"; expected #rrggbb";
    epochs_follow_each_other: civilizations, "id = \"minoa\"", "middle_bronze = 9" => "middle_bronze = 11",
        "civilizations.toml: civilization \"minoa\": basic has the epochs begin at [1, 6, 11, 11, 14, 15]; \
         expected each after the one before";
    epochs_lie_on_the_track: civilizations, "[ast.basic]", "last_step = 15" => "last_step = 14",
        "civilizations.toml: civilization \"minoa\": late_iron of basic is 15; expected 1 to 14";

    // Scenarios.
    all_players_have_a_civilization: scenarios, "id = \"west_5\"", "\"minoa\", " => "",
        "scenarios.toml: scenario \"west_5\": civilizations names 4; expected as many as players, which is 5";
    civilizations_are_in_ranking_order: scenarios, "id = \"west_5\"",
        "\"hatti\", \"hellas\"" => "\"hellas\", \"hatti\"",
        "scenarios.toml: scenario \"west_5\": civilizations has \"hatti\" after \"hellas\"; \
         expected A.S.T.-ranking order, each once";
    civilizations_of_scenarios_exist: scenarios, "id = \"west_5\"", "\"hatti\"" => "\"hati\"",
        "scenarios.toml: scenario \"west_5\": civilizations names \"hati\", which is no civilization; \
         did you mean \"hatti\"?";
    blocks_are_those_of_the_map: scenarios, "id = \"west_5\"",
        "trade_blocks = [\"west\"]" => "trade_blocks = [\"east\"]",
        "scenarios.toml: scenario \"west_5\": trade_blocks has other blocks than the map; \
         expected the blocks of the map";
    block_changes_are_of_players: scenarios, "id = \"both_12\"", "{ assyria" => "{ celt",
        "scenarios.toml: scenario \"both_12\": block_changes names \"celt\", who does not play; expected players only";
    scenarios_have_ids_of_their_own: scenarios, "id = \"west_6\"", "west_6" => "west_5",
        "scenarios.toml: scenario \"west_5\": the id stands twice; expected an id of its own";

    blocks_changed_to_are_in_play: scenarios, "id = \"west_5\"", "trade_blocks" =>
        "block_changes = { egypt = \"east\" }\ntrade_blocks",
        "scenarios.toml: scenario \"west_5\": block_changes sends \"egypt\" to a block not in play; \
         expected trade_blocks";
    somebody_plays: scenarios, "id = \"west_5\"", "players = 5" => "players = 0",
        "scenarios.toml: scenario \"west_5\": players is 0; expected 1 to 255";

    // Names.
    names_are_unique: map, KNOSSOS, "name = \"Knossos\"" => "name = \"mohénjo daro\"",
        "map.toml: area \"mohenjo_daro\": \"Mohenjo-Daro\" is also a name of area \"knossos\"; \
         expected a name of its own, accents, case and hyphens aside";
    aliases_are_unique: map, KNOSSOS, "name = \"Knossos\"" => "name = \"Knossos\"\naliases = [\"agean sea\"]",
        "map.toml: area \"aegean_sea\": \"agean sea\" is also a name of area \"knossos\"; \
         expected a name of its own, accents, case and hyphens aside";
    polish_names_are_unique: polish, "babylonia = ", "nom = \"Babilonia\"" => "nom = \"Babilon\"",
        "polish.toml: area \"babylonia\": \"Babilon\" is also a name of area \"babylon\"; \
         expected a name of its own, accents, case and hyphens aside";
    polish_forms_differ_within_a_case: polish, "babylonia = ", "loc = \"Babilonii\"" => "loc = \"Babilonie\"",
        "polish.toml: area \"babylonia\": \"Babilonie\" is also a name of area \"babylon\"; \
         expected a name of its own, accents, case and hyphens aside";
    forms_without_a_case_are_unique: polish, "babylonia = ", " }" => ", also = [\"Babilonu\"] }",
        "polish.toml: area \"babylonia\": \"Babilonu\" is also a name of area \"babylon\"; \
         expected a name of its own, accents, case and hyphens aside";
    forms_may_be_shared_between_cases: polish, "babylonia = ", "acc = \"Babilonię\"" => "acc = \"Babilonu\"",
        "the edition was read";
    swapped_forms_count: polish, "babylonia = ", " }" => ", also = [\"Pustynna Arabia\"] }",
        "polish.toml: area \"babylonia\": \"Pustynna Arabia\" is also a name of area \"arabia_deserta\"; \
         expected a name of its own, accents, case and hyphens aside";
    polish_and_english_names_differ: polish, "babylonia = ", "nom = \"Babilonia\"" => "nom = \"Knossós\"",
        "polish.toml: area \"babylonia\": \"Knossós\" is also a name of area \"knossos\"; \
         expected a name of its own, accents, case and hyphens aside";
    polish_names_are_of_something: polish, "babylonia = ", "babylonia = " => "babylonja = ",
        "polish.toml: area names \"babylonja\", which is no area; did you mean \"babylonia\"?";
    everything_has_a_polish_name: polish, "hamun = ", "hamun = " => "# ",
        "polish.toml: flood_plain \"hamun\": there is none; expected a Polish name for every flood_plain";
    names_have_letters: map, KNOSSOS, "name = \"Knossos\"" => "name = \"-\"",
        "map.toml: area \"knossos\": the name \"-\" has no letters; expected a name";
    peoples_have_four_forms: polish, "people = [", "\"Minojczycy\", " => "",
        "polish.toml: civilization \"minoa\": people has 3 forms; expected nominative, genitive, dative, instrumental";
    agreement_is_known: polish, "people = [", "g = \"f\"" => "g = \"x\"",
        "polish.toml: civilization \"saba\": g is \"x\"; expected m, f, n, mp, pl or plp";
    polish_names_have_a_nominative: polish, "babylonia = ", "nom = \"Babilonia\", " => "",
        "polish.toml: area \"babylonia\": there is no nom; expected a nominative";
}

#[test]
fn no_calamity_is_missing() {
    let missing =
        said(|files| edit(&mut files.calamities, "[[calamity]]\nid = \"piracy\"", "[[calamity]]", "[rest]\n#"));
    assert!(missing.contains("unknown field `rest`"), "{missing}");
    let said = self::said(|files| {
        let end = files.calamities.text.find("[[calamity]]\nid = \"piracy\"").expect("Piracy is the last");
        files.calamities.text = Cow::Owned(files.calamities.text[..end].to_owned());
    });
    assert_eq!(said, "calamities.toml: calamity \"piracy\": there is none; expected each of the printed game once");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is cut out of a file or written into it, reading ends in a value or an error.
    #[test]
    fn no_text_panics(
        which in 0..9usize,
        at in 0.0..1.0f64,
        cut in 0..40usize,
        put in "[\\[\\]{}=\"0-9a-zł\n., -]{0,6}",
    ) {
        let mut files = EditionFiles::built_in();
        let file = [
            &mut files.map,
            &mut files.outlines,
            &mut files.features,
            &mut files.trade_cards,
            &mut files.calamities,
            &mut files.advances,
            &mut files.civilizations,
            &mut files.scenarios,
            &mut files.polish,
        ].into_iter().nth(which).expect("there are nine");
        let start = file.text.floor_char_boundary((file.text.len() as f64 * at) as usize);
        let end = file.text.floor_char_boundary((start + cut).min(file.text.len())).max(start);
        file.text = Cow::Owned(format!("{}{put}{}", &file.text[..start], &file.text[end..]));
        let name = file.name.clone();
        if let Err(error) = PrintedGame::read(&files) {
            prop_assert!(error.to_string().contains(".toml"), "{name}: {error}");
        }
    }
}
