//! The post bag of a demo: how many letters a player gets in a turn, and how long they are.

use mail_parser::MessageParser;
use minijinja::context;

use super::super::club::{Kind, Posted};
use super::words::Words;

/// What the first edition sent to a player in a turn, for so many players: letters from, to.
const FIRST_EDITION: [(u8, u16, u16); 2] = [(5, 20, 30), (18, 71, 75)];

/// All letters to players, those that answer a letter of theirs apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PostBag {
    letters: u64,
    answers: u64,
    characters: u64,
}

impl PostBag {
    pub(crate) fn count(&mut self, posted: &Posted) {
        let (Some(_), Kind::Ours { answers, .. }) = (posted.civ, &posted.kind) else { return };
        match answers {
            Some(_) => self.answers += 1,
            None => self.letters += 1,
        }
        let message = MessageParser::default().parse(&posted.raw);
        let text = message.as_ref().and_then(|message| message.body_text(0));
        self.characters += text.map_or(0, |text| text.chars().count()) as u64;
    }

    /// What came to each player in each turn, beside the first edition's.
    pub(crate) fn told(&self, words: &Words, players: usize, turns: u16) -> String {
        let share = (players as f64 * f64::from(turns)).max(1.0);
        let each = |count: u64| format!("{:.1}", count as f64 / share);
        let first = FIRST_EDITION.iter().find(|(of, ..)| usize::from(*of) == players);
        let first = first.map(|(_, from, to)| context! { from, to });
        let characters = format!("{:.0}", self.characters as f64 / share);
        let (letters, answers) = (each(self.letters), each(self.answers));
        words.say("post_bag", context! { letters, answers, characters, first })
    }
}
