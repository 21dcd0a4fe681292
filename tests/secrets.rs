//! Secrets: a letter is the same, byte for byte, whatever its reader may not know.
//!
//! Random games are played between companions. For every ruling and reader all that is hidden from him is changed: the
//! hands of the others, the stacks, what was drawn, traded and refused unseen, and how often chance was asked. His
//! letter must not change: subject, text, HTML, Markdown and data; of the map all it is drawn from, and for a sample the SVG and
//! the PNG. `CURSUS_LETTERS=100000` writes more of them.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cursus::door::demo::scenario;
use cursus::door::session::Session;
use cursus::game::{Event, Illegal, LineId, Opening, Phase, State};
use cursus::orders::{Sheet, awaited};
use cursus::report::letters::{self, Content, Enrolled, Moment, Occasion, Page, Seat, Sight, Terms};
use cursus::report::map::{Changes, PHONE, concerns, png};
use cursus::report::{Reader, Templates};
use cursus::rules::{AstSide, Block, Calamity, Civ, Commodity, Face, Language, PrintedGame, TradeCard};

/// How many letters are compared at least.
const LETTERS: usize = 10_000;
/// One letter in so many has its SVG compared, and one in so many its PNG.
const SVG_EVERY: usize = 100;
const PNG_EVERY: usize = 2_500;

#[test]
fn a_letter_is_the_same_whatever_its_reader_may_not_know() {
    let wanted = std::env::var("CURSUS_LETTERS").map_or(LETTERS, |count| count.parse().unwrap());
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let desk = Desk {
        english: Templates::built_in(Language::English, &printed),
        polish: Templates::built_in(Language::Polish, &printed),
        written: AtomicUsize::new(0),
        changed: AtomicUsize::new(0),
        wanted,
    };
    let seeds = AtomicUsize::new(1);
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            threads.spawn(|| {
                while !desk.is_done() {
                    let seed = seeds.fetch_add(1, Ordering::Relaxed);
                    desk.play(&printed, [5, 18, 9, 12, 7, 15][seed % 6], seed as u64);
                }
            });
        }
    });
    let (written, changed) = (desk.written.into_inner(), desk.changed.into_inner());
    println!("{written} letters compared; for {changed} of them the hands of others were changed");
    assert!(written >= wanted && changed > wanted / 2, "{written} letters, {changed} with other hands");
}

struct Desk {
    english: Templates,
    polish: Templates,
    written: AtomicUsize,
    changed: AtomicUsize,
    wanted: usize,
}

impl Desk {
    fn is_done(&self) -> bool {
        self.written.load(Ordering::Relaxed) >= self.wanted
    }

    fn play(&self, printed: &Arc<PrintedGame>, players: u8, seed: u64) {
        let mut session = Session::new(Arc::clone(printed), scenario(printed, players).unwrap(), AstSide::Basic, seed);
        let mut dice = Dice(seed);
        while !session.state().has_ended() && !self.is_done() {
            let ruling = session.rule_phase();
            // In the first turns nobody holds anything, and a part of the rulings reaches later ones sooner.
            if ruling.before.turn() < 4 || dice.below(3) > 0 {
                continue;
            }
            let sheets: BTreeMap<Civ, Sheet> =
                session.seats().keys().filter_map(|civ| Some((*civ, session.sheet(*civ)?.clone()))).collect();
            self.compare(printed, &ruling.before, &ruling.events, &sheets, &mut dice);
            // In the midst of a trade there are offers on the board.
            if ruling.before.phase() == Phase::Trade && ruling.events.len() > 4 {
                let part = 2 + dice.below(ruling.events.len() - 3);
                self.compare(printed, &ruling.before, &ruling.events[..part], &sheets, &mut dice);
            }
        }
    }

