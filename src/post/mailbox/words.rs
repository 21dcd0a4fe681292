//! What servers say, made fit for a log.

use super::settings::Tls;

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

/// What to write where a server is sealed otherwise than the settings say, by how the connection failed.
pub(super) fn sealed_otherwise(tls: Tls, says: &str) -> Option<&'static str> {
    let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
    match tls {
        Tls::Implicit if has(&["corrupt message", "InvalidContentType", "invalid message"]) => Some(
            "this port is not sealed from the first byte; write tls = \"starttls\", or the port that is (IMAP 993, SMTP 465)",
        ),
        Tls::StartTls if has(&["STARTTLS"]) => {
            Some("this port offers no STARTTLS; write tls = \"implicit\", or another port")
        }
        // Both wait for the other to begin.
        Tls::StartTls | Tls::None if has(&["does not answer", "timed out", "Resource temporarily", "hung up"]) => Some(
            "nobody greets us at this port, as where it is sealed from the first byte; then write tls = \"implicit\"",
        ),
        Tls::Implicit | Tls::StartTls | Tls::None => None,
    }
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
