//! The tiles of one side to move, and their codes from a window.

use crate::output::packed::block_group::{BlockGroup, GROUP_VALUES};
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::source::{PackSource, SourceWindow};
use crate::output::transposed::transpose_bytes;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_solve::slots::one_ply::tile_changes::TileChanges;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Slot;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::{Tile, TileNumber, Tiles};
use sakmak_tables::values::Coding;
use std::ops::Range;

/// The tiles of one side to move in one order.
#[derive(Clone, Debug)]
pub struct TileSource {
    side: Side,
    coding: Coding,
    order: TileOrder,
    tiles: Tiles,
    /// Squares may be don't-care.
    dont_care: bool,
}

impl TileSource {
    /// These tiles of a side, with don't-care squares. `tiles` must have that order.
    pub fn new(side: Side, coding: Coding, order: TileOrder, tiles: Tiles) -> TileSource {
        TileSource { side, coding, order, tiles, dont_care: true }
    }

    /// Turns off don't-care squares.
    #[must_use]
    pub fn without_dont_care(self) -> TileSource {
        TileSource { dont_care: false, ..self }
    }

    /// Returns whether squares may be don't-care.
    pub fn has_dont_care(&self) -> bool {
        self.dont_care
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the coding of the codes.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the order of the tiles.
    pub fn order(&self) -> &TileOrder {
        &self.order
    }

    /// Returns the tiles.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Returns the tiles of blocks of `block_tiles` in runs, one for each window, in order. A block
    /// whose first tile is in a window belongs to it.
    pub fn windows(&self, table: &PackSource<'_>, block_tiles: u64) -> Vec<Range<u64>> {
        let tiles = self.tiles.len();
        if table.is_whole(self.side) {
            return std::iter::once(0..tiles).collect();
        }
        let per_king = self.tiles.tiles_per_white_king();
        let start = |king: u64| tiles.min((king * per_king).next_multiple_of(block_tiles));
        let kings = 0..tiles / per_king;
        let windows = kings.map(|king| start(king)..start(king + 1));
        windows.filter(|window| !window.is_empty()).collect()
    }

    /// Reads tiles from a window.
    pub fn reader<'a>(&'a self, window: &SourceWindow<'a>) -> TileReader<'a> {
        let changes = || TileChanges::new(window.one_ply, self.side, self.tiles.swept());
        let changes = self.dont_care.then(changes).flatten();
        TileReader { source: self, codes: window.codes, changes }
    }
}

/// Reads tiles of a source whose slots are in a window.
#[derive(Clone, Debug)]
pub struct TileReader<'a> {
    source: &'a TileSource,
    codes: CodeRun<'a>,
    /// `None`: no square is don't-care.
    changes: Option<TileChanges<'a>>,
}

impl TileReader<'_> {
    /// Returns a range of tiles to encode, read one by one.
    pub fn range(&self, numbers: Range<u64>) -> Vec<TargetTile> {
        numbers.map(|number| self.target(TileNumber(number))).collect()
    }

    fn target(&self, number: TileNumber) -> TargetTile {
        let tile = self.source.tiles.tile(number);
        let target = self.exact(&tile);
        TargetTile { dont_care: self.dont_care(&tile, &target), ..target }
    }

    /// Returns a tile to encode, without don't-care squares.
    fn exact(&self, tile: &Tile) -> TargetTile {
        TargetTile::new(&self.source.tiles, tile, self.source.side, &self.codes)
    }

    /// Returns the tiles of a group, in its order. Blocks of `block_tiles` that are settled by
    /// their codes get no don't-care squares, which take time.
    pub fn group(
        &self,
        group: &BlockGroup,
        block_tiles: usize,
        is_settled: impl Fn(&[TargetTile]) -> bool,
        targets: &mut Vec<TargetTile>,
    ) {
        targets.clear();
        let run = group.run();
        targets.resize(run * group.values(), TargetTile::EMPTY);
        if group.values() > 1 {
            for (number, place) in group.tiles().take(run).zip(0..) {
                let targets = targets[place..].iter_mut().step_by(run);
                self.read_successive(&self.source.tiles.tile(number), group.values(), targets);
            }
        }
        let mut numbers = group.tiles();
        let mut tiles: Vec<Tile> = Vec::with_capacity(block_tiles);
        for block in targets.chunks_mut(block_tiles) {
            tiles.clear();
            for (target, number) in block.iter_mut().zip(&mut numbers) {
                let tile = self.source.tiles.tile(number);
                if group.values() > 1 {
                    target.shape = self.source.tiles.shape(&tile, self.source.side);
                } else {
                    *target = self.exact(&tile);
                }
                tiles.push(tile);
            }
            if !is_settled(block) {
                for (target, tile) in block.iter_mut().zip(&tiles) {
                    target.dont_care = self.dont_care(tile, target);
                }
            }
        }
    }

    /// Reads the codes of tiles that differ in the slot digit: that of `first` and those after it,
    /// `values` together.
    fn read_successive<'t>(
        &self,
        first: &Tile,
        values: usize,
        targets: impl Iterator<Item = &'t mut TargetTile>,
    ) {
        let coding = self.source.coding;
        let run = |slot: Slot| self.codes.codes(slot.0..slot.0 + values as u64);
        if coding.width() == 1 {
            let mut rows = [[0; GROUP_VALUES]; SQUARES];
            let mut is_empty = true;
            self.source.tiles.for_each_slot(first, |square, slot| {
                is_empty = false;
                let row = rows[square.index()].iter_mut();
                row.zip(run(slot)).for_each(|(to, &code)| *to = code);
            });
            if is_empty {
                return;
            }
            transpose_bytes(&mut rows);
            for (target, row) in targets.zip(&rows) {
                target.codes = row.map(u16::from);
            }
        } else {
            let mut rows = [[0; SQUARES]; GROUP_VALUES];
            self.source.tiles.for_each_slot(first, |square, slot| {
                let (codes, _) = run(slot).as_chunks::<2>();
                for (row, &code) in rows.iter_mut().zip(codes) {
                    row[square.index()] = u16::from_le_bytes(code);
                }
            });
            for (target, row) in targets.zip(&rows) {
                target.codes = *row;
            }
        }
    }

    /// Returns the don't-care squares of a tile.
    fn dont_care(&self, tile: &Tile, target: &TargetTile) -> u64 {
        let kept = Bitboard(target.shape.kept);
        let (Some(changes), Some(square)) = (&self.changes, kept.first()) else { return 0 };
        changes.as_good(&self.source.tiles.placement(tile, square), kept, &target.codes).0
    }
}
