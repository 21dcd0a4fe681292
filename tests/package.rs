//! The package of Debian, as it is made of the binary that is built already: installed in a Debian with nothing in it, used,
//! installed again, and purged.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

#[path = "../packaging/papers.rs"]
mod papers;

const MISSING: &str = "Run `bash tests/package/install`.";
/// Where a program looks for others in a Debian.
const PATH: &str = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A Debian of its own in a folder, which only root may enter; of a user it is root of a namespace.
pub struct Debian {
    folder: TempDir,
}

impl Debian {
    pub fn unpack() -> Debian {
        let cache = std::env::var_os("CURSUS_CACHE").map(PathBuf::from);
        let cache = cache.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"));
        let tarball = cache.join("package/root.tar");
        assert!(tarball.is_file(), "There is no {}. {MISSING}", tarball.display());
        let folder = tempfile::tempdir().expect("a folder");
        let debian = Debian { folder };
        // Its devices only root of a machine may make; a file does for /dev/null. Nothing in it starts a service.
        let script = "mkdir \"$1\" && tar -C \"$1\" --exclude='./dev/*' -xf \"$2\" && : >\"$1/dev/null\" && chmod 666 \"$1/dev/null\" && \
                      printf '#!/bin/sh\\nexit 101\\n' >\"$1/usr/sbin/policy-rc.d\" && chmod 755 \"$1/usr/sbin/policy-rc.d\"";
        let (code, said) = as_root(&["sh", "-ec", script, "sh", &debian.root(), &tarball.display().to_string()]);
        assert_eq!(code, Some(0), "{said}");
        debian
    }

    fn root(&self) -> String {
        self.folder.path().join("root").display().to_string()
    }

    /// Puts a file into it.
    pub fn put(&self, file: &Path, place: &str) {
        let (code, said) = as_root(&["cp", &file.display().to_string(), &format!("{}/{place}", self.root())]);
        assert_eq!(code, Some(0), "{said}");
    }

    /// What a shell in it says to these lines, and how it ends.
    pub fn says(&self, lines: &str) -> (Option<i32>, String) {
        said(&self.call(lines).output().expect("it runs"))
    }

    /// The call of a shell in it.
    pub fn call(&self, lines: &str) -> Command {
        let clean = ["env", "-i", PATH, "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"];
        call_as_root(&[&["chroot", &self.root()], &clean[..], &["sh", "-ec", lines]].concat())
    }

    /// The same of lines that work.
    pub fn run(&self, lines: &str) -> String {
        let (code, said) = self.says(lines);
        assert_eq!(code, Some(0), "{lines}\n{said}");
        said
    }

    /// The same as the user of the daemon.
    fn run_as_cursus(&self, command: &str) -> String {
        self.run(&format!("runuser -u cursus -- {command}"))
    }
}

impl Drop for Debian {
    fn drop(&mut self) {
        let _ = as_root(&["rm", "-rf", &self.root()]);
    }
}

/// A call as root, or as who is root in a namespace of ours: what it says.
fn as_root(call: &[&str]) -> (Option<i32>, String) {
    said(&call_as_root(call).output().expect("it runs"))
}

fn call_as_root(call: &[&str]) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let namespace = ["unshare", "--user", "--map-root-user", "--map-auto"];
    let call = if is_root { call.to_vec() } else { [&namespace[..], call].concat() };
    let mut command = Command::new(call[0]);
    command.args(&call[1..]).current_dir("/");
    command
}

pub fn said(output: &Output) -> (Option<i32>, String) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

/// Packs the binary of these tests.
pub fn packed(folder: &Path) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let papers = folder.join("papers");
    papers::write(&papers).expect("the papers are written");
    let call = Command::new("bash")
        .arg(sources.join("packaging/deb"))
        .args(["--quick", "--binary", env!("CARGO_BIN_EXE_cursus"), "--papers"])
        .arg(&papers)
        .arg("--out")
        .arg(folder)
        .env("SOURCE_DATE_EPOCH", "1")
        .output()
        .expect("it runs");
    let (code, text) = said(&call);
    assert_eq!(code, Some(0), "{text}\n{MISSING}");
    PathBuf::from(String::from_utf8_lossy(&call.stdout).trim())
}

