//! Forums: a real Misago, and a stand-in for Discourse.

mod forum;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use cursus::post::forum::{Forum, Post};
use cursus::post::{Carrier, Dispatch, Mark, Memory, Received, Trouble};

use forum::misago::{BOT, Misago};

/// A dispatch to a place.
fn dispatch(id: &str, to: &str, subject: &str, text: &str) -> Dispatch {
    Dispatch {
        message_id: format!("{id}@cursus.test.invalid"),
        date: Utc::now(),
        to: to.to_owned(),
        reply_to: None,
        in_reply_to: None,
        references: vec![],
        subject: subject.to_owned(),
        text: text.to_owned(),
        html: None,
        picture: None,
        data: None,
    }
}

fn posts(received: &[Received]) -> Vec<Post> {
    received.iter().map(|received| Post::read(&received.raw).expect("a post")).collect()
}

fn collect(forum: &Forum) -> Vec<Post> {
    posts(&forum.collect(Duration::ZERO).expect("the forum is there"))
}

/// Brings what is there, and keeps it.
fn keep_all(forum: &Forum) -> Vec<Post> {
    let received = forum.collect(Duration::ZERO).expect("the forum is there");
    let marks: Vec<Mark> = received.iter().map(|received| received.mark.clone()).collect();
    forum.keep(&marks).expect("kept");
    posts(&received)
}

fn watch(forum: &Forum, threads: &[&str], kept: Vec<Mark>) {
    forum.recall(&Memory { threads: threads.iter().map(|thread| (*thread).to_owned()).collect(), kept });
}

/// A small picture.
fn picture() -> Arc<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a head");
    writer.write_image_data(&[120; 64]).expect("a picture");
    drop(writer);
    Arc::new(bytes)
}

#[test]
fn misago_threads_are_opened_read_edited_and_deleted() {
    let misago = Misago::start();
    let carrier = misago.forum();
    let receipt = carrier
        .send(&dispatch("open", "category", "Thera: a game of Mega Civilization", "The public record of this game."))
        .expect("a thread is opened");
    let thread = receipt.thread.clone().expect("its id");
    watch(&carrier, &[&thread], vec![]);
    assert_eq!(collect(&carrier), [], "our own posts are no letters");

    let (alice, bob) = (misago.user("Alice"), misago.user("Bob"));
    let first = alice.reply(&thread, "build Knossos 2\ndone");
    let second = bob.reply(&thread, "hello everybody");
    let seen = collect(&carrier);
    let names: Vec<&str> = seen.iter().map(|post| post.author.name.as_str()).collect();
    assert_eq!(names, ["Alice", "Bob"], "in the sequence they were posted");
    assert_eq!(seen[0].author.id, alice.id);
    assert_eq!((seen[0].thread.as_str(), seen[0].is_private, seen[0].is_deleted), (thread.as_str(), false, false));
    assert!(seen[0].html.contains("build Knossos 2"), "{}", seen[0].html);
    let age = Utc::now() - seen[0].posted;
    assert!(age < chrono::Duration::minutes(5) && age > chrono::Duration::minutes(-5), "{age}");
    assert_eq!(collect(&carrier), seen, "what was not kept comes again, the same");
    assert_eq!(keep_all(&carrier), seen);
    assert_eq!(collect(&carrier), []);

    alice.edit(&thread, &first, "build Knossos 3\ndone");
    let edited = keep_all(&carrier);
    let [post] = edited.as_slice() else { panic!("one post was edited: {edited:?}") };
    assert_eq!((&post.id, post.author.id.as_str()), (&seen[0].id, alice.id.as_str()));
    assert!(post.html.contains("Knossos 3") && post.changed > post.posted, "{post:?}");

    bob.delete(&thread, &second);
    let deleted = keep_all(&carrier);
    let [post] = deleted.as_slice() else { panic!("one post was deleted: {deleted:?}") };
    assert_eq!(
        (&post.id, post.is_deleted, post.author.name.as_str(), post.html.as_str()),
        (&seen[1].id, true, "Bob", "")
    );
    assert_eq!(collect(&carrier), [], "it is told once");

    // An edit in place, and the same edit again.
    let place = format!("post:{}", receipt.post.expect("its post"));
    let status = dispatch("status-1", &place, "", "Awaited: Minoa. The cut-off is on Monday.");
    for _ in 0..2 {
        let receipt = carrier.send(&status).expect("our post is edited");
        assert_eq!(receipt.thread.as_deref(), Some(thread.as_str()));
    }
    let page = alice.posts(&thread);
    assert_eq!(page[0]["edits"], 1, "{}", page[0]);
    assert!(page[0]["content"].as_str().is_some_and(|text| text.contains("Awaited: Minoa")));
}

