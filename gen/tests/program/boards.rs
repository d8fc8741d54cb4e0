//! Board games: `generate`, `verify`, `probe`, `stats` and `query`, and refused options.

use crate::sakmak::{command, directory, ended, sakmak, sakmak_with};
use crate::serve_schema::OpenApi;
use crate::served::Served;
use sakmak_boards::list::GameName;
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const JANGGI: [&str; 2] = ["--variant", "janggi"];

#[test]
fn a_table_of_janggi_is_made_verified_probed_and_counted() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), &[arguments, &JANGGI].concat());
    let made = run(&["generate", "KPPvK"]).printed();
    assert!(made.contains("KPPvK") && made.contains("KPvK") && made.contains("KvK"), "{made}");
    // A second run has nothing left to do.
    let again = run(&["generate", "KPPvK"]).printed();
    assert!(again.starts_with("0 tables made (0 B), 3 existed, in "), "{again}");
    let verified = run(&["verify", "KPPvK"]).printed();
    assert_eq!(verified.matches("every value correct").count(), 3, "{verified}");

    // A published win in eight moves, and the figures of a separate program.
    let fen = "4k4/9/9/9/9/9/3pp4/9/4K4/9 b - - 0 1";
    let answer = run(&["probe", fen, "--json"]).json();
    assert_eq!((&answer["category"], &answer["dtm"]), (&"win".into(), &15.into()));
    assert_eq!(answer["line"].as_array().unwrap().len(), 15);
    let shown = run(&["probe", fen]).printed();
    assert!(shown.starts_with("KPPvK, janggi, Han to move\n\n10  . . . . k"), "{shown}");
    for part in [" 4  . . . p p . . . .\n", "\nResult:  Han wins in 8 moves\n", "  pass  "] {
        assert!(shown.contains(part), "{shown}");
    }
    let line = shown.split_once("\nLine to the end:\n").unwrap().1;
    let words = line.split(',').map(|words| words.split_whitespace().collect::<Vec<_>>());
    let expected = answer["line"].as_array().unwrap();
    for (words, text) in words.zip(expected) {
        let text = text.as_str().unwrap();
        match words[..] {
            [man, played] => assert!(["soldier", "general"].contains(&man) && played == text),
            _ => assert_eq!((words, text), (vec!["pass"], &*text[..2].repeat(2))),
        }
    }
    let mate = run(&["query", "KPPvK", "mate", "--first", "1", "--json"]).json();
    let lost = run(&["probe", mate["fen"].as_str().unwrap()]).printed();
    assert!(lost.ends_with("\nResult:  Han has lost\n"), "{lost}");
    let stats = run(&["stats", "KPPvK", "--json"]).printed();
    let first: Json = serde_json::from_str(stats.lines().next().unwrap()).unwrap();
    assert_eq!((&first["won"], &first["longest_win_plies"]), (&66_591.into(), &41.into()));
}

#[test]
fn a_query_counts_what_stats_count_and_lists_what_probe_answers() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), &[arguments, &JANGGI].concat());
    run(&["generate", "KPPvK", "KRvKA"]).printed();
    let objects = |arguments: &[&str]| -> Vec<Json> {
        let printed = run(arguments).printed();
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let stats = objects(&["stats", "KPPvK", "--json"]);
    // A table that is given twice counts once.
    assert_eq!(objects(&["stats", "KPPvK", "KPPvK", "--json"]), stats);
    for (condition, field) in [("win", "won"), ("draw", "drawn"), ("loss", "lost")] {
        let count = &objects(&["query", "KPPvK", condition, "--count", "--json"])[0];
        assert_eq!((&count["variant"], &count["condition"]), (&"janggi".into(), &condition.into()));
        assert_eq!(count["white_to_move"], stats[0][field], "{condition}");
        assert_eq!(count["black_to_move"], stats[1][field], "{condition}");
        let csv = run(&["query", "KPPvK", condition, "--count", "--csv"]).printed();
        let columns =
            ["material", "variant", "positions", "white_to_move", "black_to_move", "distinct"];
        let cells: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(csv.lines().next().unwrap().split(',').collect::<Vec<_>>(), columns);
        for (column, cell) in columns.iter().zip(cells) {
            let json = &count[*column];
            assert_eq!(json.as_str().map_or_else(|| json.to_string(), str::to_owned), cell);
        }
    }
    // Of several materials the longest win first, as its statistics have it and as it is probed.
    let longest = objects(&["query", "KPPvK", "KRvKA,KPvK", "win", "--longest", "3", "--json"]);
    assert_eq!((longest.len(), &longest[0]["material"]), (3, &"KPPvK".into()));
    let plies = stats[0]["longest_win_plies"].as_u64().unwrap();
    assert_eq!(longest[0]["dtm"], plies.div_ceil(2));
    let probed = run(&["probe", longest[0]["fen"].as_str().unwrap(), "--json"]).json();
    assert_eq!(probed["dtm"], plies);
    let refused = run(&["query", "KRvKA", "mate", "P"]);
    assert!(refused.refusal(2).starts_with("column 6: unexpected 'P'"), "{refused:?}");
    // The forms of output have the same cells, and as many lines as distinct positions.
    let asked = ["query", "KRvKA", "win or mate"];
    let json = objects(&[&asked[..], &["--json"]].concat());
    let [text, csv] = [&[][..], &["--csv"]].map(|form| run(&[&asked[..], form].concat()).printed());
    assert_eq!(text.lines().next(), Some("fen\tresult\tdtm\tmaterial"));
    assert_eq!(text.replace('\t', ","), csv);
    assert_eq!(text.lines().count(), json.len() + 1);
    let count = &objects(&[&asked[..], &["--count", "--json"]].concat())[0];
    assert_eq!(count["distinct"], json.len());
    let some = run(&[&asked[..], &["--first", "5"]].concat()).printed();
    assert!(text.starts_with(&some) && some.lines().count() == 6, "{some}");
}

