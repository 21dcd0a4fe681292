//! Dice for the generators: small, and the same for the same seed.

/// A sequence of numbers that follows from a seed.
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// SplitMix64.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// One of `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below.max(1) as u64) as usize
    }

    /// A number between two, both included.
    pub fn between(&mut self, least: u16, most: u16) -> u16 {
        least + self.below(usize::from(most.saturating_sub(least)) + 1) as u16
    }

    /// True in so many of a hundred throws.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).cloned()
    }

    /// One of the preferred items in so many of a hundred throws, if there are any; else one of all.
    pub fn prefer<T: Clone>(&mut self, percent: usize, preferred: &[T], all: &[T]) -> Option<T> {
        let items = if preferred.is_empty() || !self.percent(percent) { all } else { preferred };
        self.pick(items)
    }

    /// The items in another sequence.
    pub fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }
}
