//! What a server found out about a sender: the lines `Authentication-Results` of RFC 8601, read as they are meant.
//!
//! Comes in: the lines of a head, and whose word counts. Goes out: a [`Verdict`]. A line that cannot be read to its end is no
//! word in anybody's favour: much of what stands in it was chosen by the one it speaks of.

use std::iter::Peekable;
use std::str::Chars;

/// What the server whose word counts says of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Silent,
    /// The writer is who the writer says.
    Passed,
    /// It could not be shown that the writer is who the writer says.
    Failed,
}

/// One line, read: who says what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Results {
    /// The server that speaks, as it calls itself.
    pub host: String,
    /// What it found, method by method; none where it says so, or where the rest of the line cannot be read.
    pub found: Result<Vec<Found>, Unreadable>,
}

/// What one method found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// `dmarc`, `dkim`, `spf` and others, in small letters.
    pub method: String,
    /// `pass`, `fail`, `none` and others, in small letters.
    pub result: String,
    /// What it looked at: `header.d`, in small letters, with its value.
    pub properties: Vec<(String, String)>,
}

/// The line breaks off within quotes or a comment, or is not put together as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// What the server of this name says of somebody who writes from this domain. `blocks` are the lines as they stand from the
/// top, parted where a server noted that it handed the letter on: only the first block in which the server speaks is its own.
/// Whatever stands below was there when the letter came to it.
pub(crate) fn verdict(blocks: &[Vec<String>], host: &str, domain: &str) -> Verdict {
    let by_host = |line: &String| Results::read(line).filter(|results| results.host.eq_ignore_ascii_case(host));
    let mut spoken = blocks.iter().map(|block| block.iter().filter_map(by_host).collect::<Vec<_>>());
    let Some(own) = spoken.find(|own| !own.is_empty()) else { return Verdict::Silent };
    let mut all = Vec::new();
    for results in own {
        match results.found {
            Ok(found) => all.extend(found),
            Err(Unreadable) => return Verdict::Failed,
        }
    }
    if all.is_empty() {
        return Verdict::Silent;
    }
    // The worst of several counts: one of them may be of the sender's own making.
    let dmarc = || all.iter().filter(|found| found.method == "dmarc");
    if dmarc().any(|found| found.result == "fail") {
        return Verdict::Failed;
    }
    let is_about_him =
        |found: &&Found| found.property("header.from").is_none_or(|from| same_domain(domain_of(from), domain));
    let is_passed = |found: &&Found| found.result == "pass" && is_about_him(found);
    // Where the domain has no policy, one method must have seen the domain itself, or one above it.
    let is_aligned = |found: &Found| found.result == "pass" && found.domain().is_some_and(|seen| covers(seen, domain));
    if dmarc().all(|found| is_passed(&found)) && dmarc().count() > 0 || all.iter().any(is_aligned) {
        Verdict::Passed
    } else {
        Verdict::Failed
    }
}

/// Whether the server of this name says that DMARC has shown the writer to be who the writer says, for this domain: nothing less
/// is enough to answer somebody we do not know.
pub(crate) fn has_dmarc(blocks: &[Vec<String>], host: &str, domain: &str) -> bool {
    let by_host = |line: &String| Results::read(line).filter(|results| results.host.eq_ignore_ascii_case(host));
    let mut spoken = blocks.iter().map(|block| block.iter().filter_map(by_host).collect::<Vec<_>>());
    let own = spoken.find(|own| !own.is_empty()).unwrap_or_default();
    let found = own.iter().filter_map(|results| results.found.as_ref().ok()).flatten();
    let mut dmarc = found.filter(|found| found.method == "dmarc").peekable();
    let is_named =
        |found: &Found| found.property("header.from").is_some_and(|from| same_domain(domain_of(from), domain));
    dmarc.peek().is_some()
        && dmarc.all(|found| found.result == "pass" && is_named(found))
        && verdict(blocks, host, domain) == Verdict::Passed
}

impl Results {
    /// Reads a line; none where it does not say who speaks.
    pub(crate) fn read(line: &str) -> Option<Results> {
        let mut words = Words::of(line);
        let host = match words.next()? {
            Ok(Word::Text(host)) => host,
            Ok(Word::Equals | Word::End) | Err(Unreadable) => return None,
        };
        let mut rest: Vec<Word> = Vec::new();
        for word in words {
            match word {
                Ok(word) => rest.push(word),
                Err(Unreadable) => return Some(Results { host, found: Err(Unreadable) }),
            }
        }
        // Some servers leave their name out; then the first word is a method.
        if rest.first() == Some(&Word::Equals) {
            return None;
        }
        let mut parts = rest.split(|word| *word == Word::End);
        // Behind the name may stand the version of the form.
        let version = parts.next().unwrap_or_default();
        let is_version =
            |word: &Word| matches!(word, Word::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()));
        if version.len() > 1 || !version.iter().all(is_version) {
            return Some(Results { host, found: Err(Unreadable) });
        }
        let found = parts.filter(|part| !part.is_empty()).filter_map(Found::read).collect();
        Some(Results { host, found })
    }
}

