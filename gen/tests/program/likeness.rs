//! A FEN or a game of one variant given as another is refused, with the variant that it looks like.

use crate::sakmak::{directory, sakmak};
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, OUK, SITTUYIN};
use std::fmt::Write;

/// Variants of which the first one's FENs are FENs of the second one too, see `docs/games.md`.
const TWINS: [(&str, &str); 4] =
    [("makruk", "makpong"), ("makpong", "makruk"), ("ouk", "kar-ouk"), ("shatranj", "chess")];

/// FENs that have the marks of a variant: letters, limits, leaps, checks left, ranks of pawns.
fn marked(variant: &Variant) -> Vec<&'static str> {
    match variant.name {
        "makruk" | "makpong" => {
            vec!["8/8/8/3k4/8/8/4SS2/4K3 b - 44 6 1", "8/8/8/3k4/8/8/4M3/4K3 w - - 0 1"]
        }
        "ouk" => vec![OUK.start, "8/8/8/3k4/8/8/4SS2/4K3 b - 42 6 1"],
        "kar-ouk" => vec!["8/8/8/3k4/8/8/4S3/4K3 w - - 1+1 0 1"],
        "sittuyin" => vec!["8/8/8/3k4/8/8/4F3/4K3 w - - 0 1", SITTUYIN.start],
        "ai-wok" => vec!["8/8/8/3k4/8/8/4A3/4K3 w - - 0 1"],
        "shatranj" => vec!["8/8/8/3k4/8/8/1P2Q3/4K3 w - - 0 1"],
        "asean" => vec!["8/3P4/8/3k4/8/8/4B3/4K3 w - - 0 1", "8/8/8/3k4/8/8/4BB2/4K3 b - 88 6 1"],
        "chess" => vec!["8/8/8/8/1pP5/8/8/k1K5 b - c3 0 1"],
        other => panic!("no FEN of {other}"),
    }
}

/// The variants that a message names.
fn likeness(message: &str) -> Vec<&str> {
    let names = message.split_once("looks like ").map_or("", |(_, names)| names);
    names.trim_end().split(" or ").collect()
}

/// The FENs of each variant that another refuses, with both variants.
fn refused() -> Vec<(&'static Variant, &'static Variant, &'static str)> {
    let all = variants::all();
    let pairs = all.clone().flat_map(|one| all.clone().map(move |other| (one, other)));
    let fens =
        pairs.flat_map(|(one, other)| marked(one).into_iter().map(move |fen| (one, other, fen)));
    fens.filter(|(one, other, fen)| one != other && Position::from_fen(other, fen).is_err())
        .collect()
}

#[test]
fn every_variant_is_told_from_every_other() {
    let refused = refused();
    for one in variants::all() {
        for other in variants::all().filter(|other| *other != one) {
            let told = refused.iter().any(|&(of, by, _)| (of, by) == (one, other));
            let are_twins = TWINS.contains(&(one.name, other.name));
            assert_eq!(told, !are_twins, "{} as {}", one.name, other.name);
        }
    }
}

#[test]
fn a_fen_of_another_variant_is_refused_with_its_name() {
    for (one, other, fen) in refused() {
        let run = sakmak(["probe", "--variant", other.name, fen]);
        let message = run.refusal(2);
        assert!(likeness(message).contains(&one.name), "{fen} as {}: {message}", other.name);
    }
}

#[test]
fn a_game_of_another_variant_is_refused_with_its_name() {
    let refused = refused();
    let mut games = String::new();
    for (_, other, fen) in &refused {
        let name = other.name;
        writeln!(games, "[Variant \"{name}\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\nKd1 *\n")
            .unwrap();
    }
    let place = directory();
    let path = place.path().join("games.pgn");
    std::fs::write(&path, games).unwrap();
    let run = sakmak(["check", "--json", path.to_str().unwrap()]);
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let found = found["games"].as_array().unwrap();
    assert_eq!(found.len(), refused.len());
    for (game, (one, other, fen)) in found.iter().zip(&refused) {
        let message = game["error"]["message"].as_str().unwrap();
        assert!(likeness(message).contains(&one.name), "{fen} as {}: {message}", other.name);
    }
}

#[test]
fn a_start_position_of_another_variant_is_refused_with_its_name() {
    let place = directory();
    let path = place.path().join("game.pgn");
    for (tag, fen, expected) in [
        ("Makruk", variants::ASEAN.start, "is the start position of asean and not of makruk"),
        ("Kar Ouk", variants::MAKRUK.start, "is the start position of makruk and not of kar-ouk"),
        ("ASEAN", variants::MAKPONG.start, "looks like makruk or makpong"),
        ("Ai-wok", variants::SHATRANJ.start, "looks like shatranj"),
    ] {
        let game = format!("[Variant \"{tag}\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\nd4 *\n");
        std::fs::write(&path, game).unwrap();
        let run = sakmak(["check", path.to_str().unwrap()]);
        let printed = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(expected), "{tag}: {run:?}");
    }
}
