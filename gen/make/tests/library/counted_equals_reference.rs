//! Counted distances compared with a reference that has the clock in its state, on every slot and
//! every legal position, under every counting rule.
//!
//! The reference finds the numbers of moves left with which each state is won. The number in the
//! table must be the least of them for one attacker, and the other attacker must have none; then
//! both agree on every number of moves left. Against a bare king without pawns there is no
//! counted table, and the distance to mate is compared.
//!
//! By default the tests compare all materials of three men, and some of four. `SAKMAK_ALL=1`
//! compares all of four men, and three of five men whose subtables are those of the plane
//! solver. Run with `--release`: a material of four men takes half a minute of one core.

use crate::right_tables::all;
use crate::solved::SOLVED;
use rayon::prelude::*;
use sakmak_oracle::compare::compare;
use sakmak_oracle::counted_reference::{CountedReference, MaterialMoves};
use sakmak_tables::counting::{CountingRule, Party};
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, MAKRUK};
use std::collections::HashMap;
use std::sync::Arc;

/// Compares a material, solved by definition, with its table. If both equal those of a counting
/// rule compared before, nothing is left to compare.
fn compare_one<'a>(
    material: Material,
    (reference, table): (&'a CountedReference, &Arc<Table>),
    before: impl IntoIterator<Item = (&'a CountedReference, &'a Arc<Table>)>,
) {
    let name = format!("{material}, {}", reference.counting_rule().name);
    if variants::counted_by(reference.counting_rule()).refuses(material) {
        println!("{name}: refused");
        return;
    }
    let same = |(other, others): &(&CountedReference, &Arc<Table>)| {
        let values = |side: Side| table.values(side) == others.values(side);
        reference.shares(other, material) && Side::BOTH.into_iter().all(values)
    };
    if let Some((other, _)) = before.into_iter().find(same) {
        println!("{name}: as {}", other.counting_rule().name);
        return;
    }
    match compare(table, reference) {
        Ok(compared) => {
            println!("{name}: {} slots, {} positions", compared.slots, compared.positions);
            assert!(0 < compared.slots && compared.slots < compared.positions);
        }
        Err(difference) => panic!("{name}: {difference}"),
    }
}

/// The counting rules that have tables of counted distance by the rules of Makruk.
fn counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    let is_of_makruk = |rule: &&'static CountingRule| Metric::Counted(rule).is_of(&MAKRUK.rules);
    variants::counting_rules().filter(is_of_makruk)
}

/// Compares these materials and all they lead to, everything solved by definition.
fn compare_all(materials: impl IntoIterator<Item = Material>) {
    let mut references: Vec<CountedReference> =
        counting_rules().map(CountedReference::new).collect();
    let mut materials = Material::closure(materials, &MAKRUK.rules);
    while !materials.is_empty() {
        let material = materials.remove(0);
        let links = MaterialMoves::new(material, &MAKRUK).unwrap();
        references.iter_mut().for_each(|reference| reference.solve(&links).unwrap());
        let table = |reference: &CountedReference| {
            let metric = Metric::Counted(reference.counting_rule());
            SOLVED.table(TableName::deciding(material, metric)).unwrap()
        };
        let tables: Vec<Arc<Table>> = references.iter().map(table).collect();
        for (at, (reference, table)) in references.iter().zip(&tables).enumerate() {
            compare_one(material, (reference, table), references.iter().zip(&tables).take(at));
        }
        // They are large: drop those that no remaining material leads to.
        let needed: Vec<Material> =
            materials.iter().flat_map(|material| material.successors(&MAKRUK.rules)).collect();
        references.iter_mut().for_each(|reference| reference.forget_all_but(&needed));
    }
}

/// The value that one of these tables holds for a position; `None` if none is of its material.
fn held(position: &Position, tables: &[Arc<Table>]) -> Option<Value> {
    let OrientedMaterial { material, flipped } = position.material();
    if material == Material::BARE_KINGS {
        return Some(Value::Draw);
    }
    let table = tables.iter().find(|table| table.index().material() == material)?;
    let Address { side, slot } = Address::of(position, flipped, table.index())?;
    table.value(side, slot)
}

