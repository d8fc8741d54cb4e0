//! Distances without counted distances, as `sakmak generate 5` makes them: `probe` and the service
//! answer without the count and say so; with `--counting none` nobody counts.

use crate::sakmak::{command, directory, ended, files, generated, sakmak, sakmak_with};
use crate::serve_schema::OpenApi;
use crate::served::Served;
use sakmak_tables::variants::MAKRUK;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Five men on both sides, and the same with a count that runs and with one that is over.
const FREE: &str = "8/8/8/4k3/7m/4K3/4R3/4R3 w - - 0 1";
pub const RUNNING: &str = "8/8/8/4k3/7m/4K3/4R3/4R3 w - 128 20 30";
const OVER: &str = "8/8/8/4k3/7m/4K3/4R3/4R3 w - 128 129 90";
const MATERIAL: &str = "KRRvKM";
/// The table that is missing.
const MISSING: &str = "KRRvKM.makruk";

/// Distances of that material, and what `generate` printed.
static DISTANCES: LazyLock<(TempDir, String)> = LazyLock::new(|| {
    let directory = directory();
    let printed = sakmak_with(directory.path(), &["generate", MATERIAL]).printed();
    (directory, printed)
});

pub fn tables() -> &'static Path {
    DISTANCES.0.path()
}

/// The words for a category that may be a draw by the count.
fn is_open(category: &Json) -> bool {
    category == "maybe-win" || category == "maybe-loss"
}

#[test]
fn generate_says_which_counts_are_missing_and_what_makes_them() {
    let path = tables().display();
    let line = DISTANCES.1.lines().last().unwrap();
    assert_eq!(
        line,
        format!(
            "KRRvKM has no counted distances, and look-ups leave the count out: 'sakmak generate \
             KRRvKM --tables {path} --counting makruk' makes them"
        )
    );
    let said = |arguments: &[&str]| {
        let printed = sakmak_with(tables(), arguments).printed();
        printed.lines().find(|line| line.contains("counted distances")).map(str::to_string)
    };
    assert!(
        said(&["generate", MATERIAL, "--variant", "ouk"])
            .unwrap()
            .contains("'sakmak generate KRRvKM --variant ouk --tables")
    );
    // Nothing is to be said where that is what was asked for, or where it is no matter.
    assert_eq!(said(&["generate", MATERIAL, "--counting", "none"]), None);
    assert_eq!(said(&["generate", "KSMvK"]), None);
    let message = sakmak(["generate", "KRvK", "--counting", "none", "--counting", "ouk"]);
    assert!(message.refusal(2).contains("'--counting none' makes distances only"));
    let message = sakmak(["generate", "KRvK", "--counting", "none", "--wdl"]);
    assert!(message.refusal(2).contains("WDL files are made for one counting rule"));
}

