//! Positions as bitboards and numbers, so that programs have nothing to parse.

use crate::board::bitboard::Bitboard;
use crate::counting::{Clock, CountingRule};
use crate::distance::Plies;
use crate::position::{PlacementError, Position};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::variants;

/// Bitboards that form no position.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BitboardError {
    /// Bitboards that do not agree on a square.
    #[error(
        "square {square} is in {sides} bitboards of sides and {kinds} of kinds: it must be in \
         one of each, or in none"
    )]
    Square {
        /// 0 for a1 to 63 for h8.
        square: u32,
        /// The number of bitboards of sides that contain the square.
        sides: usize,
        /// The number of bitboards of kinds that contain the square.
        kinds: usize,
    },
    /// An impossible placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

crate::readable_error!(BitboardError);

/// A count that these pieces cannot have.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("with these pieces {counting} has no count of {} out of {} plies", .count.0, .limit.0)]
pub struct ImpossibleCount {
    /// The name of the counting rule.
    pub counting: &'static str,
    /// The limit asked for.
    pub limit: Plies,
    /// The count asked for.
    pub count: Plies,
}

crate::readable_error!(ImpossibleCount);

impl Position {
    /// The position with these pieces, without leap rights and with no count running.
    ///
    /// `sides` are the pieces by [`Side::index`], `kinds` by [`Rules::place`]; bit 0 is a1, bit 7
    /// h1, bit 63 h8. Does not test whether the placement is legal; see [`Position::legality`].
    ///
    /// [`Rules::place`]: crate::rules::Rules::place
    ///
    /// # Errors
    ///
    /// If an occupied square is not in one bitboard of each, or the placement is impossible.
    pub fn from_bitboards(
        counting_rule: &'static CountingRule,
        turn: Side,
        sides: [u64; 2],
        kinds: [u64; PieceKind::ALL.len()],
    ) -> Result<Position, BitboardError> {
        check(sides, kinds)?;
        let variant = variants::counted_by(counting_rule);
        let pieces = Side::BOTH.into_iter().flat_map(|side| {
            PieceKind::ALL.into_iter().flat_map(move |kind| {
                Bitboard(kinds[variant.rules.place(kind)] & sides[side.index()])
                    .map(move |square| (Piece::new(side, kind), square))
            })
        });
        let position = Position::new(variant, turn, pieces)?;
        Ok(position.counted_by(counting_rule))
    }

    /// The pieces by side and by kind, in the form that [`Position::from_bitboards`] takes.
    pub fn bitboards(&self) -> ([u64; 2], [u64; PieceKind::ALL.len()]) {
        let mut kinds = [0; PieceKind::ALL.len()];
        for (piece, square) in self.pieces() {
            kinds[self.variant().rules.place(piece.kind)] |= Bitboard::of(square).0;
        }
        (Side::BOTH.map(|side| self.of(side).0), kinds)
    }

    /// The position with this count running, in plies as in a FEN. A limit of 0 means no count.
    ///
    /// # Errors
    ///
    /// If these pieces cannot have the count.
    pub fn with_count(self, limit: Plies, count: Plies) -> Result<Position, ImpossibleCount> {
        let (counting_rule, armies) = (self.counting_rule(), self.armies());
        // With bare kings programs still send the last count, which has no meaning then.
        if limit == Plies(0) || self.has_bare_kings() || counting_rule.is_uncounted() {
            return Ok(self.with_clock(None));
        }
        let honour =
            counting_rule.possible_limits(armies).into_iter().find(|&(_, plies)| plies == limit);
        match honour {
            Some((honour, _)) if count <= counting_rule.highest_count(limit, armies) => {
                Ok(self.with_clock(Some(Clock::new(honour, limit, count))))
            }
            _ => Err(ImpossibleCount { counting: counting_rule.name, limit, count }),
        }
    }
}

/// Checks that every occupied square is in one bitboard of a side and in one of a kind.
fn check(all_sides: [u64; 2], all_kinds: [u64; PieceKind::ALL.len()]) -> Result<(), BitboardError> {
    let all = |boards: &[u64]| boards.iter().fold(0, |all, board| all | board);
    let pieces = |boards: &[u64]| boards.iter().map(|board| board.count_ones()).sum::<u32>();
    let [sides, kinds] = [all(&all_sides), all(&all_kinds)];
    let once = |boards: &[u64], all: u64| pieces(boards) == all.count_ones();
    if sides == kinds && once(&all_sides, sides) && once(&all_kinds, kinds) {
        return Ok(());
    }
    let containing = |boards: &[u64], square: u32| {
        boards.iter().filter(|&&board| board >> square & 1 == 1).count()
    };
    for square in 0..u64::BITS {
        let (sides, kinds) = (containing(&all_sides, square), containing(&all_kinds, square));
        if !matches!((sides, kinds), (0, 0) | (1, 1)) {
            return Err(BitboardError::Square { square, sides, kinds });
        }
    }
    Ok(())
}
