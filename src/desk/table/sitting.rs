//! A sitting: one piece of work at a table, gathered into one deed.
//!
//! Comes in: a table, and what time it is. Goes out: the table as it would be, and the deed that makes it so. Nothing is
//! true before the archive has written the deed down.

use chrono::{DateTime, Utc};
use minijinja::value::Serde;
use minijinja::{Value, context};

use super::proceeding::Proceeding;
use super::{boards, edited, standing_in, voting};
use crate::archive::{
    Absence, Address, Deed, DispatchKind, Hours, LetterId, NewDispatch, NewRuling, OfferedAnswer, PageAnswer,
    PageChange, Party, Reason, Role, SeatId, SeatRecord, Snapshot, Status,
};
use crate::desk::clock::absence;
use crate::desk::clock::moment::moment;
use crate::desk::house::{House, slug};
use crate::desk::incoming::naming::mark;
use crate::desk::settings::game_file::UNREAD;
use crate::desk::settings::written::Zone;
use crate::desk::table::Table;
use crate::desk::table::ending::Ending;
use crate::game::{Commands, Event, Known, Phase, Reader, State, TurnPhase, Witnessed, adjudicate, ast};
use crate::orders::course::{self, Stop};
use crate::orders::mailing;
use crate::post::{Dispatch, Form};
use crate::report::acknowledgement::Acknowledgement;
use crate::report::letters::{self, Content, Delivery, Markup, Occasion, TapTo, Taps, Venue};
use crate::report::market::Shown;
use crate::report::{Names, Templates};
use crate::rules::Civ;

/// What stands between a word to the moderator and the text that is copied.
const CUT_HERE: &str = "- - - - - - - - 8< - - - - - - - -";

/// One piece of work at a table.
pub struct Sitting<'a> {
    pub house: &'a House,
    /// The table as it is by now.
    pub table: Table,
    /// What is to be written down.
    pub deed: Deed,
    /// What time it is.
    pub now: DateTime<Utc>,
    /// What brings it about, as the ids of its announcements name it: a letter by its number, or the clock by its time.
    pub cause: String,
    /// Whose deputy is spoken to just now, in the deputy's own language.
    pub hears: Option<Party>,
    /// Whose deeds are told just now: a reply to what tells of them goes there.
    pub speaks: Option<Party>,
    /// The form of the order page that brings it about: its answer is read there.
    pub form: Option<AnsweredForm>,
    /// Those for whom the defaults answer in the phase that is ruled now.
    pub by_default: Vec<Civ>,
}

/// A form of the order page that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredForm {
    pub id: String,
    /// What tells it from every other letter; an answer names it.
    pub mark: String,
}

/// What a letter of ours is called, and what it answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Envelope<'a> {
    /// What kind of letter it is.
    pub kind: DispatchKind,
    /// What makes it different from others of its kind to the same seat.
    pub about: String,
    /// The letter it answers.
    pub in_reply_to: Option<&'a str>,
    /// Where it goes, if not to the first address of the seat.
    pub to: Option<&'a Address>,
}

impl<'a> Sitting<'a> {
    /// Sits down at a table.
    pub fn new(house: &'a House, table: &Table, now: DateTime<Utc>) -> Sitting<'a> {
        let cause = format!("clock-{}", now.timestamp());
        let (hears, speaks, form, by_default) = (None, None, None, Vec::new());
        Sitting { house, table: table.clone(), deed: Deed::default(), now, cause, hears, speaks, form, by_default }
    }

    /// The same, brought about by a letter.
    pub(crate) fn because_of(self, letter: LetterId) -> Sitting<'a> {
        Sitting { cause: format!("letter-{}", letter.0), ..self }
    }

    /// Rises: the table as it will be, and what is to be written down for it.
    pub(crate) fn close(mut self) -> (Table, Deed) {
        voting::settle(&mut self);
        self.note_who_is_in();
        self.table.game.votes = serde_json::to_string(&self.table.votes).unwrap_or(self.table.game.votes);
        self.table.game.club = serde_json::to_string(&self.table.missing).unwrap_or(self.table.game.club);
        self.table.game.edits = serde_json::to_string(&self.table.edited).unwrap_or(self.table.game.edits);
        self.table.game.hours.board = boards::next(&self.table);
        self.renew_status();
        self.deed.game = Some(self.table.game.clone());
        self.deed.people.now = Some(self.now);
        (self.table, self.deed)
    }

