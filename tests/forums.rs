//! Forums: a real Misago, and a stand-in for Discourse.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cursus::post::forum::{Feed, FeedSettings, Forum, ForumPlace, Post};
use cursus::post::{Carrier, Cause, Dispatch, Mark, Memory, Received, Trouble, Warning};
use serde_json::{Value, json};

use crate::forum::discourse::{self, Discourse, KEY};
use crate::forum::http::{self, Response, Server};
use crate::forum::misago::{BOT, Misago};

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
        list: None,
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

    bob.hide(&thread, &second);
    let deleted = keep_all(&carrier);
    let [post] = deleted.as_slice() else { panic!("one post was deleted: {deleted:?}") };
    assert_eq!(
        (&post.id, post.is_deleted, post.author.name.as_str(), post.html.as_str()),
        (&seen[1].id, true, "Bob", "")
    );
    assert_eq!(collect(&carrier), [], "it is told once");
    // What the staff hides keeps its orders.
    let hide = |is_hidden: &str, by: &str| {
        misago.administer(&format!(
            "from django.utils import timezone\np = Post.objects.get(id={first})\np.is_hidden = {is_hidden}\n\
             p.hidden_on = timezone.now()\np.hidden_by = User.objects.get(slug={by:?})\np.save()"
        ));
    };
    hide("True", "bob");
    assert_eq!(collect(&carrier), [], "only its author takes an order back");
    hide("False", "bob");
    assert_eq!(collect(&carrier), [], "it is as it was");
    bob.delete(&thread, &second);
    assert_eq!(collect(&carrier), [], "it was as good as gone before");
    alice.delete(&thread, &first);
    assert_eq!(keep_all(&carrier).iter().map(|post| post.is_deleted).collect::<Vec<_>>(), [true]);

    let text = "[quote=\"Cursus\"]\nbuild Knossos 1\n[/quote]\n\n> build Thera 1\n\n@Cursus my orders:\n\n\
                ```\nmove 3 Crete -> Thera\ndone\n```\n";
    alice.reply(&thread, text);
    let seen = keep_all(&carrier);
    let words = seen[0].words(BOT, &cursus::post::words::Sent::default());
    assert_eq!(words.text, "my orders:\nmove 3 Crete -> Thera\ndone", "{}", seen[0].html);
    assert!(words.in_code && words.mentions_us && words.ignored.quoted >= 2, "{words:?}");

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

    // A renamed user stays the same person.
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

#[test]
fn misago_posts_once_though_its_answers_are_lost() {
    let misago = Misago::start();
    let left = Arc::new(AtomicUsize::new(0));
    let losses = Arc::clone(&left);
    let between = http::between(misago.url(), move |request, status| {
        let is_post = request.method == "POST" && request.target != "/api/auth/" && status == 200;
        is_post && losses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
    });
    let mut settings = misago.settings();
    settings.url = between.url();
    let carrier = Forum::open("forum", settings.clone()).expect("a forum");
    let alice = misago.user("Alice");
    let thread = alice.open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    let letters = [
        dispatch("reply", &format!("thread:{thread}"), "", "The phase is over, and nobody was hurt."),
        dispatch("open", "category", "Crete: another game", "The public record of this game."),
        dispatch("private", "name:Alice", "Thera: your hand", "You hold three cards."),
    ];
    for letter in &letters {
        left.store(1, Ordering::SeqCst);
        assert!(matches!(carrier.send(letter), Err(Trouble::Passing(_))), "the answer is lost");
        let receipt = carrier.send(letter).expect("it is there already");
        // One who knows nothing of the attempts finds it as well.
        let carrier = Forum::open("forum", settings.clone()).expect("a forum");
        assert_eq!(carrier.send(letter), Ok(receipt));
    }
    assert_eq!(alice.posts(&thread).len(), 2);
    assert_eq!((alice.threads().len(), alice.private_threads().len()), (2, 1));
}

#[test]
fn misago_long_threads_are_read_to_their_end_and_looked_through_in_turn() {
    let misago = Misago::start();
    let alice = misago.user("Alice");
    let thread = alice.open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    misago.administer(&format!(
        "from datetime import timedelta\n\
         from django.utils import timezone\n\
         t = Thread.objects.get(pk={thread}); u = User.objects.get(slug='alice'); now = timezone.now()\n\
         Post.objects.bulk_create([Post(category=t.category, thread=t, poster=u, poster_name='Alice', original='n%s' % n,\n\
         \x20   parsed='<p>n%s</p>' % n, checksum='x', posted_on=now + timedelta(milliseconds=n), updated_on=now\n\
         \x20   + timedelta(milliseconds=n)) for n in range(200)])\n\
         from misago.threads.checksums import update_post_checksum\n\
         [(update_post_checksum(p), p.save(update_fields=['checksum'])) for p in Post.objects.filter(thread=t)]\n\
         t.synchronize(); t.save()"
    ));
    let carrier = misago.forum();
    watch(&carrier, &[&thread], vec![]);
    let all = keep_all(&carrier);
    assert_eq!(all.len(), 201, "every post of the thread");
    assert!(all.windows(2).all(|pair| pair[0].changed <= pair[1].changed), "in sequence");
    assert_eq!(collect(&carrier), []);
    let second = all[2].id.split_once('-').expect("an id").1.to_owned();
    misago.administer(&format!(
        "from misago.threads.checksums import update_post_checksum\n\
         p = Post.objects.get(pk={second}); p.parsed = '<p>edited</p>'; update_post_checksum(p); p.save()"
    ));
    let found = (0..20).find_map(|_| Some(collect(&carrier)).filter(|posts| !posts.is_empty()));
    let found = found.expect("an edit of an old post is noticed in turn");
    assert_eq!(found.iter().map(|post| post.html.as_str()).collect::<Vec<_>>(), ["<p>edited</p>"]);
}

