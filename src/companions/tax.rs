//! Phase 1: the rate, where Coinage or Monarchy leave a choice.

use crate::report::View;
use crate::rules::Advance;

/// R1.2.
const RATE: u16 = 2;
/// Tokens that should be left to grow.
const RESERVE: u16 = 8;

/// The highest rate that leaves enough to grow, else the highest that every city can pay. R1.3.
pub(crate) fn letter(view: &View) -> String {
    let own = view.own();
    let has = |advance| u16::from(own.advances.contains(&advance));
    let (lowest, highest) = (RATE - has(Advance::Coinage), RATE + has(Advance::Coinage) + has(Advance::Monarchy));
    if lowest == highest || own.cities == 0 {
        return String::new();
    }
    let due = |rate: u16| rate * u16::from(own.cities);
    let roomy = (RATE..=highest).rev().find(|rate| due(*rate) + RESERVE <= own.stock);
    let payable = (lowest..=RATE).rev().find(|rate| due(*rate) <= own.stock);
    format!("tax {}\n", roomy.or(payable).unwrap_or(lowest))
}
