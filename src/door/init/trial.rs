//! The doctor tries the settings, and what can be mended at the keyboard is mended at once: a password is typed again, and into
//! settings that were just made goes the way that answers take, and how a server is sealed.

use std::path::Path;

use anyhow::Context;

use super::questions::Questions;
use super::written::NewHouse;
use crate::desk::settings::written::Length;
use crate::door::doctor::{self, Remedy};
use crate::post::private;

/// Tries everything until all is well or nothing more can be done here; says which. Settings are changed only if they are
/// `own`, written a moment ago.
pub(super) fn trial(
    questions: &mut Questions,
    file: &Path,
    wait: Length,
    mut own: Option<NewHouse>,
    is_script: bool,
) -> anyhow::Result<bool> {
    loop {
        writeln!(questions.out, "Everything is tried now; a letter to ourselves may take a minute.\n")?;
        let wish = doctor::Wish { config: Some(file.to_owned()), wait, json: false };
        let (mut password, mut is_well, mut was_sealed) = (None, true, false);
        for remedy in doctor::examined(&wish, None, questions.out)? {
            match (remedy, &mut own) {
                (Some(Remedy::Answers(answers)), Some(house)) => {
                    house.answer_by(answers);
                    replace(file, &house.text())?;
                    let lines = answers.written();
                    writeln!(questions.out, "\nWritten into {}, so that mends it:\n{lines}", file.display())?;
                }
                (Some(Remedy::Seal { is_way_out, tls }), Some(house)) => {
                    if house.seals(is_way_out, tls) {
                        replace(file, &house.text())?;
                        let server = if is_way_out { "smtp" } else { "imap" };
                        writeln!(questions.out, "\nWritten into {}: {server} with tls = \"{tls}\".", file.display())?;
                        was_sealed = true;
                    } else {
                        is_well = false;
                    }
                }
                (Some(Remedy::Password(place)), _) => {
                    password = Some(place);
                    is_well = false;
                }
                (Some(Remedy::Answers(_) | Remedy::Seal { .. }) | None, _) => is_well = false,
            }
        }
        if was_sealed {
            continue;
        }
        let Some(password) = password.filter(|_| !is_script) else { return Ok(is_well) };
        let help = "Most providers want an app password for mail programs, not the one that you sign in with. What you type \
                    takes the place of what the file holds.";
        let place = password.display();
        if !questions.offer(&format!("\nType the password in {place} again?"), help)? {
            return Ok(false);
        }
        let typed = questions.secret("Password", help)?;
        replace(&password, &format!("{typed}\n"))?;
    }
}

fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    private::replace_file(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
}
