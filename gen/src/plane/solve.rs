//! Solves a material with planes and gathers its table.

use super::boundary::{Boundary, MissingTable};
use super::buffer::Buffer;
use super::check::legal_slots;
use super::geometry::{Geometry, Spot};
use super::layers::{Wins, wins};
use super::record::Record;
use super::width::Width;
use bytes::Bytes;
use rayon::prelude::*;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::{Index, MAX_OTHERS, Placement};
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::square::Square;
use sakmak_tables::table::Table;
use sakmak_tables::values::{Coding, Values};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Why a material could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Bare kings need no table.
    #[error("{0} has no table: two bare kings always draw")]
    BareKings(Material),
    /// A smaller table is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
    /// The system gave no memory.
    #[error("no memory for the planes: {0}")]
    Memory(#[from] io::Error),
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// The registers the kernels use.
    pub width: Width,
    /// The longest distance recorded in a byte; longer ones are kept beside.
    pub byte_holds: Moves,
}

impl Default for Solver {
    /// The widest registers, and bytes as full as can be.
    fn default() -> Solver {
        Solver { width: Width::widest(), byte_holds: Moves(u32::MAX) }
    }
}

impl Solver {
    /// Solves a material; `tables` gives the tables of the materials it leads to.
    pub fn solve(
        &self,
        material: Material,
        rules: &Rules,
        tables: &dyn Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Table, SolveError> {
        if material == Material::BARE_KINGS {
            return Err(SolveError::BareKings(material));
        }
        let index = Index::new(material, rules);
        let geometry = Geometry::new(index.clone(), rules);
        let solve_side = |attacker: Side| {
            if material.army(attacker).is_empty() {
                return Ok(None);
            }
            let boundary = |mover| Boundary::new(&geometry, rules, mover, tables);
            let boundaries = [boundary(!attacker)?, boundary(attacker)?];
            let wins = wins(&geometry, attacker, boundaries, self.width, self.byte_holds)?;
            Ok::<_, SolveError>(Some(wins))
        };
        let white_wins = solve_side(Side::White)?;
        let black_wins = solve_side(Side::Black)?;
        let white = gather(&geometry, Side::White, white_wins.as_ref(), black_wins.as_ref())?;
        let black = match material.is_symmetric() {
            true => None,
            false => {
                Some(gather(&geometry, Side::Black, black_wins.as_ref(), white_wins.as_ref())?)
            }
        };
        Ok(Table::new(index, white, black))
    }
}

/// The values of `side` to move, in the order of the index: its own wins and those of the
/// other side.
///
/// Slots that are no legal position repeat the code before them, which compresses best.
fn gather(
    geometry: &Geometry,
    side: Side,
    own: Option<&Wins>,
    other: Option<&Wins>,
) -> io::Result<Values> {
    let (won, lost) = (own.map(|wins| &wins.won), other.map(|wins| &wins.lost));
    let coding = Coding {
        wins: own.and_then(|wins| wins.longest[0]).unwrap_or_default(),
        losses: other.and_then(|wins| wins.longest[1]),
    };
    let width = coding.width();
    // A byte of a record is then a code, but for losses coming after the wins.
    let bytes_are_codes = width == 1 && won.into_iter().chain(lost).all(Record::is_short);
    let index = &geometry.index;
    let per_pair = index.slots_per_pair() as usize * width;
    let mut codes = Buffer::<u8>::zeroed(index.kings().len() * per_pair)?;
    codes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, codes)| {
        let first = pair as u64 * index.slots_per_pair();
        let number = KingPair(pair as u16);
        for outer in 0..geometry.planes_per_pair() {
            let spot = geometry.spot(number, outer);
            let legal = legal_slots(geometry, &spot, side);
            for_each_row(geometry, &spot, |slot, row, columns| {
                let start = (slot - first) as usize * width;
                let row_codes = &mut codes[start..start + columns.len() * width];
                if bytes_are_codes && let Some(columns) = run(columns) {
                    if let Some(won) = won {
                        row_codes.copy_from_slice(&won.row(pair, outer, row)[columns.clone()]);
                    }
                    if let Some(lost) = lost {
                        let lost = &lost.row(pair, outer, row)[columns];
                        for (code, &byte) in row_codes.iter_mut().zip(lost) {
                            *code |= if byte == 0 { 0 } else { byte + coding.wins.0 as u8 };
                        }
                    }
                } else {
                    for (code, column) in row_codes.chunks_exact_mut(width).zip(columns) {
                        let at = |record: &Record| record.get(pair, outer, row, column.index());
                        let value = won.and_then(at).map(Value::Win);
                        let value = value.or_else(|| lost.and_then(at).map(Value::Loss));
                        let number = coding.encode(value.unwrap_or(Value::Draw)).unwrap_or(0);
                        code.copy_from_slice(&number.to_le_bytes()[..width]);
                    }
                }
                let illegal = columns.iter().enumerate();
                for (place, _) in illegal.filter(|(_, c)| legal.0[row] >> c.index() & 1 == 0) {
                    let at = start + place * width;
                    match at.checked_sub(width) {
                        Some(before) => codes.copy_within(before..at, at),
                        None => codes[at..at + width].fill(0),
                    }
                }
            });
        }
    });
    Ok(Values::new(coding, Bytes::from_owner(codes)))
}

