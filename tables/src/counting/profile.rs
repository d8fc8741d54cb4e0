//! A way of counting, as data: limits by the attacker's men, the board's count, and what
//! becomes of one count when the other starts.
//!
//! Sources: the encyclopedia article on Makruk; R. Knowlton, AncientChess booklet; the
//! SchemingMind page on Makruk; the Ouk Chatrang page of Cambodian Chess Games. Cases in
//! which those are silent go as in Fairy-Stockfish.

use super::clock::{Clock, Honour, Party};
use crate::distance::{Moves, Plies};
use crate::man::{Kind, Side};
use crate::material::{Army, Material};

/// One row of the pieces' honour: men the attacker has, and the limit they give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// At least so many men of each of these kinds.
    pub needs: &'static [(Kind, usize)],
    /// The number at which the count ends.
    pub limit: Moves,
}

/// The board's honour: when it runs and how far. It starts only while both sides have men
/// besides their kings; where pawns do not stop it, it runs on against a bare king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardsHonour {
    /// The most men, its king included, with which a side may count.
    pub most_men: usize,
    /// Whether it runs while pawns are on the board.
    pub with_pawns: bool,
    /// The number at which the count ends.
    pub limit: Moves,
}

/// What happens when the number of the limit is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastMove {
    /// The attacker has one last move.
    Given,
    /// The game is drawn.
    Refused,
}

/// What becomes of the board's count when the pieces' starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnChange {
    /// The new count replaces it.
    Replace,
    /// The runner keeps the one that ends sooner.
    KeepSooner,
}

/// Which count may run in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// None.
    Free,
    /// The board's.
    BoardsHonour,
    /// The pieces', against a bare king.
    PiecesHonour,
}

/// A way of counting.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// The name used on the command line.
    pub name: &'static str,
    /// The pieces' honour: the first row that fits the attacker's men gives the limit.
    pub rows: &'static [Row],
    /// The board's honour, where there is one.
    pub boards: Option<BoardsHonour>,
    /// What the limit means.
    pub last_move: LastMove,
    /// What a change of phase does to a running count.
    pub on_change: OnChange,
}

impl Profile {
    /// The limit the attacker's men give a count of the pieces' honour that starts now.
    pub fn limit(&self, attacker: Army) -> Option<Moves> {
        let fits = |row: &&Row| row.needs.iter().all(|&(kind, men)| attacker.count(kind) >= men);
        self.rows.iter().find(fits).map(|row| row.limit)
    }

    /// A limit in plies, as FEN gives it.
    pub fn plies(&self, limit: Moves) -> Plies {
        Plies(
            2 * match self.last_move {
                LastMove::Given => limit.0,
                LastMove::Refused => limit.0.saturating_sub(1),
            },
        )
    }

    /// The number at which a clock with this limit in plies ends: the inverse of
    /// [`Profile::plies`].
    pub fn number(&self, limit: Plies) -> Moves {
        Moves(limit.0 / 2 + u32::from(self.last_move == LastMove::Refused))
    }

    /// The limits, in plies, a clock of this count may have.
    pub fn limits(&self, honour: Honour) -> Vec<Plies> {
        let mut limits: Vec<Plies> = match honour {
            Honour::Pieces => self.rows.iter().map(|row| self.plies(row.limit)).collect(),
            Honour::Boards => self.boards.iter().map(|boards| self.plies(boards.limit)).collect(),
        };
        limits.sort_unstable();
        limits.dedup();
        limits
    }

    /// The side with a bare king against which the pieces' honour is counted.
    pub fn bare_runner(&self, armies: [Army; 2]) -> Option<Side> {
        let runner = Side::BOTH.into_iter().find(|side| armies[side.index()].is_empty())?;
        let attacker = armies[(!runner).index()];
        let counted = attacker.count(Kind::Pawn) == 0 && self.limit(attacker).is_some();
        counted.then_some(runner)
    }

