//! Values by definition, for tests: no numbers of positions, no un-moves, no materials, no counters.
//!
//! All positions of a material and those they lead to are looked at again and again, until nothing changes.

use sakmak_boards::game::{Effect, End, closure};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_oracle::boards::iteration::iterate;
use sakmak_oracle::boards::laws::check;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use sakmak_solve::boards::verify::verify;
use std::collections::HashMap;

/// Solves a material and those it depends on, checked before and verified afterwards.
pub fn solved<G: SolvableGame>(
    game: &G,
    materials: impl IntoIterator<Item = G::Material>,
) -> Tables<G> {
    let mut tables = Tables::default();
    for material in closure(game, materials) {
        check(game, material, 3000).unwrap();
        let codes = solve(game, material, &tables, &|_| {}).unwrap();
        tables.insert(game, material, codes);
        verify(game, material, &tables, &|_| {}).unwrap();
    }
    tables
}

/// What a position leads to, for the definition.
enum Ahead {
    Over(End),
    Illegal,
    /// The positions after all moves; whether one wins at once, and whether one draws.
    Moves(Vec<usize>, bool, bool),
}

/// Asserts that a solved material has the values of the definition.
pub fn assert_by_definition<G: SolvableGame>(game: &G, tables: &Tables<G>, material: G::Material) {
    let layout = game.layout(material);
    // Positions are known by their text, so that nothing of the numbering is used.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut positions: Vec<G::Position> = Vec::new();
    fn number<P: Copy + std::fmt::Debug>(
        numbers: &mut HashMap<String, usize>,
        positions: &mut Vec<P>,
        position: P,
    ) -> usize {
        *numbers.entry(format!("{position:?}")).or_insert_with(|| {
            positions.push(position);
            positions.len() - 1
        })
    }
    for slot in 0..game.size(&layout) {
        if let Some(position) = game.unrank(&layout, slot) {
            number(&mut numbers, &mut positions, position);
            game.images(&position, |image| {
                number(&mut numbers, &mut positions, image);
            });
        }
    }
    // All that can be reached, also what is in other materials or has no slot.
    let mut ahead = Vec::new();
    while ahead.len() < positions.len() {
        let position = positions[ahead.len()];
        if game.is_illegal(&position) {
            ahead.push(Ahead::Illegal);
        } else if let Some(end) = game.end(&position) {
            ahead.push(Ahead::Over(end));
        } else {
            let (mut moves, mut wins, mut draws) = (Vec::new(), false, false);
            game.moves(&position, |played, effect| match effect {
                Effect::Wins => wins = true,
                Effect::Draws => draws = true,
                Effect::Stays | Effect::Leaves => {
                    let after = game.play(&position, played);
                    if !game.is_illegal(&after) {
                        moves.push(number(&mut numbers, &mut positions, after));
                    }
                }
            });
            ahead.push(match (moves.is_empty(), wins, draws) {
                (true, false, false) => Ahead::Over(game.stuck(&position)),
                _ => Ahead::Moves(moves, wins, draws),
            });
        }
    }
    // A win or loss of n plies is found in round n.
    let mut values: Vec<Option<Value>> = vec![None; positions.len()];
    for plies in 0..1000u16 {
        let found = |(at, ahead): (usize, &Ahead)| {
            let value = match ahead {
                _ if values[at].is_some() => return None,
                Ahead::Over(End::Loss) => Some(Value::Loss(0)),
                Ahead::Over(End::Draw) | Ahead::Illegal => None,
                Ahead::Moves(_, true, _) => (plies == 1).then_some(Value::Win(1)),
                Ahead::Moves(moves, false, draws) => {
                    let lost = |&after: &usize| matches!(values[after], Some(Value::Loss(_)));
                    let won = |&after: &usize| matches!(values[after], Some(Value::Win(_)));
                    match moves.iter().any(lost) {
                        true => Some(Value::Win(plies)),
                        false => (!draws && moves.iter().all(won)).then_some(Value::Loss(plies)),
                    }
                }
            };
            value.map(|value| (at, value))
        };
        let found: Vec<(usize, Value)> = ahead.iter().enumerate().filter_map(found).collect();
        if found.is_empty() && plies > 1 {
            break;
        }
        found.into_iter().for_each(|(at, value)| values[at] = Some(value));
    }
    for (at, position) in positions.iter().enumerate() {
        if !matches!(ahead[at], Ahead::Illegal) {
            let expected = values[at].unwrap_or(Value::Draw);
            assert_eq!(tables.value(game, position), Some(expected), "{position:?}");
        }
    }
}

/// Asserts that value iteration finds what the solver found.
pub fn assert_by_iteration<G: SolvableGame>(game: &G, tables: &Tables<G>, material: G::Material) {
    assert!(iterate(game, material, tables) == tables.get(material).unwrap().codes, "{material}");
}
