//! What the code at a square may be, as the codes around it have it, and how sure that is.

use crate::board::square::SQUARES;
use crate::packed_codec::Codes;
use crate::packed_codec::ans::SYMBOLS;
use crate::packed_codec::context::ASKED;
use crate::packed_codec::scale::Scale;

/// The bits of a context with a tile above.
pub const CONTEXT_BITS: u32 = 17;

/// The bits of a context without one.
const FIRST_CONTEXT_BITS: u32 = 15;

/// How many contexts there are.
pub const CONTEXTS: usize = (1 << CONTEXT_BITS) + (1 << FIRST_CONTEXT_BITS);

/// Symbols that name a guess outright.
pub const NAMED: usize = 7;

/// The symbol of a draw.
const DRAW: u8 = 13;

/// The symbol after which the code itself follows.
pub const LITERAL: u8 = SYMBOLS as u8 - 1;

/// What the symbols after the named ones add to the first guess.
const NUDGES: [i32; 6] = [1, -1, 2, -2, 3, -3];

/// Guesses at one code.
///
/// The first [`NAMED`] symbols are guesses, the next lie up to three codes beside the
/// first guess; then come a draw, one more than the third guess, and none of these. The
/// first guess and the context are worked out at once, the rest when asked for.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    around: Around<'a>,
    first: u16,
    context: u32,
}

/// What guesses are made from.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Where to look in the tile, best first.
    pub near: &'a [u8; ASKED],
    /// The square, and one that is looked at in the tile above only.
    pub square: usize,
    /// See [`Neighbours::beyond`](crate::packed_codec::context::Neighbours::beyond).
    pub beyond: usize,
    /// The codes before in the same tile.
    pub current: &'a Codes,
    /// All codes of the tile above, if there is one.
    pub above: Option<&'a Codes>,
    /// The base of the block.
    pub base: u16,
    /// What the codes stand for.
    pub scale: Scale,
    /// How many of four codes were not the first guess there: the two nearest, the one
    /// above, and the one above and beyond; no more than 3.
    pub doubt: u32,
}

impl Around<'_> {
    #[inline(always)]
    fn near(&self, place: usize) -> u16 {
        self.current[usize::from(self.near[place % ASKED]) % SQUARES]
    }

    /// The code above one of those near.
    #[inline(always)]
    fn above_near(&self, above: &Codes, place: usize) -> u16 {
        above[usize::from(self.near[place % ASKED]) % SQUARES]
    }
}

