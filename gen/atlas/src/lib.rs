//! The atlas: the tables of a directory as web pages and as data files.
//!
//! ```text
//! index.html, ouk.html        all materials, one line each; a page for each game
//! published.html              results of other authors beside those of the tables, if there are any
//! claims.html                 published statements with their verdicts, if they are given
//! KSMvK.html                  one material: who wins, the clock, histograms, lines, zugzwangs
//! data/KSMvK.json             all statistics of the material
//! overview.csv                one row for each material and counting rule
//! atlas.css, atlas.js         style; searching and sorting tables, playing through lines
//! ```
//!
//! The games of `sakmak-boards` have [fewer pages](BoardReport).
//!
//! Pages need no network, and show all their content without the script.
//!
//! [`web`] has the pages of the board and the trainer, and [`site`] writes all of them as files.
//! [`picture`] draws the board that a link to a position shows.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod site;
mod wasm;
pub mod web;

pub mod language;
pub mod picture;

mod board;
mod board_pages;
mod bundle;
mod claims;
mod config;
mod data;
mod frame;
mod histogram;
mod lines;
mod material_report;
mod overview;
mod page;
mod pieces;
mod play;
mod related;
mod results;
mod summary;
mod unknown;
mod variants;
mod words;

pub use board_pages::{BoardLine, BoardPages, BoardReport, BoardSide};
pub use claims::Claims;
pub use config::AtlasConfig;
pub use material_report::{GameStatistics, MaterialReport, ReportError};
pub use play::{PlayedLine, longest_wins};
pub use variants::AtlasVariants;

use maud::Markup;
use related::RelatedMaterials;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_make::system::directory;
use sakmak_tables::material::Material;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The style of the pages.
const STYLE: &str = include_str!("atlas.css");
/// Searches and sorts tables, and plays through lines.
const SCRIPT: &str = include_str!("atlas.js");

/// An atlas that is being written.
#[derive(Debug)]
pub struct Atlas {
    directory: PathBuf,
    config: AtlasConfig,
    /// The materials that have a page, in order.
    materials: Vec<Material>,
    claims: Option<Claims>,
}

impl Atlas {
    /// Creates the directory if it does not exist. Pages use this config and link to the pages of
    /// `materials`. Statements about these materials are shown with their verdicts.
    ///
    /// # Errors
    ///
    /// If the directory cannot be created.
    pub fn begin(
        directory: &Path,
        config: AtlasConfig,
        materials: Vec<Material>,
        claims: Option<Claims>,
    ) -> Result<Atlas, ReportError> {
        let data = directory.join("data");
        directory::make(&data).map_err(|source| ReportError::Write { path: data, source })?;
        Ok(Atlas { directory: directory.to_path_buf(), config, materials, claims })
    }

    /// Writes the page and the JSON file of a material.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn material(
        &self,
        report: &MaterialReport,
        longest_wins: &[PlayedLine],
    ) -> Result<(), ReportError> {
        let json = serde_json::to_string_pretty(report)? + "\n";
        self.write(Path::new("data"), &format!("{}.json", report.material), json.as_bytes())?;
        let rules = self.config.variants.rules();
        let related = RelatedMaterials::of(report.material, &self.materials, rules);
        let claims = self.claims.as_ref();
        let page = page::page(&self.config, report, longest_wins, claims, &related);
        self.page(&format!("{}.html", report.material), &page)
    }

    /// Writes the files about all materials. Pages that link to others come last.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(&self, all: &[MaterialReport]) -> Result<(), ReportError> {
        let here = Path::new("");
        self.write(here, "atlas.css", STYLE.as_bytes())?;
        self.write(here, "atlas.js", SCRIPT.as_bytes())?;
        self.write(here, "overview.csv", &data::csv(all)?)?;
        let (config, variants) = (&self.config, &self.config.variants);
        if sakmak_analysis::published::apply(variants.rules()) {
            let known = results::known(config, all);
            self.page(results::FILE, &results::page(config, &known))?;
        }
        if let Some(claims) = &self.claims {
            self.page(claims::FILE, &claims.page(config, &self.materials))?;
        }
        let has_claims = self.claims.is_some();
        for counting_rule in variants.countings().collect::<Vec<_>>().into_iter().rev() {
            let page = overview::page(config, counting_rule, all, has_claims);
            self.page(&variants.file_name(counting_rule), &page)?;
        }
        Ok(())
    }

    fn page(&self, name: &str, page: &Markup) -> Result<(), ReportError> {
        self.write(Path::new(""), name, page.0.as_bytes())
    }

    fn write(&self, below: &Path, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        write(&self.directory.join(below), name, bytes)
    }
}

/// Writes the pages of some materials of a variant.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_board_pages(
    path: &Path,
    pages: &BoardPages<'_>,
    reports: &[BoardReport],
) -> Result<(), ReportError> {
    let failed = |source| ReportError::Write { path: path.to_path_buf(), source };
    directory::make(path).map_err(failed)?;
    write(path, "atlas.css", STYLE.as_bytes())?;
    for report in reports {
        let page = board_pages::page(pages, report);
        write(path, &format!("{}.html", report.material), page.0.as_bytes())?;
    }
    write(path, "index.html", board_pages::index(pages, reports).0.as_bytes())
}

/// Writes a file.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
    write_atomically(directory, name, |file| file.write_all(bytes))
        .map_err(|source: io::Error| ReportError::Write { path: directory.join(name), source })
}
