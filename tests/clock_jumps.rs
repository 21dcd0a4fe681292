//! The finished daemon under a clock that jumps: a suspended machine, one that was moved, a clock that is put right.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::exactly_once::daemon::{Place, rows};

/// The daemon, and the file that says what time it is.
struct Machine {
    place: Place,
    clock: PathBuf,
    child: Option<Child>,
    letters: usize,
}

impl Machine {
    fn new(folder: &Path, time: &str) -> Machine {
        let machine = Machine { place: Place::new(folder), clock: folder.join("clock"), child: None, letters: 0 };
        machine.set(time);
        // Whoever waits for letters looks up often, so that the test is short.
        let settings = folder.join("cursus.toml");
        let text = fs::read_to_string(&settings).expect("they are there");
        fs::write(&settings, format!("polling = \"2s\"\n{text}")).expect("they are written");
        let game = folder.join("game.toml");
        let made =
            machine.command(&["game", "create", game.to_str().expect("a plain name")]).output().expect("it runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        machine
    }

    /// The clock is seen by whoever looks next.
    fn set(&self, time: &str) {
        let new = self.clock.with_extension("new");
        fs::write(&new, format!("@{time}\n")).expect("it is written");
        fs::rename(new, &self.clock).expect("it is set");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cursus"));
        command.args(words).arg("--config").arg(self.place.folder.join("cursus.toml"));
        // Its time alone jumps; what is waited for by the length of a wait is not.
        command.env("LD_PRELOAD", faketime()).env("FAKETIME_TIMESTAMP_FILE", &self.clock);
        command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("FAKETIME_NO_CACHE", "1").env("TZ", "UTC");
        command
    }

    fn serve(&mut self) {
        let log = fs::File::options().create(true).append(true).open(self.place.folder.join("log")).expect("a log");
        let child = self.command(&["serve"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.expect("the daemon starts"));
    }

    fn ask(&self, query: &str) -> Vec<Vec<String>> {
        rows(&self.place.archive(), query)
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Machine) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain for {what}\n{}", self.log());
            sleep(Duration::from_millis(100));
        }
    }

    /// Answers the last letter that has come to a seat.
    fn reply(&mut self, seat: &str, text: &str) {
        let query = format!(
            "select reply_to from outbox where recipient = '{seat}@player.example' and status = 'sent' and kind <> 'rehearsal' \
             order by id desc limit 1"
        );
        self.wait_for("a letter to answer", |machine| !machine.ask(&query).is_empty());
        let to = &self.ask(&query)[0][0];
        self.letters += 1;
        let number = self.letters;
        let raw = format!(
            "From: <{seat}@player.example>\r\nTo: <{to}>\r\nSubject: Re: x\r\nMessage-ID: <{number}@player.example>\r\n\r\n{text}\r\n"
        );
        let inbox = self.place.folder.join("in");
        fs::create_dir_all(inbox.join("tmp")).expect("a folder");
        fs::create_dir_all(inbox.join("new")).expect("a folder");
        fs::write(inbox.join("tmp").join(number.to_string()), raw).expect("it is written");
        fs::rename(inbox.join("tmp").join(number.to_string()), inbox.join("new").join(number.to_string()))
            .expect("it is there");
    }

    fn begin(&mut self) {
        self.serve();
        for seat in ["minoa", "egypt", "hatti"] {
            self.reply(seat, "ok");
        }
        self.wait_for("the game to begin", |machine| machine.ask("select status from games") == [["running"]]);
        self.wait_for("its first cut-off", |machine| machine.ask("select cut_off from games")[0][0] != "-");
    }

    fn log(&self) -> String {
        fs::read_to_string(self.place.folder.join("log")).unwrap_or_default()
    }

    /// Puts the process to sleep, or wakes it.
    fn signal(&self, name: &str) {
        let child = self.child.as_ref().expect("it runs").id();
        let sent = Command::new("kill").args([format!("-{name}"), child.to_string()]).status();
        assert!(sent.expect("it runs").success());
    }

    fn rulings(&self) -> Vec<Vec<String>> {
        self.ask("select turn, phase, step, reason from rulings order by id")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn faketime() -> PathBuf {
    let lib = fs::read_dir("/usr/lib").expect("it is there").flatten().map(|entry| entry.path());
    let mut found = lib.map(|path| path.join("faketime/libfaketimeMT.so.1")).filter(|path| path.exists());
    found.next().expect("faketime is installed; tests/mail/install does it")
}

#[test]
fn a_machine_that_slept_for_a_month_rules_nothing_by_default() {
    let temporary = tempfile::tempdir().expect("a folder");
    let mut machine = Machine::new(temporary.path(), "2027-01-04 12:00:00");
    machine.begin();
    let (cut_off, ruled) = (machine.ask("select cut_off from games"), machine.rulings());
    assert!(cut_off[0][0].starts_with("2027-01-07"), "{cut_off:?}");
    machine.set("2027-02-03 12:00:00");
    machine.wait_for("the cut-off to move", |machine| machine.ask("select cut_off from games") != cut_off);
    let moved = machine.ask("select cut_off from games");
    assert!(moved[0][0].as_str() > "2027-02-03T12", "{moved:?}");
    assert_eq!(machine.rulings(), ruled, "nobody could write while the machine slept");
    let told = "select count(*) from outbox where kind = 'announcement' and recipient = 'minoa@player.example'";
    assert_ne!(machine.ask(told), [["0"]], "everybody is told");

    // The clock is put right again: nothing happens twice, and letters are answered.
    let before = machine.ask("select count(*) from events");
    machine.set("2027-01-04 12:01:00");
    let alive = "select cast(value as text) from keeping where name = 'alive'";
    machine.wait_for("a look at the clock", |machine| machine.ask(alive)[0][0].starts_with("2027-01-04"));
    let answers = "select count(*) from outbox where kind = 'acknowledgement' and status = 'sent'";
    assert_eq!(machine.ask(answers), [["0"]]);
    machine.reply("minoa", "status");
    machine.wait_for("an answer", |machine| machine.ask(answers) == [["1"]]);
    assert_eq!((machine.rulings(), machine.ask("select count(*) from events")), (ruled, before));
}

#[test]
fn letters_that_came_while_the_machine_slept_over_a_cut_off_count() {
    let temporary = tempfile::tempdir().expect("a folder");
    let mut machine = Machine::new(temporary.path(), "2027-01-04 12:00:00");
    machine.begin();
    machine.set("2027-01-07 19:50:00");
    machine.wait_for("a round", |machine| machine.log().contains("a gap in time"));
    assert!(machine.ask("select cut_off from games")[0][0].starts_with("2027-01-07T20:00"), "it is still to come");
    // Asleep for three quarters of an hour, over the cut-off and the grace. That is no outage, and the letters lie in the spool.
    machine.signal("STOP");
    for seat in ["minoa", "egypt", "hatti"] {
        machine.reply(seat, "ok");
    }
    machine.set("2027-01-07 20:35:00");
    machine.signal("CONT");
    machine
        .wait_for("the movement to be ruled", |machine| machine.rulings().iter().any(|ruling| ruling[1] == "movement"));
    let ruled = machine.rulings();
    let movement = ruled.iter().find(|ruling| ruling[1] == "movement").expect("it is ruled");
    assert_eq!(movement[3], "all in", "{}", machine.log());
}
