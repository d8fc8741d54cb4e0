//! Tables and the program, which `scripts/fuzz.sh` builds before it runs the targets.

use std::path::PathBuf;

/// The directory of tables of three and four men.
pub fn directory() -> PathBuf {
    given("SAKMAK_TABLES")
}

/// The program `sakmak`.
pub fn program() -> PathBuf {
    given("SAKMAK_PROGRAM")
}

/// A path in the environment.
fn given(variable: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => panic!("{variable} is not set: run scripts/fuzz.sh"),
    }
}
