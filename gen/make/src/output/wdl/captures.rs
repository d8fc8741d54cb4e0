//! Captures that a probe of a WDL file examines first: where one has the category of the position,
//! the king tile need not store it again.
//!
//! The category after a capture is that at a fresh count. It may be better than the position if
//! its count runs on; the captures of a group of pieces where that happens are not used.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES, CategoryMasks};
use crate::output::wdl::full_board::FullBoardWdl;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::counting::Category;
use sakmak_tables::index::{Index, MAX_OTHERS};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::tiles::king_tile::KingTiles;
use sakmak_tables::variant::Variant;
use std::sync::Arc;

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
    /// By group: its first piece in `pieces`, the number of its pieces, the number of king tiles
    /// to the next combination.
    groups: Vec<(usize, usize, u64)>,
    /// By piece and its square: the squares it attacks on an empty board.
    reach: Vec<Vec<Bitboard>>,
    /// By piece, its square and the one attacked: the squares on which another piece blocks the
    /// attack.
    in_the_way: Vec<Vec<Bitboard>>,
}

impl Captures {
    /// The captures of these king tiles; `after` by group.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        king_tiles: &KingTiles,
        mover: Side,
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
        let groups = index.groups().iter().enumerate();
        let groups = groups.map(|(number, group)| {
            (group.first, group.count, king_tiles.stride(number).unwrap_or(1))
        });
        let (squares, groups) = (squares.collect(), groups.collect());
        let swept = king_tiles.swept();
        Captures { variant, mover, swept, pieces, after, squares, groups, reach, in_the_way }
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

    /// Adds the don't-care squares of a king tile if a probe examines the captures of these groups
    /// first. Returns with it the groups whose captures are better than a position.
    pub fn relax(
        &self,
        allowed: AllowedCategories,
        groups: u8,
        fixed_king: Square,
        king_tile: u64,
    ) -> (AllowedCategories, u8) {
        let mut squares = [fixed_king; MAX_OTHERS];
        let mut fixed = Bitboard::of(fixed_king);
        for (&(first, count, stride), combinations) in self.groups.iter().zip(&self.squares) {
            let rank = king_tile / stride % combinations.len() as u64;
            let combination = &combinations[rank as usize];
            squares[first..first + count].copy_from_slice(combination);
            for &square in combination {
                if fixed.contains(square) {
                    return (allowed, 0);
                }
                fixed.insert(square);
            }
        }
        let known = allowed.known();
        if known.iter().all(|&mask| mask == 0) {
            return (allowed, 0);
        }
        let mut best: CategoryMasks = [0; CATEGORIES];
        let mut wrong = 0;
        for (group, after) in self.after.iter().enumerate() {
            let Some(after) = after.as_ref().filter(|_| groups >> group & 1 != 0) else {
                continue;
            };
            let found =
                self.best_captures(group, after, fixed_king, &squares[..self.pieces.len()], fixed);
            for (category, &better) in found.iter().enumerate() {
                if known[..category].iter().any(|worse| worse & better != 0) {
                    wrong |= 1 << group;
                }
                best[category] |= better;
            }
        }
        let mut relaxed = allowed;
        let mut seen = 0;
        for category in (0..CATEGORIES).rev() {
            let here = known[category] & best[category] & !seen;
            seen |= best[category];
            for worse in &mut relaxed.0[..category] {
                *worse |= here;
            }
        }
        (relaxed, wrong)
    }

    /// By category: the squares of the swept king on which the capture of a piece of the group
    /// gives that category.
    fn best_captures(
        &self,
        group: usize,
        after: &FullBoardWdl,
        fixed_king: Square,
        squares: &[Square],
        fixed: Bitboard,
    ) -> CategoryMasks {
        let mut found: CategoryMasks = [0; CATEGORIES];
        let (first, count, _) = self.groups[group];
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
            let mut add = |masks: &CategoryMasks, blocked: u64| {
                for (category, found) in Category::ALL.iter().zip(&mut found) {
                    *found |= masks[category.reversed().index()] & !blocked;
                }
            };
            if self.swept == self.mover {
                let there = after.masks(fixed_king, rest).map(|mask| {
                    let there = mask >> target.index() & 1 != 0;
                    if there { king(target).0 } else { 0 }
                });
                add(&there, 0);
            } else if king(fixed_king).contains(target) {
                add(after.masks(target, rest), 0);
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
                add(after.masks(fixed_king, &mut moved[..left]), way.0);
            }
        }
        found
    }
}
