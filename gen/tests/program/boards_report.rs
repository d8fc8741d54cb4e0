//! `report` for the games of `tables/boards`.

use crate::sakmak::{directory, sakmak_with};
use serde_json::Value as Json;
use std::fs;

#[test]
fn a_report_has_the_numbers_of_stats_and_the_lines_of_probe() {
    let (directory, place) = (directory(), directory());
    let run = |arguments: &[&str]| {
        sakmak_with(directory.path(), &[arguments, &["--variant", "janggi"]].concat())
    };
    run(&["generate", "KPPvK", "KRvKA"]).printed();
    let pages = place.path().join("of/janggi");
    let asked = ["report", "-o", pages.to_str().unwrap()];
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let written = run(&[&asked[..], &["KPPvK,KRvKA", "KPPvK"]].concat()).printed();
    assert_eq!(written, format!("2 materials in {}\n", pages.join("index.html").display()));
    for material in ["KPPvK", "KRvKA"] {
        let shown = page(&format!("{material}.html"));
        let stats = run(&["stats", material, "--json"]).printed();
        let stats: Vec<Json> =
            stats.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for field in ["won", "drawn", "lost"] {
            for side in &stats {
                let digits = side[field].to_string();
                let grouped = digits
                    .as_bytes()
                    .rchunks(3)
                    .rev()
                    .map(|part| std::str::from_utf8(part).unwrap());
                let grouped = grouped.collect::<Vec<_>>().join(",");
                assert!(shown.contains(&format!(">{grouped}<")), "{material} {field} {grouped}");
            }
        }
        let fen = shown.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
        let answer = run(&["probe", fen, "--json"]).json();
        // The winner's moves of the longest win, with either side to move.
        let moves = |plies: &Json| plies.as_u64().map(|plies| plies.div_ceil(2));
        let longest = [0, 1].map(|side| {
            let won = moves(&stats[side]["longest_win_plies"]);
            won.max(moves(&stats[1 - side]["longest_loss_plies"]))
        });
        let dtm = Json::from(answer["dtm"].as_i64().unwrap().unsigned_abs());
        assert!(longest.contains(&moves(&dtm)), "{fen}: {answer}");
        let line = shown.split("<p class=\"moves\">").nth(1).unwrap().split("</p>").next().unwrap();
        let moves = line.split([' ', '\u{a0}']).filter(|word| word.len() >= 4);
        let expected: Vec<&str> =
            answer["line"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert_eq!(moves.collect::<Vec<_>>(), expected);
        assert!(shown.contains(&run(&["probe", fen, "--svg"]).printed()));
        assert!(page("index.html").contains(&format!("<a href=\"{material}.html\">")));
    }
    // All tables of the directory, in another language.
    run(&[&asked[..], &["--language", "th"]].concat()).printed();
    assert!(page("KvK.html").contains("<html lang=\"th\">") && page("atlas.css").len() > 1000);
    let missing = run(&[&asked[..], &["KCvK"]].concat());
    assert!(missing.refusal(1).starts_with("no table KCvK of janggi in "), "{missing:?}");
}

#[test]
fn a_report_of_equal_armies_sees_them_from_both_sides() {
    let (directory, place) = (directory(), directory());
    let run = |arguments: &[&str]| {
        sakmak_with(directory.path(), &[arguments, &["--variant", "rek"]].concat())
    };
    run(&["generate", "KMvKM"]).printed();
    // All tables of the directory, and none of a file of another name.
    fs::write(directory.path().join("rek/notes.smg"), "").unwrap();
    let stats = run(&["stats", "KMvKM", "--json"]).printed();
    let stats: Vec<Json> = stats.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(stats.len(), 1, "one side stands for both");
    let [won, drawn, lost] =
        ["won", "drawn", "lost"].map(|field| stats[0][field].as_u64().unwrap());
    let [win, loss] = ["longest_win_plies", "longest_loss_plies"]
        .map(|field| stats[0][field].as_u64().map(|plies| plies.div_ceil(2)));
    assert!(won != lost && win != loss, "{stats:?}");

    let printed = run(&["report", "-o", place.path().to_str().unwrap()]).printed();
    let count = fs::read_dir(directory.path().join("rek")).unwrap().count() - 1;
    assert!(printed.starts_with(&format!("{count} materials in ")), "{printed}");
    let page = |name: &str| fs::read_to_string(place.path().join(name)).unwrap();
    let index = page("index.html");
    let row = index.split("KMvKM.html").nth(1).unwrap().split("</tr>").next().unwrap();
    let cells: Vec<&str> = row
        .split("<td class=\"number\">")
        .skip(1)
        .map(|cell| cell.split("</td>").next().unwrap())
        .collect();
    let longest = win.max(loss).unwrap().to_string();
    assert_eq!((cells.len(), cells[0], cells[3]), (4, cells[1], &*longest));
    let shares = [cells[0], cells[2]]
        .map(|cell| cell.trim_end_matches(['%', '\u{a0}', ' ']).parse::<f64>().unwrap());
    let all = (won + drawn + lost) as f64;
    for (share, part) in shares.into_iter().zip([(won + lost) as f64 / 2.0, drawn as f64]) {
        assert!((share - 100.0 * part / all).abs() < 0.06, "{share}: {stats:?}");
    }
    let shown = page("KMvKM.html");
    assert_eq!(shown.matches("<article").count(), 1, "{shown}");
    assert!(shown.contains(&format!("Each side's longest win: {longest} move")), "{shown}");
    let fen = shown.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
    let answer = run(&["probe", fen, "--json"]).json();
    assert_eq!(answer["dtm"].as_i64().unwrap().unsigned_abs().div_ceil(2).to_string(), longest);
}

#[test]
fn a_report_without_materials_has_tables_of_any_number_of_men() {
    let (directory, place) = (directory(), directory());
    let run = |arguments: &[&str]| {
        sakmak_with(directory.path(), &[arguments, &["--variant", "min-rek-chanh"]].concat())
    };
    let pages = place.path().to_str().unwrap();
    fs::create_dir(directory.path().join("min-rek-chanh")).unwrap();
    let refused = run(&["report", "-o", pages]);
    assert!(refused.refusal(1).starts_with("no tables in "), "{refused:?}");
    // It is read, and refused as no table.
    fs::write(directory.path().join("min-rek-chanh/KMMMMMMMvK.smg"), "").unwrap();
    let refused = run(&["report", "-o", pages]);
    assert!(refused.refusal(1).contains("KMMMMMMMvK.smg: "), "{refused:?}");
}
