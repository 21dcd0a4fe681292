//! A game as its moderator's page needs it: what their letters say, and no more.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::archive::{Moderation, Party, Status};
use crate::desk::clock::moment::moment;
use crate::desk::incoming::aside;
use crate::desk::table::commanding::{self, Commanded};
use crate::desk::table::moderating::{self, DOOR};
use crate::desk::table::sitting::Sitting;
use crate::desk::table::voting;
use crate::desk::{Desk, DeskError, Table};
use crate::game::{GameId, Known, Phase, Reader};
use crate::report::page;
use crate::web::window::{Browser, MODERATOR, Moderated, Spot};

/// So many commands of the log are shown, and so many are looked through for them: questions are none.
const MOST_SHOWN: usize = 30;
const MOST_READ: u32 = 200;
/// So many phases are offered to go back to.
const MOST_PHASES: usize = 40;

impl Desk {
    /// A game for a browser of its moderator.
    pub(super) fn moderated(
        &mut self,
        browser: &Browser,
        game: &GameId,
        now: DateTime<Utc>,
    ) -> Result<Option<Box<Moderated>>, DeskError> {
        if !self.is_moderators(browser, game, now)? {
            return Ok(None);
        }
        let me = Party::Moderator;
        let sitting = Sitting::new(&self.house, &self.tables[game], now);
        let table = &sitting.table;
        let templates = Arc::clone(table.edition.shared_templates(sitting.words(me).language));
        let plays = !aside::may_read(&self.archive, table, Some(game))?;
        let log = self.archive.last_done(game, MOST_READ)?;
        let done = log.iter().filter_map(|entry| done(&sitting, entry, plays)).take(MOST_SHOWN).collect();
        let aside = aside::found(&self.archive, &sitting)?.into_iter();
        let parked = self.archive.parked_in(game)?.into_iter().filter(|(party, _)| !plays || *party == me);
        let cut_off = table.game.hours.cut_off.filter(|_| table.is_running());
        let mut phases = self.archive.ruled_phases(game, MOST_PHASES as u32 + 1)?;
        // Whether anybody has traded already is told to nobody who plays, so not by whether one can go back in it.
        let open = table.phase();
        phases.retain(|phase| !plays || *phase != open || open.phase != Phase::Trade);
        // Whether it is there or not, the list is of the same length.
        phases.truncate(MOST_PHASES);
        let pasted = match sitting.pasted_at() {
            None => None,
            Some(board) => {
                let seat = table.seat(Party::Public).map_or(self.house.settings.language, |seat| seat.language);
                let rulings = self.told_lately(table)?.rulings;
                Some((board, Arc::clone(table.edition.shared_templates(seat)), rulings))
            }
        };
        Ok(Some(Box::new(Moderated {
            templates,
            game: page::Moderated {
                id: game.to_string(),
                title: table.game.title.clone(),
                now: match table.game.status {
                    Status::Inviting => page::Now::Inviting,
                    Status::Running => page::Now::Running,
                    Status::Paused => page::Now::Paused,
                    Status::Ended => page::Now::Ended,
                },
                known: Known::of(&table.state, Reader::Public),
                status: moderating::status(&sitting),
                cut_off: cut_off.map(|cut_off| moment(cut_off, table.zone(me))),
                people: table.people().map(|(civ, seat)| (civ, seat.player.clone())).collect(),
                watched: table.agreed.public_page,
                me: page::Me { plays, addresses: own_addresses(table) },
                waiting: page::Waiting {
                    requests: voting::open(&sitting)
                        .into_iter()
                        .map(|(number, says, decides)| page::Request { number, says, decides })
                        .collect(),
                    aside: aside.map(|(number, says)| page::Aside { number, says }).collect(),
                    parked: parked.map(|(party, since)| (party.civ(), sitting.when(me, since))).collect(),
                },
                phases: phases.into_iter().map(|phase| commanding::named(phase, sitting.words(me).language)).collect(),
                done,
            },
            pasted,
        })))
    }

    /// All games of a moderator's browser, in short.
    pub(super) fn moderates(
        &mut self,
        browser: &Browser,
        now: DateTime<Utc>,
    ) -> Result<Vec<(Arc<crate::report::Templates>, page::Overview)>, DeskError> {
        let mut games = Vec::new();
        let devices = self.archive.seats_of_browser(browser)?;
        for device in devices.into_iter().filter(|device| device.party == Party::Moderator) {
            if !self.is_moderators(browser, &device.game, now)? {
                continue;
            }
            let sitting = Sitting::new(&self.house, &self.tables[&device.game], now);
            let language = sitting.words(Party::Moderator).language;
            let templates = Arc::clone(sitting.table.edition.shared_templates(language));
            // The rest of what is said is about each seat.
            let mut says: Vec<String> = moderating::status(&sitting).into_iter().take(2).collect();
            says.extend(moderating::warned(&sitting));
            let aside = aside::found(&self.archive, &sitting)?.len();
            let requests = voting::open(&sitting).iter().filter(|(_, _, decides)| *decides).count();
            let title = sitting.table.game.title.clone();
            games.push((templates, page::Overview { id: device.game.to_string(), title, says, aside, requests }));
        }
        Ok(games)
    }

    fn is_moderators(&mut self, browser: &Browser, game: &GameId, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let spot = Spot { game: game.clone(), seat: MODERATOR.to_owned() };
        Ok(self.here(browser, &spot, now)?.is_some())
    }
}

