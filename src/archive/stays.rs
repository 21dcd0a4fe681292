//! Who has had which seat, and how often they were there: a person's record.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::games::{GameRecord, SeatRecord, Status};
use super::people::{self, Habits, PersonId, Reached};
use super::{Archive, ArchiveError, Party, damaged, stored_time};
use crate::game::GameId;
use crate::rules::{Civ, Language};

/// How somebody was there when a cut-off passed: so many more in time, so many more missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub civ: Civ,
    pub in_time: i64,
    pub missed: i64,
}

/// What is known of how somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Cut-offs by which they had written, and those by which they had not.
    pub in_time: u32,
    pub missed: u32,
    /// Seats that they took over, and those that another has taken over from them.
    pub took_over: u32,
    pub given_up: u32,
    /// Games that they have played to the end, and those that they play.
    pub finished: u32,
    pub playing: u32,
}

impl Record {
    /// So many of a hundred letters came in time; none where there was too little to say.
    pub fn share(&self) -> Option<u32> {
        let all = self.in_time + self.missed;
        (all >= FEW).then(|| self.in_time * 100 / all)
    }
}

/// Fewer cut-offs say nothing about anybody.
const FEW: u32 = 5;

impl Archive {
    /// A person's record.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn record(&self, person: PersonId) -> Result<Record, ArchiveError> {
        self.run(async |connection| {
            let query = "select coalesce(sum(in_time), 0) as in_time, coalesce(sum(missed), 0) as missed, \
                         coalesce(sum(came = 'took_over'), 0) as took_over, coalesce(sum(went = 'replaced'), 0) as given_up, \
                         coalesce(sum(went = 'finished'), 0) as finished, coalesce(sum(until is null), 0) as playing \
                         from stays where person = ?";
            let row = sqlx::query(query).bind(person.0).fetch_one(connection).await?;
            Ok(Record {
                in_time: row.try_get("in_time")?,
                missed: row.try_get("missed")?,
                took_over: row.try_get("took_over")?,
                given_up: row.try_get("given_up")?,
                finished: row.try_get("finished")?,
                playing: row.try_get("playing")?,
            })
        })
    }

    /// The games in which somebody has or had a seat, the latest first, with the seat.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn stays_of(&self, person: PersonId) -> Result<Vec<(GameId, Civ)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select game, seat from stays where person = ? order by id desc";
            let rows = sqlx::query(query).bind(person.0).fetch_all(connection).await?;
            let one = |row: &SqliteRow| -> Result<Option<(GameId, Civ)>, ArchiveError> {
                Ok(Party::read(row.try_get("seat")?)?
                    .civ()
                    .zip(Some(row.try_get("game")?))
                    .map(|(civ, game)| (game, civ)))
            };
            rows.iter().filter_map(|row| one(row).transpose()).collect()
        })
    }
}

/// Notes who sits where by now, and how they were there.
pub(super) async fn note(
    connection: &mut SqliteConnection,
    game: &GameRecord,
    changed: &[SeatRecord],
    tallies: &[Tally],
    now: DateTime<Utc>,
) -> Result<(), ArchiveError> {
    if game.status == Status::Inviting {
        return Ok(());
    }
    let query = "select 1 from stays where game = ? limit 1";
    let is_known = sqlx::query(query).bind(&game.id).fetch_optional(&mut *connection).await?.is_some();
    if !is_known && game.stopped.is_none() {
        let query =
            "select seat from seats where game = ? and seat >= 0 and companion is null and accepted = 1 order by seat";
        for row in sqlx::query(query).bind(&game.id).fetch_all(&mut *connection).await? {
            sit(connection, &game.id, row.try_get("seat")?, now).await?;
        }
    }
    for seat in changed.iter().filter(|seat| is_known && seat.party.civ().is_some() && seat.companion.is_none()) {
        sit(connection, &game.id, seat.party.stored(), now).await?;
    }
    for tally in tallies {
        let query = "update stays set in_time = max(0, in_time + ?), missed = max(0, missed + ?) \
                     where game = ? and seat = ? and until is null";
        let update = sqlx::query(query).bind(tally.in_time).bind(tally.missed).bind(&game.id);
        update.bind(Party::Seat(tally.civ).stored()).execute(&mut *connection).await?;
    }
    if game.status == Status::Ended {
        let went = if game.stopped.is_some() { "stopped" } else { "finished" };
        let query = "update stays set until = ?, went = ? where game = ? and until is null";
        sqlx::query(query).bind(stored_time(now)).bind(went).bind(&game.id).execute(connection).await?;
    }
    Ok(())
}

/// Notes who has a seat. Who comes after somebody else has taken it over.
async fn sit(
    connection: &mut SqliteConnection,
    game: &GameId,
    seat: i64,
    now: DateTime<Utc>,
) -> Result<(), ArchiveError> {
    let query = "select player, language, zone, format from seats where game = ? and seat = ?";
    let row = sqlx::query(query).bind(game).bind(seat).fetch_one(&mut *connection).await?;
    let player: String = row.try_get("player")?;
    let code: &str = row.try_get("language")?;
    let habits = Habits {
        name: player.clone(),
        language: Language::coded(code).ok_or_else(|| damaged("a language", code))?,
        zone: row.try_get("zone")?,
        html: row.try_get::<&str, _>("format")? == "html",
    };
    let query = "select carrier, address from addresses where game = ? and seat = ? and role = 'player' order by place";
    let rows = sqlx::query(query).bind(game).bind(seat).fetch_all(&mut *connection).await?;
    let reached = rows.iter().map(|row| -> Result<Reached, ArchiveError> {
        Ok(Reached { carrier: row.try_get("carrier")?, address: row.try_get("address")?, confirmed: Some(now) })
    });
    let reached: Vec<Reached> = reached.collect::<Result<_, _>>()?;
    let query = "select stays.id, person, name from stays left join people on people.id = person \
                 where game = ? and seat = ? and until is null";
    let open = sqlx::query(query).bind(game).bind(seat).fetch_optional(&mut *connection).await?;
    let mut known = None;
    for reached in &reached {
        if known.is_none() {
            known = people::at(connection, &reached.carrier, &reached.address).await?;
        }
    }
    let had: Option<(i64, Option<i64>)> =
        open.as_ref().map(|row| Ok::<_, ArchiveError>((row.try_get("id")?, row.try_get("person")?))).transpose()?;
    let same_name =
        open.as_ref().is_some_and(|row| row.try_get::<Option<&str>, _>("name").ok().flatten() == Some(&player));
    // Whoever is called the same and has another address by now is the same person.
    let person = match known.or(had.and_then(|(_, person)| person).filter(|_| same_name).map(PersonId)) {
        Some(person) => person,
        None => match reached.first() {
            Some(first) => people::insert(connection, &habits, first, now).await?,
            None => return Ok(()),
        },
    };
    for reached in &reached {
        people::reach(connection, person, reached).await?;
    }
    if had.is_some_and(|(_, had)| had == Some(person.0)) {
        return Ok(());
    }
    if let Some((id, _)) = had {
        let query = "update stays set until = ?, went = 'replaced' where id = ?";
        sqlx::query(query).bind(stored_time(now)).bind(id).execute(&mut *connection).await?;
    }
    let came = if had.is_some() { "took_over" } else { "began" };
    let query = "insert into stays (game, seat, person, since, came) values (?, ?, ?, ?, ?)";
    let insert = sqlx::query(query).bind(game).bind(seat).bind(person.0).bind(stored_time(now)).bind(came);
    insert.execute(connection).await?;
    Ok(())
}
