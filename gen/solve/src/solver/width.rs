//! Kernels compiled for wider registers, chosen at run time.
//!
//! Kernels are plain word arithmetic that vectorises. Inlined into a function with AVX2 or
//! AVX-512 enabled, they are compiled once for each. This file is one of the few with unsafe
//! code.
#![allow(unsafe_code)]

/// Work that profits from wide registers. `run` and the functions that it calls must be
/// `#[inline(always)]`, so that they are compiled for the registers.
pub trait Kernel {
    /// The result.
    type Output;
    /// Runs the kernel.
    fn run(self) -> Self::Output;
}

/// The registers that the kernels may use. A value can be created only on a processor that has
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width(Registers);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Registers {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Width {
    /// The registers of every processor.
    pub const PORTABLE: Width = Width(Registers::Portable);

    /// All widths of this processor, the widest last.
    pub fn available() -> Vec<Width> {
        #[cfg(target_arch = "x86_64")]
        let wide = {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let has_avx512 = has_avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            [
                has_avx2.then_some(Width(Registers::Avx2)),
                has_avx512.then_some(Width(Registers::Avx512)),
            ]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [Option<Width>; 0] = [];
        std::iter::once(Width::PORTABLE).chain(wide.into_iter().flatten()).collect()
    }

    /// The widest registers of this processor.
    pub fn widest() -> Width {
        Width::available().pop().unwrap_or(Width::PORTABLE)
    }

    /// Runs a kernel with these registers.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Registers::Portable => kernel.run(),
            // SAFETY: only `available` creates the value, after a check that the processor has all
            // features the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx512 => unsafe { run_avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
