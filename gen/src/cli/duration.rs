//! Durations as text.

use indicatif::HumanCount;

/// The text of a rate in slots per second, and of a time left in seconds if it is known.
pub fn rate_and_left(rate: f64, left: Option<f64>) -> String {
    let left = left.map_or_else(String::new, |left| format!(", {} left", duration(left)));
    format!("{} slots/s{left}", HumanCount(rate as u64))
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
