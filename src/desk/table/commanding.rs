//! What a moderator may command, and how it is written.
//!
//! Comes in: a line of the moderator's letter, or what was typed at the door. Goes out: an [`Instruction`] and the phase it is meant for, or what
//! is wrong with it. `for 4.movement` at its end names the phase: then it is done, if that phase is still open. Without it
//! the moderator is shown what it would do.

use chrono::NaiveDateTime;
use minijinja::context;

use crate::companions::Temperament;
use crate::desk::settings::written::{Length, Zone};
use crate::game::correction::Correction;
use crate::game::{Owner, Phase, TurnPhase};
use crate::orders::Lexicon;
use crate::orders::asking::PageWish;
use crate::orders::words::Word;
use crate::post::forum::ForumPlace;
use crate::report::Templates;
use crate::rules::names::{fold, nearest};
use crate::rules::{AreaId, Civ, Language};

/// A command of the moderator.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Instruction {
    /// How the game stands.
    Status,
    /// What the moderator may write.
    Help,
    /// The open cut-off moves.
    Deadline(NewDeadline),
    /// The open phase is ruled now, on what is filed.
    Process,
    Pause,
    Resume,
    /// What a player has proposed is done, or not.
    Decide {
        number: u16,
        yes: bool,
    },
    /// Another person takes a seat.
    Replace {
        civ: Civ,
        person: Newcomer,
    },
    /// A built-in player keeps a seat.
    Keep {
        civ: Civ,
        temperament: Temperament,
    },
    /// The next of those who stand by is asked to take a seat over.
    AskNext(Civ),
    /// Who stands by to take a seat over.
    Standbys,
    /// Somebody may answer for a player during an absence; none is nobody.
    Deputy {
        civ: Civ,
        person: Option<Newcomer>,
    },
    /// Orders are put on a player's sheet.
    EditOrders {
        civ: Civ,
        text: String,
    },
    /// Something on the board is set right.
    EditPosition(Correction),
    /// The game goes back to the beginning of a phase.
    Rollback {
        /// The turn and the phase.
        to: TurnPhase,
        reason: Option<String>,
    },
    /// Everybody is told something.
    Announce(String),
    /// Some players are told something, or all of them where none is named.
    Tell {
        to: Vec<Civ>,
        text: String,
    },
    /// A player leaves the game for good.
    Eject(Civ),
    /// The game does not begin at all.
    Withdraw {
        reason: Option<String>,
    },
    /// The game ends as it is, without a winner.
    Abandon {
        reason: Option<String>,
    },
    /// Which letters were set aside.
    SetAside,
    /// One of them is handled after all.
    Release(u32),
    /// From where the moderator writes themselves.
    Addresses,
    /// No more from there.
    Forget(String),
    /// Something about the moderator's own page.
    Page(PageWish),
}

impl Instruction {
    /// Whether it changes nothing in the game, so that it is done at once, whatever phase is open.
    pub(crate) fn is_of_no_phase(&self) -> bool {
        match self {
            Instruction::Status | Instruction::Help | Instruction::SetAside | Instruction::Addresses => true,
            Instruction::AskNext(_) | Instruction::Standbys => true,
            Instruction::Keep { .. } => false,
            Instruction::Release(_)
            | Instruction::Forget(_)
            | Instruction::Tell { .. }
            | Instruction::Decide { .. } => true,
            Instruction::Page(_) => true,
            Instruction::Deadline(_) | Instruction::Process | Instruction::Pause | Instruction::Resume => false,
            Instruction::Replace { .. } | Instruction::Deputy { .. } | Instruction::EditOrders { .. } => false,
            Instruction::Withdraw { .. } | Instruction::Abandon { .. } => false,
            Instruction::EditPosition(_)
            | Instruction::Rollback { .. }
            | Instruction::Announce(_)
            | Instruction::Eject(_) => false,
        }
    }

