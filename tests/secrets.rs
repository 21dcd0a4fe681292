//! Secrets: whatever is written to a reader is the same, byte for byte, whatever that reader may not know.
//!
//! Random games are played between companions. For every ruling and reader all that is hidden from them is changed: the
//! hands of the others, the stacks, what was drawn, traded and refused unseen, and how often chance was asked. What they
//! know must not change, nor anything that is written to them: reports, boards, decisions, reminders, rollbacks, digests, the
//! answers to letters that probe (orders which stand or fall by a card that they have not seen, tried or filed), and for a
//! sample the order page and the maps. Each game has its number of letters, so the same letters are compared whatever the machine does;
//! `CURSUS_LETTERS=100000` compares more of them, and a failure names its seed.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

#[path = "secrets/pages.rs"]
mod pages;
#[path = "secrets/probes.rs"]
mod probes;
#[path = "secrets/trials.rs"]
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cursus::companions::{self, Temperament};
use cursus::door::check::answered;
use cursus::door::demo::scenario;
use cursus::door::session::Session;
use cursus::game::{Event, Illegal, Known, LineId, Opening, Phase, Reader, State, TurnPhase, Witnessed};
use cursus::orders::{Lexicon, Sheet, awaited};
use cursus::report::letters::{
    self, Audience, Content, Delivery, Enrolled, Ignored, Moment, Occasion, Page, Seat, Sight, TapTo, Taps, Terms,
};
use cursus::report::map::png;
use cursus::report::page;
use cursus::report::{Templates, View};
use cursus::rules::{AstSide, Block, Calamity, Civ, Commodity, Face, Language, PrintedGame, TradeCard};

/// How many letters are compared at least.
const LETTERS: usize = 10_000;
/// How many of them are of one game.
const OF_A_GAME: usize = 500;
/// One letter of a game in so many has its SVG compared, and one in so many its PNG.
const SVG_EVERY: usize = 100;
/// One in so many has the order page of its reader compared: HTML, data and a trial.
const PAGE_EVERY: usize = 7;
/// One public reader in so many has the public page compared.
const PUBLIC_EVERY: usize = 3;
const PNG_EVERY: usize = 2_500;
/// One letter in so many has what a browser is sent compared, and its name.
const VIEW_EVERY: usize = 20;

#[test]
fn a_letter_is_the_same_whatever_its_reader_may_not_know() {
    let wanted = std::env::var("CURSUS_LETTERS").map_or(LETTERS, |count| count.parse().unwrap());
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let desk = Desk {
        english: Templates::built_in(Language::English, &printed),
        polish: Templates::built_in(Language::Polish, &printed),
        lexicon: Lexicon::new(&printed),
    };
    let games = wanted.div_ceil(OF_A_GAME);
    let (next, total) = (AtomicUsize::new(1), Mutex::new(Count::default()));
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            threads.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > games {
                        return;
                    }
                    let players = [5, 18, 9, 12, 7, 15][seed % 6];
                    let play = AssertUnwindSafe(|| desk.play(&printed, players, seed as u64));
                    match catch_unwind(play) {
                        Ok(count) => total.lock().unwrap().add(count),
                        Err(trouble) => {
                            eprintln!("in the game of seed {seed}, {players} players");
                            resume_unwind(trouble);
                        }
                    }
                }
            });
        }
    });
    let count = total.into_inner().unwrap();
    println!("{} letters compared; for {} of them the hands of others were changed", count.written, count.changed);
    for (kind, number) in &count.kinds {
        println!("{number:>8} {kind}");
    }
    assert!(count.written >= wanted && count.changed > wanted / 2, "{count:?}");
    // Nothing is left out by chance.
    for kind in KINDS {
        assert!(count.kinds.contains_key(kind), "no {kind} was compared");
    }
    assert!(count.judged_later > 0, "no line met a card that its writer had not seen");
}

