//! The frozen set of endings: its results and moves, with fresh tables.

use crate::right_tables::all;
use sakmak_make::store::solve_on_the_spot;
use sakmak_probe::Tablebase;
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use serde_json::Value as Json;

const ENDINGS: &str = include_str!("../../../../probe/engines/endings/endings.jsonl");

/// Checks the endings of at most this many men, at every n-th of them.
fn check(men: usize, step: usize) {
    let tables = solve_on_the_spot(Tablebase::new(), men);
    let mut checked = 0;
    for line in ENDINGS.lines().step_by(step) {
        let ending: Json = serde_json::from_str(line).unwrap();
        let text = |field: &str| ending[field].as_str().unwrap();
        let rule = variants::counting_rule(text("counting")).unwrap();
        let position = Position::from_fen_counted(rule, text("fen")).unwrap();
        if position.occupied().len() > men {
            continue;
        }
        assert_eq!(tables.category(&position).unwrap().name(), text("category"), "{position}");
        assert_eq!(tables.dtm(&position).unwrap().signed_plies(), ending["dtm"].as_i64());
        let result = tables.category(&position).unwrap().wdl();
        for rated in tables.moves(&position).unwrap() {
            let field = if rated.category.wdl() == result { "keep" } else { "lose" };
            let uci = Json::from(rated.mv.uci(position.variant()));
            assert!(ending[field].as_array().unwrap().contains(&uci), "{position} {uci}");
        }
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn frozen_endings_are_right() {
    check(3, 1);
}

#[test]
#[ignore = "long: part of the full tests"]
fn frozen_endings_of_four_men_are_right() {
    check(4, if all() { 1 } else { 23 });
}
