//! Names of areas, civilizations, cards, advances and calamities under the cursor.

use super::*;

impl Cursor<'_> {
    /// The name of an area, or a fault.
    pub(crate) fn area(&mut self) -> Result<AreaId, Fault> {
        self.area_as(Sense::Any)
    }

    /// The name of an area of a kind: where only one of several can be meant, it is that one.
    pub(crate) fn area_as(&mut self, sense: Sense) -> Result<AreaId, Fault> {
        self.skip_to_area(&[Word::Filler]);
        if let Some((area, taken)) = self.western() {
            self.at += taken;
            self.last_area = Some(area);
            return Ok(area);
        }
        let found = match self.found_area() {
            Found::Nothing => self.lexicon.areas.begun_by_key(self.rest(), &vocabulary::stop),
            found @ (Found::Read { .. } | Found::Several { .. }) => found,
        };
        let found = match self.bearings {
            Some(bearings) => bearings.narrowed(found, sense),
            None => found,
        };
        let area = self.name(found, Named::Area, Expected::Area)?;
        self.last_area = Some(area);
        Ok(area)
    }

    /// The name of a civilization, or a fault.
    pub(crate) fn civ(&mut self, expected: Expected) -> Result<Civ, Fault> {
        self.takes(Word::Filler);
        self.name(self.demanded(&self.lexicon.civs), Named::Civ, expected)
    }

    /// The name of a trade card, or a fault.
    pub(crate) fn card(&mut self) -> Result<Face, Fault> {
        self.takes(Word::Filler);
        self.name(self.demanded(&self.lexicon.cards), Named::Card, Expected::Card)
    }

    /// The name of an advance, or a fault.
    pub(crate) fn advance(&mut self, expected: Expected) -> Result<Advance, Fault> {
        self.takes(Word::Filler);
        self.name(self.demanded(&self.lexicon.advances), Named::Advance, expected)
    }

    /// Whether the full name of an advance comes next.
    pub(crate) fn sees_full_advance(&self) -> bool {
        self.lexicon.advances.is_full(self.line, self.rest())
    }

    /// Whether an advance's name, full, begun or misspelt, comes next.
    pub(crate) fn sees_advance(&self) -> bool {
        self.finds(&self.lexicon.advances)
    }

    /// Takes the name of a group of advances.
    pub(crate) fn takes_group(&mut self) -> Option<Group> {
        match self.lexicon.groups.find(self.line, self.rest(), &vocabulary::stop, false) {
            Found::Read { what, taken, .. } => {
                self.at += taken;
                Some(what)
            }
            Found::Several { .. } | Found::Nothing => None,
        }
    }

    /// Takes the name of a calamity at the head of a line, or of Theocracy, which speaks of Iconoclasm and Heresy. A
    /// full name and a colon begin an order; any other name does where a wish follows, as `is_wish` says.
    pub(crate) fn takes_calamity(&mut self, is_wish: impl Fn(&[Lexeme]) -> bool) -> Option<Result<Calamity, Fault>> {
        let theocracy = match self.lexicon.advances.find(self.line, self.rest(), &vocabulary::stop, false) {
            Found::Read { what: Advance::Theocracy, taken, how } => {
                Some(Found::Read { what: Calamity::IconoclasmAndHeresy, taken, how })
            }
            Found::Read { .. } | Found::Several { .. } | Found::Nothing => None,
        };
        let found =
            theocracy.unwrap_or_else(|| self.lexicon.calamities.find(self.line, self.rest(), &vocabulary::stop, false));
        let (taken, how) = match &found {
            Found::Read { taken, how, .. } => (*taken, *how),
            Found::Several { taken, .. } => (*taken, How::Beginning),
            Found::Nothing => return self.calamity_afar(is_wish).map(Err),
        };
        let sign = self.rest().get(taken).map(|lexeme| &lexeme.kind);
        let has_colon = sign == Some(&LexemeKind::Colon);
        let joints = [LexemeKind::Hyphen, LexemeKind::Comma, LexemeKind::Arrow];
        let joint = usize::from(has_colon || sign.is_some_and(|sign| joints.contains(sign)));
        let wished = is_wish(&self.rest()[taken + joint..]);
        // `Re:` is no Regression.
        let is_long = self.span(taken).len() > 2;
        let begins = match how {
            How::Full => has_colon || wished,
            How::Beginning | How::Near => has_colon && wished && is_long,
        };
        if !begins {
            return self.calamity_afar(is_wish).map(Err);
        }
        let span = self.span(taken);
        match found {
            Found::Read { what, .. } => {
                self.at += taken + joint;
                if how == How::Near {
                    self.read_as.push(ReadAs { span, name: Named::Card(Face::Calamity(what)) });
                }
                Some(Ok(what))
            }
            Found::Several { candidates, .. } => {
                let candidates = candidates.into_iter().map(|what| Named::Card(Face::Calamity(what))).collect();
                Some(Err(Fault { span, expected: Expected::Calamity, candidates }))
            }
            Found::Nothing => None,
        }
    }

    /// What a calamity's name was meant to be, where words, a colon and a wish say that one was meant.
    pub(super) fn calamity_afar(&self, is_wish: impl Fn(&[Lexeme]) -> bool) -> Option<Fault> {
        let colon = self.rest().iter().position(|lexeme| lexeme.kind == LexemeKind::Colon)?;
        let head = self.rest()[..colon].iter().map(|lexeme| match &lexeme.kind {
            LexemeKind::Word(word) => Some(word.as_str()),
            _ => None,
        });
        let words: Vec<&str> = head.take(LONGEST_HEAD + 1).collect::<Option<_>>()?;
        if words.len() > LONGEST_HEAD || !is_wish(&self.rest()[colon + 1..]) {
            return None;
        }
        let candidates = vec![Named::Card(Face::Calamity(self.lexicon.calamities.afar(&words)?))];
        Some(Fault { span: self.span(colon), expected: Expected::Calamity, candidates })
    }

    /// Whether the full name of a card comes next.
    pub(crate) fn sees_full_card(&self) -> bool {
        self.lexicon.cards.is_full(self.line, self.rest())
    }

    /// Whether a card's name, full, begun or misspelt, comes next.
    pub(crate) fn sees_card(&self) -> bool {
        self.finds(&self.lexicon.cards)
    }

    /// Whether an area's name, full, begun or misspelt, comes next; an article before it does not matter.
    pub(crate) fn sees_area(&mut self) -> bool {
        let start = self.at;
        self.skip_to_area(&[Word::Filler]);
        let sees = self.western().is_some() || self.found_area() != Found::Nothing;
        self.at = start;
        sees
    }

    pub(super) fn found_area(&self) -> Found<AreaId> {
        let mut areas = self.areas.borrow_mut();
        let find = || find(&self.lexicon.areas, self.line, self.rest(), self.follows_place());
        areas.entry(self.at).or_insert_with(find).clone()
    }

    /// Whether a preposition of place stood before.
    pub(super) fn follows_place(&self) -> bool {
        self.at > 0 && Word::In.at(&self.lexemes[self.at - 1..]).is_some()
    }

    /// Several areas, joined by commas or `and`.
    pub(crate) fn areas(&mut self) -> Result<Vec<AreaId>, Fault> {
        self.areas_as(Sense::Any)
    }

    /// Several areas of a kind.
    pub(crate) fn areas_as(&mut self, sense: Sense) -> Result<Vec<AreaId>, Fault> {
        let mut areas = vec![self.area_as(sense)?];
        loop {
            self.skip_joints();
            if self.is_listed() {
                return Ok(areas);
            }
            self.skip_to_area(&[Word::City, Word::In]);
            areas.push(self.area_as(sense)?);
        }
    }
}