/// Everything that is compared.
const KINDS: [&str; 17] = [
    "answer, filed",
    "answer, tried",
    "board",
    "companion",
    "decision",
    "digest",
    "end",
    "hand",
    "map",
    "moderation",
    "press",
    "public page",
    "reminder",
    "report",
    "rollback",
    "status",
    "welcome",
];

/// So many numbers choose a kind of letter.
const LETTER_KINDS: usize = 16;

/// What was compared.
#[derive(Debug, Default)]
struct Count {
    written: usize,
    changed: usize,
    judged_later: usize,
    kinds: BTreeMap<&'static str, usize>,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.written += other.written;
        self.changed += other.changed;
        self.judged_later += other.judged_later;
        for (kind, number) in other.kinds {
            *self.kinds.entry(kind).or_default() += number;
        }
    }

    fn note(&mut self, kind: &'static str) {
        self.written += 1;
        *self.kinds.entry(kind).or_default() += 1;
    }
}

struct Desk {
    english: Templates,
    polish: Templates,
    lexicon: Lexicon,
}

impl Desk {
    fn play(&self, printed: &Arc<PrintedGame>, players: u8, seed: u64) -> Count {
        let mut session = Session::new(Arc::clone(printed), scenario(printed, players).unwrap(), AstSide::Basic, seed);
        let mut dice = Dice { seed, taken: BTreeSet::new() };
        let mut count = Count::default();
        while !session.state().has_ended() && count.written < OF_A_GAME {
            let ruling = session.rule_phase();
            // In the first turns nobody holds anything, and a part of the rulings reaches later ones sooner. The end of a
            // game is told once.
            let is_last = session.state().has_ended();
            if !is_last && (ruling.before.turn() < 4 || dice.below(3) > 0) {
                continue;
            }
            let sheets: BTreeMap<Civ, Sheet> =
                session.seats().keys().filter_map(|civ| Some((*civ, session.sheet(*civ)?.clone()))).collect();
            self.compare(printed, &ruling.before, &ruling.events, &sheets, &mut dice, &mut count);
            // In the midst of a trade there are offers on the board.
            if ruling.before.phase() == Phase::Trade && ruling.events.len() > 4 {
                let part = 2 + dice.below(ruling.events.len() - 3);
                self.compare(printed, &ruling.before, &ruling.events[..part], &sheets, &mut dice, &mut count);
            }
        }
        // Few games of five hundred letters come to their end: this one is hurried there.
        if seed.is_multiple_of(10) {
            let mut last = None;
            while !session.state().has_ended() {
                last = Some(session.rule_phase());
            }
            if let Some(ruling) = last {
                let none = BTreeMap::new();
                self.compare(printed, &ruling.before, &ruling.events, &none, &mut dice, &mut count);
            }
        }
        count
    }

