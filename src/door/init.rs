//! `cursus init`: asks five questions, writes the settings, tries them, and creates the first game.
//!
//! Every question has a flag, so that a script can answer. Settings that are there are never overwritten: a second call goes on
//! with them where the first one ended.

mod autoconfig;
mod fetching;
mod first_game;
pub(crate) mod providers;
pub(crate) mod questions;
mod trial;
mod wish;
mod written;

use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use self::providers::{Host, OAuth, Provider, of_address, providers};
use self::questions::Questions;
pub use self::wish::Wish;
use self::written::{Carried, Mail, NewHouse};
use super::{house, sign_in};
use crate::archive::Archive;
use crate::desk::settings::mail::Answers;
use crate::desk::settings::written::{Address, Zone};
use crate::desk::settings::{CarrierKind, Settings};
use crate::post::private;
use crate::rules::{Language, PrintedGame};

/// The file that is written.
const SETTINGS: &str = "cursus.toml";

/// Sets a house up, or goes on with one whose settings are there. Says whether all is well.
pub fn init(printed: &PrintedGame, wish: &Wish, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<bool> {
    let file = wish.folder.join(SETTINGS);
    house::refuse_root(&file)?;
    let mut questions = Questions { input, out, asked: 0 };
    let (own, needs_consent) = if file.exists() {
        (None, go_on(&mut questions, wish, &file)?)
    } else {
        let house = found(&mut questions, wish, &file)?;
        let needs_consent = house.needs_consent();
        (Some(house), needs_consent)
    };
    if needs_consent {
        let signed_in = Settings::load(&file)
            .map_err(anyhow::Error::from)
            .and_then(|settings| sign_in::consent(&settings, None, false, &mut questions));
        if let Err(error) = signed_in {
            let (says, goes_on) = (format!("{error:#}"), again(&wish.folder));
            writeln!(questions.out, "\n{says}.\nThe settings are written; `{goes_on}` goes on from here.")?;
            if says.contains("our program") {
                let (place, secret) = (file.display(), written::CLIENT_SECRET);
                writeln!(
                    questions.out,
                    "Before that put `client_id` right in {place}, and the secret, if there is one, in the file {secret} beside it."
                )?;
            }
            return Ok(false);
        }
    }
    let is_well = match wish.doctor() {
        Some(wait) => trial::trial(&mut questions, &file, wait, own, wish.yes)?,
        None => true,
    };
    if !is_well {
        writeln!(
            questions.out,
            "\nMend what is wrong as it says above, then call `{}`: it goes on from here.",
            again(&wish.folder)
        )?;
        return Ok(false);
    }
    let explained =
        "You tell who plays and where to write to them; seats that you leave empty are played by built-in players.";
    let is_first = has_no_game(&file);
    let offer = if is_first { "\nCreate the first game now?" } else { "\nCreate another game now?" };
    if !wish.yes && questions.agree(offer, is_first, explained)? {
        first_game::create(&mut questions, printed, &wish.folder, &file)?;
    } else {
        writeln!(
            questions.out,
            "A game: `cursus game sample five > five.toml` writes a sample (or `sample 7` for seven); fill in who plays, then \
             `cursus game create five.toml`."
        )?;
    }
    match house::state(&wish.folder) {
        Some(_) => writeln!(
            questions.out,
            "As root: `systemctl enable --now cursus.service cursus-backup.timer` starts the daemon, now and whenever the \
             machine does."
        )?,
        None => writeln!(
            questions.out,
            "`cursus serve`, in the folder of the settings, runs the daemon; it goes on until you stop it."
        )?,
    }
    Ok(true)
}

/// Asks for a new house, and writes it down.
fn found(questions: &mut Questions, wish: &Wish, file: &Path) -> anyhow::Result<NewHouse> {
    writeln!(
        questions.out,
        "Five questions, then everything is tried. An empty answer takes what stands in [ ]; `?` explains."
    )?;
    let house = ask(questions, wish)?;
    private::create_folder(&wish.folder).with_context(|| format!("cannot make {}", wish.folder.display()))?;
    let written = write(wish, file, &house)?;
    writeln!(questions.out, "\nWritten: {}", written.join(", "))?;
    Ok(house)
}

/// The settings are there already. Says whether somebody has to sign in with a browser before they work.
fn go_on(questions: &mut Questions, wish: &Wish, file: &Path) -> anyhow::Result<bool> {
    if wish.has_answers() {
        bail!(
            "{} is there already and stays as it is, so what the flags say would not be used. `{}` without them goes on with it; \
             for a second house take another folder with `--folder`",
            file.display(),
            again(&wish.folder)
        );
    }
    writeln!(questions.out, "{} is there already and stays as it is.", file.display())?;
    let settings = Settings::load(file)?;
    Ok(settings.carriers.iter().any(|carrier| match &carrier.kind {
        CarrierKind::Mailbox(mailbox) => mailbox.oauth.as_ref().is_some_and(|oauth| !oauth.token_file.exists()),
        CarrierKind::Spool(_) | CarrierKind::Forum(_) | CarrierKind::Feed(..) => false,
    }))
}

/// How one goes on in a folder.
fn again(folder: &Path) -> String {
    if folder == Path::new(".") {
        "cursus init".to_owned()
    } else {
        format!("cursus init --folder {}", folder.display())
    }
}

/// Whether nothing was played here yet, as far as anybody can say.
fn has_no_game(file: &Path) -> bool {
    let archive = Settings::load(file).ok().and_then(|settings| Archive::visit(&settings.archive).ok());
    archive.and_then(|archive| archive.game_ids().ok()).is_none_or(|ids| ids.is_empty())
}

fn ask(questions: &mut Questions, wish: &Wish) -> anyhow::Result<NewHouse> {
    let known = providers();
    questions.head("Which address does Cursus have for itself?")?;
    let address: Address = answered(
        questions,
        wish,
        wish.mailbox.address.as_deref(),
        Question { words: "Address", usual: None, help: ADDRESS },
        &|text| own_address(text),
    )?;
    questions.head("Where is this mailbox?")?;
    let (address, carried) = mailbox(questions, wish, &known, address)?;
    questions.head("Who moderates?")?;
    let moderator = answered(
        questions,
        wish,
        wish.moderator.as_deref(),
        Question {
            words: "Name <address>",
            usual: None,
            help: "You, in most cases: `Ann Smith <ann@example.org>`. Commands are taken from this address only, and troubles \
               are told to it. The moderator may play as well.",
        },
        &|text| person(text, &address, matches!(carried, Carried::Mail(_))),
    )?;
    let zone = answered(
        questions,
        wish,
        wish.zone.as_deref(),
        Question {
            words: "Time zone",
            usual: Some(&here()),
            help: "A name like Europe/Warsaw or America/New_York. Times in letters to the moderator are told in it.",
        },
        &|text| text.parse::<Zone>(),
    )?;
    questions.head("In which language are people written to who have not chosen any?")?;
    let language = match wish.language {
        Some(language) => language,
        None => answered(
            questions,
            wish,
            None,
            Question { words: "en or pl", usual: Some("en"), help: LANGUAGES },
            &language,
        )?,
    };
    questions.head("Where does the archive lie?")?;
    let state = house::state(&wish.folder);
    let usual_archive = in_state(state, "cursus.sqlite");
    let archive = answered(
        questions,
        wish,
        wish.archive.as_deref(),
        Question {
            words: "File",
            usual: Some(&usual_archive),
            help: "Everything that ever happens is in this one file; back it up. A name without a path lies in the folder of the \
               settings.",
        },
        &|text| Ok(text.to_owned()),
    )?;
    Ok(NewHouse { address, carried, moderator, zone, language, archive, state })
}

/// A file or a folder that the daemon writes.
fn in_state(state: Option<&Path>, name: &str) -> String {
    state.map_or_else(|| name.to_owned(), |state| state.join(name).display().to_string())
}

const ADDRESS: &str = "A mailbox that nobody else uses: players write to it, and Cursus moves what it has read into a folder. \
    Without a mailbox, to try things out, write any address and answer `folder` to the next question.";

/// A question and what belongs to it.
struct Question<'a> {
    words: &'a str,
    usual: Option<&'a str>,
    help: &'a str,
}

