//! The laws of statistics and queries: each file compares results with another way to compute them.
//!
//! One program, so that it is linked once and its tests run in parallel.

mod query;
mod solved {
    use sakmak_make::store::TableStore;
    use sakmak_tables::variants::MAKRUK;
    use std::sync::LazyLock;

    /// Tables by the rules of Makruk and Ouk, each solved once for all tests of this program.
    pub static SOLVED: LazyLock<TableStore<'static>> =
        LazyLock::new(|| TableStore::in_memory(&MAKRUK.rules));
}
mod board_query;
mod statistics;
