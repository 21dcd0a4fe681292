//! The rehearsal: a practice letter for everybody who takes a seat, and what we saw of their reply.
//!
//! Comes in: a letter that answers a practice letter. Goes out: an answer, and nothing else: no sheet changes, no press
//! is passed on, nobody is waited for. It is read by the same reader as any letter, on the opening position of the
//! game.

use crate::archive::{Address, DispatchKind, LetterId, OurLetter, Party, Role, Status};
use crate::desk::table::Table;
use crate::desk::table::answering::left_out;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::game::{Chance, Command, Commands, Count, Known, Owner, Phase, Reader, State, adjudicate, setup};
use crate::orders::{Bearings, Lens, Lexicon, Reading, Sheet, Written, holding, read, read_reply};
use crate::post::Writing;
use crate::post::style::{Placement, Rendering, Style};
use crate::report::letters::{self, Content, Snag, WrittenAt};
use crate::report::{self, Names, worded};
use crate::rules::{Civ, Language};

/// The most rulings before the first movement: two phases come before it.
const MOST_RULINGS: usize = 4;
/// So many letters at the head of a line of ours tell it from anybody else's.
const TELLING: usize = 30;

/// A piece of a line of ours is known from so many letters on.
const BROKEN: usize = 12;

/// Sends somebody their practice letter, where the group has agreed on it. Who writes in a forum has no mail program to
/// try.
pub(crate) fn invite(sitting: &mut Sitting, party: Party, about: String, in_reply_to: Option<&str>) -> bool {
    let Some(civ) = party.civ().filter(|_| sitting.table.agreed.rehearsal) else { return false };
    let own = sitting.table.seat(party).and_then(|seat| seat.mailbox(Role::Player));
    if !own.is_some_and(|own| sitting.house.is_mailbox(own)) {
        return false;
    }
    let Some(state) = position(&sitting.table) else { return false };
    let lines = proposed(&state, civ, sitting.words(party).language);
    let envelope = Envelope { kind: DispatchKind::Rehearsal, about, in_reply_to, to: None };
    let begun = sitting.table.game.status != Status::Inviting;
    sitting.write(party, envelope, &Content::Rehearsal { lines: &lines, begun });
    true
}

/// A letter in answer to a practice letter.
pub(crate) struct Practised<'a> {
    pub id: LetterId,
    pub civ: Civ,
    pub letter: &'a Writing,
    /// How the player's program made it; none where it was no mail.
    pub style: Option<Style>,
    /// The address it came from, which is answered.
    pub address: &'a Address,
    /// The letter of ours that it answers.
    pub answers: &'a OurLetter,
}

/// Tells somebody what we saw of their practice.
pub(crate) fn answer(sitting: &mut Sitting, practised: &Practised) {
    let Practised { civ, letter, style, .. } = practised;
    let Some(state) = position(&sitting.table) else { return };
    let party = Party::Seat(*civ);
    let edition = sitting.table.edition.clone();
    let templates = edition.templates(sitting.words(party).language);
    let known = Known::of(&state, Reader::Player(*civ));
    let bearings = Bearings::of(&known, *civ);
    let lens = Lens { lexicon: &edition.lexicon, bearings: Some(&bearings) };
    let mut lines = read_reply(&letter.text, lens, &[]);
    let arrival = practised.id.0 as u64;
    let (before, mut sheet) = (Sheet::default(), Sheet::default());
    holding::hold(&mut lines, &known, *civ, &before, arrival);
    let answers = sheet.add(&lines, state.phase(), arrival);
    let answered = report::ReadLetter {
        known: &known,
        history: &|_| None,
        civ: *civ,
        letter: &lines,
        answers: &answers,
        before: &before,
        sheet: &sheet,
        arrival,
        is_trial: true,
        around: &[],
    };
    let mut told = report::acknowledgement(templates, &answered);
    // What is still wanted of a practice is wanted by nobody.
    told.sheet.owed.clear();
    let ignored = left_out(letter);
    let begun = sitting.table.game.status != Status::Inviting;
    let proposed = proposed(&state, *civ, templates.language);
    let ours =
        letters::write(templates, &sitting.occasion(party).view(), &Content::Rehearsal { lines: &proposed, begun });
    let quoted = style.as_ref().map(|style| style.quoted.as_slice()).unwrap_or_default();
    // An answer of ours shows the player's own orders again, so only what is quoted of the practice letter itself tells
    // anything.
    let quoted = if practised.answers.kind == DispatchKind::Rehearsal { quoted } else { &[] };
    let has_no_order = told.stand + told.fall + told.understood.faults.len() == 0;
    let has_nothing = told.understood.nothing || letter.text.trim().is_empty();
    let snags = if is_sent_back(&ours.text, &letter.text) {
        vec![Snag::Unmarked]
    } else if has_no_order && has_orders(&edition.lexicon, quoted, &ours.text) {
        vec![Snag::Inside]
    } else if has_nothing && letter.attachments > 0 {
        vec![Snag::Attached]
    } else if has_nothing {
        vec![Snag::Nothing]
    } else {
        Vec::new()
    };
    let style = style.as_ref().map(|style| letters::Style {
        plain: style.rendering != Rendering::Html,
        html: style.rendering != Rendering::Plain,
        flowed: style.is_flowed,
        place: written_at(style.place),
    });
    let envelope = Envelope {
        kind: DispatchKind::Rehearsed,
        about: format!("letter-{}", practised.id.0),
        in_reply_to: letter.message_id.as_deref(),
        to: Some(practised.address),
    };
    sitting.write(party, envelope, &Content::Rehearsed { told: &told, ignored, style, snags: &snags, begun });
}

