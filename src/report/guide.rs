//! The player's guide, from the texts that answer players in letters.
//!
//! Comes in: the words of a language. Goes out: Markdown, for the shell and for the order page.

use minijinja::{Value, context};

use super::help::Verb;
use super::{Names, Templates};
use crate::game::Phase;
use crate::rules::PrintedGame;

/// The most examples of one order: the help in a letter has all of them.
const MOST_EXAMPLES: usize = 6;

/// The guide, as Markdown.
pub(crate) fn guide(templates: &Templates, printed: &PrintedGame) -> String {
    let names = Names::new(printed, templates.language);
    let phases = Phase::ALL.into_iter().map(|phase| {
        let title = format!("{} {}", phase.number(), names.phase(phase));
        part(title, templates.help.of(Some(phase)).map(|(_, verb)| verb))
    });
    let any_time = templates.say("label", "any_time", context! {});
    let any_time = part(any_time, templates.help.of(None).map(|(_, verb)| verb));
    let parts: Vec<Value> = phases.chain([any_time]).flatten().collect();
    let general = templates.rules.numbered("G");
    let phases_line = general.first().and_then(|section| section.lines.first()).cloned().unwrap_or_default();
    let intro = templates.help.intro.lines().filter(|line| !line.trim().is_empty());
    let intro: Vec<String> = intro.map(str::to_owned).collect();
    let text = templates.letter("guide.md", context! { parts, intro, phases_line });
    format!("{}\n", text.trim_end())
}

/// The orders of a phase; none where it has none.
fn part<'v>(title: String, verbs: impl Iterator<Item = &'v Verb>) -> Option<Value> {
    let verbs: Vec<Value> = verbs
        .map(|verb| {
            let examples: Vec<String> = verb.examples.iter().take(MOST_EXAMPLES).cloned().collect();
            context! { says => verb.says.clone(), examples }
        })
        .collect();
    (!verbs.is_empty()).then(|| context! { title, verbs })
}