#[test]
fn probe_answers_without_the_count_and_says_so() {
    for (fen, count) in [(FREE, "starting here"), (RUNNING, "running: Black")] {
        let text = sakmak_with(tables(), &["probe", fen]).printed();
        let result = text.lines().find(|line| line.starts_with("Result:")).unwrap();
        assert!(result.contains("If nobody counts, white wins: mate in "), "{text}");
        assert!(!text.contains("in time:") && !text.contains("Needed:"), "{text}");
        assert!(text.contains(count), "{text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let note = format!("Note: no count considered: no table {MISSING}.smt in ");
        assert!(words.contains(&note), "{text}");
        assert!(words.contains(&format!("make it with 'sakmak generate {MISSING}")), "{text}");
        assert!(text.contains(" maybe-win "), "{text}");

        let answer = sakmak_with(tables(), &["probe", fen, "--json"]).json();
        assert_eq!((&answer["category"], &answer["fen"]), (&json!("maybe-win"), &json!(fen)));
        assert_eq!(
            (&answer["missing_table"], &answer["counting"]),
            (&json!(MISSING), &json!("makruk"))
        );
        assert_eq!([&answer["counted"], &answer["mate_in_time"]], [&Json::Null; 2]);
        assert!(answer["dtm"].as_i64() > Some(0) && answer["count"]["limit"] == 64);
        assert!(answer.get("counted_line").is_none());
        assert_eq!(
            answer["line"].as_array().unwrap().len() as i64,
            answer["dtm"].as_i64().unwrap()
        );
        assert!(answer["notes"][0].as_str().unwrap().starts_with("no count considered: "));
        assert!(is_open(&answer["moves"][0]["category"]), "{answer}");
        let decided = ["draw", "maybe-win", "maybe-loss"];
        for rated in answer["moves"].as_array().unwrap() {
            assert!(decided.contains(&rated["category"].as_str().unwrap()), "{rated}");
            assert_eq!([&rated["counted"], &rated["mate_in_time"]], [&Json::Null; 2]);
        }
    }
    // A count that is over needs no table.
    let over = sakmak_with(tables(), &["probe", OVER, "--json"]).json();
    assert_eq!((&over["category"], &over["count"]["over"]), (&json!("cursed-win"), &json!(true)));
    assert_eq!(over["missing_table"], MISSING);
    // Nor does a call, nor another rule of the variant.
    let called =
        sakmak_with(tables(), &["probe", FREE, "--called", "20", "--counter", "black", "--json"]);
    assert_eq!(called.json()["count"]["called"], 20);
    for (variant, rule) in [("makruk", "makruk-khon-first"), ("ouk", "ouk")] {
        let arguments = ["probe", FREE, "--variant", variant, "--counting", rule, "--json"];
        let answer = sakmak_with(tables(), &arguments).json();
        assert_eq!(answer["missing_table"], format!("{MATERIAL}.{rule}"));
    }
}

#[test]
fn many_positions_are_answered_as_one_is() {
    let mut command = command(["probe", "-", "--json", "--tables"]);
    command.arg(tables()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let rook = "8/8/8/3k4/8/8/4R3/4K3 w";
    write!(child.stdin.take().unwrap(), "{FREE}\n{rook}\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Json> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0], sakmak_with(tables(), &["probe", FREE, "--json"]).json());
    assert_eq!(
        (&answers[1]["category"], &answers[1]["missing_table"]),
        (&json!("win"), &Json::Null)
    );
}

#[test]
fn with_counting_none_nobody_counts() {
    for (fen, dropped) in [(FREE, false), (RUNNING, true)] {
        let answer = sakmak_with(tables(), &["probe", fen, "--counting", "none", "--json"]).json();
        assert_eq!(
            (&answer["category"], &answer["counting"]),
            (&json!("win"), &json!("makruk-none"))
        );
        assert_eq!([&answer["missing_table"], &answer["count"]], [&Json::Null; 2]);
        assert_eq!(answer["mate_in_time"], answer["dtm"]);
        assert_eq!(
            answer["line"].as_array().unwrap().len(),
            answer["counted_line"]["moves"].as_array().unwrap().len()
        );
        let notes =
            if dropped { json!(["the count 20 is dropped: nobody counts"]) } else { json!([]) };
        assert_eq!(answer["notes"], notes);
        let by_name = sakmak_with(tables(), &["probe", fen, "--counting", "Makruk None", "--json"]);
        assert_eq!(by_name.json(), answer);
    }
    let text = sakmak_with(tables(), &["probe", RUNNING, "--counting", "none"]).printed();
    assert!(text.contains("Result:  White wins: mate in "), "{text}");
    assert!(text.contains("Count:   none as nobody counts"), "{text}");
    // Every variant has it, without a table where four men are solved.
    let rook = "8/8/4m3/3k4/8/4R3/8/4K3 w";
    for variant in ["makruk", "ouk", "kar-ouk", "asean", "makpong", "shatranj"] {
        let fen = if ["shatranj", "asean"].contains(&variant) {
            "8/8/4q3/3k4/8/4R3/8/4K3 w"
        } else {
            rook
        };
        let arguments = ["probe", fen, "--variant", variant, "--counting", "none", "--json"];
        let answer = sakmak(arguments).json();
        assert_eq!(answer["counting"], format!("{variant}-none"));
        assert_eq!(answer["count"], Json::Null, "{variant}");
    }
    let other = sakmak(["probe", rook, "--variant", "ouk", "--counting", "makruk-none"]);
    assert!(other.refusal(2).contains("expected ouk, ouk-traditional or none"), "{other:?}");
    let wdl = sakmak(["wdl", "KRvK", "--counting", "none"]);
    assert!(wdl.refusal(2).contains("WDL files hold results under a count"), "{wdl:?}");
    // Numbers of the whole table, as far as it has them.
    let stats = sakmak_with(tables(), &["stats", MATERIAL, "--counting", "none", "--json"]).json();
    assert_eq!(stats["counting"], "makruk-none");
    let won = sakmak_with(
        tables(),
        &["query", MATERIAL, "win", "--counting", "none", "--count", "--json"],
    );
    assert!(won.json()["positions"].as_u64() > Some(0));
}

#[test]
fn the_same_holds_for_packed_tables_until_the_counts_are_there() {
    let packed = directory();
    let printed = sakmak_with(packed.path(), &["generate", MATERIAL, "--packed"]).printed();
    assert!(printed.contains("'sakmak generate KRRvKM --packed --tables"), "{printed}");
    let answer = sakmak_with(packed.path(), &["probe", RUNNING, "--json"]).json();
    assert_eq!(answer, {
        let mut solved = sakmak_with(tables(), &["probe", RUNNING, "--json"]).json();
        solved["notes"] = answer["notes"].clone();
        solved
    });
    for file in tables().read_dir().unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), packed.path().join(file.file_name())).unwrap();
    }
    let printed = sakmak_with(packed.path(), &["generate", MISSING]).printed();
    assert!(!printed.contains("counted distances"), "{printed}");
    let counted = sakmak_with(packed.path(), &["probe", RUNNING, "--json"]).json();
    assert_eq!((&counted["missing_table"], &counted["dtm"]), (&Json::Null, &answer["dtm"]));
    assert_eq!((&counted["category"], &counted["notes"]), (&json!("win"), &json!([])));
    let printed = sakmak_with(packed.path(), &["generate", MATERIAL]).printed();
    assert!(!printed.contains("counted distances"), "{printed}");
}

