//! `sakmak label`: its labels are the answers of the library, and everything else stays.

use crate::games::{GAMES, GIVEN};
use crate::sakmak::{ProgramRun, command, directory, ended, sakmak, sakmak_with};
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{LookupBudget, ProbeError};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Clock;
use sakmak_tables::distance::Plies;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants::MAKRUK;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Positions of each material.
const POSITIONS: usize = 400;

/// Materials with pieces and pawns on one side and on both.
const MATERIALS: [&str; 5] = ["KRvK", "KSMvK", "KRvKM", "KPvKP", "KSvKN"];

/// The set for engines of these materials.
static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = directory();
    let arguments = [&["generate"][..], &MATERIALS, &["--engine-set"]].concat();
    sakmak_with(directory.path(), &arguments).printed();
    directory
});

/// Legal positions of these materials, most with a count of any length.
fn positions() -> Vec<Position> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = move |limit: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % limit
    };
    let mut positions = Vec::new();
    for material in MATERIALS {
        let material: Material = material.parse().unwrap();
        let enough = positions.len() + POSITIONS;
        while positions.len() < enough {
            let side = Side::BOTH[below(2) as usize];
            let exchanged = below(2) == 1;
            let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
            let pieces = material.pieces().chain(kings).map(|piece| {
                let square = Square::at(below(8) as usize, below(8) as usize).unwrap();
                let side = if exchanged { !piece.side } else { piece.side };
                (Piece::new(side, piece.kind), square)
            });
            let pieces: Vec<_> = pieces.collect();
            let Ok(position) = Position::new(&MAKRUK, side, pieces) else { continue };
            if position.legality().is_err() {
                continue;
            }
            let fresh = position.fresh_clock().filter(|_| below(4) > 0);
            let running = fresh.map(|fresh| {
                let count = Plies(below(u64::from(fresh.limit().0) + 1) as u32);
                Clock::new(fresh.honour(), fresh.limit(), count)
            });
            positions.push(position.with_clock(running));
        }
    }
    positions
}

/// The label by definition, from [`Tablebase::probe`].
fn label(tables: &Tablebase, position: &Position) -> Json {
    let answer = tables.searching(LookupBudget::NONE).probe(position, false).unwrap();
    let result = answer.category.wdl();
    let kept = answer.moves.iter().filter(|rated| rated.category.wdl() == result).count();
    json!({
        "category": answer.category.name(),
        "score": 10_000 * (result as i64 - 1),
        "dtm": answer.dtm.signed_plies(),
        "only": kept == 1 && answer.moves.len() > 1,
    })
}

/// The label as operations of EPD.
fn operations(label: &Json) -> String {
    let fields = ["category", "score", "dtm", "only"].map(|name| (name, &label[name]));
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| format!(" {name} {value};").replace('"', "")).collect()
}

/// Labels a file, and returns the run and the labelled text.
fn labelled(name: &str, text: impl AsRef<[u8]>, options: &[&str]) -> (ProgramRun, Vec<u8>) {
    let place = directory();
    let (input, output) = (place.path().join(name), place.path().join("labelled"));
    fs::write(&input, text).unwrap();
    let [input, path] = [&input, &output].map(|path| path.to_str().unwrap());
    let arguments = [&["label", input, "-o", path], options].concat();
    let run = sakmak_with(TABLES.path(), &arguments);
    assert!(!place.path().join("labelled.part").exists());
    (run, fs::read(output).unwrap_or_default())
}

#[track_caller]
fn all_labelled(name: &str, text: &str, options: &[&str]) -> String {
    let (run, labelled) = self::labelled(name, text, options);
    assert!(run.printed().contains(" positions labelled"));
    String::from_utf8(labelled).unwrap()
}

#[test]
fn labels_are_the_answers_of_the_library_in_each_format() {
    let tables = Tablebase::open(TABLES.path()).unwrap();
    let (mut fens, mut epd, mut plain, mut lines) = <[String; 4]>::default().into();
    let (mut of_plain, mut of_lines) = (String::new(), Vec::new());
    for position in positions() {
        let (fen, label) = (position.fen(), label(&tables, &position));
        let _ = writeln!(fens, "{fen}");
        let _ = writeln!(epd, "{fen}{}", operations(&label));
        let score = label["score"].as_i64().unwrap();
        for (text, score, result) in [(&mut plain, 7, 1), (&mut of_plain, score, score / 10_000)] {
            let _ =
                writeln!(text, "fen {fen}\nmove a1a2\nscore {score}\nply 9\nresult {result}\ne");
        }
        let _ = writeln!(lines, "{{\"id\": 1e2, \"fen\": \"{fen}\", \"category\": \"old\"}}");
        let mut fields = label;
        (fields["id"], fields["fen"]) = (json!(100.0), json!(fen));
        of_lines.push(fields);
    }
    let options = ["--distance", "--only"];
    let found = all_labelled("a.fen", &fens, &options);
    let other = found.lines().zip(epd.lines()).find(|(found, expected)| found != expected);
    assert_eq!(other, None);
    assert!(found == epd && all_labelled("a.epd", &epd, &options) == epd);
    assert!(all_labelled("a.plain", &plain, &options) == of_plain);
    let found = all_labelled("a.jsonl", &lines, &options);
    let found: Vec<Json> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(found == of_lines);
    for word in
        ["win; ", "cursed-win; ", "draw; ", "blessed-loss; ", "loss; ", "only true", "only false"]
    {
        assert!(epd.contains(word), "{word}");
    }
    // Without options, on one thread and in another order of the options of the rule.
    let short = all_labelled("a.fen", &fens, &["--threads", "1", "--win-score", "1"]);
    let expected = epd.lines().map(|line| {
        let (line, _) = line.split_once(" only ").unwrap();
        let line = line.split(" dtm ").next().unwrap();
        line.replace("score -10000", "score -1").replace("score 10000", "score 1") + "\n"
    });
    assert!(short == expected.collect::<String>());
}

