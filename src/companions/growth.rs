//! Phase 2: where a short stock goes.

use crate::report::View;
use crate::report::view::Owner;

/// Where there is room first, then wherever the rest fits. R2.5.
pub(crate) fn letter(view: &View) -> String {
    let own = Owner::Civ(view.civ);
    let growing: Vec<_> = view
        .areas
        .iter()
        .map(|area| (area, area.tokens_of(own)))
        .filter(|(_, count)| *count > 0)
        .map(|(area, count)| (area, count.min(2), area.limit.saturating_sub(count)))
        .collect();
    let mut left = view.own().stock;
    if growing.iter().map(|(_, most, _)| most).sum::<u16>() <= left {
        return String::new();
    }
    let mut shares = vec![0; growing.len()];
    for roomy in [true, false] {
        for ((_, most, room), share) in growing.iter().zip(&mut shares) {
            let wish = if roomy { (*most).min(*room) } else { *most };
            let more = (wish.max(*share) - *share).min(left);
            *share += more;
            left -= more;
        }
    }
    let shares = growing.iter().zip(shares).filter(|(_, share)| *share > 0);
    let shares: Vec<_> = shares.map(|((area, ..), share)| format!("{} {share}", area.name)).collect();
    if shares.is_empty() { String::new() } else { format!("expand {}\n", shares.join(", ")) }
}
