//! Orders of phase 9.

use crate::game::Command;
use crate::game::command::Wish;
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::lexemes::Lexeme;
use crate::orders::vocabulary::Word;
use crate::rules::{AreaId, Calamity, Civ};

use super::cards;

/// Treasury for a card of Banditry.
const RANSOM: u16 = 4;

/// `Famine: victims Egypt, Hellas`, `for Famine: lose Crete, spare Athens`; none if no calamity stands at the head of the
/// line.
pub(crate) fn prefixed(cursor: &mut Cursor) -> Option<Result<Vec<Command>, Fault>> {
    let start = cursor.place();
    // `City in Flames` begins with no preposition, and `on` alone is none.
    if !cursor.sees_full_calamity() {
        cursor.skip(&[Word::During, Word::Filler]);
    }
    let Some(calamity) = cursor.takes_calamity(is_wish) else {
        cursor.back_to(start);
        return None;
    };
    let calamity = match calamity {
        Ok(calamity) => calamity,
        Err(fault) => return Some(Err(fault)),
    };
    let mut commands = Vec::new();
    loop {
        let not_here = cursor.fault(Expected::Wish);
        match cursor.takes_verb() {
            Some(verb) if wishes(verb) => match wish(cursor, verb, Some(calamity)) {
                Ok(command) => commands.push(command),
                Err(fault) => return Some(Err(fault)),
            },
            Some(_) | None => return Some(Err(not_here)),
        }
        // What else the player wishes on this line is for the same calamity.
        cursor.skip_joints();
        if !is_wish(cursor.rest()) {
            return Some(Ok(commands));
        }
    }
}

/// What stands behind `victims`, `lose` and the like; `victims of Famine: Egypt` names the calamity there.
pub(crate) fn wish(cursor: &mut Cursor, verb: Word, calamity: Option<Calamity>) -> Result<Command, Fault> {
    cursor.skip(&[Word::Is]);
    cursor.skip_joints();
    let calamity = if verb == Word::Discard { calamity } else { calamity.or_else(|| of_calamity(cursor)) };
    let wish = match verb {
        Word::Victims => Wish::Victims(list(cursor, victim)?),
        Word::Lose => Wish::Lose(list(cursor, loss)?),
        Word::Reduce => Wish::Reduce(areas(cursor, Sense::Mine)?),
        Word::Spare => Wish::Spare(areas(cursor, Sense::Mine)?),
        Word::Select => Wish::Select(areas(cursor, Sense::Any)?),
        Word::Pay => Wish::Pay(pay(cursor)),
        Word::Discard | Word::Decline if cursor.takes(Word::Nothing) => Wish::Discard(Vec::new()),
        Word::Discard | Word::Decline => Wish::Discard(cards::own_cards(cursor)?),
        _ => return Err(cursor.fault(Expected::Wish)),
    };
    Ok(Command::Wish { calamity, wish })
}

fn is_wish(lexemes: &[Lexeme]) -> bool {
    Word::verb_at(lexemes).is_some_and(|(verb, _)| wishes(verb))
}

/// The words that say what is wished. In Polish cards are discarded with the word that declines an offer.
fn wishes(verb: Word) -> bool {
    let verbs = [Word::Victims, Word::Lose, Word::Reduce, Word::Spare, Word::Select, Word::Pay, Word::Discard];
    verb == Word::Decline || verbs.contains(&verb)
}

/// `of Famine:`, behind the verb; none if something else stands there.
fn of_calamity(cursor: &mut Cursor) -> Option<Calamity> {
    let start = cursor.place();
    cursor.skip(&[Word::Filler, Word::During]);
    let named = cursor.sees_full_calamity().then(|| cursor.takes_calamity_name()).flatten();
    match named {
        Some(_) => {
            cursor.skip(&[Word::Is]);
            cursor.skip_joints();
            cursor.skip(&[Word::Is]);
        }
        None => cursor.back_to(start),
    }
    named
}

/// `Egypt`, `Egypt 8`, `8 points Egypt`.
fn victim(cursor: &mut Cursor) -> Result<(Civ, Option<u16>), Fault> {
    let first = cursor.takes_number();
    cursor.skip(&[Word::Point, Word::Filler, Word::To, Word::For, Word::From]);
    let civ = cursor.civ(Expected::Civilization)?;
    let points = first.or_else(|| cursor.takes_bracketed()).or_else(|| cursor.takes_number());
    cursor.takes(Word::Point);
    Ok((civ, points))
}