#[test]
fn labels_are_those_of_probe_by_a_rule_that_is_named() {
    let fens: String =
        positions().iter().step_by(20).map(|position| position.fen() + "\n").collect();
    let options = ["--variant", "makruk", "--counting", "none"];
    let found = all_labelled("a.fen", &fens, &[&["--distance"][..], &options].concat());
    let mut probe = command([&["probe", "-", "--json"][..], &options].concat());
    probe.arg("--tables").arg(TABLES.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = probe.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(fens.as_bytes()).unwrap());
    let answers = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap();
    assert_eq!(found.lines().count(), answers.lines().count());
    for (found, answer) in found.lines().zip(answers.lines()) {
        let answer: Json = serde_json::from_str(answer).unwrap();
        let category = format!(" category {};", answer["category"].as_str().unwrap());
        let dtm = answer["dtm"].as_i64().map_or(String::new(), |dtm| format!(" dtm {dtm};"));
        assert!(found.contains(&category) && found.ends_with(&dtm), "{found}");
    }
}

#[test]
fn each_position_of_a_game_gets_a_comment_and_the_lines_stay() {
    let label = "{[%category draw] [%score 0]}";
    let expected = format!("{{[%category win] [%score 10000]}} 1. Re4 {label} Kxe4 {label} *\n");
    let found = all_labelled("a.pgn", GIVEN, &[]);
    assert_eq!(found.lines().last(), expected.lines().next());
    // Many games, in several blocks, with comments and variations of their own.
    let games = GAMES.concat() + &GIVEN.replace("Re4 Kxe4", "Re4 $1 {a\nb} (1. Rd2) Kxe4 ; c\n");
    let games = games.repeat(1 + (600 << 10) / games.len());
    let (run, found) = labelled("a.pgn", &games, &["--only"]);
    let summary = run.printed();
    assert!(summary.contains("without a table, line "), "{summary}");
    let found = String::from_utf8(found).unwrap();
    assert_eq!(found.lines().count(), games.lines().count());
    assert!(
        found.contains("Re4 $1 {[%category draw] [%score 0] [%only true]} {a\nb} (1. Rd2) Kxe4 {[")
    );
    let bare = |text: &str| {
        let parts = text.split("{[%category ").enumerate();
        let rest = parts
            .map(|(part, text)| if part == 0 { text } else { text.split_once('}').unwrap().1 });
        rest.collect::<String>().replace(' ', "")
    };
    assert!(bare(&found) == bare(&games));
    // Comments of an earlier run are replaced.
    let (_, again) = labelled("a.pgn", &found, &["--only"]);
    assert!(again == found.as_bytes());
}

#[test]
fn other_lines_are_copied_and_the_first_is_named() {
    let rook = "8/8/8/3k4/8/8/4R3/4K3 w";
    let text = format!(
        "\u{feff}# a list\r\n{rook}\r\n\n8/8 w\n{rook} - - id \"a\";\n3xk3/8/8/8/8/8/8/4K3 w\n8/8/8/3k4/8/8/4S3/2R1K3 w"
    );
    let bytes = [text.as_bytes(), b"\n\xff\xfe\n"].concat();
    let (run, found) = labelled("a.txt", &bytes, &[]);
    let message = run.complaint(1);
    assert!(
        message.starts_with("2 of 6 positions labelled; 1 without a table, line 7: "),
        "{message}"
    );
    assert!(
        message.contains("KRSvK.dtm.smt") && message.contains("; 3 not read, line 4: "),
        "{message}"
    );
    let label = "category win; score 10000;";
    let expected = text
        .replace(&format!("{rook}\r"), &format!("{rook} - {label}\r"))
        .replace("id \"a\";", &format!("id \"a\"; {label}"));
    assert!(
        found == [expected.as_bytes(), b"\n\xff\xfe\n"].concat(),
        "{}",
        String::from_utf8_lossy(&found)
    );

    let records =
        format!("fen x\nscore 5\nresult 1\ne\nscore 6\nfen {rook}\nnote\nscore 7\ne\nresult 1\n");
    let (run, found) = labelled("a.plain", &records, &[]);
    assert!(
        run.complaint(1).starts_with("1 of 2 positions labelled; 1 not read, line 1: "),
        "{run:?}"
    );
    assert_eq!(String::from_utf8(found).unwrap(), records.replace("score 7", "score 10000"));

    let (run, found) = labelled("a.json", "[]\n{\"fan\": 1}\n\n", &[]);
    assert!(run.complaint(1).contains("2 not read, line 1: expected a JSON object"), "{run:?}");
    assert_eq!(found, b"[]\n{\"fan\": 1}\n\n");
}

