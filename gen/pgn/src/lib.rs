//! Games: read from PGN, replayed, compared with the tables.

pub mod pgn;

pub mod mets;

pub mod dialect;

pub mod reading;

pub mod assumption;

pub mod game_error;

pub mod replay;

pub mod review;
