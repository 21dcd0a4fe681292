//! The daemon: letters come in, what is due is ruled, letters go out, and then again.
//!
//! Every carrier has threads of its own, so that a dead server stops neither the clock nor the other carriers. Only this
//! loop touches the archive. It may be killed at any moment: what is not written down has not happened.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::clock::OUTAGE;
use super::incoming::intake::Marks;
use super::incoming::looking_back::without_own;
use super::{Desk, DeskError};
use crate::archive::{ArchiveError, Outgoing};
use crate::post::{Carrier, Form, Memory, Receipt, Received, Trouble, Warning};

/// How long the loop sleeps at most: commands from the door come without a knock.
const NAP: Duration = Duration::from_millis(500);
/// So long the clock rules in one go, where many games are due at once.
const STRIKE: Duration = Duration::from_millis(100);
/// How many letters are sent in one go where nobody waits for a lane.
const AT_ONCE: usize = 50;
/// How long a carrier in trouble is left alone, at first and at most.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(300);
/// So long the clock waits at first for carriers that have not looked yet.
const FIRST_LOOK: chrono::Duration = chrono::Duration::minutes(2);
/// A longer time between two rounds is a gap: we were suspended, or the clock was set. Letters are looked for before anything
/// is ruled, and where the gap is an outage, it is one like any other.
const GAP: chrono::Duration = chrono::Duration::minutes(5);
/// So far a clock goes back by itself, when it is put right.
const BACK: chrono::Duration = chrono::Duration::minutes(1);
/// So often the archive notes that we are here.
const ALIVE: chrono::Duration = chrono::Duration::seconds(30);

/// Letters with what tells each from every other.
type Brought = Vec<(Received, Marks)>;

/// What comes to the desk.
enum Inbound {
    /// Letters; whoever brought them waits to hear that they are remembered.
    Letters { carrier: String, letters: Brought, remembered: SyncSender<bool> },
    /// Letters that were kept before, of which the archive may have lost some; whoever brought them waits as well.
    Kept { carrier: String, letters: Brought, remembered: SyncSender<bool> },
    /// A carrier has brought all that was kept.
    LookedBack { carrier: String },
    /// A letter has left, or has not.
    Sent(Box<Outgoing>, Result<Receipt, Trouble>),
    /// A carrier has brought everything that had come when it was asked, for so many times.
    Looked { carrier: String, asked: u64 },
    /// A carrier is in trouble.
    Trouble { carrier: String, trouble: Trouble },
    /// A carrier works again.
    Well { carrier: String },
    /// A carrier warns of something else than it did, or of nothing any more.
    Warned { carrier: String, warnings: Vec<Warning> },
    /// Somebody asks at the window.
    Knock,
    /// The daemon is asked to stop.
    Stop,
}

/// Whoever holds it can ask the daemon to stop.
#[derive(Clone)]
pub struct Bell(Sender<Inbound>, Arc<AtomicBool>);

impl Bell {
    /// Asks the daemon to stop once it has finished what it is at.
    pub fn ring(&self) {
        self.1.store(true, Ordering::Relaxed);
        // Nobody hears it where the daemon has stopped already.
        let _ = self.0.send(Inbound::Stop);
    }
}

/// The carriers that have not looked since they were asked to.
struct Unheard {
    carriers: BTreeSet<String>,
    /// For so many times they were asked.
    asked: u64,
}

/// What the daemon keeps in mind from one round to the next.
struct Watch {
    /// Letters that came in time while we were away count, so nothing is ruled before every carrier has looked.
    unheard: Unheard,
    /// How often the carriers were asked to look, as their threads see it.
    asked: Arc<AtomicU64>,
    /// Since when they are waited for.
    began: DateTime<Utc>,
    /// When the archive was last told that we are here, and the world that we are well.
    alive: DateTime<Utc>,
    well: DateTime<Utc>,
    /// When the last round was.
    last: DateTime<Utc>,
    /// Since when there are letters to read.
    busy_since: Option<DateTime<Utc>>,
    /// Whether there is more to sweep.
    sweeps: bool,
}

impl Watch {
    fn begin(carriers: &[Arc<dyn Carrier>], asked: Arc<AtomicU64>, now: DateTime<Utc>) -> Watch {
        let unheard = Unheard { carriers: names(carriers), asked: 0 };
        Watch { unheard, asked, began: now, alive: now, well: now, last: now, busy_since: None, sweeps: true }
    }

