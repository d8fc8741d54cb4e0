//! `sakmak query`: its output and its errors. Its matches are tested in `tests/query.rs`.

use crate::sakmak::{command, directory, ended, generated, keys, sakmak, sakmak_with};
use serde_json::Value as Json;
use std::collections::BTreeSet;

fn lines(arguments: &[&str]) -> Vec<String> {
    sakmak([&["query"], arguments].concat()).printed().lines().map(str::to_string).collect()
}

#[test]
fn a_query_lists_positions_as_lines_json_and_csv() {
    let asked = ["KSMvK", "side=white and win and not in_time", "--first", "20"];
    let text = lines(&asked);
    let csv = lines(&[&asked[..], &["--csv"]].concat());
    let json = lines(&[&asked[..], &["--json"]].concat());
    assert_eq!((text.len(), csv.len(), json.len()), (21, 21, 20));
    assert_eq!(csv[0], "fen,result,dtm,category,counted,material");
    assert_eq!(text[0], csv[0].replace(',', "\t"));
    for ((text, csv), json) in text[1..].iter().zip(&csv[1..]).zip(&json) {
        assert_eq!(text.replace('\t', ","), *csv);
        let columns: Vec<&str> = csv.split(',').collect();
        let json: Json = serde_json::from_str(json).unwrap();
        let expected = ["fen", "result", "dtm", "category", "counted", "material"];
        assert_eq!(keys(&json), expected.into());
        assert_eq!((&json["material"], columns[5]), (&Json::from("KSMvK"), "KSMvK"));
        assert_eq!(
            (json["fen"].as_str(), json["result"].as_str()),
            (Some(columns[0]), Some("win"))
        );
        assert_eq!(json["dtm"].to_string(), columns[2]);
        assert_eq!((json["category"].as_str(), columns[3]), (Some("cursed-win"), "cursed-win"));
        assert!(columns[0].contains(" w ") && json["dtm"].as_u64() > Some(41));
        // `sakmak probe` gives the same for the position.
        let probed = sakmak(["probe", "--json", columns[0]]).json();
        assert_eq!(probed["category"], json["category"]);
        let plies = probed["dtm"].as_i64().unwrap().unsigned_abs();
        assert_eq!(plies.div_ceil(2), json["dtm"].as_u64().unwrap());
    }
    assert_eq!(lines(&["KRvK", "draw and win"]), text[..1]);
    assert_eq!(lines(&["KRvK", "mate", "--first", "0"]), text[..1]);
    let mates = &lines(&["KRvK", "mate"])[1..];
    assert!(mates.iter().all(|line| line.ends_with("\tloss\t0\tloss\t0\tKRvK")), "{mates:?}");
    assert_eq!(lines(&["KRvK", "mate", "--json"]).len(), mates.len());
}

#[test]
fn counts_are_those_of_stats_and_of_the_lines() {
    let count = sakmak(["query", "KSMvK", "too_late", "--count", "--json"]).json();
    let stats = sakmak(["stats", "KSMvK", "--json"]).json();
    assert_eq!(count["white_to_move"], stats["white_to_move"]["at_fresh_count"]["cursed_wins"]);
    assert_eq!(count["black_to_move"], stats["black_to_move"]["at_fresh_count"]["blessed_losses"]);
    assert_eq!(count["distinct"], lines(&["KSMvK", "too_late", "--json"]).len());
    let text = sakmak(["query", "KSMvK", "too_late", "--count"]).printed();
    assert!(text.contains(&format!("{} positions of the whole board\n", count["positions"])));
    assert!(text.ends_with(&format!(
        "{:>15} distinct: mirror images and rotations count once\n",
        count["distinct"].as_u64().unwrap()
    )));
    let csv = lines(&["KSMvK", "too_late", "--count", "--csv"]);
    let cells = csv[0].split(',').zip(csv[1].split(','));
    for (name, cell) in cells {
        let json = &count[name];
        assert_eq!(json.as_str().map_or_else(|| json.to_string(), str::to_owned), cell, "{name}");
    }
    assert_eq!(csv[0].split(',').count() + 1, keys(&count).len(), "condition is in JSON only");
    // With fewer moves left, more is too late.
    let left = sakmak(["query", "KSMvK", "too_late", "--count", "--json", "--left", "5"]).json();
    assert!(left["positions"].as_u64() > count["positions"].as_u64());
}