impl Found {
    /// `dkim=pass reason="…" header.d=a.org`; none where it is the word `none` alone.
    fn read(part: &[Word]) -> Option<Result<Found, Unreadable>> {
        if let [Word::Text(none)] = part
            && none.eq_ignore_ascii_case("none")
        {
            return None;
        }
        let mut pairs = Vec::new();
        for pair in part.chunks(3) {
            let [Word::Text(name), Word::Equals, Word::Text(value)] = pair else { return Some(Err(Unreadable)) };
            pairs.push((name.to_ascii_lowercase(), value.clone()));
        }
        let mut pairs = pairs.into_iter();
        let (method, result) = pairs.next()?;
        // `dkim/1`: the version of the method.
        let method = method.split('/').next().unwrap_or_default().to_owned();
        Some(Ok(Found { method, result: result.to_ascii_lowercase(), properties: pairs.collect() }))
    }

    fn property(&self, name: &str) -> Option<&str> {
        let mut values = self.properties.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        // Said twice it says nothing.
        values.next().filter(|_| values.next().is_none())
    }

    /// The domain that a method has seen.
    fn domain(&self) -> Option<&str> {
        match self.method.as_str() {
            "dkim" => self.property("header.d").or_else(|| self.property("header.i")).map(domain_of),
            "spf" => self.property("smtp.mailfrom").map(domain_of),
            _ => None,
        }
    }
}

/// `a.org` in `b@a.org`, `@a.org` and `a.org`.
fn domain_of(value: &str) -> &str {
    value.rsplit('@').next().unwrap_or(value)
}

fn same_domain(one: &str, other: &str) -> bool {
    !one.is_empty() && one.trim_end_matches('.').eq_ignore_ascii_case(other.trim_end_matches('.'))
}

/// Whether a domain speaks for another: it is the same, or stands above it. One below does not: anybody may have it from
/// somebody who gives such names away.
fn covers(seen: &str, domain: &str) -> bool {
    let (seen, domain) = (seen.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let is_above = seen.contains('.') && domain.strip_suffix(&seen).is_some_and(|below| below.ends_with('.'));
    same_domain(&seen, &domain) || is_above
}

/// A word of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    /// Letters and signs, and what is quoted, glued together as they stand.
    Text(String),
    /// `=`.
    Equals,
    /// `;`.
    End,
}

/// The words of a line. Blanks and comments stand between them and mean nothing.
struct Words<'a> {
    rest: Peekable<Chars<'a>>,
    is_broken: bool,
    /// Whether a value is next: in it `=` is a sign like any other, as in base64.
    is_value: bool,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Words<'a> {
        Words { rest: line.chars().peekable(), is_broken: false, is_value: false }
    }

    /// Passes over blanks and comments, which may stand in each other.
    fn skip(&mut self) -> Result<(), Unreadable> {
        let mut depth = 0_usize;
        while let Some(&next) = self.rest.peek() {
            match next {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                '\\' if depth > 0 => {
                    self.rest.next();
                }
                _ if depth > 0 || next.is_whitespace() => {}
                _ => return Ok(()),
            }
            self.rest.next();
        }
        if depth == 0 { Ok(()) } else { Err(Unreadable) }
    }

    fn quoted(&mut self, text: &mut String) -> Result<(), Unreadable> {
        loop {
            match self.rest.next().ok_or(Unreadable)? {
                '"' => return Ok(()),
                '\\' => text.push(self.rest.next().ok_or(Unreadable)?),
                sign => text.push(sign),
            }
        }
    }

    fn word(&mut self) -> Result<Option<Word>, Unreadable> {
        self.skip()?;
        let mut text = String::new();
        let mut has_begun = false;
        while let Some(&next) = self.rest.peek() {
            match next {
                ';' | '=' if !has_begun => {
                    self.rest.next();
                    self.is_value = next == '=';
                    return Ok(Some(if next == ';' { Word::End } else { Word::Equals }));
                }
                '=' if !self.is_value => break,
                ';' | '(' | ')' => break,
                _ if next.is_whitespace() => break,
                '"' => {
                    self.rest.next();
                    self.quoted(&mut text)?;
                }
                _ => {
                    text.push(next);
                    self.rest.next();
                }
            }
            has_begun = true;
        }
        // A bracket that closes nothing.
        if !has_begun && self.rest.peek().is_some() {
            return Err(Unreadable);
        }
        self.is_value = false;
        Ok(has_begun.then_some(Word::Text(text)))
    }
}

