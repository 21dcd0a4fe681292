//! Style sheet, scripts and icon of the order page, built in. They are asked for under the version of all of them, for
//! scripts fetch one another by names beside their own.

use std::fmt::Write as _;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// A file that browsers fetch.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    pub name: &'static str,
    pub kind: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($kind:literal: $($name:literal)*) => {
        [$(Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../../web/", $name)) },)*]
    };
}

const STYLES: [Asset; 2] = assets!("text/css; charset=utf-8": "page.css" "public.css");
const SCRIPTS: [Asset; 16] = assets!("text/javascript; charset=utf-8": "page.js" "advances.js" "card.js" "copy.js" "forms.js" "kept.js" "lines.js" "map.js" "market.js" "moderator.js" "past.js" "perils.js" "plan.js" "post.js" "public.js" "say.js");
const PICTURES: [Asset; 1] = assets!("image/svg+xml": "icon.svg");

/// Every file that a page of ours may ask for.
pub fn all() -> impl Iterator<Item = &'static Asset> {
    STYLES.iter().chain(&SCRIPTS).chain(&PICTURES)
}

/// The one of this name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    all().find(|asset| asset.name == name)
}

/// What all of them are known by: it changes when one of them does.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| digest(&all().map(|asset| asset.bytes).collect::<Vec<_>>()));
    &VERSION
}

/// The first sixteen digits of a hash.
pub(super) fn digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize()[..8].iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("a string takes whatever is written");
        digits
    })
}
