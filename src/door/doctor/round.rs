//! Letters to oneself and back.

use std::time::Duration;

use chrono::{TimeDelta, Utc};

use super::carriers::mailbox_advice;
use super::{CLOCKS, Finding};
use crate::desk::house::random;
use crate::desk::settings::CarrierSettings;
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
    /// To the own address. Says whether it came.
    pub(super) fn to_oneself(&self) -> anyhow::Result<(Vec<Finding>, bool)> {
        let what = "a letter to oneself";
        let address = self.carrier.address.as_str();
        let sent_at = Utc::now();
        let trip = match self.travel(address)? {
            Ok(trip) => trip,
            Err(strayed) => return Ok((vec![self.strayed(what, &strayed)], false)),
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
        if let Ok(letter) = letter::open(&trip.received.raw) {
            if letter.kind != Kind::Loop {
                let advice = "the provider has changed its head; ask him not to change the ids of letters";
                findings.push(Finding::mind(
                    "our own letters",
                    "they are not known as ours when they come back",
                    advice,
                ));
            }
            findings.extend(self.verdicts(&letter.authentication_results));
        }
        let apart = trip.received.arrived - sent_at - TimeDelta::from_std(trip.took).unwrap_or_default();
        if apart.abs() > CLOCKS {
            let says = format!("the server's clock is {} minutes from ours", apart.num_minutes().abs());
            let advice = "set the clock of this machine: the server's clock decides whether a letter is late";
            findings.push(Finding::mind("clocks", says, advice));
        }
        Ok((findings, true))
    }

    /// To the own address with something added to it: so the answers of players come back.
    pub(super) fn with_a_plus(&self) -> anyhow::Result<Finding> {
        let what = "plus-addressing";
        let address = self.carrier.address.as_str();
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        let tagged = format!("{local}+doctor.{}@{host}", word()?);
        let sample = format!("{local}+GAME.SEAT.SECRET@{host}");
        let advice = format!(
            "players answer to {sample}, and that must come to this mailbox. Switch on plus-addressing (also called \
             sub-addressing or address tags) at the provider, or let everything at {host} come here (catch-all), or take \
             another provider. On your own server: recipient_delimiter = + (Postfix, Dovecot), local_part_suffix = +* (Exim)"
        );
        Ok(match self.travel(&tagged)? {
            Ok(Trip { lies: Lies::Junk(folder), .. }) => {
                Finding::wrong(what, format!("letters to {sample} come into the folder {folder}"), advice)
            }
            Ok(trip) => {
                let letter = letter::open(&trip.received.raw).ok();
                let keeps = letter.is_some_and(|letter| {
                    letter.to.iter().chain(&letter.delivered_to).any(|to| to.eq_ignore_ascii_case(&tagged))
                });
                if keeps {
                    Finding::well(what, format!("letters to {sample} come back, after {}", seconds(trip.took)))
                } else {
                    Finding::wrong(what, "the letter came, but the part behind the + is lost", advice)
                }
            }
            Err(Strayed::Refused(_)) => {
                Finding::wrong(what, format!("the server does not take letters to {sample}"), advice)
            }
            Err(Strayed::Returned) => Finding::wrong(what, format!("letters to {sample} are returned"), advice),
            Err(Strayed::Nowhere) => {
                let says = format!("a letter to {sample} has not come in {}", seconds(self.patience));
                Finding::wrong(what, says, advice)
            }
            Err(strayed @ Strayed::Unseen(_)) => self.strayed(what, &strayed),
        })
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
        };
        Ok(self.mailbox.send_round(&dispatch, &word, self.patience))
    }

    fn strayed(&self, what: &str, strayed: &Strayed) -> Finding {
        let address = self.carrier.address.as_str();
        match strayed {
            Strayed::Refused(Trouble::Passing(says) | Trouble::Lasting(says)) => {
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

/// A word that stands in no other letter.
fn word() -> anyhow::Result<String> {
    Ok(random()?.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} seconds", time.as_secs_f64())
}