/// Compares a material, given the tables that it leads to.
fn compare_given(name: &str) -> Vec<(CountedReference, Arc<Table>)> {
    let links = MaterialMoves::new(name.parse().unwrap(), &MAKRUK).unwrap();
    let mut compared: Vec<(CountedReference, Arc<Table>)> = Vec::new();
    for counting_rule in counting_rules() {
        let name = TableName::deciding(links.material, Metric::Counted(counting_rule));
        let table = SOLVED.table(name).unwrap();
        let smaller = name.successors(&MAKRUK.rules).into_iter();
        let smaller: Vec<Arc<Table>> = smaller.map(|name| SOLVED.table(name).unwrap()).collect();
        let mut reference = CountedReference::new(counting_rule);
        let given = |position: &Position| held(position, &smaller);
        reference.solve_given(&links, &given).unwrap();
        let before = compared.iter().map(|(reference, table)| (reference, table));
        compare_one(links.material, (&reference, &table), before);
        compared.push((reference, table));
    }
    compared
}

#[test]
fn all_of_three_men() {
    compare_all(Material::all_of(3));
}

#[test]
#[ignore = "long: part of the full tests"]
fn four_men() {
    if all() {
        compare_all(Material::all_of(4));
    } else {
        compare_given("KRvKM");
        let to_mate = SOLVED.table("KRvKP".parse().unwrap()).unwrap();
        for (reference, _) in compare_given("KRvKP") {
            compare(&to_mate, &reference).unwrap_err();
        }
    }
}

#[test]
fn five_men() {
    if all() {
        for name in ["KPPvKP", "KPPPvK", "KMPvKP"] {
            compare_given(name);
        }
    }
}

/// `rules.md` section 3: K+S+M v K, Makruk, has 40 moves with the runner to move and 41
/// with the attacker to move; of 10,438,976 positions won with White to move 10,160,936 are
/// won within 41 moves (Tudsuan and Thanatipanonda).
#[test]
fn khon_and_met_have_forty_moves_or_forty_one() {
    if !all() {
        return;
    }
    let makruk = variants::counting_rule("makruk").unwrap();
    let mut reference = CountedReference::new(makruk);
    for name in ["KSvK", "KMvK", "KSMvK"] {
        reference.solve(&MaterialMoves::new(name.parse().unwrap(), &MAKRUK).unwrap()).unwrap();
    }
    // Side to move, distance, and whether a count that starts here leaves that many moves.
    let state = |(position, value): (Position, Value)| {
        let clock = position.counted_by(makruk).fresh_clock().unwrap();
        let party = match position.side() {
            Side::White => Party::Attacker,
            Side::Black => Party::Runner,
        };
        let number = value.moves()?;
        let won = reference.least(&position, Side::White)?.is_won(clock.moves_left(party));
        Some((position.side(), number.0, won))
    };
    let positions = reference.positions("KSMvK".parse().unwrap()).filter_map(state);
    let empty = HashMap::<(Side, u32, bool), u64>::new;
    let counts = positions
        .fold(empty, |mut counts, state| {
            *counts.entry(state).or_default() += 1;
            counts
        })
        .reduce(empty, |mut counts, other| {
            other.into_iter().for_each(|(state, count)| *counts.entry(state).or_default() += count);
            counts
        });
    for (side, most) in [(Side::Black, 40), (Side::White, 41)] {
        let count = |moves: u32, won: bool| counts.get(&(side, moves, won)).copied().unwrap_or(0);
        assert!(count(most, true) > 0 && count(most, false) == 0, "{side:?}");
        assert!(count(most + 1, true) == 0 && count(most + 1, false) > 0, "{side:?}");
    }
    let white = |won: bool| {
        let counts = counts.iter().filter(|(state, _)| state.0 == Side::White && state.2 == won);
        counts.map(|(_, count)| count).sum::<u64>()
    };
    assert_eq!((white(true), white(true) + white(false)), (10_160_936, 10_438_976));
}