/// From where the moderator writes by mail.
fn own_addresses(table: &Table) -> Vec<String> {
    let addresses = table.seat(Party::Moderator).map_or(&[][..], |seat| &seat.addresses);
    addresses.iter().map(|address| address.address.clone()).filter(|address| address.contains('@')).collect()
}

/// What was done, for the log; none where it was a question. Whoever plays was not told by letter what somebody at the command
/// line put on others' sheets.
fn done(sitting: &Sitting, entry: &Moderation, plays: bool) -> Option<page::Done> {
    let language = sitting.words(Party::Moderator).language;
    let read = commanding::read(&entry.command, &sitting.table.edition.lexicon);
    if matches!(&read, Some(Ok(Commanded { command, .. })) if command.only_asks()) {
        return None;
    }
    let at_door = entry.by == DOOR;
    let is_hidden = at_door && plays;
    let verb = || entry.command.split([' ', ':']).next().unwrap_or_default().to_owned();
    Some(page::Done {
        at: sitting.when(Party::Moderator, entry.at),
        phase: commanding::named(entry.phase, language),
        at_door,
        on_page: entry.by.ends_with("(web)"),
        command: if is_hidden { verb() } else { entry.command.clone() },
        outcome: if is_hidden { Vec::new() } else { entry.outcome.lines().map(str::to_owned).collect() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::table::commanding::Instruction;
    use crate::game::{Rulebook, State, setup};
    use crate::orders::Lexicon;
    use crate::orders::asking::PageWish;
    use crate::report::Templates;
    use crate::rules::{AstSide, Civ, Language, PrintedGame};

    const ADDRESSES: [&str; 2] = ["anna@player.example", "anna@work.example"];

    fn game(now: page::Now) -> (page::Moderated, Lexicon) {
        let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
        let lexicon = Lexicon::new(&printed);
        let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).expect("a game for eighteen");
        let opening = setup::opening(Arc::clone(&printed), scenario, Rulebook::default(), AstSide::Basic);
        let known = Known::of(&State::new(opening), Reader::Public);
        let civs: Vec<Civ> = known.ranking().collect();
        let cut_off = crate::report::letters::Moment {
            year: 2026,
            month: 12,
            day: 1,
            weekday: 2,
            hour: 20,
            minute: 0,
            zone: "UTC".to_owned(),
        };
        let moderated = page::Moderated {
            id: "demo".to_owned(),
            title: "Demo".to_owned(),
            now,
            known,
            status: Vec::new(),
            cut_off: Some(cut_off),
            people: civs.into_iter().map(|civ| (civ, "Anna".to_owned())).collect(),
            watched: false,
            me: page::Me { plays: false, addresses: ADDRESSES.map(str::to_owned).into() },
            waiting: page::Waiting::default(),
            phases: vec!["4.movement".to_owned(), "3.ruch".to_owned()],
            done: Vec::new(),
        };
        (moderated, lexicon)
    }

    /// Whatever is chosen in a form, its line is the command that the form is for.
    #[test]
    fn every_form_writes_a_command_in_both_languages() {
        for now in [page::Now::Inviting, page::Now::Running, page::Now::Paused, page::Now::Ended] {
            let (game, lexicon) = game(now);
            for language in Language::ALL {
                let templates = Templates::built_in(language, game.known.printed());
                for (key, line) in page::moderator::lines(&templates, &game) {
                    let read = commanding::read(&line, &lexicon).unwrap_or_else(|| panic!("{line} is no command"));
                    let read = read.unwrap_or_else(|wrong| panic!("{line}: {wrong:?}"));
                    assert_eq!(read.meant_for, None, "{line}");
                    let is_it = match read.command {
                        Instruction::Deadline(_) => matches!(key, "later" | "set"),
                        Instruction::Process => key == "process",
                        Instruction::Pause => key == "pause",
                        Instruction::Resume => key == "resume",
                        Instruction::Replace { .. } => key == "replace",
                        Instruction::Deputy { person, .. } => key == if person.is_some() { "deputy" } else { "nobody" },
                        Instruction::EditOrders { .. } => key == "orders",
                        Instruction::EditPosition(_) => {
                            ["tokens", "city", "no_city", "ships", "treasury", "step", "with", "without"].contains(&key)
                        }
                        Instruction::Rollback { reason, .. } => {
                            key == "rollback" && reason.is_none_or(|why| !why.is_empty())
                        }
                        Instruction::Announce(text) => key == "announce" && text == "words: of two\nlines",
                        Instruction::Tell { text, .. } => key == "tell" && text == "words: of two\nlines",
                        Instruction::Eject(_) => key == "eject",
                        Instruction::Withdraw { .. } => key == "withdraw",
                        Instruction::Abandon { .. } => key == "abandon",
                        Instruction::Status | Instruction::Help | Instruction::SetAside | Instruction::Addresses => {
                            false
                        }
                        Instruction::Page(wish) => match wish {
                            PageWish::Devices => false,
                            PageWish::ForgetDevices => key == "forget_devices",
                            PageWish::NewLink => key == "new_link",
                            PageWish::Copies(copies) => key == if copies { "copies_on" } else { "copies_off" },
                        },
                        Instruction::Decide { .. } | Instruction::Release(_) | Instruction::Standbys => false,
                        Instruction::Forget(address) => key == "forget" && game.me.addresses.contains(&address),
                        Instruction::Keep { .. } => key == "keep",
                        Instruction::AskNext(_) => key == "ask_next",
                    };
                    assert!(is_it, "{key}: {line}");
                }
            }
        }
    }
}
