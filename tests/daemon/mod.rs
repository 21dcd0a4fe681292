//! The daemon itself, for tests that run it beside real servers.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The daemon, which goes when the test does. Its log stands beside its settings.
pub struct Daemon(Child);

impl Daemon {
    pub fn start(config: &Path) -> Daemon {
        let log = fs::File::options().create(true).append(true).open(config.with_extension("log")).expect("a log");
        let child = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["serve", "--config"])
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Daemon(child.expect("the daemon starts"))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
