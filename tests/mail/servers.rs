//! A Dovecot and an Exim for one test: in a folder of their own, on free ports, gone when the test is over.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cursus::post::mailbox::{Mailbox, MailboxSettings, Mechanism, OAuthSettings, Server, Tls};

use super::tokens::TokenServer;

/// Those who have a mailbox; the password is `secret-NAME`.
const USERS: [&str; 6] = ["gm", "ania", "bob", "cleo", "dan", "eva"];
const MISSING: &str = "is missing. Run `bash tests/mail/install`, or install the packages dovecot-imapd, dovecot-lmtpd \
                       and exim4-daemon-light";

/// The servers. Exim hands its letters to Dovecot.
pub struct Servers {
    dovecot: Option<Child>,
    exim: Option<Child>,
    ports: Ports,
    folder: tempfile::TempDir,
}

/// What becomes of letters to a name with something behind a +.
#[derive(Clone, Copy)]
enum Plus {
    Delivered,
    Returned,
}

impl Plus {
    /// The names whose letters are returned, as Exim reads it.
    fn returned(self) -> &'static str {
        match self {
            Plus::Delivered => "nobodyatall",
            Plus::Returned => r"\N^.*\+\N",
        }
    }
}

#[derive(Clone, Copy)]
struct Ports {
    imap: u16,
    imaps: u16,
    lmtp: u16,
    smtp: u16,
}

impl Servers {
    /// Starts both.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts both; Dovecot says that it can do only this.
    pub fn start_with(abilities: &str) -> Self {
        Self::start_as(abilities, Plus::Delivered, None)
    }

    /// Starts both; letters to `gm+anything@…` are returned.
    pub fn start_without_plus() -> Self {
        Self::start_as("", Plus::Returned, None)
    }

    /// Starts both; they take the tokens of this server beside passwords.
    pub fn start_with_tokens(tokens: &TokenServer) -> Self {
        Self::start_as("", Plus::Delivered, Some(tokens.port))
    }

    fn start_as(abilities: &str, plus: Plus, tokens: Option<u16>) -> Self {
        // Another test may take a port between our finding it and our servers' using it.
        let start = || Self::try_start(abilities, plus, tokens);
        (0..3).find_map(|_| start().ok()).unwrap_or_else(|| match start() {
            Ok(servers) => servers,
            Err(why) => panic!("the mail servers do not start: {why}"),
        })
    }