#[test]
fn verified_tables_are_recorded_with_the_files_they_depend_on() {
    let (tables, user) = (directory(), directory());
    let run = |arguments: &[&str]| {
        let mut command = command(arguments.iter().chain(&JANGGI));
        command.arg("--tables").arg(tables.path()).env("XDG_STATE_HOME", user.path());
        ended(command).printed()
    };
    run(&["generate", "KRvK"]);
    let counts = |printed: &str| {
        ["every value correct", "every value verified before"]
            .map(|what| printed.matches(what).count())
    };
    assert_eq!(counts(&run(&["verify", "KRvK"])), [2, 0]);
    assert_eq!(counts(&run(&["verify", "KRvK"])), [0, 2]);
    assert_eq!(counts(&run(&["verify", "KRvK", "--again"])), [2, 0]);
    run(&["generate", "KRPvK"]);
    assert_eq!(counts(&run(&["verify", "KRPvK"])), [2, 2]);
    // The same game by other rules has records of its own.
    let casual = sakmak_with(tables.path(), &["generate", "KRvK", "--variant", "janggi-casual"]);
    casual.printed();
    let mut other = command(["verify", "KRvK", "--variant", "janggi-casual"]);
    other.arg("--tables").arg(tables.path()).env("XDG_STATE_HOME", user.path());
    assert_eq!(counts(&ended(other).printed()), [2, 0]);
}

