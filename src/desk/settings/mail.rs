//! What a carrier of mail is told about its provider: how answers find their way back to the letter that they answer, and how
//! many letters it takes.

use crate::desk::settings::toml_file::{TomlFile, TomlTable, choices};

use super::at_least;

/// How mail goes at a carrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Habits {
    /// What a letter of ours carries for its answer.
    pub answers: Answers,
    pub quota: Quota,
}

/// What a letter of ours carries so that its answer is known by it. What an answer brings back in another way is nobody's proof;
/// only an address that was once given out, or the word of a subject, is taken whatever stands here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answers {
    /// The sign behind our own address, before the secret; none where only the bare address reaches us.
    pub delimiter: Option<char>,
    /// Whether the id of our letter, which comes back in the head of an answer, is taken for its secret.
    pub message_id: bool,
    /// Whether the secret stands in the subject.
    pub subject: bool,
}

/// How many letters a provider takes. What is more waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Quota {
    pub per_hour: Option<u32>,
    pub per_day: Option<u32>,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers { delimiter: Some(DELIMITERS[0]), message_id: false, subject: false }
    }
}

impl Answers {
    /// Where only the bare address arrives: the id of our letter, if it comes back as it was, and a word in the subject.
    pub(crate) fn without_sign(message_id: bool) -> Answers {
        Answers { delimiter: None, message_id, subject: true }
    }

    /// The lines that say so in the table of a carrier.
    pub(crate) fn written(&self) -> String {
        let ways = [(self.delimiter.is_some(), "address"), (self.message_id, "message_id"), (self.subject, "subject")];
        let ways: Vec<String> =
            ways.iter().filter(|(is_used, _)| *is_used).map(|(_, way)| format!("\"{way}\"")).collect();
        let delimiter = self.delimiter.filter(|sign| *sign != DELIMITERS[0]);
        let delimiter = delimiter.map(|sign| format!("delimiter = \"{sign}\""));
        // The address alone is what is taken where nothing stands.
        let ways = (ways != ["\"address\""]).then(|| format!("answers = [{}]", ways.join(", ")));
        delimiter.into_iter().chain(ways).collect::<Vec<_>>().join("\n")
    }
}

/// The signs that servers part an address with. Whatever is given out today, what was given out under any of them is read.
pub(crate) const DELIMITERS: [char; 4] = ['+', '-', '=', '_'];

/// A way that an answer finds its letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Address,
    MessageId,
    Subject,
}

choices!(Way {
    "address" => Way::Address,
    "message_id" => Way::MessageId,
    "subject" => Way::Subject,
});

/// A sign that parts an address.
#[derive(Clone, Copy)]
struct Delimiter(char);

choices!(Delimiter {
    "+" => Delimiter('+'),
    "-" => Delimiter('-'),
    "=" => Delimiter('='),
    "_" => Delimiter('_'),
});

/// Reads the keys of a table.
pub(super) fn habits(file: &mut TomlFile, table: &mut TomlTable) -> Habits {
    let delimiter = table.take_or(file, "delimiter", Delimiter(DELIMITERS[0])).0;
    let place = table.place("answers");
    let ways: Option<Vec<Way>> = table.take(file, "answers");
    let answers = match ways {
        Some(ways) if ways.is_empty() => {
            let message = "`answers` is empty, so no answer would be known; write at least one of \"address\", \"message_id\" \
                           and \"subject\"";
            file.fault(place, message);
            Answers::default()
        }
        Some(ways) => Answers {
            delimiter: ways.contains(&Way::Address).then_some(delimiter),
            message_id: ways.contains(&Way::MessageId),
            subject: ways.contains(&Way::Subject),
        },
        None => Answers { delimiter: Some(delimiter), ..Answers::default() },
    };
    let quota = Quota { per_hour: at_least(file, table, "per_hour", 1), per_day: at_least(file, table, "per_day", 1) };
    Habits { answers, quota }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::settings::Settings;

    #[test]
    fn what_is_written_is_read_again() {
        for answers in [
            Answers::default(),
            Answers { delimiter: Some('-'), ..Answers::default() },
            Answers::without_sign(true),
            Answers::without_sign(false),
            Answers { delimiter: Some('_'), message_id: true, subject: true },
        ] {
            let text = format!(
                "[carriers.mail]\nkind = \"mailbox\"\naddress = \"c@b.c\"\nuser = \"c\"\npassword_env = \"P\"\n\
                 imap = {{ host = \"i.b.c\" }}\nsmtp = {{ host = \"s.b.c\" }}\n{}\n",
                answers.written()
            );
            let settings = Settings::read("cursus.toml", &text, std::path::Path::new("")).expect("they load");
            assert_eq!(settings.carriers[0].habits.answers, answers, "{text}");
        }
    }
}
