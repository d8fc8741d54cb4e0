//! Fetches a published set of files into a directory.
//!
//! A set is a folder, of this machine or of a host of files, with the list [`LIST`] of its files. A file
//! arrives under its name with `.part` at the end, is compared with its checksum in the list, and then
//! gets its name: a file under its own name is whole and right. What has arrived of a part is kept, so
//! whoever fetches again goes on where it ended.

mod error;
mod fetch;
mod set;
mod source;

pub use error::FetchError;
pub use fetch::{Fetch, Fetched};
pub use set::{LIST, Set, SetFile};
pub use source::Source;
