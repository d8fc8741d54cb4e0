//! The categories of all slots with the fixed king on one square.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES};
use crate::output::wdl::category_table::{CategoryTable, NO_CATEGORY};
use crate::system::ByteSize;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, MAX_OTHERS, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{CanonicalKings, KingTiles};
use sakmak_tables::values::codes::TablePair;
use std::io;

const TILES: usize = GROUP_TILES as usize;
/// Bytes of a tile group in a section. The last ones are unused, so that the same square of the next tile
/// groups is in another set of the cache.
const GROUP_BYTES: usize = SQUARES * TILES + TILES;

/// Makes sections from the tables of a material.
pub struct Sections<'a> {
    source: TablePair<'a>,
    rows: LegalRows,
    counting_rule: &'static CountingRule,
}

/// The bytes of memory that a section takes while it is made.
pub(crate) fn section_bytes(index: &Index) -> u64 {
    let codes = 4 * index.slots_per_pair();
    index.slots_per_pair().div_ceil(GROUP_TILES) * GROUP_BYTES as u64 + codes
}

/// The categories of one fixed king.
pub struct Section {
    /// By tile group, then the square of the swept king, then king tile:
    /// [`sakmak_tables::counting::Category::index`], or [`NO_CATEGORY`] for no legal position.
    categories: Vec<u8>,
    king_tiles: usize,
}

/// The tables of a material cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// A table cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The two distances of a position are impossible together.
    #[error("the tables contradict each other at slot {} with {} to move", slot.0, side.name())]
    Contradiction {
        /// The side to move.
        side: Side,
        /// The slot.
        slot: Slot,
    },
}

/// The king tile of each slot of a king pair.
struct Destinations {
    /// By the slot without the last group.
    outer: Vec<usize>,
    /// By the combination of the last group.
    last: Vec<usize>,
}

impl<'a> Sections<'a> {
    /// Sections of these tables.
    pub fn new(
        source: TablePair<'a>,
        rules: &Rules,
        counting_rule: &'static CountingRule,
    ) -> Sections<'a> {
        let rows = LegalRows::new(source.mate.index().clone(), rules);
        Sections { source, rows, counting_rule }
    }

    /// The index of the tables.
    pub fn index(&self) -> &Index {
        self.rows.index()
    }

    /// The number of sections that fit into `memory`, at least 1.
    pub fn at_a_time(&self, memory: ByteSize) -> usize {
        usize::try_from(memory.0 / section_bytes(self.index()).max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// The categories of a fixed king with a side to move.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read or contradict each other.
    pub fn section(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        fixed_king: usize,
    ) -> Result<Section, SectionError> {
        let index = self.index();
        let per_fixed_king = king_tiles.per_fixed_king() as usize;
        let mut categories = vec![NO_CATEGORY; per_fixed_king.div_ceil(TILES) * GROUP_BYTES];
        let Some(by_code) = CategoryTable::new(self.source, self.counting_rule, side) else {
            return Ok(Section { categories, king_tiles: per_fixed_king });
        };
        let mut by_symmetry: Vec<Option<Destinations>> = Symmetry::all().map(|_| None).collect();
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            let kings = index.kings().kings(pair);
            let swept_side = king_tiles.swept();
            let [fixed, swept] = [!swept_side, swept_side].map(|side| kings[side.index()]);
            let CanonicalKings { fixed_king: number, swept, symmetry } =
                king_tiles.fixed_kings().canonical(fixed, swept);
            if usize::from(number) != fixed_king {
                continue;
            }
            let destinations = by_symmetry[symmetry.index()]
                .get_or_insert_with(|| Destinations::new(index, king_tiles, symmetry));
            let from = categories.get_mut(place(swept, 0)..).unwrap_or_default();
            self.fill(pair, side, &by_code, destinations, from)?;
        }
        Ok(Section { categories, king_tiles: per_fixed_king })
    }

    /// Writes the categories of a king pair to their king tiles, `from` the first one on.
    fn fill(
        &self,
        pair: KingPair,
        side: Side,
        by_code: &CategoryTable,
        destinations: &Destinations,
        from: &mut [u8],
    ) -> Result<(), SectionError> {
        let per_pair = self.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let mate = self.source.mate.window(side, first..first + per_pair)?;
        let counted = self.source.counted.map(|codes| codes.window(side, first..first + per_pair));
        let counted = counted.transpose()?;
        let counted: &[u8] = counted.as_deref().unwrap_or(&mate);
        let last = destinations.last.len();
        let mut wrong = None;
        self.rows.of_pair(pair, side, |LegalRow { slots, legal }| {
            if legal == 0 {
                return;
            }
            let (outer, inner) = (slots.start / last, slots.start % last);
            let base = destinations.outer[outer];
            for (bit, (slot, to)) in slots.zip(&destinations.last[inner..]).enumerate() {
                if legal >> bit & 1 != 0 {
                    let category = by_code.category(&mate, counted, slot);
                    if category == NO_CATEGORY {
                        wrong.get_or_insert(slot);
                    }
                    from[place(Square::wrapping(0), base + to)] = category;
                }
            }
        });
        match wrong {
            None => Ok(()),
            Some(slot) => {
                Err(SectionError::Contradiction { side, slot: Slot(first + slot as u64) })
            }
        }
    }
}