#[test]
fn misago_is_checked_for_real() {
    let misago = Misago::start();
    let found = misago.forum().check();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["our user", "the category", "private messages", "a test post"]);
    assert!(found.iter().all(|(_, found)| found.is_ok()), "{found:?}");
    assert!(misago.user("Alice").threads().is_empty(), "the test post is removed again");

    let mut settings = misago.settings();
    settings.category = Some("4711".to_owned());
    let found = Forum::open("forum", settings.clone()).expect("a forum").check();
    assert!(found.iter().any(|(name, found)| name == "the category" && found.is_err()), "{found:?}");
    std::fs::write(settings.secret_file.clone().expect("a file"), "wrong-password\n").expect("another password");
    let carrier = Forum::open("forum", settings).expect("a forum");
    let found = carrier.check();
    let [(_, Err(says))] = found.as_slice() else { panic!("we are nobody: {found:?}") };
    assert!(!says.contains("wrong-password"), "{says}");
    let Err(Trouble::Barred(says)) = carrier.collect(Duration::ZERO) else { panic!("a guest reads nothing") };
    assert!(!says.contains("wrong-password"), "{says}");
}

#[test]
fn misago_sessions_that_ended_are_opened_anew() {
    let misago = Misago::start();
    let carrier = misago.forum();
    let alice = misago.user("Alice");
    let thread = alice.open_thread("Thera: a game of Mega Civilization", "Let us begin.");
    watch(&carrier, &[&thread], vec![]);
    assert_eq!(keep_all(&carrier).len(), 1);
    misago.administer("from django.contrib.sessions.models import Session; Session.objects.all().delete()");
    carrier
        .send(&dispatch("n1", &format!("thread:{thread}"), "", "The phase is over, and nobody was hurt."))
        .expect("we sign in again");
    let alice = misago.user("Alice");
    alice.message(BOT, "a question", "may I join?");
    misago.administer("from django.contrib.sessions.models import Session; Session.objects.all().delete()");
    assert_eq!(keep_all(&carrier).len(), 1, "private threads are read again");
}

// The stand-in for Discourse.

const ANIA: u64 = 3;
const BOB: u64 = 4;

#[test]
fn discourse_requests_are_what_its_interface_wants() {
    let forum = Discourse::start();
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let reply = forum.reply(BOB, topic, "build Knossos 2\ndone");
    let private = forum.message(ANIA, discourse::BOT_ID, "My orders", "build Thera 2, please");
    watch(&carrier, &[&topic.to_string()], vec![]);
    let seen = keep_all(&carrier);
    assert_eq!(seen.len(), 3);
    let first = forum.state().log.first().cloned().expect("a request");
    assert_eq!((first.header("api-key"), first.header("api-username")), (KEY, "cursus"));
    assert_eq!(first.header("accept"), "application/json");
    assert!(first.header("user-agent").starts_with("Cursus/"), "{}", first.header("user-agent"));
    assert_eq!(
        forum.asked(),
        [
            "GET /session/current.json".to_owned(),
            format!("GET /t/{topic}.json?include_raw=true"),
            "GET /topics/private-messages/cursus.json?page=0".to_owned(),
            format!("GET /t/{private}.json?include_raw=true"),
        ]
    );

    let posted = |forum: &Discourse| -> Vec<Value> {
        let log = std::mem::take(&mut forum.state().log);
        let bodies = log.iter().filter(|request| request.method != "GET");
        bodies
            .map(|request| json!([request.method, request.target, request.header("content-type"), request.json()]))
            .collect()
    };
    let kind = "application/json";
    let mut letter = dispatch("n1", &format!("thread:{topic}"), "", "");
    letter.html = Some("The **tax** is collected.\n\n![The map](cid:map)".to_owned());
    letter.picture = Some(picture());
    let receipt = carrier.send(&letter).expect("a reply");
    let raw = forum.raw(104);
    assert!(raw.starts_with("The **tax** is collected.\n\n![The map](upload://k1mYjT2Lp.png)\n\n<small>ref "), "{raw}");
    assert_eq!(receipt.post.as_deref(), Some(format!("{topic}-104").as_str()));
    let requests = posted(&forum);
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert_eq!(requests[0][1], "/uploads.json");
    assert_eq!(requests[1], json!(["POST", "/posts.json", kind, {"topic_id": topic, "raw": raw}]));

    carrier
        .send(&dispatch("n2", "category", "Crete: a game of Mega Civilization", "Welcome to this game."))
        .expect("a topic");
    let raw = forum.raw(105);
    let body = json!({"title": "Crete: a game of Mega Civilization", "raw": raw, "category": 5});
    assert_eq!(posted(&forum), [json!(["POST", "/posts.json", kind, body])]);

    carrier
        .send(&dispatch("n3", &format!("user:{BOB}"), "Thera: your hand", "You hold three cards."))
        .expect("a message");
    let asked: Vec<String> = forum.state().log.iter().map(|request| request.target.clone()).collect();
    assert!(asked.contains(&format!("/user-cards.json?user_ids={BOB}")), "{asked:?}");
    assert!(asked.contains(&"/topics/private-messages-sent/cursus.json".to_owned()), "{asked:?}");
    let raw = forum.raw(106);
    let body =
        json!({"title": "Thera: your hand", "raw": raw, "target_recipients": "bob", "archetype": "private_message"});
    assert_eq!(posted(&forum), [json!(["POST", "/posts.json", kind, body])]);

    let place = ForumPlace::Post(receipt.post.expect("a post")).to_string();
    carrier.send(&dispatch("n4", &place, "", "Awaited: Minoa. The cut-off is on Monday.")).expect("an edit");
    let raw = forum.raw(104);
    assert!(raw.starts_with("Awaited: Minoa."), "{raw}");
    assert_eq!(posted(&forum), [json!(["PUT", "/posts/104.json", kind, {"post": {"raw": raw}}])]);
    assert_eq!(reply, 102);
}

