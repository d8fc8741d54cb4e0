//! Solves a material with planes and gathers its table.

use super::boundary::MissingTable;
use super::geometry::Geometry;
use super::layers::{Wins, wins};
use super::record::Record;
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
use std::sync::Arc;

/// Why a material could not be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// Bare kings need no table.
    #[error("{0} has no table: two bare kings always draw")]
    BareKings(Material),
    /// A smaller table is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
}

/// Solves a material; `tables` gives the tables of the materials it leads to.
pub fn solve(
    material: Material,
    rules: &Rules,
    tables: &dyn Fn(Material) -> Option<Arc<Table>>,
) -> Result<Table, SolveError> {
    solve_with(material, rules, Record::BYTE_HOLDS, tables)
}

/// As [`solve`], with distances beyond `byte_holds` kept beside the bytes.
fn solve_with(
    material: Material,
    rules: &Rules,
    byte_holds: Moves,
    tables: &dyn Fn(Material) -> Option<Arc<Table>>,
) -> Result<Table, SolveError> {
    if material == Material::BARE_KINGS {
        return Err(SolveError::BareKings(material));
    }
    let index = Index::new(material, rules);
    let geometry = Geometry::new(index.clone(), rules);
    let mut by_side = Vec::new();
    for attacker in Side::BOTH {
        let wins = match material.army(attacker).is_empty() {
            true => None,
            false => Some(wins(&geometry, rules, attacker, byte_holds, tables)?),
        };
        by_side.push(wins);
    }
    let gathered = |side: Side| {
        let (own, other) = (&by_side[side.index()], &by_side[(!side).index()]);
        gather(&geometry, own.as_ref(), other.as_ref())
    };
    let black = (!material.is_symmetric()).then(|| gathered(Side::Black));
    let white = gathered(Side::White);
    Ok(Table::new(index, white, black))
}

/// The values of one side to move, in the order of the index: its own wins and those of
/// the other side.
fn gather(geometry: &Geometry, own: Option<&Wins>, other: Option<&Wins>) -> Values {
    let coding = Coding {
        wins: own.and_then(|wins| wins.longest[0]).unwrap_or_default(),
        losses: other.and_then(|wins| wins.longest[1]),
    };
    let width = coding.width();
    let index = &geometry.index;
    let per_pair = index.slots_per_pair() as usize * width;
    let mut codes = vec![0u8; index.kings().len() * per_pair];
    codes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, codes)| {
        let records = (own.map(|wins| &wins.won[pair]), other.map(|wins| &wins.lost[pair]));
        let value = |plane: usize, row: usize, column: usize| {
            let won = records.0.and_then(|won| won.get(plane, row, column)).map(Value::Win);
            let lost = || records.1.and_then(|lost| lost.get(plane, row, column));
            won.or_else(|| lost().map(Value::Loss)).unwrap_or(Value::Draw)
        };
        let pair = KingPair(pair as u16);
        let first = u64::from(pair.0) * index.slots_per_pair();
        for plane in 0..geometry.planes_per_pair() {
            for_each_slot(geometry, pair, plane, |slot, row, column| {
                let code = coding.encode(value(plane, row, column)).unwrap_or(0);
                let place = (slot - first) as usize * width;
                codes[place..place + width].copy_from_slice(&code.to_le_bytes()[..width]);
            });
        }
    });
    Values::new(coding, codes)
}

/// Calls `visit` with the slot of the index, row and column of all slots of a plane that
/// the index has: pawns on their ranks, of like men one order only.
fn for_each_slot(
    geometry: &Geometry,
    pair: KingPair,
    plane: usize,
    mut visit: impl FnMut(u64, usize, usize),
) {
    let index = &geometry.index;
    let spot = geometry.spot(pair, plane);
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

/// Calls `visit` for the slots of one row.
fn visit_row(
    index: &Index,
    kings: &[Square; 2],
    squares: &[Square; MAX_OTHERS],
    column: usize,
    row: usize,
    visit: &mut impl FnMut(u64, usize, usize),
) {
    let places = places_below(index, squares, column);
    let Some(&lowest) = places.first() else { return };
    let mut squares = *squares;
    squares[column] = lowest;
    let Some(first) = index.slot(&Placement { kings: *kings, men: squares }) else { return };
    for (number, place) in (0..).zip(places) {
        visit(first.0 + number, row, place.index());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::HashMap;

    fn solved(names: &[&str], byte_holds: Moves) -> HashMap<Material, Arc<Table>> {
        let rules = &MAKRUK.rules;
        let materials = names.iter().map(|name| name.parse().unwrap());
        let mut tables = HashMap::new();
        for material in Material::closure(materials, rules) {
            let smaller = |material| tables.get(&material).cloned();
            let table = solve_with(material, rules, byte_holds, &smaller).unwrap();
            tables.insert(material, Arc::new(table));
        }
        tables
    }

    #[test]
    fn distances_too_long_for_a_byte_are_kept() {
        let (all, few) = (solved(&["KPvKM"], Record::BYTE_HOLDS), solved(&["KPvKM"], Moves(3)));
        for (material, table) in &all {
            for side in Side::BOTH {
                assert_eq!(table.values(side), few[material].values(side), "{material}");
            }
        }
    }

    #[test]
    fn a_missing_smaller_table_is_named() {
        let error = solve("KPvK".parse().unwrap(), &MAKRUK.rules, &|_| None).unwrap_err();
        assert_eq!(error.to_string(), "KPvK needs the table of KMvK, which is not there");
    }
}
