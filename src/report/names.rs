//! Names instead of ids, inflected as the reader's language wants them, and lists and numbers of things.
//!
//! English names are the printed ones. Polish ones come from the edition's table of forms by the key of the thing; what
//! has no forms there, as the areas of a casebook map, keeps its printed name in every case.

use std::collections::BTreeMap;

use super::terms::Term;
use crate::game::{Owner, Phase};
use crate::orders::Named;
use crate::orders::words::{Small, Word};
use crate::rules::{
    Advance, Agreement, AreaId, Calamity, Case, Civ, Face, Forms, Group, Language, PrintedGame, TradeCard,
};

/// The names of a game in one language.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    pub printed: &'a PrintedGame,
    pub language: Language,
}

impl<'a> Names<'a> {
    /// The names in a language.
    pub fn new(printed: &'a PrintedGame, language: Language) -> Names<'a> {
        Names { printed, language }
    }

    /// The names as they are printed.
    pub fn english(printed: &'a PrintedGame) -> Names<'a> {
        Names::new(printed, Language::English)
    }

    /// One of two words, by the language.
    pub(crate) fn either<T>(self, english: T, polish: T) -> T {
        match self.language {
            Language::English => english,
            Language::Polish => polish,
        }
    }

    /// A small word of a line that we print.
    pub(crate) fn small(self, word: Small) -> &'static str {
        word.said(self.language)
    }

    /// What an area is called.
    pub fn area(self, area: AreaId) -> &'a str {
        self.area_as(area, Case::Nominative)
    }

