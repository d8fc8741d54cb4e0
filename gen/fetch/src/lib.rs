//! Fetches a published set of files into a directory.
//!
//! A set is a folder, of this machine or of a host of files, with the list [`LIST`] of its files. A file
//! arrives under its name with `.part` at the end, is compared with its checksum in the list, and then
//! gets its name: a file under its own name is whole and right. What has arrived of a part is kept, so
//! whoever fetches again goes on where it ended.
//!
//! Nothing that a list or a host says is trusted: [`Set::parse`] takes names of table files and no
//! others, links in the directory are not followed, and every wait is bounded by [`Patience`]. Modules
//! come in the order in which they build on one another:
//!
//! ```text
//! name -> set -> error -> source -> fetch
//! ```

mod name;

mod set;

mod error;

mod source;

mod fetch;

pub use error::FetchError;
pub use fetch::{Fetch, Fetched};
pub use set::{LIST, ListError, Set, SetFile};
pub use source::{Patience, Source};
