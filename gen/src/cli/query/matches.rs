//! The matches of one material after another: counted, printed, or the first ones kept.

use crate::cli::progress::Bars;
use crate::cli::query::listing::{FirstRecords, Listing};
use crate::cli::query::output::{CountRecord, OutputFormat, OutputRecord};
use crate::cli::{CommandError, print};
use rayon::prelude::*;
use sakmak_analysis::query::MatchRank;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Output requested by the options, of all materials so far.
pub struct MatchOutput<'a, R> {
    pub bars: &'a Bars,
    format: OutputFormat,
    /// Counts of matches; `None` unless requested.
    counts: Option<Vec<CountRecord>>,
    /// The first matches in an order, if the list has an order.
    pub first: Option<FirstRecords<R>>,
    /// Maximum number of matches still to print.
    printable: u64,
    /// The header line was printed.
    has_head: bool,
}

impl<R: OutputRecord> MatchOutput<'_, R> {
    /// Returns an output without matches.
    pub fn new(listing: Listing, format: OutputFormat, bars: &Bars) -> MatchOutput<'_, R> {
        let (mut counts, mut first, mut printable) = (None, None, u64::MAX);
        match listing {
            Listing::Count => counts = Some(Vec::new()),
            Listing::First(of) => first = Some(FirstRecords::new(of)),
            Listing::Each { limit } => printable = limit,
        }
        MatchOutput { bars, format, counts, first, printable, has_head: false }
    }

    /// Prints the header line above matches that are printed as they are found.
    pub fn begin(&mut self) -> Result<(), CommandError> {
        if !self.has_head && self.counts.is_none() && self.first.is_none() {
            self.bars.print(&self.format.head::<R>())?;
            self.has_head = true;
        }
        Ok(())
    }

    /// Runs the search that the options request, of three kinds, on the material at an index in the
    /// order of the materials. Breaks off if no more is to be printed.
    pub fn take<T: Sync>(
        &mut self,
        place: usize,
        record: &(dyn Fn(&T) -> Option<R> + Sync),
        count: impl FnOnce() -> Result<CountRecord, CommandError>,
        first: impl FnOnce(&FirstRecords<R>) -> Result<Vec<(MatchRank, T)>, CommandError>,
        each: impl FnOnce(&mut dyn FnMut(&[T]) -> ControlFlow<()>) -> Result<(), CommandError>,
    ) -> Result<ControlFlow<()>, CommandError> {
        if let Some(counts) = &mut self.counts {
            counts.push(count()?);
        } else if let Some(records) = &mut self.first {
            let found = first(records)?;
            let ranked = |(rank, found): &(MatchRank, T)| Some((*rank, record(found)?));
            records.add(place, found.iter().filter_map(ranked));
        } else if self.printable > 0 {
            let (format, mut printed) = (self.format, Ok(()));
            let line =
                |found: &T| record(found).map_or(Ok(String::new()), |record| record.line(format));
            each(&mut |matches| {
                let some = matches.len().min(usize::try_from(self.printable).unwrap_or(usize::MAX));
                self.printable -= some as u64;
                match print_lines(self.bars, matches.get(..some).unwrap_or_default(), &line) {
                    Ok(ControlFlow::Continue(())) if self.printable > 0 => {
                        return ControlFlow::Continue(());
                    }
                    Ok(_) => self.printable = 0,
                    Err(failure) => printed = Err(failure),
                }
                ControlFlow::Break(())
            })?;
            printed?;
        }
        Ok(if self.printable == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Prints the output that is complete only after the last material.
    pub fn end(self, condition: &str) -> Result<(), CommandError> {
        if let Some(counts) = &self.counts {
            return print(&CountRecord::all(counts, condition, self.format)?);
        }
        let Some(first) = self.first else { return Ok(()) };
        let (records, format) = (first.into_records()?, self.format);
        self.bars.print(&format.head::<R>())?;
        print_lines(self.bars, &records, &|record| record.line(format)).map(|_| ())
    }
}

/// Prints lines. Breaks off if the reader has closed the pipe.
fn print_lines<T: Sync>(
    bars: &Bars,
    items: &[T],
    line: &(dyn Fn(&T) -> Result<String, serde_json::Error> + Sync),
) -> Result<ControlFlow<()>, CommandError> {
    let lines: Vec<Result<String, serde_json::Error>> =
        items.par_chunks(256).map(|items| items.iter().map(line).collect()).collect();
    let text = lines.into_iter().collect::<Result<String, _>>()?;
    let written = bars.aside(|| {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    });
    match written {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => {
            Err(CommandError::failure(format!("cannot write to standard output: {error}")))
        }
    }
}
