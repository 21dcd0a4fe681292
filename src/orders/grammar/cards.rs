//! Orders of phases 6 and 7.

use crate::game::Command;
use crate::game::command::{BuyLimits, Wanted};
use crate::game::trade::OfferedTo;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;
use crate::rules::Face;

/// Cards that one list may hold; no hand is larger.
pub(crate) const LONGEST_LIST: usize = 300;
/// More cards of a commodity than are printed, which is nine.
const EVERY_CARD: u16 = 12;

/// `2 from stack 9`, `up to 3 from stack 9 until calamity keep 10`, `1 from stack 7 free`: the parts in any sequence.
pub(crate) fn buy(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let first = purchase(cursor)?;
    let mut purchases = vec![first];
    // `2 from stack 9 and 1 from stack 7`: whose the limits would be, nobody knows.
    while cursor.sees_number() && purchases.iter().all(|purchase| purchase.limits.is_none() && !purchase.free) {
        let here = cursor.fault(Expected::EndOfOrder);
        let next = purchase(cursor)?;
        if next.limits.is_some() || next.free {
            return Err(here);
        }
        purchases.push(next);
    }
    let bought = purchases.into_iter().map(|Purchase { stack, count, limits, free }| {
        let count = count.unwrap_or(1);
        Command::Buy { stack, count, limits, free }
    });
    Ok(bought.collect())
}

struct Purchase {
    stack: u16,
    count: Option<u16>,
    limits: Option<BuyLimits>,
    free: bool,
}

fn purchase(cursor: &mut Cursor) -> Result<Purchase, Fault> {
    let (mut stack, mut count, mut limited, mut free) = (None, None, false, false);
    let mut limits = BuyLimits { until_calamity: false, keep: 0 };
    loop {
        cursor.skip_joints();
        cursor.skip(&[Word::Card]);
        if cursor.takes(Word::Free) {
            free = true;
        } else if count.is_none() && cursor.takes_before_number(Word::UpTo) {
            (limited, count) = (true, cursor.takes_number());
            cursor.skip(&[Word::Times]);
        } else if cursor.takes_before_number(Word::Keep) {
            (limited, limits.keep) = (true, cursor.number(Expected::Number)?);
            cursor.skip(&[Word::Treasury, Word::Token, Word::Gold, Word::In, Word::Treasury]);
        } else if until_calamity(cursor) {
            (limited, limits.until_calamity) = (true, true);
        } else if stack.is_none() && cursor.takes(Word::Stack) {
            cursor.takes(Word::OfferNumber);
            stack = Some(cursor.number(Expected::StackNumber)?);
        } else if stack.is_none() && cursor.takes_before_number(Word::From) {
            stack = cursor.takes_number();
        } else if count.is_none() && cursor.sees_number() {
            count = cursor.takes_number();
            cursor.skip(&[Word::Times]);
        } else if !cursor.takes(Word::Filler) && (stack.is_some() || !cursor.takes(Word::From)) {
            let stack = stack.ok_or_else(|| cursor.fault(Expected::StackNumber))?;
            return Ok(Purchase { stack, count, limits: limited.then_some(limits), free });
        }
    }
}

fn until_calamity(cursor: &mut Cursor) -> bool {
    let start = cursor.place();
    let until = cursor.takes(Word::Until);
    cursor.skip(&[Word::Filler]);
    let taken = until && cursor.takes(Word::Calamity);
    if !taken {
        cursor.back_to(start);
    }
    taken
}

/// `to Egypt: salt, salt, wine for iron, iron, any saying textiles`; the recipient may also stand behind the cards.
pub(crate) fn offer(cursor: &mut Cursor) -> Result<Command, Fault> {
    let mut to = None;
    cursor.skip(&[Word::To, Word::With, Word::Filler]);
    if cursor.sees(Word::All) || !cursor.sees_full_card() && !cursor.sees_number() {
        to = Some(recipients(cursor)?);
    }
    let times = often(cursor);
    cursor.skip_joints();
    match offered(cursor, to)? {
        Command::Offer { to, gives, wants, says, times: behind } => {
            Ok(Command::Offer { to, gives, wants, says, times: times.unwrap_or(behind) })
        }
        other => Ok(other),
    }
}

/// `Egypt`, `Egypt or Hatti`, `all`.
fn recipients(cursor: &mut Cursor) -> Result<OfferedTo, Fault> {
    if cursor.takes(Word::All) {
        return Ok(OfferedTo::all());
    }
    let mut civs = vec![cursor.civ(Expected::CivilizationOrAll)?];
    loop {
        let here = cursor.place();
        let says_or = cursor.takes(Word::Or);
        cursor.skip_joints();
        cursor.skip(&[Word::Or, Word::To]);
        if !says_or && !cursor.sees_full_civ() || cursor.place() == here {
            cursor.back_to(here);
            return Ok(OfferedTo::these(civs));
        }
        civs.push(cursor.civ(Expected::Civilization)?);
    }
}

