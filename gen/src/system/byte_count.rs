//! Amounts of memory and disk.

use std::fmt;
use std::str::FromStr;

/// So many bytes.
///
/// It is read as `16G`, in units of 1,024, and shown as `16.0 GiB`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct ByteCount(pub u64);

/// The units, each 1,024 of the one before.
const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// The text is no amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no amount of memory: a number and K, M, G or T are expected, as in 16G")]
pub struct ByteCountError(String);

impl ByteCount {
    /// The amount in a unit of the power `unit` of 1,024.
    fn in_unit(number: f64, unit: usize) -> Option<ByteCount> {
        let bytes = number * 1024f64.powi(unit as i32);
        (bytes >= 1.0 && bytes < u64::MAX as f64).then_some(ByteCount(bytes as u64))
    }

    /// The amount without another, nothing where that is greater.
    pub fn less(self, other: ByteCount) -> ByteCount {
        ByteCount(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Add for ByteCount {
    type Output = ByteCount;
    fn add(self, other: ByteCount) -> ByteCount {
        ByteCount(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for ByteCount {
    fn sum<I: Iterator<Item = ByteCount>>(amounts: I) -> ByteCount {
        amounts.fold(ByteCount::default(), std::ops::Add::add)
    }
}

impl FromStr for ByteCount {
    type Err = ByteCountError;

    fn from_str(text: &str) -> Result<ByteCount, ByteCountError> {
        let error = || ByteCountError(text.to_string());
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = &text[digits.len()..];
        let named =
            |name: &&str| unit.eq_ignore_ascii_case(name) || unit.eq_ignore_ascii_case(&name[..1]);
        let place = UNITS.iter().position(named).ok_or_else(error)?;
        // Of the ways to write a number only the plain one.
        if digits.is_empty()
            || digits.contains(|letter: char| letter != '.' && !letter.is_ascii_digit())
        {
            return Err(error());
        }
        let number = digits.parse().map_err(|_| error())?;
        ByteCount::in_unit(number, place).ok_or_else(error)
    }
}

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut amount, mut unit) = (self.0 as f64, 0);
        // 1,023.96 would be shown as 1024.0.
        while amount >= 1023.95 && unit + 1 < UNITS.len() {
            (amount, unit) = (amount / 1024.0, unit + 1);
        }
        match unit {
            0 => f.pad(&format!("{} {}", self.0, UNITS[0])),
            _ => f.pad(&format!("{amount:.1} {}", UNITS[unit])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_shown() {
        for (text, bytes, shown) in [
            ("16G", 16 << 30, "16.0 GiB"),
            ("1.5m", 3 << 19, "1.5 MiB"),
            ("64KiB", 64 << 10, "64.0 KiB"),
            ("2T", 2 << 40, "2.0 TiB"),
            ("1000b", 1000, "1000 B"),
            ("1023.99K", 1_048_565, "1.0 MiB"),
        ] {
            let amount: ByteCount = text.parse().unwrap();
            assert_eq!((amount, &*amount.to_string()), (ByteCount(bytes), shown), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in
            ["", "G", "16", "-1G", "1e3G", "infG", "16 G", "16X", "0G", "1..5G", "99999999T"]
        {
            assert!(text.parse::<ByteCount>().is_err(), "{text}");
        }
    }
}
