//! Commands of phases 9, 10 and 12 in words.

use super::Names;
use super::wording::joined;
use crate::game::command::{Ability, Payment, Wish};
use crate::rules::{Advance, AreaId, Calamity, Civ, Face, Group};

/// `Famine: victims Egypt, Hellas`.
pub fn wish(names: Names, calamity: Option<Calamity>, wish: &Wish) -> String {
    let named = calamity.map_or(String::new(), |calamity| format!("{}: ", names.face(Face::Calamity(calamity))));
    let numbered = |name: &str, count: &Option<u16>| match count {
        Some(count) => format!("{name} {count}"),
        None => name.to_owned(),
    };
    let wished = match wish {
        Wish::Victims(civs) => {
            format!("victims {}", joined(civs.iter().map(|(civ, count)| numbered(names.civ(*civ), count)), ", "))
        }
        Wish::Lose(areas) => {
            format!("lose {}", joined(areas.iter().map(|(area, count)| numbered(names.area(*area), count)), ", "))
        }
        Wish::Reduce(areas) => format!("reduce {}", listed(names, areas)),
        Wish::Spare(areas) => format!("spare {}", listed(names, areas)),
        Wish::Select(areas) => format!("select {}", listed(names, areas)),
        Wish::Pay(None) => "pay".to_owned(),
        Wish::Pay(Some(times)) => format!("pay {times}"),
        Wish::Discard(cards) => format!("discard {}", faces(names, cards)),
    };
    format!("{named}{wished}")
}

/// `use Monotheism on Sidon`.
pub fn ability(names: Names, ability: Option<&Ability>) -> String {
    let Some(ability) = ability else { return "use nothing".to_owned() };
    let on = match ability {
        Ability::Diaspora(moves) => {
            let moves = moves
                .iter()
                .map(|(count, from, to)| format!("{count} from {} to {}", names.area(*from), names.area(*to)));
            joined(moves, ", ")
        }
        Ability::Fundamentalism(areas) | Ability::Monotheism(areas) | Ability::PoliticsAnnex(areas) => {
            format!("on {}", listed(names, areas))
        }
        Ability::PoliticsTreasury(amount) => format!("for {amount} treasury"),
        Ability::ProvincialEmpire(civs) => format!("on {}", joined(civs.iter().map(|civ: &Civ| names.civ(*civ)), ", ")),
        Ability::TradeRoutes(cards) => format!("with {}", faces(names, cards)),
        Ability::UniversalDoctrine(areas) => {
            let areas = areas.iter().map(|(area, count)| match count {
                Some(count) => format!("{} {count}", names.area(*area)),
                None => names.area(*area).to_owned(),
            });
            format!("on {}", joined(areas, ", "))
        }
    };
    format!("use {} {on}", advance(names, ability.advance()))
}

/// `acquire Pottery, Agriculture paying 3 salt, 12 treasury`.
pub fn acquisition(
    names: Names,
    advances: &[Advance],
    payment: Option<&Payment>,
    library_for: Option<Advance>,
    free: Option<Advance>,
    credits: &[(Group, u16)],
) -> String {
    let mut line = format!("acquire {}", joined(advances.iter().map(|one| advance(names, *one)), ", "));
    if let Some(payment) = payment {
        let cards = payment.cards.iter().map(|face| names.face(*face).to_owned());
        let stands_in = payment.stands_in.map(|(card, of)| format!("{} as {}", names.face(card), names.face(of)));
        let treasury = Some(format!("{} treasury", payment.treasury)).filter(|_| payment.treasury > 0);
        line += &format!(" paying {}", joined(cards.chain(stands_in).chain(treasury), ", "));
    }
    if let Some(target) = library_for {
        line += &format!(" with Library for {}", advance(names, target));
    }
    if let Some(gift) = free {
        line += &format!(" with {} free", advance(names, gift));
    }
    if !credits.is_empty() {
        let credits = credits.iter().map(|(group, points)| format!("{points} {}", group_name(*group)));
        line += &format!(" with credits {}", joined(credits, " "));
    }
    line
}

/// `salt, salt, iron`.
pub fn faces(names: Names, faces: &[Face]) -> String {
    joined(faces.iter().map(|face| names.face(*face)), ", ")
}

fn listed(names: Names, areas: &[AreaId]) -> String {
    joined(areas.iter().map(|area| names.area(*area)), ", ")
}

fn advance(names: Names<'_>, advance: Advance) -> &str {
    &names.0.advances[advance as usize].name
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::Arts => "arts",
        Group::Civics => "civics",
        Group::Crafts => "crafts",
        Group::Religion => "religion",
        Group::Science => "science",
    }
}
