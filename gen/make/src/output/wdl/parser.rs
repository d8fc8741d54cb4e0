//! Cuts runs of categories into the symbols that take the fewest bits.

use crate::output::packed::encoder::coded_length::{BIT, logarithm};
use crate::output::wdl::allowed::Run;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::wdl::model::{CATEGORIES, MAX_SYMBOL_CELLS};
use std::collections::HashMap;

/// The number of a run that is cut no further: of up to 64 cells, or of a power of two of them.
pub type Atom = u16;

/// Cells of the longest run of any length.
const TILE: u32 = SQUARES as u32;

/// Atoms of each category.
const ATOMS: usize = SQUARES + (MAX_SYMBOL_CELLS / TILE).ilog2() as usize;

/// Appends the atoms of runs that begin with a tile. A run of more than a tile is cut into what is
/// before the first border of tiles, powers of two of tiles, and the rest.
pub fn atoms(runs: &[Run], atoms: &mut Vec<Atom>) {
    let mut place = 0;
    for &Run { category, cells } in runs {
        let mut push = |cells| atoms.push(atom(category, cells));
        let mut left = cells;
        if cells > TILE {
            let before = (TILE - place) % TILE;
            if before > 0 {
                push(before);
            }
            left -= before;
            while left > TILE {
                let tiles = 1 << left.min(MAX_SYMBOL_CELLS).ilog2();
                push(tiles);
                left -= tiles;
            }
        }
        if left > 0 {
            push(left);
        }
        place = (place + cells) % TILE;
    }
}

/// The atom of a run.
fn atom(category: u8, cells: u32) -> Atom {
    let number = if cells <= TILE { cells - 1 } else { TILE - 1 + (cells / TILE).ilog2() };
    (usize::from(category) * ATOMS + number as usize) as Atom
}

/// The pairs of all atoms that are no category, which are the first pairs of all models.
pub fn atom_pairs() -> Vec<[u16; 2]> {
    let (mut pairs, mut symbols) = (Vec::new(), HashMap::new());
    for category in 0..CATEGORIES as u8 {
        symbols.insert(atom(category, 1), u16::from(category));
        let powers = (1..=ATOMS - SQUARES).map(|power| TILE << power);
        for cells in (2..=TILE).chain(powers) {
            let largest = 1 << (cells - 1).ilog2();
            let parts = [largest, cells - largest].map(|cells| symbols[&atom(category, cells)]);
            symbols.insert(atom(category, cells), (CATEGORIES + pairs.len()) as u16);
            pairs.push(parts);
        }
    }
    pairs
}

/// The number of symbols that are atoms.
pub const ATOM_SYMBOLS: usize = CATEGORIES * ATOMS;

/// The atoms of all symbols of a model whose first pairs are [`atom_pairs`].
pub fn strings_of_atoms(pairs: &[[u16; 2]]) -> Vec<Vec<Atom>> {
    let mut strings: Vec<Vec<Atom>> = (0..CATEGORIES as u8).map(|c| vec![atom(c, 1)]).collect();
    for category in 0..CATEGORIES {
        let first = category * ATOMS;
        strings.extend((first + 1..first + ATOMS).map(|atom| vec![atom as Atom]));
    }
    for pair in &pairs[ATOM_SYMBOLS - CATEGORIES..] {
        strings.push(pair.map(|part| &strings[usize::from(part)][..]).concat());
    }
    strings
}

/// Finds the symbols of atoms with the fewest bits.
pub struct Parser {
    tree: Tree,
    /// By symbol: about how many bits it takes, in parts of a bit.
    bits: Vec<u32>,
}

/// The strings of symbols as a tree of atoms: a table with open addressing.
struct Tree {
    /// A node and an atom, or [`u64::MAX`]; the child; its symbol or [`NO_SYMBOL`].
    entries: Vec<(u64, u32, u16)>,
    shift: u32,
}

const ROOT: u32 = 0;
const NO_SYMBOL: u16 = u16::MAX;

impl Tree {
    fn new(strings: &[Vec<Atom>]) -> Tree {
        let mut children: HashMap<u64, (u32, u16)> = HashMap::new();
        for (symbol, string) in (0..).zip(strings) {
            let Some((&last, before)) = string.split_last() else { continue };
            let mut node = ROOT;
            for &atom in before {
                let next = children.len() as u32 + 1;
                node = children.entry(Tree::key(node, atom)).or_insert((next, NO_SYMBOL)).0;
            }
            let next = children.len() as u32 + 1;
            children.entry(Tree::key(node, last)).or_insert((next, NO_SYMBOL)).1 = symbol;
        }
        let bits = (2 * children.len() + 2).next_power_of_two().ilog2();
        let mut tree = Tree { entries: vec![(u64::MAX, 0, 0); 1 << bits], shift: u64::BITS - bits };
        for (key, (child, symbol)) in children {
            let at = tree.place(key);
            tree.entries[at] = (key, child, symbol);
        }
        tree
    }

    fn key(node: u32, atom: Atom) -> u64 {
        u64::from(node) << u16::BITS | u64::from(atom)
    }

