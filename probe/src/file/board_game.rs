//! An open file of a material of a board game.

use crate::file::block_file::BlockFile;
use crate::file::bytes::{Access, Bytes};
use crate::file::open_file::{FileError, OpenFile};
use sakmak_boards::codes::Codes;
use sakmak_boards::game::BoardGame;
use sakmak_boards::value::Value;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::board_game::BoardGameHeader;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Codes per block of a written file.
pub const BLOCK_CODES: u32 = 1 << 14;

/// An open file of a material. Header and trailer are in memory; blocks are decoded on demand.
#[derive(Debug)]
pub struct BoardGameFile {
    file: BlockFile,
    header: BoardGameHeader,
}

/// The fingerprint of a game and its rules.
fn fingerprint<G: BoardGame>(game: &G) -> u64 {
    xxh3_64(format!("{}\n{}", game.name(), game.rules()).as_bytes())
}

/// The header of a file with codes of this many bytes.
pub fn header<G: BoardGame>(
    game: &G,
    material: G::Material,
    slots: u64,
    code_bytes: u32,
) -> BoardGameHeader {
    BoardGameHeader {
        fingerprint: fingerprint(game),
        material: material.to_string(),
        slots,
        block_codes: BLOCK_CODES,
        code_bytes,
    }
}

/// The name of the file of a material.
pub fn file_name(material: impl std::fmt::Display) -> String {
    format!("{material}.{}", FormatKind::BoardGame.extension())
}

/// The name of the material of a file name. Returns `None` for a file of another kind.
pub fn material_of(file_name: &str) -> Option<&str> {
    file_name.strip_suffix(FormatKind::BoardGame.extension())?.strip_suffix('.')
}

impl BoardGameFile {
    /// Opens the file of a material and checks its header and length.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a file of this version, is truncated, or differs in rules,
    /// material or number of slots.
    pub fn open<G: BoardGame>(
        path: &Path,
        access: Access,
        game: &G,
        material: G::Material,
    ) -> Result<BoardGameFile, FileError> {
        BoardGameFile::new(OpenFile::open(path, access, FormatKind::BoardGame)?, game, material)
    }

    /// A file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// The errors of [`BoardGameFile::open`].
    pub fn from_bytes<G: BoardGame>(
        path: &Path,
        bytes: Box<dyn Bytes>,
        game: &G,
        material: G::Material,
    ) -> Result<BoardGameFile, FileError> {
        let file = OpenFile::new(path, bytes, None, FormatKind::BoardGame)?;
        BoardGameFile::new(file, game, material)
    }

    fn new<G: BoardGame>(
        file: OpenFile<Box<dyn Bytes>>,
        game: &G,
        material: G::Material,
    ) -> Result<BoardGameFile, FileError> {
        let header = BoardGameHeader::decode(&file.header()?).map_err(|error| file.error(error))?;
        // The layout, not the file, decides how much memory the codes need.
        let slots = game.size(&game.layout(material));
        let expected = header.expect(fingerprint(game), &material.to_string(), slots);
        expected.map_err(|error| file.error(error))?;
        Ok(BoardGameFile { file: BlockFile::new(file, header.offsets())?, header })
    }

    /// The path of the file, if it now has another file or none.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The checksum at the end of the file.
    pub fn checksum(&self) -> u64 {
        self.file.checksum()
    }

    /// The codes of a full block, and the bytes of a code.
    pub(crate) fn block_codes(&self) -> (u64, usize) {
        (self.header.block_codes.into(), self.header.code_bytes as usize)
    }

    /// The value of the code that begins with these bytes.
    pub(crate) fn value_of(&self, bytes: [u8; 2]) -> Value {
        Value::of_code(match self.header.code_bytes {
            1 => bytes[0].into(),
            _ => u16::from_le_bytes(bytes),
        })
    }

    /// The decoded codes of a block.
    ///
    /// # Errors
    ///
    /// If the block cannot be read or is damaged, or does not exist.
    pub(crate) fn block(&self, block: BlockNumber) -> Result<Vec<u8>, FileError> {
        self.file.block(block, self.block_bytes(block)?)
    }

    /// Decoded bytes of a block.
    fn block_bytes(&self, block: BlockNumber) -> Result<usize, FileError> {
        let BoardGameHeader { slots, block_codes, code_bytes, .. } = self.header;
        let first = block.0.checked_mul(block_codes.into());
        let codes = first.and_then(|first| slots.checked_sub(first)).unwrap_or(0);
        match codes.min(block_codes.into()) as usize {
            0 => Err(self.file.error(FormatError::BlockDecoding(block.0))),
            codes => Ok(codes * code_bytes as usize),
        }
    }

    /// All codes. Checks every byte: offset table, blocks and the checksum of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged, or memory runs out.
    pub fn codes(&self) -> Result<Codes, FileError> {
        let BoardGameHeader { slots, block_codes, code_bytes, .. } = self.header;
        let mut bytes = self.file.buffer(slots.saturating_mul(code_bytes.into()))?;
        let blocks = bytes.chunks_mut((block_codes * code_bytes) as usize);
        for (block, codes) in (0..).map(BlockNumber).zip(blocks) {
            self.file.decode(block, codes)?;
        }
        // Last, because errors of the blocks have their number.
        self.file.verify_rows()?;
        self.file.verify_checksum()?;
        Ok(match code_bytes {
            1 => Codes::Narrow(bytes),
            _ => {
                let codes =
                    bytes.chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]]));
                Codes::Wide(codes.collect())
            }
        })
    }
}
