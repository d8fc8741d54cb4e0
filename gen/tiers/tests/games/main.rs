//! The games: laws, fixtures, published results and brute force.

mod brute;
mod dodgem;
mod janggi;
mod min_rek;
mod rek;
