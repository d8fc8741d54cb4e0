//! `sakmak stats`: keys and numbers. The known results are in `tests/statistics.rs`.

use crate::lawful::plies;
use crate::sakmak::{directory, generated, keys, sakmak, sakmak_with};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_tables::index::Index;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use serde_json::{Value as Json, json};

const SIDES: [&str; 2] = ["white_to_move", "black_to_move"];

fn stats(arguments: &[&str]) -> Json {
    sakmak([&["stats", "--json"], arguments].concat()).json()
}

/// The number of positions with a mate of at most `moves` moves.
fn within(histogram: &Json, moves: u64) -> u64 {
    let entries = histogram.as_object().unwrap().iter();
    let fits = entries.filter(|(key, _)| key.parse::<u64>().unwrap() <= moves);
    fits.map(|(_, count)| count.as_u64().unwrap()).sum()
}

#[test]
fn json_has_exactly_the_keys_promised() {
    for material in ["KRvK", "KPvK", "KMvKM"] {
        let stats = stats(&[material]);
        let expected = [
            "material",
            "variant",
            "counting",
            "white_attacking",
            "black_attacking",
            "white_to_move",
            "black_to_move",
        ];
        assert_eq!(keys(&stats), expected.into());
        assert_eq!(stats["counting"], "makruk");
        for attacking in ["white_attacking", "black_attacking"] {
            assert_eq!(keys(&stats[attacking]), ["won", "won_in_time", "in_time"].into());
        }
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
                "at_fresh_count",
                "counted",
            ];
            assert_eq!(keys(side), expected.into());
            let number = |key: &str| side[key].as_u64().unwrap();
            let expected = [
                "win_clock",
                "loss_clock",
                "wins",
                "cursed_wins",
                "draws",
                "blessed_losses",
                "losses",
                "wins_past_clock",
                "losses_past_clock",
                "longest_win",
                "longest_loss",
            ];
            let count = &side["at_fresh_count"];
            assert_eq!(keys(count), expected.into());
            let sum = |keys: &[&str]| -> u64 {
                keys.iter().map(|&key| count[key].as_u64().unwrap()).sum()
            };
            assert_eq!(sum(&["wins", "cursed_wins"]), number("wins"));
            assert_eq!(sum(&["losses", "blessed_losses"]), number("losses"));
            assert_eq!(sum(&["draws"]), number("draws"));
            if material == "KRvK" {
                assert!(side["counted"].is_null());
            } else {
                let expected = ["win_histogram", "loss_histogram", "longest_win", "longest_loss"];
                assert_eq!(keys(&side["counted"]), expected.into());
            }
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
                // The longest is the last entry of the histogram, and its position has that mate.
                let moves = side[longest]["moves"].as_u64().unwrap();
                assert!(within(&side[histogram], moves) == number(all));
                let less = moves.checked_sub(1).map_or(0, |less| within(&side[histogram], less));
                assert!(less < number(all));
                let fen = side[longest]["fen"].as_str().unwrap();
                let answer = sakmak(["probe", "--json", fen]).json();
                assert_eq!(
                    plies(&answer["dtm"]).map(|plies| (plies + 1) / 2),
                    side[longest]["moves"].as_i64()
                );
            }
        }
    }
}

/// White is the side that is named first.
#[test]
fn a_material_named_from_the_other_side_has_its_colours() {
    for (one, other) in [("KRvKN", "KNvKR"), ("KPvK", "KvKP"), ("KMvKP", "KPvKM")] {
        let (table, mut turned) = (stats(&[one]), stats(&[other]));
        assert_eq!(turned["material"], other);
        for (key, of_table) in [
            ("white_attacking", "black_attacking"),
            ("white_to_move", "black_to_move"),
            ("black_attacking", "white_attacking"),
            ("black_to_move", "white_to_move"),
        ] {
            let mut expected = table[of_table].clone();
            if let Some(fen) = turned[key]["longest_win"]["fen"].as_str() {
                let board = fen.split(' ').next().unwrap();
                let has = |letters: &str| letters.chars().all(|letter| board.contains(letter));
                let (white, black) = other.split_once('v').unwrap();
                assert!(has(white) && has(&black.to_lowercase()), "{other}: {fen}");
                assert!(fen.contains(if key == "white_to_move" { " w " } else { " b " }), "{fen}");
            }
            for sides in [&mut expected, &mut turned[key]] {
                for longest in ["/longest_win", "/longest_loss"] {
                    for within in ["", "/at_fresh_count", "/counted"] {
                        let Some(longest) = sides.pointer_mut(&format!("{within}{longest}")) else {
                            continue;
                        };
                        if let Some(fen) = longest["fen"].as_str().map(str::to_string) {
                            let dtm = plies(&sakmak(["probe", "--json", &fen]).json()["dtm"]);
                            let moves = dtm.map(|plies| (plies + 1) / 2);
                            assert!(
                                !within.is_empty() || moves == longest["moves"].as_i64(),
                                "{fen}"
                            );
                            longest["fen"] = json!("");
                        }
                    }
                }
            }
            assert_eq!(turned[key], expected, "{other} {key}");
        }
    }
    let text = sakmak(["stats", "KNvKR"]).printed();
    assert!(text.starts_with("KNvKR, counting rule makruk\n"), "{text}");
}

