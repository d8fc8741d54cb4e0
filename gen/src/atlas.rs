//! The atlas: what the tables of a directory hold, as pages to read and data to work with.
//!
//! ```text
//! index.html, ouk.html        all materials, a line each, as each game counts them
//! published.html              what others have published of them
//! KSMvK.html                  a material: histograms, the clock, lines, zugzwangs
//! data/KSMvK.json             all that was counted of it
//! overview.csv, .parquet      all materials in each game, a row each
//! atlas.css, atlas.js         how pages look; sorting, and playing lines through
//! ```
//!
//! Pages ask nothing of a network, and say all they have to say without the script.

mod board;
mod data;
mod error;
mod findings;
mod frame;
mod games;
mod histogram;
mod lines;
mod overview;
mod page;
mod pieces;
mod play;
mod published;
mod results;
mod words;

pub use error::ReportError;
pub use findings::{GameStatistics, Findings};
pub use games::countings;
pub use play::{PlayedLine, LongestWins};

use crate::system::atomic_file::write_whole;
use maud::Markup;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How pages look.
const STYLE: &str = include_str!("atlas/atlas.css");
/// Sorting, and playing lines through.
const SCRIPT: &str = include_str!("atlas/atlas.js");

/// An atlas in the making.
#[derive(Debug)]
pub struct Atlas {
    directory: PathBuf,
}

impl Atlas {
    /// Makes the directory, which may be there already.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn begin(directory: &Path) -> Result<Atlas, ReportError> {
        let data = directory.join("data");
        fs::create_dir_all(&data).map_err(|source| ReportError::Write { path: data, source })?;
        Ok(Atlas { directory: directory.to_path_buf() })
    }

    /// Writes the page and the data of a material.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn material(&self, findings: &Findings, play: &LongestWins) -> Result<(), ReportError> {
        let json = serde_json::to_string_pretty(findings)? + "\n";
        self.write(Path::new("data"), &format!("{}.json", findings.material), json.as_bytes())?;
        self.page(&format!("{}.html", findings.material), &page::page(findings, play))
    }

    /// Writes what tells of all materials; the pages that lead to the others come last.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(&self, all: &[Findings]) -> Result<(), ReportError> {
        let here = Path::new("");
        self.write(here, "atlas.css", STYLE.as_bytes())?;
        self.write(here, "atlas.js", SCRIPT.as_bytes())?;
        let columns = data::columns(all);
        self.write(here, "overview.csv", &data::csv(&columns)?)?;
        self.write(here, "overview.parquet", &data::parquet(columns)?)?;
        let known = results::known(all);
        self.page(results::FILE, &results::page(&known))?;
        for counting_rule in countings().collect::<Vec<_>>().into_iter().rev() {
            self.page(&games::file_name(counting_rule), &overview::page(counting_rule, all))?;
        }
        Ok(())
    }

    fn page(&self, name: &str, page: &Markup) -> Result<(), ReportError> {
        self.write(Path::new(""), name, page.0.as_bytes())
    }

    fn write(&self, below: &Path, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        let directory = self.directory.join(below);
        write_whole(&directory, name, |file| file.write_all(bytes))
            .map_err(|source: io::Error| ReportError::Write { path: directory.join(name), source })
    }
}
