//! Chess: its tables compared with the slow solver and with Syzygy, double steps and captures in
//! passing included.

use crate::right_tables::{all, assert_right};
use rayon::prelude::*;
use sakmak_make::store::{TableStore, solve_on_the_spot};
use sakmak_probe::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, CHESS};

/// Three and four men: the FEN, the material, the result for the side to move, and the plies to a
/// capture or a move of a pawn.
const SYZYGY: &str = include_str!("../data/chess/syzygy.tsv");

#[test]
fn three_men_are_right() {
    assert_right(&CHESS, Material::all_of(3), |_, _| ());
}

#[test]
#[ignore = "long: part of the full tests"]
fn pawns_are_right() {
    let materials: Vec<Material> = match all() {
        true => Material::all_of(4),
        false => ["KPvKP", "KPPvK"].map(|name| name.parse().unwrap()).to_vec(),
    };
    assert_right(&CHESS, materials, |_, _| ());
}

/// Material, longest win with White to move and with Black to move, in moves.
const LONGEST: &str = include_str!("../data/chess/longest.tsv");

#[test]
fn longest_mates_are_as_published() {
    let store = TableStore::in_memory(&CHESS.rules);
    let lines = LONGEST.lines().filter(|line| !line.starts_with('#'));
    // scripts/longest-mates.sh compares those of five men.
    let small = lines.filter(|line| line.split_once('\t').unwrap().0.len() <= 5);
    let mut compared = 0;
    for line in small {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, white, black] = fields[..] else { panic!("three fields: {line}") };
        let table = store.table(TableName::read(name, &CHESS.letters).unwrap()).unwrap();
        let longest = |side| {
            let slots = (0..table.index().slots()).into_par_iter();
            let moves = |slot| match table.value(side, Slot(slot)) {
                Some(Value::Win(Moves(moves))) => moves,
                _ => 0,
            };
            slots.map(moves).max().unwrap().to_string()
        };
        assert_eq!(longest(Side::White), white, "{name}");
        // A table of equal pieces has White to move only.
        let other = Table::sides(table.index()).get(1).copied().unwrap_or(Side::White);
        assert_eq!(longest(other), black, "{name}");
        compared += 1;
    }
    assert_eq!(compared, 35);
}

#[test]
fn results_are_those_of_syzygy() {
    let tables = solve_on_the_spot(Tablebase::new(), 4);
    let mut in_passing = 0;
    for line in SYZYGY.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, _, result, _] = fields[..] else { panic!("four fields: {line}") };
        let position = Position::from_fen(&CHESS, fen).unwrap();
        in_passing += usize::from(position.en_passant().is_some());
        // Distance to mate knows no fifty-move rule.
        let expected = match result.parse::<i32>().unwrap() {
            0 => Wdl::Draw,
            win if win > 0 => Wdl::Win,
            _ => Wdl::Loss,
        };
        assert_eq!(tables.dtm(&position).map(|value| value.wdl()).ok(), Some(expected), "{fen}");
    }
    assert_eq!(in_passing, 400);
}

#[test]
fn results_under_the_fifty_move_rule_are_those_of_syzygy() {
    let tables = solve_on_the_spot(Tablebase::new(), 4);
    let fifty_moves = variants::counting_rule("fifty-moves").unwrap();
    let mut compared = 0;
    for line in SYZYGY.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, material, result, plies] = fields[..] else { panic!("four fields: {line}") };
        if material.contains(['P', 'p']) {
            continue;
        }
        let position = Position::from_fen_counted(fifty_moves, fen).unwrap();
        let [result, plies] = [result, plies].map(|number| number.parse::<i32>().unwrap());
        let category = Category::ALL[usize::try_from(result + 2).unwrap()];
        assert_eq!(tables.category(&position).ok(), Some(category), "{fen}");
        // Syzygy rounds some numbers to whole moves.
        let counted = tables.counted(&position).unwrap().moves().unwrap_or_default();
        assert!(counted.0.abs_diff(plies.unsigned_abs()) <= 1, "{fen}: {counted} {plies}");
        compared += 1;
    }
    assert_eq!(compared, 600);
}
