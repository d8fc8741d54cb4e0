//! The atlas: its pages, and that its data equals `sakmak stats`.

use crate::sakmak::{ProgramRun, directory, files, generated, sakmak, sakmak_with};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use sakmak_gen::output::solved::{WriteOptions, write};
use sakmak_tables::index::Index;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

const THREE: [&str; 5] = ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK"];
const COUNTINGS: [&str; 2] = ["makruk", "ouk"];

fn report(tables: &Path, atlas: &Path, threads: &str) -> ProgramRun {
    let [tables, atlas] = [tables, atlas].map(|path| path.to_str().unwrap());
    sakmak(["report", tables, "-o", atlas, "--threads", threads])
}

/// The rows of the overview by material and counting rule: column names to cells.
fn rows(atlas: &Path) -> BTreeMap<(String, String), BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(atlas.join("overview.csv")).unwrap();
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    rows.map(|row| ((row["material"].clone(), row["counting"].clone()), row)).collect()
}

fn page(atlas: &Path, name: &str) -> String {
    std::fs::read_to_string(atlas.join(name)).unwrap()
}

#[test]
fn the_atlas_is_what_the_statistics_are() {
    let tables = generated(&["3"]);
    let place = directory();
    // The directory is created with its parents.
    let atlas = &place.path().join("of/three");
    let printed = report(tables.path(), atlas, "3").printed();
    assert_eq!(printed, format!("5 materials in {}\n", atlas.join("index.html").display()));
    let rows = rows(atlas);
    assert_eq!(rows.len(), THREE.len() * COUNTINGS.len());
    for material in THREE {
        let data: Json =
            serde_json::from_str(&page(atlas, &format!("data/{material}.json"))).unwrap();
        assert_eq!(data["material"], material);
        for (place, counting) in COUNTINGS.into_iter().enumerate() {
            let arguments = ["stats", material, "--counting", counting, "--json"];
            let stats = sakmak_with(tables.path(), &arguments).json();
            assert_eq!(data["countings"][place], stats);
            let row = &rows[&(material.to_string(), counting.to_string())];
            for (side, attack) in [("white", "white_attacking"), ("black", "black_attacking")] {
                let attack = &stats[attack];
                let [won, in_time, late] = ["won", "won_in_time", "lost_to_the_clock"]
                    .map(|name| row[&format!("{side}_{name}")].parse::<u64>().unwrap());
                assert_eq!(
                    (json!(won), json!(in_time)),
                    (attack["won"].clone(), attack["won_in_time"].clone())
                );
                assert_eq!(won, in_time + late);
            }
        }
    }
    let rook = &rows[&("KRvK".to_string(), "makruk".to_string())];
    let cells = ["white_limit", "white_moves_white_to_move", "white_moves_black_to_move"];
    assert_eq!(cells.map(|name| &*rook[name]), ["16", "14", "13"]);
    assert_eq!((&*rook["white_longest_mate"], &*rook["white_in_time"]), ("16", "sometimes"));

    // Any number of threads, and a second run, write the same bytes.
    let other = place.path().join("other");
    report(tables.path(), &other, "1").printed();
    report(tables.path(), &other, "2").printed();
    for below in ["", "data"] {
        let of = |atlas: &Path| -> BTreeMap<String, Vec<u8>> {
            let found = std::fs::read_dir(atlas.join(below)).unwrap().map(Result::unwrap);
            let files = found.filter(|entry| entry.file_type().unwrap().is_file());
            let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().unwrap();
            files.map(|entry| (name(&entry), std::fs::read(entry.path()).unwrap())).collect()
        };
        assert_eq!(of(atlas).keys().collect::<Vec<_>>(), of(&other).keys().collect::<Vec<_>>());
        assert!(of(atlas) == of(&other), "one thread and three");
    }
    assert_eq!(files(&atlas.join("data")).len(), THREE.len());
}

