//! Results published by other authors, beside results of the tables.

use crate::colours::Division;
use crate::statistics::{FoldedStatistics, SideStatistics, Statistics};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;

/// A published result, and the same result from the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedResult {
    /// The text key of the counted quantity.
    pub what: &'static str,
    /// The published numbers; most results have one.
    pub numbers: Vec<u64>,
    /// The numbers of the tables.
    pub computed: Vec<u64>,
    /// The total that the number is a fraction of, if a fraction should be shown.
    pub whole: Option<u64>,
    /// The publication.
    pub source: &'static str,
}

const PAPER: &str = "Tudsuan & Thanatipanonda, J. Sci. Ladkrabang 35(1), 2026";
const KRKOPT: &str = "UCI \"krkopt\" data set of KRvK, the same men in chess";
const CHESS: &str = "chess tables, the same men in chess";
const OUK: &str = "Ouk Chatrang page of Cambodian Chess Games, and the Thai rules";

const POSITIONS: &str = "atlas.result.positions";
const WON: &str = "atlas.result.won";
const LONGEST: &str = "atlas.result.longest";

/// The materials with a published longest mate, and the publication.
pub const LONGEST_PUBLISHED: [(&str, &str); 5] =
    [("KSMvK", PAPER), ("KNMvK", PAPER), ("KRvK", KRKOPT), ("KRvKR", CHESS), ("KRvKN", CHESS)];

/// Positions with Black to move lost in 0, 1, ... moves in the "krkopt" data set.
const KRKOPT_LOST: [u64; 17] =
    [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];

/// Whether the published results apply to these rules: they are results of Makruk and Ouk Chatrang,
/// or of chess in endings that are the same.
pub fn apply(rules: &Rules) -> bool {
    *rules == MAKRUK.rules
}

/// A published number, and the number of the tables.
fn result(what: &'static str, number: u64, computed: u64, source: &'static str) -> PublishedResult {
    let (numbers, computed) = (vec![number], vec![computed]);
    PublishedResult { what, numbers, computed, whole: None, source }
}

/// A published number that is a fraction of `whole`, and the number of the tables.
fn part(
    what: &'static str,
    number: u64,
    computed: u64,
    whole: u64,
    source: &'static str,
) -> PublishedResult {
    PublishedResult { whole: Some(whole), ..result(what, number, computed, source) }
}

/// The published results of a material under these rules. No published result depends on the count,
/// so the statistics may be under any counting rule.
pub fn published(
    rules: &Rules,
    statistics: &Statistics,
    folded: Option<&FoldedStatistics>,
    colours: &[Division],
) -> Vec<PublishedResult> {
    if !apply(rules) {
        return Vec::new();
    }
    let white = &statistics.white_to_move;
    let within =
        |moves| white.to_mate.win_histogram.range(..=Moves(moves)).map(|(_, count)| count).sum();
    let longest = white.to_mate.longest_win.as_ref().map_or(0, |longest| longest.moves.0.into());
    match statistics.material.material.to_string().as_str() {
        "KSMvK" => vec![
            result(POSITIONS, 12_170_304, white.legal, PAPER),
            part(WON, 10_438_976, white.wins, white.legal, PAPER),
            part("atlas.result.within", 10_160_936, within(41), white.legal, PAPER),
            result(LONGEST, 57, longest, PAPER),
        ],
        "KNMvK" => vec![
            result(POSITIONS, 11_930_016, white.legal, PAPER),
            part(WON, 472_900, white.wins, white.legal, PAPER),
            result(LONGEST, 36, longest, PAPER),
        ],
        "KRvK" => krkopt(white, longest, folded),
        "KRvKR" => vec![result(LONGEST, 19, longest, CHESS)],
        "KRvKN" => vec![result(LONGEST, 40, longest, CHESS)],
        "KMMMvK" => {
            let one_colour = colours.iter().find(|division| division.fewer == 0);
            let won = one_colour.map_or(statistics.attack(Side::White).won, |found| found.won);
            vec![result("atlas.result.one-colour", 0, won, OUK)]
        }
        _ => Vec::new(),
    }
}

/// The results of the "krkopt" data set.
fn krkopt(
    white: &SideStatistics,
    longest: u64,
    folded: Option<&FoldedStatistics>,
) -> Vec<PublishedResult> {
    let empty = FoldedStatistics::default();
    let folded = folded.unwrap_or(&empty);
    let lost = (0..).map(|moves| folded.loss_histogram.get(&Moves(moves)));
    let longest_loss = folded.loss_histogram.keys().next_back().map_or(0, |last| last.0);
    let lost = lost.take(longest_loss as usize + 1).map(|lost| lost.copied().unwrap_or(0));
    vec![
        result(POSITIONS, 175_168, white.legal, KRKOPT),
        part(WON, 175_168, white.wins, white.legal, KRKOPT),
        result(LONGEST, 16, longest, KRKOPT),
        result("atlas.result.folded", 28_056, folded.positions, KRKOPT),
        part("atlas.result.drawn", 2796, folded.draws, folded.positions, KRKOPT),
        PublishedResult {
            what: "atlas.result.lost",
            numbers: KRKOPT_LOST.to_vec(),
            computed: lost.collect(),
            whole: None,
            source: KRKOPT,
        },
    ]
}
