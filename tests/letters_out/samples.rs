//! A letter of every kind, from a game between companions.

use std::sync::{Arc, LazyLock};

use cursus::door::demo::scenario;
use cursus::door::session::Session;
use cursus::game::trade::OfferedTo;
use cursus::game::{Event, Known, Phase, Reader, State, TurnPhase, Witnessed};
use cursus::orders::replying::{self, Reply};
use cursus::orders::{Detail, Lens, Lexicon, Recipient, Sheet, holding, is_trial, read};
use cursus::report::acknowledgement::Beside;
use cursus::report::letters::Venue;
use cursus::report::letters::{
    self, Audience, Content, Delivery, Enrolled, Ignored, Maps, Moment, Occasion, Page, Passed, Seat, Snag, Style,
    TapTo, Taps, Terms, WrittenAt,
};
use cursus::report::market::Shown;
use cursus::report::{Names, ReadLetter, TemplateFiles, Templates, acknowledgement, worded};
use cursus::rules::{Advance, AstSide, Block, Calamity, Civ, Face, Language, PrintedGame, TradeCard};

/// A ruling of the game, and what was true after it.
struct Ruling {
    before: State,
    events: Vec<Event>,
    after: State,
}

/// A game with what there is to tell of it.
pub struct Samples {
    printed: Arc<PrintedGame>,
    start: State,
    rulings: Vec<Ruling>,
    /// Who sits where, as everybody may know it.
    pub seats: Vec<Seat>,
    /// The maps, where pictures are wanted.
    pub maps: Option<Maps>,
}

/// The turn of the game of 18 that is told.
const CROWDED: u16 = 5;

/// The beginning of a game of 18, up to the trade of that turn.
static CROWD: LazyLock<Samples> =
    LazyLock::new(|| Samples::played(18, |state| state.turn_phase() == TurnPhase::new(CROWDED, Phase::Trade)));

impl Samples {
    /// Plays a game of five to its end.
    pub fn play() -> Samples {
        Samples::played(5, |state| state.has_ended())
    }

    /// Plays a game of so many until it is over.
    fn played(players: u8, is_over: fn(&State) -> bool) -> Samples {
        let printed = Arc::new(PrintedGame::built_in().unwrap());
        let scenario = scenario(&printed, players).unwrap();
        let mut session = Session::new(Arc::clone(&printed), scenario, AstSide::Basic, 1);
        let start = session.state().clone();
        let mut rulings = Vec::new();
        while !is_over(session.state()) {
            let ruling = session.rule_phase();
            rulings.push(Ruling { before: ruling.before, events: ruling.events, after: session.state().clone() });
        }
        let players = ["Anna", "Bartosz", "Chloë", "Dmitri", "merchant"];
        let seats = start.ranking().zip(players).map(|(civ, player)| Seat {
            civ,
            player: player.to_owned(),
            companion: player == "merchant",
            kept: false,
        });
        let seats = seats.collect();
        Samples { printed, start, rulings, seats, maps: None }
    }

