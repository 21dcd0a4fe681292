//! Where a dispatch goes in a forum.

use std::fmt;
use std::str::FromStr;

/// Where a dispatch goes in a forum. As text it stands in [`Dispatch::to`](crate::post::Dispatch).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
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
    /// The same to somebody whose id nobody knows yet, by his name.
    Name(String),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Category(None) => formatter.write_str("category"),
            Place::Category(Some(id)) => write!(formatter, "category:{id}"),
            Place::Thread(id) => write!(formatter, "thread:{id}"),
            Place::Private(id) => write!(formatter, "private:{id}"),
            Place::Post(id) => write!(formatter, "post:{id}"),
            Place::User(id) => write!(formatter, "user:{id}"),
            Place::Name(name) => write!(formatter, "name:{name}"),
        }
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Place, ()> {
        if text == "category" {
            return Ok(Place::Category(None));
        }
        let (kind, id) = text.split_once(':').ok_or(())?;
        let id = Some(id.trim()).filter(|id| !id.is_empty()).ok_or(())?.to_owned();
        match kind {
            "category" => Ok(Place::Category(Some(id))),
            "thread" => Ok(Place::Thread(id)),
            "private" => Ok(Place::Private(id)),
            "post" => Ok(Place::Post(id)),
            "user" => Ok(Place::User(id)),
            "name" => Ok(Place::Name(id)),
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
            Place::Category(None),
            Place::Category(Some(id())),
            Place::Thread(id()),
            Place::Private(id()),
            Place::Post(id()),
            Place::User(id()),
            Place::Name("Żółw: 1".to_owned()),
        ];
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in ["", "thread", "thread:", "ania@player.invalid"] {
            assert_eq!(text.parse::<Place>(), Err(()), "{text}");
        }
    }
}
