//! How a dispatch becomes a post: once, wherever it was left.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::board::{Body, Look, PostId, Thread};
use super::reference::{self, Reference};
use super::site::Failure;
use super::{Author, Forum, ForumPlace, Post, splitting};
use crate::post::carrier::{Dispatch, Receipt, Trouble};

/// So long a forum may take to finish what it has not answered.
const SETTLE: Duration = Duration::from_secs(20);

/// So many characters every forum takes in a post.
const SURELY: usize = 8_000;
/// So many are left for a reference, and for the address of a picture.
const ROOM: usize = 600;

/// A text that is one post, and by what it is found again.
struct Piece {
    text: String,
    reference: Reference,
}

/// What is known of the dispatches that were sent.
#[derive(Default)]
pub(super) struct Sent {
    /// Threads that we began, and that were looked through: nothing else can be in them.
    begun: HashMap<u64, HashSet<String>>,
    /// When the forum last failed to answer whether it has taken a dispatch. It may still be about to.
    unanswered: HashMap<String, Instant>,
    /// Whether posts of ours wait for approval there; none where nobody has looked yet.
    is_queued: Option<bool>,
}

impl Sent {
    /// A forum that did not answer is given time to finish what it was about.
    fn settle(&mut self, reference: &Reference) -> Result<(), Failure> {
        match self.unanswered.get(reference.as_str()) {
            Some(since) if since.elapsed() < SETTLE => {
                Err(Failure::passing("the forum has not answered, and may still take what we sent"))
            }
            Some(_) => {
                self.unanswered.remove(reference.as_str());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What came of an attempt to post.
    fn note(&mut self, reference: &Reference, posted: Result<PostId, Failure>) -> Result<PostId, Failure> {
        match &posted {
            Err(Failure::Unanswered(_)) => {
                self.unanswered.insert(reference.as_str().to_owned(), Instant::now());
            }
            // It is there, and nobody sees it: posted again it would be there twice.
            Err(Failure::Refused(says)) if says == super::UNTRUSTED => {
                self.is_queued = Some(true);
                return Err(Failure::passing(super::UNTRUSTED));
            }
            Ok(_) | Err(_) => {}
        }
        posted
    }
}

impl Forum {
    /// Posts a dispatch, if it is not there already.
    pub(super) fn post(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        let place: ForumPlace =
            dispatch.to.parse().map_err(|()| Trouble::Lasting("this dispatch names no place in a forum".to_owned()))?;
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_private = match place {
            ForumPlace::Private(_) | ForumPlace::Followed { .. } | ForumPlace::User(_) | ForumPlace::Name(_) => true,
            ForumPlace::Category(_) | ForumPlace::Thread(_) | ForumPlace::Post(_) => false,
        };
        if is_private && !self.settings.private_messages {
            return Err(Trouble::Lasting("this forum is used without private messages".to_owned()));
        }
        let us = self.identity()?;
        let reference = Reference::of(&dispatch.message_id);
        let post = match place.clone() {
            ForumPlace::Category(category) => {
                let category = category.or_else(|| self.settings.category.clone());
                let category = category
                    .ok_or_else(|| Trouble::Lasting("the settings name no category for new threads".to_owned()))?;
                let begin = |title: &str, body: &Body| self.board().begin(&category, title, body);
                self.begin(dispatch, &mut sent, &us, &reference, None, &begin)?
            }
            ForumPlace::User(_) | ForumPlace::Name(_) => {
                self.begin_private(dispatch, &mut sent, &us, &reference, &place)?
            }
            ForumPlace::Thread(id) => self.reply(dispatch, &mut sent, thread(&id, false)?, &us, &reference, None)?,
            ForumPlace::Private(id) => self.reply(dispatch, &mut sent, thread(&id, true)?, &us, &reference, None)?,
            ForumPlace::Followed { thread: id, reader } => {
                self.reply(dispatch, &mut sent, thread(&id, true)?, &us, &reference, Some(&reader))?
            }
            ForumPlace::Post(id) => {
                let id = id.parse().map_err(|()| Trouble::Lasting("this is no post of ours".to_owned()))?;
                self.edit(dispatch, id, &reference)?
            }
        };
        Ok(Receipt { thread: Some(post.thread.to_string()), post: Some(post.to_string()) })
    }

    fn begin_private(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        us: &Author,
        reference: &Reference,
        reader: &ForumPlace,
    ) -> Result<PostId, Trouble> {
        let name = &match reader {
            ForumPlace::User(id) => match self.board().name_of(id) {
                // Not every forum tells everybody who is who; but we have read what they wrote.
                Err(failure @ (Failure::Denied(_) | Failure::Gone)) => self.watch().name_of(id).ok_or(failure)?,
                name => name?,
            },
            ForumPlace::Name(name) => name.clone(),
            ForumPlace::Category(_)
            | ForumPlace::Thread(_)
            | ForumPlace::Private(_)
            | ForumPlace::Followed { .. }
            | ForumPlace::Post(_) => return Err(Trouble::Lasting("this is no user of the forum".to_owned())),
        };
        // Several names, or an address: what is for one reader would go to others.
        if name.is_empty()
            || name.contains([',', ';', '@'])
            || name.contains(|c: char| c.is_whitespace() || c.is_control())
        {
            return Err(Trouble::Lasting("this is no name of a user".to_owned()));
        }
        let begin = |title: &str, body: &Body| self.board().begin_private(name, title, body);
        self.begin(dispatch, sent, us, reference, Some(name), &begin)
    }

    /// Begins a thread, unless we have begun it already.
    fn begin(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        us: &Author,
        reference: &Reference,
        recipient: Option<&str>,
        begin: &dyn Fn(&str, &Body) -> Result<PostId, Failure>,
    ) -> Result<PostId, Trouble> {
        let is_private = recipient.is_some();
        let find = |sent: &mut Sent| self.find_begun(sent, us, &dispatch.subject, is_private, reference);
        let pieces = self.pieces(dispatch);
        let post = match find(sent)? {
            Some(post) => post,
            None => {
                sent.settle(reference)?;
                self.look_in_queue(sent, reference)?;
                let body = self.body(dispatch, &pieces[0])?;
                let posted = begin(&dispatch.subject, &body);
                match sent.note(reference, posted) {
                    Err(Failure::Refused(says)) => match find(sent)? {
                        Some(post) => post,
                        None if is_private => return Err(Failure::Refused(says).into()),
                        None => self.begin_otherwise(dispatch, sent, reference, &body, begin, &says)?,
                    },
                    begun => begun?,
                }
            }
        };
        sent.begun.entry(post.thread).or_default().insert(reference.as_str().to_owned());
        let thread = Thread { id: post.thread, is_private: recipient.is_some() };
        for piece in &pieces[1..] {
            self.reply_with(dispatch, sent, thread, us, piece)?;
        }
        Ok(post)
    }

    /// A public thread that the forum refuses is begun under another title, for the same one may be there already; and what
    /// it refuses even so waits, for a game without its thread is lost to everybody.
    fn begin_otherwise(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        reference: &Reference,
        body: &Body,
        begin: &dyn Fn(&str, &Body) -> Result<PostId, Failure>,
        says: &str,
    ) -> Result<PostId, Trouble> {
        let title = format!("{} ({})", dispatch.subject, dispatch.date.format("%Y-%m-%d %H:%M"));
        let begun = begin(&title, body);
        match sent.note(reference, begun) {
            Err(Failure::Refused(_)) => {
                Err(Trouble::Passing(format!("the forum does not take our thread now (it says: {says})")))
            }
            begun => Ok(begun?),
        }
    }

    /// What waits for approval is not posted again. A forum is asked for it once, and then as long as something waited.
    fn look_in_queue(&self, sent: &mut Sent, reference: &Reference) -> Result<(), Failure> {
        if sent.is_queued == Some(false) {
            return Ok(());
        }
        let pending = match self.board().pending() {
            // Who may not see it has to do without.
            Err(Failure::Denied(_) | Failure::Gone | Failure::Refused(_)) => Vec::new(),
            pending => pending?,
        };
        sent.is_queued = Some(!pending.is_empty());
        if pending.iter().any(|text| reference.part_of(text).is_some()) {
            return Err(Failure::passing(super::UNTRUSTED));
        }
        Ok(())
    }

    /// A thread of ours with this reference. Only threads of the same title can have it.
    fn find_begun(
        &self,
        sent: &mut Sent,
        us: &Author,
        title: &str,
        is_private: bool,
        reference: &Reference,
    ) -> Result<Option<PostId>, Failure> {
        let title = plain(title);
        for (thread, other) in self.board().begun(is_private)? {
            // A forum may have cut the title, or written it a little differently; and we may have made it longer.
            let other = plain(&other);
            if other.is_empty() || !(title.starts_with(&other) || other.starts_with(&title)) {
                continue;
            }
            let is_looked_through = sent.begun.contains_key(&thread.id);
            let is_there = sent.begun.get(&thread.id).is_some_and(|references| references.contains(reference.as_str()));
            if is_looked_through && !is_there {
                continue;
            }
            if let Some(post) = self.find(thread, us, reference)? {
                return Ok(Some(post));
            }
            sent.begun.entry(thread.id).or_default();
        }
        Ok(None)
    }

    /// The post of ours with this reference, if it stands among the newest of a thread.
    fn find(&self, thread: Thread, us: &Author, reference: &Reference) -> Result<Option<PostId>, Failure> {
        Ok(found(&self.tail(thread)?.posts, us, reference))
    }

    /// The newest of a thread, in their sequence.
    fn tail(&self, thread: Thread) -> Result<Look, Failure> {
        let mut look = self.board().look(thread, &|_| true, None)?;
        look.posts.sort_by_key(|post| post.id.parse::<PostId>().map(|id| id.number).unwrap_or_default());
        Ok(look)
    }

    /// Replies in a thread, with as many posts as it takes. Where the thread is closed to its reader, or soon will be, a new
    /// one with the same reader follows it.
    fn reply(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        thread: Thread,
        us: &Author,
        reference: &Reference,
        reader: Option<&ForumPlace>,
    ) -> Result<PostId, Trouble> {
        let pieces = self.pieces(dispatch);
        let tail = self.tail(thread)?;
        let is_there = found(&tail.posts, us, reference).is_some();
        if let Some(reader) = reader.filter(|_| tail.standing.is_full && !is_there) {
            return self.begin_private(dispatch, sent, us, reference, reader);
        }
        let first = self.reply_below(tail, dispatch, sent, thread, us, &pieces[0])?;
        for piece in &pieces[1..] {
            self.reply_with(dispatch, sent, thread, us, piece)?;
        }
        Ok(first)
    }

    fn reply_with(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        thread: Thread,
        us: &Author,
        piece: &Piece,
    ) -> Result<PostId, Trouble> {
        let tail = self.tail(thread)?;
        self.reply_below(tail, dispatch, sent, thread, us, piece)
    }

    /// Posts a piece, unless it is there already. A refusal of a forum is told apart by what is known of the thread, never by
    /// its words, which are in the forum's own language.
    fn reply_below(
        &self,
        tail: Look,
        dispatch: &Dispatch,
        sent: &mut Sent,
        thread: Thread,
        us: &Author,
        piece: &Piece,
    ) -> Result<PostId, Trouble> {
        let reference = &piece.reference;
        if let Some(post) = found(&tail.posts, us, reference) {
            return Ok(post);
        }
        sent.settle(reference)?;
        self.look_in_queue(sent, reference)?;
        let body = self.body(dispatch, piece)?;
        let posted = self.board().reply(thread, &body);
        let says = match sent.note(reference, posted) {
            Err(Failure::Refused(says)) => says,
            replied => return Ok(replied?),
        };
        let tail = self.tail(thread)?;
        if let Some(post) = found(&tail.posts, us, reference) {
            return Ok(post);
        }
        if tail.standing.slow.is_some() {
            return Err(Trouble::Passing("the thread is in slow mode, and our post waits".to_owned()));
        }
        let last = tail.posts.last().filter(|post| post.author.id == us.id);
        let last = last.and_then(|post| post.id.parse::<PostId>().ok()).filter(|_| self.board().wants_joined());
        let joined = match last {
            Some(last) => self.join(last, &body)?,
            None => None,
        };
        match joined {
            Some(post) => Ok(post),
            // What is public is lost to everybody, so it waits until the forum takes it.
            None if !thread.is_private => {
                Err(Trouble::Passing(format!("the forum does not take our post now (it says: {says})")))
            }
            None => Err(Failure::Refused(says).into()),
        }
    }

    /// Writes below what a post of ours says already, if there is room and it may still be edited.
    fn join(&self, post: PostId, body: &Body) -> Result<Option<PostId>, Failure> {
        let source = self.board().source(post)?;
        let mut parts = reference::parts(&source);
        parts.push(&body.text);
        let part = parts.len() - 1;
        let body = Body { text: reference::joined(&parts), uploads: body.uploads.clone() };
        if body.text.chars().count() > self.board().longest() {
            return Ok(None);
        }
        match self.board().replace(post, &body) {
            Err(Failure::Refused(_)) => Ok(None),
            replaced => replaced.map(|()| Some(PostId { part, ..post })),
        }
    }

    /// Replaces a post of ours, or its part.
    fn edit(&self, dispatch: &Dispatch, post: PostId, reference: &Reference) -> Result<PostId, Trouble> {
        let source = self.board().source(post)?;
        if reference.part_of(&source).is_some() {
            return Ok(post);
        }
        // A post is edited as one; what does not fit into it is left out.
        let piece = self.pieces(dispatch).swap_remove(0);
        let body = self.body(dispatch, &piece)?;
        let mut parts = reference::parts(&source);
        let part = parts.get_mut(post.part).ok_or(Failure::Gone)?;
        if reference::bare(part) == reference::bare(&body.text) {
            return Ok(post);
        }
        *part = &body.text;
        let text = reference::joined(&parts);
        if text.chars().count() > self.board().longest() {
            // Others of ours stand in the same post, and there is no room: it is posted anew.
            return Err(Trouble::Lasting("our post has no room for this edit".to_owned()));
        }
        match self.board().replace(post, &Body { text, uploads: body.uploads.clone() }) {
            Ok(()) => Ok(post),
            Err(Failure::Refused(says)) => Err(self.refused_edit(post, says)),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Whether an edit that the forum refuses may be taken later. One that comes too late never will.
    fn refused_edit(&self, post: PostId, says: String) -> Trouble {
        let standing = self.tail(Thread { id: post.thread, is_private: false }).map(|tail| tail.standing);
        match (standing, self.board().may_replace(post)) {
            (Ok(standing), _) if standing.slow.is_some() => {
                Trouble::Passing("the thread is in slow mode, and our edit waits".to_owned())
            }
            (_, Ok(Some(true))) => Trouble::Passing(format!("the forum does not take our edit now (it says: {says})")),
            (Ok(_) | Err(_), Ok(_) | Err(_)) => Failure::Refused(says).into(),
        }
    }

    /// The texts that a dispatch is posted as, each with its own reference: one, as a rule.
    fn pieces(&self, dispatch: &Dispatch) -> Vec<Piece> {
        let text = dispatch.html.as_ref().unwrap_or(&dispatch.text);
        // No forum needs to be asked for what fits into every post.
        let most = if text.chars().count() < SURELY { SURELY } else { self.board().longest() };
        let texts = splitting::split(text, most.saturating_sub(ROOM));
        let piece = |(number, text): (usize, String)| {
            let id = &dispatch.message_id;
            let reference = if number == 0 { Reference::of(id) } else { Reference::of(&format!("{id}/{number}")) };
            Piece { text, reference }
        };
        texts.into_iter().enumerate().map(piece).collect()
    }

    /// What is posted: the text with its picture, and the reference below.
    fn body(&self, dispatch: &Dispatch, piece: &Piece) -> Result<Body, Failure> {
        let mut uploads = Vec::new();
        let mut lines = Vec::new();
        let mut upload = None;
        for line in piece.text.lines() {
            let Some(end) = line.find("](cid:map)") else {
                lines.push(line.to_owned());
                continue;
            };
            if upload.is_none() {
                upload = Some(self.picture(dispatch)?);
            }
            // A picture that the forum does not take is left out, for the words can be read without it.
            if let Some(Some(upload)) = &upload {
                uploads.extend(upload.number);
                lines.push(format!("{}]({}){}", &line[..end], upload.address, &line[end + "](cid:map)".len()..]));
            }
        }
        uploads.dedup();
        Ok(Body { text: piece.reference.below(&lines.join("\n"), |line| self.board().discreet(line)), uploads })
    }

    fn picture(&self, dispatch: &Dispatch) -> Result<Option<super::board::Upload>, Failure> {
        let Some(picture) = &dispatch.picture else { return Ok(None) };
        match self.board().upload(picture) {
            Ok(upload) => Ok(Some(upload)),
            Err(Failure::Denied(_) | Failure::Refused(_) | Failure::Gone) => {
                tracing::warn!(carrier = self.name, "the forum does not take a picture");
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }
}

fn thread(id: &str, is_private: bool) -> Result<Thread, Trouble> {
    let id = id.parse().map_err(|_| Trouble::Lasting("this is no thread of this forum".to_owned()))?;
    Ok(Thread { id, is_private })
}

/// The post of ours with this reference, the newest first.
fn found(posts: &[Post], us: &Author, reference: &Reference) -> Option<PostId> {
    posts.iter().rev().filter(|post| post.author.id == us.id).find_map(|post| {
        let part = reference.part_of(post.source.as_ref().unwrap_or(&post.html))?;
        let id: PostId = post.id.parse().ok()?;
        Some(PostId { part, ..id })
    })
}

/// A title as it is compared.
fn plain(title: &str) -> String {
    title.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
