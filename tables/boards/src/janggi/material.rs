//! Materials of Janggi.
//!
//! The first side of a material is the stronger side; positions are turned so that the stronger
//! side is Cho. With equal men and no forfeit, the first side is the side to move.

use super::position::Position;
use std::cmp::Ordering;
use std::fmt;

/// The men of both sides besides the generals, the stronger first, and who has forfeited the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// By kind, without the general.
    pub armies: [[u8; 6]; 2],
    /// 1 if the first side has forfeited, 2 if the second has.
    pub forfeits: u8,
}

/// The worth of a man in points.
const WORTH: [u8; 6] = [13, 7, 5, 3, 3, 2];
/// Letters of men in names of materials, by kind.
pub(super) const LETTERS: [char; 7] = ['K', 'R', 'C', 'H', 'E', 'A', 'P'];

/// By worth, then by the most valuable men.
fn compare(first: &[u8; 6], second: &[u8; 6]) -> Ordering {
    let worth = |army: &[u8; 6]| {
        army.iter().zip(WORTH).map(|(&men, worth)| u32::from(men) * u32::from(worth)).sum::<u32>()
    };
    worth(first).cmp(&worth(second)).then(first.cmp(second))
}

impl Material {
    /// The material with these men, and whether the sides are exchanged in it.
    pub fn new(armies: [[u8; 6]; 2], forfeits: u8) -> (Material, bool) {
        let exchanged = match compare(&armies[0], &armies[1]) {
            Ordering::Less => true,
            Ordering::Equal => forfeits == 2,
            Ordering::Greater => false,
        };
        match exchanged {
            false => (Material { armies, forfeits }, false),
            true => {
                let forfeits = forfeits >> 1 | (forfeits & 1) << 1;
                (Material { armies: [armies[1], armies[0]], forfeits }, true)
            }
        }
    }

    /// The material of positions with these men and this side to move, and whether the sides are
    /// exchanged in it.
    pub fn with_side(armies: [[u8; 6]; 2], forfeits: u8, side: usize) -> (Material, bool) {
        let (material, exchanged) = Material::new(armies, forfeits);
        (material, exchanged || (material.is_even() && side == 1))
    }

    /// The material of a position, and whether its sides are exchanged in it.
    pub fn of(position: &Position) -> (Material, bool) {
        let armies = position.armies.map(|[_, men @ ..]| men);
        Material::with_side(armies, position.forfeits, position.side)
    }

    /// Whether exchanging the sides gives positions of the same material.
    pub fn is_even(&self) -> bool {
        self.armies[0] == self.armies[1] && self.forfeits == 0
    }

    /// The number of men, generals included.
    pub fn men(&self) -> u8 {
        2 + self.armies.iter().flatten().sum::<u8>()
    }

    /// The materials that captures lead to, and the materials that forfeits lead to if forfeits
    /// count.
    pub fn subtables(&self, forfeits: bool) -> Vec<Material> {
        let mut found = Vec::new();
        for mover in 0..2 {
            let mut after = vec![self.armies];
            for kind in 0..6 {
                if self.armies[1 - mover][kind] > 0 {
                    let mut armies = self.armies;
                    armies[1 - mover][kind] -= 1;
                    after.push(armies);
                }
            }
            let forfeited = self.forfeits | 1 << mover;
            for armies in after {
                found.push(Material::new(armies, self.forfeits).0);
                if forfeits && forfeited != 3 {
                    found.push(Material::new(armies, forfeited).0);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|material| material != self);
        found
    }
}

impl fmt::Display for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |army: &[u8; 6]| {
            let men = (1..7).flat_map(|kind| (0..army[kind - 1]).map(move |_| LETTERS[kind]));
            std::iter::once('K').chain(men).collect::<String>()
        };
        write!(formatter, "{}v{}", side(&self.armies[0]), side(&self.armies[1]))?;
        match self.forfeits {
            0 => Ok(()),
            side => write!(formatter, "-{side}"),
        }
    }
}
