//! What the doctor finds at the carriers, each kind in its own way.

use super::round::Round;
use super::{Examination, Finding, Remedy};
use crate::archive::Archive;
use crate::desk::settings::written::Length;
use crate::desk::settings::{CarrierKind, CarrierSettings, Settings};
use crate::post::forum::{Feed, Forum};
use crate::post::mailbox::{Mailbox, MailboxSettings};
use crate::post::spool::{Spool, SpoolSettings};
use crate::post::{Carrier, Memory, Trouble};

/// Tries a carrier. Each kind has its arm here, and nowhere else.
pub(super) fn examine_carrier(
    examination: &mut Examination,
    settings: &Settings,
    carrier: &CarrierSettings,
    wait: Length,
) -> anyhow::Result<()> {
    match &carrier.kind {
        CarrierKind::Spool(spool) => examination.note_all(examine_spool(carrier, spool)),
        CarrierKind::Mailbox(mailbox) => examine_mailbox(examination, carrier, mailbox, wait),
        CarrierKind::Forum(forum) => {
            let opened = Forum::open(&carrier.name, (**forum).clone()).map(|forum| forum.check());
            examination.note_all(examine_forum(carrier, opened))
        }
        CarrierKind::Feed(feed, _) => {
            let archive = Archive::visit(&settings.archive).ok();
            let threads = archive.and_then(|archive| archive.public_threads(&carrier.name).ok()).unwrap_or_default();
            let opened = Feed::open(&carrier.name, feed.clone()).map(|feed| {
                feed.recall(&Memory { threads, kept: Vec::new() });
                feed.check()
            });
            examination.note_all(examine_forum(carrier, opened))
        }
    }
}

/// What was tried, and what came of it.
type Tried = Vec<(String, Result<String, String>)>;

fn examine_forum(carrier: &CarrierSettings, opened: Result<Tried, Trouble>) -> Vec<Finding> {
    let what = |what: &str| format!("{} (forum): {what}", carrier.name);
    let finding = |(tried, result): (String, Result<String, String>)| match result {
        Ok(says) => Finding::well(&what(&tried), says),
        Err(says) => Finding::wrong(&what(&tried), says.clone(), forum_advice(&tried, &says)),
    };
    match opened {
        Ok(tried) => tried.into_iter().map(finding).collect(),
        Err(trouble) => vec![finding(("settings".to_owned(), Err(trouble.to_string())))],
    }
}

/// What to do about the trouble of a forum, by what was tried.
fn forum_advice(tried: &str, says: &str) -> &'static str {
    match tried {
        _ if says.contains("connection") || says.contains("certificate") => {
            "check `url`, and that this machine can reach it (a browser or curl will tell)"
        }
        "our user" if says.contains("scopes") => {
            "under Admin → API → New API key choose the user level “single user” and the scope “global”"
        }
        "settings" | "our user" => {
            "check `url`, the name of our user, and where the key or the password is: the forum must know both"
        }
        "the category" => "check `category`, and let our user begin threads there",
        "private messages" => {
            "let our user read and write private messages: on a young forum new users may not; or write \
             private_messages = false and give players an address for mail"
        }
        "a picture" => {
            "look at the site settings authorized_extensions (png), max_image_size_kb and embedded_media_post_allowed_groups"
        }
        "a test thread" => {
            "let our user create topics in the category; look at create_topic_allowed_groups, approve_post_count, \
             approve_unless_allowed_groups, min_topic_title_length and max_topics_per_day. A key that may only read is refused here too: \
             its scope must be “global”"
        }
        "a test message" => {
            "look at personal_message_enabled_groups and max_personal_messages_per_day (20 for all but staff: eighteen \
             invitations and this test nearly reach it)"
        }
        "an edit" => {
            "look at edit_post_allowed_groups, post_edit_time_limit, tl2_post_edit_time_limit and max_edits_per_day"
        }
        "removing" => "remove the thread by hand; look at max_post_deletions_per_minute and max_post_deletions_per_day",
        _ => "let our user write there; a new user may have to be trusted first",
    }
}

fn examine_spool(carrier: &CarrierSettings, settings: &SpoolSettings) -> Vec<Finding> {
    let what = |what: &str| format!("{} (spool): {what}", carrier.name);
    let advice = "give the folder to the user who runs Cursus, or write other ones as `in` and `out`";
    let spool = match Spool::open(&carrier.name, settings.clone()) {
        Ok(spool) => spool,
        Err(trouble) => return vec![Finding::wrong(&what("the folders"), trouble.to_string(), advice)],
    };
    let checked = spool.check().into_iter().map(|(tried, result)| match result {
        Ok(says) => Finding::well(&what(&tried), says),
        Err(says) => Finding::wrong(&what(&tried), says, advice),
    });
    let address = carrier.address.as_str();
    let sample = carrier.address.is_sample().then(|| {
        let advice =
            "that is fine for a try; for a real game let your mail server deliver into the spool, or use a mailbox";
        Finding::mind(&what("the address"), format!("{address} is the address of the sample file"), advice)
    });
    checked.chain(sample).collect()
}

