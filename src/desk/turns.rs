//! Whose turn it is: where many want something at once, whoever was served last waits for all the others.

use std::collections::HashMap;

/// Who was served, and when.
#[derive(Debug, Default)]
pub(in crate::desk) struct Turns {
    served: HashMap<String, u64>,
    count: u64,
}

impl Turns {
    /// Notes that somebody is served now.
    pub(in crate::desk) fn serve(&mut self, name: &str) {
        self.count += 1;
        match self.served.get_mut(name) {
            Some(last) => *last = self.count,
            None => _ = self.served.insert(name.to_owned(), self.count),
        }
    }

    /// When somebody was last served, beside others; whoever never was comes first.
    pub(in crate::desk) fn last(&self, name: &str) -> u64 {
        self.served.get(name).copied().unwrap_or(0)
    }

    /// Nobody waits any more: everybody begins anew.
    pub(in crate::desk) fn begin_anew(&mut self) {
        self.served.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_was_served_last_waits_for_all_the_others() {
        let mut turns = Turns::default();
        let mut served = Vec::new();
        for _ in 0..6 {
            let mut names = ["flooded", "also flooded", "quiet"];
            names.sort_by_key(|name| turns.last(name));
            turns.serve(names[0]);
            served.push(names[0]);
        }
        assert_eq!(served, ["flooded", "also flooded", "quiet", "flooded", "also flooded", "quiet"]);
    }
}
