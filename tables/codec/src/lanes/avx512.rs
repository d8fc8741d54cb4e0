//! Lanes in one AVX-512 register. This file is one of the few with unsafe code.
#![allow(unsafe_code)]

use crate::lanes::{LANES, LaneKernel, LaneMask, LaneRow, Lanes};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

/// Proof that the processor has AVX-512. A value can be created only on such a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Detects the features of the processor.
    pub fn detect() -> Option<Avx512> {
        let detected = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        detected.then_some(Avx512(()))
    }

    /// Runs a kernel with these registers.
    #[inline]
    pub fn run<K: LaneKernel>(self, kernel: K) -> K::Output {
        // SAFETY: a value of the type proves that the processor has all features that the
        // function is compiled for.
        unsafe { run_avx512(kernel) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn run_avx512<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<Lanes512>()
}

/// Sixteen numbers. The type is private: `run_avx512` alone passes it to kernels.
#[derive(Clone, Copy)]
struct Lanes512(__m512i);

/// A bit for each lane.
#[derive(Clone, Copy)]
struct Mask512(__mmask16);

/// Calls intrinsics that need the features of `run_avx512` and nothing else.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: `Lanes512` and `Mask512` are private, and only `run_avx512` begins their use,
        // on a processor with AVX-512. These intrinsics read and write registers only.
        unsafe { $call }
    };
}

macro_rules! operators_512 {
    ($($operator:ident $name:ident $intrinsic:ident;)*) => { $(
        impl $operator for Lanes512 {
            type Output = Lanes512;
            #[inline(always)]
            fn $name(self, other: Lanes512) -> Lanes512 {
                Lanes512(avx512!($intrinsic(self.0, other.0)))
            }
        }
    )* };
}

operators_512! {
    Add add _mm512_add_epi32;
    Sub sub _mm512_sub_epi32;
    Mul mul _mm512_mullo_epi32;
    BitAnd bitand _mm512_and_si512;
    BitOr bitor _mm512_or_si512;
}

impl Lanes for Lanes512 {
    type Mask = Mask512;

    #[inline(always)]
    fn splat(number: u32) -> Lanes512 {
        Lanes512(avx512!(_mm512_set1_epi32(number as i32)))
    }

    #[inline(always)]
    fn load(row: &LaneRow) -> Lanes512 {
        // SAFETY: as in `avx512!`; a row is 64 bytes, aligned to 64.
        Lanes512(unsafe { _mm512_load_si512(row.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn row(self) -> LaneRow {
        let mut row = LaneRow::default();
        // SAFETY: as in `avx512!`; a row is 64 bytes, aligned to 64.
        unsafe { _mm512_store_si512(row.0.as_mut_ptr().cast(), self.0) };
        row
    }

    #[inline(always)]
    fn shifted_left(self, bits: u32) -> Lanes512 {
        Lanes512(avx512!(_mm512_sllv_epi32(self.0, _mm512_set1_epi32(bits as i32))))
    }

    #[inline(always)]
    fn shifted_right(self, bits: u32) -> Lanes512 {
        Lanes512(avx512!(_mm512_srlv_epi32(self.0, _mm512_set1_epi32(bits as i32))))
    }

    #[inline(always)]
    fn min(self, other: Lanes512) -> Lanes512 {
        Lanes512(avx512!(_mm512_min_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Lanes512) -> Lanes512 {
        Lanes512(avx512!(_mm512_max_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn equals(self, other: Lanes512) -> Mask512 {
        Mask512(avx512!(_mm512_cmpeq_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn exceeds(self, other: Lanes512) -> Mask512 {
        Mask512(avx512!(_mm512_cmpgt_epi32_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn select(mask: Mask512, yes: Lanes512, no: Lanes512) -> Lanes512 {
        Lanes512(avx512!(_mm512_mask_blend_epi32(mask.0, no.0, yes.0)))
    }

    #[inline(always)]
    fn apart(self, other: Lanes512) -> Lanes512 {
        Lanes512(avx512!({
            let classes = _mm512_setr_epi32(0, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
            let distance = _mm512_abs_epi32(_mm512_sub_epi32(self.0, other.0));
            _mm512_permutexvar_epi32(_mm512_min_epu32(distance, _mm512_set1_epi32(4)), classes)
        }))
    }

    #[inline(always)]
    fn gather(mask: Mask512, table: &[u32], indices: Lanes512) -> Lanes512 {
        // An index is at most 2^31 - 2: the intrinsic would read a greater one as negative.
        let length = table.len().min(i32::MAX as usize) as i32;
        // SAFETY: as in `avx512!`; only lanes whose index is in the table are read.
        Lanes512(unsafe {
            let length = _mm512_set1_epi32(length);
            let inside = _mm512_mask_cmplt_epu32_mask(mask.0, indices.0, length);
            let zero = _mm512_setzero_si512();
            _mm512_mask_i32gather_epi32::<4>(zero, inside, indices.0, table.as_ptr().cast())
        })
    }

    #[inline(always)]
    fn with_lane(self, lane: usize, number: u32) -> Lanes512 {
        let mask = 1 << (lane % LANES);
        Lanes512(avx512!(_mm512_mask_set1_epi32(self.0, mask, number as i32)))
    }

    #[inline(always)]
    fn gather_bytes(bytes: &[u8], indices: Lanes512) -> Lanes512 {
        // The number of indices with four bytes; see `gather`.
        let length = bytes.len().saturating_sub(3).min(i32::MAX as usize) as i32;
        // SAFETY: as in `avx512!`; only lanes with four bytes from their index on are read.
        Lanes512(unsafe {
            let inside = _mm512_cmplt_epu32_mask(indices.0, _mm512_set1_epi32(length));
            let zero = _mm512_setzero_si512();
            _mm512_mask_i32gather_epi32::<1>(zero, inside, indices.0, bytes.as_ptr().cast())
        })
    }

    #[inline(always)]
    fn quotient(self, divisor: Lanes512) -> Lanes512 {
        Lanes512(avx512!({
            // Quotients are less than 2^17, so the rounded quotient is off by one at most. The
            // divisors are known earlier than the dividends, and so are their inverses.
            let inverse = _mm512_div_ps(_mm512_set1_ps(1.0), _mm512_cvtepi32_ps(divisor.0));
            let near = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(self.0), inverse));
            let rest = _mm512_sub_epi32(self.0, _mm512_mullo_epi32(near, divisor.0));
            let (one, zero) = (_mm512_set1_epi32(1), _mm512_setzero_si512());
            let over = _mm512_cmplt_epi32_mask(rest, zero);
            let under = _mm512_cmpge_epi32_mask(rest, divisor.0);
            let near = _mm512_mask_sub_epi32(near, over, near, one);
            _mm512_mask_add_epi32(near, under, near, one)
        }))
    }
}

impl BitAnd for Mask512 {
    type Output = Mask512;
    #[inline(always)]
    fn bitand(self, other: Mask512) -> Mask512 {
        Mask512(self.0 & other.0)
    }
}

impl BitOr for Mask512 {
    type Output = Mask512;
    #[inline(always)]
    fn bitor(self, other: Mask512) -> Mask512 {
        Mask512(self.0 | other.0)
    }
}

impl Not for Mask512 {
    type Output = Mask512;
    #[inline(always)]
    fn not(self) -> Mask512 {
        Mask512(!self.0)
    }
}

impl LaneMask for Mask512 {
    #[inline(always)]
    fn of_bits(bits: u16) -> Mask512 {
        Mask512(bits)
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        self.0
    }
}