    /// Writes to everybody of a ruling, from what is true and from what might be.
    fn compare(
        &self,
        printed: &Arc<PrintedGame>,
        before: &State,
        events: &[Event],
        sheets: &BTreeMap<Civ, Sheet>,
        dice: &mut Dice,
        count: &mut Count,
    ) {
        let mut after = before.clone();
        events.iter().for_each(|event| after.apply(event));
        let readers = before.ranking().map(Reader::Player).chain([Reader::Public]);
        for reader in readers {
            let veiled = Veiled::of(printed, before, events, reader, dice);
            let place = (before.turn(), before.phase(), reader);
            let holds_other = |civ: &Civ| veiled.after.holding(*civ).hand != after.holding(*civ).hand;
            let other_hand = after.ranking().rfind(holds_other);
            let seen = Witnessed::of(before, events, reader);
            let might = Witnessed::of(&veiled.before, &veiled.events, reader);
            assert!(seen == might, "what is known, {place:?}");

            let sheet = match reader {
                Reader::Player(civ) => sheets.get(&civ).filter(|_| dice.below(2) == 0).cloned().unwrap_or_default(),
                Reader::Public | Reader::Onlooker => Sheet::default(),
            };
            let templates = if dice.below(2) == 0 { &self.english } else { &self.polish };
            let kind = dice.below(LETTER_KINDS);
            let (name, one) = letter(templates, &seen, &sheet, kind);
            let (_, other) = letter(templates, &might, &sheet, kind);
            assert_eq!(one.text, other.text, "the text of a {name}, {place:?}");
            assert_eq!(one, other, "{name}, {place:?}");
            count.note(name);
            count.changed += usize::from(other_hand.is_some());

            // Whoever holds the cards that were changed does see it.
            if let Some(holder) = other_hand.filter(|_| count.written.is_multiple_of(SVG_EVERY) && !after.has_ended()) {
                let known = |state: &State| Witnessed::nothing(Known::of(state, Reader::Player(holder)));
                let hand = |state: &State| letter(templates, &known(state), &Sheet::default(), HAND).1.text;
                assert_ne!(hand(&after), hand(&veiled.after), "{place:?}");
            }

            if let Some(civ) = seen.after().civ() {
                let letter = probes::letter(&after, civ, dice);
                let is_trial = letter.starts_with("try");
                let answer = |state: &State| {
                    let mut sheet = sheet.clone();
                    answered(templates, &self.lexicon, state, civ, &mut sheet, &letter, u64::MAX)
                };
                let (one, other) = (answer(&after), answer(&veiled.after));
                let json = |told| serde_json::to_string_pretty(told).unwrap();
                assert_eq!(json(&one), json(&other), "the answer to this letter, {place:?}:\n{letter}");
                assert_eq!(one.text(templates), other.text(templates), "{place:?}:\n{letter}");
                count.note(if is_trial { "answer, tried" } else { "answer, filed" });
                count.changed += usize::from(other_hand.is_some());
                let lines = one.sheet.parts.iter().filter(|part| part.phase == after.phase().number());
                count.judged_later += lines.flat_map(|part| &part.lines).filter(|line| line.later).count();

                if count.written.is_multiple_of(PAGE_EVERY) {
                    let page = |known: &Known| pages::sent(templates, &self.lexicon, known, civ, &sheet, &letter);
                    assert_eq!(page(seen.after()), page(might.after()), "the order page, {place:?}:\n{letter}");
                }

                let companion = |known: &Known| {
                    [Temperament::Settler, Temperament::Merchant, Temperament::Raider]
                        .map(|temperament| companions::letter(&View::of(known), temperament))
                };
                assert_eq!(companion(seen.after()), companion(might.after()), "a companion, {place:?}");
                count.note("companion");
                count.changed += usize::from(other_hand.is_some());
            }

            // The moderator's page, who is told what everybody is.
            if reader == Reader::Public && count.written.is_multiple_of(VIEW_EVERY) {
                let page = |known: &Known| pages::moderators(templates, known);
                assert_eq!(page(seen.after()), page(might.after()), "the moderator's page, {place:?}");
                count.note("moderator's page");
            }

            // The order page: what a browser is sent, and the name of that, by which it learns that something has changed.
            if let Some(civ) = seen.after().civ()
                && (count.written.is_multiple_of(VIEW_EVERY) || count.written < 20)
            {
                let page = |known: &Known| order_page(templates, known, civ, &sheet);
                assert_eq!(page(seen.after()), page(might.after()), "the order page, {place:?}");
                count.note("order page");
                count.changed += usize::from(other_hand.is_some());
            }

            // The page of a game that everybody may watch.
            let number = usize::from(before.turn()) + usize::from(before.phase().number());
            if reader == Reader::Public && number.is_multiple_of(PUBLIC_EVERY) {
                let (one, other) = (pages::watched(templates, &seen), pages::watched(templates, &might));
                assert!(one == other, "the public page, {place:?}");
                count.note("public page");
                count.changed += usize::from(other_hand.is_some());
            }

            if count.written.is_multiple_of(SVG_EVERY) || count.written < 20 {
                let svg = |seen: &Witnessed| {
                    let sight = Sight { seen: Some(seen), known: seen.after(), asked: None };
                    sight.svg(templates.language, "a game")
                };
                let one = svg(&seen);
                assert_eq!(one, svg(&might), "the map, {place:?}");
                let touched = |seen: &Witnessed| cursus::report::page::map(seen.after(), templates.language);
                assert_eq!(touched(&seen), touched(&might), "the touchable map, {place:?}");
                count.note("map");
                if let Some(one) = one.filter(|_| count.written.is_multiple_of(PNG_EVERY)) {
                    assert!(png(&one).unwrap().len() < 300_000);
                }
            }
        }
    }
}

