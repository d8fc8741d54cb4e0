//! Settings of a batch.

use crate::output::packed::PackOptions;
use crate::output::solved::WriteOptions;
use crate::system::ByteSize;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;

/// Options and limits of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSettings {
    /// Options of solved files.
    pub options: WriteOptions,
    /// Output of packed files; `None` makes solved files.
    pub packed: Option<PackedOutput>,
    /// Counting rule of the WDL files that are made too; `None` makes no WDL files.
    pub wdl: Option<&'static CountingRule>,
    /// Memory limit.
    pub memory: ByteSize,
    /// Disk limit; `None` means all free space.
    pub disk: Option<ByteSize>,
    /// Conversions and layers go to disk even if memory suffices.
    pub spill: bool,
}

/// Output of packed files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedOutput {
    /// Options of packing.
    pub options: PackOptions,
    /// The variant of the tables.
    pub variant: &'static Variant,
    /// Each packed file gets a census file.
    pub census: bool,
}
