//! The scripts of the pages, run by Node.js beside a service.

use crate::sakmak::{directory, sakmak_with};
use crate::served::Served;
use crate::uncounted;
use std::process::Command;

/// Runs a script of the folder `web` of the tests, which has the directory of the pages, the address of
/// a service and these arguments, and fails if something is not as it should be. Needs Node.js 20.19 or later,
/// which sees by itself that the pages are modules.
#[track_caller]
fn run(script: &str, service: &Served, more: &[&str]) {
    let manifest = env!("CARGO_MANIFEST_DIR");
    let mut command = Command::new("node");
    command.arg(format!("{manifest}/tests/web/{script}")).arg(format!("{manifest}/atlas/web"));
    match command.arg(format!("http://{}", service.address)).args(more).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        // Node.js is not needed for anything else.
        Err(error) => println!("{script} was not run: {error}"),
    }
}

#[test]
fn addresses_hold_the_position_that_the_board_shows() {
    run("addresses.mjs", &Served::start(&[]), &[]);
}

#[test]
fn board_games_are_looked_up_played_and_set_up() {
    let directory = directory();
    for (variant, material) in [
        ("janggi", "KRRvK"),
        ("rek", "KMvKM"),
        ("min-rek-chanh", "KMMvKM"),
        ("min-rek-chanh-called", "KMMvKM"),
    ] {
        sakmak_with(directory.path(), &["generate", material, "--variant", variant]).printed();
    }
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    run("board-games.mjs", &service, &[]);
}

#[test]
fn an_answer_without_the_count_is_shown_as_if_nobody_counts() {
    let service = Served::start(&["--tables", uncounted::tables().to_str().unwrap()]);
    run("uncounted.mjs", &service, &[uncounted::RUNNING]);
}

#[test]
fn a_service_worker_keeps_files_of_one_version() {
    run("service-worker.mjs", &Served::start(&[]), &[]);
}