    /// The place of a key, or the empty one where it would be.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.entries[at].0 != key && self.entries[at].0 != u64::MAX {
            at = (at + 1) & (self.entries.len() - 1);
        }
        at
    }

    /// The child of a node, and its symbol.
    #[inline]
    fn child(&self, node: u32, atom: Atom) -> Option<(u32, u16)> {
        let (key, child, symbol) = self.entries[self.place(Tree::key(node, atom))];
        (key != u64::MAX).then_some((child, symbol))
    }
}

/// What reaching a place among atoms takes.
#[derive(Clone, Copy)]
struct Reached {
    bits: u64,
    /// The last symbol, and its atoms.
    symbol: u16,
    atoms: u16,
}

/// Room for [`Parser::parse`].
#[derive(Default)]
pub struct Room {
    reached: Vec<Reached>,
}

impl Parser {
    /// A parser with these strings of symbols, which occur about so often.
    pub fn new(strings: &[Vec<Atom>], uses: &[u32]) -> Parser {
        let all = logarithm(uses.iter().sum::<u32>().max(1)) + BIT;
        let bits = |&uses: &u32| (all - logarithm(uses.max(1)).min(all)) as u32;
        Parser { tree: Tree::new(strings), bits: uses.iter().map(bits).collect() }
    }

    /// Appends the symbols of atoms.
    pub fn parse(&self, atoms: &[Atom], room: &mut Room, symbols: &mut Vec<u16>) {
        let unreached = Reached { bits: u64::MAX, symbol: 0, atoms: 0 };
        room.reached.clear();
        room.reached.resize(atoms.len() + 1, unreached);
        room.reached[0].bits = 0;
        for start in 0..atoms.len() {
            let before = room.reached[start].bits;
            let mut node = ROOT;
            for (&atom, (count, to)) in
                atoms[start..].iter().zip((1..).zip(&mut room.reached[start + 1..]))
            {
                let Some((child, symbol)) = self.tree.child(node, atom) else { break };
                node = child;
                if symbol != NO_SYMBOL {
                    let bits = before + u64::from(self.bits[usize::from(symbol)]);
                    if bits < to.bits {
                        *to = Reached { bits, symbol, atoms: count };
                    }
                }
            }
        }
        let first = symbols.len();
        let mut end = atoms.len();
        while end > 0 {
            let Reached { symbol, atoms, .. } = room.reached[end];
            symbols.push(symbol);
            end -= usize::from(atoms);
        }
        symbols[first..].reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use sakmak_tables::format::wdl::model::{SymbolStrings, shapes};

    fn runs_of(cells: &[u8]) -> Vec<Run> {
        let same = cells.chunk_by(|one, other| one == other);
        same.map(|run| Run { category: run[0], cells: run.len() as u32 }).collect()
    }

    /// The definition: the fewest bits of the atoms from each place on.
    fn fewest_bits(strings: &[Vec<Atom>], parser: &Parser, atoms: &[Atom]) -> u32 {
        let mut fewest = vec![0; atoms.len() + 1];
        for start in (0..atoms.len()).rev() {
            let matching = strings.iter().zip(&parser.bits);
            let matching = matching.filter(|(string, _)| atoms[start..].starts_with(string));
            let bits = matching.map(|(string, bits)| bits + fewest[start + string.len()]);
            fewest[start] = bits.min().unwrap();
        }
        fewest[0]
    }

    proptest! {
        #[test]
        fn symbols_give_the_cells_and_take_the_fewest_bits(
            more in vec((any::<u16>(), any::<u16>()), 0..40),
            uses in vec(0..50u32, 400),
            runs in vec((0..3u8, prop_oneof![1..12u32, 50..500u32]), 1..60),
        ) {
            let mut pairs = atom_pairs();
            for (left, right) in more {
                let symbols = (CATEGORIES + pairs.len()) as u16;
                pairs.push([left % symbols, right % symbols]);
            }
            prop_assume!(shapes(&pairs).is_some());
            let strings = strings_of_atoms(&pairs);
            let cells = runs.iter().flat_map(|&(category, cells)| vec![category; cells as usize]);
            let cells: Vec<u8> = cells.collect();
            let mut cut = Vec::new();
            atoms(&runs_of(&cells), &mut cut);
            let parser = Parser::new(&strings, &uses[..strings.len()]);
            let mut symbols = Vec::new();
            parser.parse(&cut, &mut Room::default(), &mut symbols);
            let of_cells = SymbolStrings::new(&pairs);
            let again: Vec<u8> = symbols.iter().flat_map(|&symbol| of_cells.of(symbol).to_vec()).collect();
            prop_assert_eq!(again, cells);
            let bits: u32 = symbols.iter().map(|&symbol| parser.bits[usize::from(symbol)]).sum();
            prop_assert_eq!(bits, fewest_bits(&strings, &parser, &cut));
        }
    }

    #[test]
    fn symbols_of_atoms_have_their_cells() {
        let pairs = atom_pairs();
        let (strings, cells) = (strings_of_atoms(&pairs), SymbolStrings::new(&pairs));
        assert_eq!(strings.len(), ATOM_SYMBOLS);
        for (symbol, string) in (0..).zip(&strings) {
            let mut cut = Vec::new();
            atoms(&runs_of(cells.of(symbol)), &mut cut);
            assert_eq!(&cut, string);
        }
    }
}
