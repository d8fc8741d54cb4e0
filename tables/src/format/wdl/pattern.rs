//! Patterns: the categories of the 64 squares of a king tile.

use crate::counting::Category;

/// The number of categories.
pub const CATEGORIES: usize = Category::ALL.len();

/// A pattern by [`Category::index`]: a bit for each square of the swept king with that category.
pub type CategoryMasks = [u64; CATEGORIES];