    /// Whether it only asks, and changes nothing at all.
    pub(crate) fn only_asks(&self) -> bool {
        match self {
            Instruction::Status | Instruction::Help | Instruction::SetAside | Instruction::Addresses => true,
            Instruction::Page(PageWish::Devices) | Instruction::Standbys => true,
            Instruction::AskNext(_) | Instruction::Keep { .. } => false,
            Instruction::Page(PageWish::ForgetDevices | PageWish::NewLink | PageWish::Copies(_)) => false,
            Instruction::Release(_)
            | Instruction::Forget(_)
            | Instruction::Tell { .. }
            | Instruction::Decide { .. } => false,
            Instruction::Deadline(_) | Instruction::Process | Instruction::Pause | Instruction::Resume => false,
            Instruction::Replace { .. } | Instruction::Deputy { .. } | Instruction::EditOrders { .. } => false,
            Instruction::Withdraw { .. } | Instruction::Abandon { .. } => false,
            Instruction::EditPosition(_)
            | Instruction::Rollback { .. }
            | Instruction::Announce(_)
            | Instruction::Eject(_) => false,
        }
    }
}

/// Where a cut-off goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewDeadline {
    Later(Length),
    Earlier(Length),
    /// To this time on the moderator's own clock.
    At(NaiveDateTime),
}

/// A person who takes a seat or stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Newcomer {
    pub name: String,
    /// In lower case; in a forum a [`ForumPlace`] by name.
    pub address: String,
    /// If it was said.
    pub language: Option<Language>,
    /// The person's time zone, if it was said.
    pub zone: Option<Zone>,
}

impl Newcomer {
    /// Whether this person is reached in the game's forum.
    pub(crate) fn is_in_forum(&self) -> bool {
        matches!(self.address.parse(), Ok(ForumPlace::Name(_) | ForumPlace::User(_)))
    }
}

/// A command, and the phase it is meant for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Commanded {
    pub command: Instruction,
    /// For which phase; none wants to see first what it would do.
    pub meant_for: Option<TurnPhase>,
}

/// What is wrong with a command: the facts, for which the templates have the words under `[slip]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slip {
    /// It begins with no command, but with something near to one.
    NoCommand {
        word: String,
        near: &'static str,
    },
    NoPhase(String),
    NoAddress {
        address: String,
        usage: Usage,
    },
    NoLanguage(String),
    /// A name has signs that nobody can see.
    InvisibleSigns {
        name: String,
        usage: Usage,
    },
    NoCivilization(String),
    NoArea(String),
    NoAdvance(String),
    /// Something of it is missing or cannot be read; how it is written says it all.
    Usage(Usage),
}

/// The commands whose manner of writing is shown to whoever has missed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    Replace,
    AskNext,
    Deputy,
    Deadline,
    Rollback,
    Decide,
    Aside,
    Forget,
    Tell,
    Announce,
    Edit,
}

impl Usage {
    /// Its name among the phrases.
    fn name(self) -> &'static str {
        match self {
            Usage::Replace => "replace",
            Usage::AskNext => "ask_next",
            Usage::Deputy => "deputy",
            Usage::Deadline => "deadline",
            Usage::Rollback => "rollback",
            Usage::Decide => "decide",
            Usage::Aside => "aside",
            Usage::Forget => "forget",
            Usage::Tell => "tell",
            Usage::Announce => "announce",
            Usage::Edit => "edit",
        }
    }
}

impl From<Usage> for Slip {
    fn from(usage: Usage) -> Slip {
        Slip::Usage(usage)
    }
}

impl Slip {
    /// It in the moderator's words.
    pub(crate) fn say(&self, words: &Templates) -> String {
        let usage = |usage: &Usage| words.say("slip", usage.name(), context! {});
        match self {
            Slip::NoCommand { word, near } => {
                words.say("slip", "no_command", context! { word, near => spelt(near, words.language) })
            }
            Slip::NoPhase(name) => words.say("slip", "no_phase", context! { name }),
            Slip::NoAddress { address, usage: of } => {
                words.say("slip", "no_address", context! { address, usage => usage(of) })
            }
            Slip::NoLanguage(code) => {
                words.say("slip", "no_language", context! { code, codes => Language::ALL.map(Language::code) })
            }
            Slip::InvisibleSigns { name, usage: of } => {
                words.say("slip", "invisible_signs", context! { name, usage => usage(of) })
            }
            Slip::NoCivilization(name) => words.say("slip", "no_civilization", context! { name }),
            Slip::NoArea(name) => words.say("slip", "no_area", context! { name }),
            Slip::NoAdvance(name) => words.say("slip", "no_advance", context! { name }),
            Slip::Usage(of) => usage(of),
        }
    }
}

