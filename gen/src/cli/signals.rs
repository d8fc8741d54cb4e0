//! Signals that end the program: a line on standard error, no leavings, exit code 128 + signal.
//!
//! A signal that the caller ignores, as `nohup` does with SIGHUP, stays ignored. A write past the
//! limit of file sizes (SIGXFSZ) fails, as on a full disk. The error of the write names the file,
//! so this signal changes the exit code only.

#[cfg(unix)]
use sakmak_probe::file::bytes::read_text;
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The signal behind a failed write.
#[derive(Debug, Default)]
pub struct FailureSignal {
    /// The exit code of the signal, or 0 if there was none.
    code: Arc<AtomicUsize>,
}

impl FailureSignal {
    /// Returns the exit code of a failure: `code`, unless there was a signal.
    pub fn exit_code(&self, code: u8) -> u8 {
        match u8::try_from(self.code.load(Ordering::Relaxed)) {
            Ok(0) | Err(_) => code,
            Ok(signal) => signal,
        }
    }
}

/// Watches for the signal of a failed write from now on.
#[cfg(unix)]
pub fn watch_failures() -> std::io::Result<FailureSignal> {
    use signal_hook::consts::SIGXFSZ;

    let failure = FailureSignal::default();
    if is_heeded(SIGXFSZ) {
        let code = Arc::clone(&failure.code);
        signal_hook::flag::register_usize(SIGXFSZ, code, 128 + SIGXFSZ as usize)?;
    }
    Ok(failure)
}

/// Passes the signals that end a program to `heard` from now on, in a thread of its own.
#[cfg(unix)]
pub fn listen(mut heard: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].iter().filter(|&&s| is_heeded(s)))?;
    std::thread::spawn(move || signals.forever().for_each(&mut heard));
    Ok(())
}

/// Ends the program. The message ends with `kept`, the work that is kept.
#[cfg(unix)]
pub fn end(signal: i32, kept: &str) {
    use crate::cli::plain_lines::draws_bars;
    use crate::cli::{Tone, eprint, message};
    use sakmak_make::system::transient::end_all;
    use signal_hook::low_level;
    use std::io::{Write, stderr};

    end_all(|| {
        let name = low_level::signal_name(signal).unwrap_or("a signal");
        // Over a progress bar.
        if draws_bars() {
            // A closed standard error cannot show the message.
            let _ = write!(stderr(), "\r\x1b[K");
        }
        eprint(&message(Tone::Doubtful, &format!("stopped by {name}{kept}")));
        low_level::exit(128 + signal)
    })
}

/// Returns whether the caller does not ignore this signal.
#[cfg(unix)]
fn is_heeded(signal: i32) -> bool {
    ignored() & (1 << (signal - 1)) == 0
}

/// Returns the signals that the caller ignores, signal 1 as bit 0. A system that does not report
/// them counts as ignoring SIGHUP: `nohup` works, and a lost terminal ends the program at once.
#[cfg(unix)]
fn ignored() -> u64 {
    const HANG_UP: u64 = 1;
    let status = read_text(Path::new("/proc/self/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(HANG_UP)
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub fn watch_failures() -> std::io::Result<FailureSignal> {
    Ok(FailureSignal::default())
}

/// Other systems end the program; the next run removes what it left.
#[cfg(not(unix))]
pub fn listen(_: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// Other systems end the program themselves.
#[cfg(not(unix))]
pub fn end(_: i32, _: &str) {}
