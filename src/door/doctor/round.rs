//! Letters to oneself and back.

use std::time::Duration;

use chrono::{TimeDelta, Utc};

use super::carriers::mailbox_advice;
use super::dns::Names;
use super::published::{Signature, published};
use super::{CLOCKS, Finding, Remedy};
use crate::desk::house::random;
use crate::desk::settings::CarrierSettings;
use crate::desk::settings::mail::Answers;
use crate::post::authentication::Results;
use crate::post::letter::{self, Kind};
use crate::post::mailbox::{Lies, Mailbox, Strayed, Trip};
use crate::post::{Dispatch, Trouble};

/// Letters to oneself and back.
pub(super) struct Round<'a> {
    pub(super) mailbox: &'a Mailbox,
    pub(super) carrier: &'a CarrierSettings,
    pub(super) patience: Duration,
}

impl Round<'_> {
    /// To the own address. Says whether it came, and then whether with the id that we gave it.
    pub(super) fn to_oneself(&self) -> anyhow::Result<(Vec<Finding>, Option<bool>)> {
        let what = "a letter to oneself";
        let address = self.carrier.address.as_str();
        let sent_at = Utc::now();
        let trip = match self.travel(address)? {
            Ok(trip) => trip,
            Err(strayed) => return Ok((vec![self.strayed(what, &strayed)], None)),
        };
        let took = seconds(trip.took);
        let mut findings = vec![match &trip.lies {
            Lies::Inbox => Finding::well(what, format!("it was back after {took} and is put away")),
            Lies::Kept => Finding::well(what, format!("it was back after {took}; the daemon has put it away")),
            Lies::Junk(folder) => Finding::wrong(
                what,
                format!("it came, but into the folder {folder}"),
                "tell your provider that letters from this address are no spam; players' letters may end there too",
            ),
        }];
        let mut keeps_ids = false;
        if let Ok(letter) = letter::open(&trip.received.raw) {
            keeps_ids = letter.message_id.is_some_and(|id| id.starts_with("doctor.cursusdoctor"));
            if letter.kind != Kind::Loop {
                let advice = "the provider has changed its head; ask it not to change the ids of letters";
                findings.push(Finding::mind(
                    "our own letters",
                    "they are not known as ours when they come back",
                    advice,
                ));
            }
            findings.extend(self.verdicts(&letter.sender.authentication_results));
            findings.extend(proofs(&letter.sender.authentication_results));
        }
        let host = address.rsplit_once('@').map_or("localhost", |(_, host)| host);
        findings.extend(published(&Names::of_this_machine(), host, &Signature::all_in(&trip.received.raw)));
        let apart = trip.received.arrived - sent_at - TimeDelta::from_std(trip.took).unwrap_or_default();
        if apart.abs() > CLOCKS {
            let says = format!("the server's clock is {} minutes from ours", apart.num_minutes().abs());
            let advice = "set the clock of this machine: the server's clock decides whether a letter is late";
            findings.push(Finding::mind("clocks", says, advice));
        }
        Ok((findings, Some(keeps_ids)))
    }

    /// What players' answers carry, as the settings have it: whether it comes back. Where it does not, what else would.
    pub(super) fn with_answers(&self, keeps_ids: bool) -> anyhow::Result<Vec<Finding>> {
        let answers = self.carrier.habits.answers;
        let mut findings = Vec::new();
        if answers.message_id {
            findings.push(if keeps_ids {
                Finding::well("answers by id", "the ids of our letters come back as they were")
            } else {
                let says = "the server has changed the id of our letter, so answers cannot name it";
                let otherwise = Answers { message_id: false, subject: true, ..answers };
                let advice = "take \"message_id\" out of `answers`, and write \"subject\" there";
                Finding::wrong("answers by id", says, advice).with(Some(Remedy::Answers(otherwise)))
            });
        }
        if answers.subject {
            findings.push(Finding::well("answers by subject", "the subject comes back as it was"));
        }
        let Some(sign) = answers.delimiter else { return Ok(findings) };
        let what = if sign == '+' { "plus-addressing".to_owned() } else { format!("addresses with {sign}") };
        let (says, is_unseen) = match self.with_a_sign(sign)? {
            Ok(took) => {
                let says = format!("letters to {} come back, after {took}", self.sample(sign));
                findings.push(Finding::well(&what, says));
                return Ok(findings);
            }
            Err(finding) => finding,
        };
        let (advice, otherwise) = if is_unseen {
            (mailbox_advice(&says).to_owned(), None)
        } else {
            let otherwise = self.otherwise(sign, keeps_ids)?;
            (self.in_place_of(sign, &otherwise), Some(Remedy::Answers(otherwise)))
        };
        // Where answers find their letter in another way too, none is lost.
        findings.push(if answers.message_id || answers.subject {
            Finding::mind(&what, says, advice)
        } else {
            Finding::wrong(&what, says, advice).with(otherwise)
        });
        Ok(findings)
    }

    /// What works where letters to an address with this sign do not come: another sign, which is tried, or what needs none.
    fn otherwise(&self, sign: char, keeps_ids: bool) -> anyhow::Result<Answers> {
        for other in ['+', '-'].into_iter().filter(|other| *other != sign) {
            if self.with_a_sign(other)?.is_ok() {
                return Ok(Answers { delimiter: Some(other), ..Answers::default() });
            }
        }
        Ok(Answers::without_sign(keeps_ids))
    }

    /// What to do where letters to an address with this sign do not come.
    fn in_place_of(&self, sign: char, otherwise: &Answers) -> String {
        let lines = otherwise.written();
        if let Some(other) = otherwise.delimiter {
            return format!("letters to {} come back: write {lines} for this carrier", self.sample(other));
        }
        let host = self.carrier.address.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
        format!(
            "players answer to {}, and that does not come to this mailbox. Write {lines} for this carrier: then their \
             answers find their letter without it. Or switch on plus-addressing (also called sub-addressing or address tags) at \
             the provider, or let everything at {host} come here (catch-all). On your own server: recipient_delimiter = + \
             (Postfix, Dovecot), local_part_suffix = +* (Exim)",
            self.sample(sign)
        )
    }

    /// What an address for an answer looks like.
    fn sample(&self, sign: char) -> String {
        let address = self.carrier.address.as_str();
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        format!("{local}{sign}GAME.SEAT.SECRET@{host}")
    }

    /// A letter to the own address with something added to it: how long it took; or what went wrong, and whether nobody can
    /// say.
    fn with_a_sign(&self, sign: char) -> anyhow::Result<Result<String, (String, bool)>> {
        let address = self.carrier.address.as_str();
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        let tagged = format!("{local}{sign}doctor.{}@{host}", word()?);
        let sample = self.sample(sign);
        let says = match self.travel(&tagged)? {
            Ok(Trip { lies: Lies::Junk(folder), .. }) => format!("letters to {sample} come into the folder {folder}"),
            Ok(trip) => {
                let letter = letter::open(&trip.received.raw).ok();
                let keeps = letter.is_some_and(|letter| {
                    letter
                        .addressed
                        .to
                        .iter()
                        .chain(&letter.addressed.delivered_to)
                        .any(|to| to.eq_ignore_ascii_case(&tagged))
                });
                if keeps {
                    return Ok(Ok(seconds(trip.took)));
                }
                format!("the letter came, but the part behind the {sign} is lost")
            }
            Err(Strayed::Refused(_)) => format!("the server does not take letters to {sample}"),
            Err(Strayed::Returned) => format!("letters to {sample} are returned"),
            Err(Strayed::Nowhere) => format!("a letter to {sample} has not come in {}", seconds(self.patience)),
            Err(Strayed::Unseen(says)) => return Ok(Err((says, true))),
        };
        Ok(Err((says, false)))
    }

    fn travel(&self, to: &str) -> anyhow::Result<Result<Trip, Strayed>> {
        let word = format!("cursusdoctor{}", word()?);
        let host = self.carrier.address.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
        let dispatch = Dispatch {
            message_id: format!("doctor.{word}@cursus.{host}"),
            date: Utc::now(),
            to: to.to_owned(),
            reply_to: None,
            in_reply_to: None,
            references: Vec::new(),
            subject: format!("Cursus doctor {word}"),
            text: "`cursus doctor` has sent this letter to itself, to see whether it comes back. It may be deleted."
                .to_owned(),
            html: None,
            picture: None,
            data: None,
            list: None,
        };
        Ok(self.mailbox.send_round(&dispatch, &word, self.patience))
    }

    fn strayed(&self, what: &str, strayed: &Strayed) -> Finding {
        let address = self.carrier.address.as_str();
        match strayed {
            Strayed::Refused(Trouble::Passing(says) | Trouble::Lasting(says) | Trouble::Barred(says)) => {
                let advice =
                    "check `address`: most providers only take letters from the address that belongs to `user`";
                Finding::wrong(what, says.clone(), advice)
            }
            Strayed::Returned => {
                let says = format!("a letter to {address} is returned as undeliverable");
                Finding::wrong(what, says, "check `address`: it must be the address of this mailbox")
            }
            Strayed::Nowhere => {
                let says = format!("a letter to {address} was taken, but has not come in {}", seconds(self.patience));
                let advice = "check that `address` belongs to this mailbox and that no filter moves letters; for a slow \
                              provider call `cursus doctor --wait 5min`";
                Finding::wrong(what, says, advice)
            }
            Strayed::Unseen(says) => Finding::wrong(what, says.clone(), mailbox_advice(says)),
        }
    }

    /// Whose word about senders can be believed.
    fn verdicts(&self, results: &[Vec<String>]) -> Option<Finding> {
        let what = "forged senders";
        let seen = results.iter().flatten().find_map(|result| Results::read(result)).map(|results| results.host)?;
        match &self.carrier.authserv_id {
            Some(host) if host.eq_ignore_ascii_case(&seen) => {
                Some(Finding::well(what, format!("{host} judges senders, and is believed")))
            }
            Some(host) => {
                let says = format!("`authserv_id` is {host:?}, but the server signs its verdicts as {seen:?}");
                Some(Finding::mind(what, says, format!("write authserv_id = {seen:?}")))
            }
            None => {
                let says = format!("the server judges senders as {seen:?}, and nobody believes it yet");
                let advice = format!("write authserv_id = {seen:?}: letters with a forged sender are parked then");
                Some(Finding::mind(what, says, advice))
            }
        }
    }
}