    /// The phase is to be ruled, for this reason; and whatever can be ruled after it. Everybody is told.
    pub(crate) fn rule_on(&mut self, reason: Reason) {
        let before = self.table.state.clone();
        let events = self.proceed(Some(reason));
        self.publish(&before, &events);
    }

    /// Rules the open phase for a reason, and after it every phase that waits for nobody.
    pub(crate) fn proceed(&mut self, reason: Option<Reason>) -> Vec<Event> {
        let mut proceeding = Proceeding::new(self, reason);
        let stop = course::drive(&mut proceeding);
        let events = proceeding.events;
        if stop == Stop::Stuck {
            tracing::error!(game = self.table.game.id.as_str(), phase = ?self.table.phase(), "a ruling brought nothing about");
        }
        events
    }

    /// R13.6: the last turn is announced as soon as the group's agreement says which it is.
    pub(super) fn announce_end(&mut self) -> Vec<Event> {
        let (agreed, turn) = (&self.table.agreed, self.table.state.turn());
        let last = match agreed.ends_after {
            Some(Ending::Turn(last)) => Some(last.max(turn)),
            Some(day @ Ending::Day(_)) => day.moment(agreed.schedule.zone).filter(|end| *end <= self.now).map(|_| turn),
            None => None,
        };
        let Some((events, state)) = last.map(|last| ast::agree_on_end(&self.table.state, last)) else {
            return Vec::new();
        };
        self.record(events.clone(), state, Reason::AtOnce);
        events
    }

    /// What letters say of the end of the game: whether it is a short one, the last turn, and the agreed day.
    pub(crate) fn end_facts(&self, party: Party) -> Value {
        let agreed = &self.table.agreed;
        let last_turn = match agreed.ends_after {
            Some(Ending::Turn(turn)) => Some(turn),
            Some(Ending::Day(_)) | None => self.table.state.last_turn(),
        };
        let day =
            terms_of(&self.table).ends_on.map(|day| self.words(party).say("moment", "day", Value::from(Serde(&day))));
        context! { short => agreed.short, last_turn, day }
    }

    /// Rules once, and notes what happened.
    pub(crate) fn rule(&mut self, filed: &Commands, reason: Reason) -> Vec<Event> {
        let (events, state) = adjudicate(&self.table.state, filed, &self.table.chance());
        self.record(events.clone(), state, reason);
        events
    }

    pub(crate) fn record(&mut self, events: Vec<Event>, state: State, reason: Reason) {
        if events.is_empty() {
            return;
        }
        let table = &mut self.table;
        let was = table.phase();
        let TurnPhase { turn, phase } = was;
        table.ruled.steps += 1;
        let first_event = table.ruled.last_event + 1;
        table.ruled.last_event += events.len() as u64;
        let is_next_turn = state.turn() != turn;
        let snapshot = is_next_turn.then(|| Snapshot {
            number: table.ruled.last_event,
            state: state.freeze(),
            hash: state.hash(),
        });
        let step = table.ruled.steps;
        self.deed.rulings.new.push(NewRuling {
            turn,
            phase,
            step,
            ruled_at: self.now,
            reason,
            events,
            first_event,
            snapshot,
        });
        table.state = state;
        if table.phase() != was {
            table.ruled.steps = 0;
        }
        if is_next_turn {
            self.write_sheets(turn);
            let sheets = self.table.sheets.iter();
            self.table.sheets = sheets.map(|(civ, sheet)| (*civ, sheet.next_turn())).collect();
        }
        self.write_sheets(self.table.state.turn());
    }

    /// A player's sheet has changed.
    pub(crate) fn write_sheet(&mut self, civ: Civ) {
        let (turn, sheet) = (self.table.state.turn(), self.table.sheet(civ));
        self.deed.sheets.retain(|(other, who, _)| (*other, *who) != (turn, civ));
        self.deed.sheets.push((turn, civ, sheet));
    }

