//! One ply ahead from positions of a material.

use crate::boards::progress::Progress;
use crate::boards::tables::{NearbyTables, Tables};
use sakmak_boards::game::{Effect, End};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A slot without a position.
pub const NOTHING: u16 = 0xFFFF;
/// A position that no legal move leads to.
pub const ILLEGAL: u16 = 0xFFFE;
/// A drawn position.
pub const DRAWN: u16 = 0xFFFD;
/// A decided position; the lower bits are the plies until the end.
pub const DECIDED: u16 = 0x8000;
/// A position that may be decided.
pub const OPEN: u16 = 0;

/// One ply ahead from positions of a material.
pub struct Lookahead<'a, G: SolvableGame> {
    /// The game.
    pub game: &'a G,
    /// The numbering of the material.
    pub layout: &'a G::Layout,
    subtables: NearbyTables<'a, G>,
    /// Called with each finished part of the work.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Whether a move led to a material without a table.
    unnamed: AtomicBool,
}

/// The successors of a position.
#[derive(Default)]
pub struct Successors {
    /// Whether a move stays in the material.
    pub stays: bool,
    /// Whether a move wins at once.
    pub wins: bool,
    /// Whether a move draws.
    pub draws: bool,
    /// The plies of the quickest loss of the opponent behind a move that leaves.
    pub quickest: Option<u16>,
    /// The plies of the slowest win of the opponent behind a move that leaves.
    pub slowest: Option<u16>,
}

impl Successors {
    /// Records the value behind a move, for the opponent.
    fn take(&mut self, value: Value) {
        match value {
            Value::Illegal => {}
            Value::Draw => self.draws = true,
            Value::Loss(plies) => {
                self.quickest = Some(self.quickest.map_or(plies, |known| known.min(plies)));
            }
            Value::Win(plies) => self.slowest = self.slowest.max(Some(plies)),
        }
    }

    /// The state of a position if every move leaves the material.
    pub fn state(&self, stuck: impl FnOnce() -> End) -> u16 {
        match (self.wins, self.quickest, self.draws, self.slowest) {
            (true, ..) => DECIDED | 1,
            (false, Some(plies), ..) => DECIDED | (plies + 1),
            (false, None, true, _) => DRAWN,
            (false, None, false, Some(plies)) => DECIDED | (plies + 1),
            (false, None, false, None) => ended(stuck()),
        }
    }
}

/// The state of a position where the game is over.
pub fn ended(end: End) -> u16 {
    match end {
        End::Loss => DECIDED,
        End::Draw => DRAWN,
    }
}

impl<'a, G: SolvableGame> Lookahead<'a, G> {
    /// Creates a lookahead that reads the tables of the subtables.
    ///
    /// # Errors
    ///
    /// The first subtable without a table.
    pub fn new(
        game: &'a G,
        material: G::Material,
        layout: &'a G::Layout,
        tables: &'a Tables<G>,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Lookahead<'a, G>, G::Material> {
        let subtables = NearbyTables::new(game, tables, game.subtables(material))?;
        Ok(Lookahead { game, layout, subtables, progress, unnamed: AtomicBool::new(false) })
    }

    /// Whether a move led to a material without a table.
    pub fn is_unnamed(&self) -> bool {
        self.unnamed.load(Relaxed)
    }

    /// The state of a position that is illegal or where the game is over.
    fn over(&self, position: &G::Position) -> Option<u16> {
        match self.game.is_illegal(position) {
            true => Some(ILLEGAL),
            false => self.game.end(position).map(ended),
        }
    }

    /// The successors by moves that leave. Moves that stay are skipped, and some moves to positions
    /// without a slot are included with `all` only.
    fn successors(&self, position: &G::Position, all: bool) -> Successors {
        let mut successors = Successors::default();
        let stays = self.game.leaving(position, all, |after| self.take(&mut successors, after));
        Successors { stays, ..successors }
    }

    /// The state of a position as far as the moves that leave decide it: a win may be quicker.
    /// Without `all`, a win by a move to a position without a slot may be missing.
    pub fn first(&self, position: &G::Position, all: bool) -> u16 {
        if let Some(state) = self.over(position) {
            return state;
        }
        let successors = self.successors(position, all);
        match successors.stays && !successors.wins && successors.quickest.is_none() {
            true => OPEN,
            false => successors.state(|| self.game.stuck(position)),
        }
    }

    /// Whether a position without a slot may be lost.
    pub fn may_lose(&self, forced: &G::Position) -> bool {
        let mut loses = false;
        self.game.leaving(forced, true, |after| {
            let mut successors = Successors::default();
            self.take(&mut successors, after);
            loses |= !successors.wins && !successors.draws && successors.quickest.is_none();
        });
        loses
    }

    /// The state of an open position, if no move saves it. `is_refuted` returns whether a move to a
    /// slot of the material loses, in at most `n` plies if the move is legal.
    pub fn without_escape(
        &self,
        position: &G::Position,
        n: Option<u16>,
        is_refuted: impl Fn(u64) -> bool,
    ) -> Option<u16> {
        if self.game.reaches(self.layout, position, |target| !is_refuted(target)) {
            return None;
        }
        let successors = self.successors(position, true);
        if successors.draws || successors.quickest.is_some() {
            return None;
        }
        let slowest = successors.slowest.max(n);
        Some(Successors { slowest, ..successors }.state(|| self.game.stuck(position)))
    }

    /// The values of a subtable by slot.
    pub fn values(&self, material: G::Material) -> impl Fn(u64) -> Value {
        let codes = self.subtables.codes(material);
        move |slot| {
            codes.and_then(|codes| codes.value(slot)).unwrap_or_else(|| {
                self.unnamed.store(true, Relaxed);
                Value::Illegal
            })
        }
    }

    /// Records a move that does not stay.
    #[inline]
    fn take(&self, successors: &mut Successors, after: Result<G::Position, Effect>) {
        match after.map(|after| self.subtables.value(&after)) {
            Ok(Ok(value)) => successors.take(value),
            Ok(Err(_)) => self.unnamed.store(true, Relaxed),
            Err(Effect::Wins) => successors.wins = true,
            Err(_) => successors.draws = true,
        }
    }
}