/// What a flag says, or what somebody answers. A flag that will not do is asked about, where somebody is there to answer.
fn answered<T>(
    questions: &mut Questions,
    wish: &Wish,
    flag: Option<&str>,
    question: Question,
    read: &dyn Fn(&str) -> Result<T, String>,
) -> anyhow::Result<T> {
    match (flag, question.usual) {
        (Some(flag), _) => {
            writeln!(questions.out, "{}: {flag}", question.words)?;
            match read(flag) {
                Err(why) if !wish.yes => {
                    writeln!(questions.out, "{why}")?;
                    questions.ask(question.words, question.usual, question.help, read)
                }
                read => read.map_err(anyhow::Error::msg),
            }
        }
        (None, Some(usual)) if wish.yes => read(usual).map_err(anyhow::Error::msg),
        (None, usual) => questions.ask(question.words, usual, question.help, read),
    }
}

/// Where letters come from, and how one signs in there.
fn mailbox(
    questions: &mut Questions,
    wish: &Wish,
    known: &[Provider],
    mut address: Address,
) -> anyhow::Result<(Address, Carried)> {
    let (choice, said) = loop {
        let (choice, said) = choice(questions, wish, known, &address)?;
        if choice == "folder" {
            return Ok((address, Carried::Folder));
        }
        if !address.is_sample() {
            break (choice, said);
        }
        let says = format!("{address} is an address of the samples, which nobody has; write the real one.");
        if wish.yes {
            bail!("{says}");
        }
        writeln!(questions.out, "{says}")?;
        address = questions.ask("Address", None, ADDRESS, own_address)?;
    };
    let (_, domain) = address.as_str().rsplit_once('@').unwrap_or_default();
    let provider = known.iter().find(|provider| provider.id == choice);
    let (imap, smtp) = match provider {
        Some(provider) => (provider.imap.clone(), provider.smtp.clone()),
        None => own_servers(questions, wish, domain, said.as_ref())?,
    };
    if let Some(provider) = provider {
        introduce(questions, provider)?;
    }
    let usual_user = match &said {
        Some(servers) if servers.short_user => address.as_str().split('@').next().unwrap_or_default(),
        _ => address.as_str(),
    };
    let user = answered(
        questions,
        wish,
        wish.mailbox.user.as_deref(),
        Question { words: "Sign in as", usual: Some(usual_user), help: "At most providers it is the whole address." },
        &|text| Ok(text.to_owned()),
    )?;
    let key = match consents(questions, wish, provider)? {
        Some(oauth) => with_browser(questions, wish, oauth)?,
        None => with_password(questions, wish, provider)?,
    };
    let root_certificate = wish.mailbox.root_certificate.clone();
    let has_no_plus = provider.is_some_and(|provider| provider.plus == Some(false));
    let answers = has_no_plus.then(|| Answers::without_sign(true));
    let provider = provider.cloned();
    let mail = Mail { provider, imap, smtp, user, key, root_certificate, answers, sealed: Vec::new() };
    Ok((address, Carried::Mail(Box::new(mail))))
}

