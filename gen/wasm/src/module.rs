//! Requests and answers as text.

use crate::sources::{HostFile, HostFiles, SolvedTables};
use sakmak_probe::json::json_line;
use sakmak_probe::source::MemorySource;
use sakmak_probe::{Bytes, Side, Table, TableName, Tablebase, variants};
use sakmak_requests::answer::Answers;
use sakmak_requests::error::{AnswerError, ErrorCode, ErrorJson};
use std::collections::HashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes for decoded blocks and for values. The host keeps the bytes of files, and few answers ask for the
/// same block again, so a larger cache only takes time to be filled with zeros.
const CACHE_BYTES: usize = 8 << 20;

/// The status of an answer that needs bytes which the host has to fetch.
const WOULD_BLOCK: u16 = 0;

/// Tables, and the answers from them.
pub struct Module {
    tables: Tablebase,
    files: Arc<HostFiles>,
    /// By the name of a variant; variants with the same rules share them.
    solved: HashMap<&'static str, Arc<SolvedTables>>,
}

impl Module {
    /// The module of a host with files: a list as for [`HostFiles::new`], and how to read one. `None`
    /// if the list cannot be read, or there is no memory.
    pub fn new(list: &str, open: fn(HostFile) -> Box<dyn Bytes>) -> Option<Module> {
        let files = Arc::new(HostFiles::new(list, open)?);
        let tables = Tablebase::new().with_cache(CACHE_BYTES).ok()?;
        let mut tables = tables.with_packed_first().with_source(files.clone());
        let mut solved: HashMap<&str, Arc<SolvedTables>> = HashMap::new();
        for variant in variants::all() {
            let shared = solved.values().find(|tables| *tables.0.rules() == variant.rules).cloned();
            let of_variant = shared.unwrap_or_else(|| {
                let of_rules = Arc::new(SolvedTables(MemorySource::new(&variant.rules)));
                tables.add_source(of_rules.clone());
                of_rules
            });
            solved.insert(variant.name, of_variant);
        }
        Some(Module { tables, files, solved })
    }

    /// The answer to a request for a path with its query: the status of the service, a line feed, and
    /// JSON. The status is 0 if the host has to fetch bytes first.
    pub fn ask(&self, target: &str) -> String {
        let listed = &|variant| self.files.listed(variant);
        match (Answers { tables: &self.tables, listed }).answer(target) {
            Ok(json) => format!("200\n{json}"),
            Err(error) if error.would_block() => format!("{WOULD_BLOCK}\n"),
            Err(error) => error_text(error.code(), &error.json()),
        }
    }

    /// Solves a table, `variant KRvKN`, or that of another metric, and those it depends on, and
    /// keeps them for answers. The JSON has the [`checksum`] in hexadecimal.
    pub fn solve(&self, request: &str) -> String {
        let solved = || -> Result<String, AnswerError> {
            let (variant, name) = request.split_once(' ').unwrap_or((request, ""));
            let variant = variants::named(variant)?;
            let wrong =
                || AnswerError::Request(format!("{name}: a table such as KRvKN is expected"));
            let name: TableName = name.parse().map_err(|_| wrong())?;
            let tables = self.solved.get(variant.name).ok_or_else(wrong)?;
            let table = tables.table(name).map_err(AnswerError::Probe)?.ok_or_else(wrong)?;
            Ok(format!("{:016x}", checksum(&table)))
        };
        match solved() {
            Ok(checksum) => format!("200\n\"{checksum}\""),
            Err(error) => error_text(error.code(), &error.json()),
        }
    }
}

fn error_text(code: ErrorCode, json: &ErrorJson) -> String {
    format!("{}\n{}", code.status(), json_line(json).unwrap_or_default())
}

/// XXH3 of all codes of a table, White to move first.
pub fn checksum(table: &Table) -> u64 {
    let mut hash = Xxh3Default::new();
    for side in Side::BOTH {
        table.values(side).into_iter().for_each(|values| hash.update(values.codes()));
    }
    hash.digest()
}