#[test]
fn the_package_is_installed_used_installed_again_and_purged() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = packed(folder.path());
    let debian = Debian::unpack();
    let before = debian.run(
        "getent passwd; getent group; dpkg-query -W; find /etc /var/lib /usr -newer /etc/hostname -name '*cursus*'",
    );
    debian.put(&package, "tmp/cursus.deb");

    let text = debian.run("dpkg -i /tmp/cursus.deb");
    assert!(text.contains("runuser -u cursus -- cursus init --folder /etc/cursus"), "what comes next is told: {text}");
    debian.run("dpkg --audit; dpkg --verify cursus; test ! -e /etc/cursus/cursus.toml; test -d /var/lib/cursus; test ! -e /etc/systemd/system/multi-user.target.wants/cursus.service");
    // The binary of the tests is not static, and the package says what it needs.
    let needed = debian.run("dpkg-query --show --showformat='${Depends}' cursus");
    assert!(needed.contains("libc6 (>= ") && needed.contains("ca-certificates"), "{needed}");
    let text = debian.run("cat /usr/lib/systemd/system/cursus*; zcat /usr/share/man/man1/cursus-game-create.1.gz; ls /usr/share/doc/cursus");
    assert!(text.contains("ExecStart=/usr/bin/cursus serve") && !text.contains("/usr/local/"), "{text}");
    assert!(text.contains("Checks the file of a game") && text.contains("running.md"), "{text}");
    let pages = debian.run("ls /usr/share/man/man1 | sed -n 's/^cursus-\\([a-z]*\\).1.gz/\\1/p' | tr '\\n' ' '");
    assert!(pages.contains("moderate") && !pages.contains("help"), "{pages}");
    let completed = "complete -p cursus && COMP_WORDS=(cursus mod) COMP_CWORD=1 && _cursus cursus mod cursus && echo ${COMPREPLY[@]}";
    let text = debian.run(&format!("bash -c '. /usr/share/bash-completion/completions/cursus && {completed}'"));
    assert!(text.contains("moderate"), "{text}");

    let text = debian.run("cd /tmp && cursus demo --turns 1");
    assert!(text.contains("index.html") && debian.run("ls /tmp/cursus-demo").contains("index.html"), "{text}");

    // Whoever calls as another user is told whose house it is, before anything is made that the daemon could not read.
    let (code, text) = debian.says("cursus init --folder /etc/cursus --yes");
    assert!(code == Some(2) && text.contains("runuser -u cursus -- cursus"), "{text}");
    let (code, text) = debian.says("cd /tmp && setpriv --reuid=nobody --clear-groups cursus game list");
    assert!(code == Some(2) && text.contains("runuser -u cursus -- cursus"), "{text}");
    let flags = "--yes --no-doctor --provider folder --address club@club.example --moderator 'Ann <ann@club.example>'";
    let text = debian.run_as_cursus(&format!("cursus init --folder /etc/cursus {flags}"));
    assert!(text.contains("systemctl enable --now cursus.service"), "{text}");
    let (code, text) = debian.says("cursus game list");
    assert!(code == Some(2) && text.contains("belongs to the user cursus"), "{text}");
    let text = debian.run("cd / && runuser -u cursus -- cursus serve --once; ls -ln /var/lib/cursus /etc/cursus");
    assert!(text.contains("cursus.sqlite") && !text.contains(" 0 0 "), "nothing is root's: {text}");

    // What a moderator changes stays, and the archive stays, whatever is installed.
    debian.run("sed -i 's/^log = .*/log = \"debug\"/' /etc/cursus/cursus.toml && chmod 750 /etc/cursus");
    // As `systemctl enable` does it, which a Debian without systemd has not.
    let wants = "/etc/systemd/system/multi-user.target.wants";
    debian.run(&format!("mkdir -p {wants} && ln -s /usr/lib/systemd/system/cursus.service {wants}/"));
    debian.run("dpkg -i /tmp/cursus.deb");
    let text = debian.run(
        "grep ^log /etc/cursus/cursus.toml; stat -c %a /etc/cursus; ls /etc/systemd/system/multi-user.target.wants",
    );
    assert!(text.contains("debug") && text.contains("750") && text.contains("cursus.service"), "{text}");
    debian.run_as_cursus("cursus game list");

    // A purge takes the settings, and no game with them.
    let text = debian.run("dpkg --remove cursus; test -e /etc/cursus/cursus.toml; dpkg --purge cursus");
    assert!(text.contains("stays in /var/lib/cursus") && text.contains("rm -r /var/lib/cursus"), "{text}");
    let text = debian.run("ls /var/lib/cursus; getent passwd cursus; test ! -e /etc/cursus");
    assert!(text.contains("cursus.sqlite"), "{text}");

    // Where no archive was made, nothing stays at all.
    debian.run("rm -r /var/lib/cursus && deluser --quiet --system cursus; rm -rf /tmp/cursus-demo");
    debian.run("dpkg -i /tmp/cursus.deb && dpkg --purge cursus");
    let after = debian.run(
        "getent passwd; getent group; dpkg-query -W; find /etc /var/lib /usr -newer /etc/hostname -name '*cursus*'",
    );
    assert_eq!(before, after);
    let (_, left) = debian.says("find / -xdev -name '*cursus*' ! -path '/tmp/*' ! -path '/proc/*'");
    assert_eq!(left, "", "nothing stays");
}

