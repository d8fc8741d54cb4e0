//! Predictions of the code at a square from the codes nearby, and their context.

use crate::ans::SYMBOLS;
use crate::context::NEAR_SQUARES;
use crate::scale::Scale;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileCodes;

/// The bits of a context with a reference tile.
pub const CONTEXT_BITS: u32 = 17;

/// The bits of a context without a reference tile.
const FIRST_CONTEXT_BITS: u32 = 15;

/// The number of contexts.
pub const CONTEXTS: usize = (1 << CONTEXT_BITS) + (1 << FIRST_CONTEXT_BITS);

/// The number of values of the hints of a square.
pub const HINTS: u32 = 4;

/// The number of symbols that name a prediction.
pub const PREDICTIONS: usize = 7;

/// The symbol of a draw.
pub const DRAW: u8 = 13;

/// The symbol before a code that is written out in digits.
pub const LITERAL: u8 = SYMBOLS as u8 - 1;

/// The differences from the first prediction, by symbol.
pub const NUDGES: [i32; 6] = [1, -1, 2, -2, 3, -3];

/// The predictions of one code.
/// The first [`PREDICTIONS`] symbols are predictions. The next symbols are codes up to three above
/// or below the first prediction. Then come a draw, one more than the third prediction, and a
/// literal. The first prediction and the context are computed at once, the others on demand.
#[derive(Clone, Copy, Debug)]
pub struct Prediction<'a> {
    nearby: NearbyCodes<'a>,
    first: u16,
    context: u32,
}

/// The codes that predictions come from.
#[derive(Clone, Copy, Debug)]
pub struct NearbyCodes<'a> {
    /// Earlier squares of the tile, the most similar first.
    pub near: &'a [u8; NEAR_SQUARES],
    /// The square whose code is predicted.
    pub square: usize,
    /// The square opposite the nearest earlier square, see
    /// [`ContextSquares::beyond`](crate::context::ContextSquares::beyond).
    pub beyond: usize,
    /// The codes of the tile; codes before the square are known.
    pub current: &'a TileCodes,
    /// The codes of the reference tile, if there is one.
    pub reference: Option<&'a TileCodes>,
    /// The base of the block.
    pub base: u16,
    /// The meaning of the codes.
    pub scale: Scale,
    /// The number of misses among four codes, at most 3. A miss is a code that differs from the
    /// first prediction at its square. The four codes: the two nearest, and in the reference tile
    /// the codes at the square and beyond.
    pub misses: u32,
}

impl NearbyCodes<'_> {
    #[inline(always)]
    fn near(&self, index: usize) -> u16 {
        self.current[usize::from(self.near[index % NEAR_SQUARES]) % SQUARES]
    }

    /// The code of the reference tile at one of the near squares.
    #[inline(always)]
    fn reference_near(&self, reference: &TileCodes, index: usize) -> u16 {
        reference[usize::from(self.near[index % NEAR_SQUARES]) % SQUARES]
    }
}

