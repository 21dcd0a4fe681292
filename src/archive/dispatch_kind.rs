//! What letters of ours are: one word for each, in the archive as in the code.

/// A letter of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum DispatchKind {
    /// A seat is offered.
    Invitation,
    /// A practice before the game.
    Rehearsal,
    /// What was seen of a practice.
    Rehearsed,
    /// The game begins, or somebody new comes to it.
    Welcome,
    /// The answer to a player's letter.
    Acknowledgement,
    /// What happened in a ruling.
    Report,
    /// News of the trade.
    Board,
    /// Whoever insisted on their turn is asked.
    Decision,
    /// A cut-off comes near.
    Reminder,
    /// An absence, a deputy or an extension.
    Absence,
    /// The question whether a letter is somebody's own.
    Parked,
    /// A player's or the moderator's own words.
    Press,
    /// Something that everybody, or one reader, is told.
    #[default]
    Announcement,
    /// What the moderator has edited: lines on a sheet, the board.
    Edits,
    /// The answer to the moderator, or news for them.
    Moderation,
    /// What a command of the moderator would do.
    Preview,
    /// The game went back.
    Rollback,
    End,
    /// How the game stands: the first post of a thread.
    Status,
    /// The code that makes a browser known.
    Code,
    /// What concerns a person of the house and not a seat: open games, and standing in.
    Club,
}

/// When a letter that has not left yet is no longer worth sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overtaken {
    /// Never: it tells what happened.
    Never,
    /// When its phase is over, its reader owes nothing more, or the cut-off is another than it names.
    ByTheClock,
    /// When a later one waits.
    ByALaterOne,
}

/// What leaves first where a provider does not take all letters at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Somebody waits for it.
    Answer,
    /// It asks for orders until a cut-off.
    Asks,
    /// It is good to know.
    Tells,
}

impl DispatchKind {
    pub(crate) const ALL: [DispatchKind; 21] = [
        DispatchKind::Invitation,
        DispatchKind::Rehearsal,
        DispatchKind::Rehearsed,
        DispatchKind::Welcome,
        DispatchKind::Acknowledgement,
        DispatchKind::Report,
        DispatchKind::Board,
        DispatchKind::Decision,
        DispatchKind::Reminder,
        DispatchKind::Absence,
        DispatchKind::Parked,
        DispatchKind::Press,
        DispatchKind::Announcement,
        DispatchKind::Edits,
        DispatchKind::Moderation,
        DispatchKind::Preview,
        DispatchKind::Rollback,
        DispatchKind::End,
        DispatchKind::Status,
        DispatchKind::Code,
        DispatchKind::Club,
    ];

