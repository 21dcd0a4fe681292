//! Every decision has somebody who owes it, a text, and a default: what `silence` gives is printed and read back.

use std::collections::BTreeMap;
use std::sync::Arc;

use cursus::game::{
    Awaited, Chance, City, Commands, Decision, Force, Opening, Owner, Phase, Rulebook, Ship, ShipCondition, State,
    adjudicate, setup,
};
use cursus::orders::{Lexicon, Reading, Sheet, Written, commands, read};
use cursus::report::{Names, worded};
use cursus::rules::{Advance, AreaId, AstSide, Face, PrintedGame};

/// What silence is.
enum Silence {
    /// These lines.
    Lines(&'static [&'static str]),
    /// No line at all; what follows then.
    NoLine(&'static str),
    /// As above; and nobody is asked before it comes up, for a line may be filed ahead.
    NotAsked(&'static str),
}
use Silence::{Lines, NoLine, NotAsked};

const ALL: [Decision; 14] = [
    Decision::TaxRate,
    Decision::Revolts,
    Decision::Growth,
    Decision::Movement,
    Decision::Defence,
    Decision::Loot,
    Decision::Substitutes,
    Decision::Building,
    Decision::Purchases,
    Decision::Trade,
    Decision::Calamities,
    Decision::Abilities,
    Decision::Support,
    Decision::Acquisition,
];

/// The phase, what is true in it besides the start, a line that decides, and what silence is. The first player of the
/// ranking owes the decision, to the second if to anybody.
fn case(decision: Decision, board: &mut Board) -> (Phase, &'static str, Silence) {
    let home = board.home;
    match decision {
        Decision::TaxRate => {
            board.city(0, home);
            board.advance(0, Advance::Coinage);
            (Phase::Tax, "tax 3", Lines(&["tax 2"]))
        }
        Decision::Revolts => {
            let why = "the beneficiary takes the cities in the moderator's sequence";
            (Phase::Tax, "select Knossos", NotAsked(why))
        }
        Decision::Growth => {
            board.tokens(0, home, 2);
            board.treasury(0, 51);
            (Phase::Expansion, "expand Knossos 1", Lines(&["expand Knossos 1"]))
        }
        Decision::Movement => (Phase::Movement, "move 1 Knossos > Phaestos", Lines(&["done"])),
        Decision::Defence => {
            board.city(0, home);
            board.tokens(1, home, 7);
            (Phase::Conflict, "resolve Knossos", NoLine("cities are resolved A to Z, and none waits"))
        }
        Decision::Loot => {
            board.city(1, home);
            board.tokens(0, home, 7);
            (Phase::Conflict, "loot 1, no card", Lines(&["loot 3, card"]))
        }
        Decision::Substitutes => {
            board.tokens(0, home, 4);
            board.tokens(1, home, 4);
            board.ship(0, home);
            board.advance(0, Advance::NavalWarfare);
            (Phase::Conflict, "substitute ships in Knossos", NoLine("tokens are lost, and nothing instead of them"))
        }
        Decision::Building => {
            board.tokens(0, home, 5);
            board.tokens(0, board.near, 2);
            (Phase::Cities, "build no city", Lines(&["build city in Knossos"]))
        }
        Decision::Purchases => {
            board.city(0, home);
            (Phase::Cards, "buy 1 from stack 9", Lines(&["pass"]))
        }
        Decision::Trade => {
            board.cards(0, 3, false);
            board.cards(1, 3, false);
            (Phase::Trade, "offer to all: salt, salt, salt for any, any, any", Lines(&["done"]))
        }
        Decision::Calamities => {
            board.cards(0, 1, true);
            (Phase::Calamities, "lose Knossos 1", NoLine("tokens go before cities, and nothing is paid"))
        }
        Decision::Abilities => {
            board.advance(0, Advance::Politics);
            (Phase::Abilities, "use Politics for 5 treasury", Lines(&["use nothing"]))
        }
        Decision::Support => {
            board.city(0, board.near);
            (Phase::Support, "reduce Phaestos", NoLine("cities are reduced in the moderator's sequence"))
        }
        Decision::Acquisition => {
            (Phase::Advances, "acquire Pottery", NoLine("nothing is acquired, and the largest sets are kept"))
        }
    }
}

/// A start of five players, to be changed.
struct Board {
    opening: Opening,
    home: AreaId,
    near: AreaId,
}

impl Board {
    fn new(printed: &Arc<PrintedGame>, lexicon: &Lexicon) -> Board {
        let scenario = printed.scenarios.iter().find(|it| it.key == "west_5").expect("five may play in the west");
        let mut opening = setup::opening(printed.clone(), scenario, Rulebook::default(), AstSide::Basic);
        let area = |name| lexicon.areas.exact(name).expect("the area is on the map");
        let (home, near) = (area("Knossos"), area("Phaestos"));
        opening.holdings[0].stock = 55;
        // Everybody else stays where they start; the first begins with one token at home.
        let owner = Owner::Civ(opening.holdings[0].civ);
        opening.board.iter_mut().for_each(|ground| ground.forces.retain(|force| force.owner != owner));
        let mut board = Board { opening, home, near };
        board.tokens(0, home, 1);
        board
    }

    fn owner(&self, seat: usize) -> Owner {
        Owner::Civ(self.opening.holdings[seat].civ)
    }

    fn tokens(&mut self, seat: usize, area: AreaId, count: u16) {
        let owner = self.owner(seat);
        self.opening.holdings[seat].stock -= count;
        let forces = &mut self.opening.board[usize::from(area.0)].forces;
        match forces.binary_search_by_key(&owner, |force| force.owner) {
            Ok(index) => forces[index].count += count,
            Err(index) => forces.insert(index, Force { owner, count, moved: 0, ferried: 0 }),
        }
    }

    /// A city takes the place of the own and other tokens.
    fn city(&mut self, seat: usize, area: AreaId) {
        let owner = self.owner(seat);
        for force in std::mem::take(&mut self.opening.board[usize::from(area.0)].forces) {
            let holding = self.opening.holdings.iter_mut().find(|holding| Owner::Civ(holding.civ) == force.owner);
            holding.expect("they are seated").stock += force.count;
        }
        self.opening.holdings[seat].cities -= 1;
        self.opening.board[usize::from(area.0)].city = Some(City { owner, new: false });
    }

    fn treasury(&mut self, seat: usize, count: u16) {
        self.opening.holdings[seat].stock -= count;
        self.opening.holdings[seat].treasury += count;
    }

    fn ship(&mut self, seat: usize, area: AreaId) {
        let ship = Ship { area, condition: ShipCondition::Old, steps: 0, sailed: false };
        self.opening.holdings[seat].ships.push(ship);
    }

    fn advance(&mut self, seat: usize, advance: Advance) {
        self.opening.holdings[seat].advances.insert(advance);
    }

    fn cards(&mut self, seat: usize, count: usize, calamities: bool) {
        let holding = &mut self.opening.holdings[seat];
        let cards: Vec<_> = self.opening.stacks.stack(holding.block, 2).iter().copied().collect();
        let (wanted, mut left): (Vec<_>, Vec<_>) =
            cards.into_iter().partition(|card| matches!(card.face, Face::Calamity(_)) == calamities);
        holding.hand.extend(&wanted[..count]);
        holding.hand.sort_unstable();
        left.extend(&wanted[count..]);
        self.opening.stacks.lay(holding.block, 2, left);
    }
}

#[test]
fn every_decision_is_owed_and_has_a_text_and_a_default() {
    let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let lexicon = Lexicon::new(&printed);
    for decision in ALL {
        let mut board = Board::new(&printed, &lexicon);
        let (phase, line, default) = case(decision, &mut board);
        board.opening.phase = phase;
        let civ = board.opening.holdings[0].civ;
        let state = State::new(board.opening);
        let rules = phase.rules();

        // Its text is an order of the phase.
        let [command] = &orders(line, &lexicon)[..] else { panic!("{line} is one order") };
        assert!(command.phase() == Some(phase) || phase == Phase::Support, "{line} is an order of {phase:?}");

        let awaited = Awaited { civ, decision };
        let asked = rules.awaits(&state).contains(&awaited);
        assert_eq!(asked, !matches!(default, NotAsked(_)), "{decision:?}: who owes it");
        let silence = rules.silence(&state, awaited);
        let lines: Vec<_> = silence.iter().map(|command| worded(Names::english(&printed), command)).collect();
        match default {
            Lines(expected) => {
                assert_eq!(lines, expected, "{decision:?}");
                // What is printed is read, filed and ruled as what it was.
                let mut sheet = Sheet::default();
                sheet.add(&read(&lines.join("\n"), &lexicon), phase, 1);
                let filed = commands(&BTreeMap::from([(civ, sheet)]), phase, true);
                let filed: Vec<_> = filed.filed.into_iter().map(|filed| filed.command).collect();
                assert_eq!(filed, silence, "{decision:?}");
                assert!(silence.iter().all(|command| rules.may_stand(&state, civ, command).is_ok()), "{decision:?}");
            }
            NoLine(what) | NotAsked(what) => assert!(silence.is_empty(), "{decision:?}: {what}, not {lines:?}"),
        }
        // Nobody writes anything, and the phase is over.
        let (_, after) = adjudicate(
            &state,
            &Commands { filed: Vec::new(), cut_off: true, ..Commands::default() },
            &Chance::numbered(1),
        );
        assert_eq!(after.phase(), phase.next(), "{decision:?}: silence is a dead end");
    }
}

fn orders(line: &str, lexicon: &Lexicon) -> Vec<cursus::game::Command> {
    let pieces = read(line, lexicon).into_iter().flat_map(|line| line.pieces);
    let orders = pieces.flat_map(|piece| match piece.reading {
        Reading::Written(Written::Orders(commands)) => commands,
        other => panic!("{line}: {other:?}"),
    });
    orders.collect()
}

#[test]
fn the_list_of_decisions_is_complete() {
    // A new decision does not compile in `case` before it has its line; here it must have its place too.
    let places: Vec<_> = ALL.iter().map(|decision| *decision as usize).collect();
    assert_eq!(places, (0..ALL.len()).collect::<Vec<_>>());
}
