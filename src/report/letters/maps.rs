//! Maps for letters: what concerns a reader, at a phone's width, drawn once for all who see the same.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::super::map::{Canvas, Changes, Frame, concerns, picture, png};
use crate::game::{Known, Reader, Witnessed};
use crate::rules::Language;

/// Pictures that are kept.
const MOST_KEPT: usize = 64;

/// Pictures already drawn, by the SVG they were drawn from. Readers who see the same share one.
#[derive(Debug, Default)]
pub struct Maps(Mutex<Drawn>);

#[derive(Debug, Default)]
struct Drawn {
    pictures: BTreeMap<[u8; 32], Arc<Vec<u8>>>,
    sequence: VecDeque<[u8; 32]>,
}

impl Maps {
    /// The picture of an SVG; none if it cannot be drawn.
    pub(crate) fn drawn(&self, svg: &str) -> Option<Arc<Vec<u8>>> {
        let key: [u8; 32] = Sha256::digest(svg).into();
        let known = |drawn: &Drawn| drawn.pictures.get(&key).cloned();
        if let Some(picture) = known(&self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(picture);
        }
        let picture = Arc::new(png(svg).ok()?);
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.pictures.insert(key, Arc::clone(&picture)).is_none() {
            drawn.sequence.push_back(key);
        }
        if drawn.sequence.len() > MOST_KEPT
            && let Some(oldest) = drawn.sequence.pop_front()
        {
            drawn.pictures.remove(&oldest);
        }
        Some(picture)
    }

    /// How many pictures are kept.
    pub fn kept(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pictures.len()
    }
}

/// What a letter's map shows: the board now, and what happened since.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    pub seen: Option<&'a Witnessed>,
    /// What is known now.
    pub known: &'a Known,
    /// What is shown, if not what concerns the reader.
    pub asked: Option<&'a Frame>,
}

impl Sight<'_> {
    /// The map as an SVG, cut to what concerns the reader; none if nothing of the board does, or if nothing of it changed.
    pub fn svg(&self, language: Language, title: &str) -> Option<String> {
        let changes = self.seen.map(Changes::seen).unwrap_or_default();
        let areas = match (self.asked, self.known.reader()) {
            (Some(_), _) => BTreeSet::new(),
            (None, Reader::Player(civ)) => concerns(self.known, &changes, civ),
            (None, Reader::Public | Reader::Onlooker) => changes.areas().collect(),
        };
        let is_new = self.seen.is_none() || changes.areas().any(|area| areas.contains(&area));
        let frame = match self.asked {
            Some(frame) => frame.clone(),
            None if is_new && !areas.is_empty() => Frame::Around(areas),
            None => return None,
        };
        let is_empty = matches!(&frame, Frame::Around(areas) if areas.is_empty());
        let canvas = Canvas { width: frame.width(self.known), frame, language, title: title.to_owned() };
        (!is_empty).then(|| picture(self.known, &changes, &canvas).svg)
    }

    /// The map as a picture for a letter.
    pub fn picture(&self, maps: &Maps, language: Language, title: &str) -> Option<Arc<Vec<u8>>> {
        maps.drawn(&self.svg(language, title)?)
    }
}