/// Which provider it is, and what its domain says of its servers where we do not know it.
fn choice(
    questions: &mut Questions,
    wish: &Wish,
    known: &[Provider],
    address: &Address,
) -> anyhow::Result<(String, Option<autoconfig::Servers>)> {
    let names: Vec<&str> = known.iter().map(|provider| provider.id.as_str()).collect();
    let (_, domain) = address.as_str().rsplit_once('@').unwrap_or_default();
    let guessed = of_address(known, address.as_str()).map(|provider| provider.id.as_str());
    let is_unknown = guessed.is_none() && wish.mailbox.provider.is_none() && wish.mailbox.imap.is_none();
    let said = if is_unknown { autoconfig::ask(domain) } else { None };
    if said.is_some() {
        writeln!(questions.out, "{domain} says itself where its servers are.")?;
    }
    let usual = if wish.mailbox.imap.is_some() { "own" } else { guessed.unwrap_or("own") };
    let help = format!(
        "One of {}; `own` for any other server; `folder` for two folders on this machine, with no server at all.",
        names.join(", ")
    );
    let choice = answered(
        questions,
        wish,
        wish.mailbox.provider.as_deref(),
        Question { words: "Provider", usual: Some(usual), help: &help },
        &|text| {
            let text = text.to_lowercase();
            let is_known = names.contains(&text.as_str()) || ["own", "folder"].contains(&text.as_str());
            if is_known { Ok(text) } else { Err(format!("`{text}` is not known. {help}")) }
        },
    )?;
    Ok((choice, said))
}

