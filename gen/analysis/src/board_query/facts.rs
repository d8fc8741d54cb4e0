//! Facts about a position that conditions test.

use crate::board_query::language::BoardCondition;
use sakmak_boards::game::{Effect, legal_moves};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_solve::boards::tables::Tables;
use sakmak_tables::distance::Wdl;
use std::cell::{Cell, OnceCell};
use xxhash_rust::xxh3::xxh3_64;

/// The result of a value, for the side to move. `None` if no game has it.
pub(super) fn wdl(value: Value) -> Option<Wdl> {
    match value {
        Value::Illegal => None,
        Value::Draw => Some(Wdl::Draw),
        Value::Win(_) => Some(Wdl::Win),
        Value::Loss(_) => Some(Wdl::Loss),
    }
}

/// Whether a condition on values alone holds; `None` for another condition.
pub(super) fn by_value(condition: BoardCondition, value: Value) -> Option<bool> {
    match condition {
        BoardCondition::Wdl(result) => Some(wdl(value) == Some(result)),
        BoardCondition::Distance(comparison, other) => {
            Some(value.moves().is_some_and(|moves| comparison.holds(moves.into(), other)))
        }
        _ => None,
    }
}

/// The moves of a position by their results.
#[derive(Clone, Copy, Default)]
struct MoveCount {
    moves: u32,
    /// Moves with the best result.
    best: u32,
    /// Best moves that take nothing.
    quiet: u32,
}

/// A slot with its position.
pub(super) struct Facts<'a, G: Notation + SolvableGame> {
    pub game: &'a G,
    pub tables: &'a Tables<G>,
    pub position: G::Position,
    pub value: Value,
    pub slot: u64,
    moves: OnceCell<MoveCount>,
    /// Whether a value was missing.
    pub is_missing: Cell<bool>,
}

impl<'a, G: Notation + SolvableGame> Facts<'a, G> {
    pub fn new(
        game: &'a G,
        tables: &'a Tables<G>,
        slot: u64,
        position: G::Position,
        value: Value,
    ) -> Facts<'a, G> {
        let is_missing = Cell::new(false);
        Facts { game, tables, position, value, slot, moves: OnceCell::new(), is_missing }
    }

    /// Whether a condition holds for an image of the position.
    pub fn is(&self, condition: BoardCondition, image: &G::Position) -> bool {
        match condition {
            BoardCondition::Wdl(_) | BoardCondition::Distance(..) => {
                by_value(condition, self.value) == Some(true)
            }
            BoardCondition::Side(side) => self.game.mover(image) == side.index(),
            BoardCondition::Man(letter, squares) => {
                let files = self.game.board().files;
                let at = |&(found, file, rank): &(char, usize, usize)| {
                    found == letter && squares >> (rank * files + file) & 1 == 1
                };
                self.game.letters(image).iter().any(at)
            }
            BoardCondition::Moves(comparison, number) => {
                comparison.holds(self.legal_moves(), number)
            }
            BoardCondition::Check => self.game.is_in_check(&self.position),
            BoardCondition::MutualZugzwang => self.is_mutual_zugzwang(),
            BoardCondition::OnlyMove => {
                let MoveCount { moves, best, .. } = self.move_count();
                best == 1 && moves > 1
            }
            BoardCondition::Quiet => self.move_count().quiet > 0,
            BoardCondition::OneIn(number) => {
                xxh3_64(&self.slot.to_le_bytes()).is_multiple_of(u64::from(number.get()))
            }
        }
    }

    fn legal_moves(&self) -> u32 {
        let mut moves = 0;
        legal_moves(self.game, &self.position, |_, _| moves += 1);
        moves
    }

    /// The result of a position, if its value is there.
    fn result(&self, position: &G::Position) -> Option<Wdl> {
        let value = self.tables.value(self.game, position);
        if value.is_none() {
            self.is_missing.set(true);
        }
        value.and_then(wdl)
    }

    fn is_mutual_zugzwang(&self) -> bool {
        let Some(other) = self.game.other_to_move(&self.position) else { return false };
        // Nobody has to move where the game is over.
        if [&self.position, &other].into_iter().any(|position| self.game.end(position).is_some()) {
            return false;
        }
        matches!(
            (wdl(self.value), self.result(&other)),
            (Some(Wdl::Loss), Some(Wdl::Loss | Wdl::Draw)) | (Some(Wdl::Draw), Some(Wdl::Loss))
        )
    }

    fn move_count(&self) -> MoveCount {
        *self.moves.get_or_init(|| {
            let (mut best, mut count) = (Wdl::Loss, MoveCount::default());
            legal_moves(self.game, &self.position, |played, after| {
                let result = match after {
                    Ok(after) => self.result(&after).map(Wdl::reversed),
                    Err(Effect::Wins) => Some(Wdl::Win),
                    Err(_) => Some(Wdl::Draw),
                };
                let Some(result) = result else { return };
                count.moves += 1;
                if result > best {
                    (best, count) = (result, MoveCount { moves: count.moves, best: 0, quiet: 0 });
                }
                if result == best {
                    count.best += 1;
                    count.quiet += u32::from(!self.game.takes(&self.position, played));
                }
            });
            count
        })
    }
}

/// All positions of a slot: the mirror images of one, then those with the sides exchanged if both have
/// the same men.
pub(super) fn images<G: Notation + SolvableGame>(
    game: &G,
    position: &G::Position,
) -> Vec<G::Position> {
    let (mut found, mut at) = (vec![*position], 0);
    while let Some(known) = found.get(at).copied() {
        game.images(&known, |image| {
            if !found.contains(&image) {
                found.push(image);
            }
        });
        at += 1;
    }
    let exchanged: Vec<G::Position> =
        found.iter().filter_map(|position| game.exchanged(position)).collect();
    found.extend(exchanged);
    found
}
