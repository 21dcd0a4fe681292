//! How a dispatch becomes a post: once, wherever it was left.

use std::collections::{HashMap, HashSet};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::board::{Body, PostId, Thread};
use super::reference::{self, Reference};
use super::site::Failure;
use super::{Author, Forum, ForumPlace};
use crate::post::carrier::{Dispatch, Receipt, Trouble};

/// So long a forum may take to finish what it has not answered.
const SETTLE: Duration = Duration::from_secs(20);

/// What is known of the dispatches that were sent.
#[derive(Default)]
pub(super) struct Sent {
    /// Threads that we began, and that were looked through: nothing else can be in them.
    begun: HashMap<u64, HashSet<String>>,
    /// When the forum last failed to answer whether it has taken a dispatch. It may still be about to.
    unanswered: HashMap<String, Instant>,
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
        if matches!(posted, Err(Failure::Unanswered(_))) {
            self.unanswered.insert(reference.as_str().to_owned(), Instant::now());
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
        let is_private = matches!(place, ForumPlace::Private(_) | ForumPlace::User(_) | ForumPlace::Name(_));
        if is_private && !self.settings.private_messages {
            return Err(Trouble::Lasting("this forum is used without private messages".to_owned()));
        }
        let us = self.board.identity()?;
        let reference = Reference::of(&dispatch.message_id);
        let post = match place {
            ForumPlace::Category(category) => {
                let category = category.or_else(|| self.settings.category.clone());
                let category = category
                    .ok_or_else(|| Trouble::Lasting("the settings name no category for new threads".to_owned()))?;
                let begin = |body: &Body| self.board.begin(&category, &dispatch.subject, body);
                self.begin(dispatch, &mut sent, &us, &reference, None, &begin)?
            }
            ForumPlace::User(id) => {
                let name = match self.board.name_of(&id) {
                    // Not every forum tells everybody who is who; but we have read what the writer wrote.
                    Err(failure @ (Failure::Denied(_) | Failure::Gone)) => self.watch().name_of(&id).ok_or(failure)?,
                    name => name?,
                };
                self.begin_private(dispatch, &mut sent, &us, &reference, &name)?
            }
            ForumPlace::Name(name) => self.begin_private(dispatch, &mut sent, &us, &reference, &name)?,
            ForumPlace::Thread(id) => self.reply(dispatch, &mut sent, thread(&id, false)?, &us, &reference)?,
            ForumPlace::Private(id) => self.reply(dispatch, &mut sent, thread(&id, true)?, &us, &reference)?,
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
        name: &str,
    ) -> Result<PostId, Trouble> {
        // Several names, or an address: what is for one reader would go to others.
        if name.is_empty()
            || name.contains([',', ';', '@'])
            || name.contains(|c: char| c.is_whitespace() || c.is_control())
        {
            return Err(Trouble::Lasting("this is no name of a user".to_owned()));
        }
        let begin = |body: &Body| self.board.begin_private(name, &dispatch.subject, body);
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
        begin: &dyn Fn(&Body) -> Result<PostId, Failure>,
    ) -> Result<PostId, Trouble> {
        let find = |sent: &mut Sent| self.find_begun(sent, us, &dispatch.subject, recipient.is_some(), reference);
        if let Some(post) = find(sent)? {
            return Ok(post);
        }
        sent.settle(reference)?;
        let body = self.body(dispatch, reference)?;
        let posted = begin(&body);
        let post = match sent.note(reference, posted) {
            Err(Failure::Refused(says)) => match find(sent)? {
                Some(post) => post,
                None => return Err(Failure::Refused(says).into()),
            },
            begun => begun?,
        };
        sent.begun.entry(post.thread).or_default().insert(reference.as_str().to_owned());
        Ok(post)
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
        for (thread, other) in self.board.begun(is_private)? {
            // A forum may have cut the title, or written it a little differently.
            let other = plain(&other);
            if other.is_empty() || !title.starts_with(&other) {
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
        Ok(self.tail(thread)?.iter().rev().filter(|post| post.author.id == us.id).find_map(|post| {
            let part = reference.part_of(post.source.as_ref().unwrap_or(&post.html))?;
            let id: PostId = post.id.parse().ok()?;
            Some(PostId { part, ..id })
        }))
    }

    fn tail(&self, thread: Thread) -> Result<Vec<super::Post>, Failure> {
        let mut posts = self.board.look(thread, &|_| true, None)?.posts;
        posts.sort_by_key(|post| post.id.parse::<PostId>().map(|id| id.number).unwrap_or_default());
        Ok(posts)
    }

    fn reply(
        &self,
        dispatch: &Dispatch,
        sent: &mut Sent,
        thread: Thread,
        us: &Author,
        reference: &Reference,
    ) -> Result<PostId, Trouble> {
        if let Some(post) = self.find(thread, us, reference)? {
            return Ok(post);
        }
        sent.settle(reference)?;
        let body = self.body(dispatch, reference)?;
        let posted = self.board.reply(thread, &body);
        match sent.note(reference, posted) {
            Err(Failure::Refused(says)) if says != super::UNTRUSTED => {
                if let Some(post) = self.find(thread, us, reference)? {
                    return Ok(post);
                }
                let last = self.tail(thread)?.pop().filter(|post| post.author.id == us.id);
                match last.and_then(|post| post.id.parse::<PostId>().ok()) {
                    Some(last) if self.board.wants_joined() => Ok(self.join(last, &body)?),
                    Some(_) | None => Err(Failure::Refused(says).into()),
                }
            }
            replied => Ok(replied?),
        }
    }

    /// Writes below what a post of ours says already.
    fn join(&self, post: PostId, body: &Body) -> Result<PostId, Failure> {
        let source = self.board.source(post)?;
        let mut parts = reference::parts(&source);
        parts.push(&body.text);
        let part = parts.len() - 1;
        let body = Body { text: reference::joined(&parts), uploads: body.uploads.clone() };
        self.board.replace(post, &body)?;
        Ok(PostId { part, ..post })
    }

    /// Replaces a post of ours, or its part.
    fn edit(&self, dispatch: &Dispatch, post: PostId, reference: &Reference) -> Result<PostId, Trouble> {
        let source = self.board.source(post)?;
        if reference.part_of(&source).is_some() {
            return Ok(post);
        }
        let body = self.body(dispatch, reference)?;
        let mut parts = reference::parts(&source);
        let part = parts.get_mut(post.part).ok_or(Failure::Gone)?;
        if reference::bare(part) == reference::bare(&body.text) {
            return Ok(post);
        }
        *part = &body.text;
        self.board.replace(post, &Body { text: reference::joined(&parts), uploads: body.uploads.clone() })?;
        Ok(post)
    }

    /// What is posted: the text with its picture, and the reference below.
    fn body(&self, dispatch: &Dispatch, reference: &Reference) -> Result<Body, Failure> {
        let text = dispatch.html.as_ref().unwrap_or(&dispatch.text);
        let mut uploads = Vec::new();
        let mut lines = Vec::new();
        let mut upload = None;
        for line in text.lines() {
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
        Ok(Body { text: reference.below(&lines.join("\n"), |line| self.board.discreet(line)), uploads })
    }

    fn picture(&self, dispatch: &Dispatch) -> Result<Option<super::board::Upload>, Failure> {
        let Some(picture) = &dispatch.picture else { return Ok(None) };
        match self.board.upload(picture) {
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

/// A title as it is compared.
fn plain(title: &str) -> String {
    title.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
