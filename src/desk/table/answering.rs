//! A player's letter: read onto the player's sheet, answered, and where it works at once, ruled.

use minijinja::context;

use super::{boards, page, pressing, timing};
use crate::archive::{self, Address, DeviceRecord, DispatchKind, LetterId, OurLetter, Party, Reason, Status};
use crate::desk::incoming::addresses;
use crate::desk::incoming::opened::Replaced;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::game::{Command, Event, Known, Phase, Reader, State, TurnPhase, Witnessed};
use crate::orders::asking::{Question, Timing};
use crate::orders::replying::{self, Reply};
use crate::orders::sheet::{Entry, Outcome};
use crate::orders::{
    self, Answer, Bearings, Lens, Lexicon, Line, Piece, Reading, Recipient, Sheet, Written, course, holding, is_trial,
    read_reply,
};
use crate::post::Writing;
use crate::report;
use crate::report::acknowledgement::{Beside, Refused};
use crate::report::letters::{Content, Ignored};
use crate::rules::Civ;

/// A letter of a player who is proved.
pub(crate) struct PlayerLetter<'a> {
    pub id: LetterId,
    pub civ: Civ,
    pub letter: &'a Writing,
    /// The address it came from, which is answered.
    pub address: &'a Address,
    /// Whether everybody can read it.
    pub public: bool,
    pub reply: InReply<'a>,
    pub filed: OnFile<'a>,
}

/// Which letters a player's letter follows.
pub(crate) struct InReply<'a> {
    /// The letter of ours that it answers.
    pub to: &'a OurLetter,
    /// Whether it only stands below that letter in a thread, and does not name it.
    pub is_below: bool,
    /// Whether that letter speaks of several games, so that it has no form of this one.
    pub is_of_several: bool,
    /// Whether orders stand in what it quotes that are not in our letter.
    pub changed: bool,
    /// The letter whose place it takes.
    pub replaces: Option<&'a Replaced>,
}

/// What the archive knows of the seat that a letter is of.
pub(crate) struct OnFile<'a> {
    /// Whether it has had no answer to a letter so far.
    pub is_first: bool,
    /// How many messages it has sent to others within a day.
    pub pressed: u32,
    /// The browsers that have it.
    pub devices: &'a [DeviceRecord],
    /// The lines that the letter which is answered proposes under a number.
    pub proposed: &'a dyn Fn(u16) -> Option<Vec<String>>,
    /// What was true before a turn and what happened in it; none is the last.
    pub history: &'a dyn Fn(Option<u16>) -> Option<(State, Vec<Event>)>,
}

/// A letter as it was read: what of it counts, and the sheet that it would make.
struct Understood {
    /// What its writer knows, as it was when the letter came.
    known: Known,
    /// The turn and the phase that was open then.
    open: TurnPhase,
    /// What was written, without what does not count.
    lines: Vec<Line>,
    /// The writer's sheet before the letter, and with it.
    before: Sheet,
    sheet: Sheet,
    /// What became of each piece on the sheet.
    answers: Vec<Answer>,
    /// Whether the letter only tries.
    trial: bool,
    /// What the letter answers.
    answers_to: AnswersTo,
    /// Whether it says `ok` to a letter that has no form.
    is_conversation: bool,
    /// Lines that do not count as things are, and why.
    refused: Vec<Refused>,
}

/// What a letter is an answer to, as far as that says what its words mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswersTo {
    /// To the form of the open phase.
    Form,
    /// To that of another phase, or from before a rollback.
    OldForm(TurnPhase),
    /// To the question whether a parked letter is the player's own.
    Question,
    /// To a message: its writer, and how sure that is.
    Message(Recipient, Reply),
    /// To a letter that asks for nothing.
    Nothing,
}

