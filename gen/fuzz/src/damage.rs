//! Damage to bytes.

use arbitrary::Arbitrary;
use std::ops::Range;

/// The greatest number of patches: more patches would find no more faults.
const MAX_PATCHES: usize = 8;

/// Overwrites at most four bytes. The fuzzer sees the operands of comparisons, and with eight bytes
/// it could write a valid checksum.
#[derive(Arbitrary, Clone, Debug)]
pub struct Patch {
    part: u8,
    at: u16,
    bytes: [u8; 4],
    more: u8,
}

impl Patch {
    /// Applies the patch within one of these parts of the bytes.
    fn apply(&self, bytes: &mut [u8], parts: &[Range<usize>]) {
        let Some(part) = parts.get(usize::from(self.part) % parts.len().max(1)) else { return };
        let Some(part) = bytes.get_mut(part.clone()).filter(|part| !part.is_empty()) else {
            return;
        };
        let at = usize::from(self.at) % part.len();
        let length = 1 + usize::from(self.more) % self.bytes.len();
        part[at..].iter_mut().zip(&self.bytes[..length]).for_each(|(to, &from)| *to = from);
    }
}

/// Applies patches to parts of the bytes, so that small parts are hit as often as large parts.
pub fn patch(patches: &[Patch], bytes: &mut [u8], parts: &[Range<usize>]) {
    patches.iter().take(MAX_PATCHES).for_each(|patch| patch.apply(bytes, parts));
}

/// Damage to a file.
#[derive(Arbitrary, Clone, Debug)]
pub struct Damage {
    patches: Vec<Patch>,
    /// The number of bytes to keep.
    cut: Option<u16>,
    /// Bytes to append.
    longer: Option<[u8; 4]>,
}

impl Damage {
    /// The damaged file.
    pub fn done_to(&self, file: &[u8], parts: &[Range<usize>]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        patch(&self.patches, &mut bytes, parts);
        if let Some(length) = self.cut {
            bytes.truncate(usize::from(length) % (file.len() + 1));
        }
        bytes.extend(self.longer.iter().flatten());
        bytes
    }
}