    /// An area in a case.
    pub(crate) fn area_as(self, area: AreaId, case: Case) -> &'a str {
        inflected(self.area_forms(area), &self.printed.map.area(area).name, case)
    }

    /// `from Sparta`, `ze Sparty`.
    pub(crate) fn area_from(self, area: AreaId) -> String {
        let from = self.area_forms(area).and_then(|forms| forms.from.as_deref());
        format!("{} {}", from.unwrap_or(self.small(Small::From)), self.area_as(area, Case::Genitive))
    }

    /// `to Sparta`, `do Sparty`, `na Terę`, `nad Rubikon`.
    pub(crate) fn area_to(self, area: AreaId) -> String {
        let at = self.area_forms(area).and_then(|forms| forms.at.as_deref());
        match at.filter(|at| matches!(*at, "na" | "nad")) {
            Some(at) => format!("{at} {}", self.area_as(area, Case::Accusative)),
            None => format!("{} {}", self.small(Small::To), self.area_as(area, Case::Genitive)),
        }
    }

    /// `in Sparta`, `w Sparcie`, `we Frygii`, `na Terze`, `nad Rubikonem`.
    pub(crate) fn area_in(self, area: AreaId) -> String {
        let at = self.area_forms(area).and_then(|forms| forms.at.as_deref());
        format!("{} {}", at.unwrap_or(self.small(Small::In)), self.area_as(area, Case::Locative))
    }

    /// Whether the name of an area is a plural: `Ateny mają`. The printed ones are not.
    pub(crate) fn is_plural(self, area: AreaId) -> bool {
        self.area_forms(area).is_some_and(|forms| forms.agreement().is_plural())
    }

    /// What a civilization is called.
    pub fn civ(self, civ: Civ) -> &'a str {
        self.civ_as(civ, Case::Nominative)
    }

    /// A civilization in a case.
    pub(crate) fn civ_as(self, civ: Civ, case: Case) -> &'a str {
        inflected(self.civ_forms(civ), &self.printed.civilizations[usize::from(civ.0)].name, case)
    }

    /// `for Egypt`, `dla Egiptu`.
    pub(crate) fn civ_for(self, civ: Civ) -> String {
        format!("{} {}", self.small(Small::ForSomebody), self.civ_as(civ, Case::Genitive))
    }

    /// An owner of pieces on the board.
    pub(crate) fn owner(self, owner: Owner) -> &'a str {
        self.owner_as(owner, Case::Nominative)
    }

    /// An owner in a case.
    pub(crate) fn owner_as(self, owner: Owner, case: Case) -> &'a str {
        match owner {
            Owner::Civ(civ) => self.civ_as(civ, case),
            Owner::Barbarians => inflected(self.barbarian_forms(), "the Barbarians", case),
        }
    }

    /// What a Polish verb agrees with whose subject is this owner: `Celtowie zbudowali`.
    pub(crate) fn agreement(self, owner: Owner) -> Agreement {
        let forms = match owner {
            Owner::Civ(civ) => self.civ_forms(civ),
            Owner::Barbarians => self.barbarian_forms(),
        };
        forms.map_or(Agreement::Masculine, Forms::agreement)
    }

    /// What a trade card shows.
    pub fn face(self, face: Face) -> &'a str {
        self.face_as(face, Case::Nominative)
    }

    /// What a trade card shows, in a case.
    pub(crate) fn face_as(self, face: Face, case: Case) -> &'a str {
        let polish = &self.printed.polish;
        match face {
            Face::Water => inflected(self.forms(&polish.commodity, "water"), "Water", case),
            Face::Commodity(commodity) => {
                let card = &self.printed.commodities[usize::from(commodity.0)];
                inflected(self.forms(&polish.commodity, &card.key), &card.name, case)
            }
            Face::Calamity(calamity) => self.calamity_as(calamity, case),
            // The same in every language.
            Face::Unseen | Face::UnseenCalamity => "?",
        }
    }

    /// What several equal trade cards show, behind their number: `Clay`, `× glina`. Polish has no plural for most of them.
    pub(crate) fn faces_counted(self, face: Face) -> String {
        self.either(self.face(face).to_owned(), format!("× {}", self.face(face)))
    }

    /// Trade cards, equal ones together, as `2 Salt, Wine and Treachery`.
    pub(crate) fn cards(self, cards: &[TradeCard]) -> String {
        self.cards_as(cards, Case::Nominative)
    }

    /// The same in a case: what one gives is `2 × glina i miedź`, and `Zdradę`.
    pub(crate) fn cards_as(self, cards: &[TradeCard], case: Case) -> String {
        let faces: Vec<_> = cards.iter().map(|card| card.face).collect();
        self.faces_as(&faces, case)
    }

    /// Faces of trade cards, equal ones together, in the sequence of their first.
    pub(crate) fn faces(self, faces: &[Face]) -> String {
        self.faces_as(faces, Case::Nominative)
    }

    /// The same in a case.
    pub(crate) fn faces_as(self, faces: &[Face], case: Case) -> String {
        let mut kinds: Vec<(Face, u16)> = Vec::new();
        for face in faces {
            match kinds.iter_mut().find(|(kind, _)| kind == face) {
                Some((_, count)) => *count += 1,
                None => kinds.push((*face, 1)),
            }
        }
        self.listed(kinds.into_iter().map(|(face, count)| match count {
            1 => self.face_as(face, case).to_owned(),
            _ => format!("{count} {}", self.faces_counted(face)),
        }))
    }

    pub(crate) fn calamity(self, calamity: Calamity) -> &'a str {
        self.calamity_as(calamity, Case::Nominative)
    }

    /// A calamity in a case.
    pub(crate) fn calamity_as(self, calamity: Calamity, case: Case) -> &'a str {
        let card = &self.printed.calamities[calamity as usize];
        inflected(self.forms(&self.printed.polish.calamity, &card.key), &card.name, case)
    }

    /// What an advance is called.
    pub fn advance(self, advance: Advance) -> &'a str {
        self.advance_as(advance, Case::Nominative)
    }

    /// An advance in a case.
    pub(crate) fn advance_as(self, advance: Advance, case: Case) -> &'a str {
        inflected(self.advance_forms(advance), &self.printed.advances[advance as usize].name, case)
    }

    /// `with Trade Routes`, `ze Szlakami handlowymi`.
    pub(crate) fn advance_with(self, advance: Advance) -> String {
        let with = self.advance_forms(advance).and_then(|forms| forms.from.as_deref());
        format!("{} {}", with.unwrap_or(self.small(Small::With)), self.advance_as(advance, Case::Instrumental))
    }

    /// A group of advances.
    pub(crate) fn group(self, group: Group) -> &'a str {
        let name = match group {
            Group::Arts => "arts",
            Group::Civics => "civics",
            Group::Crafts => "crafts",
            Group::Religion => "religion",
            Group::Science => "science",
        };
        inflected(self.forms(&self.printed.polish.group, name), name, Case::Nominative)
    }

    /// A phase, by its name in the rulebook: `Movement`, `Ruch`.
    pub fn phase(self, phase: Phase) -> &'a str {
        self.phase_as(phase, Case::Nominative)
    }

    /// A phase in a case: `w fazie Ruchu`.
    pub(crate) fn phase_as(self, phase: Phase, case: Case) -> &'a str {
        let name = match phase {
            Phase::Tax => "Tax Collection",
            Phase::Expansion => "Population Expansion and Census",
            Phase::Movement => "Movement",
            Phase::Conflict => "Conflict",
            Phase::Cities => "City Construction",
            Phase::Cards => "Trade Cards Acquisition",
            Phase::Trade => "Trade",
            Phase::Selection => "Calamity Selection",
            Phase::Calamities => "Calamity Resolution",
            Phase::Abilities => "Special Abilities",
            Phase::Support => "Surplus Population and City Support",
            Phase::Advances => "Civilization Advances Acquisition",
            Phase::Ast => "A.S.T. Alteration and End of Turn",
        };
        inflected(self.forms(&self.printed.polish.phase, &phase.number().to_string()), name, case)
    }

    /// Whatever has a name that can be read.
    pub(crate) fn named(self, named: Named) -> &'a str {
        match named {
            Named::Area(area) => self.area(area),
            Named::Civ(civ) => self.civ(civ),
            Named::Card(face) => self.face(face),
            Named::Advance(advance) => self.advance(advance),
            Named::Verb(word) => word.said(self.language),
        }
    }

    /// A list as the language says it: `a, b and c`, `a, b i c`.
    pub(crate) fn listed(self, items: impl IntoIterator<Item = impl Into<String>>) -> String {
        joined_with(items, Word::And.said(self.language))
    }

    /// A number of things that are or do something: `1 token`, `2 żetony`, `5 żetonów`.
    pub(crate) fn counted(self, count: impl Into<u64>, term: Term) -> String {
        self.counted_as(count, term, Case::Nominative)
    }

    /// A number of things in a case; `1 kartę` is what one draws. In Polish the nominative, accusative and genitive.
    pub(crate) fn counted_as(self, count: impl Into<u64>, term: Term, case: Case) -> String {
        let count = count.into();
        match self.term_forms(term) {
            Some(forms) => format!("{count} {}", forms.counted(count, case)),
            None => {
                let (one, many) = term.english();
                counted(count, one, many)
            }
        }
    }

    fn area_forms(self, area: AreaId) -> Option<&'a Forms> {
        self.forms(&self.printed.polish.area, &self.printed.map.area(area).key)
    }

    fn civ_forms(self, civ: Civ) -> Option<&'a Forms> {
        self.forms(&self.printed.polish.civilization, &self.printed.civilizations[usize::from(civ.0)].key)
    }

    fn barbarian_forms(self) -> Option<&'a Forms> {
        self.forms(&self.printed.polish.term, "barbarians")
    }

    fn advance_forms(self, advance: Advance) -> Option<&'a Forms> {
        self.forms(&self.printed.polish.advance, &self.printed.advances[advance as usize].key)
    }

    fn term_forms(self, term: Term) -> Option<&'a Forms> {
        self.forms(&self.printed.polish.term, term.key())
    }

    /// The Polish forms of a thing; none in English, and none where the table has none.
    fn forms(self, table: &'a BTreeMap<String, Forms>, key: &str) -> Option<&'a Forms> {
        match self.language {
            Language::English => None,
            Language::Polish => table.get(key),
        }
    }
}