#[test]
fn discourse_edits_and_deletions_are_noticed_and_previews_are_not() {
    let forum = Discourse::start();
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let first = forum.reply(ANIA, topic, "build Knossos 2 and see https://x.example");
    let second = forum.reply(BOB, topic, "build Thera 2");
    let note = forum.reply(BOB, topic, "");
    forum.change(note, |row| row.kind = 3);
    forum.change(second, |row| row.reply_to = Some(2));
    watch(&carrier, &[&topic.to_string()], vec![]);
    let seen = keep_all(&carrier);
    assert_eq!(seen.len(), 3, "the forum's own notes are no posts");
    assert_eq!(seen[2].answers.as_ref(), Some(&seen[1].id));
    forum.change(first, |row| row.cooked = Some("<p>build Knossos 2</p><aside class=\"onebox\">x</aside>".to_owned()));
    assert_eq!(collect(&carrier), [], "nobody edited anything");
    forum.change(first, |row| row.raw = "build Knossos 3".to_owned());
    forum.change(first, |row| row.cooked = None);
    let edited = keep_all(&carrier);
    assert_eq!(edited.iter().map(|post| post.html.as_str()).collect::<Vec<_>>(), ["<p>build Knossos 3</p>"]);
    forum.change(first, |row| row.user_deleted = true);
    let gone = keep_all(&carrier);
    assert_eq!(gone.iter().map(|post| (post.is_deleted, post.html.as_str())).collect::<Vec<_>>(), [(true, "")]);
    forum.change(first, |row| row.is_gone = true);
    assert_eq!(collect(&carrier), [], "it was as good as gone before");
    // The staff takes a post away, and gives it back: its orders stay whatever a forum does with them.
    forum.change(second, |row| row.is_gone = true);
    assert_eq!(collect(&carrier), [], "only its author takes an order back");
    forum.change(second, |row| row.is_gone = false);
    assert_eq!(collect(&carrier), []);
    forum.state().users.insert(ANIA, "anna".to_owned());
    forum.reply(ANIA, topic, "it is still me");
    let seen = keep_all(&carrier);
    assert_eq!((seen[0].author.id.as_str(), seen[0].author.name.as_str()), ("3", "anna"));
}

/// A forum that sends a post at a time is not asked for all of a topic at once.
#[test]
fn discourse_is_asked_so_often_at_one_look_and_no_more() {
    let forum = Discourse::start();
    forum.state().chunk = 1;
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let written = (0..14).map(|number| forum.reply(BOB, topic, &format!("this is post {number}"))).count() + 1;
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    let mut seen = 0;
    for look in 1..=2 {
        forum.asked();
        seen += keep_all(&carrier).len();
        let asked = forum.asked().iter().filter(|asked| asked.contains("post_ids[]=")).count();
        assert!(asked <= 12, "look {look}: {asked}");
    }
    assert_eq!(seen, written, "what one look leaves out comes with the next");
}

#[test]
fn discourse_long_topics_are_read_in_pieces() {
    let forum = Discourse::start();
    forum.state().chunk = 20;
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let posts: Vec<u64> = (0..200).map(|number| forum.reply(BOB, topic, &format!("this is post {number}"))).collect();
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    assert_eq!(keep_all(&carrier).len(), 201);
    forum.state().chunk = 1000;
    forum.asked();
    assert_eq!(collect(&carrier), []);
    let asked = forum.asked();
    let pieces =
        asked.iter().filter(|asked| asked.starts_with(&format!("GET /t/{topic}/posts.json?post_ids[]="))).count();
    assert_eq!((asked.len(), pieces), (3, 1), "a long topic costs little more than a short one: {asked:?}");
    assert_eq!(collect(&carrier), []);
    assert_eq!(forum.asked().len(), 3, "a long topic costs no more than a short one");
    forum.change(posts[3], |row| row.raw = "this is another post".to_owned());
    let found = (0..10).find_map(|_| Some(collect(&carrier)).filter(|posts| !posts.is_empty()));
    assert_eq!(found.map(|posts| posts.len()), Some(1), "an edit of an old post is noticed in turn");
}

#[test]
fn discourse_private_messages_of_others_are_none_of_ours() {
    let forum = Discourse::start();
    let carrier = forum.forum();
    forum.message(ANIA, BOB, "A plot", "Let us attack Crete together, you and I.");
    let ours = forum.message(BOB, discourse::BOT_ID, "My orders", "build Thera 2, please");
    let seen = keep_all(&carrier);
    assert_eq!(seen.iter().map(|post| post.thread.clone()).collect::<Vec<_>>(), [ours.to_string()]);
    assert!(seen[0].is_private);
    forum.asked();
    assert_eq!(collect(&carrier), []);
    let second = forum.reply(BOB, ours, "and one more city");
    assert_eq!(keep_all(&carrier).len(), 1);
    forum.change(second, |row| row.raw = "and two more cities".to_owned());
    assert_eq!(keep_all(&carrier).len(), 1, "an edit in a private message");
    forum.state().per_page = 3;
    for number in 0..7 {
        forum.message(BOB, discourse::BOT_ID, &format!("Letter {number}"), "build Thera 2, please");
    }
    let carrier = forum.forum();
    assert_eq!(collect(&carrier).len(), 9, "more than one page of them");
}

