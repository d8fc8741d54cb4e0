//! Memory and disk needed to make one table.
//!
//! A table needs at the same time: the sets and conversions of its solver, the log of its layers,
//! the whole subtables, the block being compressed, and the program. After solving, the codes
//! replace sets and conversions. If that exceeds the memory limit, the subtables are read king pair
//! by king pair and the codes are gathered part by part when they are written. The memory limit is
//! then given to the sets first, to conversions and layers next, and the rest of each is on disk.

use crate::output::packed::source::{pairs_per_white_king, window_pairs};
use crate::output::packed::{PackOptions, model_sample_bytes};
use crate::output::solved::WriteOptions;
use crate::output::wdl::{capture_bytes, section_bytes, wanted_bytes};
use crate::system::ByteSize;
use sakmak_solve::solver::Estimate;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// Memory of the program and of the buffers of its libraries. Runs of the same table differ by 20
/// MiB; runs beside other work need the most.
pub(crate) const PROGRAM: ByteSize = ByteSize(36 << 20);
/// Memory of one thread.
pub(crate) const THREAD: ByteSize = ByteSize(1 << 20);
/// Maximum memory of the compressors of a thread that writes chunks to disk. They touch one byte
/// per [`SPILLED_SLOTS`] slots.
const COMPRESSORS: ByteSize = ByteSize(4 << 20);
const SPILLED_SLOTS: u64 = 64;
/// Maximum memory of the chunks of a thread; small tables have at most one byte per slot of a king
/// pair.
const CHUNKS: ByteSize = ByteSize(16 << 20);
/// Allocator overhead of small allocations, as a fraction 1/n of the first [`HEAP`] bytes. Larger
/// requests go to the system directly.
const HEAP_SURPLUS: u64 = 10;
const HEAP: ByteSize = ByteSize(64 << 20);
/// Bytes of an entry of the offset table of a solved file.
const OFFSET_BYTES: u64 = 8;
/// A recycled buffer may exceed the requested size by up to 1/n.
const SURPLUS: u64 = 16;
/// Bits per slot of the worst-compressing solved files (both sides to move counted). Most files
/// take less than half.
const FILE_BITS: u64 = 3;
/// Bits per slot of most packed files (both sides to move counted).
const PACKED_BITS: u64 = 1;
/// Slots per byte in the worst-compressing WDL files (both sides to move counted), and length of
/// small files. Most files take less than a fifth.
const WDL_SLOTS: u64 = 20;
const SMALL_WDL: u64 = 4 << 10;
/// Copies of a WDL file in memory while it is made: rows, joined bytes, the copy that is checked,
/// and the counted patterns.
const WDL_COPIES: u64 = 4;
/// Fraction 1/n of the memory limit available to WDL sections.
const SECTIONS: u64 = 4;
/// Bytes of encoded blocks in memory per slot of a king pair.
const PACKING_BYTES: u64 = 32;
/// Memory of the symbol counts and of the model, besides the sample.
const PACKING_COUNTS: ByteSize = ByteSize(16 << 20);
/// Maximum bytes of a code.
const CODE_BYTES: u64 = 2;
/// Size of logs on disk as a fraction of their size in memory. On disk, layers of five men take 0.2
/// to 0.7 bytes per slot, and less with many draws.
const COMPRESSED: [u64; 2] = [2, 3];
/// Number of squares that a king is on or can move to.
const KING_SQUARES: u64 = 9;

/// Storage of the sets, conversions and layers of a table until the table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In memory.
    Memory,
    /// On disk, to the extent that memory does not suffice.
    Disk,
}

/// Memory and disk needed to make one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Arrays of the solver: sets, conversions, layers and codes.
    pub arrays: ByteSize,
    /// The subtables; 0 if they are read king pair by king pair.
    pub subtables: ByteSize,
    /// All other memory: working memory of threads, the block being compressed, the program.
    pub other: ByteSize,
    /// Sets, conversions and layers on disk until the table is written.
    pub spilled: ByteSize,
    /// Estimated length of the file of the table.
    pub file: ByteSize,
    /// Estimated length of the WDL file.
    pub wdl: ByteSize,
    /// Estimated length of the solved file of a packed table, as long as another table needs it.
    pub scratch: ByteSize,
}

impl Need {
    /// Returns the total memory.
    pub fn memory(&self) -> ByteSize {
        self.arrays + self.subtables + self.other
    }
}

/// Needs of a table with each storage.
pub(crate) struct PlacedNeed {
    /// Storage chosen.
    pub storage: Storage,
    /// Need with the chosen storage, within the memory limit if possible.
    pub within: Need,
    /// Need with everything in memory.
    pub in_memory: Need,
    /// Need with as much on disk as possible.
    pub on_disk: Need,
    /// Arrays of the solver.
    pub arrays: SolverArrays,
}

/// Arrays of a solver besides the log, in bytes: the sets, and after solving the codes that packing
/// reads at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolverArrays {
    sets: u64,
    /// Codes of a window of packing, or memory of a WDL file; 0 if neither is made.
    window: u64,
}

