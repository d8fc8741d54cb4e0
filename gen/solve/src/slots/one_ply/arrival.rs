//! Arrivals: the table and the placement after a capture or promotion.

use crate::slots::one_ply::preference::{Preference, StoredPreferences};
use crate::slots::paged_table::PagedTable;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::distance::Value;
use sakmak_tables::index::{Group, Index, Placement, Slot};
use sakmak_tables::material::{Army, MAX_MEN, Material, OrientedMaterial};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The number of kings among the numbered pieces.
pub const KINGS: usize = Side::BOTH.len();

/// The pieces of a material by index: the white king, the black king, then [`Index::pieces`].
pub fn numbered(index: &Index) -> Vec<Piece> {
    let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
    kings.into_iter().chain(index.pieces().iter().copied()).collect()
}

/// The armies of these pieces; a taken piece is `None`.
pub fn armies(pieces: &[Option<Piece>]) -> [Army; 2] {
    Side::BOTH.map(|side| {
        let pieces = pieces.iter().flatten().filter(|piece| piece.side == side);
        pieces.map(|piece| piece.kind).filter(|&kind| kind != PieceKind::King).collect()
    })
}

/// The arrival of a move.
#[derive(Debug)]
pub enum Arrival<'a> {
    /// Bare kings, a draw.
    BareKings,
    /// Positions of a table.
    Table(Landing<'a>),
    /// One of these arrivals, by choice of the piece that a pawn becomes.
    Choice(Vec<Arrival<'a>>),
}

/// The positions of one table, seen from the positions before the move.
#[derive(Debug)]
pub struct Landing<'a> {
    index: &'a Index,
    preferences: StoredPreferences<'a>,
    /// Whether the table has the colours exchanged.
    exchanged: bool,
    /// The index of each piece of the table among the pieces before the move.
    numbers: Vec<usize>,
}

impl<'a> Arrival<'a> {
    /// The arrival of these pieces, by index, with `side` to move; a captured piece is `None`.
    /// `before` converts a value of the table to the value before the move. Returns `None` if no
    /// table has these pieces.
    pub fn new(
        pieces: &[Option<Piece>],
        side: Side,
        mut tables: impl Iterator<Item = &'a PagedTable<'a>>,
        before: impl Fn(Value) -> Value,
    ) -> Option<Arrival<'a>> {
        let [white, black] = armies(pieces);
        let OrientedMaterial { material, flipped } = Material::orient(white, black);
        if material == Material::BARE_KINGS {
            return Some(Arrival::BareKings);
        }
        let table = tables.find(|table| table.index().material() == material)?;
        // Same as in `Address::of`.
        let exchanged = flipped || material.is_symmetric() && side == Side::Black;
        let seen = |side: Side| if exchanged { !side } else { side };
        let mut left = pieces.to_vec();
        let mut numbers = Vec::new();
        for piece in table.index().pieces() {
            let here = Some(Piece::new(seen(piece.side), piece.kind));
            let number = left.iter().position(|&piece| piece == here)?;
            left[number] = None;
            numbers.push(number);
        }
        let preferences = StoredPreferences::of(table.side(seen(side))?, before);
        Some(Arrival::Table(Landing { index: table.index(), preferences, exchanged, numbers }))
    }

    /// The preference of the move that leads to these squares, by index.
    pub fn preference(&self, squares: &[Square]) -> Preference {
        match self {
            Arrival::BareKings => Preference::DRAW,
            Arrival::Table(landing) => landing.preference(squares).unwrap_or(Preference::UNKNOWN),
            Arrival::Choice(choices) => choices
                .iter()
                .map(|choice| choice.preference(squares))
                .max()
                .unwrap_or(Preference::UNKNOWN),
        }
    }

    /// Raises entries of `best`: for each square of `on`, to the preference of the move that leads
    /// to `squares`, by index, with the piece `varied` on that square.
    pub fn raise(
        &self,
        squares: [Square; MAX_MEN],
        varied: usize,
        on: Bitboard,
        best: &mut [Preference; SQUARES],
    ) {
        let mut raise = |square: Square, preference: Preference| {
            let best = &mut best[square.index()];
            *best = preference.max(*best);
        };
        match self {
            Arrival::BareKings => on.for_each(|square| raise(square, Preference::DRAW)),
            Arrival::Table(landing) => landing.for_each(squares, varied, on, |square, slot| {
                let preference = slot.map(|slot| landing.preferences.before_move(slot));
                raise(square, preference.unwrap_or(Preference::UNKNOWN));
            }),
            Arrival::Choice(choices) => {
                choices.iter().for_each(|choice| choice.raise(squares, varied, on, best));
            }
        }
    }
}

impl Landing<'_> {
    fn preference(&self, squares: &[Square]) -> Option<Preference> {
        Some(self.preferences.before_move(self.index.slot(&self.placement(squares))?))
    }

    /// The placement in the table of pieces on these squares, by index.
    fn placement(&self, squares: &[Square]) -> Placement {
        let seen = |&number: &usize| self.seen(squares[number]);
        let kings = if self.exchanged { [1, 0] } else { [0, 1] };
        Placement::new(kings.map(|king| seen(&king)), self.numbers.iter().map(seen))
    }

    /// A square as the table has it.
    fn seen(&self, square: Square) -> Square {
        if self.exchanged { square.flipped() } else { square }
    }

    /// Calls `visit` with each square of `on` and the slot of `squares`, by index, with the piece
    /// `varied` on that square. The slot is `None` in the cases of [`Index::slot`].
    #[inline(always)]
    fn for_each(
        &self,
        mut squares: [Square; MAX_MEN],
        varied: usize,
        on: Bitboard,
        mut visit: impl FnMut(Square, Option<Slot>),
    ) {
        let Some(index) = self.numbers.iter().position(|&number| number == varied) else {
            // A king: all offsets depend on its square.
            for square in on {
                squares[varied] = square;
                visit(square, self.index.slot(&self.placement(&squares)));
            }
            return;
        };
        let Placement { kings, mut pieces } = self.placement(&squares);
        let like = |group: &Group| group.first..group.first + group.count;
        let Some(group) = self.index.groups().iter().find(|group| like(group).contains(&index))
        else {
            return;
        };
        let mut rest = self.index.with_kings(kings).map(|facing| (facing, facing.first()));
        for other in self.index.groups().iter().filter(|other| other.first != group.first) {
            rest = rest.and_then(|(facing, slot)| {
                Some((facing, facing.with(slot, other, &pieces[like(other)])?))
            });
        }
        for square in on {
            pieces[index] = self.seen(square);
            let slot =
                rest.and_then(|(facing, rest)| facing.with(rest, group, &pieces[like(group)]));
            visit(square, slot);
        }
    }
}