#[test]
fn discourse_posts_once_though_its_answers_are_lost() {
    let forum = Discourse::start();
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let letters = [
        dispatch("reply", &format!("thread:{topic}"), "", "The phase is over, and nobody was hurt."),
        dispatch("open", "category", "Crete: a game of Mega Civilization", "The public record of this game."),
        dispatch("private", "name:bob", "Thera: your hand", "You hold three cards."),
    ];
    for letter in &letters {
        forum.state().losses = 1;
        assert!(matches!(carrier.send(letter), Err(Trouble::Passing(_))));
        let receipt = carrier.send(letter).expect("it is there already");
        assert_eq!(forum.forum().send(letter), Ok(receipt), "after a restart too");
    }
    // Letters of one title to several readers are several letters.
    let others = ["ania", "celina"]
        .map(|name| dispatch(name, &format!("name:{name}"), "Thera: your hand", "You hold three cards."));
    let receipts = others.each_ref().map(|letter| carrier.send(letter).expect("a message"));
    assert_ne!(receipts[0], receipts[1]);
    for (letter, receipt) in others.iter().zip(&receipts) {
        assert_eq!(forum.forum().send(letter).as_ref(), Ok(receipt));
    }
    for several in ["name:ania,celina", "name:ania@player.invalid", "name:ania celina"] {
        let sent = carrier.send(&dispatch("several", several, "Thera: your hand", "You hold three cards."));
        assert!(matches!(sent, Err(Trouble::Lasting(_))), "{several}: {sent:?}");
    }
    assert_eq!(forum.state().topics.len(), 5);
    assert_eq!(forum.texts(topic).len(), 2);
}

#[test]
fn discourse_posts_in_sequence_are_joined() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let letters: Vec<Dispatch> = (0..6)
        .map(|number| {
            dispatch(&format!("n{number}"), &format!("thread:{topic}"), "", &format!("Phase {number} is over."))
        })
        .collect();
    let receipts: Vec<_> = letters.iter().map(|letter| carrier.send(letter).expect("it is posted")).collect();
    let texts = forum.texts(topic);
    assert_eq!(texts.len(), 4, "no more than three replies in sequence: {texts:?}");
    assert!((2..6).all(|number| texts[3].contains(&format!("Phase {number} is over."))), "{}", texts[3]);
    for (letter, receipt) in letters.iter().zip(&receipts) {
        assert_eq!(forum.forum().send(letter).as_ref(), Ok(receipt), "each part is found again");
    }
    assert_eq!(forum.texts(topic), texts);
    // Each part can be replaced, and the others stay.
    let place = format!("post:{}", receipts[3].post.clone().expect("a post"));
    carrier.send(&dispatch("e1", &place, "", "Phase 3 was ruled anew.")).expect("an edit");
    let last = forum.texts(topic).pop().expect("a post");
    assert!(!last.contains("Phase 3 is over") && last.contains("Phase 3 was ruled anew."), "{last}");
    assert!([2, 4, 5].iter().all(|number| last.contains(&format!("Phase {number} is over."))), "{last}");
}

#[test]
fn discourse_limits_are_obeyed() {
    let forum = Discourse::start();
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let place = format!("thread:{topic}");
    forum.state().limit = 0;
    let begun = Instant::now();
    carrier.send(&dispatch("short", &place, "", "ok")).expect("a short wait is waited, a short text made longer");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    forum.state().limit = 0;
    forum.state().retry_after = 600;
    let long = carrier.send(&dispatch("long", &place, "", "The phase is over, and nobody was hurt."));
    let Err(Trouble::Passing(says)) = long else { panic!("a long wait is not waited: {long:?}") };
    assert!(says.contains("600 seconds"), "{says}");
    forum.state().limit = 1000;
    forum.state().is_queued = true;
    let queued = carrier.send(&dispatch("queued", &place, "", "The phase is over, and nobody was hurt."));
    let Err(Trouble::Passing(says)) = queued else { panic!("nobody sees it yet: {queued:?}") };
    assert!(says.contains("trusted"), "{says}");
    forum.state().is_queued = false;
    forum.approve();
    forum.state().takes_pictures = false;
    let mut letter = dispatch("picture", &place, "", "");
    letter.html = Some("The map is here.\n\n![The map](cid:map)\n\nThat was the map.".to_owned());
    letter.picture = Some(picture());
    carrier.send(&letter).expect("without its picture");
    let text = forum.texts(topic).pop().expect("a post");
    assert!(text.starts_with("The map is here.\n\n\nThat was the map."), "{text}");
    for (to, subject) in
        [("thread:4711", ""), ("category:77", "Crete: a game of Mega Civilization"), ("post:11-4711", "")]
    {
        let sent = carrier.send(&dispatch("refused", to, subject, "The phase is over, and nobody was hurt."));
        assert!(sent.is_err(), "{to}: {sent:?}");
    }
    let short =
        carrier.send(&dispatch("title", "category", "Crete", "The public record of this game.")).expect("a thread");
    let number: u64 = short.thread.expect("a thread").parse().expect("a number");
    assert!(forum.state().topics[&number].title.starts_with("Crete (20"), "a title that is too short is made longer");
}

#[test]
fn the_thread_of_a_game_is_begun_though_discourse_refuses_its_title() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    let title = "Thera: a game of Mega Civilization";
    forum.open_topic(ANIA, title, "Another game of the same name, long ago.");
    let carrier = forum.forum();
    let first = dispatch("begin", "category", title, "The public record of this game.");
    let begun = carrier.send(&first).expect("under another title");
    assert_eq!(carrier.send(&first), Ok(begun.clone()), "once");
    assert_eq!(forum.forum().send(&first), Ok(begun), "and found again after a restart");
    assert_eq!(forum.state().topics.len(), 2);
    // Whatever else the forum refuses is waited for: the game has no other thread.
    forum.state().longest = 30;
    let refused =
        carrier.send(&dispatch("other", "category", "Crete: a game of Mega Civilization", "Its public record."));
    assert!(matches!(refused, Err(Trouble::Passing(_))), "{refused:?}");
}

