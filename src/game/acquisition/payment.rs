//! Payment: cards at their set values and treasury tokens, as stated, or so that the loss is least. R12.5, R12.6, R12.10.
//!
//! The loss is what the sets of the hand are worth before less after, and one for each treasury token.

use crate::game::command::Payment;
use crate::game::{Illegal, State};
use crate::rules::{Advance, Civ, Face, TradeCard, set_value};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Paid {
    /// Commodity cards of the hand.
    pub cards: Vec<TradeCard>,
    pub treasury: u16,
    /// R12.10: the card that stands in for a missing one, and what it stands for.
    pub stands_in: Option<(Face, Face)>,
}

/// What a player can pay with, and what of it the player has stated.
#[derive(Clone)]
pub(crate) struct Purse<'a> {
    hand: &'a [TradeCard],
    piles: Vec<Pile>,
    treasury: u16,
    /// What a treasury token is worth: 2 with Mining.
    worth: u16,
    stated_treasury: u16,
    has_trade_empire: bool,
    stands_in: Option<(Face, Face)>,
}

/// The equal cards of a hand.
#[derive(Debug, Clone)]
pub(crate) struct Pile {
    face: Face,
    /// The value of one card.
    value: u8,
    held: u16,
    /// How many cards of it there are.
    printed: u16,
    stated: u16,
    /// Cards of it that stand in for others, and cards of others that stand in for it.
    lent: u16,
    borrowed: u16,
}

impl<'a> Purse<'a> {
    /// Everything the player has, nothing stated.
    pub(crate) fn open(state: &'a State, civ: Civ) -> Purse<'a> {
        let holding = state.holding(civ);
        let mut piles: Vec<Pile> = Vec::new();
        for card in &holding.hand {
            let (value, printed) = match card.face {
                Face::Water => (0, u16::MAX),
                Face::Commodity(commodity) => {
                    let printed = &state.printed().commodities[usize::from(commodity.0)];
                    (printed.stack, u16::from(printed.cards))
                }
                // Nobody pays with what the player has not seen.
                Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => continue,
            };
            match piles.iter_mut().find(|pile| pile.face == card.face) {
                Some(pile) => pile.held += 1,
                None => piles.push(Pile { face: card.face, value, held: 1, printed, stated: 0, lent: 0, borrowed: 0 }),
            }
        }
        Purse {
            hand: &holding.hand,
            piles,
            treasury: holding.treasury,
            worth: 1 + u16::from(state.has(civ, Advance::Mining)),
            stated_treasury: 0,
            has_trade_empire: state.has(civ, Advance::TradeEmpire),
            stands_in: None,
        }
    }

    /// Adds a stated payment.
    pub(crate) fn state_payment(&mut self, payment: &Payment) -> Result<(), Illegal> {
        for card in &payment.cards {
            self.pile(*card)?.stated += 1;
        }
        if let Some((card, stands_for)) = payment.stands_in {
            let advance = Advance::TradeEmpire;
            if !self.has_trade_empire {
                return Err(Illegal::NeedsAdvance { advance });
            }
            if self.stands_in.is_some() {
                return Err(Illegal::OncePerTurn { advance });
            }
            self.pile(card)?.stated += 1;
            self.stands_in = Some((card, stands_for));
        }
        if let Some(pile) = self.piles.iter().find(|pile| pile.stated > pile.held) {
            return Err(Illegal::NotInHand { card: pile.face });
        }
        self.stated_treasury = self.stated_treasury.saturating_add(payment.treasury);
        if self.stated_treasury > self.treasury {
            return Err(Illegal::TooLittleTreasury { have: self.treasury, need: self.stated_treasury });
        }
        Ok(())
    }

    /// R12.10: a card of at least the same value, for a set that is handed in and not complete.
    pub(crate) fn check_stands_in(&mut self) -> Result<(), Illegal> {
        let Some((card, stands_for)) = self.stands_in else { return Ok(()) };
        let wrong = Illegal::CannotStandIn { card, stands_for };
        let value = self.pile(card)?.value;
        let Ok(set) = self.pile(stands_for) else { return Err(wrong) };
        if card == stands_for || value < set.value || set.stated == 0 || set.stated >= set.printed {
            return Err(wrong);
        }
        set.borrowed = 1;
        self.pile(card)?.lent = 1;
        Ok(())
    }

    /// Stated payments are exact: enough, and no more treasury than is needed. R12.6.
    pub(crate) fn check_stated(&self, price: u16) -> Result<(), Illegal> {
        let cards: u16 = self.piles.iter().map(|pile| pile.worth(pile.stated)).sum();
        let most = self.wanted(price);
        if self.stated_treasury < most {
            return Err(Illegal::TooLittlePaid { price, paid: cards + self.stated_treasury * self.worth });
        }
        if self.stated_treasury > most {
            return Err(Illegal::TooMuchTreasury { most, wrote: self.stated_treasury });
        }
        Ok(())
    }

    /// The treasury that is wanted beside the cards that are stated.
    pub(crate) fn wanted(&self, price: u16) -> u16 {
        let cards: u16 = self.piles.iter().map(|pile| pile.worth(pile.stated)).sum();
        price.saturating_sub(cards).div_ceil(self.worth)
    }

    /// What everything is worth together, with the card that stands in for the most.
    pub(crate) fn means(&self) -> u16 {
        self.standing_in().iter().map(Purse::all).max().unwrap_or(0).max(self.all())
    }

    /// What is stated, and no more.
    pub(crate) fn stated(&self) -> Paid {
        let counts: Vec<_> = self.piles.iter().map(|pile| pile.stated).collect();
        self.paid(&counts, self.stated_treasury)
    }

    /// The payment with the least loss; of equal ones that with the least treasury, then with the fewest cards.
    ///
    /// It counts all that the player has, and so what a card may stand in for, where the player said nothing about it
    /// themselves; but where that loses no less, the player's cards are what they are.
    pub(crate) fn cheapest(&self, price: u16) -> Result<Paid, Illegal> {
        let plain = self.plainly(price);
        let others = self.standing_in();
        let found = others.iter().filter_map(|purse| purse.plainly(price));
        let best = plain.into_iter().chain(found).min_by_key(|(cost, _)| *cost);
        best.map(|(_, paid)| paid).ok_or_else(|| Illegal::TooDear { price, can_pay: self.means() })
    }

    /// What everything is worth together.
    fn all(&self) -> u16 {
        let cards: u16 = self.piles.iter().map(|pile| pile.worth(pile.most())).sum();
        cards.saturating_add(self.treasury * self.worth)
    }

    /// R12.10: this purse with each card that could stand in for another, where the player left that open.
    fn standing_in(&self) -> Vec<Purse<'a>> {
        if !self.has_trade_empire || self.stands_in.is_some() {
            return Vec::new();
        }
        let pairs = self.piles.iter().flat_map(|lent| self.piles.iter().map(move |set| (lent.face, set.face)));
        let filled = pairs.filter_map(|(card, stands_for)| {
            let mut purse = self.clone();
            let pile = purse.pile(card).ok().filter(|pile| pile.stated < pile.held)?;
            pile.stated += 1;
            let set = purse.pile(stands_for).ok()?;
            set.stated = set.stated.max(1);
            purse.stands_in = Some((card, stands_for));
            purse.check_stands_in().is_ok().then_some(purse)
        });
        filled.collect()
    }

