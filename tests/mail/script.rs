//! False servers that follow a script: what real ones do only on bad days.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cursus::post::mailbox::{Mailbox, MailboxSettings, Server, Tls};

/// What the server does at a command.
#[derive(Clone, Copy)]
pub enum Act {
    /// Says this; `{tag}` is the tag of the command.
    Say(&'static str),
    /// Says nothing, and goes on listening.
    Silence,
    /// Hangs up.
    HangUp,
    /// Says this byte by byte, one every so many milliseconds, and begins again.
    Drip(&'static str, u64),
    /// Says this without end.
    Flood(&'static str),
}

/// A server that answers in the open, and does something else at the commands of its script.
pub struct Scripted {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

impl Scripted {
    /// An IMAP server: an inbox with the letters 7 and 8, and nothing else. `GREETING` in a script is its greeting.
    pub fn imap(script: Vec<(&'static str, Act)>) -> Self {
        Self::start(script, imap)
    }

    /// An SMTP server that takes every letter. `GREETING` in a script is its greeting, `.` the end of a letter.
    pub fn smtp(script: Vec<(&'static str, Act)>) -> Self {
        Self::start(script, smtp)
    }

    fn start(script: Vec<(&'static str, Act)>, serve: fn(&mut Talk) -> Option<()>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (heard, connections) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (their_heard, their_connections) = (Arc::clone(&heard), Arc::clone(&connections));
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                their_connections.fetch_add(1, Ordering::SeqCst);
                let (script, heard) = (script.clone(), Arc::clone(&their_heard));
                thread::spawn(move || serve(&mut Talk { socket: BufReader::new(socket), script, heard }));
            }
        });
        Self { port, heard, connections }
    }

    /// A mailbox whose letters come from one false server and go to another.
    pub fn mailbox(imap: &Scripted, smtp: &Scripted) -> Mailbox {
        let folder = tempfile::tempdir().expect("a folder");
        let password_file = folder.path().join("password");
        std::fs::write(&password_file, "secret-gm").expect("a password");
        let server = |port| Server { host: "127.0.0.1".to_owned(), port: Some(port), tls: Tls::None };
        let settings = MailboxSettings {
            imap: server(imap.port),
            smtp: server(smtp.port),
            user: "gm".to_owned(),
            password_file: Some(password_file),
            password_env: None,
            oauth: None,
            address: "gm@test.invalid".to_owned(),
            display_name: None,
            inbox: "INBOX".to_owned(),
            folder: "Cursus".to_owned(),
            root_certificate: None,
        };
        Mailbox::open("mailbox", settings).expect("the settings are in order")
    }

    /// The port that it listens at.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What it heard so far, without tags.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("nobody panicked").clone()
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// A conversation with a client.
struct Talk {
    socket: BufReader<TcpStream>,
    script: Vec<(&'static str, Act)>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Talk {
    fn read(&mut self) -> Option<String> {
        let mut line = String::new();
        self.socket.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        Some(line.trim_end().to_owned())
    }

    fn say(&mut self, text: &str) -> Option<()> {
        self.socket.get_mut().write_all(text.as_bytes()).ok()
    }

    /// Does what the script wants, or says what is usual.
    fn act(&mut self, command: &str, tag: &str, usual: &str) -> Option<()> {
        let scripted = self.script.iter().find(|(beginning, _)| command.starts_with(beginning));
        match scripted.map(|(_, act)| *act) {
            None => self.say(&usual.replace("{tag}", tag)),
            Some(Act::Say(text)) => self.say(&text.replace("{tag}", tag)),
            Some(Act::Silence) => Some(()),
            Some(Act::HangUp) => None,
            Some(Act::Drip(text, milliseconds)) => loop {
                for byte in text.bytes() {
                    self.socket.get_mut().write_all(&[byte]).ok()?;
                    thread::sleep(Duration::from_millis(milliseconds));
                }
            },
            Some(Act::Flood(text)) => loop {
                self.say(text)?;
            },
        }
    }

    fn hear(&self, command: &str) {
        self.heard.lock().expect("nobody panicked").push(command.to_owned());
    }
}

const LETTER: &str = "From: ania@player.invalid\r\nMessage-ID: <1@player.invalid>\r\n\r\ndone\r\n";

fn imap(talk: &mut Talk) -> Option<()> {
    talk.act("GREETING", "", "* OK ready\r\n")?;
    loop {
        let line = talk.read()?;
        let (tag, command) = line.split_once(' ').unwrap_or((line.as_str(), ""));
        talk.hear(command);
        let fetched = |uid: &str| {
            let body = format!("BODY[] {{{}}}\r\n{LETTER}", LETTER.len());
            format!("* 1 FETCH (UID {uid} INTERNALDATE \"17-Nov-2026 10:00:00 +0100\" {body})\r\n{{tag}} OK\r\n")
        };
        let usual = match command {
            "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS\r\n{tag} OK\r\n".to_owned(),
            "IDLE" => "+ idling\r\n".to_owned(),
            "" if tag == "DONE" => "{tag} OK\r\n".to_owned(),
            _ if command.starts_with("LIST") => "* LIST () \"/\" Cursus\r\n{tag} OK\r\n".to_owned(),
            _ if command.starts_with("SELECT") => {
                "* 2 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] ok\r\n{tag} OK\r\n"
                    .to_owned()
            }
            _ if command.starts_with("UID SEARCH") => "* SEARCH\r\n{tag} OK\r\n".to_owned(),
            _ if command.contains("RFC822.SIZE") => {
                "* 1 FETCH (UID 7 RFC822.SIZE 60)\r\n* 2 FETCH (UID 8 RFC822.SIZE 60)\r\n{tag} OK\r\n".to_owned()
            }
            _ if command.starts_with("UID FETCH") => fetched(command.split(' ').nth(2).unwrap_or_default()),
            _ => "{tag} OK\r\n".to_owned(),
        };
        talk.act(if tag == "DONE" { "DONE" } else { command }, tag, &usual)?;
    }
}

fn smtp(talk: &mut Talk) -> Option<()> {
    talk.act("GREETING", "", "220 ready\r\n")?;
    loop {
        let command = talk.read()?;
        talk.hear(&command);
        let verb = command.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let usual = match verb.as_str() {
            "EHLO" => "250-test.invalid\r\n250 AUTH PLAIN LOGIN\r\n",
            "AUTH" => "235 welcome\r\n",
            "DATA" => "354 go on\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "250 ok\r\n",
        };
        talk.act(&command, "", usual)?;
        if verb == "DATA" && !talk.script.iter().any(|(beginning, _)| *beginning == "DATA") {
            while talk.read()? != "." {}
            talk.act(".", "", "250 taken\r\n")?;
        }
    }
}
