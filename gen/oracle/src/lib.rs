//! Oracles: solvers by definition that test the fast solvers.
//!
//! They share only the rules with the plane solver: no index, no symmetry, no planes. Board games
//! also have [laws](boards::laws), which their rules, numbering, un-moves and planes follow. Tests and
//! one bench use them; no program does.

pub mod reference;

pub mod counted_reference;

pub mod compare;

/// Definitions for board games: the laws that the rules and the numbering of a game follow, and values.
pub mod boards {
    pub mod laws;

    pub mod graph;

    pub mod iteration;
}
