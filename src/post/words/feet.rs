//! The foot of a letter: signatures and footers, found in each stretch between quotations.

use std::ops::Range;

use super::closing::{self, Foot};
use super::fold::fold;
use super::header;
use super::page::{Fate, Page, Row};

impl Page {
    /// Settles signatures and footers in each stretch between quotations.
    pub(super) fn find_closings(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let mut has_written = false;
        while at < range.end {
            let end = (at..range.end).find(|row| self.rows[*row].fate == Fate::Quoted).unwrap_or(range.end);
            self.close_stretch(at..end, has_written);
            has_written |= self.rows[at..end].iter().any(Row::is_own);
            at = end + 1;
        }
    }

    fn close_stretch(&mut self, range: Range<usize>, has_written: bool) {
        self.find_armour(range.clone());
        // A link right below a phone's line belongs to it.
        let mut is_behind_phone = false;
        for row in &mut self.rows[range.clone()] {
            if !row.is_own() {
                is_behind_phone &= row.fate == Fate::Signature;
                continue;
            }
            if let Some(foot) = closing::line(&row.folded) {
                row.settle(foot.into());
                is_behind_phone = foot == Foot::Signature;
            } else if is_behind_phone && closing::is_link(&row.folded) {
                row.settle(Fate::Signature);
            } else {
                is_behind_phone = false;
            }
        }
        let list =
            range.clone().find(|row| self.rows[*row].is_own() && closing::begins_list_footer(&self.rows[*row].folded));
        if let Some(list) = list {
            self.settle_own(list..range.end, Fate::Other);
        }
        self.find_notices(range.clone());
        self.find_signature(range.clone(), has_written);
        self.find_bare_rules(range);
    }

    /// What OpenPGP puts round a text.
    fn find_armour(&mut self, range: Range<usize>) {
        let find = |page: &Self, from: usize, text: &str| {
            (from..range.end).find(|row| page.rows[*row].is_own() && page.rows[*row].text.trim_end() == text)
        };
        if let Some(begin) = find(self, range.start, "-----BEGIN PGP SIGNED MESSAGE-----") {
            let body = (begin..range.end).find(|row| self.rows[*row].fate == Fate::Blank).unwrap_or(range.end);
            self.settle_own(begin..body, Fate::Other);
            for row in &mut self.rows[body..range.end] {
                if let Some(text) = row.text.strip_prefix("- ").map(str::to_owned) {
                    row.folded = fold(&text);
                    row.text = text;
                }
            }
        }
        for (begin, end) in [
            ("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"),
            ("-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----"),
            ("-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"),
        ] {
            if let Some(begin) = find(self, range.start, begin) {
                let end = find(self, begin, end).map_or(range.end, |end| end + 1);
                self.settle_own(begin..end, Fate::Other);
            }
        }
    }

    /// Notices of confidentiality and the like, paragraph by paragraph.
    fn find_notices(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let mut after_another = false;
        while at < range.end {
            let end = (at..range.end).find(|row| !self.rows[*row].is_own()).unwrap_or(range.end);
            if at < end {
                let paragraph: Vec<&str> = self.rows[at..end].iter().take(40).map(|row| row.folded.as_str()).collect();
                if closing::is_notice(&paragraph.join(" "), after_another) {
                    after_another = true;
                    self.settle_own(at..end, Fate::Other);
                }
            }
            at = end + 1;
        }
    }

    fn find_signature(&mut self, range: Range<usize>, has_written: bool) {
        let delimiters: Vec<usize> =
            range.clone().filter(|row| self.rows[*row].is_own() && self.rows[*row].is_delimiter()).collect();
        if let Some(exact) = delimiters.iter().copied().find(|row| self.rows[*row].is_exact_delimiter()) {
            if !self.own_lines(exact + 1..range.end).is_empty() {
                let is_top = !has_written && !self.rows[range.start..exact].iter().any(Row::is_own);
                let end = if is_top { self.top_signature_end(exact, range.end) } else { range.end };
                self.settle_own(exact..end, Fate::Signature);
            }
            return;
        }
        let mut rules =
            range.clone().filter(|row| self.rows[*row].is_own() && header::is_rule(&self.rows[*row].folded));
        let (at, is_rule) = match (delimiters.as_slice(), rules.next_back()) {
            ([only], _) => (*only, false),
            ([], Some(rule)) => (rule, true),
            _ => return,
        };
        let below = self.own_lines(at + 1..range.end);
        let has_contact = below.iter().any(|(_, folded)| closing::has_contact(folded));
        // Below a quotation, where the writer has written above it and nothing here, bare dashes can hardly begin
        // anything else.
        let is_below_quote = range.start > 0 && self.rows[range.start - 1].fate == Fate::Quoted;
        let is_foot = has_written && is_below_quote && !is_rule && self.own_lines(range.start..at).is_empty();
        let is_signature =
            closing::is_signature(&below, self.sender.as_deref()) || (is_foot && closing::may_sign(&below));
        if !below.is_empty() && is_signature && (!is_rule || has_contact) {
            self.settle_own(at..range.end, Fate::Signature);
        }
    }

    /// Where a signature ends that begins a letter. Below it somebody may have written, so a blank line ends it, if what
    /// follows does not look like more of it.
    fn top_signature_end(&self, at: usize, end: usize) -> usize {
        let gap = (at..end).find(|row| self.rows[*row].fate == Fate::Blank).unwrap_or(end);
        let below = self.own_lines(gap..end);
        if below.is_empty() || closing::is_signature(&below, self.sender.as_deref()) { end } else { gap }
    }

    /// The sender's lines here, as they are and as they are compared.
    fn own_lines(&self, range: Range<usize>) -> Vec<(&str, &str)> {
        let own = self.rows[range].iter().filter(|row| row.is_own());
        own.map(|row| (row.text.as_str(), row.folded.as_str())).collect()
    }

    /// Dashes and other signs with nothing below them belong to whatever was below.
    fn find_bare_rules(&mut self, range: Range<usize>) {
        let mut below = Fate::Other;
        for row in self.rows[range].iter_mut().rev() {
            match row.fate {
                Fate::Blank => {}
                Fate::Own if row.is_delimiter() || closing::is_mere_signs(&row.text) => row.fate = below,
                Fate::Own => return,
                Fate::Quoted | Fate::Signature | Fate::Other => below = row.fate,
            }
        }
    }
}

impl From<Foot> for Fate {
    fn from(foot: Foot) -> Self {
        match foot {
            Foot::Signature => Self::Signature,
            Foot::Other => Self::Other,
        }
    }
}