/// `up to 3 times`.
fn often(cursor: &mut Cursor) -> Option<u16> {
    let start = cursor.place();
    let times = cursor.takes_before_number(Word::UpTo).then(|| cursor.takes_number()).flatten();
    let times = times.filter(|times| *times > 0 && cursor.takes(Word::Times));
    if times.is_none() {
        cursor.back_to(start);
    }
    times
}

/// The cards of an offer, and the recipients if they were not named before.
pub(crate) fn offered(cursor: &mut Cursor, mut to: Option<OfferedTo>) -> Result<Command, Fault> {
    let gives = cards(cursor)?;
    if to.is_none() && cursor.takes(Word::To) {
        to = Some(recipients(cursor)?);
        cursor.skip_joints();
    }
    if !cursor.takes(Word::For) {
        return Err(cursor.fault(Expected::ForWhat));
    }
    let wants = list(cursor, false, wanted)?;
    let (mut says, mut times) = (Vec::new(), None);
    loop {
        times = times.or_else(|| often(cursor));
        cursor.skip_joints();
        if says.is_empty() && cursor.takes(Word::Saying) {
            says = cards(cursor)?;
        } else if to.is_none() && cursor.takes(Word::To) {
            to = Some(recipients(cursor)?);
        } else if times.is_some() || !sees_often(cursor) {
            break;
        }
    }
    let to = to.ok_or_else(|| cursor.fault(Expected::CivilizationOrAll))?;
    Ok(Command::Offer { to, gives, wants, says, times: times.unwrap_or(1) })
}

fn sees_often(cursor: &mut Cursor) -> bool {
    let start = cursor.place();
    let sees = often(cursor).is_some();
    cursor.back_to(start);
    sees
}

/// `Egypt: I offer 2 salt for 2 iron`, `Egypt: 2 salt for 2 iron`: an order if all of it can be read.
pub(crate) fn addressed(cursor: &mut Cursor) -> Option<Command> {
    let start = cursor.place();
    cursor.skip(&[Word::To]);
    let command = if cursor.sees_full_civ() || cursor.sees(Word::All) {
        to_addressee(cursor).ok().filter(|_| cursor.is_sure && !cursor.is_question())
    } else {
        None
    };
    if command.is_none() {
        cursor.back_to(start);
        cursor.forget();
    }
    command
}

fn to_addressee(cursor: &mut Cursor) -> Result<Command, Fault> {
    let to = recipients(cursor)?;
    let here = cursor.fault(Expected::EndOfOrder);
    if !cursor.takes_colon() {
        return Err(here);
    }
    cursor.skip(&[Word::Lead]);
    let _ = [Word::Offer, Word::Propose, Word::Give].into_iter().any(|word| cursor.takes(word));
    cursor.takes_colon();
    let command = offered(cursor, Some(to))?;
    cursor.end()?;
    Ok(command)
}

/// `4 with iron, iron, tin`, or whatever fits: `offers of 2 iron, any for 3 salt`.
pub(crate) fn accept(cursor: &mut Cursor) -> Result<Command, Fault> {
    let start = cursor.place();
    if let Some(command) = accept_any(cursor).ok().filter(|_| cursor.is_listed()) {
        return Ok(command);
    }
    cursor.back_to(start);
    cursor.forget();
    let number = offer_number(cursor)?;
    // `accept offer 4 from Egypt`: the number says whose it is.
    let here = cursor.place();
    if cursor.takes(Word::From) && (!cursor.sees_full_civ() || cursor.civ(Expected::Civilization).is_err()) {
        cursor.back_to(here);
    }
    cursor.skip_joints();
    if !cursor.takes(Word::With) {
        cursor.takes(Word::For);
    }
    cursor.skip_joints();
    Ok(Command::Accept { number, gives: cards(cursor)? })
}

/// `offers of 2 iron, any for 3 salt`.
pub(crate) fn accept_any(cursor: &mut Cursor) -> Result<Command, Fault> {
    let start = cursor.place();
    cursor.skip(&[Word::Filler, Word::All, Word::Any]);
    if ![Word::Offers, Word::Offer, Word::OfferNumber].into_iter().any(|word| cursor.takes(word)) {
        cursor.back_to(start);
    }
    cursor.skip(&[Word::Filler, Word::With]);
    let of = list(cursor, false, wanted)?;
    if !cursor.takes(Word::For) {
        return Err(cursor.fault(Expected::ForWhat));
    }
    Ok(Command::AcceptAny { of, gives: cards(cursor)? })
}