#[test]
fn parquet_holds_what_csv_does() {
    let tables = generated(&["KRvK", "KPvK"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let file =
        SerializedFileReader::new(File::open(place.path().join("overview.parquet")).unwrap());
    let written = rows(place.path());
    let mut read = 0;
    for row in file.unwrap().get_row_iter(None).unwrap().map(Result::unwrap) {
        let cells: BTreeMap<String, String> = row
            .get_column_iter()
            .map(|(name, field)| {
                let text = match field {
                    Field::Null => String::new(),
                    Field::Str(text) => text.clone(),
                    Field::Long(number) => number.to_string(),
                    other => panic!("{other}"),
                };
                (name.clone(), text)
            })
            .collect();
        assert_eq!(cells, written[&(cells["material"].clone(), cells["counting"].clone())]);
        read += 1;
    }
    assert_eq!((read, written.len()), (6, 6));
}

#[test]
fn pages_lead_to_one_another_and_to_no_network() {
    let tables = generated(&["KRvK", "KMvK"]);
    let place = directory();
    let atlas = place.path();
    report(tables.path(), atlas, "2").printed();
    for (name, bytes) in files_of(atlas) {
        let text = String::from_utf8_lossy(&bytes).replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http:") && !text.contains("https:"), "{name}");
        // Linked files exist.
        for link in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let inside =
                link.starts_with('#') || link.starts_with("data:,") || link.starts_with('$');
            assert!(inside || atlas.join(link).is_file(), "{name} {link}");
        }
    }
    for index in ["index.html", "ouk.html"] {
        let index = page(atlas, index);
        assert!(index.contains("<a href=\"KRvK.html\">KRvK</a>"));
        assert!(index.contains("94.43 %"));
    }
    let rook = page(atlas, "KRvK.html");
    for said in [
        "White's longest win: mate in 16",
        "White's longest win in time, Makruk: mate in 14",
        "krkopt",
        "27 78 246 81 198 471 592 683 1,433 1,712 1,985 2,854 3,597 4,194 4,553 2,166 390",
    ] {
        assert!(rook.contains(said), "{said}");
    }
    let published = page(atlas, "published.html");
    for page in [&rook, &published] {
        assert_eq!(page.matches("the same</span>").count(), 6);
        assert!(page.contains("28,056") && !page.contains("not the same"));
    }
    // A line of 16 moves: the start position and 31 plies.
    let boards = rook.split("data-boards=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(boards.split(' ').count(), 32);
    assert!(page(atlas, "KMvK.html").contains("Neither side can force mate."));
}

fn files_of(atlas: &Path) -> Vec<(String, Vec<u8>)> {
    let names = [
        "index.html",
        "ouk.html",
        "published.html",
        "KRvK.html",
        "KMvK.html",
        "atlas.css",
        "atlas.js",
    ];
    names.map(|name| (name.to_string(), std::fs::read(atlas.join(name)).unwrap())).to_vec()
}

#[test]
fn published_results_are_told_with_their_paper() {
    let tables = generated(&["KSMvK"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let page = page(place.path(), "KSMvK.html");
    for said in
        ["Tudsuan &amp; Thanatipanonda", "of them won within 41 moves", "10,160,936", "83.49 %"]
    {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("not the same"));
}

#[test]
fn what_a_missing_table_would_say_is_left_open() {
    // A table of five men with draws only.
    let material = "KPPvKP".parse().unwrap();
    let index = Index::new(material, &MAKRUK.rules);
    let values = || Values::new(Coding::default(), vec![0; index.slots() as usize]);
    let table = Table::new(index.clone(), values(), Some(values()));
    let tables = directory();
    write(&table, &MAKRUK.rules, tables.path(), &WriteOptions::default()).unwrap();
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let page = page(place.path(), "KPPvKP.html");
    for counting in COUNTINGS {
        assert!(page.contains(&format!("it needs the table KPPvKP.{counting}.")), "{counting}");
        let row = &rows(place.path())[&("KPPvKP".to_string(), counting.to_string())];
        assert_eq!((&*row["white_won"], &*row["white_won_in_time"]), ("0", ""));
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let place = directory();
    let missing = place.path().join("missing");
    let atlas = place.path().join("atlas");
    let run = report(&missing, &atlas, "1");
    assert!(run.refusal(2).contains("cannot read "), "{run:?}");
    let run = report(place.path(), &atlas, "1");
    assert!(run.refusal(2).contains("no table of distance to mate in "), "{run:?}");
    assert!(!atlas.exists());
    let tables = generated(&["KMvK"]);
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = report(tables.path(), &file, "1");
    assert!(run.refusal(1).contains("cannot write "), "{run:?}");
}
