//! Letters that are set aside unread, whom that is told, and how they come back.
//!
//! A sender has so many letters an hour. Those of a proved sender, those that anybody may have written in their name,
//! and those of machines are counted apart: whoever writes in their name does not use up their share. The moderator
//! learns who, when, why and how much; the words only if the moderator does not play themselves.

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use crate::archive::{
    Address, Archive, Deed, DispatchKind, Fate, LetterRecord, LetterStatus, NewDispatch, Party, Proof, SeatId,
    SetAside, Settled,
};
use crate::desk::incoming::opened::Opened;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError, Table};
use crate::game::GameId;
use crate::post::letter::{Broken, LARGEST};
use crate::post::{Lookup, open};
use crate::report::letters::Content;

/// How many letters that were set aside the moderator is told of in an hour.
const MOST_NOTICES: u32 = 3;
/// So many are listed.
const MOST_LISTED: u32 = 20;
/// So many characters of each are shown to a moderator who may read them.
const MOST_WORDS: usize = 600;

/// Why a letter is set aside. It is stored by a name, and told in the words that the templates have for it under `[aside]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::desk) enum Why {
    /// More letters in an hour than one sender may write.
    TooMany(u32),
    /// More letters for one seat from senders who are not proved.
    TooManyUnproved(u32),
    NoSuchGame,
    NoSuchSeat,
    /// The process ended twice while it was handled.
    EndedTwice,
    /// It could not be handled, by a bug of ours.
    Bug,
    /// Only its beginning was kept.
    Cut,
    Broken(Broken),
}

impl Why {
    /// Its name in the archive, with the number that it speaks of.
    pub(in crate::desk) fn stored(self) -> String {
        match self {
            Why::TooMany(most) => format!("too_many {most}"),
            Why::TooManyUnproved(most) => format!("too_many_unproved {most}"),
            Why::NoSuchGame => "no_such_game".to_owned(),
            Why::NoSuchSeat => "no_such_seat".to_owned(),
            Why::EndedTwice => "ended_twice".to_owned(),
            Why::Bug => "bug".to_owned(),
            Why::Cut => "cut".to_owned(),
            Why::Broken(Broken::TooLarge) => format!("too_large {}", LARGEST / 1024 / 1024),
            Why::Broken(broken) => broken.name().to_owned(),
        }
    }
}

/// What is stored, in the moderator's words. The first edition stored sentences.
fn why(sitting: &Sitting, stored: &str) -> String {
    let (name, number) = stored.split_once(' ').unwrap_or((stored, ""));
    let words = sitting.words(Party::Moderator);
    if words.has("aside", name) { words.say("aside", name, context! { number }) } else { stored.to_owned() }
}

/// A letter that is to be set aside.
pub(in crate::desk) struct Aside<'a> {
    pub(in crate::desk) record: &'a LetterRecord,
    pub(in crate::desk) why: Why,
    pub(in crate::desk) sender: String,
    /// Whose it is, where that is known.
    pub(in crate::desk) of: Option<SeatId>,
    pub(in crate::desk) proof: Option<Proof>,
}

impl<'a> Aside<'a> {
    /// One of which nobody can say whose it is.
    pub(in crate::desk) fn nobodys(record: &'a LetterRecord, why: Why) -> Aside<'a> {
        Aside { record, why, sender: String::new(), of: None, proof: None }
    }
}

impl Desk {
    /// Until when a sender has written all the sender may; none where the sender may write.
    pub(in crate::desk) fn limit(&self, opened: &Opened, proof: Proof) -> Result<Option<DateTime<Utc>>, DeskError> {
        if opened.record.released {
            return Ok(None);
        }
        let (hour, most) = (Duration::hours(1), self.house.settings.letters_per_hour);
        let oldest = self.archive.oldest_of(most, opened.sender(), proof, opened.record.arrived - hour)?;
        Ok(oldest.map(|oldest| oldest + hour))
    }

    /// Sets a letter aside that is more than its sender may write. Who is proved is told so, once.
    pub(in crate::desk) fn turn_away(
        &mut self,
        opened: &Opened,
        of: Option<SeatId>,
        proved: Option<&Address>,
        ends: DateTime<Utc>,
    ) -> Result<Settled, DeskError> {
        let most = self.house.settings.letters_per_hour;
        if let Some((SeatId { game, party }, address)) = of.as_ref().zip(proved) {
            self.table(game)?;
            let mut sitting = Sitting::new(&self.house, &self.tables[game], opened.now);
            let line = sitting.say(*party, "too_many_letters", context! { most, ends => sitting.when(*party, ends) });
            let about = format!("limit-{}-{}", self.house.aside_name(&address.address), ends.timestamp() / 3600);
            let envelope =
                Envelope { kind: DispatchKind::Announcement, about, to: Some(address), ..Envelope::default() };
            sitting.write(*party, envelope, &Content::Announcement { lines: &[line], text: None });
            for notice in std::mem::take(&mut sitting.deed.dispatches) {
                if !self.archive.has_written(&notice)? {
                    self.archive.commit(&Deed { dispatches: vec![notice], ..Deed::default() })?;
                }
            }
        }
        let aside = Aside {
            record: opened.record,
            why: Why::TooMany(most),
            sender: opened.sender().to_owned(),
            of,
            proof: opened.proof,
        };
        self.set_aside(aside, opened.now)
    }