impl SolverArrays {
    /// Divides memory between the sets and the logs, in bytes.
    pub(crate) fn share(self, memory: u64, spill: bool) -> [u64; 2] {
        let logs = if spill { 0 } else { memory.saturating_sub(self.sets.max(self.window)) };
        [memory.min(self.sets), logs]
    }
}

/// Memory of a packing window, in bytes, if the table and its subtables are not in memory.
#[derive(Clone, Copy, Debug)]
struct PackingWindow {
    /// Codes of the king pairs of one white king.
    codes: u64,
    /// Pages of the subtables.
    pages: u64,
}

impl PackingWindow {
    fn new(
        index: &Index,
        subtables: &[TableName],
        rules: &Rules,
        options: PackOptions,
    ) -> PackingWindow {
        let pairs = pairs_per_white_king(index);
        let material = index.material();
        // The black king stays in the window; the white king leaves it when it captures.
        let white_kings = match material.army(Side::Black).is_empty() {
            true => 1,
            false => KING_SQUARES,
        };
        let pages = subtables.iter().map(|subtable| {
            let index = Index::new(subtable.material, rules);
            // A promotion moves no king.
            let promotes = subtable.material.men() == material.men();
            let white_kings = if promotes { 1 } else { white_kings };
            index.slots_per_pair() * (index.kings().len() as u64).min(white_kings * pairs)
        });
        let codes = CODE_BYTES * window_pairs(index, options.tiles) * index.slots_per_pair();
        PackingWindow { codes, pages: pages.sum() }
    }
}

/// Memory and disk needed to make a WDL file from the solved table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlNeed {
    /// Memory of the sections.
    pub sections: ByteSize,
    /// Total memory.
    pub memory: ByteSize,
    /// Length of the file.
    file: ByteSize,
}

impl WdlNeed {
    /// Computes the need within this memory: a section per thread and the kept sections, or as many
    /// as fit into 1/[`SECTIONS`] of the memory.
    pub(crate) fn new(index: &Index, memory: ByteSize) -> WdlNeed {
        let sections = wanted_bytes(index).min(memory.0 / SECTIONS).max(section_bytes(index));
        let slots = Table::slots_of_sides(index);
        let file = slots / WDL_SLOTS + SMALL_WDL;
        let memory = ByteSize(sections + capture_bytes(index) + WDL_COPIES * file);
        WdlNeed { sections: ByteSize(sections), memory, file: ByteSize(file) }
    }
}

/// Sizes of the parts of a table, in bytes unless stated, from which its need is computed.
pub(crate) struct TableSizes {
    solving: Estimate,
    /// Number of slots, both sides to move counted.
    slots: u64,
    /// Number of slots of a king pair.
    pair: u64,
    /// Memory of the subtables.
    subtables: ByteSize,
    /// Memory of one king pair of each subtable.
    window: u64,
    /// Number of codes compressed together; 0 without a solved file.
    wave: u64,
    /// Length of the offset table of the solved file.
    offsets: u64,
    /// `None` if the table is not packed.
    packing: Option<PackingWindow>,
    /// `None` if no WDL file is made with the table.
    wdl: Option<WdlNeed>,
}

impl TableSizes {
    /// Computes the sizes of a table without a solved file. `loaded` is the memory of the
    /// subtables.
    pub(crate) fn new(
        metric: Metric,
        index: &Index,
        subtables: &[TableName],
        rules: &Rules,
        loaded: ByteSize,
        packed: Option<PackOptions>,
    ) -> TableSizes {
        let pair = |subtable: &TableName| {
            CODE_BYTES * Index::new(subtable.material, rules).slots_per_pair()
        };
        let packing = packed.map(|options| PackingWindow::new(index, subtables, rules, options));
        TableSizes {
            solving: Estimate::of(index.material(), metric, rules),
            slots: Table::slots_of_sides(index),
            pair: index.slots_per_pair(),
            subtables: loaded,
            window: subtables.iter().map(pair).sum(),
            wave: 0,
            offsets: 0,
            packing,
            wdl: None,
        }
    }

    /// Adds a solved file.
    pub(crate) fn with_solved_file(self, options: &WriteOptions) -> TableSizes {
        let wave = self.slots.min(options.wave_codes());
        let offsets = OFFSET_BYTES * self.slots / u64::from(options.block_codes);
        TableSizes { wave, offsets, ..self }
    }

    /// Adds a WDL file.
    pub(crate) fn with_wdl(self, wdl: Option<WdlNeed>) -> TableSizes {
        TableSizes { wdl, ..self }
    }

