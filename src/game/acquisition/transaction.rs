//! One transaction: what is acquired, what it costs together, and what is paid for it. R12.2, R12.9.

use std::collections::BTreeMap;

use super::payment::{Paid, Purse};
use super::price::price;
use crate::game::command::Payment;
use crate::game::{Command, Event, Illegal, State};
use crate::rules::{Advance, AdvanceSet, Civ, Group};

/// What Library takes off. R12.9.
pub(crate) const LIBRARY_DISCOUNT: u16 = 40;
/// Anatomy's gift has a printed cost below this. R12.9.
const GIFT_BELOW: u16 = 100;
/// Credits come in tokens of this and its multiples. R12.9.
const CREDIT_STEP: u16 = 5;
/// The colours in the sequence in which credits are spread where nobody chose.
const COLOURS: [Group; 5] = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];

/// The lines of a player that may stand so far, and what they are paid with.
#[derive(Clone)]
pub(crate) struct Transaction<'a> {
    state: &'a State,
    civ: Civ,
    /// All that the player's lines name, for Library may serve a later one.
    named: AdvanceSet,
    lines: Vec<Purchase>,
    /// What Library makes cheaper, as the player said; else the only Advance that it can be.
    library_for: Option<Advance>,
    only_target: Option<Advance>,
    gift: Option<Advance>,
    credits: BTreeMap<Group, u16>,
    /// Points of credits that the player left open.
    unchosen: u16,
    paid: Paid,
}

/// The advances of one line, and the payment it states.
#[derive(Clone)]
struct Purchase {
    advances: Vec<Advance>,
    payment: Option<Payment>,
}

impl<'a> Transaction<'a> {
    /// A transaction without lines.
    pub(crate) fn open(state: &'a State, civ: Civ, named: AdvanceSet) -> Transaction<'a> {
        Transaction {
            state,
            civ,
            named,
            lines: Vec::new(),
            library_for: None,
            only_target: None,
            gift: None,
            credits: BTreeMap::new(),
            unchosen: 0,
            paid: Paid::default(),
        }
    }

    /// The transaction with one more line, or why that line may not stand.
    pub(crate) fn with(&self, command: &Command) -> Result<Transaction<'a>, Illegal> {
        self.longer(command)?.settle()
    }

