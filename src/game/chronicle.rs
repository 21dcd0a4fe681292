//! The chronicle: rules record what happened, and the state follows.

use super::{Chance, Command, Commands, Event, Filed, Illegal, Phase, PhaseRules, State, laws, leaving};
use crate::rules::Civ;

/// Rules on the open phase: plays the commands and says what happened and what is true afterwards.
///
/// The phase is closed when nobody is awaited any more; else it stays open and is resumed by the next ruling. In a game
/// that has ended nothing happens any more, and its last phase stays as it is.
pub fn adjudicate(state: &State, commands: &Commands, chance: &Chance) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    if state.has_ended() {
        return chronicle.close();
    }
    let rules = state.phase.rules();
    rules.resolve(&mut chronicle, commands, chance);
    if rules.awaits(chronicle.state()).is_empty() && !chronicle.state().has_ended() {
        chronicle.close_phase();
        leaving::depart(&mut chronicle);
    }
    chronicle.close()
}

/// The state that recorded events lead to.
pub fn replay<'a>(state: &State, events: impl IntoIterator<Item = &'a Event>) -> State {
    let mut state = state.clone();
    for event in events {
        state.apply(event);
    }
    state
}

/// A ruling under way: the events so far and the state they have led to.
#[derive(Debug)]
pub struct Chronicle {
    state: State,
    events: Vec<Event>,
}

impl Chronicle {
    /// Opens a chronicle on a state.
    pub(crate) fn open(state: &State) -> Chronicle {
        Chronicle { state: state.clone(), events: Vec::new() }
    }

    /// What is true now.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn record(&mut self, event: Event) {
        self.state.apply(&event);
        debug_assert_eq!(laws::broken(&self.state), None, "after {event:?}");
        self.events.push(event);
    }

    /// Plays a line: records what follows, or why it may not stand.
    pub(crate) fn play(&mut self, filed: &Filed, planned: Result<Vec<Event>, Illegal>) {
        match planned {
            Ok(events) => events.into_iter().for_each(|event| self.record(event)),
            Err(why) => self.refuse(filed, why),
        }
    }

    /// Records that a line may not stand.
    pub(crate) fn refuse(&mut self, filed: &Filed, why: Illegal) {
        self.record(Event::Refused { civ: filed.civ, line: filed.line, why });
    }

    /// Asks a player who insists on their turn; says whether the phase waits for the player. At the player's own
    /// cut-off it does no longer.
    pub(crate) fn waits_for(&mut self, commands: &Commands, civ: Civ) -> bool {
        let was_asked = self.state.progress.asked == Some(civ);
        if commands.cut_off && was_asked {
            return false;
        }
        if !was_asked {
            self.record(Event::TurnAwaited { civ });
        }
        true
    }

    /// What the last of a player's lines of a kind says that may stand; those that may not are refused.
    pub(crate) fn last_legal<T>(
        &mut self,
        rules: &dyn PhaseRules,
        commands: &Commands,
        civ: Civ,
        says: impl Fn(&Command) -> Option<T>,
    ) -> Option<T> {
        let mut last = None;
        for filed in commands.of(civ) {
            let Some(said) = says(&filed.command) else { continue };
            match rules.may_stand(&self.state, civ, &filed.command) {
                Ok(()) => last = Some(said),
                Err(why) => self.refuse(filed, why),
            }
        }
        last
    }

    pub(crate) fn close(self) -> (Vec<Event>, State) {
        (self.events, self.state)
    }

    fn close_phase(&mut self) {
        let (turn, phase): (u16, Phase) = (self.state.turn, self.state.phase);
        self.record(Event::PhaseClosed { turn, phase });
    }
}
