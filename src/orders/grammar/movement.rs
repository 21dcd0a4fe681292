//! Moves of phase 3: who walks from where to where.

use crate::game::{Command, Count};
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::lexemes::{Lexeme, LexemeKind};
use crate::orders::read::Written;
use crate::orders::vocabulary::Word;
use crate::rules::AreaId;

/// Moves without a verb: `3 Crete > Thera`, `Crete > Thera 3`, `from Crete 3 to Thera`. What points with an arrow begins
/// like an order; what does not is one only if all of it is read, and by full names.
pub(crate) fn short_form(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let start = cursor.place();
    cursor.skip_to_area(&[Word::Filler]);
    let counted = cursor.takes_count().is_some();
    if cursor.takes_colon() {
        cursor.takes_count();
    }
    let has_arrow = cursor.has_arrow_ahead();
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    let begins = if counted { cursor.sees_area() } else { cursor.sees_full_area() };
    let points = if counted { has_arrow || begins && cursor.has_hyphen_ahead() } else { begins && has_arrow };
    if !begins && !points {
        cursor.back_to(start);
        return None;
    }
    let is_dash = |lexeme: &Lexeme| matches!(lexeme.kind, LexemeKind::Hyphen | LexemeKind::Arrow);
    let to = cursor.has_anywhere(|rest| Word::To.at(rest).is_some() || is_dash(&rest[0]));
    cursor.back_to(start);
    let read = labelled(cursor).and_then(|moves| cursor.end().map(|()| moves));
    match read {
        Ok(moves) if points || (counted || to) && cursor.is_sure && !cursor.is_question() => {
            Some(Ok(Written::Orders(moves)))
        }
        Err(fault) if points => Some(Err(fault)),
        Ok(_) | Err(_) => {
            cursor.forget();
            cursor.back_to(start);
            None
        }
    }
}

/// `3: Crete > Thera` has its number in front, unless another stands behind: then it is a label.
fn labelled(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let start = cursor.place();
    let count = cursor.takes_count();
    if count.is_some() && cursor.takes_colon() {
        let labelled = walks(cursor);
        if labelled.is_ok() && cursor.is_over() {
            return labelled;
        }
        cursor.forget();
    }
    cursor.back_to(start);
    walks(cursor)
}

/// `move 3 from Crete to Thera`, `3 Crete > Thera, 2 Naxos > Crete`: as many moves as there are.
pub(crate) fn walks(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let mut moves = leg(cursor, None)?;
    loop {
        let before = cursor.place();
        cursor.skip_joints();
        let then = cursor.takes(Word::Then);
        cursor.skip_joints();
        let again = cursor.takes(Word::Move);
        let begins = cursor.sees_count() || cursor.sees(Word::From) || cursor.sees_area();
        if cursor.is_over() || !begins {
            cursor.back_to(before);
            return Ok(moves);
        }
        // `and then 2 to Naxos`: nobody knows whether those that came go on.
        let origin = moves.last().and_then(origin).filter(|_| !then && !again);
        moves.extend(leg(cursor, origin)?);
    }
}

fn origin(command: &Command) -> Option<AreaId> {
    match command {
        Command::Move { path, .. } => path.first().copied(),
        _ => None,
    }
}

/// One way, and all that walk it: `3 from Crete to Thera`, `Crete > Thera 3`, `3 from Crete and 2 from Naxos to Thera`.
/// `before` is where the ones before came from, which `2 to Naxos` need not repeat.
pub(super) fn leg(cursor: &mut Cursor, before: Option<AreaId>) -> Result<Vec<Command>, Fault> {
    let start = cursor.fault(Expected::NumberOfTokens);
    let count = tokens_ahead(cursor);
    // `move 3 to Thera from Crete`, `2 to Naxos`.
    if let Some(count) = count
        && (cursor.sees(Word::To) || cursor.sees_arrow())
    {
        return backwards(cursor, count, before);
    }
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    if count.is_none() && !cursor.sees_area() {
        return Err(start);
    }
    let known = cursor.read_as.len();
    let mut origins = vec![from(cursor, count)?];
    // `move turtle from Crete`: where no number stands, what only comes near a name need not be one.
    let is_unsure = count.is_none() && cursor.read_as.len() > known;
    // `3 from Crete and 2 from Naxos to Thera`.
    loop {
        let here = cursor.place();
        cursor.skip_joints();
        if cursor.place() == here || !cursor.sees_count() {
            cursor.back_to(here);
            break;
        }
        let count = tokens_ahead(cursor);
        cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
        origins.push(from(cursor, count)?);
    }
    let steps = steps(cursor).map_err(|fault| if is_unsure { start.clone() } else { fault })?;
    if let [(count @ None, _)] = &mut origins[..] {
        *count = Some(trailing(cursor)?);
    }
    let counted = origins.into_iter().map(|(count, from)| {
        let path = [vec![from], steps.clone()].concat();
        count.map(|count| Command::Move { count, path })
    });
    counted.collect::<Option<Vec<_>>>().ok_or(start)
}