#[test]
fn misago_is_found_as_it_was_left_after_a_restart() {
    let misago = Misago::start();
    let (alice, bob) = (misago.user("Alice"), misago.user("Bob"));
    let carrier = misago.forum();
    let thread = alice.open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    let first = bob.reply(&thread, "wait for me");
    watch(&carrier, &[&thread], vec![]);
    let received = carrier.collect(Duration::ZERO).expect("posts");
    let kept: Vec<Mark> = received.iter().map(|received| received.mark.clone()).collect();
    assert_eq!(kept.len(), 2);
    drop(carrier);

    let carrier = misago.forum();
    watch(&carrier, &[&thread], kept.clone());
    assert_eq!(collect(&carrier), [], "the house remembers");
    bob.edit(&thread, &first, "wait for me, please");
    let carrier = misago.forum();
    watch(&carrier, &[&thread], kept.clone());
    assert_eq!(collect(&carrier).len(), 1, "an edit while nobody looked");
    bob.delete(&thread, &first);
    let carrier = misago.forum();
    watch(&carrier, &[&thread], kept);
    let gone = collect(&carrier);
    let [post] = gone.as_slice() else { panic!("one post is gone: {gone:?}") };
    assert!(post.is_deleted && post.author.id.is_empty() && post.thread == thread, "{post:?}");
}

#[test]
fn misago_private_threads_go_both_ways() {
    let misago = Misago::start();
    let carrier = misago.forum();
    let alice = misago.user("Alice");
    let mut letter = dispatch("hand", &format!("user:{}", alice.id), "Thera: your hand", "You hold three cards.");
    letter.html = Some("You hold **three** cards.\n\n![The map](cid:map)\n\nAnswer here.".to_owned());
    letter.picture = Some(picture());
    let receipt = carrier.send(&letter).expect("a private thread is begun");
    assert_eq!(carrier.send(&letter), Ok(receipt.clone()), "it is there already");
    let threads = alice.private_threads();
    let [thread] = threads.as_slice() else { panic!("one private thread: {threads:?}") };
    let thread = thread["id"].to_string();
    assert_eq!(receipt.thread.as_deref(), Some(thread.as_str()));
    let page = alice.private_posts(&thread);
    let text = page[0]["content"].as_str().expect("a text");
    assert!(text.contains("<strong>three</strong>") && text.contains("<img") && !text.contains("cid:"), "{text}");
    assert_eq!(page[0]["attachments"].as_array().map(Vec::len), Some(1), "{}", page[0]);

    let reply = alice.reply_privately(&thread, "build Knossos 2");
    let seen = keep_all(&carrier);
    let [post] = seen.as_slice() else { panic!("one letter: {seen:?}") };
    assert!(post.is_private && post.thread == thread && post.author.id == alice.id, "{post:?}");
    alice.edit_privately(&thread, &reply, "build Knossos 3");
    assert_eq!(keep_all(&carrier).len(), 1, "an edit in a private thread is noticed");

    let answer = dispatch("ack", &format!("private:{thread}"), "Re: Thera", "Understood: build Knossos 3.");
    let receipt = carrier.send(&answer).expect("an answer");
    assert_eq!(carrier.send(&answer), Ok(receipt));
    assert_eq!(alice.private_posts(&thread).iter().filter(|post| post["is_event"] == false).count(), 3);

    let bob = misago.user("Bob");
    let other = bob.message(BOT, "a question", "may I join?");
    let seen = keep_all(&carrier);
    assert_eq!(seen.iter().map(|post| post.thread.as_str()).collect::<Vec<_>>(), [other.as_str()]);

    // A renamed user stays himself.
    misago.administer("u = User.objects.get(slug='alice'); u.set_username('Alicja'); u.save()");
    let letter = dispatch("later", &format!("user:{}", alice.id), "Thera: your taxes", "You pay two for each city.");
    let receipt = carrier.send(&letter).expect("she has another name now");
    assert!(alice.private_threads().iter().any(|thread| Some(thread["id"].to_string()) == receipt.thread));
    let named = dispatch("named", "name:Bob", "An invitation", "Would you like to play with us?");
    carrier.send(&named).expect("by name");
    let nobody = dispatch("nobody", "name:Nobody", "An invitation", "Would you like to play with us?");
    assert!(matches!(carrier.send(&nobody), Err(Trouble::Lasting(_))));
    let nobody = dispatch("nobody", "user:4711", "An invitation", "Would you like to play with us?");
    assert!(matches!(carrier.send(&nobody), Err(Trouble::Lasting(_))));
}

