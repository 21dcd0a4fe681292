//! How names are compared: case, accents, hyphens and apostrophes do not matter.
//!
//! Comes in: a name as printed or typed. Goes out: its folded form, in which equal names are equal.

/// The folded form of a name: lower case, no accents, single spaces between words. `Chanhu-Daro` gives `chanhu daro`.
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_ascii() {
            fold_letter(letter, &mut folded);
        } else if let Some(plain) = deunicode::deunicode_char(letter) {
            plain.chars().for_each(|letter| fold_letter(letter, &mut folded));
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn fold_letter(letter: char, folded: &mut String) {
    if letter.is_ascii_alphanumeric() {
        folded.push(letter.to_ascii_lowercase());
    } else if letter != '\'' && letter != '`' && !folded.is_empty() && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

/// Bytes that a letter may have.
const LARGEST_LETTER: usize = 4;

/// The one of `names` nearest to a misspelling, if any is near: one slip in names of up to four letters, two in longer
/// ones. Of equally near ones the first.
pub(crate) fn nearest<'a>(misspelt: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = if misspelt.chars().count() <= 4 { 1 } else { 2 };
    names
        .into_iter()
        // What is much longer or shorter is not near, and comparing a very long word is dear.
        .filter(|name| name.len().abs_diff(misspelt.len()) <= slips * LARGEST_LETTER)
        .map(|name| (strsim::osa_distance(misspelt, name), name))
        .filter(|(distance, _)| *distance <= slips)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_hyphens_and_apostrophes_do_not_matter() {
        assert_eq!(fold("Chanhu-Daro"), "chanhu daro");
        assert_eq!(fold("  Łódź’s  ŻÓŁĆ "), "lodzs zolc");
        assert_eq!(fold("Volcanic Eruption / Earthquake"), "volcanic eruption earthquake");
        assert_eq!(fold("–"), "");
    }

    #[test]
    fn the_nearest_name_is_within_two_slips() {
        assert_eq!(nearest("phaistos", ["knossos", "phaestos"]), Some("phaestos"));
        assert_eq!(nearest("tyer", ["ur", "tyre"]), Some("tyre"));
        assert_eq!(nearest("tana", ["thera"]), None);
    }
}
