//! The vocabulary of Sakmak: positions, materials, rules, values and table files.
//!
//! Modules that only the other crates of Sakmak need are hidden from these documents and change
//! without notice; the feature `internal` shows them.
//!
//! This crate starts no thread, prints nothing and opens no file. Modules come in the order
//! in which they build on one another:
//!
//! ```text
//! excerpt -> board -> rules -> material -> counting -> variant -> position
//!       -> index -> values -> tiles -> format
//! ```

/// Implements `Debug` of an error by its message, which `main` and `unwrap` then print.
#[doc(hidden)]
#[macro_export]
macro_rules! readable_error {
    ($error:ty) => {
        impl ::std::fmt::Debug for $error {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, formatter)
            }
        }
    };
}

/// Geometry of the board: squares, bitboards, symmetries, rays. Contains no rules.
pub mod board {
    pub mod square;

    pub mod bitboard;

    pub mod symmetry;

    #[cfg_attr(not(feature = "internal"), doc(hidden))]
    pub mod ray;
}

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod excerpt;

pub mod distance;

pub mod rules;

pub mod material;

pub mod counting;

pub mod variant;
pub mod variants;

pub mod position;

pub mod rules_file;

pub mod index;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod values;

/// The placements of a material cut into tiles: the 64 squares of one piece, all else fixed.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod tiles {
    pub mod order;

    pub mod tile;

    pub mod king_tile;
}

pub mod format;