    fn write_sheets(&mut self, turn: u16) {
        self.deed.sheets.retain(|(other, ..)| *other != turn);
        let sheets = self.table.sheets.iter().map(|(civ, sheet)| (turn, *civ, sheet.clone()));
        self.deed.sheets.extend(sheets);
    }

    /// Whoever owes something when their phase is ruled has left it to the defaults, in all phases that were asked for
    /// together.
    pub(super) fn settle_silent(&mut self, phase: Phase) {
        for civ in self.table.owing() {
            self.table.sheets.entry(civ).or_default().settle(mailing(phase));
        }
    }

    /// Tells everybody what happened, and opens the clock of the phase that now waits.
    pub(crate) fn publish(&mut self, before: &State, events: &[Event]) {
        if events.is_empty() {
            // Whatever there is to say of this phase has been said.
            return;
        }
        edited::tell(self);
        if self.table.state.has_ended() {
            self.end(before, events)
        } else {
            self.open_hours();
            self.report(before, events);
        }
    }

    /// Tells everybody what happened, and what the player is asked now.
    pub(crate) fn report(&mut self, before: &State, events: &[Event]) {
        edited::tell(self);
        let asked = self.table.state.progress().asked;
        for civ in self.people() {
            let seen = &Witnessed::of(before, events, Reader::Player(civ));
            let content = match asked {
                Some(asked) if asked == civ => Content::Decision { seen },
                Some(_) | None => Content::Report { seen },
            };
            let kind = if asked == Some(civ) { DispatchKind::Decision } else { DispatchKind::Report };
            self.write_about_phase(Party::Seat(civ), kind, &content);
        }
        let seen = &Witnessed::of(before, events, Reader::Public);
        for party in self.public().into_iter().chain(self.onlooker()) {
            self.write_about_phase(party, DispatchKind::Report, &Content::Report { seen });
        }
    }

    /// The moderator, who is told what everybody may know. Whoever plays, or answers for a player, is told what that seat may
    /// know, and nothing beside it; and whoever carries the public record to a board has it already.
    fn onlooker(&self) -> Option<Party> {
        let table = &self.table;
        let moderator = table.seat(Party::Moderator)?;
        let reads = |seat: &SeatRecord| moderator.addresses.iter().any(|address| seat.knows(&address.address));
        let is_told = table.people().any(|(_, seat)| reads(seat)) || table.seat(Party::Public).is_some_and(reads);
        (!is_told).then_some(Party::Moderator)
    }

    fn end(&mut self, before: &State, events: &[Event]) {
        standing_in::let_go(self);
        self.table.game.status = Status::Ended;
        self.table.game.hours = Default::default();
        for party in self.everybody().into_iter().chain(self.kept()) {
            let seen = &Witnessed::of(before, events, reader(party));
            self.write_about_phase(party, DispatchKind::End, &Content::End { seen });
        }
    }

    /// Sets the cut-off of the phase that is open now.
    pub(crate) fn open_hours(&mut self) {
        let cut_off = self.table.agreed.schedule.cut_off(self.now, self.table.mailing());
        let cut_off = self.behind_absences(cut_off);
        let hours = &mut self.table.game.hours;
        *hours = Hours { opened: Some(self.now), cut_off: Some(cut_off), all_in: None, ..*hours };
    }

    /// A cut-off with regard to the absences of those who are awaited.
    pub(crate) fn behind_absences(&self, cut_off: DateTime<Utc>) -> DateTime<Utc> {
        let owing = self.table.owing();
        let is_awaited = |absence: &&Absence| absence.party.civ().is_some_and(|civ| owing.contains(&civ));
        let away = self.table.absences.iter().filter(is_awaited);
        let away = away.map(|away| absence::Absence { from: away.since, until: away.until });
        self.table.agreed.schedule.behind_all(cut_off, &away.collect::<Vec<_>>())
    }

    /// Since when nobody owes anything more.
    fn note_who_is_in(&mut self) {
        if !self.table.is_running() {
            return;
        }
        let is_open = self.table.awaits_letters() && !self.table.owing().is_empty();
        let all_in = &mut self.table.game.hours.all_in;
        *all_in = if is_open { None } else { Some(all_in.unwrap_or(self.now)) };
    }

    /// The people at the seats, in A.S.T.-ranking.
    pub(crate) fn people(&self) -> Vec<Civ> {
        self.table.people().map(|(civ, _)| civ).collect()
    }

