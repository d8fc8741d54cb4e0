//! Shared by the targets: small tables, damage to their files, and forged checksums.

pub mod damage;

pub mod fixture;

pub mod forge;
