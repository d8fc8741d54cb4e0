//! Free memory and disk of the machine.

use crate::system::ByteSize;
use std::path::Path;
use sysinfo::{
    CGroupLimits, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
    get_current_pid,
};

/// Memory that this process may still take, within the limits of its control group and those above.
/// Memory that the system would free for it, such as the page cache, counts. `None` if the system
/// reports no figure.
pub fn available_memory() -> Option<ByteSize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let mut system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    // A control group counts the page cache as used; the system frees it when needed.
    let free = |limits: CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    let groups = [own_limits(&mut system), system.cgroup_limits()];
    let limited = groups.into_iter().flatten().map(free);
    let least = limited.chain([system.available_memory()]).min();
    least.map(ByteSize).filter(|&least| least > ByteSize(0))
}

/// Memory of the machine, or what the control group of this process and those above leave it.
/// `None` if the system reports no figure.
pub fn whole_memory() -> Option<ByteSize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let mut system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    let groups = [own_limits(&mut system), system.cgroup_limits()];
    let limited = groups.into_iter().flatten().map(|limits| limits.total_memory);
    // Without a limit some systems report none, others an enormous one.
    let all = limited.chain([system.total_memory()]).filter(|&all| all > 0);
    all.min().map(ByteSize)
}

/// Returns the least limits of this process's control group and those above; `None` if the system
/// has no control groups or sets no limit.
fn own_limits(system: &mut System) -> Option<CGroupLimits> {
    let process = get_current_pid().ok()?;
    let processes = ProcessesToUpdate::Some(&[process]);
    system.refresh_processes_specifics(processes, false, ProcessRefreshKind::nothing());
    system.process(process)?.cgroup_limits()
}

/// Free space of the disk that holds this path, or would hold it. `None` if the system reports
/// no figure.
pub fn free_disk(path: &Path) -> Option<ByteSize> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute.ancestors().find(|path| path.try_exists().unwrap_or(false))?;
    fs4::available_space(there).ok().map(ByteSize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_memory_is_available_than_there_is() {
        let (available, whole) = (available_memory(), whole_memory());
        assert_eq!(available.is_some(), whole.is_some());
        assert!(available <= whole, "{available:?} {whole:?}");
    }

    #[test]
    fn a_directory_not_yet_made_is_on_some_disk() {
        let directory = tempfile::tempdir().unwrap();
        let there = free_disk(directory.path());
        assert_eq!(free_disk(&directory.path().join("a/b")).is_some(), there.is_some());
    }
}
