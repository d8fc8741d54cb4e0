//! The registers of lanes, chosen at run time.

#[cfg(target_arch = "x86_64")]
use crate::lanes::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::lanes::avx512::Avx512;

use crate::lanes::LaneKernel;
use crate::lanes::portable::run_portable;

/// The registers that hold the lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneRegisters {
    /// Arrays, on every processor.
    Portable,
    /// Two registers of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// One register of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl LaneRegisters {
    /// All registers of this processor that can hold lanes, the widest last.
    pub fn available() -> impl DoubleEndedIterator<Item = LaneRegisters> {
        #[cfg(target_arch = "x86_64")]
        let wide =
            [Avx2::detect().map(LaneRegisters::Avx2), Avx512::detect().map(LaneRegisters::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [Option<LaneRegisters>; 0] = [];
        std::iter::once(LaneRegisters::Portable).chain(wide.into_iter().flatten())
    }

    /// The widest registers of this processor.
    pub fn widest() -> LaneRegisters {
        LaneRegisters::available().next_back().unwrap_or(LaneRegisters::Portable)
    }

    /// Runs a kernel with these registers.
    #[inline]
    pub fn run<K: LaneKernel>(self, kernel: K) -> K::Output {
        match self {
            LaneRegisters::Portable => run_portable(kernel),
            #[cfg(target_arch = "x86_64")]
            LaneRegisters::Avx2(registers) => registers.run(kernel),
            #[cfg(target_arch = "x86_64")]
            LaneRegisters::Avx512(registers) => registers.run(kernel),
        }
    }
}
