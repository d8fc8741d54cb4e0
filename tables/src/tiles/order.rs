//! How the panels of a material are laid out: which piece runs, and in which order the
//! others change.

use crate::index::Index;

/// A piece that runs through the squares, or whose square changes from panel to panel.
/// The white king is none: it is fixed before all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The black king.
    King,
    /// The men of a group, by its number in [`Index::groups`].
    Group(usize),
}

/// How the panels of a material are laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// What runs; of a group its man on the lowest place.
    pub runner: Piece,
    /// The other pieces, the slowest first; the runner's group among them where it has more
    /// men.
    pub order: Vec<Piece>,
}

/// What a byte says that names the black king; other numbers are groups.
const KING: u8 = u8::MAX;

impl Arrangement {
    /// All there are for an index.
    pub fn all(index: &Index) -> Vec<Arrangement> {
        let groups = index.groups();
        let pieces = || (0..groups.len()).map(Piece::Group).chain([Piece::King]);
        let more = |piece: Piece| matches!(piece, Piece::Group(group) if groups[group].count > 1);
        let of = |runner: Piece| {
            let fixed: Vec<Piece> = pieces().filter(|&p| p != runner || more(p)).collect();
            permutations(&fixed).into_iter().map(move |order| Arrangement { runner, order })
        };
        pieces().flat_map(of).collect()
    }

    /// As bytes: the runner, then the order; a group by its number, the king by 255.
    pub fn encode(&self) -> Vec<u8> {
        let number = |piece: &Piece| match piece {
            Piece::King => KING,
            Piece::Group(group) => *group as u8,
        };
        [&self.runner].into_iter().chain(&self.order).map(number).collect()
    }
}

fn permutations(of: &[Piece]) -> Vec<Vec<Piece>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for &first in of {
        let rest: Vec<Piece> = of.iter().copied().filter(|&other| other != first).collect();
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}