/// Where a server of one's own is: for letters in, and for letters out.
fn own_servers(
    questions: &mut Questions,
    wish: &Wish,
    domain: &str,
    said: Option<&autoconfig::Servers>,
) -> anyhow::Result<(Host, Host)> {
    let suggested = |kind: &str| match said {
        Some(servers) if kind == "imap" => shown(&servers.imap),
        Some(servers) => shown(&servers.smtp),
        None => format!("{kind}.{domain}"),
    };
    let ask = |questions: &mut Questions, kind: &str, flag: Option<&str>| {
        let words = format!("{} server", kind.to_uppercase());
        answered(
            questions,
            wish,
            flag,
            Question {
                words: &words,
                usual: Some(&suggested(kind)),
                help: "The name of the server; with :PORT where it is not the usual one, and then :implicit or \
                   :starttls. mail.example.org:587:starttls",
            },
            &|text| host(text, kind),
        )
    };
    let imap = ask(questions, "imap", wish.mailbox.imap.as_deref())?;
    Ok((imap, ask(questions, "smtp", wish.mailbox.smtp.as_deref())?))
}

/// What one has to know about a provider before going on.
fn introduce(questions: &mut Questions, provider: &Provider) -> anyhow::Result<()> {
    if let Some(what) = &provider.switch_on {
        writeln!(questions.out, "{what}")?;
    }
    if let Some(most) = provider.per_day {
        writeln!(questions.out, "It sends {most} letters a day at most (as of {}).", provider.as_of)?;
    }
    match provider.plus {
        Some(true) => {}
        Some(false) => writeln!(
            questions.out,
            "There name+anything@… does not arrive; so answers find their letter by its id and by a word in its subject."
        )?,
        None => writeln!(
            questions.out,
            "Whether name+anything@… arrives there is not known to us; the doctor will find out, for that is where players answer."
        )?,
    }
    Ok(())
}

