//! Which games are open, as anybody may read it: no names, and nobody's address.

use minijinja::context;

use super::Gathering;
use super::gathering::Place;
use super::writing::{civs, lines, say};
use crate::archive::Stage;
use crate::desk::settings::game_file::Dealt;
use crate::desk::{Desk, DeskError};
use crate::game::Chance;
use crate::rules::Language;

impl Desk {
    /// The open games, and how one joins them.
    pub(in crate::desk) fn listed(&self, language: Language) -> Result<Vec<String>, DeskError> {
        let all = self.all_gatherings()?;
        if all.is_empty() {
            return Ok(lines(&say(&self.house, language, "no_games", context! {})));
        }
        let mut told = lines(&say(&self.house, language, "games", context! {}));
        told.extend(all.iter().map(|gathering| self.listed_one(gathering, language)));
        let example = all.first().map(|gathering| gathering.record.id.to_string()).unwrap_or_default();
        told.push(String::new());
        told.extend(lines(&say(&self.house, language, "how_to_join", context! { game => example })));
        Ok(told)
    }

    fn listed_one(&self, gathering: &Gathering, language: Language) -> String {
        let Gathering { record, game, meeting } = gathering;
        let claimed: Vec<_> = meeting.claims().into_iter().map(|(_, civ)| civ).collect();
        let free = meeting.free.iter().copied().filter(|civ| !claimed.contains(civ));
        let facts = context! {
            game => record.id.as_str(),
            title => record.title.as_str(),
            seats => meeting.free.len(),
            left => meeting.left(),
            waiting => meeting.at(Place::Waiting).count(),
            musters => meeting.stage == Stage::Mustering,
            approval => game.rules.approval,
            dealt => match game.rules.civilizations {
                Dealt::Chosen => "chosen",
                Dealt::Wished => "wished",
                Dealt::Drawn => "drawn",
            },
            free => civs(&self.house, language, free).join(", "),
            host => game.file.moderator.name.as_str(),
            seal => Chance::new(record.seed).commitment_in_hex(),
        };
        say(&self.house, language, "game", facts).trim_end().to_owned()
    }
}
