//! Census files: the censuses of a table whose solved file is not kept.
//!
//! `KSSMMvK.dtm.census.json` is written while the table is in the solver's memory, and holds the
//! counts from which statistics follow.

use crate::census::{Census, CensusError, DistanceCounts};
use crate::store::{TableStore, TableStoreError};
use crate::system::atomic_file::write_atomically;
use crate::system::regular_file;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The end of the name of a census file.
const EXTENSION: &str = "census.json";

/// An error of obtaining the censuses of a table.
#[derive(Debug, thiserror::Error)]
pub enum StoredCensusError {
    /// The table is missing or cannot be opened.
    #[error(transparent)]
    TableStore(#[from] TableStoreError),
    /// The table cannot be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The census file cannot be used.
    #[error("{path}: {problem}; remove it, and make the table again with --census", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
}

/// Returns the censuses of a table of a store: counted, or read from the census file if the
/// directory has no solved file.
///
/// # Errors
///
/// The errors of [`TableStore::codes`], [`Census::of`] and [`read_censuses`].
pub fn stored_censuses(
    store: &TableStore<'_>,
    name: TableName,
    rules: &Rules,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<[Option<Census>; 2], StoredCensusError> {
    if let Some(directory) = store.directory().filter(|_| store.path(name).is_none())
        && let Some(censuses) = read_censuses(directory, name, rules)?
    {
        return Ok(censuses);
    }
    Ok(Census::of(&*store.codes(name)?, rules, progress)?)
}

/// Checks, before long work, that the census of each table is available: the table has a census
/// file, or the table is available to be counted.
///
/// # Errors
///
/// The errors of [`TableStore::require`] and [`read_censuses`].
pub fn require_censuses(
    store: &TableStore<'_>,
    names: impl IntoIterator<Item = TableName>,
    rules: &Rules,
) -> Result<(), StoredCensusError> {
    let mut tables = Vec::new();
    for name in names {
        let directory = store.directory().filter(|_| store.path(name).is_none());
        let censuses = directory.map(|directory| read_censuses(directory, name, rules));
        if censuses.transpose()?.flatten().is_none() {
            tables.push(name);
        }
    }
    Ok(store.require(tables)?)
}

/// Censuses that may be missing: `None` if there is neither table nor census file.
///
/// # Errors
///
/// Every error except a missing table.
pub fn if_available(
    censuses: Result<[Option<Census>; 2], StoredCensusError>,
) -> Result<Option<[Option<Census>; 2]>, StoredCensusError> {
    match censuses {
        Err(StoredCensusError::TableStore(TableStoreError::Missing { .. })) => Ok(None),
        censuses => censuses.map(Some),
    }
}

/// The content of a census file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CensusRecord {
    /// The name of the table.
    table: String,
    /// The fingerprint of its rules and its metric, in hexadecimal.
    fingerprint: String,
    white_to_move: Option<SideRecord>,
    black_to_move: Option<SideRecord>,
}

/// The positions with one side to move.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideRecord {
    draws: u64,
    wins: Vec<DistanceRecord>,
    losses: Vec<DistanceRecord>,
}

/// The positions of one distance.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DistanceRecord {
    moves: u32,
    positions: u64,
    first_slot: u64,
}

impl From<&DistanceCounts> for Vec<DistanceRecord> {
    fn from(counts: &DistanceCounts) -> Vec<DistanceRecord> {
        let all = counts.histogram.iter().zip(counts.first.values());
        let record = |((&moves, &positions), &slot): ((&Moves, &u64), &Slot)| DistanceRecord {
            moves: moves.0,
            positions,
            first_slot: slot.0,
        };
        all.map(record).collect()
    }
}

impl From<&Census> for SideRecord {
    fn from(census: &Census) -> SideRecord {
        let Census { draws, wins, losses } = census;
        SideRecord { draws: *draws, wins: wins.into(), losses: losses.into() }
    }
}

