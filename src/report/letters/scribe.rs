//! What a letter says, gathered as facts for its template.
//!
//! Comes in: an occasion and its content. Goes out: a page. A template receives names, numbers and finished lines.

use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::super::account::{AccountLine, Topic, account_with};
use super::super::facts::Facts;
use super::super::hand::hand;
use super::super::map::Frame;
use super::super::market::{Shown, as_told, market};
use super::super::reach::{self, Row, reach};
use super::super::templates::Templates;
use super::super::view::View;
use super::super::wording::worded;
use super::form::{MailingForm, form};
use super::maps::Sight;
use super::markdown::markdown;
use super::opening::opening;
use super::paper::{Tap, TapKind};
use super::taps::{Files, answers, tap};
use super::{Audience, Content, Enrolled, Moment, Occasion, Offered, Page, Passed, Pasted, Taps, Venue, paper};
use crate::game::short_game::Theme;
use crate::game::{Command, Event, Known, Owner, Phase, Reader, TurnPhase, Witnessed, acquisition};
use crate::orders::Detail;
use crate::rules::{Civ, Face};

/// Writes the letters of one occasion.
pub(crate) struct Scribe<'a> {
    templates: &'a Templates,
    occasion: &'a Occasion<'a>,
    facts: Facts<'a>,
    /// The form, once it was looked for: what it costs takes a forecast.
    form: OnceCell<Option<MailingForm>>,
}

/// One reminder for several games.
pub(crate) fn reminders(templates: &Templates, games: &[(Occasion, Vec<String>)]) -> Page {
    let told = games.iter().map(|(occasion, owes)| {
        let scribe = Scribe::new(templates, occasion);
        context! { owes => data(owes), ..scribe.base() }
    });
    let told: Vec<Value> = told.collect();
    let name = games.first().map_or("", |(occasion, _)| occasion.name);
    page(templates, "reminders.txt", context! { games => told, name, version => VERSION }, false, |_| Vec::new())
}

/// A letter to a person of the house, of lines that are finished.
pub(crate) fn note(templates: &Templates, subject: &str, lines: &[String]) -> Page {
    let facts = context! { subject => one_line(subject), lines => data(lines), version => VERSION };
    page(templates, "club.txt", facts, false, |_| Vec::new())
}

/// Rows of the table that are worth a line instead, at least.
const LEAST_FOLDED: usize = 4;
/// Lines of a kind that pass, told of the far world; more are folded into one.
const MOST_PASSING: usize = 4;

