//! The file of annotated games.

use crate::cli::CommandError;
use crate::cli::part_file::folder_of;
use sakmak_make::system::atomic_file::AtomicFile;
use sakmak_pgn::pgn::encoded;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file of annotated games. The file is written game by game under a temporary name and renamed
/// at the end. So the output may replace the input, and an old file stays whole until then.
pub struct AnnotatedFile {
    path: PathBuf,
    target: OutputTarget,
}

/// The destination of the games.
enum OutputTarget {
    /// A regular file.
    Regular(AtomicFile),
    /// A device or a pipe, which cannot be replaced.
    Stream(File),
}

impl AnnotatedFile {
    /// Returns the output at a path, empty so far.
    ///
    /// # Errors
    ///
    /// If the output cannot be written: the directory is missing, or an old file is read-only.
    pub fn create(path: &Path) -> Result<AnnotatedFile, CommandError> {
        let target = OutputTarget::at(path).map_err(|error| failure(path, &error))?;
        Ok(AnnotatedFile { path: path.to_path_buf(), target })
    }

    /// Returns the path of the output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds text, with the bytes that it was decoded from.
    pub fn write(&mut self, text: &str) -> Result<(), CommandError> {
        let file = match &mut self.target {
            OutputTarget::Regular(atomic) => atomic.file(),
            OutputTarget::Stream(file) => file,
        };
        file.write_all(&encoded(text)).map_err(|error| failure(&self.path, &error))
    }

    /// Gives the file its name.
    pub fn commit(self) -> Result<(), CommandError> {
        match self.target {
            OutputTarget::Regular(atomic) => {
                atomic.commit().map_err(|error| failure(&self.path, &error))
            }
            OutputTarget::Stream(_) => Ok(()),
        }
    }
}

impl OutputTarget {
    fn at(path: &Path) -> io::Result<OutputTarget> {
        let old = match fs::metadata(path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let Some(old) = old else { return Ok(OutputTarget::Regular(temporary(path)?)) };
        // A file that the user may not write is not replaced.
        #[expect(clippy::disallowed_methods, reason = "the user may name a pipe")]
        let file = File::options().write(true).open(path)?;
        if !old.is_file() {
            return Ok(OutputTarget::Stream(file));
        }
        // If the path is a link, the target of the link is replaced.
        let mut atomic = temporary(&path.canonicalize()?)?;
        atomic.file().set_permissions(old.permissions())?;
        Ok(OutputTarget::Regular(atomic))
    }
}

fn temporary(path: &Path) -> io::Result<AtomicFile> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    AtomicFile::create(folder_of(path), name)
}

fn failure(path: &Path, error: &io::Error) -> CommandError {
    CommandError::failure(format!("cannot write {}: {error}", path.display()))
}
