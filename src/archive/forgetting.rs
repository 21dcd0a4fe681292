//! Somebody wants to be forgotten: their name and addresses go out of the games that have ended, and the record of these games
//! stays what it was.

use sqlx::{Row, SqliteConnection};

use super::deed::at_once;
use super::people::PersonId;
use super::{Archive, ArchiveError, Party, Status};
use crate::game::GameId;

/// What stands in the place of a name.
const NOBODY: &str = "N. N.";

impl Archive {
    /// Takes a person out of the games that have ended. Where no other is left, nothing of them stays at all; says whether.
    ///
    /// # Errors
    /// Nothing has changed: the archive does not answer.
    pub fn forget_person(&self, person: PersonId) -> Result<bool, ArchiveError> {
        let Some(known) = self.person(person)? else { return Ok(true) };
        let stays = self.stays_of(person)?;
        let mut is_gone = true;
        let mut ended = Vec::new();
        for (game, civ) in stays {
            match self.game(&game)? {
                Some(record) if record.status != Status::Ended => is_gone = false,
                Some(_) => ended.push((game, Party::Seat(civ).stored())),
                None => {}
            }
        }
        let addresses: Vec<String> = known.reached.iter().map(|reached| reached.address.clone()).collect();
        let write = async |connection: &mut SqliteConnection| {
            for (game, seat) in &ended {
                forget_seat(connection, game, *seat, &addresses).await?;
                for words in addresses.iter().chain([&known.habits.name]) {
                    take_out(connection, game, words).await?;
                }
            }
            if is_gone {
                sqlx::query("delete from people where id = ?").bind(person.0).execute(connection).await?;
            }
            Ok(is_gone)
        };
        let is_within = self.gathers.get();
        self.run(async |connection| if is_within { write(connection).await } else { at_once(connection, write).await })
    }
}

/// Nobody sits there by name, and nobody is reached.
async fn forget_seat(
    connection: &mut SqliteConnection,
    game: &GameId,
    seat: i64,
    addresses: &[String],
) -> Result<(), ArchiveError> {
    let own = sqlx::query("select address from addresses where game = ? and seat = ?").bind(game).bind(seat);
    let own: Vec<String> =
        own.fetch_all(&mut *connection).await?.iter().map(|row| row.try_get("address")).collect::<Result<_, _>>()?;
    // Whoever came after them stays.
    if own.iter().any(|address| addresses.contains(address)) {
        let query = "update seats set player = ?, deputy = null where game = ? and seat = ?";
        sqlx::query(query).bind(NOBODY).bind(game).bind(seat).execute(&mut *connection).await?;
        let query = "delete from addresses where game = ? and seat = ?";
        sqlx::query(query).bind(game).bind(seat).execute(&mut *connection).await?;
    }
    for address in addresses {
        let query = "update outbox set recipient = '' where game = ? and seat = ? and recipient = ?";
        sqlx::query(query).bind(game).bind(seat).bind(address).execute(&mut *connection).await?;
        let query = "update raws set raw = x'' where letter in (select id from letters where game = ? and seat = ? and sender = ?)";
        sqlx::query(query).bind(game).bind(seat).bind(address).execute(&mut *connection).await?;
        let query = "update letters set sender = '' where game = ? and seat = ? and sender = ?";
        sqlx::query(query).bind(game).bind(seat).bind(address).execute(&mut *connection).await?;
    }
    Ok(())
}

/// A name or an address stands in no letter of the game any more.
async fn take_out(connection: &mut SqliteConnection, game: &GameId, words: &str) -> Result<(), ArchiveError> {
    // Short ones stand inside of other words.
    if words.chars().count() < 3 {
        return Ok(());
    }
    let queries = [
        "update pages set body = replace(body, ?2, ?3), html = replace(html, ?2, ?3), data = replace(data, ?2, ?3) \
         where dispatch in (select id from outbox where game = ?1)",
        "update outbox set subject = replace(subject, ?2, ?3), words = replace(words, ?2, ?3) where game = ?1",
        "update moderation set by = replace(by, ?2, ?3), by = replace(by, ?2, ?3), command = replace(command, ?2, ?3), outcome = replace(outcome, ?2, ?3) where game = ?1",
        "update messages set words = replace(words, ?2, ?3) where game = ?1",
        "update games set club = replace(club, ?2, ?3) where id = ?1",
        "update raws set raw = cast(replace(cast(raw as text), ?2, ?3) as blob) \
         where instr(raw, ?2) > 0 and letter in (select id from letters where game = ?1)",
    ];
    for query in queries {
        sqlx::query(query).bind(game).bind(words).bind(NOBODY).execute(&mut *connection).await?;
    }
    Ok(())
}
