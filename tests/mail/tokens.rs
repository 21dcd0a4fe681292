//! A server of tokens for one test (OAuth 2): it gives, renews and judges them, and has bad days when it is told to.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// What the server does when a token is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Gives it.
    Good,
    /// Is out of order.
    Broken,
    /// Answers with a page of somebody else.
    Garbage,
    /// Gives one that no mail server takes.
    Useless,
}

#[derive(Default)]
struct Memory {
    /// Who a token is of, and until when.
    tokens: BTreeMap<String, (String, Instant)>,
    /// The long-lived tokens that are good now, and whose they are. Each is taken once.
    lasting: BTreeMap<String, String>,
    /// What was typed for a code, by the code of the machine.
    devices: BTreeMap<String, (String, Option<String>)>,
    /// Whose a code of a browser is, and its challenge.
    codes: BTreeMap<String, (String, String, String)>,
    made: usize,
    refreshes: usize,
    mood: Option<Mood>,
    asked: Vec<String>,
}

/// The server.
pub struct TokenServer {
    pub port: u16,
    memory: Arc<Mutex<Memory>>,
}

impl TokenServer {
    /// Starts it; nobody has consented to anything yet.
    pub fn start() -> TokenServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let memory: Arc<Mutex<Memory>> = Arc::default();
        let theirs = Arc::clone(&memory);
        thread::spawn(move || {
            for line in listener.incoming().flatten() {
                let memory = Arc::clone(&theirs);
                thread::spawn(move || answer(line, &memory, port));
            }
        });
        TokenServer { port, memory }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// A long-lived token of somebody, as if consented to.
    pub fn consented(&self, user: &str) -> String {
        self.memory.lock().expect("nobody panicked").lasting(user)
    }

    /// A token without ceremony.
    pub fn mint(&self, user: &str) -> String {
        self.memory.lock().expect("nobody panicked").mint(user, Duration::from_secs(3600))
    }

    /// Ends tokens that are out; what was consented to stays.
    pub fn end_tokens(&self) {
        self.memory.lock().expect("nobody panicked").tokens.clear();
    }

    /// Takes the consent back: nothing is renewed any more.
    pub fn revoke(&self) {
        self.memory.lock().expect("nobody panicked").lasting.clear();
    }

    pub fn feel(&self, mood: Mood) {
        self.memory.lock().expect("nobody panicked").mood = Some(mood);
    }

    pub fn refreshes(&self) -> usize {
        self.memory.lock().expect("nobody panicked").refreshes
    }

    /// What was asked so far, with everything that was said.
    pub fn asked(&self) -> Vec<String> {
        self.memory.lock().expect("nobody panicked").asked.clone()
    }

    /// Somebody types the code, whichever there is, and agrees.
    pub fn agree(&self, code: &str, user: &str) {
        let mut memory = self.memory.lock().expect("nobody panicked");
        let device = memory.devices.values_mut().find(|(known, _)| known == code).expect("the code is known");
        device.1 = Some(user.to_owned());
    }
}

impl Memory {
    fn name(&mut self, kind: &str) -> String {
        self.made += 1;
        format!("{kind}-{}", self.made)
    }

    fn mint(&mut self, user: &str, life: Duration) -> String {
        let token = self.name("at");
        self.tokens.insert(token.clone(), (user.to_owned(), Instant::now() + life));
        token
    }

    fn lasting(&mut self, user: &str) -> String {
        let token = self.name("rt");
        self.lasting.insert(token.clone(), user.to_owned());
        token
    }

    /// A token with a new long-lived one: the old one is not taken again.
    fn give(&mut self, user: &str) -> (u16, String) {
        let token = if self.mood == Some(Mood::Useless) {
            self.name("useless")
        } else {
            self.mint(user, Duration::from_secs(3600))
        };
        let lasting = self.lasting(user);
        let body = format!(
            "{{\"access_token\": \"{token}\", \"token_type\": \"Bearer\", \"expires_in\": 3600, \"refresh_token\": \"{lasting}\"}}"
        );
        (200, body)
    }