    /// Every carrier is to look once more.
    fn look_again(&mut self, carriers: &[Arc<dyn Carrier>], now: DateTime<Utc>) {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        self.unheard = Unheard { carriers: names(carriers), asked };
        self.began = now;
    }
}

fn names(carriers: &[Arc<dyn Carrier>]) -> BTreeSet<String> {
    carriers.iter().map(|carrier| carrier.name().to_owned()).collect()
}

/// What one round has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Round {
    /// Letters that came in and were new.
    pub received: usize,
    /// Letters that were handled.
    pub handled: usize,
    /// Games that were ruled by the clock.
    pub ruled: usize,
    pub sent: usize,
    /// Carriers that were in trouble.
    pub troubles: usize,
}

impl Round {
    /// Whether nothing at all was done, so that the desk may sleep.
    pub fn is_quiet(&self) -> bool {
        *self == Round::default()
    }
}

impl Desk {
    /// Finishes what was under way when we went, and makes up for the time nobody was here.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn wake(&mut self, now: DateTime<Utc>) -> Result<(), DeskError> {
        self.wake_after(now, OUTAGE)
    }

    /// The same where we are only here now and then: a silence is an outage if it is longer than this.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn wake_after(&mut self, now: DateTime<Utc>, silence: chrono::Duration) -> Result<(), DeskError> {
        let stored = self.archive.kept("alive")?.and_then(|bytes| String::from_utf8(bytes).ok());
        let alive = stored.and_then(|text| DateTime::parse_from_rfc3339(&text).ok()).map(|time| time.to_utc());
        if let Some(alive) = alive.filter(|alive| now - *alive > silence) {
            let moved = self.make_up_for_outage(alive, now)?;
            tracing::info!(moved, "back after an outage; cut-offs that fell into it have moved");
        }
        self.note_alive(now)
    }

    /// Notes that we are here.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn note_alive(&mut self, now: DateTime<Utc>) -> Result<(), DeskError> {
        Ok(self.archive.keep("alive", now.to_rfc3339().as_bytes())?)
    }

    /// Notes games that somebody created beside us.
    fn note_new_games(&mut self) -> Result<(), DeskError> {
        for (number, id) in self.archive.games_since(self.agenda.noted)? {
            self.agenda.noted = number;
            if !self.agenda.knows(&id) {
                match self.archive.game(&id) {
                    Ok(Some(game)) => self.agenda.note(&game, &self.archive.absences(&id)?),
                    Ok(None) => {}
                    Err(error) => tracing::error!(game = id.as_str(), "a game cannot be read: {error}"),
                }
            }
        }
        Ok(())
    }

    /// Does everything that can be done without waiting: collects, rules and sends.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn round(&mut self, carriers: &[Arc<dyn Carrier>], now: DateTime<Utc>) -> Result<Round, DeskError> {
        let mut round = Round::default();
        self.recall(carriers)?;
        for carrier in carriers {
            if !self.carriers.looked_back.contains(carrier.name()) {
                self.look_back(carrier.as_ref(), now)?;
                self.note_looked_back(carrier.name(), carriers.len(), now)?;
            }
            self.collect(carrier.as_ref(), now, &mut round)?;
            self.note_warnings(carrier.name(), &carrier.warnings(), now)?;
        }
        round.handled = self.handle_waiting(now)?;
        round.ruled = self.strike(now)?;
        self.attend(now)?;
        self.tell_observers(now)?;
        self.archive.note_mark()?;
        for name in self.archive.waiting_carriers()? {
            let carrier = carriers.iter().find(|carrier| carrier.name() == name).or(carriers.first());
            let Some(carrier) = carrier else { continue };
            loop {
                let leaving = self.outgoing(&name, &BTreeSet::new(), AT_ONCE, now)?;
                if leaving.is_empty() {
                    break;
                }
                let send = |outgoing: Outgoing| {
                    let result = carrier.send(&outgoing.dispatch);
                    (outgoing, result)
                };
                let results: Vec<_> = leaving.into_iter().map(send).collect();
                round.sent += results.iter().filter(|(_, result)| result.is_ok()).count();
                self.sent(&results, now)?;
            }
        }
        Ok(round)
    }

    /// Gives every carrier as many letters as it has free lanes: a slow one keeps back its own and nobody else's. What is
    /// leaving is known only here; after an accident it waits again.
    fn hand_out(&mut self, lanes: &mut [Lane], now: DateTime<Utc>) -> Result<(), DeskError> {
        // What leaves is written down beside the archive before, so that no id is ever used for other words.
        self.archive.note_mark()?;
        let names: Vec<String> = lanes.iter().map(|lane| lane.carrier.clone()).collect();
        for name in self.archive.waiting_carriers()? {
            // What was written for a carrier that the settings no longer have goes by the first.
            let place = names.iter().position(|known| *known == name).unwrap_or(0);
            let Some(lane) = lanes.get_mut(place) else { continue };
            let free = lane.width.saturating_sub(lane.leaving.len());
            for outgoing in self.outgoing(&name, &lane.leaving, free, now)? {
                let id = outgoing.dispatch.message_id.clone();
                if lane.letters.send(outgoing).is_ok() {
                    lane.leaving.insert(id);
                }
            }
        }
        Ok(())
    }

    /// Tells carriers that remember nothing what we remember for them, where it is new.
    fn recall(&mut self, carriers: &[Arc<dyn Carrier>]) -> Result<(), DeskError> {
        for carrier in carriers.iter().filter(|carrier| self.house.forums().contains(&carrier.name())) {
            let mut threads = self.archive.public_threads(carrier.name())?;
            let club = self.house.settings.club.thread.as_ref().filter(|(forum, _)| forum == carrier.name());
            threads.extend(club.map(|(_, thread)| thread.clone()).filter(|thread| !threads.contains(thread)));
            if self.carriers.recalled.get(carrier.name()) != Some(&threads) {
                self.carriers.recalled.insert(carrier.name().to_owned(), threads.clone());
                carrier.recall(&Memory { threads, kept: self.archive.kept_posts(carrier.name())? });
            }
        }
        Ok(())
    }

    fn collect(&mut self, carrier: &dyn Carrier, now: DateTime<Utc>, round: &mut Round) -> Result<(), DeskError> {
        loop {
            match carrier.collect(Duration::ZERO) {
                Ok(letters) if letters.is_empty() => return self.note_well(carrier.name(), now),
                Ok(letters) => {
                    round.received += self.remember(carrier.name(), &letters, now)?;
                    let marks: Vec<_> = letters.into_iter().map(|letter| letter.mark).collect();
                    if let Err(trouble) = carrier.keep(&marks) {
                        round.troubles += 1;
                        tracing::warn!(carrier = carrier.name(), "letters could not be put away: {trouble}");
                        return Ok(());
                    }
                }
                Err(trouble) => {
                    round.troubles += 1;
                    tracing::warn!(carrier = carrier.name(), "no letters could be brought: {trouble}");
                    return self.note_trouble(carrier.name(), &trouble, now);
                }
            }
        }
    }

    /// Serves until somebody rings. `ready` is called with the bell once the loop listens.
    ///
    /// # Errors
    /// The archive is full, may not be written or does not answer: nothing more is ruled.
    pub fn serve(
        &mut self,
        carriers: &[Arc<dyn Carrier>],
        clock: impl Fn() -> DateTime<Utc>,
        ready: impl FnOnce(Bell),
    ) -> Result<(), DeskError> {
        let (inbound, arrivals) = channel();
        self.stops.store(false, Ordering::Relaxed);
        ready(Bell(inbound.clone(), Arc::clone(&self.stops)));
        let knock = inbound.clone();
        // Nobody hears it where the daemon has stopped already.
        self.wake_by(move || drop(knock.send(Inbound::Knock)));
        self.wake(clock())?;
        self.recall(carriers)?;
        let asked = Arc::new(AtomicU64::new(0));
        let mut lanes = self.open_lanes(carriers, &inbound, &asked)?;
        let mut watch = Watch::begin(carriers, asked, clock());
        self.say_well(watch.well)?;
        loop {
            // What was under way when we last went is finished before anything new is taken in.
            let now = clock();
            self.mind_the_clock(&mut watch, carriers, now)?;
            let is_busy = self.handle_some(now)?.is_some();
            let is_ruling = self.rule_in_time(&mut watch, is_busy, now)?;
            let is_asked = self.attend(now)? > 0;
            self.tell_observers(now)?;
            self.hand_out(&mut lanes, now)?;
            self.keep_house(&mut watch, carriers, now)?;
            let patience = if is_busy || is_ruling || is_asked { Duration::ZERO } else { NAP };
            if !self.take_in(&arrivals, &mut lanes, &mut watch.unheard, patience, &clock)? {
                tracing::info!("stopping; everything is written down");
                return self.note_alive(clock());
            }
        }
    }

    /// Gives each carrier its threads: one that brings letters, and those that take them out.
    fn open_lanes(
        &self,
        carriers: &[Arc<dyn Carrier>],
        inbound: &Sender<Inbound>,
        asked: &Arc<AtomicU64>,
    ) -> Result<Vec<Lane>, DeskError> {
        let mut lanes = Vec::new();
        for carrier in carriers {
            let polling = self.house.settings.polling.delta().to_std().unwrap_or(LONGEST_REST);
            let porter = Porter {
                carrier: Arc::clone(carrier),
                form: self.house.carrier(carrier.name()).form(),
                desk: inbound.clone(),
            };
            let since = self.looks_back_to(carrier.name())?;
            spawn_collector(porter, polling, since, Arc::clone(asked));
            lanes.push(spawn_senders(carrier, inbound));
        }
        Ok(lanes)
    }

    /// Sees whether time has made a leap since the last round.
    fn mind_the_clock(
        &mut self,
        watch: &mut Watch,
        carriers: &[Arc<dyn Carrier>],
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        if now - watch.last > GAP {
            let minutes = (now - watch.last).num_minutes();
            tracing::warn!(minutes, "there is a gap in time; letters are looked for first");
            self.wake(now)?;
            watch.look_again(carriers, now);
        } else if watch.last - now > BACK {
            tracing::warn!(minutes = (watch.last - now).num_minutes(), "the clock went back");
            // What was put off until a time that is far away again is not waited for.
            for carrier in carriers {
                self.archive.try_now(carrier.name(), now)?;
            }
            self.note_alive(now)?;
            (watch.began, watch.alive, watch.well) = (watch.began.min(now), now, watch.well.min(now));
        }
        watch.last = now;
        Ok(())
    }

    /// Rules some of what is due; says whether there is more. What came in time is read before anything is ruled; but no flood
    /// stops the clock for long, and that of another game not at all.
    fn rule_in_time(&mut self, watch: &mut Watch, is_busy: bool, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let busy = if is_busy { now - *watch.busy_since.get_or_insert(now) } else { chrono::Duration::zero() };
        if !is_busy {
            watch.busy_since = None;
        }
        let is_heard = watch.unheard.carriers.is_empty() || now - watch.began > FIRST_LOOK;
        if !is_heard {
            return Ok(false);
        }
        let struck = self.strike_for(now, is_busy && busy <= FIRST_LOOK, Some(STRIKE))?;
        if struck.ruled > 0 {
            tracing::info!(ruled = struck.ruled, "the clock has ruled");
        }
        Ok(!struck.is_whole)
    }

    /// Does what is to be done now and then. What is old goes a little at a time, and only while nobody waits.
    fn keep_house(
        &mut self,
        watch: &mut Watch,
        carriers: &[Arc<dyn Carrier>],
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        watch.sweeps = watch.sweeps && self.sweep(now)?;
        if now - watch.alive > ALIVE {
            self.note_alive(now)?;
            self.note_new_games()?;
            self.recall(carriers)?;
            watch.alive = now;
        }
        if now - watch.well > self.house.settings.health.every.delta() {
            self.say_well(now)?;
            watch.well = now;
            watch.sweeps = true;
        }
        Ok(())
    }

    /// Takes in what has come, and waits a little for it. Says whether to go on.
    fn take_in(
        &mut self,
        arrivals: &Receiver<Inbound>,
        lanes: &mut [Lane],
        unheard: &mut Unheard,
        patience: Duration,
        clock: &impl Fn() -> DateTime<Utc>,
    ) -> Result<bool, DeskError> {
        let mut next = match arrivals.recv_timeout(patience) {
            Ok(inbound) => Some(inbound),
            Err(RecvTimeoutError::Timeout) => return Ok(true),
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
        };
        let mut results = Vec::new();
        let mut goes_on = true;
        while let Some(inbound) = next.take() {
            match inbound {
                Inbound::Letters { carrier, letters, remembered } => {
                    let marked = letters.iter().map(|(received, marks)| (received, marks));
                    let done = self.remember_marked(&carrier, marked, clock());
                    // The carrier may have given up waiting; then it brings them again.
                    let _ = remembered.send(done.is_ok());
                    done?;
                }
                Inbound::Kept { carrier, letters, remembered } => {
                    let now = clock();
                    let marked = letters.iter().map(|(received, marks)| (received, marks));
                    let found = self.remember_marked(&carrier, marked, now);
                    let _ = remembered.send(found.is_ok());
                    self.tell_found(&carrier, found?, now)?;
                }
                Inbound::LookedBack { carrier } => self.note_looked_back(&carrier, lanes.len(), clock())?,
                Inbound::Sent(outgoing, result) => {
                    for lane in &mut *lanes {
                        lane.leaving.remove(&outgoing.dispatch.message_id);
                    }
                    results.push((*outgoing, result));
                }
                Inbound::Looked { carrier, asked } => {
                    if asked == unheard.asked {
                        unheard.carriers.remove(&carrier);
                    }
                }
                Inbound::Trouble { carrier, trouble } => {
                    // A dead server does not stop the clock.
                    unheard.carriers.remove(&carrier);
                    tracing::warn!(carrier, "a carrier is in trouble: {trouble}");
                    self.note_trouble(&carrier, &trouble, clock())?;
                }
                Inbound::Well { carrier } => {
                    tracing::info!(carrier, "the carrier works again");
                    self.note_well(&carrier, clock())?;
                }
                Inbound::Warned { carrier, warnings } => self.note_warnings(&carrier, &warnings, clock())?,
                // The window is looked at in every round.
                Inbound::Knock => {}
                Inbound::Stop => goes_on = false,
            }
            next = arrivals.try_recv().ok();
        }
        if !results.is_empty() {
            self.sent(&results, clock())?;
        }
        Ok(goes_on)
    }

    /// Lets go of a little of what the settings do not keep, and gives a little room back. Says whether there is more.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn sweep(&mut self, now: DateTime<Utc>) -> Result<bool, DeskError> {
        let swept = self.archive.sweep(self.house.settings.keep.at(now))?;
        Ok(self.archive.give_back()? || swept > 0)
    }

    /// Says that all is well, in the log and in the health file.
    fn say_well(&mut self, now: DateTime<Utc>) -> Result<(), DeskError> {
        let outbox = self.archive.outbox_status(None)?;
        let next = self.next_stroke();
        tracing::info!(outbox.waiting, outbox.sent, outbox.dead, next = next.map(|next| next.to_rfc3339()), "well");
        if let Some(file) = &self.house.settings.health.file {
            let act = self.house.warnings.iter().map(|((carrier, _), (since, says))| {
                let since = DateTime::from_timestamp(*since, 0).unwrap_or_default().format("%Y-%m-%d %H:%M UTC");
                format!("{carrier}: {says} (since {since})")
            });
            let act: Vec<String> = act.collect();
            let well =
                if act.is_empty() { "well".to_owned() } else { format!("somebody has to act: {}", act.join("; ")) };
            let line = format!(
                "{} {well}; outbox: {} waiting, {} sent, {} given up\n",
                now.to_rfc3339(),
                outbox.waiting,
                outbox.sent,
                outbox.dead
            );
            if let Err(trouble) = std::fs::write(file, line) {
                tracing::warn!("the health file cannot be written: {trouble}");
            }
        }
        Ok(())
    }
}

