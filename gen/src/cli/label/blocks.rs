//! The input in blocks of whole lines.

use crate::cli::CommandError;
use crate::cli::arguments::STANDARD_INPUT;
use crate::cli::label::format::Format;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Bytes after which a block ends as soon as its last record is complete.
const BLOCK: usize = 256 << 10;

/// Maximum bytes of a line, and of a record in one block: a longer record is read as two.
const LONGEST: usize = 16 << 20;

/// Consecutive lines of the input.
pub struct Block {
    /// The lines, with their ends.
    pub text: Vec<u8>,
    /// The number of the first line in the input, from 1.
    pub line: u64,
    /// The number of lines.
    pub lines: u64,
}

/// Blocks of the input that can be labelled apart: no record of `format` is in two of them.
pub struct Blocks {
    path: PathBuf,
    input: BufReader<Box<dyn Read>>,
    format: Format,
    /// The bytes of a regular file that were not skipped.
    length: Option<u64>,
    /// The number of the next line.
    line: u64,
}

impl Blocks {
    /// Opens a file, or standard input.
    pub fn open(path: &Path, format: Format) -> Result<Blocks, CommandError> {
        let (input, length): (Box<dyn Read>, _) = match path.as_os_str() == STANDARD_INPUT {
            true => (Box::new(io::stdin()), None),
            false => {
                #[expect(clippy::disallowed_methods, reason = "the user may name a pipe")]
                let file = File::open(path).map_err(|error| unreadable(path, &error))?;
                let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
                (Box::new(file), metadata.is_file().then_some(metadata.len()))
            }
        };
        let input = BufReader::with_capacity(BLOCK, input);
        Ok(Blocks { path: path.to_path_buf(), input, format, length, line: 1 })
    }

    /// Returns the bytes of all blocks. `None` if they are not known, as of a pipe.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// Skips lines at the start of the input.
    pub fn skip(&mut self, lines: u64) -> Result<(), CommandError> {
        let mut text = Vec::new();
        for read in 0..lines {
            text.clear();
            if !self.line(&mut text)? {
                return Err(CommandError::bad_input(format!(
                    "--from-line: {} has {read} lines",
                    self.path.display()
                )));
            }
            self.length = self.length.map(|length| length.saturating_sub(text.len() as u64));
        }
        Ok(())
    }

    /// Returns the next blocks, at most this many; none at the end of the input.
    pub fn batch(&mut self, most: usize) -> Result<Vec<Block>, CommandError> {
        let mut blocks = Vec::new();
        while blocks.len() < most
            && let Some(block) = self.next()?
        {
            blocks.push(block);
        }
        Ok(blocks)
    }

    fn next(&mut self) -> Result<Option<Block>, CommandError> {
        let mut text = Vec::with_capacity(BLOCK + BLOCK / 8);
        let line = self.line;
        while self.line(&mut text)? {
            let is_whole = text.len() >= BLOCK && self.ends_record(&text)?;
            if is_whole || text.len() >= LONGEST {
                break;
            }
        }
        let lines = self.line - line;
        Ok((lines > 0).then_some(Block { text, line, lines }))
    }

    /// Appends the next line to the text. Returns false at the end of the input.
    fn line(&mut self, text: &mut Vec<u8>) -> Result<bool, CommandError> {
        let start = text.len();
        let limited = self.input.by_ref().take(LONGEST as u64);
        let read = { limited }.read_until(b'\n', text);
        match read.map_err(|error| unreadable(&self.path, &error))? {
            0 => return Ok(false),
            read if read == LONGEST && text[start..].last() != Some(&b'\n') => {
                let (path, line) = (self.path.display(), self.line);
                let most = LONGEST >> 20;
                let message = format!("{path}: line {line} has more than {most} MiB");
                return Err(CommandError::bad_input(message));
            }
            _ => self.line += 1,
        }
        Ok(true)
    }

    /// Returns whether a record ends with this text.
    fn ends_record(&mut self, text: &[u8]) -> Result<bool, CommandError> {
        let ends_with = |ends: [&[u8]; 2]| ends.iter().any(|end| text.ends_with(end));
        Ok(match self.format {
            Format::Epd | Format::Json => true,
            Format::Plain => ends_with([b"\ne\n", b"\ne\r\n"]),
            Format::Pgn => {
                let next = self.input.fill_buf();
                let next = next.map_err(|error| unreadable(&self.path, &error))?;
                ends_with([b"\n\n", b"\n\r\n"]) && next.first().is_none_or(|&next| next == b'[')
            }
        })
    }
}

fn unreadable(path: &Path, error: &io::Error) -> CommandError {
    CommandError::bad_input(format!("cannot read {}: {error}", path.display()))
}
