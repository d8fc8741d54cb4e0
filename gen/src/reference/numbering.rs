//! The reference solver's own numbers of placements: a plain product of squares.

use sakmak_tables::man::{Kind, Man, Side};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::square::{SQUARES, Square};
use sakmak_tables::variant::Variant;

/// The number of a placement of the men of one material.
///
/// Nothing is folded: every man, the kings and like men included, has a digit of its own,
/// which counts the squares it may stand on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Number(pub u32);

/// One man of the material and the squares it may stand on.
#[derive(Clone, Debug)]
struct Digit {
    man: Man,
    /// How many men alike come before this one.
    twins_before: usize,
    squares: Vec<Square>,
    /// By square: its place in `squares`, where it is one of them.
    place: [Option<u32>; SQUARES],
}

/// The numbers of all placements of one material.
#[derive(Clone, Debug)]
pub struct Numbering {
    variant: &'static Variant,
    /// Both kings, then the other men; the last is the fastest.
    digits: Vec<Digit>,
    count: u32,
}

impl Numbering {
    /// Numbers for a material; nothing where they go past [`Numbering::MOST`].
    pub fn new(material: Material, variant: &'static Variant) -> Option<Numbering> {
        let kings = Side::BOTH.map(|side| Man::new(side, Kind::King));
        let men: Vec<Man> = kings.into_iter().chain(material.list()).collect();
        let digit = |(at, &man): (usize, &Man)| {
            let squares: Vec<Square> = variant.rules.domain(man).collect();
            let mut place = [None; SQUARES];
            for (number, square) in (0..).zip(&squares) {
                place[square.index()] = Some(number);
            }
            let twins_before = men[..at].iter().filter(|&&other| other == man).count();
            Digit { man, twins_before, squares, place }
        };
        let digits: Vec<Digit> = men.iter().enumerate().map(digit).collect();
        let product = |count: u32, digit: &Digit| count.checked_mul(digit.squares.len() as u32);
        let count = digits.iter().try_fold(1, product).filter(|&count| count <= Self::MOST)?;
        Some(Numbering { variant, digits, count })
    }

    /// The most placements that are numbered.
    pub const MOST: u32 = 1 << 31;

    /// How many placements there are for each side to move, legal or not.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of a position with exactly the men of this material.
    pub fn number(&self, position: &Position) -> Option<Number> {
        let mut number = 0;
        for digit in &self.digits {
            let square = position.men_of(digit.man).nth(digit.twins_before)?;
            number = number * digit.squares.len() as u32 + digit.place[square.index()]?;
        }
        Some(Number(number))
    }

    /// The position with this number, if it is a legal one.
    pub fn position(&self, number: Number, side: Side) -> Option<Position> {
        let mut rest = number.0 as usize;
        let men = self.digits.iter().rev().map(|digit| {
            let square = digit.squares[rest % digit.squares.len()];
            rest /= digit.squares.len();
            (digit.man, square)
        });
        Position::new(self.variant, side, men).ok().filter(|position| position.legality().is_ok())
    }
}
