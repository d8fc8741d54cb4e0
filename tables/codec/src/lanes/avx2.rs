//! Lanes in two AVX2 registers. This file is one of the few with unsafe code.
#![allow(unsafe_code)]

use crate::lanes::{LANES, LaneKernel, LaneMask, LaneRow, Lanes};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

/// Proof that the processor has AVX2. A value can be created only on such a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Detects the features of the processor.
    pub fn detect() -> Option<Avx2> {
        let detected = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        detected.then_some(Avx2(()))
    }

    /// Runs a kernel with these registers.
    #[inline]
    pub fn run<K: LaneKernel>(self, kernel: K) -> K::Output {
        // SAFETY: a value of the type proves that the processor has all features that the
        // function is compiled for.
        unsafe { run_avx2(kernel) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<Lanes256>()
}

/// Sixteen numbers. The type is private: `run_avx2` alone passes it to kernels.
#[derive(Clone, Copy)]
struct Lanes256([__m256i; 2]);

/// 0 or all bits for each lane.
#[derive(Clone, Copy)]
struct Mask256([__m256i; 2]);

/// Calls intrinsics that need the features of `run_avx2` and nothing else.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: `Lanes256` and `Mask256` are private, and only `run_avx2` begins their use, on
        // a processor with AVX2. These intrinsics read and write registers only.
        unsafe { $call }
    };
}

/// An intrinsic on both halves of two operands.
macro_rules! halves {
    ($one:expr, $other:expr, $intrinsic:ident) => {
        [avx2!($intrinsic($one.0[0], $other.0[0])), avx2!($intrinsic($one.0[1], $other.0[1]))]
    };
}

macro_rules! operators_256 {
    ($($lanes:ident $operator:ident $name:ident $intrinsic:ident;)*) => { $(
        impl $operator for $lanes {
            type Output = $lanes;
            #[inline(always)]
            fn $name(self, other: $lanes) -> $lanes {
                $lanes(halves!(self, other, $intrinsic))
            }
        }
    )* };
}

operators_256! {
    Lanes256 Add add _mm256_add_epi32;
    Lanes256 Sub sub _mm256_sub_epi32;
    Lanes256 Mul mul _mm256_mullo_epi32;
    Lanes256 BitAnd bitand _mm256_and_si256;
    Lanes256 BitOr bitor _mm256_or_si256;
    Mask256 BitAnd bitand _mm256_and_si256;
    Mask256 BitOr bitor _mm256_or_si256;
}

impl Lanes for Lanes256 {
    type Mask = Mask256;

    #[inline(always)]
    fn splat(number: u32) -> Lanes256 {
        Lanes256([avx2!(_mm256_set1_epi32(number as i32)); 2])
    }

    #[inline(always)]
    fn load(row: &LaneRow) -> Lanes256 {
        let (halves, _) = row.0.as_chunks::<{ LANES / 2 }>();
        // SAFETY: as in `avx2!`; half a row is 32 bytes.
        Lanes256(unsafe {
            [
                _mm256_loadu_si256(halves[0].as_ptr().cast()),
                _mm256_loadu_si256(halves[1].as_ptr().cast()),
            ]
        })
    }

