//! A small server of HTTP for one test: it reads a request, hands it to a function, and sends what that answers.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A request.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// By names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// What is answered.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The connection is cut instead: the answer is lost on its way.
    pub is_lost: bool,
    /// So long it is held back.
    pub delay: Duration,
}

impl Response {
    pub fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into(), is_lost: false, delay: Duration::ZERO }
    }

    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::new(status, "application/json; charset=utf-8", body.to_string())
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

impl Request {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    fn read(stream: &mut BufReader<impl Read>) -> Option<Self> {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) => drop(headers.insert(name.to_ascii_lowercase(), value.trim().to_owned())),
                None => break,
            }
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        Some(Self { method, target, headers, body })
    }
}

/// The server. It ends with the test.
pub struct Server {
    port: u16,
    is_over: Arc<AtomicBool>,
}

impl Server {
    pub fn start(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        Self::start_with(None, answer)
    }

    /// The same, sealed with a certificate of its own; gives the certificate (PEM) too.
    pub fn start_sealed(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> (Self, String) {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::from_pem_slice(made.signing_key.serialize_pem().as_bytes()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("TLS").with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key);
        (Self::start_with(Some(Arc::new(config.expect("a server"))), answer), made.cert.pem())
    }

    fn start_with(
        seal: Option<Arc<ServerConfig>>,
        answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (answer, is_over) = (Arc::new(answer), Arc::new(AtomicBool::new(false)));
        let over = Arc::clone(&is_over);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let (answer, seal) = (Arc::clone(&answer), seal.clone());
                thread::spawn(move || match seal {
                    Some(seal) => {
                        let connection = ServerConnection::new(seal).expect("a connection");
                        serve(StreamOwned::new(connection, stream), answer.as_ref());
                    }
                    None => serve(stream, answer.as_ref()),
                });
            }
        });
        Self { port, is_over }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(stream: impl Read + Write, answer: &(dyn Fn(&Request) -> Response + Send + Sync)) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = Request::read(&mut reader) {
        let response = answer(&request);
        thread::sleep(response.delay);
        if response.is_lost {
            return;
        }
        let mut head = format!("HTTP/1.1 {} Answer\r\n", response.status);
        head.push_str(&format!("Date: {}\r\n", chrono::Utc::now().format("%a, %d %b %Y %H:%M:%S GMT")));
        for (name, value) in &response.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", response.body.len()));
        let stream = reader.get_mut();
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&response.body)).is_err() {
            return;
        }
    }
}

/// A server between a client and a forum, which hands everything on. Where `loses` says so of a request and its status, the
/// forum has done it, and its answer is lost.
pub fn between(forum: String, loses: impl Fn(&Request, u16) -> bool + Send + Sync + 'static) -> Server {
    let client = super::misago::client();
    Server::start(move |request| {
        let method = request.method.parse().expect("a method");
        let mut passed = client.request(method, format!("{forum}{}", request.target)).body(request.body.clone());
        for (name, value) in &request.headers {
            if !["host", "connection", "content-length"].contains(&name.as_str()) {
                passed = passed.header(name, value);
            }
        }
        let answer = passed.send().expect("the forum answers");
        let status = answer.status().as_u16();
        let kept = answer.headers().iter().filter(|(name, _)| !["content-length", "date"].contains(&name.as_str()));
        let kept = kept.filter(|(name, _)| !["connection", "transfer-encoding"].contains(&name.as_str()));
        let headers = kept.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()));
        let headers: Vec<(String, String)> = headers.collect();
        let body = answer.bytes().expect("a body").to_vec();
        Response { status, headers, body, is_lost: loses(request, status), delay: Duration::ZERO }
    })
}
