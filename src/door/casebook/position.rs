//! The position of a case: from a `state` block to a state.

use std::collections::BTreeMap;

use super::CaseTable;
use super::map::OUT_OF_PLAY;
use super::page::{Block as Fenced, Unreadable};
use super::standing::Standing;
use crate::game::stacks::STACKS;
use crate::game::{
    Chance, City, Force, Ground, Holding, Opening, Owner, Phase, Rulebook, Ship, ShipCondition, Stacks, State, setup,
};
use crate::rules::{AreaId, AstSide, Block, Civ, Face, Scenario, TradeCard};

/// A position, the phases to play from it, and the chance it is played with.
pub(crate) struct Position {
    pub state: State,
    /// The last phase to play; the first is the open one.
    pub last: Phase,
    pub chance: Chance,
}

/// The lines of a state block, sorted by what they speak of.
#[derive(Default)]
struct Lines<'a> {
    phases: Option<(Phase, Phase)>,
    ranking: Option<(usize, Vec<Civ>)>,
    players: Option<u8>,
    chance: u64,
    track: Option<AstSide>,
    house_rules: Vec<(usize, &'a str, &'a str)>,
    areas: Vec<(usize, AreaId, Standing)>,
    civs: Vec<(usize, Civ, &'a str)>,
    stacks: Vec<(usize, u8, Option<Block>, &'a str)>,
}

/// The parts of a civilization's line.
pub(crate) const CIV_PARTS: [&str; 8] =
    ["treasury", "stock", "cities", "ships", "hand", "advances", "position", "census"];

/// Reads a `state` block.
pub(crate) fn parse(table: &CaseTable, block: &Fenced) -> Result<Position, Unreadable> {
    let mut lines = Lines::default();
    for (number, line) in &block.lines {
        lines.add(table, *number, line.trim())?;
    }
    let (first, last) = lines.phases.ok_or_else(|| Unreadable::at(block.line, "a line `phase NAME`"))?;
    let (_, ranking) = lines.ranking.clone().ok_or_else(|| Unreadable::at(block.line, "a line `ranking A, B`"))?;
    let players = lines.players.unwrap_or(ranking.len() as u8);
    let rulebook = lines.rulebook()?;
    let (blocks, minor, block_of) = decks(table, &rulebook, players, &ranking);
    let holdings = ranking.iter().map(|civ| setup::empty_holding(&table.printed, *civ, block_of(*civ))).collect();
    let mut opening = Opening {
        printed: table.printed.clone(),
        rulebook,
        track: lines.track.unwrap_or(AstSide::Basic),
        players,
        turn: 1,
        phase: first,
        holdings,
        board: board(table),
        stacks: Stacks::printed(&table.printed, &blocks, players, minor),
        givers: BTreeMap::new(),
    };
    lines.place(table, &mut opening)?;
    lines.settle(table, &mut opening)?;
    let chance = Chance::numbered(lines.chance);
    lines.lay_stacks(table, &mut opening, &chance)?;
    Ok(Position { state: State::new(opening), last, chance })
}

/// The blocks of trade cards, whether there are minor calamities, and who draws where.
fn decks<'a>(
    table: &'a CaseTable,
    rulebook: &'a Rulebook,
    players: u8,
    ranking: &[Civ],
) -> (Vec<Block>, bool, impl Fn(Civ) -> Block + use<'a>) {
    let home = move |civ: Civ| table.printed.civilizations[usize::from(civ.0)].block;
    let scenario: Option<&Scenario> = table.printed.scenarios.iter().find(|scenario| scenario.players == players);
    let minor = scenario.is_some_and(|scenario| scenario.minor_calamities);
    let two = players >= 12;
    let west = ranking.iter().filter(|civ| home(**civ) == Block::West).count();
    let only = if west * 2 >= ranking.len() { Block::West } else { Block::East };
    let block_of = move |civ: Civ| match scenario {
        Some(scenario) if two => setup::block_of(&table.printed, scenario, rulebook, civ),
        _ if two => home(civ),
        _ => only,
    };
    (if two { vec![Block::West, Block::East] } else { vec![only] }, minor, block_of)
}

fn board(table: &CaseTable) -> Vec<Ground> {
    let marked = |aliases: &[String]| aliases.iter().any(|alias| alias == OUT_OF_PLAY);
    let areas = table.printed.map.areas.iter();
    areas.map(|area| Ground { out_of_play: marked(&area.aliases), ..Ground::default() }).collect()
}