/// What a browser is sent of a seat: the page, its data, its map, and what its revision is made of.
fn order_page(templates: &Templates, known: &Known, civ: Civ, sheet: &Sheet) -> [String; 4] {
    let map = page::map(known, templates.language);
    let seat = page::Seat {
        known,
        civ,
        sheet,
        templates,
        name: page::SeatName { game: "a-game", title: "a game", slug: "a-seat", watched: true },
        cut_off: None,
        awaited: &[],
        ended: false,
        report: None,
        newest: page::Newest { revision: "0", map: &page::map_name(&map), heard: 0 },
        visit: page::Visit { token: "0", mark: "0", answer: None },
    };
    let data = serde_json::to_string_pretty(&page::data(&seat)).unwrap();
    [page::html(&seat), data, map, serde_json::to_string(&**known).unwrap()]
}

/// The place of the own hand among the kinds.
const HAND: usize = 5;

/// A letter of some kind. Who is awaited, and in what sequence, must not tell either: so all of it is made of what is known.
fn letter(templates: &Templates, seen: &Witnessed, sheet: &Sheet, kind: usize) -> (&'static str, Page) {
    let known = seen.after();
    let seats =
        known.ranking().map(|civ| Seat { civ, player: format!("player {}", civ.0), companion: false, kept: false });
    let seats: Vec<Seat> = seats.collect();
    let mut civs: Vec<Civ> = awaited(known).into_iter().map(|awaited| awaited.civ).collect();
    civs.sort_by_key(|civ| known.rank(*civ));
    civs.dedup();
    let cut_off = Moment { year: 2026, month: 3, day: 29, weekday: 7, hour: 2, minute: 30, zone: "CEST".to_owned() };
    let is_public = known.reader() == Reader::Public;
    // Whoever was shown an empty board is told all of it as new.
    let shown = cursus::report::market::Shown { turn: known.turn(), open: [1].into(), ..Default::default() };
    let occasion = Occasion {
        game: "a game",
        known,
        // The public record is posted, and addresses nobody.
        name: if is_public { "" } else { "a reader" },
        seats: &seats,
        sheet: known.civ().map(|_| sheet),
        awaited: &civs,
        by_default: &[],
        cut_off: Some(cut_off),
        terms: Terms::default(),
        shown: Some(&shown),
        delivery: Delivery {
            data: true,
            taps: Some(Taps(&|line| TapTo::at(format!("cursus+a-game.seat.{}@example.org", line.len())))),
            ..Delivery::default()
        },
    };
    let roster = seats.iter().map(|seat| Enrolled {
        civ: seat.civ,
        player: seat.player.clone(),
        companion: seat.companion,
        kept: seat.kept,
        away: false,
        accepted: true,
        deputy: None,
    });
    let roster: Vec<Enrolled> = roster.collect();
    let owes = known.civ().map(|civ| letters::owed_lines(templates, known, civ, sheet)).unwrap_or_default();
    let lines = ["a line".to_owned()];
    let told = cursus::report::Acknowledgement::default();
    let (before, after) = (seen.before(), known);
    let (name, content) = match (kind, after.phase()) {
        (0, _) => ("rollback", {
            let (from, to) = (after.turn_phase(), before.turn_phase());
            Content::Rollback { to, from, kept: &[], reason: None }
        }),
        (1, _) => ("reminder", Content::Reminder { owes: &owes }),
        (2, _) if !is_public && after.turn().is_multiple_of(2) => ("briefing", {
            let (standing, messages) = (&lines[..], &[][..]);
            let turns = std::slice::from_ref(seen);
            Content::Briefing { former: "Anna", standing, turns, messages, commitment: "0123456789abcdef" }
        }),
        (2, _) if !is_public && after.turn().is_multiple_of(3) => {
            ("deputy", Content::Deputy { player: "Anna", is_away: true, until: None })
        }
        (2, _) => ("welcome", Content::Welcome { commitment: "0123456789abcdef", themes: &[] }),
        (3, _) => ("press", Content::Press { from: after.ranking().next(), to: Audience::All, text: "Hello!" }),
        (4, _) => ("digest", Content::Digest { seen }),
        (HAND, _) if !is_public => ("hand", Content::Hand),
        // What the moderator is told, whoever that is.
        (6, _) if is_public => ("moderation", Content::Moderation { lines: &lines }),
        (6, _) => ("answer, filed", {
            let ignored = Ignored::default();
            Content::Acknowledgement {
                told: &told,
                ignored,
                outdated: Some(TurnPhase::new(1, Phase::Tax)),
                seen,
                public: false,
                board: true,
            }
        }),
        (7.., _) if is_public && kind.is_multiple_of(2) => {
            ("status", Content::Status { roster: &roster, public_orders: false, watch: None })
        }
        _ if after.has_ended() => ("end", Content::End { seen }),
        (_, Phase::Trade) => ("board", Content::Board { seen }),
        (7..=9, _) => ("decision", Content::Decision { seen }),
        _ => ("report", Content::Report { seen }),
    };
    (name, letters::write(templates, &occasion, &content))
}

