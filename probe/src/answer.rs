//! All a player asks about a position: its value, the count, the moves best first, and a
//! line to mate.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::{Category, Clock, Honour, Party};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::man::Side;
use sakmak_tables::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::san::san;
use std::cmp::Reverse;

/// The longest line followed.
pub const LONGEST_LINE: Plies = Plies(10_000);

/// All about one position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Mate or stalemate, if it is on the board.
    pub outcome: Option<Outcome>,
    /// The value with best play and no counting.
    pub value: Value,
    /// The grade under the count, see [`Position::category`].
    pub category: Category,
    /// The count that may run here.
    pub count: Option<Count>,
    /// The legal moves, best first: by category, then quicker wins and slower losses,
    /// then by UCI.
    pub moves: Vec<RatedMove>,
    /// Best play by distance to mate, to the mate; empty for a draw.
    ///
    /// Where [`Position::category`] decides by distance this is best play under the count
    /// too. Before, the first of `moves` may be another: one that leaves the count open,
    /// where the quickest leads to mate too late.
    pub line: Vec<Move>,
}

/// A legal move and what it leads to, for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedMove {
    /// The move; displayed it is UCI.
    pub uci: Move,
    /// The move as people write it.
    pub san: String,
    /// The value of the position asked about if this move is made: distances count from
    /// there, with this move.
    pub value: Value,
    /// The grade under the count.
    pub category: Category,
}

/// A count, where it stands and what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Which count it is.
    pub honour: Honour,
    /// Whether it was running; otherwise it starts here.
    pub running: bool,
    /// The side that has to mate in time.
    pub attacker: Side,
    /// The number at which it ends.
    pub limit: Moves,
    /// The last number the runner has called.
    pub called: Moves,
    /// The attacker's moves that may still mate in time.
    pub moves_left: Moves,
    /// The same in plies, as FEN has it.
    pub clock: Clock,
}

impl Count {
    /// The count in a position of this value: the one that runs, else one started here.
    pub fn of(position: &Position, value: Value) -> Option<Count> {
        let clock = position.clock().or_else(|| position.fresh_clock())?;
        let attacker = attacker(position, value);
        let to_move = match attacker == position.side() {
            true => Party::Attacker,
            false => Party::Runner,
        };
        Some(Count {
            honour: clock.honour(),
            running: position.clock().is_some(),
            attacker,
            limit: position.profile().number(clock.limit()),
            called: clock.called(to_move),
            moves_left: clock.moves_left(to_move),
            clock,
        })
    }
}

/// The side that has to mate: the one that does not count. A bare king counts; else the
/// side that is lost; where nobody is, the weaker; of equals the one to move.
fn attacker(position: &Position, value: Value) -> Side {
    let armies = position.armies();
    if let Some(runner) = position.profile().bare_runner(armies) {
        return !runner;
    }
    match value {
        Value::Win(_) => position.side(),
        Value::Loss(_) => !position.side(),
        Value::Draw if armies[0] > armies[1] => Side::White,
        Value::Draw if armies[0] < armies[1] => Side::Black,
        Value::Draw => !position.side(),
    }
}

impl Tablebase {
    /// All about a position: see [`Answer`].
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], for the position and those one move on and along the line.
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        let value = self.value(position)?;
        Ok(Answer {
            outcome: position.outcome(),
            value,
            category: position.category(value),
            count: Count::of(position, value),
            moves: self.moves(position)?,
            line: self.line(position)?,
        })
    }

    /// The legal moves, best first.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], for the positions one move on.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, ProbeError> {
        // A count that starts here runs on in what follows.
        let clock = position.clock().or_else(|| position.fresh_clock());
        let counted = position.with_clock(clock);
        let rate = |&uci: &Move| -> Result<RatedMove, ProbeError> {
            let after = counted.play(uci);
            let value = self.value(&after)?;
            let category = after.category(value).reversed();
            Ok(RatedMove { uci, san: san(position, uci), value: value.before_move(), category })
        };
        let mut moves = position.legal_moves().iter().map(rate).collect::<Result<Vec<_>, _>>()?;
        moves.sort_by_cached_key(|rated| {
            (Reverse((rated.category, rated.value.preference())), rated.uci.to_string())
        });
        Ok(moves)
    }

    /// The best legal move; nothing when the game is over.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::moves`].
    pub fn best_move(&self, position: &Position) -> Result<Option<RatedMove>, ProbeError> {
        Ok(self.moves(position)?.into_iter().next())
    }

    /// Best play by distance to mate, to the mate; empty for a draw. Of moves equally good
    /// the first by UCI is taken.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], and when tables contradict each other.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut value = self.value(&position)?;
        while let Some(plies) = value.plies().filter(|&plies| plies > Plies(0)) {
            if line.len() >= LONGEST_LINE.0 as usize {
                break;
            }
            let contradiction = || ProbeError::Contradiction {
                material: position.material().material,
                fen: position.fen(),
            };
            let expected = Value::from_plies(Plies(plies.0 - 1));
            let mut moves: Vec<Move> = position.legal_moves().to_vec();
            moves.sort_by_cached_key(Move::to_string);
            let mut best = None;
            for mv in moves {
                let after = position.play(mv);
                let reached = self.value(&after)?;
                if reached.before_move().preference() > value.preference() {
                    return Err(contradiction());
                }
                if best.is_none() && reached == expected {
                    best = Some((mv, after));
                }
            }
            let (mv, after) = best.ok_or_else(contradiction)?;
            line.push(mv);
            (position, value) = (after, expected);
        }
        Ok(line)
    }
}
