//! Who a letter is from. Only the desk can say: it sees both the post and the archive.
//!
//! A letter counts if the secret of the address it was sent to is right and the address it came from is known. With one
//! of the two it is parked, and the known address is asked. Nothing about a seat is told to an address that is not proved.

use chrono::{DateTime, Utc};

use crate::archive::{Absence, Address, Archive, OurLetter, Role, SeatId};
use crate::desk::DeskError;
use crate::desk::settings::CarrierSettings;
use crate::post::RETURNED;
use crate::post::authentication::{Verdict, verdict};
use crate::post::letter::Letter;

/// Who a letter is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// The secret is right and the address is known.
    Proved {
        /// The game and the seat.
        of: SeatId,
        /// The address.
        address: Address,
        /// The letter of ours that is answered.
        answers: OurLetter,
    },
    /// One of the two is wanting: the known address is to be asked.
    Unproved {
        /// The game and the seat that the letter speaks for.
        of: SeatId,
    },
    /// A known address of several seats, without a secret: nobody can say which game is meant.
    Ambiguous {
        /// Any of the seats.
        of: SeatId,
    },
    /// Nobody we know.
    Nobody,
}

/// Finds out who a letter is from that arrived at this time.
///
/// # Errors
/// The archive does not answer.
pub fn identify(
    archive: &Archive,
    letter: &Letter,
    carrier: &CarrierSettings,
    at: DateTime<Utc>,
) -> Result<Identity, DeskError> {
    let Some(from) = letter.from.as_ref().map(|from| from.address.to_lowercase()) else { return Ok(Identity::Nobody) };
    let domain = from.rsplit('@').next().unwrap_or_default();
    let judged = carrier.authserv_id.as_deref().map(|host| verdict(&letter.authentication_results, host, domain));
    // A server judges one author; whoever names several could have himself judged and speak for another.
    let is_doubted = letter.authors != 1 || judged == Some(Verdict::Failed);
    if let Some(answers) = answered(archive, letter, carrier.address.as_str())?
        && let Some(of) = answers.of.clone()
    {
        let seats = archive.seats(&of.game)?;
        let seat = seats.iter().find(|seat| seat.party == of.party);
        let known = seat.and_then(|seat| seat.addresses.iter().find(|known| known.address == from));
        // A letter that went to somebody who no longer sits there proves nobody, whatever name stands on the answer.
        let is_before = |change: DateTime<Utc>| answers.written_at <= change;
        let is_void =
            seat.is_some_and(|seat| seat.changed_at.is_some_and(is_before) && !seat.knows(&answers.recipient));
        let is_doubted = is_doubted || is_void;
        // A deputy speaks for the player only while he is away.
        let may_speak = match known.map(|known| known.role) {
            Some(Role::Player) => true,
            Some(Role::Deputy) => is_away(archive, &of, at)?,
            None => false,
        };
        match known {
            Some(address) if may_speak && !is_doubted => {
                return Ok(Identity::Proved { of, address: address.clone(), answers });
            }
            None if is_void => {}
            Some(_) | None => return Ok(Identity::Unproved { of }),
        }
    }
    let mut known = archive.seats_at(&from)?;
    Ok(match (known.len(), known.pop()) {
        (_, None) => Identity::Nobody,
        (1, Some(of)) => Identity::Unproved { of },
        (_, Some(of)) => Identity::Ambiguous { of },
    })
}

/// The letter of ours that is answered, by the secret of the address that the answer was sent to.
///
/// # Errors
/// The archive does not answer.
pub fn answered(archive: &Archive, letter: &Letter, own: &str) -> Result<Option<OurLetter>, DeskError> {
    for secret in secrets(letter, own) {
        if let Some(answers) = archive.answered(&secret)?.filter(|answers| answers.of.is_some()) {
            return Ok(Some(answers));
        }
    }
    Ok(None)
}

/// Whether a player was away then.
fn is_away(archive: &Archive, of: &SeatId, at: DateTime<Utc>) -> Result<bool, DeskError> {
    let absences = archive.absences(&of.game)?;
    let covers = |absence: &Absence| absence.since <= at && absence.until.is_none_or(|until| at < until);
    Ok(absences.iter().any(|absence| absence.party == of.party && covers(absence)))
}

/// The secrets in the addresses a letter was sent to, those that a server noted first.
fn secrets(letter: &Letter, own: &str) -> Vec<String> {
    let secret = |tag: String| tag.rsplit('.').next().unwrap_or(&tag).to_owned();
    tags(letter, own).into_iter().filter(|tag| !tag.starts_with(RETURNED)).map(secret).collect()
}

/// The letters of ours that a bounce was sent back for, by what stands before the `@` of their ids.
pub(in crate::desk) fn returned(letter: &Letter, own: &str) -> Vec<String> {
    tags(letter, own).iter().filter_map(|tag| tag.strip_prefix(RETURNED)).map(str::to_owned).collect()
}

/// What stands behind the `+` of our own address where a letter was sent to, in small letters.
fn tags(letter: &Letter, own: &str) -> Vec<String> {
    let (own_local, own_host) = own.rsplit_once('@').unwrap_or((own, ""));
    let tag = |address: &String| {
        let (local, host) = address.rsplit_once('@')?;
        let (name, tag) = local.split_once('+')?;
        let is_ours = name.eq_ignore_ascii_case(own_local) && host.eq_ignore_ascii_case(own_host);
        is_ours.then(|| tag.to_ascii_lowercase())
    };
    letter.delivered_to.iter().chain(&letter.to).filter_map(tag).collect()
}