    fn token(&mut self, said: &BTreeMap<String, String>) -> (u16, String) {
        let said = |name: &str| said.get(name).cloned().unwrap_or_default();
        let refused = |error: &str| (400, format!("{{\"error\": \"{error}\"}}"));
        match self.mood.unwrap_or(Mood::Good) {
            Mood::Broken => return (503, "later".to_owned()),
            Mood::Garbage => return (200, "<html>captive portal</html>".to_owned()),
            Mood::Good | Mood::Useless => {}
        }
        match said("grant_type").as_str() {
            "refresh_token" => {
                self.refreshes += 1;
                match self.lasting.remove(&said("refresh_token")) {
                    Some(user) => self.give(&user),
                    None => refused("invalid_grant"),
                }
            }
            "authorization_code" => {
                let Some((user, challenge, redirect)) = self.codes.remove(&said("code")) else {
                    return refused("invalid_grant");
                };
                let shown = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(said("code_verifier").as_bytes()));
                if shown != challenge || redirect != said("redirect_uri") {
                    return refused("invalid_grant");
                }
                self.give(&user)
            }
            grant if grant.ends_with(":device_code") => match self.devices.get(&said("device_code")) {
                None => refused("expired_token"),
                Some((_, None)) => refused("authorization_pending"),
                Some((_, Some(user))) => {
                    let user = user.clone();
                    self.give(&user)
                }
            },
            _ => refused("unsupported_grant_type"),
        }
    }
}

fn answer(line: TcpStream, memory: &Mutex<Memory>, port: u16) -> Option<()> {
    let mut line = BufReader::new(line);
    let mut head = String::new();
    let mut length = 0;
    line.read_line(&mut head).ok()?;
    loop {
        let mut field = String::new();
        line.read_line(&mut field).ok()?;
        if let Some((name, value)) = field.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
        if field.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    line.read_exact(&mut body).ok()?;
    let target = head.split_whitespace().nth(1)?.to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let said = format!("{query}&{}", String::from_utf8_lossy(&body));
    let said: BTreeMap<String, String> = serde_urlencoded::from_str(said.trim_matches('&')).unwrap_or_default();
    let mut memory = memory.lock().expect("nobody panicked");
    if path != "/introspect" {
        memory.asked.push(format!("{path} {said:?}"));
    }
    let mut location = String::new();
    let (status, text) = match path {
        "/token" => memory.token(&said),
        "/introspect" => {
            let token = said.get("token").cloned().unwrap_or_default();
            let known = memory.tokens.get(&token).filter(|(_, end)| *end > Instant::now());
            let text = match known {
                Some((user, _)) => format!("{{\"active\": true, \"username\": \"{user}\"}}"),
                None => "{\"active\": false}".to_owned(),
            };
            (200, text)
        }
        "/device" => {
            let (device, code) = (memory.name("device"), memory.name("CODE"));
            memory.devices.insert(device.clone(), (code.clone(), None));
            let text = format!(
                "{{\"device_code\": \"{device}\", \"user_code\": \"{code}\", \"verification_uri\": \
                 \"http://127.0.0.1:{port}/type\", \"expires_in\": 600, \"interval\": 1}}"
            );
            (200, text)
        }
        // Whoever opens it is signed in as gm, and agrees.
        "/authorize" => {
            let code = memory.name("code");
            let redirect = said.get("redirect_uri").cloned().unwrap_or_default();
            let challenge = said.get("code_challenge").cloned().unwrap_or_default();
            memory.codes.insert(code.clone(), ("gm".to_owned(), challenge, redirect.clone()));
            let state = said.get("state").cloned().unwrap_or_default();
            location = format!("Location: {redirect}?code={code}&state={state}\r\n");
            (302, String::new())
        }
        _ => (404, String::new()),
    };
    write!(
        line.get_mut(),
        "HTTP/1.1 {status} .\r\nContent-Type: application/json\r\n{location}Content-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
    .ok()
}
