//! How the tables of a batch are made.

use crate::output::packed::PackOptions;
use crate::output::solved::WriteOptions;
use crate::system::ByteSize;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;

/// How tables are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSettings {
    /// How solved files are written.
    pub options: WriteOptions,
    /// Packed files in place of solved ones.
    pub packed: Option<PackedOutput>,
    /// The counting rule of the WDL files that are made besides.
    pub wdl: Option<&'static CountingRule>,
    /// The memory that may be used.
    pub memory: ByteSize,
    /// The disk that may be used; `None` for what is free.
    pub disk: Option<ByteSize>,
    /// Whether conversions and layers go to disk even if memory suffices.
    pub spill: bool,
}

/// How packed files are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedOutput {
    /// How they are written.
    pub options: PackOptions,
    /// The variant of the tables.
    pub variant: &'static Variant,
    /// Whether a census file is written for each.
    pub census: bool,
}