    /// Every letter in a language, with the name of its file.
    /// How the game stood now and then.
    #[allow(dead_code, reason = "the benchmark writes letters alone")]
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.rulings.iter().step_by(7).map(|ruling| &ruling.before)
    }

    pub fn letters(&self, language: Language) -> Vec<(&'static str, Page)> {
        self.letters_in(&templates(language, &self.printed))
    }

    /// The same in other words.
    pub fn letters_in(&self, templates: &Templates) -> Vec<(&'static str, Page)> {
        let language = templates.language;
        let lexicon = Lexicon::new(&self.printed);
        let reader = self.start.ranking().nth(1).unwrap();
        let other = self.start.ranking().next().unwrap();
        let empty = Sheet::default();
        let say = |english: &str, polish: &str| match language {
            Language::English => english.to_owned(),
            Language::Polish => polish.to_owned(),
        };
        let mut pages = Vec::new();
        let mut add = |name, state: &State, sheet: &Sheet, content: &Content| {
            pages
                .push((name, letters::write(templates, &self.occasion(state, Reader::Player(reader), sheet), content)));
        };

        let schedule = [
            say(
                "A turn has four letters, each answered within two days.",
                "Tura ma cztery listy, na każdy są dwa dni.",
            ),
            say("Cut-offs are at 20:00 on working days.", "Terminy mijają o 20:00 w dni robocze."),
        ];
        add("invitation", &self.start, &empty, &Content::Invitation { schedule: &schedule, again: false });
        add("invitation-again", &self.start, &empty, &Content::Invitation { schedule: &schedule, again: true });
        let (area, near) = self.walk(&self.ruled(1, Phase::Expansion).after, reader);
        let walk = self.worded(language, &format!("move 1 {area} > {near}"));
        let proposed = [walk, say("pass", "pas"), say("done", "koniec")];
        add("rehearsal", &self.start, &empty, &Content::Rehearsal { lines: &proposed, begun: false });
        let mut practise = |name, text: &str, style: Style, snags: &[Snag], ignored: Ignored, begun: bool| {
            let state = &self.ruled(1, Phase::Expansion).after;
            let (lines, before) = (read(text, &lexicon), Sheet::default());
            let mut sheet = before.clone();
            let answers = sheet.add(&lines, state.phase(), 3);
            let (letter, is_trial) = (&lines[..], true);
            let answered = ReadLetter {
                known: known(state, Reader::Player(reader)),
                history: &|_| None,
                civ: reader,
                letter,
                answers: &answers,
                before: &before,
                sheet: &sheet,
                arrival: 3,
                is_trial,
                around: &[],
            };
            let mut told = acknowledgement(templates, &answered);
            told.sheet.owed.clear();
            let content = Content::Rehearsed { told: &told, ignored, style: Some(style), snags, begun };
            add(name, &self.start, &empty, &content);
        };
        let phone = Style { plain: true, html: true, flowed: false, place: WrittenAt::Above };
        let left_out = Ignored { quoted: 21, signature: 2, ..Ignored::default() };
        practise("rehearsed", &proposed.join("\n"), phone, &[], left_out, false);
        let desktop = Style { plain: true, html: false, flowed: true, place: WrittenAt::Nowhere };
        practise("rehearsed-inside", "", desktop, &[Snag::Inside], left_out, true);
        let commitment = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let moving = &self.ruled(1, Phase::Expansion).after;
        add("welcome", moving, &empty, &Content::Welcome { commitment, themes: &[] });

        let until = moment();
        let deputy = |is_away: bool| Content::Deputy { player: "Anna", is_away, until: is_away.then_some(&until) };
        add("deputy-named", moving, &empty, &deputy(false));
        add("deputy-away", moving, &empty, &deputy(true));
        let turns: Vec<Witnessed> = [7, 8]
            .map(|turn| {
                let (before, events, _) = self.turn(turn);
                Witnessed::of(before, &events, Reader::Player(reader))
            })
            .into();
        let standing = [say("always tax 2", "zawsze podatek 2")];
        let messages = [
            Passed {
                from: other,
                to: vec![reader],
                at: moment(),
                text: "Shall we leave each other's cities alone\nthis turn?".to_owned(),
            },
            Passed { from: reader, to: Vec::new(), at: moment(), text: "this turn".to_owned() },
        ];
        let after = &self.ruled(9, Phase::Cards).after;
        let briefing =
            Content::Briefing { former: "Anna", standing: &standing, turns: &turns, messages: &messages, commitment };
        add("briefing", after, &empty, &briefing);

        for (name, turn, phase) in [
            ("report-03-movement", 6, Phase::Expansion),
            ("report-07-trade", 6, Phase::Cards),
            ("report-09-calamities", 9, Phase::Selection),
            ("report-12-advances", 9, Phase::Support),
            ("report-13-turn", 9, Phase::Ast),
        ] {
            // What was ruled since the last mailing is one report.
            let (before, events, after) = self.since(turn, phase);
            add(name, after, &empty, &Content::Report { seen: seen(before, &events, Reader::Player(reader)) });
        }
        // Whoever holds calamities and abilities that let choose.
        let (before, events, after) = self.since(9, Phase::Selection);
        let fated = fated(after, reader);
        add(
            "report-09-choices",
            &fated,
            &empty,
            &Content::Report { seen: seen(before, &events, Reader::Player(reader)) },
        );
        let sheet = {
            let mut sheet = Sheet::default();
            let (area, near) = self.walk(&self.ruled(6, Phase::Expansion).after, reader);
            let text = format!("always pass\nmove 1 {area} > {near}\nbuild city in {area}");
            sheet.add(&read(&text, &lexicon), Phase::Movement, 1);
            sheet
        };
        let (before, events, after) = self.since(6, Phase::Expansion);
        add(
            "report-own-lines",
            after,
            &sheet,
            &Content::Report { seen: seen(before, &events, Reader::Player(reader)) },
        );
        add("decision", after, &sheet, &Content::Decision { seen: seen(before, &events, Reader::Player(reader)) });

        let trade = self.ruled(9, Phase::Trade);
        let mut open = trade.before.clone();
        let mut events = Vec::new();
        for event in &trade.events {
            if matches!(event, Event::PhaseClosed { .. } | Event::TradeClosed { .. }) || events.len() > 40 {
                break;
            }
            open.apply(event);
            events.push(event.clone());
        }
        add("board", &open, &empty, &Content::Board { seen: seen(&trade.before, &events, Reader::Player(reader)) });

        let (area, near) = self.walk(after, reader);
        let letter = format!(
            "Hi all,\nmove 1 {area} > {near}\nmove many {area} > {near}\nmove 3 {area} > Rome\nbuy 1 from stack 9"
        );
        let (lines, before) = (read(&letter, &lexicon), Sheet::default());
        let mut filed = before.clone();
        let answers = filed.add(&lines, after.phase(), 7);
        let answered = ReadLetter {
            known: known(after, Reader::Player(reader)),
            history: &|_| None,
            civ: reader,
            letter: &lines,
            answers: &answers,
            before: &before,
            sheet: &filed,
            arrival: 7,
            is_trial: false,
            around: &[],
        };
        let told = acknowledgement(templates, &answered);
        let ignored = Ignored { quoted: 12, attachments: 1, ..Ignored::default() };
        add(
            "answer",
            after,
            &filed,
            &Content::Acknowledgement {
                told: &told,
                ignored,
                outdated: None,
                seen: seen(after, &[], Reader::Player(reader)),
                public: false,
                board: false,
            },
        );
        let ignored = Ignored { quoted: 12, changed: true, ..Ignored::default() };
        add(
            "answer-changed",
            after,
            &filed,
            &Content::Acknowledgement {
                told: &told,
                ignored,
                outdated: None,
                seen: seen(after, &[], Reader::Player(reader)),
                public: false,
                board: false,
            },
        );
        add(
            "answer-in-public",
            after,
            &filed,
            &Content::Acknowledgement {
                told: &told,
                ignored: Ignored::default(),
                outdated: None,
                seen: seen(after, &[], Reader::Player(reader)),
                public: true,
                board: false,
            },
        );
        let outdated = Some(TurnPhase::new(5, Phase::Trade));
        add(
            "answer-outdated",
            after,
            &filed,
            &Content::Acknowledgement {
                told: &told,
                ignored: Ignored::default(),
                outdated,
                seen: seen(after, &[], Reader::Player(reader)),
                public: false,
                board: false,
            },
        );

        // A reply to a message, one that reads like orders, `ok` to a letter without a form, `ok` beside a mistake, a trial.
        let mut answer = |name, text: &str, is_message: bool, conversation: bool| {
            let known = known(after, Reader::Player(reader));
            let lens = Lens { lexicon: &lexicon, bearings: None };
            let mut lines = read(text, &lexicon);
            let message = is_message.then(|| replying::message(&lines, text, Recipient::Civ(other), Reply::Sent, lens));
            lines = message.flatten().unwrap_or(lines);
            let (before, mut sheet) = (Sheet::default(), Sheet::default());
            holding::hold(&mut lines, known, reader, &before, 8);
            let answers = sheet.add(&lines, after.phase(), 8);
            let answered = ReadLetter {
                known,
                history: &|_| None,
                civ: reader,
                letter: &lines,
                answers: &answers,
                before: &before,
                sheet: &sheet,
                arrival: 8,
                is_trial: is_trial(&lines),
                around: &[],
            };
            let beside = Beside { conversation, reply: is_message, ..Beside::default() };
            let mut told = acknowledgement(templates, &answered).with(beside);
            told.confirm_alone();
            let content = Content::Acknowledgement {
                told: &told,
                ignored: Ignored::default(),
                outdated: None,
                seen: seen(after, &[], Reader::Player(reader)),
                public: false,
                board: false,
            };
            add(name, after, &sheet, &content);
        };
        let (area, near) = self.walk(after, reader);
        answer("answer-message", "Sure, peace!\n\nWhere do you plan to go?", true, false);
        answer("answer-message-held", &format!("My plan:\nmove 1 {area} > {near}"), true, false);
        answer("answer-conversation", "Thank you!", false, true);
        answer("answer-not-ended", &format!("move 1 {area} > {near}\nmove 99 {area} > {near}\nok"), false, false);
        answer("answer-trial", &format!("try\nmove 1 {area} > {near}\ntax 3"), false, false);
        answer("answer-okay", "Okay!", false, false);
        answer("answer-area", &format!("area {area}\nstatus\noffers"), false, false);

        let owes = letters::owed_lines(templates, known(after, Reader::Player(reader)), reader, &empty);
        add("reminder", after, &empty, &Content::Reminder { owes: &owes });
        let lines = [say("You are away until 1 December.", "Nieobecność do 1 grudnia.")];
        add("absence", after, &empty, &Content::Absence { lines: &lines });
        let arrived = moment();
        let parked = Content::Parked {
            sender: "somebody@elsewhere.example",
            arrived: &arrived,
            subject: "Re: my orders",
            words: "move 3 from Crete to Thera\n# no heading\n\n<b>done</b>",
            adds: true,
            commands: false,
        };
        add("parked", after, &empty, &parked);
        let long = "eject Egypt for 4.movement\n".repeat(60);
        let parked = Content::Parked {
            sender: "moderator@known.example",
            arrived: &arrived,
            subject: &"long ".repeat(100),
            words: &long,
            adds: false,
            commands: true,
        };
        add("parked-command", after, &empty, &parked);
        let text = "Shall we leave each other's cities alone\nthis turn?\n\n# no heading\n<b>no markup</b>";
        add("press-all", after, &empty, &Content::Press { from: Some(other), to: Audience::All, text });
        add("press-you", after, &empty, &Content::Press { from: Some(other), to: Audience::Some(&[reader]), text });
        add(
            "press-moderator",
            after,
            &empty,
            &Content::Press { from: None, to: Audience::Some(&[reader, other]), text },
        );
        let lines = [say("The cut-off moves by 24 hours.", "Termin przesuwa się o 24 godziny.")];
        add("announcement", after, &empty, &Content::Announcement { lines: &lines, text: Some("Happy holidays!") });
        add("moderation", after, &empty, &Content::Moderation { lines: &lines });
        let kept = [self.worded(language, "move 2 Knossos > Phaestos"), say("always tax 2", "zawsze podatek 2")];
        let rollback = Content::Rollback {
            to: TurnPhase::new(6, Phase::Movement),
            from: TurnPhase::new(7, Phase::Selection),
            kept: &kept,
            reason: Some("A letter of Anna's was lost by our server."),
        };
        add("rollback", after, &empty, &rollback);
        let last = self.rulings.last().unwrap();
        add(
            "end",
            &last.after,
            &empty,
            &Content::End { seen: seen(&last.before, &last.events, Reader::Player(reader)) },
        );

        add("hand", &trade.before, &empty, &Content::Hand);
        let (was, all, is) = self.turn(9);
        add("digest", is, &empty, &Content::Digest { seen: seen(was, &all, Reader::Player(reader)) });

        // Among 18 there is a far world, of which letters say more or less.
        let (before, events, traded) = CROWD.since(CROWDED, Phase::Cards);
        let among = traded.ranking().nth(1).unwrap();
        for (name, detail) in
            [("report-brief", Detail::Brief), ("report-normal", Detail::Normal), ("report-full", Detail::Full)]
        {
            let mut occasion = CROWD.occasion(traded, Reader::Player(among), &empty);
            occasion.delivery.detail = detail;
            let content = Content::Report { seen: seen(before, &events, Reader::Player(among)) };
            pages.push((name, letters::write(templates, &occasion, &content)));
        }
        let occasion = self.occasion(after, Reader::Player(reader), &empty);
        let second = Occasion { game: "Oases", ..self.occasion(&trade.before, Reader::Player(reader), &empty) };
        let trading = letters::owed_lines(templates, known(&trade.before, Reader::Player(reader)), reader, &empty);
        pages.push(("reminders", letters::reminders(templates, &[(occasion, owes), (second, trading)])));
        pages.extend(self.posts(templates, &open, &say, text));
        pages.extend(self.boards(templates, trade, reader));
        pages
    }

    /// The board of the trade behind another one, with wishes and an offer that holds again; and the same for whoever
    /// accepted what is not there any more.
    fn boards(&self, templates: &Templates, trade: &Ruling, reader: Civ) -> Vec<(&'static str, Page)> {
        let empty = Sheet::default();
        let mut state = trade.before.clone();
        let (before, behind) = trade.events[..24].split_at(10);
        before.iter().for_each(|event| state.apply(event));
        let shown = Shown::now(known(&state, Reader::Player(reader)), 0);
        behind.iter().for_each(|event| state.apply(event));
        let others: Vec<Civ> = state.ranking().filter(|civ| *civ != reader).collect();
        let cards = |civ: Civ| -> Vec<TradeCard> {
            let hand = state.holding(civ).hand.iter();
            hand.filter(|card| matches!(card.face, Face::Commodity(_))).take(3).copied().collect()
        };
        let faces = |civ: Civ| cards(civ).iter().map(|card| card.face).collect::<Vec<_>>();
        let (mine, theirs) = (faces(reader), cards(others[0]));
        let offer = |number, to| Event::OfferMade {
            number,
            from: others[0],
            to: OfferedTo::these(to),
            gives: theirs.clone(),
            told: [theirs[0].face, theirs[1].face],
            says: Vec::new(),
            wants: 3,
            names: vec![mine[0]],
            times: 3,
        };
        let posted =
            |civ, wants: &[Face], has: &[Face]| Event::NoticePosted { civ, wants: wants.to_vec(), has: has.to_vec() };
        let news = [
            posted(reader, &faces(others[1])[..1], &mine[..2]),
            posted(others[1], &mine[..1], &faces(others[1])),
            posted(others[2], &[mine[0], mine[0]], &[]),
            posted(others[3], &[], &faces(others[3])[..1]),
            offer(90, vec![reader, others[2]]),
            offer(91, Vec::new()),
        ];
        let was = state.clone();
        news.iter().for_each(|event| state.apply(event));
        let occasion = Occasion { shown: Some(&shown), ..self.occasion(&state, Reader::Player(reader), &empty) };
        let content = Content::Board { seen: seen(&was, &news[1..], Reader::Player(reader)) };
        let board = letters::write(templates, &occasion, &content);
        // The player accepts what is not there any more.
        let (lines, mut sheet) = (read("accept 89 with 3 salt", &Lexicon::new(&self.printed)), Sheet::default());
        let answers = sheet.add(&lines, Phase::Trade, 3);
        let answered = ReadLetter {
            known: known(&state, Reader::Player(reader)),
            history: &|_| None,
            civ: reader,
            letter: &lines,
            around: &[],
            answers: &answers,
            before: &empty,
            sheet: &sheet,
            arrival: 3,
            is_trial: false,
        };
        let told = acknowledgement(templates, &answered);
        let nothing = seen(&state, &[], Reader::Player(reader));
        let (ignored, outdated) = (Ignored::default(), None);
        let content =
            Content::Acknowledgement { told: &told, ignored, outdated, seen: nothing, public: false, board: true };
        vec![("board-news", board), ("answer-gone", letters::write(templates, &occasion, &content))]
    }

    /// What is posted in a thread, where nobody in particular is written to.
    fn posts(
        &self,
        templates: &Templates,
        trading: &State,
        say: &dyn Fn(&str, &str) -> String,
        words: &str,
    ) -> Vec<(&'static str, Page)> {
        let empty = Sheet::default();
        let mut pages = Vec::new();
        let mut add = |name, state: &State, content: &Content| {
            let occasion = Occasion { name: "", sheet: None, ..self.occasion(state, Reader::Public, &empty) };
            pages.push((name, letters::write(templates, &occasion, content)));
        };
        let commitment = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let roster = |gathering: bool| {
            let line = |(at, seat): (usize, &Seat)| Enrolled {
                civ: seat.civ,
                player: seat.player.clone(),
                companion: seat.companion,
                kept: seat.kept,
                away: at == 2 && !gathering,
                accepted: !gathering || at != 1,
                deputy: (at == 2 && !gathering).then(|| "Eva".to_owned()),
            };
            self.seats.iter().enumerate().map(line).collect::<Vec<_>>()
        };
        let gathering = Occasion {
            name: "",
            sheet: None,
            awaited: &[],
            cut_off: None,
            ..self.occasion(&self.start, Reader::Public, &empty)
        };
        let status = letters::write(
            templates,
            &gathering,
            &Content::Status { roster: &roster(true), public_orders: true, watch: None },
        );
        add("public-welcome", &self.ruled(1, Phase::Expansion).after, &Content::Welcome { commitment, themes: &[] });
        let (before, events, after) = self.since(9, Phase::Ast);
        add("public-report-13-turn", after, &Content::Report { seen: seen(before, &events, Reader::Public) });
        let (before, events, after) = self.since(9, Phase::Selection);
        add("public-report-09-calamities", after, &Content::Report { seen: seen(before, &events, Reader::Public) });
        let (before, events, after) = self.since(6, Phase::Expansion);
        add("public-report-03-movement", after, &Content::Report { seen: seen(before, &events, Reader::Public) });
        let mut waiting = after.clone();
        let asked = after.ranking().nth(2).unwrap();
        waiting.apply(&Event::TurnAwaited { civ: asked });
        add("public-decision", &waiting, &Content::Decision { seen: seen(before, &events, Reader::Public) });
        let (was, all, is) = self.turn(9);
        add("public-digest", is, &Content::Digest { seen: seen(was, &all, Reader::Public) });
        let trade = self.ruled(9, Phase::Trade);
        let made = trade.events.iter().take_while(|event| !matches!(event, Event::TradeClosed { .. })).take(40);
        let made: Vec<Event> = made.cloned().collect();
        add("public-board", trading, &Content::Board { seen: seen(&trade.before, &made, Reader::Public) });
        let watch = Some(WATCH);
        add("public-status", after, &Content::Status { roster: &roster(false), public_orders: false, watch });
        let lines = [say("Minoa is away until 1 December.", "Minoia: nieobecność do 1 grudnia.")];
        add("public-absence", after, &Content::Absence { lines: &lines });
        let lines = [say("The cut-off moves by 24 hours.", "Termin przesuwa się o 24 godziny.")];
        add("public-announcement", after, &Content::Announcement { lines: &lines, text: Some("Happy holidays!") });
        let writer = after.ranking().next();
        add("public-press", after, &Content::Press { from: writer, to: Audience::All, text: words });
        let rollback = Content::Rollback {
            to: TurnPhase::new(6, Phase::Movement),
            from: TurnPhase::new(7, Phase::Selection),
            kept: &[],
            reason: Some("A letter of Anna's was lost by our server."),
        };
        add("public-rollback", after, &rollback);
        let last = self.rulings.last().unwrap();
        add("public-end", &last.after, &Content::End { seen: seen(&last.before, &last.events, Reader::Public) });
        let ended = Content::Status { roster: &roster(false), public_orders: false, watch: None };
        add("public-status-ended", &last.after, &ended);
        pages.push(("public-status-gathering", status));
        pages
    }

    fn occasion<'a>(&'a self, state: &'a State, reader: Reader, sheet: &'a Sheet) -> Occasion<'a> {
        Occasion {
            game: "Wine-dark Sea",
            known: known(state, reader),
            name: "Bartosz",
            seats: &self.seats,
            sheet: Some(sheet),
            awaited: self.awaited(state),
            by_default: &[],
            cut_off: (!state.has_ended()).then(moment),
            terms: Terms::default(),
            shown: None,
            delivery: Delivery {
                maps: self.maps.as_ref(),
                data: true,
                taps: Some(Taps(&tap_address)),
                place: if reader == Reader::Public { Venue::Forum } else { Venue::Mail },
                ..Delivery::default()
            },
        }
    }

    /// The civilizations a state awaits.
    fn awaited(&self, state: &State) -> &'static [Civ] {
        let mut civs: Vec<Civ> =
            cursus::orders::awaited(known(state, Reader::Public)).into_iter().map(|awaited| awaited.civ).collect();
        civs.sort_by_key(|civ| state.rank(*civ));
        civs.dedup();
        civs.leak()
    }

    fn ruled(&self, turn: u16, phase: Phase) -> &Ruling {
        let found = |ruling: &&Ruling| ruling.before.turn_phase() == TurnPhase::new(turn, phase);
        self.rulings.iter().find(found).unwrap()
    }

    /// Everything ruled since the last phase that was asked for, up to this phase.
    fn since(&self, turn: u16, phase: Phase) -> (&State, Vec<Event>, &State) {
        let is_last = |ruling: &Ruling| ruling.before.turn_phase() == TurnPhase::new(turn, phase);
        let last = self.rulings.iter().position(is_last).unwrap();
        // Special abilities are asked for with the calamities.
        let asked = |ruling: &Ruling| {
            let phase = ruling.before.phase();
            cursus::orders::mailing::is_awaited(phase) && phase != Phase::Abilities
        };
        let first = (0..=last).rev().find(|at| asked(&self.rulings[*at])).unwrap_or(0);
        let events = self.rulings[first..=last].iter().flat_map(|ruling| ruling.events.clone()).collect();
        (&self.rulings[first].before, events, &self.rulings[last].after)
    }

    /// A line as a language says it.
    fn worded(&self, language: Language, line: &str) -> String {
        let mut sheet = Sheet::default();
        sheet.add(&read(line, &Lexicon::new(&self.printed)), Phase::Movement, 1);
        worded(Names::new(&self.printed, language), &sheet.part(Phase::Movement)[0].command)
    }

    /// A whole turn.
    fn turn(&self, turn: u16) -> (&State, Vec<Event>, &State) {
        let rulings: Vec<&Ruling> = self.rulings.iter().filter(|ruling| ruling.before.turn() == turn).collect();
        let events = rulings.iter().flat_map(|ruling| ruling.events.clone()).collect();
        (&rulings[0].before, events, &rulings.last().unwrap().after)
    }

    /// An area with tokens of a player, and one beside it.
    fn walk(&self, state: &State, civ: Civ) -> (&str, &str) {
        let map = &self.printed.map;
        let owner = cursus::game::Owner::Civ(civ);
        let stands = |area: &cursus::rules::AreaId| state.tokens(*area, owner) > 0 && !map.area(*area).land.is_empty();
        let area = state.areas_of(owner).find(stands).unwrap();
        (&map.area(area).name, &map.area(map.area(area).land[0]).name)
    }
}

