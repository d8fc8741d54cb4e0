//! All that the program writes as JSON or CSV stands in `docs/data.md`, and the reverse.

use crate::games::{GAMES, MISTAKES, check};
use crate::sakmak::{command, directory, generated, sakmak, sakmak_with};
use crate::uncounted;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

/// A field of the page.
struct DataField {
    name: String,
    /// `text`, `list of integer`, `distance`.
    kind: String,
    null: bool,
    absent: bool,
}

/// The shapes of the page, and the fields that were written with a value.
struct Dictionary {
    shapes: BTreeMap<String, Vec<DataField>>,
    written: BTreeSet<(String, String)>,
}

impl Dictionary {
    fn read() -> Dictionary {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data.md");
        let page = fs::read_to_string(page).unwrap();
        let mut shapes = BTreeMap::new();
        for section in page.split("\n### ").skip(1) {
            let (name, text) = section.split_once('\n').unwrap();
            let rows = text.lines().filter(|line| line.starts_with("| `"));
            let field = |row: &str| {
                let cells: Vec<&str> = row.trim_matches('|').split(" |").map(str::trim).collect();
                let [name, kind, _, _, meaning] = cells[..] else { panic!("{row}") };
                assert!(!meaning.is_empty(), "{row}");
                let (kind, absent) = without(kind, " or absent");
                let (kind, null) = without(kind, " or null");
                // A link shows its text.
                let kind = kind.replace('[', "");
                let kind = kind.split("](").next().unwrap().to_string();
                DataField { name: name.trim_matches('`').to_string(), kind, null, absent }
            };
            let fields: Vec<DataField> = rows.map(field).collect();
            assert!(shapes.insert(name.to_string(), fields).is_none(), "two shapes {name}");
        }
        Dictionary { shapes, written: BTreeSet::new() }
    }

    /// Compares an object with a shape.
    #[track_caller]
    fn object(&mut self, shape: &str, object: &Map<String, Json>) {
        let fields = self.shapes.get(shape).unwrap_or_else(|| panic!("no shape {shape}"));
        let known: BTreeSet<&str> = fields.iter().map(|field| &*field.name).collect();
        for key in object.keys() {
            assert!(known.contains(&**key), "{shape} has no field {key} in the page");
        }
        let mut inner = Vec::new();
        for field in fields {
            let name = &field.name;
            match object.get(name) {
                None => assert!(field.absent, "{shape} is written without {name}"),
                Some(Json::Null) if field.kind == "null" => {
                    self.written.insert((shape.to_string(), name.clone()));
                }
                Some(Json::Null) => assert!(field.null, "{shape}.{name} is null"),
                Some(value) => inner.push((name.clone(), field.kind.clone(), value)),
            }
        }
        for (name, kind, value) in inner {
            if value.as_array().is_none_or(|list| !list.is_empty()) {
                self.written.insert((shape.to_string(), name.clone()));
            }
            self.value(&format!("{shape}.{name}"), &kind, value);
        }
    }

    #[track_caller]
    fn value(&mut self, name: &str, kind: &str, value: &Json) {
        if let Some(kind) = kind.strip_prefix("list of ") {
            let list = value.as_array().unwrap_or_else(|| panic!("{name}: {value}"));
            return list.iter().for_each(|value| self.value(name, kind, value));
        }
        let right = match kind {
            "text" => value.is_string(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "histogram" => value.as_object().is_some_and(|histogram| {
                histogram
                    .iter()
                    .all(|(moves, count)| moves.parse::<u32>().is_ok() && count.is_u64())
            }),
            shape => return self.object(shape, value.as_object().unwrap()),
        };
        assert!(right, "{name} is {value}, not {kind}");
    }

    /// Compares a table with a shape: the header, and each cell.
    #[track_caller]
    fn table(&mut self, shape: &str, left_out: &[&str], csv: &str) {
        let fields = &self.shapes[shape];
        let kinds = fields.iter().filter(|field| !left_out.contains(&&*field.name));
        let kinds: Vec<&DataField> = kinds.collect();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_string).collect();
        let expected: Vec<&str> = kinds.iter().map(|field| &*field.name).collect();
        assert_eq!(names, expected, "columns of {shape}");
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert!(!records.is_empty());
        for record in records {
            for (field, cell) in kinds.iter().zip(&record) {
                let DataField { name, kind, null, .. } = field;
                match (cell, &**kind) {
                    ("", _) => assert!(*null, "{shape}.{name} is empty"),
                    (cell, "integer") => assert!(cell.parse::<u64>().is_ok(), "{name}: {cell}"),
                    (_, kind) => assert_eq!(kind, "text", "{name}"),
                }
                if !cell.is_empty() {
                    self.written.insert((shape.to_string(), name.clone()));
                }
            }
        }
    }