/// What the provider found out about our own letter: what other providers will find out as well, and judge us by.
fn proofs(results: &[Vec<String>]) -> Option<Finding> {
    let what = "how we look to others";
    let found: Vec<_> = results
        .iter()
        .flatten()
        .filter_map(|result| Results::read(result)?.found.ok())
        .flatten()
        .filter(|found| ["spf", "dkim", "dmarc"].contains(&found.method.as_str()))
        .collect();
    if found.is_empty() {
        return None;
    }
    let said: Vec<String> = found.iter().map(|found| format!("{} {}", found.method, found.result)).collect();
    let failed: Vec<&str> = ["spf", "dkim", "dmarc"]
        .into_iter()
        .filter(|method| {
            let mut of = found.iter().filter(|found| found.method == *method).peekable();
            // One signature of several is enough.
            of.peek().is_some() && of.all(|found| found.result != "pass")
        })
        .collect();
    let says = format!("the provider says of our own letter: {}", said.join(", "));
    if failed.is_empty() {
        return Some(Finding::well(what, says));
    }
    let advice: Vec<&str> = failed
        .iter()
        .map(|method| match *method {
            "spf" => "SPF: publish a TXT record at your domain that names who may send for it, v=spf1 include:(your provider) -all",
            "dkim" => "DKIM: switch on signing at your provider, or on your own server, and publish the key that it shows",
            _ => "DMARC: publish a TXT record at _dmarc.(your domain), v=DMARC1; p=none, and let SPF or DKIM pass for the same domain",
        })
        .collect();
    Some(Finding::mind(
        what,
        says,
        format!("{}. Else players' providers may take our letters for spam", advice.join(". ")),
    ))
}

/// A word that stands in no other letter.
fn word() -> anyhow::Result<String> {
    Ok(random()?.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} seconds", time.as_secs_f64())
}
