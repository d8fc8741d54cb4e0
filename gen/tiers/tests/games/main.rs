//! The games: laws, fixtures, published results and brute force.

#![allow(clippy::disallowed_methods)]

mod brute;
mod dodgem;
mod janggi;
mod janggi_planes;
mod janggi_reference;
mod min_rek;
mod open;
mod rek;
