//! The tables that a game needs: opened, solved on the spot, or made.

use crate::cli::batch_progress::{BatchProgress, Stream};
use crate::cli::duration::duration;
use crate::cli::plan::measured_rate;
use crate::cli::{CommandError, StyledText, eprint, tablebase, warn_of_refused_files};
use sakmak_make::batch::plan::{Batch, PlanError};
use sakmak_make::batch::report::BatchError;
use sakmak_make::batch::settings::BatchSettings;
use sakmak_make::store::{MAKEABLE, ON_THE_SPOT};
use sakmak_make::system::ByteSize;
use sakmak_make::system::directory;
use sakmak_make::system::machine::free_disk;
use sakmak_pgn::replay::Replay;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Access, Answer, LookupBudget, ProbeError};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Tables of a directory, and the settings for making missing tables.
pub struct GameTables {
    directory: PathBuf,
    access: Access,
    settings: BatchSettings,
    /// Maximum number of men of tables that are made.
    most_men: usize,
    tablebase: Tablebase,
    /// Slots per second, once measured.
    rate: Option<u64>,
    /// First error of a table.
    failure: Option<String>,
}

impl GameTables {
    /// Returns the tables of a directory, which may not exist.
    pub fn new(
        directory: PathBuf,
        access: Access,
        settings: BatchSettings,
        most_men: usize,
    ) -> Result<GameTables, CommandError> {
        let tablebase = tablebase(&directory, access)?;
        let (rate, failure) = (None, None);
        Ok(GameTables { directory, access, settings, most_men, tablebase, rate, failure })
    }

    /// Lists the refused files on standard error.
    pub fn warn_of_refused_files(&self) {
        warn_of_refused_files(&self.tablebase, 0);
    }

    /// Returns the first error of a table, such as a broken file or a full disk.
    pub fn failure(&self) -> Option<String> {
        self.failure.clone()
    }

    /// Makes the missing tables that the positions of a game need. Returns notes on the tables
    /// that are not made.
    pub fn make_missing(&mut self, replay: &Replay) -> Vec<String> {
        let rules = &replay.start.variant().rules;
        let needed = needed(replay).into_iter();
        let missing: Vec<TableName> =
            needed.filter(|&name| !self.missing(&[name], rules).is_empty()).collect();
        let (made, declined): (Vec<_>, Vec<_>) =
            missing.into_iter().partition(|name| name.material.men() <= self.most_men);
        let mut notes = match self.declined(&declined, replay) {
            Ok(notes) => notes,
            Err(error) => self.note(Err(error)).into_iter().collect(),
        };
        // All in one batch; if there is no room for all, one by one.
        match self.make(&made, rules) {
            Ok(Some(_)) if made.len() > 1 => {
                for name in made {
                    let made = self.make(&[name], rules);
                    notes.extend(self.note(made));
                }
            }
            made => notes.extend(self.note(made)),
        }
        notes
    }

    /// Returns notes on tables that are made on request only: the command for tables that fit on
    /// this machine together, and the tables that do not fit.
    fn declined(
        &self,
        declined: &[TableName],
        replay: &Replay,
    ) -> Result<Vec<String>, CommandError> {
        let variant = replay.start.variant();
        let rules = &variant.rules;
        let directory = rules.files_in(&self.directory);
        let batch = Batch { rules, directory: &directory, settings: self.settings };
        let free = free_disk(&directory);
        let mut materials: Vec<Material> = declined.iter().map(|name| name.material).collect();
        materials.sort_by_key(|material| (material.men(), *material));
        materials.dedup();
        let (mut fitting, mut others) = (Vec::new(), Vec::new());
        let (mut names, mut disk) = (Vec::new(), ByteSize::default());
        for material in materials {
            let more = declined.iter().filter(|name| name.material == material);
            let wanted: Vec<TableName> = names.iter().chain(more).copied().collect();
            let plan = batch.plan(self.missing(&wanted, rules))?;
            if plan.fits(free).is_ok() {
                fitting.push(material.to_string());
                (names, disk) = (wanted, plan.disk());
            } else {
                others.push(material.to_string());
            }
        }
        let mut notes = Vec::new();
        if !fitting.is_empty() {
            let mut options = String::new();
            if *variant != *MAKRUK {
                options += &format!(" --variant {}", variant.name);
            }
            if names.iter().any(|name| name.metric != Metric::distance(rules)) {
                options += &format!(" --counting {}", replay.start.counting_rule().name);
            }
            // The distances exist, and only counted distances are missing.
            let counted = names.iter().all(|name| name.metric.counting_rule().is_some());
            let tables = if counted { "counted distances" } else { "tables" };
            let men = names.iter().map(|name| name.material.men()).max().unwrap_or_default();
            notes.push(format!(
                "no {tables} of {}; 'sakmak generate {}{options}' makes them on up to {disk} of disk, \
                 and so does --make-men {men}",
                fitting.join(", "),
                fitting.join(" "),
            ));
        }
        if !others.is_empty() {
            let others = others.join(", ");
            notes.push(format!("no tables of {others}, which do not fit on this machine"));
        }
        Ok(notes)
    }

