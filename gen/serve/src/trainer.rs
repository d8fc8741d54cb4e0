//! Exercises for players: positions to win before the count ends, or to hold until it does.
//!
//! ```text
//! sakmak-requests   one drawn at random: material, goal, colour, moves to mate, margin to the clock
//! lists            the hardest, the tightest, the classic ones
//! ```

pub mod lists;

#[cfg(test)]
mod tests {
    use sakmak_make::store::solve_on_the_spot;
    use sakmak_probe::tablebase::Tablebase;

    /// Tables of three and four men, solved on the spot.
    pub fn tables() -> Tablebase {
        solve_on_the_spot(Tablebase::new(), 4)
    }
}
