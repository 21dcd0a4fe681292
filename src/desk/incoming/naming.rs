//! Which letter of ours a mail names: by the address it was sent to, by the ids of the letters it answers, by its subject.
//!
//! All of it is visible to whoever is passed a letter of ours, so none of it proves anybody by itself: see [`super::identity`].

use crate::archive::{Archive, DispatchKind, OurLetter, SeatId, Tapped};
use crate::desk::DeskError;
use crate::desk::house::{SECRET, own_host};
use crate::desk::settings::CarrierSettings;
use crate::desk::settings::mail::DELIMITERS;
use crate::post::RETURNED;
use crate::post::letter::Letter;

/// So many ids and subjects of a letter are looked up: whoever writes thousands does not keep us busy with them.
const MOST: usize = 20;

/// What stands behind the sign of the address to which a program writes whose user wants no more letters.
pub(in crate::desk) const LEAVE: &str = "leave.";

/// A letter of ours that was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::desk) struct Named {
    /// The letter of ours that is answered.
    pub answers: OurLetter,
    /// The line that was tapped, where its secret admits no other.
    pub tapped: Option<Tapped>,
}

/// What a mail names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::desk) struct Names {
    /// The letter that is answered, whose secret admits every line.
    pub answers: Option<OurLetter>,
    /// The line that was tapped, and the letter that offered it.
    pub tapped: Option<(Tapped, OurLetter)>,
    /// The seats it speaks of, in the sequence in which they count. Of several, none is believed.
    pub seats: Vec<SeatId>,
}

impl Names {
    fn note(&mut self, named: Named) {
        let Named { answers, tapped } = named;
        let Some(of) = answers.of.clone() else { return };
        if !self.seats.contains(&of) {
            self.seats.push(of);
        }
        match tapped {
            Some(tapped) => self.tapped = self.tapped.take().or(Some((tapped, answers))),
            None => self.answers = self.answers.take().or(Some(answers)),
        }
    }
}

/// What a mail names that came by this carrier.
///
/// # Errors
/// The archive does not answer.
pub(in crate::desk) fn names(
    archive: &Archive,
    letter: &Letter,
    carrier: &CarrierSettings,
) -> Result<Names, DeskError> {
    let mut names = Names::default();
    // Of several addresses the first counts that is known: a server delivers to each of them.
    for is_tap in [false, true] {
        for secret in secrets(letter, carrier.address.as_str()) {
            let named = if is_tap { tapped(archive, &secret)? } else { whole(archive, &secret)? };
            if let Some(named) = named {
                names.note(named);
                break;
            }
        }
    }
    for named in by_id(archive, letter, carrier)? {
        names.note(named);
    }
    for secret in marks(&letter.subject).into_iter().take(MOST) {
        let named = match whole(archive, &secret)? {
            Some(named) => Some(named),
            None => tapped(archive, &secret)?,
        };
        named.into_iter().for_each(|named| names.note(named));
    }
    Ok(names)
}

/// The letter of the club that a mail answers: one that belongs to no game, named in any way in which letters of a game are.
///
/// # Errors
/// The archive does not answer.
pub(in crate::desk) fn club_letter(
    archive: &Archive,
    letter: &Letter,
    carrier: &CarrierSettings,
) -> Result<Option<OurLetter>, DeskError> {
    let is_club = |answers: &OurLetter| answers.kind == DispatchKind::Club && answers.of.is_none();
    let marked = marks(&letter.subject).into_iter().take(MOST);
    for secret in secrets(letter, carrier.address.as_str()).into_iter().chain(marked) {
        if let Some(answers) = archive.answered(&secret)?.filter(is_club) {
            return Ok(Some(answers));
        }
    }
    let thread = letter.references.iter().rev().take(MOST);
    for id in letter.in_reply_to.iter().take(MOST).chain(thread) {
        if let Some(answers) = sealed(archive, id, carrier)?.filter(is_club) {
            return Ok(Some(answers));
        }
    }
    Ok(None)
}

/// The letter of ours whose answers have this secret.
fn whole(archive: &Archive, secret: &str) -> Result<Option<Named>, DeskError> {
    let answers = archive.answered(secret)?.filter(|answers| answers.of.is_some());
    Ok(answers.map(|answers| Named { answers, tapped: None }))
}

/// The letter of ours that offers the line with this secret.
fn tapped(archive: &Archive, secret: &str) -> Result<Option<Named>, DeskError> {
    let Some(tapped) = archive.tapped(secret)? else { return Ok(None) };
    Ok(archive.written(&tapped.message_id)?.map(|answers| Named { answers, tapped: Some(tapped) }))
}