impl<'a> Lines<'a> {
    fn add(&mut self, table: &CaseTable, number: usize, line: &'a str) -> Result<(), Unreadable> {
        let phase = |name: &str| {
            let found = Phase::named(name.trim());
            found.ok_or_else(|| Unreadable::at(number, format!("the name of a phase, not `{}`", name.trim())))
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "phase" | "phases" if self.phases.is_some() => {
                return Err(Unreadable::at(number, "one phase line, not two"));
            }
            "phase" => self.phases = Some((phase(rest)?, phase(rest)?)),
            "phases" => {
                let (first, last) =
                    rest.split_once(" to ").ok_or_else(|| Unreadable::at(number, "`phases NAME to NAME`"))?;
                let phases = (phase(first)?, phase(last)?);
                if phases.0 > phases.1 {
                    return Err(Unreadable::at(number, "the earlier phase first"));
                }
                self.phases = Some(phases);
            }
            "ranking" => self.ranking = Some((number, ranking(table, number, rest)?)),
            "players" => self.players = Some(small_number(number, rest)?),
            "chance" => {
                self.chance = rest.trim().parse().map_err(|_| Unreadable::at(number, "`chance` and a number"))?
            }
            "track" => {
                self.track = Some(match rest.trim() {
                    "basic" => AstSide::Basic,
                    "expert" => AstSide::Expert,
                    _ => return Err(Unreadable::at(number, "`track basic` or `track expert`")),
                });
            }
            "house" if rest.starts_with("rule ") => {
                let rule = rest["rule ".len()..].split_once(':');
                let (name, value) = rule.ok_or_else(|| Unreadable::at(number, "`house rule NAME: VALUE`"))?;
                self.house_rules.push((number, name.trim(), value.trim()));
            }
            "stack" => self.add_stack(number, rest)?,
            _ => self.add_named(table, number, line)?,
        }
        Ok(())
    }

    /// `stack n: …`, `stack n west: …`.
    fn add_stack(&mut self, number: usize, rest: &'a str) -> Result<(), Unreadable> {
        let expected = || Unreadable::at(number, "`stack n: CARD, CARD` with n from 1 to 9");
        let (head, cards) = rest.split_once(':').ok_or_else(expected)?;
        let (stack, block) = match head.trim().split_once(' ') {
            Some((stack, "west")) => (stack, Some(Block::West)),
            Some((stack, "east")) => (stack, Some(Block::East)),
            Some(_) => return Err(expected()),
            None => (head.trim(), None),
        };
        let stack: u8 = stack.parse().map_err(|_| expected())?;
        if !(1..=STACKS).contains(&stack) {
            return Err(expected());
        }
        self.stacks.push((number, stack, block, cards));
        Ok(())
    }

    /// An area or a civilization; where they share a name, the parts tell.
    fn add_named(&mut self, table: &CaseTable, number: usize, line: &'a str) -> Result<(), Unreadable> {
        let (name, rest) = line.split_once(':').ok_or_else(|| Unreadable::at(number, "`NAME: …`"))?;
        match named(table, name, rest) {
            Some(Subject::Area(area)) => self.areas.push((number, area, Standing::parse(table, number, rest)?)),
            Some(Subject::Civ(civ)) => self.civs.push((number, civ, rest)),
            None => return Err(Unreadable::at(number, format!("an area or a civilization, not `{}`", name.trim()))),
        }
        Ok(())
    }

    fn rulebook(&self) -> Result<Rulebook, Unreadable> {
        let mut rules = toml::Table::new();
        for (number, name, value) in &self.house_rules {
            rules.insert(name.replace([' ', '-'], "_"), toml::Value::String(value.replace([' ', '-'], "_")));
            rules
                .clone()
                .try_into::<Rulebook>()
                .map_err(|error| Unreadable::at(*number, format!("a house rule: {}", error.message())))?;
        }
        Ok(rules.try_into().unwrap_or_default())
    }

