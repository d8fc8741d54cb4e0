//! `sakmak query`: its output and its errors. Its matches are tested in `tests/query.rs`.

use crate::sakmak::{directory, generated, keys, sakmak, sakmak_with};
use serde_json::Value as Json;

fn lines(arguments: &[&str]) -> Vec<String> {
    sakmak([&["query"], arguments].concat()).printed().lines().map(str::to_string).collect()
}

#[test]
fn a_query_lists_positions_as_lines_json_and_csv() {
    let asked = ["KSMvK", "side=white and win and not in_time", "--limit", "20"];
    let text = lines(&asked);
    let csv = lines(&[&asked[..], &["--csv"]].concat());
    let json = lines(&[&asked[..], &["--json"]].concat());
    assert_eq!((text.len(), csv.len(), json.len()), (20, 21, 20));
    assert_eq!(csv[0], "fen,result,dtm,category,counted");
    for ((text, csv), json) in text.iter().zip(&csv[1..]).zip(&json) {
        assert_eq!(text.replace('\t', ","), *csv);
        let columns: Vec<&str> = csv.split(',').collect();
        let json: Json = serde_json::from_str(json).unwrap();
        assert_eq!(keys(&json), ["fen", "result", "dtm", "category", "counted"].into());
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
        assert_eq!(probed["dtm"]["moves"], json["dtm"]);
    }
    assert!(lines(&["KRvK", "draw and win"]).is_empty());
    assert!(lines(&["KRvK", "mate", "--limit", "0"]).is_empty());
    let mates = lines(&["KRvK", "mate"]);
    assert!(mates.iter().all(|line| line.ends_with("\tloss\t0\tloss\t0")), "{mates:?}");
}

#[test]
fn counts_are_those_of_stats_and_of_the_lines() {
    let count = sakmak(["query", "KSMvK", "too_late", "--count", "--json"]).json();
    let stats = sakmak(["stats", "KSMvK", "--json"]).json();
    assert_eq!(count["white_to_move"], stats["white_to_move"]["at_fresh_count"]["cursed_wins"]);
    assert_eq!(count["black_to_move"], stats["black_to_move"]["at_fresh_count"]["blessed_losses"]);
    assert_eq!(count["slots"], lines(&["KSMvK", "too_late"]).len());
    let text = sakmak(["query", "KSMvK", "too_late", "--count"]).printed();
    assert!(text.contains(&format!("{} positions of the whole board\n", count["positions"])));
    let csv = lines(&["KSMvK", "too_late", "--count", "--csv"]);
    assert_eq!(csv[1].split(',').next().unwrap(), count["positions"].to_string());
    // With fewer moves left, more is too late.
    let left = sakmak(["query", "KSMvK", "too_late", "--count", "--json", "--left", "5"]).json();
    assert!(left["positions"].as_u64() > count["positions"].as_u64());
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let directory = generated(&["KNSvK", "KMvKP.makruk", "KNMvK"]);
    for asked in [
        &["query", "KNSvK", "win and dtm>9 and k on corner", "--limit", "3000"][..],
        &["query", "KNSvK", "dtm>20", "--sample", "50", "--seed", "7"],
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
        (&["KRvK", "win and lost"][..], "column 9: unexpected 'lost': side, winner, "),
        (&["KRvK", "N on d4"], "column 1: KRvK has no white N"),
        (&["KRvK", ""], "column 1: the condition ends here: "),
        (&["KRvX", "win"], "KRvX"),
        (&["KvK", "win"], "KvK"),
        (
            &["KRvK", "in_time", "--left", "15"],
            "15 moves left on the clock is more than a count leaves in KRvK: at most 14 moves in makruk",
        ),
        (&["KRvK", "in_time", "--left", "14", "--counting", "ouk"], "at most 13 moves in ouk"),
        (&["KRvKM", "in_time", "--left", "66"], "at most 65 moves in makruk"),
        (&["KRvKP", "in_time", "--left", "1"], "no count runs in KRvKP in makruk: "),
    ] {
        let run = sakmak([&["query"], arguments].concat());
        assert!(run.refusal(2).contains(reason), "{run:?}");
    }
    for arguments in [
        &["KRvK", "win", "--limit", "3", "--count"][..],
        &["KRvK", "win", "--seed", "3"],
        &["KRvK", "win", "--json", "--csv"],
        &["KRvK"],
    ] {
        assert_eq!(sakmak([&["query"], arguments].concat()).code, Some(2));
    }
    let directory = directory();
    let missing = sakmak_with(directory.path(), &["query", "KRNvKM", "win"]);
    assert!(missing.refusal(1).contains("make it with 'sakmak generate KRNvKM'"), "{missing:?}");
}
