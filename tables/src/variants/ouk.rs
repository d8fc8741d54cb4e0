//! Ouk Chatrang, Cambodian chess: Makruk's men with first-move leaps and another count.
//!
//! Sources: the Ouk Chatrang page of Cambodian Chess Games; Fairy-Stockfish's
//! `cambodian` (cross-check).

use crate::variants::makruk::{KHON_FIRST, ROWS, RULES};
use crate::counting::{BoardsHonour, LastMove, OnChange, Profile};
use crate::distance::Moves;
use crate::rules::leap::Leap;
use crate::rules::piece::{Kind, Man, Side};
use crate::rules::reach::Reach;
use crate::board::square::{SIDE_LENGTH, Square, Step};
use crate::rules::attackers::Strikers;
use crate::variant::Variant;
use std::sync::LazyLock;

/// A king's leap, to its second rank like a knight.
const KING: &[Step] = &[Step::new(-2, 1), Step::new(2, 1)];
/// A met's leap, two squares straight forward.
const MET: &[Step] = &[Step::new(0, 2)];

/// The leap of a man that starts on this zero-based file of its first rank.
const fn leap(side: Side, kind: Kind, file: usize) -> Leap {
    let rank = match side {
        Side::White => 0,
        Side::Black => SIDE_LENGTH - 1,
    };
    let home = Square::wrapping(rank * SIDE_LENGTH + file);
    let man = Man::new(side, kind);
    match kind {
        Kind::King => Leap { man, home, steps: KING, in_check: false, lost_to: Some(Kind::Rook) },
        _ => Leap { man, home, steps: MET, in_check: true, lost_to: None },
    }
}

/// White's king is on its left of the middle, Black's on its own left.
const LEAPS: [Leap; 4] = [
    leap(Side::White, Kind::King, 3),
    leap(Side::White, Kind::Met, 4),
    leap(Side::Black, Kind::Met, 3),
    leap(Side::Black, Kind::King, 4),
];

/// The official counting: drawn when the limit is reached, and the board's count already
/// against three men, pawns or not.
static COUNTING: Profile = Profile {
    name: "ouk",
    number: 3,
    rows: &ROWS,
    boards: Some(BoardsHonour { most_men: 3, with_pawns: true, limit: Moves(64) }),
    last_move: LastMove::Refused,
    on_change: OnChange::KeepSooner,
};

/// The counting of the Ouk Chatrang page: the pieces' honour only, when all fish are
/// promoted, a koul asked for before two horses; the number itself is still called.
static COUNTING_TRADITIONAL: Profile = Profile {
    name: "ouk-traditional",
    number: 4,
    rows: &KHON_FIRST,
    boards: None,
    last_move: LastMove::Given,
    on_change: OnChange::Replace,
};

static PROFILES: [&Profile; 2] = [&COUNTING, &COUNTING_TRADITIONAL];

/// Ouk Chatrang.
pub static OUK: LazyLock<Variant> = LazyLock::new(|| Variant {
    name: "ouk",
    other_names: &["ouk chatrang", "ouk chaktrang", "ouk-chatrang", "cambodian chess", "cambodian"],
    rules: RULES,
    reach: Reach::new(&RULES),
    strikers: Strikers::new(&RULES),
    leaps: &LEAPS,
    profiles: &PROFILES,
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
});
