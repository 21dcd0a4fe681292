//! A command of the moderator in words that can be sent back: what a preview prints, in the moderator's own language.
//!
//! Comes in: a command, and the phase it is meant for. Goes out: a line that [`commanding::read`] reads as that command again.

use super::commanding::{Instruction, NewDeadline, Newcomer, named, page_word, spelt};
use crate::companions::Temperament;
use crate::desk::settings::written::Length;
use crate::game::correction::Correction;
use crate::game::{Owner, TurnPhase};
use crate::orders::words::Small;
use crate::post::forum::ForumPlace;
use crate::report::{Names, Term};
use crate::rules::{Case, Language};

/// A command that is done when it is sent; none where it has several lines, which nobody types again.
pub(crate) fn said(command: &Instruction, phase: TurnPhase, names: Names) -> Option<String> {
    let verb = |verb: &str| spelt(verb, names.language);
    let guard = format!("{} {}", names.small(Small::ForPhase), named(phase, names.language));
    let civ = |civ| names.civ(civ);
    let plain = match command {
        Instruction::Status => return Some(verb("status").to_owned()),
        Instruction::Help => return Some(verb("help").to_owned()),
        Instruction::SetAside => return Some(verb("set aside").to_owned()),
        Instruction::Addresses => return Some(verb("addresses").to_owned()),
        Instruction::Page(wish) => return Some(page_word(*wish).said(names.language).to_owned()),
        Instruction::Release(number) => return Some(format!("{} {number}", verb("release"))),
        Instruction::Decide { number, yes } => {
            return Some(format!("{} {number}", verb(if *yes { "grant" } else { "refuse" })));
        }
        Instruction::Forget(address) => return Some(format!("{} {address}", verb("forget"))),
        // What is announced or ordered may end in anything, so the phase stands before it.
        Instruction::Announce(text) => {
            return one_line(text).map(|text| format!("{} {guard}: {text}", verb("announce")));
        }
        Instruction::Tell { to, text } => {
            let to: Vec<&str> = to.iter().map(|civ| names.civ(*civ)).collect();
            let to = if to.is_empty() { names.small(Small::Everybody).to_owned() } else { to.join(", ") };
            return one_line(text).map(|text| format!("{} {to}: {text}", verb("tell")));
        }
        Instruction::EditOrders { civ: whose, text } => {
            return one_line(text).map(|text| format!("{} {} {guard}: {text}", verb("edit"), civ(*whose)));
        }
        Instruction::EditPosition(change) => {
            let (of, what) = corrected(*change, names);
            return Some(format!("{} {of} {guard}: {what}", verb("edit")));
        }
        Instruction::Deadline(to) => format!("{} {}", verb("deadline"), deadline(*to)),
        Instruction::Process => verb("process").to_owned(),
        Instruction::Pause => verb("pause").to_owned(),
        Instruction::Resume => verb("resume").to_owned(),
        Instruction::AskNext(whose) => {
            let next = names.small(Small::Next);
            return Some(format!("{} {next} {}", names.small(Small::Ask), civ(*whose)));
        }
        Instruction::Standbys => return Some(verb("standby").to_owned()),
        Instruction::Keep { civ: whose, temperament } => {
            let manner = names.small(match temperament {
                Temperament::Settler => Small::Settler,
                Temperament::Merchant => Small::Merchant,
                Temperament::Raider => Small::Raider,
            });
            format!("{} {} {} {manner}", verb("replace"), civ(*whose), names.small(Small::Companion))
        }
        Instruction::Replace { civ: whose, person } => {
            format!("{} {} {}", verb("replace"), civ(*whose), newcomer(person))
        }
        Instruction::Deputy { civ: whose, person } => {
            let person = person.as_ref().map_or_else(|| names.small(Small::Nobody).to_owned(), newcomer);
            format!("{} {} {person}", verb("deputy"), civ(*whose))
        }
        Instruction::Rollback { to, reason } => {
            format!("{} {}{}", verb("rollback"), named(*to, names.language), because(reason.as_deref(), names))
        }
        Instruction::Withdraw { reason } => {
            one_line(reason.as_deref().unwrap_or("-"))?;
            format!("{}{}", verb("withdraw"), because(reason.as_deref(), names))
        }
        Instruction::Abandon { reason } => {
            one_line(reason.as_deref().unwrap_or("-"))?;
            format!("{}{}", verb("abandon"), because(reason.as_deref(), names))
        }
        Instruction::Eject(whose) => format!("{} {}", verb("eject"), civ(*whose)),
    };
    Some(format!("{plain} {guard}"))
}

fn because(reason: Option<&str>, names: Names) -> String {
    reason.map(|why| format!(" {} {why}", names.small(Small::Because))).unwrap_or_default()
}

fn one_line(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| text.lines().count() == 1)
}

fn deadline(to: NewDeadline) -> String {
    match to {
        NewDeadline::Later(later) => format!("+{}", length(later)),
        NewDeadline::Earlier(earlier) => format!("-{}", length(earlier)),
        NewDeadline::At(time) => time.format("%Y-%m-%d %H:%M").to_string(),
    }
}

/// A length in hours, which are written alike in both languages; in more words where it has no whole hours.
fn length(length: Length) -> String {
    match length.delta() {
        delta if delta.num_seconds() % 3600 == 0 => format!("{}h", delta.num_hours()),
        _ => length.to_string(),
    }
}

