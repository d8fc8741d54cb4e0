//! The same code compiled for wider registers, chosen when the program runs.
//!
//! Kernels are plain word arithmetic that vectorises; inlined into a function that may use
//! AVX2 or AVX-512 they are compiled once for each. This file is one of the few with
//! unsafe code.
#![allow(unsafe_code)]

/// A piece of work whose `run` is to be marked `#[inline(always)]`, as is all it calls
/// that should become wide.
pub trait Kernel {
    /// What the work gives.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Which registers the kernels may use. A value other than `Portable` exists only where
/// the processor has them.
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
    /// What every processor has.
    pub const PORTABLE: Width = Width(Registers::Portable);

    /// All that this processor has, the widest last.
    pub fn all_here() -> Vec<Width> {
        let mut all = vec![Width::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                all.push(Width(Registers::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("bmi2")
            {
                all.push(Width(Registers::Avx512));
            }
        }
        all
    }

    /// The widest this processor has.
    pub fn widest() -> Width {
        Width::all_here().pop().unwrap_or(Width::PORTABLE)
    }

    /// Does the work with these registers.
    #[inline]
    pub fn run<W: Kernel>(self, work: W) -> W::Output {
        match self.0 {
            Registers::Portable => work.run(),
            // SAFETY: the value is made in `all_here` alone, after the processor was asked
            // for exactly the features the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx2 => unsafe { run_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Registers::Avx512 => unsafe { run_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn run_avx2<W: Kernel>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn run_avx512<W: Kernel>(work: W) -> W::Output {
    work.run()
}