impl AnswersTo {
    fn of(received: &PlayerLetter, open: TurnPhase, era: u32) -> AnswersTo {
        let answers = received.reply.to;
        if received.reply.is_of_several {
            return AnswersTo::Nothing;
        }
        let is_open = answers.asks == Some(open) && answers.era == era;
        let reply = if received.reply.is_below { Reply::Below } else { Reply::Sent };
        // Words in public are for everybody who reads them there.
        let writer = answers.writer.filter(|_| !received.public).and_then(|writer| match writer {
            Party::Seat(civ) => Some(Recipient::Civ(civ)).filter(|_| civ != received.civ),
            Party::Moderator => Some(Recipient::Moderator),
            Party::Public => None,
        });
        match (answers.kind, writer) {
            (DispatchKind::Parked, _) => AnswersTo::Question,
            (DispatchKind::Press, Some(writer)) => AnswersTo::Message(writer, reply),
            // What the moderator tells everybody is answered like a message, unless it is answered with orders.
            (DispatchKind::Announcement | DispatchKind::Edits, Some(writer)) => {
                AnswersTo::Message(writer, Reply::Below)
            }
            // Whatever was written before the game began, the invitation too, is older than its first phase.
            (DispatchKind::Invitation, _) => AnswersTo::OldForm(TurnPhase::new(1, Phase::Tax)),
            (kind, _) if !kind.carries_form() => AnswersTo::Nothing,
            (_, _) if is_open => AnswersTo::Form,
            (_, _) => AnswersTo::OldForm(answers.asks.unwrap_or(TurnPhase::new(1, Phase::Tax))),
        }
    }
}

/// What came of a letter.
struct Upshot {
    /// What was true before it.
    was: State,
    /// What its own lines brought about, and all that followed.
    own: Vec<Event>,
    events: Vec<Event>,
    /// What became of each piece, messages that were not passed on left out.
    answers: Vec<Answer>,
    /// What only the desk could say to it.
    beside: Beside,
}

/// Answers a player's letter: it is read, it is decided what comes of it, and everybody whom it concerns is told.
pub(crate) fn answer(sitting: &mut Sitting, received: &PlayerLetter) {
    if !sitting.table.state.is_seated(received.civ) || sitting.table.state.is_leaving(received.civ) {
        return no_longer_seated(sitting, received);
    }
    // A deputy is answered in the deputy's own language.
    sitting.hears = (received.address.role == archive::Role::Deputy).then_some(Party::Seat(received.civ));
    let understood = read(sitting, received);
    let decided = decide(sitting, received, &understood);
    tell(sitting, received, &understood, &decided);
    sitting.hears = None;
}

/// Reads a letter. Nothing changes yet.
fn read(sitting: &Sitting, received: &PlayerLetter) -> Understood {
    let (civ, open) = (received.civ, sitting.table.phase());
    let mut answers_to = AnswersTo::of(received, open, sitting.table.game.era);
    let mut before = sitting.table.sheet(civ);
    let players =
        sitting.table.seats.iter().filter_map(|seat| Some((seat.player.clone(), seat.party.civ()?))).collect();
    let known = Known::of(&sitting.table.state, Reader::Player(civ));
    let bearings = Bearings::of(&known, civ).with_players(players);
    let lens = Lens { lexicon: &sitting.table.edition.lexicon, bearings: Some(&bearings) };
    let mut lines = read_reply(&received.letter.text, lens, before.doubts());
    // What the moderator tells or did is answered to the moderator, where the answer is no more than talk.
    let tells = |kind| matches!(kind, DispatchKind::Announcement | DispatchKind::Edits | DispatchKind::Rollback);
    if tells(received.reply.to.kind) && of_moderator(received.reply.to) && !received.public {
        match (is_talk(&lines), answers_to) {
            (true, _) => answers_to = AnswersTo::Message(Recipient::Moderator, Reply::Below),
            (false, AnswersTo::Message(..)) => answers_to = AnswersTo::Nothing,
            (false, _) => {}
        }
    }
    if let AnswersTo::Message(to, reply) = answers_to {
        match replying::message(&lines, &received.letter.text, to, reply, lens) {
            Some(message) => lines = message,
            None => answers_to = AnswersTo::Nothing,
        }
    }
    if let Some(vote) = votes(received.reply.to, &received.letter.text) {
        lines = vec![said(&lines, vote)];
    }
    let is_conversation = converse(&mut lines, answers_to);
    if let Some(replaced) = received.reply.replaces {
        if let Some(letter) = replaced.letter {
            before.withdraw(letter.0 as u64, open.phase);
        }
        lines.iter_mut().for_each(|line| leave_out(line, &|written| replaced.worked.contains(written)));
    }
    propose(&mut lines, received.filed.proposed, &sitting.table.edition.lexicon);
    let mut refused = hold_trade(sitting, civ, &mut lines);
    refused.extend(hold_wishes(sitting, civ, &mut lines));
    refused.extend(hold_answers(sitting, received, open, &mut lines));
    lines.iter_mut().for_each(|line| done_is_ok(line, open.phase));
    let is_mistaken = holding::hold(&mut lines, &known, civ, &before, received.id.0 as u64);
    let mut sheet = before.clone();
    let answers = sheet.add(&lines, open.phase, received.id.0 as u64);
    sheet.note_mistakes(&before, open.phase, is_mistaken);
    let trial = is_trial(&lines);
    Understood { known, open, lines, before, sheet, answers, trial, answers_to, is_conversation, refused }
}

