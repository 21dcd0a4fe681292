//! What the desk always has at hand: the settings, the secret of its addresses, the editions and their words.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::DeskError;
use super::incoming::naming::{LEAVE, mark};
use super::settings::{CarrierSettings, Settings};
use super::table::Table;
use crate::archive::{Address, Archive, LetterId, Party, Role, SeatId};
use crate::game::GameId;
use crate::orders::Lexicon;
use crate::post::{Cause, Form, List};
use crate::report::letters::{Maps, mailto};
use crate::report::{TemplateFiles, Templates};
use crate::rules::{EditionFiles, Language, PrintedGame};

/// How many letters the secret of an answer has.
pub(crate) const SECRET: usize = 16;

/// What does not change while the daemon runs, but for what carriers warn of.
pub struct House {
    pub settings: Settings,
    /// The edition that new games are played with, with its files.
    pub edition: Arc<Edition>,
    /// The words of each language, as they were read when the daemon began.
    words: BTreeMap<&'static str, TemplateFiles>,
    /// The pictures drawn so far.
    pub maps: Maps,
    /// The secret of the reply addresses.
    key: [u8; 32],
    /// How often a copy took the place of the archive.
    epoch: u32,
    editions: RefCell<HashMap<String, Arc<Edition>>>,
    /// What somebody has to mend: since when, and what is said of it.
    pub(in crate::desk) warnings: BTreeMap<(String, Cause), (i64, String)>,
}

/// An edition of the printed game, and all words that speak of it.
pub struct Edition {
    /// The hash of its files.
    pub hash: String,
    /// Its files as JSON.
    pub files: String,
    pub printed: Arc<PrintedGame>,
    /// The names that players write.
    pub lexicon: Arc<Lexicon>,
    english: Arc<Templates>,
    polish: Arc<Templates>,
}

impl Edition {
    /// The words of a language.
    pub(crate) fn templates(&self, language: Language) -> &Templates {
        self.shared_templates(language)
    }

    /// The same, for somebody who outlives us.
    pub(crate) fn shared_templates(&self, language: Language) -> &Arc<Templates> {
        match language {
            Language::English => &self.english,
            Language::Polish => &self.polish,
        }
    }
}

impl House {
    /// Moves in: reads the words, and finds the secret of this archive or makes one.
    ///
    /// # Errors
    /// The edition or the templates are not sound, or the archive does not answer.
    pub fn new(
        archive: &Archive,
        settings: Settings,
        files: &EditionFiles,
        words: BTreeMap<&'static str, TemplateFiles>,
    ) -> Result<House, DeskError> {
        let key = match archive.kept("key")? {
            Some(key) => {
                key.try_into().map_err(|_| DeskError::Damaged("the key of the archive has 32 bytes".into()))?
            }
            None => {
                let key = random()?;
                archive.keep("key", &key)?;
                key
            }
        };
        let edition = Arc::new(edition(files, &words)?);
        let editions = RefCell::new(HashMap::from([(edition.hash.clone(), Arc::clone(&edition))]));
        Ok(House {
            settings,
            edition,
            words,
            maps: Maps::default(),
            key,
            epoch: archive.epoch(),
            editions,
            warnings: BTreeMap::new(),
        })
    }

    /// The edition a game is played with: it keeps the one it began with.
    ///
    /// # Errors
    /// The archive does not have it.
    pub(crate) fn edition_of(&self, archive: &Archive, hash: &str) -> Result<Arc<Edition>, DeskError> {
        if let Some(known) = self.editions.borrow().get(hash) {
            return Ok(Arc::clone(known));
        }
        let missing = || DeskError::Damaged(format!("the archive has no edition {hash}"));
        let files = archive.edition(hash)?.ok_or_else(missing)?;
        let texts: BTreeMap<String, String> =
            serde_json::from_str(&files).map_err(|error| DeskError::Damaged(error.to_string()))?;
        let files = EditionFiles::fetch(|name| texts.get(name).cloned().ok_or_else(missing))?;
        let edition = Arc::new(edition(&files, &self.words)?);
        self.editions.borrow_mut().insert(hash.to_owned(), Arc::clone(&edition));
        Ok(edition)
    }

    /// The secret of the answers to a letter of ours: whoever has the letter has it, and nobody else can guess it.
    pub fn secret(&self, message_id: &str) -> String {
        letters(&Sha256::new().chain_update(self.key).chain_update(message_id).finalize(), SECRET)
    }

