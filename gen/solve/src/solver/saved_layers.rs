//! Layers of a solved table that a later run can read: the file of the log with an index at its
//! end.
//!
//! The file gets its name when it is complete, so a named file is never partial. It is for the
//! machine that wrote it, and is removed when the table is packed.
//!
//! | part | content |
//! |---|---|
//! | chunks | the slots of a layer in a king pair, each |
//! | index | words of eight bytes, little-endian, see below |
//! | bytes of the index, XXH3 of the index | a word each |
//!
//! The index: magic, version, fingerprint of the rules, name of the table in eight words; then for
//! White and for Black to move: 1 if the table holds that side, else 0; longest win; one more than
//! the longest loss, or 0; and for each king pair the number of its chunks, and three words for
//! each: first byte; bytes in the file (upper half) and of the chunk (lower half); checksum (upper
//! half) and code of the value (lower half).

use crate::solver::log::{DiskLocation, Log};
use crate::solver::record::{Record, StoredChunks};
use crate::solver::scratch::{ScratchFile, ScratchFolder};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use xxhash_rust::xxh3::xxh3_64;

/// The first word of the index.
const MAGIC: u64 = u64::from_le_bytes(*b"SAKLAYER");
/// The version of the index and of the chunks. It increases when either of them, or the order of
/// the slots of a table, changes.
const VERSION: u64 = 1;
/// Words of the name.
const NAME_WORDS: usize = 8;
/// Words after the index.
const TRAILER_WORDS: usize = 2;
/// Bytes of a word.
const WORD: usize = size_of::<u64>();
/// The extension of the file name.
const EXTENSION: &str = ".layers";

/// The records of White and of Black to move; `None` for a side that the table does not hold.
pub type SideRecords = [Option<Record>; 2];

/// The reason why saved layers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedLayersError {
    /// The file cannot be read.
    #[error("they cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The file is cut short, or a part has other bytes than were written.
    #[error("they are damaged")]
    Damaged,
    /// The layers belong to another table, to other rules or to another version of the program.
    #[error("they were saved under other rules or by another version of the program")]
    Foreign,
}

/// The name of the file of saved layers, `KRNvKM.dtm.layers`.
pub fn file_name(table: TableName) -> String {
    table.file_stem() + EXTENSION
}

/// The table of the name of a file of saved layers under these rules. `None` if the name is another
/// name.
pub fn table_of_file_name(name: &str, rules: &Rules) -> Option<TableName> {
    TableName::of_file_stem(name.strip_suffix(EXTENSION)?, rules)
}

/// Saves the records of a table, whose log has a file to be named. They stay readable.
///
/// # Errors
///
/// If there is not enough disk.
pub fn save(records: &SideRecords, table: TableName, rules: &Rules) -> io::Result<()> {
    let Some(log) = records.iter().flatten().map(Record::log).next() else { return Ok(()) };
    let mut words = identity(table, rules);
    for record in records {
        let Some(record) = record else {
            words.push(0);
            continue;
        };
        let coding = record.coding();
        let longest_loss = coding.losses.map_or(0, |Moves(moves)| u64::from(moves) + 1);
        words.extend([1, coding.wins.0.into(), longest_loss]);
        for chunks in record.stored()? {
            words.push(chunks.len() as u64);
            for (DiskLocation { start, stored, length, checksum }, value) in chunks {
                let lengths = u64::from(stored) << u32::BITS | u64::from(length);
                let code = coding.encode(value).ok_or(io::ErrorKind::InvalidData)?;
                words.extend([start, lengths, u64::from(checksum) << u32::BITS | u64::from(code)]);
            }
        }
    }
    let mut index: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let trailer = [index.len() as u64, xxh3_64(&index)];
    index.extend(trailer.into_iter().flat_map(u64::to_le_bytes));
    log.commit(&index)
}

