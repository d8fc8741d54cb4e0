//! Reasons why a set or a file of a set is not fetched.

use super::set::ListError;
use std::io;
use std::path::PathBuf;

/// The reason why a set or a file of a set is not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The source does not have a file, or does not send it.
    #[error("cannot fetch {place}: {reason}")]
    Source {
        /// The address or the path.
        place: String,
        /// The message of the source or the system; cut if it is long.
        reason: String,
    },
    /// The list of a set cannot be used.
    #[error("{place} is not the list of a set: {reason}")]
    List {
        /// The address or the path.
        place: String,
        /// The fault in the list.
        reason: ListError,
    },
    /// The bytes that arrived differ from the list.
    #[error("{place} does not match the list of its set: {reason}; the incomplete file is removed")]
    Other {
        /// The address or the path.
        place: String,
        /// The difference.
        reason: String,
    },
    /// Another file has the name already.
    #[error("{path} exists and differs: remove it or choose another directory", path = .0.display())]
    Taken(PathBuf),
    /// A path is not a regular file or folder. A link could point outside the directory.
    #[error("{path} is not {expected}: remove it or choose another directory", path = .path.display())]
    Kind {
        /// The path.
        path: PathBuf,
        /// The kind of file that belongs there.
        expected: &'static str,
    },
    /// Another process fetches the same file.
    #[error("{path} is being fetched by another process", path = .0.display())]
    Busy(PathBuf),
    /// The disk has too little room.
    #[error("not enough space in {directory}: {needed} bytes needed, {free} free", directory = .directory.display())]
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
