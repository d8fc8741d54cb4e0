//! The coding of the patterns of one side to move in a WDL file.

use crate::board::square::Square;
use crate::counting::Category;
use crate::format::error::FormatError;
use crate::format::wdl::change::{CHANGE_KINDS, Change};
use crate::format::wdl::pattern::{CATEGORIES, Palette};

/// The maximum number of patterns of a side.
pub const MAX_PATTERNS: usize = (u8::MAX as usize + 1 - FIRST_PATTERN as usize) << u8::BITS;
/// The maximum number of bytes of a token that does not hold a whole pattern.
pub const MAX_TOKEN: usize = LITERAL as usize - 1;
/// Lowest first byte of a token that names a pattern. Lower bytes name an earlier run.
pub(super) const FIRST_PATTERN: u8 = 64;
/// The length code of a token that holds a whole pattern.
pub(super) const LITERAL: u8 = 15;
/// Bits of the length code of a token.
pub(super) const LENGTH_BITS: u32 = 4;

/// The coding of the patterns of a side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlModel {
    palette: Palette,
    changes: [Change; CHANGE_KINDS],
    /// Bytes of a token, by its length code.
    pub(super) lengths: [u8; 1 << LENGTH_BITS],
    /// Bytes of both tokens, by the byte of their length codes.
    pub(super) pair_lengths: Box<[u8; 1 << u8::BITS]>,
}

impl WdlModel {
    /// The model for patterns of a set of categories, a bit each.
    ///
    /// # Errors
    ///
    /// If the set is empty or has unknown bits.
    pub fn new(categories: u8, changes: [Change; CHANGE_KINDS]) -> Result<WdlModel, FormatError> {
        let palette = Palette::new(categories)?;
        let mut lengths: [u8; 1 << LENGTH_BITS] = std::array::from_fn(|length| length as u8);
        lengths[usize::from(LITERAL)] = palette.pattern_length() as u8;
        let both = |byte: usize| lengths[byte & 0xf] + lengths[byte >> LENGTH_BITS];
        let pair_lengths = Box::new(std::array::from_fn(both));
        Ok(WdlModel { palette, changes, lengths, pair_lengths })
    }

    /// The categories of stored patterns.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The kinds of changes.
    pub fn changes(&self) -> &[Change; CHANGE_KINDS] {
        &self.changes
    }

    /// The bytes of the pattern with this number in `patterns`, all patterns of the side. `None` if
    /// the number is out of range.
    #[inline]
    pub(super) fn numbered<'a>(&self, patterns: &'a [u8], number: u16) -> Option<&'a [u8]> {
        let length = self.palette.pattern_length();
        patterns.get(usize::from(number) * length..)?.get(..length)
    }

    /// The bytes of a stored pattern. `None` if its number is out of range.
    #[inline]
    fn source<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a [u8]> {
        match stored.source {
            PatternSource::Numbered(number) => self.numbered(patterns, number),
            PatternSource::Literal(bytes) => Some(bytes),
        }
    }

    /// The first byte that [`WdlModel::category`] reads, for prefetching.
    #[inline]
    pub fn first_byte<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a u8> {
        self.source(patterns, stored)?.first()
    }

    /// The category of a square of a pattern, given all patterns of the side. `None` if the pattern
    /// does not exist or gives the square no category.
    #[inline]
    pub fn category(
        &self,
        patterns: &[u8],
        stored: &StoredPattern<'_>,
        square: Square,
    ) -> Option<Category> {
        let category = self.palette.category(self.source(patterns, stored)?, square);
        let became = stored.becomes.get(usize::from(category))?;
        Category::ALL.get(usize::from(*became)).copied()
    }
}

/// Source of the pattern of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PatternSource<'a> {
    Numbered(u16),
    Literal(&'a [u8]),
}

/// The pattern that the category of one square comes from, and the category that each category of
/// the pattern becomes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredPattern<'a> {
    pub(super) source: PatternSource<'a>,
    pub(super) becomes: [u8; CATEGORIES],
}