    /// The same before anything is paid.
    fn longer(&self, command: &Command) -> Result<Transaction<'a>, Illegal> {
        let Command::Acquire { advances, payment, library_for, free, credits } = command else {
            return Ok(self.clone());
        };
        let mut longer = self.clone();
        let mut line = Purchase { advances: Vec::new(), payment: payment.clone() };
        for &advance in advances {
            if self.state.has(self.civ, advance) {
                return Err(Illegal::AlreadyHeld { advance });
            }
            if self.has(advance) || line.advances.contains(&advance) {
                return Err(Illegal::NamedTwice { advance });
            }
            line.advances.push(advance);
        }
        longer.lines.push(line);
        if let Some(gift) = free {
            longer.give(*gift)?;
        }
        if let Some(target) = library_for {
            longer.discount(*target)?;
        }
        longer.choose(credits, self)?;
        Ok(longer)
    }

    /// What happened; nothing where no line could stand.
    pub(crate) fn close(mut self) -> Option<Event> {
        let advances: Vec<_> = self.advances().collect();
        if advances.is_empty() {
            return None;
        }
        for (group, points) in spread(self.unchosen) {
            *self.credits.entry(group).or_default() += points;
        }
        let Paid { cards, treasury, stands_in } = self.paid;
        let credits = self.credits.into_iter().collect();
        let library_for = self.library_for.or(self.only_target);
        Some(Event::AdvancesAcquired { civ: self.civ, advances, cards, treasury, credits, library_for, stands_in })
    }

    /// The transaction with what is paid for it. Library takes its forty off the only Advance that it can serve; a payment
    /// that was stated without them stands all the same.
    fn settle(mut self) -> Result<Transaction<'a>, Illegal> {
        self.only_target = None;
        let target = self.find_target();
        let stated = self.lines.iter().any(|line| line.payment.is_some());
        self.paid = match (self.pay(), target) {
            (Ok(paid), Some(_)) if stated => paid,
            (_, Some(_)) => {
                self.only_target = target;
                self.pay()?
            }
            (paid, None) => paid?,
        };
        Ok(self)
    }

    /// The only Advance that Library can make cheaper, where the player said nothing about it.
    fn find_target(&self) -> Option<Advance> {
        let may = |advance: &Advance| *advance != Advance::Library && Some(*advance) != self.gift;
        let named = self.named.iter().filter(|advance| !self.state.has(self.civ, *advance));
        let mut others = named.filter(may);
        let only = others.next().filter(|_| others.next().is_none())?;
        let open = self.library_for.is_none() && self.has(Advance::Library);
        (open && self.has(only) && self.price(only) > 0).then_some(only)
    }

    fn advances(&self) -> impl Iterator<Item = Advance> + '_ {
        self.lines.iter().flat_map(|line| &line.advances).copied()
    }

    fn has(&self, advance: Advance) -> bool {
        self.advances().any(|acquired| acquired == advance)
    }

    /// Anatomy: one science advance below 100 that the player does not hold.
    fn give(&mut self, gift: Advance) -> Result<(), Illegal> {
        self.is_acquired(Advance::Anatomy)?;
        if self.gift.is_some() {
            return Err(Illegal::OncePerTurn { advance: Advance::Anatomy });
        }
        if self.state.has(self.civ, gift) {
            return Err(Illegal::AlreadyHeld { advance: gift });
        }
        if !is_gift(self.state, self.civ, gift) {
            return Err(Illegal::NoGift { advance: gift });
        }
        if !self.has(gift)
            && let Some(line) = self.lines.last_mut()
        {
            line.advances.push(gift);
        }
        self.gift = Some(gift);
        Ok(())
    }

    /// Library: one other advance of the same transaction, in this line, an earlier or a later one.
    fn discount(&mut self, target: Advance) -> Result<(), Illegal> {
        self.is_acquired(Advance::Library)?;
        if self.library_for.is_some() {
            return Err(Illegal::OncePerTurn { advance: Advance::Library });
        }
        if target == Advance::Library || !(self.has(target) || self.named.has(target)) {
            return Err(Illegal::NoDiscount { advance: target });
        }
        self.library_for = Some(target);
        Ok(())
    }

    fn is_acquired(&self, advance: Advance) -> Result<(), Illegal> {
        if self.has(advance) { Ok(()) } else { Err(Illegal::OnlyWhenAcquired { advance }) }
    }

    /// Written Record and Monument: exactly their points in steps of 5, or none chosen.
    fn choose(&mut self, credits: &[(Group, u16)], before: &Transaction) -> Result<(), Illegal> {
        let points: u16 = self.advances().filter(|advance| !before.has(*advance)).map(free_credits).sum();
        if credits.is_empty() {
            self.unchosen += points;
            return Ok(());
        }
        let wrote = credits.iter().fold(0u16, |sum, (_, points)| sum.saturating_add(*points));
        if wrote != points || credits.iter().any(|(_, points)| points % CREDIT_STEP != 0) {
            return Err(Illegal::CreditsChosen { points, wrote });
        }
        for (group, points) in credits.iter().filter(|(_, points)| *points > 0) {
            *self.credits.entry(*group).or_default() += points;
        }
        Ok(())
    }

    /// Stated payments are taken as they are; where a line states none, the rest is found. R12.5, R12.6.
    fn pay(&self) -> Result<Paid, Illegal> {
        let mut purse = Purse::open(self.state, self.civ);
        let (mut stated, mut found) = (0, 0);
        for line in &self.lines {
            let cost: u16 = line.advances.iter().map(|advance| self.price(*advance)).sum();
            match &line.payment {
                Some(payment) => {
                    stated += cost;
                    purse.state_payment(payment)?;
                }
                None => found += cost,
            }
        }
        purse.check_stands_in()?;
        if self.lines.iter().any(|line| line.payment.is_some()) {
            purse.check_stated(stated)?;
        }
        if self.lines.iter().all(|line| line.payment.is_some()) {
            Ok(purse.stated())
        } else {
            purse.cheapest(stated + found)
        }
    }

    /// What all of it costs together.
    fn total(&self) -> u16 {
        self.advances().map(|advance| self.price(advance)).sum()
    }

    /// The same with one more, paid with whatever there is.
    fn total_with(&self, advance: Advance) -> Result<u16, Illegal> {
        let (payment, library_for, free) = (None, None, None);
        let line = Command::Acquire { advances: vec![advance], payment, library_for, free, credits: Vec::new() };
        let mut longer = self.clone();
        longer.named.insert(advance);
        let mut longer = longer.longer(&line)?;
        longer.only_target = longer.find_target();
        Ok(longer.total())
    }

    fn price(&self, advance: Advance) -> u16 {
        if self.gift == Some(advance) {
            return 0;
        }
        let discount = if self.library_for.or(self.only_target) == Some(advance) { LIBRARY_DISCOUNT } else { 0 };
        price(self.state, self.civ, advance).saturating_sub(discount)
    }
}

