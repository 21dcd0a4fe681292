//! `cursus cases PATH…`: plays casebook pages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::casebook::CaseTable;
use crate::rules::PrintedGame;

/// Plays every page below these paths and prints how each case went; says whether all of them hold.
pub fn cases(printed: PrintedGame, paths: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<bool> {
    let table = CaseTable::new(printed);
    let (mut passed, mut failed) = (0, 0);
    for page in pages(paths)? {
        let name = page.file_name().unwrap_or(page.as_os_str()).to_string_lossy().into_owned();
        let text = fs::read(&page).with_context(|| format!("cannot read {}", page.display()))?;
        for verdict in table.play(&String::from_utf8_lossy(&text)) {
            let holds = verdict.faults.is_empty();
            *if holds { &mut passed } else { &mut failed } += 1;
            writeln!(out, "{}  {name} · {}", if holds { "ok  " } else { "FAIL" }, verdict.title)?;
            for fault in verdict.faults {
                writeln!(out, "      {fault}")?;
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(failed == 0 && passed > 0)
}

/// The pages below these paths: files as given, folders walked, A to Z.
pub fn pages(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for path in paths {
        collect(path, true, &mut pages).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(pages)
}

fn collect(path: &Path, named: bool, pages: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if fs::metadata(path)?.is_dir() {
        let mut inside =
            fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        inside.sort();
        return inside.iter().try_for_each(|path| collect(path, false, pages));
    }
    if named || path.extension().is_some_and(|extension| extension == "md") {
        pages.push(path.to_owned());
    }
    Ok(())
}
