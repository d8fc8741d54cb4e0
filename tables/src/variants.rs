//! The variants, a file each. A new one is a file here and a line in [`Variant::all`].
//!
//! [`Variant::all`]: crate::variant::Variant::all

mod makruk;
mod ouk;

pub use makruk::MAKRUK;
pub use ouk::OUK;
