//! `sakmak check -o` on damaged games: no byte is lost, and a second run gives the same. With `SAKMAK_ALL=1` the
//! ignored tests take twenty times as many files, and with `SAKMAK_SEED=N` others.

use crate::games::GAMES;
use crate::sakmak::{generated, sakmak_with};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Real games with many men to their end, so that no time is spent on their moves.
const REAL: [&str; 4] =
    ["playok-87921405", "playok-87922107", "playok-87922253", "schemingmind-149228"];

/// What is put into a game, again and again.
const SPICE: [&str; 69] = [
    "(",
    ")",
    "{",
    "}",
    ";",
    "%",
    "\n%",
    "$",
    "$255",
    "$999",
    "\r",
    "\r\n",
    "\u{feff}",
    "\0",
    "\u{e2a}",
    "[",
    "]",
    "\"",
    "\\",
    "*",
    "1-0",
    "1/2-1/2",
    "...",
    "1.",
    "e.p.",
    "--",
    "Z0",
    "{Not read: x}",
    "[FEN \"8/8/8/4k3/8/4K3/4S3/4M3 b - 88 87 1\"]\n",
    "[SetUp \"0\"]\n",
    "[Variant \"ouk\"]\n",
    "[Variant \"\"]\n",
    "[Result \"1-0\"]\n",
    "[Annotator \"sakmak; me\"]\n",
    "[White \"x\\\"]\n",
    "[Black \"\\\\ \\\"\"]\n",
    "\n\n",
    " ",
    "\t",
    "\u{b}",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "<",
    "=M",
    "=P",
    "+",
    "#",
    "!?",
    "+-",
    "\u{b1}",
    "\u{2213}",
    " N ",
    "0.5-0.5",
    "\u{bd}-\u{bd}",
    " {a\nb} ",
    " (1. e4 {x} $3) ",
    " ;x }\n",
    "{ [A \"b\"]",
    "\n[White \"B\"]\n",
    "$99999999999",
    "999999999999.",
    "[FEN \"startpos\"]\n",
    "[Variant \"chess\"]\n",
    "[Site \"PlayOK\"]\n",
    "\u{1b}[2J",
    "\u{202e}",
    "=Q",
    "Pb4",
];

/// A fixed sequence of numbers.
struct Mutations(u64);

impl Mutations {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn mutate(game: &mut Vec<u8>, numbers: &mut Mutations) {
    let at = numbers.below(game.len() + 1);
    let some = [1, 2, 5, 30, 200][numbers.below(5)];
    match numbers.below(6) {
        0 if at < game.len() => game[at] = numbers.below(256) as u8,
        1 => drop(game.drain(at..game.len().min(at + some))),
        2 => {
            let from = numbers.below(game.len() + 1);
            let part = game[from..game.len().min(from + some)].to_vec();
            game.splice(at..at, part);
        }
        _ => drop(game.splice(at..at, SPICE[numbers.below(SPICE.len())].bytes())),
    }
}

/// Parts put between those of annotated games.
const OWN: [&str; 24] = [
    "{Sakmak: x}",
    "{Sakmak: ?? x}",
    "{Sakmak:}",
    "{Sakmak:x}",
    "$4",
    "$2",
    "$4 {Sakmak: ?? x}",
    "$4{Sakmak: ?? x}",
    "??",
    "\n\n",
    "%",
    "\n%x\n",
    "\r\n",
    " ",
    "\u{a0}",
    "[Event \"y\"]",
    "\n[Event \"y\"]\n",
    ";{Sakmak: x}\n",
    ";Sakmak: x\n",
    "(",
    ")",
    "1...",
    "*",
    "1-0",
];

/// The parts of an annotated text between comments, tags, marks, results and words.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let closing = match first {
            '{' => rest.find('}').map(|end| end + 1),
            '[' => rest.find(']').map(|end| end + 1),
            _ => None,
        };
        let ends = |letter: char| letter.is_whitespace() || "{}[]()$*".contains(letter);
        let word = || rest[first.len_utf8()..].find(ends).map(|end| end + first.len_utf8());
        let part;
        (part, rest) = rest.split_at(closing.or_else(word).unwrap_or(rest.len()));
        parts.push(part);
    }
    parts
}

/// An annotated text with some parts moved, lost, doubled or put in.
fn reassembled(text: &str, numbers: &mut Mutations) -> String {
    let mut parts = parts(text);
    for _ in 0..=numbers.below(8) {
        let at = numbers.below(parts.len());
        let other = numbers.below(parts.len());
        match numbers.below(6) {
            0 => {
                let some = [1, 2, 5, 20, 60][numbers.below(5)];
                parts.drain(at..parts.len().min(at + some));
            }
            1 => parts.swap(at, other),
            2 => parts.insert(at, parts[other]),
            3 => parts.truncate(at + 1),
            _ => parts.insert(at, OWN[numbers.below(OWN.len())]),
        }
        if parts.is_empty() {
            parts.push("*");
        }
    }
    parts.concat()
}

