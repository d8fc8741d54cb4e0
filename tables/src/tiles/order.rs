//! How the tiles of a material are laid out: which piece runs, and in which order the
//! others change.

use crate::index::Index;

/// A piece that runs through the squares, or whose square changes from tile to tile.
/// The white king is none: it is fixed before all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swept {
    /// The black king.
    King,
    /// The pieces of a group, by its number in [`Index::groups`].
    Group(usize),
}

/// How the tiles of a material are laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// What runs; of a group its piece on the lowest place.
    pub runner: Swept,
    /// The other pieces, the slowest first; the runner's group among them where it has more
    /// pieces.
    pub order: Vec<Swept>,
}

/// What a byte says that names the black king; other numbers are groups.
const KING: u8 = u8::MAX;

impl Arrangement {
    /// All there are for an index.
    pub fn all(index: &Index) -> Vec<Arrangement> {
        let groups = index.groups();
        let pieces = || (0..groups.len()).map(Swept::Group).chain([Swept::King]);
        let more = |piece: Swept| matches!(piece, Swept::Group(group) if groups[group].count > 1);
        let of = |runner: Swept| {
            let fixed: Vec<Swept> = pieces().filter(|&p| p != runner || more(p)).collect();
            permutations(&fixed).into_iter().map(move |order| Arrangement { runner, order })
        };
        pieces().flat_map(of).collect()
    }

    /// As bytes: the runner, then the order; a group by its number, the king by 255.
    pub fn encode(&self) -> Vec<u8> {
        let number = |piece: &Swept| match piece {
            Swept::King => KING,
            Swept::Group(group) => *group as u8,
        };
        [&self.runner].into_iter().chain(&self.order).map(number).collect()
    }
}

fn permutations(of: &[Swept]) -> Vec<Vec<Swept>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for &first in of {
        let rest: Vec<Swept> = of.iter().copied().filter(|&other| other != first).collect();
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}
