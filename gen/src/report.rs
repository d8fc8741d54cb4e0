//! The atlas: what the tables of a directory hold, as pages to read and data to work with.
//!
//! ```text
//! index.html, ouk.html        all materials, a line each, as each game counts them
//! KSMvK.html                  a material: histograms, the clock, lines, zugzwangs
//! data/KSMvK.json             all that was counted of it
//! overview.csv, .parquet      all materials in each game, a row each
//! atlas.css, atlas.js         how pages look; sorting, and playing lines through
//! ```
//!
//! Pages ask nothing of a network, and say all they have to say without the script.

mod data;
mod findings;
mod play;

mod pieces;

mod board;

mod histogram;

mod published;

mod words;

mod page;

mod overview;

pub use findings::{Counting, Findings};
pub use play::{Game, Play};

use crate::census::CensusError;
use crate::shelf::ShelfError;
use crate::statistics::StatisticsError;
use crate::whole::write_whole;
use maud::{DOCTYPE, Markup, html};
use sakmak_probe::ProbeError;
use sakmak_tables::counting::Profile;
use sakmak_tables::variant::Variant;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How pages look.
const STYLE: &str = include_str!("report/atlas.css");
/// Sorting, and playing lines through.
const SCRIPT: &str = include_str!("report/atlas.js");

/// An atlas that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A table cannot be had.
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    /// A table could not be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// What was counted makes no sense.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A line cannot be played.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Data cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Data cannot be written as CSV.
    #[error("cannot write CSV: {0}")]
    Csv(#[from] csv::Error),
    /// Data cannot be written as Parquet.
    #[error("cannot write Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// A table cannot be read.
    #[error("cannot read the tables: {0}")]
    Io(#[from] io::Error),
    /// The directory of the atlas, or a file in it, cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// What was written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// The games of the atlas, each as it is usually counted.
pub fn countings() -> impl Iterator<Item = &'static Profile> {
    Variant::all().into_iter().map(Variant::counting)
}

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
    pub fn material(&self, findings: &Findings, play: &Play) -> Result<(), ReportError> {
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
        for profile in countings().collect::<Vec<_>>().into_iter().rev() {
            self.page(&overview::file_name(profile), &overview::page(profile, all))?;
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

/// A whole page.
fn whole_page(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="atlas.css";
                link rel="icon" href="data:,";
                script src="atlas.js" defer {}
            }
            body { (content) }
        }
    }
}
