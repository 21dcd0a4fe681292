//! A browser for tests: it keeps cookies, follows no redirect unless it is told to, and says who it is.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder};
use reqwest::header::HeaderMap;
use serde_json::Value;

pub struct Browser {
    http: Client,
    base: String,
    host: Option<String>,
    pub jar: RefCell<BTreeMap<String, String>>,
    /// Headers of every request.
    pub says: Vec<(&'static str, String)>,
}

/// What a browser was told.
pub struct Page {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Page {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn cookies(&self) -> Vec<String> {
        self.headers.get_all("set-cookie").iter().map(|value| value.to_str().expect("a cookie").to_owned()).collect()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.body))
    }

    /// The token of the page's forms.
    pub fn token(&self) -> String {
        let (_, rest) = self.body.split_once("name=\"token\"").unwrap_or_else(|| panic!("no token: {}", self.body));
        let (_, rest) = rest.split_once("value=\"").expect("a value");
        rest.split('"').next().expect("its end").to_owned()
    }
}

impl Browser {
    /// A new one; `host` is the name it calls, where that is not the address.
    pub fn new(base: &str, host: Option<&str>) -> Browser {
        // A second call in one process keeps the first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let http = client.timeout(Duration::from_secs(60)).build().expect("a client");
        let (host, jar) = (host.map(str::to_owned), RefCell::default());
        Browser { http, base: base.to_owned(), host, jar, says: Vec::new() }
    }

    pub fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        let jar = self.jar.borrow();
        if !jar.is_empty() {
            let pairs: Vec<_> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", pairs.join("; "));
        }
        if let Some(host) = &self.host {
            request = request.header("host", host);
        }
        self.says.iter().fold(request, |request, (name, value)| request.header(*name, value))
    }

    fn hear(&self, request: RequestBuilder) -> Page {
        let response = request.send().expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let page = Page { status, headers, body: response.text().expect("a text") };
        for cookie in page.cookies() {
            let (name, rest) = cookie.split_once('=').expect("a cookie");
            let value = rest.split(';').next().expect("a value");
            if cookie.contains("Max-Age=0") {
                self.jar.borrow_mut().remove(name);
            } else {
                self.jar.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        page
    }

    pub fn head(&self, path: &str) -> Page {
        self.hear(self.ask(Method::HEAD, path))
    }

    pub fn get(&self, path: &str) -> Page {
        self.hear(self.ask(Method::GET, path))
    }

    /// Follows redirects, as a browser does.
    pub fn open(&self, path: &str) -> Page {
        let mut page = self.get(path);
        for _ in 0..5 {
            if page.status != 303 {
                return page;
            }
            let next = page.header("location").to_owned();
            page = self.get(&next);
        }
        panic!("{path} leads round and round");
    }

    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.hear(self.ask(Method::POST, path).form(fields))
    }

    pub fn post_raw(&self, path: &str, kind: &str, body: Vec<u8>) -> Page {
        self.hear(self.ask(Method::POST, path).header("content-type", kind).body(body))
    }

    /// What a script sends.
    pub fn send(&self, path: &str, token: &str, body: &Value) -> Page {
        self.hear(self.ask(Method::POST, path).header("x-cursus-token", token).json(body))
    }

    /// The lines of a stream up to one with these words.
    pub fn listen(&self, path: &str) -> reqwest::blocking::Response {
        self.ask(Method::GET, path).send().expect("a stream")
    }
}
