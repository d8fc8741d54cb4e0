//! The categories that each cell allows, and the choice of one of them.

use sakmak_tables::board::square::SQUARES;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::model::CATEGORIES;

/// A set of categories: a bit each, by [`Category::index`].
pub type Allowed = u8;

/// All categories: what a cell without a legal position allows.
pub const ANY: Allowed = (1 << CATEGORIES) - 1;

/// This category alone.
pub const fn only(category: Category) -> Allowed {
    1 << category.index()
}

/// Cells of the same category.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Run {
    /// [`Category::index`].
    pub category: u8,
    /// The number of cells.
    pub cells: u32,
}

/// How categories are chosen for cells that allow several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// The longest runs.
    Runs,
    /// Blocks of 8 cells that equal the block before if they can.
    Eights,
    /// Blocks of 64 cells that equal the block before if they can.
    Tiles,
}

impl Filling {
    /// All ways, the one to compare orders of cells with first.
    pub const ALL: [Filling; 3] = [Filling::Eights, Filling::Runs, Filling::Tiles];

    /// The runs of cells that allow these categories, a multiple of 64 of them; no two neighbours have
    /// the same category.
    pub fn runs(self, allowed: &[Allowed]) -> Vec<Run> {
        let mut runs = Runs(Vec::new());
        let words = allowed.as_chunks().0;
        match self {
            Filling::Runs => runs.longest(words),
            Filling::Eights => runs.blocks::<1>(words.as_chunks().0),
            Filling::Tiles => runs.blocks::<{ SQUARES / WORD }>(words.as_chunks().0),
        }
        runs.0
    }
}

/// Cells that are looked at together.
const WORD: usize = size_of::<u64>();

type Word = [Allowed; WORD];

/// Runs that are being appended to.
struct Runs(Vec<Run>);

impl Runs {
    fn push(&mut self, category: u8, cells: u32) {
        match self.0.last_mut() {
            Some(last) if last.category == category => last.cells += cells,
            _ => self.0.push(Run { category, cells }),
        }
    }

    /// Appends a run of cells that all allow a set: of the last category if the set has it, else of
    /// the lowest.
    fn push_any(&mut self, allowed: Allowed, cells: u32) {
        let last = self.0.last().map_or(0, |last| last.category);
        let category = if allowed >> last & 1 != 0 { last } else { allowed.trailing_zeros() as u8 };
        self.push(category, cells);
    }

    fn longest(&mut self, words: &[Word]) {
        let (mut all, mut cells) = (ANY, 0);
        for word in words {
            let same = u64::from_le_bytes([all; WORD]);
            if u64::from_le_bytes(*word) & same == same {
                cells += WORD as u32;
                continue;
            }
            for &allowed in word {
                let both = all & allowed;
                if both == 0 {
                    self.push_any(all, cells);
                    (all, cells) = (allowed, 0);
                } else {
                    all = both;
                }
                cells += 1;
            }
        }
        if cells > 0 {
            self.push_any(all, cells);
        }
    }

    fn blocks<const WORDS: usize>(&mut self, blocks: &[[Word; WORDS]]) {
        let Some((first, rest)) = blocks.split_first() else { return };
        let words = |block: &[Word; WORDS]| block.map(u64::from_le_bytes);
        let (mut all, mut count) = (words(first), 1);
        for block in rest {
            let mut both = words(block);
            let mut is_covered = true;
            for (both, &all) in both.iter_mut().zip(&all) {
                *both &= all;
                is_covered &= has_no_zero(*both);
            }
            if is_covered {
                (all, count) = (both, count + 1);
            } else {
                self.push_blocks(&all, count);
                (all, count) = (words(block), 1);
            }
        }
        self.push_blocks(&all, count);
    }

    /// Appends blocks with the same categories.
    fn push_blocks<const WORDS: usize>(&mut self, words: &[u64; WORDS], count: u32) {
        let start = self.0.len();
        let mut block = Runs(Vec::new());
        // The last category goes on if it can.
        block.0.extend(self.0.last().map(|last| Run { category: last.category, cells: 0 }));
        block.longest(&words.map(u64::to_le_bytes));
        block.0.retain(|run| run.cells > 0);
        if let [run] = block.0[..] {
            return self.push(run.category, run.cells * count);
        }
        self.0.reserve(start + block.0.len() * count as usize);
        for _ in 0..count {
            for run in &block.0 {
                self.push(run.category, run.cells);
            }
        }
    }
}

/// Whether no byte is zero; all must be below 128.
fn has_no_zero(word: u64) -> bool {
    const HIGH: u64 = u64::from_le_bytes([0x80; WORD]);
    const LOW: u64 = u64::from_le_bytes([0x7f; WORD]);
    (word + LOW) & HIGH == HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_allowed_and_cover_all_cells(
            some in vec(prop_oneof![Just(ANY), Just(4), Just(16), 1..=ANY], 1..200),
            repeat in 1_usize..9,
        ) {
            let mut allowed: Vec<Allowed> = some.iter().flat_map(|&one| vec![one; repeat]).collect();
            allowed.resize(allowed.len().next_multiple_of(SQUARES), ANY);
            for filling in Filling::ALL {
                let runs = filling.runs(&allowed);
                prop_assert!(runs.windows(2).all(|pair| pair[0].category != pair[1].category));
                let cells = runs.iter().flat_map(|run| vec![run.category; run.cells as usize]);
                let cells: Vec<u8> = cells.collect();
                prop_assert_eq!(cells.len(), allowed.len());
                prop_assert!(cells.iter().zip(&allowed).all(|(cell, set)| set >> cell & 1 != 0));
            }
        }
    }

    #[test]
    fn blocks_equal_the_block_before_if_they_can() {
        let mut allowed = vec![ANY; 192];
        allowed[5] = only(Category::Win);
        allowed[6] = only(Category::Loss);
        allowed[64 + 6] = only(Category::Loss);
        assert_eq!(Filling::Runs.runs(&allowed).len(), 2);
        let runs = Filling::Tiles.runs(&allowed);
        assert_eq!(
            runs.iter().filter(|run| run.category == 4).map(|run| run.cells).sum::<u32>(),
            18
        );
        assert_eq!(runs.len(), 6);
    }
}
