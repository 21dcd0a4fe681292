//! `cursus demo`: a whole game by mail between built-in players, told turn by turn.
//!
//! Comes in: how many players, a seed, who plays themselves, and how much is to be told. Goes out: what a newcomer can
//! follow, the same for the same seed; and a folder with every letter of the game. The game is played by the real
//! daemon on a spool and SQLite.

mod brief;
mod chart;
mod copyist;
mod folder;
mod guest;
mod index;
mod pack;
mod page;
mod post_bag;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use mail_parser::MessageParser;
use minijinja::context;

use self::brief::Entry;
use self::copyist::{Copyist, keep_picture, picture_of};
use self::guest::{Guest, Sends};
use self::index::Growth;
use self::post_bag::PostBag;
use self::words::{Words, folded, wrapped};
use super::club::{Club, Kind, Outcome, Posted, Rules, Written};
use super::session::Tally;
use crate::companions::Temperament;
use crate::game::{Known, Reader, State, Witnessed, scoring};
use crate::orders::{Lexicon, Reading, read};
use crate::report::Names;
use crate::report::map::Changes;
use crate::report::names::listed;
use crate::rules::{Civ, Language, PrintedGame, Scenario};

/// The most turns anybody would watch.
const MOST_TURNS: u16 = 100;
/// So many rounds of mail a turn never takes, unless somebody at the table writes.
const MOST_ROUNDS: usize = 400;

/// What somebody wants to see.
#[derive(Debug, Clone)]
pub struct Wish {
    pub players: u8,
    /// How many turns are played; none is to the end of the game.
    pub turns: Option<u16>,
    /// The seed of all chance.
    pub seed: u64,
    /// Whether everything is told, not only what one would remember of a turn.
    pub long: bool,
    /// The language of the letters and of what is told.
    pub language: Language,
    /// The civilization that somebody plays themselves, at the keyboard.
    pub me: Option<String>,
    /// Where the letters are left; none leaves nothing.
    pub out: Option<PathBuf>,
}

/// What a spectator sees at some moment.
pub(crate) struct Shown<'a> {
    pub state: &'a State,
    pub seats: &'a BTreeMap<Civ, Temperament>,
    /// What was written and what became of it.
    pub tally: Tally,
}

/// Plays the game and tells it. A progress bar runs on a terminal.
pub fn demo(printed: PrintedGame, wish: &Wish, out: &mut dyn Write) -> anyhow::Result<Tally> {
    let printed = Arc::new(printed);
    let most = wish.turns.unwrap_or(MOST_TURNS);
    if !(1..=MOST_TURNS).contains(&most) {
        bail!("--turns {most}: a demo has 1 to {MOST_TURNS} turns");
    }
    let me = wish.me.as_deref().map(|name| seat(&printed, wish.players, name)).transpose()?;
    let scenario = scenario_with(&printed, wish.players, me)?;
    let words = Words::new(&printed, wish.language)?;
    let desk = folder::Workplace::clear(wish.out.as_deref())?;
    let rules = Rules {
        scenario,
        seed: wish.seed,
        language: wish.language,
        html: desk.is_kept(),
        me,
        title: words.word("demo", "title"),
        excuse: words.word("demo", "excuse"),
        people: people(&words, scenario),
        guest: me.map_or(String::new(), |civ| words.names.civ(civ).to_owned()),
        moderator: words.word("demo", "moderator"),
    };
    let mut club = Club::found(&printed, rules, desk.path())?;
    let copyist = desk.is_kept().then(|| Copyist::begin(desk.path(), wish.language)).transpose()?;
    let guest = me.map(|_| Guest::seat(desk.path())).transpose()?;
    let page = guest.as_ref().zip(me).map(|(guest, me)| club.open_page(me, guest.knocker())).transpose()?;
    let bar = if me.is_some() { ProgressBar::hidden() } else { bar(wish, &printed)? };
    let mut show = Show {
        words: &words,
        wish,
        me,
        club,
        copyist,
        visitor: Visitor { guest, page: page.as_ref().map(|(_, link)| link.as_str()), waiting: Vec::new() },
        folder: desk.path(),
        bar,
        out,
        lexicon: Lexicon::new(&printed),
        counted: Counted::default(),
        told: Told::default(),
    };
    show.play(most)?;
    let Show { mut club, copyist, bar, counted: Counted { tally, bag }, told: Told { story, growth }, out, .. } = show;
    let (state, seats) = (club.table()?.state.clone(), club.seats());
    // Nobody asks any more, and the archive is closed before the page says where it lies.
    drop(page);
    if desk.is_kept() {
        club.close()?
    } else {
        drop(club)
    }
    let mut open = None;
    if let Some(copyist) = copyist {
        bar.set_message(words.word("demo", "bar_pages"));
        let record = index::Record { state: &state, story, growth, letters: copyist.finish()? };
        open = Some(index::write(&desk, &words, &record)?);
        desk.clear_mailboxes();
    }
    bar.finish_and_clear();
    out.write_all(page::closing(&words, &Shown { state: &state, seats: &seats, tally }, wish).as_bytes())?;
    let turns = state.turn() - u16::from(!state.has_ended());
    writeln!(out, "\n{}", wrapped(&bag.told(&words, seats.len(), turns), "", "").trim_end())?;
    if let Some(path) = open {
        let path = path.canonicalize().unwrap_or(path);
        writeln!(out, "\n{}", words.say("open", context! { path => path.display().to_string() }))?;
    }
    Ok(tally)
}

