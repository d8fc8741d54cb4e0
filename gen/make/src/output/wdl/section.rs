//! The categories of all cells with the fixed king on one square.

use crate::output::wdl::allowed::{ANY, Allowed};
use crate::output::wdl::category_bits::{CategoryBits, PairCodes};
use crate::system::ByteSize;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_tables::board::square::{SIDE_LENGTH, SQUARES, Square};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, MAX_OTHERS, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::cells::{CanonicalKings, Cells, Steps, steps};
use sakmak_tables::tiles::order::{CellOrder, TilePiece};
use sakmak_tables::values::codes::TablePair;
use std::io;

/// The cells of a king tile: the swept king on each square, all else fixed.
pub type KingTile = [Allowed; SQUARES];

/// Makes sections from the tables of a material.
pub struct Sections<'a> {
    source: TablePair<'a>,
    rows: LegalRows,
    counting_rule: &'static CountingRule,
}

/// The bytes of memory that a section and its cells take.
pub(crate) fn section_bytes(index: &Index) -> u64 {
    let codes = 4 * index.slots_per_pair();
    2 * SQUARES as u64 * index.slots_per_pair() + codes
}

/// The categories of one fixed king.
pub struct Section {
    /// By the square of the swept king, then king tile: the categories that the cell allows.
    planes: Vec<Allowed>,
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

/// The king tiles of a fixed king: its cells without the swept king, in their order.
#[derive(Clone, Debug)]
pub struct KingTiles {
    /// By group.
    groups: Vec<GroupDigits>,
    /// King tiles of each fixed king.
    count: u64,
    /// By square of the swept king: cells from the first square.
    swept: [usize; SQUARES],
}

/// The number of a group's combination in that of a king tile.
#[derive(Clone, Copy, Debug)]
struct GroupDigits {
    steps: Steps,
    /// Combinations, if they are one digit.
    whole: Option<u32>,
    ranks: u32,
    /// In the number of a cell.
    cell_steps: Steps,
}

impl GroupDigits {
    /// The combination in the king tile with this number.
    #[inline]
    fn number(&self, king_tile: u32) -> u32 {
        let part = |step: u64, numbers: u32| king_tile / step as u32 % numbers;
        match self.whole {
            Some(combinations) => part(self.steps.file, combinations),
            None => {
                let side = SIDE_LENGTH as u32;
                part(self.steps.rank, self.ranks) * side + part(self.steps.file, side)
            }
        }
    }
}

impl KingTiles {
    /// The king tiles of these cells.
    pub fn new(index: &Index, order: &CellOrder) -> KingTiles {
        let (_, steps_of_tiles, count) = steps(index, order, |piece| piece != TilePiece::King);
        let (king, steps_of_cells, _) = steps(index, order, |_| true);
        let groups = index.groups().iter().zip(steps_of_tiles).zip(steps_of_cells);
        let groups = groups.map(|((group, steps), cell_steps)| {
            let combinations = group.combinations() as u32;
            let is_whole = steps.rank == SIDE_LENGTH as u64 * steps.file;
            GroupDigits {
                steps,
                whole: is_whole.then_some(combinations),
                ranks: combinations / SIDE_LENGTH as u32,
                cell_steps,
            }
        });
        let swept = std::array::from_fn(|square| king.of(square as u64) as usize);
        KingTiles { groups: groups.collect(), count, swept }
    }

    /// The number of king tiles of each fixed king.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The combination of a group in a king tile.
    #[inline]
    pub fn combination(&self, group: usize, king_tile: u64) -> usize {
        self.groups[group].number(king_tile as u32) as usize
    }

    /// By square of the swept king: the cells from the first one of a king tile.
    pub fn swept(&self) -> &[usize; SQUARES] {
        &self.swept
    }