/// The words a command may begin with: what it is called here and in English, what it is called in Polish, and every
/// spelling of it, folded.
const VERBS: [(&str, &str, &[&str]); 22] = [
    ("status", "stan", &["status", "stan"]),
    ("deadline", "termin", &["deadline", "termin"]),
    ("process", "rozstrzygnij", &["process", "rozstrzygnij"]),
    ("pause", "wstrzymaj", &["pause", "wstrzymaj", "pauza"]),
    ("resume", "wznów", &["resume", "wznow"]),
    ("grant", "zgoda", &["grant", "zgoda"]),
    ("refuse", "odmowa", &["refuse", "odmowa"]),
    ("replace", "zmień", &["replace", "zmien"]),
    ("ask next", "zapytaj", &["ask", "zapytaj"]),
    ("standby", "rezerwa", &["standby", "rezerwa"]),
    ("deputy", "zastępca", &["deputy", "zastepca"]),
    ("edit", "popraw", &["edit", "popraw"]),
    ("rollback", "cofnij", &["rollback", "cofnij"]),
    ("announce", "ogłoś", &["announce", "oglos"]),
    ("tell", "powiedz", &["tell", "powiedz", "przekaz"]),
    ("eject", "usuń", &["eject", "usun"]),
    ("withdraw", "wycofaj", &["withdraw", "wycofaj"]),
    ("abandon", "porzuć", &["abandon", "porzuc"]),
    ("help", "pomoc", &["help", "pomoc"]),
    ("set aside", "odłożone", &["aside", "odlozone", "set"]),
    ("release", "przywróć", &["release", "przywroc"]),
    ("addresses", "adresy", &["addresses", "adresy"]),
];

/// `forget` takes an address, so it is read like the others but never taken for one of them by a slip.
const FORGETS: (&str, &str, &[&str]) = ("forget", "zapomnij", &["forget", "zapomnij"]);

/// A verb as a language spells it.
pub(crate) fn spelt(verb: &str, language: Language) -> &'static str {
    let known = VERBS.iter().chain([&FORGETS]).find(|(english, ..)| *english == verb).unwrap_or(&FORGETS);
    match language {
        Language::English => known.0,
        Language::Polish => known.1,
    }
}

/// What phases are called in Polish commands, a word each.
const POLISH_PHASES: [(&str, &str); 13] = [
    ("podatki", "podatki"),
    ("rozrost", "rozrost"),
    ("ruch", "ruch"),
    ("konflikt", "konflikt"),
    ("miasta", "miasta"),
    ("karty", "karty"),
    ("handel", "handel"),
    ("wybor", "wybór"),
    ("katastrofy", "katastrofy"),
    ("zdolnosci", "zdolności"),
    ("zaopatrzenie", "zaopatrzenie"),
    ("rozwoj", "rozwój"),
    ("tor", "tor"),
];

/// A turn and a phase as a moderator writes them: `4.movement`, `4.ruch`.
pub(crate) fn named(named: TurnPhase, language: Language) -> String {
    match language {
        Language::English => named.to_string(),
        Language::Polish => format!("{}.{}", named.turn, POLISH_PHASES[named.phase as usize].1),
    }
}

/// Whether the words of a command go on to others as they are.
fn passes_on(text: &str) -> bool {
    matches!(begun(text), Some("announce" | "tell"))
}

/// The verb that a command begins with.
fn begun(text: &str) -> Option<&'static str> {
    verb(&fold(text.split([' ', ':']).next().unwrap_or_default()))
}

/// The command that passes words on to a player.
pub(crate) fn tell(civ: &str, words: &str) -> String {
    format!("tell {civ}: {words}")
}

/// The verb that is spelt so.
fn verb(word: &str) -> Option<&'static str> {
    let known = VERBS.iter().chain([&FORGETS]).find(|(_, _, spellings)| spellings.contains(&word));
    known.map(|(verb, ..)| *verb)
}

/// The verb that was meant by a slip: one that is near, or begins so.
fn meant(word: &str) -> Option<&'static str> {
    let spellings = || VERBS.iter().chain([&FORGETS]).flat_map(|(_, _, spellings)| spellings.iter().copied());
    let begins = || spellings().find(|spelling| word.len() >= 3 && spelling.starts_with(word));
    // Short ones are near to too much.
    nearest(word, spellings().filter(|spelling| !["set", "ask"].contains(spelling))).or_else(begins).and_then(verb)
}