/// A demo under way.
struct Show<'a, 'w> {
    words: &'a Words<'a>,
    wish: &'a Wish,
    me: Option<Civ>,
    club: Club,
    copyist: Option<Copyist>,
    visitor: Visitor<'a>,
    folder: &'a Path,
    bar: ProgressBar,
    out: &'w mut dyn Write,
    lexicon: Lexicon,
    counted: Counted,
    told: Told,
}

/// How somebody takes part who plays along.
struct Visitor<'a> {
    guest: Option<Guest>,
    /// The link of the player's order page.
    page: Option<&'a str>,
    /// Letters to the person at the table that the person has not seen.
    waiting: Vec<Posted>,
}

/// What was counted of a demo so far.
#[derive(Default)]
struct Counted {
    tally: Tally,
    bag: PostBag,
}

/// What was told of a demo so far.
#[derive(Default)]
struct Told {
    story: Vec<(u16, Vec<Entry>)>,
    growth: BTreeMap<Civ, Growth>,
}

/// Whether the person at the table is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    Stays,
    Leaves,
}

impl Show<'_, '_> {
    /// Plays and tells turn after turn.
    fn play(&mut self, most: u16) -> anyhow::Result<()> {
        let words = self.words;
        let seats = self.club.seats();
        let first = self.club.table()?.state.clone();
        let shown = Shown { state: &first, seats: &seats, tally: self.counted.tally };
        let mut opening = page::opening(words, &shown, self.wish, self.me);
        if let Some(guest) = &self.visitor.guest {
            let folder = guest.folder().canonicalize().unwrap_or_else(|_| guest.folder().to_owned());
            let drop = words.say("drop", context! { folder => folder.display().to_string() });
            opening += &(wrapped(&drop, "", "") + "\n");
        }
        if let Some(link) = self.visitor.page {
            opening += &(wrapped(&words.say("browser", context! { link }), "", "") + "\n");
        }
        self.say(&opening)?;
        self.note_growth(&first);
        self.draw(0, &first, Changes::default());
        let (mut has_sample, mut known, mut explained) = (self.me.is_some(), 0, BTreeSet::new());
        // When a turn ends, the first letters of the next are written already.
        let mut early: Vec<Written> = Vec::new();
        loop {
            let before = self.club.table()?.state.clone();
            let turn = before.turn();
            if before.has_ended() || turn > most {
                break;
            }
            self.say(&page::turn(words, turn))?;
            let company = self.play_turn(turn)?;
            let letters = self.club.take_letters();
            letters.iter().for_each(|letter| count(&mut self.counted.tally, letter, &self.lexicon));
            if company == Company::Leaves {
                self.say(&format!("\n{}\n\n", words.word("demo", "farewell")))?;
                break;
            }
            let events = self.club.archive().events(&"demo".into(), known + 1)?;
            known += events.len() as u64;
            events.iter().for_each(|event| self.counted.tally.note(event));
            let after = self.club.table()?.state.clone();
            let (next, now) = early.into_iter().chain(letters).partition(|letter| letter.turn > turn);
            early = next;
            if !has_sample && let Some(letter) = page::sample(words, &after, &now) {
                self.say(&letter)?;
                has_sample = true;
            }
            let entries = brief::turn(words, &before, &after, &events);
            if self.wish.long {
                let reader = self.me.map_or(Reader::Onlooker, Reader::Player);
                self.say(&page::told(words, &before, &events, reader))?;
                self.say("\n")?;
            } else {
                self.say(&page::entries(words, &entries, &mut explained))?;
            }
            self.told.story.push((turn, entries));
            self.note_growth(&after);
            self.draw(turn, &after, Changes::seen(&Witnessed::of(&before, &events, Reader::Public)));
            self.club.sweep()?;
        }
        self.show_letters()
    }