    /// Computes the needs of the table within this memory. With `spill`, the storage is always the
    /// disk.
    pub(crate) fn needs(&self, memory: ByteSize, spill: bool) -> PlacedNeed {
        let arrays = self.arrays();
        let [in_memory, on_disk] =
            [Storage::Memory, Storage::Disk].map(|storage| self.need(storage));
        // For a small table, gathering part by part takes more memory than all its codes.
        let least = in_memory.memory().min(on_disk.memory()).max(memory);
        if in_memory.memory() <= least && !spill {
            return PlacedNeed {
                storage: Storage::Memory,
                within: in_memory,
                in_memory,
                on_disk,
                arrays,
            };
        }
        let others = on_disk.other + on_disk.subtables;
        let room = ByteSize(memory.0.saturating_sub(others.0));
        let room = room.min(in_memory.arrays).max(on_disk.arrays);
        let shares = arrays.share(without_surplus(room), spill);
        let most = with_surplus(arrays.sets.max(arrays.window));
        let spilled_bytes = spilled(&self.solving, shares);
        let within = Need {
            arrays: if spill { room.min(most) } else { room },
            // All layers are on the disk when a table is packed.
            spilled: match self.packing {
                None => spilled_bytes,
                Some(_) => spilled_bytes.max(compressed(self.solving.layers)),
            },
            ..on_disk
        };
        PlacedNeed { storage: Storage::Disk, within, in_memory, on_disk, arrays }
    }

    /// Returns the arrays of the solver.
    fn arrays(&self) -> SolverArrays {
        let window = self.packing.map_or(0, |packing| packing.codes);
        let wdl = self.wdl.map_or(0, |wdl| wdl.memory.0);
        SolverArrays { sets: self.solving.sets, window: window.max(wdl) }
    }

    /// Computes the need of the table with this storage.
    fn need(&self, storage: Storage) -> Need {
        let TableSizes { solving, slots, pair, subtables, window, wave, offsets, packing, wdl } =
            self;
        let threads = rayon::current_num_threads() as u64;
        let logs = solving.conversions + solving.layers;
        let wdl_memory = wdl.map_or(0, |wdl| wdl.memory.0);
        // Blocks compressed from a wave.
        let written = wave * FILE_BITS / u64::from(u8::BITS) + offsets;
        let (arrays, windows, spilled, subtables) = match storage {
            Storage::Memory => {
                // Sets and conversions are dropped before the codes are gathered.
                let arrays = (logs + solving.sets).max(solving.layers + solving.codes);
                let arrays = arrays.max(solving.codes + wdl_memory);
                (arrays, written, ByteSize::default(), *subtables)
            }
            Storage::Disk => {
                // First each thread has the subtables. In the end it has a king pair to gather
                // codes, besides the codes of a wave or a window and the pages.
                let (codes, pages) =
                    packing.map_or((0, 0), |packing| (packing.codes, packing.pages));
                let gathered = CODE_BYTES * (threads + 1) * pair + pages.max(wave + written);
                let chunks = CHUNKS.0.min(*pair) + COMPRESSORS.0.min(slots / SPILLED_SLOTS);
                let spilled = spilled(solving, [solving.least_sets, 0]);
                let arrays = solving.least_sets.max(codes).max(wdl_memory);
                let windows = gathered.max(threads * window) + threads * chunks;
                (arrays, windows, spilled, ByteSize::default())
            }
        };
        let thread = THREAD.0 + solving.pair_conversions;
        let own = threads * thread + solving.planes + solving.chunks + windows;
        let other = PROGRAM.0 + own + own.min(HEAP.0) / HEAP_SURPLUS;
        let bits = |bits: u64| ByteSize(slots * bits / u64::from(u8::BITS));
        let need = Need {
            arrays: with_surplus(arrays),
            subtables,
            other: ByteSize(other),
            spilled,
            file: bits(FILE_BITS),
            wdl: wdl.map_or(ByteSize::default(), |wdl| wdl.file),
            scratch: ByteSize::default(),
        };
        match packing {
            None => need,
            Some(_) => Need {
                other: need.other
                    + PACKING_COUNTS
                    + ByteSize(model_sample_bytes(*slots) + PACKING_BYTES * pair),
                file: bits(PACKED_BITS),
                scratch: need.file,
                ..need
            },
        }
    }
}

/// Returns the size of an array, with the surplus of a recycled buffer.
pub(crate) fn with_surplus(bytes: u64) -> ByteSize {
    ByteSize(bytes + bytes / SURPLUS)
}

/// Returns the bytes of arrays that fit into this memory in any case.
pub(crate) fn without_surplus(memory: ByteSize) -> u64 {
    memory.0 - memory.0 / (SURPLUS + 1)
}

/// Returns the bytes on disk if these bytes of the sets and of the logs are in memory.
fn spilled(solving: &Estimate, [sets, logs]: [u64; 2]) -> ByteSize {
    let logged = (solving.conversions + solving.layers).saturating_sub(logs);
    ByteSize(solving.sets.saturating_sub(sets)) + compressed(logged)
}

/// Returns the length on disk of bytes of the logs.
fn compressed(logged: u64) -> ByteSize {
    ByteSize(logged * COMPRESSED[0] / COMPRESSED[1])
}
