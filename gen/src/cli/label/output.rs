//! The file of labelled lines.

use crate::cli::part_file::{complete, folder_of, open_part, part_of};
use crate::cli::{CommandError, check_outputs};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The labelled lines on their way to standard output, or to a file that gets its name at the end.
pub struct LabelledFile {
    target: Target,
    /// The number of lines written, with those of earlier runs.
    lines: u64,
}

enum Target {
    Stdout,
    File { path: PathBuf, part: File },
}

impl LabelledFile {
    /// Returns the output after the first `lines` lines, which an earlier run has written.
    pub fn create(path: Option<PathBuf>, lines: u64) -> Result<LabelledFile, CommandError> {
        let Some(path) = path else { return Ok(LabelledFile { target: Target::Stdout, lines }) };
        let Some(name) = path.file_name() else {
            let message = format!("cannot write {}: it is a directory", path.display());
            return Err(CommandError::bad_input(message));
        };
        check_outputs(folder_of(&path), [name.to_string_lossy().into_owned()])?;
        let part = part_of(&path);
        let shown = part.display();
        let failed = |error| CommandError::failure(format!("cannot write {shown}: {error}"));
        let Some(mut file) = open_part(&part).map_err(failed)? else {
            return Err(CommandError::failure(format!("another process writes {shown}")));
        };
        let (end, found) = end_of(&file, lines).map_err(failed)?;
        if found < lines {
            return Err(CommandError::bad_input(format!(
                "--from-line: {shown} has {found} lines, expected at least {lines}"
            )));
        }
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        Ok(LabelledFile { target: Target::File { path, part: file }, lines })
    }

    /// Writes a text of this many lines.
    ///
    /// # Errors
    ///
    /// The errors of the system.
    pub fn write(&mut self, text: &[u8], lines: u64) -> io::Result<()> {
        match &mut self.target {
            Target::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(text).and_then(|()| out.flush())?;
            }
            Target::File { part, .. } => part.write_all(text)?,
        }
        self.lines += lines;
        Ok(())
    }

    /// Returns the end of a message about an interrupted run: the lines that are kept.
    pub fn kept(&self) -> String {
        let (lines, next) = (self.lines, self.lines + 1);
        let place = match &self.target {
            Target::Stdout => "written".to_string(),
            Target::File { path, .. } => format!("in {}", part_of(path).display()),
        };
        match lines {
            0 => String::new(),
            1 => format!("; 1 line is {place}: --from-line {next} continues"),
            _ => format!("; {lines} lines are {place}: --from-line {next} continues"),
        }
    }

    /// Gives the file its name.
    pub fn commit(&self) -> Result<(), CommandError> {
        let Target::File { path, part } = &self.target else { return Ok(()) };
        complete(part, path).map_err(|error| {
            CommandError::failure(format!("cannot write {}: {error}", path.display()))
        })
    }
}

/// Returns the end of the first `lines` lines of a file in bytes, and the number of its lines up to
/// there. A line without its end does not count.
fn end_of(file: &File, lines: u64) -> io::Result<(u64, u64)> {
    let mut input = BufReader::new(file);
    let (mut end, mut found, mut line) = (0, 0, Vec::new());
    while found < lines {
        line.clear();
        input.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        end += line.len() as u64;
        found += 1;
    }
    Ok((end, found))
}