/// Reads a command; none where no line begins like one. What follows its line belongs to it where it takes a text.
///
/// # Errors
/// What is wrong with it, and what to write.
pub(crate) fn read(text: &str, lexicon: &Lexicon) -> Option<Result<Commanded, Slip>> {
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next()?.trim();
    // What is announced or told keeps its full stop.
    if let Some(wish) = of_page(first) {
        return Some(Ok(Commanded { command: Instruction::Page(wish), meant_for: None }));
    }
    let first = if passes_on(first) { first } else { first.trim_end_matches('.') };
    let (word, rest) = first.split_once([' ', ':']).unwrap_or((first, ""));
    let (written, word) = (word, fold(word));
    let Some(verb) = verb(&word) else {
        let near = meant(&word)?;
        return Some(Err(Slip::NoCommand { word: written.to_owned(), near }));
    };
    let below: String = lines.map(|line| format!("{line}\n")).collect();
    // `set aside` is two words; nothing else begins with the first.
    let rest = match (word.as_str(), fold(rest).as_str()) {
        ("set", "aside") => "",
        ("set", _) => return Some(Err(Usage::Aside.into())),
        _ => rest,
    };
    Some(command(verb, rest.trim(), below.trim(), lexicon))
}

/// So many words a slip has at most that has no sign of a command in it: `deadline tomorrow`.
const SHORTEST_SAID: usize = 3;

/// Whether words in reply to a player's message are a command, or were meant to be one: those do not go on to the player.
/// `Help is on the way!` is none, nor is anything of several lines that cannot be read.
pub(crate) fn is_meant(text: &str, lexicon: &Lexicon) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, is_alone) = (lines.next().unwrap_or_default(), lines.next().is_none());
    let said: Vec<&str> = first.split_whitespace().collect();
    let ends_as_talk = first.ends_with(['!', '?', ',']);
    match read(text, lexicon) {
        // These take nothing, so whatever stands behind them is talk, but for the phase.
        Some(Ok(Commanded { command, meant_for })) => match command {
            Instruction::Status | Instruction::Help | Instruction::SetAside | Instruction::Addresses => said.len() <= 2,
            Instruction::Standbys => said.len() == 1,
            Instruction::Process | Instruction::Pause | Instruction::Resume => {
                is_alone && (said.len() == 1 || meant_for.is_some())
            }
            _ => true,
        },
        Some(Err(_)) => {
            let has_sign = first.contains(['+', ':', '@', '#', '<']) || first.contains(|c: char| c.is_ascii_digit());
            is_alone && !ends_as_talk && (has_sign || said.len() <= SHORTEST_SAID)
        }
        None => false,
    }
}

/// What is said of one's own page, in the words that players say it with.
const OF_PAGE: [(Word, PageWish); 5] = [
    (Word::Devices, PageWish::Devices),
    (Word::ForgetDevices, PageWish::ForgetDevices),
    (Word::NewLink, PageWish::NewLink),
    (Word::CopiesOn, PageWish::Copies(true)),
    (Word::CopiesOff, PageWish::Copies(false)),
];

fn of_page(line: &str) -> Option<PageWish> {
    let said = fold(line.trim_end_matches('.'));
    let is_said = |(word, _): &&(Word, PageWish)| {
        let (english, polish) = word.spellings();
        english.iter().chain(polish).any(|spelling| fold(spelling) == said)
    };
    OF_PAGE.iter().find(is_said).map(|(_, wish)| *wish)
}

/// The word that a wish about one's own page is said with.
pub(crate) fn page_word(wish: PageWish) -> Word {
    let found = OF_PAGE.iter().find(|(_, other)| *other == wish);
    found.map_or(Word::Devices, |(word, _)| *word)
}

