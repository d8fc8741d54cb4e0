//! Where captures and promotions lead: the table, and the placement there.

use crate::slots::one_ply::preference::{Preference, StoredPreferences};
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Value;
use sakmak_tables::index::{Index, Placement};
use sakmak_tables::material::{Army, Material, OrientedMaterial};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::values::table::Table;

/// How many of the numbered pieces are kings.
pub const KINGS: usize = Side::BOTH.len();

/// The pieces of a material by number: the white king, the black king, then those of
/// [`Index::pieces`].
pub fn numbered(index: &Index) -> Vec<Piece> {
    let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
    kings.into_iter().chain(index.pieces().iter().copied()).collect()
}

/// The armies of these pieces, none for one that was taken.
pub fn armies(pieces: &[Option<Piece>]) -> [Army; 2] {
    Side::BOTH.map(|side| {
        let pieces = pieces.iter().flatten().filter(|piece| piece.side == side);
        pieces.map(|piece| piece.kind).filter(|&kind| kind != PieceKind::King).collect()
    })
}

/// Where a move leads.
#[derive(Debug)]
pub enum Arrival<'a> {
    /// To bare kings, a draw.
    BareKings,
    /// To positions of a table.
    Table(Landing<'a>),
}

/// The positions of one table, seen from the positions that a move leads from.
#[derive(Debug)]
pub struct Landing<'a> {
    index: &'a Index,
    preferences: StoredPreferences<'a>,
    /// Whether the colours are exchanged there.
    exchanged: bool,
    /// By place in the table's [`Index::pieces`]: the piece's number here.
    numbers: Vec<usize>,
}

impl<'a> Arrival<'a> {
    /// The arrival of these pieces, by number, `None` for a captured one, with `side` to move.
    /// `before` converts a value there to the value before the move. Returns `None` if no table
    /// has these pieces.
    pub fn new(
        pieces: &[Option<Piece>],
        side: Side,
        mut tables: impl Iterator<Item = &'a Table>,
        before: impl Fn(Value) -> Value,
    ) -> Option<Arrival<'a>> {
        let [white, black] = armies(pieces);
        let OrientedMaterial { material, flipped } = Material::orient(white, black);
        if material == Material::BARE_KINGS {
            return Some(Arrival::BareKings);
        }
        let table = tables.find(|table| table.index().material() == material)?;
        // As `Address::of` has it.
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
        let preferences = StoredPreferences::of(table.values(seen(side))?, before);
        Some(Arrival::Table(Landing { index: table.index(), preferences, exchanged, numbers }))
    }

    /// The preference of the move that leads to these squares, by number.
    pub fn preference(&self, squares: &[Square]) -> Preference {
        match self {
            Arrival::BareKings => Preference::DRAW,
            Arrival::Table(landing) => landing.preference(squares).unwrap_or(Preference::UNKNOWN),
        }
    }
}

impl Landing<'_> {
    fn preference(&self, squares: &[Square]) -> Option<Preference> {
        let seen = |&number: &usize| match self.exchanged {
            true => squares[number].flipped(),
            false => squares[number],
        };
        let kings = if self.exchanged { [1, 0] } else { [0, 1] };
        let placement =
            Placement::new(kings.map(|king| seen(&king)), self.numbers.iter().map(seen));
        Some(self.preferences.before_move(self.index.slot(&placement)?))
    }
}
