//! How a browser becomes known: its link names a seat, and a code that was sent to the player proves that it is theirs.

use chrono::{DateTime, Duration, Utc};

use crate::archive::{Absence, CodeRecord, DeviceRecord, DispatchKind, Party, Role};
use crate::desk::house::{letters, random, slug};
use crate::desk::table::sitting::Envelope;
use crate::desk::{Desk, DeskError, Table};
use crate::game::GameId;
use crate::report::letters::Content;
use crate::rules::Language;
use crate::web::window::{Browser, Coded, Confirmed, Followed, Spot};

/// So many letters a code has: 40 bits, and nobody has more than a few tries.
const LENGTH: usize = 8;
/// So long it is good.
const GOOD: Duration = Duration::minutes(10);
/// So often another may be typed in its place.
const MOST_TRIES: u32 = 5;
/// So many are sent in a day to a seat for browsers that have none, and for those that have one.
const MOST_UNKNOWN: u32 = 3;
const MOST_KNOWN: u32 = 20;
/// The longest name of a browser that is kept.
const LONGEST_NAME: usize = 60;

/// Whose a link is.
struct Linked {
    game: GameId,
    party: Party,
    role: Role,
    /// The absence for which a deputy has it.
    absence: Option<DateTime<Utc>>,
    spot: Spot,
}

impl Desk {
    /// Whose a link is; none where it is broken or old, and where a deputy's player is not away.
    fn linked(&mut self, link: &str, now: DateTime<Utc>) -> Result<Option<Linked>, DeskError> {
        let mut pieces = link.split('.');
        let (Some(game), Some(seat), Some(_), None) = (pieces.next(), pieces.next(), pieces.next(), pieces.next())
        else {
            return Ok(None);
        };
        let game = &GameId::from(game);
        if self.archive.game(game)?.is_none() {
            return Ok(None);
        }
        let table = self.table(game)?.clone();
        let is_meant = |party: &Party| *party != Party::Public && slug(&table.edition.printed, *party) == seat;
        let Some(party) =
            table.seats.iter().filter(|seat| seat.companion.is_none()).map(|seat| seat.party).find(is_meant)
        else {
            return Ok(None);
        };
        let is_it = |role: &Role| is_same(&self.house.link_of(&table, party, *role), link);
        let Some(role) = [Role::Player, Role::Deputy].into_iter().find(is_it) else { return Ok(None) };
        let absence = match role {
            Role::Player => None,
            Role::Deputy => {
                let Some(since) = absence(&table, party, now) else { return Ok(None) };
                Some(since)
            }
        };
        let spot = Spot { game: game.clone(), seat: seat.to_owned() };
        Ok(Some(Linked { game: game.clone(), party, role, absence, spot }))
    }

    /// How somebody who has a link is spoken to: the title of the game, and the language of the seat.
    fn spoken_of(&mut self, linked: &Linked) -> Result<(String, Language), DeskError> {
        let table = self.table(&linked.game)?;
        let language = table.seat(linked.party).map(|seat| seat.language).unwrap_or_default();
        Ok((table.game.title.clone(), language))
    }

    /// Where a link leads this browser. Nothing changes by it, but in a demonstration, whose seat it opens.
    pub(super) fn follow(&mut self, link: &str, browser: &Browser, now: DateTime<Utc>) -> Result<Followed, DeskError> {
        let Some(linked) = self.linked(link, now)? else { return Ok(Followed::Nowhere) };
        if self.here(browser, &linked.spot, now)?.is_some() {
            return Ok(Followed::Known(linked.spot));
        }
        let opens = self.window.as_ref().and_then(|window| window.opens.as_ref());
        if opens.is_some_and(|opens| (&opens.game, opens.party) == (&linked.game, linked.party)) {
            let spot = linked.spot.clone();
            self.give_seat(linked, browser, String::new(), None, now)?;
            return Ok(Followed::Opens(spot));
        }
        let (title, language) = self.spoken_of(&linked)?;
        Ok(Followed::Asks(title, language))
    }

