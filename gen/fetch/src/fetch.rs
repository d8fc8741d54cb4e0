//! Files of a set on their way into a directory.

use crate::error::FetchError;
use crate::set::SetFile;
use crate::source::Source;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// The end of the name of a file of which a part has arrived.
const PART: &str = ".part";
/// The bytes that are read at once.
const BUFFER: usize = 1 << 16;
/// How often a source is asked again in a row without a byte from it, and the first pause before.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_secs(1);

/// A set on its way into a directory.
#[derive(Debug)]
pub struct Fetch<'a> {
    /// Where it is published.
    pub source: &'a Source,
    /// The directory that its files go to, below which they have the paths of the list.
    pub directory: &'a Path,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetched {
    /// It was there, with the checksum of the list.
    WasThere,
    /// It arrived.
    Arrived,
}

impl Fetch<'_> {
    /// The bytes of these files that have not arrived.
    ///
    /// # Errors
    ///
    /// If the disk has no room for them.
    pub fn missing(&self, files: &[SetFile]) -> Result<u64, FetchError> {
        let length = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
        let missing = |file: &SetFile| {
            let path = self.directory.join(&file.path);
            file.bytes.saturating_sub(length(&path).max(length(&part_of(&path))))
        };
        let needed = files.iter().map(missing).fold(0, u64::saturating_add);
        // A directory that is not there yet is on the disk of the one above.
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
    /// If the file cannot be had or written, is not the one in the list, or another file has its name.
    /// What has arrived is kept, except if it is wrong.
    pub fn file(&self, file: &SetFile, progress: &dyn Fn(u64)) -> Result<Fetched, FetchError> {
        let path = self.directory.join(&file.path);
        match std::fs::metadata(&path) {
            Ok(metadata) => {
                let is_right = metadata.len() == file.bytes && {
                    let mut hash = Sha256::new();
                    let read =
                        File::open(&path).and_then(|mut there| hash_of(&mut there, &mut hash));
                    read.map_err(|source| FetchError::File { path: path.clone(), source })?;
                    hexadecimal(hash) == file.sha256
                };
                return if is_right { Ok(Fetched::WasThere) } else { Err(FetchError::Taken(path)) };
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(FetchError::File { path, source }),
        }
        let part = part_of(&path);
        let failed = |source| FetchError::File { path: part.clone(), source };
        std::fs::create_dir_all(path.parent().unwrap_or(self.directory)).map_err(failed)?;
        let mut options = OpenOptions::new();
        let opened = options.create(true).truncate(false).read(true).write(true).open(&part);
        let mut opened = opened.map_err(failed)?;
        match opened.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FetchError::Busy(path)),
            // File systems without locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        self.complete(file, &part, &mut opened, progress)?;
        opened.sync_all().map_err(failed)?;
        let renamed = |source| FetchError::File { path: path.clone(), source };
        std::fs::rename(&part, &path).map_err(renamed)?;
        // The new name survives a crash only if the directory is synced as well.
        #[cfg(unix)]
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all()).map_err(renamed)?;
        Ok(Fetched::Arrived)
    }

    /// Adds to a part what it lacks, and compares the whole with the list.
    fn complete(
        &self,
        file: &SetFile,
        path: &Path,
        part: &mut File,
        progress: &dyn Fn(u64),
    ) -> Result<(), FetchError> {
        let failed = |source| FetchError::File { path: path.to_path_buf(), source };
        let mut hash = Sha256::new();
        let mut have = hash_of(part, &mut hash).map_err(failed)?;
        let mut buffer = vec![0; BUFFER];
        let mut tries = 0;
        while have < file.bytes {
            let before = have;
            let mut read_on = || -> io::Result<Result<(), io::Error>> {
                let mut bytes = self.source.read(&file.path, have)?.take(file.bytes - have);
                loop {
                    let read = match bytes.read(&mut buffer) {
                        Ok(0) => return Ok(Ok(())),
                        Ok(read) => read,
                        Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                        Err(error) => return Err(error),
                    };
                    if let Err(error) = part.write_all(&buffer[..read]) {
                        return Ok(Err(error));
                    }
                    hash.update(&buffer[..read]);
                    have += read as u64;
                    progress(read as u64);
                }
            };
            let ended = match read_on() {
                Ok(written) => {
                    written.map_err(failed)?;
                    io::Error::new(
                        ErrorKind::UnexpectedEof,
                        format!("it ends after {have} of {} bytes", file.bytes),
                    )
                }
                Err(error) => error,
            };
            if have > before {
                tries = 0;
                continue;
            }
            tries += 1;
            let is_final = matches!(
                ended.kind(),
                ErrorKind::NotFound
                    | ErrorKind::InvalidInput
                    | ErrorKind::PermissionDenied
                    | ErrorKind::UnexpectedEof
            );
            if is_final || tries == TRIES {
                let place = self.source.place(&file.path);
                return Err(FetchError::Source { place, reason: ended.to_string() });
            }
            sleep(PAUSE * (1 << (tries - 1)));
        }
        let found = hexadecimal(hash);
        if have == file.bytes && found == file.sha256 {
            return Ok(());
        }
        // Nothing of it can be used; an empty part is as good as none.
        part.set_len(0).and_then(|()| part.seek(SeekFrom::Start(0))).map_err(failed)?;
        std::fs::remove_file(path).map_err(failed)?;
        let reason = match have == file.bytes {
            true => format!("its SHA-256 is {found}, {} expected", file.sha256),
            false => format!("it has {have} bytes, {} expected", file.bytes),
        };
        Err(FetchError::Other { place: self.source.place(&file.path), reason })
    }
}

/// The path of the part of a file.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_os_string();
    part.push(PART);
    PathBuf::from(part)
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

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        // A string takes all that is written.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