    /// Which count may run with these men.
    pub fn phase(&self, armies: [Army; 2]) -> Phase {
        if self.bare_runner(armies).is_some() {
            return Phase::PiecesHonour;
        }
        let pawns = armies.iter().any(|army| army.count(Kind::Pawn) > 0);
        let fewest = armies.iter().map(|army| army.len() + 1).min();
        let alone = armies.iter().all(|army| army.is_empty());
        match self.boards {
            Some(boards)
                if (boards.with_pawns || !pawns) && fewest <= Some(boards.most_men) && !alone =>
            {
                Phase::BoardsHonour
            }
            _ => Phase::Free,
        }
    }

    /// The count started afresh with these men: at the men on the board if the king is
    /// bare, at nothing otherwise. `None` where no count starts.
    pub fn fresh(&self, armies: [Army; 2], to_move: Side) -> Option<Clock> {
        match self.phase(armies) {
            Phase::Free => None,
            Phase::BoardsHonour => {
                Side::BOTH.into_iter().find_map(|side| self.boards_clock(armies, side))
            }
            Phase::PiecesHonour => {
                let runner = self.bare_runner(armies)?;
                let attacker = armies[(!runner).index()];
                let men = 2 + attacker.len() as u32;
                // With the attacker to move the runner's move that made the king bare is
                // behind us: one ply less, so that the runner's next call is the same.
                let count = 2 * men - u32::from(to_move != runner);
                let limit = self.plies(self.limit(attacker)?);
                Some(Clock::new(Honour::Pieces, limit, Plies(count)))
            }
        }
    }

    /// The count after a move that made armies `before` into `after`; `to_move` is the
    /// side to move after it.
    ///
    /// A count that was not running starts with the move that leads into its phase; in a
    /// phase that was there already it starts as soon as a side that may count is to move.
    pub fn advance(
        &self,
        clock: Option<Clock>,
        before: [Army; 2],
        after: [Army; 2],
        to_move: Side,
    ) -> Option<Clock> {
        let running = clock.map(Clock::ticked);
        match self.phase(after) {
            Phase::Free => None,
            Phase::BoardsHonour if running.is_some() => running,
            Phase::BoardsHonour => self.boards_clock(after, to_move),
            Phase::PiecesHonour if self.phase(before) != Phase::PiecesHonour => {
                let fresh = self.fresh(after, to_move);
                match (running, fresh, self.on_change) {
                    (Some(old), Some(new), OnChange::KeepSooner) => Some(old.sooner(new)),
                    _ => fresh,
                }
            }
            Phase::PiecesHonour if running.is_some() => running,
            Phase::PiecesHonour => {
                let runs = self.bare_runner(after) == Some(to_move);
                runs.then(|| self.fresh(after, to_move)).flatten()
            }
        }
    }

    /// The attacker's moves a fresh count of the pieces' honour gives, for a whole
    /// material at a time; `None` where that count does not apply: pawns on the board, or
    /// the other side has men.
    pub fn moves_to_fit(
        &self,
        material: &Material,
        attacker: Side,
        to_move: Party,
    ) -> Option<Moves> {
        let armies = Side::BOTH.map(|side| material.army(side));
        let runner = self.bare_runner(armies).filter(|&runner| runner != attacker)?;
        let side = match to_move {
            Party::Attacker => attacker,
            Party::Runner => runner,
        };
        Some(self.fresh(armies, side)?.moves_left(to_move))
    }

    /// The board's count at its start, if this side may start it.
    fn boards_clock(&self, armies: [Army; 2], runner: Side) -> Option<Clock> {
        let boards = self.boards?;
        let few = armies[runner.index()].len() < boards.most_men;
        let both_have_men = armies.iter().all(|army| !army.is_empty());
        let clock = Clock::new(Honour::Boards, self.plies(boards.limit), Plies(0));
        (few && both_have_men).then_some(clock)
    }
}