    #[inline(always)]
    fn row(self) -> LaneRow {
        let mut row = LaneRow::default();
        let (halves, _) = row.0.as_chunks_mut::<{ LANES / 2 }>();
        for (half, numbers) in halves.iter_mut().zip(self.0) {
            // SAFETY: as in `avx2!`; half a row is 32 bytes.
            unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), numbers) };
        }
        row
    }

    #[inline(always)]
    fn shifted_left(self, bits: u32) -> Lanes256 {
        let bits = Lanes256::splat(bits);
        Lanes256(halves!(self, bits, _mm256_sllv_epi32))
    }

    #[inline(always)]
    fn shifted_right(self, bits: u32) -> Lanes256 {
        let bits = Lanes256::splat(bits);
        Lanes256(halves!(self, bits, _mm256_srlv_epi32))
    }

    #[inline(always)]
    fn min(self, other: Lanes256) -> Lanes256 {
        Lanes256(halves!(self, other, _mm256_min_epi32))
    }

    #[inline(always)]
    fn max(self, other: Lanes256) -> Lanes256 {
        Lanes256(halves!(self, other, _mm256_max_epi32))
    }

    #[inline(always)]
    fn equals(self, other: Lanes256) -> Mask256 {
        Mask256(halves!(self, other, _mm256_cmpeq_epi32))
    }

    #[inline(always)]
    fn exceeds(self, other: Lanes256) -> Mask256 {
        Mask256(halves!(self, other, _mm256_cmpgt_epi32))
    }

    #[inline(always)]
    fn select(mask: Mask256, yes: Lanes256, no: Lanes256) -> Lanes256 {
        let ([yes, other_yes], [no, other_no]) = (yes.0, no.0);
        Lanes256([
            avx2!(_mm256_blendv_epi8(no, yes, mask.0[0])),
            avx2!(_mm256_blendv_epi8(other_no, other_yes, mask.0[1])),
        ])
    }

    #[inline(always)]
    fn apart(self, other: Lanes256) -> Lanes256 {
        Lanes256(halves!(self, other, apart))
    }

    #[inline(always)]
    fn gather(mask: Mask256, table: &[u32], indices: Lanes256) -> Lanes256 {
        // An index is at most 2^31 - 2: the intrinsic would read a greater one as negative.
        let length = Lanes256::splat(table.len().min(i32::MAX as usize) as u32);
        let inside = mask & length.exceeds(indices) & indices.exceeds(Lanes256::splat(u32::MAX));
        let ([indices, other_indices], [inside, other_inside]) = (indices.0, inside.0);
        // SAFETY: as in `avx2!`; only lanes whose index is in the table are read.
        Lanes256(unsafe {
            let (zero, table) = (_mm256_setzero_si256(), table.as_ptr().cast());
            [
                _mm256_mask_i32gather_epi32::<4>(zero, table, indices, inside),
                _mm256_mask_i32gather_epi32::<4>(zero, table, other_indices, other_inside),
            ]
        })
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, number: u32) -> Lanes256 {
        Lanes256::select(Mask256::of_bits(1 << (lane % LANES)), Lanes256::splat(number), self)
    }

    #[inline(always)]
    fn gather_bytes(bytes: &[u8], indices: Lanes256) -> Lanes256 {
        // The number of indices with four bytes; see `gather`.
        let length = Lanes256::splat(bytes.len().saturating_sub(3).min(i32::MAX as usize) as u32);
        let inside = length.exceeds(indices) & indices.exceeds(Lanes256::splat(u32::MAX));
        let ([indices, other_indices], [inside, other_inside]) = (indices.0, inside.0);
        // SAFETY: as in `avx2!`; only lanes with four bytes from their index on are read.
        Lanes256(unsafe {
            let (zero, bytes) = (_mm256_setzero_si256(), bytes.as_ptr().cast());
            [
                _mm256_mask_i32gather_epi32::<1>(zero, bytes, indices, inside),
                _mm256_mask_i32gather_epi32::<1>(zero, bytes, other_indices, other_inside),
            ]
        })
    }

    #[inline(always)]
    fn quotient(self, divisor: Lanes256) -> Lanes256 {
        Lanes256(halves!(self, divisor, quotient))
    }
}

/// Computes [`Lanes::apart`] of half the lanes.
#[inline(always)]
unsafe fn apart(one: __m256i, other: __m256i) -> __m256i {
    avx2!({
        let distance = _mm256_abs_epi32(_mm256_sub_epi32(one, other));
        let distance = _mm256_min_epu32(distance, _mm256_set1_epi32(4));
        let classes = _mm256_setr_epi32(0, 1, 2, 2, 3, 3, 3, 3);
        _mm256_permutevar8x32_epi32(classes, distance)
    })
}

/// Computes [`Lanes::quotient`] of half the lanes.
#[inline(always)]
unsafe fn quotient(dividends: __m256i, divisors: __m256i) -> __m256i {
    avx2!({
        // Quotients are less than 2^17, so the rounded quotient is off by one at most. The divisors
        // are known earlier than the dividends, and so are their inverses.
        let inverse = _mm256_div_ps(_mm256_set1_ps(1.0), _mm256_cvtepi32_ps(divisors));
        let near = _mm256_cvttps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(dividends), inverse));
        let rest = _mm256_sub_epi32(dividends, _mm256_mullo_epi32(near, divisors));
        // -1 where the quotient is too large, then where it is not too small.
        let over = _mm256_cmpgt_epi32(_mm256_setzero_si256(), rest);
        let enough = _mm256_cmpgt_epi32(divisors, rest);
        let more = _mm256_add_epi32(enough, _mm256_set1_epi32(1));
        _mm256_add_epi32(_mm256_add_epi32(near, over), more)
    })
}

impl Not for Mask256 {
    type Output = Mask256;
    #[inline(always)]
    fn not(self) -> Mask256 {
        let all = Mask256([avx2!(_mm256_set1_epi32(-1)); 2]);
        Mask256(halves!(self, all, _mm256_xor_si256))
    }
}

impl LaneMask for Mask256 {
    #[inline(always)]
    fn of_bits(bits: u16) -> Mask256 {
        let bits = Lanes256::splat(bits.into());
        let low = avx2!(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128));
        let lanes = Lanes256([low, avx2!(_mm256_slli_epi32::<8>(low))]);
        (bits & lanes).equals(lanes)
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        let low = avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0[0])));
        let high = avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0[1])));
        (low | high << 8) as u16
    }
}