/// What a release tells of itself besides the package: what is in it, crate by crate, and what nobody else has put there.
#[test]
fn the_list_of_what_is_in_it_is_whole_and_always_the_same() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = || {
        let call = Command::new(sources.join("packaging/sbom")).current_dir("/").output().expect("python3 runs");
        assert!(call.status.success(), "{}", String::from_utf8_lossy(&call.stderr));
        String::from_utf8(call.stdout).expect("a text")
    };
    let text = list();
    assert_eq!(text, list(), "the same sources, the same list");
    let list: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&list["bomFormat"], &list["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    assert_eq!(list["metadata"]["component"]["version"], env!("CARGO_PKG_VERSION"));
    let components = list["components"].as_array().expect("a list");
    let named = |name: &str| components.iter().find(|one| one["name"] == name);
    // What is linked in has the hash of Cargo.lock, a licence, and a place in the graph; what only tests need is not there.
    let lock = std::fs::read_to_string(sources.join("Cargo.lock")).expect("the lock");
    for one in components {
        let (name, version) = (one["name"].as_str().expect("a name"), one["version"].as_str().expect("a version"));
        let hash = one["hashes"][0]["content"].as_str().unwrap_or_else(|| panic!("{name} has no hash"));
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
        let entry = &lock[lock.find(&entry).unwrap_or_else(|| panic!("{entry} is not locked"))..];
        assert!(entry.split("[[package]]").next().is_some_and(|entry| entry.contains(hash)), "{name}");
        assert!(one["licenses"][0]["expression"].is_string(), "{name}");
    }
    for linked in ["libsqlite3-sys", "ring", "rustls", "sqlx-sqlite"] {
        assert!(named(linked).is_some(), "{linked} is in the binary");
    }
    for absent in ["openssl-sys", "aws-lc-sys", "windows-sys", "criterion", "clap_mangen"] {
        assert!(named(absent).is_none(), "{absent} is not in the binary");
    }
    let known: Vec<&Value> =
        components.iter().chain([&list["metadata"]["component"]]).map(|one| &one["bom-ref"]).collect();
    let graph = list["dependencies"].as_array().expect("a graph");
    assert_eq!(graph.len(), known.len());
    for edge in graph.iter().flat_map(|node| node["dependsOn"].as_array().expect("a list").iter().chain([&node["ref"]]))
    {
        assert!(known.contains(&edge), "{edge} is in the graph and not in the list");
    }
}

/// The same binary and papers give the same package, byte for byte, and the sums of a release find one that was changed.
#[test]
fn a_package_is_made_again_byte_for_byte_and_its_sums_find_a_changed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let packages = [packed(&one), packed(&other)];
    let [first, second] = packages.each_ref().map(|file| std::fs::read(file).expect("a package"));
    assert!(first == second, "the same sources give the same package");
    let sums = |arguments: &str| {
        let call = Command::new("sh").args(["-c", arguments]).current_dir(&one).output().expect("it runs");
        said(&call)
    };
    // As packaging/release writes them, and as docs/running.md has them checked.
    assert_eq!(sums("sha256sum cursus* > SHA256SUMS").0, Some(0));
    assert_eq!(sums("sha256sum --check --ignore-missing SHA256SUMS").0, Some(0));
    let mut changed = first;
    *changed.last_mut().expect("a byte") ^= 1;
    std::fs::write(&packages[0], changed).expect("it is changed");
    let (code, text) = sums("sha256sum --check --ignore-missing SHA256SUMS");
    assert!(code == Some(1) && text.contains("FAILED"), "{text}");
}