    /// The secret of one answer to a letter of ours, which admits this line and nothing else.
    pub(crate) fn tap_secret(&self, message_id: &str, line: &str) -> String {
        letters(&self.seal("tap", &format!("{message_id}\n{line}")), SECRET)
    }

    /// The secret of the link by which a program asks in somebody's name for no more letters. It admits nothing else.
    pub(crate) fn leave_secret(&self, of: &SeatId, address: &str) -> String {
        letters(&self.seal("leave", &format!("{}.{}.{}", of.game, of.party.stored(), address.to_lowercase())), SECRET)
    }

    /// What programs that sort mail are told of a letter to a seat.
    pub(crate) fn list(&self, carrier: &CarrierSettings, of: &SeatId, address: &str) -> List {
        let secret = self.leave_secret(of, address);
        let (local, host) = carrier.address.as_str().rsplit_once('@').unwrap_or_default();
        let leave = match carrier.habits.answers.delimiter {
            Some(sign) => mailto(&format!("{local}{sign}{LEAVE}{secret}@{host}"), "unsubscribe", "unsubscribe"),
            None => mailto(carrier.address.as_str(), &format!("unsubscribe {}", mark(&secret)), "unsubscribe"),
        };
        List { id: format!("{}.{}", of.game, own_host(carrier)), leave }
    }

    /// The secret in the link of a seat: the same as long as its generation is. A deputy has one of their own, so that
    /// the code the deputy asks for is sent to them.
    pub(crate) fn link_secret(&self, game: &GameId, seat: &str, role: Role, generation: u32) -> String {
        let role = match role {
            Role::Player => "player",
            Role::Deputy => "deputy",
        };
        letters(&self.seal("link", &format!("{game}.{seat}.{role}.{generation}")), 26)
    }

    /// What stands in the link of a seat: `demo.egypt.SECRET`.
    pub(crate) fn link_of(&self, table: &Table, party: Party, role: Role) -> String {
        let (game, seat) = (&table.game.id, slug(&table.edition.printed, party));
        format!("{game}.{seat}.{}", self.link_secret(game, &seat, role, table.link(party).generation))
    }

    /// The address of a seat's page, where there is one. Whoever reads in public has none.
    pub fn page_link(&self, table: &Table, party: Party, role: Role) -> Option<String> {
        let web = self.settings.web.as_ref().filter(|_| party != Party::Public)?;
        Some(web.url(&format!("/p/{}", self.link_of(table, party, role))))
    }

    /// Where everybody may watch a game, if it is shown.
    pub(crate) fn watch_link(&self, table: &Table) -> Option<String> {
        let web = self.settings.web.as_ref().filter(|_| table.agreed.public_page)?;
        Some(web.url(&format!("/g/{}", table.game.id)))
    }

    /// A code as it is written down.
    pub(crate) fn sealed_code(&self, browser: &[u8; 32], code: &str) -> [u8; 32] {
        let browser: String = browser.iter().map(|byte| format!("{byte:02x}")).collect();
        self.seal("code", &format!("{browser}.{code}"))
    }

    /// A sealed form of our own words: the same each time, and nobody who sees it can say what they were. `what` keeps
    /// seals for one purpose apart from those for another.
    fn seal(&self, what: &str, words: &str) -> [u8; 32] {
        let keyed = || Sha256::new().chain_update(self.key);
        let inner = keyed().chain_update(what).chain_update([0]).chain_update(words).finalize();
        keyed().chain_update(inner).finalize().into()
    }

    /// What a moderator calls a letter that is set aside. It does not count: the moderator may play themselves.
    pub(crate) fn aside_number(&self, letter: LetterId) -> u32 {
        let [a, b, c, d, ..] = self.seal("aside", &letter.0.to_string());
        u32::from_be_bytes([a, b, c, d]) % 900_000 + 100_000
    }

    /// Somebody's address where it is part of what a letter is about: nobody reads it there.
    pub(crate) fn aside_name(&self, address: &str) -> String {
        letters(&self.seal("address", address), 10)
    }

    /// The carrier of this name; the first where it is gone from the settings.
    pub(crate) fn carrier(&self, name: &str) -> &CarrierSettings {
        let first = self.settings.carriers.first().expect("the settings have a carrier");
        self.settings.carrier(name).unwrap_or(first)
    }