/// The position that is practised on: the opening of the game, when its first movement is to be written. Its chance is not
/// the game's, of which nobody may learn anything.
pub(in crate::desk) fn position(table: &Table) -> Option<State> {
    let chance = Chance::new([0; 32]);
    let silence = Commands { cut_off: true, ..Commands::default() };
    let (_, mut state) = setup::begin(&State::new(table.opening().ok()?), &chance);
    for _ in 0..MOST_RULINGS {
        if state.phase() == Phase::Movement {
            return Some(state);
        }
        (_, state) = adjudicate(&state, &silence, &chance);
    }
    None
}

/// Lines that can be played from there, in somebody's language: a walk, a phase that comes later, and the end.
fn proposed(state: &State, civ: Civ, language: Language) -> Vec<String> {
    let owner = Owner::Civ(civ);
    let map = &state.printed().map;
    let walk = state.areas_of(owner).filter(|area| state.tokens(*area, owner) > 0).find_map(|area| {
        let next = map.area(area).land.iter().find(|next| !state.ground(**next).out_of_play)?;
        Some(Command::Move { count: Count::Exactly(1), path: vec![area, *next] })
    });
    let names = Names::new(state.printed(), language);
    walk.into_iter().chain([Command::Pass, Command::Done]).map(|command| worded(names, &command)).collect()
}

/// Whether our own letter stands among somebody's words: whole lines of it, however they were broken.
fn is_sent_back(ours: &str, own: &str) -> bool {
    let own = squeezed(own);
    let lines = ours.lines().map(squeezed).filter(|line| line.chars().count() >= TELLING);
    lines.filter(|line| own.contains(&line.chars().take(TELLING).collect::<String>())).count() >= 2
}

/// Whether there are orders in a quotation that do not stand in the letter that is quoted. Its lines may have been broken.
pub(crate) fn has_orders(lexicon: &Lexicon, quoted: &[String], ours: &str) -> bool {
    let lines: Vec<String> = ours.lines().map(squeezed).collect();
    let whole = lines.concat();
    let is_ours =
        |line: &String| lines.contains(line) || line.chars().count() >= BROKEN && whole.contains(line.as_str());
    let changed = quoted.iter().filter(|line| !is_ours(&squeezed(line)));
    let is_order = |reading: &Reading| match reading {
        Reading::Written(Written::Orders(_) | Written::Always(_)) => true,
        Reading::Written(_)
        | Reading::Quoted
        | Reading::Remark
        | Reading::Press
        | Reading::Fault(_)
        | Reading::Beyond(_) => false,
    };
    let mut read = changed.flat_map(|line| read(line, lexicon));
    read.any(|line| line.pieces.iter().any(|piece| is_order(&piece.reading)))
}

/// A text without its spaces and marks, which mail programs change.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn written_at(place: Placement) -> WrittenAt {
    match place {
        Placement::Alone => WrittenAt::Alone,
        Placement::Above => WrittenAt::Above,
        Placement::Below => WrittenAt::Below,
        Placement::Between => WrittenAt::Between,
        Placement::Nowhere => WrittenAt::Nowhere,
    }
}
