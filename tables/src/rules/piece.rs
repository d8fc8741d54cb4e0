//! Pieces: sides and kinds.

use crate::board::square::Step;
use std::ops::Not;

/// White or Black. In a table White is the stronger side of the material.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side whose pawns move towards the eighth rank.
    White,
    /// The side whose pawns move towards the first rank.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A step straight forward, as this side's pawns see it.
    pub const fn forward(self) -> Step {
        match self {
            Side::White => Step::new(0, 1),
            Side::Black => Step::new(0, -1),
        }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }
}

impl Not for Side {
    type Output = Side;
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// The kind of a piece, in the order of material names: `KRNSMP`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// Khun, ang.
    King,
    /// Ruea, tuuk: the boat.
    Rook,
    /// Ma, ses: the horse.
    Knight,
    /// Khon, koul.
    Khon,
    /// Met, neang; also a promoted pawn.
    Met,
    /// Bia, trey: the fish.
    Pawn,
}

impl PieceKind {
    /// All kinds, in the order of material names.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::King,
        PieceKind::Rook,
        PieceKind::Knight,
        PieceKind::Khon,
        PieceKind::Met,
        PieceKind::Pawn,
    ];
    /// All kinds but the king.
    pub const NON_KINGS: [PieceKind; 5] =
        [PieceKind::Rook, PieceKind::Knight, PieceKind::Khon, PieceKind::Met, PieceKind::Pawn];

    /// The letters of material names, by [`PieceKind::index`].
    pub const LETTERS: [char; PieceKind::ALL.len()] = ['K', 'R', 'N', 'S', 'M', 'P'];

    /// Position in [`PieceKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of material names. A variant may have others in FEN, see
    /// [`Variant::letters`](crate::variant::Variant::letters).
    pub const fn letter(self) -> char {
        PieceKind::LETTERS[self.index()]
    }

    /// The kind with this letter, in either case; `Q` and `B` are read as `M` and `S`. Returns
    /// `None` for other letters.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'R' => PieceKind::Rook,
            'N' => PieceKind::Knight,
            'S' | 'B' => PieceKind::Khon,
            'M' | 'Q' => PieceKind::Met,
            'P' => PieceKind::Pawn,
            _ => return None,
        })
    }
}

/// The capital letters of the pieces, by [`PieceKind::index`].
pub type PieceLetters = [char; PieceKind::ALL.len()];

/// The kind with this letter, in either case: one of `letters`, or a letter that
/// [`PieceKind::from_letter`] reads for a kind that has its own letter in `letters`.
pub fn kind_in(letters: &PieceLetters, letter: char) -> Option<PieceKind> {
    let own = |kind: &PieceKind| letters[kind.index()] == letter.to_ascii_uppercase();
    let usual = |kind: &PieceKind| letters[kind.index()] == kind.letter();
    let other = || PieceKind::from_letter(letter).filter(usual);
    PieceKind::ALL.into_iter().find(own).or_else(other)
}

/// The kind that a letter of a move denotes. The letters of all variants with Makruk's pieces are
/// accepted: `F` and `A` also denote a met.
pub const fn letter_kind(letter: char) -> Option<PieceKind> {
    match letter {
        'F' | 'f' | 'A' | 'a' => Some(PieceKind::Met),
        _ => PieceKind::from_letter(letter),
    }
}

/// One piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// The side of the piece.
    pub side: Side,
    /// The kind of the piece.
    pub kind: PieceKind,
}

impl Piece {
    /// The piece of this side and kind.
    pub const fn new(side: Side, kind: PieceKind) -> Piece {
        Piece { side, kind }
    }

    /// The FEN letter: a capital for White.
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}
