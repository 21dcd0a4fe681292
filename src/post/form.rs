//! The forms in which something written comes to us.

/// How a letter came, and so how its bytes are to be read. It is written down with the letter: whatever becomes of a carrier
/// in the settings, its letters can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A mail, with its head.
    Mail,
    /// A post of a forum, as JSON.
    Post,
    /// A command that somebody typed at the command line.
    Door,
    /// What somebody sent from the order page, as JSON.
    Web,
}

impl Form {
    pub(crate) const ALL: [Form; 4] = [Form::Mail, Form::Post, Form::Door, Form::Web];

    /// As it is written down.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Mail => "mail",
            Form::Post => "post",
            Form::Door => "door",
            Form::Web => "web",
        }
    }

    /// The form of this name.
    pub(crate) fn named(name: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.name() == name)
    }
}
