//! [Predictions](crate::prediction) of sixteen blocks in lockstep.

use crate::ans::SYMBOLS;
use crate::context::NEAR_SQUARES;
use crate::lanes::{LANES, LaneRow, Lanes};
use crate::prediction::{CONTEXT_BITS, DRAW, NUDGES, PREDICTIONS};
use crate::scale::{NEAR, Scale};
use sakmak_tables::board::square::SQUARES;

/// The codes of sixteen tiles, by the square of the swept piece.
pub type LaneCodes = [LaneRow; SQUARES];

/// A [`Scale`] in registers. Codes are numbers of 32 bits, so that sums do not wrap around.
#[derive(Clone, Copy)]
pub struct LaneScale<L> {
    wins: L,
    highest: L,
}

impl<L: Lanes> LaneScale<L> {
    /// A scale in registers.
    #[inline(always)]
    pub fn of(scale: Scale) -> LaneScale<L> {
        let [wins, highest] = [scale.wins(), scale.highest()];
        LaneScale { wins: L::splat(wins.into()), highest: L::splat(highest.into()) }
    }

    /// The lanes whose code has a value.
    #[inline(always)]
    pub fn holds(self, code: L) -> L::Mask {
        !(code.exceeds(self.highest) | L::splat(0).exceeds(code))
    }

    /// Computes [`Scale::class`].
    #[inline(always)]
    fn class(self, code: L) -> L {
        let [zero, one] = [L::splat(0), L::splat(1)];
        let win = one + L::only(code.exceeds(L::splat(u32::from(NEAR) - 1)), 1);
        let class = one + L::select(code.exceeds(self.wins), zero, win);
        L::select(code.equals(zero), zero, class)
    }

    /// Computes [`Scale::shifted`].
    #[inline(always)]
    fn shifted(self, code: L, from: L, to: L) -> L {
        let (lowest, highest) = (code.min(from).min(to), code.max(from).max(to));
        // Wins and losses alike lie above `floor` and up to `ceiling`.
        let lost = lowest.exceeds(self.wins);
        let floor = L::select(lost, self.wins, L::splat(0));
        let ceiling = L::select(lost, self.highest, self.wins);
        let alike = lowest.exceeds(floor) & !highest.exceeds(ceiling);
        let sum = code + to - from;
        let stays = sum.exceeds(floor) & !sum.exceeds(ceiling);
        let shifted = L::select(stays, sum, code);
        L::select(from.equals(to), code, L::select(alike, shifted, to))
    }

    /// A number that is greater for better values, for the side to move.
    #[inline(always)]
    fn preference(self, code: L) -> L {
        let won = L::splat(1 << u16::BITS) - code;
        let lost = code - L::splat(1 << (u16::BITS + 1));
        let zero = L::splat(0);
        let decided = L::select(code.exceeds(self.wins), lost, won);
        L::select(code.equals(zero), zero, decided)
    }

    /// Computes [`Scale::is_at_most`].
    #[inline(always)]
    pub fn is_at_most(self, one: L, other: L) -> L::Mask {
        !self.preference(one).exceeds(self.preference(other))
    }
}

/// The codes that predictions come from, see [`NearbyCodes`](crate::prediction::NearbyCodes).
#[derive(Clone, Copy)]
pub struct LaneNearby<'a, L> {
    /// Earlier squares of the tile, the most similar first.
    pub near: &'a [u8; NEAR_SQUARES],
    /// The square whose code is predicted.
    pub square: usize,
    /// The square opposite the nearest earlier square.
    pub beyond: usize,
    /// The codes of the tile.
    pub current: &'a LaneCodes,
    /// The codes of the reference tile, if there is one.
    pub reference: Option<&'a LaneCodes>,
    /// The base of the block.
    pub base: L,
    /// The meaning of the codes.
    pub scale: LaneScale<L>,
}

impl<L: Lanes> LaneNearby<'_, L> {
    #[inline(always)]
    fn near(&self, index: usize) -> L {
        code_at(self.current, self.near[index].into())
    }
}

#[inline(always)]
fn code_at<L: Lanes>(codes: &LaneCodes, square: usize) -> L {
    L::load(&codes[square % SQUARES])
}

/// A bit of a context.
#[inline(always)]
fn bit<L: Lanes>(mask: L::Mask, bit: u32) -> L {
    L::only(mask, 1 << bit)
}

/// The predictions of a code of each lane.
#[derive(Clone, Copy)]
pub struct LanePrediction<'a, L> {
    nearby: LaneNearby<'a, L>,
    /// The first prediction.
    pub first: L,
    /// The index of the context.
    pub context: L,
}

