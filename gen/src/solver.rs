//! The plane solver: 4,096 positions at a time.
//!
//! A plane is all placements of two men with everything else fixed: 64 words of 64 bits.
//! For one attacker the solver keeps three sets of slots, a bit each:
//!
//! - `safe`: attacker to move, and no mate within n moves is known (the complement of the
//!   won positions, because that is what a defender looks for);
//! - `open`: defender to move, legal, and not yet known to be lost;
//! - `fresh`: defender to move, lost in exactly n moves: the newest layer.
//!
//! ```text
//! fresh := positions lost at once, such as mates;  n := 0
//! repeat
//!     n := n + 1
//!     won   := safe and real and (attacker can move into fresh)     record n
//!     safe  := safe - won - conversions won in n
//!     lost  := open and not (defender can move into safe)           record n
//!     open  := open - lost
//!     fresh := lost + conversions lost in n
//! until nothing is new and no conversion is left
//! ```
//!
//! What makes this exact without a legality test or a special case in the kernels is what
//! the slots that are no position hold, set once before the first layer:
//!
//! | slot | holds | so that |
//! |---|---|---|
//! | defender in check, attacker to move | not safe | a defender's illegal move helps it nothing |
//! | two defenders on one square | not safe | a defender cannot go onto its own piece |
//! | two attackers on one square | not fresh | an attacker cannot go onto its own piece |
//! | attacker in check, defender to move | not open, not fresh | an attacker's illegal move wins nothing |
//! | a piece just taken, a pawn just promoted | the smaller table's value, from layer n on | captures and promotions are moves like any other |
//! | the game is drawn, as by stalemate | not open | it is never lost |
//! | attacker in check, attacker to move, where a check wins | never won | the game is over |
//!
//! Sources: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3),
//! 1986, for the layers; occluded fills as in the chess programming literature
//! (Kogge-Stone) for sliding pieces.

mod buffer;
mod width;

mod estimate;

mod column;
mod row;

mod neighbours;

mod unmove;

mod conversions;

mod boundary;

mod effort;

mod record;

mod solver;

mod layer;

mod layers;

mod gather;

mod solve;

pub use buffer::{buffers_in_use, limit_buffers};
pub use effort::Effort;
pub use estimate::Estimate;
pub use gather::Solved;
pub use solve::SolveError;
pub use solver::Solver;
pub use width::Width;
