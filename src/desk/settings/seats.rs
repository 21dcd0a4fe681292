//! The seats of a game, `[[seats]]` of its file: who sits where, and whether that can be.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

use super::game_file::{Seat, Sitter, carrier, suggestion};
use super::toml_file::{ByteRange, TomlFile, TomlTable, choices, series, there_are};
use super::written::{Address, Zone};
use super::{CarrierSettings, Person, Settings, habits, person};
use crate::companions::Temperament;
use crate::rules::{Civ, Language, PrintedGame, Scenario, names};

/// A seat with its places in the file. What could not be read is missing.
pub(super) struct Placed {
    pub(super) civ: Option<Civ>,
    pub(super) sitter: Option<Sitter>,
    pub(super) carrier: Option<String>,
    pub(super) at_civ: ByteRange,
    pub(super) at_addresses: ByteRange,
}

impl Placed {
    pub(super) fn seat(self, carrier: &Option<String>) -> Option<Seat> {
        Some(Seat { civ: self.civ?, sitter: self.sitter?, carrier: self.carrier.or_else(|| carrier.clone()) })
    }
}

pub(super) fn seats(
    file: &mut TomlFile,
    head: &mut TomlTable,
    printed: &PrintedGame,
    settings: &Settings,
    zone: Zone,
) -> Vec<Placed> {
    let tables = head.tables(file, "seats");
    let seats = tables.into_iter().map(|mut table| {
        let civ = civ(file, &mut table, printed);
        let carrier = carrier(file, &mut table, settings);
        let sitter = sitter(file, &mut table, (settings.language, zone));
        let (at_civ, at_addresses) = (table.place("civ"), table.place("addresses"));
        table.close(file);
        Placed { civ, sitter, carrier, at_civ, at_addresses }
    });
    seats.collect()
}

fn civ(file: &mut TomlFile, table: &mut TomlTable, printed: &PrintedGame) -> Option<Civ> {
    let name: String = table.require(file, "civ")?;
    let folded = names::fold(&name);
    let known = || printed.civilizations.iter().map(|civilization| civilization.name.as_str());
    let position = printed.civilizations.iter().position(|civilization| {
        let aliases = civilization.aliases.iter().chain([&civilization.name, &civilization.key]);
        aliases.map(|alias| names::fold(alias)).any(|alias| alias == folded)
    });
    let civ = position.and_then(|position| u8::try_from(position).ok()).map(Civ);
    if civ.is_none() {
        let near = suggestion(&name, known()).unwrap_or_else(|| there_are(known()));
        file.fault(table.place("civ"), format!("`civ` is {name:?}, which is no civilization; {near}"));
    }
    civ
}

fn sitter(file: &mut TomlFile, table: &mut TomlTable, usual: (Language, Zone)) -> Option<Sitter> {
    if table.has("companion") {
        let companion = table.take(file, "companion").map(Sitter::Companion);
        if table.has("player") || table.has("addresses") || table.has("forum") {
            let message = "a companion and a player share this seat; keep `companion`, or `player` and `addresses`";
            file.fault(table.place("companion"), message);
            person(file, table, "player", usual);
        }
        return companion;
    }
    if !table.has("player") && !table.has("addresses") && !table.has("forum") {
        let message = "nobody sits here; write `player` and `addresses`, or `companion`, which is a built-in player";
        file.fault(table.place(""), message);
        habits(file, table, usual);
        table.refuse(file, "deputy", "has nobody to write for");
        return None;
    }
    let player = person(file, table, "player", usual);
    let usual = player.as_ref().map_or(usual, |player| (player.language, player.zone));
    let deputy = table.table(file, "deputy").and_then(|mut table| {
        let deputy = person(file, &mut table, "name", usual);
        table.close(file);
        deputy
    });
    Some(Sitter::Player { player: player?, deputy })
}

choices!(Temperament {
    "settler" => Temperament::Settler,
    "merchant" => Temperament::Merchant,
    "raider" => Temperament::Raider,
});