    #[track_caller]
    fn lines(&mut self, shape: &str, text: &str) {
        for line in text.lines() {
            self.object(shape, serde_json::from_str::<Json>(line).unwrap().as_object().unwrap());
        }
    }
}

fn without<'a>(text: &'a str, end: &str) -> (&'a str, bool) {
    text.strip_suffix(end).map_or((text, false), |text| (text, true))
}

/// The lines of `probe -` for these positions.
fn probed(positions: &str) -> String {
    let mut command = command(["probe", "-", "--json"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), positions.as_bytes()).unwrap();
    let Output { stdout, .. } = child.wait_with_output().unwrap();
    String::from_utf8(stdout).unwrap()
}

#[test]
fn every_field_is_in_the_page_and_every_field_of_the_page_is_written() {
    let mut page = Dictionary::read();

    // probe
    let positions = "8/8/8/3k4/8/8/4R3/4K3 w - 32 10 1\n8/8/4r3/3k4/8/4R3/8/4K3 w\n\
        8/8/8/3k4/8/8/4R3/4K3 w - - 40 1\n8/8/8/3k4/8/8/4R3/4K3 w - - bm Rd2;\n";
    page.lines("answer", &probed(positions));
    let uncounted = sakmak_with(uncounted::tables(), &["probe", uncounted::RUNNING, "--json"]);
    page.object("answer", uncounted.json().as_object().unwrap());
    // One move mates at once, others later.
    let solved = sakmak(["probe", "7k/8/6K1/8/8/8/8/R7 w", "--json", "--solution"]).json();
    page.object("answer", solved.as_object().unwrap());
    let solution = json!({
        "kept": 20, "kept_uncounted": 20, "unique": false, "shortest_unique": true, "only_moves": 0
    });
    assert_eq!(solved["solution"], solution);
    page.lines("unanswered", &probed("8/8 w\n"));

    // check
    let place = directory();
    let claimed = "[Result \"0-1\"]\n[Variant \"Makruk\"]\n[FEN \"8/8/8/3k4/8/8/4R3/4K3 b - 32 30 14\"]\n\
        14... Kd4 15. Rd2+ Ke4 16. Re2+ Kd4 17. Rd2+ 0-1\n\n";
    let others = "[White \"A\"]\n[FEN \"8/8/8/3k4/8/8/3RRR2/4K3 b - - 0 1\"]\n1... Kc4 2. Rd1 *\n\n\
        [Black \"B\"]\n1. Qh9 *\n";
    let repeated = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n\
        1. Kd1 Kd4 2. Ke1 Kd5 3. Kd1 Kd4 4. Ke1 Kd5 *\n\n";
    let games = [&GAMES.concat(), MISTAKES, claimed, repeated, others].concat();
    let run = check(place.path(), &games, &["--json"]);
    page.object("games", serde_json::from_str::<Json>(&run.stdout).unwrap().as_object().unwrap());
    let unread = check(place.path(), "[FEN \"8/8 w\"]\n1. e4 *\n", &["--json"]);
    page.object(
        "games",
        serde_json::from_str::<Json>(&unread.stdout).unwrap().as_object().unwrap(),
    );

    // label
    let tables = generated(&["KRvK"]);
    let file = place.path().join("a.json");
    let fens = ["8/8/8/3k4/8/8/4R3/4K3 w", "8/8/8/3k4/8/8/8/4K3 w"];
    fs::write(&file, fens.map(|fen| format!("{{\"fen\": \"{fen}\"}}\n")).concat()).unwrap();
    for options in [&[][..], &["--distance", "--only"]] {
        let arguments = [&["label", file.to_str().unwrap()], options].concat();
        page.lines("label", &sakmak_with(tables.path(), &arguments).stdout);
    }

    // query
    let query = |arguments: &[&str]| sakmak([&["query"], arguments].concat()).printed();
    let (matched, draws) = (["KRvKM", "win", "--first", "9"], ["KRvKM", "draw", "--first", "9"]);
    let with = |arguments: &[&str], option: &str| query(&[arguments, &[option]].concat());
    for asked in [&matched, &draws] {
        page.lines("match", &with(asked, "--json"));
        page.table("match", &[], &with(asked, "--csv"));
        let text = query(asked);
        let line = |line: &str| {
            let cells = line.split('\t').map(|cell| if cell == "-" { "" } else { cell });
            cells.collect::<Vec<_>>().join(",") + "\n"
        };
        page.table("match", &[], &text.lines().map(line).collect::<String>());
    }
    page.lines("match-count", &query(&["KRvKM,KRvK", "win", "--count", "--json"]));
    let counts = query(&["KRvKM,KRvK", "win", "--count", "--csv"]);
    page.table("match-count", &["condition"], &counts);

    // stats and report
    let tables = generated(&["KRvKM.makruk", "KMMvK", "KPvK", "KSvKS", "KPvKP"]);
    let atlas = place.path().join("atlas");
    for material in ["KRvK", "KRvKM", "KPvK", "KSvKS"] {
        let stats = sakmak_with(tables.path(), &["stats", material, "--json"]).json();
        page.object("statistics", stats.as_object().unwrap());
    }
    sakmak(["report".as_ref(), "--tables".as_ref(), tables.path(), "-o".as_ref(), &*atlas])
        .printed();
    for entry in fs::read_dir(atlas.join("data")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        page.object("findings", serde_json::from_str::<Json>(&text).unwrap().as_object().unwrap());
    }
    page.table("overview", &[], &fs::read_to_string(atlas.join("overview.csv")).unwrap());

    // board games
    let janggi = |arguments: &[&str]| {
        sakmak_with(tables.path(), &[arguments, &["--variant", "janggi"]].concat())
    };
    janggi(&["generate", "KPPvK"]).printed();
    let answer = janggi(&["probe", "4k4/9/9/9/9/9/3pp4/9/4K4/9 b - - id \"b1\";", "--json"]).json();
    page.object("board-answer", answer.as_object().unwrap());
    page.lines("board-results", &janggi(&["stats", "KPPvK", "--json"]).printed());
    for condition in ["win", "draw"] {
        let query =
            |form: &str| janggi(&["query", "KPPvK", condition, "--first", "9", form]).printed();
        page.lines("board-match", &query("--json"));
        page.table("board-match", &[], &query("--csv"));
    }
    let query = |form: &str| janggi(&["query", "KPPvK", "win", "--count", form]).printed();
    page.lines("board-match-count", &query("--json"));
    page.table("board-match-count", &["condition"], &query("--csv"));

    // plan
    let plan = |arguments: &[&str]| {
        sakmak_with(tables.path(), &[&["plan", "--json", "--rate", "1"], arguments].concat()).json()
    };
    page.object("plan", plan(&["KRRvK", "KRvKM", "--wdl"]).as_object().unwrap());
    let small = plan(&["KRRRvK", "--memory", "1M"]);
    assert_ne!(small["problem"], json!(null));
    page.object("plan", small.as_object().unwrap());
    let janggi = plan(&["KRPvKA", "--variant", "janggi"]);
    page.object("plan", janggi.as_object().unwrap());
    let last = &janggi["tables"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["table"], &last["file_name"]), (&json!("KRPvKA"), &json!("KRPvKA.smg")));
    assert_eq!(last["subtables"], json!(["KAvKP", "KRvKA", "KRPvK"]));
    assert_eq!(last["slots"], json!(4_592_700));

    // generate --packed --census
    let packed = directory();
    sakmak_with(packed.path(), &["generate", "KMvKM", "KRvKM", "--packed", "--census"]).printed();
    for material in ["KMvKM", "KRvKM"] {
        let census = packed.path().join(format!("{material}.dtm.census.json"));
        page.lines("census", &fs::read_to_string(census).unwrap());
    }

    // Every field of the page has had a value.
    let all = page.shapes.iter().flat_map(|(shape, fields)| {
        fields.iter().map(move |field| (shape.clone(), field.name.clone()))
    });
    let never: Vec<_> = all.filter(|field| !page.written.contains(field)).collect();
    assert!(never.is_empty(), "in the page, but never written: {never:?}");
}

#[test]
fn the_page_has_no_shape_that_is_not_used() {
    let page = Dictionary::read();
    let kinds = page.shapes.values().flatten();
    let mut used: BTreeSet<&str> =
        kinds.map(|field| field.kind.trim_start_matches("list of ")).collect();
    used.extend([
        "answer",
        "unanswered",
        "games",
        "label",
        "match",
        "match-count",
        "board-answer",
        "board-results",
        "board-match",
        "board-match-count",
        "statistics",
        "plan",
        "findings",
        "overview",
        "census",
    ]);
    for shape in page.shapes.keys() {
        assert!(used.contains(&**shape), "{shape}");
    }
}
