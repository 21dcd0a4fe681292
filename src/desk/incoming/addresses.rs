//! The addresses of a seat: which there are, one more, one less. Whatever changes, its player learns of it at every
//! other address of theirs, and the moderator too: somebody else may have done it.

use minijinja::context;

use crate::archive::{Address, DispatchKind, Party, Role};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::report::letters::Content;

/// The addresses of a player by mail, as they may be told to them.
pub(in crate::desk) fn own(sitting: &Sitting, party: Party) -> Vec<Address> {
    let seat = sitting.table.seat(party);
    let own = seat.into_iter().flat_map(|seat| &seat.addresses).filter(|address| address.role == Role::Player);
    own.filter(|address| sitting.house.is_mailbox(address)).cloned().collect()
}

/// Says which addresses are a player's.
pub(in crate::desk) fn list(sitting: &Sitting, party: Party) -> String {
    let own: Vec<_> = own(sitting, party).into_iter().map(|address| address.address).collect();
    sitting.say(party, "addresses", context! { addresses => own.join(", ") })
}

pub(in crate::desk) fn add(sitting: &mut Sitting, party: Party, address: Address, about: &str) {
    let others = own(sitting, party);
    let Some(seat) = sitting.table.seat_mut(party) else { return };
    seat.addresses.push(address.clone());
    let seat = seat.clone();
    sitting.deed.seats.push(seat);
    tell(sitting, party, &others, "address_added", &address.address, about);
    tell_moderator(sitting, party, "address_added_to", &address.address, about);
}

/// One address less; says what came of it. `answered` is where the answer goes, which need not be told beside.
pub(in crate::desk) fn forget(
    sitting: &mut Sitting,
    party: Party,
    written: &str,
    answered: Option<&Address>,
    about: &str,
) -> String {
    let signs: &[char] = &['<', '>', '(', ')', '"', '\'', '`', ',', ';', '.', '!', ':'];
    let wanted = written.trim().trim_start_matches("mailto:").trim_matches(signs).to_lowercase();
    let own = own(sitting, party);
    let Some(gone) = own.iter().find(|address| address.address == wanted).cloned() else {
        return sitting.say(party, "no_such_address", context! {});
    };
    let Some(seat) = sitting.table.seat_mut(party) else { return String::new() };
    if seat.addresses.iter().filter(|address| address.role == Role::Player).count() < 2 {
        return sitting.say(party, "last_address", context! {});
    }
    seat.addresses.retain(|address| *address != gone);
    let seat = seat.clone();
    sitting.deed.seats.push(seat);
    let others: Vec<_> = own.into_iter().filter(|address| *address != gone && Some(address) != answered).collect();
    tell(sitting, party, &others, "address_forgotten", &gone.address, about);
    // Whoever reads there may be the player themselves, and another has written in their name.
    let line = sitting.say(party, "forgotten_here", context! {});
    let envelope = Envelope {
        kind: DispatchKind::Announcement,
        about: format!("{about}.forgotten"),
        to: Some(&gone),
        ..Envelope::default()
    };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
    tell_moderator(sitting, party, "address_forgotten_by", &gone.address, about);
    sitting.say(party, "address_forgotten", context! { address => gone.address.as_str() })
}

fn tell(sitting: &mut Sitting, party: Party, others: &[Address], key: &str, address: &str, about: &str) {
    for (number, other) in others.iter().enumerate() {
        let line = sitting.say(party, key, context! { address });
        let about = format!("{about}.address-{number}");
        let envelope = Envelope { kind: DispatchKind::Announcement, about, to: Some(other), ..Envelope::default() };
        sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
    }
}

fn tell_moderator(sitting: &mut Sitting, party: Party, key: &str, address: &str, about: &str) {
    if party == Party::Moderator {
        return;
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
    let line = sitting.say(Party::Moderator, key, context! { player, address });
    let envelope =
        Envelope { kind: DispatchKind::Moderation, about: format!("{about}.address"), ..Envelope::default() };
    sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
}