/// Whether a letter of ours has the moderator's words, or tells of what the moderator did.
fn of_moderator(letter: &OurLetter) -> bool {
    letter.kind == DispatchKind::Rollback || letter.writer == Some(Party::Moderator)
}

/// Whether a letter has words, and nothing that is meant for us.
fn is_talk(lines: &[Line]) -> bool {
    let mut pieces =
        lines.iter().flat_map(|line| &line.pieces).filter(|piece| piece.reading != Reading::Quoted).peekable();
    pieces.peek().is_some() && pieces.all(|piece| piece.reading == Reading::Remark)
}

/// What a bare yes or no says of the proposal that a letter of ours tells of. `ok` may only mean that it was read.
fn votes(answers: &OurLetter, text: &str) -> Option<Written> {
    let number = answers.about.split('.').find_map(|part| part.strip_prefix("vote-")?.parse().ok())?;
    let yes = match orders::Reply::of(text) {
        orders::Reply::Yes if !orders::Reply::says_ok(text) => true,
        orders::Reply::No => false,
        orders::Reply::Yes | orders::Reply::Other => return None,
    };
    Some(Written::Timing(Timing::Vote { number: Some(number), yes }))
}

/// A letter whose words say this together.
fn said(lines: &[Line], written: Written) -> Line {
    let text = lines.first().map(|line| line.text.clone()).unwrap_or_default();
    let reading = Reading::Written(written);
    let piece = Piece { span: 0..text.len(), reading, verb: None, area: None, read_as: Vec::new() };
    Line { number: 1, text, pieces: vec![piece], settles: None }
}

/// Leaves unread what ends a phase, in an answer to a letter that has no form of it. Says whether it was the form that
/// was missing, so that the player is told what would file it.
fn converse(lines: &mut [Line], answers_to: AnswersTo) -> bool {
    let has = |lines: &[Line], is_meant: &dyn Fn(&Written) -> bool| {
        let mut pieces = lines.iter().flat_map(|line| &line.pieces);
        pieces.any(|piece| matches!(&piece.reading, Reading::Written(written) if is_meant(written)))
    };
    match answers_to {
        AnswersTo::Form => false,
        AnswersTo::OldForm(..) | AnswersTo::Question | AnswersTo::Message(..) => {
            lines.iter_mut().for_each(|line| leave_out(line, &ends_phase));
            false
        }
        AnswersTo::Nothing => {
            // Whoever writes orders and `done` below them knows what the player does, wherever the player writes them.
            let orders = |written: &Written| matches!(written, Written::Orders(_)) && !ends_phase(written);
            let has_orders = has(lines, &orders);
            let files = |written: &Written| matches!(written, Written::Ok | Written::Proposal(_));
            let is_meant = |written: &Written| files(written) || !has_orders && ends_phase(written);
            let is_conversation = has(lines, &is_meant);
            lines.iter_mut().for_each(|line| leave_out(line, &is_meant));
            is_conversation
        }
    }
}