/// `iron, 2 wine have 3 salt, oil`, `nothing`.
pub(crate) fn want(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.takes_colon();
    if cursor.takes(Word::Nothing) {
        return Ok(Command::Post { wants: Vec::new(), has: Vec::new() });
    }
    let wants = cards(cursor)?;
    cursor.skip_joints();
    let has = if cursor.takes(Word::Have) || cursor.takes(Word::For) { cards(cursor)? } else { Vec::new() };
    Ok(Command::Post { wants, has })
}

/// `have 3 salt, oil want iron`: people say so of many things; a wish if all of it can be read.
pub(crate) fn have(cursor: &mut Cursor) -> Option<Command> {
    let start = cursor.place();
    let command = if cursor.takes(Word::Have) {
        had(cursor).ok().filter(|_| cursor.is_sure && !cursor.is_question())
    } else {
        None
    };
    if command.is_none() {
        cursor.back_to(start);
        cursor.forget();
    }
    command
}

fn had(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.takes_colon();
    let has = cards(cursor)?;
    cursor.skip_joints();
    let wants = if cursor.takes(Word::Want) { cards(cursor)? } else { Vec::new() };
    cursor.end()?;
    Ok(Command::Post { wants, has })
}

/// `4`, `offer 4`.
pub(crate) fn offer_number(cursor: &mut Cursor) -> Result<u16, Fault> {
    cursor.skip(&[Word::Filler, Word::OfferNumber]);
    cursor.number(Expected::Number)
}

/// `4`, `all`: every offer of the player's that is open when the letter comes.
pub(crate) fn withdraw(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let here = cursor.fault(Expected::OwnOffer);
    let Some(bearings) = cursor.bearings.filter(|_| cursor.takes(Word::All)) else {
        return Ok(vec![Command::Withdraw { number: offer_number(cursor)? }]);
    };
    cursor.skip(&[Word::Filler, Word::OfferNumber, Word::Offer]);
    let offers = bearings.own_offers();
    if offers.is_empty() && cursor.is_over() {
        return Err(here);
    }
    Ok(offers.into_iter().map(|number| Command::Withdraw { number }).collect())
}

/// `2 salt, wine`.
pub(crate) fn cards(cursor: &mut Cursor) -> Result<Vec<Face>, Fault> {
    list(cursor, false, |cursor| cursor.card().map(|card| (card, 1)))
}

/// `2 salt, all wine`: where the game takes as many of a list as there are, `all` is more than there can be.
pub(crate) fn own_cards(cursor: &mut Cursor) -> Result<Vec<Face>, Fault> {
    list(cursor, true, |cursor| cursor.card().map(|card| (card, 1)))
}

/// A card, or `any`, `any 3`, `any three cards`.
fn wanted(cursor: &mut Cursor) -> Result<(Wanted, u16), Fault> {
    if cursor.takes(Word::Any) || cursor.takes(Word::Card) {
        let count = cursor.takes_number().unwrap_or(1);
        cursor.takes(Word::Card);
        Ok((Wanted::Any, count))
    } else {
        cursor.card().map(|card| (Wanted::Named(card), 1))
    }
}

/// `2 salt, wine`, `salt x2`, `salt (2)`: items with counts, up to a word that ends the list.
fn list<T: Copy>(
    cursor: &mut Cursor,
    all: bool,
    item: impl Fn(&mut Cursor) -> Result<(T, u16), Fault>,
) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    loop {
        let every = cursor.fault(Expected::Number);
        let before = if cursor.takes(Word::All) {
            if !all {
                return Err(every);
            }
            Some(EVERY_CARD)
        } else {
            cursor.takes_amount()
        };
        cursor.skip(&[Word::Times, Word::Filler]);
        if cursor.takes(Word::Card) {
            cursor.skip(&[Word::Filler]);
        }
        let (item, times) = item(cursor)?;
        let behind = if before.is_none() && times == 1 { cursor.takes_times() } else { None };
        let count = before.or(behind).unwrap_or(1);
        let room = LONGEST_LIST - items.len();
        items.extend(std::iter::repeat_n(item, usize::from(count.saturating_mul(times)).min(room)));
        cursor.takes(Word::Card);
        cursor.skip_joints();
        let ends = [Word::For, Word::Saying, Word::To, Word::UpTo, Word::Have, Word::Want];
        let ends = ends.into_iter().any(|word| cursor.sees(word));
        if ends || cursor.is_listed() {
            return Ok(items);
        }
    }
}
