//! The name servers of this machine, asked for texts (TXT records, RFC 1035): by UDP, and by TCP where an answer is cut off.
//!
//! An answer that is not to our question is not looked at, whoever sent it, and nobody is waited for long: whatever the doctor
//! finds out here is advice, so not knowing is better than believing or hanging.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

/// Where the servers of a machine stand.
const SERVERS: &str = "/etc/resolv.conf";
/// So many of them are asked, as everybody does.
const MOST_SERVERS: usize = 3;
/// How long one of them may take.
const ANSWER: Duration = Duration::from_millis(1500);
/// Each is asked so often: a packet may be lost.
const TRIES: usize = 2;
/// The longest chain of other names that is followed.
const LONGEST_CHAIN: usize = 8;
/// An answer by UDP is no longer.
const LARGEST: usize = 4096;
/// The endings of names that nobody can publish anything at (RFC 6761).
const RESERVED: [&str; 4] = ["invalid", "test", "example", "localhost"];

const TXT: u16 = 16;
const CNAME: u16 = 5;

/// The servers that are asked.
pub(super) struct Names {
    servers: Vec<SocketAddr>,
}

/// What a server said.
enum Said {
    /// These texts; none where the name has none, or is not there.
    Texts(Vec<String>),
    /// More than a packet holds.
    CutOff,
    /// It could not find out.
    Failed,
}

impl Names {
    /// Those that this machine asks.
    pub(super) fn of_this_machine() -> Names {
        let text = fs::read_to_string(SERVERS).unwrap_or_default();
        let named = text.lines().filter_map(|line| line.trim().strip_prefix("nameserver")?.split_whitespace().next());
        let addresses = named.filter_map(|address| address.parse::<IpAddr>().ok()).take(MOST_SERVERS);
        Names { servers: addresses.map(|address| SocketAddr::new(address, 53)).collect() }
    }

    /// The texts of a name: none if it has none; nothing at all where nobody says.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        if !name.contains('.') || RESERVED.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            return None;
        }
        for server in std::iter::repeat_n(&self.servers, TRIES).flatten() {
            match ask(*server, &name) {
                Some(Said::Texts(texts)) => return Some(texts),
                Some(Said::CutOff | Said::Failed) | None => {}
            }
        }
        None
    }
}

/// Asks a server once, and again by TCP what does not fit into a packet.
fn ask(server: SocketAddr, name: &str) -> Option<Said> {
    let until = Instant::now() + ANSWER;
    let id = u16::try_from(getrandom::u32().ok()? & 0xffff).ok()?;
    let question = question(id, name)?;
    let unspecified: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((unspecified, 0)).ok()?;
    socket.connect(server).ok()?;
    socket.send(&question).ok()?;
    let mut packet = [0; LARGEST];
    loop {
        socket.set_read_timeout(Some(left(until)?)).ok()?;
        let length = socket.recv(&mut packet).ok()?;
        match said(packet.get(..length)?, &question, name) {
            Some(Said::CutOff) => return ask_at_length(server, &question, name),
            Some(said) => return Some(said),
            // It is not the answer to our question: the one that is may be on its way.
            None => {}
        }
    }
}

fn ask_at_length(server: SocketAddr, question: &[u8], name: &str) -> Option<Said> {
    let until = Instant::now() + ANSWER;
    let mut line = TcpStream::connect_timeout(&server, ANSWER).ok()?;
    line.set_write_timeout(Some(ANSWER)).ok()?;
    let mut request = u16::try_from(question.len()).ok()?.to_be_bytes().to_vec();
    request.extend_from_slice(question);
    line.write_all(&request).ok()?;
    let (mut answer, mut piece) = (Vec::new(), [0; LARGEST]);
    loop {
        if let Some((length, answer)) = answer.split_first_chunk::<2>() {
            let length = usize::from(u16::from_be_bytes(*length));
            if answer.len() >= length {
                return said(answer.get(..length)?, question, name);
            }
        }
        line.set_read_timeout(Some(left(until)?)).ok()?;
        match line.read(&mut piece).ok()? {
            0 => return None,
            read => answer.extend_from_slice(piece.get(..read)?),
        }
    }
}

