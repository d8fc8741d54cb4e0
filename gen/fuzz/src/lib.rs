//! Code shared by the targets: small tables, damage to their files, forged checksums, and the paths
//! of the tables of a directory.

pub mod damage;

pub mod fixture;

pub mod forge;

pub mod tables;
