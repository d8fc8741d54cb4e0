//! What the machine has left: memory and disk.

use crate::system::byte_count::ByteCount;
use std::path::Path;
use sysinfo::{CGroupLimits, MemoryRefreshKind, RefreshKind, System};

/// Memory that programs may still take, what the system would give up for them included
/// and limits set for this process heeded; nothing where the system does not say.
pub fn available_memory() -> Option<ByteCount> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    // Files the system keeps in memory count as used there; they give way.
    let free = |limits: CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    let limited = system.cgroup_limits().map(free);
    let available = system.available_memory();
    let least = limited.map_or(available, |limited| limited.min(available));
    Some(ByteCount(least)).filter(|&least| least > ByteCount(0))
}

/// Disk left where this path is or would be made; nothing where the system does not say.
pub fn free_disk(path: &Path) -> Option<ByteCount> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute.ancestors().find(|path| path.exists())?;
    fs4::available_space(there).ok().map(ByteCount)
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
