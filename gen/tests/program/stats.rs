//! `sakmak stats`: keys and numbers. The known results are in `tests/statistics.rs`.

use crate::sakmak::{generated, keys, sakmak, sakmak_with};
use serde_json::{Value as Json, json};

const SIDES: [&str; 2] = ["white_to_move", "black_to_move"];

fn stats(arguments: &[&str]) -> Json {
    sakmak([&["stats", "--json"], arguments].concat()).json()
}

/// Positions with a mate of at most so many moves.
fn within(histogram: &Json, moves: u64) -> u64 {
    let entries = histogram.as_object().unwrap().iter();
    let fits = entries.filter(|(key, _)| key.parse::<u64>().unwrap() <= moves);
    fits.map(|(_, count)| count.as_u64().unwrap()).sum()
}

#[test]
fn json_has_exactly_the_keys_promised() {
    for material in ["KRvK", "KPvK", "KMvKM"] {
        let stats = stats(&[material]);
        let expected = ["material", "variant", "white_to_move", "black_to_move"];
        assert_eq!(keys(&stats), expected.into());
        assert_eq!((&stats["material"], &stats["variant"]), (&json!(material), &json!("makruk")));
        for side in SIDES.map(|side| &stats[side]) {
            let expected = [
                "legal",
                "wins",
                "losses",
                "draws",
                "wins_in_time",
                "losses_in_time",
                "win_histogram",
                "loss_histogram",
                "longest_win",
                "longest_loss",
            ];
            assert_eq!(keys(side), expected.into());
            let number = |key: &str| side[key].as_u64().unwrap();
            assert_eq!(number("legal"), number("wins") + number("losses") + number("draws"));
            for (all, histogram, longest) in [
                ("wins", "win_histogram", "longest_win"),
                ("losses", "loss_histogram", "longest_loss"),
            ] {
                assert_eq!(number(all), within(&side[histogram], u64::MAX));
                if number(all) == 0 {
                    assert!(side[longest].is_null());
                    continue;
                }
                assert_eq!(keys(&side[longest]), ["moves", "fen"].into());
                // The longest is the last of the histogram, and its position has that mate.
                let moves = side[longest]["moves"].as_u64().unwrap();
                assert!(within(&side[histogram], moves) == number(all));
                let less = moves.checked_sub(1).map_or(0, |less| within(&side[histogram], less));
                assert!(less < number(all));
                let fen = side[longest]["fen"].as_str().unwrap();
                let answer = sakmak(["probe", "--json", fen]).json();
                assert_eq!(answer["dtm"]["moves"], side[longest]["moves"]);
            }
        }
    }
}

#[test]
fn histograms_are_in_the_order_of_moves() {
    let text = sakmak(["stats", "--json", "KRvK"]).printed();
    let histogram = text.split(r#""win_histogram": {"#).nth(1).unwrap().split('}').next().unwrap();
    let moves = histogram.split(',').map(|entry| entry.split('"').nth(1).unwrap());
    let moves: Vec<u32> = moves.map(|moves| moves.parse().unwrap()).collect();
    assert_eq!(moves, (1..=16).collect::<Vec<u32>>());
}

/// One rook: 16 less three men with the runner to move, one more with the attacker; Ouk,
/// where the game is drawn when the limit is reached, one less.
#[test]
fn in_time_is_by_the_counting_asked_for() {
    for (counting, runner_first) in [("makruk", 13), ("ouk", 12)] {
        let rook = stats(&["KRvK", "--counting", counting]);
        assert_eq!(rook["variant"], counting);
        let [white, black] = SIDES.map(|side| &rook[side]);
        let wins = within(&white["win_histogram"], runner_first + 1);
        let losses = within(&black["loss_histogram"], runner_first);
        assert_eq!(
            (&white["wins_in_time"], &black["losses_in_time"]),
            (&json!(wins), &json!(losses))
        );
        assert_eq!((&white["losses_in_time"], &black["wins_in_time"]), (&json!(0), &json!(0)));
    }
    for material in ["KPvK", "KRvKR"] {
        let uncounted = stats(&[material]);
        for side in SIDES {
            assert!(uncounted[side]["wins_in_time"].is_null());
            assert!(uncounted[side]["losses_in_time"].is_null());
        }
    }
}

#[test]
fn files_have_the_statistics_of_tables_solved_on_the_spot() {
    let directory = generated(&["KSvK"]);
    for arguments in [&["stats", "KSvK"][..], &["stats", "KSvK", "--json"]] {
        let with_files = sakmak_with(directory.path(), arguments).printed();
        assert_eq!(with_files, sakmak(arguments).printed());
    }
}