fn inflected<'a>(forms: Option<&'a Forms>, printed: &'a str, case: Case) -> &'a str {
    forms.map_or(printed, |forms| forms.case(case))
}

/// A list as English says it: `a, b and c`.
pub(crate) fn listed(items: impl IntoIterator<Item = impl Into<String>>) -> String {
    joined_with(items, "and")
}

/// A list with a word before its last.
pub(crate) fn joined_with(items: impl IntoIterator<Item = impl Into<String>>, and: &str) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    match (items.pop(), items.is_empty()) {
        (None, _) => String::new(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{} {and} {last}", items.join(", ")),
    }
}

/// A number and its noun in English: `1 token`, `2 tokens`, `no token`.
pub(crate) fn counted(count: impl Into<u64>, one: &str, many: &str) -> String {
    match count.into() {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::Lexicon;

    #[test]
    fn lists_and_numbers_are_said_as_in_english() {
        assert_eq!(listed(Vec::<String>::new()), "");
        assert_eq!(listed(["Troy"]), "Troy");
        assert_eq!(listed(["Troy", "Rhodes", "Crete"]), "Troy, Rhodes and Crete");
        assert_eq!(counted(0u8, "city", "cities"), "no city");
        assert_eq!(counted(1u8, "city", "cities"), "1 city");
        assert_eq!(counted(2u8, "city", "cities"), "2 cities");
    }

    #[test]
    fn places_have_their_prepositions() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let lexicon = Lexicon::new(&printed);
        let (english, polish) = (Names::english(&printed), Names::new(&printed, Language::Polish));
        let area = |name| lexicon.areas.exact(name).expect("the area is on the map");
        for (name, from, to, at) in [
            // Towns and lands, plural ones, and those that are not inflected.
            ("Troy", "z Troi", "do Troi", "w Troi"),
            ("Athens", "z Aten", "do Aten", "w Atenach"),
            ("Knossos", "z Knossos", "do Knossos", "w Knossos"),
            ("Babylon", "z Babilonu", "do Babilonu", "w Babilonie"),
            ("Babylonia", "z Babilonii", "do Babilonii", "w Babilonii"),
            // What is hard to say.
            ("Sparta", "ze Sparty", "do Sparty", "w Sparcie"),
            ("Phrygia", "z Frygii", "do Frygii", "we Frygii"),
            ("Eastern Sinhalese", "ze Wschodniego Kraju Syngalezów", "do Wschodniego Kraju Syngalezów", {
                "we Wschodnim Kraju Syngalezów"
            }),
            // Islands, deserts and seas; rivers.
            ("Thera", "z Tery", "na Terę", "na Terze"),
            ("Rhodes", "z Rodos", "na Rodos", "na Rodos"),
            ("Baleares", "z Balearów", "na Baleary", "na Balearach"),
            ("Thar Desert", "z Pustyni Thar", "na Pustynię Thar", "na Pustyni Thar"),
            ("Rubicon", "znad Rubikonu", "nad Rubikon", "nad Rubikonem"),
            ("Iberus", "znad Ebro", "nad Ebro", "nad Ebro"),
            // Names of two words, which may be swapped and are not when printed.
            ("Eastern Armenia", "z Armenii Wschodniej", "do Armenii Wschodniej", "w Armenii Wschodniej"),
            ("Upper Rhine", "znad Górnego Renu", "nad Górny Ren", "nad Górnym Renem"),
        ] {
            let area = area(name);
            assert_eq!([polish.area_from(area), polish.area_to(area), polish.area_in(area)], [from, to, at], "{name}");
            let plain = ["from", "to", "in"].map(|word| format!("{word} {name}"));
            assert_eq!([english.area_from(area), english.area_to(area), english.area_in(area)], plain);
        }
        assert!(polish.is_plural(area("Athens")) && !polish.is_plural(area("Sparta")));
        assert!(!english.is_plural(area("Athens")));
    }

    #[test]
    fn peoples_and_things_are_inflected() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let lexicon = Lexicon::new(&printed);
        let (english, polish) = (Names::english(&printed), Names::new(&printed, Language::Polish));
        let civ = |name| lexicon.civs.exact(name).expect("the civilization is printed");
        assert_eq!(polish.civ(civ("Celt")), "Celtowie");
        assert_eq!(polish.civ_for(civ("Celt")), "dla Celtów");
        assert_eq!(polish.civ_as(civ("Celt"), Case::Dative), "Celtom");
        assert_eq!(polish.civ_for(civ("Hatti")), "dla Hatti");
        assert_eq!(polish.civ_for(civ("Egypt")), "dla Egiptu");
        assert_eq!(english.civ_for(civ("Egypt")), "for Egypt");
        let agreements = ["Egypt", "Hellas", "Hatti", "Celt"].map(|name| polish.agreement(Owner::Civ(civ(name))));
        let expected = [Agreement::Masculine, Agreement::Feminine, Agreement::Neuter, Agreement::PersonalPlural];
        assert_eq!(agreements, expected);
        assert_eq!(polish.owner_as(Owner::Barbarians, Case::Genitive), "barbarzyńców");
        assert_eq!(english.owner(Owner::Barbarians), "the Barbarians");
        assert_eq!(polish.agreement(Owner::Barbarians), Agreement::PersonalPlural);

        assert_eq!(polish.advance_with(Advance::TradeRoutes), "ze Szlakami handlowymi");
        assert_eq!(polish.advance_with(Advance::Empiricism), "z Empiryzmem");
        assert_eq!(polish.advance_as(Advance::Monotheism, Case::Genitive), "Monoteizmu");
        assert_eq!(english.advance_with(Advance::TradeRoutes), "with Trade Routes");
        assert_eq!(polish.calamity_as(Calamity::Treachery, Case::Accusative), "Zdradę");
        assert_eq!(polish.faces(&[Face::Water, Face::Water, Face::Calamity(Calamity::Famine)]), "2 × woda i Głód");
        assert_eq!(polish.phase_as(Phase::Movement, Case::Genitive), "Ruchu");
        assert_eq!(english.phase(Phase::Cities), "City Construction");
        assert_eq!(polish.group(Group::Arts), "Sztuka");
    }

    #[test]
    fn numbers_choose_the_form_of_a_term() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let (english, polish) = (Names::english(&printed), Names::new(&printed, Language::Polish));
        let tokens = [0u16, 1, 2, 5, 12, 21, 22].map(|count| polish.counted(count, Term::Token));
        let expected = ["0 żetonów", "1 żeton", "2 żetony", "5 żetonów", "12 żetonów", "21 żetonów", "22 żetony"];
        assert_eq!(tokens, expected);
        assert_eq!(polish.counted_as(1u8, Term::Card, Case::Accusative), "1 kartę");
        assert_eq!(polish.counted_as(3u8, Term::City, Case::Genitive), "3 miast");
        assert_eq!(english.counted(2u8, Term::City), "2 cities");
        assert_eq!(english.counted(0u8, Term::City), "no city");
    }

    #[test]
    fn what_has_no_polish_forms_keeps_its_name() {
        let mut printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let crete = AreaId(0);
        (printed.map.areas[0].key, printed.map.areas[0].name) = ("crete".into(), "Crete".into());
        let polish = Names::new(&printed, Language::Polish);
        let places = [polish.area_from(crete), polish.area_to(crete), polish.area_in(crete)];
        assert_eq!(places, ["z Crete", "do Crete", "w Crete"]);
    }
}