/// Every civilization of the scenario has one seat, unless the game is open, and no other has any.
pub(super) fn check_seats(
    file: &mut TomlFile,
    head: &TomlTable,
    printed: &PrintedGame,
    scenario: &Scenario,
    seats: &[Placed],
    open: bool,
) {
    let name = |civ: &Civ| printed.civilizations[usize::from(civ.0)].name.as_str();
    let mut taken = BTreeSet::new();
    for seat in seats {
        let Some(civ) = seat.civ else { continue };
        if !taken.insert(civ) {
            file.fault(seat.at_civ.clone(), format!("{} has two seats; keep one of them", name(&civ)));
        } else if !scenario.civilizations.contains(&civ) {
            let playing = there_are(scenario.civilizations.iter().map(name));
            let message = format!("{} does not play in {:?}; {playing}", name(&civ), scenario.key);
            file.fault(seat.at_civ.clone(), message);
        }
    }
    let empty = scenario.civilizations.iter().filter(|civ| !taken.contains(civ));
    let empty: Vec<_> = empty.map(|civ| name(civ).to_owned()).collect();
    // A name that could not be read is reported already, and may be one of these.
    if !open && !empty.is_empty() && seats.iter().all(|seat| seat.civ.is_some()) {
        let place = head.place(if head.has("scenario") { "scenario" } else { "players" });
        let message = format!("{:?} has no seat for {}; write [[seats]] for each", scenario.key, series(&empty, "and"));
        file.fault(place, message);
    }
}

/// Nobody sits at two seats, as a deputy either: the deputy would see two hands.
pub(super) fn check_addresses(file: &mut TomlFile, printed: &PrintedGame, seats: &[Placed]) {
    let mut seen: BTreeMap<String, &Placed> = BTreeMap::new();
    for seat in seats {
        for address in seat.sitter.iter().flat_map(addresses) {
            let first = *seen.entry(address.as_str().to_lowercase()).or_insert(seat);
            if !ptr::eq(first, seat) {
                let civ =
                    first.civ.map_or("another seat", |civ| printed.civilizations[usize::from(civ.0)].name.as_str());
                let message = format!("{address} is written for {civ} already; nobody may see two hands");
                file.fault(seat.at_addresses.clone(), message);
            }
        }
    }
}

/// Nobody is reached at an address of ours: a letter there would come back to us.
pub(super) fn check_own_addresses(
    file: &mut TomlFile,
    head: &TomlTable,
    settings: &Settings,
    (carrier, moderator): (Option<&str>, Option<&Person>),
    seats: &[Placed],
) {
    let message = |address: &Address| {
        format!("{address} is the address that Cursus writes from, or leads to it; write the player's own")
    };
    let is_own = |address: &&Address| settings.is_own(address.as_str());
    for seat in seats {
        for address in seat.sitter.iter().flat_map(addresses).filter(is_own) {
            file.fault(seat.at_addresses.clone(), message(address));
        }
    }
    // Letters to the samples would leave this machine, and come back.
    let carrier = carrier.and_then(|carrier| settings.carrier(carrier));
    let is_mailed = carrier.map_or(settings.has_mailbox(), CarrierSettings::is_mailbox);
    let is_sample = |address: &&Address| is_mailed && address.is_sample();
    let sample =
        |address: &Address| format!("{address} is an address of the sample file, which nobody has; write a real one");
    for seat in seats {
        for address in seat.sitter.iter().flat_map(addresses).filter(is_sample) {
            file.fault(seat.at_addresses.clone(), sample(address));
        }
    }
    for address in moderator.into_iter().flat_map(|moderator| &moderator.addresses).filter(is_sample) {
        file.fault(head.place("moderator"), sample(address));
    }
    for address in moderator.into_iter().flat_map(|moderator| &moderator.addresses).filter(is_own) {
        let says =
            format!("{address} is the address that Cursus writes from, or leads to it; write the moderator's own");
        file.fault(head.place("moderator"), says);
    }
}

pub(super) fn addresses(sitter: &Sitter) -> Vec<&Address> {
    match sitter {
        Sitter::Player { player, deputy } => {
            player.addresses.iter().chain(deputy.iter().flat_map(|d| &d.addresses)).collect()
        }
        Sitter::Companion(_) => Vec::new(),
    }
}