    /// The first cell of a king tile.
    #[inline]
    pub fn first_cell(&self, king_tile: usize) -> usize {
        let part = |group: &GroupDigits| group.cell_steps.of(group.number(king_tile as u32).into());
        self.groups.iter().map(part).sum::<u64>() as usize
    }
}

/// The king tile of each slot of a king pair.
struct Destinations {
    /// By the slot without the last group.
    outer: Vec<u32>,
    /// By the combination of the last group.
    last: Vec<u32>,
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
        cells: &Cells,
        tiles: &KingTiles,
        side: Side,
        fixed_king: usize,
    ) -> Result<Section, SectionError> {
        let index = self.index();
        let king_tiles = tiles.count() as usize;
        let mut planes = vec![ANY; SQUARES * king_tiles];
        let Some(bits) = CategoryBits::new(self.source, self.counting_rule, side) else {
            return Ok(Section { planes, king_tiles });
        };
        let mut by_symmetry: Vec<Option<Destinations>> = Symmetry::all().map(|_| None).collect();
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            let kings = index.kings().kings(pair);
            let [fixed, swept] = [!cells.swept(), cells.swept()].map(|side| kings[side.index()]);
            let CanonicalKings { fixed_king: number, swept, symmetry } =
                cells.fixed_kings().canonical(fixed, swept);
            if usize::from(number) != fixed_king {
                continue;
            }
            let destinations = by_symmetry[symmetry.index()]
                .get_or_insert_with(|| Destinations::new(index, tiles, symmetry));
            let plane = &mut planes[swept.index() * king_tiles..][..king_tiles];
            self.fill(pair, side, &bits, destinations, plane)?;
        }
        Ok(Section { planes, king_tiles })
    }

    /// Writes the categories of a king pair to their king tiles.
    fn fill(
        &self,
        pair: KingPair,
        side: Side,
        bits: &CategoryBits,
        destinations: &Destinations,
        plane: &mut [Allowed],
    ) -> Result<(), SectionError> {
        let per_pair = self.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let mate = self.source.mate.window(side, first..first + per_pair)?;
        let counted = self.source.counted.map(|codes| codes.window(side, first..first + per_pair));
        let counted = counted.transpose()?;
        let codes = PairCodes { mate: &mate, counted: counted.as_deref().unwrap_or(&mate) };
        let last = destinations.last.len();
        let mut wrong = None;
        self.rows.of_pair(pair, side, |LegalRow { slots, legal }| {
            if legal == 0 {
                return;
            }
            let mut sets = [ANY; SQUARES];
            let sets = &mut sets[..slots.len()];
            bits.sets(codes, slots.start, sets);
            for (bit, set) in sets.iter_mut().enumerate() {
                *set |= if legal >> bit & 1 != 0 { 0 } else { ANY };
            }
            if sets.contains(&0) {
                let place = sets.iter().position(|&set| set == 0).unwrap_or(0);
                wrong.get_or_insert(slots.start + place);
            }
            let (outer, inner) = (slots.start / last, slots.start % last);
            let base = destinations.outer[outer];
            for (&set, to) in sets.iter().zip(&destinations.last[inner..]) {
                plane[(base + to) as usize] = set;
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
    /// The king tiles of a group of 64, the last group of the rest.
    pub fn king_tiles(&self, group: usize) -> Vec<KingTile> {
        let first = group * SQUARES;
        let count = SQUARES.min(self.king_tiles - first);
        let mut tiles = vec![[ANY; SQUARES]; count];
        if count.is_multiple_of(WORD) {
            // Blocks of 8 x 8 cells change rows and columns.
            for swept in (0..SQUARES).step_by(WORD) {
                for tile in (0..count).step_by(WORD) {
                    let row = |place: usize| {
                        let at = (swept + place) * self.king_tiles + first + tile;
                        self.planes[at..].first_chunk().copied().map_or(0, u64::from_le_bytes)
                    };
                    let columns = transposed(std::array::from_fn(row));
                    for (tile, column) in tiles[tile..].iter_mut().zip(columns) {
                        tile[swept..swept + WORD].copy_from_slice(&column.to_le_bytes());
                    }
                }
            }
            return tiles;
        }
        for swept in 0..SQUARES {
            let plane = &self.planes[swept * self.king_tiles + first..];
            for (tile, &set) in tiles.iter_mut().zip(plane) {
                tile[swept] = set;
            }
        }
        tiles
    }

    /// The number of king tiles.
    pub fn count(&self) -> usize {
        self.king_tiles
    }
}

/// Cells in a word.
const WORD: usize = size_of::<u64>();

/// Exchanges rows and columns of 8 x 8 bytes, a row each word, the lowest byte first.
fn transposed(mut rows: [u64; WORD]) -> [u64; WORD] {
    const MASKS: [u64; 3] = [0x0000_0000_ffff_ffff, 0x0000_ffff_0000_ffff, 0x00ff_00ff_00ff_00ff];
    for (step, mask) in [4, 2, 1].into_iter().zip(MASKS) {
        let shift = step as u32 * u8::BITS;
        for row in (0..WORD).filter(|row| row & step == 0) {
            let exchanged = (rows[row] >> shift ^ rows[row + step]) & mask;
            rows[row + step] ^= exchanged;
            rows[row] ^= exchanged << shift;
        }
    }
    rows
}

impl Destinations {
    fn new(index: &Index, tiles: &KingTiles, symmetry: Symmetry) -> Destinations {
        let of_group = |number: usize, group: &Group| {
            let steps = tiles.groups[number].steps;
            let turned = |rank: u64| {
                let mut squares = [Square::wrapping(0); MAX_OTHERS];
                let squares = &mut squares[..group.count];
                group.unrank(rank, squares);
                steps.of(group.rank(squares, symmetry).unwrap_or(0)) as u32
            };
            (0..group.combinations()).map(turned).collect::<Vec<u32>>()
        };
        let mut groups: Vec<Vec<u32>> =
            index.groups().iter().enumerate().map(|(n, group)| of_group(n, group)).collect();
        let last = groups.pop().unwrap_or_else(|| vec![0]);
        let outer = groups.iter().fold(vec![0], |outer, group| {
            let with = |&place: &u32| group.iter().map(move |more| place + more);
            outer.iter().flat_map(with).collect()
        });
        Destinations { outer, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_change_places() {
        let byte = |row: usize, column: usize| (row * WORD + column) as u8;
        let rows = std::array::from_fn(|row| {
            u64::from_le_bytes(std::array::from_fn(|column| byte(row, column)))
        });
        for (column, bytes) in transposed(rows).map(u64::to_le_bytes).into_iter().enumerate() {
            assert_eq!(bytes, std::array::from_fn(|row| byte(row, column)));
        }
    }
}
