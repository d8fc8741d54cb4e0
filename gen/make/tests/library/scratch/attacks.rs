//! Steps on the board and what pieces attack, with bare numbers.

/// A piece as (side, letter, square); White has side 0.
pub type PlacedPiece = (usize, char, usize);

/// The step back of each number, in files and ranks.
pub const STEPS: [(i32, i32); 8] =
    [(-1, 0), (0, -1), (-1, -1), (1, -1), (-2, 0), (0, -2), (-2, -1), (2, -1)];

pub fn stepped(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i32 + files, (square / 8) as i32 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((8 * rank + file) as usize)
}

/// The squares a piece attacks, a bit each.
pub fn attacks((side, letter, from): PlacedPiece, occupied: u64) -> u64 {
    let forward = if side == 0 { 1 } else { -1 };
    let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let steps: Vec<(i32, i32)> = match letter {
        'K' => [straight, diagonal].concat(),
        'R' => straight.to_vec(),
        'N' => vec![(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
        'S' => [&diagonal[..], &[(0, forward)]].concat(),
        'M' => diagonal.to_vec(),
        _ => vec![(1, forward), (-1, forward)],
    };
    let mut attacked = 0;
    for step in steps {
        let mut at = from;
        while let Some(next) = stepped(at, step) {
            attacked |= 1 << next;
            at = next;
            if letter != 'R' || occupied >> next & 1 != 0 {
                break;
            }
        }
    }
    attacked
}