/// What might be true instead, as far as a reader knows.
struct Veiled {
    before: State,
    events: Vec<Event>,
    after: State,
}

impl Veiled {
    fn of(printed: &Arc<PrintedGame>, before: &State, events: &[Event], reader: Reader, dice: &mut Dice) -> Veiled {
        let me = match reader {
            Reader::Player(civ) => Some(civ),
            Reader::Public | Reader::Onlooker => None,
        };
        let mut after = before.clone();
        events.iter().for_each(|event| after.apply(event));
        // Once they are laid down, the number of calamities in a hand is public. R8.1.
        let counted = |phase| matches!(phase, Phase::Selection | Phase::Calamities);
        let is_counted = counted(before.phase())
            || counted(after.phase())
            || events.iter().any(|event| matches!(event, Event::CalamitiesLaid { .. }));
        // Of a calamity there is one card in a block: what one holds, or comes to hold, nobody else has.
        dice.taken = [before, &after].into_iter().flat_map(|state| calamities(state, me)).collect();
        let known = revealed(before, events, me);
        let mut cards = Cards::new(before, me, &known, |card| dice.other(before, card, is_counted));
        let opening = Opening {
            printed: Arc::clone(printed),
            rulebook: *before.rulebook(),
            track: before.track(),
            players: before.players(),
            turn: before.turn(),
            phase: before.phase(),
            holdings: before
                .holdings()
                .iter()
                .cloned()
                .map(|mut holding| {
                    holding.hand = cards.hands[&holding.civ].iter().map(|card| card.shown).collect();
                    holding.hand.sort_unstable();
                    holding
                })
                .collect(),
            board: before.grounds().map(|(_, ground)| ground.clone()).collect(),
            stacks: before.stacks().clone(),
            // From whom their own calamities came, players know.
            givers: own_givers(before, me),
        };
        let mut stacks = opening.stacks.clone();
        let blocks: Vec<Block> = stacks.blocks().collect();
        for block in blocks {
            for stack in 1..=9 {
                let laid: Vec<_> =
                    stacks.stack(block, stack).iter().map(|card| dice.other(before, *card, false)).collect();
                stacks.lay(block, stack, laid);
            }
        }
        let mut veiled = State::new(Opening { stacks, ..opening });
        if let Some(turn) = before.last_turn() {
            veiled.apply(&Event::LastTurnAnnounced { turn });
        }
        let mut events: Vec<Event> =
            events.iter().filter_map(|event| cards.veil(event, dice, before, is_counted)).collect();
        // Somebody else's line comes to nothing.
        let others: Vec<Civ> = before.ranking().filter(|civ| Some(*civ) != me).collect();
        let civ = others[dice.below(others.len())];
        let why = Illegal::NotInHand { card: Face::Commodity(Commodity(dice.below(5) as u8)) };
        events.insert(0, Event::Refused { civ, line: LineId(77), why });
        let mut after = veiled.clone();
        events.iter().for_each(|event| after.apply(event));
        Veiled { before: veiled, events, after }
    }
}

