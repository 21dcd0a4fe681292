//! One way to open whatever came: a mail, a post, a command from the door, a form of the order page.
//!
//! Comes in: a [`Form`], the bytes, and what the house can tell about them. Goes out: an [`Incoming`], which has what only its
//! form has, and of which [`Incoming::writing`] is what all of them have.

use serde::{Deserialize, Serialize};

use super::Form;
use super::forum::{Post, PostWords};
use super::letter::{Broken, Ignored, LARGEST, Letter, open_answer};
use super::words::Sent;

/// What somebody has written, however it came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writing {
    /// Who says the writer sent it, in lower case; empty where nobody does.
    pub from: String,
    /// Empty where such letters have none.
    pub subject: String,
    /// The id that an answer to it names; none where answers name none.
    pub message_id: Option<String>,
    /// The sender's own words, and nothing else.
    pub text: String,
    /// What was left out of them.
    pub ignored: Ignored,
    /// Whether the text is another's, passed on without a word of the sender's own.
    pub forwarded: bool,
    /// How many files came with it; they are not read.
    pub attachments: usize,
}

/// Something that came and was opened.
#[derive(Debug, Clone)]
pub enum Incoming {
    Mail(Box<Letter>),
    /// A post of a forum.
    Post(Box<Posting>),
    /// A command from the door.
    Door(Typed),
    /// A form of the order page.
    Web(PageForm),
}

/// A post with its author's own words.
#[derive(Debug, Clone)]
pub struct Posting {
    /// As the forum has it.
    pub post: Post,
    /// What its author wrote.
    pub words: PostWords,
    /// The letters of ours that it answers.
    pub sent: Sent,
}

/// What somebody typed at the command line: the name of a game in the first line, and below it a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// The game that is meant.
    pub game: String,
    /// What is to be done in it.
    pub command: String,
}

/// What the order page sends: lines as a letter would have them, and a small head. Who sends it is proved by then: the
/// page lets nobody write for a seat who has not shown that it is theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageForm {
    /// An id that the browser made: the same form counts once, however often it is sent.
    pub id: String,
    /// The game that is played.
    pub game: String,
    /// The seat that writes, as it is called in addresses: `egypt`, `moderator`.
    pub seat: String,
    pub lines: String,
    /// What the page showed when they were written: the game may have gone on since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Whether the player's deputy sends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deputy: bool,
    /// The id of the form whose answer it answers: a moderator says `ok` to what was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
}

/// What the house knows about letters before they are opened.
pub struct Lookup<'a> {
    /// Knows our own letters by their id.
    pub is_ours: &'a dyn Fn(&str) -> bool,
    /// What we are called in the forum; empty where there is none.
    pub own_name: &'a str,
    /// The letters of ours that a mail answers, by its head.
    pub sent_to: &'a dyn Fn(&Letter) -> Sent,
    /// The letters of ours that a post answers.
    pub sent_above: &'a dyn Fn(&Post) -> Sent,
}

impl Lookup<'_> {
    /// Of somebody who knows nothing.
    pub const NOTHING: Lookup<'static> =
        Lookup { is_ours: &|_| false, own_name: "", sent_to: &|_| Sent::default(), sent_above: &|_| Sent::default() };
}

/// Opens what came in this form.
///
/// # Errors
/// It is to be set aside.
pub fn open(form: Form, raw: &[u8], lookup: &Lookup) -> Result<Incoming, Broken> {
    if raw.len() > LARGEST {
        return Err(Broken::TooLarge);
    }
    Ok(match form {
        Form::Mail => Incoming::Mail(Box::new(open_answer(raw, lookup.is_ours, lookup.sent_to)?)),
        Form::Post => {
            let post = Post::read(raw).ok_or(Broken::NoPost)?;
            let sent = (lookup.sent_above)(&post);
            let words = post.words(lookup.own_name, &sent);
            Incoming::Post(Box::new(Posting { post, words, sent }))
        }
        Form::Door => {
            let text = String::from_utf8_lossy(raw);
            let (game, command) = text.split_once('\n').unwrap_or((&text, ""));
            Incoming::Door(Typed { game: game.to_owned(), command: command.to_owned() })
        }
        Form::Web => Incoming::Web(serde_json::from_slice(raw).map_err(|_| Broken::NoPageForm)?),
    })
}

impl Incoming {
    /// What somebody has written.
    pub fn writing(&self) -> Writing {
        match self {
            Incoming::Mail(letter) => letter.writing(),
            Incoming::Post(posting) => posting.writing(),
            Incoming::Door(typed) => Writing { text: typed.command.clone(), ..Writing::default() },
            Incoming::Web(form) => form.writing(),
        }
    }
}

impl Letter {
    /// What somebody has written.
    pub(crate) fn writing(&self) -> Writing {
        Writing {
            from: self.sender.from.as_ref().map(|from| from.address.to_lowercase()).unwrap_or_default(),
            subject: self.subject.clone(),
            message_id: self.message_id.clone(),
            text: self.text.clone(),
            ignored: self.ignored,
            forwarded: self.forwarded,
            attachments: self.attachments,
        }
    }
}

impl Posting {
    /// What somebody has written.
    pub(crate) fn writing(&self) -> Writing {
        Writing {
            from: self.post.author.place().to_string().to_lowercase(),
            text: self.words.text.clone(),
            ignored: self.words.ignored,
            ..Writing::default()
        }
    }
}

impl PageForm {
    /// The form in these bytes.
    pub(crate) fn read(raw: &[u8]) -> Option<PageForm> {
        serde_json::from_slice(raw).ok()
    }

    /// As it is remembered.
    pub fn raw(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a form has nothing that JSON cannot say")
    }

    /// What tells it from every other. Whoever makes up the id of another's form does not keep that form out.
    pub(crate) fn mark(&self) -> String {
        PageForm::mark_of(&self.game, &self.seat, &self.id)
    }

    /// What tells the form of this id from every other.
    pub(crate) fn mark_of(game: &str, seat: &str, id: &str) -> String {
        format!("{game}.{seat}.{id}")
    }

    /// What somebody has written.
    pub(crate) fn writing(&self) -> Writing {
        Writing {
            from: format!("page:{}.{}", self.game, self.seat),
            message_id: Some(self.mark()),
            text: self.lines.clone(),
            ..Writing::default()
        }
    }
}
