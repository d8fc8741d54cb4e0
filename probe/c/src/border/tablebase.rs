//! Tablebases: opening, directories, caches, files.

use super::{OpenTables, SakmakTablebase, Tables, call, numbered};
use crate::error::CallError;
use crate::pointer::{Out, Text};
use sakmak_probe::{Access, CountingRule, LookupBudget, ProbeError, Tablebase};
use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

/// A new handle, null after an error.
fn handle(open: impl FnOnce() -> Result<SakmakTablebase, CallError>) -> *mut SakmakTablebase {
    let mut handle = ptr::null_mut();
    call(|| {
        handle = Box::into_raw(Box::new(open()?));
        Ok(0)
    });
    handle
}

fn open(directory: &Text, access: Option<&str>) -> Result<SakmakTablebase, CallError> {
    let directory = directory.path()?;
    let access = access.map_or_else(Access::from_environment, str::parse)?;
    let tables = directory.map_or_else(|| Ok(Tablebase::new()), Tablebase::open)?;
    let open = Arc::new(OpenTables::new(tables.with_access(access)));
    Ok(SakmakTablebase { open, budget: LookupBudget::NONE })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_open(directory: Text) -> *mut SakmakTablebase {
    handle(|| open(&directory, None))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_open_with(directory: Text, access: Text) -> *mut SakmakTablebase {
    handle(|| open(&directory, access.optional("access")?))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_searching(tables: Tables, lookups: u32) -> *mut SakmakTablebase {
    handle(|| {
        let open = Arc::clone(&tables.value("tables")?.open);
        Ok(SakmakTablebase { open, budget: LookupBudget(lookups) })
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_add_directory(tables: Tables, directory: Text) -> c_int {
    call(|| {
        let (open, directory) = (&tables.value("tables")?.open, directory.path()?);
        let directory = directory.ok_or(CallError::Null("directory"))?;
        open.write()?.add_directory(directory)?;
        Ok(0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_set_cache(tables: Tables, bytes: usize) -> c_int {
    call(|| {
        tables.value("tables")?.open.write()?.set_cache(bytes)?;
        Ok(0)
    })
}

/// A number that a tablebase has for a counting rule.
fn number_of(
    tables: &Tables,
    counting: c_int,
    number: impl FnOnce(&Tablebase, &'static CountingRule) -> Result<usize, ProbeError>,
) -> c_int {
    call(|| {
        let tables = tables.value("tables")?.open.read()?;
        // Of men or of tables, some thousand, so that the number fits.
        Ok(number(&tables, numbered(counting)?)? as c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_largest(tables: Tables, counting: c_int) -> c_int {
    number_of(&tables, counting, Tablebase::largest)
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_largest_wdl(tables: Tables, counting: c_int) -> c_int {
    number_of(&tables, counting, Tablebase::largest_wdl)
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_largest_root(tables: Tables, counting: c_int) -> c_int {
    number_of(&tables, counting, Tablebase::largest_root)
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_prepare(tables: Tables, counting: c_int, men: c_int) -> c_int {
    let men = usize::try_from(men).unwrap_or(0);
    number_of(&tables, counting, |tables, rule| tables.prepare(rule, men))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_table_files(tables: Tables, lines: Out<c_char>, size: usize) -> c_int {
    call(|| {
        let files = tables.value("tables")?.open.read()?.table_files()?;
        let paths: Vec<_> = files.iter().map(|file| file.path.to_string_lossy()).collect();
        lines.write_text(size, &paths.join("\n"))
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_refused_files(tables: Tables, lines: Out<c_char>, size: usize) -> c_int {
    call(|| {
        let errors = tables.value("tables")?.open.read()?.refused_files();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        lines.write_text(size, &errors.join("\n"))
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_close(tables: Tables) {
    call(|| {
        // In a child of a fork a thread of the parent may have left it half changed for ever.
        if tables.value("tables").is_ok_and(|tables| tables.open.owner.is_current()) {
            // SAFETY: the header requires a tablebase that `handle` made, closed once and not used
            // during this call or later.
            drop(unsafe { tables.into_box() });
        }
        Ok(0)
    });
}
