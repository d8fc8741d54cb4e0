//! The plane solver compared with the reference solver, on every slot and every legal position.
//!
//! The tests compare all materials of three men, and some of four men with all they depend on;
//! together these have every piece on each side, every kind of capture and promotion, and both
//! symmetries of the board. `SAKMAK_ALL=1` compares all 35 materials of up to four men. Run with
//! `--release`: the reference solver generates the moves of up to 33 million positions for a
//! material.

use crate::right_tables::all;
use crate::solved::SOLVED;
use sakmak_oracle::compare::compare;
use sakmak_oracle::reference::Reference;
use sakmak_tables::distance::Value;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Values;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;

/// Materials of four men compared by default; they lead to four more.
const FOUR: [&str; 5] = ["KRvKR", "KNvKS", "KSvKM", "KPvKP", "KPPvK"];

/// Compares these materials and all they depend on.
fn compare_all(materials: impl IntoIterator<Item = Material>) {
    let mut reference = Reference::new(&MAKRUK);
    for material in Material::closure(materials, &MAKRUK.rules) {
        reference.solve(material).unwrap();
        match compare(&SOLVED.table(TableName::to_mate(material)).unwrap(), &reference) {
            Ok(compared) => {
                println!("{material}: {} slots, {} positions", compared.slots, compared.positions);
                assert!(0 < compared.slots && compared.slots < compared.positions);
            }
            Err(difference) => panic!("{material}: {difference}"),
        }
    }
}

#[test]
fn all_of_three_men() {
    compare_all(Material::all_of(3));
}

#[test]
#[ignore = "long: part of the full tests"]
fn four_men_with_every_piece_on_each_side() {
    if all() {
        compare_all(Material::all_of(4));
    } else {
        compare_all(FOUR.map(|name| name.parse().unwrap()));
    }
}

#[test]
fn a_wrong_value_is_a_difference() {
    let mut reference = Reference::new(&MAKRUK);
    let material: Material = "KRvK".parse().unwrap();
    reference.solve(material).unwrap();
    let table = SOLVED.table(TableName::to_mate(material)).unwrap();
    let white = table.values(Side::White).unwrap();
    // Every legal position with White to move is a win, so no win at all is wrong everywhere.
    let draws = Values::new(white.coding(), vec![0; white.codes().len()]);
    let wrong = Table::new(table.index().clone(), draws, table.values(Side::Black).cloned());
    let difference = compare(&wrong, &reference).unwrap_err();
    assert_eq!(difference.table, Some(Value::Draw));
    let position = Position::from_fen(&MAKRUK, &difference.position).unwrap();
    assert_eq!(reference.value(&position), Some(difference.reference));
}
