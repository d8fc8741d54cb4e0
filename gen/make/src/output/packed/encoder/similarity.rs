//! The most similar squares and tiles, counted in a sample of blocks.

use crate::output::packed::encoder::target_tile::TargetTile;
use rayon::prelude::*;
use sakmak_codec::context::{BACK, STEPS};
use sakmak_tables::board::square::{SQUARES, Square};

/// Blocks of a sample that one thread counts at a time.
pub const COUNTED_TOGETHER: usize = 1 << 12;

/// Returns the steps of [`BACK`] in order: each is the step whose square has the same code most
/// often where the squares of all steps before it have another.
pub fn step_order(blocks: &[Vec<TargetTile>]) -> [u8; STEPS] {
    // By the steps that lead to exact squares and those of them with the same code.
    let back: Vec<[Option<Square>; STEPS]> =
        Square::all().map(|square| BACK.map(|step| square.step(step))).collect();
    let counted = |mut counts: Vec<u64>, block: &Vec<TargetTile>| {
        for tile in block {
            let exact = tile.exact();
            for square in (0..SQUARES).filter(|square| exact >> square & 1 != 0) {
                let mut seen = 0usize;
                for (step, near) in back[square].iter().enumerate() {
                    let Some(near) = near.filter(|near| exact >> near.index() & 1 != 0) else {
                        continue;
                    };
                    let right = tile.codes[near.index()] == tile.codes[square];
                    seen |= (1 | usize::from(right) << STEPS) << step;
                }
                counts[seen] += 1;
            }
        }
        counts
    };
    let none = || vec![0u64; 1 << (2 * STEPS)];
    let counts = blocks.par_iter().with_min_len(COUNTED_TOGETHER).fold(none, counted).reduce(
        none,
        |mut sum, counts| {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sum
        },
    );
    let counts: Vec<(usize, u64)> =
        counts.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
    let mut order: Vec<u8> = Vec::new();
    while order.len() < STEPS {
        let score = |step: u8| {
            let (mut right, mut all) = (0u64, 1u64);
            for &(seen, count) in &counts {
                let is_right = |step: u8| seen >> STEPS >> step & 1 != 0;
                if seen >> step & 1 != 0 && !order.iter().any(|&before| is_right(before)) {
                    all += count;
                    right += if is_right(step) { count } else { 0 };
                }
            }
            // In millionths: integers, so that the order does not depend on rounding.
            right * 1_000_000 / all
        };
        let left = (0..STEPS as u8).filter(|step| !order.contains(step));
        let Some(best) = left.max_by_key(|&step| (score(step), std::cmp::Reverse(step))) else {
            break;
        };
        order.push(best);
    }
    std::array::from_fn(|place| order.get(place).copied().unwrap_or(place as u8))
}

/// Returns the reference tile of each tile of a block: the earlier tile with the most equal codes.
pub fn reference_tiles(blocks: &[Vec<TargetTile>], tiles: usize) -> Vec<Option<u8>> {
    let best = |tile: usize| {
        let score = |other: usize| {
            let (mut right, mut all) = (0u64, 1u64);
            for block in blocks {
                let (Some(one), Some(other)) = (block.get(tile), block.get(other)) else {
                    continue;
                };
                let both = one.exact() & other.exact();
                all += u64::from(both.count_ones());
                let same = |&square: &usize| {
                    both >> square & 1 != 0 && one.codes[square] == other.codes[square]
                };
                right += (0..SQUARES).filter(same).count() as u64;
            }
            right * 1_000_000 / all
        };
        (0..tile).max_by_key(|&other| (score(other), other)).map(|other| other as u8)
    };
    (0..tiles).map(best).collect()
}
