//! A list of areas that a player wishes for, read best first.
//!
//! Whether an area is on it is never the question, only where: so it has no `contains`, and nobody can read it as a set.

use crate::rules::AreaId;

/// Areas, best first; what is named twice counts where it is named first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct WishList(Vec<AreaId>);

impl WishList {
    /// How early an area is named; what is not named comes last.
    pub(crate) fn place(&self, area: AreaId) -> usize {
        self.0.iter().position(|wished| *wished == area).unwrap_or(usize::MAX)
    }

    /// How long an area stays if this is a list of what should: what is not named goes first, then the last that is
    /// named, and the first to the very last.
    pub(crate) fn stay(&self, area: AreaId) -> usize {
        self.0.len().saturating_sub(self.place(area))
    }

    /// The earliest place of any of these areas.
    pub(crate) fn first_place(&self, areas: &[AreaId]) -> usize {
        areas.iter().map(|area| self.place(*area)).min().unwrap_or(usize::MAX)
    }

    /// How long the longest stays of these areas.
    pub(crate) fn longest_stay(&self, areas: &[AreaId]) -> usize {
        areas.iter().map(|area| self.stay(*area)).max().unwrap_or(0)
    }

    /// Which of the list a set leaves out, best first: the smaller is what the player wishes for more.
    pub(crate) fn left_out(&self, set: &[AreaId]) -> Vec<bool> {
        self.0.iter().map(|wished| !set.contains(wished)).collect()
    }

    /// Which of the list a set takes, best first: the smaller spares what should stay to the last.
    pub(crate) fn taken(&self, set: &[AreaId]) -> Vec<bool> {
        self.0.iter().map(|spared| set.contains(spared)).collect()
    }

    /// This list, and another behind it.
    pub(crate) fn then(self, other: WishList) -> WishList {
        self.0.into_iter().chain(other.0).collect()
    }

    /// Whether nothing is wished for.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<AreaId> for WishList {
    fn from_iter<I: IntoIterator<Item = AreaId>>(areas: I) -> WishList {
        WishList(areas.into_iter().collect())
    }
}
