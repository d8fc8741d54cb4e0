//! The fields of a FEN, in the forms in which programs write them.
//!
//! | after the side | written by |
//! |---|---|
//! | `leaps limit count number` | Fairy-Stockfish, pyffish, pychess; fields may be missing from the right |
//! | `leaps 0 clock number` | Cute Chess, if nothing is counted |
//! | `leaps clock number` | WinBoard and XBoard in games with leaps |
//! | `clock number` | WinBoard and XBoard in games without |
//!
//! The clock counts moves since the last capture. No variant here uses it, so it is read as a count
//! without a limit. Three fields are a limit and a count if the pieces have that limit.

use crate::counting::Honour;
use crate::distance::Plies;

/// The maximum number of fields of a FEN, not counting the checks left.
pub(super) const FIELDS: usize = 6;

/// Separates the checks left to White and to Black.
const BETWEEN_CHECKS: char = '+';

/// The index of the field of checks left.
const CHECKS: usize = 4;

/// The fields after the side to move; `None` for a field that is missing or `-`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FenFields<'a> {
    /// The leaps left.
    pub leaps: Option<&'a str>,
    /// The limit of a count.
    pub limit: Option<&'a str>,
    /// The count, or the clock of another rule.
    pub count: Option<&'a str>,
    /// The number of the move.
    pub number: Option<&'a str>,
}

impl<'a> FenFields<'a> {
    /// The fields after the side to move, of a position with these limits.
    pub(super) fn of(fields: &[&'a str], limits: &[(Honour, Plies)]) -> FenFields<'a> {
        let field = |index: usize| fields.get(index).copied().filter(|&text| text != "-");
        let (leaps, clock) = match *fields {
            [clock, number] if is_number(clock) && is_number(number) => (None, Some(clock)),
            [_, clock, number] if is_clock(clock, number, limits) => (field(0), Some(clock)),
            _ => {
                let [leaps, limit, count, number] = [0, 1, 2, 3].map(field);
                return FenFields { leaps, limit, count, number };
            }
        };
        FenFields { leaps, limit: None, count: clock, number: fields.last().copied() }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether two numbers are a clock and a move number, not a limit and a count: the first number is
/// no limit, and the game may have lasted that many plies.
fn is_clock(clock: &str, number: &str, limits: &[(Honour, Plies)]) -> bool {
    let read = |text: &str| text.parse::<u32>().ok().filter(|_| is_number(text));
    let (Some(clock), Some(number)) = (read(clock), read(number)) else { return false };
    limits.iter().all(|&(_, limit)| limit.0 != clock) && clock <= number.saturating_mul(2)
}

/// Removes the checks left from the fields of a FEN. Returns `None` if they are missing. In a URL
/// `+` may have become a blank, which is accepted if the variant has checks left.
pub(super) fn take_checks<'a>(fields: &mut Vec<&'a str>, has_checks: bool) -> Option<&'a str> {
    let joined = fields.iter().skip(2).position(|field| field.contains(BETWEEN_CHECKS));
    if let Some(index) = joined {
        return Some(fields.remove(index + 2));
    }
    let apart = match fields.get(CHECKS..CHECKS + 2)? {
        ["1", "1"] => "1+1",
        ["0", "1"] => "0+1",
        ["1", "0"] => "1+0",
        _ => return None,
    };
    let is_apart = has_checks && fields.len() > FIELDS;
    is_apart.then(|| drop(fields.drain(CHECKS..CHECKS + 2)))?;
    Some(apart)
}
