//! The reference solver's own numbering of placements: a plain product of squares.

use sakmak_tables::board::square::{SIDE_LENGTH, SQUARES, Square};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;

/// The number of a placement of the pieces of one material.
///
/// No symmetry is used. Every piece has its own digit, kings and like pieces included. The digit
/// counts the squares on which the piece may stand. If a pawn may be captured in passing, a last
/// digit in front of the others counts the rights: none, or one for each file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Number(pub u32);

/// A piece of the material and the squares it may stand on.
#[derive(Clone, Debug)]
struct PieceDigit {
    piece: Piece,
    /// The number of like pieces before this one.
    twins_before: usize,
    squares: Vec<Square>,
    /// The index of each square in `squares`, or `None` if it is not among them.
    index_of: [Option<u32>; SQUARES],
    /// The increase of the number per index.
    weight: u32,
}

/// The change of one digit when a piece moves to another square.
///
/// It is the same for all placements in which the digit can change by this amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberStep(u16);

/// Differences of a digit, with an unused one to make the number even.
const DIFFERENCES: usize = 2 * SQUARES;

/// The numbers of all placements of one material.
#[derive(Clone, Debug)]
pub struct Numbering {
    variant: &'static Variant,
    /// Both kings, then the other pieces. The last digit is the fastest.
    digits: Vec<PieceDigit>,
    /// The number of placements without a right to capture in passing.
    placements: u32,
    count: u32,
    /// The change of the number, by step.
    changes: Vec<u32>,
}

impl Numbering {
    /// The numbers of a material. Returns `None` if it has more than [`Numbering::MOST`]
    /// placements.
    pub fn new(material: Material, variant: &'static Variant) -> Option<Numbering> {
        let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
        let pieces: Vec<Piece> = kings.into_iter().chain(material.pieces()).collect();
        let digit = |(at, &piece): (usize, &Piece)| {
            let squares: Vec<Square> = variant.rules.domain(piece).collect();
            let mut index_of = [None; SQUARES];
            for (number, square) in (0..).zip(&squares) {
                index_of[square.index()] = Some(number);
            }
            let twins_before = pieces[..at].iter().filter(|&&other| other == piece).count();
            PieceDigit { piece, twins_before, squares, index_of, weight: 1 }
        };
        let mut digits: Vec<PieceDigit> = pieces.iter().enumerate().map(digit).collect();
        let mut count: u32 = 1;
        for digit in digits.iter_mut().rev() {
            digit.weight = count;
            count = count.checked_mul(digit.squares.len() as u32)?;
        }
        // Numbers wrap around, so a negative difference subtracts.
        let change = |digit: &PieceDigit, difference: usize| {
            (difference as u32).wrapping_sub(SQUARES as u32).wrapping_mul(digit.weight)
        };
        let of_digit = |digit| (0..DIFFERENCES).map(move |difference| change(digit, difference));
        let changes = digits.iter().flat_map(of_digit).collect();
        let placements = count;
        let has_pawns = |side| pieces.contains(&Piece::new(side, PieceKind::Pawn));
        if variant.rules.double_step && Side::BOTH.into_iter().all(has_pawns) {
            count = count.checked_mul(1 + SIDE_LENGTH as u32)?;
        }
        let numbering = Numbering { variant, digits, placements, count, changes };
        (count <= Self::MOST).then_some(numbering)
    }

    /// The maximum number of placements that can be numbered.
    pub const MOST: u32 = 1 << 31;

    /// The number of placements for each side to move, illegal placements included.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of a position with exactly the pieces of this material. Returns `None` if a piece
    /// is missing or cannot stand on its square.
    pub fn number(&self, position: &Position) -> Option<Number> {
        let mut number = 0;
        for digit in &self.digits {
            let square = position.pieces_of(digit.piece).nth(digit.twins_before)?;
            number = number * digit.squares.len() as u32 + digit.index_of[square.index()]?;
        }
        let right = position.en_passant().map_or(0, |square| 1 + square.file() as u32);
        Some(Number(number + right * self.placements))
    }

    /// The square of each piece of a placement, from the last digit to the first.
    pub fn squares(&self, number: Number) -> impl Iterator<Item = Square> {
        let mut rest = number.0 % self.placements;
        self.digits.iter().rev().map(move |digit| {
            let places = digit.squares.len() as u32;
            let square = digit.squares[(rest % places) as usize];
            rest /= places;
            square
        })
    }

    /// The step by which the piece on `from` moves to `to` in the placement with these
    /// [`squares`](Self::squares). Returns `None` if `from` is empty or the piece cannot stand on
    /// `to`.
    pub fn step(&self, squares: &[Square], from: Square, to: Square) -> Option<NumberStep> {
        let mut digits = self.digits.iter().enumerate().rev().zip(squares);
        let ((at, digit), _) = digits.find(|(_, square)| **square == from)?;
        let index_of = |square: Square| digit.index_of[square.index()].map(|index| index as usize);
        let difference = SQUARES + index_of(to)? - index_of(from)?;
        Some(NumberStep((at * DIFFERENCES + difference) as u16))
    }

    /// The number after a step of this placement without a right.
    #[inline]
    pub fn after(&self, number: Number, step: NumberStep) -> Number {
        Number(number.0.wrapping_add(self.changes[usize::from(step.0)]))
    }

    /// The position with this number. Returns `None` if it is not legal.
    pub fn position(&self, number: Number, side: Side) -> Option<Position> {
        let pieces = self.digits.iter().rev().map(|digit| digit.piece).zip(self.squares(number));
        let position = Position::new(self.variant, side, pieces).ok()?;
        position.legality().ok()?;
        let Some(file) = (number.0 / self.placements).checked_sub(1) else { return Some(position) };
        let on_file = |square: &Square| square.file() == file as usize;
        let passed =
            Square::all().filter(on_file).map(|square| position.with_en_passant(Some(square)));
        passed.into_iter().find(|position| position.en_passant().is_some())
    }
}