#[test]
fn the_service_answers_as_the_program_does_and_draws_boards() {
    let directory = directory();
    sakmak_with(directory.path(), &["generate", "KRvK", "--variant", "janggi-casual"]).printed();
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    let api = OpenApi(service.get("/openapi.json").json(200));
    let schema = |path: &str| api.response("get", path, 200);
    for fen in
        ["4k4/9/9/9/9/9/9/9/R8/4K4 w", "4k4/9/9/9/4R4/9/9/9/9/4K4 b", "3k5/R8/9/9/9/9/9/9/9/4K4 w"]
    {
        let answer =
            service.get(&format!("/janggi-casual?fen={}", fen.replace(' ', "_"))).json(200);
        api.assert_meets(schema("/{variant}"), &answer);
        let probed = ["probe", fen, "--json", "--variant", "janggi-casual"];
        assert_eq!(answer, sakmak_with(directory.path(), &probed).json(), "{fen}");
    }
    // Of the games, those with tables are listed, and a move has the position after it.
    let variants = service.get("/variants").json(200);
    api.assert_meets(schema("/variants"), &variants);
    let listed = variants["board_games"].as_array().unwrap();
    assert_eq!((listed.len(), &listed[0]["name"]), (1, &"janggi-casual".into()));
    assert_eq!(listed[0]["materials"], serde_json::json!(["KvK", "KRvK"]));
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5_w";
    let moves = service.get(&format!("/janggi-casual?fen={fen}")).json(200)["moves"].take();
    for rated in moves.as_array().unwrap() {
        let after = rated["fen"].as_str().unwrap().replace(' ', "_");
        let answer = service.get(&format!("/janggi-casual?fen={after}")).json(200);
        for key in ["category", "dtm", "variant_loss", "fen"] {
            assert_eq!(rated[key], answer[key], "{key} of {rated}");
        }
    }
    // Every game has its paths, which miss the position here.
    let paths = |game| [format!("/{game}"), format!("/{game}/board.svg")];
    for path in GameName::ALL.into_iter().flat_map(paths) {
        assert_eq!(service.get(&path).json(400)["error"]["code"], "bad_request", "{path}");
    }
    for (url, status, code) in [
        ("/janggi?fen=4k4/9/9/9/9/9/9/9/R8/4K4_w", 404, "no_table"),
        ("/janggi?fen=4k4/9_w", 400, "bad_fen"),
        ("/janggi-casual?fen=4k4/9/9/9/9/9/9/9/4R4/4K4_w", 400, "bad_fen"),
        ("/janggi", 400, "bad_request"),
        ("/rek/board.svg?fen=8/8_w", 400, "bad_fen"),
    ] {
        let refused = service.get(url).json(status);
        assert_eq!(refused["error"]["code"], code, "{url}");
        let path = if url.contains(".svg") { "/{variant}/board.svg" } else { "/{variant}" };
        api.assert_meets(api.response("get", path, status), &refused);
    }
    let fen = "k7/8/8/3m4/8/8/2M5/K7 w";
    let drawn = service.get(&format!("/rek/board.svg?fen={}", fen.replace(' ', "_"))).text();
    assert_eq!(drawn, sakmak(["probe", fen, "--svg", "--variant", "rek"]).printed());
    assert_eq!(drawn.matches("<circle ").count(), 4, "{drawn}");
}

#[test]
fn the_service_reads_files_that_come_and_are_replaced() {
    let directory = directory();
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    let url = "/janggi?fen=4k4/9/9/9/9/9/9/9/R8/4K4_w";
    assert_eq!(service.get(url).json(404)["error"]["code"], "no_table");
    sakmak_with(directory.path(), &["generate", "KRvK", "--variant", "janggi"]).printed();
    let answer = service.get(url).json(200);
    let path = directory.path().join("janggi/KRvK.smg");
    let bytes = fs::read(&path).unwrap();
    let replace = |bytes: &[u8]| {
        let part = directory.path().join("part");
        fs::write(&part, bytes).unwrap();
        fs::rename(part, &path).unwrap();
    };
    let wait = |status: u16| {
        let start = Instant::now();
        while service.get(url).status != status {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    replace(&bytes[..bytes.len() - 1]);
    wait(500);
    replace(&bytes);
    wait(200);
    assert_eq!(service.get(url).json(200), answer);
    // Many positions are answered as one is, and a game without counts has no counting rule.
    let fen = answer["fen"].as_str().unwrap();
    let body = serde_json::json!({ "fens": [fen, "no position"], "line": false }).to_string();
    let answers = service.request("POST", "/Janggi", &[], &body).json(200);
    let without_line = service.get(&format!("{url}&line=false")).json(200);
    assert_eq!((&answers[0], &answers[0]["line"]), (&without_line, &Json::Null));
    assert_eq!(answers[0]["moves"], answer["moves"]);
    assert_eq!(answers[1]["error"]["code"], "bad_fen");
    let refused = service.get(&format!("{url}&counting=makruk")).json(400);
    assert_eq!(refused["error"]["message"], "counting is given, but janggi has no counts");
    assert_eq!(service.get("/janggi/mainline").json(404)["error"]["code"], "no_variant");
    let metrics = service.get("/metrics").text();
    assert!(
        metrics.contains("sakmak_tables{variant=\"janggi\",kind=\"board-game\"} 2\n"),
        "{metrics}"
    );
}

#[test]
fn each_line_of_input_has_its_line_of_output() {
    let directory = directory();
    sakmak_with(directory.path(), &["generate", "KRvK", "--variant", "janggi"]).printed();
    let mut probing = command(["probe", "-", "--json", "--variant", "janggi"]);
    probing.arg("--tables").arg(directory.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = probing.stderr(Stdio::piped()).spawn().unwrap();
    let fen = "4k4/9/9/9/9/9/9/9/R8/4K4 w";
    let mut input = child.stdin.take().unwrap();
    write!(input, "\u{feff}{fen}\n\nno position\n# again\n{fen}\n{fen} - - id \"a\";\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Json> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((lines.len(), &lines[0]), (4, &lines[2]));
    assert_eq!(lines[1]["fen"], "no position");
    let error = lines[1]["error"].as_str().unwrap();
    assert!(error.starts_with("line 3: ") && error.contains("expected 10"), "{error}");
    assert_eq!(
        (&lines[3]["dtm"], &lines[3]["operations"]),
        (&lines[0]["dtm"], &"id \"a\";".into())
    );
}

/// FENs of Janggi as XBoard, WinBoard and Korean programs write them; see the file.
const OTHER_LETTERS: &str = include_str!("janggi-fens.tsv");

#[test]
fn horse_and_elephant_have_the_letters_of_other_programs_too() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), &[arguments, &JANGGI].concat());
    run(&["generate", "KRHvK", "KREvK", "KHvKE"]).printed();
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    let rows = OTHER_LETTERS.lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [given, _, written] = cells[..] else { panic!("{row}") };
        let answer = run(&["probe", given, "--json"]).json();
        assert_eq!(answer["fen"], written);
        assert_eq!(answer, run(&["probe", written, "--json"]).json(), "{given}");
        assert_eq!(run(&["probe", given]).printed(), run(&["probe", written]).printed());
        let svg = |fen: &str| run(&["probe", fen, "--svg"]).printed();
        assert_eq!(svg(given), svg(written), "{given}");
        let fen = given.replace(' ', "_");
        assert_eq!(service.get(&format!("/janggi?fen={fen}")).json(200), answer, "{given}");
        assert_eq!(service.get(&format!("/janggi/board.svg?fen={fen}")).text(), svg(written));
    }
}

