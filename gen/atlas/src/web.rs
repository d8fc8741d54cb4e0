//! The files of the web pages, inside the program.

use include_dir::{Dir, include_dir};

/// The files by their paths below `/`. Each script has the modules that it imports.
pub static PAGES: Dir<'static> = include_dir!("$OUT_DIR/web");
