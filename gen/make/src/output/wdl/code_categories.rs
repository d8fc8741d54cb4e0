//! Converts the codes of a material's tables to categories at a fresh count.

use sakmak_solve::solver::Kernel;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TablePair;

/// Number of bits of the index of a category.
pub const CATEGORY_BITS: usize = 3;

/// Marks a slot without a category: all bits are set.
pub const NO_CATEGORY: u8 = (1 << CATEGORY_BITS) - 1;

const _: () = assert!(Category::ALL.len() <= NO_CATEGORY as usize);

/// The lowest bit of each byte.
pub const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// Maximum number of slots of a row.
pub const ROW_SLOTS: usize = u64::BITS as usize;

/// The categories of one side to move by its codes.
#[derive(Debug)]
pub struct CodeCategories {
    mate: CodeRanges,
    counted: CodeRanges,
    /// The last codes of counted distance that are wins and losses in time.
    win_in_time: u16,
    loss_in_time: u16,
}

/// Code 0 is a draw, the codes up to one of these are wins, those up to the other losses.
#[derive(Debug)]
struct CodeRanges {
    coding: Coding,
    last_win: u16,
    last: u16,
}

impl CodeRanges {
    fn new(coding: Coding) -> CodeRanges {
        let limited = |code: u32| u16::try_from(code).unwrap_or(u16::MAX);
        CodeRanges { coding, last_win: limited(coding.wins.0), last: limited(coding.codes() - 1) }
    }

    /// Returns the codes of a row, 0 behind its end.
    #[inline(always)]
    fn codes(&self, bytes: &[u8]) -> [u16; ROW_SLOTS] {
        match self.coding.width() {
            1 => padded::<ROW_SLOTS>(bytes).map(u16::from),
            _ => {
                let bytes = padded::<{ 2 * ROW_SLOTS }>(bytes);
                let (codes, _) = bytes.as_chunks::<2>();
                std::array::from_fn(|slot| u16::from_le_bytes(codes[slot]))
            }
        }
    }

    #[inline(always)]
    fn is_win(&self, code: u16) -> bool {
        (code != 0) & (code <= self.last_win)
    }

    #[inline(always)]
    fn is_loss(&self, code: u16) -> bool {
        (code > self.last_win) & (code <= self.last)
    }
}

impl CodeCategories {
    /// Returns the categories of these tables with this side to move. `None` if they do not hold
    /// it.
    pub fn new(
        source: TablePair<'_>,
        counting_rule: &CountingRule,
        side: Side,
    ) -> Option<CodeCategories> {
        let material = source.mate.index().material();
        let armies = Side::BOTH.map(|side| material.army(side));
        let [mate, counted] = [source.mate, source.counted.unwrap_or(source.mate)];
        let [mate, counted] = [mate.coding(side)?, counted.coding(side)?].map(CodeRanges::new);
        // The longest of these distances that is in time has the last code that is.
        let last = |attacker: Side, value: fn(Moves) -> Value, most: Moves, none: u16| {
            let clock = counting_rule.longest_in_time(armies, attacker, side).unwrap_or(most);
            counted.coding.encode(value(clock.min(most))).unwrap_or(none)
        };
        let win_in_time = last(side, Value::Win, counted.coding.wins, 0);
        let losses = counted.coding.losses.unwrap_or(Moves(0));
        let loss_in_time = last(!side, Value::Loss, losses, counted.last_win);
        Some(CodeCategories { mate, counted, win_in_time, loss_in_time })
    }

    /// Returns the bytes of a code of both tables.
    pub fn widths(&self) -> [usize; 2] {
        [&self.mate, &self.counted].map(|ranges| ranges.coding.width())
    }

    /// [`Category::index`], [`NO_CATEGORY`] if the codes contradict each other.
    #[inline(always)]
    fn category(&self, mate: u16, counted: u16) -> u8 {
        const fn index(category: Category) -> u8 {
            category.index() as u8
        }
        let [won, lost] = [self.mate.is_win(mate), self.mate.is_loss(mate)];
        let [wins, loses] = [self.counted.is_win(counted), self.counted.is_loss(counted)];
        let if_won = if wins & (counted <= self.win_in_time) {
            index(Category::Win)
        } else {
            index(Category::CursedWin)
        };
        let if_lost = if loses & (counted <= self.loss_in_time) {
            index(Category::Loss)
        } else {
            index(Category::BlessedLoss)
        };
        let category = if lost { if_lost } else { index(Category::Draw) };
        let category = if won { if_won } else { category };
        let unknown = (mate > self.mate.last) | (counted > self.counted.last);
        let contradiction = unknown | won & loses | lost & wins;
        if contradiction { NO_CATEGORY } else { category }
    }
}

/// The categories of a row of slots.
pub struct RowCategories<'a> {
    pub by_code: &'a CodeCategories,
    /// The codes of both tables.
    pub mate: &'a [u8],
    pub counted: &'a [u8],
    /// A bit for each slot that is a legal position.
    pub legal: u64,
}