    /// Sets a letter aside and tells a moderator.
    pub(in crate::desk) fn set_aside(&mut self, aside: Aside, now: DateTime<Utc>) -> Result<Settled, DeskError> {
        let Aside { record, why, .. } = aside;
        let why = why.stored();
        tracing::warn!(letter = record.id.0, carrier = record.carrier, why, "a letter was set aside");
        let notice = match self.aside_notice(&aside, now) {
            Err(error) if error.is_of_everything() => return Err(error),
            Ok(notice) => notice,
            // A game that cannot be opened keeps no letter from being set aside.
            Err(_) => None,
        };
        let (id, fate, remark) = (record.id, Fate::Aside, Some(why));
        let status = LetterStatus { id, fate, sender: aside.sender, of: aside.of, remark, proof: aside.proof };
        let dispatches = notice.into_iter().collect();
        Ok(self.archive.settle(&Deed { letters: vec![status], dispatches, ..Deed::default() }, id)?)
    }

    /// What the moderator is told of a letter that is set aside. Where nobody can say which game it meant, the
    /// moderator of the youngest is as good as any. Whoever floods us does not flood them: the moderator hears of the
    /// first of every hour.
    fn aside_notice(&mut self, aside: &Aside, now: DateTime<Utc>) -> Result<Option<NewDispatch>, DeskError> {
        let game = match &aside.of {
            Some(of) => Some(of.game.clone()),
            None => self.archive.youngest_game()?,
        };
        let Some(game) = game else { return Ok(None) };
        self.table(&game)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[&game], now);
        let size = aside.record.size;
        let line = told(
            &sitting,
            &Told {
                number: self.house.aside_number(aside.record.id),
                carrier: &aside.record.carrier,
                sender: &aside.sender,
                arrived: aside.record.arrived,
                why: &aside.why.stored(),
                size,
                words: None,
            },
        );
        let lines = [line, sitting.say(Party::Moderator, "set_aside_hint", context! {})];
        for number in 1..=MOST_NOTICES {
            let about = format!("aside-{}-{number}", now.timestamp() / 3600);
            let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &lines });
            let Some(notice) = sitting.deed.dispatches.pop() else { break };
            if !self.archive.has_written(&notice)? {
                return Ok(Some(notice));
            }
        }
        Ok(None)
    }
}

/// The letters that a moderator finds set aside, a line each.
pub(in crate::desk) fn list(archive: &Archive, sitting: &Sitting) -> Result<Vec<String>, DeskError> {
    let mut lines: Vec<String> = found(archive, sitting)?.into_iter().map(|(_, line)| line).collect();
    let last = if lines.is_empty() { "set_aside_none" } else { "set_aside_hint" };
    lines.push(sitting.say(Party::Moderator, last, context! {}));
    Ok(lines)
}

/// The same, each with its number.
pub(in crate::desk) fn found(archive: &Archive, sitting: &Sitting) -> Result<Vec<(u32, String)>, DeskError> {
    let mut lines = Vec::new();
    for letter in archive.set_aside(&sitting.table.game.id, MOST_LISTED)? {
        let words = if may_read(archive, &sitting.table, letter.game.as_ref())? {
            archive.letter(letter.letter)?.and_then(|record| words(&record))
        } else {
            None
        };
        let SetAside { carrier, sender, why, arrived, size, .. } = &letter;
        let number = sitting.house.aside_number(letter.letter);
        lines.push((
            number,
            told(sitting, &Told { number, carrier, sender, arrived: *arrived, why, size: *size, words }),
        ));
    }
    Ok(lines)
}

/// Hands a letter back to be handled like any other. That proves nobody: whoever was not known is asked about again.
pub(in crate::desk) fn release(
    archive: &Archive,
    sitting: &mut Sitting,
    number: u32,
) -> Result<Result<String, String>, DeskError> {
    let me = Party::Moderator;
    let all = archive.set_aside(&sitting.table.game.id, u32::MAX)?;
    let meant: Vec<_> = all.iter().filter(|letter| sitting.house.aside_number(letter.letter) == number).collect();
    sitting.deed.waiting.released.extend(meant.iter().map(|letter| letter.letter));
    Ok(if meant.is_empty() {
        Err(sitting.say(me, "no_such_letter", context! { number }))
    } else {
        Ok(sitting.say(me, "released", context! { number }))
    })
}

/// What is told of a letter.
struct Told<'a> {
    number: u32,
    carrier: &'a str,
    sender: &'a str,
    arrived: DateTime<Utc>,
    why: &'a str,
    size: u64,
    words: Option<String>,
}

fn told(sitting: &Sitting, told: &Told) -> String {
    let me = Party::Moderator;
    let facts = context! {
        number => told.number,
        carrier => told.carrier,
        sender => one_line(told.sender, MOST_WORDS),
        when => sitting.when(me, told.arrived),
        why => why(sitting, told.why),
        size => told.size.div_ceil(1024),
        words => told.words.as_deref(),
    };
    sitting.say(me, "set_aside", facts)
}

/// Whether the moderator may read the words of a letter: the moderator has no seat in its game; where nobody can say
/// which that is, in none.
pub(in crate::desk) fn may_read(archive: &Archive, table: &Table, game: Option<&GameId>) -> Result<bool, DeskError> {
    let Some(moderator) = table.seat(Party::Moderator) else { return Ok(false) };
    for address in &moderator.addresses {
        let seats = archive.seats_at(&address.address)?;
        let plays = |seat: &SeatId| seat.party != Party::Moderator && game.is_none_or(|game| *game == seat.game);
        if seats.iter().any(plays) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn words(record: &LetterRecord) -> Option<String> {
    let writing = open(record.form, &record.raw, &Lookup::NOTHING).ok()?.writing();
    Some(one_line(&writing.text, MOST_WORDS)).filter(|words| !words.is_empty())
}

/// Somebody's words in one line, and not too many of them.
fn one_line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
