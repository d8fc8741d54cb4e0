//! Shared by the targets: small tables, damage to their files, forged checksums, and where
//! the tables of a directory are.

pub mod damage;

pub mod fixture;

pub mod forge;

pub mod tables;
