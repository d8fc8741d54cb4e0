//! The verdicts of a small material for all squares of all pieces, no symmetry folded: what
//! captures lead to, by the pieces as the larger material has them.

use crate::output::wdl::allowed_categories::{CATEGORIES, Masks};
use crate::output::wdl::section::{SectionError, Sections};
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::index::{Group, Slot};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use sakmak_tables::tiles::order::KingTileOrder;
use std::sync::Arc;

/// Verdicts by the king at fixed king and the pieces, in the order they were asked for in.
#[derive(Debug)]
pub struct FullBoard {
    men: Vec<Piece>,
    masks: Vec<Masks>,
}

/// What is full_board: whose pieces, who runs, who moves, with the colours of the larger material.
#[derive(Clone, Debug)]
pub struct FullBoardView {
    /// The pieces besides the kings; like pieces are neighbours.
    pub men: Vec<Piece>,
    /// Whose king runs.
    pub swept: Side,
    /// Who is to move.
    pub mover: Side,
    /// Whether the material has these pieces with colours changed.
    pub flipped: bool,
}

impl FullBoard {
    /// Unfolds the tables of a material.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn new(sections: &Sections<'_>, wanted: &FullBoardView) -> Result<FullBoard, SectionError> {
        let index = sections.index();
        let there = |side: Side| if wanted.flipped { !side } else { side };
        // Symmetric tables hold White to move only.
        let again = index.material().is_symmetric() && there(wanted.mover) == Side::Black;
        let exchanged = wanted.flipped != again;
        let seen = |side: Side| if exchanged { !side } else { side };
        let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
        let order = (0..index.groups().len()).collect();
        let tile_order = KingTileOrder { swept: seen(wanted.swept), groups: order };
        let king_tiles = KingTiles::new(index, Arc::clone(&fixed_kings), &tile_order);
        let men = wanted.men.clone();
        let length = SQUARES.pow(1 + men.len() as u32);
        let mut full_board = FullBoard { men, masks: vec![[0; CATEGORIES]; length] };
        // Where each piece of the table stands among those wanted.
        let place = |group: &Group| {
            let piece = Piece::new(seen(group.piece.side), group.piece.kind);
            full_board.men.iter().position(|&wanted| wanted == piece).unwrap_or(0)
        };
        let places: Vec<usize> = index.groups().iter().map(place).collect();
        for (number, &fixed_king) in fixed_kings.squares().iter().enumerate() {
            let section = sections.section(&king_tiles, seen(wanted.mover), number)?;
            for king_tile in 0..king_tiles.per_fixed_king() {
                let mut squares = vec![fixed_king; full_board.men.len()];
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
                    let key = full_board.key(turned(fixed_king), &mut there);
                    for (swept, category) in section.king_tile(king_tile) {
                        full_board.masks[key][category] |= 1 << turned(swept).index();
                    }
                }
            }
        }
        Ok(full_board)
    }

    /// A bit for each square of the swept with which the position is legal, by its category
    /// for the side to move. The pieces may come in any order of like ones.
    pub fn masks(&self, fixed_king: Square, men: &mut [Square]) -> &Masks {
        &self.masks[self.key(fixed_king, men)]
    }

    fn key(&self, fixed_king: Square, men: &mut [Square]) -> usize {
        // Like pieces in order: at most a few, nearly always in order already.
        for _ in 1..men.len() {
            for place in 1..men.len() {
                if self.men[place - 1] == self.men[place] && men[place - 1] > men[place] {
                    men.swap(place - 1, place);
                }
            }
        }
        men.iter().fold(fixed_king.index(), |key, square| key * SQUARES + square.index())
    }
}