/// Does what a letter asks for: it stands on the sheet, messages are passed on, wishes are granted, and trade is ruled.
/// A letter that only tries changes nothing.
fn decide(sitting: &mut Sitting, received: &PlayerLetter, understood: &Understood) -> Upshot {
    let (civ, open) = (received.civ, understood.open);
    let was = sitting.table.state.clone();
    let mut answers = understood.answers.clone();
    let mut beside = Beside {
        refused: understood.refused.clone(),
        conversation: understood.is_conversation,
        reply: matches!(understood.answers_to, AnswersTo::Message(..)),
        ..Beside::default()
    };
    let mut own = Vec::new();
    if !understood.trial {
        sitting.table.sheets.insert(civ, understood.sheet.clone());
        sitting.write_sheet(civ);
        beside.refused.extend(pressing::pass_on_all(sitting, received, &mut answers));
        beside.wishes = timing::grant(sitting, civ, &answers);
        if open.phase == Phase::Trade {
            own = trade(sitting, civ, &understood.sheet, received.id.0 as u64);
        }
    }
    if answers.iter().any(|answer| answer.outcome == Outcome::Asked(Question::Status)) {
        beside.notes.push(timing::pace(sitting, Party::Seat(civ)));
    }
    beside.answers = speak_of_addresses(sitting, received, &answers, understood.trial);
    beside.answers.extend(prefer(sitting, civ, &answers, understood.trial));
    if understood.answers_to == AnswersTo::Question {
        beside.notes.push(sitting.say(Party::Seat(civ), "parked_waits", context! {}));
    }
    let mut events = own.clone();
    if !own.is_empty() {
        // A built-in player may answer an offer at once.
        events.extend(crate::desk::table::companions::write(sitting));
        if sitting.table.phase() != open {
            events.extend(sitting.proceed(None));
        }
    }
    Upshot { was, own, events, answers, beside }
}

/// Tells the writer what became of the letter, and the others what concerns them.
fn tell(sitting: &mut Sitting, received: &PlayerLetter, understood: &Understood, decided: &Upshot) {
    let Understood { known, lines, before, sheet, answers_to, .. } = understood;
    let outdated = match *answers_to {
        AnswersTo::OldForm(phase) => Some(phase),
        AnswersTo::Form | AnswersTo::Question | AnswersTo::Message(..) | AnswersTo::Nothing => None,
    };
    let Upshot { was, own, events, answers, beside } = decided;
    let (civ, arrival, is_trial) = (received.civ, received.id.0 as u64, understood.trial);
    let (party, reader) = (Party::Seat(civ), Reader::Player(civ));
    let edition = sitting.table.edition.clone();
    let templates = edition.templates(sitting.words(party).language);
    let history = |turn| (received.filed.history)(turn).map(|(before, events)| Witnessed::of(&before, &events, reader));
    let around = around(sitting, party);
    let answered = report::ReadLetter {
        known,
        history: &history,
        civ,
        letter: lines,
        answers,
        before,
        sheet,
        arrival,
        is_trial,
        around: &around,
    };
    let mut told = report::acknowledgement(templates, &answered).with(beside.clone());
    // Nothing is filed by a message, so that nothing can be agreed to in reply to what confirms it.
    let kind = if told.confirm_alone() { DispatchKind::Announcement } else { DispatchKind::Acknowledgement };
    let past = asked_digest(answers).filter(|_| outdated.is_none()).and_then(history);
    let seen = Witnessed::of(was, own, reader);
    // What was left out is told the first time, and where somebody may wonder what became of their words.
    let nothing = told.understood.nothing || received.letter.text.trim().is_empty();
    let ignored = match left_out(received.letter) {
        ignored if received.filed.is_first || received.reply.changed || nothing => {
            Ignored { changed: received.reply.changed, ..ignored }
        }
        Ignored { forwarded, .. } => Ignored { forwarded, ..Ignored::default() },
    };
    let public = received.public;
    // Whoever asks for one thing alone gets nothing else.
    let asks_alone = lines.iter().flat_map(|line| &line.pieces).count() == 1;
    let content = match (&past, &answers[..]) {
        (Some(seen), _) if asks_alone => Content::Digest { seen },
        (_, [Answer { outcome: Outcome::Asked(Question::Hand), .. }]) if asks_alone && outdated.is_none() => {
            Content::Hand
        }
        _ => {
            let board = misses_offer(sheet, arrival, own);
            Content::Acknowledgement { told: &told, ignored, outdated, seen: &seen, public, board }
        }
    };
    let address = answered_at(sitting, received);
    let envelope = Envelope {
        kind,
        about: format!("letter-{}", received.id.0),
        in_reply_to: received.letter.message_id.as_deref(),
        to: Some(&address),
    };
    sitting.write(party, envelope, &content);
    if sitting.table.phase() == understood.open {
        boards::tell(sitting, civ, was, own.len(), events);
    } else {
        sitting.publish(was, events);
    }
}

