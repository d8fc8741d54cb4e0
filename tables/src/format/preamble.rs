//! The fields that the headers of all formats have in common.
//!
//! | offset | bytes | field |
//! |---|---|---|
//! | 0 | 8 | magic |
//! | 8 | 4 | version |
//! | 12 | 4 | metric; in WDL files the counting rule, in board-game files the bytes of a code |
//! | 16 | 8 | fingerprint of the rules and of the counting |
//! | 56, in WDL files 24 | 16, in board-game files 32 | name of the material, padded with zeros |
//! | 120 | 8 | XXH3 of bytes 0 to 119 |

use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::name::TableName;
use crate::format::{FormatKind, HEADER_LENGTH, field, put, u32_at, u64_at};
use crate::material::Material;
use crate::rules::Rules;
use crate::rules::piece::PieceKind;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

pub(in crate::format) const VERSION_AT: usize = 8;
pub(in crate::format) const METRIC_AT: usize = 12;
const FINGERPRINT_AT: usize = 16;
pub(in crate::format) const MATERIAL_LENGTH: usize = 16;
pub(in crate::format) const CHECKSUM_AT: usize = 120;

impl FormatKind {
    /// The offset of the material's name.
    pub(in crate::format) const fn material_at(self) -> usize {
        match self {
            FormatKind::Solved | FormatKind::Packed | FormatKind::BoardGame => 56,
            FormatKind::Wdl => 24,
        }
    }

    /// The bytes that must be zero: between the fields and after them.
    const fn reserved(self) -> [Range<usize>; 2] {
        match self {
            FormatKind::Solved => [36..40, 72..CHECKSUM_AT],
            FormatKind::Packed => [34..35, 80..CHECKSUM_AT],
            FormatKind::Wdl => [0..0, 112..CHECKSUM_AT],
            FormatKind::BoardGame => [36..56, 88..CHECKSUM_AT],
        }
    }

    /// A header of this format: the common fields, the fields that `write` adds, and the checksum.
    pub(in crate::format) fn header(
        self,
        fingerprint: u64,
        write: impl FnOnce(&mut [u8; HEADER_LENGTH]),
    ) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        write(&mut bytes);
        put(&mut bytes, 0, &self.magic());
        put(&mut bytes, VERSION_AT, &self.version().to_le_bytes());
        put(&mut bytes, FINGERPRINT_AT, &fingerprint.to_le_bytes());
        seal(&mut bytes);
        bytes
    }

    /// Checks magic, version, checksum and reserved bytes of a header. Returns its fingerprint.
    pub(in crate::format) fn expect(self, bytes: &[u8; HEADER_LENGTH]) -> Result<u64, FormatError> {
        if field(bytes, 0) != self.magic() {
            return Err(FormatError::Magic(self));
        }
        // Before the checksum: another version may keep it elsewhere.
        let (found, expected) = (u32_at(bytes, VERSION_AT), self.version());
        if found != expected {
            return Err(FormatError::Version { kind: self, found, expected });
        }
        if checksum(bytes) != u64_at(bytes, CHECKSUM_AT) {
            return Err(FormatError::HeaderChecksum);
        }
        let mut reserved = self.reserved().into_iter().flat_map(|range| &bytes[range]);
        match reserved.any(|&byte| byte != 0) {
            true => Err(FormatError::Reserved("header")),
            false => Ok(u64_at(bytes, FINGERPRINT_AT)),
        }
    }

    /// The number of a metric. WDL files number counting rules alone.
    const fn metric_number(self, metric: Metric) -> u32 {
        match self {
            FormatKind::Wdl => metric.number() - Metric::DistanceToMate.number(),
            _ => metric.number(),
        }
    }

    fn metric(self, number: u32) -> Result<Metric, FormatError> {
        let mut metrics = Metric::all();
        let metric = metrics.find(|&metric| self.metric_number(metric) == number);
        let metric =
            metric.filter(|metric| self != FormatKind::Wdl || matches!(metric, Metric::Counted(_)));
        metric.ok_or(FormatError::Metric(number))
    }
}

/// The content of a file and the rules it was made under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preamble {
    /// Material and metric. The metric of a WDL file is the counting rule of its categories.
    pub name: TableName,
    /// The rules and the counting, [`Metric::fingerprint`].
    pub fingerprint: u64,
}

impl Preamble {
    /// The preamble of a table under these rules.
    pub fn new(name: TableName, rules: &Rules) -> Preamble {
        Preamble { name, fingerprint: name.metric.fingerprint(rules) }
    }

    /// A header of this format: the preamble, the fields that `write` adds, and the checksum.
    pub(in crate::format) fn encode(
        &self,
        kind: FormatKind,
        write: impl FnOnce(&mut [u8; HEADER_LENGTH]),
    ) -> [u8; HEADER_LENGTH] {
        kind.header(self.fingerprint, |bytes| {
            write(bytes);
            put(bytes, METRIC_AT, &kind.metric_number(self.name.metric).to_le_bytes());
            // All variants write materials in the same letters here.
            let material = self.name.material.written_in(&PieceKind::LETTERS);
            put(bytes, kind.material_at(), material.to_string().as_bytes());
        })
    }

    /// Decodes the preamble of a header and checks its checksum and reserved bytes.
    pub(in crate::format) fn decode(
        kind: FormatKind,
        bytes: &[u8; HEADER_LENGTH],
    ) -> Result<Preamble, FormatError> {
        let fingerprint = kind.expect(bytes)?;
        let metric = kind.metric(u32_at(bytes, METRIC_AT))?;
        let material = material(&field(bytes, kind.material_at()))?;
        let name = TableName { material, metric };
        Ok(Preamble { name, fingerprint })
    }

