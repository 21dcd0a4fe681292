//! The demonstration with somebody at the table, in a folder of its own: a whole game, its daemon and its page.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A demonstration that goes when the test does.
pub struct Demo {
    child: Child,
    keyboard: ChildStdin,
    /// The link of Egypt's page.
    pub link: String,
    lines: Receiver<String>,
}

impl Demo {
    pub fn start(folder: &Path) -> Demo {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["demo", "--me", "Egypt"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the demonstration starts");
        let keyboard = child.stdin.take().expect("a pipe");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (say, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| drop(say.send(line))));
        let mut demo = Demo { child, keyboard, link: String::new(), lines };
        demo.link = demo.until("http://127.0.0.1:");
        demo
    }

    /// Waits for a line that begins so.
    pub fn until(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("never: {start}"));
            if line.trim_start().starts_with(start) {
                return line.trim().to_owned();
            }
        }
    }

    /// Writes a letter at the keyboard, which goes the way of a mail.
    pub fn writes(&mut self, letter: &str) {
        write!(self.keyboard, "{letter}\n\n").expect("the demonstration listens");
        self.keyboard.flush().expect("the demonstration listens");
    }

    /// Where its page is.
    pub fn root(&self) -> &str {
        self.link.split("/p/").next().expect("an address")
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