impl Kernel for RowCategories<'_> {
    /// [`Category::index`] of each slot, [`NO_CATEGORY`] for no legal position; and how many legal
    /// positions have codes that contradict each other.
    type Output = ([u8; ROW_SLOTS], u32);

    #[inline(always)]
    fn run(self) -> ([u8; ROW_SLOTS], u32) {
        let RowCategories { by_code, mate, counted, legal } = self;
        let [mate, counted] = [by_code.mate.codes(mate), by_code.counted.codes(counted)];
        let mut categories = [0; ROW_SLOTS];
        for ((category, mate), counted) in categories.iter_mut().zip(mate).zip(counted) {
            *category = by_code.category(mate, counted);
        }
        let (words, _) = categories.as_chunks_mut::<8>();
        for (word, legal) in words.iter_mut().zip(legal.to_le_bytes()) {
            let none = bytes_of_bits(!legal) * u64::from(NO_CATEGORY);
            *word = (u64::from_le_bytes(*word) | none).to_le_bytes();
        }
        let none: u8 = categories.iter().map(|&category| u8::from(category == NO_CATEGORY)).sum();
        (categories, u32::from(none) - legal.count_zeros())
    }
}

/// Some bytes, with zeros behind them. A row of full length takes no call to copy it.
#[inline(always)]
fn padded<const LENGTH: usize>(bytes: &[u8]) -> [u8; LENGTH] {
    bytes.try_into().unwrap_or_else(|_| {
        let mut padded = [0; LENGTH];
        padded.iter_mut().zip(bytes).for_each(|(to, &byte)| *to = byte);
        padded
    })
}

/// Returns a byte for each bit, 0 or 1, the lowest first.
#[inline(always)]
fn bytes_of_bits(bits: u8) -> u64 {
    // In each byte the bit of its place, then 0x80 more than 0x7f where it is set.
    let own = (u64::from(bits) * EACH_BYTE) & 0x8040_2010_0804_0201;
    (own + 0x7f * EACH_BYTE) >> 7 & EACH_BYTE
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sakmak_solve::solver::Width;

    fn ranges() -> impl Strategy<Value = CodeRanges> {
        (0..400u32, proptest::option::of(0..400u32)).prop_map(|(wins, losses)| {
            CodeRanges::new(Coding { wins: Moves(wins), losses: losses.map(Moves) })
        })
    }

    fn bytes(ranges: &CodeRanges, codes: &[u16]) -> Vec<u8> {
        let bytes =
            codes.iter().flat_map(|code| code.to_le_bytes()[..ranges.coding.width()].to_vec());
        bytes.collect()
    }

    proptest! {
        #[test]
        fn categories_are_those_of_the_values(
            (mate, counted) in (ranges(), ranges()),
            codes in proptest::collection::vec(any::<[prop::sample::Index; 2]>(), 1..=ROW_SLOTS),
            legal in any::<u64>(),
            clocks in any::<[prop::sample::Index; 2]>(),
        ) {
            let of = |ranges: &CodeRanges, at: prop::sample::Index| at.index(ranges.coding.codes() as usize) as u16;
            let [mates, counts]: [Vec<u16>; 2] = [
                codes.iter().map(|two| of(&mate, two[0])).collect(),
                codes.iter().map(|two| of(&counted, two[1])).collect(),
            ];
            let legal = legal & u64::MAX >> (ROW_SLOTS - codes.len());
            // The longest distances in time.
            let wins = Moves(clocks[0].index(counted.coding.wins.0 as usize + 1) as u32);
            let losses = counted.coding.losses;
            let losses = losses.map(|most| Moves(clocks[1].index(most.0 as usize + 1) as u32));
            let category = |place: usize| {
                let (mate, counted) = (mate.coding.decode(mates[place])?, counted.coding.decode(counts[place])?);
                let in_time = match (mate, counted) {
                    (Value::Win(_), Value::Win(moves)) => moves <= wins,
                    (Value::Loss(_), Value::Loss(moves)) => Some(moves) <= losses,
                    (Value::Win(_), Value::Loss(_)) | (Value::Loss(_), Value::Win(_)) => return None,
                    _ => false,
                };
                Some(Category::of(mate, in_time).index() as u8)
            };
            let expected: Vec<u8> = (0..codes.len())
                .map(|place| match legal >> place & 1 {
                    0 => NO_CATEGORY,
                    _ => category(place).unwrap_or(NO_CATEGORY),
                })
                .collect();
            let contradictions = (0..codes.len())
                .filter(|&place| legal >> place & 1 != 0 && category(place).is_none())
                .count();
            let loss = losses.and_then(|moves| counted.coding.encode(Value::Loss(moves)));
            let by_code = CodeCategories {
                win_in_time: wins.0 as u16,
                loss_in_time: loss.unwrap_or(counted.last_win),
                mate,
                counted,
            };
            let (mate, counted) = (bytes(&by_code.mate, &mates), bytes(&by_code.counted, &counts));
            for width in Width::available() {
                let row = RowCategories { by_code: &by_code, mate: &mate, counted: &counted, legal };
                let (categories, wrong) = width.run(row);
                prop_assert_eq!(&categories[..codes.len()], &expected);
                prop_assert_eq!(wrong as usize, contradictions);
            }
        }
    }

    #[test]
    fn bits_are_bytes() {
        for bits in 0..=u8::MAX {
            for (place, byte) in bytes_of_bits(bits).to_le_bytes().into_iter().enumerate() {
                assert_eq!(byte, bits >> place & 1);
            }
        }
    }
}
