//! `sakmak check -o` on damaged games: no byte is lost, and a second run gives the same.

use crate::games::GAMES;
use crate::sakmak::{generated, sakmak_with};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// Real games with many men to their end, so that no time is spent on their moves.
const REAL: [&str; 4] =
    ["playok-87921405", "playok-87922107", "playok-87922253", "schemingmind-149228"];

/// What is put into a game, again and again.
const SPICE: [&str; 60] = [
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

/// The bytes without white space between games and words, and without what the program adds.
fn bare(bytes: &[u8]) -> Vec<u8> {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let version = format!("sakmak {}", env!("CARGO_PKG_VERSION"));
    let mut text = text.replace(&format!("; {version}"), "");
    for tag in
        ["Annotator \"sakmak", "SetUp \"1\"", "Variant \"makruk\"", "Variant \"ouk\"", "FEN \"r"]
    {
        while let Some(begin) = text.find(&format!("[{tag}")) {
            let end = begin + text[begin..].find(']').map_or(text.len() - begin, |end| end + 1);
            text.replace_range(begin..end, "");
        }
    }
    let text = text.replace("[Variant \"\"]", "");
    let (mut rest, mut kept) = (&*text, String::new());
    while let Some(begin) = rest.find("{Sakmak:") {
        let end = begin + rest[begin..].find('}').unwrap() + 1;
        let first = rest[begin..end].split_ascii_whitespace().nth(1);
        let signs = [("??", "$4"), ("?", "$2"), ("?!", "$6"), ("!", "$7")];
        let sign = signs.iter().find(|(sign, _)| first == Some(*sign));
        let before = rest[..begin].trim_end_matches([' ', '\n', '\r', '\t']);
        kept += sign.map_or(before, |(_, nag)| before.strip_suffix(nag).unwrap());
        rest = &rest[end..];
    }
    kept += rest;
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

#[test]
#[ignore = "long: part of the full tests"]
fn no_byte_of_a_damaged_game_is_lost_and_a_second_run_gives_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/tests/data/games");
    let real = REAL.map(|name| fs::read(folder.join(format!("{name}.pgn"))).unwrap());
    let made = GAMES.map(|game| game.as_bytes().to_vec());
    let games: Vec<Vec<u8>> = real.into_iter().chain(made).collect();
    let place = generated(&["KRvK", "KRvKN", "KRPvK"]);
    let out = place.path().join("out.pgn");
    let mut numbers = Mutations(20_261_125);
    let (mut read, mut unread) = (0, 0);
    for file in 0..16 {
        let mut bytes = Vec::new();
        for _ in 0..16 {
            let mut game = games[numbers.below(games.len())].clone();
            for _ in 0..[0, 1, 1, 2, 3, 5][numbers.below(6)] {
                mutate(&mut game, &mut numbers);
            }
            bytes.extend(game);
            bytes.extend([&b""[..], b"\n", b"\r\n\r\n"][numbers.below(3)]);
        }
        let path = place.path().join("games.pgn");
        let annotate = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let arguments = ["--json", "--make-men", "0", "-o", out.to_str().unwrap()];
            let arguments = [&["check", path.to_str().unwrap()], &arguments[..]].concat();
            let run = sakmak_with(place.path(), &arguments);
            let json: Json = serde_json::from_str(&run.stdout).unwrap();
            (run.code, errors(&json), fs::read(&out).unwrap())
        };
        let (code, told, once) = annotate(&bytes);
        assert!(bare(&once) == bare(&bytes), "file {file}: {}", String::from_utf8_lossy(&bytes));
        let again = annotate(&once);
        assert_eq!((code, &told), (again.0, &again.1), "file {file}");
        assert!(again.2 == once, "file {file}: {}", String::from_utf8_lossy(&bytes));
        unread += told.iter().flatten().count();
        read += told.iter().filter(|error| error.is_none()).count();
    }
    // Enough of both kinds.
    assert!(read > 80 && unread > 80, "{read} read, {unread} not");
}
