//! Makes tables: the solvers, the writer, the verifier and the statistics; and checks games.

pub mod walk;

pub mod legal;

pub mod codes;

pub mod plane;

pub mod reference;

pub mod counted_reference;

pub mod compare;

pub mod verify;

pub mod census;

pub mod statistics;

pub mod query;

pub mod zugzwang;

pub mod colours;

pub mod whole;

pub mod codec;

pub mod pack;

pub mod write;

pub mod load;

pub mod shelf;

pub mod byte_count;

pub mod machine;

pub mod verdicts;

pub mod claim;

pub mod plan;

pub mod verified;

pub mod batch;

pub mod pgn;

pub mod replay;

pub mod review;

pub mod report;
