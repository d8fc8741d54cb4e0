//! The texts of the web pages and of the atlas: every language has all of them, each is used
//! somewhere, and pages have no text of their own.

#![allow(clippy::disallowed_methods)]

use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::{Board, Notation};
use sakmak_boards::solvable::SolvableGame;
use sakmak_tables::variants;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of texts that others are compared with.
const ENGLISH: &str = include_str!("../web/languages/en.json");
/// The only text of a page outside of the files: the name of the program.
const NAME: &str = "Sakmak";

type Texts = BTreeMap<String, String>;

fn texts(json: &str) -> Texts {
    serde_json::from_str(json).unwrap()
}

/// The names of the holes of a text.
fn holes(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect()
}

/// The files of a folder of the package with these endings, with their contents.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if endings.contains(&ending) {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    assert!(!files.is_empty(), "{folder} has no files");
    files
}

/// Visits a game for its board.
struct BoardOf;

impl Visitor for BoardOf {
    type Output = Board;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Board {
        game.board()
    }
}

/// The keys of names of board games, and of their men and sides.
fn keys_of_board_games() -> impl Iterator<Item = String> {
    GameName::ALL.into_iter().flat_map(|name| {
        let Board { names, sides, .. } = name.visit(BoardOf);
        let men = names.iter().map(|man| format!("piece.{man}"));
        let sides = sides.into_iter();
        let sides = sides.flat_map(|side| ["side", "man"].map(|of| format!("{of}.{side}")));
        men.chain(sides).chain([format!("variant.{name}")])
    })
}

/// The keys composed from a number, or from a name in the rules. A key without a text is shown as
/// it is.
fn keys_of_names() -> BTreeSet<String> {
    let keys = |families: [&str; 2], name: &str| families.map(|family| format!("{family}.{name}"));
    let goals = variants::all();
    let goals = goals.flat_map(|variant| keys(["goal", "goals"], variant.rules.end.goal()));
    let games = variants::all();
    let games = games.flat_map(|variant| keys(["variant", "atlas.game"], variant.name));
    let pieces = variants::all().flat_map(|variant| variant.piece_names);
    let pieces = pieces.flat_map(|name| keys(["piece", "atlas.explained"], name));
    let rules = variants::counting_rules().map(|rule| format!("rule.{}", rule.name));
    let numbers = (2..=10).map(|number| format!("atlas.number.{number}"));
    let names = games.chain(pieces).chain(goals).chain(rules).chain(numbers);
    names.chain(keys_of_board_games()).collect()
}

/// The text in double quotes of a program or a page. Quotes of other kinds do not matter: a key is
/// searched for in every part between two quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"')
}

/// Whether a text looks like a key and not like a file name: words in small letters, separated by
/// points.
fn is_key(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.chars().all(|sign| sign.is_ascii_lowercase() || sign == '-')
    };
    let is_file = [".css", ".html", ".js"].iter().any(|ending| text.ends_with(ending));
    text.contains('.') && !is_file && text.split('.').all(word)
}

#[test]
fn every_language_has_every_text() {
    let english = texts(ENGLISH);
    let chooser = include_str!("../web/languages.js");
    for (path, json) in files("web/languages", &["json"]) {
        let language = path.file_stem().unwrap().to_string_lossy();
        assert!(chooser.contains(&format!(" {language}: ")), "{language} cannot be chosen");
        let texts = texts(&json);
        let [known, here] =
            [&english, &texts].map(|texts| texts.keys().collect::<BTreeSet<&String>>());
        assert_eq!(here, known, "keys of {language}");
        for (key, text) in &texts {
            assert_eq!(holes(text), holes(&english[key]), "holes of {key} in {language}");
            assert!(!text.trim().is_empty(), "{key} is empty in {language}");
        }
    }
}

#[test]
fn texts_are_used_and_there() {
    let english = texts(ENGLISH);
    let mut sources = files("web", &["js", "html"]);
    sources.extend(files("..", &["rs"]));
    let mut used = BTreeSet::new();
    let families: BTreeSet<&str> =
        english.keys().map(|key| key.split('.').next().unwrap()).collect();
    for (path, source) in &sources {
        for part in quoted(source) {
            if english.contains_key(part) {
                used.insert(part);
            } else if is_key(part) && path.extension().is_some_and(|ending| ending != "rs") {
                let family = part.split('.').next().unwrap();
                assert!(!families.contains(family), "{}: no text {part}", path.display());
            }
        }
    }
    let of_names = keys_of_names();
    let is_unused = |key: &&String| !used.contains(key.as_str()) && !of_names.contains(*key);
    let unused: Vec<&String> = english.keys().filter(is_unused).collect();
    assert!(unused.is_empty(), "texts that nothing shows: {unused:?}");
}

#[test]
fn pages_name_board_games_their_men_and_their_sides() {
    let english = texts(ENGLISH);
    for key in keys_of_board_games() {
        assert!(english.contains_key(&key), "no text {key} in languages/en.json");
    }
}

/// A page without the parts that are the same in all languages, such as commands.
fn translated(page: &str) -> String {
    let mut parts = page.split("<pre translate=\"no\">");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once("</pre>").unwrap().1)
}

#[test]
fn pages_have_no_text_of_their_own() {
    for (path, page) in files("web", &["html"]) {
        let page = translated(&page);
        for part in page.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            let text = text.trim();
            assert!(text.is_empty() || text == NAME, "{}: {text:?}", path.display());
            for attribute in ["alt=", "title=", "placeholder=", "aria-label="] {
                assert!(!tag.contains(attribute), "{}: {attribute} in {tag}", path.display());
            }
        }
    }
}
