//! What the domain of our address publishes about its letters: who may send for it (SPF), what they are signed with (DKIM), and
//! what is to become of others (DMARC). Players' providers ask the same before they show a letter.

use super::Finding;
use super::dns::Names;

/// What a letter says of its own signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    domain: String,
    selector: String,
}

impl Signature {
    /// Those in the head of a letter, as it came.
    pub(super) fn all_in(raw: &[u8]) -> Vec<Signature> {
        let text = String::from_utf8_lossy(raw);
        let mut fields: Vec<String> = Vec::new();
        for line in text.lines().take_while(|line| !line.is_empty()) {
            match fields.last_mut() {
                Some(field) if line.starts_with([' ', '\t']) => field.push_str(line),
                Some(_) | None => fields.push(line.to_owned()),
            }
        }
        let signature = |field: &String| {
            let (name, value) = field.split_once(':')?;
            let tag = |wanted: &str| {
                let tags = value.split(';').filter_map(|tag| tag.split_once('='));
                tags.filter(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned()).next()
            };
            let is_one = name.trim().eq_ignore_ascii_case("dkim-signature");
            is_one.then_some(())?;
            Some(Signature { domain: tag("d")?, selector: tag("s")? })
        };
        fields.iter().filter_map(signature).collect()
    }
}

/// How something stands that a domain may publish.
struct Standing {
    says: String,
    /// What to publish, where something is wanting.
    advice: Option<String>,
}

/// What the domain publishes; nothing where nobody answers, for then it is not known.
pub(super) fn published(names: &Names, domain: &str, signatures: &[Signature]) -> Option<Finding> {
    let what = "what the domain publishes";
    let spf = spf(names, domain)?;
    let found: Vec<Standing> =
        [Some(spf), dmarc(names, domain), dkim(names, domain, signatures)].into_iter().flatten().collect();
    let says = found.iter().map(|one| one.says.as_str()).collect::<Vec<_>>().join("; ");
    let says = format!("{domain}: {says}");
    let advice: Vec<&str> = found.iter().filter_map(|one| one.advice.as_deref()).collect();
    if advice.is_empty() {
        return Some(Finding::well(what, says));
    }
    let advice =
        format!("{}. Else players' providers may take our letters for spam, or for somebody else's", advice.join(". "));
    Some(Finding::mind(what, says, advice))
}

/// Whether a text is a record of this kind.
fn is(text: &str, version: &str) -> bool {
    let beginning = text.trim_start().get(..version.len());
    let rest = text.trim_start().get(version.len()..).unwrap_or_default();
    beginning.is_some_and(|it| it.eq_ignore_ascii_case(version))
        && !rest.starts_with(|sign: char| sign.is_alphanumeric())
}

fn spf(names: &Names, domain: &str) -> Option<Standing> {
    let texts = names.texts(domain)?;
    let records: Vec<&String> = texts.iter().filter(|text| is(text, "v=spf1")).collect();
    let publish = format!(
        "SPF: publish a TXT record at {domain} that names who sends for it: v=spf1 include:(what your provider names) -all; on \
         a server of your own v=spf1 mx -all"
    );
    Some(match records.as_slice() {
        [] => Standing { says: "no SPF".to_owned(), advice: Some(publish) },
        [record] => {
            let words: Vec<String> = record.split_whitespace().map(str::to_ascii_lowercase).collect();
            let is_open = words.iter().any(|word| ["all", "+all"].contains(&word.as_str()));
            let says = if is_open { "SPF that lets everybody send" } else { "SPF" };
            let advice = is_open.then(|| format!("SPF: end the record of {domain} with -all in place of +all"));
            Standing { says: says.to_owned(), advice }
        }
        several => Standing {
            says: format!("{} records of SPF", several.len()),
            advice: Some(format!("SPF: make one record of those at {domain}; where there are several none counts")),
        },
    })
}

fn dmarc(names: &Names, domain: &str) -> Option<Standing> {
    // What a domain does not say for itself the one above it says for it.
    let mut at = domain;
    loop {
        let texts = names.texts(&format!("_dmarc.{at}"))?;
        let records: Vec<&String> = texts.iter().filter(|text| is(text, "v=DMARC1")).collect();
        match records.as_slice() {
            [_] if at == domain => return Some(Standing { says: "DMARC".to_owned(), advice: None }),
            [_] => return Some(Standing { says: format!("DMARC (of {at})"), advice: None }),
            [] => match at.split_once('.').filter(|(_, above)| above.contains('.')) {
                Some((_, above)) => at = above,
                None => {
                    let publish = format!("DMARC: publish a TXT record at _dmarc.{domain}: v=DMARC1; p=none");
                    return Some(Standing { says: "no DMARC".to_owned(), advice: Some(publish) });
                }
            },
            several => {
                return Some(Standing {
                    says: format!("{} records of DMARC", several.len()),
                    advice: Some(format!(
                        "DMARC: leave one record at _dmarc.{at}; where there are several none counts"
                    )),
                });
            }
        }
    }
}

