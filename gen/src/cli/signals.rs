//! Signals that end the program: a line on standard error, no leavings, exit code 128 + signal.
//!
//! A signal that the caller ignores, as `nohup` does with SIGHUP, stays ignored. A write past the
//! limit of file sizes (SIGXFSZ) fails, as on a full disk. The error of the write names the file, so
//! this signal changes the exit code only.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The signal behind a failed write.
#[derive(Debug, Default)]
pub struct FailureSignal {
    /// The exit code of the signal, or 0 if there was none.
    code: Arc<AtomicUsize>,
}

impl FailureSignal {
    /// The exit code of a failure: `code`, unless there was a signal.
    pub fn exit_code(&self, code: u8) -> u8 {
        match u8::try_from(self.code.load(Ordering::Relaxed)) {
            Ok(0) | Err(_) => code,
            Ok(signal) => signal,
        }
    }
}

/// Handles signals from now on, in a thread of its own. `kept` is what the program keeps if it is
/// stopped, as the end of the message.
#[cfg(unix)]
pub fn handle(kept: &'static str) -> std::io::Result<FailureSignal> {
    use crate::cli::{Tone, message, tell};
    use sakmak_gen::system::transient::end_all;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};
    use std::io::{IsTerminal, Write, stderr};

    let ignored = ignored();
    let heeded = |&signal: &i32| ignored & (1 << (signal - 1)) == 0;
    let failure = FailureSignal::default();
    if heeded(&SIGXFSZ) {
        flag::register_usize(SIGXFSZ, Arc::clone(&failure.code), 128 + SIGXFSZ as usize)?;
    }
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].iter().filter(|&s| heeded(s)))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            end_all(|| {
                let name = low_level::signal_name(signal).unwrap_or("a signal");
                // Over a progress bar.
                if stderr().is_terminal() {
                    // A closed standard error leaves no place for the message.
                    let _ = write!(stderr(), "\r\x1b[K");
                }
                tell(&message(Tone::Doubtful, &format!("stopped by {name}{kept}")));
                low_level::exit(128 + signal)
            })
        }
    });
    Ok(failure)
}

/// The signals that the caller ignores, signal 1 as bit 0. A system that does not report them is
/// taken to ignore SIGHUP: `nohup` works, and a lost terminal ends the program at once.
#[cfg(unix)]
fn ignored() -> u64 {
    const HANG_UP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(HANG_UP)
}

/// Other systems end the program; the next run removes what it left.
#[cfg(not(unix))]
pub fn handle(_: &'static str) -> std::io::Result<FailureSignal> {
    Ok(FailureSignal::default())
}
