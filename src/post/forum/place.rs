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
            "private" => Ok(ForumPlace::Private(id)),
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
            ForumPlace::Post(id()),
            ForumPlace::User(id()),
            ForumPlace::Name("Żółw: 1".to_owned()),
        ];
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in ["", "thread", "thread:", "ania@player.invalid"] {
            assert_eq!(text.parse::<ForumPlace>(), Err(()), "{text}");
        }
    }
}
