//! The people of the house, whatever games they play in.
//!
//! A person is an address, or a forum's user; several of them may be one person's. None is ever told to anybody else.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::deed::at_once;
use super::games::time;
use super::{Archive, ArchiveError, damaged, read_time, stored_time};
use crate::rules::Language;

/// The number of a person in this archive. It is never another's, and nobody outside learns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PersonId(pub i64);

/// What somebody is called, and how they like their letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Habits {
    pub name: String,
    pub language: Language,
    /// The person's time zone, by its name in the zone database.
    pub zone: String,
    /// Whether the person wants HTML and pictures.
    pub html: bool,
}

/// A person of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRecord {
    pub id: PersonId,
    pub habits: Habits,
    /// Since when we know of the person.
    pub since: DateTime<Utc>,
    /// Where the person is known, the first that was confirmed first.
    pub reached: Vec<Reached>,
}

/// An address at which a person is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The carrier that leads there: that of mail, or that of the forum.
    pub carrier: String,
    /// In lower case; in a forum the place of the user.
    pub address: String,
    /// When the person answered from there; none as long as anybody may have named it.
    pub confirmed: Option<DateTime<Utc>>,
}

impl PersonRecord {
    /// Where the person is written to: the first address that was confirmed, else the first.
    pub fn mailbox(&self) -> Option<&Reached> {
        self.reached.iter().find(|reached| reached.confirmed.is_some()).or(self.reached.first())
    }

    /// Whether the person has ever answered us.
    #[cfg(test)]
    fn is_confirmed(&self) -> bool {
        self.reached.iter().any(|reached| reached.confirmed.is_some())
    }

    /// Whether an address is one of theirs.
    pub fn knows(&self, address: &str) -> bool {
        self.reached.iter().any(|reached| reached.address.eq_ignore_ascii_case(address))
    }
}

impl Archive {
    /// A person by their number.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn person(&self, id: PersonId) -> Result<Option<PersonRecord>, ArchiveError> {
        self.run(async |connection| read(connection, id).await)
    }

    /// Whose an address is. Mail is the same by whichever carrier it comes; a user is known in their own forum alone.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn person_at(&self, carrier: &str, address: &str) -> Result<Option<PersonRecord>, ArchiveError> {
        let address = address.to_lowercase();
        self.run(async |connection| match at(connection, carrier, &address).await? {
            Some(person) => read(connection, person).await,
            None => Ok(None),
        })
    }

    /// Notes somebody who is new at an address; whoever is known there stays who they are.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn note_person(
        &self,
        habits: &Habits,
        reached: &Reached,
        now: DateTime<Utc>,
    ) -> Result<PersonRecord, ArchiveError> {
        if let Some(known) = self.person_at(&reached.carrier, &reached.address)? {
            return Ok(known);
        }
        let write = async |connection: &mut SqliteConnection| {
            let id = insert(connection, habits, reached, now).await?;
            read(connection, id).await?.ok_or_else(|| damaged("a person", id.0))
        };
        // Among letters that are handled together there is a transaction already.
        let is_within = self.gathers.get();
        self.run(async |connection| if is_within { write(connection).await } else { at_once(connection, write).await })
    }

    /// Notes that a person is known at an address, or has answered from there. One that another person has confirmed stays
    /// theirs.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_reached(&self, id: PersonId, reached: &Reached) -> Result<(), ArchiveError> {
        self.run(async |connection| reach(connection, id, reached).await)
    }

    /// Notes what a person is called, and how they like their letters.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_habits(&self, id: PersonId, habits: &Habits) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "update people set name = ?, language = ?, zone = ?, format = ? where id = ?";
            sqlx::query(query)
                .bind(&habits.name)
                .bind(habits.language.code())
                .bind(&habits.zone)
                .bind(if habits.html { "html" } else { "text" })
                .bind(id.0)
                .execute(connection)
                .await?;
            Ok(())
        })
    }
}

/// Whose an address is, in small letters.
pub(super) async fn at(
    connection: &mut SqliteConnection,
    carrier: &str,
    address: &str,
) -> Result<Option<PersonId>, ArchiveError> {
    let query = "select person from reached where address = ? and (carrier = ? or instr(address, '@') > 0) \
                 order by confirmed_at is null, person limit 1";
    let row = sqlx::query(query).bind(address).bind(carrier).fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get("person")).transpose()?.map(PersonId))
}