/// `Crete 3`, `3 tokens from Crete`, `Sparta`, `city in Sparta`.
fn loss(cursor: &mut Cursor) -> Result<(AreaId, Option<u16>), Fault> {
    let all = cursor.takes(Word::All);
    let first = if all { None } else { cursor.takes_number() };
    cursor.skip(&[Word::Filler]);
    let city = cursor.takes(Word::City);
    cursor.skip_to_area(&[Word::Token, Word::Filler, Word::From, Word::In]);
    let area = cursor.area_as(Sense::Mine)?;
    cursor.takes_colon();
    let all = all || cursor.takes(Word::All);
    // `1 city in Sparta` is the city, not a number of tokens.
    let behind = |cursor: &mut Cursor| cursor.takes_bracketed().or_else(|| cursor.takes_number());
    let count = if all || city { None } else { first.or_else(|| behind(cursor)) };
    cursor.takes(Word::Token);
    Ok((area, count))
}

/// Items joined by commas or `and`; `nothing` is none.
fn list<T>(cursor: &mut Cursor, item: impl Fn(&mut Cursor) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    if cursor.takes(Word::Nothing) {
        return Ok(items);
    }
    loop {
        items.push(item(cursor)?);
        cursor.skip_joints();
        if cursor.is_listed() {
            return Ok(items);
        }
    }
}

pub(crate) fn areas(cursor: &mut Cursor, sense: Sense) -> Result<Vec<AreaId>, Fault> {
    if cursor.takes(Word::Nothing) {
        Ok(Vec::new())
    } else {
        cursor.skip_to_area(&[Word::City, Word::Filler, Word::In]);
        cursor.areas_as(sense)
    }
}

/// `2`, `nothing`, or nothing at all.
fn pay(cursor: &mut Cursor) -> Option<u16> {
    let count = if cursor.takes(Word::Nothing) { Some(0) } else { cursor.takes_number() };
    cursor.skip(&[Word::Filler, Word::From]);
    // `pay 8 treasury` says what it costs, `pay 2` how often: a card is bought off with four.
    let treasury = [Word::Treasury, Word::Token, Word::Gold].into_iter().any(|word| cursor.sees(word));
    cursor.skip(&[Word::Treasury, Word::Token, Word::Gold, Word::Card, Word::Filler, Word::From]);
    count.map(|count| if treasury { count / RANSOM } else { count })
}

#[cfg(test)]
mod tests {
    use super::super::samples::{area, card, civ, fault, is_remark, reads};
    use super::*;

    fn wished(calamity: Option<Calamity>, wish: Wish) -> Command {
        Command::Wish { calamity, wish }
    }

    #[test]
    fn victims_may_share_points() {
        let three = Wish::Victims(vec![(civ("Egypt"), None), (civ("Hellas"), None), (civ("Rome"), None)]);
        for line in ["Famine: victims Egypt, Hellas, Rome", "Głód: ofiary Egipt, Hellada i Rzym"] {
            assert_eq!(reads(line), wished(Some(Calamity::Famine), three.clone()), "{line}");
        }
        let points = Wish::Victims(vec![(civ("Egypt"), Some(8)), (civ("Hellas"), Some(7))]);
        for line in ["victims Egypt 8, Hellas 7", "ofiary Egipt 8, Hellada 7", "victims 8 points Egypt and 7 Hellas"] {
            assert_eq!(reads(line), wished(None, points.clone()), "{line}");
        }
        assert_eq!(reads("victims nobody"), wished(None, Wish::Victims(Vec::new())));
        assert_eq!(fault("victims Egypt, 8").expected, Expected::Civilization);
    }

    #[test]
    fn losses_are_tokens_or_all_that_stands_there() {
        let losses = Wish::Lose(vec![(area("Knossos"), Some(3)), (area("Sparta"), None)]);
        for line in
            ["lose Knossos 3, Sparta", "tracę Knossos 3, Sparta", "lose 3 tokens from Knossos and city in Sparta"]
        {
            assert_eq!(reads(line), wished(None, losses.clone()), "{line}");
        }
        let regression = wished(Some(Calamity::Regression), Wish::Lose(vec![(area("Sparta"), None)]));
        assert_eq!(reads("Regression: lose Sparta"), regression);
        assert_eq!(reads("Regres: tracę wszystkie w Sparcie"), regression);
    }

