//! The list of positions that Rust, C and Python all look up, here from Rust.

use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_position_is_answered_as_from_c_and_python() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../probe/tests/data");
    let directory = tempfile::tempdir().unwrap();
    let mut made = Command::new(data.join("tables.sh"));
    made.arg(env!("CARGO_BIN_EXE_sakmak")).arg(directory.path());
    let made = made.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

    let tables = Tablebase::open(directory.path()).unwrap();
    let text = fs::read_to_string(data.join("positions.tsv")).unwrap();
    let mut rows = 0;
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [fen, counting, category, plies, counted_moves, in_time, best] = fields[..] else {
            panic!("{row}");
        };
        let counting_rule = variants::counting_rule(counting).unwrap();
        let position = Position::from_fen_counted(counting_rule, fen).unwrap();
        assert_eq!(tables.category(&position).unwrap().name(), category, "{row}");

        let number = |text: &str| (text != "-").then(|| text.parse::<u32>().unwrap());
        let values = tables.values(&position).unwrap();
        assert_eq!(values.mate.plies(), number(plies).map(Plies), "{row}");
        assert_eq!(values.counted.moves(), number(counted_moves).map(Moves), "{row}");
        let mate = tables.mate_in_time(&position).unwrap();
        assert_eq!(mate.and_then(Value::plies), number(in_time).map(Plies), "{row}");
        let found = tables.best_move(&position).unwrap();
        let found = found.map_or("-".to_string(), |found| found.uci.to_string());
        assert_eq!(found, best, "{row}");
        rows += 1;
    }
    assert!(rows > 100);
}