/// Notes somebody who is new.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    habits: &Habits,
    reached: &Reached,
    now: DateTime<Utc>,
) -> Result<PersonId, ArchiveError> {
    let query = "insert into people (name, language, zone, format, since) values (?, ?, ?, ?, ?)";
    let done = sqlx::query(query)
        .bind(&habits.name)
        .bind(habits.language.code())
        .bind(&habits.zone)
        .bind(if habits.html { "html" } else { "text" })
        .bind(stored_time(now))
        .execute(&mut *connection)
        .await?;
    let id = PersonId(done.last_insert_rowid());
    reach(connection, id, reached).await?;
    Ok(id)
}

pub(super) async fn reach(
    connection: &mut SqliteConnection,
    id: PersonId,
    reached: &Reached,
) -> Result<(), ArchiveError> {
    let query = "insert into reached (address, carrier, person, confirmed_at) values (?, ?, ?, ?) \
                 on conflict (address, carrier) do update set person = excluded.person, \
                 confirmed_at = coalesce(reached.confirmed_at, excluded.confirmed_at) \
                 where reached.person = excluded.person or reached.confirmed_at is null";
    sqlx::query(query)
        .bind(reached.address.to_lowercase())
        .bind(&reached.carrier)
        .bind(id.0)
        .bind(reached.confirmed.map(stored_time))
        .execute(connection)
        .await?;
    Ok(())
}

async fn read(connection: &mut SqliteConnection, id: PersonId) -> Result<Option<PersonRecord>, ArchiveError> {
    let row = sqlx::query("select * from people where id = ?").bind(id.0).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let query = "select * from reached where person = ? order by confirmed_at is null, confirmed_at, address";
    let rows = sqlx::query(query).bind(id.0).fetch_all(&mut *connection).await?;
    let reached: Result<Vec<Reached>, ArchiveError> = rows.iter().map(one).collect();
    let code: &str = row.try_get("language")?;
    Ok(Some(PersonRecord {
        id,
        habits: Habits {
            name: row.try_get("name")?,
            language: Language::coded(code).ok_or_else(|| damaged("a language", code))?,
            zone: row.try_get("zone")?,
            html: row.try_get::<&str, _>("format")? == "html",
        },
        since: read_time(row.try_get("since")?)?,
        reached: reached?,
    }))
}

fn one(row: &SqliteRow) -> Result<Reached, ArchiveError> {
    Ok(Reached {
        carrier: row.try_get("carrier")?,
        address: row.try_get("address")?,
        confirmed: time(row, "confirmed_at")?,
    })
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;
    use crate::archive::Durability;

    fn habits(name: &str) -> Habits {
        Habits { name: name.to_owned(), language: Language::Polish, zone: "Europe/Warsaw".to_owned(), html: true }
    }

    fn at(carrier: &str, address: &str, confirmed: Option<DateTime<Utc>>) -> Reached {
        Reached { carrier: carrier.to_owned(), address: address.to_owned(), confirmed }
    }

    #[test]
    fn a_person_is_an_address_and_stays_who_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = Archive::open(&folder.path().join("a.sqlite"), Durability::None).expect("an archive");
        let now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().expect("a time");
        let anna = archive.note_person(&habits("Anna"), &at("mail", "Anna@example.org", None), now).expect("noted");
        assert!(!anna.is_confirmed());
        let again = archive.note_person(&habits("Somebody"), &at("other", "anna@example.org", None), now);
        assert_eq!(again.expect("known").habits.name, "Anna", "mail is the same by every carrier");
        archive.note_reached(anna.id, &at("mail", "anna@example.org", Some(now))).expect("confirmed");
        archive.note_reached(anna.id, &at("club", "user:7", Some(now))).expect("known in a forum");
        assert_eq!(archive.person_at("elsewhere", "user:7").expect("it answers"), None, "a user of another forum");
        let ben = archive.note_person(&habits("Ben"), &at("mail", "ben@example.org", None), now).expect("noted");
        archive.note_reached(ben.id, &at("mail", "anna@example.org", Some(now))).expect("it answers");
        let found = archive.person_at("mail", "anna@example.org").expect("it answers").expect("somebody");
        assert_eq!(found.id, anna.id, "what is confirmed is not taken from anybody");
        assert_eq!(found.reached.len(), 2);
        archive.note_habits(anna.id, &Habits { html: false, ..habits("Ania") }).expect("noted");
        let found = archive.person(anna.id).expect("it answers").expect("somebody");
        assert_eq!((found.habits.name.as_str(), found.habits.html), ("Ania", false));
    }
}