    /// Puts what stands there on the board, from stock.
    fn place(&self, table: &CaseTable, opening: &mut Opening) -> Result<(), Unreadable> {
        for (index, (number, area, standing)) in self.areas.iter().enumerate() {
            if self.areas[..index].iter().any(|(_, other, _)| other == area) {
                let name = &table.printed.map.area(*area).name;
                return Err(Unreadable::at(*number, format!("every area once; {name} stands here a second time")));
            }
            let ground = &mut opening.board[usize::from(area.0)];
            if (!standing.tokens.is_empty() || standing.city.is_some()) && !table.printed.map.area(*area).has_land() {
                return Err(Unreadable::at(*number, "only ships where there is no land"));
            }
            for (owner, count) in &standing.tokens {
                ground.forces.push(Force { owner: *owner, count: *count, moved: 0, ferried: 0 });
                if let Owner::Civ(civ) = owner {
                    let holding = seated(&mut opening.holdings, *civ, *number)?;
                    holding.stock = holding.stock.checked_sub(*count).ok_or_else(|| {
                        Unreadable::at(
                            *number,
                            format!("at most {} tokens of each civilization", table.printed.pieces.tokens),
                        )
                    })?;
                }
            }
            ground.city = standing.city.map(|owner| City { owner, new: false });
            if let Some(Owner::Civ(civ)) = standing.city {
                let holding = seated(&mut opening.holdings, civ, *number)?;
                holding.cities = holding.cities.checked_sub(1).ok_or_else(|| {
                    Unreadable::at(
                        *number,
                        format!("at most {} cities of each civilization", table.printed.pieces.cities),
                    )
                })?;
            }
            for (civ, count) in &standing.ships {
                let holding = seated(&mut opening.holdings, *civ, *number)?;
                let ship = Ship { area: *area, condition: ShipCondition::Old, steps: 0, sailed: false };
                holding.ships.extend(std::iter::repeat_n(ship, usize::from(*count)));
                if holding.ships.len() > usize::from(table.printed.pieces.ships) {
                    return Err(Unreadable::at(*number, "at most 4 ships of each civilization"));
                }
            }
        }
        for holding in &mut opening.holdings {
            holding.census = table.printed.pieces.tokens - holding.stock;
        }
        Ok(())
    }

    /// What the civilizations' own lines say; stated numbers must add up.
    fn settle(&self, table: &CaseTable, opening: &mut Opening) -> Result<(), Unreadable> {
        for (number, civ, parts) in &self.civs {
            let number = *number;
            let holding = seated(&mut opening.holdings, *civ, number)?;
            let mut stated_stock = None;
            for part in parts.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
                match word {
                    "treasury" => {
                        holding.treasury = small_number(number, rest)?;
                        holding.stock = holding
                            .stock
                            .checked_sub(holding.treasury)
                            .ok_or_else(|| Unreadable::at(number, "tokens that add up to 55"))?;
                    }
                    "stock" => stated_stock = Some(small_number::<u16>(number, rest)?),
                    "cities" if small_number::<u8>(number, rest)? != holding.cities => {
                        return Err(Unreadable::at(number, format!("cities {}, which adds up to 9", holding.cities)));
                    }
                    "ships" if small_number::<usize>(number, rest)? != 4 - holding.ships.len() => {
                        return Err(Unreadable::at(
                            number,
                            format!("ships {}, which adds up to 4", 4 - holding.ships.len()),
                        ));
                    }
                    "cities" | "ships" => {}
                    "hand" => {
                        for (face, giver) in cards(table, number, rest)? {
                            let card = TradeCard { face, block: holding.block };
                            holding.hand.push(card);
                            if let Some(giver) = giver {
                                opening.givers.insert(card, giver);
                            }
                        }
                        holding.hand.sort_unstable();
                    }
                    "advances" => {
                        for name in rest.split(',') {
                            let advance = table.lexicon.advances.exact(name);
                            let unknown = || Unreadable::at(number, format!("an advance, not `{}`", name.trim()));
                            holding.advances.insert(advance.ok_or_else(unknown)?);
                        }
                    }
                    "position" => holding.position = small_number(number, rest)?,
                    "census" => holding.census = small_number(number, rest)?,
                    _ => return Err(Unreadable::at(number, format!("{}, not `{part}`", CIV_PARTS.join(", ")))),
                }
            }
            if stated_stock.is_some_and(|stated| stated != holding.stock) {
                return Err(Unreadable::at(number, format!("stock {}, which adds up to 55", holding.stock)));
            }
        }
        Ok(())
    }

    /// Stated stacks as they are stated; the others as printed, without the cards in hands, prepared by chance.
    fn lay_stacks(&self, table: &CaseTable, opening: &mut Opening, chance: &Chance) -> Result<(), Unreadable> {
        let blocks: Vec<_> = opening.stacks.blocks().collect();
        let mut stated: Vec<(Block, u8, Vec<TradeCard>)> = Vec::new();
        for (number, stack, block, text) in &self.stacks {
            let faces: Vec<_> = match text.trim() {
                "empty" => Vec::new(),
                text => cards(table, *number, text)?.into_iter().map(|(face, _)| face).collect(),
            };
            let meant: &[Block] = match block {
                Some(block) if blocks.contains(block) => std::slice::from_ref(block),
                Some(_) => return Err(Unreadable::at(*number, "`stack n: …`, for there is one block")),
                None if blocks.len() == 1 || faces.is_empty() => &blocks,
                None => {
                    return Err(Unreadable::at(
                        *number,
                        "`stack n west: …` or `stack n east: …`, for there are two blocks",
                    ));
                }
            };
            for &block in meant {
                stated.push((block, *stack, faces.iter().map(|face| TradeCard { face: *face, block }).collect()));
            }
        }
        let hands = opening.holdings.iter().flat_map(|holding| holding.hand.iter());
        let mut elsewhere: Vec<_> = hands.chain(stated.iter().flat_map(|(_, _, cards)| cards)).copied().collect();
        for &block in &blocks {
            for stack in 1..=STACKS {
                let mut cards: Vec<_> = opening.stacks.stack(block, stack).iter().copied().collect();
                cards.retain(|card| match elsewhere.iter().position(|used| used == card) {
                    Some(index) => {
                        elsewhere.swap_remove(index);
                        false
                    }
                    None => true,
                });
                opening.stacks.lay(block, stack, cards);
            }
        }
        let (_, prepared) = setup::prepare_stacks(&State::new(opening.clone()), chance);
        opening.stacks = prepared.stacks().clone();
        for (block, stack, cards) in stated {
            opening.stacks.lay(block, stack, cards);
        }
        Ok(())
    }
}

