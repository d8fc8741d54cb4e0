//! Lanes as plain arrays, which compilers vectorise.

use crate::lanes::{LANES, LaneKernel, LaneMask, LaneRow, Lanes};
use std::array;
use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

/// Runs a kernel with arrays.
#[inline(always)]
pub fn run_portable<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<ArrayLanes>()
}

/// Sixteen numbers.
#[derive(Clone, Copy)]
struct ArrayLanes([u32; LANES]);

/// 0 or all bits for each lane.
#[derive(Clone, Copy)]
struct ArrayMask([u32; LANES]);

impl ArrayLanes {
    /// Combines the numbers of two lanes. A call in builds with debug assertions: a kernel with all
    /// its operations inlined sixteen times takes as long to compile as the rest of its crate.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with(self, other: ArrayLanes, both: impl Fn(u32, u32) -> u32) -> ArrayLanes {
        let mut numbers = self.0;
        for (number, other) in numbers.iter_mut().zip(other.0) {
            *number = both(*number, other);
        }
        ArrayLanes(numbers)
    }

    #[inline(always)]
    fn compared(self, other: ArrayLanes, holds: impl Fn(i32, i32) -> bool) -> ArrayMask {
        ArrayMask(self.with(other, |a, b| 0u32.wrapping_sub(holds(a as i32, b as i32).into())).0)
    }
}

macro_rules! lane_operators {
    ($lanes:ty: $($operator:ident $name:ident $both:expr;)*) => { $(
        impl $operator for $lanes {
            type Output = $lanes;
            #[inline(always)]
            fn $name(self, other: $lanes) -> $lanes {
                self.with(other, $both)
            }
        }
    )* };
}

lane_operators! { ArrayLanes:
    Add add u32::wrapping_add;
    Sub sub u32::wrapping_sub;
    Mul mul u32::wrapping_mul;
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
}

impl Lanes for ArrayLanes {
    type Mask = ArrayMask;

    #[inline(always)]
    fn splat(number: u32) -> ArrayLanes {
        ArrayLanes([number; LANES])
    }

    #[inline(always)]
    fn load(row: &LaneRow) -> ArrayLanes {
        ArrayLanes(row.0)
    }

    #[inline(always)]
    fn row(self) -> LaneRow {
        LaneRow(self.0)
    }

    #[inline(always)]
    fn shifted_left(self, bits: u32) -> ArrayLanes {
        self.with(self, |number, _| number << (bits % u32::BITS))
    }

    #[inline(always)]
    fn shifted_right(self, bits: u32) -> ArrayLanes {
        self.with(self, |number, _| number >> (bits % u32::BITS))
    }

    #[inline(always)]
    fn min(self, other: ArrayLanes) -> ArrayLanes {
        self.with(other, |a, b| (a as i32).min(b as i32) as u32)
    }

    #[inline(always)]
    fn max(self, other: ArrayLanes) -> ArrayLanes {
        self.with(other, |a, b| (a as i32).max(b as i32) as u32)
    }

    #[inline(always)]
    fn equals(self, other: ArrayLanes) -> ArrayMask {
        self.compared(other, |a, b| a == b)
    }

    #[inline(always)]
    fn exceeds(self, other: ArrayLanes) -> ArrayMask {
        self.compared(other, |a, b| a > b)
    }

    #[inline(always)]
    fn select(mask: ArrayMask, yes: ArrayLanes, no: ArrayLanes) -> ArrayLanes {
        let mask = ArrayLanes(mask.0);
        let no = no.with(mask, |number, mask| number & !mask);
        (yes & mask) | no
    }

    #[inline(always)]
    fn apart(self, other: ArrayLanes) -> ArrayLanes {
        self.with(other, |a, b| {
            let distance = (a as i32).wrapping_sub(b as i32).unsigned_abs();
            u32::from(distance > 0) + u32::from(distance > 1) + u32::from(distance > 3)
        })
    }

    #[inline(always)]
    fn gather(mask: ArrayMask, table: &[u32], indices: ArrayLanes) -> ArrayLanes {
        let entry = |index: u32| table.get(index as usize).copied().unwrap_or(0);
        indices.with(ArrayLanes(mask.0), |index, mask| if mask == 0 { 0 } else { entry(index) })
    }

    #[inline(always)]
    fn with_lane(mut self, lane: usize, number: u32) -> ArrayLanes {
        self.0[lane % LANES] = number;
        self
    }

    #[inline(always)]
    fn gather_bytes(bytes: &[u8], indices: ArrayLanes) -> ArrayLanes {
        indices.with(indices, |index, _| {
            let four = bytes.get(index as usize..).and_then(<[u8]>::first_chunk::<4>);
            four.map_or(0, |&four| u32::from_le_bytes(four))
        })
    }

    #[inline(always)]
    fn quotient(self, divisor: ArrayLanes) -> ArrayLanes {
        self.with(divisor, |dividend, divisor| dividend / divisor.max(1))
    }
}

impl ArrayMask {
    #[inline(always)]
    fn with(self, other: ArrayMask, both: impl Fn(u32, u32) -> u32) -> ArrayMask {
        ArrayMask(ArrayLanes(self.0).with(ArrayLanes(other.0), both).0)
    }
}

lane_operators! { ArrayMask:
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
}

impl Not for ArrayMask {
    type Output = ArrayMask;
    #[inline(always)]
    fn not(self) -> ArrayMask {
        self.with(self, |mask, _| !mask)
    }
}

impl LaneMask for ArrayMask {
    #[inline(always)]
    fn of_bits(bits: u16) -> ArrayMask {
        let lanes: [u32; LANES] = array::from_fn(|lane| 1 << lane);
        let bits = ArrayLanes::splat(bits.into());
        ArrayLanes(lanes).compared(bits, |lane, bits| bits & lane != 0)
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        let lanes: [u32; LANES] = array::from_fn(|lane| 1 << lane);
        let set = ArrayLanes(self.0) & ArrayLanes(lanes);
        set.0.iter().fold(0, |bits, &lane| bits | lane) as u16
    }
}