    /// Writes the letters of a ruling to everybody, from what is true and from what might be.
    fn compare(
        &self,
        printed: &Arc<PrintedGame>,
        before: &State,
        events: &[Event],
        sheets: &BTreeMap<Civ, Sheet>,
        dice: &mut Dice,
    ) {
        let mut after = before.clone();
        events.iter().for_each(|event| after.apply(event));
        let readers = before.ranking().map(Reader::Player).chain([Reader::Public]);
        for reader in readers {
            let veiled = Veiled::of(printed, before, events, reader, dice);
            let number = self.written.fetch_add(1, Ordering::Relaxed);
            let holds_other = |civ: &Civ| veiled.after.holding(*civ).hand != after.holding(*civ).hand;
            let other_hand = after.ranking().rfind(holds_other);
            self.changed.fetch_add(usize::from(other_hand.is_some()), Ordering::Relaxed);
            let civ = match reader {
                Reader::Player(civ) => Some(civ),
                Reader::Public | Reader::Onlooker => None,
            };
            let sheet =
                civ.and_then(|civ| sheets.get(&civ)).filter(|_| dice.below(2) == 0).cloned().unwrap_or_default();
            let templates = if dice.below(2) == 0 { &self.english } else { &self.polish };
            // A status is for the public alone, a hand for its holder.
            let kinds = if civ.is_none() { [0, 1, 2, 3, 4] } else { [0, 1, 2, 4, 5] };
            let kind = kinds[dice.below(kinds.len())];
            let write = |before: &State, events: &[Event], after: &State| {
                letter(templates, before, events, after, reader, civ.map(|_| &sheet), kind)
            };
            let (true_one, other) =
                (write(before, events, &after), write(&veiled.before, &veiled.events, &veiled.after));
            let place = (before.turn(), before.phase(), reader);
            assert_eq!(true_one.text, other.text, "the text, {place:?}");
            assert_eq!(true_one, other, "{place:?}");
            let has_data = civ.is_some() && after.phase() != Phase::Trade && kind < 3;
            assert!(true_one.data.is_some() == has_data || after.has_ended());

            // Whoever holds the cards that were changed does see it.
            if let Some(holder) = other_hand.filter(|_| number.is_multiple_of(SVG_EVERY) && !after.has_ended()) {
                let empty = Sheet::default();
                let write = |before: &State, events: &[Event], after: &State| {
                    letter(templates, before, events, after, Reader::Player(holder), Some(&empty), 1)
                };
                let seen = write(&veiled.before, &veiled.events, &veiled.after);
                assert_ne!(write(before, events, &after).text, seen.text, "{place:?}");
            }

            // The map is drawn from these alone; the board itself is public.
            let changes = |before: &State, events: &[Event]| Changes::seen(before, events, reader);
            let seen = changes(before, events);
            assert_eq!(seen, changes(&veiled.before, &veiled.events), "{place:?}");
            if let Some(civ) = civ {
                assert_eq!(concerns(&after, &seen, civ), concerns(&veiled.after, &seen, civ), "{place:?}");
            }
            let grounds = |state: &State| state.grounds().map(|(_, ground)| ground.clone()).collect::<Vec<_>>();
            assert_eq!(grounds(&after), grounds(&veiled.after), "the board is public");
            if number.is_multiple_of(SVG_EVERY) {
                let svg = |before, events, state| {
                    Sight { before, events, state, reader, asked: None }.svg(templates.language, "a game", PHONE)
                };
                let one = svg(before, events, &after);
                assert_eq!(one, svg(&veiled.before, &veiled.events, &veiled.after), "the map, {place:?}");
                if let Some(one) = one.filter(|_| number.is_multiple_of(PNG_EVERY)) {
                    assert!(png(&one).unwrap().len() < 300_000);
                }
            }
        }
    }
}

fn letter(
    templates: &Templates,
    before: &State,
    events: &[Event],
    after: &State,
    reader: Reader,
    sheet: Option<&Sheet>,
    kind: usize,
) -> Page {
    let seats = after.ranking().map(|civ| Seat { civ, player: format!("player {}", civ.0), companion: false });
    let seats: Vec<Seat> = seats.collect();
    // Who is awaited, and in what sequence, must not tell either.
    let mut civs: Vec<Civ> = awaited(after).into_iter().map(|awaited| awaited.civ).collect();
    civs.sort_by_key(|civ| after.rank(*civ));
    civs.dedup();
    let cut_off = Moment { year: 2026, month: 3, day: 29, weekday: 7, hour: 2, minute: 30, zone: "CEST".to_owned() };
    let occasion = Occasion {
        game: "a game",
        state: after,
        reader,
        // The public record is posted, and addresses nobody.
        name: if reader == Reader::Public { "" } else { "a reader" },
        seats: &seats,
        sheet,
        awaited: &civs,
        cut_off: Some(cut_off),
        maps: None,
        terms: Terms::default(),
    };
    let roster = seats.iter().map(|seat| Enrolled {
        civ: seat.civ,
        player: seat.player.clone(),
        companion: seat.companion,
        away: false,
        accepted: true,
    });
    let roster: Vec<Enrolled> = roster.collect();
    let content = match (kind, after.phase()) {
        (3, _) => Content::Status { roster: &roster, public_orders: false },
        (4, _) => Content::Digest { before, events, after },
        (5, _) => Content::Hand,
        _ if after.has_ended() => Content::End { before, events },
        (_, Phase::Trade) => Content::Board { before, events },
        (0, _) => Content::Decision { before, events },
        _ => Content::Report { before, events },
    };
    letters::write(templates, &occasion, &content)
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
            givers: BTreeMap::new(),
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
                if to.is_some() && *to != self.me {
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
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    /// Any card; a calamity for a calamity where their number is known.
    fn other(&mut self, state: &State, card: TradeCard, counted: bool) -> TradeCard {
        let printed = state.printed();
        let is_calamity = match counted {
            true => matches!(card.face, Face::Calamity(_)),
            false => self.below(4) == 0,
        };
        let face = match is_calamity {
            true => Face::Calamity(Calamity::ALL[self.below(Calamity::ALL.len())]),
            false => Face::Commodity(Commodity(self.below(printed.commodities.len()) as u8)),
        };
        TradeCard { face, block: card.block }
    }
}