fn newcomer(person: &Newcomer) -> String {
    let address = match person.address.parse() {
        Ok(ForumPlace::Name(name)) => format!("@{name}"),
        Ok(_) | Err(_) => person.address.clone(),
    };
    let language = person.language.map(|language: Language| format!(" {}", language.code()));
    let zone = person.zone.map(|zone| format!(" {zone}")).unwrap_or_default();
    format!("{} <{address}>{}{zone}", person.name, language.unwrap_or_default())
}

/// What is set right, and how, as `edit` takes them before and behind its colon.
fn corrected(change: Correction, names: Names) -> (String, String) {
    let area = |area| format!("{} {}", names.small(Small::Area), names.area(area));
    // Polish says whose in the genitive.
    let of = |civ| names.civ_as(civ, names.either(Case::Nominative, Case::Genitive));
    let owner = |owner: Owner, barbarians: &'static str| match owner {
        Owner::Civ(civ) => of(civ).to_owned(),
        Owner::Barbarians => barbarians.to_owned(),
    };
    match change {
        Correction::Tokens { area: at, owner: whose, count } => {
            (area(at), format!("{count} {}", owner(whose, names.small(Small::OfBarbarians))))
        }
        Correction::City { area: at, owner: None } => (area(at), names.small(Small::NoCity).to_owned()),
        Correction::City { area: at, owner: Some(whose) } => {
            let whose = owner(whose, names.small(Small::OfPirates));
            (area(at), format!("{} {whose}", names.small(Small::City)))
        }
        Correction::Ships { area: at, civ, count } => {
            let ships = match names.language {
                Language::English => format!("{count} {}", names.small(Small::Ships)),
                Language::Polish => names.counted(count, Term::Ship),
            };
            (area(at), format!("{ships} {}", of(civ)))
        }
        Correction::Treasury { civ, amount } => {
            (names.civ(civ).to_owned(), format!("{} {amount}", names.small(Small::Treasury)))
        }
        Correction::Position { civ, position } => {
            (names.civ(civ).to_owned(), format!("{} {position}", names.small(Small::Step)))
        }
        Correction::Advance { civ, advance, held: true } => (names.civ(civ).to_owned(), names.advance_with(advance)),
        Correction::Advance { civ, advance, held: false } => {
            let advance = names.advance_as(advance, names.either(Case::Nominative, Case::Genitive));
            (names.civ(civ).to_owned(), format!("{} {advance}", names.small(Small::Without)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::commanding::read;
    use super::*;
    use crate::game::Phase;
    use crate::orders::Lexicon;
    use crate::rules::PrintedGame;

    /// Whatever language a command was written in, the preview prints it in the moderator's, with its phase; sent back it is done.
    #[test]
    fn what_a_preview_prints_can_be_sent_back() {
        let printed = PrintedGame::built_in().expect("the edition loads");
        let lexicon = Lexicon::new(&printed);
        let open = TurnPhase::new(4, Phase::Abilities);
        let commands = [
            "status",
            "help",
            "set aside",
            "release 17",
            "grant 2",
            "refuse 2",
            "addresses",
            "forget anna@example.org",
            "deadline +1day 6h",
            "deadline -90min",
            "deadline 2026-12-01 20:00",
            "process",
            "pause",
            "resume",
            "replace Celt Anna Nowak <anna.nowak@example.org> pl",
            "replace Celt Anna Nowak <anna.nowak@example.org> pl Europe/Warsaw",
            "deputy Egypt Anna Nowak <anna.nowak@example.org> Asia/Tokyo",
            "replace Egypt Anna Nowak <@anna>",
            "replace Egypt companion merchant",
            "zmień Egipt wbudowany najeźdźca",
            "ask next Egypt",
            "standby",
            "deputy Egypt Anna Nowak <anna.nowak@example.org>",
            "deputy Egypt none",
            "edit Egypt: tax 2",
            "edit area Knossos: 3 Minoa",
            "edit area Knossos: 0 barbarians",
            "edit area Eastern Armenia: city Celt",
            "edit area Knossos: city pirates",
            "edit area Knossos: no city",
            "edit area Knossos: 1 ship Minoa",
            "edit area Knossos: 2 ships Hatti",
            "edit Minoa: treasury 12",
            "edit Minoa: step 5",
            "edit Minoa: with Trade Routes",
            "edit Minoa: without Pottery",
            "rollback 1.movement because the map was wrong",
            "rollback 12.selection",
            "announce: the map is right: see for yourselves",
            "tell Egypt, Hatti: a word: with a colon",
            "tell all: tea",
            "eject Hellas",
            "devices",
            "forget devices",
            "new link",
            "copies on",
            "copies off",
        ];
        for text in commands {
            let meant = read(text, &lexicon).expect("a command").expect("it is right").command;
            for language in Language::ALL {
                let line = said(&meant, open, Names::new(&printed, language)).expect("it is one line");
                let again = read(&line, &lexicon).expect("a command");
                let again = again.unwrap_or_else(|wrong| panic!("{line}: {wrong:?}"));
                assert_eq!(again.command, meant, "{line}");
                assert_eq!(again.meant_for, Some(open).filter(|_| !meant.is_of_no_phase()), "{line}");
            }
        }
    }
}