/// Whether an error of the desk means that nothing more can be written down.
pub fn is_archive_closed(error: &DeskError) -> bool {
    matches!(error, DeskError::Archive(ArchiveError::Full | ArchiveError::ReadOnly(_)))
}

/// The way out by one carrier: so many letters at a time.
struct Lane {
    carrier: String,
    letters: Sender<Outgoing>,
    width: usize,
    /// The ids of what it was given and has not told of yet.
    leaving: BTreeSet<String>,
}

/// Whoever brings a carrier's letters to the desk.
struct Porter {
    carrier: Arc<dyn Carrier>,
    form: Form,
    desk: Sender<Inbound>,
}

impl Porter {
    /// Hands letters over, looked through already, and waits until they are remembered: of whatever comes, only so much is
    /// under way. None where the desk has gone.
    fn hand_over(
        &self,
        letters: Vec<Received>,
        inbound: impl FnOnce(Brought, SyncSender<bool>) -> Inbound,
    ) -> Option<()> {
        let mark = |received: Received| (Marks::of(self.form, &received), received);
        let letters = letters.into_iter().map(mark).map(|(marks, received)| (received, marks)).collect();
        let (remembered, answer) = sync_channel(1);
        self.desk.send(inbound(letters, remembered)).ok()?;
        answer.recv().ok().filter(|is_remembered| *is_remembered).map(|_| ())
    }