    #[test]
    fn cities_are_reduced_spared_and_selected() {
        let cities = vec![area("Sparta"), area("Knossos")];
        let reduce = wished(Some(Calamity::SlaveRevolt), Wish::Reduce(cities.clone()));
        assert_eq!(reads("Slave Revolt: reduce Sparta, Knossos"), reduce);
        assert_eq!(reads("Bunt niewolników: redukuj Sparta, Knossos"), reduce);
        let select = wished(Some(Calamity::Treachery), Wish::Select(cities.clone()));
        assert_eq!(reads("Treachery: select Sparta, Knossos"), select);
        assert_eq!(reads("Zdrada: wybieram Spartę, Knossos"), select);
        let spare = wished(None, Wish::Spare(cities.clone()));
        assert_eq!(reads("spare Sparta, Knossos"), spare);
        assert_eq!(reads("oszczędź Spartę i Knossos"), spare);
        assert_eq!(reads("reduce Sparta, Knossos"), Command::Reduce { areas: cities.clone() });
        assert_eq!(reads("wybieram Sparta, Knossos"), Command::Select { areas: cities });
    }

    #[test]
    fn a_ransom_is_paid_and_cards_are_discarded() {
        let flames = |count| wished(Some(Calamity::CityInFlames), Wish::Pay(count));
        assert_eq!(reads("City in Flames: pay"), flames(None));
        assert_eq!(reads("Miasto w płomieniach: zapłać"), flames(None));
        assert_eq!(reads("City in Flames: pay nothing"), flames(Some(0)));
        assert_eq!(reads("Bandytyzm: zapłać 2"), wished(Some(Calamity::Banditry), Wish::Pay(Some(2))));
        let salt = Wish::Discard(vec![card("Salt"), card("Iron")]);
        for line in ["Corruption: discard salt, iron", "Korupcja: odrzucam sól, żelazo"] {
            assert_eq!(reads(line), wished(Some(Calamity::Corruption), salt.clone()), "{line}");
        }
        assert_eq!(reads("discard salt, iron"), wished(None, salt.clone()));
        assert_eq!(reads("odrzucam sól, żelazo"), wished(None, salt));
        let water = vec![card("Water"), card("Water")];
        assert_eq!(reads("odrzucam 2 wody"), wished(None, Wish::Discard(water.clone())));
        let theocracy = wished(Some(Calamity::IconoclasmAndHeresy), Wish::Discard(water));
        assert_eq!(reads("Theocracy: discard 2 water"), theocracy);
        assert_eq!(reads("Teokracja: odrzucam 2 wody"), theocracy);
    }

    #[test]
    fn the_same_polish_word_declines_an_offer() {
        for line in ["odrzucam 4", "odrzucam ofertę 4", "decline 4, thanks"] {
            assert_eq!(reads(line), Command::Decline { number: 4 }, "{line}");
        }
        assert_eq!(fault("decline").expected, Expected::Number);
    }

    #[test]
    fn a_calamity_may_be_half_named_or_misspelt() {
        let lose = |calamity| wished(Some(calamity), Wish::Lose(vec![(area("Knossos"), None)]));
        let volcano = Calamity::VolcanicEruptionEarthquake;
        for line in ["Earthquake: lose Knossos", "Volcanic Eruption: lose Knossos", "Trzęsienie ziemi: tracę Knossos"]
        {
            assert_eq!(reads(line), lose(volcano), "{line}");
        }
        assert_eq!(reads("Volcanic Eruption / Earthquake: lose Knossos"), lose(volcano));
        assert_eq!(reads("Heresy: lose Knossos"), lose(Calamity::IconoclasmAndHeresy));
        assert_eq!(reads("Iconoclasm and Heresy: lose Knossos"), lose(Calamity::IconoclasmAndHeresy));
        assert_eq!(reads("Eqidemic: lose Knossos"), lose(Calamity::Epidemic));
        assert_eq!(reads("Tyranny - lose Knossos"), lose(Calamity::Tyranny));
        assert_eq!(reads("Klęska głodu: tracę Knossos"), lose(Calamity::Famine));
        assert_eq!(fault("Civil: lose Knossos").candidates.len(), 2);
    }

    #[test]
    fn a_calamity_and_a_colon_begin_like_an_order() {
        assert_eq!(fault("Famine: Egypt").expected, Expected::Wish);
        assert_eq!(fault("Theocracy: yes").expected, Expected::Wish);
        for line in ["Famine is near", "Re: lose Knossos", "Salt: lose Knossos", "Epidemia? Oby nie."] {
            assert!(is_remark(line), "{line}");
        }
    }
}
