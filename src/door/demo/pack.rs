//! Packs: many texts in one small file that a page opens by itself, from a disk as well as from a server.
//!
//! A page may not read files that lie beside it, but it may run them. So a pack is a script of one call, `cursus("…")`, whose
//! word is JSON, packed as zlib does and written as Base64. `templates/demo_unpack.js` opens it.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;

/// So many letters lie in one pack: they repeat each other, and a page that wants one of them opens all.
pub(crate) const LETTERS: u32 = 128;

/// The pages of letters, packed as they come.
#[derive(Debug, Default)]
pub(crate) struct Binder {
    /// Those of the pack that is not full yet.
    pages: Vec<String>,
    packed: u32,
}

impl Binder {
    /// Adds the page of a letter. Letters come in the sequence of their numbers, from 1: so a number says where its page is.
    pub(crate) fn add(&mut self, folder: &Path, number: u32, page: String) -> anyhow::Result<()> {
        let next = self.packed + self.pages.len() as u32 + 1;
        ensure!(number == next, "letter {number} was laid out in the place of letter {next}");
        self.pages.push(page);
        if self.pages.len() as u32 == LETTERS {
            self.close(folder)?;
        }
        Ok(())
    }

    /// Packs what is left.
    pub(crate) fn close(&mut self, folder: &Path) -> anyhow::Result<()> {
        if self.pages.is_empty() {
            return Ok(());
        }
        write(&folder.join(format!("letters/pack-{:03}.js", self.packed / LETTERS)), &self.pages)?;
        self.packed += self.pages.len() as u32;
        self.pages.clear();
        Ok(())
    }
}

/// The maps of a game, of which each repeats most of the one before.
#[derive(Debug, Default)]
pub(crate) struct Album {
    known: HashMap<String, u32>,
    parts: Vec<String>,
    turns: Vec<Vec<u32>>,
}

/// An album as a page gets it: every part once, and each map as runs of parts, `first, count, first, count`.
#[derive(Serialize)]
struct Packed<'a> {
    parts: &'a [String],
    turns: &'a [Vec<u32>],
}

impl Album {
    /// Adds the map of the next turn. It is cut behind every element and every closed line.
    pub(crate) fn add(&mut self, svg: &str) {
        let mut runs: Vec<u32> = Vec::new();
        for part in svg.split_inclusive(['Z', '>']) {
            let number = match self.known.get(part) {
                Some(number) => *number,
                None => {
                    let number = self.parts.len() as u32;
                    self.known.insert(part.to_owned(), number);
                    self.parts.push(part.to_owned());
                    number
                }
            };
            match runs.as_mut_slice() {
                [.., first, count] if *first + *count == number => *count += 1,
                _ => runs.extend([number, 1]),
            }
        }
        self.turns.push(runs);
    }

    pub(crate) fn close(&self, folder: &Path) -> anyhow::Result<()> {
        write(&folder.join("maps/maps.js"), &Packed { parts: &self.parts, turns: &self.turns })
    }
}

pub(crate) fn write(path: &Path, content: &impl Serialize) -> anyhow::Result<()> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&serde_json::to_vec(content)?)?;
    let script = format!("cursus(\"{}\");\n", STANDARD.encode(packer.finish()?));
    fs::write(path, script).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_is_made_of_the_parts_again() {
        let maps = ["<svg><path d=\"M1 1ZM2 2Z\"/></svg>\n", "<svg><path d=\"M2 2ZM1 1ZM1 1Z\"/></svg>\n", "", "Ż"];
        let mut album = Album::default();
        maps.iter().for_each(|map| album.add(map));
        for (map, runs) in maps.iter().zip(&album.turns) {
            let parts = runs.chunks(2).flat_map(|run| &album.parts[run[0] as usize..][..run[1] as usize]);
            assert_eq!(parts.map(String::as_str).collect::<String>(), *map);
        }
        assert_eq!(album.turns[0], [0, 6], "what is new stands in a row");
    }

    #[test]
    fn a_letter_out_of_its_place_is_refused() {
        let mut binder = Binder::default();
        let nowhere = Path::new("nowhere");
        binder.add(nowhere, 1, String::new()).expect("the first letter has a place");
        let trouble = binder.add(nowhere, 3, String::new()).expect_err("the second is missing");
        assert_eq!(trouble.to_string(), "letter 3 was laid out in the place of letter 2");
    }
}