/// The indices of squares that follow one another, nothing where they do not.
fn run(squares: &[Square]) -> Option<Range<usize>> {
    let (first, last) = (squares.first()?.index(), squares.last()?.index());
    (last - first + 1 == squares.len()).then_some(first..last + 1)
}

/// Calls `visit` with each row of a plane, as far as the index has it (pawns on their
/// ranks, of like men one order only): the first slot in the index, the row, the columns.
fn for_each_row(geometry: &Geometry, spot: &Spot, mut visit: impl FnMut(u64, usize, &[Square])) {
    let index = &geometry.index;
    let outer = geometry.outer().len();
    let mut squares = [spot.kings[0]; MAX_OTHERS];
    squares[..outer].copy_from_slice(&spot.outer[..outer]);
    if geometry.row().is_none() {
        // All rows are alike; the index knows of none.
        visit_row(index, &spot.kings, &squares, 0, 0, &mut visit);
        return;
    }
    for &row in places_below(index, &squares, outer) {
        squares[outer] = row;
        visit_row(index, &spot.kings, &squares, outer + 1, row.index(), &mut visit);
    }
}

/// The squares for a man that come before those of the like men before it, since of like
/// men the slower stands on the higher place.
fn places_below<'a>(index: &'a Index, squares: &[Square], man: usize) -> &'a [Square] {
    let found = index.groups().iter().find(|group| group.first + group.count > man);
    let Some(group) = found else { return &[] };
    let before = squares[group.first..man].iter();
    let lowest = before.map(|&square| group.place(square).unwrap_or(0)).min();
    &group.places()[..lowest.unwrap_or(group.places().len())]
}

/// Calls `visit` for one row.
fn visit_row(
    index: &Index,
    kings: &[Square; 2],
    squares: &[Square; MAX_OTHERS],
    column: usize,
    row: usize,
    visit: &mut impl FnMut(u64, usize, &[Square]),
) {
    let places = places_below(index, squares, column);
    let Some(&lowest) = places.first() else { return };
    let mut squares = *squares;
    squares[column] = lowest;
    let Some(first) = index.slot(&Placement { kings: *kings, men: squares }) else { return };
    visit(first.0, row, places);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::HashMap;

    fn solved(names: &[&str], solver: Solver) -> HashMap<Material, Arc<Table>> {
        let rules = &MAKRUK.rules;
        let materials = names.iter().map(|name| name.parse().unwrap());
        let mut tables = HashMap::new();
        for material in Material::closure(materials, rules) {
            let smaller = |material| tables.get(&material).cloned();
            let table = solver.solve(material, rules, &smaller).unwrap();
            tables.insert(material, Arc::new(table));
        }
        tables
    }

    fn assert_same(one: &HashMap<Material, Arc<Table>>, other: &HashMap<Material, Arc<Table>>) {
        assert_eq!(one.len(), other.len());
        for (material, table) in one {
            for side in Side::BOTH {
                assert!(table.values(side) == other[material].values(side), "{material}");
            }
        }
    }

    const SOME: [&str; 4] = ["KPvKM", "KRRvK", "KRvKN", "KSPvK"];

    #[test]
    fn distances_too_long_for_a_byte_are_kept() {
        let few = Solver { byte_holds: Moves(3), ..Solver::default() };
        assert_same(&solved(&SOME, Solver::default()), &solved(&SOME, few));
    }

    #[test]
    fn all_registers_and_numbers_of_threads_give_the_same() {
        let widest = solved(&SOME, Solver::default());
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_same(&widest, &one_thread.install(|| solved(&SOME, Solver::default())));
        for width in Width::all_here() {
            assert_same(&widest, &solved(&SOME, Solver { width, ..Solver::default() }));
        }
    }

    #[test]
    fn a_missing_smaller_table_is_named() {
        let solved = Solver::default().solve("KPvK".parse().unwrap(), &MAKRUK.rules, &|_| None);
        let error = solved.unwrap_err();
        assert_eq!(error.to_string(), "KPvK needs the table of KMvK, which is not there");
    }
}