fn calamities(state: &State, me: Option<Civ>) -> impl Iterator<Item = Face> + '_ {
    let hand = me.filter(|civ| state.is_seated(*civ)).map(|civ| state.holding(civ).hand.iter());
    hand.into_iter().flatten().map(|card| card.face).filter(|face| face.is_calamity())
}

fn own_givers(state: &State, me: Option<Civ>) -> BTreeMap<TradeCard, Civ> {
    let hand = me.filter(|civ| state.is_seated(*civ)).map(|civ| state.holding(civ).hand.iter());
    hand.into_iter().flatten().filter_map(|card| Some((*card, state.giver(*card)?))).collect()
}

/// A card that can be followed: what it is, and what it might be.
#[derive(Debug, Clone, Copy)]
struct Followed {
    id: usize,
    card: TradeCard,
    shown: TradeCard,
}

/// The hands, with every card followed.
struct Cards<'a> {
    me: Option<Civ>,
    hands: BTreeMap<Civ, Vec<Followed>>,
    known: &'a BTreeSet<usize>,
    next: usize,
}

impl<'a> Cards<'a> {
    fn new(
        before: &State,
        me: Option<Civ>,
        known: &'a BTreeSet<usize>,
        mut other: impl FnMut(TradeCard) -> TradeCard,
    ) -> Cards<'a> {
        let mut cards = Cards { me, hands: BTreeMap::new(), known, next: 0 };
        for holding in before.holdings() {
            for card in &holding.hand {
                cards.receive(holding.civ, *card, &mut other);
            }
            cards.hands.entry(holding.civ).or_default();
        }
        cards
    }

    fn receive(&mut self, civ: Civ, card: TradeCard, other: impl FnOnce(TradeCard) -> TradeCard) -> TradeCard {
        let id = self.next;
        self.next += 1;
        let is_known = Some(civ) == self.me || self.known.contains(&id);
        let shown = if is_known { card } else { other(card) };
        self.hands.entry(civ).or_default().push(Followed { id, card, shown });
        shown
    }

    fn give(&mut self, civ: Civ, card: TradeCard) -> Followed {
        let hand = self.hands.get_mut(&civ).unwrap();
        let at = hand.iter().position(|held| held.card == card).unwrap();
        hand.remove(at)
    }

    fn pass(&mut self, from: Civ, to: Civ, card: TradeCard) -> Followed {
        let followed = self.give(from, card);
        self.hands.get_mut(&to).unwrap().push(followed);
        followed
    }

    /// The event as it might have been.
    fn veil(&mut self, event: &Event, dice: &mut Dice, state: &State, counted: bool) -> Option<Event> {
        let mut event = event.clone();
        match &mut event {
            Event::CardDrawn { civ, card, .. } | Event::CardBought { civ, card, .. } => {
                *card = self.receive(*civ, *card, |card| dice.other(state, card, counted));
            }
            Event::CardTaken { from, to, card } | Event::CardGiven { from, to, card } => {
                *card = self.pass(*from, *to, *card).shown;
            }
            Event::TradeMade { from, to, given, received, .. } => {
                for card in given {
                    *card = self.pass(*from, *to, *card).shown;
                }
                for card in received {
                    *card = self.pass(*to, *from, *card).shown;
                }
            }
            Event::CardsDiscarded { civ, cards, .. } | Event::AdvancesAcquired { civ, cards, .. } => {
                cards.iter_mut().for_each(|card| *card = self.give(*civ, *card).shown);
            }
            Event::CalamityDiscarded { civ, card } | Event::CalamityResolved { victim: civ, card } => {
                *card = self.give(*civ, *card).shown;
            }
            Event::OfferMade { from, gives, to, told, says, wants, names, .. } if Some(*from) != self.me => {
                gives.iter_mut().for_each(|card| *card = dice.other(state, *card, false));
                // An offer between two others is known to nobody else.
                if !self.me.is_some_and(|me| to.includes(me)) && !to.named().is_empty() {
                    *told = told.map(|face| dice.other(state, TradeCard { face, block: Block::West }, true).face);
                    says.clear();
                    *wants += 1;
                    names.reverse();
                }
            }
            Event::StackReshuffled { cards, .. } | Event::StackPrepared { cards, .. } => {
                cards.iter_mut().for_each(|card| *card = dice.other(state, *card, false));
            }
            Event::Refused { civ, .. } | Event::Thwarted { civ, .. } if Some(*civ) != self.me => return None,
            _ => {}
        }
        Some(event)
    }
}

