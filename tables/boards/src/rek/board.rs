//! The board of Rek and Min Rek Chanh: kings and men that move as rooks, and the *rek*.
//!
//! A square is `8 * rank + file`, sets of squares are bits.

use crate::notation::{Board, Fields, NotationError, board_field, fields, square_name};
use std::fmt;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Maximum number of men of a side.
const MOST_MEN: u8 = 7;

/// The numbers of men of both sides, the larger number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material(pub [u8; 2]);

impl fmt::Display for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.0.map(|men| "M".repeat(men.into()));
        write!(formatter, "K{first}vK{second}")
    }
}

impl Material {
    /// The material of two sides with these numbers of men.
    pub fn of(first: u8, second: u8) -> Material {
        Material([first.max(second), first.min(second)])
    }

    /// The material of the men of both sides.
    #[inline]
    pub fn of_men(men: [u64; 2]) -> Material {
        let [first, second] = men.map(|men| men.count_ones() as u8);
        Material::of(first, second)
    }

    /// The materials of this number of units, kings included.
    pub fn of_units(units: u8) -> Vec<Material> {
        let men = units.saturating_sub(2);
        let materials = (0..=men / 2).map(|second| Material([men - second, second]));
        materials.filter(|material| material.0[0] <= MOST_MEN).collect()
    }

    /// The material of a name such as `KMMvKM`.
    ///
    /// # Errors
    ///
    /// If the name is not the name of a material.
    pub fn of_name(name: &str) -> Result<Material, NotationError> {
        let wrong = || {
            NotationError(format!(
                "'{name}' is not a material such as KMMvKM: K king, M man, at most {MOST_MEN} men a side"
            ))
        };
        let side = |units: &str| {
            let men = units.strip_prefix('K').ok_or_else(wrong)?;
            if men.len() > usize::from(MOST_MEN) || men.chars().any(|letter| letter != 'M') {
                Err(wrong())
            } else {
                Ok(men.len() as u8)
            }
        };
        let (first, second) = name.split_once('v').ok_or_else(wrong)?;
        let (first, second) = (side(first)?, side(second)?);
        Ok(Material::of(first, second))
    }

    /// Number of sides to move in the numbering: one if both sides have the same number of men,
    /// since colours can be exchanged.
    #[inline]
    pub fn sides(self) -> u64 {
        if self.0[0] == self.0[1] { 1 } else { 2 }
    }

    /// Whether the numbering has a position of the material with colours exchanged.
    #[inline]
    pub fn is_exchanged(self, men: [u64; 2], side: usize) -> bool {
        let [first, second] = men.map(u64::count_ones);
        first < second || (self.sides() == 1 && side == 1)
    }
}

/// The neighbours of the squares of a set.
#[inline]
pub fn beside(set: u64) -> u64 {
    set << 8 | set >> 8 | (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// The squares two steps from the squares of a set, in one direction and through a gap.
#[inline]
pub fn beyond(set: u64, gaps: u64) -> u64 {
    let (right, left) = ((set & !FILE_H) << 1 & gaps, (set & !FILE_A) >> 1 & gaps);
    let (up, down) = (set << 8 & gaps, set >> 8 & gaps);
    up << 8 | down >> 8 | (right & !FILE_H) << 1 | (left & !FILE_A) >> 1
}

/// The squares in the four directions from a square: up, right, down, left.
pub const RAYS: [[u64; 4]; 64] = {
    let mut rays = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 1;
        while step < 8 {
            if square / 8 + step < 8 {
                rays[square][0] |= 1 << (square + 8 * step);
            }
            if square % 8 + step < 8 {
                rays[square][1] |= 1 << (square + step);
            }
            if square / 8 >= step {
                rays[square][2] |= 1 << (square - 8 * step);
            }
            if square % 8 >= step {
                rays[square][3] |= 1 << (square - step);
            }
            step += 1;
        }
        square += 1;
    }
    rays
};

/// The first unit in a direction from a square.
#[inline]
pub fn first(square: u8, direction: usize, occupied: u64) -> Option<u8> {
    let met = RAYS[usize::from(square)][direction] & occupied;
    (met != 0)
        .then(|| if direction < 2 { met.trailing_zeros() } else { 63 - met.leading_zeros() } as u8)
}

/// The squares that a rook reaches: empty ones and the first unit in each direction.
#[inline]
pub fn reached(square: u8, occupied: u64) -> u64 {
    let rays = RAYS[usize::from(square)];
    let ascending = |ray: u64| ray & (ray & occupied ^ (ray & occupied).wrapping_sub(1));
    let descending = |ray: u64| ray & u64::MAX << (ray & occupied | 1).ilog2();
    ascending(rays[0]) | ascending(rays[1]) | descending(rays[2]) | descending(rays[3])
}

/// The empty squares that a rook reaches.
#[inline]
pub fn slides(square: u8, occupied: u64) -> u64 {
    reached(square, occupied) & !occupied
}

/// The squares of a set that have at most one neighbour outside the set.
#[inline]
pub fn enclosed(set: u64) -> u64 {
    let (above, below) = (set >> 8 | 0xFF << 56, set << 8 | 0xFF);
    let (right, left) = ((set & !FILE_A) >> 1 | FILE_H, (set & !FILE_H) << 1 | FILE_A);
    set & (above & below & (right | left) | right & left & (above | below))
}

/// The squares with a unit of a set on two opposite sides.
#[inline]
pub fn between(units: u64) -> u64 {
    let in_rank = (units & !FILE_H) << 1 & (units & !FILE_A) >> 1;
    in_rank | (units << 8 & units >> 8)
}

/// The units that a rek takes when a unit arrives on a square.
#[inline]
pub fn rek(square: u8, enemies: u64) -> u64 {
    let unit = 1u64 << square;
    let (right, left) = ((unit & !FILE_H) << 1, (unit & !FILE_A) >> 1);
    let (up, down) = (unit << 8, unit >> 8);
    let pair = |first: u64, second: u64| {
        if enemies & first != 0 && enemies & second != 0 { first | second } else { 0 }
    };
    pair(left, right) | pair(up, down)
}

/// The squares of a set, in ascending order.
#[inline]
pub fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

/// The name of a square.
pub fn name(square: u8) -> String {
    square_name(square % 8, square / 8)
}

/// A FEN of kings and men.
#[derive(Debug)]
pub struct Units<'a> {
    /// The men of each side.
    pub men: [u64; 2],
    /// The king of each side.
    pub kings: [u8; 2],
    /// The side to move.
    pub side: usize,
    /// The fields after the side to move.
    pub rest: Vec<&'a str>,
}