impl<'a> Prediction<'a> {
    /// The prediction from codes nearby. `hints` are the bits `attacked` and `guarding` of the
    /// square, see [`TileShape`](sakmak_tables::tiles::tile::shape::TileShape).
    #[inline(always)]
    pub fn new(nearby: NearbyCodes<'a>, hints: u32) -> Prediction<'a> {
        let scale = nearby.scale;
        let [n1, n2, n3] = [0, 1, 2].map(|index| nearby.near(index));
        let Some(reference) = nearby.reference else {
            let n4 = nearby.near(3);
            let context = apart(n1, n2)
                | apart(n1, n3) << 2
                | u32::from(n2 == n3) << 4
                | u32::from(n1 == n4) << 5
                | u32::from(n1 == nearby.base) << 6
                | scale.class(n1) << 7
                | scale.class(n2) << 9
                | hints << 11
                | nearby.misses << 13
                | 1 << CONTEXT_BITS;
            return Prediction { nearby, first: n1, context };
        };
        let [u1, u2] = [0, 1].map(|index| nearby.reference_near(reference, index));
        let (up, next) = (reference[nearby.square % SQUARES], reference[nearby.beyond % SQUARES]);
        let first = scale.shifted(up, u1, n1);
        let context = apart(n1, u1)
            | apart(n2, u2) << 2
            | u32::from(up == u1) << 4
            | u32::from(n1 == up) << 5
            | u32::from(n2 == up) << 6
            | u32::from(n1 == n2) << 7
            | u32::from(n3 == n1) << 8
            | scale.class(first) << 9
            | u32::from(next == up) << 11
            | u32::from(u2 == up) << 12
            | hints << 13
            | nearby.misses << 15;
        Prediction { nearby, first, context }
    }

    /// The index of the context, less than [`CONTEXTS`].
    #[inline(always)]
    pub fn context(&self) -> usize {
        self.context as usize
    }

    /// The first prediction.
    #[inline(always)]
    pub fn first(&self) -> u16 {
        self.first
    }

    /// The prediction of a symbol less than [`PREDICTIONS`].
    #[inline(always)]
    fn prediction(&self, index: usize) -> u16 {
        let nearby = &self.nearby;
        let Some(reference) = nearby.reference else {
            return if index == PREDICTIONS - 1 { nearby.base } else { nearby.near(index) };
        };
        let up = reference[nearby.square % SQUARES];
        match index {
            0 => self.first,
            1 => up,
            2 => nearby.near(0),
            3 => nearby.near(1),
            4 => nearby.scale.shifted(up, nearby.reference_near(reference, 1), nearby.near(1)),
            5 => nearby.near(2),
            _ => reference[nearby.beyond % SQUARES],
        }
    }

    /// The code of a symbol. `None` for [`LITERAL`] and if the code would be out of range.
    #[inline(always)]
    pub fn code(&self, symbol: u8) -> Option<u16> {
        let index = usize::from(symbol);
        if index < PREDICTIONS {
            return Some(self.prediction(index));
        }
        let sum = match symbol {
            DRAW => return Some(0),
            LITERAL => return None,
            _ => match NUDGES.get(index - PREDICTIONS) {
                Some(nudge) => i32::from(self.first) + nudge,
                None => i32::from(self.prediction(2)) + 1,
            },
        };
        u16::try_from(sum).ok()
    }

    /// The codes of all symbols but [`LITERAL`], as numbers of 32 bits. Codes out of range have no
    /// value.
    #[inline(always)]
    pub fn codes(&self) -> [u32; SYMBOLS] {
        let nearby = &self.nearby;
        let [n1, n2, n3] = [0, 1, 2].map(|index| nearby.near(index));
        let predictions = match nearby.reference {
            None => [n1, n2, n3, nearby.near(3), nearby.near(4), nearby.near(5), nearby.base],
            Some(reference) => {
                let up = reference[nearby.square % SQUARES];
                let second = nearby.scale.shifted(up, nearby.reference_near(reference, 1), n2);
                [self.first, up, n1, n2, second, n3, reference[nearby.beyond % SQUARES]]
            }
        };
        let [a, b, c, d, e, f, g] = predictions.map(u32::from);
        let nudged = NUDGES.map(|nudge| a.wrapping_add_signed(nudge));
        let [h, i, j, k, l, m] = nudged;
        [a, b, c, d, e, f, g, h, i, j, k, l, m, 0, c + 1, 0]
    }
}

/// The class of the distance between two codes: 0, 1, up to 3, more.
#[inline(always)]
fn apart(one: u16, other: u16) -> u32 {
    let distance = one.abs_diff(other);
    u32::from(distance > 0) + u32::from(distance > 1) + u32::from(distance > 3)
}

/// A coarser context, for contexts too rare to be counted on their own. It drops the hints, the
/// squares further off, and the distance between codes that differ.
pub fn coarser(context: usize) -> usize {
    /// The bits of equal codes, and two classes.
    const KEPT: usize = 0b111_1111 << 4;
    let differs = |at: u32| usize::from(context >> at & 3 != 0) << at;
    differs(0) | differs(2) | context & (KEPT | 1 << CONTEXT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::values::Coding;

    proptest! {
        #[test]
        fn codes_at_once_are_those_on_demand(
            codes in proptest::collection::vec(0u16..60, SQUARES),
            reference in proptest::collection::vec(0u16..60, SQUARES),
            hints in 0u32..4,
        ) {
            let scale = Scale::of(Coding { wins: Moves(40), losses: Some(Moves(20)) });
            let current: TileCodes = codes.try_into().unwrap();
            let reference: TileCodes = reference.try_into().unwrap();
            let near = [9, 8, 7, 3, 2, 1];
            for reference in [Some(&reference), None] {
                let (square, beyond, base) = (10, 12, 7);
                let nearby =
                    NearbyCodes { near: &near, square, beyond, current: &current, reference, base, scale, misses: hints };
                let prediction = Prediction::new(nearby, hints);
                prop_assert!(prediction.context() < CONTEXTS);
                prop_assert!(coarser(prediction.context()) < CONTEXTS);
                prop_assert_eq!(coarser(coarser(prediction.context())), coarser(prediction.context()));
                let codes = prediction.codes().map(|code| u16::try_from(code).ok());
                for symbol in 0..LITERAL {
                    prop_assert_eq!(prediction.code(symbol), codes[usize::from(symbol)]);
                }
            }
        }
    }
}
