//! The categories of a smaller material on all squares of the board, without symmetry: those
//! after a capture, by the pieces in the order of the larger material.

use crate::output::wdl::allowed_categories::{CATEGORIES, CategoryMasks};
use crate::output::wdl::section::{SectionError, Sections};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::index::{Group, Slot};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use sakmak_tables::tiles::order::KingTileOrder;
use std::sync::Arc;

/// Categories by the squares of the fixed king and the pieces.
#[derive(Debug)]
pub struct FullBoardWdl {
    pieces: Vec<Piece>,
    masks: Vec<CategoryMasks>,
}

/// The smaller material as seen from the larger one.
#[derive(Clone, Debug)]
pub struct FullBoardView {
    /// The pieces besides the kings, with the colours of the larger material; like pieces are
    /// neighbours.
    pub pieces: Vec<Piece>,
    /// The side whose king is swept.
    pub swept: Side,
    /// The side to move.
    pub mover: Side,
    /// The smaller material has the colours exchanged.
    pub flipped: bool,
}

impl FullBoardWdl {
    /// Returns the memory that the categories of a material with this many pieces take.
    pub(crate) fn bytes(pieces: usize) -> u64 {
        (SQUARES.pow(1 + pieces as u32) * size_of::<CategoryMasks>()) as u64
    }

    /// Returns the categories of a smaller material.
    ///
    /// # Errors
    ///
    /// If its tables cannot be read or contradict each other.
    pub fn new(
        sections: &Sections<'_>,
        view: &FullBoardView,
    ) -> Result<FullBoardWdl, SectionError> {
        let index = sections.index();
        let there = |side: Side| if view.flipped { !side } else { side };
        // Symmetric tables hold White to move only.
        let again = index.material().is_symmetric() && there(view.mover) == Side::Black;
        let exchanged = view.flipped != again;
        let seen = |side: Side| if exchanged { !side } else { side };
        let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
        let order = (0..index.groups().len()).collect();
        let tile_order = KingTileOrder { swept: seen(view.swept), groups: order };
        let king_tiles = KingTiles::new(index, Arc::clone(&fixed_kings), &tile_order);
        let pieces = view.pieces.clone();
        let length = SQUARES.pow(1 + pieces.len() as u32);
        let mut this = FullBoardWdl { pieces, masks: vec![[0; CATEGORIES]; length] };
        // By group of the table: the place of its pieces in the view.
        let place = |group: &Group| {
            let piece = Piece::new(seen(group.piece.side), group.piece.kind);
            this.pieces.iter().position(|&other| other == piece).unwrap_or(0)
        };
        let places: Vec<usize> = index.groups().iter().map(place).collect();
        for (number, &fixed_king) in fixed_kings.squares().iter().enumerate() {
            let section = sections.section(&king_tiles, seen(view.mover), number, 1)?;
            let tile_groups = king_tiles.per_fixed_king().div_ceil(GROUP_TILES);
            let allowed = (0..tile_groups).flat_map(|tile_group| section.tile_group(tile_group));
            for (king_tile, known) in (0..).zip(allowed.map(|allowed| allowed.known())) {
                let mut squares = vec![fixed_king; this.pieces.len()];
                // The groups are in the order of the index.
                let placement = index.placement(Slot(king_tile));
                for (group, &place) in index.groups().iter().zip(&places) {
                    let from = &placement.pieces[group.first..group.first + group.count];
                    squares[place..place + group.count].copy_from_slice(from);
                }
                for &symmetry in fixed_kings.symmetries() {
                    let turned = |square: Square| {
                        let square = symmetry.square(square);
                        if exchanged { square.flipped() } else { square }
                    };
                    let mut there = squares.clone();
                    there.iter_mut().for_each(|square| *square = turned(*square));
                    let key = this.key(turned(fixed_king), &mut there);
                    for (mask, known) in this.masks[key].iter_mut().zip(known) {
                        let set = symmetry.set(Bitboard(known));
                        *mask |= if exchanged { set.flipped() } else { set }.0;
                    }
                }
            }
        }
        Ok(this)
    }

    /// By category for the side to move: the squares of the swept king that make a legal position
    /// of that category. Like pieces may come in any order.
    pub fn masks(&self, fixed_king: Square, pieces: &mut [Square]) -> &CategoryMasks {
        &self.masks[self.key(fixed_king, pieces)]
    }

    fn key(&self, fixed_king: Square, pieces: &mut [Square]) -> usize {
        // Sorts like pieces: a few, and nearly always sorted already.
        for _ in 1..pieces.len() {
            for place in 1..pieces.len() {
                if self.pieces[place - 1] == self.pieces[place] && pieces[place - 1] > pieces[place]
                {
                    pieces.swap(place - 1, place);
                }
            }
        }
        pieces.iter().fold(fixed_king.index(), |key, square| key * SQUARES + square.index())
    }
}
