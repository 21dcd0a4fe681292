//! What a player may ask of the moderator at any time: questions, and wishes about deadlines.

use serde::{Deserialize, Serialize};

use super::words::Word;
use crate::game::Phase;
use crate::rules::{Advance, AreaId, Calamity};

/// A question, answered at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// How the game stands.
    Status,
    /// The map: all of it, or what is around an area.
    Map(Option<AreaId>),
    Sheet,
    Hand,
    /// What happened in a turn; none is the last.
    History(Option<u16>),
    /// What a turn changed, in short; none is the last.
    Digest(Option<u16>),
    Offers,
    /// What there is to know of an area.
    Area(AreaId),
    /// Every Advance with its price.
    Prices,
    Addresses,
    /// An address of one's own is one no longer, as it was written.
    Forget(String),
    /// Something about the own order page.
    Page(PageWish),
    /// How much letters are to tell from now on.
    Detail(Detail),
    /// Whether letters are to bring the reader's view as data from now on.
    Data(bool),
    /// The rules of something.
    Rules(RulesTopic),
    /// How to write something.
    Help(HelpTopic),
}

/// What is asked about the own order page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageWish {
    /// Which browsers have the seat.
    Devices,
    /// None of them is to have it any longer.
    ForgetDevices,
    /// The same, and the link is to be another.
    NewLink,
    /// Whether answers that are read there go by letter too.
    Copies(bool),
}

/// How much letters tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// What concerns the reader; the far world in a few lines.
    Brief,
    /// Of the far world what lasts.
    #[default]
    Normal,
    Full,
}

impl Detail {
    pub(crate) const ALL: [Detail; 3] = [Detail::Brief, Detail::Normal, Detail::Full];

    /// Its name in the archive and in the words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Detail::Brief => "brief",
            Detail::Normal => "normal",
            Detail::Full => "full",
        }
    }

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Option<Detail> {
        Detail::ALL.into_iter().find(|detail| detail.name() == name)
    }
}

/// What rules are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RulesTopic {
    Contents,
    /// A section or a rule, by its number without dots and in capitals: `4B`, `R46`, `MC7`.
    Number(String),
    Calamity(Calamity),
    Advance(Advance),
    /// Something the reader does not know, in the player's words.
    Unknown(String),
}

/// What help is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpTopic {
    /// How to write at all.
    General,
    /// The orders that begin with a verb.
    Verb(Word),
    /// The orders of a phase.
    Phase(Phase),
    /// Those of the phase that is open.
    Now,
    /// Those that begin with one of several verbs.
    Verbs(Vec<Word>),
    /// Something the reader does not know, in the player's words.
    Unknown(String),
}

/// A wish about deadlines, or about how often letters come. The game's settings say how it is granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// The open deadline should be so many hours later.
    Extend {
        hours: u16,
    },
    /// The player is away; without an end, until the player says that the player is back.
    Away {
        until: Option<Until>,
    },
    /// The player is back.
    Back,
    /// The player proposes something to the others.
    Propose(Proposed),
    /// The player votes on a proposal; without a number, on the one that is open.
    Vote {
        number: Option<u16>,
        yes: bool,
    },
    Votes,
    /// How often news of the trade are sent; none only asks how.
    News {
        /// At most once in so many hours; 0 is at once, each.
        hours: Option<u16>,
    },
}

/// What players may propose to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposed {
    /// The cut-off so many hours later.
    Extension {
        hours: u16,
    },
    /// The cut-off so many hours earlier.
    Earlier {
        hours: u16,
    },
    /// The clock stands still.
    Pause,
    Resume,
    /// The game ends now, with the score as it is.
    End,
    /// The game ends now, without a winner and without scores.
    Abandon,
}

impl Proposed {
    /// Its name among the phrases.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Proposed::Extension { .. } => "extension",
            Proposed::Earlier { .. } => "earlier",
            Proposed::Pause => "pause",
            Proposed::Resume => "resume",
            Proposed::End => "end",
            Proposed::Abandon => "abandon",
        }
    }

    /// Whether it is about the same thing, by whatever length.
    pub(crate) fn is_like(self, other: Proposed) -> bool {
        self.name() == other.name()
    }
}

/// The end of an absence, as it was written. The reader has no clock: which day is meant is the desk's to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// A date; without a year, the next such day.
    Date {
        /// 1 to 31.
        day: u8,
        /// 1 to 12.
        month: u8,
        year: Option<u16>,
    },
    /// The next such day of the week, Monday being 1.
    Weekday(u8),
    /// So many days from now.
    Days(u16),
}
