//! A Misago with its PostgreSQL for one test: in a folder of its own, on free ports, gone when the test is over.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use cursus::post::forum::{Forum, ForumSettings, Software};
use reqwest::Method;
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// The user that is Cursus.
pub const BOT: &str = "Cursus";
const MISSING: &str = "Run `bash tests/forum/install`.";

/// The forum. Its users are `Gamemaster` (who may do everything), `Cursus`, `Alice`, `Bob` and `Carol`.
pub struct Misago {
    server: Option<Child>,
    database: Option<Child>,
    port: u16,
    database_port: u16,
    folder: tempfile::TempDir,
}

impl Misago {
    /// Starts one that nobody has written in yet.
    pub fn start() -> Self {
        // Another test may take a port between our finding it and our servers' using it.
        (0..2).find_map(|_| Self::try_start().ok()).unwrap_or_else(|| match Self::try_start() {
            Ok(forum) => forum,
            Err(why) => panic!("the forum does not start: {why}"),
        })
    }

    fn try_start() -> Result<Self, String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).expect("the folder may be passed");
        let ready = cache().join("database");
        assert!(ready.is_dir(), "There is no forum in {}. {MISSING}", cache().display());
        let copied = Command::new("cp").arg("-a").arg(ready).arg(folder.path().join("data")).status();
        assert!(copied.is_ok_and(|status| status.success()), "the database is copied");
        let (port, database_port) = (free_port(), free_port());
        let mut forum = Self { server: None, database: None, port, database_port, folder };
        forum.start_database()?;
        forum.start_server()?;
        Ok(forum)
    }

    fn start_database(&mut self) -> Result<(), String> {
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        let postgres = postgres_bin().join("postgres");
        // It refuses to be root; its own user has the files then.
        let mut command = if is_root { Command::new("setpriv") } else { Command::new(&postgres) };
        if is_root {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(&postgres);
        }
        let log = fs::File::create(self.folder.path().join("database.log")).expect("a log");
        let database = command
            .arg("-D")
            .arg(self.folder.path().join("data"))
            .args(["-p", &self.database_port.to_string()])
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "max_connections=40"])
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        self.database = Some(database.expect("PostgreSQL starts"));
        self.await_port(self.database_port, "database.log")
    }

    fn start_server(&mut self) -> Result<(), String> {
        let log = fs::File::create(self.folder.path().join("forum.log")).expect("a log");
        let server = self
            .python()
            .args(["-m", "django", "runserver", "--noreload", "--insecure", &format!("127.0.0.1:{}", self.port)])
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        self.server = Some(server.expect("Misago starts"));
        self.await_port(self.port, "forum.log")
    }

    /// Python with the forum's settings.
    fn python(&self) -> Command {
        let mut python = Command::new(cache().join("venv/bin/python"));
        python
            .env("PYTHONPATH", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forum"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("DJANGO_SETTINGS_MODULE", "forumsettings")
            .env("FORUM_DIR", self.folder.path())
            .env("FORUM_DB_PORT", self.database_port.to_string());
        python
    }

    /// Does something in the forum's own language, as its administrator would with a shell. `User`, `Thread` and `Post` are
    /// at hand.
    pub fn administer(&self, code: &str) {
        let code = format!(
            "import django\ndjango.setup()\nfrom django.contrib.auth import get_user_model\n\
             from misago.threads.models import Post, Thread\nUser = get_user_model()\n{code}"
        );
        let done = self.python().args(["-c", &code]).output().expect("Python runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn await_port(&self, port: u16, log: &str) -> Result<(), String> {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > Duration::from_secs(90) {
                let log = fs::read_to_string(self.folder.path().join(log)).unwrap_or_default();
                return Err(format!("port {port} did not open\n{log}"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// The forum goes down; its database stays.
    pub fn stop(&mut self) {
        end(self.server.take());
    }

    /// It is there again, at the same address.
    pub fn restart(&mut self) {
        if let Err(why) = self.start_server() {
            panic!("the forum does not start again: {why}");
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The settings of the carrier.
    pub fn settings(&self) -> ForumSettings {
        let secret = self.folder.path().join("password");
        fs::write(&secret, format!("{}\n", password(BOT))).expect("a password is written");
        ForumSettings {
            software: Software::Misago,
            url: self.url(),
            user: BOT.to_owned(),
            secret_file: Some(secret),
            secret_env: None,
            category: Some(self.category()),
            private_messages: true,
            root_certificate: None,
        }
    }

    /// The carrier.
    pub fn forum(&self) -> Forum {
        Forum::open("forum", self.settings()).expect("the settings are in order")
    }

    /// The one category of the forum.
    pub fn category(&self) -> String {
        "3".to_owned()
    }

    /// A user who has signed in.
    pub fn user(&self, name: &str) -> Visitor {
        Visitor::sign_in(&self.url(), name, &password(name))
    }
}

impl Drop for Misago {
    fn drop(&mut self) {
        end(self.server.take());
        end(self.database.take());
    }
}

/// A person at the forum.
pub struct Visitor {
    /// What the user is called.
    pub name: String,
    /// The forum's id of the user.
    pub id: String,
    url: String,
    client: Client,
    cookies: Mutex<Vec<(String, String)>>,
}

impl Visitor {
    fn sign_in(url: &str, name: &str, password: &str) -> Self {
        let mut visitor = Self {
            name: name.to_owned(),
            id: String::new(),
            url: url.to_owned(),
            client: client(),
            cookies: Mutex::new(vec![("csrftoken".to_owned(), "c".repeat(32))]),
        };
        let user = visitor.done(Method::POST, "/api/auth/", &json!({"username": name, "password": password}));
        visitor.id = user["id"].to_string();
        visitor
    }

    /// What the forum answers the user: the status and the body.
    pub fn ask(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let cookies = self.cookies.lock().expect("cookies").clone();
        let token = cookies.iter().find(|(name, _)| name == "csrftoken").map_or("", |(_, value)| value);
        let cookie = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
        let request = self.client.request(method, format!("{}{path}", self.url));
        let request = request.header("Cookie", cookie).header("X-CSRFToken", token);
        let request = if body.is_null() { request } else { request.json(body) };
        let answer = request.send().expect("the forum answers");
        let mut cookies = self.cookies.lock().expect("cookies");
        for value in answer.headers().get_all("set-cookie") {
            let value = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
            if let Some((name, value)) = value.split_once('=') {
                cookies.retain(|(known, _)| known != name);
                cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        let status = answer.status().as_u16();
        let text = answer.text().expect("a body");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// The same where it must work. Waits for the flood control, which lets nobody post twice in three seconds.
    pub fn done(&self, method: Method, path: &str, body: &Value) -> Value {
        let begun = Instant::now();
        loop {
            let (status, answer) = self.ask(method.clone(), path, body);
            let is_flood = status == 403 && answer.to_string().contains("so quickly");
            // Two who post in one thread at the same moment may get in each other's way; a person tries again.
            let is_jostled = status == 500;
            if !(is_flood || is_jostled) || begun.elapsed() > Duration::from_secs(20) {
                assert!(status < 300, "{method} {path} of {}: {status} {answer}", self.name);
                return answer;
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Opens a thread; gives its id.
    pub fn open_thread(&self, title: &str, text: &str) -> String {
        let body = json!({"category": 3, "title": title, "post": text});
        self.done(Method::POST, "/api/threads/", &body)["id"].to_string()
    }

    /// Replies in a thread; gives the forum's number of the post.
    pub fn reply(&self, thread: &str, text: &str) -> String {
        self.done(Method::POST, &format!("/api/threads/{thread}/posts/"), &json!({"post": text}))["id"].to_string()
    }

    /// Begins a private thread with somebody; gives its id.
    pub fn message(&self, to: &str, title: &str, text: &str) -> String {
        let body = json!({"to": [to], "title": title, "post": text});
        self.done(Method::POST, "/api/private-threads/", &body)["id"].to_string()
    }

    /// Replies in a private thread; gives the forum's number of the post.
    pub fn reply_privately(&self, thread: &str, text: &str) -> String {
        self.done(Method::POST, &format!("/api/private-threads/{thread}/posts/"), &json!({"post": text}))["id"]
            .to_string()
    }

    /// Edits a post of the user's, by its number.
    pub fn edit(&self, thread: &str, post: &str, text: &str) {
        self.done(Method::PUT, &format!("/api/threads/{thread}/posts/{post}/"), &json!({"post": text}));
    }

    /// The same in a private thread.
    pub fn edit_privately(&self, thread: &str, post: &str, text: &str) {
        self.done(Method::PUT, &format!("/api/private-threads/{thread}/posts/{post}/"), &json!({"post": text}));
    }

    /// Hides a post of the user's, by its number: the forum's gentler way of deleting it.
    pub fn hide(&self, thread: &str, post: &str) {
        let change = json!([{"op": "replace", "path": "is-hidden", "value": true}]);
        self.done(Method::PATCH, &format!("/api/threads/{thread}/posts/{post}/"), &change);
    }

    /// Deletes a post of the user's, by its number.
    pub fn delete(&self, thread: &str, post: &str) {
        self.done(Method::DELETE, &format!("/api/threads/{thread}/posts/{post}/"), &Value::Null);
    }

    /// The posts of a thread as the forum has them, as far as they stand on its last page.
    pub fn posts(&self, thread: &str) -> Vec<Value> {
        self.posts_at(&format!("/api/threads/{thread}/posts/"))
    }

    /// The same of a private thread.
    pub fn private_posts(&self, thread: &str) -> Vec<Value> {
        self.posts_at(&format!("/api/private-threads/{thread}/posts/"))
    }

    fn posts_at(&self, path: &str) -> Vec<Value> {
        let mut page = self.done(Method::GET, path, &Value::Null);
        if let Some(last) = page["post_set"]["last"].as_u64() {
            page = self.done(Method::GET, &format!("{path}?page={last}"), &Value::Null);
        }
        page["post_set"]["results"].as_array().cloned().unwrap_or_default()
    }

    /// The private threads that the user takes part in, the newest first.
    pub fn private_threads(&self) -> Vec<Value> {
        let list = self.done(Method::GET, "/api/private-threads/", &Value::Null);
        list["results"].as_array().cloned().unwrap_or_default()
    }

    /// The threads of the forum, the newest first.
    pub fn threads(&self) -> Vec<Value> {
        let list = self.done(Method::GET, "/api/threads/", &Value::Null);
        list["results"].as_array().cloned().unwrap_or_default()
    }
}

/// Everybody's password.
pub fn password(name: &str) -> String {
    format!("Secret-{name}-1")
}

/// A client of HTTP; the crate wants a provider of ciphers, though nothing is sealed here.
pub fn client() -> Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    Client::builder().timeout(Duration::from_secs(30)).build().expect("a client")
}

fn cache() -> PathBuf {
    let folder = std::env::var_os("CURSUS_CACHE").map(PathBuf::from);
    folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target")).join("forum")
}

fn postgres_bin() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    bins.extend(std::env::var("PATH").unwrap_or_default().split(':').map(PathBuf::from));
    let found = bins.into_iter().find(|bin| bin.join("postgres").is_file() && bin.join("initdb").is_file());
    found.unwrap_or_else(|| panic!("PostgreSQL is missing. {MISSING}"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

/// Ends a server as it wants to be ended.
fn end(server: Option<Child>) {
    let Some(mut server) = server else { return };
    // PostgreSQL ends its sessions at SIGINT; Django's server ends at it too.
    let _ = Command::new("kill").args(["-INT", &server.id().to_string()]).stderr(Stdio::null()).status();
    let begun = Instant::now();
    while matches!(server.try_wait(), Ok(None)) {
        if begun.elapsed() > Duration::from_secs(10) {
            let _ = server.kill();
        }
        thread::sleep(Duration::from_millis(5));
    }
}
