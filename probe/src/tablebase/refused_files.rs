//! Files that were refused when they were opened.

use crate::file::open_file::FileError;
use std::sync::{Arc, Mutex, PoisonError};

/// The errors of the refused files, one for each path, oldest first.
#[derive(Debug, Default)]
pub struct RefusedFiles(Mutex<Vec<Arc<FileError>>>);

impl RefusedFiles {
    /// Adds errors. The first error of a path is kept.
    pub fn note(&self, errors: Vec<FileError>) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for error in errors {
            if noted.iter().all(|noted| noted.path != error.path) {
                noted.push(Arc::new(error));
            }
        }
    }

    /// All errors so far.
    pub fn errors(&self) -> Vec<Arc<FileError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
