//! Answers to questions: help, rules, how the game stands, and a map in words.
//!
//! Comes in: a question and the reader's own view of the game. Goes out: paragraphs of text.

use minijinja::context;

use super::account::account;
use super::acknowledgement::ReadLetter;
use super::advances;
use super::facts::Facts;
use super::hand::hand;
use super::help::Verb;
use super::market;
use super::names::Names;
use super::preview::standing;
use super::templates::Templates;
use crate::game::{Known, Owner, Phase, Witnessed, acquisition, movement};
use crate::orders::words::Word;
use crate::orders::{HelpTopic, Question, RulesTopic, mailing};
use crate::rules::names::fold;
use crate::rules::{AreaId, Civ};

/// The answer to a question, line by line. The sheet is in every acknowledgement, so it needs none of its own.
pub(crate) fn answer(templates: &Templates, answered: &ReadLetter, question: &Question) -> Vec<String> {
    let (state, civ) = (answered.known, answered.civ);
    match question {
        Question::Help(topic) => help(templates, state, topic),
        Question::Rules(topic) => rules(templates, state, civ, topic),
        Question::Status => status(templates, state, answered.around),
        Question::Offers => offers(templates, state),
        Question::Area(area) => on_area(templates, state, civ, *area),
        Question::Prices => advances::prices(templates, state, civ),
        Question::Map(area) => map(templates, state, civ, *area),
        Question::Hand => held(templates, state, civ),
        Question::History(turn) | Question::Digest(turn) => history(templates, (answered.history)(*turn).as_ref()),
        // Only the desk knows them, and it answers.
        Question::Addresses | Question::Forget(_) | Question::Detail(_) | Question::Data(_) | Question::Page(_) => {
            Vec::new()
        }
        Question::Sheet => Vec::new(),
    }
}

/// What happened in a turn.
fn history(templates: &Templates, seen: Option<&Witnessed>) -> Vec<String> {
    let lines = seen.map(|seen| account(templates, seen)).unwrap_or_default();
    if lines.is_empty() {
        vec![templates.say("answer", "no_history", context! {})]
    } else {
        lines.into_iter().map(|line| line.text).collect()
    }
}

fn help(templates: &Templates, state: &Known, topic: &HelpTopic) -> Vec<String> {
    let help = &templates.help;
    match topic {
        HelpTopic::General => {
            let mut lines: Vec<String> = help.intro.trim().lines().map(str::to_owned).collect();
            let phases = Phase::ALL.into_iter().map(Some).chain([None]);
            lines.extend(phases.filter_map(|phase| {
                let verbs: Vec<_> = help.of(phase).map(|(word, _)| word.said(templates.language)).collect();
                let title = title(templates, state, phase);
                (!verbs.is_empty()).then(|| format!("{title}: {}", verbs.join(", ")))
            }));
            lines
        }
        HelpTopic::Verb(word) => help.verb(*word).map(|verb| on_verb(templates, *word, verb)).unwrap_or_default(),
        HelpTopic::Phase(phase) => on_phase(templates, state, *phase),
        // What is asked for together is told together.
        HelpTopic::Now => mailing(state.phase()).iter().flat_map(|phase| on_phase(templates, state, *phase)).collect(),
        HelpTopic::Verbs(words) => {
            let known = words.iter().filter_map(|word| Some((*word, help.verb(*word)?)));
            known.flat_map(|(word, verb)| on_verb(templates, word, verb)).collect()
        }
        HelpTopic::Unknown(topic) => {
            let verbs: Vec<_> = help.verbs.keys().map(|word| word.said(templates.language)).collect();
            vec![templates.say("answer", "no_help", context! { topic, verbs => verbs.join(", ") })]
        }
    }
}

