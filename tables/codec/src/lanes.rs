//! Sixteen numbers at once: the operations that the codec needs to work on 16 blocks in
//! lockstep, one block a *lane*.
//!
//! The codec is written once, for any [`Lanes`]. They are plain arrays on every processor, and
//! wide registers where the processor has them; [`LaneRegisters`](registers::LaneRegisters)
//! chooses at run time. All kinds compute the same numbers.

#[cfg(target_arch = "x86_64")]
pub mod avx2;

#[cfg(target_arch = "x86_64")]
pub mod avx512;

pub mod portable;

pub mod registers;

use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

/// The number of lanes.
pub const LANES: usize = 16;

/// A number for each lane, in memory.
#[repr(C, align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LaneRow(pub [u32; LANES]);

/// A number for each lane, in registers. Numbers have 32 bits and wrap around; comparisons are
/// signed.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    /// A bit for each lane.
    type Mask: LaneMask;

    /// The same number in all lanes.
    fn splat(number: u32) -> Self;

    /// The numbers of a row.
    fn load(row: &LaneRow) -> Self;

    /// The numbers as a row.
    fn row(self) -> LaneRow;

    /// The numbers shifted to the left by less than 32 bits.
    fn shifted_left(self, bits: u32) -> Self;

    /// The numbers shifted to the right by less than 32 bits, filled with zeros.
    fn shifted_right(self, bits: u32) -> Self;

    /// The smaller numbers.
    fn min(self, other: Self) -> Self;

    /// The greater numbers.
    fn max(self, other: Self) -> Self;

    /// The lanes whose numbers are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// The lanes whose numbers are greater than the numbers of `other`.
    fn exceeds(self, other: Self) -> Self::Mask;

    /// The numbers of `yes` in the lanes of the mask, else the numbers of `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The class of the distance between two codes: 0, 1, up to 3, more.
    fn apart(self, other: Self) -> Self;

    /// The entries of a table at these indices in the lanes of the mask. 0 in other lanes, and for
    /// indices out of range.
    fn gather(mask: Self::Mask, table: &[u32], indices: Self) -> Self;

    /// The numbers with another number in one lane.
    fn with_lane(self, lane: usize, number: u32) -> Self;

    /// The four bytes at these indices, the first in the lowest bits; 0 if fewer bytes are left.
    fn gather_bytes(bytes: &[u8], indices: Self) -> Self;

    /// The quotients, rounded down. Dividends are less than 2^31, divisors from 1 to 2^14 and
    /// quotients less than 2^17.
    fn quotient(self, divisor: Self) -> Self;

    /// The number in the lanes of the mask, else 0.
    #[inline(always)]
    fn only(mask: Self::Mask, number: u32) -> Self {
        Self::select(mask, Self::splat(number), Self::splat(0))
    }
}

/// A bit for each lane, in registers.
pub trait LaneMask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The mask with these bits; the first lane has the lowest bit.
    fn of_bits(bits: u16) -> Self;

    /// The bits; the first lane has the lowest bit.
    fn bits(self) -> u16;

    /// Whether a bit is set.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// Work on lanes. Its `run` and the functions that it calls must be `#[inline(always)]`, to be
/// compiled for the registers.
pub trait LaneKernel {
    /// The result.
    type Output;
    /// Runs the kernel with these lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// The lanes of a mask, in ascending order.
#[inline(always)]
pub fn lanes_of(mut bits: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (bits != 0).then(|| bits.trailing_zeros() as usize % LANES);
        bits &= bits.wrapping_sub(1);
        lane
    })
}
