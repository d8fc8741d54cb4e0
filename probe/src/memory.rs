//! Memory: the amount available, and allocations that may fail.

#[cfg(target_os = "linux")]
use crate::file::bytes::read_text;
use std::fmt;
#[cfg(target_os = "linux")]
use std::path::Path;

/// More memory was requested than is available.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub struct OutOfMemory {
    /// The bytes requested.
    pub bytes: u64,
    /// The bytes available. `None` where the system does not report them.
    pub available: Option<u64>,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
        write!(f, "not enough memory for {} MiB", mebibytes(self.bytes))?;
        match self.available {
            Some(available) => write!(f, ": {} MiB are available", mebibytes(available)),
            None => Ok(()),
        }
    }
}

/// Checks that this many bytes can be allocated now.
///
/// # Errors
///
/// If the machine has fewer available, or the system refuses the allocation.
pub fn ensure_available(bytes: usize) -> Result<(), OutOfMemory> {
    let available = available_memory();
    let refused = || OutOfMemory { bytes: bytes as u64, available };
    if available.is_some_and(|available| bytes as u64 > available) {
        return Err(refused());
    }
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| refused())
}

/// Returns this many default values. `None` if there is not enough memory.
pub fn filled<T: Default>(length: usize) -> Option<Box<[T]>> {
    let mut values = Vec::new();
    values.try_reserve_exact(length).ok()?;
    values.resize_with(length, T::default);
    Some(values.into_boxed_slice())
}

/// Bytes that this process may still allocate within the limits of its control groups. Memory that
/// the system would free for it counts. `None` where the system does not report it.
#[cfg(target_os = "linux")]
pub fn available_memory() -> Option<u64> {
    let text = read_text(Path::new("/proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let machine = kibibytes.saturating_mul(1 << 10);
    Some(machine.min(left_in_groups().unwrap_or(u64::MAX)))
}

#[cfg(not(target_os = "linux"))]
pub fn available_memory() -> Option<u64> {
    None
}

/// The lowest remaining limit of the control groups of this process. The page cache, which a group
/// counts as used, is freed when needed.
#[cfg(target_os = "linux")]
fn left_in_groups() -> Option<u64> {
    let groups = read_text(Path::new("/proc/self/cgroup")).ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let left = |group: &Path| {
        let limit: u64 = read_text(&group.join("memory.max")).ok()?.trim().parse().ok()?;
        let used = read_text(&group.join("memory.stat")).ok()?;
        let used = used.lines().find_map(|line| line.strip_prefix("anon "))?;
        Some(limit.saturating_sub(used.trim().parse().ok()?))
    };
    let own = root.join(own);
    own.ancestors().take_while(|group| group.starts_with(root)).filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_machine_has_an_exbibyte() {
        ensure_available(0).unwrap();
        ensure_available(1 << 20).unwrap();
        for bytes in [1 << 60, usize::MAX] {
            let error = ensure_available(bytes).unwrap_err();
            assert_eq!(error.bytes, bytes as u64);
            assert!(error.to_string().starts_with("not enough memory for "), "{error}");
        }
        assert_eq!(filled::<u64>(3).as_deref(), Some(&[0; 3][..]));
        assert_eq!(filled::<u64>(1 << 60), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells_what_is_left() {
        assert!(available_memory().unwrap() > 1 << 20);
    }
}