/// What only the desk knows of a game, for whoever asks how it stands.
pub(in crate::desk) fn around(sitting: &Sitting, party: Party) -> Vec<String> {
    let table = &sitting.table;
    let awaited: Vec<String> = table.owing().into_iter().map(|civ| sitting.civ(party, civ)).collect();
    let cut_off = table.game.hours.cut_off.filter(|cut_off| *cut_off > sitting.now);
    let line = match table.game.status {
        Status::Inviting | Status::Ended => return Vec::new(),
        Status::Paused => sitting.words(party).say("answer", "paused", context! {}),
        Status::Running => {
            let cut_off = cut_off.map(|cut_off| sitting.when(party, cut_off));
            sitting.words(party).say("answer", "awaited", context! { awaited => awaited.join(", "), cut_off })
        }
    };
    vec![line]
}

/// Where the writer is answered: whoever no longer writes from an address is not answered there.
fn answered_at(sitting: &Sitting, received: &PlayerLetter) -> Address {
    let seat = sitting.table.seat(Party::Seat(received.civ));
    let is_known = seat.is_some_and(|seat| seat.addresses.contains(received.address));
    let address = seat.filter(|_| !is_known).and_then(|seat| seat.mailbox(archive::Role::Player));
    address.unwrap_or(received.address).clone()
}

/// What of a letter was left out unread.
pub(in crate::desk) fn left_out(letter: &Writing) -> Ignored {
    Ignored {
        quoted: letter.ignored.quoted,
        signature: letter.ignored.signature,
        other: letter.ignored.other,
        attachments: letter.attachments,
        forwarded: letter.forwarded,
        changed: false,
    }
}

/// The player's civilization has left the game: the player is told so, and nothing else.
fn no_longer_seated(sitting: &mut Sitting, received: &PlayerLetter) {
    let party = Party::Seat(received.civ);
    let line = sitting.say(party, "no_longer_seated", context! {});
    let envelope = Envelope {
        kind: DispatchKind::Announcement,
        about: format!("letter-{}", received.id.0),
        in_reply_to: received.letter.message_id.as_deref(),
        to: Some(received.address),
    };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
}

/// Leaves the pieces of a line that are of this kind unread.
fn leave_out(line: &mut Line, is_meant: &dyn Fn(&Written) -> bool) {
    for piece in &mut line.pieces {
        if matches!(&piece.reading, Reading::Written(written) if is_meant(written)) {
            piece.reading = Reading::Remark;
        }
    }
}

/// Puts the lines of a proposal where somebody wrote its number: what is filed is what was shown.
fn propose(lines: &mut [Line], proposed: &dyn Fn(u16) -> Option<Vec<String>>, lexicon: &Lexicon) {
    for line in lines {
        for at in (0..line.pieces.len()).rev() {
            let Reading::Written(Written::Proposal(number)) = line.pieces[at].reading else { continue };
            let Some(files) = proposed(number) else { continue };
            let pieces = orders::read(&files.join("\n"), lexicon).into_iter().flat_map(|line| line.pieces);
            let commands = pieces.filter_map(|piece| match piece.reading {
                Reading::Written(Written::Orders(commands)) => Some(commands),
                _ => None,
            });
            let commands: Vec<Command> = commands.flatten().collect();
            let ok = Piece { reading: Reading::Written(Written::Ok), ..line.pieces[at].clone() };
            line.pieces[at].reading = Reading::Written(Written::Orders(commands));
            line.pieces.insert(at + 1, ok);
        }
    }
}

