//! README and docs show what the program prints, options that it has, and examples that are
//! compiled and run.
//!
//! ```text
//! block of            must
//! console             be printed by its commands; a line `...` stands for any lines
//! sh                  name subcommands, options and scripts that exist; `probe` succeeds, and so does
//!                      each command with the example game
//! rust, c, python     stand in an example that scripts/bindings.sh runs, or in a client of the
//!                      service, which a test runs
//! js                  stand in a client of the service or an example of the npm package
//! ```

use sakmak_analysis::query::parse;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::material::Material;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The game of the examples, in the repository.
const EXAMPLE: &str = "docs/example.pgn";

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// README.md and the pages of docs, with their names.
fn documents() -> Vec<(String, String)> {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let markdown = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    [root().join("README.md")]
        .into_iter()
        .chain(markdown)
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// The code blocks of a language, of all documents, with the names of the documents.
fn blocks(language: &str) -> Vec<(String, String)> {
    let opening = format!("```{language}\n");
    let mut blocks = Vec::new();
    for (name, text) in documents() {
        for rest in text.split(&opening).skip(1) {
            let (block, _) = rest.split_once("```").unwrap();
            blocks.push((name.clone(), block.to_owned()));
        }
    }
    assert!(!blocks.is_empty(), "no document has a block of {language}");
    blocks
}

/// The arguments of a command line, single quotes taken off, without its comment.
fn arguments(line: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (part, text) in line.split('\'').enumerate() {
        match part % 2 {
            0 => {
                let words = text.split(" # ").next().unwrap_or_default();
                arguments.extend(words.split_whitespace().map(str::to_owned));
                if text.contains(" # ") {
                    break;
                }
            }
            _ => arguments.push(text.to_owned()),
        }
    }
    arguments
}

/// Runs the program in a directory.
fn sakmak(arguments: &[String], directory: &Path) -> Output {
    let state = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_sakmak"))
        .args(arguments)
        .current_dir(directory)
        .env("XDG_STATE_HOME", state.path())
        .env_remove("SAKMAK_TABLES")
        .env("SAKMAK_PROGRESS", "0")
        .output()
        .unwrap()
}

/// Whether the lines are those shown, where `...` stands for any lines.
fn is_shown(printed: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|from| is_shown(&printed[from..], rest)),
        Some((line, rest)) => printed.first() == Some(line) && is_shown(&printed[1..], rest),
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn commands_print_what_documents_show() {
    let directory = tempfile::tempdir().unwrap();
    let made = sakmak(&arguments("generate 4"), directory.path());
    assert!(made.status.success());
    for (name, block) in blocks("console") {
        for command in block.split("$ sakmak ").skip(1) {
            let (line, shown) = command.split_once('\n').unwrap();
            let output = sakmak(&arguments(line), directory.path());
            let printed = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            let shown: Vec<&str> = shown.trim_end().lines().collect();
            assert!(is_shown(&lines, &shown), "{name}: sakmak {line} prints\n{printed}");
        }
    }
}

#[test]
fn commands_in_documents_exist() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("docs")).unwrap();
    fs::copy(root().join(EXAMPLE), directory.path().join(EXAMPLE)).unwrap();
    let mut checked = 0;
    for (name, block) in blocks("sh") {
        for line in block.lines() {
            let mut words = arguments(line).into_iter().filter(|word| !word.contains('='));
            let program = words.next().unwrap_or_default();
            if program.starts_with("scripts/") {
                assert!(root().join(&program).exists(), "{name}: {program}");
            }
            if program != "sakmak" {
                continue;
            }
            let subcommand = words.next().unwrap();
            let is_example = words.clone().any(|word| word == EXAMPLE);
            if subcommand == "probe" || is_example {
                let output = sakmak(&arguments(line)[1..], directory.path());
                assert!(output.status.success(), "{name}: {line}");
                checked += usize::from(is_example);
            }
            let help = sakmak(&["help".to_owned(), subcommand], Path::new("."));
            assert!(help.status.success(), "{name}: {line}");
            let help = String::from_utf8(help.stdout).unwrap();
            for option in words.filter(|word| word.starts_with('-') && word != "-") {
                let listed = help.split(|letter: char| letter.is_whitespace() || letter == ',');
                assert!(listed.into_iter().any(|word| word == option), "{name}: {line}: {option}");
            }
        }
    }
    assert!(checked > 0, "no document reviews {EXAMPLE}");
}

#[test]
fn code_in_documents_is_that_of_examples() {
    for (language, folders) in [
        ("rust", &["probe/examples"][..]),
        ("c", &["probe/c/examples"]),
        ("python", &["probe/python/examples", "scripts/serve"]),
        ("js", &["scripts/serve", "gen/wasm/examples"]),
    ] {
        let entries = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
        let examples: Vec<String> =
            entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
        for (name, block) in blocks(language) {
            let found = examples.iter().any(|example| example.contains(&block));
            assert!(found, "{name}: a block of {language} stands in no file of {folders:?}");
        }
    }
}

#[test]
fn conditions_in_documents_are_read() {
    let page = fs::read_to_string(root().join("docs/query.md")).unwrap();
    let (_, table) = page.split_once("| condition |").unwrap();
    let material: Material = "KSMvKM".parse().unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| `"));
    let mut conditions = 0;
    for row in rows {
        // Bars within a cell are escaped.
        let row = row.replace("\\|", "\u{0}");
        let cell = row.split('|').nth(1).unwrap().replace('\u{0}', "|");
        for condition in cell.split('`').skip(1).step_by(2) {
            assert!(parse(condition, material).is_ok(), "{condition}");
            conditions += 1;
        }
    }
    assert!(conditions > 10);
}

/// The C library and the C reader have the rules in tables of their own.
#[test]
fn headers_have_the_numbers_of_all_counting_rules() {
    let file = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let library = file("probe/c/include/sakmak.h");
    let [header, reader] =
        ["h", "c"].map(|ending| file(&format!("probe/c-reader/sakmak_reader.{ending}")));
    for variant in variants::all() {
        for &rule in variant.counting_rules {
            let name = rule.name.replace('-', "_").to_uppercase();
            let has = |text: &str, prefix: &str| {
                // No digit follows, so that 1 is not found in 10.
                let entry = format!("{prefix}{name} = {}", rule.id);
                text.split(&entry).nth(1).is_some_and(|rest| !rest.starts_with(char::is_numeric))
            };
            assert!(has(&library, " SAKMAK_"), "{name} is not in sakmak.h");
            // The reader reads files of these two variants only.
            if [MAKRUK.name, OUK.name].contains(&variant.name) {
                assert!(has(&header, " SAKMAK_READER_"), "{name} is not in sakmak_reader.h");
                for metric in [Metric::Counted(rule), Metric::MateInTime(rule)] {
                    let fingerprint = format!("0x{:016X}u", metric.fingerprint(&variant.rules));
                    let found = reader.contains(&fingerprint);
                    assert!(found, "{metric}: no {fingerprint} in sakmak_reader.c");
                }
            }
        }
    }
}