    /// Lets the mail go to and fro until the turn is over.
    fn play_turn(&mut self, turn: u16) -> anyhow::Result<Company> {
        let mut rounds = 0;
        while rounds < MOST_ROUNDS {
            let state = &self.club.table()?.state;
            if state.has_ended() || state.turn() != turn {
                return Ok(Company::Stays);
            }
            let phase = self.words.names.phase(state.phase());
            self.bar.set_message(self.words.say("bar", context! { turn, phase }));
            self.bar.set_position(match self.wish.turns {
                Some(_) => u64::from(turn - 1),
                None => state.ranking().map(|civ| u64::from(state.holding(civ).position)).max().unwrap_or(0),
            });
            let outcome = self.club.round()?;
            self.pass_on();
            match outcome {
                Outcome::Open => rounds += 1,
                Outcome::Waits => {
                    rounds = 0;
                    self.show_letters()?;
                    if self.ask()? == Company::Leaves {
                        return Ok(Company::Leaves);
                    }
                    self.pass_on();
                }
            }
        }
        bail!("turn {turn} does not come to its end");
    }

    /// Hands the letters that have passed to the copyist; those to the person at the table the person is to see.
    fn pass_on(&mut self) {
        for posted in self.club.take_posted() {
            if self.me.is_some() && posted.civ == self.me && matches!(posted.kind, Kind::Ours { .. }) {
                self.visitor.waiting.push(posted.clone());
            }
            self.counted.bag.count(&posted);
            if let Some(copyist) = &self.copyist {
                let heading = index::between(self.words, posted.civ, &posted.kind);
                copyist.letter(posted, heading);
            }
        }
    }

    /// Prints the letters that have come for the person at the table. Of several boards of offers only the last is news.
    fn show_letters(&mut self) -> anyhow::Result<()> {
        let letters = std::mem::take(&mut self.visitor.waiting);
        let is_board = |posted: &Posted| matches!(&posted.kind, Kind::Ours { name, .. } if name == "board");
        let mut boards = letters.iter().filter(|posted| is_board(posted)).count();
        let earlier = boards.saturating_sub(1);
        for posted in &letters {
            if is_board(posted) {
                boards -= 1;
                if boards > 0 {
                    continue;
                }
            }
            let Some(message) = MessageParser::default().parse(&posted.raw) else { continue };
            let head = self.words.say("mail_head", context! { subject => message.subject().unwrap_or_default() });
            let mut text = wrapped(&head, "✉ ", "  ") + "\n";
            text += &folded(message.body_text(0).unwrap_or_default().trim_end());
            if is_board(posted) && earlier > 0 {
                text += &format!("{}\n", self.words.say("mail_more", context! { count => earlier }));
            }
            if let (true, Some(png)) = (self.copyist.is_some(), picture_of(&message)) {
                let path = self.folder.join(keep_picture(self.folder, png)?);
                let path = path.canonicalize().unwrap_or(path);
                text += &format!("{}\n", self.words.say("mail_map", context! { path => path.display().to_string() }));
            }
            self.say(&(text + "\n"))?;
        }
        Ok(())
    }

    /// Asks the person at the table for a letter, and sends it.
    fn ask(&mut self) -> anyhow::Result<Company> {
        let words = self.words;
        let Some((guest, me)) = self.visitor.guest.as_mut().zip(self.me) else { return Ok(Company::Leaves) };
        let table = self.club.table()?;
        let phase = table.is_running().then(|| words.names.phase(table.state.phase()));
        let prompt = words.say("ask", context! { civ => words.names.civ(me), turn => table.state.turn(), phase });
        write!(self.out, "{}", wrapped(&prompt, "", ""))?;
        loop {
            self.out.flush()?;
            let club = &mut self.club;
            match guest.letter(|| club.attend())? {
                Sends::Page => {
                    writeln!(self.out, "{}\n", words.word("demo", "sent_page"))?;
                    return Ok(Company::Stays);
                }
                Sends::Typed(text) => {
                    self.club.write(&text)?;
                    writeln!(self.out, "{}\n", words.word("demo", "sent"))?;
                    return Ok(Company::Stays);
                }
                Sends::Text { file, text } => {
                    self.club.write(&text)?;
                    writeln!(self.out, "{}\n", words.say("sent_file", context! { file }))?;
                    return Ok(Company::Stays);
                }
                Sends::Mail { file, raw } => {
                    self.club.send(&raw)?;
                    writeln!(self.out, "{}\n", words.say("sent_file", context! { file }))?;
                    return Ok(Company::Stays);
                }
                Sends::Unfit { file, why } => {
                    writeln!(self.out, "{}\n", words.say("not_sent", context! { file, why }))?;
                }
                Sends::Leaves => return Ok(Company::Leaves),
            }
        }
    }

    fn note_growth(&mut self, state: &State) {
        for score in scoring::scores(state) {
            let growth = self.told.growth.entry(score.civ).or_default();
            growth.points.push(score.total());
            growth.steps.push(u16::from(state.holding(score.civ).position));
        }
    }