    /// Returns the note on tables that were not made.
    fn note(&mut self, made: Result<Option<PlanError>, CommandError>) -> Option<String> {
        match made {
            Ok(refused) => Some(format!("not made: {}", refused?)),
            Err(CommandError { message, .. }) => {
                self.failure.get_or_insert_with(|| message.clone());
                Some(format!("not read: {message}"))
            }
        }
    }

    /// Returns the answer for a position, or `None` if no table has it.
    ///
    /// # Errors
    ///
    /// If a table is broken.
    pub fn answer(&mut self, position: &Position) -> Result<Option<Answer>, ProbeError> {
        match self.tablebase.searching(LookupBudget::THOROUGH).probe(position, false) {
            Ok(answer) => Ok(Some(answer)),
            Err(
                ProbeError::TooManyMen { .. }
                | ProbeError::LeapRights
                | ProbeError::Missing { .. }
                | ProbeError::Illegal(_),
            ) => Ok(None),
            Err(error) => {
                self.failure.get_or_insert_with(|| error.to_string());
                Err(error)
            }
        }
    }

    /// Returns the tables to solve for the missing tables among these: with dependencies, without
    /// tables that are solved on the spot. Packed tables answer, but larger tables are not solved
    /// from them.
    fn missing(&self, names: &[TableName], rules: &Rules) -> Vec<TableName> {
        let directory = rules.files_in(&self.directory);
        let is_there = |file: String| directory::exists(&directory.join(file)).unwrap_or(true);
        let missing =
            |name: &TableName| name.material.men() > ON_THE_SPOT && !is_there(name.file_name());
        let wanted = names.iter().copied().filter(|name| !is_there(name.packed_file_name()));
        TableName::closure(wanted, rules).into_iter().filter(missing).collect()
    }

    /// Makes the missing tables among these and their dependencies. Returns the refused plan if
    /// memory or disk does not suffice.
    fn make(
        &mut self,
        names: &[TableName],
        rules: &'static Rules,
    ) -> Result<Option<PlanError>, CommandError> {
        let missing = self.missing(names, rules);
        let Some(largest) = missing.last() else { return Ok(None) };
        let directory = rules.files_in(&self.directory);
        let batch = Batch { rules, directory: &directory, settings: self.settings };
        let plan = batch.plan(missing.iter().copied())?;
        if let Err(refused) = plan.fits(free_disk(&directory)) {
            return Ok(Some(refused));
        }
        let rate = match self.rate {
            Some(rate) => rate,
            None => measured_rate(rules, &self.settings)?,
        };
        self.rate = Some(rate);
        let time = plan.time(rayon::current_num_threads(), rate as f64);
        let time = duration(time.as_secs_f64());
        let others = match missing.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        eprint(&StyledText::from(&*format!(
            "making {largest}{others} in about {time}, as the game needs them; --make-men {} prevents \
             this\n",
            largest.material.men() - 1
        )));
        let progress = BatchProgress::new(&directory, Stream::Error);
        match batch.run(missing.iter().copied(), &progress) {
            Err(BatchError::Plan(refused)) if !matches!(refused, PlanError::File(_)) => {
                return Ok(Some(refused));
            }
            made => made?,
        }
        progress.end()?;
        if self.tablebase.directories().is_empty() {
            self.tablebase = tablebase(&self.directory, self.access)?;
        }
        Ok(None)
    }
}

/// Returns the tables that answer the positions of a game.
fn needed(replay: &Replay) -> BTreeSet<TableName> {
    let metrics = Metric::all_of(&replay.start.variant().rules, replay.start.counting_rule());
    let positions = replay.positions().filter(|position| position.leaps().is_empty());
    let materials = positions.map(|position| position.material().material);
    let makeable = materials.filter(|material| MAKEABLE.contains(&material.men()));
    let names = |material| metrics.map(|metric| TableName::deciding(material, metric));
    makeable.flat_map(names).collect()
}