impl<'a> Guess<'a> {
    /// From the codes around; `hints` are two bits that tell squares apart which differ by
    /// the pieces around.
    #[inline(always)]
    pub fn new(around: Around<'a>, hints: u32) -> Guess<'a> {
        let scale = around.scale;
        let [n1, n2, n3] = [0, 1, 2].map(|place| around.near(place));
        let Some(above) = around.above else {
            let n4 = around.near(3);
            let context = apart(n1, n2)
                | apart(n1, n3) << 2
                | u32::from(n2 == n3) << 4
                | u32::from(n1 == n4) << 5
                | u32::from(n1 == around.base) << 6
                | scale.class(n1) << 7
                | scale.class(n2) << 9
                | hints << 11
                | around.doubt << 13
                | 1 << CONTEXT_BITS;
            return Guess { around, first: n1, context };
        };
        let [u1, u2] = [0, 1].map(|place| around.above_near(above, place));
        let (up, next) = (above[around.square % SQUARES], above[around.beyond % SQUARES]);
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
            | around.doubt << 15;
        Guess { around, first, context }
    }

    /// The context, less than [`CONTEXTS`].
    #[inline(always)]
    pub fn context(&self) -> usize {
        self.context as usize
    }

    /// The likeliest code.
    #[inline(always)]
    pub fn first(&self) -> u16 {
        self.first
    }

    /// The code of a named guess.
    #[inline(always)]
    fn named(&self, place: usize) -> u16 {
        let around = &self.around;
        let Some(above) = around.above else {
            return if place == NAMED - 1 { around.base } else { around.near(place) };
        };
        let up = above[around.square % SQUARES];
        match place {
            0 => self.first,
            1 => up,
            2 => around.near(0),
            3 => around.near(1),
            4 => around.scale.shifted(up, around.above_near(above, 1), around.near(1)),
            5 => around.near(2),
            _ => above[around.beyond % SQUARES],
        }
    }

    /// The code a symbol stands for; nothing for [`LITERAL`] or where there is no such
    /// code.
    #[inline(always)]
    pub fn code(&self, symbol: u8) -> Option<u16> {
        let place = usize::from(symbol);
        if place < NAMED {
            return Some(self.named(place));
        }
        let sum = match symbol {
            DRAW => return Some(0),
            LITERAL => return None,
            _ => match NUDGES.get(place - NAMED) {
                Some(nudge) => i32::from(self.first) + nudge,
                None => i32::from(self.named(2)) + 1,
            },
        };
        u16::try_from(sum).ok()
    }

    /// The codes of all symbols, all but the last; what stands for no code is 65535, which
    /// a table that has it does not need.
    #[inline(always)]
    pub fn codes(&self) -> [u16; SYMBOLS] {
        let around = &self.around;
        let [n1, n2, n3] = [0, 1, 2].map(|place| around.near(place));
        let named = match around.above {
            None => [n1, n2, n3, around.near(3), around.near(4), around.near(5), around.base],
            Some(above) => {
                let up = above[around.square % SQUARES];
                let second = around.scale.shifted(up, around.above_near(above, 1), n2);
                [self.first, up, n1, n2, second, n3, above[around.beyond % SQUARES]]
            }
        };
        let [a, b, c, d, e, f, g] = named;
        let nudged = NUDGES.map(|nudge| a.wrapping_add_signed(nudge as i16));
        let [h, i, j, k, l, m] = nudged;
        [a, b, c, d, e, f, g, h, i, j, k, l, m, 0, c.wrapping_add(1), 0]
    }

    /// The symbol of a code: the first that stands for it.
    pub fn symbol(&self, code: u16) -> u8 {
        let symbol = (0..LITERAL).find(|&symbol| self.code(symbol) == Some(code));
        symbol.unwrap_or(LITERAL)
    }
}

/// How far two codes are apart: 0, 1, up to 3, more.
#[inline(always)]
fn apart(one: u16, other: u16) -> u32 {
    let distance = one.abs_diff(other);
    u32::from(distance > 0) + u32::from(distance > 1) + u32::from(distance > 3)
}

/// A context with less in it, for those too rare to be counted on their own: without the
/// hints, the squares further off, and how far codes are apart if they differ.
pub fn coarser(context: usize) -> usize {
    /// Which codes are equal, and two classes.
    const KEPT: usize = 0b111_1111 << 4;
    let differs = |at: u32| usize::from(context >> at & 3 != 0) << at;
    differs(0) | differs(2) | context & (KEPT | 1 << CONTEXT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Moves;
    use crate::values::Coding;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_stand_for_their_codes(
            codes in proptest::collection::vec(0u16..60, SQUARES),
            above in proptest::collection::vec(0u16..60, SQUARES),
            hints in 0u32..4,
            code in 0u16..60,
        ) {
            let scale = Scale::of(Coding { wins: Moves(40), losses: Some(Moves(20)) });
            let current: Codes = codes.try_into().unwrap();
            let above: Codes = above.try_into().unwrap();
            let near = [9, 8, 7, 3, 2, 1];
            for above in [Some(&above), None] {
                let (square, beyond, base) = (10, 12, 7);
                let around =
                    Around { near: &near, square, beyond, current: &current, above, base, scale, doubt: hints };
                let guess = Guess::new(around, hints);
                prop_assert!(guess.context() < CONTEXTS);
                prop_assert!(coarser(guess.context()) < CONTEXTS);
                prop_assert_eq!(coarser(coarser(guess.context())), coarser(guess.context()));
                let symbol = guess.symbol(code);
                prop_assert!(symbol == LITERAL || guess.code(symbol) == Some(code));
            }
        }
    }
}