/// All orders of a phase, with what they say.
fn on_phase(templates: &Templates, state: &Known, phase: Phase) -> Vec<String> {
    let mut lines = vec![title(templates, state, Some(phase))];
    for (_, verb) in templates.help.of(Some(phase)) {
        lines.extend(verb.examples.iter().map(|example| format!("  {example}")));
        lines.push(verb.says.clone());
    }
    lines
}

/// What a verb says, lines to type, and how else it may be spelt.
fn on_verb(templates: &Templates, word: Word, verb: &Verb) -> Vec<String> {
    let (english, polish) = word.spellings();
    let spellings: Vec<_> = english.iter().chain(polish).copied().collect();
    let examples = verb.examples.iter().map(|example| format!("  {example}"));
    let also = templates.say("label", "also", context! { words => spellings.join(", ") });
    std::iter::once(verb.says.clone()).chain(examples).chain([also]).collect()
}

fn title(templates: &Templates, state: &Known, phase: Option<Phase>) -> String {
    match phase {
        Some(phase) => {
            format!("{} {}", phase.number(), Names::new(state.printed(), templates.language).phase(phase))
        }
        None => templates.say("label", "any_time", context! {}),
    }
}

fn rules(templates: &Templates, state: &Known, civ: Civ, topic: &RulesTopic) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let book = &templates.rules;
    let sections = match topic {
        RulesTopic::Number(number) => book.numbered(number),
        RulesTopic::Calamity(calamity) => titled(templates, facts.names().calamity(*calamity)),
        RulesTopic::Advance(advance) => titled(templates, facts.names().advance(*advance)),
        RulesTopic::Contents | RulesTopic::Unknown(_) => Vec::new(),
    };
    if !sections.is_empty() {
        let lines = sections.into_iter().flat_map(|section| [vec![section.title], section.lines].concat());
        let mut lines: Vec<String> = lines.collect();
        match topic {
            RulesTopic::Advance(advance) => lines.insert(1, advances::card(templates, state, civ, *advance)),
            // What stands in a section under names of its own is asked for by them.
            RulesTopic::Number(number) => {
                let within: Vec<&str> = book.named_within(number).collect();
                let is_any = !within.is_empty();
                lines.extend(is_any.then(|| {
                    templates.say(
                        "answer",
                        "rules_within",
                        context! { titles => within.join(", "), first => within[0] },
                    )
                }));
            }
            RulesTopic::Contents | RulesTopic::Calamity(_) | RulesTopic::Unknown(_) => {}
        }
        return lines;
    }
    let intro = match topic {
        RulesTopic::Contents => templates.say("answer", "rules_contents", context! {}),
        RulesTopic::Number(topic) | RulesTopic::Unknown(topic) => {
            templates.say("answer", "no_rules", context! { topic })
        }
        RulesTopic::Calamity(calamity) => {
            templates.say("answer", "no_rules", context! { topic => facts.calamity(*calamity) })
        }
        RulesTopic::Advance(advance) => {
            templates.say("answer", "no_rules", context! { topic => facts.advance(*advance) })
        }
    };
    std::iter::once(intro).chain(book.contents().map(|title| format!("  {title}"))).collect()
}

fn titled(templates: &Templates, title: &str) -> Vec<super::rulebook::Section> {
    templates.rules.titled(title).cloned().into_iter().collect()
}

/// The own hand, and how much of it may be kept.
fn held(templates: &Templates, state: &Known, civ: Civ) -> Vec<String> {
    let hand = hand(Facts::new(state.printed(), templates.language), state, civ);
    let limit = templates.say("answer", "hand_limit", context! { limit => acquisition::hand_limit(state, civ) });
    let written = templates.letter("hand.txt", context! { hand });
    let lines = written.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).map(str::to_owned);
    lines.chain([limit]).collect()
}

