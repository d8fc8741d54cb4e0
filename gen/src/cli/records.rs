//! The user's records of verified tables; verification works without them.

use crate::cli::progress::Bars;
use sakmak_make::verify::ledger::{Evidence, Ledger, LedgerError};

/// The ledger of the user, if usable. After an error verification continues without it, so the
/// warning is printed once.
pub struct Records<'a> {
    ledger: Option<Ledger>,
    bars: &'a Bars,
}

impl Records<'_> {
    /// Opens the records of the user of this process. Warnings are printed above the bars.
    pub fn of_user(bars: &Bars) -> Records<'_> {
        let mut records = Records { ledger: None, bars };
        match Ledger::of_user() {
            Ok(ledger) => records.ledger = Some(ledger),
            Err(error) => records.warn(&error),
        }
        records
    }

    /// Returns whether a table was verified with exactly these files.
    pub fn has(&self, evidence: &Evidence) -> bool {
        self.ledger.as_ref().is_some_and(|ledger| ledger.has(evidence))
    }

    /// Records that a table was verified.
    pub fn add(&mut self, evidence: Evidence) {
        if let Some(Err(error)) = self.ledger.as_mut().map(|ledger| ledger.add(evidence)) {
            self.warn(&error);
            self.ledger = None;
        }
    }

    fn warn(&self, error: &LedgerError) {
        self.bars.warn(&format!("{error}; verification continues without records"));
    }
}
