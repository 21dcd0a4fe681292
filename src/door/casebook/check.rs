//! What must be true afterwards: an `after` block against what was played.

use std::collections::BTreeSet;

use super::CaseTable;
use super::page::{Block, Unreadable};
use super::play::Played;
use super::position::{self, Position, Subject, small_number};
use super::standing::Standing;
use crate::game::{Event, Phase, State};
use crate::rules::{AdvanceSet, Civ, Face};

/// What was expected and not found.
pub(crate) fn check(
    table: &CaseTable,
    block: &Block,
    position: &Position,
    played: &Played,
) -> Result<Vec<String>, Unreadable> {
    let mut checker = Checker { table, position, played, refused: Default::default(), faults: Vec::new() };
    for (number, line) in &block.lines {
        checker.line(*number, line.trim())?;
    }
    checker.refusals();
    Ok(checker.faults)
}

struct Checker<'a> {
    table: &'a CaseTable,
    position: &'a Position,
    played: &'a Played,
    refused: std::collections::BTreeMap<Civ, BTreeSet<usize>>,
    faults: Vec<String>,
}

impl Checker<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), Unreadable> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "refused" => self.refused_line(number, rest),
            "awaits" => self.awaits_line(number, rest),
            "sequence" => self.sequence_line(number, rest),
            _ => self.named_line(number, line),
        }
    }

    fn named_line(&mut self, number: usize, line: &str) -> Result<(), Unreadable> {
        let (name, rest) = line.split_once(':').ok_or_else(|| Unreadable::at(number, "`NAME: …`"))?;
        match position::named(self.table, name, rest) {
            Some(Subject::Area(area)) => {
                let wanted = Standing::parse(self.table, number, rest)?;
                let found = Standing::found(&self.played.state, area);
                self.compare(name, wanted.words(self.table), found.words(self.table));
                Ok(())
            }
            Some(Subject::Civ(civ)) if self.played.state.is_seated(civ) => self.civ_line(number, name, civ, rest),
            Some(Subject::Civ(_)) => Err(Unreadable::at(number, "a civilization of the `ranking` line")),
            None => Err(Unreadable::at(number, format!("an area or a civilization, not `{}`", name.trim()))),
        }
    }

    fn civ_line(&mut self, number: usize, name: &str, civ: Civ, parts: &str) -> Result<(), Unreadable> {
        let state = &self.played.state;
        let holding = state.holding(civ);
        for part in parts.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
            let found = match word {
                "treasury" => holding.treasury,
                "stock" => holding.stock,
                "cities" => holding.cities.into(),
                "ships" => u16::from(state.printed().pieces.ships) - holding.ships.len() as u16,
                "position" => holding.position.into(),
                "census" => holding.census,
                "hand" => {
                    self.hand(number, name, civ, rest)?;
                    continue;
                }
                "advances" => {
                    self.advances(number, name, civ, rest)?;
                    continue;
                }
                _ => {
                    let known = position::CIV_PARTS.join(", ");
                    return Err(Unreadable::at(number, format!("{known}, not `{part}`")));
                }
            };
            let wanted: u16 = small_number(number, rest)?;
            self.compare(name, format!("{word} {wanted}"), format!("{word} {found}"));
        }
        Ok(())
    }

    fn hand(&mut self, number: usize, name: &str, civ: Civ, text: &str) -> Result<(), Unreadable> {
        let hand = &self.played.state.holding(civ).hand;
        let count = text.strip_suffix("cards").or_else(|| text.strip_suffix("card"));
        if let Some(count) = count.and_then(|count| count.trim().parse::<usize>().ok()) {
            self.compare(name, format!("hand {count} cards"), format!("hand {} cards", hand.len()));
            return Ok(());
        }
        let wanted = position::cards(self.table, number, text)?;
        let words = |faces: &mut Vec<Face>| {
            faces.sort_unstable();
            format!("hand {}", faces.iter().map(|face| self.face(*face)).collect::<Vec<_>>().join(", "))
        };
        let found = words(&mut hand.iter().map(|card| card.face).collect());
        let expected = words(&mut wanted.iter().map(|(face, _)| *face).collect());
        for (face, giver) in wanted {
            let card = hand.iter().find(|card| card.face == face);
            let known = card.and_then(|card| self.played.state.giver(*card));
            if giver.is_some() && known != giver {
                let said = |civ: Option<Civ>| civ.map_or("nobody".to_owned(), |civ| self.civ(civ));
                let face = self.face(face);
                self.faults.push(format!("{name}: expected {face} from {}; found from {}", said(giver), said(known)));
            }
        }
        self.compare(name, expected, found);
        Ok(())
    }

    fn advances(&mut self, number: usize, name: &str, civ: Civ, text: &str) -> Result<(), Unreadable> {
        let mut wanted = AdvanceSet::default();
        for advance in text.split(',').filter(|advance| !matches!(advance.trim(), "" | "none")) {
            let known = self.table.lexicon.advances.exact(advance);
            wanted
                .insert(known.ok_or_else(|| Unreadable::at(number, format!("an advance, not `{}`", advance.trim())))?);
        }
        let words = |set: AdvanceSet| {
            let names = set.iter().map(|advance| self.table.printed.advances[advance as usize].name.as_str());
            format!("advances {}", names.collect::<Vec<_>>().join(", "))
        };
        let (wanted, found) = (words(wanted), words(self.played.state.holding(civ).advances));
        self.compare(name, wanted, found);
        Ok(())
    }

    /// `refused CIV: n, n`.
    fn refused_line(&mut self, number: usize, text: &str) -> Result<(), Unreadable> {
        let (name, lines) = text.split_once(':').ok_or_else(|| Unreadable::at(number, "`refused CIV: n, n`"))?;
        let civ = self.seated(number, name)?;
        let refused = self.refused.entry(civ).or_default();
        for line in lines.split(',').map(str::trim).filter(|line| !line.is_empty() && *line != "none") {
            refused.insert(line.parse().map_err(|_| Unreadable::at(number, "`refused CIV: n, n`"))?);
        }
        Ok(())
    }

    /// Exactly the lines that were named; a player who is not named had none refused.
    fn refusals(&mut self) {
        let words = |lines: Option<&BTreeSet<usize>>| {
            let lines: Vec<_> = lines.into_iter().flatten().map(usize::to_string).collect();
            if lines.is_empty() { "none".to_owned() } else { lines.join(", ") }
        };
        for civ in self.played.state.ranking().collect::<Vec<_>>() {
            let (wanted, found) = (words(self.refused.get(&civ)), words(self.played.refused.get(&civ)));
            let name = format!("refused {}", self.civ(civ));
            self.compare(&name, wanted, found);
        }
    }

    /// `awaits CIV: PHASE`.
    fn awaits_line(&mut self, number: usize, text: &str) -> Result<(), Unreadable> {
        let expected = || Unreadable::at(number, "`awaits CIV: PHASE`");
        let (name, phase) = text.split_once(':').ok_or_else(expected)?;
        let civ = self.seated(number, name)?;
        let wanted = Phase::named(phase.trim()).ok_or_else(expected)?;
        let state = &self.played.state;
        let awaited = wanted == state.phase()
            && wanted.rules().awaits(state).iter().any(|awaited| awaited.civ == civ)
            && state.progress().asked == Some(civ);
        if !awaited {
            let found = match state.progress().asked {
                Some(civ) => format!("{} in {}", self.civ(civ), state.phase().name()),
                None => "nobody".to_owned(),
            };
            self.compare("awaits", format!("{} in {}", name.trim(), wanted.name()), found);
        }
        Ok(())
    }

    /// `sequence CIV, CIV`.
    fn sequence_line(&mut self, number: usize, text: &str) -> Result<(), Unreadable> {
        let wanted = text.split(',').map(|name| self.seated(number, name)).collect::<Result<Vec<_>, _>>()?;
        let found = sequence(self.position, self.played)
            .ok_or_else(|| Unreadable::at(number, "no `sequence` in a case without movement or cards"))?;
        let words = |civs: &[Civ]| civs.iter().map(|civ| self.civ(*civ)).collect::<Vec<_>>().join(", ");
        let (wanted, found) = (words(&wanted), words(&found));
        self.compare("sequence", wanted, found);
        Ok(())
    }

    fn seated(&self, number: usize, name: &str) -> Result<Civ, Unreadable> {
        let civ = self.table.lexicon.civs.exact(name).filter(|civ| self.played.state.is_seated(*civ));
        civ.ok_or_else(|| {
            Unreadable::at(number, format!("a civilization of the `ranking` line, not `{}`", name.trim()))
        })
    }

    fn compare(&mut self, name: &str, wanted: String, found: String) {
        if wanted != found {
            self.faults.push(format!("{}: expected {wanted}; found {found}", name.trim()));
        }
    }

    fn civ(&self, civ: Civ) -> String {
        self.table.printed.civilizations[usize::from(civ.0)].name.clone()
    }

    fn face(&self, face: Face) -> String {
        match face {
            Face::Water => "Water".to_owned(),
            Face::Commodity(commodity) => self.table.printed.commodities[usize::from(commodity.0)].name.clone(),
            Face::Calamity(calamity) => self.table.printed.calamities[calamity as usize].name.clone(),
            Face::Unseen | Face::UnseenCalamity => "?".to_owned(),
        }
    }
}

/// Who acted when in the last phase that has a sequence.
fn sequence(position: &Position, played: &Played) -> Option<Vec<Civ>> {
    let dealt = played.events.iter().rev().find_map(|event| match event {
        Event::CardsDealt { sequence } => Some(sequence.clone()),
        _ => None,
    });
    dealt.or_else(|| moved(&position.state, played))
}

/// Those who have ended their movement, then those still to come, as they will.
fn moved(opening: &State, played: &Played) -> Option<Vec<Civ>> {
    let mut sequence: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match event {
            Event::MovementEnded { civ, .. } => Some(*civ),
            _ => None,
        })
        .collect();
    if opening.phase() > Phase::Movement || position_before(played, Phase::Movement) {
        return None;
    }
    for civ in played.state.movement_sequence() {
        if !sequence.contains(&civ) {
            sequence.push(civ);
        }
    }
    Some(sequence)
}

fn position_before(played: &Played, phase: Phase) -> bool {
    played.state.phase() < phase
}