fn examine_mailbox(
    examination: &mut Examination,
    carrier: &CarrierSettings,
    settings: &MailboxSettings,
    wait: Length,
) -> anyhow::Result<()> {
    let what = |what: &str| format!("{} (mailbox): {what}", carrier.name);
    if carrier.address.is_sample() {
        let says = format!("{} is the address of the sample file", carrier.address);
        return examination.note(Finding::wrong(&what("the address"), says, "write the address of your own mailbox"));
    }
    let mailbox = match Mailbox::open(&carrier.name, settings.clone()) {
        Ok(mailbox) => mailbox,
        Err(trouble) => {
            let says = trouble.to_string();
            let finding = Finding::wrong(&what("settings"), says.clone(), mailbox_advice(&says));
            return examination.note(finding.with(another_password(settings, &says)));
        }
    };
    let mut is_open = true;
    for (tried, result) in mailbox.check() {
        is_open &= result.is_ok();
        examination.note(match result {
            Ok(says) => Finding::well(&what(&tried), says),
            Err(says) => {
                let remedy = another_password(settings, &says).or_else(|| another_seal(&tried, &says));
                Finding::wrong(&what(&tried), says.clone(), mailbox_advice(&says)).with(remedy)
            }
        })?;
    }
    if !is_open {
        return Ok(());
    }
    let round = Round { mailbox: &mailbox, carrier, patience: wait.delta().to_std().unwrap_or_default() };
    let (finding, come) = round.to_oneself()?;
    examination.note_all(finding.into_iter().map(|finding| Finding { what: what(&finding.what), ..finding }))?;
    if let Some(keeps_ids) = come {
        let findings = round.with_answers(keeps_ids)?;
        examination.note_all(findings.into_iter().map(|finding| Finding { what: what(&finding.what), ..finding }))?;
    }
    Ok(())
}

/// What is said of a mailbox where there is no password.
const NO_PASSWORD: [&str; 3] = ["password cannot be read", "environment has no", "password is empty"];
/// What is said of one that is refused.
const REFUSED: &str = "login";

/// How a server that was tried is sealed, where what is said of it tells.
fn another_seal(tried: &str, says: &str) -> Option<Remedy> {
    let tls = ["starttls", "implicit"].into_iter().find(|tls| says.contains(&format!("write tls = \"{tls}\"")))?;
    Some(Remedy::Seal { is_way_out: tried.contains("SMTP"), tls })
}

/// Whether another password in its file may mend what is said of a mailbox.
fn another_password(settings: &MailboxSettings, says: &str) -> Option<Remedy> {
    let is_about_it = says.contains(REFUSED) || NO_PASSWORD.iter().any(|words| says.contains(words));
    let file = settings.password_file.as_ref().filter(|_| is_about_it && settings.oauth.is_none())?;
    Some(Remedy::Password(file.clone()))
}

/// What to do about the trouble of a mailbox, by what is said of it.
pub(super) fn mailbox_advice(says: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
    if has(&NO_PASSWORD) {
        "write the password, and nothing else, into the file that `password_file` names; or set the variable that \
             `password_env` names before you start Cursus"
    } else if has(&["know our program"]) {
        "look at the program that you have registered at the provider: write its client id as `client_id`, and its secret, which \
             may have run out, into the file that `client_secret_file` names. Nobody has to sign in again for that"
    } else if has(&["sign-in"]) {
        "call `cursus sign-in`: somebody lets Cursus in again with a browser. Where a new token is refused too, check `user`, \
             `scope`, and that IMAP and SMTP are switched on in the account"
    } else if has(&["tls = "]) {
        "write what it says for `tls` of this server, or the port that belongs to it"
    } else if has(&[REFUSED]) {
        "check `user` and the password. Most providers want an app password for mail programs, which you make in the \
             settings of the account, and IMAP switched on there"
    } else if has(&["certificate"]) {
        "check `host`: it must be the name in the server's certificate. A server with a certificate of its own needs \
             `root_certificate`"
    } else if has(&["refuses the inbox", "does not understand the inbox", "no plain name of a folder"]) {
        "there is no such folder: check `inbox`, which is INBOX at nearly every provider"
    } else if has(&["lookup address"]) {
        "no server of this name is found: check `host`, letter by letter, and that this machine reaches the net"
    } else if has(&["no connection", "hung up", "broke at", "does not answer", "turns us away", "cannot be understood"])
    {
        "check `host`, `port` and `tls`. Usual are for IMAP 993 with \"implicit\" or 143 with \"starttls\", for SMTP 465 \
             with \"implicit\" or 587 with \"starttls\"; a firewall may be in the way"
    } else {
        "ask the provider what it means"
    }
}
