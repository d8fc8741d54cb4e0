//! Samples of the cells of some fixed kings, in any order of cells, and what they take.

use crate::output::packed::encoder::coded_length::logarithm;
use crate::output::wdl::allowed::{Allowed, Filling};
use crate::output::wdl::grammar::{Effort, Grammar};
use crate::output::wdl::parser::{Atom, Parser, Room, atoms, strings_of_atoms};
use sakmak_tables::board::square::{SIDE_LENGTH, SQUARES};
use sakmak_tables::format::wdl::model::SymbolStrings;
use sakmak_tables::index::Index;
use sakmak_tables::tiles::cells::steps;
use sakmak_tables::tiles::order::{CellDigit, CellOrder, SquarePart, TilePiece};

/// What is taken of the cells of each fixed king of a sample: slabs of neighbouring cells.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    count: usize,
    cells: usize,
}

impl Slabs {
    /// To compare all orders of cells.
    pub const SMALL: Slabs = Slabs { count: 8, cells: 1 << 15 };
    /// To compare some of them.
    pub const LARGE: Slabs = Slabs { count: 16, cells: 1 << 16 };
    /// To find the symbols of a file.
    pub const FILE: Slabs = Slabs { count: 64, cells: 1 << 16 };

    /// The slabs of this number of cells, spread over them.
    fn starts(self, all: usize) -> impl Iterator<Item = usize> {
        let part = all / self.count;
        let free = part.saturating_sub(self.cells);
        // Not always the same part of a part: it would be the same square of a piece.
        let start = move |slab: usize| slab * part + free * (slab * 5 % self.count) / self.count;
        (0..self.count).map(move |slab| start(slab) / SQUARES * SQUARES)
    }
}

/// A digit of the cells: its number of values, and cells from one to the next in the first order.
#[derive(Clone, Copy, Debug)]
struct Digit {
    radix: usize,
    stride: usize,
}

/// The digits of an order.
fn digits(index: &Index, order: &CellOrder) -> Vec<Digit> {
    let (king, groups, _) = steps(index, &CellOrder::first(index, order.swept), |_| true);
    let digit = |digit: &CellDigit| {
        let (steps, numbers) = match digit.piece {
            TilePiece::King => (king, SQUARES),
            TilePiece::Group(group) => {
                (groups[group], index.groups()[group].combinations() as usize)
            }
        };
        match digit.part {
            SquarePart::Whole => Digit { radix: numbers, stride: steps.file as usize },
            SquarePart::Rank => Digit { radix: numbers / SIDE_LENGTH, stride: steps.rank as usize },
            SquarePart::File => Digit { radix: SIDE_LENGTH, stride: steps.file as usize },
        }
    };
    order.digits.iter().map(digit).collect()
}

/// Some of the cells of a fixed king, which are in the first order, in another one: slab after slab.
pub fn slabs(
    cells: &[Allowed],
    index: &Index,
    order: &CellOrder,
    slabs: Slabs,
) -> Vec<Vec<Allowed>> {
    let digits = digits(index, order);
    if slabs.count * slabs.cells >= cells.len() {
        return vec![in_order(cells, &digits, 0, cells.len())];
    }
    slabs.starts(cells.len()).map(|start| in_order(cells, &digits, start, slabs.cells)).collect()
}

/// A number of cells from this one on, in the order of these digits.
fn in_order(cells: &[Allowed], digits: &[Digit], start: usize, count: usize) -> Vec<Allowed> {
    let mut values = vec![0; digits.len()];
    let (mut rest, mut at) = (start, 0);
    for (value, digit) in values.iter_mut().zip(digits).rev() {
        *value = rest % digit.radix;
        rest /= digit.radix;
        at += *value * digit.stride;
    }
    let mut ordered = Vec::with_capacity(count);
    while ordered.len() < count {
        ordered.push(cells[at]);
        for (value, digit) in values.iter_mut().zip(digits).rev() {
            (*value, at) = (*value + 1, at + digit.stride);
            if *value < digit.radix {
                break;
            }
            at -= *value * digit.stride;
            *value = 0;
        }
    }
    ordered
}

/// The atoms of slabs.
pub fn atoms_of_slabs(slabs: &[Vec<Allowed>], filling: Filling) -> Vec<Vec<Atom>> {
    let of_slab = |slab: &Vec<Allowed>| {
        let mut cut = Vec::new();
        atoms(&filling.runs(slab), &mut cut);
        cut
    };
    slabs.iter().map(of_slab).collect()
}

/// About how many parts of a bit the sample takes, without its model.
pub fn coded_length(sample: &[Vec<Atom>], effort: Effort) -> u64 {
    let grammar = Grammar::of(sample, effort);
    let strings = SymbolStrings::new(&grammar.pairs);
    let parser = Parser::new(&strings_of_atoms(&grammar.pairs), &grammar.uses);
    let mut counts = vec![0u32; SQUARES * strings.len()];
    let (mut room, mut symbols) = (Room::default(), Vec::new());
    for atoms in sample {
        symbols.clear();
        parser.parse(atoms, &mut room, &mut symbols);
        let mut at = 0;
        for &symbol in &symbols {
            counts[at % SQUARES * strings.len() + usize::from(symbol)] += 1;
            at += strings.of(symbol).len();
        }
    }
    let of_place = |counts: &[u32]| {
        let all = logarithm(counts.iter().sum());
        let each = |&count: &u32| u64::from(count) * (all - logarithm(count).min(all));
        counts.iter().filter(|&&count| count > 0).map(each).sum::<u64>()
    };
    counts.chunks(strings.len()).map(of_place).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::Side;
    use sakmak_tables::tiles::cells::{Cells, FixedKings};
    use sakmak_tables::variants::MAKRUK;
    use std::sync::Arc;

    #[test]
    fn cells_are_in_the_order_of_their_numbers() {
        let index = Index::new("KRPvK".parse().unwrap(), &MAKRUK.rules);
        let kings = Arc::new(FixedKings::new(index.kings().symmetries()));
        let first = CellOrder::first(&index, Side::White);
        let numbers = Cells::new(&index, Arc::clone(&kings), &first);
        let cells: Vec<u8> = (0..numbers.per_fixed_king()).map(|cell| (cell % 251) as u8).collect();
        for order in CellOrder::all(&index, Side::White) {
            let other = Cells::new(&index, Arc::clone(&kings), &order);
            let ordered = slabs(&cells, &index, &order, Slabs::FILE).concat();
            for (group, king) in [(0, 5), (0, 0), (1, 63), (1, 7)] {
                for value in [0, 1, 23] {
                    let at = |cells: &Cells| {
                        cells.group_steps(group).of(value) + cells.swept_steps().of(king)
                    };
                    assert_eq!(ordered[at(&other) as usize], cells[at(&numbers) as usize]);
                }
            }
            let some = slabs(&cells, &index, &order, Slabs { count: 3, cells: 128 });
            assert_eq!(some[0], ordered[..128]);
        }
    }
}
