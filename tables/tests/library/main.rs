//! Positions, their text, counts and ends, in one program: each program is linked for itself.

mod counts;
mod end_rules;
mod fen;
mod perft;
mod positions;
