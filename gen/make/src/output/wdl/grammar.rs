//! Finds the symbols of a side: pairs of symbols that are frequent neighbours.
//!
//! ```text
//! runs of 1 to 64 cells, and of powers of two, of each category
//! again and again:  cut a sample into symbols                     parser
//!                   drop the symbols that are rare
//!                   add the most frequent pairs of neighbours
//! ```

use crate::output::wdl::parser::{ATOM_SYMBOLS, Atom, Parser, Room, atom_pairs, strings_of_atoms};
use sakmak_tables::format::wdl::model::{CATEGORIES, MAX_SYMBOL_CELLS, MAX_SYMBOLS, shapes};
use std::cmp::Reverse;
use std::collections::HashSet;

/// How many symbols are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The most symbols.
    pub symbols: usize,
    /// The most rounds.
    pub rounds: usize,
    /// How often a symbol must occur in the sample.
    pub least: u32,
}

impl Effort {
    /// To compare all orders of cells.
    pub const SMALL: Effort = Effort { symbols: 1024, rounds: 4, least: 8 };
    /// To compare some of them: strings of several tiles count only among many symbols.
    pub const LARGE: Effort = Effort { symbols: 4096, rounds: 8, least: 4 };
    /// For a file.
    pub const FILE: Effort = Effort { symbols: MAX_SYMBOLS, rounds: 12, least: 3 };
}

/// The number of symbols grows by one part in this number each round.
const GROWTH: usize = 2;

/// The symbols of a side, and how often they occur in a sample.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The parts of each symbol after the categories.
    pub pairs: Vec<[u16; 2]>,
    /// By symbol.
    pub uses: Vec<u32>,
}

impl Grammar {
    /// The symbols for files of which this is a sample: atoms of some rows.
    pub fn of(sample: &[Vec<Atom>], effort: Effort) -> Grammar {
        let mut grammar = Grammar { pairs: atom_pairs(), uses: vec![1; ATOM_SYMBOLS] };
        for round in 0..=effort.rounds {
            let strings = strings_of_atoms(&grammar.pairs);
            let parser = Parser::new(&strings, &grammar.uses);
            let mut uses = vec![0; strings.len()];
            let mut neighbours: Vec<u32> = Vec::new();
            let (mut room, mut symbols) = (Room::default(), Vec::new());
            for atoms in sample {
                symbols.clear();
                parser.parse(atoms, &mut room, &mut symbols);
                symbols.iter().for_each(|&symbol| uses[usize::from(symbol)] += 1);
                let pair = |pair: &[u16]| u32::from(pair[0]) << u16::BITS | u32::from(pair[1]);
                neighbours.extend(symbols.windows(2).map(pair));
            }
            let numbers = grammar.drop_rare(&uses, effort.least);
            let most = effort.symbols.min(strings.len() + strings.len() / GROWTH);
            if round == effort.rounds
                || !grammar.add_frequent(neighbours, &numbers, most, effort.least)
            {
                break;
            }
        }
        grammar
    }

    /// Drops the symbols that are used less often and are part of no other. Returns the new numbers of
    /// all symbols.
    fn drop_rare(&mut self, uses: &[u32], least: u32) -> Vec<Option<u16>> {
        let mut is_kept: Vec<bool> = uses.iter().map(|&uses| uses >= least).collect();
        is_kept[..ATOM_SYMBOLS].fill(true);
        for (number, pair) in self.pairs.iter().enumerate().rev() {
            if is_kept[CATEGORIES + number] {
                pair.iter().for_each(|&part| is_kept[usize::from(part)] = true);
            }
        }
        let mut next = 0;
        let number = |&is_kept: &bool| {
            next += u16::from(is_kept);
            is_kept.then(|| next - 1)
        };
        let numbers: Vec<Option<u16>> = is_kept.iter().map(number).collect();
        let renumbered = |pair: &[u16; 2]| pair.map(|part| numbers[usize::from(part)].unwrap_or(0));
        let kept = self.pairs.iter().zip(&is_kept[CATEGORIES..]).filter(|&(_, &is_kept)| is_kept);
        self.pairs = kept.map(|(pair, _)| renumbered(pair)).collect();
        let kept = uses.iter().zip(&is_kept).filter(|&(_, &is_kept)| is_kept);
        self.uses = kept.map(|(&uses, _)| uses).collect();
        numbers
    }

    /// Adds the most frequent neighbours as pairs, until there are `most` symbols. Neighbours have the
    /// numbers before they were changed. Whether there were any.
    fn add_frequent(
        &mut self,
        mut neighbours: Vec<u32>,
        numbers: &[Option<u16>],
        most: usize,
        least: u32,
    ) -> bool {
        neighbours.sort_unstable();
        let equal = neighbours.chunk_by(|one, other| one == other);
        let counted = equal.map(|equal| (Reverse(equal.len() as u32), equal[0]));
        let mut frequent: Vec<_> = counted.filter(|&(Reverse(count), _)| count >= least).collect();
        frequent.sort_unstable();
        let strings = strings_of_atoms(&self.pairs);
        let cells: Vec<u32> =
            shapes(&self.pairs).unwrap_or_default().iter().map(|shape| shape.cells).collect();
        let mut known: HashSet<Vec<Atom>> = strings.iter().cloned().collect();
        let before = self.pairs.len();
        for (Reverse(count), pair) in frequent {
            if CATEGORIES + self.pairs.len() >= most {
                break;
            }
            let parts = [pair >> u16::BITS, pair & 0xffff].map(|part| numbers[part as usize]);
            let [Some(left), Some(right)] = parts else { continue };
            let parts = [left, right].map(usize::from);
            let string = parts.map(|part| &strings[part][..]).concat();
            let is_short = parts.map(|part| cells[part]).iter().sum::<u32>() <= MAX_SYMBOL_CELLS;
            if is_short && known.insert(string) {
                self.pairs.push([left, right]);
                self.uses.push(count);
            }
        }
        self.pairs.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::wdl::allowed::Run;
    use crate::output::wdl::parser::atoms;
    use sakmak_tables::format::wdl::model::SymbolStrings;

    #[test]
    fn what_repeats_becomes_one_symbol() {
        let motif = [(0, 3), (4, 5), (2, 1), (4, 40)];
        let row: Vec<Run> = motif
            .repeat(200)
            .into_iter()
            .map(|(category, cells)| Run { category, cells })
            .collect();
        let mut cut = Vec::new();
        atoms(&row, &mut cut);
        let grammar = Grammar::of(&[cut.clone(), cut.clone()], Effort::SMALL);
        let strings = SymbolStrings::new(&grammar.pairs);
        let parser = Parser::new(&strings_of_atoms(&grammar.pairs), &grammar.uses);
        let mut symbols = Vec::new();
        parser.parse(&cut, &mut Room::default(), &mut symbols);
        let cells = symbols.iter().flat_map(|&symbol| strings.of(symbol).to_vec());
        let expected = row.iter().flat_map(|run| vec![run.category; run.cells as usize]);
        assert!(cells.eq(expected));
        // Each round joins two symbols to one of twice the length.
        assert_eq!(symbols.len(), row.len() >> Effort::SMALL.rounds);
        assert!(grammar.pairs.len() < ATOM_SYMBOLS + 60, "{}", grammar.pairs.len());
    }
}
