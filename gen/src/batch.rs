//! Making many tables: in order, each once, the finished ones skipped.

use crate::codes::Codes;
use crate::plane::{SolveError, Solved, Solver};
use crate::shelf::{Shelf, ShelfError};
use crate::write::{WriteError, WriteOptions, WrittenFile, write};
use sakmak_tables::distance::Moves;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::table::Table;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The rules that shape them.
    pub rules: &'a Rules,
    /// Where they go; made if it is not there.
    pub directory: &'a Path,
    /// How they are written.
    pub options: WriteOptions,
}

/// What a batch says while it works. All calls come from one thread but `layer`'s.
pub trait Watch: Sync {
    /// So many tables are to be made or found finished.
    fn planned(&self, tables: usize);
    /// A table is there already.
    fn skipped(&self, material: Material);
    /// A table of so many slots, both sides to move, is being solved.
    fn solving(&self, material: Material, slots: u64);
    /// The mates of so many moves have been found.
    fn layer(&self, attacker: Side, moves: Moves);
    /// The table is being written.
    fn writing(&self, material: Material);
    /// The table is done.
    fn finished(&self, report: &Report);
}

/// A table that was made.
#[derive(Clone, Debug)]
pub struct Report {
    /// The material.
    pub material: Material,
    /// Slots, those of each side to move counted.
    pub slots: u64,
    /// The longest win of White and of Black with that side to move.
    pub longest: [Option<Moves>; 2],
    /// The file.
    pub file: WrittenFile,
    /// How long solving took.
    pub solving: Duration,
    /// How long compressing and writing took.
    pub writing: Duration,
}

/// A batch that came to an end before all was done; finished tables stay.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The directory cannot be used.
    #[error("cannot write tables to {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A smaller table cannot be had.
    #[error("cannot make {material}: {source}")]
    Smaller {
        /// The material to be made.
        material: Material,
        /// Why not.
        source: ShelfError,
    },
    /// A table could not be solved.
    #[error("cannot make {material}: {source}")]
    Solve {
        /// The material to be made.
        material: Material,
        /// Why not.
        source: SolveError,
    },
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Batch<'_> {
    /// Makes these materials and all they lead to, each after those it leads to.
    ///
    /// # Errors
    ///
    /// The first thing that goes wrong ends the batch.
    pub fn run(
        &self,
        materials: impl IntoIterator<Item = Material>,
        watch: &dyn Watch,
    ) -> Result<(), BatchError> {
        let order = Material::closure(materials, self.rules);
        self.prepare_directory()?;
        watch.planned(order.len());
        let mut shelf = Shelf::new(self.rules, self.directory);
        let mut open: Vec<Material> = Vec::new();
        for &material in &order {
            let file = shelf.file(material).map_err(|source| BatchError::Smaller {
                material,
                source: ShelfError::File(source),
            })?;
            match file {
                Some(_) => watch.skipped(material),
                None => open.push(material),
            }
        }
        for (place, &material) in open.iter().enumerate() {
            // What no table to come leads to is let go.
            let needed: BTreeSet<Material> =
                open[place..].iter().flat_map(|material| material.successors(self.rules)).collect();
            shelf.retain(|material| needed.contains(&material));
            shelf
                .bring_successors(material)
                .map_err(|source| BatchError::Smaller { material, source })?;
            if let Some(table) = self.make(material, &shelf, watch)? {
                shelf.keep(Arc::new(table));
            }
        }
        Ok(())
    }

    fn make(
        &self,
        material: Material,
        shelf: &Shelf<'_>,
        watch: &dyn Watch,
    ) -> Result<Option<Table>, BatchError> {
        let start = Instant::now();
        let sides = if material.is_symmetric() { 1 } else { 2 };
        let slots = sides * sakmak_tables::index::Index::new(material, self.rules).slots();
        watch.solving(material, slots);
        let solved = Solver::default()
            .solve_watched(
                material,
                self.rules,
                &|smaller| shelf.held(smaller),
                &|attacker, moves| watch.layer(attacker, moves),
            )
            .map_err(|source| BatchError::Solve { material, source })?;
        let solving = start.elapsed();
        watch.writing(material);
        let file = write(&solved, self.rules, self.directory, &self.options)?;
        let writing = start.elapsed() - solving;
        let longest = longest(&solved);
        watch.finished(&Report { material, slots, longest, file, solving, writing });
        Ok(solved.into_table().ok())
    }

    /// Makes the directory and finds out now, not after hours, whether it can be written to.
    fn prepare_directory(&self) -> Result<(), BatchError> {
        let tried = std::fs::create_dir_all(self.directory)
            .and_then(|()| tempfile::tempfile_in(self.directory));
        match tried {
            Ok(_) => Ok(()),
            Err(source) => {
                Err(BatchError::Directory { path: self.directory.to_path_buf(), source })
            }
        }
    }
}

/// The longest win of each side with that side to move.
fn longest(solved: &Solved) -> [Option<Moves>; 2] {
    Side::BOTH.map(|side| {
        let coding = solved.coding(side).or_else(|| solved.coding(!side))?;
        Some(coding.wins).filter(|&wins| wins > Moves(0))
    })
}
