//! The files of the web pages, inside the program.

use include_dir::{Dir, include_dir};

/// The files by their paths below `/`.
pub static PAGES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");
