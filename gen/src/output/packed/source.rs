//! One side's codes of a solved table as tiles to encode.

use crate::output::packed::block_group::{BlockGroup, GROUP_VALUES};
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::transposed::transpose;
use crate::slots::one_ply::OnePly;
use crate::slots::one_ply::tile_changes::TileChanges;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Slot;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::{Tile, TileNumber, Tiles};
use sakmak_tables::values::{Coding, Values};
use std::ops::Range;

/// One side's codes, and the look-ahead of one ply that finds the don't-care squares.
#[derive(Clone, Copy, Debug)]
pub struct PackSource<'a> {
    side: Side,
    values: &'a Values,
    one_ply: &'a OnePly<'a>,
}

impl<'a> PackSource<'a> {
    /// The codes of a side of a table.
    pub fn new(one_ply: &'a OnePly<'a>, side: Side, values: &'a Values) -> PackSource<'a> {
        PackSource { side, values, one_ply }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The coding of the codes.
    pub fn coding(&self) -> Coding {
        self.values.coding()
    }
}

/// The tiles of a source.
#[derive(Clone, Debug)]
pub struct TileSource<'a> {
    source: PackSource<'a>,
    tiles: Tiles,
    /// `None`: no square is don't-care.
    changes: Option<TileChanges<'a>>,
}

impl<'a> TileSource<'a> {
    /// These tiles of a source, with don't-care squares.
    pub fn new(source: PackSource<'a>, tiles: Tiles) -> TileSource<'a> {
        let changes = TileChanges::new(source.one_ply, source.side, tiles.swept());
        TileSource { source, tiles, changes }
    }

    /// The same tiles without don't-care squares.
    #[must_use]
    pub fn without_dont_care(self) -> TileSource<'a> {
        TileSource { changes: None, ..self }
    }

    /// Whether squares may be don't-care.
    pub fn has_dont_care(&self) -> bool {
        self.changes.is_some()
    }

    /// The codes.
    pub fn source(&self) -> &PackSource<'a> {
        &self.source
    }

    /// The tiles.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// A range of tiles to encode, read one by one.
    pub fn range(&self, numbers: Range<u64>) -> Vec<TargetTile> {
        numbers.map(|number| self.target(TileNumber(number))).collect()
    }

    fn target(&self, number: TileNumber) -> TargetTile {
        let tile = self.tiles.tile(number);
        let mut target = TargetTile::new(&self.tiles, &tile, self.source.side, self.source.values);
        target.dont_care = self.dont_care(&tile, &target);
        target
    }

    /// The tiles of a group, in its order.
    pub fn group(&self, group: &BlockGroup, targets: &mut Vec<TargetTile>) {
        targets.clear();
        if group.values() == 1 {
            targets.extend(group.tiles().map(|number| self.target(number)));
            return;
        }
        let run = group.run();
        targets.resize(run * group.values(), TargetTile::EMPTY);
        for (number, place) in group.tiles().take(run).zip(0..) {
            let targets = targets[place..].iter_mut().step_by(run);
            self.read_successive(&self.tiles.tile(number), group.values(), targets);
        }
        for (target, number) in targets.iter_mut().zip(group.tiles()) {
            let tile = self.tiles.tile(number);
            target.shape = self.tiles.shape(&tile, self.source.side);
            target.dont_care = self.dont_care(&tile, target);
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
        let coding = self.source.coding();
        let window = |slot: Slot| self.source.values.window(slot.0..slot.0 + values as u64);
        if coding.width() == 1 {
            let mut rows = [[0; GROUP_VALUES]; SQUARES];
            let mut is_empty = true;
            self.tiles.for_each_slot(first, |square, slot| {
                is_empty = false;
                let row = rows[square.index()].iter_mut();
                row.zip(window(slot)).for_each(|(to, &code)| *to = code);
            });
            if is_empty {
                return;
            }
            transpose(&mut rows);
            for (target, row) in targets.zip(&rows) {
                target.codes = row.map(u16::from);
            }
        } else {
            let mut rows = [[0; SQUARES]; GROUP_VALUES];
            self.tiles.for_each_slot(first, |square, slot| {
                let (codes, _) = window(slot).as_chunks::<2>();
                for (row, &code) in rows.iter_mut().zip(codes) {
                    row[square.index()] = u16::from_le_bytes(code);
                }
            });
            for (target, row) in targets.zip(&rows) {
                target.codes = *row;
            }
        }
    }

    /// The don't-care squares of a tile.
    fn dont_care(&self, tile: &Tile, target: &TargetTile) -> u64 {
        let kept = Bitboard(target.shape.kept);
        let (Some(changes), Some(square)) = (&self.changes, kept.first()) else { return 0 };
        changes.as_good(&self.tiles.placement(tile, square), kept, &target.codes).0
    }
}