fn command(verb: &str, rest: &str, below: &str, lexicon: &Lexicon) -> Result<Commanded, Slip> {
    // What is announced and what is ordered may say `for` itself.
    let (head, tail) = match verb {
        "announce" => match rest.split_once(':').map(|(head, tail)| (head.trim(), tail.trim())) {
            // A colon of the announcement's own belongs to it.
            Some((head, tail)) if matches!(guard(head), Ok(("", _))) => (head, tail),
            Some(_) | None => ("", rest),
        },
        "edit" | "tell" => rest.split_once(':').map_or((rest, ""), |(head, tail)| (head.trim(), tail.trim())),
        _ => (rest, ""),
    };
    let (head, meant_for) = match (verb, guard(head)) {
        ("tell", _) => (head, None),
        // A reason may say `for` itself.
        ("withdraw" | "abandon", Err(_)) => (head, None),
        (_, guarded) => guarded?,
    };
    let (tail, meant_for) = match meant_for {
        None if !matches!(verb, "announce" | "tell") => guard(tail)?,
        meant_for => (tail, meant_for),
    };
    let text = joined(tail, below);
    Ok(Commanded { command: instruction(verb, head, text, lexicon)?, meant_for })
}

/// What stands of two texts, one below the other.
fn joined(above: &str, below: &str) -> String {
    [above, below].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What a verb asks for, with what stands behind it and the text that goes with it.
fn instruction(verb: &str, head: &str, text: String, lexicon: &Lexicon) -> Result<Instruction, Slip> {
    let civ = |name: &str| civ(name, lexicon);
    Ok(match verb {
        "status" => Instruction::Status,
        "help" => Instruction::Help,
        "set aside" => Instruction::SetAside,
        "release" => Instruction::Release(head.trim_start_matches('#').trim().parse().map_err(|_| Usage::Aside)?),
        "addresses" => Instruction::Addresses,
        "forget" if head.contains('@') => Instruction::Forget(head.to_owned()),
        "forget" => return Err(Usage::Forget.into()),
        "deadline" => Instruction::Deadline(deadline(head)?),
        "process" => Instruction::Process,
        "pause" => Instruction::Pause,
        "resume" => Instruction::Resume,
        "grant" | "refuse" => {
            let number = head.trim_start_matches('#').trim().parse().map_err(|_| Usage::Decide)?;
            Instruction::Decide { number, yes: verb == "grant" }
        }
        "replace" => {
            let (name, person) = head.split_once(' ').ok_or(Usage::Replace)?;
            match companion(person) {
                Some(temperament) => {
                    Instruction::Keep { civ: civ(name)?, temperament: temperament.ok_or(Usage::Replace)? }
                }
                None => Instruction::Replace { civ: civ(name)?, person: newcomer(person, Usage::Replace)? },
            }
        }
        "ask next" => {
            let (word, name) = head.split_once(' ').ok_or(Usage::AskNext)?;
            match fold(word).as_str() {
                "next" | "nastepnego" | "nastepna" | "nastepnych" => Instruction::AskNext(civ(name)?),
                _ => return Err(Usage::AskNext.into()),
            }
        }
        "standby" => Instruction::Standbys,
        "deputy" => {
            let (name, person) = head.split_once(' ').ok_or(Usage::Deputy)?;
            let person = if matches!(fold(person).as_str(), "none" | "nobody" | "nikt" | "brak") {
                None
            } else {
                Some(newcomer(person, Usage::Deputy)?)
            };
            Instruction::Deputy { civ: civ(name)?, person }
        }
        "edit" => edit(head, &text, lexicon)?,
        "rollback" => {
            let (to, why) = head.split_once(' ').unwrap_or((head, ""));
            Instruction::Rollback { to: phase(to).ok_or(Usage::Rollback)?, reason: reason(why) }
        }
        "withdraw" => Instruction::Withdraw { reason: reason(of_the_game(head)) },
        "abandon" => Instruction::Abandon { reason: reason(of_the_game(head)) },
        "announce" => match joined(head, &text) {
            words if words.is_empty() => return Err(Usage::Announce.into()),
            words => Instruction::Announce(words),
        },
        "tell" => Instruction::Tell { to: told(head, &text, lexicon)?, text },
        _ => Instruction::Eject(civ(head)?),
    })
}

/// Whom a message goes to; nobody in particular is everybody.
fn told(names: &str, text: &str, lexicon: &Lexicon) -> Result<Vec<Civ>, Slip> {
    let is_whole = !names.is_empty() && !text.is_empty();
    let names = names.split([',', '&']).flat_map(|name| name.split(" and ")).flat_map(|name| name.split(" i "));
    let names: Vec<&str> = names.map(str::trim).filter(|name| !name.is_empty()).collect();
    let is_all =
        |name: &&str| matches!(fold(name).as_str(), "all" | "everybody" | "everyone" | "wszyscy" | "wszystkim");
    let to = if names.iter().any(is_all) {
        Vec::new()
    } else {
        names.into_iter().map(|name| civ(name, lexicon)).collect::<Result<Vec<_>, _>>()?
    };
    if is_whole { Ok(to) } else { Err(Usage::Tell.into()) }
}

/// Why something is done: `because …`, or what stands there without the word.
fn reason(why: &str) -> Option<String> {
    let why = why.trim();
    let words = ["because", "ponieważ", "bo "];
    let reason = words.iter().find_map(|word| why.strip_prefix(word)).unwrap_or(why).trim();
    (!reason.is_empty() && reason != "bo").then(|| reason.to_owned())
}

/// What stands behind `the game`, which may be named: `porzuć grę, bo …`.
fn of_the_game(text: &str) -> &str {
    let named = ["the game", "this game", "game", "tę grę", "grę", "gre"];
    let rest =
        |name: &&str| text.strip_prefix(*name).filter(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':']));
    named.iter().find_map(rest).unwrap_or(text).trim_start_matches([',', ':', ' '])
}

