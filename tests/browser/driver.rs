//! A real Chromium, driven over WebDriver: JSON over HTTP, a few commands.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// How long anything may take on a busy machine before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with a fresh profile, which goes when the test does.
pub struct Browser {
    child: Child,
    http: Client,
    base: String,
}

impl Browser {
    /// A phone of 390 by 844 with touch.
    pub fn phone(folder: &Path) -> Browser {
        let metrics = json!({"width": 390, "height": 844, "pixelRatio": 3.0, "touch": true, "mobile": true});
        Browser::start(folder, json!({"deviceMetrics": metrics}))
    }

    /// A desk of 1280 by 900.
    pub fn desk(folder: &Path) -> Browser {
        let browser = Browser::start(folder, Value::Null);
        browser.resize(1280, 900);
        browser
    }

    fn start(folder: &Path, phone: Value) -> Browser {
        let mut child = Command::new("chromedriver")
            .args(["--port=0", "--log-level=WARNING"])
            .env("TMPDIR", folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver, from the package chromium-driver");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let port = out.by_ref().find_map(|line| {
            let line = line.expect("a line");
            let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        // It goes on talking; nobody listens.
        std::thread::spawn(move || out.for_each(drop));
        let root = format!("http://127.0.0.1:{}", port.expect("chromedriver says its port"));
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        let mut options = json!({"args": args});
        if !phone.is_null() {
            options["mobileEmulation"] = phone;
        }
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
        });
        // Others may have installed it; nothing here is sealed anyway.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client");
        let mut browser = Browser { child, http, base: root };
        let session = browser.post("/session", json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.base += &format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        browser
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.http.post(format!("{}{path}", self.base)).json(&body).send().expect("chromedriver answers");
        let answer: Value = answer.json().expect("JSON");
        let value = answer["value"].clone();
        assert!(value["error"].is_null(), "{path} {body}: {}", value["message"]);
        value
    }

    pub fn cdp(&self, command: &str, facts: Value) -> Value {
        self.post("/goog/cdp/execute", json!({"cmd": command, "params": facts}))
    }

