//! The categories of all slots with the fixed king on one square.

use crate::output::wdl::allowed_categories::AllowedCategories;
use crate::output::wdl::category_planes::{
    CategoryPlanes, NO_CATEGORIES, PlanesKernel, TILES, TileGroupKernel,
};
use crate::output::wdl::code_categories::{CodeCategories, NO_CATEGORY, RowCategories};
use crate::system::ByteSize;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_solve::solver::Width;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::format::wdl::row::ROW_GROUPS;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, MAX_OTHERS, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{CanonicalKings, KingTiles};
use sakmak_tables::values::codes::TablePair;
use std::io;

/// Makes sections from the tables of a material.
pub struct Sections<'a> {
    source: TablePair<'a>,
    rows: LegalRows,
    counting_rule: &'static CountingRule,
    width: Width,
}

/// Returns the bytes of memory that a section takes while it is made.
pub(crate) fn section_bytes(index: &Index) -> u64 {
    let codes_and_categories = 5 * index.slots_per_pair();
    made_section_bytes(index) + codes_and_categories
}

/// Returns the memory of a finished section in bytes.
pub(crate) fn made_section_bytes(index: &Index) -> u64 {
    let per_tile_group = (SQUARES * size_of::<CategoryPlanes>()) as u64;
    index.slots_per_pair().div_ceil(GROUP_TILES) * per_tile_group
}

/// The categories of one fixed king.
pub struct Section {
    /// Indexed by tile group and square of the swept king. Each king tile has a
    /// [`sakmak_tables::counting::Category::index`], or [`NO_CATEGORY`] for no legal position.
    categories: Vec<CategoryPlanes>,
    king_tiles: usize,
    width: Width,
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
    /// Indexed by the slot without the last group.
    outer: Vec<usize>,
    /// Indexed by the combination of the last group.
    last: Vec<u32>,
    /// The greatest of these.
    last_span: usize,
}

impl<'a> Sections<'a> {
    /// Sections of these tables.
    pub fn new(
        source: TablePair<'a>,
        rules: &Rules,
        counting_rule: &'static CountingRule,
        width: Width,
    ) -> Sections<'a> {
        let rows = LegalRows::new(source.mate.index().clone(), rules);
        Sections { source, rows, counting_rule, width }
    }

    /// Returns the index of the tables.
    pub fn index(&self) -> &Index {
        self.rows.index()
    }

    /// Returns the number of sections that fit into `memory`, at least 1.
    pub fn at_a_time(&self, memory: ByteSize) -> usize {
        usize::try_from(memory.0 / section_bytes(self.index()).max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// Returns the categories of a fixed king with a side to move, of one of `row_step` rows at
    /// least.
    ///
    /// # Errors
    ///
    /// If the tables cannot be read or contradict each other.
    pub fn section(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        fixed_king: usize,
        row_step: usize,
    ) -> Result<Section, SectionError> {
        let index = self.index();
        let per_fixed_king = king_tiles.per_fixed_king() as usize;
        let tile_groups = per_fixed_king.div_ceil(TILES);
        let mut categories = vec![NO_CATEGORIES; tile_groups * SQUARES];
        let Some(by_code) = CodeCategories::new(self.source, self.counting_rule, side) else {
            return Ok(Section { categories, king_tiles: per_fixed_king, width: self.width });
        };
        let mut of_pair = vec![NO_CATEGORY; tile_groups * TILES];
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
            self.fill(pair, side, &by_code, destinations, row_step, &mut of_pair)?;
            // By way of `of_pair`, which fits into a cache of the processor as `categories` does
            // not.
            self.width.run(PlanesKernel { of_pair: &of_pair, swept, categories: &mut categories });
        }
        Ok(Section { categories, king_tiles: per_fixed_king, width: self.width })
    }

    /// Writes the categories of a king pair, by king tile.
    fn fill(
        &self,
        pair: KingPair,
        side: Side,
        by_code: &CodeCategories,
        destinations: &Destinations,
        row_step: usize,
        of_pair: &mut [u8],
    ) -> Result<(), SectionError> {
        let per_pair = self.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let mate = self.source.mate.window(side, first..first + per_pair)?;
        let counted = self.source.counted.map(|codes| codes.window(side, first..first + per_pair));
        let counted = counted.transpose()?;
        let counted: &[u8] = counted.as_deref().unwrap_or(&mate);
        let widths = by_code.widths();
        if [&*mate, counted].map(<[u8]>::len) != widths.map(|width| width * per_pair as usize) {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let last = destinations.last.len();
        let mut wrong = None;
        self.rows.of_pair(pair, side, |LegalRow { slots, legal }| {
            let (outer, inner) = (slots.start / last, slots.start % last);
            let base = destinations.outer[outer];
            let row_of = |king_tile: usize| king_tile / (TILES * ROW_GROUPS as usize);
            let needed = (row_of(base)..=row_of(base + destinations.last_span))
                .any(|row| row % row_step == 0);
            if !needed {
                return;
            }
            let row = of_pair.get_mut(base..).unwrap_or_default();
            let of_row = |width: usize| slots.start * width..slots.end * width;
            let (mate, counted) = (&mate[of_row(widths[0])], &counted[of_row(widths[1])]);
            let work = RowCategories { by_code, mate, counted, legal };
            let (categories, contradictions) = self.width.run(work);
            for (&to, category) in destinations.last[inner..].iter().zip(&categories[..slots.len()])
            {
                if let Some(to) = row.get_mut(to as usize) {
                    *to = *category;
                }
            }
            if contradictions != 0 {
                let mut places = (0..slots.len()).zip(categories);
                let first = places
                    .find(|&(bit, category)| legal >> bit & 1 != 0 && category == NO_CATEGORY);
                wrong = wrong.or(first.map(|(bit, _)| slots.start + bit));
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

impl Section {
    /// Returns the planes of a tile group, indexed by square of the swept king.
    fn planes(&self, tile_group: u64) -> &[CategoryPlanes; SQUARES] {
        &self.categories.as_chunks::<SQUARES>().0[tile_group as usize]
    }

    /// Returns the categories that each king tile of a tile group allows.
    pub fn tile_group(&self, tile_group: u64) -> Vec<AllowedCategories> {
        let left = self.king_tiles - (tile_group * GROUP_TILES) as usize;
        let mut allowed = self.width.run(TileGroupKernel { planes: self.planes(tile_group) });
        allowed.truncate(left);
        allowed
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
        let last_span = last.iter().copied().max().unwrap_or(0);
        let last = last.into_iter().map(|place| place as u32).collect();
        let outer = groups.iter().fold(vec![0], |outer, group| {
            let with = |&place: &usize| group.iter().map(move |more| place + more);
            outer.iter().flat_map(with).collect()
        });
        Destinations { outer, last, last_span }
    }
}