/// The version of the program, for the foot.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl<'a> Scribe<'a> {
    /// Sits down to write.
    pub(crate) fn new(templates: &'a Templates, occasion: &'a Occasion<'a>) -> Scribe<'a> {
        let facts = Facts::new(occasion.known.printed(), templates.language);
        Scribe { templates, occasion, facts, form: OnceCell::new() }
    }

    pub(crate) fn page(&self, content: &Content) -> Page {
        let (letter, facts) = self.told(content);
        let asked = self.frame(content);
        let picture = self.sight(content, asked.as_ref()).and_then(|sight| {
            let occasion = self.occasion;
            let told_of = if let Content::Digest { seen } = content { seen.before() } else { occasion.known };
            let turn = told_of.turn();
            let title = self.templates.say("label", "map_title", context! { turn, ..self.base() });
            sight.picture(occasion.delivery.maps?, self.templates.language, &title)
        });
        let offered = self.offered(content);
        let taps = |subject: &str| self.taps(&offered, subject);
        let page = page(self.templates, letter, context! { ..facts, ..self.base() }, picture.is_some(), taps);
        let offered = offered.into_iter().map(|(_, offered)| offered).collect();
        Page { picture, data: self.view(content), offered, ..page }
    }

    /// The same letter as text to paste.
    pub fn pasted(&self, content: &Content) -> Pasted {
        let (letter, facts) = self.told(content);
        Pasted::of(&self.templates.letter(letter, context! { ..facts, ..self.base() }))
    }

    /// The answers that a letter offers: in letters with a form.
    fn offered(&self, content: &Content) -> Vec<(TapKind, Offered)> {
        let has_form = match content {
            Content::Report { .. } | Content::Decision { .. } | Content::Welcome { .. } => true,
            Content::Board { .. } | Content::Reminder { .. } | Content::Rollback { .. } => true,
            // A link would end the phase without the lines of a trial.
            Content::Acknowledgement { told, outdated, board, .. } => {
                !told.trial && (outdated.is_some() || told.conversation || *board || !told.sheet.owed.is_empty())
            }
            Content::Briefing { .. } => true,
            Content::Deputy { is_away, .. } => *is_away,
            Content::Invitation { .. }
            | Content::Rehearsal { .. }
            | Content::Rehearsed { .. }
            | Content::Code { .. }
            | Content::Absence { .. }
            | Content::Parked { .. }
            | Content::Press { .. }
            | Content::Announcement { .. }
            | Content::Moderation { .. }
            | Content::End { .. }
            | Content::Hand
            | Content::Digest { .. }
            | Content::Status { .. } => false,
        };
        let civ = self.me().filter(|_| has_form && !self.occasion.known.has_ended());
        // An answer without the form ends what its writer has begun.
        let files = match content {
            Content::Acknowledgement { told, outdated, .. } if outdated.is_none() && !told.conversation => Files::End,
            _ => Files::Form,
        };
        let answers = |civ| answers(self.occasion.known, civ, self.form(), files, self.templates.language);
        civ.map(answers).unwrap_or_default()
    }

    /// Their links, and that of the order page.
    fn taps(&self, offered: &[(TapKind, Offered)], subject: &str) -> Vec<Tap> {
        let taps = offered.iter().filter_map(|(kind, offered)| {
            let Taps(address) = self.occasion.delivery.taps?;
            Some(tap(*kind, &offered.line, &address(&offered.line), subject))
        });
        let page = self.occasion.delivery.order_page.filter(|_| !offered.is_empty()).map(|url| {
            let label = self.templates.say("label", "order_page", context! {});
            Tap { kind: TapKind::Form, href: url.to_owned(), label }
        });
        taps.chain(page).collect()
    }

    /// What the map of a letter shows.
    fn sight<'b>(&'b self, content: &Content<'b>, asked: Option<&'b Frame>) -> Option<Sight<'b>> {
        let known = self.occasion.known;
        let since = |seen: &'b Witnessed| Some(Sight { seen: Some(seen), known, asked });
        match content {
            Content::Report { seen } | Content::Decision { seen } | Content::End { seen } => since(seen),
            Content::Digest { seen } => Some(Sight { seen: Some(seen), known: seen.after(), asked }),
            Content::Welcome { .. } | Content::Rollback { .. } | Content::Status { .. } | Content::Briefing { .. } => {
                Some(Sight { seen: None, known, asked })
            }
            Content::Deputy { is_away: true, .. } => Some(Sight { seen: None, known, asked }),
            Content::Acknowledgement { .. } if asked.is_some() => Some(Sight { seen: None, known, asked }),
            Content::Invitation { .. }
            | Content::Rehearsal { .. }
            | Content::Rehearsed { .. }
            | Content::Acknowledgement { .. }
            | Content::Board { .. }
            | Content::Reminder { .. }
            | Content::Absence { .. }
            | Content::Parked { .. }
            | Content::Press { .. }
            | Content::Announcement { .. }
            | Content::Deputy { .. }
            | Content::Hand
            | Content::Code { .. }
            | Content::Moderation { .. } => None,
        }
    }

    /// What the map shows, if not what concerns the reader: what the reader's letter asked for, or all that is in play.
    fn frame(&self, content: &Content) -> Option<Frame> {
        match content {
            Content::Acknowledgement { told, .. } => {
                told.asked.map.map(|area| area.map_or(Frame::Whole, |area| Frame::Around([area].into())))
            }
            Content::Status { .. } => Some(Frame::Whole),
            // Nothing of it concerns anybody in particular.
            Content::Welcome { .. } | Content::Rollback { .. } | Content::End { .. } => {
                self.is_posted().then_some(Frame::Whole)
            }
            Content::Invitation { .. }
            | Content::Rehearsal { .. }
            | Content::Rehearsed { .. }
            | Content::Report { .. }
            | Content::Board { .. }
            | Content::Decision { .. }
            | Content::Reminder { .. }
            | Content::Absence { .. }
            | Content::Parked { .. }
            | Content::Press { .. }
            | Content::Announcement { .. }
            | Content::Deputy { .. }
            | Content::Briefing { .. }
            | Content::Hand
            | Content::Code { .. }
            | Content::Digest { .. }
            | Content::Moderation { .. } => None,
        }
    }

    /// The reader's view as data, in letters that tell how the game stands.
    fn view(&self, content: &Content) -> Option<String> {
        let tells = match content {
            Content::Report { .. } | Content::Decision { .. } | Content::End { .. } => true,
            Content::Welcome { .. } | Content::Rollback { .. } | Content::Status { .. } => true,
            Content::Deputy { is_away, .. } => *is_away,
            Content::Briefing { .. } => true,
            // The board is the same as in the last report, and there may be many of these in a day.
            Content::Board { .. } => false,
            Content::Invitation { .. }
            | Content::Rehearsal { .. }
            | Content::Rehearsed { .. }
            | Content::Acknowledgement { .. }
            | Content::Reminder { .. }
            | Content::Absence { .. }
            | Content::Parked { .. }
            | Content::Press { .. }
            | Content::Announcement { .. }
            | Content::Hand
            | Content::Code { .. }
            // It tells of the past.
            | Content::Digest { .. }
            | Content::Moderation { .. } => false,
        };
        self.me().filter(|_| tells && self.occasion.delivery.data)?;
        Some(View::of(self.occasion.known).data(self.occasion.game))
    }

    /// The template of a letter, and what it is told beyond the base.
    fn told(&self, content: &Content) -> (&'static str, Value) {
        match content {
            Content::Invitation { schedule, again } => {
                ("invitation.txt", context! { schedule => data(schedule), again, seats => self.seats() })
            }
            Content::Rehearsal { lines, begun } => ("rehearsal.txt", context! { lines => data(lines), begun }),
            Content::Rehearsed { told, ignored, style, snags, begun } => {
                let facts =
                    context! { ignored => data(ignored), style => data(style), snags => data(snags), begun => *begun };
                ("rehearsed.txt", context! { ..facts, ..data(told) })
            }
            Content::Welcome { commitment, themes } => {
                let facts =
                    context! { commitment => *commitment, seats => self.seats(), themes => self.themes(themes) };
                ("welcome.txt", context! { ..facts, ..self.position() })
            }
            Content::Deputy { player, is_away, until } => {
                let until = until.map(|until| self.moment(until));
                let facts = context! { player => one_line(player), is_away, until };
                // Nobody sees a hand before there is something to answer.
                let position = if *is_away {
                    context! { opening => self.opening(), market => self.market(None), ..self.position() }
                } else {
                    context! {}
                };
                ("deputy.txt", context! { ..facts, ..position })
            }
            Content::Briefing { former, standing, turns, messages, commitment } => {
                let turns = turns.iter().map(|seen| {
                    context! { ..self.passed(seen.before(), seen.after()), ..self.digested(seen) }
                });
                let facts = context! {
                    former => one_line(former),
                    after_companion => self.templates.has("companion", former),
                    standing => data(standing),
                    turns => turns.collect::<Vec<_>>(),
                    messages => messages.iter().map(|message| self.handed_over(message)).collect::<Vec<_>>(),
                    commitment => *commitment,
                    seats => self.seats(),
                    market => self.market(None),
                    opening => self.opening(),
                };
                ("briefing.txt", context! { ..facts, ..self.position() })
            }
            Content::Acknowledgement { told, ignored, outdated, seen, public, board } => {
                let outdated = outdated.map(|phase| self.phase(phase));
                let mut news: Vec<String> = self.lines(seen).into_iter().map(|line| line.text).collect();
                news.extend(self.by_standing(seen));
                // Whoever answered an old form, or none, is shown the present one.
                let form = (outdated.is_some() || told.conversation).then(|| self.form()).flatten();
                let market = board.then(|| self.market(None)).flatten();
                let facts = context! { ignored => data(ignored), outdated, news, form => data(form), in_public => *public, market };
                ("answer.txt", context! { ..facts, ..data(told) })
            }
            Content::Report { seen } => ("report.txt", context! { ..self.happened(seen), ..self.position() }),
            Content::Board { seen } => {
                // What is not the reader's own is told by the board itself, and so is their wish.
                let market = market(self.templates, self.occasion.known, self.occasion.shown).unwrap_or_default();
                let own = self.own_lines(seen).filter(|line| !market.wishes.contains(&line.text));
                let own: Vec<String> = own.map(|line| line.text).chain(self.by_standing(seen)).collect();
                ("board.txt", context! { own, market => data(market), ..self.position() })
            }
            Content::Decision { seen } => ("decision.txt", context! { ..self.happened(seen), ..self.position() }),
            Content::Reminder { owes } => ("reminder.txt", context! { owes => data(owes), ..self.position() }),
            Content::Absence { lines } => ("absence.txt", context! { lines => data(lines) }),
            Content::Parked { sender, arrived, subject, words, adds, commands } => {
                let (words, is_cut) = shown(words);
                let (sender, subject) = (cut(&one_line(sender), MOST_ECHOED), cut(&one_line(subject), MOST_ECHOED));
                let arrived = self.moment(arrived);
                ("parked.txt", context! { sender, arrived, subject, words, is_cut, adds, commands })
            }
            Content::Press { from, to, text } => {
                let from = from.map(|civ| self.facts.civ(civ));
                let text = own_words(text);
                ("press.txt", context! { from, to => self.audience(*to), to_all => *to == Audience::All, text })
            }
            Content::Announcement { lines, text } => {
                let text = text.map(own_words);
                ("announcement.txt", context! { lines => data(lines), text })
            }
            Content::Code { code, browser } => ("code.txt", context! { code => *code, browser => *browser }),
            Content::Moderation { lines } => {
                ("moderation.txt", context! { lines => data(lines), table => self.table() })
            }
            Content::Rollback { to, from, kept, reason } => {
                let (back, from) = (self.phase(*to), self.phase(*from));
                let reason = reason.map(own_words);
                (
                    "rollback.txt",
                    context! { back, from, kept => data(kept), reason, market => self.market(None), opening => self.opening(), ..self.position() },
                )
            }
            Content::End { seen } => {
                let seed = seen.events().find_map(|(_, event)| match event {
                    Event::GameEnded { seed, .. } => Some(seed),
                    _ => None,
                });
                // A turn ends the game in its last phase; in any other the players have agreed to.
                let agreed = self.occasion.known.phase() != Phase::Ast;
                let facts = context! { seed, agreed, by_host => self.occasion.terms.by_host, scores => self.scores() };
                ("end.txt", context! { ..facts, ..self.happened(seen), ..self.position() })
            }
            Content::Hand => {
                let limit = self.me().map(|civ| acquisition::hand_limit(self.occasion.known, civ));
                ("cards.txt", context! { limit, ..self.position() })
            }
            Content::Digest { seen } => {
                ("digest.txt", context! { ..self.passed(seen.before(), seen.after()), ..self.digested(seen) })
            }
            Content::Status { roster, public_orders, watch } => {
                let is_open = self.occasion.cut_off.is_some() || !self.occasion.awaited.is_empty();
                let gathering = !is_open && roster.iter().any(|line| !line.companion && !line.accepted);
                let roster = self.roster(roster);
                ("status.txt", context! { roster, gathering, public_orders, watch, ..self.position() })
            }
        }
    }

    /// A message of another time.
    fn handed_over(&self, message: &Passed) -> Value {
        let text: Vec<String> =
            own_words(&message.text).iter().take(MOST_HANDED_OVER).map(|line| cut(line, LONGEST_LINE)).collect();
        context! {
            from => self.facts.civ(message.from),
            to => Value::from_iter(message.to.iter().map(|civ| self.facts.civ(*civ))),
            to_all => message.to.is_empty(),
            at => self.moment(&message.at),
            text,
        }
    }

    /// What every letter may say.
    fn base(&self) -> Value {
        let occasion = self.occasion;
        let state = occasion.known;
        let me = self.me();
        context! {
            game => one_line(occasion.game),
            name => one_line(occasion.name),
            version => VERSION,
            you => me.map(|civ| self.facts.civ(civ)),
            turn => state.turn(),
            phase => self.facts.phase(state.phase()),
            number => state.phase().number(),
            ended => state.has_ended() || occasion.terms.stopped,
            last_turn => state.last_turn(),
            short => occasion.terms.short,
            ends_on => occasion.terms.ends_on.as_ref().map(|day| self.templates.say("moment", "day", data(day))),
            cut_off => occasion.cut_off.as_ref().map(|moment| self.moment(moment)),
            awaited => Value::from_iter(occasion.awaited.iter().map(|civ| self.facts.civ(*civ))),
            by_default => Value::from_iter(occasion.by_default.iter().map(|civ| self.facts.civ(*civ))),
            awaits_you => me.is_some_and(|civ| occasion.awaited.contains(&civ)),
            posted => self.is_posted(),
            in_forum => occasion.delivery.place == Venue::Forum,
            page => occasion.delivery.order_page.filter(|_| !self.is_posted()),
            moderates => me.is_none() && !self.is_posted(),
            asked => state.progress().asked.map(|civ| self.facts.who(Owner::Civ(civ), me)),
        }
    }

    /// The themes of a short game, with what they bring.
    fn themes(&self, themes: &[(Civ, Theme)]) -> Value {
        let theme = |(civ, theme): &(Civ, Theme)| {
            let advances = Value::from_iter(theme.advances().into_iter().map(|advance| self.facts.advance(advance)));
            let name = self.templates.say("theme", theme.key(), context! {});
            context! { civ => self.facts.civ(*civ), name, advances }
        };
        Value::from_iter(themes.iter().map(theme))
    }

    /// Whether this is a post that everybody reads.
    fn is_posted(&self) -> bool {
        self.occasion.known.reader() == Reader::Public && self.occasion.name.is_empty()
    }

    /// How things stand for the reader, and what the reader is asked.
    fn position(&self) -> Value {
        let hand = self.me().map(|civ| hand(self.facts, self.occasion.known, civ));
        let form = self.form();
        let rows = self.me().map(|civ| reach(self.occasion.known, civ)).unwrap_or_default();
        let areas = self.me().map(|_| reach::told(self.templates, self.occasion.known, &rows));
        // Who trades or buys needs to know what is in danger; whoever moves or loses, what is beside it.
        let on_board = match self.occasion.known.phase() {
            Phase::Trade | Phase::Selection | Phase::Advances | Phase::Ast => false,
            Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Conflict | Phase::Cities | Phase::Cards => true,
            Phase::Calamities | Phase::Abilities | Phase::Support => true,
        };
        let on_board = match self.occasion.delivery.detail {
            Detail::Brief => false,
            Detail::Normal => on_board,
            Detail::Full => true,
        };
        let told = |row: &Row| on_board || row.is_in_danger();
        let signs = reach::legend(self.templates, self.occasion.known, &rows, &told);
        let (table, far) = self.near_table();
        context! { hand, areas => data(areas), signs, on_board, table, far, form => data(form) }
    }

    fn form(&self) -> Option<&MailingForm> {
        let look = || form(self.templates, self.occasion.known, self.me()?, self.occasion.sheet?);
        self.form.get_or_init(look).as_ref()
    }

    /// What happened, as far as the reader may be told: to the reader, to their neighbours, in the world.
    fn happened(&self, seen: &Witnessed) -> Value {
        let (me, before) = (self.me(), seen.before());
        let near = me.map(|civ| neighbours(before, civ)).unwrap_or_default();
        let (mut own, mut next, mut world) = (Vec::new(), Vec::new(), Vec::new());
        // What is on the board is told once, new or not.
        let offers = as_told(self.templates, self.occasion.known);
        for line in self.lines(seen).into_iter().filter(|line| !offers.contains(&line.text)) {
            let is_own = line.topic == Topic::Sheet || me.is_some_and(|civ| line.about.contains(&civ));
            if is_own {
                own.push(line.text);
            } else if line.about.iter().any(|civ| near.contains(civ)) {
                next.push(line.text);
            } else {
                world.push(line);
            }
        }
        own.extend(self.by_standing(seen));
        let world = if me.is_some() { self.folded(world) } else { texts(world) };
        let opening = me.map(|civ| opening(self.templates, Some(before), self.occasion.known, civ));
        let market = self.market(None);
        context! { ruled => self.phase(before.turn_phase()), own, near => next, world, market, opening }
    }

    /// Where the reader stands, in a letter that tells of no change.
    fn opening(&self) -> Option<Vec<String>> {
        self.me().map(|civ| opening(self.templates, None, self.occasion.known, civ))
    }

    /// The trades that a standing line of the reader's has made, each with the line: nobody remembers all they wrote.
    fn by_standing(&self, seen: &Witnessed) -> Vec<String> {
        let (Some(civ), Some(sheet)) = (self.me(), self.occasion.sheet) else { return Vec::new() };
        let filed = sheet.part(Phase::Trade).iter().chain(sheet.standing()).map(|entry| &entry.command);
        let filed: Vec<&Command> = filed.collect();
        let names = self.facts.names();
        let trades = seen.events().filter_map(|(_, event)| match event {
            Event::TradeMade { number, to, received, .. } if *to == civ => Some((*number, received)),
            _ => None,
        });
        let told = trades.filter_map(|(number, gave)| {
            // What the player took by its number is known.
            let is_own =
                |command: &&&Command| matches!(command, Command::Accept { number: other, .. } if *other == number);
            if filed.iter().any(|command| is_own(&command)) {
                return None;
            }
            let mut gave: Vec<Face> = gave.iter().map(|card| card.face).collect();
            gave.sort_unstable();
            let line = filed.iter().find(|command| match command {
                Command::AcceptAny { gives, .. } => {
                    let mut gives = gives.clone();
                    gives.sort_unstable();
                    gives == gave
                }
                _ => false,
            })?;
            Some(self.templates.say("told", "by_standing", context! { number, line => worded(names, line) }))
        });
        told.collect()
    }

    /// What concerns the reader alone, without what stands on the board.
    fn own_lines(&self, seen: &Witnessed) -> impl Iterator<Item = AccountLine> {
        let (me, offers) = (self.me(), as_told(self.templates, self.occasion.known));
        self.lines(seen).into_iter().filter(move |line| {
            let is_own = line.topic == Topic::Sheet || me.is_some_and(|civ| line.about.contains(&civ));
            is_own && !offers.contains(&line.text)
        })
    }

    /// What happens far away, as much of it as the reader wants to be told.
    fn folded(&self, world: Vec<AccountLine>) -> Vec<String> {
        let detail = self.occasion.delivery.detail;
        let passes = |topic: Topic| match topic {
            Topic::Movement | Topic::Cards => true,
            Topic::Tax | Topic::Growth | Topic::Ast | Topic::Sheet | Topic::Silence => detail == Detail::Brief,
            Topic::Conflict | Topic::Cities | Topic::Trade => detail == Detail::Brief,
            Topic::Calamities | Topic::Abilities | Topic::Advances => detail == Detail::Brief,
        };
        let most = match detail {
            Detail::Brief => 0,
            Detail::Normal => MOST_PASSING,
            Detail::Full => return texts(world),
        };
        let mut told: Vec<String> = Vec::new();
        let mut folded: BTreeSet<Topic> = BTreeSet::new();
        for line in &world {
            let alike = || world.iter().filter(|other| other.topic == line.topic);
            if !passes(line.topic) || alike().count() <= most {
                told.push(line.text.clone());
            } else if folded.insert(line.topic) {
                let civs: BTreeSet<Civ> = alike().flat_map(|line| line.about.iter().copied()).collect();
                let civs: Vec<Value> = civs.into_iter().map(|civ| self.facts.civ(civ)).collect();
                // What sums up many is in the table of all.
                let key = line.topic.name();
                told.extend((!civs.is_empty()).then(|| self.templates.say("folded", key, context! { civs })));
            }
        }
        told
    }

    /// The same of a whole turn, without what everybody has done with and what its table tells.
    fn digested(&self, seen: &Witnessed) -> Value {
        let me = self.me();
        let near = me.map(|civ| neighbours(seen.before(), civ)).unwrap_or_default();
        let (mut own, mut next, mut world) = (Vec::new(), Vec::new(), Vec::new());
        for line in self.lines(seen) {
            let is_own = me.is_some_and(|civ| line.about.contains(&civ));
            let lasts = match line.topic {
                Topic::Conflict | Topic::Cities | Topic::Calamities | Topic::Abilities | Topic::Advances => true,
                Topic::Ast => is_own,
                Topic::Movement | Topic::Cards | Topic::Trade => is_own,
                Topic::Sheet | Topic::Tax | Topic::Growth | Topic::Silence => false,
            };
            if !lasts {
                continue;
            } else if is_own {
                own.push(line.text);
            } else if line.about.iter().any(|civ| near.contains(civ)) {
                next.push(line.text);
            } else {
                world.push(line.text);
            }
        }
        context! { own, near => next, world }
    }

    /// A turn in numbers: what everybody has, and what came of it.
    fn passed(&self, before: &Known, after: &Known) -> Value {
        let moved = |was: usize, is: usize| match is.cmp(&was) {
            Ordering::Equal => is.to_string(),
            Ordering::Greater => format!("{is} (+{})", is - was),
            Ordering::Less => format!("{is} (−{})", was - is),
        };
        let mut points: Vec<(u16, Civ)> = after.ranking().map(|civ| (after.score(civ).total(), civ)).collect();
        points.sort_by_key(|(points, _)| Reverse(*points));
        let rows = points.iter().filter(|(_, civ)| before.is_seated(*civ)).map(|(points, civ)| {
            let (was, is) = (before.holding(*civ), after.holding(*civ));
            context! {
                civ => self.facts.civ(*civ),
                mine => Some(*civ) == self.me(),
                points => moved(before.score(*civ).total().into(), (*points).into()),
                census => moved(was.census.into(), is.census.into()),
                cities => moved(before.city_count(*civ).into(), after.city_count(*civ).into()),
                position => moved(was.position.into(), is.position.into()),
                advances => moved(was.advances.iter().count(), is.advances.iter().count()),
            }
        });
        let leader = points.first().map(|(points, civ)| {
            let who = self.facts.who(Owner::Civ(*civ), self.me());
            context! { who, points, mine => Some(*civ) == self.me() }
        });
        // Equal points share the better place.
        let own = points.iter().find(|(_, civ)| Some(*civ) == self.me());
        let own = own.map(|(mine, _)| {
            let place = 1 + points.iter().filter(|(points, _)| points > mine).count();
            context! { place, points => mine }
        });
        let over = after.turn() != before.turn() || after.has_ended();
        context! { passed => before.turn(), over, leader, place => own, rows => rows.collect::<Vec<_>>() }
    }

    fn lines(&self, seen: &Witnessed) -> Vec<AccountLine> {
        account_with(self.templates, seen, self.occasion.sheet)
    }

    fn me(&self) -> Option<Civ> {
        self.occasion.known.civ()
    }

    /// The table as the reader wants it: brief letters have the reader, their neighbours and whoever leads, and fold the others
    /// into a line.
    fn near_table(&self) -> (Vec<Value>, Option<Value>) {
        let state = self.occasion.known;
        let Some(me) = self.me().filter(|_| self.occasion.delivery.detail == Detail::Brief) else {
            return (self.table(), None);
        };
        let near = neighbours(state, me);
        let leader = state.ranking().max_by_key(|civ| (state.score(*civ).total(), Reverse(state.rank(*civ))));
        let is_shown = |civ: Civ| civ == me || near.contains(&civ) || Some(civ) == leader;
        let far: Vec<Civ> = state.holdings().iter().map(|holding| holding.civ).filter(|civ| !is_shown(*civ)).collect();
        if far.len() < LEAST_FOLDED {
            return (self.table(), None);
        }
        let rows = state.holdings().iter().zip(self.table()).filter(|(holding, _)| is_shown(holding.civ));
        let span = |of: &dyn Fn(Civ) -> usize| {
            let all = || far.iter().map(|civ| of(*civ));
            let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
            if least == most { least.to_string() } else { format!("{least}–{most}") }
        };
        let folded = context! {
            count => far.len(),
            census => span(&|civ| state.holding(civ).census.into()),
            cities => span(&|civ| state.city_count(civ).into()),
            position => span(&|civ| state.holding(civ).position.into()),
            advances => span(&|civ| state.holding(civ).advances.iter().count()),
            hand => span(&|civ| state.holding(civ).hand.len()),
        };
        (rows.map(|(_, row)| row).collect(), Some(folded))
    }

    /// The public numbers of all civilizations.
    fn table(&self) -> Vec<Value> {
        let state = self.occasion.known;
        let rows = state.holdings().iter().map(|holding| {
            context! {
                civ => self.facts.civ(holding.civ),
                mine => Some(holding.civ) == self.me(),
                census => holding.census,
                tokens => state.tokens_on_board(holding.civ),
                cities => state.city_count(holding.civ),
                treasury => holding.treasury,
                stock => holding.stock,
                position => holding.position,
                advances => holding.advances.iter().count(),
                hand => holding.hand.len(),
            }
        });
        rows.collect()
    }

    /// The board of the trade, if there is one.
    fn market(&self, shown: Option<&Shown>) -> Option<Value> {
        market(self.templates, self.occasion.known, shown).map(data)
    }

    fn seats(&self) -> Vec<Value> {
        let me = self.me();
        let seats = self.occasion.seats.iter().map(|seat| {
            let player = self.player(&seat.player, seat.companion && !seat.kept);
            context! { civ => self.facts.civ(seat.civ), player, companion => seat.companion, kept => seat.kept, mine => Some(seat.civ) == me }
        });
        seats.collect()
    }

    fn roster(&self, roster: &[Enrolled]) -> Vec<Value> {
        let lines = roster.iter().map(|line| {
            let player = self.player(&line.player, line.companion && !line.kept);
            let (civ, awaited) = (self.facts.civ(line.civ), self.occasion.awaited.contains(&line.civ));
            context! { civ, player, awaited, companion => line.companion, kept => line.kept, away => line.away, accepted => line.accepted, deputy => line.deputy.as_deref().map(one_line) }
        });
        lines.collect()
    }

    /// A player's name; what a built-in player is called stands in the templates.
    fn player(&self, name: &str, companion: bool) -> String {
        if companion && self.templates.has("companion", name) {
            self.templates.say("companion", name, context! {})
        } else {
            one_line(name)
        }
    }

    fn scores(&self) -> Vec<Value> {
        let scores = self.occasion.known.scores().unwrap_or_default().iter().map(|score| {
            context! {
                civ => self.facts.civ(score.civ),
                who => self.facts.who(Owner::Civ(score.civ), self.me()),
                mine => Some(score.civ) == self.me(),
                ast => score.ast,
                advances => score.advances,
                cities => score.cities,
                bonus => score.bonus,
                total => score.total(),
            }
        });
        scores.collect()
    }

    fn audience(&self, audience: Audience) -> Value {
        match audience {
            Audience::All => Value::from(()),
            Audience::Some(civs) => Value::from_iter(civs.iter().map(|civ| self.facts.civ(*civ))),
            Audience::Moderator => Value::from_iter([Value::from(())]),
        }
    }

    fn phase(&self, TurnPhase { turn, phase }: TurnPhase) -> Value {
        context! { turn, number => phase.number(), phase => self.facts.phase(phase) }
    }

    fn moment(&self, moment: &Moment) -> Value {
        let say = |key| self.templates.say("moment", key, data(moment));
        context! { full => say("full"), short => say("short") }
    }
}

