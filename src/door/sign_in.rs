//! `cursus sign-in`: somebody lets Cursus into a mailbox that takes no password, with a browser.
//!
//! Works beside a running daemon, which reads the tokens anew each time it needs one.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};

use super::house;
use super::init::questions::Questions;
use crate::desk::settings::{CarrierKind, Settings};
use crate::post::mailbox::Tokens;

/// How long a browser is waited for once somebody says that it is done.
const PATIENCE: Duration = Duration::from_secs(600);

/// What is to be signed in to.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The settings; the usual places if none are named.
    pub config: Option<std::path::PathBuf>,
    /// The carrier; the only one with OAuth if none is named.
    pub carrier: Option<String>,
    /// Whether a browser of this machine is used where a code could be typed anywhere.
    pub browser: bool,
}

/// Lets somebody sign in to the mailbox of these settings, and says how.
pub fn sign_in(wish: &Wish, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<bool> {
    let place =
        house::place(wish.config.as_deref()).context("there are no settings here; `cursus init` writes some")?;
    house::refuse_root(&place)?;
    let settings = Settings::load(Path::new(&place))?;
    consent(&settings, wish.carrier.as_deref(), wish.browser, &mut Questions { input, out, asked: 0 })?;
    Ok(true)
}

/// Asks somebody to consent, and keeps the tokens.
pub(crate) fn consent(
    settings: &Settings,
    carrier: Option<&str>,
    browser: bool,
    questions: &mut Questions,
) -> anyhow::Result<()> {
    let mut mailboxes = settings.carriers.iter().filter_map(|known| match &known.kind {
        CarrierKind::Mailbox(mailbox) if carrier.is_none_or(|name| known.name == name) => {
            Some((known, mailbox.as_ref(), mailbox.oauth.as_ref()?))
        }
        CarrierKind::Mailbox(_) | CarrierKind::Spool(_) | CarrierKind::Forum(_) | CarrierKind::Feed(..) => None,
    });
    let Some((known, mailbox, oauth)) = mailboxes.next() else {
        bail!("no mailbox of the settings is signed in to with a browser: none has a table [carriers.NAME.oauth]")
    };
    if mailboxes.next().is_some() {
        bail!("several mailboxes are signed in to with a browser; name one: --carrier {}", known.name);
    }
    let tokens = Tokens::open(oauth, mailbox.root_certificate.as_deref())?;
    writeln!(questions.out, "\nSign in as {} in a browser and let Cursus read and send its mail.", mailbox.user)?;
    if tokens.has_codes() && !browser {
        let code = tokens.code()?;
        writeln!(
            questions.out,
            "Open   {}\nand type {}\nin any browser, on any machine. Waiting …",
            code.url, code.code
        )?;
        questions.out.flush()?;
        tokens.await_code(&code)?;
    } else {
        let visit = tokens.visit()?;
        writeln!(questions.out, "Open this address:\n\n{}\n", visit.url)?;
        let words = "Press Enter when the browser thanks you. Where it says instead that it cannot reach this machine, copy the \
                     whole address that it shows, and paste it here";
        let pasted = questions.line_or_nothing(words)?;
        tokens.await_visit(&visit, &pasted, PATIENCE)?;
    }
    writeln!(questions.out, "Signed in. The tokens are in {}.", oauth.token_file.display())?;
    Ok(())
}