#[test]
fn what_waits_for_approval_in_discourse_is_not_posted_again() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    forum.state().is_queued = true;
    let first = dispatch("begin", "category", "Thera: a game of Mega Civilization", "The public record of this game.");
    let carrier = forum.forum();
    for carrier in [&carrier, &carrier, &forum.forum()] {
        let sent = carrier.send(&first);
        assert!(matches!(&sent, Err(Trouble::Passing(says)) if says.contains("approval")), "{sent:?}");
    }
    assert_eq!(forum.state().queue.len(), 1, "also after a restart");
    forum.approve();
    let begun = carrier.send(&first).expect("it is there");
    let place = format!("thread:{}", begun.thread.expect("a thread"));
    let reply = dispatch("reply", &place, "", "The first phase is over, and nobody was hurt.");
    assert!(carrier.send(&reply).is_err() && forum.forum().send(&reply).is_err());
    assert_eq!(forum.state().queue.len(), 1);
    forum.approve();
    forum.state().is_queued = false;
    carrier.send(&reply).expect("approved");
    carrier.send(&dispatch("later", &place, "", "The second phase is over, too.")).expect("and trusted by now");
    let topic: u64 = place.trim_start_matches("thread:").parse().expect("a number");
    assert_eq!(forum.texts(topic).len(), 3, "nothing stands there twice");
}

/// Whatever goes wrong: the limits of a forum are those of everybody who reads it.
#[test]
fn a_look_at_discourse_that_failed_brings_the_next_no_nearer() {
    let forum = Discourse::start();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    forum.state().always = Some(Response::new(502, "text/html", ""));
    assert!(carrier.collect(Duration::ZERO).is_err());
    forum.state().always = None;
    forum.asked();
    for patience in [Duration::ZERO, Duration::from_secs(2), Duration::ZERO] {
        assert!(matches!(carrier.collect(patience), Err(Trouble::Passing(_))), "it is not time yet");
    }
    assert_eq!(forum.asked(), [""; 0], "nobody was asked again so soon");
}

#[test]
fn the_test_of_the_doctor_that_waits_for_approval_in_discourse_is_told() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    forum.state().is_queued = true;
    let found = forum.forum().check();
    let (_, said) = found.iter().find(|(name, _)| name == "a test thread").expect("it was tried");
    let says = said.as_ref().expect_err("nobody sees it");
    assert!(says.contains("approval") && says.contains("queue; reject it there by hand"), "{says}");
    assert!(!forum.state().queue.is_empty(), "and it waits there");
}

#[test]
fn a_wrong_key_does_not_read_as_a_guest() {
    let forum = Discourse::start();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let wrong = "fedcba9876543210";
    let carrier = Forum::open("forum", forum.settings_with(wrong)).expect("a forum");
    watch(&carrier, &[&topic.to_string()], vec![]);
    let Err(Trouble::Barred(says)) = carrier.collect(Duration::ZERO) else { panic!("a guest reads nothing") };
    assert!(!says.contains(wrong) && says.contains("key"), "{says}");
    // It is shown once, whatever is to be sent, and told to whoever moderates; a right one in its file is taken at once.
    forum.asked();
    let letter = dispatch("n1", &format!("thread:{topic}"), "", "A text of some length.");
    for _ in 0..3 {
        assert!(matches!(carrier.send(&letter), Err(Trouble::Barred(_))));
    }
    assert_eq!(forum.asked(), Vec::<String>::new());
    let warnings = carrier.warnings();
    assert!(matches!(warnings.as_slice(), [Warning { cause: Cause::SecretIn, .. }]), "{warnings:?}");
    forum.settings();
    carrier.send(&letter).expect("it is posted");
    assert_eq!(carrier.warnings(), []);
    // A key that is taken back while we serve is noticed, though who we are was proved a moment ago.
    forum.state().is_keyless = true;
    let another = dispatch("n2", &format!("thread:{topic}"), "", "Another text of some length.");
    let refused: Vec<_> = (0..2).map(|_| carrier.send(&another)).collect();
    assert!(matches!(refused.last(), Some(Err(Trouble::Barred(_)))), "{refused:?}");
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    assert!(matches!(carrier.collect(Duration::ZERO), Err(Trouble::Barred(_))), "the key was lost on its way");
    assert!(matches!(carrier.send(&letter), Err(Trouble::Barred(_))));
    let found = carrier.check();
    assert!(matches!(found.as_slice(), [(_, Err(_))]), "{found:?}");
    forum.state().is_keyless = false;
    let found = forum.forum().check();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let all = ["our user", "the category", "private messages", "a picture", "a test thread", "a test message"];
    assert_eq!(names, all);
    assert!(found.iter().all(|(_, found)| found.is_ok()), "{found:?}");
    assert!(forum.state().topics.values().all(|topic| topic.user_id != discourse::BOT_ID || topic.is_deleted));
}

