//! Advances for scripts: all of them with their price after credits, what they do, and what a purchase comes to.
//!
//! Comes in: what a player knows, and the `acquire` lines that are being written. Goes out: cards, and a purchase with what
//! would be paid for it. The judgement is the ruling's own.

use serde::Serialize;

use super::super::letters::step_wants;
use super::super::names::Names;
use super::super::templates::Templates;
use super::super::trade::hand_value;
use crate::game::{Command, Known, Phase, acquisition};
use crate::orders::Sheet;
use crate::rules::{Advance, Case, Civ, Group};

/// Everything about Advances that a player needs to choose some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advances {
    /// Whether they are acquired now.
    pub now: bool,
    /// All of them, the cheapest first, those that are held last.
    pub cards: Vec<Card>,
    /// What the own sets are worth.
    pub hand: u16,
    /// What a treasury token is worth.
    pub token: u16,
    /// What all that the player has could pay.
    pub means: u16,
    /// Whether a card may stand in for another.
    pub stands_in: bool,
    /// How many commodity cards stay in the hand.
    pub limit: usize,
    pub credits: Vec<Credit>,
    /// What the next step on the A.S.T. wants; none behind the last.
    pub step: Option<Step>,
}

/// The credits of a colour that a player has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Credit {
    /// The colour, as style sheets know it.
    pub group: Group,
    pub name: String,
    pub points: u16,
}

/// What the next step on the A.S.T. asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub number: u8,
    /// Each thing that it wants, and whether it is there.
    pub wants: Vec<(String, bool)>,
}

/// An Advance as a player could have it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Card {
    pub id: u8,
    pub name: String,
    /// Its name behind `with`, and as whose something is.
    pub with: String,
    pub of: String,
    /// Its colours, as style sheets know them, and in words.
    pub groups: Vec<Group>,
    pub colours: String,
    /// What is printed on it, and what the player would pay.
    pub cost: u16,
    pub price: u16,
    pub points: u8,
    pub effect: Vec<String>,
    /// The credits it gives, in words.
    pub gives: String,
    /// Whether the player holds it.
    pub held: bool,
    /// Whether Anatomy may give it.
    pub gift: bool,
    /// Whether it makes another one cheaper, or gives one free.
    pub helps: Option<Help>,
    /// Points of credits that its buyer chooses.
    pub chooses: u16,
}

/// What an Advance does for another of the same purchase. R12.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Help {
    Library,
    Anatomy,
}

/// What the Advances of a sheet come to together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Purchase {
    pub prices: Vec<(u8, u16)>,
    /// What all cost together, and what could be paid at most.
    pub price: u16,
    pub means: u16,
    /// The treasury that is wanted beside the cards that were chosen.
    pub treasury: u16,
    /// What would be paid; none where it cannot be.
    pub pays: Option<Pays>,
    /// What could be acquired with it.
    pub more: Vec<u8>,
}

/// What is paid for Advances, card by card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pays {
    /// Cards by name, each as often as it is paid.
    pub cards: Vec<String>,
    pub treasury: u16,
    /// The card that stands in for another, and for which.
    pub stands_in: Option<(String, String)>,
}

/// All Advances as a player may have them.
pub fn advances(templates: &Templates, known: &Known, civ: Civ) -> Advances {
    let names = Names::new(known.printed(), templates.language);
    let holding = known.holding(civ);
    let mut cards: Vec<Card> = Advance::ALL.into_iter().map(|one| card(templates, known, civ, one)).collect();
    cards.sort_by(|a, b| (a.held, a.price, &a.name).cmp(&(b.held, b.price, &b.name)));
    let groups = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
    let credit =
        |group: Group| Credit { group, name: names.group(group).to_owned(), points: known.credits(civ, group) };
    let step = step_wants(templates, known, civ).map(|(number, wants)| Step { number, wants });
    Advances {
        now: known.phase() == Phase::Advances && !known.has_ended(),
        cards,
        hand: hand_value(known.printed(), &holding.hand),
        token: 1 + u16::from(known.has(civ, Advance::Mining)),
        means: acquisition::quote(known, civ, &[]).map_or(0, |quote| quote.means),
        stands_in: known.has(civ, Advance::TradeEmpire),
        limit: acquisition::hand_limit(known, civ),
        credits: groups.into_iter().map(credit).collect(),
        step,
    }
}

fn card(templates: &Templates, known: &Known, civ: Civ, advance: Advance) -> Card {
    let names = Names::new(known.printed(), templates.language);
    let printed = &known.printed().advances[advance as usize];
    let name = names.advance(advance);
    let credits = printed.credits.iter().map(|(group, points)| format!("{points} {}", names.group(*group)));
    let special = printed.credit_to.map(|(to, points)| format!("{points} {}", names.advance(to)));
    Card {
        id: advance as u8,
        name: name.to_owned(),
        with: names.advance_with(advance),
        of: names.advance_as(advance, Case::Genitive).to_owned(),
        groups: printed.groups.clone(),
        colours: printed.groups.iter().map(|group| names.group(*group)).collect::<Vec<_>>().join(" / "),
        cost: printed.cost,
        price: acquisition::price(known, civ, advance),
        points: printed.victory_points,
        effect: templates.rules.titled(name).map(|section| section.lines.clone()).unwrap_or_default(),
        gives: credits.chain(special).collect::<Vec<_>>().join(", "),
        held: known.has(civ, advance),
        gift: acquisition::is_gift(known, civ, advance),
        helps: match advance {
            Advance::Library => Some(Help::Library),
            Advance::Anatomy => Some(Help::Anatomy),
            _ => None,
        },
        chooses: acquisition::free_credits(advance),
    }
}

/// What the `acquire` lines of a sheet come to; none where there is none that may stand, whatever is paid.
pub(crate) fn purchase(templates: &Templates, known: &Known, civ: Civ, sheet: &Sheet) -> Option<Purchase> {
    let names = Names::new(known.printed(), templates.language);
    let entries = sheet.part(Phase::Advances).iter().filter(|entry| !entry.next_turn);
    let is_acquired = |command: &&Command| matches!(command, Command::Acquire { .. });
    let lines: Vec<&Command> = entries.map(|entry| &entry.command).filter(is_acquired).collect();
    if lines.is_empty() {
        return None;
    }
    let quote = acquisition::quote(known, civ, &lines).ok()?;
    let face = |face| names.face(face).to_owned();
    Some(Purchase {
        price: quote.price(),
        prices: quote.prices.iter().map(|(advance, price)| (*advance as u8, *price)).collect(),
        means: quote.means,
        treasury: quote.treasury,
        more: quote.more.iter().map(|advance| *advance as u8).collect(),
        pays: quote.paid.ok().map(|paid| Pays {
            cards: paid.cards.into_iter().map(face).collect(),
            treasury: paid.treasury,
            stands_in: paid.stands_in.map(|(card, of)| (face(card), face(of))),
        }),
    })
}