/// Plain data for a template.
fn data(plain: impl Serialize) -> Value {
    Value::from(Serde(plain))
}

/// A page from a template.
fn page(templates: &Templates, letter: &str, facts: Value, has_map: bool, taps: impl FnOnce(&str) -> Vec<Tap>) -> Page {
    let written = templates.letter(letter, facts);
    let (subject, body) = paper::parted(&written);
    let blocks = paper::blocks(body, has_map, &taps(subject));
    let alt = templates.say("label", "map", context! {});
    let frame = context! { language => templates.language.code(), subject, blocks, alt };
    let html = Some(templates.letter("frame.html", frame));
    // A thread has a title of its own; a post in it has none but this.
    let title = (letter != "status.txt").then_some(subject);
    let markdown = markdown(title, body, has_map);
    Page { subject: subject.to_owned(), text: paper::text(body), html, markdown, ..Page::default() }
}

fn texts(lines: Vec<AccountLine>) -> Vec<String> {
    lines.into_iter().map(|line| line.text).collect()
}

/// The civilizations that stand beside a player's pieces, by land or water, or among them.
fn neighbours(state: &Known, civ: Civ) -> BTreeSet<Civ> {
    if !state.is_seated(civ) {
        return BTreeSet::new();
    }
    let map = &state.printed().map;
    let ships = state.holding(civ).ships.iter().map(|ship| ship.area);
    let own: BTreeSet<_> = state.areas_of(Owner::Civ(civ)).chain(ships).collect();
    let mut near = own.clone();
    for area in &own {
        near.extend(map.area(*area).land.iter().chain(&map.area(*area).water));
    }
    let mut civs = BTreeSet::new();
    for area in near {
        let ground = state.ground(area);
        let owners = ground.forces.iter().map(|force| force.owner).chain(ground.city.map(|city| city.owner));
        civs.extend(owners.filter_map(Owner::civ).filter(|other| *other != civ));
    }
    civs
}

/// Somebody's own words, line by line.
fn own_words(text: &str) -> Vec<String> {
    text.trim().lines().map(str::to_owned).collect()
}

/// So many characters of a stranger's line are shown.
const MOST_ECHOED: usize = 200;
/// So many of a line of the player's letter.
const LONGEST_LINE: usize = 500;
/// So many lines of a message are shown to whoever takes a seat over.
const MOST_HANDED_OVER: usize = 12;
/// So many lines of it.
const MOST_LINES: usize = 100;

/// What is shown of a letter that waits, line by line, and whether there is more. Nothing else of it may be read when
/// somebody agrees to it.
pub(crate) fn shown(text: &str) -> (Vec<String>, bool) {
    let lines = own_words(text);
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(|line| cut(line, LONGEST_LINE)).collect();
    let is_cut = shown.len() < lines.len() || shown.iter().zip(&lines).any(|(shown, line)| shown != line);
    (shown, is_cut)
}

/// A line in so many characters at most.
fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A text of somebody's in one line, without what would make a row of a table.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/").replace('`', "'")
}