/// The board of the trade: who has traded so far, what the player can accept with their cards, the other offers,
/// wishes.
fn offers(templates: &Templates, state: &Known) -> Vec<String> {
    let market = market::market(templates, state, None).unwrap_or_default();
    let told = |heading: Option<&str>, lines: &[String]| {
        let heading = heading.filter(|_| !lines.is_empty()).map(|key| templates.say("answer", key, context! {}));
        heading.into_iter().chain(lines.iter().map(|line| format!("  {line}"))).collect::<Vec<_>>()
    };
    let none = market.open.is_empty() && market.rest.is_empty();
    let trade = state.phase() == Phase::Trade;
    let none = if none { vec![templates.say("answer", "no_offers", context! { trade })] } else { Vec::new() };
    let offers = [told(Some("offers_answerable"), &market.open), told(Some("offers_others"), &market.rest)];
    [none, told(None, &market.new), offers.concat(), told(Some("offers_wishes"), &market.wishes)].concat()
}

/// What there is to know of an area: what stands there and beside it, and who could come.
fn on_area(templates: &Templates, state: &Known, civ: Civ, area: AreaId) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let comers = movement::comers(state, area).into_iter().filter(|(other, _)| *other != civ);
    let mut comers: Vec<_> = comers.collect();
    comers.sort_by_key(|(other, tokens)| (std::cmp::Reverse(*tokens), state.rank(*other)));
    let comers = comers.into_iter().map(|(other, tokens)| context! { civ => facts.civ(other), tokens });
    let comers: Vec<_> = comers.collect();
    let mut lines = map(templates, state, civ, Some(area));
    lines.push(format!("  {}", templates.say("answer", "comers", context! { comers })));
    lines
}

/// The turn, the phase, who is awaited, the open offers, and a line for every civilization with what lies open. G.15.
fn status(templates: &Templates, state: &Known, around: &[String]) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let phase = state.phase();
    let turn = context! { turn => state.turn(), number => phase.number(), phase => facts.phase(phase) };
    let mut lines = vec![templates.say("label", "turn", turn)];
    lines.extend(around.iter().cloned());
    if state.civ().is_some() && phase == Phase::Trade {
        lines.extend(offers(templates, state));
    }
    for civ in state.ranking() {
        let holding = state.holding(civ);
        let public = context! {
            civ => facts.civ(civ),
            census => holding.census,
            tokens => state.tokens_on_board(civ),
            stock => holding.stock,
            treasury => holding.treasury,
            cities => state.city_count(civ),
            ships => holding.ships.len(),
            hand => holding.hand.len(),
            advances => holding.advances.iter().count(),
            position => holding.position,
        };
        lines.extend(templates.say("answer", "civilization", public).lines().map(str::to_owned));
    }
    lines
}

/// An area or all own ones, with what stands there and beside it.
fn map(templates: &Templates, state: &Known, civ: Civ, area: Option<AreaId>) -> Vec<String> {
    let names = Names::new(state.printed(), templates.language);
    let mut areas: Vec<AreaId> = match area {
        Some(area) => vec![area],
        None => state.areas_of(Owner::Civ(civ)).collect(),
    };
    areas.sort_by_key(|area| (fold(names.area(*area)), *area));
    let here = |area: AreaId| match standing(templates, state, civ, area) {
        standing if standing.is_empty() => names.area(area).to_owned(),
        standing => format!("{} ({standing})", names.area(area)),
    };
    let mut lines = Vec::new();
    for area in areas {
        let printed = state.printed().map.area(area);
        let beside = |areas: &[AreaId]| {
            let in_play = areas.iter().copied().filter(|area| !state.ground(*area).out_of_play);
            in_play.map(here).collect::<Vec<_>>().join(", ")
        };
        let facts = context! {
            area => match standing(templates, state, civ, area) {
                standing if standing.is_empty() => names.area(area).to_owned(),
                standing => format!("{}: {standing}", names.area(area)),
            },
            limit => state.limit(area),
            site => printed.site.is_some(),
            land => beside(&printed.land),
            water => beside(&printed.water),
        };
        lines.extend(templates.say("answer", "area", facts).lines().map(str::to_owned));
    }
    lines
}
