//! What tests make an archive suffer: a full disk, a file that may only be read.

use sqlx::AssertSqlSafe;

use super::{Archive, ArchiveError};

impl Archive {
    /// Lets the archive grow to so many pages and no further, as a full disk would.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn limit_pages(&self, pages: u32) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let limit = AssertSqlSafe(format!("pragma max_page_count = {pages}"));
            sqlx::query(limit).execute(connection).await?;
            Ok(())
        })
    }

    /// Forbids writing, as a file that may only be read would, or allows it again.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn forbid_writing(&self, forbidden: bool) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let only = AssertSqlSafe(format!("pragma query_only = {}", u8::from(forbidden)));
            sqlx::query(only).execute(connection).await?;
            Ok(())
        })
    }
}