/// Stands for a tag that the program may have added: a mark before it is not of a comment behind it.
const TAG: &str = "\u{1}";

/// The bytes without white space between games and words, and without what the program adds.
fn bare(bytes: &[u8]) -> Vec<u8> {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let version = format!("sakmak {}", env!("CARGO_PKG_VERSION"));
    let mut text = text.replace(&format!("; {version}"), "");
    for tag in [
        "Annotator \"sakmak",
        "SetUp \"1\"",
        "Variant \"makruk\"",
        "Variant \"ouk\"",
        "Variant \"shatranj\"",
        "Variant \"chess\"",
        "FEN \"r",
    ] {
        while let Some(begin) = text.find(&format!("[{tag}")) {
            let end = begin + text[begin..].find(']').map_or(text.len() - begin, |end| end + 1);
            text.replace_range(begin..end, TAG);
        }
    }
    let text = text.replace("[Variant \"\"]", TAG);
    let (mut rest, mut kept) = (&*text, String::new());
    while let Some(begin) = rest.find("{Sakmak:") {
        let Some(end) = rest[begin..].find('}').map(|end| begin + end + 1) else { break };
        let comment = &rest[begin + "{Sakmak:".len()..end - 1];
        if !comment.starts_with([' ', '\n', '\r', '\t']) || comment.trim().is_empty() {
            kept += &rest[..end];
            rest = &rest[end..];
            continue;
        }
        let first = rest[begin..end - 1].split_ascii_whitespace().nth(1);
        let signs = [("??", "$4"), ("?", "$2"), ("?!", "$6"), ("!", "$7")];
        let sign = signs.iter().find(|(sign, _)| first == Some(*sign));
        let before = rest[..begin].trim_end_matches([' ', '\n', '\r', '\t']);
        let is_apart = before.len() < begin;
        let without = sign.and_then(|(_, nag)| before.strip_suffix(nag)).filter(|_| is_apart);
        kept += without.unwrap_or(before);
        rest = &rest[end..];
    }
    kept += rest;
    let kept = kept.replace(TAG, "");
    // Mutations before moves of Black may be added.
    let word = |word: &str| {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = word.len() - digits.len();
        match digits.strip_prefix("...").filter(|_| number > 0) {
            Some(rest) => rest.to_string(),
            None => word.to_string(),
        }
    };
    kept.split_ascii_whitespace().map(word).collect::<String>().into_bytes()
}

/// The errors of the games without their lines.
fn errors(json: &Json) -> Vec<Option<String>> {
    let error = |game: &Json| {
        let message = game["error"]["message"].as_str()?;
        let line = message.strip_prefix("line ").unwrap();
        Some(line.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_string())
    };
    json["games"].as_array().unwrap().iter().map(error).collect()
}

/// Real and hand-made games.
fn games() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pgn/tests/data/games");
    let real = REAL.map(|name| fs::read(folder.join(format!("{name}.pgn"))).unwrap());
    let made = GAMES.map(|game| game.as_bytes().to_vec());
    real.into_iter().chain(made).collect()
}

/// Runs `check -o` on a file.
struct Annotation {
    place: TempDir,
}

impl Annotation {
    fn new() -> Annotation {
        Annotation { place: generated(&["KRvK", "KRvKN", "KRPvK"]) }
    }

    /// The exit code, the errors of the games, and the annotated games.
    #[track_caller]
    fn of(&self, bytes: &[u8]) -> (Option<i32>, Vec<Option<String>>, Vec<u8>) {
        let [path, out] = ["games.pgn", "out.pgn"].map(|name| self.place.path().join(name));
        fs::write(&path, bytes).unwrap();
        let _ = fs::remove_file(&out);
        let arguments = ["--json", "--make-men", "0", "-o", out.to_str().unwrap()];
        let arguments = [&["check", path.to_str().unwrap()], &arguments[..]].concat();
        let run = sakmak_with(self.place.path(), &arguments);
        let text = String::from_utf8_lossy(bytes);
        let json: Result<Json, _> = serde_json::from_str(&run.stdout);
        let json = json.unwrap_or_else(|_| panic!("{run:?}: {text}"));
        // A file without games has no output.
        (run.code, errors(&json), fs::read(&out).unwrap_or_default())
    }

    /// Annotates a file and the output: no byte is lost, and the second run gives the same. Returns
    /// the number of games that are read, and of others.
    #[track_caller]
    fn twice(&self, bytes: &[u8]) -> [usize; 2] {
        let text = String::from_utf8_lossy(bytes);
        let (code, told, once) = self.of(bytes);
        if told.is_empty() {
            return [0, 0];
        }
        assert!(bare(&once) == bare(bytes), "lost: {text:?}");
        let again = self.of(&once);
        assert_eq!((code, &told), (again.0, &again.1), "{text:?}");
        assert!(again.2 == once, "second: {text:?}");
        let unread = told.iter().flatten().count();
        [told.len() - unread, unread]
    }
}