#[test]
fn names_of_fairy_stockfish_are_those_of_its_rules() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), arguments);
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    let fen = "4k4/9/9/9/9/9/9/9/R8/4K4 w";
    for (other, name) in [("janggicasual", "janggi-casual"), ("janggitraditional", "janggi")] {
        run(&["generate", "KRvK", "--variant", other]).printed();
        let answer = run(&["probe", fen, "--json", "--variant", other]).json();
        assert_eq!(answer["variant"], name);
        assert_eq!(answer, run(&["probe", fen, "--json", "--variant", name]).json());
        let fen = fen.replace(' ', "_");
        assert_eq!(service.get(&format!("/{other}?fen={fen}")).json(200), answer);
        let board = |name: &str| service.get(&format!("/{name}/board.svg?fen={fen}")).text();
        assert_eq!(board(other), board(name));
        assert_eq!(board(&other.to_uppercase()), board(name));
    }
    let modern = "'janggimodern' has no tables because its games can end by points: 'janggi-casual' has the \
                  same moves and no points";
    for command in [&["probe", fen][..], &["generate", "KRvK"], &["check", "games.pgn"]] {
        let refused = run(&[command, &["--variant", "janggimodern"]].concat());
        assert_eq!(refused.refusal(2), format!("--variant: {modern}"));
    }
    let error = service.get(&format!("/janggimodern?fen={}", fen.replace(' ', "_"))).json(404);
    assert_eq!(error["error"]["code"], "no_variant");
    assert_eq!(error["error"]["message"], modern);
    // A list is that of what its place takes.
    let message = |url: &str| {
        let error = service.get(url).json(404);
        error["error"]["message"].as_str().unwrap().to_string()
    };
    let all = message("/xiangqi?fen=8/8_w");
    assert!(all.contains("makruk, ouk, "), "{all}");
    assert!(GameName::ALL.iter().all(|game| all.contains(game.name())), "{all}");
    let counted = message("/xiangqi/mainline?fen=8/8_w");
    assert!(counted.contains("makruk, ouk, ") && !counted.contains("janggi"), "{counted}");
    assert_eq!(service.get("/xiangqi/board.svg?fen=8/8_w").json(404)["error"]["code"], "no_path");
}