    /// Sends a code to whoever a link is for.
    pub(super) fn send_code(
        &mut self,
        link: &str,
        browser: Browser,
        name: String,
        now: DateTime<Utc>,
    ) -> Result<Coded, DeskError> {
        let Some(linked) = self.linked(link, now)? else { return Ok(Coded::Nowhere) };
        let (title, language) = self.spoken_of(&linked)?;
        let known = !self.archive.seats_of_browser(&browser)?.is_empty();
        let most = if known { MOST_KNOWN } else { MOST_UNKNOWN };
        let day = now - Duration::days(1);
        if self.archive.codes_since(&linked.game, linked.party, known, day)? >= most {
            return Ok(Coded::TooMany(title, language));
        }
        let (chance, number) = (random()?, random()?);
        let code = letters(&chance, LENGTH);
        let name = plain_name(&name);
        let record = CodeRecord {
            id: 0,
            browser,
            game: linked.game.clone(),
            party: linked.party,
            role: linked.role,
            sealed: self.house.sealed_code(&browser, &code),
            known,
            name: name.clone(),
            asked_at: now,
            tries: 0,
        };
        self.sit(&linked.game, now, |sitting| {
            let seat = sitting.table.seat(linked.party);
            let Some(address) = seat.and_then(|seat| seat.mailbox(linked.role)).cloned() else { return Coded::Nowhere };
            let about = format!("code-{}", letters(&number, 16));
            let envelope = Envelope { kind: DispatchKind::Code, about, to: Some(&address), ..Envelope::default() };
            sitting.write(linked.party, envelope, &Content::Code { code: &code, browser: &name });
            sitting.deed.page.code = Some(record);
            Coded::Sent(title, language)
        })
    }

    /// A code was typed.
    pub(super) fn confirm_code(
        &mut self,
        link: &str,
        browser: &Browser,
        typed: &str,
        now: DateTime<Utc>,
    ) -> Result<Confirmed, DeskError> {
        let Some(linked) = self.linked(link, now)? else { return Ok(Confirmed::Nowhere) };
        let (title, language) = self.spoken_of(&linked)?;
        let Some(code) = self.archive.code_for(browser, &linked.game)? else {
            return Ok(Confirmed::Spent(title, language));
        };
        let is_meant = (code.party, code.role) == (linked.party, linked.role);
        if !is_meant || now - code.asked_at > GOOD || code.asked_at > now || code.tries >= MOST_TRIES {
            return Ok(Confirmed::Spent(title, language));
        }
        let typed: String = typed.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        if self.house.sealed_code(browser, &typed) != code.sealed {
            self.archive.count_try(code.id)?;
            return Ok(match MOST_TRIES.saturating_sub(code.tries + 1) {
                0 => Confirmed::Spent(title, language),
                _ => Confirmed::Wrong(title, language),
            });
        }
        let spot = linked.spot.clone();
        self.give_seat(linked, browser, code.name, Some(code.id), now)?;
        Ok(Confirmed::Yes(spot))
    }

    /// The browser has the seat from now on.
    fn give_seat(
        &mut self,
        linked: Linked,
        browser: &Browser,
        name: String,
        code: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let Linked { game, party, absence, .. } = linked;
        for game in self.moderated_with(&game, party)? {
            let (browser, name) = (*browser, name.clone());
            let device = DeviceRecord { browser, game, party, absence: None, name, since: now, seen: now };
            self.archive.add_device(&device, None)?;
        }
        let device = DeviceRecord { browser: *browser, game, party, absence, name, since: now, seen: now };
        self.archive.add_device(&device, code)?;
        // It may have had another seat of the game.
        self.touch(&device.game);
        self.tell_touched();
        Ok(())
    }

    /// The other games of a moderator: whoever has shown that a mailbox is theirs has shown it for every game that sends its
    /// moderator's letters there.
    fn moderated_with(&mut self, game: &GameId, party: Party) -> Result<Vec<GameId>, DeskError> {
        let mailbox = |table: &Table| table.seat(Party::Moderator).and_then(|seat| seat.mailbox(Role::Player)).cloned();
        let Some(own) = mailbox(self.table(game)?).filter(|_| party == Party::Moderator) else { return Ok(Vec::new()) };
        let mut games = Vec::new();
        for seat in self.archive.seats_at(&own.address)? {
            let is_other = seat.party == Party::Moderator && seat.game != *game;
            if is_other && mailbox(self.table(&seat.game)?).as_ref() == Some(&own) {
                games.push(seat.game);
            }
        }
        Ok(games)
    }
}

/// Since when a player is away who has a deputy.
fn absence(table: &Table, party: Party, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    table.seat(party)?.mailbox(Role::Deputy)?;
    let covers = |away: &&Absence| away.since <= now && away.until.is_none_or(|until| now < until);
    table.absences.iter().filter(|away| away.party == party).find(covers).map(|away| away.since)
}

/// Whether two texts are the same; how long it takes to see says nothing about where they differ.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// What a browser is called in words: its kind and the system it runs on, as far as it says so.
fn plain_name(agent: &str) -> String {
    let kinds = [("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari")];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "Mac"),
        ("Linux", "Linux"),
    ];
    let found =
        |names: &[(&str, &'static str)]| names.iter().find(|(sign, _)| agent.contains(sign)).map(|(_, name)| *name);
    let name = [found(&kinds), found(&systems)].into_iter().flatten().collect::<Vec<_>>().join(", ");
    name.chars().take(LONGEST_NAME).collect()
}