    fn draw(&self, turn: u16, state: &State, changes: Changes) {
        let title = match turn {
            0 => self.words.word("page", "map_start"),
            turn => self.words.page("map_turn", context! { turn }),
        };
        if let Some(copyist) = &self.copyist {
            copyist.map(Known::of(state, Reader::Public), changes, self.wish.language, title);
        }
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        let out = &mut *self.out;
        Ok(self.bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?)
    }
}

/// What everybody is called, whatever the player turns out to be.
fn people(words: &Words, scenario: &Scenario) -> BTreeMap<(Civ, Temperament), String> {
    let name = |civ: Civ, temperament: Temperament| {
        let civilization = words.names.civ(civ);
        ((civ, temperament), words.say(temperament.name(), context! { civ => civilization }))
    };
    let civs = scenario.civilizations.iter();
    civs.flat_map(|civ| Temperament::ALL.map(|temperament| name(*civ, temperament))).collect()
}

/// The bar shows how far the first marker is on the A.S.T., or how many of the turns are played.
fn bar(wish: &Wish, printed: &PrintedGame) -> anyhow::Result<ProgressBar> {
    let length = wish.turns.map_or(u64::from(printed.ast.basic.last_step), u64::from);
    let style = ProgressStyle::with_template("{bar:32} {percent:>3}%  {elapsed}  {wide_msg}");
    let bar = ProgressBar::new(length).with_style(style.context("the progress bar is drawn")?);
    bar.enable_steady_tick(Duration::from_millis(250));
    Ok(bar)
}

/// Counts what stands in a letter.
fn count(tally: &mut Tally, letter: &Written, lexicon: &Lexicon) {
    tally.written.letters += 1;
    for piece in read(&letter.text, lexicon).iter().flat_map(|line| &line.pieces) {
        match piece.reading {
            Reading::Written(_) => tally.written.orders += 1,
            Reading::Fault(_) => tally.written.faults += 1,
            Reading::Quoted | Reading::Remark | Reading::Press | Reading::Beyond(_) => {}
        }
    }
}

/// The first scenario for so many players.
pub fn scenario(printed: &PrintedGame, players: u8) -> anyhow::Result<&Scenario> {
    scenario_with(printed, players, None)
}

/// The first scenario for so many players in which somebody has a seat.
fn scenario_with(printed: &PrintedGame, players: u8, me: Option<Civ>) -> anyhow::Result<&Scenario> {
    let counts = || printed.scenarios.iter().map(|scenario| scenario.players);
    let fits =
        |scenario: &&Scenario| scenario.players == players && me.is_none_or(|me| scenario.civilizations.contains(&me));
    printed.scenarios.iter().find(fits).with_context(|| {
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        format!("--players {players}: the game is for {least} to {most} players")
    })
}

/// The civilization that somebody names, in either language, whole or begun.
fn seat(printed: &PrintedGame, players: u8, name: &str) -> anyhow::Result<Civ> {
    scenario(printed, players)?;
    let plays = |civ: Civ| {
        let with = printed.scenarios.iter().filter(move |scenario| scenario.civilizations.contains(&civ));
        with.map(|scenario| scenario.players).collect::<BTreeSet<u8>>()
    };
    let all: Vec<Civ> = (0..printed.civilizations.len()).map(|number| Civ(number as u8)).collect();
    let wanted = name.trim().to_lowercase();
    let is = |civ: &Civ, fits: &dyn Fn(&str) -> bool| {
        Language::ALL.into_iter().any(|language| fits(&Names::new(printed, language).civ(*civ).to_lowercase()))
    };
    let exact: Vec<Civ> = all.iter().copied().filter(|civ| is(civ, &|known| known == wanted)).collect();
    let begun = || all.iter().copied().filter(|civ| !wanted.is_empty() && is(civ, &|known| known.starts_with(&wanted)));
    let found = if exact.is_empty() { begun().collect() } else { exact };
    let names = |civs: &[Civ]| listed(civs.iter().map(|civ| Names::english(printed).civ(*civ)));
    let seated: Vec<Civ> = all.iter().copied().filter(|civ| plays(*civ).contains(&players)).collect();
    // Long lists are broken like everything that is read on a terminal.
    let choice = || wrapped(&format!("with {players} players choose one of {}", names(&seated)), "", "");
    match found[..] {
        [civ] if plays(civ).contains(&players) => Ok(civ),
        [civ] => {
            let counts: Vec<String> = plays(civ).iter().map(u8::to_string).collect();
            let first = counts.first().cloned().unwrap_or_default();
            bail!(
                "--me {name}: {} plays in games of {}; add --players {first}, or\n{}",
                names(&[civ]),
                counts.join(", "),
                choice().trim_end()
            )
        }
        [] => bail!("--me {name}: there is no such civilization;\n{}", choice().trim_end()),
        _ => bail!("--me {name}: this may be {}; write more of the name", names(&found)),
    }
}
