//! Durations as text.

/// Returns the text of a duration in seconds.
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
