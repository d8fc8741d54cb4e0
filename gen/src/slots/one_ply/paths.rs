//! What must be empty for a man to strike: one set of squares for a man, a square struck
//! and the square it stands on.
//!
//! A man strikes a square exactly if no man stands on its path there. The path of a step
//! is empty, that of a slide is the squares between, and where a man never strikes, the
//! path is the whole board: the man itself stands on it.

use sakmak_tables::rules::piece::{Man, Side};
use sakmak_tables::rules::Rules;
use sakmak_tables::board::bitboard::Set;
use sakmak_tables::board::square::{SQUARES, Square, Step};

/// The paths of one man.
#[derive(Debug)]
pub struct Paths {
    /// By the square struck, then the one stood on.
    paths: Vec<[Set; SQUARES]>,
}

impl Paths {
    /// The paths by which this man strikes.
    pub fn of(man: Man, rules: &Rules) -> Paths {
        let mut paths = vec![[Set::ALL; SQUARES]; SQUARES];
        let movement = rules.movement(man.kind);
        let seen = |step: &Step| if man.side == Side::White { *step } else { step.flipped() };
        for from in Square::all() {
            for step in movement.slides.iter().map(seen) {
                let mut between = Set::EMPTY;
                let mut ahead = from.step(step);
                while let Some(target) = ahead {
                    paths[target.index()][from.index()] = between;
                    between.insert(target);
                    ahead = target.step(step);
                }
            }
            for step in movement.steps.iter().chain(movement.captures).map(seen) {
                if let Some(target) = from.step(step) {
                    paths[target.index()][from.index()] = Set::EMPTY;
                }
            }
        }
        Paths { paths }
    }

    /// The squares that must be empty for the man on `from` to strike `target`.
    #[inline]
    pub fn path(&self, from: Square, target: Square) -> Set {
        self.paths[target.index()][from.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::Kind;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn a_man_strikes_where_its_path_is_empty() {
        for man in Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|k| Man::new(side, k))) {
            let paths = Paths::of(man, &MAKRUK.rules);
            for others in [0, 0x0042_1800_2400_8100, 0x8122_0411_0840_0001, u64::MAX] {
                for from in Square::all() {
                    let occupied = Set(others) | Set::of(from);
                    let open = |&target: &Square| (paths.path(from, target) & occupied).is_empty();
                    let strikes = MAKRUK.reach.strikes(man, from, occupied);
                    assert_eq!(Square::all().filter(open).collect::<Set>(), strikes, "{man:?}");
                }
            }
        }
    }
}
