//! Codes as distances: wins, losses, and the differences between them.

use sakmak_tables::values::Coding;

/// Wins in fewer moves than this are near.
pub const NEAR: u16 = 8;

/// The meaning of codes as far as predictions need it; see [`Coding`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// The code of the longest win; 0 without a win.
    wins: u16,
    /// The highest code.
    highest: u16,
}

impl Scale {
    /// The scale of a coding, which has at most 65,536 codes.
    pub fn of(coding: Coding) -> Scale {
        let highest = u16::try_from(coding.codes() - 1).unwrap_or(u16::MAX);
        Scale { wins: u16::try_from(coding.wins.0).unwrap_or(u16::MAX), highest }
    }

    /// The code of the longest win; 0 without a win.
    pub fn wins(self) -> u16 {
        self.wins
    }

    /// The highest code.
    pub fn highest(self) -> u16 {
        self.highest
    }

    /// Whether a code has a value.
    #[inline(always)]
    pub fn holds(self, code: u16) -> bool {
        code <= self.highest
    }

    /// The number of hexadecimal digits of a code.
    pub fn digits(self) -> usize {
        match self.highest {
            0..=0xff => 2,
            0x100..=0xfff => 3,
            _ => 4,
        }
    }

    /// The class of a code: 0 for a draw, 1 for a loss, 2 for a near win, 3 for a far win.
    #[inline(always)]
    pub fn class(self, code: u16) -> u32 {
        let win = u32::from(code <= self.wins);
        u32::from(code != 0) * (1 + win + (win & u32::from(code >= NEAR)))
    }

    /// The kind of a code: 0 for a draw, 1 for a win, 2 for a loss.
    #[inline(always)]
    fn side(self, code: i32) -> i32 {
        i32::from(code > 0) + i32::from(code > i32::from(self.wins))
    }

    /// `code` shifted by the difference from `from` to `to`; `to` unless all three are wins or all
    /// three are losses; `code` if the sum is not a code of the same kind.
    ///
    /// The function has one branch only: others would depend on the codes and be mispredicted.
    #[inline(always)]
    pub fn shifted(self, code: u16, from: u16, to: u16) -> u16 {
        if from == to {
            return code;
        }
        let [code, from, to] = [code, from, to].map(i32::from);
        let side = self.side(code);
        let alike = (side != 0) & (side == self.side(from)) & (side == self.side(to));
        let sum = code + to - from;
        let stays = (self.side(sum) == side) & (sum <= i32::from(self.highest));
        let shifted = if stays { sum } else { code };
        // All three are codes, so the cast is exact.
        (if alike { shifted } else { to }) as u16
    }

    /// Whether the value of the first code is at most as good for the mover as the value of the
    /// second.
    pub fn is_at_most(self, one: u16, other: u16) -> bool {
        self.preference(one) <= self.preference(other)
    }

    /// A number that is greater for better values.
    fn preference(self, code: u16) -> i32 {
        match i32::from(code) {
            0 => 0,
            win if code <= self.wins => i32::from(u16::MAX) + 1 - win,
            loss => loss - 2 * (i32::from(u16::MAX) + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;

    #[test]
    fn shifts_stay_in_their_class() {
        let scale = Scale::of(Coding { wins: Moves(10), losses: Some(Moves(5)) });
        assert_eq!(scale.shifted(4, 4, 6), 6);
        assert_eq!(scale.shifted(5, 4, 6), 7);
        assert_eq!(scale.shifted(10, 4, 6), 10);
        assert_eq!(scale.shifted(1, 6, 4), 1);
        assert_eq!(scale.shifted(3, 0, 7), 7);
        assert_eq!(scale.shifted(12, 12, 3), 3);
        assert_eq!(scale.shifted(16, 12, 14), 16);
        assert_eq!(scale.shifted(0, 9, 9), 0);
    }

    #[test]
    fn movers_prefer_quick_wins_and_slow_losses() {
        let scale = Scale::of(Coding { wins: Moves(10), losses: Some(Moves(5)) });
        let worst_first = [11, 12, 16, 0, 10, 2, 1];
        for pair in worst_first.windows(2) {
            assert!(scale.is_at_most(pair[0], pair[1]));
            assert!(!scale.is_at_most(pair[1], pair[0]));
        }
    }
}
