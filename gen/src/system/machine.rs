//! Free memory and disk of the machine.

use crate::system::ByteSize;
use std::path::Path;
use sysinfo::{CGroupLimits, MemoryRefreshKind, RefreshKind, System};

/// Memory that this process may still take, within the limits set for it. Memory that the
/// system would free for it, such as the page cache, counts. `None` if the system reports no
/// figure.
pub fn available_memory() -> Option<ByteSize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    // A control group counts the page cache as used; the system frees it when needed.
    let free = |limits: CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    let limited = system.cgroup_limits().map(free);
    let available = system.available_memory();
    let least = limited.map_or(available, |limited| limited.min(available));
    Some(ByteSize(least)).filter(|&least| least > ByteSize(0))
}

/// Free space of the disk that holds this path, or would hold it. `None` if the system reports
/// no figure.
pub fn free_disk(path: &Path) -> Option<ByteSize> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute.ancestors().find(|path| path.exists())?;
    fs4::available_space(there).ok().map(ByteSize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_not_yet_made_is_on_some_disk() {
        let directory = tempfile::tempdir().unwrap();
        let there = free_disk(directory.path());
        assert_eq!(free_disk(&directory.path().join("a/b")).is_some(), there.is_some());
    }
}
