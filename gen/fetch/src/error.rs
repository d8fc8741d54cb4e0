//! What prevents a set from being fetched.

use std::io;
use std::path::PathBuf;

/// What prevents a set or a file of it from being fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The source does not have a file, or does not send it.
    #[error("cannot fetch {place}: {reason}")]
    Source {
        /// The address or the path.
        place: String,
        /// What the source or the system said.
        reason: String,
    },
    /// The list of a set cannot be read.
    #[error("{place} is not the list of a set: {reason}")]
    List {
        /// Its address or path.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// What arrived is not what the list names.
    #[error("{place} is not the file in the list of its set: {reason}; the part is removed")]
    Other {
        /// Its address or path.
        place: String,
        /// What differs.
        reason: String,
    },
    /// Another file has the name already.
    #[error("{path} is there and is another file: remove it, or name another directory", path = .0.display())]
    Taken(PathBuf),
    /// Another process fetches the same file.
    #[error("{path} is being fetched by another process", path = .0.display())]
    Busy(PathBuf),
    /// The disk has too little room.
    #[error("{needed} bytes are to be fetched, and {directory} has room for {free}", directory = .directory.display())]
    Full {
        /// The directory.
        directory: PathBuf,
        /// Bytes that are missing.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A file of the directory cannot be read or written.
    #[error("cannot write {path}: {source}", path = .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