/// Where a section has a square of a king tile.
fn place(swept: Square, king_tile: usize) -> usize {
    king_tile / TILES * GROUP_BYTES + swept.index() * TILES + king_tile % TILES
}

impl Section {
    /// The squares of the swept king that make a legal position, and their categories.
    pub fn king_tile(&self, king_tile: u64) -> impl Iterator<Item = (Square, usize)> + '_ {
        let category = move |swept: Square| {
            let at = place(swept, king_tile as usize);
            let category = usize::from(self.categories.get(at).copied().unwrap_or(NO_CATEGORY));
            (category < CATEGORIES).then_some((swept, category))
        };
        Square::all().filter_map(category)
    }

    /// The categories that each king tile of a tile group allows.
    pub fn tile_group(&self, tile_group: u64) -> Vec<AllowedCategories> {
        let first = (tile_group * GROUP_TILES) as usize;
        let end = (first + TILES).min(self.king_tiles);
        let mut seen = [[0u64; CATEGORIES + 1]; TILES];
        for swept in Square::all() {
            let categories = &self.categories[place(swept, first)..][..end - first];
            for (seen, &category) in seen.iter_mut().zip(categories) {
                seen[usize::from(category).min(CATEGORIES)] |= 1 << swept.index();
            }
        }
        let allowed = |seen: &[u64; CATEGORIES + 1]| {
            AllowedCategories(std::array::from_fn(|category| seen[category] | seen[CATEGORIES]))
        };
        seen[..end - first].iter().map(allowed).collect()
    }
}

impl Destinations {
    fn new(index: &Index, king_tiles: &KingTiles, symmetry: Symmetry) -> Destinations {
        let of_group = |number: usize, group: &Group| {
            let stride = king_tiles.stride(number).unwrap_or(0) as usize;
            let turned = |rank: u64| {
                let mut squares = [Square::wrapping(0); MAX_OTHERS];
                let squares = &mut squares[..group.count];
                group.unrank(rank, squares);
                group.rank(squares, symmetry).unwrap_or(0) as usize * stride
            };
            (0..group.combinations()).map(turned).collect::<Vec<usize>>()
        };
        let mut groups: Vec<Vec<usize>> =
            index.groups().iter().enumerate().map(|(n, group)| of_group(n, group)).collect();
        let last = groups.pop().unwrap_or_else(|| vec![0]);
        let outer = groups.iter().fold(vec![0], |outer, group| {
            let with = |&place: &usize| group.iter().map(move |more| place + more);
            outer.iter().flat_map(with).collect()
        });
        Destinations { outer, last }
    }
}