    /// Brings letters that are new, and puts them away once they are remembered; none where the desk has gone.
    fn bring(&self, letters: Vec<Received>) -> Option<Result<(), Trouble>> {
        if letters.is_empty() {
            return Some(Ok(()));
        }
        let carrier = self.carrier.name().to_owned();
        let marks: Vec<_> = letters.iter().map(|letter| letter.mark.clone()).collect();
        self.hand_over(letters, |letters, remembered| Inbound::Letters { carrier, letters, remembered })?;
        Some(self.carrier.keep(&marks))
    }

    /// Brings once more what was kept since; none where the desk has gone.
    fn look_back(&self, since: DateTime<Utc>) -> Option<()> {
        let name = self.carrier.name().to_owned();
        let mut bring = |letters: Vec<Received>| {
            let carrier = name.clone();
            let letters = without_own(letters);
            self.hand_over(letters, |letters, remembered| Inbound::Kept { carrier, letters, remembered }).is_some()
        };
        if let Err(trouble) = self.carrier.look_back(since, &mut bring) {
            tracing::warn!(carrier = name, "letters that were kept could not be looked through: {trouble}");
        }
        self.desk.send(Inbound::LookedBack { carrier: name }).ok()
    }
}

/// Brings letters to the desk, and puts them away once they are remembered. Ends when the desk does.
fn spawn_collector(porter: Porter, patience: Duration, since: Option<DateTime<Utc>>, asked: Arc<AtomicU64>) {
    thread::spawn(move || {
        let name = porter.carrier.name().to_owned();
        if since.is_some_and(|since| porter.look_back(since).is_none()) {
            return;
        }
        let mut rest = None;
        let mut looked = None;
        let mut warned = None;
        loop {
            let asked = asked.load(Ordering::Relaxed);
            let has_looked = looked == Some(asked);
            let trouble = match porter.carrier.collect(if has_looked { patience } else { Duration::ZERO }) {
                Ok(letters) => {
                    let is_all = letters.is_empty();
                    let Some(outcome) = porter.bring(letters) else { return };
                    if is_all && !has_looked {
                        looked = Some(asked);
                        if porter.desk.send(Inbound::Looked { carrier: name.clone(), asked }).is_err() {
                            return;
                        }
                    }
                    outcome.err()
                }
                Err(trouble) => Some(trouble),
            };
            let warnings = porter.carrier.warnings();
            if warned.as_ref() != Some(&warnings) {
                warned = Some(warnings.clone());
                if porter.desk.send(Inbound::Warned { carrier: name.clone(), warnings }).is_err() {
                    return;
                }
            }
            let news = match (trouble, rest) {
                (None, None) => continue,
                (None, Some(_)) => {
                    rest = None;
                    Inbound::Well { carrier: name.clone() }
                }
                (Some(trouble), before) => {
                    let now = before.map_or(FIRST_REST, |before: Duration| (before * 2).min(LONGEST_REST));
                    rest = Some(now);
                    thread::sleep(now);
                    Inbound::Trouble { carrier: name.clone(), trouble }
                }
            };
            if porter.desk.send(news).is_err() {
                return;
            }
        }
    });
}

/// Takes letters out, several at a time. Ends when the desk does.
fn spawn_senders(carrier: &Arc<dyn Carrier>, desk: &Sender<Inbound>) -> Lane {
    let (lane, letters) = channel::<Outgoing>();
    let letters = Arc::new(Mutex::new(letters));
    for _ in 0..carrier.lanes() {
        let (carrier, desk, letters) = (Arc::clone(carrier), desk.clone(), Arc::clone(&letters));
        thread::spawn(move || {
            loop {
                let next = letters.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(outgoing) = next else { return };
                let result = carrier.send(&outgoing.dispatch);
                if desk.send(Inbound::Sent(Box::new(outgoing), result)).is_err() {
                    return;
                }
            }
        });
    }
    let (carrier, width) = (carrier.name().to_owned(), carrier.lanes());
    Lane { carrier, letters: lane, width, leaving: BTreeSet::new() }
}
