//! Deputies: told who they are, for whom, why and until when, in their own language; and told when they no longer are.
//!
//! A deputy's letters count while the player is away (`desk::incoming::identity`), and then a deputy gets what the player gets.

use minijinja::context;

use super::commanding::Newcomer;
use super::moderating::announce;
use super::replacing::{sees_two_hands, way};
use crate::archive::{Address, Deputy, DispatchKind, Habits, PageChange, Party, Role, Status};
use crate::desk::clock::moment::moment;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::report::letters::Content;
use crate::rules::Civ;

/// The moderator names somebody, somebody else, or nobody.
pub(crate) fn name(
    sitting: &mut Sitting,
    civ: Civ,
    person: Option<&Newcomer>,
    about: &str,
    known: Option<&Habits>,
) -> Result<Vec<String>, String> {
    let (me, party) = (Party::Moderator, Party::Seat(civ));
    if let Some(wrong) = person.and_then(|person| sees_two_hands(sitting, party, person)) {
        return Err(wrong);
    }
    if person.is_some_and(Newcomer::is_in_forum) {
        return Err(sitting.say(me, "deputy_by_mail", context! {}));
    }
    let seat = sitting.table.seat(party).filter(|seat| seat.companion.is_none()).cloned();
    let Some(mut seat) = seat else { return Err(sitting.say(me, "no_seat", context! {})) };
    let old = (seat.mailbox(Role::Deputy).cloned(), seat.deputy_name());
    let is_same = |address: &Address, person: &Newcomer| address.address.eq_ignore_ascii_case(&person.address);
    let is_players_own = |person: &Newcomer| {
        seat.addresses.iter().any(|address| address.role == Role::Player && is_same(address, person))
    };
    if person.is_some_and(is_players_own) {
        return Err(sitting.say(me, "own_deputy", context! {}));
    }
    let stays = match (&old.0, person) {
        (Some(address), Some(person)) => is_same(address, person),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let kept = seat.deputy.as_ref().filter(|_| stays).and_then(|deputy| deputy.zone.clone());
    let named = person.map(|person| Deputy {
        name: person.name.clone(),
        language: person.language.or(known.map(|known| known.language)).unwrap_or(seat.language),
        zone: person.zone.map(|zone| zone.to_string()).or(known.map(|known| known.zone.clone())).or(kept),
    });
    if stays && named == seat.deputy {
        return Err(sitting.say(me, "nothing_changes", context! {}));
    }
    if !stays {
        dismiss(sitting, party, "deputy_dismissed", about);
        // A browser of the one before has the seat no longer.
        sitting.deed.page.changes.push(PageChange::ForgetDeputy(party));
    }
    let carrier = person.and_then(|person| way(sitting, party, person)).unwrap_or_default();
    seat.addresses.retain(|address| address.role == Role::Player);
    let address = |person: &Newcomer| Address { carrier, address: person.address.clone(), role: Role::Deputy };
    seat.addresses.extend(person.map(address));
    seat.deputy = named;
    seat.changed_at = Some(sitting.now);
    put(sitting, party, seat);
    let (new, former) = (person.map(|person| person.name.clone()), old.1.filter(|_| !stays));
    let facts = |sitting: &Sitting, party: Party| context! { civ => sitting.civ(party, civ), name => new.as_deref(), old => former.as_deref() };
    announce(sitting, about, "deputised", &facts, None);
    tell(sitting, party, about);
    Ok(vec![sitting.say(me, "deputised", facts(sitting, me))])
}

fn put(sitting: &mut Sitting, party: Party, seat: crate::archive::SeatRecord) {
    if let Some(there) = sitting.table.seat_mut(party) {
        *there = seat.clone();
    }
    sitting.deed.seats.push(seat);
}

/// Tells a deputy who they are, and for whom. While the player is away, the letter has the hand, the position and the open form.
pub(crate) fn tell(sitting: &mut Sitting, party: Party, about: &str) {
    let table = &sitting.table;
    let Some(seat) = table.seat(party) else { return };
    let Some(deputy) = seat.mailbox(Role::Deputy).cloned() else { return };
    let player = seat.player.clone();
    let away = table.away_until(party, sitting.now).filter(|_| table.game.status != Status::Ended);
    // The last day itself, not the midnight after it.
    let until = away.flatten().map(|until| moment(until - chrono::Duration::minutes(1), table.deputy_zone(party)));
    let kind = if away.is_some() { DispatchKind::Welcome } else { DispatchKind::Absence };
    let envelope = Envelope { kind, about: format!("{about}.deputy"), to: Some(&deputy), ..Envelope::default() };
    let content = Content::Deputy { player: &player, is_away: away.is_some(), until: until.as_ref() };
    sitting.write(party, envelope, &content);
}

/// Tells a deputy that they answer no longer: another was named, or the player or the civilization is gone, or back.
pub(crate) fn dismiss(sitting: &mut Sitting, party: Party, key: &'static str, about: &str) {
    let Some(seat) = sitting.table.seat(party) else { return };
    let Some(deputy) = seat.mailbox(Role::Deputy).cloned() else { return };
    let player = seat.player.clone();
    let about = format!("{about}.farewell.deputy");
    let envelope = Envelope { kind: DispatchKind::Absence, about, to: Some(&deputy), ..Envelope::default() };
    sitting.tell(party, envelope, &|sitting| {
        let civ = party.civ().map(|civ| sitting.civ(party, civ));
        vec![sitting.say(party, key, context! { civ, player => player.as_str() })]
    });
}