impl<'a, L: Lanes> LanePrediction<'a, L> {
    /// The prediction from codes nearby. `misses` are at most 3; `hints` as for
    /// [`Prediction::new`](crate::prediction::Prediction::new).
    #[inline(always)]
    pub fn new(nearby: LaneNearby<'a, L>, misses: L, hints: L) -> LanePrediction<'a, L> {
        let scale = nearby.scale;
        let (n1, n2, n3) = (nearby.near(0), nearby.near(1), nearby.near(2));
        let Some(reference) = nearby.reference else {
            let n4 = nearby.near(3);
            let context = n1.apart(n2)
                | n1.apart(n3).shifted_left(2)
                | bit::<L>(n2.equals(n3), 4)
                | bit::<L>(n1.equals(n4), 5)
                | bit::<L>(n1.equals(nearby.base), 6)
                | scale.class(n1).shifted_left(7)
                | scale.class(n2).shifted_left(9)
                | hints.shifted_left(11)
                | misses.shifted_left(13)
                | L::splat(1 << CONTEXT_BITS);
            return LanePrediction { nearby, first: n1, context };
        };
        let u1 = code_at::<L>(reference, nearby.near[0].into());
        let u2 = code_at::<L>(reference, nearby.near[1].into());
        let up = code_at::<L>(reference, nearby.square);
        let next = code_at::<L>(reference, nearby.beyond);
        let first = scale.shifted(up, u1, n1);
        let context = n1.apart(u1)
            | n2.apart(u2).shifted_left(2)
            | bit::<L>(up.equals(u1), 4)
            | bit::<L>(n1.equals(up), 5)
            | bit::<L>(n2.equals(up), 6)
            | bit::<L>(n1.equals(n2), 7)
            | bit::<L>(n3.equals(n1), 8)
            | scale.class(first).shifted_left(9)
            | bit::<L>(next.equals(up), 11)
            | bit::<L>(u2.equals(up), 12)
            | hints.shifted_left(13)
            | misses.shifted_left(15);
        LanePrediction { nearby, first, context }
    }

    /// The codes of symbols that no tile holds, to be lent to [`LanePrediction::codes`].
    #[inline(always)]
    pub fn computed(&self) -> ComputedCodes {
        let nearby = &self.nearby;
        let Some(reference) = nearby.reference else {
            let base = nearby.base.row();
            return ComputedCodes { one: base, other: base };
        };
        let u2 = code_at::<L>(reference, nearby.near[1].into());
        let up = code_at::<L>(reference, nearby.square);
        let second = nearby.scale.shifted(up, u2, nearby.near(1));
        ComputedCodes { one: self.first.row(), other: second.row() }
    }

    /// The codes of all symbols. `computed` comes from [`LanePrediction::computed`].
    #[inline(always)]
    pub fn codes(&self, computed: &'a ComputedCodes) -> SymbolCodes<'a> {
        let nearby = &self.nearby;
        let near = |index: usize| &nearby.current[usize::from(nearby.near[index]) % SQUARES];
        let ([n1, n2, n3], none) = ([near(0), near(1), near(2)], &NO_CODES);
        SymbolCodes(match nearby.reference {
            None => {
                let (n4, n5, n6) = (near(3), near(4), near(5));
                let base = &computed.one;
                [n1, n2, n3, n4, n5, n6, base, n1, n1, n1, n1, n1, n1, none, n3, none]
            }
            Some(reference) => {
                let up = &reference[nearby.square % SQUARES];
                let next = &reference[nearby.beyond % SQUARES];
                let ComputedCodes { one: a, other: second } = computed;
                [a, up, n1, n2, second, n3, next, a, a, a, a, a, a, none, n1, none]
            }
        })
    }
}

/// The codes of two symbols.
#[derive(Clone, Copy, Debug)]
pub struct ComputedCodes {
    one: LaneRow,
    other: LaneRow,
}

/// The codes of all symbols: for each symbol a row to which `ADDED` is added. The row of the
/// literal is unspecified; codes out of range have no value.
#[derive(Clone, Copy, Debug)]
pub struct SymbolCodes<'a>([&'a LaneRow; SYMBOLS]);

/// The row of a draw.
static NO_CODES: LaneRow = LaneRow([0; LANES]);

/// Numbers added to the codes of the row of each symbol, see [`NUDGES`].
const ADDED: [u32; SYMBOLS] = {
    let mut added = [0; SYMBOLS];
    let mut nudge = 0;
    while nudge < NUDGES.len() {
        added[PREDICTIONS + nudge] = NUDGES[nudge] as u32;
        nudge += 1;
    }
    added[DRAW as usize + 1] = 1;
    added
};

impl SymbolCodes<'_> {
    /// The codes of a symbol.
    #[inline(always)]
    pub fn of<L: Lanes>(&self, symbol: u8) -> L {
        let symbol = usize::from(symbol) % SYMBOLS;
        L::load(self.0[symbol]) + L::splat(ADDED[symbol])
    }

    /// The code of a symbol in one lane.
    #[inline(always)]
    pub fn in_lane(&self, symbol: u8, lane: usize) -> u32 {
        let symbol = usize::from(symbol) % SYMBOLS;
        self.0[symbol].0[lane % LANES].wrapping_add(ADDED[symbol])
    }
}