/// Games from which each fault of splicing was seen, and relatives.
#[test]
fn parts_of_the_own_output_lose_nothing() {
    let annotation = Annotation::new();
    let tags = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    for end in ["", "\n", "\n\n[Event \"x\"]\n\n1. e4 *\n", "\n\n% x\n", " % x\n1. e4", "*"] {
        for moves in [
            "{Sakmak: x}",
            "{y} {Sakmak: x}",
            "1. {Sakmak: x}",
            "$4 {Sakmak: ?? x}",
            "{Sakmak: x} 1-0",
            "1-0 {Sakmak: x}",
            "1. Kd1 $4 1-0 {Sakmak: ?? x}",
            "1. Kd1 $4\n1-0\n{Sakmak: ?? x}\n{y}",
            "1. Kd1 $4 {y} {Sakmak: ?? x}",
            "1. Kd1 $4 1... {Sakmak: ?? x}",
            "1. Kd1 $4 1... {Sakmak: ?? x} Kd4",
            "1. Kd1 $4{Sakmak: ?? x}",
            "1. Kd1??{Sakmak: ?? x}Kd4",
            "1. Kd1 $4\u{a0}{Sakmak: ?? x}",
            "1. Kd1 $4\n%y\n{Sakmak: ?? x}",
            "1. Kd1 $4 *{Sakmak:?? }Kd5",
            "1. Kd1 {Sakmak:} {Sakmak:x} ;Sakmak: x\n",
            "1. Kd1\n% y\n{Sakmak: x}",
        ] {
            annotation.twice(format!("{tags}\n{moves}{end}").as_bytes());
        }
    }
}

#[test]
fn a_fen_that_is_added_is_read_again() {
    let annotation = Annotation::new();
    // Khon of Makruk by its letter, and of Shatranj by its move.
    for game in ["[Event \"y\"]\n\n1. Sd3", "[Event \"y\"]\n\n1. Sd3 Sd6 *"] {
        assert_eq!(annotation.twice(game.as_bytes()), [1, 0]);
    }
}

#[test]
fn annotated_games_in_parts_lose_nothing() {
    pieces(60, 20_261_128);
}

#[test]
#[ignore = "long: part of the full tests"]
fn many_annotated_games_in_parts_lose_nothing() {
    pieces(files(500), seed(20_261_129));
}

/// The number of files of an ignored test.
fn files(number: usize) -> usize {
    if std::env::var_os("SAKMAK_ALL").is_some() { 20 * number } else { number }
}

/// The seed of an ignored test: the variable `SAKMAK_SEED` above zero, or a fixed one.
fn seed(fixed: u64) -> u64 {
    let given = std::env::var("SAKMAK_SEED").ok().and_then(|seed| seed.parse().ok());
    given.filter(|&seed| seed > 0).unwrap_or(fixed)
}

/// Annotates files made of parts of annotated games.
fn pieces(files: usize, seed: u64) {
    let annotation = Annotation::new();
    let annotated = |game: &str| String::from_utf8(annotation.of(game.as_bytes()).2).unwrap();
    let games = GAMES.map(annotated);
    let mut numbers = Mutations(seed);
    let (mut read, mut unread) = (0, 0);
    for _ in 0..files {
        let few: Vec<&str> =
            (0..=numbers.below(3)).map(|_| &*games[numbers.below(games.len())]).collect();
        let counts = annotation.twice(reassembled(&few.concat(), &mut numbers).as_bytes());
        read += counts[0];
        unread += counts[1];
    }
    assert!(read > files / 4 && unread > files / 10, "{read} read, {unread} not");
}

#[test]
#[ignore = "long: part of the full tests"]
fn no_byte_of_a_damaged_game_is_lost_and_a_second_run_gives_the_same() {
    let games = games();
    let annotation = Annotation::new();
    let mut numbers = Mutations(seed(20_261_125));
    let files = files(16);
    let (mut read, mut unread) = (0, 0);
    for _ in 0..files {
        let mut bytes = Vec::new();
        for _ in 0..16 {
            let mut game = games[numbers.below(games.len())].clone();
            for _ in 0..[0, 1, 1, 2, 3, 5][numbers.below(6)] {
                mutate(&mut game, &mut numbers);
            }
            bytes.extend(game);
            bytes.extend([&b""[..], b"\n", b"\r\n\r\n"][numbers.below(3)]);
        }
        let counts = annotation.twice(&bytes);
        read += counts[0];
        unread += counts[1];
    }
    // Enough of both kinds.
    assert!(read > 5 * files && unread > 5 * files, "{read} read, {unread} not");
}
