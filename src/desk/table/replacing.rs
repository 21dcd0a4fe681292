//! Another person takes a seat: whoever leaves is told, and whoever comes is briefed on what that seat may know.

use minijinja::context;

use super::commanding::Newcomer;
use super::moderating::{Drawers, announce};
use super::{creating, deputising, overruling, page, standing_in, voting};
use crate::archive::{Address, DispatchKind, Habits, Message, Party, Role, SeatRecord, Status};
use crate::desk::DeskError;
use crate::desk::clock::moment::moment;
use crate::desk::incoming::proved::past;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::game::{Reader, Witnessed};
use crate::orders::Detail;
use crate::report::letters::{Content, Passed};
use crate::rules::Civ;

/// So many messages are shown to whoever takes a seat over.
const MOST_MESSAGES: usize = 20;

/// Gives a seat to another person.
pub(crate) fn replace(
    sitting: &mut Sitting,
    civ: Civ,
    person: &Newcomer,
    about: &str,
    drawers: &Drawers,
) -> Result<Result<Vec<String>, String>, DeskError> {
    let (me, party) = (Party::Moderator, Party::Seat(civ));
    let is_inviting = sitting.table.game.status == Status::Inviting;
    if let Some(wrong) = sees_two_hands(sitting, party, person) {
        return Ok(Err(wrong));
    }
    let Some(carrier) = way(sitting, party, person) else {
        return Ok(Err(sitting.say(me, "no_forum_here", context! {})));
    };
    let Some(before) = sitting.table.seat(party).cloned() else {
        return Ok(Err(sitting.say(me, "no_seat", context! {})));
    };
    let is_kept = sitting.table.missing.kept.contains_key(&civ);
    if before.companion.is_none() || is_kept {
        farewell(sitting, party, &before, person, about);
    }
    let mut seat = before.clone();
    // How letters are liked is a person's own, not the seat's; of whom nothing is known everything is as usual.
    let habits = self::habits(sitting, civ, person, drawers)?;
    // A built-in player speaks no language; a group mostly shares one.
    if before.companion.is_some() && !is_kept {
        seat.language = sitting.words(me).language;
    }
    let known = habits.as_ref();
    seat.language = person.language.or(known.map(|known| known.language)).unwrap_or(seat.language);
    let zone = person.zone.map(|zone| zone.to_string()).or(known.map(|known| known.zone.clone()));
    seat.zone = zone.unwrap_or_else(|| sitting.table.agreed.schedule.zone.to_string());
    seat.html = known.is_none_or(|known| known.html);
    seat.detail = Detail::default();
    seat.data = false;
    seat.news = None;
    seat.board = None;
    seat.player = person.name.clone();
    seat.companion = None;
    // Before the game begins the newcomer is asked like anybody else.
    seat.accepted = !is_inviting;
    seat.addresses = vec![Address { carrier, address: person.address.clone(), role: Role::Player }];
    seat.deputy = None;
    seat.changed_at = Some(sitting.now);
    if let Some(there) = sitting.table.seat_mut(party) {
        *there = seat.clone();
    }
    sitting.deed.seats.push(seat);
    sitting.leave_private_threads(party);
    // Nor does a browser of the one before have the seat, or the old link lead to it.
    page::renew(sitting, party);
    voting::forget(sitting, civ);
    standing_in::forget(sitting, civ);
    sitting.table.absences.retain(|absence| absence.party != party);
    sitting.deed.people.back.push((party, sitting.now));
    let (old, new) = (before.player.as_str(), person.name.as_str());
    let companion = before.companion.is_some() && !is_kept;
    let facts = |sitting: &Sitting, party: Party| {
        let old = if companion { sitting.words(party).say("companion", old, context! {}) } else { old.to_owned() };
        context! { civ => sitting.civ(party, civ), old, new }
    };
    // The newcomer reads it in the briefing.
    announce(sitting, about, "replaced", &facts, Some(party));
    if is_inviting {
        creating::invite(sitting, party, about.to_owned(), None, false);
    } else {
        brief(sitting, civ, old, about, drawers)?;
        crate::desk::incoming::rehearsal::invite(sitting, party, about.to_owned(), None);
    }
    Ok(Ok(vec![sitting.say(me, "replaced", facts(sitting, me))]))
}

