//! How the archive finds what it looks for: nothing of ours reads through a table that grows with letters or events.

use std::fs;
use std::path::Path;

use cursus::archive::{Archive, Durability};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};

/// What may be read through: it grows with games and people, not with letters and events.
const SMALL: [&str; 17] = [
    "games",
    "observers",
    "people",
    "reached",
    "gatherings",
    "standbys",
    "editions",
    "keeping",
    "seats",
    "addresses",
    "threads",
    "tally",
    "json_each",
    "sqlite_master",
    "pragma_table_info",
    "_sqlx_migrations",
    "found",
];

/// Indices that hold only what waits, in the sequence in which it is wanted.
const WAITING: [&str; 1] = [" USING INDEX letters_waiting"];

/// Statements that are made of pieces, file by file. Of those that look for something only the columns are a piece, which
/// [`texts`] puts in; the others look for nothing.
const MADE: [(&str, usize); 5] =
    [("test_support.rs", 2), ("import.rs", 1), ("sweeping.rs", 1), ("outbox.rs", 3), ("threads.rs", 2)];

/// The pages of the room, by name, without comments.
fn pages() -> Vec<(String, String)> {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/archive");
    let page = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("a page is text");
        let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        (path.file_name().expect("a name").to_string_lossy().into_owned(), code.join("\n"))
    };
    fs::read_dir(room).expect("the room").map(|entry| page(entry.expect("a page").path())).collect()
}

/// The texts in quotation marks on a page of Rust.
fn texts(code: &str) -> Vec<String> {
    let (mut texts, mut letters) = (Vec::new(), code.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\'' if letters.peek() == Some(&'"') => {
                letters.next();
            }
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    match letter {
                        '\\' => match letters.next() {
                            // The text goes on in the next line.
                            Some('\n') => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                            Some(other) => text.push(other),
                            None => {}
                        },
                        letter => text.push(letter),
                    }
                }
                texts.push(text.replace("{ANSWERED}", "message_id"));
            }
            _ => {}
        }
    }
    texts
}

/// Whether a text is a statement that looks for rows; of those that are made of pieces the other test speaks.
fn is_statement(text: &str) -> bool {
    if text.contains('{') {
        return false;
    }
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    ["select", "insert", "update", "delete", "replace", "with"].contains(&first.as_str()) && text.contains(' ')
}

/// The steps of a statement's plan.
async fn plan(connection: &mut SqliteConnection, statement: &str) -> Vec<String> {
    let rows = sqlx::query(AssertSqlSafe(format!("explain query plan {statement}"))).fetch_all(connection).await;
    let rows = rows.unwrap_or_else(|error| panic!("{statement}\n{error}"));
    rows.iter().map(|row| row.get("detail")).collect()
}

/// The table that a step reads through, if it does.
fn read_through(step: &str) -> Option<&str> {
    let table = step.strip_prefix("SCAN ")?.split(' ').next()?;
    let is_derived = table.starts_with('(') || table == "CONSTANT";
    let waits = WAITING.iter().any(|index| step.ends_with(index));
    (!is_derived && !waits && !SMALL.contains(&table)).then_some(table)
}

#[test]
fn no_statement_reads_through_what_grows_with_letters_or_events() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("cursus.sqlite");
    drop(Archive::open(&path, Durability::None).expect("an archive"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let (mut count, mut wrong) = (0, Vec::new());
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("it opens");
        for (page, code) in pages() {
            for statement in texts(&code).into_iter().filter(|text| is_statement(text)) {
                count += 1;
                for step in plan(&mut connection, &statement).await {
                    if read_through(&step).is_some() {
                        wrong.push(format!("{page}: {statement}\n    {step}"));
                    }
                }
            }
        }
        // The test would see it.
        let steps = plan(&mut connection, "select id from letters where remark = ?").await;
        assert_eq!(steps.iter().filter_map(|step| read_through(step)).collect::<Vec<_>>(), ["letters"]);
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "only {count} statements were found");
    println!("{count} statements");
}

#[test]
fn every_statement_is_written_out_where_its_plan_can_be_looked_at() {
    // Whatever is no text of the source has to be vouched for.
    for (page, code) in pages() {
        let made = code.matches("AssertSqlSafe(").count();
        let known = MADE.iter().find(|(name, _)| *name == page).map_or(0, |(_, count)| *count);
        assert_eq!(made, known, "statements of {page} that are made of pieces");
    }
}