/// Behind the trade nothing is left that ends by `done`: whoever writes it there means `ok`.
fn done_is_ok(line: &mut Line, open: Phase) {
    for piece in line.pieces.iter_mut().filter(|_| open > Phase::Trade) {
        if matches!(&piece.reading, Reading::Written(Written::Orders(orders)) if orders[..] == [Command::Done]) {
            piece.reading = Reading::Written(Written::Ok);
        }
    }
}

/// In an answer to an old letter the words that end a phase mean nothing any more.
fn ends_phase(written: &Written) -> bool {
    match written {
        Written::Ok | Written::Proposal(_) => true,
        Written::Orders(orders) => orders.iter().all(|order| matches!(order, Command::Done | Command::Wait)),
        Written::Waits { .. }
        | Written::Undo { .. }
        | Written::Always(_)
        | Written::UndoAlways { .. }
        | Written::Clear { .. }
        | Written::Press(_)
        | Written::Held(_)
        | Written::Send
        | Written::Question(_)
        | Written::Timing(_)
        | Written::Choice { .. } => false,
    }
}

/// Trade is ruled letter by letter, so there is none while the clock stands still. Says which lines were not taken up.
fn hold_trade(sitting: &Sitting, civ: Civ, lines: &mut [Line]) -> Vec<Refused> {
    if sitting.table.game.status != Status::Paused || sitting.table.state.phase() != Phase::Trade {
        return Vec::new();
    }
    let trades = |written: &Written| written.orders().iter().any(|order| order.phase() == Some(Phase::Trade));
    hold(sitting, civ, lines, "no_trade_in_pause", &|written| ends_phase(written) || trades(written))
}

/// A wish on the board is press: where there is none, it is not taken up.
fn hold_wishes(sitting: &Sitting, civ: Civ, lines: &mut [Line]) -> Vec<Refused> {
    let is_wish = |order: &Command| matches!(order, Command::Post { .. });
    let wishes = |written: &Written| match written {
        Written::Always(orders) => orders.iter().any(is_wish),
        now => now.orders().iter().any(is_wish),
    };
    if sitting.table.agreed.press { Vec::new() } else { hold(sitting, civ, lines, "no_wishes", &wishes) }
}

/// Offers are counted anew each turn: an answer to one in a letter of another turn, or of before a rollback, may be to another
/// offer than its writer saw.
fn hold_answers(sitting: &Sitting, received: &PlayerLetter, open: TurnPhase, lines: &mut [Line]) -> Vec<Refused> {
    let OurLetter { era, asks, .. } = received.reply.to;
    let is_old = *era != sitting.table.game.era || asks.is_some_and(|asks| asks.turn != open.turn);
    let is_answer =
        |order: &Command| matches!(order, Command::Accept { .. } | Command::Decline { .. } | Command::Withdraw { .. });
    let answers = |written: &Written| written.orders().iter().any(is_answer);
    if is_old { hold(sitting, received.civ, lines, "old_offer", &answers) } else { Vec::new() }
}

/// Leaves lines of a kind unread, and says why of each.
fn hold(
    sitting: &Sitting,
    civ: Civ,
    lines: &mut [Line],
    why: &'static str,
    is_meant: &dyn Fn(&Written) -> bool,
) -> Vec<Refused> {
    let mut held = Vec::new();
    for line in lines.iter_mut() {
        if line.pieces.iter().any(|piece| matches!(&piece.reading, Reading::Written(written) if is_meant(written))) {
            let why = sitting.say(Party::Seat(civ), why, context! {});
            held.push(Refused { line: line.number, text: line.text.clone(), why, hint: None });
            leave_out(line, is_meant);
        }
    }
    held
}