    /// The people at the seats, the moderator, and whoever reads the thread, if there is one.
    pub(crate) fn everybody(&self) -> Vec<Party> {
        let people = self.table.people().map(|(civ, _)| Party::Seat(civ));
        people.chain([Party::Moderator]).chain(self.public()).collect()
    }

    /// The players whose seats built-in players keep: nothing waits for them, but how it ends is theirs to know.
    pub(crate) fn kept(&self) -> Vec<Party> {
        let seat = |civ: &Civ| self.table.seat(Party::Seat(*civ)).is_some_and(|seat| seat.companion.is_some());
        self.table.missing.kept.keys().filter(|civ| seat(civ)).map(|civ| Party::Seat(*civ)).collect()
    }

    /// Whoever reads the public record, if the game has a thread.
    pub(crate) fn public(&self) -> Option<Party> {
        self.table.seat(Party::Public).map(|seat| seat.party)
    }

    /// Writes a letter about the phase that is open: there is one of each kind a step.
    pub(crate) fn write_about_phase(&mut self, party: Party, kind: DispatchKind, content: &Content) {
        self.write(party, self.about_phase(kind), content);
    }

    /// The envelope of a letter about the phase that is open.
    pub(crate) fn about_phase(&self, kind: DispatchKind) -> Envelope<'static> {
        let TurnPhase { turn, phase } = self.table.phase();
        let about = format!("{turn}.{}.{}", phase.name(), self.table.ruled.steps + 1);
        Envelope { kind, about, ..Envelope::default() }
    }

    /// A seat has changed.
    pub(crate) fn write_seat(&mut self, party: Party) {
        let Some(seat) = self.table.seat(party).cloned() else { return };
        self.deed.seats.retain(|other| other.party != party);
        self.deed.seats.push(seat);
    }

    /// Writes a letter to somebody. While the person is away their deputy gets it too.
    pub(crate) fn write(&mut self, party: Party, envelope: Envelope, content: &Content) {
        self.tell_each(party, envelope, &|sitting, envelope| sitting.write_to(party, envelope, content));
        if content.shows_board() {
            boards::note_shown(self, party);
        }
    }

    /// Tells somebody something in finished sentences, and a deputy in the deputy's own language.
    pub(crate) fn tell(&mut self, party: Party, envelope: Envelope, said: &dyn Fn(&Sitting) -> Vec<String>) {
        self.tell_each(party, envelope, &|sitting, envelope| {
            let lines = said(sitting);
            let content = match envelope.kind {
                DispatchKind::Absence => Content::Absence { lines: &lines },
                DispatchKind::Invitation
                | DispatchKind::Rehearsal
                | DispatchKind::Rehearsed
                | DispatchKind::Welcome
                | DispatchKind::Acknowledgement
                | DispatchKind::Report
                | DispatchKind::Board
                | DispatchKind::Decision
                | DispatchKind::Reminder
                | DispatchKind::Parked
                | DispatchKind::Press
                | DispatchKind::Announcement
                | DispatchKind::Edits
                | DispatchKind::Moderation
                | DispatchKind::Preview
                | DispatchKind::Rollback
                | DispatchKind::End
                | DispatchKind::Status
                | DispatchKind::Code
                | DispatchKind::Club => Content::Announcement { lines: &lines, text: None },
            };
            sitting.write_to(party, envelope, &content);
        });
    }

    /// Has a letter written for everybody who reads at a seat: where its envelope says, or to the player and, during an
    /// absence, to the deputy.
    pub(crate) fn tell_each(&mut self, party: Party, envelope: Envelope, write: &dyn Fn(&mut Sitting, Envelope)) {
        let Some(seat) = self.table.seat(party) else { return };
        let away = self.table.is_away(party, self.now);
        let readers: Vec<Address> = match envelope.to {
            Some(to) => vec![to.clone()],
            None => {
                let deputy = seat.mailbox(Role::Deputy).filter(|_| away);
                seat.mailbox(Role::Player).into_iter().chain(deputy).cloned().collect()
            }
        };
        for to in &readers {
            let is_along = envelope.to.is_none() && to.role == Role::Deputy;
            let about = format!("{}{}", envelope.about, if is_along { ".deputy" } else { "" });
            let heard = std::mem::replace(&mut self.hears, (to.role == Role::Deputy).then_some(party));
            write(self, Envelope { to: Some(to), about, ..envelope.clone() });
            self.hears = heard;
        }
    }

    fn write_to(&mut self, party: Party, envelope: Envelope, content: &Content) {
        let Some(seat) = self.table.seat(party) else { return };
        let mut surroundings = self.occasion(party);
        // A deputy has a link of their own; and a code is typed where it was asked for.
        surroundings.page = envelope
            .to
            .filter(|_| envelope.kind != DispatchKind::Code)
            .and_then(|to| self.house.page_link(&self.table, party, to.role));
        surroundings.place = self.place_of(party, envelope.to);
        let page = match envelope.to {
            Some(to) => {
                let carrier = self.house.carrier(&to.carrier);
                let (message_id, name) = (self.named(party, &envelope, to).1, slug(&self.table.edition.printed, party));
                let address = |line: &str| {
                    let secret = self.house.tap_secret(&message_id, line);
                    match self.house.reply_address(carrier, Some((&self.table.game.id, &name)), &secret) {
                        Some(address) => TapTo::at(address),
                        // A link cannot name the letter that it answers, so its secret stands in its subject.
                        None => TapTo { address: carrier.address.to_string(), mark: Some(mark(&secret)) },
                    }
                };
                let taps = self.has_taps(seat, to).then_some(Taps(&address));
                let mut occasion = surroundings.view();
                occasion.delivery.taps = taps;
                letters::write(self.words(party), &occasion, content)
            }
            None => letters::write(self.words(party), &surroundings.view(), content),
        };
        // What a forum does not take goes by mail: that text speaks of a letter, and not of the conversation it does not stand in.
        let can_be_mailed = seat.addresses.iter().any(|address| self.house.is_mailbox(address));
        let page = if surroundings.place == Venue::Forum && can_be_mailed {
            let mut bare = surroundings.view();
            (bare.shown, bare.delivery.place) = (None, Venue::Mail);
            letters::Page { text: letters::write(self.words(party), &bare, content).text, ..page }
        } else {
            page
        };
        // Where only a person can post, the record is text to copy, below a word to whoever does it.
        let pasted = self.board(party).map(|(thread, markup)| {
            let pasted = letters::pasted(self.words(party), &surroundings.view(), content);
            let hint = self.say(Party::Moderator, "paste", context! { thread, markup => markup.name() });
            format!("{hint}\n\n{CUT_HERE}\n\n{}\n", pasted.text(markup))
        });
        let is_on_page = self.form.as_ref().is_some_and(|form| envelope.in_reply_to == Some(&form.mark));
        if is_on_page {
            let told = if let Content::Acknowledgement { told, .. } = content { Some(*told) } else { None };
            self.keep_answer(party, told, page.text.clone());
            // Who gives up all browsers reads no answer there any more.
            let ends = |change: &PageChange| match change {
                PageChange::NewLink(whose) | PageChange::Forget(whose) => *whose == party,
                PageChange::ForgetDeputy(_) | PageChange::Copies(..) | PageChange::Answer(_) => false,
            };
            if !self.table.link(party).copies && !self.deed.page.changes.iter().any(ends) {
                return;
            }
        }
        // Nobody has a letter that a form of the page is.
        let envelope = Envelope { in_reply_to: envelope.in_reply_to.filter(|_| !is_on_page), ..envelope };
        let (Some(seat), Some(to)) = (self.table.seat(party), envelope.to) else { return };
        let page = self.fitting(seat, to, page);
        let page = match pasted {
            Some(text) => letters::Page { text, html: None, data: None, ..page },
            None => page,
        };
        let dispatch = NewDispatch {
            writer: writer(content).or_else(|| self.speaker(envelope.kind)),
            words: words(content),
            ..self.dispatch(party, &envelope, to, page)
        };
        let is_twice = |other: &NewDispatch| other.dispatch.message_id == dispatch.dispatch.message_id;
        if self.deed.dispatches.iter().any(is_twice) {
            tracing::error!(id = dispatch.dispatch.message_id, "a letter of ours was written twice; one leaves");
            return;
        }
        self.deed.dispatches.push(dispatch);
    }

    /// Whose deed a letter of this kind tells of.
    fn speaker(&self, kind: DispatchKind) -> Option<Party> {
        self.speaks.filter(|_| matches!(kind, DispatchKind::Announcement | DispatchKind::Edits))
    }

    /// Whether answers to a letter may be sent with a tap: where it is a mail of links.
    fn has_taps(&self, seat: &SeatRecord, to: &Address) -> bool {
        seat.html && self.house.is_mailbox(to)
    }

    /// What a letter is about, in our own words, and its id.
    fn named(&self, party: Party, envelope: &Envelope, to: &Address) -> (String, String) {
        let game = &self.table.game;
        let name = slug(&self.table.edition.printed, party);
        let era = if game.era == 0 { String::new() } else { format!("{}.", game.era) };
        let about = format!("{}.{era}{}.{name}.{}", game.id, envelope.about, envelope.kind.name());
        let message_id = self.house.message_id(self.house.carrier(&to.carrier), &about);
        (about, message_id)
    }

    /// The answer to the form is kept where the page reads it; the first that names it is the answer.
    fn keep_answer(&mut self, party: Party, told: Option<&Acknowledgement>, words: String) {
        let Some(form) = self.form.as_ref().map(|form| form.id.clone()) else { return };
        let told = told.and_then(|told| serde_json::to_string(told).ok());
        let is_answered = self.deed.page.changes.iter().any(|change| matches!(change, PageChange::Answer(_)));
        if !is_answered {
            let answer = PageAnswer { party, form, told, words, written_at: self.now };
            self.deed.page.changes.push(PageChange::Answer(answer));
        }
    }

    /// A form to which nothing was said is answered with nothing: what came of it is told by other letters.
    pub(crate) fn answer_form(&mut self, party: Party) {
        self.keep_answer(party, None, String::new());
    }

    /// The answer to the form as data too, for the page that reads it.
    pub(crate) fn answer_as_data(&mut self, data: &impl serde::Serialize) {
        for change in &mut self.deed.page.changes {
            if let PageChange::Answer(answer) = change {
                answer.told = serde_json::to_string(data).ok();
            }
        }
    }

    /// A page as its reader likes it, and as its carrier takes it: a forum takes Markdown, and nobody reads data there.
    pub(crate) fn fitting(&self, seat: &SeatRecord, to: &Address, page: letters::Page) -> letters::Page {
        let picture = page.picture.filter(|_| seat.html);
        match self.house.carrier(&to.carrier).form() {
            Form::Mail => letters::Page { html: page.html.filter(|_| seat.html), picture, ..page },
            Form::Post | Form::Door | Form::Web => {
                // A forum may want longer posts than `ok`.
                let hint = (seat.party != Party::Public).then(|| self.say(seat.party, "forum_hint", Value::from(())));
                let post = [page.markdown.as_str()].into_iter().chain(hint.as_deref()).collect::<Vec<_>>().join("\n\n");
                letters::Page { html: Some(post), picture, data: None, ..page }
            }
        }
    }

    /// Puts a page into an envelope.
    pub(crate) fn dispatch(&self, party: Party, envelope: &Envelope, to: &Address, page: letters::Page) -> NewDispatch {
        let game = &self.table.game;
        let carrier = self.house.carrier(&to.carrier);
        let name = slug(&self.table.edition.printed, party);
        let (about, message_id) = self.named(party, envelope, to);
        let secret = self.house.secret(&message_id);
        let has_taps = self.table.seat(party).is_some_and(|seat| self.has_taps(seat, to));
        let offered = page.offered.into_iter().map(|letters::Offered { line, files }| OfferedAnswer {
            secret: has_taps.then(|| self.house.tap_secret(&message_id, &line)),
            line,
            files,
        });
        let offered = offered.filter(|offered| offered.secret.is_some() || !offered.files.is_empty()).collect();
        // Letters of a turn make one thread.
        let root = self.house.thread_id(carrier, &format!("{}.{}.{name}", game.id, self.table.state.turn()));
        let in_reply_to = envelope.in_reply_to.map(str::to_owned);
        // In a forum an answer is known by its place.
        let reply_to = self.house.reply_address(carrier, Some((&game.id, &name)), &secret);
        let dispatch = Dispatch {
            reply_to: reply_to.filter(|_| carrier.form() == Form::Mail),
            message_id,
            date: self.now,
            to: to.address.clone(),
            references: std::iter::once(root).chain(in_reply_to.clone()).collect(),
            in_reply_to,
            subject: page.subject,
            text: page.text,
            html: page.html,
            picture: page.picture,
            data: page.data,
            list: None,
        };
        // A practice asks for nothing.
        let is_open = self.table.game.status != Status::Inviting && !envelope.kind.is_practice();
        NewDispatch {
            dispatch,
            about,
            secret,
            of: Some(SeatId::new(game.id.clone(), party)),
            kind: envelope.kind,
            cut_off: game.hours.cut_off,
            asks: is_open.then(|| self.table.phase()),
            carrier: carrier.name.clone(),
            told_elsewhere: false,
            offered,
            writer: None,
            words: None,
        }
    }

    /// What surrounds a letter to somebody.
    pub(crate) fn occasion(&self, party: Party) -> Surroundings<'_> {
        let table = &self.table;
        // A cut-off that has passed is told to nobody: within the grace letters count, and nobody is told of that.
        let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > self.now);
        Surroundings {
            table,
            known: Known::of(&table.state, reader(party)),
            party,
            seats: table.places(),
            sheet: party.civ().map(|civ| table.sheet(civ)),
            silent: Silent {
                awaited: if table.is_running() { table.owing() } else { Vec::new() },
                by_default: &self.by_default,
            },
            cut_off: cut_off.map(|cut_off| moment(cut_off, self.zone(party))),
            maps: table.seat(party).is_some_and(|seat| seat.html).then_some(&self.house.maps),
            shown: boards::shown(table, party),
            deputy: table.seat(party).filter(|_| self.hears == Some(party)).and_then(SeatRecord::deputy_name),
            page: self.house.page_link(table, party, Role::Player),
            place: self.place_of(party, table.seat(party).and_then(|seat| seat.mailbox(Role::Player))),
        }
    }

    /// The board that only a person can post to, for whom the public record is written, and its markup.
    fn board(&self, party: Party) -> Option<(String, Markup)> {
        let mut threads =
            self.table.ways.threads.iter().filter(|thread| party == Party::Public && thread.party == party);
        threads.find_map(|thread| {
            let address = thread.thread.as_deref()?;
            let address = address.strip_prefix(UNREAD).unwrap_or(address);
            Some((address.to_owned(), self.house.carrier(&thread.carrier).markup()?))
        })
    }

    /// The address of the board that only a person can post to, if the public record is pasted there.
    pub(crate) fn pasted_at(&self) -> Option<String> {
        self.board(Party::Public).map(|(address, _)| address)
    }

    /// Where a letter is read that goes there.
    fn place_of(&self, party: Party, to: Option<&Address>) -> Venue {
        let thread = self.table.ways.threads.iter().find(|thread| thread.party == Party::Public);
        match thread.filter(|_| party == Party::Public) {
            Some(thread) if self.house.carrier(&thread.carrier).reaches_persons() => Venue::Forum,
            Some(_) => Venue::Board,
            None if to.is_some_and(|to| self.house.carrier(&to.carrier).form() == Form::Post) => Venue::Forum,
            None => Venue::Mail,
        }
    }

    /// The words of somebody's language.
    pub(crate) fn words(&self, party: Party) -> &Templates {
        let seat = self.table.seat(party);
        let deputy = seat.filter(|_| self.hears == Some(party)).and_then(|seat| seat.deputy.as_ref());
        let language = deputy.map(|deputy| deputy.language).or(seat.map(|seat| seat.language));
        self.table.edition.templates(language.unwrap_or(self.house.settings.language))
    }

    /// A phrase of the desk in somebody's language.
    pub(crate) fn say(&self, party: Party, key: &str, facts: Value) -> String {
        self.words(party).say("desk", key, facts)
    }

    /// The zone of the clock of whoever is spoken to.
    fn zone(&self, party: Party) -> Zone {
        if self.hears == Some(party) { self.table.deputy_zone(party) } else { self.table.zone(party) }
    }

    /// A point in time as somebody's own clock shows it, in words.
    pub fn when(&self, party: Party, time: DateTime<Utc>) -> String {
        let moment = moment(time, self.zone(party));
        self.words(party).say("moment", "full", Value::from(Serde(&moment)))
    }

    /// A civilization in somebody's language.
    pub(crate) fn civ(&self, party: Party, civ: Civ) -> String {
        Names::new(&self.table.edition.printed, self.words(party).language).civ(civ).to_owned()
    }
}