/// The images of a FEN's board under the eight symmetries of the square.
fn images(fen: &str) -> BTreeSet<String> {
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks = board.split('/').map(|rank| {
        let widths = rank.chars().flat_map(|letter| match letter.to_digit(10) {
            Some(width) => vec!['.'; width as usize],
            None => vec![letter],
        });
        widths.collect::<Vec<char>>()
    });
    let ranks: Vec<Vec<char>> = ranks.collect();
    let squares = |symmetry: usize| {
        let letter = |number: usize| {
            let (mut rank, mut file) = (number / 8, number % 8);
            if symmetry & 1 != 0 {
                rank = 7 - rank;
            }
            if symmetry & 2 != 0 {
                file = 7 - file;
            }
            if symmetry & 4 != 0 {
                (rank, file) = (file, rank);
            }
            ranks[rank][file]
        };
        (0..64).map(letter).collect::<String>() + rest
    };
    (0..8).map(squares).collect()
}

#[test]
fn no_position_is_listed_twice_as_a_reflection() {
    // Kings on a diagonal, where two slots are mirror images.
    for asked in [&["KRvK", "win", "--csv"][..], &["KMMvK", "win and K on dark", "--csv"]] {
        let listed = lines(asked);
        let mut seen = BTreeSet::new();
        for line in &listed[1..] {
            let first = images(line.split(',').next().unwrap()).pop_first().unwrap();
            assert!(seen.insert(first), "{line}");
        }
        let count = sakmak([&["query"], &asked[..2], &["--count", "--json"]].concat()).json();
        assert_eq!(count["distinct"], listed.len() - 1);
    }
}

fn cell(line: &str, column: usize) -> &str {
    line.split('\t').nth(column).unwrap()
}

#[test]
fn the_longest_come_first_and_any_column_orders() {
    let all = lines(&["KRvKM", "side=white and k on corner"]);
    let dtm = |line: &String| cell(line, 2).parse::<u32>().ok();
    let mut sorted: Vec<&String> = all[1..].iter().collect();
    sorted.sort_by_key(|line| std::cmp::Reverse(dtm(line)));
    let longest = lines(&["KRvKM", "side=white and k on corner", "--longest", "50"]);
    assert!(longest[1..].iter().eq(sorted[..50].iter().copied()), "{longest:?}");
    // It is an abbreviation, and leaves out draws.
    let long = lines(&[
        "KRvKM",
        "side=white and k on corner",
        "--order",
        "dtm",
        "--descending",
        "--first",
        "50",
    ]);
    assert_eq!(long, longest);
    assert_eq!(lines(&["KRvKM", "draw", "--longest", "3"]).len(), 1);
    assert_eq!(lines(&["KRvKM", "draw", "--order", "dtm", "--first", "3"]).len(), 4);

    // Without a limit everything is listed.
    let ordered = lines(&["KRvKM", "side=white and k on corner", "--order", "category"]);
    let rank = |line: &String| {
        let names = ["loss", "blessed-loss", "draw", "cursed-win", "win"];
        names.iter().position(|&name| name == cell(line, 3)).unwrap()
    };
    assert!(ordered[1..].is_sorted_by_key(rank));
    assert_eq!(ordered.len(), all.len());
    assert!(ordered.iter().collect::<BTreeSet<_>>() == all.iter().collect());
    let asked = ["KRvKM", "not draw", "--order", "counted", "--first", "900", "--csv"];
    let counted = |line: &String| line.split(',').nth(4).unwrap().parse::<u32>().unwrap();
    assert!(lines(&asked)[1..].is_sorted_by_key(counted));

    // More than can be ordered is refused.
    let run = sakmak(["query", "KRNvK", "win or loss", "--order", "dtm"]);
    assert!(run.complaint(2).contains("more than 1000000 positions to order: add --first"));
}