/// The cards that the reader sees in these events, wherever they come from.
fn revealed(before: &State, events: &[Event], me: Option<Civ>) -> BTreeSet<usize> {
    let nothing = BTreeSet::new();
    let mut cards = Cards::new(before, me, &nothing, |card| card);
    let mut known = BTreeSet::new();
    for event in events {
        match event {
            Event::CardDrawn { civ, card, .. } | Event::CardBought { civ, card, .. } => {
                cards.receive(*civ, *card, |card| card);
            }
            Event::CardTaken { from, to, card } | Event::CardGiven { from, to, card } => {
                let followed = cards.pass(*from, *to, *card);
                known.extend((Some(*to) == me || Some(*from) == me).then_some(followed.id));
            }
            Event::TradeMade { from, to, given, received, .. } => {
                let mine = Some(*to) == me || Some(*from) == me;
                let given = given.iter().map(|card| (*from, *to, card));
                let received = received.iter().map(|card| (*to, *from, card));
                for (from, to, card) in given.chain(received) {
                    let followed = cards.pass(from, to, *card);
                    known.extend(mine.then_some(followed.id));
                }
            }
            Event::CardsDiscarded { civ, cards: gone, .. } => {
                for card in gone {
                    let followed = cards.give(*civ, *card);
                    known.extend((Some(*civ) == me).then_some(followed.id));
                }
            }
            Event::AdvancesAcquired { civ, cards: paid, .. } => {
                known.extend(paid.iter().map(|card| cards.give(*civ, *card).id).collect::<Vec<_>>());
            }
            Event::CalamityDiscarded { civ, card } | Event::CalamityResolved { victim: civ, card } => {
                known.insert(cards.give(*civ, *card).id);
            }
            // Shown while it is still in the hand, and resolved afterwards.
            _ => {}
        }
    }
    known
}

/// Numbers that nobody foresees, the same at every run.
struct Dice {
    seed: u64,
    /// Calamities that nobody else can have.
    taken: BTreeSet<Face>,
}

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % most.max(1)
    }

    /// Any card; a calamity for a calamity where their number is known.
    fn other(&mut self, state: &State, card: TradeCard, counted: bool) -> TradeCard {
        let printed = state.printed();
        let is_calamity = if counted { matches!(card.face, Face::Calamity(_)) } else { self.below(4) == 0 };
        let face = if is_calamity {
            loop {
                let face = Face::Calamity(Calamity::ALL[self.below(Calamity::ALL.len())]);
                if !self.taken.contains(&face) {
                    break face;
                }
            }
        } else {
            Face::Commodity(Commodity(self.below(printed.commodities.len()) as u8))
        };
        TradeCard { face, block: card.block }
    }
}