impl SideRecord {
    /// Returns the census of the record; `None` if no table of this index has such counts.
    fn census(&self, index: &Index) -> Option<Census> {
        let counts = [&self.wins, &self.losses].into_iter().flatten();
        let mut positions = counts.map(|record| record.positions);
        let sum = positions.try_fold(self.draws, u64::checked_add)?;
        let pairs = (0..index.kings().len() as u16).map(KingPair);
        let images: u64 = pairs.map(|pair| index.kings().images(pair)).sum();
        if sum > images * index.slots_per_pair() {
            return None;
        }
        let distances = |records: &[DistanceRecord]| {
            let mut distances = DistanceCounts::default();
            for &DistanceRecord { moves, positions, first_slot } in records {
                let is_known = distances.histogram.insert(Moves(moves), positions).is_some();
                if is_known || moves > u32::from(u16::MAX) || first_slot >= index.slots() {
                    return None;
                }
                distances.first.insert(Moves(moves), Slot(first_slot));
            }
            Some(distances)
        };
        let (wins, losses) = (distances(&self.wins)?, distances(&self.losses)?);
        Some(Census { draws: self.draws, wins, losses })
    }
}

/// Returns the name of the census file of a table, `KSSMMvK.dtm.census.json`.
pub fn census_file_name(name: TableName) -> String {
    format!("{}.{EXTENSION}", name.file_stem())
}

/// Returns the table of the name of a census file under these rules; `None` for any other name.
pub fn of_census_file_name(name: &str, rules: &Rules) -> Option<TableName> {
    TableName::of_file_stem(name.strip_suffix(EXTENSION)?.strip_suffix('.')?, rules)
}

fn fingerprint(name: TableName, rules: &Rules) -> String {
    format!("{:016x}", name.metric.fingerprint(rules))
}

/// Writes the census file of a table, by [`Census::of`].
///
/// # Errors
///
/// The errors of the system. No file is left behind, and an old one is not changed.
pub fn write_censuses(
    directory: &Path,
    name: TableName,
    rules: &Rules,
    censuses: &[Option<Census>; 2],
) -> io::Result<()> {
    let [white_to_move, black_to_move] =
        censuses.each_ref().map(|census| census.as_ref().map(SideRecord::from));
    let fingerprint = fingerprint(name, rules);
    let record =
        CensusRecord { table: name.to_string(), fingerprint, white_to_move, black_to_move };
    let text = serde_json::to_string(&record)? + "\n";
    write_atomically(directory, &census_file_name(name), |file| file.write_all(text.as_bytes()))
}

