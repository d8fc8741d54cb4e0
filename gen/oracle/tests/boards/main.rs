//! Board games: laws, fixtures, published results and values by definition; and the solver on graphs
//! written by hand.

mod brute;
mod dodgem;
mod graphs;
mod janggi;
mod janggi_planes;
mod janggi_reference;
mod leaving;
mod min_rek;
mod rek;