    pub fn resize(&self, width: u16, height: u16) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", size);
    }

    pub fn dark(&self) {
        let feature = json!({"name": "prefers-color-scheme", "value": "dark"});
        self.cdp("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    }

    pub fn offline(&self, is: bool) {
        self.cdp("Network.enable", json!({}));
        let line = json!({"offline": is, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.cdp("Network.emulateNetworkConditions", line);
    }

    pub fn open(&self, address: &str) {
        self.post("/url", json!({"url": address}));
    }

    /// What a script says.
    pub fn asks(&self, script: &str, facts: Value) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": facts}))
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let begun = Instant::now();
        let script = format!("try {{ return Boolean({expression}) }} catch {{ return false }}");
        while self.asks(&script, json!([])) != json!(true) {
            if begun.elapsed() > PATIENCE {
                let text = self.asks("return document.body.innerText", json!([]));
                panic!("never: {expression}\n{}\n{:?}", text.as_str().unwrap_or_default(), self.complaints());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn text(&self, css: &str) -> String {
        let text = self.asks("return document.querySelector(arguments[0])?.innerText ?? ''", json!([css]));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// A finger taps a place.
    pub fn tap_at(&self, x: i64, y: i64) {
        let acts = json!([
            {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y},
            {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 40}, {"type": "pointerUp", "button": 0}]);
        self.post("/actions", json!({"actions": [finger("f1", &acts)]}));
    }

    /// A finger taps the middle of an element, wherever that is on the screen.
    pub fn tap(&self, css: &str) {
        self.until(&format!("document.querySelector({css:?}) && !document.querySelector({css:?}).disabled"));
        self.tap_found(css, "document.querySelector(arguments[0])", &json!([css]));
    }

    /// Taps again until something has come of it: a browser takes a tap right behind a drag for the drag's end.
    pub fn tap_until(&self, css: &str, expression: &str) {
        let begun = Instant::now();
        let script = format!("return Boolean({expression})");
        while self.asks(&script, json!([])) != json!(true) {
            assert!(begun.elapsed() < PATIENCE, "{css} does nothing");
            self.tap(css);
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// A finger taps the button that says so.
    pub fn tap_button(&self, within: &str, says: &str) {
        let found = "[...document.querySelectorAll(['button', 'summary', 'a'].map((tag) => `${arguments[0]} ${tag}`).join(', '))]
            .find((one) => one.innerText.trim().startsWith(arguments[1]) || one.ariaLabel === arguments[1])";
        self.tap_found(&format!("{says:?} in {within}"), found, &json!([within, says]));
    }

    /// A finger goes for what stands still and is not under something else: what it would not reach, it scrolls to.
    fn tap_found(&self, what: &str, found: &str, facts: &Value) {
        let script = format!(
            "const found = {found}; if (!found) return 'is not there';
            found.scrollIntoView({{block: 'nearest', inline: 'nearest'}});
            const box = found.getBoundingClientRect(), place = [box.left + box.width / 2, box.top + box.height / 2];
            const hit = document.elementFromPoint(...place);
            if (hit && found.contains(hit)) return place;
            found.scrollIntoView({{block: 'center', inline: 'nearest'}});
            return `is under ${{hit ? hit.outerHTML.slice(0, 200) : 'nothing that is shown'}}`"
        );
        let begun = Instant::now();
        let mut place = Value::Null;
        loop {
            let now = self.asks(&script, facts.clone());
            if now.is_array() && now == place {
                return self.tap_place(&place);
            }
            assert!(begun.elapsed() < PATIENCE, "{what}: {now}\n{}", self.text("body"));
            place = now;
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A finger taps an area of the map, at a place where nothing else is.
    pub fn tap_area(&self, name: &str) {
        let script = "const of = (ground) => ground.getAttribute('aria-label').split(',')[0];
            const ground = [...document.querySelectorAll('.area')].find((one) => of(one) === arguments[0]);
            const box = ground.querySelector('path[id]').getBoundingClientRect();
            for (let i = 1; i < 24; i++) for (let j = 1; j < 24; j++) {
              const [x, y] = [box.left + box.width * i / 24, box.top + box.height * j / 24];
              const there = document.elementFromPoint(x, y)?.closest?.('#stage [data-area]');
              if (there && there.dataset.area === ground.dataset.area) return [x, y];
            } return null";
        // What was just moved is drawn with the next frame.
        let frame = "return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(1))))";
        self.asks(frame, json!([]));
        let place = self.asks(script, json!([name]));
        assert!(place.is_array(), "{name} is not in sight");
        self.tap_place(&place);
    }

    fn tap_place(&self, place: &Value) {
        let at = |axis: usize| place[axis].as_f64().expect("a place").round() as i64;
        self.tap_at(at(0), at(1));
    }

    /// Two fingers draw apart, or together.
    pub fn pinch(&self, x: i64, y: i64, from: i64, to: i64) {
        let one = |id: &str, side: i64| {
            let acts = json!([
                {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": x + side * from / 2, "y": y},
                {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 50},
                {"type": "pointerMove", "duration": 100, "origin": "viewport", "x": x + side * to / 2, "y": y},
                {"type": "pointerUp", "button": 0}]);
            finger(id, &acts)
        };
        self.post("/actions", json!({"actions": [one("f1", -1), one("f2", 1)]}));
    }

    /// A finger draws from one place to another.
    pub fn draw(&self, from: [i64; 2], to: [i64; 2]) {
        let step = |part: i64| {
            let at = |axis: usize| from[axis] + (to[axis] - from[axis]) * part / 4;
            json!({"type": "pointerMove", "duration": 30, "origin": "viewport", "x": at(0), "y": at(1)})
        };
        let mut acts = vec![step(0), json!({"type": "pointerDown", "button": 0})];
        acts.extend((1..=4).map(step));
        acts.push(json!({"type": "pointerUp", "button": 0}));
        self.post("/actions", json!({"actions": [finger("f1", &json!(acts))]}));
    }

    /// Types into whatever has the focus. Keys without a letter are WebDriver's: `\u{e007}` is Enter.
    pub fn press(&self, keys: &str) {
        let acts: Vec<Value> = keys
            .chars()
            .flat_map(|key| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})])
            .collect();
        self.post("/actions", json!({"actions": [{"type": "key", "id": "keys", "actions": acts}]}));
    }

    /// What the console complains of: errors, and whatever the Content-Security-Policy has stopped.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({"type": "browser"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        let said = lines.iter().filter_map(|line| line["message"].as_str());
        // A map that is overtaken by the game is asked for in vain, and its successor next.
        said.filter(|line| !(line.contains("/map/") && line.contains("404"))).map(str::to_owned).collect()
    }

    /// Every address that was asked for since the last question.
    pub fn asked_for(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({"type": "performance"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        let messages = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line["message"].as_str()?).ok());
        let sent = messages.filter(|message| message["message"]["method"] == "Network.requestWillBeSent");
        sent.filter_map(|message| Some(message["message"]["params"]["request"]["url"].as_str()?.to_owned())).collect()
    }

    /// Keeps a picture of what is seen, where `CURSUS_PICTURES` names a folder.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("CURSUS_PICTURES") else { return };
        let answer = self.http.get(format!("{}/screenshot", self.base)).send().expect("chromedriver answers");
        let answer: Value = answer.json().expect("JSON");
        let bytes = STANDARD.decode(answer["value"].as_str().expect("a picture")).expect("base64");
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A driver that is killed leaves its browser running.
        let _ = self.http.delete(&self.base).send();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn finger(id: &str, acts: &Value) -> Value {
    json!({"type": "pointer", "id": id, "parameters": {"pointerType": "touch"}, "actions": acts})
}
