//! Durations as text.

use indicatif::HumanCount;

/// The text of a rate in slots per second and of a time left in seconds.
pub fn rate_and_left(rate: f64, left: f64) -> String {
    format!("{} slots/s, {} left", HumanCount(rate as u64), duration(left))
}

/// The text of a duration in seconds.
pub fn duration(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    match seconds {
        ..9.95 => format!("{seconds:.1} s"),
        ..100.0 => format!("{seconds:.0} s"),
        ..HOUR => format!("{:.0} min", seconds / MINUTE),
        _ => format!("{:.1} h", seconds / HOUR),
    }
}
