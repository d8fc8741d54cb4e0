//! The categories of a smaller material on all squares of the board, without symmetry: those
//! after a capture, by the pieces in the order of the larger material.

use crate::output::wdl::allowed::{ANY, Allowed, only};
use crate::output::wdl::section::{KingTile, KingTiles, SectionError, Sections};
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::counting::Category;
use sakmak_tables::index::{Group, Slot};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::cells::{Cells, FixedKings};
use sakmak_tables::tiles::order::CellOrder;
use std::sync::Arc;

/// Categories by the squares of the fixed king and the pieces.
#[derive(Debug)]
pub struct FullBoardWdl {
    pieces: Vec<Piece>,
    /// By fixed king and pieces, then swept king: the category, as a set, for the side that captured;
    /// empty without a legal position.
    best: Vec<KingTile>,
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
    /// Whether the smaller material has the colours exchanged.
    pub flipped: bool,
}

impl FullBoardWdl {
    /// The memory that the categories of a material with so many pieces take.
    pub(crate) fn bytes(pieces: usize) -> u64 {
        (SQUARES.pow(1 + pieces as u32) * size_of::<KingTile>()) as u64
    }

    /// The categories of a smaller material.
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
        let order = CellOrder::first(index, seen(view.swept));
        let tiles = KingTiles::new(index, &order);
        let cells = Cells::new(index, Arc::clone(&fixed_kings), &order);
        let pieces = view.pieces.clone();
        let length = SQUARES.pow(1 + pieces.len() as u32);
        let mut this = FullBoardWdl { pieces, best: vec![[0; SQUARES]; length] };
        // By group of the table: the place of its pieces in the view.
        let place = |group: &Group| {
            let piece = Piece::new(seen(group.piece.side), group.piece.kind);
            this.pieces.iter().position(|&other| other == piece).unwrap_or(0)
        };
        let places: Vec<usize> = index.groups().iter().map(place).collect();
        let reversed = reversed_sets();
        let turns: Vec<[usize; SQUARES]> = fixed_kings
            .symmetries()
            .iter()
            .map(|symmetry| {
                std::array::from_fn(|square| {
                    let square = symmetry.square(Square::wrapping(square));
                    if exchanged { square.flipped() } else { square }.index()
                })
            })
            .collect();
        for (number, &fixed_king) in fixed_kings.squares().iter().enumerate() {
            let section = sections.section(&cells, &tiles, seen(view.mover), number)?;
            let groups = 0..tiles.count().div_ceil(SQUARES as u64) as usize;
            let all = groups.flat_map(|group| section.king_tiles(group));
            for (king_tile, sets) in (0..).zip(all) {
                let mut squares = vec![fixed_king; this.pieces.len()];
                // The groups are in the order of the index.
                let placement = index.placement(Slot(king_tile));
                for (group, &place) in index.groups().iter().zip(&places) {
                    let from = &placement.pieces[group.first..group.first + group.count];
                    squares[place..place + group.count].copy_from_slice(from);
                }
                for turned in &turns {
                    let turn = |square: Square| Square::wrapping(turned[square.index()]);
                    let mut there = squares.clone();
                    there.iter_mut().for_each(|square| *square = turn(*square));
                    let key = this.key(turn(fixed_king), &mut there);
                    let best = &mut this.best[key];
                    for (&swept, &set) in turned.iter().zip(&sets) {
                        best[swept] |= reversed[usize::from(set)];
                    }
                }
            }
        }
        Ok(this)
    }

    /// The categories for the side that captured, by square of the swept king, as sets of one; empty
    /// where there is no legal position. Like pieces may come in any order.
    pub fn best(&self, fixed_king: Square, pieces: &mut [Square]) -> &KingTile {
        &self.best[self.key(fixed_king, pieces)]
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

/// By set of one category: that of the reversed category. Empty for all others.
fn reversed_sets() -> [Allowed; ANY as usize + 1] {
    let mut reversed = [0; ANY as usize + 1];
    for category in Category::ALL {
        reversed[usize::from(only(category))] = only(category.reversed());
    }
    reversed
}
