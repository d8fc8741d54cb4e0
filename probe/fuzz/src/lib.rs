//! What the targets share: small tables, what is done to their files, and checksums made
//! right again behind it.

pub mod damage;

pub mod fixture;

pub mod forge;