/// The templates as they lie in their folder, each put in the place of its built-in one.
pub fn templates(language: Language, printed: &PrintedGame) -> Templates {
    let mut files = TemplateFiles::built_in(language);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let folder = std::fs::read_dir(root.join(language.code())).unwrap().map(|entry| entry.unwrap().path());
    for path in folder.chain([root.join("frame.html")]) {
        let name = path.file_name().unwrap().to_str().unwrap();
        // The words of the demonstration are not in letters.
        let is_template = name == "demo.toml" || files.replace(name, std::fs::read_to_string(&path).unwrap());
        assert!(is_template, "{name} is no template");
    }
    assert!(!files.replace("nothing.txt", String::new()));
    Templates::read(language, &files, printed).unwrap()
}

/// Where everybody may watch the game of the samples.
pub const WATCH: &str = "https://games.example.org/g/sea";

/// The same with calamities in the hand that let their holder choose, and Advances that have abilities.
fn fated(state: &State, civ: Civ) -> State {
    let mut fated = state.clone();
    for calamity in [Calamity::Famine, Calamity::CityInFlames] {
        let card = TradeCard { face: Face::Calamity(calamity), block: Block::West };
        fated.apply(&Event::CardDrawn { civ, stack: 9, card });
    }
    fated.apply(&Event::AdvancesAcquired {
        civ,
        advances: vec![Advance::Monotheism, Advance::Politics, Advance::TradeRoutes, Advance::Diaspora],
        cards: Vec::new(),
        treasury: 0,
        credits: Vec::new(),
        library_for: None,
        stands_in: None,
    });
    fated
}

fn moment() -> Moment {
    Moment { year: 2026, month: 11, day: 18, weekday: 3, hour: 20, minute: 0, zone: "CET".to_owned() }
}

/// What a reader knows; samples live as long as the test.
fn known(state: &State, reader: Reader) -> &'static Known {
    Box::leak(Box::new(Known::of(state, reader)))
}

/// What a reader saw of a ruling.
fn seen(before: &State, events: &[Event], reader: Reader) -> &'static Witnessed {
    Box::leak(Box::new(Witnessed::of(before, events, reader)))
}

/// An address as it might be, the same for the same line.
fn tap_address(line: &str) -> TapTo {
    let letters = line.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    TapTo::at(format!("cursus+sea.assyria.{letters:x}@example.org"))
}
