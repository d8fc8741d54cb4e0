//! What is done to bytes.

use arbitrary::Arbitrary;
use std::ops::Range;

/// Patches more than these change nothing that fewer would not.
const MOST_PATCHES: usize = 8;

/// A few bytes put over others.
///
/// No more than four at once: the fuzzer sees what is compared, and could write a whole
/// checksum of eight where none is to be right.
#[derive(Arbitrary, Clone, Debug)]
pub struct Patch {
    part: u8,
    at: u16,
    bytes: [u8; 4],
    more: u8,
}

impl Patch {
    /// Puts the patch into one of these parts of the bytes.
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

/// Puts patches into parts of the bytes, so that small parts are met as often as great ones.
pub fn patch(patches: &[Patch], bytes: &mut [u8], parts: &[Range<usize>]) {
    patches.iter().take(MOST_PATCHES).for_each(|patch| patch.apply(bytes, parts));
}

/// What is done to a file.
#[derive(Arbitrary, Clone, Debug)]
pub struct Damage {
    patches: Vec<Patch>,
    /// How many bytes are left.
    cut: Option<u16>,
    /// What stands behind the last of them.
    longer: Option<[u8; 4]>,
}

impl Damage {
    /// The file after it.
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