/// Cuts `for 4.movement` off the end.
fn guard(text: &str) -> Result<(&str, Option<TurnPhase>), Slip> {
    let (before, name) = match text.rsplit_once(' ') {
        Some((before, name)) => (before.trim_end(), name),
        None => return Ok((text, None)),
    };
    let (before, word) = before.rsplit_once(' ').unwrap_or(("", before));
    if !matches!(fold(word).as_str(), "for" | "dla") {
        return Ok((text, None));
    }
    match phase(name) {
        Some(phase) => Ok((before.trim_end(), Some(phase))),
        None => Err(Slip::NoPhase(name.to_owned())),
    }
}

/// `4.movement`, `4.ruch`.
pub(crate) fn phase(text: &str) -> Option<TurnPhase> {
    let (turn, name) = text.trim().split_once('.')?;
    let name = fold(name);
    let polish = || POLISH_PHASES.iter().position(|(folded, _)| *folded == name).map(|place| Phase::ALL[place]);
    Some(TurnPhase::new(turn.parse().ok()?, Phase::named(&name).or_else(polish)?))
}

fn deadline(text: &str) -> Result<NewDeadline, Slip> {
    let length = |text: &str| text.trim().parse::<Length>().map_err(|_| Usage::Deadline);
    if let Some(later) = text.strip_prefix('+') {
        return Ok(NewDeadline::Later(length(later)?));
    }
    if let Some(earlier) = text.strip_prefix('-') {
        return Ok(NewDeadline::Earlier(length(earlier)?));
    }
    let at = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M");
    at.map(NewDeadline::At).map_err(|_| Usage::Deadline.into())
}

/// `companion merchant`: the outer none is something else, the inner one no temperament of ours.
fn companion(text: &str) -> Option<Option<Temperament>> {
    let (word, name) = text.split_once(' ').unwrap_or((text, ""));
    let is_meant = matches!(fold(word).as_str(), "companion" | "wbudowany" | "wbudowanym") && !text.contains('<');
    let named = || match fold(name).as_str() {
        "settler" | "osadnik" => Some(Temperament::Settler),
        "merchant" | "kupiec" => Some(Temperament::Merchant),
        "raider" | "najezdzca" => Some(Temperament::Raider),
        _ => None,
    };
    is_meant.then(named)
}

fn newcomer(text: &str, usage: Usage) -> Result<Newcomer, Slip> {
    let (name, rest) = text.split_once('<').ok_or(usage)?;
    let (address, after) = rest.split_once('>').ok_or(usage)?;
    let address = match address.trim().strip_prefix('@') {
        Some(name)
            if !name.is_empty()
                && !name.contains(|c: char| c.is_whitespace() || crate::desk::settings::written::steers(c)) =>
        {
            ForumPlace::Name(name.to_lowercase()).to_string()
        }
        _ => {
            let address: Result<crate::desk::settings::written::Address, _> = address.trim().parse();
            address
                .map_err(|_| Slip::NoAddress { address: rest.split('>').next().unwrap_or_default().to_owned(), usage })?
                .as_str()
                .to_lowercase()
        }
    };
    let (mut language, mut zone) = (None, None);
    for word in after.split_whitespace() {
        match (Language::coded(word), word.parse::<Zone>()) {
            (Some(code), _) => language = Some(code),
            // A zone is two words with a stroke between them, but for `UTC` and the like.
            (None, Ok(place)) => zone = Some(place),
            (None, Err(_)) => return Err(Slip::NoLanguage(word.to_owned())),
        }
    }
    match name.trim() {
        "" => Err(usage.into()),
        name if name.contains(crate::desk::settings::written::steers) => {
            Err(Slip::InvisibleSigns { name: format!("{name:?}"), usage })
        }
        name => Ok(Newcomer { name: name.to_owned(), address, language, zone }),
    }
}