    /// Checks that this is the preamble of the expected file.
    ///
    /// # Errors
    ///
    /// If material, metric or fingerprint differ. The error names the first difference.
    pub fn expect(&self, expected: &Preamble) -> Result<(), FormatError> {
        let (found, name) = (self.name, expected.name);
        if found.material != name.material {
            return Err(FormatError::material(name.material, found.material));
        }
        if found.metric != name.metric {
            let (expected, found) = (name.metric, found.metric);
            return Err(FormatError::OtherMetric { expected, found });
        }
        expect_rules(expected.fingerprint, self.fingerprint)
    }
}

/// Checks that a header has this fingerprint.
pub(in crate::format) fn expect_rules(expected: u64, found: u64) -> Result<(), FormatError> {
    if found == expected { Ok(()) } else { Err(FormatError::Rules { expected, found }) }
}

fn checksum(bytes: &[u8; HEADER_LENGTH]) -> u64 {
    xxh3_64(&bytes[..CHECKSUM_AT])
}

/// Writes the checksum of a header.
pub(in crate::format) fn seal(bytes: &mut [u8; HEADER_LENGTH]) {
    let checksum = checksum(bytes);
    put(bytes, CHECKSUM_AT, &checksum.to_le_bytes());
}

/// The text of a field that is padded with zeros.
pub(in crate::format) fn padded_text(name: &[u8]) -> Result<&str, FormatError> {
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    let (name, padding) = name.split_at(end);
    let text = std::str::from_utf8(name).ok().filter(|_| padding.iter().all(|&byte| byte == 0));
    text.ok_or(FormatError::MaterialName)
}

/// The material of a zero-padded name, which must be in its usual form.
fn material(name: &[u8; MATERIAL_LENGTH]) -> Result<Material, FormatError> {
    let text = padded_text(name)?;
    let material: Material = text.parse().map_err(|_| FormatError::MaterialName)?;
    let is_usual = material.to_string() == text && material != Material::BARE_KINGS;
    if is_usual { Ok(material) } else { Err(FormatError::MaterialName) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    const KINDS: [FormatKind; 3] = [FormatKind::Solved, FormatKind::Packed, FormatKind::Wdl];

    fn header(kind: FormatKind, name: &str) -> [u8; HEADER_LENGTH] {
        Preamble::new(name.parse().unwrap(), &MAKRUK.rules).encode(kind, |_| ())
    }

    /// The preamble after some bytes are changed and the checksum is corrected.
    fn forged(kind: FormatKind, at: usize, change: &[u8]) -> Result<Preamble, FormatError> {
        let mut bytes = header(kind, "KRvK.makruk");
        put(&mut bytes, at, change);
        seal(&mut bytes);
        Preamble::decode(kind, &bytes)
    }

    #[test]
    fn preambles_come_back_in_their_own_format_only() {
        for name in ["KRvK.makruk", "KMvKM.ouk-traditional", "KRNSMvKRN.ouk", "KRRRRRRvK.makruk"] {
            let preamble = Preamble::new(name.parse().unwrap(), &MAKRUK.rules);
            for kind in KINDS {
                for other in KINDS {
                    let decoded = Preamble::decode(other, &header(kind, name));
                    let right =
                        if kind == other { Ok(preamble) } else { Err(FormatError::Magic(other)) };
                    assert_eq!(decoded, right);
                }
            }
        }
        let to_mate = header(FormatKind::Wdl, "KRvK");
        assert_eq!(Preamble::decode(FormatKind::Wdl, &to_mate), Err(FormatError::Metric(0)));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        for kind in KINDS {
            let bytes = header(kind, "KRvK.makruk");
            for bit in 0..HEADER_LENGTH * 8 {
                let mut bytes = bytes;
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(Preamble::decode(kind, &bytes).is_err(), "{kind}, bit {bit}");
            }
        }
    }

    #[test]
    fn each_wrong_field_has_its_own_error() {
        for kind in KINDS {
            let version = FormatError::Version { kind, found: 9, expected: kind.version() };
            assert_eq!(forged(kind, VERSION_AT, &[9]), Err(version));
            assert_eq!(forged(kind, METRIC_AT, &[99]), Err(FormatError::Metric(99)));
            for byte in kind.reserved().into_iter().flatten() {
                assert_eq!(forged(kind, byte, &[1]), Err(FormatError::Reserved("header")));
            }
            for name in ["KvKR", "KvK", "KXvK", "\u{fffd}", "KRvKR\0P"] {
                let mut padded = [0; MATERIAL_LENGTH];
                put(&mut padded, 0, name.as_bytes());
                let forged = forged(kind, kind.material_at(), &padded);
                assert_eq!(forged, Err(FormatError::MaterialName), "{name}");
            }
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let preamble = |name: &str| Preamble::new(name.parse().unwrap(), &MAKRUK.rules);
        let expected = preamble("KRvK.makruk");
        assert_eq!(expected.expect(&expected), Ok(()));
        let error = |name: &str| preamble(name).expect(&expected).unwrap_err();
        assert!(matches!(error("KMvK"), FormatError::Material { .. }));
        let other = FormatError::OtherMetric {
            expected: expected.name.metric,
            found: Metric::DistanceToMate,
        };
        assert_eq!(error("KRvK"), other);
        let other = Preamble { fingerprint: 1, ..expected };
        assert!(matches!(other.expect(&expected), Err(FormatError::Rules { found: 1, .. })));
    }
}