/// Reads the census file of a table; `None` if there is none. The result is that of
/// [`Census::of`].
///
/// # Errors
///
/// If the file cannot be read, or is not the census of that table under these rules.
pub fn read_censuses(
    directory: &Path,
    name: TableName,
    rules: &Rules,
) -> Result<Option<[Option<Census>; 2]>, StoredCensusError> {
    let path = directory.join(census_file_name(name));
    let wrong = |problem: String| StoredCensusError::File { path: path.clone(), problem };
    let text = match regular_file::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| wrong(error.to_string()))?,
    };
    let record: CensusRecord =
        serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    if record.table != name.to_string() {
        return Err(wrong(format!("expected the census of {name}, found {}", record.table)));
    }
    if record.fingerprint != fingerprint(name, rules) {
        return Err(wrong("the census of a table with other rules".to_string()));
    }
    let index = Index::new(name.material, rules);
    let mut censuses = [None, None];
    let records = [record.white_to_move, record.black_to_move];
    for (side, record) in Side::BOTH.into_iter().zip(records) {
        let has_side = Table::sides(&index).contains(&side);
        let counts = || format!("the counts with {} to move do not fit {name}", side.name());
        censuses[side.index()] = match record {
            Some(record) if has_side => Some(record.census(&index).ok_or_else(|| wrong(counts()))?),
            None if !has_side => None,
            _ => return Err(wrong(counts())),
        };
    }
    Ok(Some(censuses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::TableStore;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn a_census_comes_back_from_its_file_and_others_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let rules = &MAKRUK.rules;
        let store = TableStore::in_memory(rules);
        for text in ["KRvKN", "KSvKS", "KMvK.makruk"] {
            let name: TableName = text.parse().unwrap();
            assert_eq!(read_censuses(directory.path(), name, rules).unwrap(), None);
            let codes = store.codes(name).unwrap();
            let censuses = Census::of(&*codes, rules, &|_| ()).unwrap();
            write_censuses(directory.path(), name, rules, &censuses).unwrap();
            assert_eq!(read_censuses(directory.path(), name, rules).unwrap(), Some(censuses));
            assert_eq!(of_census_file_name(&census_file_name(name), &MAKRUK.rules), Some(name));
        }
        let (one, other) = ("KRvKN".parse().unwrap(), "KNvK".parse().unwrap());
        let path = |name| directory.path().join(census_file_name(name));
        let text = std::fs::read_to_string(path(one)).unwrap();
        std::fs::write(path(other), &text).unwrap();
        let error = read_censuses(directory.path(), other, rules).unwrap_err().to_string();
        assert!(error.contains("expected the census of KNvK, found KRvKN"), "{error}");
        let mut digits = text.clone();
        let at = text.find("fingerprint").unwrap() + "fingerprint\":\"".len();
        let digit = if &text[at..=at] == "0" { "1" } else { "0" };
        digits.replace_range(at..=at, digit);
        for broken in [&text[..text.len() / 2], "{}", "", digits.as_str()] {
            std::fs::write(path(one), broken).unwrap();
            let error = read_censuses(directory.path(), one, rules).unwrap_err().to_string();
            assert!(error.contains("KRvKN.dtm.census.json"), "{error}");
        }
        std::fs::write(path(one), &text).unwrap();
        assert!(read_censuses(directory.path(), one, rules).unwrap().is_some());
        for name in ["KRvKN.dtm.smt", "KRvKN.census.json", "KXvK.dtm.census.json", "census.json"] {
            assert_eq!(of_census_file_name(name, &MAKRUK.rules), None, "{name}");
        }
    }

    #[test]
    fn counts_that_no_table_has_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let (rules, name) = (&MAKRUK.rules, "KMvKM".parse().unwrap());
        let store = TableStore::in_memory(rules);
        let censuses = Census::of(&*store.codes(name).unwrap(), rules, &|_| ()).unwrap();
        write_censuses(directory.path(), name, rules, &censuses).unwrap();
        let path = directory.path().join(census_file_name(name));
        let record = || -> serde_json::Value {
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap()
        };
        let whole = record();
        let slots = store.codes(name).unwrap().index().slots();
        type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
        let changes: [(&str, Change<'_>); 8] = [
            ("white", &|record| record["white_to_move"] = serde_json::Value::Null),
            ("black", &|record| record["black_to_move"] = record["white_to_move"].clone()),
            ("white", &|record| record["white_to_move"]["draws"] = u64::MAX.into()),
            ("white", &|record| record["white_to_move"]["draws"] = (100 * slots).into()),
            ("white", &|record| {
                let wins = record["white_to_move"]["wins"].as_array_mut().unwrap();
                wins.push(wins[0].clone());
            }),
            ("white", &|record| record["white_to_move"]["wins"][0]["positions"] = u64::MAX.into()),
            ("white", &|record| record["white_to_move"]["wins"][0]["first_slot"] = slots.into()),
            ("white", &|record| record["white_to_move"]["losses"][0]["moves"] = u32::MAX.into()),
        ];
        for (number, (side, change)) in changes.into_iter().enumerate() {
            let mut record = whole.clone();
            change(&mut record);
            std::fs::write(&path, record.to_string()).unwrap();
            let error = read_censuses(directory.path(), name, rules).unwrap_err().to_string();
            let expected = format!("the counts with {side} to move do not fit KMvKM");
            assert!(error.contains(&expected), "{number}: {error}");
        }
        std::fs::write(&path, whole.to_string()).unwrap();
        assert_eq!(read_censuses(directory.path(), name, rules).unwrap(), Some(censuses));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_no_census() {
        let directory = tempfile::tempdir().unwrap();
        let (rules, name) = (&MAKRUK.rules, "KMvKM".parse().unwrap());
        let path = directory.path().join(census_file_name(name));
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        for _ in 0..2 {
            let error = read_censuses(directory.path(), name, rules).unwrap_err().to_string();
            assert!(error.contains("not a regular file"), "{error}");
            std::fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        }
    }
}