/// Answers `addresses` and does what `forget` asks for: only the desk knows addresses. In public nobody is told of them.
fn speak_of_addresses(
    sitting: &mut Sitting,
    received: &PlayerLetter,
    answers: &[Answer],
    trial: bool,
) -> Vec<Vec<String>> {
    let party = Party::Seat(received.civ);
    // A deputy writes in the player's place, but does not decide who else may; and who only tries changes nothing.
    let may_speak = received.address.role == archive::Role::Player && !trial;
    let mut told = Vec::new();
    for (number, answer) in answers.iter().enumerate() {
        let lines = match &answer.outcome {
            Outcome::Asked(Question::Addresses | Question::Forget(_)) if !may_speak => {
                vec![sitting.words(party).say("answer", "no_addresses", context! {})]
            }
            Outcome::Asked(Question::Page(_)) if !may_speak || received.public => {
                vec![sitting.say(party, "no_page_in_public", context! {})]
            }
            Outcome::Asked(Question::Page(wish)) => page::answer(sitting, party, *wish, received.filed.devices),
            Outcome::Asked(Question::Addresses) => vec![addresses::list(sitting, party)],
            Outcome::Asked(Question::Forget(address)) => {
                let about = format!("letter-{}.{number}", received.id.0);
                vec![addresses::forget(sitting, party, address, Some(received.address), &about)]
            }
            _ => continue,
        };
        told.push(lines);
    }
    told
}

/// Notes how a player likes the letters, and says so.
fn prefer(sitting: &mut Sitting, civ: Civ, answers: &[Answer], trial: bool) -> Vec<Vec<String>> {
    let party = Party::Seat(civ);
    let mut told = Vec::new();
    for answer in answers {
        let Some(mut seat) = sitting.table.seat(party).cloned() else { continue };
        let key = match &answer.outcome {
            Outcome::Asked(Question::Detail(detail)) => {
                seat.detail = *detail;
                format!("detail_{}", detail.name())
            }
            Outcome::Asked(Question::Data(data)) => {
                seat.data = *data;
                if *data { "data_on".to_owned() } else { "data_off".to_owned() }
            }
            _ => continue,
        };
        told.push(vec![sitting.words(party).say("answer", &key, context! {})]);
        if !trial && let Some(own) = sitting.table.seat_mut(party) {
            *own = seat.clone();
            sitting.deed.seats.push(seat);
        }
    }
    told
}

/// Rules the trade lines of one letter.
fn trade(sitting: &mut Sitting, civ: Civ, sheet: &Sheet, arrival: u64) -> Vec<Event> {
    let lines = sheet.part(Phase::Trade).iter().filter(|entry| entry.arrival == arrival).map(|entry| entry.line);
    let filed = course::arriving(&sitting.table.sheets, Phase::Trade, civ, &lines.collect());
    let Some(filed) = filed else { return Vec::new() };
    sitting.rule(&filed, Reason::Letter)
}

/// Rules the trade lines that the moderator has written for a player, and tells everybody whom they concern.
pub(in crate::desk) fn trade_at_once(sitting: &mut Sitting, civ: Civ, sheet: &Sheet, arrival: u64) {
    let (before, open) = (sitting.table.state.clone(), sitting.table.phase());
    let mut events = trade(sitting, civ, sheet, arrival);
    if events.is_empty() {
        return;
    }
    events.extend(crate::desk::table::companions::write(sitting));
    if sitting.table.phase() == open {
        boards::tell(sitting, civ, &before, 0, &events);
    } else {
        events.extend(sitting.proceed(None));
        sitting.publish(&before, &events);
    }
}

/// Whether an offer that the letter accepts is not as its writer believed.
fn misses_offer(sheet: &Sheet, arrival: u64, own: &[Event]) -> bool {
    let accepts = |entry: &&Entry| entry.arrival == arrival && matches!(entry.command, Command::Accept { .. });
    let is_refused =
        |entry: &Entry| own.iter().any(|event| matches!(event, Event::Refused { line, .. } if *line == entry.line));
    sheet.part(Phase::Trade).iter().filter(accepts).any(is_refused)
}

/// The turn whose digest is asked for.
fn asked_digest(answers: &[Answer]) -> Option<Option<u16>> {
    answers.iter().find_map(|answer| match answer.outcome {
        Outcome::Asked(Question::Digest(turn)) => Some(turn),
        _ => None,
    })
}
