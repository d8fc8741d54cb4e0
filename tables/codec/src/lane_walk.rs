//! The [walk](crate::walk) through the squares of sixteen blocks in lockstep.

use crate::context::NEAR_SQUARES;
use crate::lane_prediction::{LaneCodes, LaneNearby, LanePrediction, LaneScale};
use crate::lanes::{LANES, LaneMask, LaneRow, Lanes};
use crate::walk::Predictor;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// A tile of each lane.
#[derive(Clone, Debug)]
pub struct LaneTile {
    /// The codes.
    pub codes: LaneCodes,
    /// 1 in the lanes whose code differs from the first prediction, else 0; by square.
    missed: [LaneRow; SQUARES],
}

impl LaneTile {
    /// A tile of draws.
    pub const EMPTY: LaneTile =
        LaneTile { codes: [LaneRow([0; LANES]); SQUARES], missed: [LaneRow([0; LANES]); SQUARES] };
}

/// A set of squares of each lane: the words of its lower and upper half.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneSquares([LaneRow; 2]);

impl LaneSquares {
    /// No square.
    pub const EMPTY: LaneSquares = LaneSquares([LaneRow([0; LANES]); 2]);

    /// Sets the squares of a lane.
    #[inline]
    pub fn set(&mut self, lane: usize, squares: u64) {
        let [low, high] = &mut self.0;
        low.0[lane % LANES] = squares as u32;
        high.0[lane % LANES] = (squares >> u32::BITS) as u32;
    }

    /// The lanes whose set has a square.
    #[inline(always)]
    pub fn lanes_with<L: Lanes>(&self, square: usize) -> L::Mask {
        let half = L::load(&self.0[square / 32 % 2]);
        let bit = L::splat(1 << (square % 32));
        (half & bit).equals(bit)
    }
}

/// The shapes of a tile of each lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneShapes {
    kept: LaneSquares,
    attacked: LaneSquares,
    guarding: LaneSquares,
    /// The lanes with a kept square.
    inhabited: u16,
}

impl LaneShapes {
    /// The lanes that keep a square.
    #[inline(always)]
    pub fn kept<L: Lanes>(&self, square: usize) -> L::Mask {
        self.kept.lanes_with::<L>(square)
    }

    /// Sets the shape of a lane. Kept squares after `last` are dropped.
    #[inline]
    pub fn set(&mut self, lane: usize, shape: TileShape, last: usize) {
        let before = u64::MAX >> (SQUARES - 1 - last % SQUARES);
        self.kept.set(lane, shape.kept & before);
        self.attacked.set(lane, shape.attacked);
        self.guarding.set(lane, shape.guarding);
        let lane = 1 << (lane % LANES);
        self.inhabited = self.inhabited & !lane | if shape.kept == 0 { 0 } else { lane };
    }
}

/// The source of the codes of sixteen blocks on a walk: decoded or encoded.
pub trait LaneWalker<L: Lanes> {
    /// The codes of a square, in the lanes that keep it; other lanes are not read.
    fn codes(&mut self, square: TileSquare, kept: L::Mask, prediction: &LanePrediction<'_, L>)
    -> L;
}

/// Walks through the tiles of `shapes`, the last tile up to and including the square `last`. Leaves
/// the codes in `tiles`, which must have as many elements.
#[inline(always)]
pub fn walk<L: Lanes, W: LaneWalker<L>>(
    predictor: &Predictor<'_>,
    walker: &mut W,
    base: L,
    shapes: &[LaneShapes],
    last: usize,
    tiles: &mut [LaneTile],
) {
    let scale = LaneScale::of(predictor.scale);
    let walk = LaneWalk { predictor, base, scale };
    for (tile, shape) in shapes.iter().enumerate().take(MAX_TILES) {
        let end = if tile + 1 == shapes.len() { last % SQUARES + 1 } else { SQUARES };
        let Some((before, [current, ..])) = tiles.split_at_mut_checked(tile) else { return };
        let number = predictor.references.get(tile).copied().flatten();
        // Inlined twice: with and without a reference tile.
        match number.and_then(|number| before.get(usize::from(number))) {
            Some(reference) => walk.tile(walker, tile, end, shape, Some(reference), current),
            None => walk.tile(walker, tile, end, shape, None, current),
        }
    }
}

/// Data that the tiles of a walk share.
struct LaneWalk<'a, L> {
    predictor: &'a Predictor<'a>,
    base: L,
    scale: LaneScale<L>,
}

impl<L: Lanes> LaneWalk<'_, L> {
    #[inline(always)]
    fn tile<W: LaneWalker<L>>(
        &self,
        walker: &mut W,
        tile: usize,
        end: usize,
        shapes: &LaneShapes,
        reference: Option<&LaneTile>,
        current: &mut LaneTile,
    ) {
        let LaneTile { codes, missed } = current;
        if shapes.inhabited == 0 {
            match reference {
                Some(reference) => *codes = reference.codes,
                None => *codes = [self.base.row(); SQUARES],
            }
            *missed = [LaneRow::default(); SQUARES];
            return;
        }
        let inhabited = L::Mask::of_bits(shapes.inhabited);
        // The first square has no square before it and reads itself.
        codes[0] = reference.map_or(self.base.row(), |reference| reference.codes[0]);
        missed[0] = LaneRow::default();
        let one = L::splat(1);
        for square in 0..end {
            let near = self.predictor.squares.near(square);
            let beyond = self.predictor.squares.beyond(square);
            let kept = shapes.kept.lanes_with::<L>(square);
            let hints = L::only(shapes.attacked.lanes_with::<L>(square), 1)
                | L::only(shapes.guarding.lanes_with::<L>(square), 2);
            let misses = misses::<L>(missed, near, reference, [square, beyond]);
            let nearby = LaneNearby {
                near,
                square,
                beyond,
                current: codes,
                reference: match reference {
                    Some(reference) => Some(&reference.codes),
                    None => None,
                },
                base: self.base,
                scale: self.scale,
            };
            let prediction = LanePrediction::new(nearby, misses, hints);
            let first = prediction.first;
            // A tile without a kept square is a copy.
            let copy = match reference {
                Some(reference) => L::load(&reference.codes[square]),
                None => self.base,
            };
            let mut code = L::select(inhabited, first, copy);
            if kept.any() {
                let walked = walker.codes(TileSquare { tile, square }, kept, &prediction);
                code = L::select(kept, walked, code);
            }
            codes[square] = code.row();
            let right = code.equals(first) | !inhabited;
            missed[square] = L::select(right, L::splat(0), one).row();
        }
    }
}

/// The misses among the two nearest squares and, in a reference tile, the squares `there`; at most
/// 3.
#[inline(always)]
fn misses<L: Lanes>(
    missed: &[LaneRow; SQUARES],
    near: &[u8; NEAR_SQUARES],
    reference: Option<&LaneTile>,
    there: [usize; 2],
) -> L {
    let here = L::load(&missed[usize::from(near[0]) % SQUARES])
        + L::load(&missed[usize::from(near[1]) % SQUARES]);
    let Some(reference) = reference else { return here };
    let there = L::load(&reference.missed[there[0] % SQUARES])
        + L::load(&reference.missed[there[1] % SQUARES]);
    (here + there).min(L::splat(3))
}
