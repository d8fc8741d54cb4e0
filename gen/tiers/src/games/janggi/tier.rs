//! Materials of Janggi as tiers.
//!
//! The first side of a tier is the stronger one; its positions are turned so that it is Cho. With equal
//! men and no forfeit that side is to move.

use super::position::Position;
use std::cmp::Ordering;
use std::fmt;

/// The men of both sides besides the generals, the stronger first, and who has forfeited the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tier {
    /// By kind, without the general.
    pub armies: [[u8; 6]; 2],
    /// 1 if the first side has forfeited, 2 if the second has.
    pub forfeits: u8,
}

/// The points that a man is worth.
const WORTH: [u8; 6] = [13, 7, 5, 3, 3, 2];
/// Letters of men in names of tiers, by kind.
pub(super) const LETTERS: [char; 7] = ['K', 'R', 'C', 'H', 'E', 'A', 'P'];

/// By worth, then by the most valuable men.
fn compare(first: &[u8; 6], second: &[u8; 6]) -> Ordering {
    let worth = |army: &[u8; 6]| {
        army.iter().zip(WORTH).map(|(&men, worth)| u32::from(men) * u32::from(worth)).sum::<u32>()
    };
    worth(first).cmp(&worth(second)).then(first.cmp(second))
}

impl Tier {
    /// The tier with these men, and whether the sides are exchanged in it.
    pub fn new(armies: [[u8; 6]; 2], forfeits: u8) -> (Tier, bool) {
        let exchanged = match compare(&armies[0], &armies[1]) {
            Ordering::Less => true,
            Ordering::Equal => forfeits == 2,
            Ordering::Greater => false,
        };
        match exchanged {
            false => (Tier { armies, forfeits }, false),
            true => {
                let forfeits = forfeits >> 1 | (forfeits & 1) << 1;
                (Tier { armies: [armies[1], armies[0]], forfeits }, true)
            }
        }
    }

    /// The tier of positions with these men and this side to move, and whether the sides are exchanged
    /// in it.
    pub fn with_side(armies: [[u8; 6]; 2], forfeits: u8, side: usize) -> (Tier, bool) {
        let (tier, exchanged) = Tier::new(armies, forfeits);
        (tier, exchanged || (tier.is_even() && side == 1))
    }

    /// The tier of a position, and whether its sides are exchanged in it.
    pub fn of(position: &Position) -> (Tier, bool) {
        let armies = position.armies.map(|[_, men @ ..]| men);
        Tier::with_side(armies, position.forfeits, position.side)
    }

    /// Whether exchanging the sides gives positions of the same tier.
    pub fn is_even(&self) -> bool {
        self.armies[0] == self.armies[1] && self.forfeits == 0
    }

    /// The number of men, generals included.
    pub fn men(&self) -> u8 {
        2 + self.armies.iter().flatten().sum::<u8>()
    }

    /// The tiers that captures lead to, and those of forfeits if they count.
    pub fn smaller(&self, forfeits: bool) -> Vec<Tier> {
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
                found.push(Tier::new(armies, self.forfeits).0);
                if forfeits && forfeited != 3 {
                    found.push(Tier::new(armies, forfeited).0);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|tier| tier != self);
        found
    }
}

impl fmt::Display for Tier {
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
