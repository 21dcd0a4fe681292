//! Polish names with their case forms, by the keys of the English files.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The forms of one Polish name. `config/rules/polish.toml` explains each.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Forms {
    pub nom: String,
    /// Dopełniacz, after z and do.
    pub r#gen: Option<String>,
    pub dat: Option<String>,
    /// Biernik, as an object.
    pub acc: Option<String>,
    pub ins: Option<String>,
    /// Miejscownik, after w or the preposition in `at`.
    pub loc: Option<String>,
    /// The form after 2 to 4.
    pub few: Option<String>,
    /// The form after 5 and more.
    pub many: Option<String>,
    /// The preposition of place, where it is not w.
    pub at: Option<String>,
    /// The preposition of origin, where it is not z.
    pub from: Option<String>,
    /// The first word may stand last, or the last first.
    pub swap: bool,
    /// The same in all cases.
    pub uninflected: bool,
    /// Further forms to be read, never printed.
    pub also: Vec<String>,
    /// Agreement: m, f, n, mp, pl, plp.
    pub g: Option<String>,
    pub adj: Option<String>,
    /// The people: nominative, genitive, dative, instrumental.
    pub people: Vec<String>,
    /// Whether the words are those of the Polish rulebook.
    pub seed: bool,
}

/// A grammatical case of a Polish name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Nominative,
    /// Dopełniacz: whose? Also after z, do and dla.
    Genitive,
    Dative,
    /// Biernik: whom? Also after na and za.
    Accusative,
    /// Narzędnik: by what? Also after z in the sense of with.
    Instrumental,
    /// Miejscownik, after w or the preposition in [`Forms::at`].
    Locative,
}

/// What a Polish verb or adjective agrees with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// `Egipt zbudował`.
    Masculine,
    /// `Hellada zbudowała`.
    Feminine,
    /// `Hatti zbudowało`, and `5 statków zostało`.
    Neuter,
    /// `statki zostały`.
    Plural,
    /// `Celtowie zbudowali`.
    PersonalPlural,
}

impl Agreement {
    /// Whether the verb stands in the plural.
    pub(crate) fn is_plural(self) -> bool {
        matches!(self, Agreement::Plural | Agreement::PersonalPlural)
    }
}

impl Forms {
    /// The name in a case. What the table does not tell stands in the nominative, as an uninflected name does.
    pub(crate) fn case(&self, case: Case) -> &str {
        let form = match case {
            Case::Nominative => None,
            Case::Genitive => self.r#gen.as_ref(),
            Case::Dative => self.dat.as_ref(),
            Case::Accusative => self.acc.as_ref(),
            Case::Instrumental => self.ins.as_ref(),
            Case::Locative => self.loc.as_ref(),
        };
        form.unwrap_or(&self.nom)
    }

    /// The form behind a number: `1 żeton`, `2 żetony`, `5 żetonów`. The plural of the other cases is not in the
    /// table; it is said as the genitive.
    pub(crate) fn counted(&self, count: u64, case: Case) -> &str {
        let is_person = self.g.as_deref() == Some("mp");
        let plural = match case {
            _ if count == 1 => return self.case(case),
            Case::Nominative if is_few(count) => &self.few,
            // Two players are seen `dwóch graczy`, two ships `dwa statki`.
            Case::Accusative if is_few(count) && !is_person => &self.few,
            Case::Nominative
            | Case::Accusative
            | Case::Genitive
            | Case::Dative
            | Case::Instrumental
            | Case::Locative => &self.many,
        };
        plural.as_ref().unwrap_or(&self.nom)
    }

    /// What agrees with the name.
    pub(crate) fn agreement(&self) -> Agreement {
        match self.g.as_deref() {
            Some("f") => Agreement::Feminine,
            Some("n") => Agreement::Neuter,
            Some("pl") => Agreement::Plural,
            Some("plp") => Agreement::PersonalPlural,
            _ => Agreement::Masculine,
        }
    }
}

/// Whether the number is followed by the form for a few: 2 to 4, 22 to 24, but not 12 to 14.
pub(crate) fn is_few(count: u64) -> bool {
    matches!(count % 10, 2..=4) && !matches!(count % 100, 12..=14)
}

/// All Polish names of an edition; each map goes from the key of the English file to the forms.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Polish {
    pub area: BTreeMap<String, Forms>,
    pub civilization: BTreeMap<String, Forms>,
    /// Commodities, and `water`.
    pub commodity: BTreeMap<String, Forms>,
    pub calamity: BTreeMap<String, Forms>,
    pub advance: BTreeMap<String, Forms>,
    /// The five groups of advances.
    pub group: BTreeMap<String, Forms>,
    /// Epochs of the A.S.T.
    pub epoch: BTreeMap<String, Forms>,
    pub phase: BTreeMap<String, Forms>,
    pub flood_plain: BTreeMap<String, Forms>,
    pub volcano: BTreeMap<String, Forms>,
    /// Terms of the game.
    pub term: BTreeMap<String, Forms>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Forms {
        toml::from_str(text).expect("the forms can be read")
    }

    #[test]
    fn a_number_chooses_the_form() {
        let token = forms("nom = 'żeton'\nacc = 'żeton'\nfew = 'żetony'\nmany = 'żetonów'\ng = 'm'");
        let expected = [(1, "żeton"), (2, "żetony"), (4, "żetony"), (22, "żetony"), (104, "żetony")];
        let many = [0, 5, 11, 12, 13, 14, 21, 25, 112].map(|count| (count, "żetonów"));
        for (count, form) in expected.into_iter().chain(many) {
            assert_eq!(token.counted(count, Case::Nominative), form, "{count}");
            assert_eq!(token.counted(count, Case::Accusative), form, "{count}");
        }
        let player = forms("nom = 'gracz'\ngen = 'gracza'\nacc = 'gracza'\nfew = 'gracze'\nmany = 'graczy'\ng = 'mp'");
        assert_eq!(player.counted(3, Case::Nominative), "gracze");
        assert_eq!(player.counted(3, Case::Accusative), "graczy");
        assert_eq!(player.counted(1, Case::Genitive), "gracza");
        assert_eq!(player.counted(2, Case::Genitive), "graczy");
    }

    #[test]
    fn what_is_not_in_the_table_is_the_nominative() {
        let ur = forms("nom = 'Ur'\nuninflected = true");
        assert_eq!(ur.case(Case::Genitive), "Ur");
        assert_eq!(ur.counted(2, Case::Nominative), "Ur");
    }
}