/// Reads a FEN of kings and men.
///
/// # Errors
///
/// If the text is not a FEN of kings and men, or a side does not have exactly one king.
pub fn parse(fen: &str) -> Result<Units<'_>, NotationError> {
    let wrong = |what: &str| NotationError(format!("not a position: {what}"));
    let Fields { letters, side: to_move, rest } = fields(fen, 8, 8)?;
    let (mut men, mut kings) = ([0; 2], [0u64; 2]);
    for (letter, file, rank) in letters {
        let (side, unit) = (usize::from(letter.is_lowercase()), 1 << (rank * 8 + file));
        match letter {
            'K' | 'k' => kings[side] |= unit,
            'M' | 'm' => men[side] |= unit,
            _ => return Err(wrong("units are K, M, k and m")),
        }
    }
    if kings.map(u64::count_ones) != [1, 1] {
        return Err(wrong("each side has one king, K and k"));
    }
    let kings = kings.map(|king| king.trailing_zeros() as u8);
    Ok(Units { men, kings, side: to_move, rest })
}

/// The letters of FEN with their files and ranks.
pub fn letters(men: [u64; 2], kings: [u8; 2]) -> Vec<(char, usize, usize)> {
    let letters = [(0, 'K', 'M'), (1, 'k', 'm')].into_iter().flat_map(|(side, king, man)| {
        let men = each(men[side]).map(move |square| (man, square));
        std::iter::once((king, kings[side])).chain(men)
    });
    letters
        .map(|(letter, square)| (letter, usize::from(square % 8), usize::from(square / 8)))
        .collect()
}

/// The board and the side to move of a FEN.
pub fn board_and_side(men: [u64; 2], kings: [u8; 2], side: usize) -> String {
    let board = board_field(8, 8, |file, rank| {
        let square = rank * 8 + file;
        let of = |side: usize| match () {
            _ if kings[side] == square => Some('K'),
            _ if men[side] >> square & 1 == 1 => Some('M'),
            _ => None,
        };
        of(0).or_else(|| of(1).map(|letter| letter.to_ascii_lowercase()))
    });
    format!("{board} {}", ["w", "b"][side])
}

/// The board of these games.
pub const BOARD: Board = Board {
    files: 8,
    ranks: 8,
    on_crossings: false,
    lines: &[],
    face,
    names: &["king", "man"],
    sides: ["white", "black"],
    examples: &["8/8/8/8/8/8/M5M1/K5k1 w", "8/8/8/8/8/7M/5m2/K6k w", "8/8/8/8/M7/8/M4M2/K4k2 w"],
};

/// The sign on a unit: a crown on kings.
fn face(letter: char) -> &'static str {
    if letter.eq_ignore_ascii_case(&'k') { "♚" } else { "" }
}
