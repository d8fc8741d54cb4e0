//! The plane solver: 4,096 positions at a time.
//!
//! A plane is all placements of two pieces with everything else fixed: 64 words of 64 bits. For
//! one attacker the solver keeps three sets of slots, one bit for each slot:
//!
//! - `safe`: attacker to move, not known to be won within n moves (the complement of the won
//!   positions, because a defender needs a safe one);
//! - `open`: defender to move, legal, not known to be lost;
//! - `fresh`: defender to move, lost in exactly n moves: the newest layer.
//!
//! ```text
//! fresh := positions lost at once, such as mates;  n := 0
//! repeat
//!     n := n + 1
//!     won   := safe and real and (attacker can move into fresh)     record n
//!     safe  := safe - won - conversions won in n
//!     lost  := open and not (defender can move into safe)           record n
//!     open  := open - lost
//!     fresh := lost + conversions lost in n
//! until nothing is new and no conversion is left
//! ```
//!
//! Under the fifty-move rule n counts plies: `lost` comes first, from the `safe` of the layer before,
//! and `won` from the `fresh` of the layer before.
//!
//! The kernels have no legality test and no special cases. The result is exact because of the
//! values of slots that are not positions, which are set before the first layer:
//!
//! | slot | value | effect |
//! |---|---|---|
//! | defender in check, attacker to move | not safe | an illegal move does not save the defender |
//! | two defenders on one square | not safe | a defender cannot move onto its own piece |
//! | two attackers on one square | not fresh | an attacker cannot move onto its own piece |
//! | attacker in check, defender to move | not open, not fresh | an illegal move does not win for the attacker |
//! | a piece just taken, a pawn just promoted | the subtable's value, from layer n on | captures and promotions are moves like any other |
//! | the game is drawn, as by stalemate | not open | it is never lost |
//! | a pawn on its passing square | the better of the position without a capture in passing and that capture | a double step is a move like any other |
//! | attacker in check, attacker to move, where a check wins | never won | the game is over |
//!
//! A double step leads to a passing slot, see `Geometry`: a copy of the slot in which the pawn
//! stands where it has advanced to, updated after each layer. A defender's double step is safe while
//! that slot is safe and no capture in passing wins for the attacker: such a capture is a conversion
//! of the passing slot. After an attacker's double step the defender has lost once it has lost
//! without a capture in passing, or has no other move, and every such capture loses. Until then
//! `safe` holds the passing slot: nobody else needs it there, since a passing slot of the attacker
//! never has the attacker to move.
//!
//! Sources: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986, for
//! the layers; the chess programming literature for occluded fills of sliding pieces
//! (Kogge-Stone).

mod buffer;
mod memory;
mod width;

mod column;
mod row;

mod neighbours;

mod unmove;

mod log;

mod chunk;

mod conversions;

mod subtables;

mod record;

pub mod scratch;

pub mod saved_layers;

mod plane_set;

mod kernels;

mod layers;

mod times;

mod gather;

mod estimate;

pub use buffer::{Buffer, BufferLimit, ReservedMemory, buffers_in_use};
pub use estimate::Estimate;
pub use gather::SolvedTable;
pub use subtables::{MissingTable, Tables};
pub use times::{Clock, SolveTimes};
pub use width::{Kernel, Width};

use crate::planes::frame::Frame;
use crate::planes::geometry::Geometry;
use conversions::MoverConversions;
use layers::{AttackConversions, Goal, find_wins};
use log::Log;
use plane_set::SetStorage;
use record::Record;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use scratch::ScratchFolder;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use subtables::Subtables;

/// Options of solving. No option changes a value.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// The registers the kernels use.
    pub width: Width,
    /// Storage for data that does not fit into memory; `None` keeps all in memory.
    pub spill: Option<Spill<'a>>,
    /// The clock that measures the times of solving.
    pub clock: Clock,
}

/// The memory of a solver, and storage for the rest.
#[derive(Clone, Copy, Debug)]
pub struct Spill<'a> {
    /// The storage for the rest.
    pub folder: &'a dyn ScratchFolder,
    /// Bytes of memory for the sets. A limit below [`Estimate::least_sets`] has no effect.
    pub sets: u64,
    /// Bytes of memory for the conversions and the log of the layers.
    pub logs: u64,
    /// The folder in which the layers are saved if the codes do not fit into memory. `None` saves
    /// no layers.
    pub saved: Option<&'a dyn ScratchFolder>,
}

impl Default for Solver<'_> {
    /// The widest registers, everything in memory, no clock.
    fn default() -> Self {
        Solver { width: Width::widest(), spill: None, clock: || Duration::ZERO }
    }
}

