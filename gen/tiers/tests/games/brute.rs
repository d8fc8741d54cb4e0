//! Values by definition, for tests: no numbers of positions, no un-moves, no tiers, no counters.
//!
//! All positions of a tier and those they lead to are looked at again and again, until nothing changes.

use sakmak_tiers::check::check;
use sakmak_tiers::game::{Effect, End, Game, closure};
use sakmak_tiers::solve::{Method, method, solve};
use sakmak_tiers::table::Tables;
use sakmak_tiers::value::Value;
use sakmak_tiers::verify::verify;
use std::collections::HashMap;

/// Solves a tier and those it depends on, checked before and verified afterwards.
pub fn solved<G: Game>(game: &G, tiers: impl IntoIterator<Item = G::Tier>) -> Tables<G> {
    let mut tables = Tables::default();
    for tier in closure(game, tiers) {
        check(game, tier, 3000).unwrap();
        let by = method(game, tier, u64::MAX).unwrap();
        let codes = solve(game, tier, &tables, by, &|_| {}).unwrap();
        tables.insert(game, tier, codes);
        verify(game, tier, &tables, &|_| {}).unwrap();
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

/// Asserts that a solved tier has the values of the definition.
pub fn assert_by_definition<G: Game>(game: &G, tables: &Tables<G>, tier: G::Tier) {
    let layout = game.layout(tier);
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
    // All that can be reached, also what is in other tiers or has no slot.
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

/// Asserts that all methods find what the fastest one found.
pub fn assert_methods_agree<G: Game>(game: &G, tables: &Tables<G>, tier: G::Tier) {
    let backward = G::UNMOVES.then_some(Method::Backward);
    for by in [Method::Graph, Method::Iterate].into_iter().chain(backward) {
        let codes = solve(game, tier, tables, by, &|_| {}).unwrap();
        assert!(codes == tables.get(tier).unwrap().codes, "{by:?} of {tier}");
    }
}
