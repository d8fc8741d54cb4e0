//! Files of solved materials, `.smg`; FORMAT.md has them byte by byte.
//!
//! ```text
//! head      "SAKMAKG\x01", lengths and texts of game, rules and material, slots, bytes of a code,
//!           the end of each block's bytes and their checksum, the checksum of the head
//! blocks    65,536 codes each, compressed by zstd
//! ```
//!
//! Checksums are XXH3 of 64 bits, numbers are little-endian.

use crate::file::zstd_decoder;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::BoardGame;
use sakmak_boards::value::Value;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// The end of the names of files.
pub const ENDING: &str = ".smg";

/// Magic and version.
pub const MAGIC: [u8; 8] = *b"SAKMAKG\x01";
/// Codes per block.
pub const BLOCK: usize = 1 << 16;
/// The longest text of a head.
const TEXT: usize = 1 << 10;

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system's error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another kind of file, or a version that is not known.
    #[error("not a file of a solved material of this version")]
    Kind,
    /// Bytes that contradict a checksum or one another.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// A table of another game, material or rules.
    #[error("it has {found}, expected {expected}")]
    Other {
        /// What the file has.
        found: String,
        /// What is needed.
        expected: String,
    },
}

/// Game, rules and material.
pub fn texts<G: BoardGame>(game: &G, material: G::Material) -> [String; 3] {
    [game.name(), game.rules(), material.to_string()]
}

/// An open file of a solved material.
#[derive(Debug)]
pub struct TierFile<R> {
    // A poisoned lock is safe: every read seeks first.
    file: Mutex<R>,
    slots: u64,
    width: usize,
    /// The end of each block after the head, and its checksum.
    blocks: Vec<(u64, u64)>,
    /// Where the first block begins.
    begin: u64,
    /// The checksum of the head.
    checksum: u64,
}

impl<R: Read + Seek> TierFile<R> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If it is not one of this material by these rules, or damaged.
    pub fn open<G: BoardGame>(
        game: &G,
        material: G::Material,
        mut file: R,
    ) -> Result<TierFile<R>, FileError> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut head = Vec::new();
        let mut take = |bytes: usize| -> Result<Vec<u8>, FileError> {
            let mut taken = vec![0; bytes];
            file.read_exact(&mut taken).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => FileError::Damaged("it ends in its head"),
                _ => error.into(),
            })?;
            head.extend_from_slice(&taken);
            Ok(taken)
        };
        if take(8)? != MAGIC {
            return Err(FileError::Kind);
        }
        let mut others = Vec::new();
        for expected in texts(game, material) {
            let bytes = usize::from(u16::from_le_bytes(array(&take(2)?)));
            if bytes > TEXT {
                return Err(FileError::Damaged("a text of the head is too long"));
            }
            let found = String::from_utf8_lossy(&take(bytes)?).into_owned();
            if found != expected {
                others.push((found, expected));
            }
        }
        let slots = u64::from_le_bytes(array(&take(8)?));
        let width = usize::from(take(1)?[0]);
        // The layout, not the file, decides how much memory the blocks take.
        if slots != game.size(&game.layout(material)) {
            return Err(match others.into_iter().next() {
                Some((found, expected)) => FileError::Other { found, expected },
                None => FileError::Damaged("the number of its slots"),
            });
        }
        let count = slots.div_ceil(BLOCK as u64);
        // Each block has an entry of 16 bytes in the file.
        if count > length / 16 || !(1..=2).contains(&width) {
            return Err(FileError::Damaged("its size contradicts its head"));
        }
        let table = take(count as usize * 16)?;
        let begin = head.len() as u64 + 8;
        let mut checksum = [0; 8];
        file.read_exact(&mut checksum).map_err(|_| FileError::Damaged("it ends in its head"))?;
        let checksum = u64::from_le_bytes(checksum);
        if xxh3_64(&head) != checksum {
            return Err(FileError::Damaged("the checksum of its head"));
        }
        if let Some((found, expected)) = others.into_iter().next() {
            return Err(FileError::Other { found, expected });
        }
        let blocks: Vec<(u64, u64)> = table
            .chunks_exact(16)
            .map(|entry| {
                (u64::from_le_bytes(array(&entry[..8])), u64::from_le_bytes(array(&entry[8..])))
            })
            .collect();
        let longest = zstd_decoder::longest_block(BLOCK * width) as u64;
        let begins = [0].into_iter().chain(blocks.iter().map(|&(end, _)| end));
        let mut lengths =
            blocks.iter().zip(begins).map(|(&(end, _), begin)| end.checked_sub(begin));
        let fits = lengths.all(|length| length.is_some_and(|length| length <= longest));
        if !fits || blocks.last().map_or(0, |&(end, _)| end) != length - begin.min(length) {
            return Err(FileError::Damaged("its size contradicts its head"));
        }
        Ok(TierFile { file: Mutex::new(file), slots, width, blocks, begin, checksum })
    }

    /// The checksum of game, rules, material and the checksums of all blocks: files with the same one have the
    /// same values, if their blocks have their checksums.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Reads and decodes a block: the bytes of its codes.
    ///
    /// # Errors
    ///
    /// If the block cannot be read or is damaged.
    pub(crate) fn block(&self, block: usize) -> Result<Vec<u8>, FileError> {
        let (end, checksum) = self.blocks[block];
        let first = if block == 0 { 0 } else { self.blocks[block - 1].0 };
        let mut bytes = vec![0; (end - first) as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.begin + first))?;
            file.read_exact(&mut bytes)?;
        }
        if xxh3_64(&bytes) != checksum {
            return Err(FileError::Damaged("the checksum of a block"));
        }
        let codes = (self.slots - (block * BLOCK) as u64).min(BLOCK as u64) as usize;
        let mut decoded = vec![0; codes * self.width];
        zstd_decoder::decode(BlockNumber(block as u64), &bytes, &mut decoded)
            .map_err(|_| FileError::Damaged("a block that does not decode"))?;
        Ok(decoded)
    }

    /// The block that has a slot.
    ///
    /// # Errors
    ///
    /// If there is no such slot.
    pub(crate) fn block_of(&self, slot: u64) -> Result<usize, FileError> {
        match slot < self.slots {
            true => Ok((slot / BLOCK as u64) as usize),
            false => Err(FileError::Damaged("a slot behind the last one")),
        }
    }

    /// The value of a slot from the bytes of its block.
    pub(crate) fn value_in(&self, block: &[u8], slot: u64) -> Value {
        let at = (slot % BLOCK as u64) as usize * self.width;
        Value::of_code(match self.width {
            1 => block[at].into(),
            _ => u16::from_le_bytes(array(&block[at..at + 2])),
        })
    }

    /// The value of a slot; reads one block.
    ///
    /// # Errors
    ///
    /// If the block cannot be read or is damaged, or there is no such slot.
    pub fn value(&self, slot: u64) -> Result<Value, FileError> {
        Ok(self.value_in(&self.block(self.block_of(slot)?)?, slot))
    }

    /// All codes; every checksum is tested.
    ///
    /// # Errors
    ///
    /// If a block cannot be read or is damaged.
    pub fn codes(&self) -> Result<Codes, FileError> {
        let mut bytes = Vec::new();
        let length = self.slots as usize * self.width;
        bytes.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        for block in 0..self.blocks.len() {
            bytes.extend(self.block(block)?);
        }
        Ok(match self.width {
            1 => Codes::Narrow(bytes),
            _ => Codes::Wide(
                bytes.chunks_exact(2).map(|code| u16::from_le_bytes(array(code))).collect(),
            ),
        })
    }
}

/// The first bytes, of which there are enough.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0))
}