    /// The carrier of mail: the first.
    pub fn mail_carrier(&self) -> &CarrierSettings {
        self.settings.carriers.iter().find(|carrier| carrier.form() == Form::Mail).unwrap_or_else(|| self.carrier(""))
    }

    /// Whether letters to an address go by mail.
    pub(crate) fn is_mailbox(&self, address: &Address) -> bool {
        self.carrier(&address.carrier).form() == Form::Mail
    }

    /// The names of all carriers that post in forums.
    pub(crate) fn forums(&self) -> Vec<&str> {
        let forums = self.settings.carriers.iter().filter(|carrier| carrier.form() == Form::Post);
        forums.map(|carrier| carrier.name.as_str()).collect()
    }

    /// Where the answer to a letter is to go: `cursus+GAME.SEAT.SECRET@…`, of no game `cursus+SECRET@…`; none where only our bare address reaches us.
    pub(crate) fn reply_address(
        &self,
        carrier: &CarrierSettings,
        of: Option<(&GameId, &str)>,
        secret: &str,
    ) -> Option<String> {
        let sign = carrier.habits.answers.delimiter?;
        let address = carrier.address.as_str();
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        Some(match of {
            Some((game, seat)) => format!("{local}{sign}{game}.{seat}.{secret}@{host}"),
            None => format!("{local}{sign}{secret}@{host}"),
        })
    }

    /// The id of a letter of ours: what it is about, sealed. So it is the same for the same letter, which is therefore written
    /// once; a reader learns nothing from it about anybody else; and only who has seen the letter can name it. After a copy took
    /// the place of the archive it is another: what it is about may have been told before, in other words.
    pub fn message_id(&self, carrier: &CarrierSettings, about: &str) -> String {
        let about = if self.epoch > 0 { format!("epoch-{}.{about}", self.epoch) } else { about.to_owned() };
        format!("{}@{}", letters(&self.seal("letter", &about), 26), own_host(carrier))
    }

    /// The id of a thread of letters. There is no letter of this id, and it says only what everybody in the thread knows.
    pub(crate) fn thread_id(&self, carrier: &CarrierSettings, about: &str) -> String {
        format!("{about}@{}", own_host(carrier))
    }
}

/// The host of our ids on a carrier.
pub(crate) fn own_host(carrier: &CarrierSettings) -> String {
    let host = carrier.address.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
    format!("cursus.{host}")
}

/// Whether an id is one of ours on a carrier.
pub(crate) fn is_own_id(carrier: &CarrierSettings, id: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(&own_host(carrier)))
}

/// Bytes as so many letters that no phone confuses, five bits each.
pub(in crate::desk) fn letters(bytes: &[u8], most: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    bytes.iter().take(most).map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

/// What a seat is called in addresses and ids: `egypt`, `moderator`.
pub(crate) fn slug(printed: &PrintedGame, party: Party) -> String {
    match party {
        Party::Moderator => "moderator".to_owned(),
        Party::Public => "public".to_owned(),
        Party::Seat(civ) => {
            let name = printed.civilizations.get(usize::from(civ.0)).map_or("seat", |printed| printed.name.as_str());
            name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
        }
    }
}

fn edition(files: &EditionFiles, words: &BTreeMap<&'static str, TemplateFiles>) -> Result<Edition, DeskError> {
    let printed = Arc::new(PrintedGame::read(files)?);
    let templates = |language: Language| {
        let built_in = || TemplateFiles::built_in(language);
        let files = words.get(language.code()).cloned().unwrap_or_else(built_in);
        Templates::read(language, &files, &printed)
    };
    let texts: BTreeMap<&str, &str> = files.all().into_iter().map(|file| (&*file.name, &*file.text)).collect();
    let text = serde_json::to_string(&texts).map_err(|error| DeskError::Damaged(error.to_string()))?;
    let hash = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    let (english, polish) = (Arc::new(templates(Language::English)?), Arc::new(templates(Language::Polish)?));
    Ok(Edition { hash, files: text, lexicon: Arc::new(Lexicon::new(&printed)), printed, english, polish })
}

/// 32 bytes that nobody can guess.
///
/// # Errors
/// The system has none.
pub(crate) fn random() -> Result<[u8; 32], DeskError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| DeskError::Damaged(format!("the system has no randomness: {error}")))?;
    Ok(bytes)
}
