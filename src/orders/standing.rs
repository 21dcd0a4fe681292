//! Standing orders: the answer to later questions that no line on the sheet answers.

use super::sheet::Entry;
use crate::game::Command;
use crate::game::command::Wish;

/// The answer no to what a command would do; none where there is nothing to say no to.
pub(crate) fn never(command: &Command) -> Option<Command> {
    match command {
        Command::BuildCity { area, .. } => Some(Command::BuildNoCity { area: Some(*area) }),
        Command::BuildNoCity { .. } => None,
        Command::Loot { treasury, card } => {
            Some(Command::Loot { treasury: treasury.map(|_| 0), card: card.map(|card| !card) })
        }
        Command::Buy { .. } => Some(Command::Pass),
        Command::Use { .. } => Some(Command::Use { ability: None }),
        Command::Select { .. } => Some(Command::Select { areas: Vec::new() }),
        Command::Wish { calamity, wish: Wish::Lose(areas) } => {
            let areas = areas.iter().map(|(area, _)| *area).collect();
            Some(Command::Wish { calamity: *calamity, wish: Wish::Spare(areas) })
        }
        Command::Wish { calamity, wish: Wish::Pay(_) } => {
            Some(Command::Wish { calamity: *calamity, wish: Wish::Pay(Some(0)) })
        }
        Command::Reduce { areas } => Some(Command::Wish { calamity: None, wish: Wish::Spare(areas.clone()) }),
        _ => None,
    }
}

/// Whether a standing order is wanted: no line of the player answers the same question.
pub(crate) fn is_wanted(standing: &Entry, lines: &[&Entry]) -> bool {
    !lines.iter().any(|line| answers_same(&standing.command, &line.command))
}

fn answers_same(a: &Command, b: &Command) -> bool {
    match (a, b) {
        (Command::MaintainShip { area: a, .. }, Command::MaintainShip { area: b, .. })
        | (Command::Delay { area: a }, Command::Delay { area: b })
        | (Command::Substitute { area: a, .. }, Command::Substitute { area: b, .. }) => a == b,
        // Whoever says what they build has said what they do not.
        (
            Command::BuildCity { .. } | Command::BuildNoCity { .. },
            Command::BuildCity { .. } | Command::BuildNoCity { area: None },
        ) => true,
        (Command::Buy { .. } | Command::Pass, Command::Buy { .. } | Command::Pass) => true,
        (Command::Wish { calamity: a, wish: x }, Command::Wish { calamity: b, wish: y }) => {
            a == b && std::mem::discriminant(x) == std::mem::discriminant(y)
        }
        // Each of them takes what fits it.
        (Command::AcceptAny { .. }, Command::AcceptAny { .. }) => false,
        (Command::Use { ability: Some(a) }, Command::Use { ability: Some(b) }) => a.advance() == b.advance(),
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