#[test]
fn what_is_no_forums_answer_is_a_passing_trouble() {
    let forum = Discourse::start();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let page = "<!doctype html><html><body>Just a moment...</body></html>";
    let answers = [
        Response::new(200, "text/html", page),
        Response::new(404, "text/html", page),
        Response::new(403, "text/html", page),
        Response::new(502, "text/html", page),
        Response::json(200, &json!({"something": "else"})),
        Response::new(200, "application/json", "{"),
        Response::new(200, "application/json", vec![b' '; 9 * 1024 * 1024]),
        Response::new(301, "text/html", "").with("Location", "http://127.0.0.1:9/elsewhere"),
        Response { is_lost: true, ..Response::new(200, "text/html", "") },
    ];
    for answer in answers {
        let carrier = forum.forum();
        watch(&carrier, &[&topic.to_string()], vec![]);
        forum.state().always = Some(answer.clone());
        let found = carrier.collect(Duration::ZERO);
        assert!(matches!(found, Err(Trouble::Passing(_))), "{answer:?}: {found:?}");
        let sent = carrier.send(&dispatch("n1", &format!("thread:{topic}"), "", "A text of some length."));
        assert!(matches!(sent, Err(Trouble::Passing(_))), "{sent:?}");
        forum.state().always = None;
        carrier.send(&dispatch("n1", &format!("thread:{topic}"), "", "A text of some length.")).expect("it is back");
    }
    assert_eq!(forum.texts(topic).len(), 2, "it is posted once");
}

#[test]
fn a_sealed_forum_needs_a_certificate_that_we_trust() {
    let session = json!({"current_user": {"id": 2, "username": "cursus"}});
    let (server, certificate) = Server::start_sealed(move |request| match request.target.as_str() {
        "/session/current.json" => Response::json(200, &session),
        _ => Response::json(200, &json!({"topic_list": {"topics": []}})),
    });
    let forum = Discourse::start();
    let mut settings = forum.settings();
    settings.url = format!("https://localhost:{}", server.port());
    let carrier = Forum::open("forum", settings.clone()).expect("a forum");
    assert!(matches!(carrier.collect(Duration::ZERO), Err(Trouble::Passing(_))), "nobody vouches for it");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), certificate).expect("a certificate");
    settings.root_certificate = Some(file.path().to_owned());
    let carrier = Forum::open("forum", settings).expect("a forum");
    assert_eq!(carrier.collect(Duration::ZERO), Ok(vec![]));
}

#[test]
fn a_forum_that_never_answers_is_given_up() {
    let server = Server::start(|_| Response { delay: Duration::from_secs(45), ..Response::json(200, &json!({})) });
    let forum = Discourse::start();
    let mut settings = forum.settings();
    settings.url = server.url();
    let carrier = Forum::open("forum", settings).expect("a forum");
    let begun = Instant::now();
    assert!(matches!(carrier.collect(Duration::ZERO), Err(Trouble::Passing(_))));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
}

#[test]
fn settings_that_cannot_work_are_told_at_once() {
    let forum = Discourse::start();
    let open = |change: fn(&mut cursus::post::forum::ForumSettings)| {
        let mut settings = forum.settings();
        change(&mut settings);
        Forum::open("forum", settings).map(drop)
    };
    assert_eq!(open(|_| ()), Ok(()));
    for wrong in [
        open(|settings| settings.url = "http://forum.example.org".to_owned()),
        open(|settings| settings.secret_file = None),
        open(|settings| settings.secret_env = Some("NO_SUCH_VARIABLE".to_owned())),
        open(|settings| settings.user = String::new()),
        open(|settings| settings.root_certificate = Some("no-such-file.pem".into())),
    ] {
        assert!(matches!(wrong, Err(Trouble::Lasting(_))), "{wrong:?}");
    }
}