#[test]
fn histograms_are_in_the_order_of_moves() {
    let text = sakmak(["stats", "--json", "KRvK"]).printed();
    let histogram = text.split(r#""win_histogram": {"#).nth(1).unwrap().split('}').next().unwrap();
    let moves = histogram.split(',').map(|entry| entry.split('"').nth(1).unwrap());
    let moves: Vec<u32> = moves.map(|moves| moves.parse().unwrap()).collect();
    assert_eq!(moves, (1..=16).collect::<Vec<u32>>());
}

/// Moves left with one rook: 16 less three men with the runner to move, one more with the
/// attacker; one less in Ouk, where the game is drawn at the limit.
#[test]
fn in_time_is_by_the_counting_asked_for() {
    for (counting, runner_first) in [("makruk", 13), ("ouk", 12)] {
        let rook = stats(&["KRvK", "--variant", counting]);
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

/// Black has a bare king and White a pawn: in Makruk no count runs, in Ouk the board's honour.
#[test]
fn every_way_of_counting_has_its_clock() {
    for (counting, variant, clock) in [
        ("makruk", "makruk", json!(null)),
        ("makruk-khon-first", "makruk", json!(null)),
        ("ouk", "ouk", json!(64)),
        ("ouk-traditional", "ouk", json!(null)),
    ] {
        let pawn = stats(&["KRPvK", "--variant", variant, "--counting", counting]);
        assert_eq!((&pawn["counting"], &pawn["variant"]), (&json!(counting), &json!(variant)));
        let [white, black] = SIDES.map(|side| &pawn[side]["at_fresh_count"]);
        assert_eq!((&white["win_clock"], &black["win_clock"]), (&clock, &json!(null)));
        // Wins with a counted distance within the clock.
        let counted = &pawn["white_to_move"]["counted"]["win_histogram"];
        assert_eq!(white["wins"], json!(within(counted, clock.as_u64().unwrap_or(u64::MAX))));
        assert!(white["cursed_wins"].as_u64() > Some(0));
    }
}

#[test]
fn of_several_materials_each_has_a_line() {
    let materials = ["KRvK", "KPvK", "KRvKR"];
    let lines = |arguments: &[&str]| -> Vec<Json> {
        let printed = sakmak([&["stats", "--json"], arguments].concat()).printed();
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let ouk = [&materials[..], &["--variant", "ouk"]].concat();
    let alone = materials.map(|material| stats(&[material, "--variant", "ouk"]));
    assert_eq!(lines(&ouk), alone);
    let names = |lines: &[Json]| -> Vec<String> {
        lines.iter().map(|line| line["material"].as_str().unwrap().to_string()).collect()
    };
    let three = lines(&["3"]);
    assert_eq!(names(&three), ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK"]);
    assert_eq!(names(&lines(&["KPvK", "3", "KRvK"]))[..2], ["KPvK", "KRvK"]);

    let printed = sakmak(["stats", "3"]).printed();
    let text: Vec<&str> = printed.lines().skip(4).collect();
    assert_eq!(text.len(), three.len());
    for (line, json) in text.iter().zip(&three) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let white = &json["white_attacking"];
        let won = words[1].replace(',', "");
        assert_eq!(
            (words[0], &*won != "-"),
            (json["material"].as_str().unwrap(), white["won"] != 0)
        );
        if won != "-" {
            assert_eq!(white["won"], json!(won.parse::<u64>().unwrap()));
            assert_eq!(white["in_time"], words[4]);
            let share = words[2].parse::<f64>().unwrap();
            let part = |key: &str| white[key].as_f64().unwrap();
            assert!((share - 100.0 * part("won_in_time") / part("won")).abs() < 0.01);
        }
    }
}

#[test]
fn a_counted_table_that_is_missing_is_needed_where_a_counting_is_named() {
    // A table of five men with draws only.
    let material = "KPPvKP".parse().unwrap();
    let index = Index::new(material, &MAKRUK.rules);
    let values = || Values::new(Coding::default(), vec![0; index.slots() as usize]);
    let table = Table::new(index.clone(), values(), Some(values()));
    let directory = directory();
    write(&table, &MAKRUK.rules, directory.path(), &WriteOptions::default()).unwrap();
    let run = |arguments: &[&str]| {
        sakmak_with(directory.path(), &[&["stats", "KPPvKP"], arguments].concat())
    };
    let stats = run(&["--json"]).json();
    for side in SIDES {
        assert!(stats[side]["at_fresh_count"].is_null() && stats[side]["counted"].is_null());
    }
    assert_eq!(stats["white_attacking"], json!({"won": 0, "won_in_time": null, "in_time": null}));
    let text = run(&[]).printed();
    assert!(text.ends_with("are not known without the table KPPvKP.makruk.\n"), "{text}");
    let run = run(&["--variant", "ouk", "--counting", "ouk"]);
    assert!(
        run.refusal(1).contains("make it with 'sakmak generate KPPvKP.ouk --tables"),
        "{run:?}"
    );
}

#[test]
fn files_have_the_statistics_of_tables_solved_on_the_spot() {
    let directory = generated(&["KSvK", "KPvK.makruk"]);
    for arguments in
        [&["stats", "KSvK"][..], &["stats", "KSvK", "--json"], &["stats", "KPvK"], &["stats", "3"]]
    {
        let with_files = sakmak_with(directory.path(), arguments).printed();
        assert_eq!(with_files, sakmak(arguments).printed());
    }
}
