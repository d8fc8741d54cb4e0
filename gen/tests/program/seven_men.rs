//! Seven men: planned, refused where they do not fit, and asked for by a FEN.

use crate::sakmak::{directory, sakmak_with};

/// Five mets in the way of a bare king.
const FEN: &str = "8/8/8/4k3/8/4K3/2MMM3/2M1M3 w";

#[test]
fn they_can_be_planned() {
    let directory = directory();
    let plan = ["plan", "KMMMMMvK", "--json", "--rate", "1", "--memory", "1T"];
    let plan = sakmak_with(directory.path(), &plan).json();
    let tables = plan["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 5);
    let last = &tables[4];
    assert_eq!((&last["table"], &last["slots"]), (&"KMMMMMvK".into(), &7_045_049_088_u64.into()));
    assert_eq!(last["subtables"], serde_json::json!(["KMMMMvK"]));
}

#[test]
fn what_does_not_fit_is_refused_with_what_it_takes() {
    let directory = directory();
    let tables = directory.path().join("tables");
    let run = sakmak_with(&tables, &["generate", "KNMMMMvK", "--memory", "200M"]);
    let message = run.refusal(1);
    assert!(message.ends_with("the limit is 200.0 MiB"), "{message}");
    assert!(message.contains(" needs ") && !tables.exists(), "{message}");
}

#[test]
fn a_position_names_the_missing_table() {
    let directory = directory();
    let message = |fen: &str| sakmak_with(directory.path(), &["probe", fen]).refusal(1).to_string();
    let missing = message(FEN);
    assert!(missing.starts_with("no table KMMMMMvK.dtm.smt in "), "{missing}");
    assert!(missing.contains("make it with 'sakmak generate KMMMMMvK --tables"), "{missing}");
    let eight = message("8/8/8/4k3/8/4K3/2MMM3/1MM1M3 w");
    assert!(eight.ends_with("it has 8 men; tables can have 7 at most"), "{eight}");
}

#[test]
fn whole_tables_of_them_are_asked_for_by_name() {
    let directory = directory();
    for arguments in [&["stats", "KMMMMMvK"][..], &["query", "KMMMMMvK", "win"]] {
        let run = sakmak_with(directory.path(), arguments);
        let message = run.refusal(1);
        assert!(message.contains("KMMMMMvK") && message.contains("generate"), "{message}");
    }
}
