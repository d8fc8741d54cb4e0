//! Sets of codes, and lookup tables that test 64 codes at a time.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Value;
use sakmak_tables::values::Coding;

/// A table of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeTable {
    /// The table of distance to mate.
    Mate,
    /// The table of counted distance by the rule of the query.
    Counted,
    /// The table of counted distance by another rule.
    CountedBy(&'static CountingRule),
}

/// A set of codes of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeSet {
    /// The table.
    pub table: CodeTable,
    /// Whether each code is in the set.
    holds: Vec<bool>,
}

impl CodeSet {
    /// The codes whose values satisfy a predicate.
    pub fn of(table: CodeTable, coding: Coding, has: impl Fn(Value) -> bool) -> CodeSet {
        let codes = 0..coding.codes();
        let value = |code: u32| u16::try_from(code).ok().and_then(|code| coding.decode(code));
        CodeSet { table, holds: codes.map(|code| value(code).is_some_and(&has)).collect() }
    }

    /// The codes that are not in the set.
    pub fn negated(mut self) -> CodeSet {
        self.holds.iter_mut().for_each(|holds| *holds = !*holds);
        self
    }

    /// Intersects with another set if `all`, else unites with it.
    pub fn joined(&mut self, other: &CodeSet, all: bool) {
        for (holds, &other) in self.holds.iter_mut().zip(&other.holds) {
            *holds = if all { *holds && other } else { *holds || other };
        }
    }

    /// Returns `true` if all codes are in the set, `false` if no code is, else `None`.
    pub fn constant(&self) -> Option<bool> {
        let first = self.holds.first().copied().unwrap_or(false);
        self.holds.iter().all(|&holds| holds == first).then_some(first)
    }

    /// The set as a table by code.
    pub fn membership(&self, coding: Coding) -> MembershipTable {
        let holds = |code: usize| u8::from(self.holds.get(code).copied().unwrap_or(false));
        match coding.width() {
            1 => MembershipTable::Bytes(Box::new(std::array::from_fn(holds))),
            _ => MembershipTable::Wide((0..self.holds.len()).map(holds).collect()),
        }
    }
}

/// A set of codes as a table: 1 for a code in the set, else 0.
#[derive(Clone, Debug)]
pub enum MembershipTable {
    /// Codes of one byte.
    Bytes(Box<[u8; 1 << u8::BITS]>),
    /// Codes of two bytes.
    Wide(Vec<u8>),
}

impl MembershipTable {
    /// Tests at most 64 codes: a bit for each code, the first code in the lowest bit.
    #[inline]
    pub fn bits(&self, codes: &[u8]) -> u64 {
        let Some(&first) = codes.first() else { return 0 };
        match self {
            MembershipTable::Bytes(table) => {
                // Neighbours often have the same value.
                if codes.iter().fold(0, |other, &code| other | (code ^ first)) == 0 {
                    return u64::from(table[usize::from(first)]) * u64::MAX;
                }
                let bit = |(index, &code): (usize, &u8)| {
                    u64::from(table[usize::from(code)]) << (index & 63)
                };
                codes.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
            }
            MembershipTable::Wide(table) => {
                let (codes, _) = codes.as_chunks::<2>();
                let bit = |(index, &code): (usize, &[u8; 2])| {
                    let code = usize::from(u16::from_le_bytes(code));
                    u64::from(table.get(code).copied().unwrap_or(0)) << (index & 63)
                };
                codes.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
            }
        }
    }
}

/// Tests at most 64 codes: a bit is set if no value has the code.
#[inline]
pub fn without_value(codes: &[u8], coding: Coding) -> u64 {
    let many = coding.codes();
    let bits = |codes: &mut dyn Iterator<Item = u16>| {
        let bit = |(index, code): (usize, u16)| u64::from(u32::from(code) >= many) << (index & 63);
        codes.enumerate().map(bit).fold(0, |bits, bit| bits | bit)
    };
    match coding.width() {
        1 => {
            // Usually no code lacks a value.
            let highest = codes.iter().fold(0, |highest, &code| code.max(highest));
            match u32::from(highest) >= many {
                true => bits(&mut codes.iter().map(|&code| u16::from(code))),
                false => 0,
            }
        }
        _ => bits(&mut codes.as_chunks::<2>().0.iter().map(|&code| u16::from_le_bytes(code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;

    #[test]
    fn codes_of_a_set_have_a_bit() {
        for wins in [6, 300] {
            let coding = Coding { wins: Moves(wins), losses: None };
            let codes: [u16; 7] = [3, 0, 3, 5, wins as u16 + 1, 1, 3];
            let narrowed = |code: &u16| code.to_le_bytes().into_iter().take(coding.width());
            let bytes: Vec<u8> = codes.iter().flat_map(narrowed).collect();
            let odd = |value: Value| value.moves().is_some_and(|moves| moves.0 >= 3);
            let set = CodeSet::of(CodeTable::Mate, coding, odd);
            assert_eq!(set.membership(coding).bits(&bytes), 0b100_1101);
            assert_eq!(set.clone().negated().membership(coding).bits(&bytes), 0b010_0010);
            assert_eq!(without_value(&bytes, coding), 0b001_0000);
            let one = &bytes[..coding.width()];
            assert_eq!(set.membership(coding).bits(one) & 1, 1);
            assert_eq!(set.constant(), None);
        }
    }
}
