//! Random lines of phases 6 and 7.

use cursus::rules::{Advance, Civ, Face};

use super::letters::Pen;
use super::movement;

impl Pen<'_> {
    /// A line of phase 6.
    pub fn purchase(&mut self) -> String {
        let sold =
            [(9, None), (2, Some(Advance::Cartography)), (3, Some(Advance::Rhetoric)), (8, Some(Advance::Mining))];
        let open = sold.iter().filter(|(_, advance)| advance.is_none_or(|advance| self.has(advance)));
        let open: Vec<_> = open.map(|(stack, _)| *stack).collect();
        let stack = self.dice.prefer(90, &open, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap_or(9);
        let count = self.dice.between(1, 2);
        let free = self.has(Advance::WonderOfTheWorld) || self.dice.percent(5);
        let rich = self.state.holding(self.civ).treasury >= 15 || self.dice.percent(10);
        match self.dice.below(20) {
            0..=5 if rich => {
                self.either(&format!("buy {count} from stack {stack}"), &format!("kup {count} z talii {stack}"))
            }
            6..=11 => {
                let keep = self.dice.between(0, 10);
                self.either(
                    &format!("buy up to {count} from stack {stack} until calamity keep {keep}"),
                    &format!("kup najwyżej {count} z talii {stack} do katastrofy zostaw {keep}"),
                )
            }
            12..=18 if free => {
                let cities = u16::from(self.state.city_count(self.civ));
                let stack = self.dice.between((cities + 1).min(9), 9);
                self.either(&format!("buy 1 from stack {stack} free"), &format!("kup 1 z talii {stack} za darmo"))
            }
            12..=18 => movement::order(self),
            _ => self.either("pass", "pas"),
        }
    }

    /// A line of phase 7.
    pub fn trade(&mut self) -> String {
        let offers = &self.state.progress().offers;
        let open: Vec<_> = offers.iter().filter(|offer| offer.open).map(|offer| offer.number).collect();
        let number = self.dice.pick(&open).unwrap_or(1);
        let few = self.state.holding(self.civ).hand.len() < 3;
        if few && !self.dice.percent(10) {
            return self.either("done", "koniec");
        }
        match self.dice.below(12) {
            0..=5 => self.offer(),
            6..=9 => self.accept(),
            10 => format!("{} {number}", self.either("decline", "odrzucam")),
            _ => format!("{} {number}", self.either("withdraw", "wycofaj")),
        }
    }

    fn offer(&mut self) -> String {
        let others: Vec<_> = self.state.holdings().iter().filter(|other| other.civ != self.civ).collect();
        let other = others[self.dice.below(others.len())];
        let to = if self.dice.percent(30) {
            self.either("all", "wszystkich")
        } else {
            self.state.printed().civilizations[usize::from(other.civ.0)].name.clone()
        };
        let gives = self.tradeable(self.civ);
        let count = [2, 3, 3, 3, 3, 4, 4, 5][self.dice.below(8)];
        let gives: Vec<_> = gives.into_iter().take(count).map(|face| self.card(face)).collect();
        let wanted = self.tradeable(other.civ);
        let names = self.dice.below(3);
        let mut wants: Vec<_> = wanted.iter().take(names).map(|face| self.card(*face)).collect();
        wants.resize(3 + self.dice.below(2), self.either("any", "dowolna"));
        let says = if self.dice.percent(20) { self.either(" saying salt", " mówiąc salt") } else { String::new() };
        let (gives, wants) = (gives.join(", "), wants.join(", "));
        self.either(
            &format!("offer to {to}: {gives} for {wants}{says}"),
            &format!("oferta dla {to}: {gives} za {wants}{says}"),
        )
    }

    fn accept(&mut self) -> String {
        let open = |offer: &&cursus::game::trade::Offer| offer.is_open_to(self.civ);
        let offers: Vec<_> = self.state.progress().offers.iter().filter(open).collect();
        let Some(offer) = self.dice.pick(&offers) else { return self.offer() };
        let mut hand = self.tradeable(self.civ);
        // What is asked for comes first.
        for name in offer.names.iter().take(2).rev() {
            if let Some(index) = hand.iter().rposition(|face| face == name) {
                let face = hand.remove(index);
                hand.insert(0, face);
            }
        }
        let gives: Vec<_> = hand.into_iter().take(usize::from(offer.wants)).map(|face| self.card(face)).collect();
        let (number, gives) = (offer.number, gives.join(", "));
        self.either(&format!("accept {number} with {gives}"), &format!("przyjmuję {number} dając {gives}"))
    }

    /// The name of a card.
    pub fn card(&self, face: Face) -> String {
        let printed = self.state.printed();
        match face {
            Face::Water => "Water".to_owned(),
            Face::Commodity(commodity) => printed.commodities[usize::from(commodity.0)].name.clone(),
            Face::Calamity(calamity) => printed.calamities[calamity as usize].name.clone(),
            Face::Unseen | Face::UnseenCalamity => unreachable!("no card of a game is unseen"),
        }
    }

    /// Commodities first, in any sequence, and now and then a calamity.
    fn tradeable(&mut self, civ: Civ) -> Vec<Face> {
        let hand = self.dice.shuffled(self.state.holding(civ).hand.clone());
        let mut faces: Vec<_> = hand.into_iter().map(|card| card.face).collect();
        if self.dice.percent(70) {
            faces.retain(|face| !matches!(face, Face::Calamity(_)));
        }
        faces
    }
}
