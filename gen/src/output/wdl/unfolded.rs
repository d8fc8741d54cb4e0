//! The verdicts of a small material for all squares of all pieces, no symmetry folded: what
//! captures lead to, by the pieces as the larger material has them.

use crate::output::wdl::allowed::{CATEGORIES, Masks};
use crate::output::wdl::section::{SectionError, Sections};
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::index::{Group, Slot};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::{FixedKings, Hanging, KingTiles};
use std::sync::Arc;

/// Verdicts by the king at home and the pieces, in the order they were asked for in.
#[derive(Debug)]
pub struct Unfolded {
    men: Vec<Piece>,
    masks: Vec<Masks>,
}

/// What is unfolded: whose pieces, who runs, who moves, with the colours of the larger material.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The pieces besides the kings; like pieces are neighbours.
    pub men: Vec<Piece>,
    /// Whose king runs.
    pub runner: Side,
    /// Who is to move.
    pub mover: Side,
    /// Whether the material has these pieces with colours changed.
    pub flipped: bool,
}

impl Unfolded {
    /// Unfolds the tables of a material.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn new(sections: &Sections<'_>, wanted: &Wanted) -> Result<Unfolded, SectionError> {
        let index = sections.index();
        let there = |side: Side| if wanted.flipped { !side } else { side };
        // Symmetric tables hold White to move only.
        let again = index.material().is_symmetric() && there(wanted.mover) == Side::Black;
        let exchanged = wanted.flipped != again;
        let seen = |side: Side| if exchanged { !side } else { side };
        let homes = Arc::new(FixedKings::new(index.kings().symmetries()));
        let order = (0..index.groups().len()).collect();
        let hanging = Hanging { runner: seen(wanted.runner), order };
        let king_tiles = KingTiles::new(index, Arc::clone(&homes), &hanging);
        let men = wanted.men.clone();
        let length = SQUARES.pow(1 + men.len() as u32);
        let mut unfolded = Unfolded { men, masks: vec![[0; CATEGORIES]; length] };
        // Where each piece of the table stands among those wanted.
        let place = |group: &Group| {
            let piece = Piece::new(seen(group.piece.side), group.piece.kind);
            unfolded.men.iter().position(|&wanted| wanted == piece).unwrap_or(0)
        };
        let places: Vec<usize> = index.groups().iter().map(place).collect();
        for (number, &home) in homes.squares().iter().enumerate() {
            let section = sections.section(&king_tiles, seen(wanted.mover), number)?;
            for king_tile in 0..king_tiles.per_home() {
                let mut squares = vec![home; unfolded.men.len()];
                // The groups are in the order of the index.
                let placement = index.placement(Slot(king_tile));
                for (group, &place) in index.groups().iter().zip(&places) {
                    let from = &placement.pieces[group.first..group.first + group.count];
                    squares[place..place + group.count].copy_from_slice(from);
                }
                for &symmetry in homes.symmetries() {
                    let turned = |square: Square| {
                        let square = symmetry.square(square);
                        if exchanged { square.flipped() } else { square }
                    };
                    let mut there = squares.clone();
                    there.iter_mut().for_each(|square| *square = turned(*square));
                    let key = unfolded.key(turned(home), &mut there);
                    for (runner, grade) in section.king_tile(king_tile) {
                        unfolded.masks[key][grade] |= 1 << turned(runner).index();
                    }
                }
            }
        }
        Ok(unfolded)
    }

    /// A bit for each square of the runner with which the position is legal, by its category
    /// for the side to move. The pieces may come in any order of like ones.
    pub fn masks(&self, home: Square, men: &mut [Square]) -> &Masks {
        &self.masks[self.key(home, men)]
    }

    fn key(&self, home: Square, men: &mut [Square]) -> usize {
        // Like pieces in order: at most a few, nearly always in order already.
        for _ in 1..men.len() {
            for place in 1..men.len() {
                if self.men[place - 1] == self.men[place] && men[place - 1] > men[place] {
                    men.swap(place - 1, place);
                }
            }
        }
        men.iter().fold(home.index(), |key, square| key * SQUARES + square.index())
    }
}
