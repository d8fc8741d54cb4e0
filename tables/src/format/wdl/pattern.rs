//! Patterns: the categories of the 64 squares of a king tile, and how they are stored.

use crate::board::square::Square;
use crate::counting::Category;
use crate::format::error::FormatError;

/// The number of categories.
pub const CATEGORIES: usize = Category::ALL.len();

/// A pattern by [`Category::index`]: a bit for each square of the swept king with that category.
pub type CategoryMasks = [u64; CATEGORIES];

/// The maximum number of words of a pattern.
const MAX_PLANES: usize = 3;

/// The categories in stored patterns. A square stores the bits of an index into them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Palette {
    categories: u8,
    /// [`Category::index`] by stored index, the worst first.
    entries: [u8; 1 << MAX_PLANES],
    planes: usize,
}

impl Palette {
    /// The palette of a set of categories, a bit each.
    ///
    /// # Errors
    ///
    /// If the set is empty or has unknown bits.
    pub fn new(categories: u8) -> Result<Palette, FormatError> {
        if !(1..1 << CATEGORIES).contains(&categories) {
            return Err(FormatError::Wdl("the palette is no set of categories"));
        }
        let mut entries = [u8::MAX; 1 << MAX_PLANES];
        let present = (0..CATEGORIES as u8).filter(|category| categories >> category & 1 != 0);
        for (entry, category) in entries.iter_mut().zip(present) {
            *entry = category;
        }
        let highest = categories.count_ones() - 1;
        let planes = (u32::BITS - highest.leading_zeros()).max(1) as usize;
        Ok(Palette { categories, entries, planes })
    }

    /// The categories, a bit each by [`Category::index`].
    pub fn categories(&self) -> u8 {
        self.categories
    }

    /// Bytes of a pattern.
    pub fn pattern_length(&self) -> usize {
        self.planes * size_of::<u64>()
    }

    /// Encodes a pattern in full. Squares without a category of the palette get the worst.
    pub fn encode(&self, pattern: &CategoryMasks) -> Vec<u8> {
        let plane = |plane: usize| {
            let with = self.entries.iter().enumerate().filter(|(entry, _)| entry >> plane & 1 != 0);
            with.filter_map(|(_, &category)| pattern.get(usize::from(category)))
                .fold(0, |bits, mask| bits | mask)
        };
        (0..self.planes).flat_map(|number| u64::to_le_bytes(plane(number))).collect()
    }

    /// The pattern of these bytes. `None` if a square has no category.
    pub(super) fn decode(&self, bytes: &[u8]) -> Option<CategoryMasks> {
        let words = bytes.as_chunks().0.get(..self.planes)?;
        let mut pattern = [0; CATEGORIES];
        for (entry, &category) in self.entries.iter().enumerate().take(1 << self.planes) {
            let squares = words.iter().enumerate().fold(u64::MAX, |all, (plane, &word)| {
                let bits = u64::from_le_bytes(word);
                all & if entry >> plane & 1 == 0 { !bits } else { bits }
            });
            match pattern.get_mut(usize::from(category)) {
                Some(mask) => *mask |= squares,
                None if squares != 0 => return None,
                None => {}
            }
        }
        Some(pattern)
    }

    /// The index of the category of a square of a stored pattern; `u8::MAX` if the stored index has
    /// no category.
    #[inline]
    pub(super) fn category(&self, bytes: &[u8], square: Square) -> u8 {
        let mut entry = 0;
        for (plane, word) in bytes.as_chunks().0.iter().enumerate() {
            entry |= (u64::from_le_bytes(*word) >> square.index() & 1) << plane;
        }
        self.entries[entry as usize & (self.entries.len() - 1)]
    }
}
