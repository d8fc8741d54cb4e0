//! The limit of open files, connections included.

/// Raises the number of files that may be open as far as the system allows. Returns the number;
/// `None` if the system reports no number or has no limit.
#[cfg(unix)]
pub fn allow_open_files() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // Some systems refuse what they name as the maximum.
    let allowed = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    allowed.and_then(|files| usize::try_from(files).ok())
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub fn allow_open_files() -> Option<usize> {
    None
}