/// The time until then, if any is left.
fn left(until: Instant) -> Option<Duration> {
    until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

/// The packet that asks for the texts of a name, whoever has to find them.
fn question(id: u16, name: &str) -> Option<Vec<u8>> {
    let mut packet = id.to_be_bytes().to_vec();
    packet.extend_from_slice(&[1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for label in name.split('.') {
        let length = u8::try_from(label.len()).ok().filter(|length| (1..64).contains(length) && label.is_ascii())?;
        packet.push(length);
        packet.extend_from_slice(label.as_bytes());
    }
    packet.push(0);
    packet.extend_from_slice(&TXT.to_be_bytes());
    packet.extend_from_slice(&[0, 1]);
    (name.len() < 254).then_some(packet)
}

/// What a packet says to our question; nothing if it is no sound answer to it.
fn said(packet: &[u8], question: &[u8], name: &str) -> Option<Said> {
    let [id @ .., flags, more] = *packet.first_chunk::<4>()?;
    let is_answer = flags & 0b1111_1000 == 0b1000_0000;
    let asked = question.get(12..)?;
    let is_ours = question.starts_with(&id) && packet.get(4..6)? == [0, 1] && is_answer;
    // Some give the name back in capitals of their own.
    if !is_ours || !packet.get(12..12 + asked.len())?.eq_ignore_ascii_case(asked) {
        return None;
    }
    match more & 0b1111 {
        _ if flags & 0b10 != 0 => return Some(Said::CutOff),
        0 => {}
        3 => return Some(Said::Texts(Vec::new())),
        _ => return Some(Said::Failed),
    }
    let count = u16::from_be_bytes([*packet.get(6)?, *packet.get(7)?]);
    let mut at = 12 + asked.len();
    let (mut others, mut texts) = (BTreeMap::new(), Vec::new());
    for _ in 0..count {
        let (owner, after) = name_at(packet, at)?;
        let [kind_high, kind_low, _, class, _, _, _, _, high, low] = *packet.get(after..)?.first_chunk::<10>()?;
        let start = after + 10;
        let end = start + usize::from(u16::from_be_bytes([high, low]));
        let data = packet.get(start..end)?;
        match u16::from_be_bytes([kind_high, kind_low]) {
            TXT if class == 1 => texts.push((owner, text(data)?)),
            CNAME if class == 1 => {
                others.insert(owner, name_at(packet, start)?.0);
            }
            _ => {}
        }
        at = end;
    }
    // What is said of names that nobody asked for is not believed.
    let mut meant = name.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match others.remove(&meant) {
            Some(other) => meant = other,
            None => break,
        }
    }
    Some(Said::Texts(texts.into_iter().filter(|(owner, _)| *owner == meant).map(|(_, text)| text).collect()))
}

/// The name that stands at a place of a packet, in small letters, and where it ends.
fn name_at(packet: &[u8], place: usize) -> Option<(String, usize)> {
    let (mut labels, mut at, mut end, mut lowest) = (Vec::new(), place, None, place);
    loop {
        let length = *packet.get(at)?;
        match length >> 6 {
            0 if length == 0 => return Some((labels.join("."), end.unwrap_or(at + 1))),
            0 => {
                let label = packet.get(at + 1..at + 1 + usize::from(length))?;
                labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
                at += 1 + usize::from(length);
            }
            3 => {
                end = end.or(Some(at + 2));
                at = usize::from(length & 0b11_1111) << 8 | usize::from(*packet.get(at + 1)?);
                // Always further to the front, so that a packet which refers to itself comes to an end.
                if at >= lowest {
                    return None;
                }
                lowest = at;
            }
            _ => return None,
        }
    }
}

/// The text of a record, which stands there in pieces.
fn text(mut data: &[u8]) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some((length, rest)) = data.split_first() {
        bytes.extend_from_slice(rest.get(..usize::from(*length))?);
        data = rest.get(usize::from(*length)..)?;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// How the name server of a test behaves.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Manner {
        /// It answers as it should.
        Sound,
        /// It cuts every answer off, and has it whole by TCP.
        CutsOff,
        /// It cuts every answer off, and has none by TCP.
        CutsOffAndHangsUp,
        /// Before each answer come some that nobody has asked for.
        Lies,
        /// Whoever asks waits in vain.
        Silent,
        /// It cannot find out.
        Fails,
        /// Its packets make no sense.
        Babbles,
    }

    fn name(name: &str) -> Vec<u8> {
        let mut bytes: Vec<u8> = name
            .split('.')
            .flat_map(|label| [&[u8::try_from(label.len()).expect("a label")], label.as_bytes()].concat())
            .collect();
        bytes.push(0);
        bytes
    }

    fn record(owner: &[u8], kind: u16, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len()).expect("a record").to_be_bytes();
        [owner, &kind.to_be_bytes(), &[0, 1, 0, 0, 0, 60], &length, data].concat()
    }

    /// The answer to a question, with these records behind it.
    fn answer(question: &[u8], flags: u8, code: u8, records: &[Vec<u8>]) -> Vec<u8> {
        let count = u16::try_from(records.len()).expect("few").to_be_bytes();
        let head = [&question[..2], &[flags, 0x80 | code, 0, 1], &count, &[0, 0, 0, 0]].concat();
        [head, question[12..].to_vec(), records.concat()].concat()
    }

    fn texts(zone: &[(&str, &str)], question: &[u8]) -> Vec<Vec<u8>> {
        // A text of more than 255 bytes stands there in pieces.
        let data = |text: &str| -> Vec<u8> {
            let pieces = text.as_bytes().chunks(200);
            pieces.flat_map(|piece| [&[u8::try_from(piece.len()).expect("short")], piece].concat()).collect()
        };
        let asked = |known: &str| question[12..].starts_with(&name(known));
        // The owner is the name at the twelfth byte, as servers write it.
        let own = zone.iter().filter(|(known, _)| asked(known));
        own.map(|(_, text)| record(&[0xc0, 12], TXT, &data(text))).collect()
    }

    /// A name server with these texts, and how it is asked.
    pub(crate) fn server(manner: Manner, zone: &'static [(&str, &str)]) -> Names {
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let place = tcp.local_addr().expect("a port");
        let udp = UdpSocket::bind(place).expect("the same port");
        thread::spawn(move || {
            for mut line in tcp.incoming().flatten() {
                let mut length = [0; 2];
                if manner == Manner::CutsOffAndHangsUp || line.read_exact(&mut length).is_err() {
                    continue;
                }
                let mut question = vec![0; usize::from(u16::from_be_bytes(length))];
                line.read_exact(&mut question).expect("a question");
                let answer = answer(&question, 0x81, 0, &texts(zone, &question));
                let length = u16::try_from(answer.len()).expect("an answer").to_be_bytes();
                // In two pieces, as lines have it.
                line.write_all(&length[..1]).expect("it is read");
                line.write_all(&[&length[1..], &answer].concat()).expect("it is read");
            }
        });
        thread::spawn(move || {
            let mut packet = [0; LARGEST];
            while let Ok((read, from)) = udp.recv_from(&mut packet) {
                let question = &packet[..read];
                let sound = texts(zone, question);
                let code = if sound.is_empty() { 3 } else { 0 };
                let evil = record(&name("evil.net"), TXT, b"\x06v=spf1");
                let packets: Vec<Vec<u8>> = match manner {
                    Manner::Sound => vec![answer(question, 0x81, code, &sound)],
                    Manner::CutsOff | Manner::CutsOffAndHangsUp => vec![answer(question, 0x83, 0, &[])],
                    Manner::Lies => {
                        let mut other_id = answer(question, 0x81, 0, std::slice::from_ref(&evil));
                        other_id[0] ^= 0xff;
                        let mut other_name = answer(question, 0x81, 0, std::slice::from_ref(&evil));
                        other_name[13] ^= 1;
                        let with_more = [&sound[..], &[evil]].concat();
                        vec![question.to_vec(), other_id, other_name, answer(question, 0x81, 0, &with_more)]
                    }
                    Manner::Silent => vec![],
                    Manner::Fails => vec![answer(question, 0x81, 2, &[])],
                    Manner::Babbles => vec![
                        vec![],
                        vec![0xff; 700],
                        // A name that refers to itself, and a record that is longer than the packet.
                        answer(
                            question,
                            0x81,
                            0,
                            &[record(&[0xc0, u8::try_from(read).expect("short")], TXT, b"\x01a")],
                        ),
                        answer(question, 0x81, 0, &[record(&[0xc0, 12], TXT, b"\xffa")]),
                    ],
                };
                for packet in packets {
                    udp.send_to(&packet, from).expect("it is sent");
                }
            }
        });
        Names { servers: vec![place] }
    }

    const ZONE: &[(&str, &str)] =
        &[("club.org", "v=spf1 mx -all"), ("club.org", "another"), ("_dmarc.club.org", "v=DMARC1")];

    #[test]
    fn texts_are_found_as_they_were_published() {
        for manner in [Manner::Sound, Manner::CutsOff, Manner::Lies] {
            let names = server(manner, ZONE);
            let found = names.texts("Club.ORG.").expect("it answers");
            assert_eq!(found, ["v=spf1 mx -all", "another"], "{manner:?}");
            assert_eq!(names.texts("nowhere.club.org").expect("it answers"), [""; 0], "{manner:?}");
        }
        const LONG: &str = "v=DKIM1; p=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
            aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        assert_eq!(server(Manner::Sound, &[("club.org", LONG)]).texts("club.org").expect("it answers"), [LONG]);
    }

    #[test]
    fn who_does_not_know_says_nothing() {
        for manner in [Manner::Silent, Manner::Fails, Manner::Babbles, Manner::CutsOffAndHangsUp] {
            assert_eq!(server(manner, ZONE).texts("club.org"), None, "{manner:?}");
        }
        assert_eq!(Names { servers: vec![] }.texts("club.org"), None);
        let names = server(Manner::Sound, ZONE);
        for odd in ["localhost", "club.invalid", "a..org", "żółw.org", &format!("{}.org", "a".repeat(64))] {
            assert_eq!(names.texts(odd), None, "{odd}");
        }
    }

    #[test]
    fn another_name_is_followed_and_none_that_was_not_asked_for() {
        let question = question(7, "s1._domainkey.club.org").expect("a question");
        let own = [0xc0, 12];
        let far = name("key.provider.net");
        let records =
            [record(&own, CNAME, &far), record(&far, TXT, b"\x03p=a"), record(&name("evil.net"), TXT, b"\x03p=b")];
        let packet = answer(&question, 0x81, 0, &records);
        let Some(Said::Texts(found)) = said(&packet, &question, "s1._domainkey.club.org") else { panic!("an answer") };
        assert_eq!(found, ["p=a"]);
        // Names that lead to each other lead nowhere.
        let ring = [record(&own, CNAME, &far), record(&far, CNAME, &name("s1._domainkey.club.org"))];
        let packet = answer(&question, 0x81, 0, &ring);
        let Some(Said::Texts(found)) = said(&packet, &question, "s1._domainkey.club.org") else { panic!("an answer") };
        assert_eq!(found, [""; 0]);
        // Whatever is cut off or changed is no reason to panic.
        let packet = answer(&question, 0x81, 0, &records);
        for length in 0..packet.len() {
            let _ = said(&packet[..length], &question, "s1._domainkey.club.org");
            let mut changed = packet.clone();
            for value in [0, 0x3f, 0xc0, 0xff] {
                changed[length] = value;
                let _ = said(&changed, &question, "s1._domainkey.club.org");
            }
        }
    }
}
