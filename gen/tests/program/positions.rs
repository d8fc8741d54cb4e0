//! The list of positions that Rust, C and Python all look up, here from Rust, by `probe --json`
//! and over HTTP.

use crate::sakmak::{command, directory};
use crate::served::Served;
use sakmak_probe::LookupBudget;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The most positions in one request.
const MOST: usize = 100;

/// A row of the list.
struct Row {
    fen: String,
    counting: String,
    category: String,
    plies: Option<u32>,
    counted: Option<u32>,
    mate_in_time: Option<u32>,
    best: Option<String>,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../probe/tests/data")
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(data().join("positions.tsv")).unwrap();
    let row = |row: &str| {
        let fields: Vec<&str> = row.split('\t').collect();
        let [fen, counting, category, plies, counted, in_time, best] = fields[..] else {
            panic!("{row}");
        };
        let [fen, counting, category] = [fen, counting, category].map(str::to_string);
        let number = |text: &str| (text != "-").then(|| text.parse::<u32>().unwrap());
        let [plies, counted, mate_in_time] = [plies, counted, in_time].map(number);
        let best = (best != "-").then(|| best.to_string());
        Row { fen, counting, category, plies, counted, mate_in_time, best }
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// The answers of `probe --json` for positions under a counting rule.
fn probed(tables: &Path, counting: &str, fens: &[&str]) -> Vec<Json> {
    let variant = variants::counted_by(variants::counting_rule(counting).unwrap()).name;
    let rules = ["--variant", variant, "--counting", counting, "--tables"];
    let mut command = command([&["probe", "-", "--json"][..], &rules].concat());
    let command = command.arg(tables).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = fens.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
#[ignore = "long: part of the full tests"]
fn every_position_is_answered_as_from_c_and_python() {
    let directory = directory();
    let mut made = Command::new(data().join("tables.sh"));
    made.arg(env!("CARGO_BIN_EXE_sakmak")).arg(directory.path());
    let made = made.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

    let tables = Tablebase::open(directory.path()).unwrap();
    let rows = rows();
    assert!(rows.len() > 100);
    for Row { fen, counting, category, plies, counted, mate_in_time, best } in &rows {
        let counting_rule = variants::counting_rule(counting).unwrap();
        let position = Position::from_fen_counted(counting_rule, fen).unwrap();
        assert_eq!(tables.category(&position).unwrap().name(), category, "{fen}");
        let values = tables.values(&position).unwrap();
        assert_eq!(values.dtm.plies(), plies.map(Plies), "{fen}");
        assert_eq!(values.counted.moves(), counted.map(Moves), "{fen}");
        let mate = tables.searching(LookupBudget::THOROUGH).mate_in_time(&position).unwrap();
        assert_eq!(mate.and_then(Value::plies), mate_in_time.map(Plies), "{fen}");
        let found = tables.searching(LookupBudget::THOROUGH).best_move(&position).unwrap();
        assert_eq!(found.map(|found| found.mv.uci(position.variant())), *best, "{fen}");
    }

    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    for counting in ["makruk", "makruk-khon-first", "ouk", "ouk-traditional", "kar-ouk"] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.counting == counting).collect();
        let variant = variants::counted_by(variants::counting_rule(counting).unwrap()).name;
        for rows in rows.chunks(MOST) {
            let fens: Vec<&str> = rows.iter().map(|row| &*row.fen).collect();
            // One by one: all positions of a list search together as much as one.
            let answer = |fen: &&str| {
                let body = json!({"fens": [fen], "counting": counting, "mate_in_time": true});
                service.post(&format!("/{variant}"), &body).json(200)[0].take()
            };
            let answers: Vec<_> = fens.iter().map(answer).collect();
            let probed = probed(directory.path(), counting, &fens);
            assert_eq!([answers.len(), probed.len()], [rows.len(); 2]);
            for ((http, probed), row) in answers.iter().zip(&probed).zip(rows) {
                assert_eq!(http["category"], *row.category, "{}", row.fen);
                assert_eq!(http, probed);
            }
        }
    }
}