/// The keys of the signatures that our own letter came back with. One that is sound is enough.
fn dkim(names: &Names, domain: &str, signatures: &[Signature]) -> Option<Standing> {
    if signatures.is_empty() {
        // Many providers sign nothing that they deliver to themselves.
        let says = "whether letters are signed (DKIM) cannot be seen in one to oneself".to_owned();
        return Some(Standing { says, advice: None });
    }
    let is_of = |signer: &str| {
        let (signer, domain) = (signer.to_ascii_lowercase(), domain.to_ascii_lowercase());
        signer == domain || domain.ends_with(&format!(".{signer}")) || signer.ends_with(&format!(".{domain}"))
    };
    let mut wanting = None;
    for Signature { domain: signer, selector } in signatures {
        let place = format!("{selector}._domainkey.{signer}");
        let Some(texts) = names.texts(&place) else { continue };
        let key = |text: &String| {
            let keys = text.split(';').filter_map(|tag| tag.split_once('='));
            keys.filter(|(name, _)| name.trim() == "p").any(|(_, key)| !key.trim().is_empty())
        };
        if texts.iter().any(key) {
            let whose =
                if is_of(signer) { String::new() } else { format!(" of {signer}, which does not count for DMARC") };
            return Some(Standing { says: format!("the key of our signature{whose} (DKIM)"), advice: None });
        }
        wanting = Some(Standing {
            says: "no key of our signature (DKIM)".to_owned(),
            advice: Some(format!("DKIM: publish the key that signs our letters as a TXT record at {place}")),
        });
    }
    wanting
}

#[cfg(test)]
mod tests {
    use super::super::Health;
    use super::super::dns::tests::{Manner, server};
    use super::*;

    const SOUND: &[(&str, &str)] = &[
        ("club.org", "something else"),
        ("club.org", "v=spf1 include:_spf.provider.net -all"),
        ("_dmarc.club.org", "v=DMARC1; p=none"),
        ("s1._domainkey.club.org", "v=DKIM1; k=rsa; p=MIIB"),
        ("old._domainkey.club.org", "v=DKIM1; p="),
        ("s1._domainkey.provider.net", "p=MIIB"),
        ("open.net", "v=spf1 +all"),
        ("twice.net", "v=spf1 mx -all"),
        ("twice.net", "v=spf1 a -all"),
        ("_dmarc.twice.net", "v=DMARC1; p=none"),
        ("_dmarc.twice.net", "v=DMARC1; p=reject"),
        ("_dmarc.near.net", "v=DMARC10; p=none"),
        ("near.net", "v=spf10 mx"),
    ];

    fn signed(domain: &str, selector: &str) -> Signature {
        Signature { domain: domain.to_owned(), selector: selector.to_owned() }
    }

    fn found(domain: &str, signatures: &[Signature]) -> Finding {
        published(&server(Manner::Sound, SOUND), domain, signatures).expect("it answers")
    }

    #[test]
    fn a_sound_domain_is_well() {
        let finding = found("club.org", &[signed("club.org", "gone"), signed("club.org", "s1")]);
        assert_eq!(finding.health, Health::Well, "{finding:?}");
        assert_eq!(finding.says, "club.org: SPF; DMARC; the key of our signature (DKIM)");
        let finding = found("club.org", &[signed("provider.net", "s1")]);
        assert!(finding.health == Health::Well && finding.says.contains("does not count for DMARC"), "{finding:?}");
        assert!(found("club.org", &[]).says.contains("cannot be seen"));
    }

    #[test]
    fn what_is_wanting_is_told_with_what_to_publish() {
        let advice = |domain: &str, signatures: &[Signature]| {
            let finding = found(domain, signatures);
            assert_eq!(finding.health, Health::Mind, "{finding:?}");
            finding.advice.expect("advice")
        };
        let nothing = advice("mail.bare.net", &[signed("bare.net", "s9")]);
        for words in [
            "a TXT record at mail.bare.net that names who sends",
            "a TXT record at _dmarc.mail.bare.net: v=DMARC1; p=none",
            "a TXT record at s9._domainkey.bare.net",
        ] {
            assert!(nothing.contains(words), "{words}: {nothing}");
        }
        assert!(
            advice("club.org", &[signed("club.org", "old")]).contains("old._domainkey.club.org"),
            "it was taken back"
        );
        assert!(advice("open.net", &[]).contains("-all in place of +all"));
        let twice = advice("twice.net", &[]);
        assert!(twice.contains("make one record") && twice.contains("leave one record at _dmarc.twice.net"), "{twice}");
        let near = advice("near.net", &[]);
        assert!(near.contains("SPF: publish") && near.contains("DMARC: publish"), "{near}");
        // The domain above speaks for one below it: only SPF is wanting.
        let below = advice("mail.club.org", &[]);
        assert!(below.contains("SPF: publish") && !below.contains("DMARC: publish"), "{below}");
    }

    #[test]
    fn where_nobody_answers_nothing_is_claimed() {
        for manner in [Manner::Silent, Manner::Fails, Manner::Babbles] {
            let finding = published(&server(manner, SOUND), "club.org", &[signed("club.org", "s1")]);
            assert!(finding.is_none(), "{manner:?}: {finding:?}");
        }
    }

    #[test]
    fn signatures_are_read_from_a_folded_head() {
        let raw = b"Subject: DKIM-Signature: d=no.org; s=no\r\nDKIM-Signature: v=1; a=rsa-sha256;\r\n\td=club.org; s=s1;\r\n bh=a=;\
            \r\n b=x\r\nDkim-signature: d=only.org\r\n\r\nDKIM-Signature: d=body.org; s=b\r\n";
        assert_eq!(Signature::all_in(raw), [signed("club.org", "s1")]);
        assert!(Signature::all_in(b"").is_empty() && Signature::all_in(&[0xff, 0xfe]).is_empty());
    }
}