#[test]
fn feeds_are_read_and_never_written() {
    let atom = |entries: &str| {
        format!(
            "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Thera</title><id>t</id>{entries}</feed>"
        )
    };
    let entry = |id: u32, name: &str, text: &str| {
        format!(
            "<entry><id>urn:p{id}</id><title>Re: Thera</title><author><name>{name}</name></author>\
             <published>2026-11-0{id}T10:00:00Z</published><updated>2026-11-0{id}T10:00:00Z</updated>\
             <content type=\"html\">&lt;p&gt;{text}&lt;/p&gt;</content></entry>"
        )
    };
    let page = Arc::new(Mutex::new((1, atom(&(entry(2, "Bob", "done") + &entry(1, "Ania", "build Thera 2"))))));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (served, log) = (Arc::clone(&page), Arc::clone(&asked));
    let server = Server::start(move |request| {
        let (version, text) = served.lock().expect("a page").clone();
        let tag = format!("\"v{version}\"");
        log.lock().expect("a log").push(request.header("if-none-match").to_owned());
        if request.header("if-none-match") == tag {
            return Response::new(304, "application/atom+xml", "");
        }
        Response::new(200, "application/atom+xml", text).with("ETag", &tag)
    });
    let thread = format!("{}/topic/17.atom", server.url());
    let feed = || {
        let feed = Feed::open("board", FeedSettings::default()).expect("a feed");
        // A thread that has no feed is known by its address, and not asked for.
        feed.recall(&Memory { threads: vec![format!("unread+{thread}"), thread.clone()], kept: vec![] });
        feed
    };
    let carrier = feed();
    let look = |carrier: &Feed| carrier.collect(Duration::ZERO).expect("the feed is there");
    let received = look(&carrier);
    let seen = posts(&received);
    let names: Vec<(&str, &str)> =
        seen.iter().map(|post| (post.author.name.as_str(), post.author.id.as_str())).collect();
    assert_eq!(names, [("Ania", ""), ("Bob", "")]);
    assert_eq!((seen[0].html.as_str(), seen[0].thread.as_str()), ("<p>build Thera 2</p>", thread.as_str()));
    assert_eq!(look(&carrier), received, "what was not kept comes again, though the feed is as it was");
    assert_eq!(asked.lock().expect("a log").as_slice(), ["", "\"v1\""]);
    let marks: Vec<Mark> = received.iter().map(|received| received.mark.clone()).collect();
    carrier.keep(&marks).expect("kept");
    assert_eq!(look(&carrier), []);
    *page.lock().expect("a page") = (2, atom(&(entry(3, "Cyd", "hello") + &entry(2, "Bob", "done, really"))));
    let seen = posts(&look(&carrier));
    let texts: Vec<&str> = seen.iter().map(|post| post.html.as_str()).collect();
    assert_eq!(texts, ["<p>done, really</p>", "<p>hello</p>"], "what drops out of a feed is not deleted");
    let restarted = feed();
    restarted.recall(&Memory { threads: vec![thread.clone()], kept: marks });
    assert_eq!(posts(&look(&restarted)), seen);
    assert!(matches!(carrier.send(&dispatch("n1", &thread, "", "x")), Err(Trouble::Lasting(_))));

    let rss = "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\
               <title>Thera</title><link>http://x.example</link><description>d</description><item><title>Re</title>\
               <guid>p9</guid><dc:creator>Ania</dc:creator><pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate>\
               <description>&lt;p&gt;build Thera 9&lt;/p&gt;</description></item></channel></rss>";
    *page.lock().expect("a page") = (3, rss.to_owned());
    let seen = posts(&look(&feed()));
    assert_eq!((seen[0].author.name.as_str(), seen[0].html.as_str()), ("Ania", "<p>build Thera 9</p>"));
    // phpBB 3.3 (styles/all/template/feed.xml.twig) puts below each post who wrote it when, in words that change by the day.
    let phpbb = |text: &str, day: &str| {
        atom(&format!(
            "<entry><author><name><![CDATA[Ania]]></name></author><updated>2026-11-04T10:00:00+01:00 </updated>\
             <published>2026-11-04T10:00:00+01:00</published><id>https://x.example/viewtopic.php?p=9#p9</id>\
             <title type=\"html\"><![CDATA[Re: Thera]]></title><content type=\"html\" xml:base=\"https://x.example/\">\
             <![CDATA[\n{text}<p>Statistics: Posted by <a href=\"https://x.example/memberlist.php?mode=viewprofile&amp;u=2\">Ania</a> \
             — {day}, 10:00 am</p><hr />\n]]></content></entry>"
        ))
    };
    *page.lock().expect("a page") = (5, phpbb("build Thera 2<br>done", "Today"));
    let board = feed();
    let received = look(&board);
    assert_eq!(posts(&received)[0].html.trim(), "build Thera 2<br>done");
    board.keep(&received.iter().map(|received| received.mark.clone()).collect::<Vec<_>>()).expect("kept");
    *page.lock().expect("a page") = (6, phpbb("build Thera 2<br>done", "Yesterday"));
    assert_eq!(look(&board), [], "a new day is no edit");
    *page.lock().expect("a page") = (7, phpbb("build Thera 3<br>done", "Yesterday"));
    assert_eq!(look(&board).len(), 1, "other words are");
    *page.lock().expect("a page") = (4, "<html>no feed</html>".to_owned());
    assert!(matches!(feed().collect(Duration::ZERO), Err(Trouble::Passing(_))));
    let found = feed().check();
    assert!(found.len() == 1 && found[0].1.is_err(), "{found:?}");
}

#[test]
fn a_flagged_post_of_discourse_is_no_edit() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let post = forum.reply(BOB, topic, "move 2 Crete -> Thera, please");
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    assert_eq!(keep_all(&carrier).len(), 2);
    forum.change(post, |row| row.hidden = true);
    assert_eq!(collect(&carrier), [], "rivals can flag; the orders stay");
    forum.change(post, |row| row.raw = "move 3 Crete -> Thera, please".to_owned());
    assert_eq!(collect(&carrier), [], "while it is hidden nobody sees what was typed");
    forum.change(post, |row| row.hidden = false);
    let seen = collect(&carrier);
    assert_eq!(seen.len(), 1, "it is shown again, and was edited");
    forum.state().translates = true;
    let words = collect(&carrier)[0].words("cursus", &cursus::post::words::Sent::default());
    assert_eq!(words.text, "move 3 Crete -> Thera, please", "what was typed, not its translation");
}

#[test]
fn refusals_of_discourse_are_told_apart_in_every_language() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    forum.state().speaks_polish = true;
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let place = format!("thread:{topic}");
    let first =
        carrier.send(&dispatch("a", &place, "", "The first phase is over, and nobody was hurt.")).expect("a post");
    // Slow mode: it waits, and is posted when that is over.
    forum.state().topics.get_mut(&topic).expect("a topic").slow_mode_seconds = 3600;
    let second = dispatch("b", &place, "", "The second phase is over, and nobody was hurt.");
    let slow = carrier.send(&second);
    assert!(matches!(&slow, Err(Trouble::Passing(says)) if says.contains("slow mode")), "{slow:?}");
    let number: u64 = first.post.clone().expect("a post").split_once('-').expect("an id").1.parse().expect("a number");
    forum.change(number, |row| row.created_at -= chrono::Duration::days(2));
    let edit =
        dispatch("e", &format!("post:{}", first.post.expect("a post")), "", "The first phase was ruled anew, sorry.");
    assert!(matches!(carrier.send(&edit), Err(Trouble::Passing(_))), "the first post is not abandoned");
    forum.state().topics.get_mut(&topic).expect("a topic").slow_mode_seconds = 0;
    carrier.send(&second).expect("it is over");
    carrier.send(&edit).expect("and the edit is taken");
    // Too many edits in a day are waited for; a post that is too old for them is given up.
    forum.state().edits_left = 0;
    let place = edit.to.clone();
    let third = dispatch("f", &place, "", "The first phase was ruled anew, and anew again.");
    assert!(matches!(carrier.send(&third), Err(Trouble::Passing(_))));
    forum.state().edits_left = 9;
    forum.state().edit_minutes = 60;
    assert!(matches!(carrier.send(&third), Err(Trouble::Lasting(_))), "the window of edits is over");
}