#[test]
fn the_service_answers_without_the_count_and_says_so() {
    let service = Served::start(&["--tables", tables().to_str().unwrap()]);
    let api = OpenApi(service.get("/openapi.json").json(200));
    let printed = sakmak_with(tables(), &["probe", RUNNING, "--json"]).json();
    let fen = RUNNING.replace(' ', "_");
    let answer = service.get(&format!("/makruk?fen={fen}")).json(200);
    api.assert_meets(api.response("get", "/{variant}", 200), &answer);
    let mut without_note = printed.clone();
    without_note["notes"] = json!([]);
    assert_eq!(answer, without_note);
    for extra in
        ["&line=false", "&mate_in_time=true", "&mate_in_time=true&line=false", "&solution=true"]
    {
        let other = service.get(&format!("/makruk?fen={fen}{extra}")).json(200);
        api.assert_meets(api.response("get", "/{variant}", 200), &other);
        assert_eq!((&other["moves"], &other["missing_table"]), (&answer["moves"], &json!(MISSING)));
    }
    let line = service.get(&format!("/makruk/mainline?fen={fen}")).json(200);
    api.assert_meets(api.response("get", "/{variant}/mainline", 200), &line);
    assert_eq!([&line["winner"], &line["counted_mainline"]], [&Json::Null; 2]);
    assert_eq!((&line["missing_table"], &line["dtm"]), (&json!(MISSING), &answer["dtm"]));
    assert_eq!(
        line["mainline"].as_array().unwrap().len(),
        answer["line"].as_array().unwrap().len()
    );

    let rook = "8/8/8/3k4/8/8/4R3/4K3 w";
    let body = json!({"fens": [RUNNING, rook], "line": false});
    let batch = service.post("/makruk", &body).json(200);
    api.assert_meets(api.response("post", "/{variant}", 200), &batch);
    assert_eq!(batch[0]["category"], "maybe-win");
    assert_eq!((&batch[1]["category"], &batch[1]["missing_table"]), (&json!("win"), &Json::Null));

    for none in ["none", "makruk-none"] {
        let nobody = service.get(&format!("/makruk?fen={fen}&counting={none}")).json(200);
        assert_eq!(
            (&nobody["category"], &nobody["counting"]),
            (&json!("win"), &json!("makruk-none"))
        );
    }
    let body = json!({"fens": [RUNNING], "counting": "none"});
    assert_eq!(service.post("/makruk", &body).json(200)[0]["category"], "win");
    let unknown = service.get(&format!("/makruk?fen={fen}&counting=ouk")).json(400);
    let message = unknown["error"]["message"].as_str().unwrap();
    let rules: Vec<&str> = MAKRUK.counting_rules.iter().map(|rule| rule.name).collect();
    let expected = format!("expected {} or none", rules.join(" or "));
    assert!(message.ends_with(&expected), "{message}");

    // The lists, and what really has no table.
    let variants = service.get("/variants").json(200);
    api.assert_meets(api.response("get", "/variants", 200), &variants);
    let makruk = &variants["variants"][0];
    assert_eq!((&makruk["largest"], &makruk["uncounted"]), (&json!(5), &json!([MATERIAL])));
    let missing = service.get("/makruk?fen=8/8/8/3k4/8/8/4RR2/4KR2_w").json(404);
    assert_eq!(missing["error"]["missing"]["too_many"], 0);
    assert_eq!(missing["error"]["missing"]["largest"], 5);
    assert_eq!(missing["error"]["message"], "no table of KRRRvK");
    // A trainer needs the count.
    let draw = service.get("/makruk/draw?goal=mate&material=KRRvKM&seed=1").json(404);
    let message = draw["error"]["message"].as_str().unwrap();
    assert_eq!(message, "no table KRRvKM.makruk, which decides what is in time");
    assert_eq!(draw["error"]["missing"]["too_many"], 0);

    // A link says nothing of a result that is not known.
    let page = service.get(&format!("/?fen={fen}")).text();
    assert!(!page.contains("mates in"), "{page}");
    assert_eq!(service.get(&format!("/board.png?fen={fen}")).status, 200);
}