/// What a name before a colon means.
pub(crate) enum Subject {
    Area(AreaId),
    Civ(Civ),
}

/// The area or the civilization of a line; where both have the name, the parts tell.
pub(crate) fn named(table: &CaseTable, name: &str, parts: &str) -> Option<Subject> {
    let area = table.lexicon.areas.exact(name).map(Subject::Area);
    let civ = table.lexicon.civs.exact(name).map(Subject::Civ);
    let first = parts.split_whitespace().next().unwrap_or("");
    if CIV_PARTS.contains(&first) { civ.or(area) } else { area.or(civ) }
}

/// `Clay, Piracy from Persia`.
pub(crate) fn cards(table: &CaseTable, number: usize, text: &str) -> Result<Vec<(Face, Option<Civ>)>, Unreadable> {
    let card = |name: &str| table.lexicon.cards.exact(name);
    let unknown = |name: &str| Unreadable::at(number, format!("a trade card, not `{}`", name.trim()));
    let items = text.split(',').map(|item| match card(item) {
        Some(face) => Ok((face, None)),
        None => {
            let (name, giver) = item.split_once(" from ").ok_or_else(|| unknown(item))?;
            let civ = table.lexicon.civs.exact(giver);
            let giver = civ.ok_or_else(|| Unreadable::at(number, format!("a civilization, not `{}`", giver.trim())))?;
            Ok((card(name).ok_or_else(|| unknown(name))?, Some(giver)))
        }
    });
    items.collect()
}

fn ranking(table: &CaseTable, number: usize, text: &str) -> Result<Vec<Civ>, Unreadable> {
    let mut ranking = Vec::new();
    for name in text.split(',') {
        let civ = table.lexicon.civs.exact(name);
        let civ = civ.ok_or_else(|| Unreadable::at(number, format!("a civilization, not `{}`", name.trim())))?;
        if ranking.contains(&civ) {
            return Err(Unreadable::at(number, format!("every civilization once, not `{}` again", name.trim())));
        }
        ranking.push(civ);
    }
    Ok(ranking)
}

fn seated(holdings: &mut [Holding], civ: Civ, number: usize) -> Result<&mut Holding, Unreadable> {
    let found = holdings.iter_mut().find(|holding| holding.civ == civ);
    found.ok_or_else(|| Unreadable::at(number, "a civilization of the `ranking` line"))
}

/// A number below 1,000 that fits.
pub(crate) fn small_number<T: TryFrom<u16>>(number: usize, text: &str) -> Result<T, Unreadable> {
    let parsed = text.trim().parse::<u16>().ok().filter(|number| *number < 1000);
    parsed.and_then(|number| T::try_from(number).ok()).ok_or_else(|| Unreadable::at(number, "a number"))
}