/// So many characters of a message are kept for the order page.
const LONGEST: usize = 2_000;

/// The words of another that a letter passes on.
fn words(content: &Content) -> Option<String> {
    match content {
        Content::Press { text, .. } => Some(text.trim().chars().take(LONGEST).collect()),
        _ => None,
    }
}

/// Whose words a letter passes on.
fn writer(content: &Content) -> Option<Party> {
    match content {
        Content::Press { from, .. } => Some(from.map_or(Party::Moderator, Party::Seat)),
        Content::Announcement { text: Some(_), .. } => Some(Party::Moderator),
        Content::Invitation { .. }
        | Content::Rehearsal { .. }
        | Content::Rehearsed { .. }
        | Content::Welcome { .. }
        | Content::Deputy { .. }
        | Content::Briefing { .. }
        | Content::Acknowledgement { .. }
        | Content::Report { .. }
        | Content::Board { .. }
        | Content::Decision { .. }
        | Content::Reminder { .. }
        | Content::Absence { .. }
        | Content::Parked { .. }
        | Content::Announcement { text: None, .. }
        | Content::Moderation { .. }
        | Content::Rollback { .. }
        | Content::End { .. }
        | Content::Hand
        | Content::Code { .. }
        | Content::Digest { .. }
        | Content::Status { .. } => None,
    }
}

