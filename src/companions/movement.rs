//! The movement letter, with everything for phases 4 to 6.

use super::plan::Plan;
use super::{Temperament, cities, raids, spreading, voyages};
use crate::report::View;

/// R6.11: a card of stack 9 costs fifteen.
const PRICE: u16 = 15;

/// Raids and cities first, then ships, then the rest of the people.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    let mut plan = Plan::new(view);
    raids::storm(&mut plan, temperament);
    cities::found(&mut plan, temperament);
    if temperament == Temperament::Raider {
        raids::press(&mut plan, temperament);
    }
    voyages::sail(&mut plan);
    spreading::settle(&mut plan);
    spreading::relieve(&mut plan);
    raids::press(&mut plan, temperament);
    let own = view.own();
    let mut lines = vec![format!("{}, turn {}.", own.name, view.turn)];
    lines.append(&mut plan.ships);
    for ((from, to), count) in &plan.walks {
        let (from, to) = (plan.area(*from).name, plan.area(*to).name);
        lines.push(match temperament {
            Temperament::Settler => format!("move {count} from {from} to {to}"),
            Temperament::Merchant => format!("move {count} {from} -> {to}"),
            Temperament::Raider => format!("{count} {from} > {to}"),
        });
    }
    lines.push("done".to_owned());
    lines.append(&mut plan.cities);
    if own.cities > 0 && plan.treasury >= PRICE {
        // What is kept pays for ships and ransoms: tokens that lie in the treasury neither grow nor pay taxes.
        let (most, keep) = match temperament {
            Temperament::Merchant => (2, 2),
            Temperament::Settler | Temperament::Raider => (1, 3),
        };
        lines.push(format!("buy up to {most} from stack 9 until calamity keep {keep}"));
    }
    lines.push(String::new());
    lines.join("\n")
}
