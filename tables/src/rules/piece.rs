//! Men: sides and kinds.

use std::ops::Not;

/// White or Black. In a table White is the stronger side of the material.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Moves towards the eighth rank.
    White,
    /// Moves towards the first rank.
    Black,
}

impl Side {
    /// Both, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
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

/// What a man is, in the order of material names: `KRNSMP`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
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

impl Kind {
    /// All kinds, in the order of material names.
    pub const ALL: [Kind; 6] =
        [Kind::King, Kind::Rook, Kind::Knight, Kind::Khon, Kind::Met, Kind::Pawn];
    /// All kinds but the king.
    pub const MEN: [Kind; 5] = [Kind::Rook, Kind::Knight, Kind::Khon, Kind::Met, Kind::Pawn];

    /// Position in [`Kind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of material names and of White's men in FEN.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Rook => 'R',
            Kind::Knight => 'N',
            Kind::Khon => 'S',
            Kind::Met => 'M',
            Kind::Pawn => 'P',
        }
    }

    /// The kind a letter of either case names; `Q` and `B` are read as `M` and `S`.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'R' => Kind::Rook,
            'N' => Kind::Knight,
            'S' | 'B' => Kind::Khon,
            'M' | 'Q' => Kind::Met,
            'P' => Kind::Pawn,
            _ => return None,
        })
    }
}

/// One man of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Man {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

impl Man {
    /// The man of this side and kind.
    pub const fn new(side: Side, kind: Kind) -> Man {
        Man { side, kind }
    }

    /// The FEN letter: capital for White.
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}
