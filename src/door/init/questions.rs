//! Questions at the terminal: each has what is taken for an empty answer, and `?` explains it.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context;

/// Somebody who is asked.
pub(crate) struct Questions<'a> {
    /// What comes from the keyboard, or out of a file.
    pub input: &'a mut dyn BufRead,
    /// Where questions are put.
    pub out: &'a mut dyn Write,
    /// How many were put, for their numbers.
    pub asked: usize,
}

impl Questions<'_> {
    /// Asks until somebody gives an answer that will do; says why one does not.
    pub(crate) fn ask<T>(
        &mut self,
        question: &str,
        usual: Option<&str>,
        help: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        loop {
            let hint = usual.map(|usual| format!(" [{usual}]")).unwrap_or_default();
            write!(self.out, "{question}{hint}: ")?;
            self.out.flush()?;
            let answer = self.line(question)?;
            match (answer.as_str(), usual) {
                ("?", _) => writeln!(self.out, "{help}")?,
                ("", None) => writeln!(self.out, "Something is needed here; `?` says what.")?,
                (given, usual) => match read(if given.is_empty() { usual.unwrap_or_default() } else { given }) {
                    Ok(value) => return Ok(value),
                    Err(why) => writeln!(self.out, "{why}")?,
                },
            }
        }
    }

    /// The heading of one of the big questions.
    pub(crate) fn head(&mut self, words: &str) -> anyhow::Result<()> {
        self.asked += 1;
        writeln!(self.out, "\n{}. {words}", self.asked)?;
        Ok(())
    }

    /// The same, where nobody at the keyboard is a no.
    pub(crate) fn offer(&mut self, question: &str, help: &str) -> anyhow::Result<bool> {
        loop {
            write!(self.out, "{question} [yes]: ")?;
            self.out.flush()?;
            let Some(answer) = self.line_if_any()? else {
                writeln!(self.out)?;
                return Ok(false);
            };
            match (answer.as_str(), yes_or_no(&answer)) {
                ("", _) => return Ok(true),
                ("?", _) => writeln!(self.out, "{help}")?,
                (_, Ok(is_yes)) => return Ok(is_yes),
                (_, Err(why)) => writeln!(self.out, "{why}")?,
            }
        }
    }

    pub(crate) fn agree(&mut self, question: &str, usual: bool, help: &str) -> anyhow::Result<bool> {
        self.ask(question, Some(if usual { "yes" } else { "no" }), help, yes_or_no)
    }

    /// A password: nobody sees it typed.
    pub(crate) fn secret(&mut self, question: &str, help: &str) -> anyhow::Result<String> {
        loop {
            write!(self.out, "{question} (nothing is shown while you type): ")?;
            self.out.flush()?;
            let typed = if std::io::stdin().is_terminal() {
                let typed = console::Term::stderr().read_secure_line().context("the terminal does not answer")?;
                typed.trim().to_owned()
            } else {
                let typed = self.line(question)?;
                writeln!(self.out)?;
                typed
            };
            match typed.as_str() {
                "?" => writeln!(self.out, "{help}")?,
                "" => writeln!(self.out, "Something is needed here; `?` says what.")?,
                _ => return Ok(typed),
            }
        }
    }

    /// Whatever somebody types, or nothing.
    pub(crate) fn line_or_nothing(&mut self, words: &str) -> anyhow::Result<String> {
        write!(self.out, "{words}: ")?;
        self.out.flush()?;
        let mut line = String::new();
        self.input.read_line(&mut line)?;
        writeln!(self.out)?;
        Ok(line.trim().to_owned())
    }

    fn line(&mut self, question: &str) -> anyhow::Result<String> {
        let line = self.line_if_any()?;
        line.with_context(|| {
            format!(
                "nobody answers “{question}”; nothing more was written. Every question has a flag: see `cursus init --help`"
            )
        })
    }

    fn line_if_any(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = String::new();
        let is_there = self.input.read_line(&mut line)? > 0;
        Ok(is_there.then(|| line.trim().to_owned()))
    }
}

fn yes_or_no(answer: &str) -> Result<bool, String> {
    match answer.to_lowercase().as_str() {
        "y" | "yes" | "ok" | "t" | "tak" => Ok(true),
        "n" | "no" | "nie" => Ok(false),
        _ => Err("Write yes or no.".to_owned()),
    }
}