    /// The payment with the least loss where nothing more stands in for anything, and what it costs.
    ///
    /// What is stated is part of it. For every value that the cards may have, the least loss is found pile by pile.
    fn plainly(&self, price: u16) -> Option<((u16, u16, u16), Paid)> {
        if self.all() < price {
            return None;
        }
        let price = usize::from(price);
        let mut ways: Vec<Option<Way>> = vec![None; price + 1];
        ways[0] = Some(Way { loss: 0, cards: 0 });
        let mut steps = Vec::with_capacity(self.piles.len());
        for pile in &self.piles {
            let mut next: Vec<Option<Way>> = vec![None; price + 1];
            let mut step = vec![(0, 0); price + 1];
            for (value, way) in ways.iter().enumerate().filter_map(|(value, way)| Some((value, (*way)?))) {
                for count in pile.stated..=pile.most() {
                    // Value above the price is lost.
                    let reached = price.min(value + usize::from(pile.worth(count)));
                    let way = Way { loss: way.loss + pile.loss(count), cards: way.cards + count };
                    if next[reached].is_none_or(|best| way < best) {
                        next[reached] = Some(way);
                        step[reached] = (count, value);
                    }
                }
            }
            ways = next;
            steps.push(step);
        }
        let (mut value, cost) = self.best(&ways)?;
        let (_, treasury, _) = cost;
        let mut counts = vec![0; self.piles.len()];
        for (count, step) in counts.iter_mut().zip(&steps).rev() {
            (*count, value) = step[value];
        }
        Some((cost, self.paid(&counts, treasury)))
    }

    /// The best of the values that can be reached, with what it costs: the loss, treasury and cards.
    fn best(&self, ways: &[Option<Way>]) -> Option<(usize, (u16, u16, u16))> {
        let price = ways.len() - 1;
        let reached = ways.iter().enumerate().filter_map(|(value, way)| Some((value, (*way)?)));
        let paid = reached.map(|(value, way)| (value, way, ((price - value) as u16).div_ceil(self.worth)));
        paid.filter(|(_, _, treasury)| (self.stated_treasury..=self.treasury).contains(treasury))
            .map(|(value, way, treasury)| (value, (way.loss + treasury, treasury, way.cards)))
            .min_by_key(|(_, cost)| *cost)
    }

    fn pile(&mut self, card: Face) -> Result<&mut Pile, Illegal> {
        if matches!(card, Face::Calamity(_)) {
            return Err(Illegal::NoCommodity { card });
        }
        self.piles.iter_mut().find(|pile| pile.face == card).ok_or(Illegal::NotInHand { card })
    }

    /// So many cards of each pile, the first of the hand.
    fn paid(&self, counts: &[u16], treasury: u16) -> Paid {
        let chosen = self.piles.iter().zip(counts);
        let cards = chosen.flat_map(|(pile, count)| {
            self.hand.iter().filter(|card| card.face == pile.face).take(usize::from(*count)).copied()
        });
        Paid { cards: cards.collect(), treasury, stands_in: self.stands_in }
    }
}

/// A way to reach a value; the smaller the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    loss: u16,
    cards: u16,
}

impl Pile {
    /// How many of it can be paid: with a card that stands in for one of them, never more than there are.
    fn most(&self) -> u16 {
        self.held.min(self.printed - self.borrowed)
    }

    /// What so many cards of it are worth when they are paid.
    fn worth(&self, count: u16) -> u16 {
        set_value(count + self.borrowed - self.lent, self.value)
    }

    /// What the hand loses with so many cards of it.
    fn loss(&self, count: u16) -> u16 {
        set_value(self.held, self.value) - set_value(self.held - count, self.value)
    }
}
