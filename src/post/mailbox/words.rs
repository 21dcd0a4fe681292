//! What servers say, made fit for a log.

/// The most characters of a server's words that are shown.
const LONGEST: usize = 160;

/// A server's words in one line, without addresses and without what is hidden.
pub(super) fn discreet(text: &str, hidden: &[&str]) -> String {
    let hidden: Vec<&&str> = hidden.iter().filter(|words| words.len() > 2).collect();
    let text = hidden.iter().fold(text.to_owned(), |text, words| text.replace(**words, "…"));
    let hidden: Vec<String> = hidden.iter().map(|word| word.to_lowercase()).collect();
    let shows = |word: &str| {
        let word = word.to_lowercase();
        !word.contains('@') && !hidden.iter().any(|hidden| word.contains(hidden.as_str()))
    };
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = text.split_whitespace().map(|word| if shows(word) { word } else { "…" }).collect();
    words.join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::discreet;

    #[test]
    fn nothing_private_is_repeated() {
        let says = "550 5.1.1 <ania@player.invalid>:\r\n no user Ania, secret of gm\u{1b}";
        assert_eq!(discreet(says, &["ania", "secret of gm", ""]), "550 5.1.1 … no user … …");
        assert_eq!(discreet(&"word ".repeat(100), &[]).chars().count(), 160);
    }
}