#[test]
fn misago_flood_control_is_waited_for() {
    let misago = Misago::start();
    let carrier = misago.forum();
    let thread = misago.user("Alice").open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    let begun = Instant::now();
    for number in 0..3 {
        let text = format!("Phase {number} is over.");
        carrier.send(&dispatch(&format!("n{number}"), &format!("thread:{thread}"), "", &text)).expect("it is posted");
    }
    assert!(begun.elapsed() > Duration::from_secs(5), "the forum lets nobody post twice in three seconds");
    let texts: Vec<String> = misago.user("Bob").posts(&thread).iter().map(|post| post["content"].to_string()).collect();
    assert_eq!(texts.len(), 4);
    assert!((0..3).all(|number| texts[number + 1].contains(&format!("Phase {number}"))), "in sequence: {texts:?}");
    let missing = dispatch("missing", "thread:4711", "", "Nobody will read this post.");
    assert!(matches!(carrier.send(&missing), Err(Trouble::Lasting(_))));
    let nowhere = dispatch("nowhere", "ania@player.invalid", "", "Nobody will read this post.");
    assert!(matches!(carrier.send(&nowhere), Err(Trouble::Lasting(_))));
}

#[test]
fn a_forum_that_is_down_is_a_passing_trouble() {
    let mut misago = Misago::start();
    let carrier = misago.forum();
    let alice = misago.user("Alice");
    let thread = alice.open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    watch(&carrier, &[&thread], vec![]);
    assert_eq!(keep_all(&carrier).len(), 1);
    misago.stop();
    let letter = dispatch("late", &format!("thread:{thread}"), "", "The phase is over, and everybody may go home.");
    for _ in 0..2 {
        assert!(matches!(carrier.collect(Duration::ZERO), Err(Trouble::Passing(_))));
        assert!(matches!(carrier.send(&letter), Err(Trouble::Passing(_))));
    }
    misago.restart();
    carrier.send(&letter).expect("it is back");
    alice.reply(&thread, "there you are");
    let begun = Instant::now();
    let found = loop {
        match carrier.collect(Duration::from_secs(2)) {
            Ok(received) if !received.is_empty() => break received,
            Ok(_) | Err(Trouble::Passing(_)) => assert!(begun.elapsed() < Duration::from_secs(30)),
            Err(trouble) => panic!("{trouble}"),
        }
    };
    assert_eq!(found.len(), 1);
    let unknown = DateTime::<Utc>::UNIX_EPOCH;
    assert!(found[0].arrived > unknown);
}
