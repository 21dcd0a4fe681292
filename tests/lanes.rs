//! Letters leave by several carriers at once: a slow one keeps back its own letters and nobody else's.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use chrono::Utc;
use cursus::archive::{Archive, Deed, DispatchKind, Durability, Leaving, NewDispatch};
use cursus::desk::serving::Bell;
use cursus::post::{Carrier, Dispatch, Mark, Receipt, Received, Trouble};

use crate::desk::club;

/// A carrier that brings nothing, and takes its time until somebody lets it go on.
struct Porter {
    name: &'static str,
    waits: AtomicBool,
    taken: Mutex<Vec<String>>,
}

impl Porter {
    fn new(name: &'static str, waits: bool) -> Arc<Porter> {
        Arc::new(Porter { name, waits: AtomicBool::new(waits), taken: Mutex::default() })
    }

    fn taken(&self) -> Vec<String> {
        self.taken.lock().expect("the list").clone()
    }
}

impl Carrier for Porter {
    fn name(&self) -> &str {
        self.name
    }

    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble> {
        thread::sleep(patience.min(Duration::from_millis(200)));
        Ok(Vec::new())
    }

    fn keep(&self, _marks: &[Mark]) -> Result<(), Trouble> {
        Ok(())
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.taken.lock().expect("the list").push(dispatch.message_id.clone());
        while self.waits.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        Ok(Receipt::default())
    }
}

fn dispatch(carrier: &str, number: usize) -> NewDispatch {
    NewDispatch {
        dispatch: Dispatch {
            message_id: format!("{carrier}-{number}@cursus"),
            date: Utc::now(),
            to: "a@b.example".into(),
            reply_to: None,
            in_reply_to: None,
            references: Vec::new(),
            subject: "x".into(),
            text: "y".into(),
            html: None,
            picture: None,
            data: None,
            list: None,
        },
        about: format!("{carrier}-{number}"),
        secret: format!("{carrier}-{number}"),
        of: None,
        kind: DispatchKind::Report,
        cut_off: None,
        asks: None,
        carrier: carrier.to_owned(),
        told_elsewhere: false,
        offered: Vec::new(),
        writer: None,
        words: None,
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_slow_carrier_keeps_back_its_own_letters_alone() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().to_owned();
    let archive = Archive::open(&folder.join("cursus.sqlite"), Durability::None).expect("an archive");
    // More than anybody would take at once wait for the slow one, and all of them are older.
    let dispatches: Vec<_> = (0..300).map(|number| dispatch("slow", number)).collect();
    archive.commit(&Deed { dispatches, ..Deed::default() }).expect("they are written");
    let dispatches: Vec<_> = (0..40).map(|number| dispatch("spool", number)).collect();
    archive.commit(&Deed { dispatches, ..Deed::default() }).expect("they are written");
    drop(archive);
    let (slow, quick) = (Porter::new("slow", true), Porter::new("spool", false));
    let carriers: Vec<Arc<dyn Carrier>> = vec![slow.clone(), quick.clone()];
    let bell: Arc<Mutex<Option<Bell>>> = Arc::default();
    let (rope, at) = (Arc::clone(&bell), folder.clone());
    let daemon = thread::spawn(move || {
        let mut desk = club::desk(&at, Durability::None);
        desk.serve(&carriers, Utc::now, |bell| *rope.lock().expect("the bell") = Some(bell)).expect("it serves");
        desk.archive.outbox_status(None).expect("counts")
    });
    wait_until("the quick one", || quick.taken().len() == 40);
    assert_eq!(slow.taken().len(), slow.lanes(), "the slow one has as many as it has lanes");
    slow.waits.store(false, Ordering::SeqCst);
    wait_until("the slow one", || slow.taken().len() == 300);
    let noted = || Archive::visit(&folder.join("cursus.sqlite")).and_then(|archive| archive.outbox_status(None));
    wait_until("the receipts", || noted().is_ok_and(|outbox| outbox.sent == 340));
    bell.lock().expect("the bell").as_ref().expect("it listens").ring();
    let outbox = daemon.join().expect("it ends");
    assert_eq!((outbox.waiting, outbox.sent, outbox.dead), (0, 340, 0));
    let mut once = slow.taken();
    once.sort();
    once.dedup();
    assert_eq!((once.len(), slow.taken().len()), (300, 300), "each has left once");
}

#[test]
fn the_answer_to_a_letter_leaves_before_the_news_it_causes() {
    let temporary = tempfile::tempdir().expect("a folder");
    let archive = Archive::open(&temporary.path().join("cursus.sqlite"), Durability::None).expect("an archive");
    let answer = |number| NewDispatch { kind: DispatchKind::Acknowledgement, ..dispatch("spool", number) };
    let write = |dispatches| archive.commit(&Deed { dispatches, ..Deed::default() }).expect("they are written");
    let ids = |due: Vec<Leaving>| due.into_iter().map(|due| due.message_id).collect::<Vec<_>>();
    let due = |carrier| ids(archive.due(carrier, Utc::now(), 10).expect("what is due"));
    // Whatever the letter causes is written in any sequence; what goes by another carrier waits for nothing.
    write(vec![dispatch("spool", 1), answer(2), dispatch("spool", 3), dispatch("other", 4)]);
    assert_eq!(due("spool"), ["spool-2@cursus"]);
    assert_eq!(ids(archive.due_in_sequence("spool", Utc::now()).expect("what is due")), ["spool-2@cursus"]);
    assert_eq!(due("other"), ["other-4@cursus"]);
    archive.mark_sent(&["spool-2@cursus"], Utc::now()).expect("it has left");
    assert_eq!(due("spool"), ["spool-1@cursus", "spool-3@cursus"]);
    // An address that takes no letters keeps back nobody's news.
    write(vec![answer(5), dispatch("spool", 6)]);
    archive.mark_failed("spool-5@cursus", Some(Utc::now()), "nobody is there").expect("it has not");
    assert!(due("spool").contains(&"spool-6@cursus".to_owned()));
    // Nor do older news come to a reader behind newer ones: an answer of the next letter waits for what is held before it.
    archive
        .mark_sent(&["spool-1@cursus", "spool-3@cursus", "spool-5@cursus", "spool-6@cursus"], Utc::now())
        .expect("left");
    write(vec![answer(7), dispatch("spool", 8)]);
    write(vec![answer(9)]);
    assert_eq!(due("spool"), ["spool-7@cursus"]);
    archive.mark_sent(&["spool-7@cursus"], Utc::now()).expect("it has left");
    assert_eq!(due("spool"), ["spool-8@cursus", "spool-9@cursus"]);
}