/// Tables of few men are made before the count is left out.
#[test]
fn the_service_makes_the_counts_of_few_men() {
    let few = generated(&["KRvKM"]);
    let before = files(few.path());
    let service = Served::start(&["--tables", few.path().to_str().unwrap()]);
    let answer = service.get("/makruk?fen=8/8/4m3/3k4/8/4R3/8/4K3_w").json(200);
    assert_eq!((&answer["category"], &answer["missing_table"]), (&json!("win"), &Json::Null));
    assert_eq!(files(few.path()).len(), before.len());
}

#[test]
fn games_are_checked_with_nobody_counting() {
    let place = directory();
    let game = place.path().join("game.pgn");
    let moves =
        "[Variant \"Makruk\"]\n[FEN \"8/8/8/4k3/8/4K3/4S3/4M3 w - 88 70 40\"]\n\n1. Md2 Kd5 *\n";
    fs::write(&game, moves).unwrap();
    let run = |more: &[&str]| {
        let mut command = command(["check", "--json"]);
        command.arg(&game).args(more);
        ended(command)
    };
    let counted = run(&[]).json();
    assert_eq!(counted["games"][0]["counting"], "makruk");
    let nobody = run(&["--variant", "makruk", "--counting", "none"]).json();
    assert_eq!(nobody["games"][0]["counting"], "makruk-none");
    let refused = run(&["--counting", "none"]);
    assert!(refused.refusal(2).contains("add '--variant makruk'"), "{refused:?}");

    // A mark is a verdict under the count: there is none without its tables, and the note says so.
    let moves = format!("[Variant \"Makruk\"]\n[FEN \"{RUNNING}\"]\n\n1. Kf3 *\n");
    fs::write(&game, moves).unwrap();
    let path = tables().to_str().unwrap();
    let five = run(&["--tables", path]).json();
    let note = five["games"][0]["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with(
            "no counted distances of KRRvKM; 'sakmak generate KRRvKM --counting makruk' makes them"
        ),
        "{note}"
    );
    let none = run(&["--variant", "makruk", "--counting", "none", "--tables", path]).json();
    assert_eq!(none["games"][0]["notes"].as_array().unwrap().len(), 1);
    assert!(none["games"][0]["moves"][0]["category"].is_string(), "{none}");
}
