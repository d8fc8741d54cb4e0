//! Chess under the fifty-move rule: its tables, from solved, packed and WDL files, and its answers.

use crate::sakmak::{directory, sakmak_with};
use serde_json::{Value as Json, json};

const RULE: [&str; 2] = ["--counting", "fifty-moves"];
const CHESS: [&str; 2] = ["--variant", "chess"];

#[test]
fn the_clock_decides_from_every_kind_of_file() {
    let place = directory();
    let run = |arguments: &[&str]| sakmak_with(place.path(), &[arguments, &CHESS].concat());
    let counted = |arguments: &[&str]| run(&[arguments, &RULE].concat());
    let made = counted(&["generate", "KRRvK", "KPvK", "--wdl"]).printed();
    assert!(made.contains("KRRvK.fifty-moves"), "{made}");
    assert!(run(&["verify"]).printed().contains("KRRvK.fifty-moves every value correct"));
    // With a rook mate is near; one of two rooks has to be taken in the last ply of the clock.
    let answers = [
        ("8/8/8/8/8/2k5/8/K6R w - - 80 120", "cursed-win"),
        ("8/8/8/8/8/2k5/8/K6R w - - 60 120", "win"),
        ("8/8/8/8/8/2k5/8/K6R w - - 100 120", "cursed-win"),
        ("R7/8/8/8/8/2K5/6R1/7k b - - 99 120", "loss"),
        ("R7/8/8/8/8/2K5/6R1/7k b - - 100 120", "blessed-loss"),
        ("8/8/8/8/8/2K5/1R6/R6k b - - 100 120", "loss"),
        // With a pawn the clock is left out.
        ("8/8/8/8/8/k7/6P1/K7 w - - 99 120", "win"),
    ];
    let assert_answers = || {
        for (fen, category) in answers {
            let answer: Json = counted(&["probe", "--json", fen]).printed().parse().unwrap();
            assert_eq!(answer["category"], category, "{fen}");
        }
    };
    assert_answers();
    assert!(counted(&["pack", "KRRvK"]).printed().contains("KRRvK.fifty-moves"));
    std::fs::remove_file(place.path().join("chess/KRRvK.fifty-moves.smt")).unwrap();
    assert!(run(&["verify", "KRRvK"]).printed().contains("KRRvK.fifty-moves"));
    assert_answers();
}

#[test]
fn an_answer_names_the_clock() {
    let place = directory();
    let probe = |fen: &str, options: &[&str]| {
        let arguments = [&["probe", fen][..], options, &CHESS, &RULE].concat();
        sakmak_with(place.path(), &arguments).printed()
    };
    let text = probe("8/8/8/4k3/8/8/8/R3K3 w - - 90 120", &[]);
    assert!(text.contains("Draw by the fifty-move rule: white's mate in"), "{text}");
    assert!(text.contains("Count:   fifty-move rule: 90 of 100 plies without a capture"), "{text}");
    assert!(text.contains("White has 5 moves left to mate or to a capture that wins"), "{text}");
    let over = probe("8/8/8/4k3/8/8/8/R3K3 w - - 100 120", &[]);
    assert!(over.contains("fifty-move rule, over: either side may claim the draw"), "{over}");
    let answer: Json = probe("8/8/8/8/8/2k5/8/K6R w - - 60 120", &["--json"]).parse().unwrap();
    let count = &answer["count"];
    let fields = ["rule", "limit", "moves_left", "limit_plies", "plies", "over"];
    let expected =
        [json!("fifty-moves"), json!(50), json!(20), json!(100), json!(60), json!(false)];
    assert_eq!(fields.map(|field| count[field].clone()), expected);
    assert_eq!(answer["mate_in_time"], answer["dtm"]);
}
