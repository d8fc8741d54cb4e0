//! Results others have published, which the tables must agree with.

use crate::statistics::Statistics;
use sakmak_tables::distance::Moves;

/// A published result: what it says, and the same of our tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// What is counted.
    pub what: &'static str,
    /// The number published.
    pub number: u64,
    /// The same of the tables.
    pub ours: u64,
    /// Where it was published.
    pub source: &'static str,
}

const PAPER: &str = "Tudsuan & Thanatipanonda, J. Sci. Ladkrabang 35(1), 2026";
const KRKOPT: &str = "UCI \"krkopt\" data set of KRvK, the same men in chess";
const CHESS: &str = "chess tables, the same men in chess";

const POSITIONS: &str = "positions, White to move";
const WON: &str = "of them won by White";
const LONGEST: &str = "longest mate, White to move, in moves";

/// What is published of a material, in the order in which it is told.
pub fn published(statistics: &Statistics) -> Vec<Published> {
    let white = &statistics.white_to_move;
    let within = |moves| white.win_histogram.range(..=Moves(moves)).map(|(_, count)| count).sum();
    let longest = white.longest_win.as_ref().map_or(0, |longest| longest.moves.0.into());
    let result = |what, number, ours, source| Published { what, number, ours, source };
    match statistics.material.to_string().as_str() {
        "KSMvK" => vec![
            result(POSITIONS, 12_170_304, white.legal, PAPER),
            result(WON, 10_438_976, white.wins, PAPER),
            result("of them won within 41 moves", 10_160_936, within(41), PAPER),
            result(LONGEST, 57, longest, PAPER),
        ],
        "KNMvK" => vec![
            result(POSITIONS, 11_930_016, white.legal, PAPER),
            result(WON, 472_900, white.wins, PAPER),
            result(LONGEST, 36, longest, PAPER),
        ],
        "KRvK" => vec![
            result(POSITIONS, 175_168, white.legal, KRKOPT),
            result(WON, 175_168, white.wins, KRKOPT),
            result(LONGEST, 16, longest, KRKOPT),
        ],
        "KRvKR" => vec![result(LONGEST, 19, longest, CHESS)],
        "KRvKN" => vec![result(LONGEST, 40, longest, CHESS)],
        _ => Vec::new(),
    }
}
