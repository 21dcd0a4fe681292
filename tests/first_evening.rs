//! The first evening of somebody who moderates, with what the README says: the package is installed in a Debian with nothing in
//! it, `cursus init` is answered at the keyboard, five people are invited over real mail servers, and they play.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::mail::servers::Servers;
use crate::mail_game::Player;
use crate::package::{Debian, packed, said};

/// Who plays, in the sequence in which they are asked for.
const PEOPLE: [&str; 5] = ["ania", "bob", "cleo", "dan", "eva"];

/// A daemon in the Debian, which goes when the test does.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_package_leads_to_a_game_of_five() {
    let servers = Servers::start();
    let gm = servers.settings("gm");
    let folder = tempfile::tempdir().expect("a folder");
    let debian = Debian::unpack();
    debian.put(&packed(folder.path()), "tmp/cursus.deb");
    // As every machine has it; and the authority of the test's servers is one that this machine trusts.
    let hosts = folder.path().join("hosts");
    fs::write(&hosts, "127.0.0.1 localhost\n").expect("a file");
    debian.put(&hosts, "etc/hosts");
    debian.put(gm.root_certificate.as_ref().expect("a certificate"), "usr/share/ours.pem");
    debian.run("chmod 644 /usr/share/ours.pem /etc/hosts && dpkg -i /tmp/cursus.deb");

    let typed = answers(&gm.imap.port.expect("a port"), &gm.smtp.port.expect("a port"), gm.password_file.as_deref());
    let call =
        "runuser -u cursus -- cursus init --folder /etc/cursus --wait 120s --root-certificate /usr/share/ours.pem";
    let mut init = debian.call(call);
    let mut init = init.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let _ = init.stdin.take().expect("its input").write_all(typed.as_bytes());
    let (code, text) = said(&init.wait_with_output().expect("it ends"));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("5 invitations are in the outbox"), "{text}");
    assert!(text.contains("systemctl enable --now cursus.service"), "what comes next is told: {text}");

    // As the unit calls it.
    let unit = debian.run("sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/cursus.service");
    let serving = debian
        .call(&format!("cd /var/lib/cursus && exec setpriv --reuid=cursus --regid=cursus --clear-groups {unit}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _serving = Serving(serving.expect("the daemon starts"));
    let mut players = PEOPLE.map(|name| Player::new(&servers, name));
    for player in &mut players {
        let invitation = player.await_letter("Our first game");
        player.answer(&invitation, "ok");
    }
    let forms = players.each_ref().map(|player| player.await_letter("begins"));
    for (player, form) in players.iter_mut().zip(&forms) {
        player.answer(form, "ok");
        player.await_letter("your letter");
    }
    // Everybody is in; whoever cannot wait until everybody has had time to think again rules at once.
    let text = debian.run("runuser -u cursus -- cursus moderate first process for 1.movement");
    assert!(!text.contains("Nothing is done"), "{text}");
    for player in &players {
        player.await_letter("turn 2");
    }
    let text = debian.run("runuser -u cursus -- cursus game show first");
    assert!(text.contains("running, turn 2"), "{text}");
    debian.run("runuser -u cursus -- cursus game verify first");
}

/// What is typed at the keyboard.
fn answers(imap: &u16, smtp: &u16, password: Option<&Path>) -> String {
    let password = fs::read_to_string(password.expect("a password")).expect("a password");
    let house = format!(
        "gm@test.invalid\nown\nlocalhost:{imap}:implicit\nlocalhost:{smtp}:starttls\ngm\n{}\nAnia <ania@test.invalid>\n\n\n\n",
        password.trim()
    );
    // The first game: its name, its title, for how many, and at each seat who plays, in which language.
    let seats: String = PEOPLE.map(|name| format!("{name} <{name}@test.invalid>\n\n")).concat();
    format!("{house}\n\n\n\n{seats}")
}