    fn try_start(abilities: &str, plus: Plus, tokens: Option<u16>) -> Result<Self, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let ports = Ports { imap: free_port(), imaps: free_port(), lmtp: free_port(), smtp: free_port() };
        furnish(folder.path(), ports, abilities, plus, tokens);
        let mut servers = Self { dovecot: None, exim: None, ports, folder };
        servers.start_dovecot()?;
        let exim = Command::new(program("exim4"))
            .arg("-C")
            .arg(servers.path("exim.conf"))
            .args(["-bdf", "-q1s"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        servers.exim = Some(exim.expect("Exim starts"));
        servers.await_port(ports.smtp)?;
        Ok(servers)
    }

    fn start_dovecot(&mut self) -> Result<(), String> {
        let dovecot = Command::new(program("dovecot"))
            .args(["-F", "-c"])
            .arg(self.path("dovecot.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.dovecot = Some(dovecot.expect("Dovecot starts"));
        for port in [self.ports.imap, self.ports.imaps, self.ports.lmtp] {
            self.await_port(port)?;
        }
        Ok(())
    }

    /// Dovecot is back, on the same ports.
    pub fn restart_dovecot(&mut self) {
        if let Err(why) = self.start_dovecot() {
            panic!("Dovecot does not start again: {why}");
        }
    }

    /// Dovecot goes, and everybody's session with it.
    pub fn stop_dovecot(&mut self) {
        end(self.dovecot.take());
        assert!([self.ports.imap, self.ports.imaps, self.ports.lmtp].iter().all(|port| is_free(*port)));
    }

    fn await_port(&self, port: u16) -> Result<(), String> {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > Duration::from_secs(20) {
                let log = fs::read_to_string(self.path("dovecot.log")).unwrap_or_default();
                let panics = fs::read_to_string(self.path("spool/log/paniclog")).unwrap_or_default();
                return Err(format!("port {port} did not open\n{log}\n{panics}"));
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The settings of somebody's mailbox: sealed from the first byte in, STARTTLS out.
    pub fn settings(&self, user: &str) -> MailboxSettings {
        let password_file = self.path(&format!("password-{user}"));
        fs::write(&password_file, format!("secret-{user}\n")).expect("a password is written");
        let server = |port, tls| Server { host: "localhost".to_owned(), port: Some(port), tls };
        MailboxSettings {
            imap: server(self.ports.imaps, Tls::Implicit),
            smtp: server(self.ports.smtp, Tls::StartTls),
            user: user.to_owned(),
            password_file: Some(password_file),
            password_env: None,
            oauth: None,
            address: format!("{user}@test.invalid"),
            display_name: Some("Cursus".to_owned()),
            inbox: "INBOX".to_owned(),
            folder: "Cursus".to_owned(),
            root_certificate: Some(self.path("cert.pem")),
        }
    }

    /// The settings of somebody's mailbox that is opened with tokens of this server; nobody has consented yet.
    pub fn settings_with_tokens(&self, user: &str, tokens: &TokenServer) -> MailboxSettings {
        let oauth = OAuthSettings {
            client_id: "our-own".to_owned(),
            client_secret_file: None,
            token_file: self.path(&format!("token-{user}.json")),
            token_url: tokens.url("/token"),
            device_url: Some(tokens.url("/device")),
            authorize_url: Some(tokens.url("/authorize")),
            scope: "mail offline".to_owned(),
            mechanism: Mechanism::XOAuth2,
            redirect: None,
        };
        MailboxSettings { password_file: None, oauth: Some(oauth), ..self.settings(user) }
    }

    /// The port on which Dovecot speaks in the open, or seals when it is asked to.
    pub fn open_port(&self) -> u16 {
        self.ports.imap
    }

    pub fn mailbox(&self, user: &str) -> Mailbox {
        Mailbox::open("mailbox", self.settings(user)).expect("the settings are in order")
    }

    /// Sends a letter through Exim, as a stranger would.
    pub fn post(&self, from: &str, to: &str, letter: &str) {
        hand_in(self.ports.smtp, "EHLO", from, to, letter.as_bytes());
    }

    /// Gives a letter to Dovecot alone.
    pub fn deliver(&self, from: &str, to: &str, letter: &[u8]) {
        hand_in(self.ports.lmtp, "LHLO", from, to, letter);
    }

    /// What Dovecot answers somebody to these commands, in the open.
    pub fn ask(&self, user: &str, commands: &[&str]) -> String {
        let mut line = Line::connect(self.ports.imap);
        let mut answers = String::new();
        line.read();
        let login = format!("LOGIN {user} secret-{user}");
        for command in std::iter::once(login.as_str()).chain(commands.iter().copied()) {
            line.say(&format!("t {command}"));
            loop {
                let answer = line.read();
                let is_last = answer.starts_with("t ");
                assert!(!is_last || answer.starts_with("t OK"), "{command}: {answer}");
                answers.push_str(&answer);
                if is_last {
                    break;
                }
            }
        }
        answers
    }

    /// How many letters somebody has in a folder.
    pub fn count(&self, user: &str, folder: &str) -> usize {
        let answer = self.ask(user, &[&format!("STATUS {folder} (MESSAGES)")]);
        let number = answer.split("(MESSAGES ").nth(1).and_then(|rest| rest.split(')').next());
        number.and_then(|number| number.parse().ok()).expect("a number of letters")
    }

    /// Waits until somebody has so many letters in their inbox: Exim takes a moment.
    pub fn await_letters(&self, user: &str, number: usize) {
        let begun = Instant::now();
        while self.count(user, "INBOX") < number {
            assert!(begun.elapsed() < Duration::from_secs(60), "the letters do not arrive");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        end(self.exim.take());
        end(self.dovecot.take());
    }
}

/// A line to a server, in the open.
struct Line(BufReader<TcpStream>);

impl Line {
    fn connect(port: u16) -> Self {
        let socket = TcpStream::connect(("127.0.0.1", port)).expect("the server is there");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
        Self(BufReader::new(socket))
    }

    fn say(&mut self, text: &str) {
        self.0.get_mut().write_all(format!("{text}\r\n").as_bytes()).expect("the server listens");
    }

    fn read(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("the server answers");
        assert!(!line.is_empty(), "the server hung up");
        line
    }

    fn reply(&mut self, wanted: &str) {
        loop {
            let line = self.read();
            if line.as_bytes().get(3) != Some(&b'-') {
                assert!(line.starts_with(wanted), "{line}");
                return;
            }
        }
    }
}

fn hand_in(port: u16, hello: &str, from: &str, to: &str, letter: &[u8]) {
    let mut line = Line::connect(port);
    line.reply("220");
    for (command, wanted) in [
        (format!("{hello} test.invalid"), "250"),
        (format!("MAIL FROM:<{from}>"), "250"),
        (format!("RCPT TO:<{to}>"), "250"),
        ("DATA".to_owned(), "354"),
    ] {
        line.say(&command);
        line.reply(wanted);
    }
    line.0.get_mut().write_all(letter).expect("the server listens");
    line.say("\r\n.");
    line.reply("250");
    line.say("QUIT");
    let _ = line.0.get_mut().read(&mut [0; 100]);
}

/// Ends a server as it wants to be ended, and then its workers, who would otherwise stay for a while and hold its ports.
fn end(server: Option<Child>) {
    let Some(mut server) = server else { return };
    let workers = workers(server.id());
    terminate(&[server.id()]);
    let begun = Instant::now();
    while matches!(server.try_wait(), Ok(None)) {
        if begun.elapsed() > Duration::from_secs(10) {
            let _ = server.kill();
        }
        thread::sleep(Duration::from_millis(5));
    }
    terminate(&workers);
    while workers.iter().any(|id| is_alive(*id)) && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
    }
}

fn terminate(ids: &[u32]) {
    let ids: Vec<String> = ids.iter().filter(|id| is_alive(**id)).map(u32::to_string).collect();
    if !ids.is_empty() {
        let _ = Command::new("kill").arg("-TERM").args(ids).stderr(Stdio::null()).status();
    }
}

fn status(id: u32) -> String {
    fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default()
}

/// Whether a process is there and does something: one that has ended may still be on the list.
fn is_alive(id: u32) -> bool {
    status(id).lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

/// The processes that a process has started.
fn workers(master: u32) -> Vec<u32> {
    let ids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        status(*id)
            .lines()
            .any(|line| line.strip_prefix("PPid:").is_some_and(|parent| parent.trim() == master.to_string()))
    })
    .collect()
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

fn program(name: &str) -> PathBuf {
    let folders = std::env::var("PATH").unwrap_or_default();
    let folders = folders.split(':').chain(["/usr/sbin", "/sbin", "/usr/local/sbin"]);
    let mut programs = folders.map(|folder| Path::new(folder).join(name));
    programs.find(|program| program.is_file()).unwrap_or_else(|| panic!("`{name}` {MISSING}."))
}

/// The output of `id`.
fn id(arguments: &[&str]) -> String {
    let output = Command::new("id").args(arguments).output().expect("`id` runs");
    assert!(output.status.success(), "there is no user {arguments:?}: a package {MISSING}.");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Who does what: as root the users of the packages, for both servers refuse to be root; otherwise whoever runs the test.
struct Roles {
    internal: (String, String),
    login: String,
    mail: (u32, u32),
    exim: (String, String),
    is_root: bool,
}

impl Roles {
    fn cast() -> Self {
        let number = |arguments: &[&str]| id(arguments).parse().expect("a number");
        let own = (id(&["-un"]), id(&["-gn"]));
        if id(&["-u"]) == "0" {
            let pair = |name: &str| (name.to_owned(), name.to_owned());
            let mail = (number(&["-u", "mail"]), number(&["-g", "mail"]));
            Self {
                internal: pair("dovecot"),
                login: "dovenull".to_owned(),
                mail,
                exim: pair("Debian-exim"),
                is_root: true,
            }
        } else {
            let mail = (number(&["-u"]), number(&["-g"]));
            Self { internal: own.clone(), login: own.0.clone(), mail, exim: own, is_root: false }
        }
    }
}

/// Fills the folder: settings, users, a certificate.
fn furnish(folder: &Path, ports: Ports, abilities: &str, plus: Plus, tokens: Option<u16>) {
    let roles = Roles::cast();
    for name in ["run", "state", "mail", "spool", "spool/log"] {
        fs::create_dir_all(folder.join(name)).expect("a folder");
    }
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let certificate = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let (mut users, mut smtp_users) = (String::new(), String::new());
    for user in USERS {
        writeln!(users, "{user}:{{PLAIN}}secret-{user}").expect("a text grows");
        writeln!(smtp_users, "{user}: secret-{user}").expect("a text grows");
    }
    let write = |name: &str, text: &str, mode: u32| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("its mode is set");
        path
    };
    write("cert.pem", &certificate.cert.pem(), 0o644);
    let key = write("key.pem", &certificate.signing_key.serialize_pem(), 0o640);
    let users = write("users", &users, 0o600);
    let smtp_users = write("smtp-users", &smtp_users, 0o640);
    let abilities = if abilities.is_empty() { String::new() } else { format!("imap_capability = {abilities}") };
    let filled = |template: &str| {
        [
            ("@DIR@", folder.display().to_string()),
            ("@INTUSER@", roles.internal.0.clone()),
            ("@INTGROUP@", roles.internal.1.clone()),
            ("@LOGINUSER@", roles.login.clone()),
            ("@UID@", roles.mail.0.to_string()),
            ("@GID@", roles.mail.1.to_string()),
            ("@MTAUSER@", roles.exim.0.clone()),
            ("@MTAGROUP@", roles.exim.1.clone()),
            ("@IMAP@", ports.imap.to_string()),
            ("@IMAPS@", ports.imaps.to_string()),
            ("@LMTP@", ports.lmtp.to_string()),
            ("@SMTP@", ports.smtp.to_string()),
            ("@ABILITIES@", abilities.clone()),
            ("@NOPLUS@", plus.returned().to_owned()),
            ("@TOKEN@", tokens.unwrap_or_default().to_string()),
        ]
        .iter()
        .fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let (dovecot, exim) = match tokens {
        Some(_) => (include_str!("dovecot-oauth.conf.in"), include_str!("exim-oauth.conf.in")),
        None => ("", ""),
    };
    write("dovecot-oauth2.conf.ext", &filled(include_str!("dovecot-oauth2.conf.ext.in")), 0o644);
    write("dovecot.conf", &filled(&format!("{}{dovecot}", include_str!("dovecot.conf.in"))), 0o644);
    write("exim.conf", &filled(&format!("{}{exim}", include_str!("exim.conf.in"))), 0o644);
    if roles.is_root {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o711)).expect("the folder may be passed");
        let number = |flag: &str, name: &str| id(&[flag, name]).parse::<u32>().expect("a number");
        let exim = (number("-u", "Debian-exim"), number("-g", "Debian-exim"));
        chown(folder.join("mail"), Some(roles.mail.0), Some(roles.mail.1)).expect("the mail is theirs");
        for name in ["spool", "spool/log"] {
            chown(folder.join(name), Some(exim.0), Some(exim.1)).expect("the spool is Exim's");
        }
        chown(users, Some(number("-u", "dovecot")), None).expect("the users are Dovecot's");
        for file in [key, smtp_users] {
            chown(file, None, Some(exim.1)).expect("Exim may read it");
        }
    }
}
