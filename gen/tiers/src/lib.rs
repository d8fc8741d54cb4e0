//! A plain solver for games whose positions fall into *tiers*: a move stays in the tier of its
//! position or leads to a smaller one, as with the men on a board.
//!
//! The plane solver of `sakmak-solve` is made for chess on 64 squares. This one knows nothing about
//! boards: a [`Game`](game::Game) numbers the positions of a tier, lists moves and names the ends, and
//! each optional part of the trait switches on one speed-up. Modules come in the order in which they
//! build on one another:
//!
//! ```text
//! value, planes -> game -> table -> solve, verify, check, stats -> file, cache -> probe
//!       -> notation, drawing, answer, sets -> games
//! ```

pub mod value;

pub mod planes;

pub mod game;

pub mod table;

pub mod solve;

pub mod verify;

pub mod check;

pub mod stats;

pub mod file;

pub mod cache;

pub mod notation;

pub mod probe;

pub mod drawing;

pub mod answer;

pub mod sets;

/// The games, one file each.
pub mod games {
    pub mod janggi;

    pub mod rek;

    pub mod min_rek;

    pub mod list;

    pub mod open;
}