impl Iterator for Words<'_> {
    type Item = Result<Word, Unreadable>;

    fn next(&mut self) -> Option<Result<Word, Unreadable>> {
        if self.is_broken {
            return None;
        }
        let word = self.word();
        self.is_broken = word.is_err();
        word.transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOST: &str = "mx.example.org";

    fn block(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| format!("{HOST}; {value}")).collect()
    }

    fn of(values: &[&str], domain: &str) -> Verdict {
        verdict(&[block(values)], HOST, domain)
    }

    #[test]
    fn a_stranger_is_believed_by_dmarc_alone() {
        let has = |values: &[&str], domain: &str| has_dmarc(&[block(values)], HOST, domain);
        assert!(has(&["dmarc=pass (p=none) header.from=example.com"], "example.com"));
        assert!(!has(&["dmarc=pass header.from=example.com"], "example.net"));
        assert!(!has(&["dmarc=pass"], "example.com"), "of whom it speaks is not said");
        assert!(!has(&["dkim=pass header.d=example.com"], "example.com"));
        assert!(!has(&["dmarc=none header.from=example.com; dkim=pass header.d=example.com"], "example.com"));
        assert!(!has(&["dmarc=pass header.from=example.com", "dmarc=fail header.from=example.com"], "example.com"));
        assert!(!has_dmarc(&[vec!["mx.evil.org; dmarc=pass header.from=example.com".to_owned()]], HOST, "example.com"));
        assert!(!has(&["dmarc=pass header.from=example.com (", "spf=pass"], "example.com"));
    }

    #[test]
    fn dmarc_decides() {
        assert_eq!(of(&["dmarc=pass (p=reject dis=none) header.from=example.com"], "example.com"), Verdict::Passed);
        assert_eq!(of(&["DMARC=Pass HEADER.FROM=Example.COM"], "example.com"), Verdict::Passed);
        assert_eq!(of(&["dmarc = fail header.from = example.com"], "example.com"), Verdict::Failed);
        // Forwarded mail, as ever.
        assert_eq!(of(&["spf=fail smtp.mailfrom=list.org; dmarc=pass header.from=a.org"], "a.org"), Verdict::Passed);
        assert_eq!(
            of(&["spf=pass smtp.mailfrom=a.org; dkim=pass header.d=a.org; dmarc=fail"], "a.org"),
            Verdict::Failed
        );
        assert_eq!(of(&["none"], "a.org"), Verdict::Silent);
        assert_eq!(verdict(&[], HOST, "a.org"), Verdict::Silent);
        assert_eq!(verdict(&[vec!["mx.evil.org; dmarc=fail".to_owned()]], HOST, "a.org"), Verdict::Silent);
    }

    #[test]
    fn a_failure_cannot_be_talked_away() {
        for values in [
            &[
                "spf=pass smtp.mailfrom=\"a;dmarc=pass header.from=victim.org\"@evil.org; dmarc=fail header.from=victim.org",
            ][..],
            &["dmarc=fail (comment with ; dmarc=pass header.from=victim.org) header.from=victim.org"],
            &["dmarc=fail (nested (deep \\) still) ; dmarc=pass) header.from=victim.org"],
            &["dmarc=fail header.from=victim.org", "dmarc=pass header.from=victim.org"],
            &["dmarc=pass header.from=victim.org", "dmarc=fail header.from=victim.org"],
            &["dmarc=pass header.from=victim.org; dmarc=fail"],
            &["dkim=pass header.d=evil.org"],
            &["dkim=pass header.d=evil.org; spf=pass smtp.mailfrom=x@evil.org"],
            &["dkim=pass reason=\"good; dmarc=pass\" header.d=a.org"],
            &["dkim=pass header.d=a.org header.d=victim.org"],
            &["dkim=fail header.d=victim.org; spf=softfail smtp.mailfrom=victim.org"],
            &["dkim=pass header.d=org"],
            &["dkim=pass header.d=tim.org", "spf=pass smtp.helo=victim.org"],
            &["dkim=pass header.d=x.victim.org"],
            &["dmarc=pass header.from=evil.org"],
            &["dmarc=none header.from=victim.org"],
            // What breaks off is nobody's word.
            &["dmarc=pass header.from=\"victim.org"],
            &["dmarc=pass (header.from=victim.org"],
            &["dmarc=pass header.from=victim.org)"],
            &["dmarc=pass header.from"],
            &["dkim (c) / 1 (c) = (c) fail policy (c) . (c) expired = 1"],
        ] {
            assert_eq!(of(values, "victim.org"), Verdict::Failed, "{values:?}");
        }
    }

    #[test]
    fn without_dmarc_one_method_must_have_seen_the_domain() {
        for value in [
            "dkim=pass header.d=a.org header.b=\"abc/d+e=\"; spf=pass smtp.mailfrom=\"john smith\"@a.org",
            "dkim=pass header.i=@a.org header.s=k header.b=abc+d==",
            "spf=fail smtp.mailfrom=a.org; dkim=pass header.d=A.org",
            "dkim/1=pass header.d=a.org",
            "dkim=pass header.d=evil.org; dkim=pass header.d=a.org",
            "dmarc=none header.from=a.org; spf=pass (why (not)) smtp.mailfrom=b@a.org",
            "dmarc=temperror; dkim=pass header.d=a.org",
        ] {
            assert_eq!(of(&[value], "a.org"), Verdict::Passed, "{value}");
        }
        assert_eq!(of(&["dkim=pass header.d=a.org"], "mail.a.org"), Verdict::Passed);
        assert_eq!(of(&["spf=none smtp.mailfrom=a.org"], "a.org"), Verdict::Failed);
    }

    #[test]
    fn only_what_the_server_wrote_itself_counts() {
        let below = |own: &str| vec![block(&[own]), block(&["dmarc=pass header.from=victim.org"])];
        assert_eq!(
            verdict(&below("spf=fail smtp.mailfrom=victim.org; dkim=none"), HOST, "victim.org"),
            Verdict::Failed
        );
        assert_eq!(verdict(&below("dmarc=pass header.from=victim.org"), HOST, "victim.org"), Verdict::Passed);
        // Its name may be quoted, in capitals, with the version of the form, or with a comment.
        for name in ["MX.Example.ORG", "\"mx.example.org\"", "mx.example.org 1", "(by) mx.example.org (1)"] {
            let line = format!("{name}; dmarc=fail");
            assert_eq!(verdict(&[vec![line]], HOST, "a.org"), Verdict::Failed, "{name}");
        }
        for line in [
            "spf=pass smtp.mailfrom=a.org; dmarc=fail",
            "",
            ";",
            "\"mx.example.org; dmarc=fail",
            "mx.example.organ; dmarc=fail",
        ] {
            assert_eq!(verdict(&[vec![line.to_owned()]], HOST, "a.org"), Verdict::Silent, "{line}");
        }
        assert_eq!(verdict(&[vec!["mx.example.org x y; dmarc=pass".to_owned()]], HOST, "a.org"), Verdict::Failed);
    }

    /// What an attacker may choose: the signs that mean something, and words that the attacker would like to see.
    fn chosen() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            ";",
            "=",
            "\"",
            "\\",
            "(",
            ")",
            " ",
            "\t",
            "@",
            ".",
            "/",
            "dmarc",
            "pass",
            "fail",
            "dkim",
            "spf",
            "header.d",
            "header.from",
            "smtp.mailfrom",
            "victim.org",
            "evil.org",
            "mx.example.org",
            "none",
            "ż",
            "\u{0}",
        ]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    /// As a server writes what it was told: within quotes, or as a comment.
    fn quoted(text: &str) -> String {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }

    proptest! {
        #[test]
        fn no_line_breaks_us(line in any::<String>(), words in chosen()) {
            for line in [line, words.clone(), format!("mx.example.org; {words}")] {
                verdict(&[vec![line]], HOST, "victim.org");
            }
        }

        #[test]
        fn whatever_he_calls_himself_a_failure_stays_one(words in chosen()) {
            let local = quoted(&words);
            let comment: String = words.chars().flat_map(|c| ['\\', c]).collect();
            for line in [
                format!("spf=pass smtp.mailfrom={local}@evil.org; dmarc=fail header.from=victim.org"),
                format!("dmarc=fail ({comment}) header.from=victim.org"),
                format!("dkim=pass reason={local} header.d=evil.org"),
            ] {
                prop_assert_eq!(of(&[&line], "victim.org"), Verdict::Failed, "{}", line);
            }
        }
    }
}
