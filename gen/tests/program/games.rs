//! Hand-made games, and `sakmak check` run on them.

use crate::sakmak::{ProgramRun, directory, sakmak_with};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// King and rook, with mate in exactly the moves left: best play.
pub const IN_TIME: &str = r#"
[White "A"]
[Black "B"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"]

1. Kd1 Kc4 2. Rd2 Kb3 3. Rc2 Kb4 4. Kc1 Kb3 5. Kb1 Kb4 6. Ka2 Ka5 7. Kb3 Ka6
8. Ka4 Kb6 9. Kb4 Ka6 10. Kc5 Kb7 11. Kb5 Ka7 12. Kc6 Ka8 13. Kc7 Ka7 14. Ra2# 1-0
"#;

/// The same with slow moves of both sides and the rook lost.
pub const MISTAKES: &str = r#"
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"]

1. Re3 Kd4 2. Kd2 Kc4 3. Re5 Kd4 4. Re4+ Kxe4 1/2-1/2
"#;

/// A pawn promoted while the board's count runs, and another count after it.
pub const OUK: &str = r#"
[Variant "Ouk"]
[FEN "4k3/8/8/5P2/8/2R1K3/8/8 w - 126 41 50"]

50. f6=M Kf7 51. Mg7 Kg6 52. Mh6 Kxh6 *
"#;

/// Pieces on both sides, then a bare king.
pub const BOTH_SIDES: &str = r#"
[Variant "Thai Chess"]
[FEN "8/8/8/8/3k4/8/3nR3/4K3 b - - 0 30"]

30... Nc4 31. Kd1 Na3 32. Ra2 Kc4 33. Rxa3 Kb4 34. Rd3 *
"#;

/// The rook given away at once.
pub const GIVEN: &str = r#"
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"]

1. Re4 Kxe4 *
"#;

/// All games.
pub const GAMES: [&str; 5] = [IN_TIME, MISTAKES, OUK, BOTH_SIDES, GIVEN];

/// Runs `sakmak check` on these games, with the tables and the file in this directory.
pub fn check(place: &Path, games: &str, arguments: &[&str]) -> ProgramRun {
    let path = place.join("games.pgn");
    fs::write(&path, games).unwrap();
    sakmak_with(place, &[&["check", path.to_str().unwrap()], arguments].concat())
}

/// The JSON of these games, which must all be readable.
#[track_caller]
pub fn found(games: &str) -> Vec<Json> {
    let found = check(directory().path(), games, &["--json"]).json();
    found["games"].as_array().unwrap().clone()
}