/// As whom somebody reads: the moderator and the thread are told what everybody is.
fn reader(party: Party) -> Reader {
    party.civ().map_or(Reader::Public, Reader::Player)
}

/// Who has still to write, and for whom the defaults have answered.
struct Silent<'a> {
    awaited: Vec<Civ>,
    by_default: &'a [Civ],
}

/// What surrounds a letter, owned.
pub(crate) struct Surroundings<'a> {
    table: &'a Table,
    known: Known,
    party: Party,
    seats: Vec<letters::Seat>,
    sheet: Option<crate::orders::Sheet>,
    silent: Silent<'a>,
    cut_off: Option<letters::Moment>,
    maps: Option<&'a letters::Maps>,
    shown: Option<&'a Shown>,
    /// Who reads in the player's place.
    deputy: Option<String>,
    page: Option<String>,
    place: Venue,
}

impl Surroundings<'_> {
    /// As the scribe wants it.
    pub(crate) fn view(&self) -> Occasion<'_> {
        Occasion {
            game: &self.table.game.title,
            known: &self.known,
            // Nobody in particular reads the thread.
            name: match (&self.deputy, self.table.seat(self.party)) {
                (Some(deputy), _) => deputy,
                (None, Some(seat)) if seat.party != Party::Public => &seat.player,
                (None, _) => "",
            },
            seats: &self.seats,
            sheet: self.sheet.as_ref(),
            awaited: &self.silent.awaited,
            by_default: self.silent.by_default,
            cut_off: self.cut_off.clone(),
            terms: terms_of(self.table),
            shown: self.shown,
            delivery: Delivery {
                maps: self.maps,
                detail: self.table.seat(self.party).map(|seat| seat.detail).unwrap_or_default(),
                data: self.table.seat(self.party).is_some_and(|seat| seat.data),
                taps: None,
                order_page: self.page.as_deref(),
                place: self.place,
            },
        }
    }
}

/// What the group has agreed on that every letter may say.
fn terms_of(table: &Table) -> letters::Terms {
    let zone = table.agreed.schedule.zone;
    let end = table.agreed.ends_after.and_then(|ending| ending.moment(zone));
    // The day itself, not the midnight that ends it.
    letters::Terms {
        short: table.agreed.short,
        ends_on: end.map(|end| moment(end - chrono::TimeDelta::minutes(1), zone)),
        stopped: table.game.stopped.is_some(),
        by_host: voting::is_ended_by_host(table),
    }
}