#[test]
fn a_fen_of_janggi_without_the_variant_names_it() {
    let fen = "3k5/9/9/9/4R4/9/9/9/H8/4K4 w - - 0 1";
    let refused = sakmak(["probe", fen]);
    assert_eq!(
        refused.refusal(2),
        "the board has 10 ranks, expected 8, separated by '/'; the FEN looks like janggi: add \
         '--variant janggi'"
    );
    let refused = sakmak(["probe", "8/7k/8/2m5/8/2M5/K7/8 w c3c5"]);
    assert!(
        refused.refusal(2).ends_with("min-rek-chanh: add '--variant min-rek-chanh'"),
        "{refused:?}"
    );
    let service = Served::start(&[]);
    let error = service.get(&format!("/makruk?fen={}", fen.replace(' ', "_"))).json(400);
    assert_eq!(error["error"]["code"], "bad_fen");
    assert!(
        error["error"]["message"].as_str().unwrap().ends_with("the FEN looks like janggi"),
        "{error}"
    );
}

#[test]
fn a_damaged_or_foreign_file_is_refused_by_its_name() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), arguments);
    run(&["generate", "KRvK", "--variant", "janggi"]).printed();
    let path = directory.path().join("janggi/KRvK.smg");
    let bytes = fs::read(&path).unwrap();
    for at in [0, 9, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        fs::write(&path, damaged).unwrap();
        let refused = run(&["verify", "KRvK", "--variant", "janggi"]);
        assert_eq!(refused.code, Some(1), "byte {at}");
        assert!(refused.stderr.contains("KRvK.smg: "), "{}", refused.stderr);
    }
    let casual = directory.path().join("janggi-casual");
    fs::create_dir(&casual).unwrap();
    fs::write(casual.join("KRvK.smg"), bytes).unwrap();
    let refused = run(&["stats", "KRvK", "--variant", "janggi-casual"]);
    assert!(refused.stderr.contains("KRvK.smg: made under other rules: "), "{refused:?}");
}

/// A limit on the length of files stands for a full disk, which is found when a write is flushed.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_table_and_is_an_error() {
    let directory = directory();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -f 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sakmak")]);
    command.args(["generate", "KRvK"]).args(JANGGI).arg("--tables").arg(directory.path());
    let run = ended(command);
    // 128 + SIGXFSZ.
    let message = run.complaint(128 + 25);
    let path = directory.path().join("janggi/KvK.smg");
    assert!(message.starts_with(&format!("cannot write {}: ", path.display())), "{message}");
    assert_eq!(fs::read_dir(directory.path().join("janggi")).unwrap().count(), 0);
}

#[test]
fn what_does_not_fit_is_refused_before_work_begins() {
    let directory = directory();
    let tables = directory.path().join("tables");
    for (arguments, what) in [
        (["KRPvK", "--memory", "100K"], " of memory; the limit is 100.0 KiB"),
        // No memory is enough for these.
        (["KRRCCHHvK", "--memory", "100T"], " slots; at most 4294967295 can be solved"),
    ] {
        let run = sakmak_with(&tables, &[&["generate"], &arguments[..], &JANGGI].concat());
        let message = run.refusal(1);
        assert!(message.contains(what), "{message}");
        assert!(!tables.exists(), "{arguments:?}");
    }
}

#[test]
fn materials_may_have_commas_between_them() {
    let directory = directory();
    let run = |arguments: &[&str]| sakmak_with(directory.path(), &[arguments, &JANGGI].concat());
    let planned = run(&["plan", "KRvK,KPvK", "KHvK"]).printed();
    assert!(["KRvK ", "KPvK ", "KHvK "].iter().all(|name| planned.contains(name)), "{planned}");
    assert!(run(&["plan", "KRvK,KQvK"]).refusal(2).starts_with("'KQvK' is not a material"));
}