fn civ(name: &str, lexicon: &Lexicon) -> Result<Civ, Slip> {
    lexicon.civs.exact(name.trim()).ok_or_else(|| Slip::NoCivilization(name.trim().to_owned()))
}

fn area(name: &str, lexicon: &Lexicon) -> Result<AreaId, Slip> {
    lexicon.areas.exact(name.trim()).ok_or_else(|| Slip::NoArea(name.trim().to_owned()))
}

fn edit(of: &str, text: &str, lexicon: &Lexicon) -> Result<Instruction, Slip> {
    if text.is_empty() {
        return Err(Usage::Edit.into());
    }
    let named = of.split_once(' ').filter(|(word, _)| matches!(fold(word).as_str(), "area" | "obszar"));
    let place = named.map(|(_, name)| name).map(|name| area(name, lexicon)).transpose()?;
    let place = place.or_else(|| lexicon.areas.exact(of).filter(|_| lexicon.civs.exact(of).is_none()));
    match place {
        Some(area) => Ok(Instruction::EditPosition(on_area(area, text, lexicon)?)),
        None => {
            let civ = civ(of, lexicon)?;
            Ok(match on_holding(civ, text, lexicon)? {
                Some(correction) => Instruction::EditPosition(correction),
                None => Instruction::EditOrders { civ, text: text.to_owned() },
            })
        }
    }
}

/// `3 Minoa`, `city Minoa`, `no city`, `2 ships Minoa`, `4 barbarians`.
fn on_area(area: AreaId, text: &str, lexicon: &Lexicon) -> Result<Correction, Slip> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let owner = |name: &str| match fold(name).as_str() {
        "barbarians" | "barbarian" | "pirates" | "pirate" => Ok(Owner::Barbarians),
        "barbarzyncy" | "barbarzyncow" | "piraci" | "piratow" => Ok(Owner::Barbarians),
        _ => civ(name, lexicon).map(Owner::Civ),
    };
    let number = |text: &str| text.parse::<u16>().map_err(|_| Usage::Edit);
    match words.as_slice() {
        ["no", "city"] | ["bez", "miasta"] => Ok(Correction::City { area, owner: None }),
        ["city" | "miasto", name] => Ok(Correction::City { area, owner: Some(owner(name)?) }),
        [count, "ship" | "ships" | "statek" | "statki" | "statków", name] => {
            let count = u8::try_from(number(count)?).map_err(|_| Usage::Edit)?;
            Ok(Correction::Ships { area, civ: civ(name, lexicon)?, count })
        }
        [count, name] => Ok(Correction::Tokens { area, owner: owner(name)?, count: number(count)? }),
        _ => Err(Usage::Edit.into()),
    }
}

/// `treasury 12`, `step 5`, `with Pottery`, `without Pottery`; none where it is something else.
fn on_holding(civ: Civ, text: &str, lexicon: &Lexicon) -> Result<Option<Correction>, Slip> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let advance = || lexicon.advances.exact(rest).ok_or_else(|| Slip::NoAdvance(rest.to_owned()));
    Ok(match fold(word).as_str() {
        "treasury" | "skarbiec" => {
            let amount = rest.trim().parse().map_err(|_| Usage::Edit)?;
            Some(Correction::Treasury { civ, amount })
        }
        "step" | "pole" => {
            let position = rest.trim().parse().map_err(|_| Usage::Edit)?;
            Some(Correction::Position { civ, position })
        }
        "with" | "z" | "ze" => Some(Correction::Advance { civ, advance: advance()?, held: true }),
        "without" | "bez" => Some(Correction::Advance { civ, advance: advance()?, held: false }),
        _ => None,
    })
}
