//! From the codes of a material's tables to categories at a fresh count.

use crate::output::wdl::allowed::{ANY, Allowed, only};
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TablePair;

/// The categories that the codes of one side to move allow: a set for each code of each of the two
/// tables. Both allow the category of a position and no other.
#[derive(Debug)]
pub struct CategoryBits {
    mate: CodeBits,
    counted: CodeBits,
}

/// By code: the categories that it allows.
#[derive(Debug)]
struct CodeBits {
    width: usize,
    bits: Vec<Allowed>,
}

/// The codes of slots, in the codings of a [`CategoryBits`].
#[derive(Clone, Copy, Debug)]
pub struct PairCodes<'a> {
    /// Of distance to mate.
    pub mate: &'a [u8],
    /// Of the table that decides what is in time; it may be the same.
    pub counted: &'a [u8],
}

impl CodeBits {
    fn new(coding: Coding, of: impl Fn(Value) -> Allowed) -> CodeBits {
        let decoded = |code: u32| u16::try_from(code).ok().and_then(|code| coding.decode(code));
        let width = coding.width();
        // A code without a value allows nothing.
        let bits = (0..1 << (width as u32 * u8::BITS)).map(|code| decoded(code).map_or(0, &of));
        CodeBits { width, bits: bits.collect() }
    }

    /// Leaves of each set what the code of its slot allows, from this slot on. Sets past the last slot
    /// become empty.
    #[inline]
    fn restrict(&self, codes: &[u8], first: usize, sets: &mut [Allowed]) {
        let codes = codes.get(first * self.width..).unwrap_or_default();
        if codes.len() < sets.len() * self.width {
            return sets.fill(0);
        }
        match (self.width, <&[Allowed; 256]>::try_from(&self.bits[..])) {
            (1, Ok(bits)) => {
                for (set, &code) in sets.iter_mut().zip(codes) {
                    *set &= bits[usize::from(code)];
                }
            }
            _ => {
                for (set, &code) in sets.iter_mut().zip(codes.as_chunks().0) {
                    *set &= self.bits[usize::from(u16::from_le_bytes(code))];
                }
            }
        }
    }
}

impl CategoryBits {
    /// The categories of these tables with this side to move. `None` if they do not hold it.
    pub fn new(
        source: TablePair<'_>,
        counting_rule: &CountingRule,
        side: Side,
    ) -> Option<CategoryBits> {
        let material = source.mate.index().material();
        let armies = Side::BOTH.map(|side| material.army(side));
        let fits = |attacker: Side, moves: Moves| {
            counting_rule.moves_left(armies, attacker, side).is_none_or(|clock| moves <= clock)
        };
        let of_mate =
            |value: Value| only(Category::of(value, true)) | only(Category::of(value, false));
        let draw = Value::Draw;
        let win = |in_time: bool| only(Category::of(Value::Win(Moves(0)), in_time));
        let loss = |in_time: bool| only(Category::of(Value::Loss(Moves(0)), in_time));
        // What is no win or loss in time is one too late, or none.
        let of_counted = |value: Value| {
            only(Category::of(draw, false))
                | match value {
                    Value::Draw => win(false) | loss(false),
                    Value::Win(moves) => win(fits(side, moves)),
                    Value::Loss(moves) => loss(fits(!side, moves)),
                }
        };
        Some(CategoryBits {
            mate: CodeBits::new(source.mate.coding(side)?, of_mate),
            counted: CodeBits::new(source.counted.unwrap_or(source.mate).coding(side)?, of_counted),
        })
    }

    /// The categories of consecutive slots from this one on, a set of one each. A set is empty if the
    /// codes contradict each other.
    #[inline]
    pub fn sets(&self, codes: PairCodes<'_>, first: usize, sets: &mut [Allowed]) {
        sets.fill(ANY);
        self.mate.restrict(codes.mate, first, sets);
        self.counted.restrict(codes.counted, first, sets);
    }
}