/// The saved records of a table of this many king pairs; `None` if no file is saved. The chunks are
/// not checked yet.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or belongs to other rules.
pub fn open(
    folder: &dyn ScratchFolder,
    table: TableName,
    rules: &Rules,
    pairs: usize,
) -> Result<Option<SideRecords>, SavedLayersError> {
    let file = match folder.open(&file_name(table)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(SavedLayersError::Read)?,
    };
    let (index, chunk_bytes) = read_index(&*file)?;
    let mut words = index.as_chunks().0.iter().copied().map(u64::from_le_bytes);
    let expected = identity(table, rules);
    if !words.by_ref().take(expected.len()).eq(expected) {
        return Err(SavedLayersError::Foreign);
    }
    let log = Arc::new(Log::spilling(Arc::new(AtomicU64::new(0)), file));
    let mut records: SideRecords = [None, None];
    for side in Side::BOTH {
        let record = read_record(&mut words, &log, pairs, chunk_bytes);
        records[side.index()] = record.ok_or(SavedLayersError::Damaged)?;
    }
    match words.next() {
        None => Ok(Some(records)),
        Some(_) => Err(SavedLayersError::Damaged),
    }
}

/// The words that identify the saved table.
fn identity(table: TableName, rules: &Rules) -> Vec<u64> {
    let mut words = vec![MAGIC, VERSION, table.metric.fingerprint(rules)];
    let mut name = table.file_stem().into_bytes();
    name.resize(NAME_WORDS * WORD, 0);
    words.extend(name.as_chunks().0.iter().copied().map(u64::from_le_bytes));
    words
}

/// The bytes of the index, and the number of bytes before it.
fn read_index(file: &dyn ScratchFile) -> Result<(Vec<u8>, u64), SavedLayersError> {
    let mut trailer = [0; TRAILER_WORDS * WORD];
    let before = file.length().checked_sub(trailer.len() as u64);
    let before = before.ok_or(SavedLayersError::Damaged)?;
    file.read_at(before, &mut trailer).map_err(SavedLayersError::Read)?;
    let (length, checksum) = trailer.split_at(WORD);
    let word = |bytes: &[u8]| bytes.as_chunks().0.iter().copied().map(u64::from_le_bytes).next();
    let length = word(length).unwrap_or(0);
    let start = before.checked_sub(length).ok_or(SavedLayersError::Damaged)?;
    let mut index = vec![0; length as usize];
    file.read_at(start, &mut index).map_err(SavedLayersError::Read)?;
    match Some(xxh3_64(&index)) == word(checksum) {
        true => Ok((index, start)),
        false => Err(SavedLayersError::Damaged),
    }
}

/// Reads the record of a side to move. `Some(None)` if the table does not hold the side, `None` if
/// the index is damaged.
fn read_record(
    words: &mut impl Iterator<Item = u64>,
    log: &Arc<Log>,
    pairs: usize,
    chunk_bytes: u64,
) -> Option<Option<Record>> {
    if words.next()? == 0 {
        return Some(None);
    }
    let wins = Moves(words.next()?.try_into().ok()?);
    let losses = match words.next()? {
        0 => None,
        moves => Some(Moves((moves - 1).try_into().ok()?)),
    };
    let coding = Coding { wins, losses };
    let mut chunks: StoredChunks = Vec::new();
    for _ in 0..pairs {
        let mut of_pair = Vec::new();
        for _ in 0..words.next()? {
            of_pair.push(read_chunk(words, coding, chunk_bytes)?);
        }
        chunks.push(of_pair);
    }
    Some(Some(Record::of_stored(Arc::clone(log), coding, chunks)))
}

/// Reads the location and the value of a chunk; `None` if the index is damaged.
fn read_chunk(
    words: &mut impl Iterator<Item = u64>,
    coding: Coding,
    chunk_bytes: u64,
) -> Option<(DiskLocation, Value)> {
    let start = words.next()?;
    let mut halves = || words.next().map(|word| ((word >> u32::BITS) as u32, word as u32));
    let ((stored, length), (checksum, code)) = (halves()?, halves()?);
    let value = coding.decode(code.try_into().ok()?)?;
    let is_within = start.checked_add(stored.into())? <= chunk_bytes;
    is_within.then_some((DiskLocation { start, stored, length, checksum }, value))
}