#[test]
fn long_posts_of_discourse_are_split_and_not_joined_beyond_its_limit() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    let carrier = forum.forum();
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    let paragraphs: Vec<String> =
        (0..900).map(|number| format!("Paragraph {number} of a very long record of a turn.")).collect();
    let long = dispatch("long", &format!("thread:{topic}"), "", &paragraphs.join("\n\n"));
    let receipt = carrier.send(&long).expect("it is posted");
    assert_eq!(forum.forum().send(&long), Ok(receipt), "and found again");
    let texts = forum.texts(topic);
    assert_eq!(texts.len(), 3, "two posts of ours");
    assert!(texts.iter().all(|text| text.chars().count() <= 32_000));
    let all = texts.join("\n");
    assert!(paragraphs.iter().all(|paragraph| all.contains(paragraph.as_str())), "nothing is lost");
    // The third may still be written; the fourth joins it while there is room.
    let text = |number: usize| "A line of the record, long enough to count. ".repeat(400) + &number.to_string();
    for number in 0..2 {
        let letter = dispatch(&format!("n{number}"), &format!("thread:{topic}"), "", &text(number));
        let sent = carrier.send(&letter);
        match number {
            0 => drop(sent.expect("the third in sequence")),
            _ => assert!(matches!(sent, Err(Trouble::Passing(_))), "there is no room, so it waits: {sent:?}"),
        }
    }
    forum.reply(BOB, topic, "What a story, go on!");
    carrier.send(&dispatch("n1", &format!("thread:{topic}"), "", &text(1))).expect("somebody has written");
}

#[test]
fn a_private_thread_of_discourse_that_is_full_or_closed_is_followed_by_a_new_one() {
    let forum = Discourse::start();
    forum.state().is_admin = false;
    let carrier = forum.forum();
    let topic = forum.message(ANIA, discourse::BOT_ID, "Thera", "May I join you, please?");
    let letter = |id: &str| {
        dispatch(
            id,
            &format!("private:{topic}/user:{ANIA}"),
            "Thera: your hand",
            &format!("You hold three cards {id}."),
        )
    };
    let there = carrier.send(&letter("a")).expect("a reply");
    assert_eq!(there.thread, Some(topic.to_string()));
    forum.state().topics.get_mut(&topic).expect("a topic").closed = true;
    let followed = carrier.send(&letter("b")).expect("a new thread");
    assert_ne!(followed.thread, Some(topic.to_string()));
    assert_eq!(carrier.send(&letter("b")), Ok(followed), "once");
    assert_eq!(carrier.send(&letter("a")), Ok(there), "what stands in the old one is found there");
    forum.state().topics.get_mut(&topic).expect("a topic").closed = false;
    for number in 0..480 {
        forum.reply(ANIA, topic, &format!("build Thera {number}"));
    }
    let full = carrier.send(&letter("c")).expect("a new thread");
    assert_ne!(full.thread, Some(topic.to_string()), "before the forum closes it");
    // Somebody who is called like a group is not written to, for everybody in it would read it.
    let group = carrier.send(&dispatch("g", "name:staff", "Thera: your hand", "You hold three cards."));
    assert!(matches!(group, Err(Trouble::Lasting(_))), "{group:?}");
    assert!(forum.state().topics.values().all(|topic| topic.allowed.as_ref().is_none_or(|allowed| allowed.len() == 2)));
    forum.state().messages_left = 0;
    let limited = carrier.send(&dispatch("l", "name:bob", "Thera: your hand", "You hold three cards."));
    assert!(matches!(limited, Err(Trouble::Passing(_))), "a limit of the day passes: {limited:?}");
}

#[test]
fn a_topic_of_discourse_without_a_stream_is_read() {
    let forum = Discourse::start();
    forum.state().mega = 90;
    let topic = forum.open_topic(ANIA, "Thera: a game of Mega Civilization", "Let us begin, everybody is here.");
    for number in 0..100 {
        forum.reply(BOB, topic, &format!("build Thera {number}, please"));
    }
    let carrier = forum.forum();
    watch(&carrier, &[&topic.to_string()], vec![]);
    assert_eq!(keep_all(&carrier).len(), 101);
    let post = forum.reply(ANIA, topic, "move 2 Crete -> Thera");
    assert_eq!(keep_all(&carrier).len(), 1);
    // Taken back by its author it is deleted; one that only its staff can have taken away keeps its orders.
    forum.change(post, |row| row.user_deleted = true);
    let gone = keep_all(&carrier);
    assert!(gone.len() == 1 && gone[0].is_deleted, "{gone:?}");
    let post = forum.reply(ANIA, topic, "move 3 Crete -> Thera");
    assert_eq!(keep_all(&carrier).len(), 1);
    forum.change(post, |row| row.is_gone = true);
    assert!(collect(&carrier).is_empty());
}

#[test]
fn a_key_of_discourse_with_scopes_is_recognised() {
    let forum = Discourse::start();
    forum.state().scopes = Some(vec![("GET", "/t/"), ("POST", "/posts.json"), ("GET", "/latest.json")]);
    let found = forum.forum().check();
    let [(_, Err(says))] = found.as_slice() else { panic!("{found:?}") };
    assert!(says.contains("scopes"), "{says}");
    let found = Forum::open("forum", forum.settings_with("fedcba9876543210")).expect("a forum").check();
    let [(_, Err(says))] = found.as_slice() else { panic!("{found:?}") };
    assert!(!says.contains("scopes"), "a wrong key is a wrong key: {says}");
    forum.state().scopes = Some(vec![("GET", "/")]);
    let found = forum.forum().check();
    assert!(found.iter().any(|(name, found)| name == "a test thread" && found.is_err()), "{found:?}");
}
