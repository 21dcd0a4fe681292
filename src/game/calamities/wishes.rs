//! What players wish when a calamity strikes: lines for this calamity first, then those for every one.

use super::Call;
use crate::game::command::Wish;
use crate::game::{Command, Filed, WishList};
use crate::rules::{AreaId, Civ, Face};

impl Call<'_> {
    /// The wishes of a player, those for this calamity first.
    fn wishes(&self, civ: Civ) -> impl Iterator<Item = (&Filed, &Wish)> {
        let general = self.commands.of(civ).filter_map(|filed| match &filed.command {
            Command::Wish { calamity: None, wish } => Some((filed, wish)),
            _ => None,
        });
        self.special(civ).chain(general)
    }

    /// The wishes of a player for this very calamity.
    fn special(&self, civ: Civ) -> impl Iterator<Item = (&Filed, &Wish)> {
        self.commands.of(civ).filter_map(|filed| match &filed.command {
            Command::Wish { calamity: Some(calamity), wish } if *calamity == self.calamity => Some((filed, wish)),
            _ => None,
        })
    }

    /// The secondary victims the player would name, best first.
    pub(crate) fn wished_victims(&self, civ: Civ) -> Vec<Civ> {
        let lists = self.wishes(civ).filter_map(|(_, wish)| match wish {
            Wish::Victims(victims) => Some(victims),
            _ => None,
        });
        lists.flatten().map(|(victim, _)| *victim).collect()
    }

    /// What the player would lose, best first.
    pub(crate) fn wished_losses(&self, civ: Civ) -> Vec<(AreaId, Option<u16>)> {
        let lists = self.wishes(civ).filter_map(|(_, wish)| match wish {
            Wish::Lose(losses) => Some(losses),
            _ => None,
        });
        lists.flatten().copied().collect()
    }

    /// The areas where the player would lose something, best first.
    pub(crate) fn lost_areas(&self, civ: Civ) -> WishList {
        self.wished_losses(civ).into_iter().map(|(area, _)| area).collect()
    }

    /// The areas the player names as lost for this very calamity, best first, and the lines that do.
    pub(crate) fn special_losses(&self, civ: Civ) -> Vec<(Filed, Vec<AreaId>)> {
        let lists = self.special(civ).filter_map(|(filed, wish)| match wish {
            Wish::Lose(losses) => Some((filed.clone(), losses.iter().map(|(area, _)| *area).collect())),
            _ => None,
        });
        lists.collect()
    }

    /// The cards the player would discard for this very calamity, and the lines that say so.
    pub(crate) fn special_discards(&self, civ: Civ) -> Vec<(Filed, Vec<Face>)> {
        let lists = self.special(civ).filter_map(|(filed, wish)| match wish {
            Wish::Discard(cards) => Some((filed.clone(), cards.clone())),
            _ => None,
        });
        lists.collect()
    }

    /// The cities the player would have reduced, best first; a plain `reduce` counts for every calamity.
    pub(crate) fn wished_reductions(&self, civ: Civ) -> WishList {
        let special = self.wishes(civ).filter_map(|(_, wish)| match wish {
            Wish::Reduce(areas) => Some(areas),
            _ => None,
        });
        let plain = self.commands.of(civ).filter_map(|filed| match &filed.command {
            Command::Reduce { areas } => Some(areas),
            _ => None,
        });
        special.chain(plain).flatten().copied().collect()
    }

    /// What the player would have stay to the last, the first named longest.
    pub(crate) fn spared(&self, civ: Civ) -> WishList {
        let lists = self.wishes(civ).filter_map(|(_, wish)| match wish {
            Wish::Spare(areas) => Some(areas),
            _ => None,
        });
        lists.flatten().copied().collect()
    }

    /// What the player would choose, best first; a plain `select` counts for every calamity.
    pub(crate) fn wished_selection(&self, civ: Civ) -> WishList {
        let special = self.wishes(civ).filter_map(|(_, wish)| match wish {
            Wish::Select(areas) => Some(areas),
            _ => None,
        });
        let plain = self.commands.of(civ).filter_map(|filed| match &filed.command {
            Command::Select { areas } => Some(areas),
            _ => None,
        });
        special.chain(plain).flatten().copied().collect()
    }

    /// The ransoms the player offers, and the lines that do.
    pub(crate) fn offered_ransoms(&self, civ: Civ) -> Vec<(Filed, Option<u16>)> {
        let offers = self.wishes(civ).filter_map(|(filed, wish)| match wish {
            Wish::Pay(times) => Some((filed.clone(), *times)),
            _ => None,
        });
        offers.collect()
    }

    /// The cards the player would discard for this calamity, and the lines that say so.
    pub(crate) fn wished_discards(&self, civ: Civ) -> Vec<(Filed, Vec<Face>)> {
        let lists = self.wishes(civ).filter_map(|(filed, wish)| match wish {
            Wish::Discard(cards) => Some((filed.clone(), cards.clone())),
            _ => None,
        });
        lists.collect()
    }
}
