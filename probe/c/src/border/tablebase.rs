//! Tablebases: opening, directories, caches, files.

use super::{SakmakTablebase, call, numbered};
use crate::error::CallError;
use crate::pointer::{self, shared, text, write_line};
use sakmak_probe::memory::ensure_available;
use sakmak_probe::{Access, CountingRule, LookupBudget, ProbeError, Tablebase};
use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

/// A number that a tablebase has for a counting rule.
///
/// # Safety
///
/// The pointer is null, or valid for reads during the call.
unsafe fn number_of(
    tables: *const SakmakTablebase,
    counting: c_int,
    number: impl FnOnce(&Tablebase, &'static CountingRule) -> Result<usize, ProbeError>,
) -> c_int {
    call(|| {
        // SAFETY: guaranteed by the caller of this function.
        let tables = unsafe { shared(tables, "tables")? };
        // Of men or of tables, some thousand, so that the number fits.
        Ok(number(&*tables.open.read()?, numbered(counting)?)? as c_int)
    })
}

/// Opens a tablebase; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open(directory: *const c_char) -> *mut SakmakTablebase {
    // SAFETY: guaranteed by the caller; null is allowed.
    unsafe { sakmak_open_with(directory, ptr::null()) }
}

/// Opens a tablebase with an access; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open_with(
    directory: *const c_char,
    access: *const c_char,
) -> *mut SakmakTablebase {
    let mut opened = ptr::null_mut();
    call(|| {
        // SAFETY: the header requires a path and text, or null.
        let (directory, access) =
            unsafe { (pointer::directory(directory)?, text(access, "access")?) };
        let access = access.map_or_else(Access::from_environment, str::parse)?;
        let tablebase = match directory {
            Some(directory) => Tablebase::open(directory)?,
            None => Tablebase::new(),
        };
        let tablebase = tablebase.with_access(access);
        opened = Box::into_raw(Box::new(SakmakTablebase::new(tablebase)));
        Ok(0)
    });
    opened
}

/// A tablebase with a budget of lookups; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_searching(
    tables: *const SakmakTablebase,
    lookups: u32,
) -> *mut SakmakTablebase {
    let mut searching = ptr::null_mut();
    call(|| {
        // SAFETY: the header requires a tablebase that is open, or null.
        let open = Arc::clone(&unsafe { shared(tables, "tables")? }.open);
        let budget = LookupBudget(lookups);
        searching = Box::into_raw(Box::new(SakmakTablebase { open, budget }));
        Ok(0)
    });
    searching
}

/// Adds a directory; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_add_directory(
    tables: *const SakmakTablebase,
    directory: *const c_char,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a path, or null.
        let (tables, directory) =
            unsafe { (shared(tables, "tables")?, pointer::directory(directory)?) };
        let directory = directory.ok_or(CallError::Null("directory"))?;
        let mut open = tables.open.write()?;
        open.add_directory(directory)?;
        tables.open.games.add_directory(directory);
        Ok(0)
    })
}

/// Sets the size of the caches; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_set_cache(tables: *const SakmakTablebase, bytes: usize) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, or null.
        let tables = unsafe { shared(tables, "tables")? };
        let mut open = tables.open.write()?;
        // Both caches are to have room; what the old ones have is free by then.
        let old = open.cached_bytes().saturating_add(tables.open.games.cached_bytes());
        ensure_available(bytes.saturating_mul(2).saturating_sub(old)).map_err(ProbeError::from)?;
        open.set_cache(bytes)?;
        tables.open.games.set_cache(bytes);
        Ok(0)
    })
}

/// The most men of a table; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest(tables: *const SakmakTablebase, counting: c_int) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest) }
}

/// The most men of a WDL file; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest_wdl(
    tables: *const SakmakTablebase,
    counting: c_int,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest_wdl) }
}

/// The most men of tables for the root; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest_root(
    tables: *const SakmakTablebase,
    counting: c_int,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest_root) }
}

/// Opens files ahead; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_prepare(
    tables: *const SakmakTablebase,
    counting: c_int,
    men: c_int,
) -> c_int {
    let men = usize::try_from(men).unwrap_or(0);
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, |tables, rule| tables.prepare(rule, men)) }
}

/// The files of tables; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_table_files(
    tables: *const SakmakTablebase,
    lines: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and room for `size` bytes, or null.
    call(|| unsafe {
        let files = shared(tables, "tables")?.open.read()?.table_files()?;
        let paths: Vec<_> = files.iter().map(|file| file.path.to_string_lossy()).collect();
        write_line(lines, size, &paths.join("\n"))
    })
}

/// Closes a tablebase; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_close(tables: *mut SakmakTablebase) {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, or null.
        let tablebase = unsafe { tables.as_ref() };
        // In a child of a fork a thread of the parent may have left it half changed for ever.
        if tablebase.is_some_and(|tablebase| tablebase.open.owner.is_current()) {
            // SAFETY: it came from `Box::into_raw` in `sakmak_open` or `sakmak_searching`, and the header requires
            // that it is closed once and not used during this call or later.
            drop(unsafe { Box::from_raw(tables) });
        }
        Ok(0)
    });
}

/// The refused files; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_refused_files(
    tables: *const SakmakTablebase,
    lines: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and room for `size` bytes, or null.
    call(|| unsafe {
        let errors = shared(tables, "tables")?.open.read()?.refused_files();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        write_line(lines, size, &errors.join("\n"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_caches_that_do_not_fit_side_by_side_are_refused() {
        let Some(available) = sakmak_probe::memory::available_memory() else { return };
        let tables = SakmakTablebase::new(Tablebase::new());
        for (bytes, code) in [(available / 4 * 3, -12), (available / 4, 0)] {
            // SAFETY: the tablebase lives on.
            let result = unsafe { sakmak_set_cache(&raw const tables, bytes as usize) };
            assert_eq!(result, code, "{bytes} of {available}");
        }
    }
}
