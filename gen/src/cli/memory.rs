//! Arguments that limit memory and disk.

use clap::Args;
use sakmak_make::batch::settings::BatchSettings;
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::system::ByteSize;
use sakmak_make::system::machine::{available_memory, whole_memory};
use sakmak_tables::excerpt::Excerpt;

/// The memory limit if the system does not report its available memory.
const UNKNOWN_MEMORY: ByteSize = ByteSize(4 << 30);

/// The default memory limit in percent of the available memory.
const SHARE: u64 = 80;

/// The limit on memory.
#[derive(Args)]
pub struct MemoryLimitArgument {
    /// Memory limit for making tables, such as 16G [default: 80 % of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    memory: Option<ByteSize>,
}

impl MemoryLimitArgument {
    /// Returns the limit.
    pub fn allowed(&self) -> ByteSize {
        allowed(self.memory)
    }
}

/// The limits on memory and disk.
#[derive(Args)]
pub struct MemoryArgument {
    #[command(flatten)]
    memory: MemoryLimitArgument,
    /// Disk limit, such as 100G; sizes of files are estimated too high rather than too low
    /// [default: the free space]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    pub disk: Option<ByteSize>,
    /// Keep conversions and layers on disk even if they fit in memory
    #[arg(long)]
    spill: bool,
}

impl MemoryArgument {
    /// Returns the limit on memory.
    pub fn allowed(&self) -> ByteSize {
        self.memory.allowed()
    }

    /// Returns the options and limits for making tables.
    pub fn settings(&self, options: WriteOptions) -> BatchSettings {
        let (memory, disk, spill) = (self.memory.allowed(), self.disk, self.spill);
        BatchSettings { options, packed: None, wdl: None, memory, disk, spill }
    }
}

/// Returns the memory limit, at most the memory of the machine: a greater limit would be no limit.
pub fn within_machine(memory: ByteSize) -> ByteSize {
    whole_memory().map_or(memory, |whole| memory.min(whole))
}

/// Parses an amount of memory such as `16G`; K, M, G and T are powers of 1,024.
///
/// # Errors
///
/// If the text is not an amount.
pub fn memory_amount(text: &str) -> Result<ByteSize, String> {
    let unit = if text.ends_with(['k', 'K', 'm', 'M', 'g', 'G', 't', 'T']) { "iB" } else { "" };
    format!("{text}{unit}").parse().map_err(|_| {
        format!(
            "'{}' is not an amount of memory: a number and K, M, G or T expected, such as 16G",
            Excerpt::of(text)
        )
    })
}

/// Returns the memory limit in bytes: `limit` if given, else a share of the available memory.
pub fn allowed(limit: Option<ByteSize>) -> ByteSize {
    limit.unwrap_or_else(|| match available_memory() {
        Some(available) => ByteSize(available.0 / 100 * SHARE),
        None => UNKNOWN_MEMORY,
    })
}
