//! Seeded chance: every shuffle and draw follows from the seed, the purpose and a counter.
//!
//! A number is made of SHA-256 of `seed ‖ purpose ‖ 0 ‖ counter ‖ block` (counter and block as eight bytes, big end
//! first), read eight bytes at a time, so that anybody can check a draw with a common tool once the seed is published.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The secret of a game. How often it was asked stands in the state.
#[derive(Clone)]
pub struct Chance {
    seed: [u8; 32],
}

/// What a draw is for. Each purpose has a counter of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    /// The upper part of a stack of trade cards, when it is prepared.
    Top,
    /// The part below it.
    Below,
    /// R4.27: the card taken after an attack.
    Loot,
    /// R8.3, R8.4: the calamities that are discarded.
    Selection,
    /// R13.7: the discards that go under a stack.
    Reshuffle,
    /// The themes of a short game. setup.md 7.
    Theme,
}

/// How often chance was asked for each purpose; part of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Draws {
    top: u64,
    below: u64,
    loot: u64,
    selection: u64,
    reshuffle: u64,
    #[serde(default)]
    theme: u64,
}

impl Chance {
    /// Chance from the 32 bytes of a game.
    pub(crate) fn new(seed: [u8; 32]) -> Chance {
        Chance { seed }
    }

    /// Chance from a small number, for cases and tests.
    pub fn numbered(number: u64) -> Chance {
        Chance { seed: Sha256::digest(number.to_be_bytes()).into() }
    }

    /// The 32 bytes themselves.
    pub(crate) fn seed(&self) -> [u8; 32] {
        self.seed
    }

    /// The hash that is published when the game begins.
    pub(crate) fn commitment(&self) -> [u8; 32] {
        Sha256::digest(self.seed).into()
    }

    /// That hash in hexadecimal digits.
    pub(crate) fn commitment_in_hex(&self) -> String {
        in_hex(&self.commitment())
    }

    /// The seed itself in hexadecimal digits, for the end of the game.
    pub fn seed_in_hex(&self) -> String {
        in_hex(&self.seed)
    }

    /// One of `0..below`, all alike.
    pub(crate) fn pick(&self, purpose: Purpose, counter: u64, below: usize) -> usize {
        self.numbers(purpose, counter).below(below)
    }

    /// Shuffles the items in place.
    pub(crate) fn shuffle<T>(&self, purpose: Purpose, counter: u64, items: &mut [T]) {
        let mut numbers = self.numbers(purpose, counter);
        for last in (1..items.len()).rev() {
            items.swap(last, numbers.below(last + 1));
        }
    }

    fn numbers(&self, purpose: Purpose, counter: u64) -> Numbers<'_> {
        Numbers { chance: self, purpose, counter, block: 0, bytes: [0; 32], used: 32 }
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl std::fmt::Debug for Chance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Chance(sealed)")
    }
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Purpose::Top => "top",
            Purpose::Below => "below",
            Purpose::Loot => "loot",
            Purpose::Selection => "selection",
            Purpose::Reshuffle => "reshuffle",
            Purpose::Theme => "theme",
        }
    }
}

impl Draws {
    /// How often chance was asked for this.
    pub(crate) fn count(&self, purpose: Purpose) -> u64 {
        match purpose {
            Purpose::Top => self.top,
            Purpose::Below => self.below,
            Purpose::Loot => self.loot,
            Purpose::Selection => self.selection,
            Purpose::Reshuffle => self.reshuffle,
            Purpose::Theme => self.theme,
        }
    }

    /// Notes that it was asked once more.
    pub(crate) fn note(&mut self, purpose: Purpose) {
        match purpose {
            Purpose::Top => self.top += 1,
            Purpose::Below => self.below += 1,
            Purpose::Loot => self.loot += 1,
            Purpose::Selection => self.selection += 1,
            Purpose::Reshuffle => self.reshuffle += 1,
            Purpose::Theme => self.theme += 1,
        }
    }
}

struct Numbers<'a> {
    chance: &'a Chance,
    purpose: Purpose,
    counter: u64,
    block: u64,
    bytes: [u8; 32],
    used: usize,
}

impl Numbers<'_> {
    fn next(&mut self) -> u64 {
        if self.used == self.bytes.len() {
            let mut hash = Sha256::new();
            hash.update(self.chance.seed);
            hash.update(self.purpose.name());
            hash.update([0]);
            hash.update(self.counter.to_be_bytes());
            hash.update(self.block.to_be_bytes());
            self.bytes = hash.finalize().into();
            self.block += 1;
            self.used = 0;
        }
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes[self.used..self.used + 8]);
        self.used += 8;
        u64::from_be_bytes(word)
    }

    /// Numbers beyond the last whole multiple are thrown away, so that all results are alike.
    fn below(&mut self, below: usize) -> usize {
        let below = below.max(1) as u64;
        let limit = u64::MAX - u64::MAX % below;
        loop {
            let number = self.next();
            if number < limit {
                return (number % below) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_can_be_recomputed_with_sha_256_alone() {
        let chance = Chance::new([7; 32]);
        let mut text = vec![7u8; 32];
        text.extend(b"loot\0");
        text.extend(3u64.to_be_bytes());
        text.extend(0u64.to_be_bytes());
        let hash = Sha256::digest(&text);
        let number = u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"));
        assert_eq!(chance.pick(Purpose::Loot, 3, 1000), (number % 1000) as usize);
    }

    #[test]
    fn a_shuffle_keeps_every_card_and_depends_on_the_counter() {
        let chance = Chance::numbered(1);
        let shuffled = |counter| {
            let mut items: Vec<u32> = (0..52).collect();
            chance.shuffle(Purpose::Top, counter, &mut items);
            items
        };
        let mut sorted = shuffled(0);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..52).collect::<Vec<_>>());
        assert_eq!(shuffled(0), shuffled(0));
        assert_ne!(shuffled(0), shuffled(1));
    }

    #[test]
    fn picks_are_spread_evenly() {
        let chance = Chance::numbered(2);
        let mut seen = [0u32; 6];
        for counter in 0..6000 {
            seen[chance.pick(Purpose::Loot, counter, 6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