/// Whether one signs in with a browser, and where: at once where no password is taken, and otherwise where it is wished.
fn consents(questions: &mut Questions, wish: &Wish, provider: Option<&Provider>) -> anyhow::Result<Option<OAuth>> {
    if let Some(token_url) = &wish.mailbox.consent.token_url {
        return Ok(Some(OAuth {
            authorize_url: wish.mailbox.consent.authorize_url.clone(),
            device_url: wish.mailbox.consent.device_url.clone(),
            token_url: token_url.clone(),
            scope: wish.mailbox.consent.scope.clone().unwrap_or_default(),
            redirect: None,
            mechanism: None,
            has_secret: wish.mailbox.consent.client_secret_file.is_some(),
            register: "Register Cursus as a program at your server.".to_owned(),
            source: String::new(),
        }));
    }
    let Some((provider, oauth)) = provider.and_then(|provider| Some((provider, provider.oauth.clone()?))) else {
        return Ok(None);
    };
    let is_wished = match (
        provider.takes_passwords(),
        wish.mailbox.consent.client_id.is_some(),
        wish.mailbox.password_file.is_some(),
    ) {
        (false, ..) | (true, true, _) => true,
        (true, false, true) => false,
        (true, false, false) if wish.yes => false,
        (true, false, false) => {
            let help = "An app password is quicker. Some accounts have none: then one signs in with a browser, for which you \
                        register a program of your own at the provider, once.";
            let words = format!("Sign in with an {}?", provider.password());
            !questions.agree(&words, true, help)?
        }
    };
    Ok(is_wished.then_some(oauth))
}

/// The host's own program at a provider. Nobody else's is used: whoever registers one answers for it.
fn with_browser(questions: &mut Questions, wish: &Wish, oauth: OAuth) -> anyhow::Result<written::MailKey> {
    if wish.mailbox.consent.client_id.is_none() {
        writeln!(questions.out, "{}", oauth.register)?;
    }
    let client_id = answered(
        questions,
        &Wish { yes: false, ..wish.clone() },
        wish.mailbox.consent.client_id.as_deref(),
        Question { words: "Client id", usual: None, help: &oauth.register },
        &|text| {
            if text.contains(char::is_whitespace) {
                Err("A client id has no blanks in it.".to_owned())
            } else {
                Ok(text.to_owned())
            }
        },
    )?;
    let client_secret = match &wish.mailbox.consent.client_secret_file {
        Some(file) => {
            let secret = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            Some(secret.trim().to_owned())
        }
        None if oauth.has_secret => Some(questions.secret("Client secret", &oauth.register)?),
        None => None,
    };
    Ok(written::MailKey::OAuth { oauth: Box::new(oauth), client_id, client_secret })
}

/// The password, in a file that is there or gets one.
fn with_password(
    questions: &mut Questions,
    wish: &Wish,
    provider: Option<&Provider>,
) -> anyhow::Result<written::MailKey> {
    let called = provider.map_or("password", Provider::password);
    match &wish.mailbox.password_file {
        Some(file) if file.is_file() => Ok(written::MailKey::Kept(std::path::absolute(file)?)),
        Some(file) => bail!("there is no file {}", file.display()),
        None if wish.yes => bail!("with --yes the password has to be in a file: --password-file FILE"),
        None => {
            let left = wish.folder.join(written::PASSWORD);
            let what = "It was written by a set-up that did not come to its end. If you say no, you type another, and the file is \
                        moved aside.";
            let words = format!("{} is here already. Sign in with the password in it?", left.display());
            if left.is_file() && questions.agree(&words, true, what)? {
                return Ok(written::MailKey::Left);
            }
            let help = provider.and_then(|provider| provider.switch_on.clone());
            let help = help.unwrap_or_else(|| "It is kept in a file of its own that only you can read.".to_owned());
            Ok(written::MailKey::Typed(questions.secret(&capital(called), &help)?))
        }
    }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn shown(host: &Host) -> String {
    format!("{}:{}:{}", host.host, host.port, host.tls)
}

const LANGUAGES: &str = "English or Polish. Everybody may choose for themselves, by letter.";

fn language(text: &str) -> Result<Language, String> {
    Language::coded(&text.to_lowercase()).ok_or_else(|| "Write en or pl.".to_owned())
}

/// `host`, `host:port` or `host:port:tls`.
fn host(text: &str, kind: &str) -> Result<Host, String> {
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or_default().trim().to_lowercase();
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-.".contains(sign);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!("`{text}` is no name of a server."));
    }
    let usual = if kind == "imap" { 993 } else { 465 };
    let port = parts.next().map_or(Ok(usual), |port| port.parse().map_err(|_| format!("`{port}` is no port.")))?;
    let by_port = if [587, 143, 25].contains(&port) { "starttls" } else { "implicit" };
    let tls = parts.next().unwrap_or(by_port).to_lowercase();
    if !["implicit", "starttls", "none"].contains(&tls.as_str()) || parts.next().is_some() {
        return Err(format!("`{text}`: write host:port:implicit or host:port:starttls."));
    }
    Ok(Host { host: name, port, tls })
}

