//! Where a dispatch goes in a forum.

use std::fmt;
use std::str::FromStr;

/// Where a dispatch goes in a forum. As text it stands in [`Dispatch::to`](crate::post::Dispatch).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForumPlace {
    /// A new thread in this category, or in the carrier's own where none is named; the subject is its title.
    Category(Option<String>),
    /// A reply in a public thread.
    Thread(String),
    /// A reply in a private one.
    Private(String),
    /// The same; where nobody can answer in it any more, a new private message to this user follows it.
    Followed {
        thread: String,
        /// The user, as a place of its own: by id or by name.
        reader: Box<ForumPlace>,
    },
    /// A post of ours, whose text is replaced. Its name is the one in the receipt, which may be a part of a post.
    Post(String),
    /// A new private message to the user of this id.
    User(String),
    /// The same to somebody whose id nobody knows yet, by their name.
    Name(String),
}

impl fmt::Display for ForumPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ForumPlace::Category(None) => formatter.write_str("category"),
            ForumPlace::Category(Some(id)) => write!(formatter, "category:{id}"),
            ForumPlace::Thread(id) => write!(formatter, "thread:{id}"),
            ForumPlace::Private(id) => write!(formatter, "private:{id}"),
            ForumPlace::Followed { thread, reader } => write!(formatter, "private:{thread}/{reader}"),
            ForumPlace::Post(id) => write!(formatter, "post:{id}"),
            ForumPlace::User(id) => write!(formatter, "user:{id}"),
            ForumPlace::Name(name) => write!(formatter, "name:{name}"),
        }
    }
}

impl FromStr for ForumPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<ForumPlace, ()> {
        if text == "category" {
            return Ok(ForumPlace::Category(None));
        }
        let (kind, id) = text.split_once(':').ok_or(())?;
        let id = Some(id.trim()).filter(|id| !id.is_empty()).ok_or(())?.to_owned();
        match kind {
            "category" => Ok(ForumPlace::Category(Some(id))),
            "thread" => Ok(ForumPlace::Thread(id)),
            "private" => match id.split_once('/') {
                Some((thread, reader)) if !thread.is_empty() => {
                    let reader: ForumPlace = reader.parse()?;
                    let is_reader = matches!(reader, ForumPlace::User(_) | ForumPlace::Name(_));
                    let reader = Box::new(reader);
                    is_reader.then(|| ForumPlace::Followed { thread: thread.to_owned(), reader }).ok_or(())
                }
                Some(_) => Err(()),
                None => Ok(ForumPlace::Private(id)),
            },
            "post" => Ok(ForumPlace::Post(id)),
            "user" => Ok(ForumPlace::User(id)),
            "name" => Ok(ForumPlace::Name(id)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_back_as_it_was_written() {
        let id = || "17".to_owned();
        let places = [
            ForumPlace::Category(None),
            ForumPlace::Category(Some(id())),
            ForumPlace::Thread(id()),
            ForumPlace::Private(id()),
            ForumPlace::Followed { thread: id(), reader: Box::new(ForumPlace::User(id())) },
            ForumPlace::Followed { thread: id(), reader: Box::new(ForumPlace::Name("a/b".to_owned())) },
            ForumPlace::Post(id()),
            ForumPlace::User(id()),
            ForumPlace::Name("Żółw: 1".to_owned()),
        ];
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in
            ["", "thread", "thread:", "ania@player.invalid", "private:/user:1", "private:1/thread:2", "private:1/"]
        {
            assert_eq!(text.parse::<ForumPlace>(), Err(()), "{text}");
        }
    }
}
