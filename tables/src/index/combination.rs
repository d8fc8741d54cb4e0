//! Ranks of combinations: `size` of the places 0, 1, 2 and so on, without order.
//!
//! The rank of places a < b < c < ... is `choose(a, 1) + choose(b, 2) + choose(c, 3) + ...`. All
//! combinations below a place have lower ranks than combinations with it as the highest place. So a
//! rank does not depend on the number of places.

use crate::board::square::SQUARES;
use crate::material::MAX_MEN;

/// The maximum number of places of a combination: all men but the kings.
const MAX_SIZE: usize = MAX_MEN - 2;

/// The number of ways to choose `size` of `from` places: at most all pieces but the kings, of at
/// most [`SQUARES`].
pub const fn choose(from: u64, size: usize) -> u64 {
    CHOOSE[from as usize][size]
}

/// Pascal's triangle.
const CHOOSE: [[u64; MAX_SIZE + 1]; SQUARES + 1] = {
    let mut ways = [[0; MAX_SIZE + 1]; SQUARES + 1];
    let mut from = 0;
    while from <= SQUARES {
        ways[from][0] = 1;
        let mut size = 1;
        while size <= MAX_SIZE && from > 0 {
            ways[from][size] = ways[from - 1][size - 1] + ways[from - 1][size];
            size += 1;
        }
        from += 1;
    }
    ways
};

/// The rank of two places.
#[inline(always)]
pub fn rank_of_two(low: u64, high: u64) -> u64 {
    choose(high, 2) + low
}

/// The rank of the lowest `size` places of a set, a bit each.
#[inline]
pub fn rank(mut places: u64, size: usize) -> u64 {
    let mut rank = 0;
    for size in 1..=size {
        rank += choose(places.trailing_zeros().into(), size);
        places &= places.wrapping_sub(1);
    }
    rank
}

/// The highest place of the combination of this rank, one of the first `places`.
#[inline]
pub fn highest(rank: u64, size: usize, places: usize) -> usize {
    if size == 1 {
        return (rank as usize).min(places.saturating_sub(1));
    }
    (0..places).rev().find(|&place| choose(place as u64, size) <= rank).unwrap_or(0)
}

/// The places of a combination, the highest first.
#[inline]
pub fn unrank(mut rank: u64, size: usize, places: usize) -> impl Iterator<Item = usize> {
    (1..=size).rev().scan(places, move |below, size| {
        *below = highest(rank, size, *below);
        rank -= choose(*below as u64, size);
        Some(*below)
    })
}

/// The lowest place of a combination, and the rank of the other places.
pub fn split_lowest(mut rank: u64, size: usize) -> (u64, u64) {
    let mut others = 0;
    for size in (2..=size).rev() {
        let place = highest(rank, size, SQUARES) as u64;
        rank -= choose(place, size);
        others += choose(place, size - 1);
    }
    (rank, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_all_numbers_below_the_number_of_combinations() {
        for (places, size) in [(64, 1), (64, 2), (24, 3), (24, 4), (24, 5)] {
            for number in 0..choose(places as u64, size) {
                let combination: Vec<usize> = unrank(number, size, places).collect();
                assert!(combination.windows(2).all(|pair| pair[0] > pair[1]));
                assert_eq!((combination.len(), combination[0] < places), (size, true));
                let set = combination.iter().fold(0, |set, place| set | 1 << place);
                assert_eq!(rank(set, size), number);
                let lowest = combination[size - 1];
                let others = set ^ 1 << lowest;
                assert_eq!(split_lowest(number, size), (lowest as u64, rank(others, size - 1)));
                if size == 2 {
                    let [high, low] = [0, 1].map(|place| combination[place] as u64);
                    assert_eq!(rank_of_two(low, high), number);
                }
            }
        }
    }
}