/// The letters of ours that an answer names in its head: those it answers, or the youngest of its thread. In a thread stand
/// also letters that were passed on, so of those only one counts that went to its sender.
fn by_id(archive: &Archive, letter: &Letter, carrier: &CarrierSettings) -> Result<Vec<Named>, DeskError> {
    let mut found = Vec::new();
    for id in letter.in_reply_to.iter().take(MOST) {
        found.extend(ours(archive, id, carrier)?);
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let from = letter.sender.from.as_ref().map(|from| from.address.to_lowercase()).unwrap_or_default();
    for id in letter.references.iter().rev().take(MOST) {
        let Some(named) = ours(archive, id, carrier)? else { continue };
        let Some(of) = &named.answers.of else { continue };
        let seats = archive.seats(&of.game)?;
        if seats.iter().any(|seat| seat.party == of.party && seat.knows(&from)) {
            return Ok(vec![named]);
        }
        return Ok(Vec::new());
    }
    Ok(Vec::new())
}

/// The letter of a game with this id.
fn ours(archive: &Archive, id: &str, carrier: &CarrierSettings) -> Result<Option<Named>, DeskError> {
    let answers = sealed(archive, id, carrier)?.filter(|answers| answers.of.is_some());
    Ok(answers.map(|answers| Named { answers, tapped: None }))
}

/// The letter of ours with this id, where its id is its secret: its carrier says so, or nothing else was given out with it.
fn sealed(archive: &Archive, id: &str, carrier: &CarrierSettings) -> Result<Option<OurLetter>, DeskError> {
    let own = own_host(carrier);
    let Some((name, _)) = id.rsplit_once('@').filter(|(_, host)| host.eq_ignore_ascii_case(&own)) else {
        return Ok(None);
    };
    let id = format!("{}@{own}", name.to_ascii_lowercase());
    let Some(answers) = archive.written(&id)?.filter(OurLetter::is_sealed) else { return Ok(None) };
    let counts = carrier.habits.answers.message_id || archive.went_bare(&id)?;
    Ok(counts.then_some(answers))
}

/// The secrets in the addresses a letter was sent to, those that a server noted first.
pub(in crate::desk) fn secrets(letter: &Letter, own: &str) -> Vec<String> {
    let secret = |tag: String| tag.rsplit('.').next().unwrap_or(&tag).to_owned();
    tags(letter, own).into_iter().filter(|tag| !tag.starts_with(RETURNED)).map(secret).collect()
}

/// The letters of ours that a bounce was sent back for, by what stands before the `@` of their ids.
pub(in crate::desk) fn returned(letter: &Letter, own: &str) -> Vec<String> {
    tags(letter, own).iter().filter_map(|tag| tag.strip_prefix(RETURNED)).map(str::to_owned).collect()
}

/// What may be secrets of links by which somebody asks for no more letters.
pub(in crate::desk) fn leaving(letter: &Letter, own: &str) -> Vec<String> {
    let tags = tags(letter, own).into_iter().filter_map(|tag| tag.strip_prefix(LEAVE).map(str::to_owned));
    tags.chain(marks(&letter.subject)).take(MOST).collect()
}

/// What stands behind our own name in the addresses that a letter was sent to, in small letters. Every sign counts: what was
/// given out under another setting is read as well.
fn tags(letter: &Letter, own: &str) -> Vec<String> {
    let own = own.to_ascii_lowercase();
    let (own_local, own_host) = own.rsplit_once('@').unwrap_or((&own, ""));
    let tag = |address: &String| {
        let address = address.to_ascii_lowercase();
        let (local, host) = address.rsplit_once('@')?;
        let tag = local.strip_prefix(own_local)?.strip_prefix(DELIMITERS)?;
        (host == own_host).then(|| tag.to_owned())
    };
    letter.addressed.delivered_to.iter().chain(&letter.addressed.to).filter_map(tag).collect()
}

/// A secret as it stands in a subject.
pub(in crate::desk) fn mark(secret: &str) -> String {
    format!("[#{secret}]")
}

/// What may be secrets in a subject, in small letters: whatever a program made of the brackets round them.
pub(in crate::desk) fn marks(subject: &str) -> Vec<String> {
    let found = subject.split('#').skip(1).filter_map(|rest| {
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        (end == SECRET).then(|| rest[..end].to_ascii_lowercase())
    });
    found.collect()
}

/// A subject as somebody may read it: without what only its sender and we should know.
pub(in crate::desk) fn unmarked(subject: &str) -> String {
    let mut text = subject.to_owned();
    for (at, _) in subject.match_indices('#').rev() {
        let rest = &subject[at + 1..];
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if end == SECRET {
            let (mut from, mut to) = (at, at + 1 + end);
            if subject[..from].ends_with('[') && subject[to..].starts_with(']') {
                (from, to) = (from - 1, to + 1);
            }
            text.replace_range(from..to, "");
        }
    }
    if text.len() == subject.len() { text } else { text.split_whitespace().collect::<Vec<_>>().join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_wherever_a_program_left_it() {
        let secret = "abcdefghjkmnpq23";
        for subject in [
            "Turn 4: movement [#abcdefghjkmnpq23]",
            "Re: [#abcdefghjkmnpq23] Turn 4",
            "AW: Re: Turn 4 [#ABCDEFGHJKMNPQ23]",
            "Odp: \"Turn 4\" [#abcdefghjkmnpq23] — żółw",
            "Re: Turn 4 (#abcdefghjkmnpq23)",
            "Fwd: #abcdefghjkmnpq23",
        ] {
            assert_eq!(marks(subject), [secret], "{subject}");
            assert!(!unmarked(subject).to_lowercase().contains(secret), "{subject}");
        }
        for subject in ["", "#", "[#]", "[#abcdefghjkmnpq2]", "[#abcdefghjkmnpq234]", "bug #12", "[#abcdefghjkmnpq2ż]"]
        {
            assert_eq!(marks(subject), Vec::<String>::new(), "{subject}");
            assert_eq!(unmarked(subject), subject);
        }
        assert_eq!(unmarked("Odp: Turn 4  [#abcdefghjkmnpq23]  now"), "Odp: Turn 4 now");
    }
}
