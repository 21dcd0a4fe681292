//! Browsers that are slow, stuck, many or wicked: they harm themselves and nobody else.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use cursus::web::limits::{Limits, Rate};
use serde_json::json;

use super::hall::{Hall, generous};
use crate::desk::club::game;

const SEND: &str = "/s/demo/minoa/send";

fn hall(limits: Limits) -> Hall {
    Hall::with(false, limits, &game("demo", &["Minoa", "Hellas"]))
}

/// Whether the server closes a line in the end. It says nothing about how long that takes.
fn is_closed(line: &mut TcpStream) -> bool {
    line.set_read_timeout(Some(Duration::from_secs(60))).expect("a patience");
    let mut rest = Vec::new();
    match line.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(trouble) => trouble.kind() == ErrorKind::ConnectionReset,
    }
}

fn line(hall: &Hall) -> TcpStream {
    TcpStream::connect(hall.base.trim_start_matches("http://")).expect("a line")
}

#[test]
fn a_caller_has_so_many_requests_and_another_his_own() {
    let requests = Rate { burst: 12.0, each_second: 0.0 };
    let hall = Hall::with(true, Limits { requests, ..generous() }, &game("demo", &["Minoa", "Hellas"]));
    let calls = |forwarded: &str, times: usize| {
        let mut browser = hall.browser();
        browser.says.push(("x-forwarded-for", forwarded.to_owned()));
        (0..times).map(|_| browser.get("/enter").status).filter(|status| *status == 429).count()
    };
    assert_eq!(calls("198.51.100.7", 14), 2);
    assert_eq!(calls("198.51.100.8", 12), 0);
    // What a caller writes there, the proxy puts its own word behind.
    assert_eq!(calls("203.0.113.1, 198.51.100.7", 3), 3);
    // An address of the new kind stands for its network.
    assert_eq!(calls("2001:db8:1:1::1", 12) + calls("2001:db8:1:1::2", 1), 1);
}

#[test]
fn nobody_but_the_proxy_says_who_calls() {
    let requests = Rate { burst: 5.0, each_second: 0.0 };
    let hall = hall(Limits { requests, ..generous() });
    let statuses: Vec<u16> = (0..8)
        .map(|number| {
            let mut browser = hall.browser();
            browser.says.push(("x-forwarded-for", format!("198.51.100.{number}")));
            browser.get("/enter").status
        })
        .collect();
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 3, "{statuses:?}");
}

#[test]
fn a_browser_has_so_many_trials_and_streams() {
    let previews = Rate { burst: 4.0, each_second: 0.0 };
    let hall = hall(Limits { previews, streams_each: 2, ..generous() });
    let (browser, page) = hall.confirmed("Minoa");
    let tried = (0..6).map(|_| browser.send("/s/demo/minoa/try", &page.token(), &json!({"lines": "ok"})).status);
    assert_eq!(tried.filter(|status| *status == 429).count(), 2);
    let (other, others) = hall.confirmed("Hellas");
    assert_eq!(other.send("/s/demo/hellas/try", &others.token(), &json!({"lines": "ok"})).status, 200);
    let streams: Vec<_> = (0..3).map(|_| browser.listen("/s/demo/minoa/events")).collect();
    assert_eq!(streams.iter().map(|stream| stream.status().as_u16()).collect::<Vec<_>>(), [200, 200, 429]);
    assert_eq!(other.listen("/s/demo/hellas/events").status().as_u16(), 200);
}

#[test]
fn what_is_too_large_is_not_read() {
    let hall = hall(Limits { body: 4_096, ..generous() });
    let (mut browser, page) = hall.confirmed("Minoa");
    let lines = "x".repeat(5_000);
    assert_eq!(browser.send(SEND, &page.token(), &json!({"id": "l", "lines": lines})).status, 413);
    assert_eq!(browser.get("/s/demo/minoa/sent/l").status, 404);
    browser.says = vec![("x-long", "x".repeat(20_000))];
    assert_eq!(browser.get("/enter").status, 431);
}

#[test]
fn a_line_on_which_nothing_comes_is_closed() {
    let time = Duration::from_secs(5);
    let hall = hall(Limits { head_time: time, time, life: Duration::from_secs(8), ..generous() });
    let (browser, page) = hall.confirmed("Minoa");
    let host = hall.base.trim_start_matches("http://").to_owned();
    // Nothing at all; half a head; a head that comes letter by letter; a body that never ends.
    let mut still = line(&hall);
    let mut half = line(&hall);
    half.write_all(b"GET /enter HT").expect("half a line");
    let cookie = format!("cursus-device={}", browser.jar.borrow()["cursus-device"]);
    let mut open = line(&hall);
    let head = format!("POST {SEND} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nContent-Length: 1000\r\n\r\n{{");
    open.write_all(head.as_bytes()).expect("a head");
    // One that asks for much and never reads.
    let mut deaf = line(&hall);
    let ask = format!("GET /s/demo/minoa HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
    for _ in 0..200 {
        if deaf.write_all(ask.as_bytes()).is_err() {
            break;
        }
    }
    for line in [&mut still, &mut half, &mut open, &mut deaf] {
        assert!(is_closed(line));
    }
    assert_eq!(browser.send(SEND, &page.token(), &json!({"id": "after", "lines": "always tax 2"})).status, 200);
}

#[test]
fn one_address_has_so_many_lines() {
    let hall = hall(Limits { connections_each: 4, ..generous() });
    let mut lines: Vec<TcpStream> = (0..4).map(|_| line(&hall)).collect();
    let ask = format!("GET /enter HTTP/1.1\r\nHost: {}\r\n\r\n", hall.base.trim_start_matches("http://"));
    for line in &mut lines {
        line.write_all(ask.as_bytes()).expect("a question");
        let mut first = [0; 12];
        line.read_exact(&mut first).expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 403");
    }
    assert!(is_closed(&mut line(&hall)), "the fifth is closed at once");
    lines.pop();
    // Its place is free again, once the server has seen that it is.
    loop {
        let mut again = line(&hall);
        let mut first = [0; 12];
        if again.write_all(ask.as_bytes()).is_ok() && again.read_exact(&mut first).is_ok() {
            break;
        }
    }
}

#[test]
fn a_flood_of_questions_fills_the_window_and_the_game_goes_on() {
    let hall = hall(generous());
    let (browser, page) = hall.confirmed("Minoa");
    // The desk is at a long ruling; everybody asks for something that it must look up.
    hall.leave_to_desk(|_| std::thread::sleep(Duration::from_secs(3)));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asks: Vec<_> = (0..120)
            .map(|number| {
                let hall = &hall;
                scope.spawn(move || {
                    let browser = hall.browser();
                    let secret = format!("{number:064x}");
                    browser.jar.borrow_mut().insert("cursus-device".to_owned(), secret);
                    browser.get("/s/demo/minoa").status
                })
            })
            .collect();
        asks.into_iter().map(|ask| ask.join().expect("an answer")).collect()
    });
    assert!(statuses.iter().all(|status| [403, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&503), "the window has so much room and no more");
    assert_eq!(browser.send(SEND, &page.token(), &json!({"id": "after", "lines": "always tax 2"})).status, 200);
    hall.write("Hellas", "always tax 1");
    assert_eq!(hall.mails("Hellas").len(), 1);
}