/// A table whose longest mate is shorter than those found is not read: its blocks may be damaged.
#[test]
fn the_longest_mates_are_looked_for_where_they_can_be() {
    let tables = generated(&["KRvK", "KSMvK", "KRvKN"]);
    let run = |arguments: &[&str]| sakmak_with(tables.path(), &[&["query"], arguments].concat());
    let of_three = ["KRvK,KRvKN,KSMvK", "win", "--longest", "3"];
    let expected = run(&of_three).printed();
    assert!(expected.lines().skip(1).all(|line| line.ends_with("\tKSMvK")), "{expected}");
    assert_eq!(run(&["KSMvK", "win", "--longest", "3"]).printed(), expected);
    let path = tables.path().join("KRvK.dtm.smt");
    let mut bytes = std::fs::read(&path).unwrap();
    let of_white = bytes.len() / 4;
    bytes[of_white] ^= 0x10;
    std::fs::write(&path, bytes).unwrap();
    assert!(run(&["KRvK", "win", "--count"]).refusal(1).contains("KRvK.dtm.smt"));
    assert_eq!(run(&of_three).printed(), expected);
    assert!(run(&["KRvK", "win", "--longest", "3"]).complaint(1).contains("KRvK.dtm.smt"));
}

#[test]
fn several_materials_are_one_query() {
    let (first, two) = (["KNMvK", "mutual_zugzwang"], ["KNMvK,KSvKS", "mutual_zugzwang"]);
    let other = ["KSvKS", "mutual_zugzwang"];
    let joined = |one: Vec<String>, other: Vec<String>| [one, other[1..].to_vec()].concat();
    assert_eq!(lines(&two), joined(lines(&first), lines(&other)));
    let of_three = ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK"].map(|name| lines(&[name, "mate"]));
    assert_eq!(lines(&["3", "mate"])[1..], of_three.map(|lines| lines[1..].to_vec()).concat());
    // Limits are for all together.
    let limited = lines(&[&two[..], &["--first", "5"]].concat());
    assert_eq!(limited, lines(&two)[..6]);
    let longest = lines(&["KRvK,KSMvK,KNvK", "side=white", "--longest", "12"]);
    assert!(longest[1..].iter().all(|line| cell(line, 5) == "KSMvK"), "{longest:?}");
    let ordered = lines(&["KRvK,KSMvK", "side=white and dtm>14 and dtm<17", "--order", "dtm"]);
    let dtm = |line: &String| cell(line, 2).parse::<u32>().unwrap();
    assert!(ordered[1..].is_sorted_by_key(dtm));
    let materials = ordered[1..].iter().map(|line| cell(line, 5)).collect::<BTreeSet<_>>();
    assert_eq!(materials, ["KRvK", "KSMvK"].into());
    // A sample is drawn from all, in the order of the materials, not the same slots of each.
    let sample = lines(&["KRvK,KNvK", "side=white", "--sample", "2000"]);
    let fens = |material: &str| -> BTreeSet<String> {
        let of = sample[1..].iter().filter(|line| cell(line, 5) == material);
        of.map(|line| cell(line, 0).replace(['R', 'N'], "x")).collect()
    };
    let (rooks, knights) = (fens("KRvK"), fens("KNvK"));
    assert_eq!(rooks.len() + knights.len(), 2000);
    assert!((800..1200).contains(&rooks.len()), "{}", rooks.len());
    assert!(rooks.intersection(&knights).count() < 200);

    // Counts have a line for each, and in text a sum.
    let count = |asked: &[&str]| lines(&[asked, &["--count", "--json"]].concat());
    assert_eq!(count(&two), [count(&first), count(&other)].concat());
    let text = lines(&[&two[..], &["--count"]].concat());
    let numbers = |line: &str| -> Vec<u64> {
        line.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    let [.., one, other, all] = &text[..] else { panic!("{text:?}") };
    assert!(all.starts_with("all "));
    let sums: Vec<u64> =
        numbers(one).iter().zip(numbers(other)).map(|(one, other)| one + other).collect();
    assert_eq!(numbers(all), sums);

    let run = sakmak(["query", "KRvK,KNvK", "R on edge"]);
    assert!(run.refusal(2).contains("column 1: KNvK has no white R"), "{run:?}");
}

/// White is the side that is named first, whichever has a table of its own.
#[test]
#[ignore = "long: part of the full tests"]
fn a_material_named_from_the_other_side_has_its_colours() {
    let changed = |line: &str| -> String {
        let (board, rest) = line.split_once(' ').unwrap();
        let ranks: Vec<String> = board.rsplit('/').map(str::to_string).collect();
        let letter = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let board: String = ranks.join("/").chars().map(letter).collect();
        let (mover, rest) = rest.split_at(1);
        format!("{board} {}{rest}", if mover == "w" { "b" } else { "w" })
    };
    for (one, condition, other, mirrored) in [
        ("KRvKN", "winner=black", "KNvKR", "winner=white"),
        (
            "KRvKN",
            "winner=white and side=black and dtm<8",
            "KNvKR",
            "winner=black and side=white and dtm<8",
        ),
        ("KRvKN", "side=white and loss", "KNvKR", "side=black and loss"),
        (
            "KSMvK",
            "too_late and S on rank 7-8 and k=d4",
            "KvKSM",
            "too_late and s on rank 1-2 and K=d5",
        ),
        ("KMvKP", "check and p=b4 and k on edge", "KPvKM", "check and P=b5 and K on edge"),
    ] {
        let count = |material: &str, condition: &str| {
            sakmak(["query", material, condition, "--count", "--json"]).json()
        };
        let (table, turned) = (count(one, condition), count(other, mirrored));
        assert!(table["positions"].as_u64() > Some(0), "{one} {condition}");
        assert_eq!(turned["material"], other);
        for (name, of_table) in [
            ("positions", "positions"),
            ("distinct", "distinct"),
            ("white_to_move", "black_to_move"),
            ("black_to_move", "white_to_move"),
        ] {
            assert_eq!(turned[name], table[of_table], "{other} {mirrored}: {name}");
        }
        for format in ["--csv", "--json"] {
            let lines = |material: &str, condition: &str| lines(&[material, condition, format]);
            let (table, turned) = (lines(one, condition), lines(other, mirrored));
            assert_eq!(table.len(), turned.len());
            assert!(turned.iter().all(|line| line.contains(other) || line.starts_with("fen,")));
            let fens = |lines: &[String]| -> BTreeSet<String> {
                let lines = lines.iter().filter(|line| line.contains("- - 0 1"));
                let fen = |line: &String| match format {
                    "--csv" => line.split(',').next().unwrap().to_string(),
                    _ => {
                        let line: Json = serde_json::from_str(line).unwrap();
                        line["fen"].as_str().unwrap().to_string()
                    }
                };
                lines.map(fen).collect()
            };
            // Of mirror images the first is listed, and which that is depends on the colours.
            let classes = |fens: BTreeSet<String>| -> BTreeSet<String> {
                fens.iter().map(|fen| images(fen).pop_first().unwrap()).collect()
            };
            let expected = fens(&table).iter().map(|fen| changed(fen)).collect();
            assert_eq!(classes(fens(&turned)), classes(expected), "{other} {mirrored}");
        }
    }
    // Letters have the colours, too.
    for (material, condition, reason) in [
        ("KNvKR", "R on d4", "KNvKR has no white R"),
        ("KNvKR", "n on d4", "KNvKR has no black N"),
        ("KRvKN", "N on d4", "KRvKN has no white N"),
    ] {
        let run = sakmak(["query", material, condition]);
        assert!(run.refusal(2).contains(reason), "{run:?}");
    }
    // White moves first in the list, as for every other material.
    let listed = lines(&["KNvKR", "win and dtm<3", "--csv"]);
    assert!(listed[1..].is_sorted_by_key(|line| line.contains(" b ")));
    let text = sakmak(["query", "KNvKR", "winner=white", "--count"]).printed();
    assert!(text.starts_with("KNvKR, counting rule makruk\n"), "{text}");
    // A number of men and a material from the other side are two questions.
    let both = lines(&["KRvK,KvKR", "winner=white", "--count", "--csv"]);
    assert_eq!(both[2], "KvKR,makruk,0,0,0,0");
}

#[test]
fn mutual_zugzwang_has_two_names() {
    let [long, short] = ["mutual_zugzwang", "zugzwang"].map(|name| lines(&["KSvKS", name]));
    assert_eq!(long, short);
    assert!(long.len() > 1);
}

#[test]
fn the_help_wraps_with_its_indents() {
    for width in ["50", "80"] {
        let mut command = command(["help", "query"]);
        command.env("COLUMNS", width);
        let help = ended(command).printed();
        let (_, help) = help.split_once("\nConditions,").unwrap();
        let most = width.parse::<usize>().unwrap();
        assert!(help.lines().all(|line| line.chars().count() <= most), "{help}");
        let (conditions, _) = help.split_once("\n\n").unwrap();
        let (mut names, mut meanings) = (0, 0);
        for line in conditions.lines().skip_while(|line| !line.starts_with("  ")) {
            match line.len() - line.trim_start().len() {
                2 => names += 1,
                6 => meanings += 1,
                _ => panic!("{line}"),
            }
        }
        assert!(names == 20 && meanings >= names, "{names} {meanings}\n{conditions}");
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let directory = generated(&["KNSvK", "KMvKP.makruk", "KNMvK"]);
    for asked in [
        &["query", "KNSvK", "win and dtm>9 and k on corner", "--first", "3000"][..],
        &["query", "KNSvK", "dtm>20", "--sample", "50", "--seed", "7"],
        &["query", "KNSvK,KNMvK", "win", "--longest", "500"],
        &["query", "KNMvK", "zugzwang"],
        &["query", "KMvKP", "counted>1 and p=d4", "--count"],
    ] {
        let run = |threads: &str| {
            sakmak_with(directory.path(), &[asked, &["--threads", threads]].concat()).printed()
        };
        let one = run("1");
        assert_eq!(one, run("5"), "{asked:?}");
        assert_eq!(one, sakmak(asked).printed(), "solved on the spot");
        assert!(!one.is_empty(), "{asked:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, reason) in [
        (&["KRvK", "win and bishop"][..], "column 9: unexpected 'bishop', expected side, winner, "),
        (&["KRvK", "N on d4"], "column 1: KRvK has no white N"),
        (&["KRvK", ""], "column 1: unexpected end of condition, expected "),
        (&["KRvX", "win"], "KRvX"),
        (&["KRvK,,KNvK", "win"], "'' is not a material"),
        (&["KvK", "win"], "KvK"),
        (
            &["KRvK", "win", "--order", "dtm", "--first", "1000001"],
            "--first 1000001 is more than --order can list: at most 1000000",
        ),
        (
            &["KRvK", "in_time", "--left", "15"],
            "15 moves left on the clock is more than a count leaves in KRvK: at most 14 moves in makruk",
        ),
        (&["KRvK", "in_time", "--left", "14", "--variant", "ouk"], "at most 13 moves in ouk"),
        (&["KRvKM", "in_time", "--left", "66"], "at most 65 moves in makruk"),
        (&["KRvKP", "in_time", "--left", "1"], "no count runs in KRvKP in makruk: "),
    ] {
        let run = sakmak([&["query"], arguments].concat());
        assert!(run.refusal(2).contains(reason), "{run:?}");
    }
    for arguments in [
        &["KRvK", "win", "--first", "3", "--count"][..],
        &["KRvK", "win", "--seed", "3"],
        &["KRvK", "win", "--descending"],
        &["KRvK", "win", "--longest", "3", "--first", "3"],
        &["KRvK", "win", "--longest", "0"],
        &["KRvK", "win", "--order", "fen"],
        &["KRvK", "win", "--order", "dtm", "--sample", "3"],
        &["KRvK", "win", "--json", "--csv"],
        &["KRvK"],
    ] {
        assert_eq!(sakmak([&["query"], arguments].concat()).code, Some(2));
    }
    let directory = directory();
    let missing = sakmak_with(directory.path(), &["query", "KRNvKM", "win"]);
    assert!(
        missing.refusal(1).contains("make it with 'sakmak generate KRNvKM --tables"),
        "{missing:?}"
    );
}
