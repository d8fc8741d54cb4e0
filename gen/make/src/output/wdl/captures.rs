//! Captures that a probe of a WDL file examines first: where one has the category of the position,
//! its cell need not hold it again.
//!
//! The category after a capture is that at a fresh count. It may be better than the position if
//! its count runs on; the captures of a group of pieces where that happens are not used.

use crate::output::wdl::allowed::{ANY, Allowed};
use crate::output::wdl::full_board::FullBoardWdl;
use crate::output::wdl::section::{KingTile, KingTiles};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::index::{Index, MAX_OTHERS};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;
use std::sync::Arc;

/// The captures that a probe examines first.
#[derive(Clone, Copy, Debug)]
pub struct TrustedCaptures<'a> {
    /// All captures.
    pub captures: &'a Captures,
    /// The groups whose pieces are captured, a bit each.
    pub groups: u8,
}

/// The captures of one side to move.
#[derive(Debug)]
pub struct Captures {
    variant: &'static Variant,
    mover: Side,
    swept: Side,
    pieces: Vec<Piece>,
    /// By group: the categories after the capture of one of its pieces. `None` for the mover's
    /// groups.
    after: Vec<Option<Arc<FullBoardWdl>>>,
    /// By group and combination: the squares of its pieces.
    squares: Vec<Vec<Vec<Square>>>,
    /// By group: its first piece in `pieces`, the number of its pieces.
    groups: Vec<(usize, usize)>,
    king_tiles: KingTiles,
    /// By piece and its square: the squares it attacks on an empty board.
    reach: Vec<Vec<Bitboard>>,
    /// By piece, its square and the one attacked: the squares on which another piece blocks the
    /// attack.
    in_the_way: Vec<Vec<Bitboard>>,
}

