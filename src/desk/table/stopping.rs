//! A game that ends before its end: withdrawn before it began, or abandoned by its moderator or its players.
//!
//! Comes in: that it ends, and why. Goes out: a letter to everybody, and the answer to whoever still writes. Its record stays as
//! it is: nothing is ruled for it, so it can be verified like any other.

use chrono::{DateTime, Utc};
use minijinja::{Value, context};

use crate::archive::{Address, DispatchKind, Party, Status, Stopped};
use crate::desk::incoming::opened::Opened;
use crate::desk::table::commanding::Instruction;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{edited, standing_in, voting};
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::report::letters::Content;

/// Why a command of the moderator means nothing any more; none where it still does.
pub(in crate::desk) fn refused(sitting: &Sitting, command: &Instruction) -> Option<String> {
    sitting.table.game.stopped.as_ref()?;
    let is_of_use = match command {
        Instruction::Announce(_) | Instruction::Tell { .. } | Instruction::Release(_) | Instruction::Forget(_) => true,
        Instruction::Page(_) => true,
        other @ (Instruction::Status
        | Instruction::Help
        | Instruction::Deadline(_)
        | Instruction::Process
        | Instruction::Pause
        | Instruction::Resume
        | Instruction::Decide { .. }
        | Instruction::Replace { .. }
        | Instruction::Keep { .. }
        | Instruction::AskNext(_)
        | Instruction::Standbys
        | Instruction::Deputy { .. }
        | Instruction::EditOrders { .. }
        | Instruction::EditPosition(_)
        | Instruction::Rollback { .. }
        | Instruction::Eject(_)
        | Instruction::Withdraw { .. }
        | Instruction::Abandon { .. }
        | Instruction::SetAside
        | Instruction::Addresses) => other.only_asks(),
    };
    said(sitting, Party::Moderator).filter(|_| !is_of_use)
}

/// The moderator withdraws a game that has not begun.
///
/// # Errors
/// Why not, in words.
pub(in crate::desk) fn withdraw(
    sitting: &mut Sitting,
    reason: Option<&str>,
    about: &str,
) -> Result<Vec<String>, String> {
    if sitting.table.game.status != Status::Inviting {
        return Err(sitting.say(Party::Moderator, "withdraw_begun", context! {}));
    }
    end(sitting, Stopped::Withdrawn { reason: reason.map(str::to_owned) });
    Ok(told(sitting, reason, about))
}

/// The moderator abandons a game that is played.
///
/// # Errors
/// Why not, in words.
pub(in crate::desk) fn abandon(
    sitting: &mut Sitting,
    reason: Option<&str>,
    about: &str,
) -> Result<Vec<String>, String> {
    match sitting.table.game.status {
        Status::Running | Status::Paused => {}
        Status::Inviting => return Err(sitting.say(Party::Moderator, "abandon_inviting", context! {})),
        Status::Ended => return Err(sitting.say(Party::Moderator, "not_running", context! {})),
    }
    end(sitting, Stopped::Abandoned { reason: reason.map(str::to_owned), voted: false });
    Ok(told(sitting, reason, about))
}

impl Desk {
    /// A game goes on in another house: it is closed here, and everybody is told.
    ///
    /// # Errors
    /// There is no such game, or the archive does not answer.
    pub(crate) fn move_away(&mut self, id: &GameId, to: Option<&str>, now: DateTime<Utc>) -> Result<(), DeskError> {
        self.sit(id, now, |sitting| {
            end(sitting, Stopped::Moved { to: to.map(str::to_owned) });
            told(sitting, None, "moved");
            let lines: Vec<String> = said(sitting, Party::Moderator).into_iter().collect();
            let about = "moved.moderator".to_owned();
            let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &lines });
        })
    }
}

/// Nothing is awaited, asked or voted on from now on.
pub(in crate::desk) fn end(sitting: &mut Sitting, why: Stopped) {
    // It was true until now, and is told as such.
    edited::tell(sitting);
    voting::let_go(sitting);
    standing_in::let_go(sitting);
    let game = &mut sitting.table.game;
    game.status = Status::Ended;
    game.hours = Default::default();
    game.stopped = Some(why);
}

/// Tells everybody, and the moderator that it is done.
fn told(sitting: &mut Sitting, reason: Option<&str>, about: &str) -> Vec<String> {
    let me = Party::Moderator;
    for party in sitting.everybody().into_iter().chain(sitting.kept()).filter(|party| *party != me) {
        let envelope =
            Envelope { kind: DispatchKind::Announcement, about: format!("{about}.stopped"), ..Envelope::default() };
        sitting.tell_each(party, envelope, &|sitting, envelope| {
            let lines: Vec<String> = said(sitting, party).into_iter().collect();
            sitting.write(party, envelope, &Content::Announcement { lines: &lines, text: reason });
        });
    }
    let players: Vec<String> = sitting.table.people().map(|(_, seat)| seat.player.clone()).collect();
    let told = sitting.say(me, "stopped_told", context! { players => players.join(", ") });
    said(sitting, me).into_iter().chain([told]).chain(reason.map(|reason| format!(": {reason}"))).collect()
}

/// That the game has ended before its end, in a sentence; none where it has not.
pub(in crate::desk) fn said(sitting: &Sitting, party: Party) -> Option<String> {
    let stopped = sitting.table.game.stopped.as_ref()?;
    Some(sitting.say(party, &format!("stopped_{}", stopped.name()), facts(sitting, stopped)))
}

fn facts(sitting: &Sitting, stopped: &Stopped) -> Value {
    let title = sitting.table.game.title.as_str();
    match stopped {
        Stopped::Withdrawn { .. } => context! { title },
        Stopped::Abandoned { voted, .. } => context! { title, voted },
        Stopped::Moved { to } => context! { title, to },
    }
}

/// The answer to whoever still writes to the game.
pub(in crate::desk) fn answer(sitting: &mut Sitting, opened: &Opened, party: Party, address: &Address) {
    let line = said(sitting, party).unwrap_or_default();
    let nothing = sitting.say(party, "stopped_unread", context! {});
    let in_reply_to = opened.writing.message_id.as_deref();
    let envelope = Envelope { kind: DispatchKind::Announcement, about: opened.key(), in_reply_to, to: Some(address) };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line, nothing], text: None });
}