/// An address that somebody may have, and no sample of ours.
fn own_address(text: &str) -> Result<Address, String> {
    let address =
        text.parse::<Address>().map_err(|_| format!("`{text}` is no address; write one like cursus@example.org."))?;
    if address.as_str().contains('+') {
        return Err("Write it without `+`: what stands behind it is ours to write.".to_owned());
    }
    Ok(address)
}

/// `Ann Smith <ann@example.org>`. To an address of the samples nobody is written by real mail.
fn person(text: &str, own: &Address, is_mailed: bool) -> Result<(String, Address), String> {
    let wanted = || format!("`{text}`: write a name and an address, `Ann Smith <ann@example.org>`.");
    let (name, rest) = text.split_once('<').ok_or_else(wanted)?;
    let address: Address = rest.trim_end().trim_end_matches('>').trim().parse().map_err(|_| wanted())?;
    let name = name.trim().trim_matches('"').trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(wanted());
    }
    if address.as_str().eq_ignore_ascii_case(own.as_str()) {
        return Err("That is the address of Cursus itself; the moderator needs another.".to_owned());
    }
    if is_mailed && address.is_sample() {
        return Err(format!("{address} is an address of the samples, which nobody has; write the real one."));
    }
    Ok((name.to_owned(), address))
}

/// The zone of this machine, where it says so.
fn here() -> String {
    let named = std::env::var("TZ").ok().or_else(|| fs::read_to_string("/etc/timezone").ok());
    let linked = || {
        let link = fs::read_link("/etc/localtime").ok()?;
        let (_, zone) = link.to_str()?.split_once("zoneinfo/")?;
        Some(zone.to_owned())
    };
    let zone = named.map(|zone| zone.trim().trim_start_matches(':').to_owned()).filter(|zone| !zone.is_empty());
    zone.or_else(linked).filter(|zone| zone.parse::<Zone>().is_ok()).unwrap_or_else(|| "UTC".to_owned())
}

/// A secret that a set-up left which did not come to its end gives way to the one that was typed. Nothing is overwritten.
fn put_aside(file: &Path) -> anyhow::Result<Option<PathBuf>> {
    if !file.exists() {
        return Ok(None);
    }
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("secret");
    let mut free = (1..).map(|number| file.with_file_name(format!("{name}.{number}"))).filter(|other| !other.exists());
    let aside = free.next().context("no name is free")?;
    fs::rename(file, &aside).with_context(|| format!("cannot move {} aside", file.display()))?;
    Ok(Some(aside))
}

/// Writes the files; says which. Only their owner can read them.
fn write(wish: &Wish, file: &Path, house: &NewHouse) -> anyhow::Result<Vec<String>> {
    let mut written = Vec::new();
    if let Some((name, _)) = house.secret()
        && let Some(aside) = put_aside(&wish.folder.join(name))?
    {
        written.push(format!("{} (what stood in {name} before)", aside.display()));
    }
    let mut put = |path: &Path, text: &str| -> anyhow::Result<()> {
        let mut file = private::create_new_file(path).with_context(|| format!("cannot write {}", path.display()))?;
        file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(path.display().to_string());
        Ok(())
    };
    let text = house.text();
    // What the daemon could not read is not written.
    Settings::read(SETTINGS, &text, &wish.folder)?;
    if let Some((name, secret)) = house.secret() {
        put(&wish.folder.join(name), &format!("{secret}\n"))?;
    }
    put(file, &text)?;
    Ok(written)
}
