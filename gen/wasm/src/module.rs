//! Requests and answers as text.

use crate::announce::announce;
use crate::sources::{HostFile, HostFiles, SolvedTables};
use sakmak_probe::json::json_line;
use sakmak_probe::source::MemorySource;
use sakmak_probe::{
    Bytes, CountingRule, LookupBudget, Side, Table, TableName, Tablebase, variants,
};
use sakmak_requests::answer::Environment;
use sakmak_requests::error::{AnswerError, ErrorCode, ErrorJson};
use sakmak_requests::request::Request;
use sakmak_requests::variants_json::ListedTables;
use std::collections::HashMap;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3Default;

/// Size of the cache of decoded blocks and values, in bytes. The host keeps the bytes of files, and few
/// answers read the same block again, so a larger cache would only cost time to clear.
const CACHE_BYTES: usize = 8 << 20;

/// Status of an answer that needs bytes from the host.
const WOULD_BLOCK: u16 = 0;

/// Tables and their answers.
pub struct Module {
    tables: Arc<Tablebase>,
    files: Arc<HostFiles>,
    /// Solved tables by the name of a variant; variants with the same rules share them.
    solved: HashMap<&'static str, Arc<SolvedTables>>,
}

impl Module {
    /// The module of a host with files: a list as for [`HostFiles::new`], and a function that opens a
    /// file. `None` if the list cannot be read or memory is missing.
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
        Some(Module { tables: Arc::new(tables), files, solved })
    }

    /// Answers a request for a path with its query, such as
    /// `/makruk/mainline?fen=8/8/8/4k3/8/4K3/4S3/4M3_w`: the status of the service, a line feed, and
    /// JSON. The status is 0 if the host has to fetch bytes first.
    pub fn ask(&self, target: &str) -> String {
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target, None),
        };
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let answered = Request::read(&segments, query).and_then(|request| self.answer(&request));
        match answered {
            Ok(json) => format!("200\n{json}"),
            Err(error) if error.would_block() => format!("{WOULD_BLOCK}\n"),
            Err(error) => error_text(error.code(), &error.json()),
        }
    }

    fn answer(&self, request: &Request) -> Result<String, AnswerError> {
        let answer = |budget| {
            request.answer(self, budget).inspect_err(|error| {
                if let Some(request) = request.position().filter(|_| error.would_block()) {
                    announce(&self.tables, request);
                }
            })
        };
        let answered = answer(request.first_budget())?;
        match answered.lacks_mates {
            true => Ok(answer(LookupBudget::THOROUGH)?.json),
            false => Ok(answered.json),
        }
    }

    /// Solves a table such as `makruk KRvKN`, of any metric, with its subtables, and keeps them for
    /// answers. The JSON is the [`checksum`] in hexadecimal.
    pub fn solve(&self, request: &str) -> String {
        let solved = || -> Result<String, AnswerError> {
            let (variant, name) = request.split_once(' ').unwrap_or((request, ""));
            let variant = variants::named(variant)?;
            let wrong = || AnswerError::Request(format!("{name}: expected a table such as KRvKN"));
            let name =
                TableName::read(name, variant.rules.material_letters).map_err(|_| wrong())?;
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

impl Environment for Module {
    fn tables(&self) -> Arc<Tablebase> {
        Arc::clone(&self.tables)
    }

    fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables {
        self.files.listed(counting_rule)
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