#[test]
fn small_tables_are_solved_on_the_spot() {
    let (empty, some, all) = (directory(), directory(), directory());
    let run =
        |tables: &Path, arguments: &[&str]| sakmak_with(tables, &[arguments, &JANGGI].concat());
    run(some.path(), &["generate", "KRvKA"]).printed();
    run(all.path(), &["generate", "KRPvKA"]).printed();
    let fen = "4k4/4a4/9/9/9/9/4P4/9/R8/4K4 w";
    let answer = |tables: &Path| run(tables, &["probe", fen, "--json"]).json();
    assert_eq!(answer(all.path())["material"], "KRPvKA");
    assert_eq!(answer(empty.path()), answer(all.path()));
    assert_eq!(answer(some.path()), answer(all.path()));
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn names_of_games_are_taken_in_any_letter_case() {
    let directory = directory();
    for name in ["JANGGI", "Janggi_Casual", "min rek chanh"] {
        let run = sakmak_with(directory.path(), &["plan", "2", "--variant", name]);
        assert!(run.printed().contains("KvK "), "{name}");
    }
}

#[test]
fn a_directory_without_tables_is_an_error() {
    let directory = directory();
    for command in ["verify", "stats"] {
        let run = sakmak_with(directory.path(), &[&[command, "3"], &JANGGI[..]].concat());
        let path = directory.path().join("janggi");
        let message = format!("no tables of that many men in {}", path.display());
        assert_eq!(run.refusal(1), message);
    }
    let tables = directory.path().display();
    let message = format!(
        "no table KRHEvK of janggi in {tables}: make it with 'sakmak generate KRHEvK --variant janggi --tables \
         {tables}'"
    );
    for command in [
        &["stats", "KRHEvK"][..],
        &["probe", "3k5/9/9/9/9/9/9/9/9/RHE1K4 w"],
        &["query", "KRHEvK", "win"],
    ] {
        let run = sakmak_with(directory.path(), &[command, &JANGGI[..]].concat());
        assert_eq!(run.refusal(1), message);
    }
}

#[test]
fn long_work_prints_lines_of_progress() {
    let directory = directory();
    for line in ["generate KPPvK", "verify KPPvK --again", "stats KPPvK", "query KPPvK win --count"]
    {
        let mut command = command(line.split(' ').chain(JANGGI));
        command.arg("--tables").arg(directory.path()).env("SAKMAK_PROGRESS", "0.0001");
        let told = ended(command);
        assert_eq!(told.code, Some(0), "{line}: {told:?}");
        let count = |what: &str| told.stderr.lines().filter(|line| line.contains(what)).count();
        assert!(count(" slots/s, ") > 0, "{line}: {}", told.stderr);
        assert_eq!(count(": wins in ") > 0, line.starts_with("generate"), "{}", told.stderr);
        let is_progress = |line: &str| line.contains("slots/s") || line.contains("wins in");
        assert!(told.stderr.lines().all(is_progress), "{}", told.stderr);
    }
}

#[test]
fn what_a_game_does_not_have_is_refused_by_name() {
    for (arguments, what) in [
        (
            &["pack", "KRvK"][..],
            "'pack' does not know janggi: generate, plan, verify, probe, stats, query and report do",
        ),
        (&["query", "KRvK"], "were not provided: <CONDITION>"),
        (&["query", "KRvK", "KPvK"], "missing: <CONDITION>"),
        (
            &["query", "KRvK", "win", "--order", "counted"],
            "--order: janggi has no column 'counted': expected result or dtm",
        ),
        (&["query", "KRvK", "win"], "no table KRvK of janggi in "),
        (
            &["query", "KRvK", "win and in_time"],
            "'in_time' is not a condition of this variant: no moves",
        ),
        (&["generate", "KQvK"], "'KQvK' is not a material such as KRHvKAA"),
        (&["generate", "9"], "no tables of 9 men: 2 to 8 can be made"),
        (&["probe", "8/8/8/8/8/8/8/8 w"], "the board has 8 ranks, expected 10"),
        (&["probe", "3k5/9/9/9/9/9/9/9/9/RHE1K4 w"], "no table KRHEvK of janggi in "),
        (
            &["generate", "KRvK", "--counting", "makruk"],
            "'--counting' is not available for --variant janggi",
        ),
        (&["plan", "4", "--converted-men", "3", "--packed"], "'--packed' is not available for"),
        (&["verify", "--sample", "9"], "'--sample' is not available for --variant janggi"),
        (&["probe", "4k4 w", "--called=3"], "'--called' is not available for --variant janggi"),
        (
            &["probe", "4k4 w", "--json", "--solution"],
            "'--solution' is not available for --variant janggi",
        ),
        (
            &["stats", "3", "--counting", "none"],
            "'--counting' is not available for --variant janggi",
        ),
        (&["uci"], "unexpected argument '--variant' found"),
    ] {
        let refused = sakmak(arguments.iter().copied().chain(JANGGI));
        assert!(refused.code.is_some_and(|code| code > 0), "{refused:?}");
        assert!(refused.stderr.contains(what), "{}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
}

#[test]
fn an_option_of_board_games_is_refused_for_other_variants() {
    for (options, variant) in [(&["--variant", "ouk"][..], "ouk"), (&[], "makruk")] {
        let refused = sakmak([&["probe", "8/8 w", "--svg"], options].concat());
        let message = format!("'--svg' is not available for --variant {variant}");
        assert_eq!(refused.refusal(2), message);
    }
}
