//! What the code at a square may be, as the codes around it have it, and how sure that is.

use super::Codes;
use super::ans::SYMBOLS;
use super::scale::Scale;
use crate::square::SQUARES;

/// The bits of a context with a panel above.
pub const CONTEXT_BITS: u32 = 15;

/// The bits of a context without one.
const FIRST_CONTEXT_BITS: u32 = 13;

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
/// first guess; then come a draw, one more than the third guess, and none of these.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    named: [u16; NAMED],
    context: u32,
}

impl Guess {
    /// From the codes before in the same panel and all codes of another, the panel above.
    /// `hints` are two bits that tell squares apart which differ by the men around.
    #[inline(always)]
    pub fn below(
        near: &[u8; 6],
        beyond: usize,
        square: usize,
        current: &Codes,
        above: &Codes,
        hints: u32,
        scale: Scale,
    ) -> Guess {
        let at = |codes: &Codes, place: usize| codes[place % SQUARES];
        let [n1, n2, n3] = [0, 1, 2].map(|place| at(current, near[place].into()));
        let [u1, u2] = [0, 1].map(|place| at(above, near[place].into()));
        let (up, next) = (at(above, square), at(above, beyond));
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
            | hints << 13;
        Guess { named: [first, up, n1, n2, scale.shifted(up, u2, n2), n3, next], context }
    }

    /// From the codes before in the same panel alone, the first of a block; `base` stands
    /// in where there are none.
    #[inline(always)]
    pub fn alone(near: &[u8; 6], current: &Codes, base: u16, hints: u32, scale: Scale) -> Guess {
        let n = near.map(|near| current[usize::from(near) % SQUARES]);
        let context = apart(n[0], n[1])
            | apart(n[0], n[2]) << 2
            | u32::from(n[1] == n[2]) << 4
            | u32::from(n[0] == n[3]) << 5
            | u32::from(n[0] == base) << 6
            | scale.class(n[0]) << 7
            | scale.class(n[1]) << 9
            | hints << 11
            | 1 << CONTEXT_BITS;
        Guess { named: [n[0], n[1], n[2], n[3], n[4], n[5], base], context }
    }

    /// The context, less than [`CONTEXTS`].
    #[inline(always)]
    pub fn context(&self) -> usize {
        self.context as usize
    }

    /// The likeliest code.
    #[inline(always)]
    pub fn first(&self) -> u16 {
        self.named[0]
    }

    /// The code a symbol stands for; nothing for [`LITERAL`] or where there is no such
    /// code.
    #[inline(always)]
    pub fn code(&self, symbol: u8) -> Option<u16> {
        if let Some(&code) = self.named.get(usize::from(symbol)) {
            return Some(code);
        }
        let sum = match symbol {
            DRAW => return Some(0),
            LITERAL => return None,
            symbol => match NUDGES.get(usize::from(symbol) - NAMED) {
                Some(nudge) => i32::from(self.named[0]) + nudge,
                None => i32::from(self.named[2]) + 1,
            },
        };
        u16::try_from(sum).ok()
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
            let guesses = [
                Guess::below(&near, 12, 10, &current, &above, hints, scale),
                Guess::alone(&near, &current, 7, hints, scale),
            ];
            for guess in guesses {
                prop_assert!(guess.context() < CONTEXTS);
                prop_assert!(coarser(guess.context()) < CONTEXTS);
                prop_assert_eq!(coarser(coarser(guess.context())), coarser(guess.context()));
                let symbol = guess.symbol(code);
                prop_assert!(symbol == LITERAL || guess.code(symbol) == Some(code));
            }
        }
    }
}