impl Captures {
    /// The captures in these king tiles by the mover, with a swept king; `after` by group.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        king_tiles: KingTiles,
        [mover, swept]: [Side; 2],
        after: Vec<Option<Arc<FullBoardWdl>>>,
    ) -> Captures {
        let pieces = index.pieces().to_vec();
        let attacks = |piece: Piece, from: Square, occupied: Bitboard| {
            variant.reach.attacks(piece, from, occupied)
        };
        let reach: Vec<Vec<Bitboard>> = pieces
            .iter()
            .map(|&piece| Square::all().map(|from| attacks(piece, from, Bitboard::EMPTY)).collect())
            .collect();
        let way = |piece: Piece, from: Square, to: Square| {
            Square::all()
                .filter(|&on| !attacks(piece, from, Bitboard::of(on)).contains(to))
                .collect()
        };
        let in_the_way = pieces
            .iter()
            .zip(&reach)
            .map(|(&piece, reach)| {
                let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
                let set = |(from, to): (Square, Square)| match reach[from.index()].contains(to) {
                    true => way(piece, from, to),
                    false => Bitboard::ALL,
                };
                pairs.map(set).collect()
            })
            .collect();
        let squares = index.groups().iter().map(|group| {
            let unrank = |rank: u64| {
                let mut squares = vec![Square::wrapping(0); group.count];
                group.unrank(rank, &mut squares);
                squares
            };
            (0..group.combinations()).map(unrank).collect()
        });
        let groups = index.groups().iter().map(|group| (group.first, group.count));
        let (squares, groups) = (squares.collect(), groups.collect());
        Captures {
            variant,
            mover,
            swept,
            pieces,
            after,
            squares,
            groups,
            king_tiles,
            reach,
            in_the_way,
        }
    }

    /// The groups whose pieces can be captured, a bit each. None if a king does not take every
    /// piece that it reaches and may stand on.
    pub fn all(&self) -> u8 {
        let rules = &self.variant.rules;
        if rules.checked_king_stays || rules.end.bare_king_loses {
            return 0;
        }
        let bits = (0..).zip(&self.after).map(|(group, after)| u8::from(after.is_some()) << group);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Adds what the cells of a king tile allow if a probe examines the captures of these groups
    /// first. Returns the groups whose captures are better than a position.
    pub fn relax(&self, sets: &mut KingTile, groups: u8, fixed_king: Square, king_tile: u64) -> u8 {
        let mut squares = [fixed_king; MAX_OTHERS];
        let mut fixed = Bitboard::of(fixed_king);
        for (group, &(first, count)) in self.groups.iter().enumerate() {
            let combination = &self.squares[group][self.king_tiles.combination(group, king_tile)];
            squares[first..first + count].copy_from_slice(combination);
            for &square in combination {
                if fixed.contains(square) {
                    return 0;
                }
                fixed.insert(square);
            }
        }
        let mut best = [0; SQUARES];
        let mut wrong = 0;
        for (group, after) in self.after.iter().enumerate() {
            let Some(after) = after.as_ref().filter(|_| groups >> group & 1 != 0) else {
                continue;
            };
            let squares = &squares[..self.pieces.len()];
            let Some(found) = self.best_captures(group, after, fixed_king, squares, fixed) else {
                continue;
            };
            let mut is_wrong = false;
            for ((best, &found), &set) in best.iter_mut().zip(&found).zip(&*sets) {
                // A set of one category is a number greater than that of a worse one.
                is_wrong |= set != ANY && found > set;
                *best = found.max(*best);
            }
            wrong |= u8::from(is_wrong) << group;
        }
        for (set, &best) in sets.iter_mut().zip(&best) {
            // All worse categories, if the capture has the category of the position.
            *set |= (*set & best).saturating_sub(1);
        }
        wrong
    }

    /// By square of the swept king: the set of the best category that the capture of a piece of the
    /// group gives, empty without one. `None` if there is none at all.
    fn best_captures(
        &self,
        group: usize,
        after: &FullBoardWdl,
        fixed_king: Square,
        squares: &[Square],
        fixed: Bitboard,
    ) -> Option<KingTile> {
        let mut best: KingTile = [0; SQUARES];
        let mut is_found = false;
        let (first, count) = self.groups[group];
        let king = |square: Square| {
            self.variant.reach.attacks(
                Piece::new(self.mover, PieceKind::King),
                square,
                Bitboard::EMPTY,
            )
        };
        for captured in first..first + count {
            let target = squares[captured];
            let left = squares.len() - 1;
            let mut rest = [fixed_king; MAX_OTHERS];
            let others = squares.iter().enumerate().filter(|&(place, _)| place != captured);
            for (to, (_, &square)) in rest.iter_mut().zip(others) {
                *to = square;
            }
            let rest = &mut rest[..left];
            let mut add = |found: &KingTile, blocked: Bitboard| {
                is_found = true;
                let kept: [Allowed; SQUARES] = blocked_apart(found, blocked);
                for (best, &found) in best.iter_mut().zip(&kept) {
                    *best = found.max(*best);
                }
            };
            if self.swept == self.mover {
                let there = after.best(fixed_king, rest)[target.index()];
                if there != 0 {
                    let mut found = [0; SQUARES];
                    king(target).for_each(|square| found[square.index()] = there);
                    add(&found, Bitboard::EMPTY);
                }
            } else if king(fixed_king).contains(target) {
                add(after.best(target, rest), Bitboard::EMPTY);
            }
            for (capturer, &piece) in self.pieces.iter().enumerate() {
                let from = squares[capturer];
                if piece.side != self.mover
                    || piece.kind == PieceKind::Pawn
                    || !self.reach[capturer][from.index()].contains(target)
                {
                    continue;
                }
                let way = self.in_the_way[capturer][from.index() * SQUARES + target.index()];
                let way = way - Bitboard::of(target) - Bitboard::of(from);
                if !(way & fixed).is_empty() {
                    continue;
                }
                let mut moved = [fixed_king; MAX_OTHERS];
                let others = squares.iter().enumerate().filter(|&(place, _)| place != captured);
                for (to, (place, &square)) in moved.iter_mut().zip(others) {
                    *to = if place == capturer { target } else { square };
                }
                add(after.best(fixed_king, &mut moved[..left]), way);
            }
        }
        is_found.then_some(best)
    }
}

/// The sets of these squares, empty on those that are blocked.
fn blocked_apart(found: &KingTile, blocked: Bitboard) -> KingTile {
    let mut found = *found;
    for square in blocked {
        found[square.index()] = 0;
    }
    found
}
