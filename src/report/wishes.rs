//! Commands of phases 9, 10 and 12 in words.

use super::Names;
use super::wording::{faces, joined, objects, treasury_of};
use crate::game::command::{Ability, Payment, Wish};
use crate::orders::words::{Small, Word};
use crate::rules::{Advance, AreaId, Calamity, Case, Group};

/// `Famine: victims Egypt, Hellas`.
pub(crate) fn wish(names: Names, calamity: Option<Calamity>, wish: &Wish) -> String {
    let say = |word: Word| word.said(names.language);
    let wished = match wish {
        Wish::Victims(civs) => {
            let civs = civs.iter().map(|(civ, points)| numbered(names.civ(*civ), *points));
            format!("{} {}", say(Word::Victims), or_nothing(names, joined(civs, ", ")))
        }
        Wish::Lose(areas) => format!("{} {}", say(Word::Lose), or_nothing(names, counted(names, areas))),
        Wish::Reduce(areas) => format!("{} {}", say(Word::Reduce), objects(names, areas)),
        Wish::Spare(areas) => format!("{} {}", say(Word::Spare), objects(names, areas)),
        Wish::Select(areas) => format!("{} {}", say(Word::Select), objects(names, areas)),
        Wish::Pay(None) => say(Word::Pay).to_owned(),
        Wish::Pay(Some(times)) => format!("{} {times}", say(Word::Pay)),
        Wish::Discard(cards) => {
            // In Polish it is the word that declines an offer.
            let discard = names.either(Word::Discard, Word::Decline);
            format!("{} {}", say(discard), faces(names, cards, Case::Accusative))
        }
    };
    match (calamity, wish) {
        (None, _) => wished,
        // Only Theocracy lets cards be given up for it.
        (Some(Calamity::IconoclasmAndHeresy), Wish::Discard(_)) => {
            format!("{}: {wished}", names.advance(Advance::Theocracy))
        }
        (Some(calamity), _) => format!("{}: {wished}", names.calamity(calamity)),
    }
}

/// `use Monotheism on Sidon`.
pub(crate) fn ability(names: Names, ability: Option<&Ability>) -> String {
    let say = |word: Word| word.said(names.language);
    let Some(ability) = ability else { return format!("{} {}", say(Word::Use), say(Word::Nothing)) };
    let on = names.small(Small::On);
    let target = match ability {
        Ability::Diaspora(moves) => {
            let moves = moves
                .iter()
                .map(|(count, from, to)| format!("{count} {} {}", names.area_from(*from), names.area_to(*to)));
            joined(moves, ", ")
        }
        Ability::Fundamentalism(areas) | Ability::Monotheism(areas) | Ability::PoliticsAnnex(areas) => {
            format!("{on} {}", objects(names, areas))
        }
        Ability::PoliticsTreasury(amount) => format!("{} {amount} {}", say(Word::For), treasury_of(names)),
        Ability::ProvincialEmpire(civs) => {
            format!("{on} {}", joined(civs.iter().map(|civ| names.civ_as(*civ, Case::Accusative)), ", "))
        }
        Ability::TradeRoutes(cards) => {
            format!("{} {}", names.small(Small::Giving), faces(names, cards, Case::Accusative))
        }
        Ability::UniversalDoctrine(areas) => format!("{on} {}", counted(names, areas)),
    };
    format!("{} {} {target}", say(Word::Use), names.advance_as(ability.advance(), Case::Genitive))
}

/// `acquire Pottery, Agriculture paying 3 salt, 12 treasury`.
pub(crate) fn acquisition(
    names: Names,
    advances: &[Advance],
    payment: Option<&Payment>,
    library_for: Option<Advance>,
    free: Option<Advance>,
    credits: &[(Group, u16)],
) -> String {
    let say = |word: Word| word.said(names.language);
    let acquired = advances.iter().map(|one| names.advance_as(*one, Case::Accusative));
    let mut line = format!("{} {}", say(Word::Acquire), joined(acquired, ", "));
    if let Some(target) = library_for {
        let target = names.advance_as(target, Case::Genitive);
        line += &format!(" {} {} {target}", names.advance_with(Advance::Library), names.small(Small::ForSomebody));
    }
    if let Some(gift) = free {
        line += &format!(" {} {}", names.advance_with(gift), say(Word::Free));
    }
    if !credits.is_empty() {
        let credits = credits.iter().map(|(group, points)| format!("{points} {}", names.group(*group)));
        line += &format!(" {} {}", names.small(Small::WithCredits), joined(credits, " "));
    }
    // The payment comes last: behind a Polish treasury, `z` would be where it comes from.
    if let Some(payment) = payment {
        line += &format!(" {} {}", say(Word::Paying), or_nothing(names, paid(names, payment)));
    }
    line
}

fn paid(names: Names, payment: &Payment) -> String {
    let say = |word: Word| word.said(names.language);
    let cards = Some(faces(names, &payment.cards, Case::Nominative)).filter(|_| !payment.cards.is_empty());
    let stands_in =
        payment.stands_in.map(|(card, of)| format!("{} {} {}", names.face(card), say(Word::As), names.face(of)));
    let treasury = (payment.treasury > 0).then(|| format!("{} {}", payment.treasury, treasury_of(names)));
    joined(cards.into_iter().chain(stands_in).chain(treasury), ", ")
}

/// `Crete 3, Sparta`, as what something is done to.
fn counted(names: Names, areas: &[(AreaId, Option<u16>)]) -> String {
    joined(areas.iter().map(|(area, count)| numbered(names.area_as(*area, Case::Accusative), *count)), ", ")
}

fn numbered(name: &str, count: Option<u16>) -> String {
    match count {
        Some(count) => format!("{name} {count}"),
        None => name.to_owned(),
    }
}

fn or_nothing(names: Names, list: String) -> String {
    if list.is_empty() { Word::Nothing.said(names.language).to_owned() } else { list }
}
