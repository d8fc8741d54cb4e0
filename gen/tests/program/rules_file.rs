//! `--rules`: games of a file.

use crate::sakmak::{directory, sakmak_with};
use std::fs;

/// A game without queens.
const HEAD: &str = "[own:chess]\nqueen = -\npromotionPieceTypes = c\nstartFen = rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w - - 0 1\n";

#[test]
fn a_game_of_a_rules_file_is_made_verified_and_probed() {
    let place = directory();
    let rules = place.path().join("own.ini");
    fs::write(&rules, format!("{HEAD}customPiece1 = c:CfR\n")).unwrap();
    let rules = ["--variant", "own", "--rules", rules.to_str().unwrap()];
    let run = |arguments: &[&str]| sakmak_with(place.path(), &[arguments, &rules].concat());
    assert!(run(&["generate", "KCvK", "KPvK"]).printed().contains("wins: white in"));
    assert!(place.path().join("own/KCvK.dtm.smt").exists());
    assert!(run(&["verify"]).printed().contains("KCvK     every value correct"));
    // A sample is looked up in the files.
    assert!(
        run(&["verify", "--sample", "500"]).printed().contains("KPvK     500 random positions")
    );
    assert!(run(&["pack", "KPvK"]).printed().contains("KPvK"));
    fs::remove_file(place.path().join("own/KPvK.dtm.smt")).unwrap();
    assert!(run(&["verify", "KPvK"]).printed().contains("KPvK"));
    let probe = run(&["probe", "8/8/8/3k4/8/3K4/8/2C5 w"]);
    assert!(probe.printed().contains("KCvK, own, white to move"));
    // Without the file there is no such game, and another game's tables are not those of the file.
    let unknown =
        sakmak_with(place.path(), &["probe", "--variant", "own", "8/8/8/3k4/8/3K4/8/2C5 w"]);
    assert!(unknown.refusal(2).contains("'own' is not a variant"), "{unknown:?}");
    fs::write(place.path().join("own.ini"), format!("{HEAD}customPiece1 = c:CfN\n")).unwrap();
    let refused = run(&["generate", "KCvK"]);
    let refusal = refused.refusal(2);
    assert!(
        refusal.contains("own.ini: line 5: 'customPiece1 = c:CfN' is not supported"),
        "{refusal}"
    );
    fs::write(place.path().join("own.ini"), format!("{HEAD}customPiece1 = c:C\n")).unwrap();
    let other = run(&["verify", "KCvK"]);
    assert!(other.refusal(1).contains("other rules"), "{other:?}");
    fs::remove_file(place.path().join("own.ini")).unwrap();
    assert!(run(&["stats", "KCvK"]).refusal(2).contains("own.ini"));
}

#[test]
fn conditions_of_queries_have_the_letters_of_the_game() {
    let place = directory();
    let query = |condition: &str| {
        let arguments = ["query", "KBNvK", condition, "--variant", "chess", "--first", "1"];
        sakmak_with(place.path(), &arguments)
    };
    let rows = query("B=h8 and N=a1").printed();
    assert!(
        rows.lines().nth(1).is_some_and(|row| row.contains("B/") && row.contains("/N7 ")),
        "{rows}"
    );
    assert!(query("S=h8").refusal(2).contains("unexpected 'S'"));
}
