//! How the patterns of one side to move are coded in a WDL file.

use crate::board::square::Square;
use crate::counting::Category;
use crate::format::error::FormatError;
use crate::format::wdl::change::{CHANGE_KINDS, Change};
use crate::format::wdl::pattern::{CATEGORIES, CategoryMasks};

/// The most patterns of a side.
pub const MAX_PATTERNS: usize = (u8::MAX as usize + 1 - FIRST_PATTERN as usize) << u8::BITS;
/// The most bytes of a token that is not a pattern in full.
pub const MAX_TOKEN: usize = LITERAL as usize - 1;
/// The first byte of a token from which it names a pattern, not an earlier run.
pub(super) const FIRST_PATTERN: u8 = 64;
/// The length of a token that stands for a pattern in full.
pub(super) const LITERAL: u8 = 15;
/// Bits of the length of a token.
pub(super) const LENGTH_BITS: u32 = 4;
/// The most words of a pattern.
const MAX_PLANES: usize = 3;

/// How the patterns of a side to move are coded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlModel {
    categories: u8,
    /// The indices of the categories that occur, the worst first.
    palette: [u8; 1 << MAX_PLANES],
    planes: usize,
    changes: [Change; CHANGE_KINDS],
    /// By length in half a byte: bytes of the token.
    pub(super) lengths: [u8; 1 << LENGTH_BITS],
    /// By byte: the lengths of both its tokens.
    pub(super) pair_lengths: Box<[u8; 1 << u8::BITS]>,
}

impl WdlModel {
    /// The model for patterns of a set of categories, a bit each.
    ///
    /// # Errors
    ///
    /// When the set is empty or has unknown bits.
    pub fn new(categories: u8, changes: [Change; CHANGE_KINDS]) -> Result<WdlModel, FormatError> {
        if !(1..1 << CATEGORIES).contains(&categories) {
            return Err(FormatError::Wdl("the palette is no set of categories"));
        }
        let mut palette = [u8::MAX; 1 << MAX_PLANES];
        let present = (0..CATEGORIES as u8).filter(|category| categories >> category & 1 != 0);
        for (place, category) in palette.iter_mut().zip(present) {
            *place = category;
        }
        let highest = categories.count_ones() - 1;
        let planes = (u32::BITS - highest.leading_zeros()).max(1) as usize;
        let mut lengths: [u8; 1 << LENGTH_BITS] = std::array::from_fn(|length| length as u8);
        lengths[usize::from(LITERAL)] = (planes * size_of::<u64>()) as u8;
        let both = |byte: usize| lengths[byte & 0xf] + lengths[byte >> LENGTH_BITS];
        let pair_lengths = Box::new(std::array::from_fn(both));
        Ok(WdlModel { categories, palette, planes, changes, lengths, pair_lengths })
    }

    /// The categories that occur, a bit each by [`Category::index`].
    pub fn categories(&self) -> u8 {
        self.categories
    }

    /// The kinds of changes.
    pub fn changes(&self) -> &[Change; CHANGE_KINDS] {
        &self.changes
    }

    /// Bytes of a pattern in full.
    pub fn pattern_length(&self) -> usize {
        self.planes * size_of::<u64>()
    }

    /// Encodes a pattern in full. Squares without a category of the palette get the worst.
    pub fn encode_pattern(&self, pattern: &CategoryMasks) -> Vec<u8> {
        let plane = |plane: usize| {
            let with = self.palette.iter().enumerate().filter(|(place, _)| place >> plane & 1 != 0);
            with.filter_map(|(_, &category)| pattern.get(usize::from(category)))
                .fold(0, |bits, mask| bits | mask)
        };
        (0..self.planes).flat_map(|number| u64::to_le_bytes(plane(number))).collect()
    }

    /// The pattern of these bytes. `None` if a square has no category.
    pub(super) fn decode_pattern(&self, bytes: &[u8]) -> Option<CategoryMasks> {
        let words = bytes.as_chunks().0.get(..self.planes)?;
        let mut pattern = [0; CATEGORIES];
        for (place, &category) in self.palette.iter().enumerate().take(1 << self.planes) {
            let squares = words.iter().enumerate().fold(u64::MAX, |all, (plane, &word)| {
                let bits = u64::from_le_bytes(word);
                all & if place >> plane & 1 == 0 { !bits } else { bits }
            });
            match pattern.get_mut(usize::from(category)) {
                Some(mask) => *mask |= squares,
                None if squares != 0 => return None,
                None => {}
            }
        }
        Some(pattern)
    }

    /// The bytes of the pattern with this number; `patterns` are those of the side. `None` if there is
    /// none.
    #[inline]
    pub(super) fn numbered<'a>(&self, patterns: &'a [u8], number: u16) -> Option<&'a [u8]> {
        let length = self.pattern_length();
        patterns.get(usize::from(number) * length..)?.get(..length)
    }

    /// The bytes of a pattern of the side, or those of a literal. `None` if there is none.
    #[inline]
    fn source<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a [u8]> {
        match stored.source {
            PatternSource::Numbered(number) => self.numbered(patterns, number),
            PatternSource::Literal(bytes) => Some(bytes),
        }
    }

    /// The first byte that [`WdlModel::category`] reads: to load it into the cache ahead.
    #[inline]
    pub fn first_byte<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a u8> {
        self.source(patterns, stored)?.first()
    }

    /// The category of a square of a pattern; `patterns` are those of the side. `None` if there is
    /// no such pattern or it gives the square no category.
    #[inline]
    pub fn category(
        &self,
        patterns: &[u8],
        stored: &StoredPattern<'_>,
        square: Square,
    ) -> Option<Category> {
        let mut place = 0;
        for (plane, word) in self.source(patterns, stored)?.as_chunks().0.iter().enumerate() {
            place |= (u64::from_le_bytes(*word) >> square.index() & 1) << plane;
        }
        let category = self.palette[place as usize & (self.palette.len() - 1)];
        let became = stored.becomes.get(usize::from(category))?;
        Category::ALL.get(usize::from(*became)).copied()
    }
}

/// Where the pattern of a run comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PatternSource<'a> {
    Numbered(u16),
    Literal(&'a [u8]),
}

/// The pattern that the category of one square comes from, and what the changes of the square make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredPattern<'a> {
    pub(super) source: PatternSource<'a>,
    pub(super) becomes: [u8; CATEGORIES],
}
