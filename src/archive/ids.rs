//! Whose something is: ids of games and seats, and how they are stored.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteRow, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Row, Sqlite, Type};

use super::{ArchiveError, damaged};
use crate::game::GameId;
use crate::rules::Civ;

/// A seat of a certain game; the moderator's and the public's are such too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatId {
    pub game: GameId,
    pub party: Party,
}

impl SeatId {
    /// A party's seat in a game.
    pub fn new(game: impl Into<GameId>, party: Party) -> SeatId {
        SeatId { game: game.into(), party }
    }

    /// The seat that a row names, if it names one.
    pub(super) fn of(row: &SqliteRow) -> Result<Option<SeatId>, ArchiveError> {
        let (game, seat): (Option<GameId>, Option<i64>) = (row.try_get("game")?, row.try_get("seat")?);
        game.zip(seat).map(|(game, seat)| Ok(SeatId { game, party: Party::read(seat)? })).transpose()
    }

    /// The seat that a row names.
    pub(super) fn read(row: &SqliteRow) -> Result<SeatId, ArchiveError> {
        Ok(SeatId { game: row.try_get("game")?, party: Party::read(row.try_get("seat")?)? })
    }
}

/// Whose something is in a game: a seat's, the moderator's, or everybody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    Seat(Civ),
    /// Whoever runs the game.
    Moderator,
    /// Whoever reads the public record in a forum's thread.
    Public,
}

impl Party {
    /// The civilization, if it is one.
    pub fn civ(self) -> Option<Civ> {
        match self {
            Party::Seat(civ) => Some(civ),
            Party::Moderator | Party::Public => None,
        }
    }

    pub(crate) fn stored(self) -> i64 {
        match self {
            Party::Seat(civ) => i64::from(civ.0),
            Party::Moderator => -1,
            Party::Public => -2,
        }
    }

    pub(super) fn read(stored: i64) -> Result<Party, ArchiveError> {
        match stored {
            -1 => Ok(Party::Moderator),
            -2 => Ok(Party::Public),
            civ => u8::try_from(civ).map(|civ| Party::Seat(Civ(civ))).map_err(|_| damaged("a seat", civ)),
        }
    }
}

impl Type<Sqlite> for GameId {
    fn type_info() -> SqliteTypeInfo {
        <str as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for GameId {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Sqlite>::encode(self.as_str().to_owned(), buffer)
    }
}

impl Decode<'_, Sqlite> for GameId {
    fn decode(value: SqliteValueRef) -> Result<GameId, BoxDynError> {
        Ok(GameId::from(<&str as Decode<Sqlite>>::decode(value)?))
    }
}