/// `3 tokens`, `all the tokens`, `a token`, `a couple of`. How many `the tokens` are, only the player knows.
fn tokens_ahead(cursor: &mut Cursor) -> Option<Count> {
    let start = cursor.place();
    cursor.skip_to_area(&[Word::Filler]);
    let article = cursor.place() > start;
    let count = cursor.takes_count().or_else(|| (article && cursor.sees(Word::OneToken)).then_some(Count::Exactly(1)));
    if count.is_none() {
        cursor.back_to(start);
    }
    cursor.takes(Word::Times);
    cursor.takes_colon();
    cursor.skip_to_area(&[Word::Filler, Word::Token]);
    count
}

/// `Crete`, `Crete 3`, `Crete: 3 tokens`, where tokens come from.
fn from(cursor: &mut Cursor, count: Option<Count>) -> Result<(Option<Count>, AreaId), Fault> {
    let area = cursor.area_as(Sense::Mine)?;
    if count.is_some() {
        return Ok((count, area));
    }
    let here = cursor.place();
    cursor.skip_joints();
    let behind = tokens_ahead(cursor).filter(|_| cursor.sees(Word::To) || cursor.sees_arrow() || cursor.sees_hyphen());
    if behind.is_none() {
        cursor.back_to(here);
    }
    Ok((behind, area))
}

/// `to Thera from Crete`, or `to Thera` alone if the ones before came from somewhere.
fn backwards(cursor: &mut Cursor, count: Count, before: Option<AreaId>) -> Result<Vec<Command>, Fault> {
    let mut steps = steps(cursor)?;
    let from = if cursor.takes(Word::From) && steps.len() == 1 {
        cursor.area_as(Sense::Mine)?
    } else {
        before.ok_or_else(|| cursor.fault(Expected::Area))?
    };
    steps.insert(0, from);
    Ok(vec![Command::Move { count, path: steps }])
}

/// `3`, `(3)`, `x3`, `: 3 tokens`, `with 3`, `move 3`, behind the way. Behind a comma it must not begin what comes next.
fn trailing(cursor: &mut Cursor) -> Result<Count, Fault> {
    let fault = cursor.fault(Expected::NumberOfTokens);
    if let Some(count) = cursor.takes_bracketed() {
        return Ok(Count::Exactly(count));
    }
    let start = cursor.place();
    cursor.skip_joints();
    let joined = cursor.place() > start;
    cursor.skip(&[Word::Move, Word::Times, Word::Filler]);
    let with = cursor.takes(Word::With);
    let count = cursor.takes_count().ok_or_else(|| fault.clone())?;
    cursor.skip(&[Word::Times, Word::Token]);
    let here = cursor.place();
    cursor.skip_joints();
    let ends = cursor.is_over() || cursor.place() > here;
    cursor.back_to(here);
    if joined && !with && !ends { Err(fault) } else { Ok(count) }
}

/// `to Thera`, `> Thera > Naxos`: one step at least.
fn steps(cursor: &mut Cursor) -> Result<Vec<AreaId>, Fault> {
    let mut steps = Vec::new();
    loop {
        let before = cursor.place();
        cursor.skip_joints();
        let by_way = cursor.sees(Word::Via);
        let pointed = cursor.points();
        // A further step is pointed at; what else follows is judged where the order must end.
        if !steps.is_empty() && (!pointed || cursor.sees_count() || cursor.sees_next_order()) {
            cursor.back_to(before);
            return Ok(steps);
        }
        let here = cursor.fault(Expected::Destination);
        let was_sure = std::mem::replace(&mut cursor.is_sure, true);
        let sense = cursor.last_area.map_or(Sense::Any, Sense::Beside);
        let area = cursor.area_as(sense).map_err(|fault| Fault {
            expected: if steps.is_empty() && !pointed { Expected::Destination } else { fault.expected },
            ..fault
        })?;
        // `Nafud De`: what nothing points at is a step only by its full name.
        if !pointed && !cursor.is_sure {
            return Err(here);
        }
        cursor.is_sure &= was_sure;
        // `to Thera via Naxos` comes to Naxos first.
        let place = if by_way { steps.len().saturating_sub(1) } else { steps.len() };
        steps.insert(place, area);
    }
}
