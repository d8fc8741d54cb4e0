//! Files of a set on their way into a directory.

use super::error::FetchError;
use super::set::SetFile;
use super::source::{ReadError, Source, is_page};
use crate::cli::part_file::{complete, open_part, part_of};
use sakmak_make::system::directory;
use sakmak_make::system::hexadecimal::hexadecimal;
use sakmak_make::system::regular_file::has_other_names;
use sakmak_probe::file::bytes::open_regular;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Size of a read in bytes.
const BUFFER: usize = 1 << 16;

/// A set on its way into a directory.
#[derive(Debug)]
pub struct Fetch<'a> {
    /// Source of the set.
    pub source: &'a Source,
    /// The directory for the files, which have the paths of the list below the directory.
    pub directory: &'a Path,
}

/// Outcome of the transfer of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchOutcome {
    /// The file existed, with the checksum of the list.
    WasThere,
    /// The file arrived.
    Arrived,
}

impl Fetch<'_> {
    /// Returns the bytes of these files that have not arrived.
    ///
    /// # Errors
    ///
    /// Fails if a path is a link or another kind of file, or the disk has too little space.
    pub fn missing(&self, files: &[SetFile]) -> Result<u64, FetchError> {
        let mut needed = 0_u64;
        for file in files {
            let path = self.path(file)?;
            let [whole, part] = [length_at(&path)?, length_at(&part_of(&path))?];
            let there = whole.max(part).unwrap_or(0);
            needed = needed.saturating_add(file.bytes.saturating_sub(there));
        }
        // A missing directory will be on the disk of its parent directory.
        let there = self.directory.ancestors().find(|directory| directory.is_dir());
        let free = there.and_then(|directory| fs4::available_space(directory).ok());
        match free.filter(|&free| free < needed) {
            Some(free) => {
                let directory = self.directory.to_path_buf();
                Err(FetchError::Full { directory, needed, free })
            }
            None => Ok(needed),
        }
    }

    /// Fetches one file. `progress` takes the number of bytes as they arrive.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be fetched or written, differs from the list, or another kind of
    /// file has its name. The part that has arrived is kept, unless it is wrong.
    pub fn file(&self, file: &SetFile, progress: &dyn Fn(u64)) -> Result<FetchOutcome, FetchError> {
        let path = self.path(file)?;
        let failed = |source| FetchError::File { path: path.clone(), source };
        let folder = path.parent().unwrap_or(self.directory);
        // Also if the file exists: the process that fetched the file may have been killed before it
        // synced the name.
        directory::make(folder).map_err(failed)?;
        if let Some(length) = length_at(&path)? {
            let mut hash = Sha256::new();
            let is_right = length == file.bytes && {
                let there = open_regular(&path);
                there.and_then(|mut there| hash_of(&mut there, &mut hash)).map_err(failed)?;
                hexadecimal(&hash.finalize()) == file.sha256
            };
            return if is_right {
                Ok(FetchOutcome::WasThere)
            } else {
                Err(FetchError::Taken(path))
            };
        }
        let part = part_of(&path);
        length_at(&part)?;
        let failed = |source| FetchError::File { path: part.clone(), source };
        let opened = open_part(&part).map_err(failed)?;
        let Some(mut opened) = opened else { return Err(FetchError::Busy(path)) };
        if has_other_names(&opened).map_err(failed)? {
            let expected = "a file with one name, but has hard links";
            return Err(FetchError::Kind { path: part, expected });
        }
        self.complete(file, &part, &mut opened, progress)?;
        complete(&opened, &path).map_err(|source| FetchError::File { path, source })?;
        Ok(FetchOutcome::Arrived)
    }

    /// Returns the path of a file. The list names only folders of variants. Each folder must be a
    /// folder of its own, not a link.
    fn path(&self, file: &SetFile) -> Result<PathBuf, FetchError> {
        if let Some((folder, _)) = file.path.split_once('/') {
            let path = self.directory.join(folder);
            let kind = path.symlink_metadata();
            if kind.is_ok_and(|kind| !kind.is_dir()) {
                let expected = "a folder, and links are not followed";
                return Err(FetchError::Kind { path, expected });
            }
        }
        Ok(self.directory.join(&file.path))
    }

    /// Completes a part, and compares the whole file with the list. An existing part may be wrong,
    /// for instance after a power cut, which leaves zeros for bytes that were not synced. The whole
    /// file is then fetched once more.
    fn complete(
        &self,
        file: &SetFile,
        path: &Path,
        part: &mut File,
        progress: &dyn Fn(u64),
    ) -> Result<(), FetchError> {
        let failed = |source| FetchError::File { path: path.to_path_buf(), source };
        let place = || self.source.place(&file.path);
        let mut first = Vec::new();
        part.take(1).read_to_end(&mut first).map_err(failed)?;
        // A web page kept by an earlier version.
        if is_page(&file.path, &first) {
            part.set_len(0).map_err(failed)?;
        }
        loop {
            part.rewind().map_err(failed)?;
            let mut hash = Sha256::new();
            let there = hash_of(part, &mut hash).map_err(failed)?;
            let mut have = there;
            let read = self.source.read(&file.path, there, Some(file.bytes), &mut |bytes| {
                part.write_all(bytes)?;
                hash.update(bytes);
                have += bytes.len() as u64;
                progress(bytes.len() as u64);
                Ok(())
            });
            read.map_err(|error| match error {
                ReadError::Source(reason) => FetchError::Source { place: place(), reason },
                ReadError::Receiver(error) => failed(error),
            })?;
            let found = hexadecimal(&hash.finalize());
            if have == file.bytes && found == file.sha256 {
                return Ok(());
            }
            // The part is useless; an empty part counts as a missing part.
            part.set_len(0).map_err(failed)?;
            if there == 0 {
                std::fs::remove_file(path).map_err(failed)?;
                let reason = match have == file.bytes {
                    true => format!("its SHA-256 is {found}, expected {}", file.sha256),
                    false => format!("it has {have} bytes, expected {}", file.bytes),
                };
                return Err(FetchError::Other { place: place(), reason });
            }
        }
    }
}

/// Returns the length of the file at a path. `None` if the path does not exist.
fn length_at(path: &Path) -> Result<Option<u64>, FetchError> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata.len())),
        Ok(_) => {
            let expected = "a regular file, and links are not followed";
            Err(FetchError::Kind { path: path.to_path_buf(), expected })
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FetchError::File { path: path.to_path_buf(), source }),
    }
}

/// Hashes a file to its end, and returns the number of bytes.
fn hash_of(file: &mut File, hash: &mut Sha256) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(bytes),
            Ok(read) => {
                hash.update(&buffer[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