/// What a purchase comes to, whether it can be paid or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// What each costs, with what Library and Anatomy take off.
    pub prices: Vec<(Advance, u16)>,
    /// What the player could pay at most.
    pub means: u16,
    /// The treasury that is wanted beside the cards that were stated.
    pub treasury: u16,
    /// What would be paid, or why that may not stand.
    pub paid: Result<Payment, Illegal>,
    /// What could be acquired with it.
    pub more: Vec<Advance>,
}

impl Quote {
    /// What all of it costs together.
    pub fn price(&self) -> u16 {
        self.prices.iter().map(|(_, price)| price).sum()
    }
}

/// What the `acquire` lines of a player come to together.
///
/// # Errors
/// They cannot be one transaction, whatever is paid.
pub fn quote(state: &State, civ: Civ, lines: &[&Command]) -> Result<Quote, Illegal> {
    let mut transaction = Transaction::open(state, civ, AdvanceSet::default());
    let mut purse = Purse::open(state, civ);
    let means = purse.means();
    for line in lines {
        if let Command::Acquire { advances, .. } = line {
            advances.iter().for_each(|advance| transaction.named.insert(*advance));
        }
    }
    let mut stated = Ok(());
    for line in lines {
        transaction = transaction.longer(line)?;
        if let Command::Acquire { payment: Some(payment), .. } = line {
            let cards = Payment { treasury: 0, ..payment.clone() };
            stated = stated.and_then(|()| purse.state_payment(&cards));
        }
    }
    transaction.only_target = transaction.find_target();
    let treasury = match stated.and_then(|()| purse.check_stands_in()) {
        Ok(()) => purse.wanted(transaction.total()),
        Err(_) => 0,
    };
    let settled = transaction.clone().settle();
    let priced = settled.as_ref().unwrap_or(&transaction);
    let may_come = |advance: &Advance| {
        !state.has(civ, *advance)
            && !transaction.has(*advance)
            && transaction.total_with(*advance).is_ok_and(|price| price <= means)
    };
    Ok(Quote {
        prices: priced.advances().map(|advance| (advance, priced.price(advance))).collect(),
        means,
        treasury,
        more: Advance::ALL.into_iter().filter(may_come).collect(),
        paid: settled.map(|settled| {
            let Paid { cards, treasury, stands_in } = settled.paid;
            // The card that stands in is told by itself.
            let mut cards: Vec<_> = cards.into_iter().map(|card| card.face).collect();
            if let Some(at) = stands_in.and_then(|(lent, _)| cards.iter().position(|card| *card == lent)) {
                cards.remove(at);
            }
            Payment { cards, treasury, stands_in }
        }),
    })
}

/// Whether Anatomy may give this one. R12.9.
pub(crate) fn is_gift(state: &State, civ: Civ, advance: Advance) -> bool {
    let card = &state.printed().advances[advance as usize];
    card.groups.contains(&Group::Science) && card.cost < GIFT_BELOW && !state.has(civ, advance)
}

/// The points of credits that an advance lets its buyer choose. R12.9.
pub(crate) fn free_credits(advance: Advance) -> u16 {
    match advance {
        Advance::WrittenRecord => 10,
        Advance::Monument => 20,
        _ => 0,
    }
}

/// Credits that nobody chose: 5 to one colour after another.
pub(crate) fn spread(points: u16) -> BTreeMap<Group, u16> {
    let mut credits = BTreeMap::new();
    for (colour, _) in COLOURS.into_iter().cycle().zip(0..points / CREDIT_STEP) {
        *credits.entry(colour).or_default() += CREDIT_STEP;
    }
    credits
}