/// The reason why a table could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Bare kings have no table.
    #[error("{0} has no table: two bare kings always draw")]
    BareKings(Material),
    /// A subtable is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
    /// Memory or disk is too small for the solver.
    #[error("not enough memory or disk to solve: {0}")]
    Room(#[from] io::Error),
    /// A subtable cannot be read.
    #[error("cannot read the conversions: {0}")]
    Conversions(#[source] io::Error),
}

impl Solver<'_> {
    /// Solves a table in memory. `tables` returns the tables that it depends on.
    ///
    /// # Errors
    ///
    /// If a dependency is missing, or memory is too small.
    pub fn solve(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<Table, SolveError> {
        let in_memory = Solver { spill: None, ..*self };
        let codes = |name| Some(tables(name)? as Arc<dyn TableCodes>);
        let solved = in_memory.solve_with_progress(name, rules, &codes, &|_, _| ())?;
        solved.into_table().map_err(|_| SolveError::Room(io::ErrorKind::OutOfMemory.into()))
    }

    /// Solves a table in memory or, if the solver can spill, partly on disk. The subtables are read
    /// king pair by king pair. `layer` is called after each layer with the attacker and the length
    /// of its mates.
    ///
    /// # Errors
    ///
    /// Errors of [`Solver::solve`]; also if the disk cannot be written to, or a subtable cannot be
    /// read.
    pub fn solve_with_progress(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &Tables<'_>,
        layer: &dyn Fn(Side, Moves),
    ) -> Result<SolvedTable, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        let [conversions, layers] = self.logs(name)?;
        let (conversions, time) =
            self.read_conversions(&geometry, name.metric, rules, tables, conversions)?;
        let layers = Arc::new(layers);
        let sides = Table::sides(&geometry.index);
        let mut records = Side::BOTH.map(|side| {
            sides
                .contains(&side)
                .then(|| Record::new(geometry.index.kings().len(), Arc::clone(&layers)))
        });
        let times = self.find(&geometry, &frame, name.metric, conversions, &mut records, layer)?;
        let start = (self.clock)();
        let mut solved = SolvedTable::gather(geometry, frame, records, self.width)?;
        let gathering = self.since(start);
        solved.set_times(SolveTimes { conversions: time, gathering, ..times });
        if self.spill.is_some_and(|spill| spill.saved.is_some()) {
            // If saving fails, the table can still be written; only a killed run loses it.
            let _ = solved.save(name, rules);
        }
        Ok(solved)
    }

    /// Finds the layers of a table without recording them. Measures the time of the sets alone.
    ///
    /// # Errors
    ///
    /// Same as [`Solver::solve_with_progress`].
    pub fn measure(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &Tables<'_>,
    ) -> Result<SolveTimes, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        let [conversions, _] = self.logs(name)?;
        let (conversions, time) =
            self.read_conversions(&geometry, name.metric, rules, tables, conversions)?;
        let times =
            self.find(&geometry, &frame, name.metric, conversions, &mut [None, None], &|_, _| ())?;
        Ok(SolveTimes { conversions: time, ..times })
    }

    /// The logs of the conversions and of the layers, which share the room in memory.
    fn logs(&self, name: TableName) -> io::Result<[Log; 2]> {
        let Some(spill) = &self.spill else { return Ok([Log::in_memory(), Log::in_memory()]) };
        let room = Arc::new(AtomicU64::new(spill.logs));
        let layers = match spill.saved {
            Some(folder) => folder.create_named(&saved_layers::file_name(name))?,
            None => spill.folder.create()?,
        };
        let files = [spill.folder.create()?, layers];
        Ok(files.map(|file| Log::spilling(Arc::clone(&room), file)))
    }

    /// Finds the wins of both sides from the conversions by mover. The values of a side to move go
    /// into its record, if it has one.
    fn find(
        &self,
        geometry: &Geometry,
        frame: &Frame,
        metric: Metric,
        conversions: [MoverConversions; 2],
        records: &mut [Option<Record>; 2],
        layer: &dyn Fn(Side, Moves),
    ) -> Result<SolveTimes, SolveError> {
        let start = (self.clock)();
        let mut times = SolveTimes::default();
        let storage = match &self.spill {
            Some(spill) => SetStorage::spilling(geometry, metric, spill.sets, spill.folder),
            None => SetStorage::in_memory(geometry, metric),
        };
        let [after_white, after_black] = conversions;
        let [white, black] = [
            AttackConversions {
                won: after_black.won,
                lost: after_white.lost,
                saved: after_white.saved,
                doomed: after_white.doomed,
            },
            AttackConversions {
                won: after_white.won,
                lost: after_black.lost,
                saved: after_black.saved,
                doomed: after_black.doomed,
            },
        ];
        for (attacker, conversions) in [(Side::White, white), (Side::Black, black)] {
            let is_bare = geometry.index.material().army(attacker).is_empty();
            if !is_bare || geometry.end.bare_king_can_win() {
                let goal = Goal {
                    attacker,
                    longest: metric.longest(geometry.index.material(), attacker),
                    in_plies: metric.is_in_plies(),
                    layer: &|moves| layer(attacker, moves),
                };
                times.moved +=
                    find_wins(geometry, frame, &storage, goal, conversions, records, self.width)?;
            }
        }
        times.layers = self.since(start);
        Ok(times)
    }

    /// The conversions after the moves of each side, read into a log, and the time spent.
    fn read_conversions(
        &self,
        geometry: &Geometry,
        metric: Metric,
        rules: &Rules,
        tables: &Tables<'_>,
        log: Log,
    ) -> Result<([MoverConversions; 2], Duration), SolveError> {
        let (start, log) = ((self.clock)(), Arc::new(log));
        let subtables = |mover| Subtables::new(geometry, rules, metric, mover, tables);
        let (white, black) = (subtables(Side::White)?, subtables(Side::Black)?);
        let read = |mover: &Subtables<'_>, replies| {
            mover.conversions(replies, &log).map_err(|error| match error.kind() {
                io::ErrorKind::Other => SolveError::Conversions(error),
                _ => SolveError::Room(error),
            })
        };
        let conversions = [read(&white, &black)?, read(&black, &white)?];
        Ok((conversions, self.since(start)))
    }

    fn since(&self, start: Duration) -> Duration {
        (self.clock)().saturating_sub(start)
    }
}

/// The planes of a material.
///
/// # Errors
///
/// If the material is bare kings, which have no table.
fn geometry(material: Material, rules: &Rules) -> Result<Geometry, SolveError> {
    match material == Material::BARE_KINGS {
        true => Err(SolveError::BareKings(material)),
        false => Ok(Geometry::new(Index::new(material, rules), rules)),
    }
}