    /// Its name in the archive, the same since the first edition.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DispatchKind::Invitation => "invitation",
            DispatchKind::Rehearsal => "rehearsal",
            DispatchKind::Rehearsed => "rehearsed",
            DispatchKind::Welcome => "welcome",
            DispatchKind::Acknowledgement => "acknowledgement",
            DispatchKind::Report => "report",
            DispatchKind::Board => "board",
            DispatchKind::Decision => "decision",
            DispatchKind::Reminder => "reminder",
            DispatchKind::Absence => "absence",
            DispatchKind::Parked => "parked",
            DispatchKind::Press => "press",
            DispatchKind::Announcement => "announcement",
            DispatchKind::Edits => "edits",
            DispatchKind::Moderation => "moderation",
            DispatchKind::Preview => "preview",
            DispatchKind::Rollback => "rollback",
            DispatchKind::End => "end",
            DispatchKind::Status => "status",
            DispatchKind::Code => "code",
            DispatchKind::Club => "club",
        }
    }

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<DispatchKind> {
        DispatchKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it belongs to a practice, where nothing counts.
    pub(crate) fn is_practice(self) -> bool {
        matches!(self, DispatchKind::Rehearsal | DispatchKind::Rehearsed)
    }

    /// Whether it carries the form of the open phase, or answers for it: there `ok` files it.
    pub(crate) fn carries_form(self) -> bool {
        match self {
            DispatchKind::Welcome | DispatchKind::Acknowledgement | DispatchKind::Report | DispatchKind::Board => true,
            DispatchKind::Decision | DispatchKind::Reminder | DispatchKind::Rollback => true,
            DispatchKind::Invitation | DispatchKind::Rehearsal | DispatchKind::Rehearsed | DispatchKind::Absence => {
                false
            }
            DispatchKind::Parked | DispatchKind::Press | DispatchKind::Announcement | DispatchKind::Moderation => false,
            DispatchKind::Preview | DispatchKind::End | DispatchKind::Status | DispatchKind::Code => false,
            DispatchKind::Club | DispatchKind::Edits => false,
        }
    }

    /// What leaves first where a provider does not take all letters at once.
    pub(crate) fn urgency(self) -> Urgency {
        match self {
            DispatchKind::Acknowledgement | DispatchKind::Parked | DispatchKind::Code => Urgency::Answer,
            DispatchKind::Moderation | DispatchKind::Preview | DispatchKind::Rehearsed => Urgency::Answer,
            DispatchKind::Welcome | DispatchKind::Report | DispatchKind::Board | DispatchKind::Decision => {
                Urgency::Asks
            }
            DispatchKind::Reminder | DispatchKind::Rollback | DispatchKind::Invitation => Urgency::Asks,
            // Some of them ask who is there, by a time; and whoever asks much is not to hold up answers in a game.
            DispatchKind::Club => Urgency::Asks,
            DispatchKind::Rehearsal | DispatchKind::Absence | DispatchKind::Press => Urgency::Tells,
            DispatchKind::Announcement | DispatchKind::Edits | DispatchKind::End | DispatchKind::Status => {
                Urgency::Tells
            }
        }
    }

    /// Whether it has what only the holder of a seat may know. A farewell and the question whether a letter is somebody's
    /// own go to people who have none, and answers go where the letter came from.
    pub(crate) fn is_of_the_seat(self) -> bool {
        match self {
            DispatchKind::Welcome | DispatchKind::Acknowledgement | DispatchKind::Report | DispatchKind::Board => true,
            DispatchKind::Decision | DispatchKind::Reminder | DispatchKind::Press | DispatchKind::Rollback => true,
            DispatchKind::End | DispatchKind::Code | DispatchKind::Edits => true,
            DispatchKind::Invitation | DispatchKind::Rehearsal | DispatchKind::Rehearsed | DispatchKind::Absence => {
                false
            }
            DispatchKind::Parked | DispatchKind::Announcement | DispatchKind::Moderation => false,
            DispatchKind::Preview | DispatchKind::Status | DispatchKind::Club => false,
        }
    }

    /// When it need not leave any more.
    pub(crate) fn overtaken(self) -> Overtaken {
        match self {
            DispatchKind::Reminder => Overtaken::ByTheClock,
            DispatchKind::Status => Overtaken::ByALaterOne,
            DispatchKind::Invitation
            | DispatchKind::Rehearsal
            | DispatchKind::Rehearsed
            | DispatchKind::Welcome
            | DispatchKind::Acknowledgement
            | DispatchKind::Report
            | DispatchKind::Board
            | DispatchKind::Decision
            | DispatchKind::Absence
            | DispatchKind::Parked
            | DispatchKind::Press
            | DispatchKind::Announcement
            | DispatchKind::Edits
            | DispatchKind::Moderation
            | DispatchKind::Preview
            | DispatchKind::Rollback
            | DispatchKind::End
            | DispatchKind::Code
            | DispatchKind::Club => Overtaken::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in DispatchKind::ALL {
            assert_eq!(DispatchKind::named(kind.name()), Some(kind));
        }
        assert_eq!(DispatchKind::named("letter"), None);
    }
}