/// Whoever leaves is told as well, as long as the address is known.
fn farewell(sitting: &mut Sitting, party: Party, before: &SeatRecord, person: &Newcomer, about: &str) {
    let envelope = Envelope {
        kind: DispatchKind::Announcement,
        about: format!("{about}.farewell"),
        to: before.mailbox(Role::Player),
        ..Envelope::default()
    };
    let new = person.name.as_str();
    sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, "seat_given", context! { new })]);
    deputising::dismiss(sitting, party, "deputy_of_another", about);
}

/// How a newcomer likes their letters, as far as the house knows the person.
pub(super) fn habits(
    sitting: &Sitting,
    civ: Civ,
    person: &Newcomer,
    drawers: &Drawers,
) -> Result<Option<Habits>, DeskError> {
    let Some(carrier) = way(sitting, Party::Seat(civ), person) else { return Ok(None) };
    Ok(drawers.archive.person_at(&carrier, &person.address)?.map(|person| person.habits))
}

/// What the seat knows, for whoever sits down there: nothing else goes into it.
pub(super) fn brief(
    sitting: &mut Sitting,
    civ: Civ,
    former: &str,
    about: &str,
    drawers: &Drawers,
) -> Result<(), DeskError> {
    let (party, reader) = (Party::Seat(civ), Reader::Player(civ));
    let (open, table) = (sitting.table.phase(), drawers.table);
    let last = open.last_eventful_turn();
    let mut turns = Vec::new();
    for turn in [last.saturating_sub(1), last].into_iter().filter(|turn| *turn > 0) {
        let happened = past(drawers.archive, table, Some(turn))?;
        turns.extend(happened.map(|(before, events)| Witnessed::of(&before, &events, reader)));
    }
    let messages = if table.agreed.hand_over_press {
        drawers.archive.messages(&table.game.id, party, MOST_MESSAGES)?
    } else {
        Vec::new()
    };
    let zone = sitting.table.zone(party);
    let passed = |message: Message| {
        Some(Passed {
            from: message.sender.civ()?,
            to: message.readers.iter().filter_map(|party| party.civ()).collect(),
            at: moment(message.sent_at, zone),
            text: message.words,
        })
    };
    let messages: Vec<Passed> = messages.into_iter().filter_map(passed).collect();
    let standing = overruling::standing_orders(sitting, party, civ);
    let commitment = sitting.table.chance().commitment_in_hex();
    let content =
        Content::Briefing { former, standing: &standing, turns: &turns, messages: &messages, commitment: &commitment };
    let envelope = Envelope { kind: DispatchKind::Welcome, about: about.to_owned(), ..Envelope::default() };
    sitting.write(party, envelope, &content);
    Ok(())
}

/// By which carrier somebody is reached: in the game's forum, or by mail like the one before them.
pub(crate) fn way(sitting: &Sitting, party: Party, person: &Newcomer) -> Option<String> {
    let house = sitting.house;
    if person.is_in_forum() {
        let forum = sitting.table.ways.threads.iter().find(|thread| thread.party == Party::Public)?;
        return house.carrier(&forum.carrier).reaches_persons().then(|| forum.carrier.clone());
    }
    let seat = sitting.table.seat(party)?;
    let mails = |address: &&Address| house.is_mailbox(address);
    let before = seat.addresses.iter().find(mails).map(|address| address.carrier.clone());
    Some(before.unwrap_or_else(|| house.mail_carrier().name.clone()))
}

/// Nobody sits at two seats, as a deputy either: the deputy would see two hands. Nor do we sit at any.
pub(crate) fn sees_two_hands(sitting: &Sitting, party: Party, person: &Newcomer) -> Option<String> {
    if sitting.house.settings.is_own(&person.address) {
        return Some(sitting.say(Party::Moderator, "own_address", context! {}));
    }
    let others = sitting.table.seats.iter().filter(|seat| seat.party != party);
    let other = others.filter_map(|seat| seat.party.civ().filter(|_| seat.knows(&person.address))).next()?;
    let me = Party::Moderator;
    Some(sitting.say(me, "two_hands", context! { civ => sitting.civ(me, other) }))
}
