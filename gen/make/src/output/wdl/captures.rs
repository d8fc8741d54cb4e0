//! Captures that a probe of a WDL file examines first: where one has the category of the position,
//! the king tile need not store it again.
//!
//! The category after a capture is that at a fresh count. It may be better than the position if
//! its count runs on; the captures of a group of pieces where that happens are not used.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES, CategoryMasks};
use crate::output::wdl::full_board::FullBoardWdl;
use sakmak_solve::solver::{Kernel, Width};
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
    /// Categories after the capture of a piece of a group, indexed by group; `None` for the mover's
    /// groups.
    after: Vec<Option<Arc<FullBoardWdl>>>,
    /// Squares of the pieces of a group, indexed by group and combination.
    squares: Vec<Vec<Vec<Square>>>,
    /// First piece in `pieces`, number of pieces, and number of king tiles to the next combination;
    /// indexed by group.
    groups: Vec<(usize, usize, u64)>,
    /// The numbers of the groups, the one that changes from king tile to king tile first.
    fastest_first: Vec<usize>,
    /// Squares that the mover's king attacks, indexed by its square.
    king_reach: Vec<Bitboard>,
    /// Squares attacked on an empty board, indexed by piece and its square.
    reach: Vec<Vec<Bitboard>>,
    /// Squares on which another piece blocks an attack, indexed by piece, its square and the
    /// attacked square.
    in_the_way: Vec<Vec<Bitboard>>,
    width: Width,
}

/// Returns, by the square of a piece and the square attacked, the squares on which another piece
/// blocks the attack: all squares if the piece does not attack that square.
fn blocking_squares(variant: &Variant, piece: Piece, reach: &[Bitboard]) -> Vec<Bitboard> {
    let blocks = |from: Square, to: Square, on: Square| {
        !variant.reach.attacks(piece, from, Bitboard::of(on)).contains(to)
    };
    let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    let blocking = |(from, to): (Square, Square)| match reach[from.index()].contains(to) {
        true => Square::all().filter(|&on| blocks(from, to, on)).collect(),
        false => Bitboard::ALL,
    };
    pairs.map(blocking).collect()
}

/// The arguments of [`Captures::relax`].
struct Relaxation<'a> {
    captures: &'a Captures,
    allowed: &'a mut [AllowedCategories],
    groups: u8,
    fixed_king: Square,
    first_king_tile: u64,
}

impl Kernel for Relaxation<'_> {
    type Output = u8;

    #[inline(always)]
    fn run(self) -> u8 {
        let Relaxation { captures, allowed, groups, fixed_king, first_king_tile } = self;
        let mut ranks = [0; MAX_OTHERS];
        let of_first = captures.groups.iter().zip(&captures.squares);
        for (rank, (&(.., stride), combinations)) in ranks.iter_mut().zip(of_first) {
            *rank = (first_king_tile / stride) as usize % combinations.len();
        }
        let mut squares = [fixed_king; MAX_OTHERS];
        let mut wrong = 0;
        for allowed in allowed {
            let mut occupied = Bitboard::of(fixed_king);
            let mut pieces = 1;
            for ((&(first, count, _), combinations), &rank) in
                captures.groups.iter().zip(&captures.squares).zip(&ranks)
            {
                squares[first..first + count].copy_from_slice(&combinations[rank]);
                occupied |= combinations[rank].iter().copied().collect();
                pieces += count;
            }
            // Otherwise no square makes a legal position.
            if occupied.len() == pieces {
                let squares = &squares[..captures.pieces.len()];
                wrong |= captures.relax_king_tile(allowed, groups, fixed_king, squares, occupied);
            }
            for &group in &captures.fastest_first {
                ranks[group] += 1;
                if ranks[group] < captures.squares[group].len() {
                    break;
                }
                ranks[group] = 0;
            }
        }
        wrong
    }
}

impl Captures {
    /// Prepares the captures of king tiles; `after` is indexed by group.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        king_tiles: &KingTiles,
        mover: Side,
        after: Vec<Option<Arc<FullBoardWdl>>>,
        width: Width,
    ) -> Captures {
        let pieces = index.pieces().to_vec();
        let reach = |piece: Piece| -> Vec<Bitboard> {
            let attacks = |from| variant.reach.attacks(piece, from, Bitboard::EMPTY);
            Square::all().map(attacks).collect()
        };
        let king_reach = reach(Piece::new(mover, PieceKind::King));
        let reach: Vec<Vec<Bitboard>> = pieces.iter().map(|&piece| reach(piece)).collect();
        let blockers = pieces.iter().zip(&reach);
        let in_the_way =
            blockers.map(|(&piece, reach)| blocking_squares(variant, piece, reach)).collect();
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
        let (squares, groups) = (squares.collect(), groups.collect::<Vec<_>>());
        let mut fastest_first: Vec<usize> = (0..groups.len()).collect();
        fastest_first.sort_by_key(|&group| groups[group].2);
        let swept = king_tiles.swept();
        Captures {
            variant,
            mover,
            swept,
            pieces,
            after,
            squares,
            groups,
            fastest_first,
            king_reach,
            reach,
            in_the_way,
            width,
        }
    }

    /// Returns the groups whose pieces can be captured, one bit each; 0 if a king does not take
    /// every piece that it reaches.
    pub fn all(&self) -> u8 {
        let rules = &self.variant.rules;
        if rules.checked_king_stays || rules.end.bare_king_loses {
            return 0;
        }
        let bits = (0..).zip(&self.after).map(|(group, after)| u8::from(after.is_some()) << group);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Adds the don't-care squares of successive king tiles if a probe examines the captures of
    /// these groups first. Returns the groups with a capture that results in a better category
    /// than the table has for the position, a bit each.
    pub fn relax(
        &self,
        allowed: &mut [AllowedCategories],
        groups: u8,
        fixed_king: Square,
        first_king_tile: u64,
    ) -> u8 {
        let (captures, width) = (self, self.width);
        width.run(Relaxation { captures, allowed, groups, fixed_king, first_king_tile })
    }

    #[inline(always)]
    fn relax_king_tile(
        &self,
        allowed: &mut AllowedCategories,
        groups: u8,
        fixed_king: Square,
        squares: &[Square],
        fixed: Bitboard,
    ) -> u8 {
        let known = allowed.known();
        if known.iter().all(|&mask| mask == 0) {
            return 0;
        }
        let mut best: CategoryMasks = [0; CATEGORIES];
        let mut wrong = 0;
        for (group, after) in self.after.iter().enumerate() {
            let Some(after) = after.as_ref().filter(|_| groups >> group & 1 != 0) else {
                continue;
            };
            let found = self.best_captures(group, after, fixed_king, squares, fixed);
            for (category, &better) in found.iter().enumerate() {
                if known[..category].iter().any(|worse| worse & better != 0) {
                    wrong |= 1 << group;
                }
                best[category] |= better;
            }
        }
        let mut seen = 0;
        for category in (0..CATEGORIES).rev() {
            let here = known[category] & best[category] & !seen;
            seen |= best[category];
            for worse in &mut allowed.0[..category] {
                *worse |= here;
            }
        }
        wrong
    }

    /// Returns the squares of the swept king on which a capture of a piece of the group results in
    /// a category, indexed by category.
    #[inline(always)]
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
                let from = self.king_reach[target.index()].0;
                let mut there = *after.masks(fixed_king, rest);
                for mask in &mut there {
                    *mask = (*mask >> target.index() & 1) * from;
                }
                add(&there, 0);
            } else if self.king_reach[fixed_king.index()].contains(target) {
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
