//! Looks up positions from standard input, with a line of JSON for each.
//!
//! Each line of input is a FEN or a line of EPD; blank lines and lines that start with `#` are
//! skipped. Its line of output is flushed at once, so that a program can write a FEN and wait for
//! the answer. A line without an answer gives `{"fen": "...", "error": "..."}` with the line as
//! `fen`, and the next line is read. The error begins with the number of the line, skipped lines
//! counted. A byte order mark at the start of the input is skipped.

use super::epd::Epd;
use crate::cli::CommandError;
use sakmak_probe::json::json_line;
use serde::Serialize;
use std::io::{self, BufRead, BufWriter, Write};

/// The byte order mark in UTF-8, which some editors write.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Begins a line that is skipped.
pub const COMMENT: char = '#';

/// Returns the error of positions from standard input without --json.
pub fn needs_json() -> CommandError {
    CommandError::bad_input("positions from standard input are answered in JSON: add --json")
}

/// A position without an answer.
#[derive(Serialize)]
struct UnansweredJson<'a> {
    fen: &'a str,
    error: &'a str,
}

/// Answers all lines of the input with the lines of JSON that `answer` returns for their positions.
/// Returns an error at the end if a position has no answer.
pub fn run(
    mut answer: impl FnMut(&Epd) -> Result<String, CommandError>,
) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut input = io::stdin().lock();
    let (mut positions, mut refused) = (0_u64, 0_u64);
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.map_err(|error| failed("cannot read standard input", &error))? == 0 {
            break;
        }
        let mark = if number == 1 { BYTE_ORDER_MARK } else { b"" };
        let line = bytes.strip_prefix(mark).unwrap_or(&bytes);
        let text = String::from_utf8_lossy(line);
        let fen = text.trim();
        if fen.is_empty() || fen.starts_with(COMMENT) {
            continue;
        }
        positions += 1;
        let answered = match std::str::from_utf8(line) {
            Ok(_) => answer(&Epd::read(fen))
                .map_err(|CommandError { message, .. }| format!("line {number}: {message}")),
            Err(_) => Err(format!("line {number} is not UTF-8")),
        };
        let json = match answered {
            Ok(json) => json,
            Err(error) => {
                refused += 1;
                json_line(&UnansweredJson { fen, error: &error })?
            }
        };
        match writeln!(out, "{json}").and_then(|()| out.flush()) {
            // The reader has closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            written => {
                written.map_err(|error| failed("cannot write to standard output", &error))?;
            }
        }
    }
    match refused {
        0 => Ok(()),
        _ => {
            Err(CommandError::failure(format!("{refused} of {positions} positions have no answer")))
        }
    }
}

fn failed(what: &str, error: &io::Error) -> CommandError {
    CommandError::failure(format!("{what}: {error}"))
}
