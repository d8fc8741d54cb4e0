//! Sets of like men as numbers: combinations in the order of their largest member.

/// The number of sets of `k` out of `n`, for up to 90 points.
const CHOOSE: [[u64; 8]; 91] = {
    let mut table = [[0; 8]; 91];
    let mut n = 0;
    while n < 91 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 8 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of sets of `k` out of `n` points.
#[inline]
pub fn choose(n: usize, k: usize) -> u64 {
    CHOOSE[n][k]
}

/// The number of a set whose members are given in ascending order.
#[inline]
pub fn number(members: impl IntoIterator<Item = u8>) -> u64 {
    members.into_iter().enumerate().map(|(at, member)| CHOOSE[usize::from(member)][at + 1]).sum()
}

/// The members of the set of `k` with a number, in descending order.
#[inline]
pub fn members(mut number: u64, k: usize, mut each: impl FnMut(u8)) {
    let mut below = 91;
    for k in (1..=k).rev() {
        // The largest member that has at most `number` sets below it.
        let mut member = below - 1;
        while CHOOSE[member][k] > number {
            member -= 1;
        }
        number -= CHOOSE[member][k];
        each(member as u8);
        below = member;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_members_are_inverse_and_leave_no_gap() {
        for (n, k) in [(9, 2), (12, 3), (90, 1), (64, 2), (11, 4)] {
            for expected in 0..choose(n, k) {
                let mut found = Vec::new();
                members(expected, k, |member| found.push(member));
                assert!(found.windows(2).all(|pair| pair[0] > pair[1]));
                assert!(usize::from(found[0]) < n);
                assert_eq!(number(found.into_iter().rev()), expected);
            }
        }
    }
}
