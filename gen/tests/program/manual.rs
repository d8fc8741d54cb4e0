//! Completions and manual pages name all that the help names.

use crate::sakmak::{directory, files, sakmak};
use std::collections::BTreeSet;

/// The subcommands in the help.
fn subcommands() -> Vec<String> {
    let help = sakmak(["help"]).printed();
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        let indented = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        indented.split(' ').next().map(str::to_string)
    });
    let names: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(names.len() > 10 && names.contains(&"completions".to_string()), "{names:?}");
    names
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_string).collect()
}

#[test]
fn completions_name_every_subcommand_and_option() {
    let mut expected: BTreeSet<String> = subcommands().into_iter().collect();
    for subcommand in subcommands() {
        let help = sakmak(["help", &subcommand]).printed();
        let (_, listed) = help.split_once("Options:\n").unwrap();
        let starts = listed.lines().filter(|line| line.trim_start().starts_with('-'));
        for start in starts {
            let option = options(start.split("  ").find(|part| !part.is_empty()).unwrap_or(""));
            expected.extend(option.iter().map(|option| option.trim_start_matches('-').to_string()));
        }
    }
    assert!(expected.contains("make-men") && expected.contains("tables"), "{expected:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sakmak(["completions", shell]).printed();
        let words = script.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        let words: BTreeSet<&str> = words.map(|word| word.trim_start_matches('-')).collect();
        for name in &expected {
            assert!(words.contains(&**name), "{shell}: {name}");
        }
    }
    let run = sakmak(["completions", "tcsh"]);
    assert!(run.code == Some(2) && run.stderr.contains("bash"), "{run:?}");
}

#[test]
fn manual_pages_name_every_subcommand_and_option() {
    let page = sakmak(["man"]).printed();
    let directory = directory();
    let pages = directory.path().join("share/man1");
    assert_eq!(sakmak(["man".as_ref(), "-o".as_ref(), pages.as_os_str()]).printed(), "");
    let written = files(&pages);
    assert_eq!(written.len(), subcommands().len() + 1);
    assert_eq!(String::from_utf8_lossy(&written["sakmak.1"]), page);
    for subcommand in subcommands() {
        assert!(page.contains(&format!("sakmak\\-{subcommand}(1)")), "{subcommand}");
        let written = String::from_utf8_lossy(&written[&format!("sakmak-{subcommand}.1")]);
        assert!(written.contains(".SH NAME") && written.contains(".SH SYNOPSIS"), "{written}");
        let named = options(&written.replace("\\-", "-").replace("\\fB", ""));
        let help = sakmak(["help", &subcommand]).printed();
        for option in options(&help) {
            assert!(named.contains(&option), "{subcommand}: {option}");
        }
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let directory = directory();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = sakmak(["man".as_ref(), "-o".as_ref(), file.join("man1").as_os_str()]);
    assert!(run.refusal(1).contains("file/man1"), "{run:?}");
}