#[test]
fn a_run_is_continued_at_a_line() {
    let place = directory();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    let [input, output, part] = ["in.plain", "out.plain", "out.plain.part"].map(path);
    let records =
        positions().into_iter().map(|position| format!("fen {}\nscore 1\ne\n", position.fen()));
    let text = records.collect::<String>();
    fs::write(&input, &text).unwrap();
    let run =
        |arguments: &[&str]| sakmak_with(TABLES.path(), &[&["label", &input], arguments].concat());
    let whole = run(&[]);
    assert_eq!(whole.stderr, format!("{} of {0} positions labelled\n", "2,000"));
    let at = whole.stdout.match_indices('\n').nth(299).unwrap().0 + 1;
    assert!(run(&["--from-line", "301"]).stdout == whole.stdout[at..]);

    fs::write(&part, &whole.stdout[..at + 7]).unwrap();
    let message = format!("--from-line: {part} has 300 lines, expected at least 301");
    assert_eq!(run(&["--from-line", "302", "-o", &output]).refusal(2), message);
    run(&["--from-line", "301", "-o", &output]).printed();
    assert!(fs::read_to_string(&output).unwrap() == whole.stdout && !Path::new(&part).exists());
    // Without the option, from the start.
    fs::write(&part, "left").unwrap();
    run(&["-o", &output]).printed();
    assert!(fs::read_to_string(&output).unwrap() == whole.stdout);
    let message = format!("--from-line: {input} has {} lines", text.lines().count());
    assert_eq!(run(&["--from-line", "99999"]).refusal(2), message);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_names_the_line() {
    let place = directory();
    let output = place.path().join("out");
    let part = place.path().join("out.part");
    let mut command = command(["label", "-", "--threads", "1", "-o", output.to_str().unwrap()]);
    command.arg("--tables").arg(TABLES.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let text = "8/8/8/3k4/8/8/4R3/4K3 w\n".repeat(200_000);
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    // Waits for more input, and has not written all.
    while fs::metadata(&part).map_or(0, |part| part.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let input = child.stdin.take();
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let run = ProgramRun::from(child.wait_with_output().unwrap());
    drop(input);
    let written = fs::read_to_string(&part).unwrap();
    let (lines, part) = (written.lines().count(), part.display());
    let next = lines + 1;
    let message =
        format!("stopped by SIGINT; {lines} lines are in {part}: --from-line {next} continues");
    assert_eq!(run.refusal(130), message);
    assert!(written.ends_with(";\n") && !output.exists());
}

#[test]
fn what_cannot_be_labelled_is_refused_before_anything_is_written() {
    let place = directory();
    let missing: PathBuf = place.path().join("missing");
    let run = sakmak([
        "label".as_ref(),
        missing.as_os_str(),
        "--tables".as_ref(),
        TABLES.path().as_os_str(),
    ]);
    assert!(run.refusal(2).starts_with("cannot read "), "{run:?}");
    for (option, value, code, expected) in [
        ("--variant", "janggi", 2, "'label' does not know janggi"),
        ("--win-score", "0", 2, "--win-score: expected 1 to 32000, found 0"),
        ("--format", "fen", 2, "fen"),
        ("-o", "/", 2, "cannot write /: it is a directory"),
    ] {
        let mut command = command(["label", "-", option, value, "--tables"]);
        let run = ended({
            command.arg(TABLES.path()).stdin(Stdio::null());
            command
        });
        assert!(run.refusal(code).contains(expected), "{run:?}");
    }
}

/// The faster way to the only move against the definition.
#[test]
fn the_only_move_is_the_one_of_the_list_of_moves() -> Result<(), ProbeError> {
    let tables = Tablebase::open(TABLES.path())?;
    let mut found = 0;
    for position in positions() {
        let moves = tables.moves(&position)?;
        let result = tables.category(&position)?.wdl();
        let kept: Vec<_> = moves.iter().filter(|rated| rated.category.wdl() == result).collect();
        let only = kept.first().filter(|_| kept.len() == 1 && moves.len() > 1);
        assert_eq!(tables.only_move(&position)?, only.map(|rated| rated.mv), "{}", position.fen());
        found += usize::from(only.is_some());
    }
    assert!(found > 50, "{found}");
    Ok(())
}
