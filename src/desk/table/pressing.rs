//! Press: messages of a player to the others and to the moderator, passed on where the game allows it; and the moderator's own.

use minijinja::context;

use crate::archive::{DispatchKind, LetterId, Message, Party};
use crate::desk::table::answering::PlayerLetter;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::orders::sheet::Outcome;
use crate::orders::{Answer, Press, Recipient};
use crate::report::acknowledgement::Refused;
use crate::report::letters::{Audience, Content};
use crate::rules::Civ;

/// Messages to players that one seat may send in a day.
const PRESS_PER_DAY: u32 = 60;

/// Passes on the messages of a letter. Those that are not leave its answers, and come back with why.
pub(in crate::desk) fn pass_on_all(
    sitting: &mut Sitting,
    received: &PlayerLetter,
    answers: &mut [Answer],
) -> Vec<Refused> {
    let from = Party::Seat(received.civ);
    let seated: Vec<Civ> = sitting.table.state.ranking().collect();
    let is_seated = |recipient: &Recipient| match recipient {
        Recipient::Civ(civ) => seated.contains(civ),
        Recipient::All | Recipient::Moderator => true,
    };
    let to_players = |press: &Press| press.to.iter().any(|recipient| *recipient != Recipient::Moderator);
    let (mut count, mut passed, mut refused) = (0, 0, Vec::new());
    for answer in answers {
        let Outcome::Sent(sent) = &mut answer.outcome else { continue };
        sent.retain(|press| {
            count += 1;
            // The moderator is always reached; what goes to players has a bound for each day.
            let why = if to_players(press) && !sitting.table.agreed.press {
                sitting.say(from, "no_press", context! {})
            } else if !press.to.iter().all(is_seated) {
                // What was written to somebody who does not play is refused with the rest of the letter.
                return true;
            } else if to_players(press) && received.filed.pressed + passed >= PRESS_PER_DAY {
                sitting.say(from, "press_of_the_day", context! { most => PRESS_PER_DAY })
            } else {
                passed += u32::from(to_players(press));
                pass_on(sitting, received.civ, format!("letter-{}.{}", received.id.0, count - 1), press);
                return true;
            };
            let text = press.text.lines().next().unwrap_or_default().to_owned();
            refused.push(Refused { line: answer.line, text, why, hint: None });
            false
        });
    }
    if passed > 0 {
        sitting.deed.people.press.push((from, sitting.now, passed));
    }
    refused
}

/// Passes on what the moderator has to say to some players, or to all where none is named.
pub(in crate::desk) fn from_moderator(
    sitting: &mut Sitting,
    to: &[Civ],
    text: &str,
    letter: LetterId,
) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    let people = sitting.people();
    if let Some(civ) = to.iter().find(|civ| !people.contains(civ)) {
        return Err(sitting.say(me, "nobody_reads", context! { civ => sitting.civ(me, *civ) }));
    }
    let readers: Vec<Civ> = people.into_iter().filter(|civ| to.is_empty() || to.contains(civ)).collect();
    let public = sitting.public().filter(|_| to.is_empty());
    let audience = if to.is_empty() { Audience::All } else { Audience::Some(&readers) };
    for party in readers.iter().map(|civ| Party::Seat(*civ)).chain(public) {
        let about = format!("letter-{}.told", letter.0);
        let envelope = Envelope { kind: DispatchKind::Press, about, ..Envelope::default() };
        sitting.write(party, envelope, &Content::Press { from: None, to: audience, text });
    }
    let names: Vec<String> = to.iter().map(|civ| sitting.civ(me, *civ)).collect();
    let words: String = text.trim().lines().map(|line| format!("\n: {line}")).collect();
    Ok(vec![format!("{}{words}", sitting.say(me, "passed_on", context! { to => names }))])
}

fn pass_on(sitting: &mut Sitting, from: Civ, about: String, press: &Press) {
    let named: Vec<Civ> = press
        .to
        .iter()
        .filter_map(|recipient| match recipient {
            Recipient::Civ(civ) => Some(*civ),
            Recipient::All | Recipient::Moderator => None,
        })
        .collect();
    let to_all = press.to.contains(&Recipient::All);
    let to = if to_all {
        Audience::All
    } else if named.is_empty() {
        Audience::Moderator
    } else {
        Audience::Some(&named)
    };
    let people = sitting.people().into_iter();
    let readers = people.filter(|civ| *civ != from && (to_all || named.contains(civ))).map(Party::Seat);
    let moderator = press.to.contains(&Recipient::Moderator).then_some(Party::Moderator);
    let public = sitting.public().filter(|_| to_all);
    if sitting.table.agreed.hand_over_press && (to_all || !named.is_empty()) {
        sitting.deed.people.messages.push(Message {
            sender: Party::Seat(from),
            sent_at: sitting.now,
            readers: if to_all { Vec::new() } else { named.iter().copied().map(Party::Seat).collect() },
            words: press.text.clone(),
        });
    }
    for party in readers.chain(moderator).chain(public).collect::<Vec<_>>() {
        let envelope = Envelope { kind: DispatchKind::Press, about: about.clone(), ..Envelope::default() };
        sitting.write(party, envelope, &Content::Press { from: Some(from), to, text: &press.text });
    }
}
