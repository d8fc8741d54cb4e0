//! A counting rule, as data: limits by the attacker's pieces, the board's count, and the effect of
//! a new count on a running one.
//!
//! Sources: the encyclopedia article on Makruk; R. Knowlton, AncientChess booklet; the
//! SchemingMind page on Makruk; the Ouk Chatrang page of Cambodian Chess Games. Cases for
//! which they give no rule follow Fairy-Stockfish.

use crate::counting::clock::{Clock, Honour, Party};
use crate::distance::{Moves, Plies};
use crate::material::Army;
use crate::rules::piece::{PieceKind, Side};
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::xxh3_64;

/// A row of the pieces' honour: the limit for an attacker with these pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitRow {
    /// Kinds of pieces, and how many of each the attacker has at least.
    pub needs: &'static [(PieceKind, usize)],
    /// The number at which the count ends.
    pub limit: Moves,
}

impl LimitRow {
    /// Whether the attacker has these pieces.
    pub fn fits(&self, attacker: Army) -> bool {
        self.needs.iter().all(|&(kind, count)| attacker.count(kind) >= count)
    }
}

/// The board's honour: when it runs, and its limit. It starts only while both sides have pieces
/// besides their kings. If pawns do not stop it, it continues against a bare king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardsHonour {
    /// The maximum number of men with which a side may count, its king included.
    pub most_men: usize,
    /// Whether the count runs while pawns are on the board.
    pub with_pawns: bool,
    /// The number at which the count ends.
    pub limit: Moves,
}

/// Effect of the runner's call of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastMove {
    /// The attacker has one last move.
    Given,
    /// The game is drawn.
    Refused,
}

/// The number that the runner calls first in the pieces' honour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstCall {
    /// The number of men on the board plus one.
    AfterMen,
    /// The number one. The count starts when the runner is to move.
    One,
}

/// Effect on the board's count when the pieces' honour starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnChange {
    /// The new count replaces the board's count.
    Replace,
    /// The runner keeps the count that ends sooner.
    KeepSooner,
}

/// The counts that decide games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisiveCounts {
    /// All counts.
    All,
    /// The pieces' honour in positions with a bare king. The board's honour is parsed and advanced
    /// but changes no result. No table considers a count that starts after a conversion, so counted
    /// distance has no tables.
    PiecesHonour,
}

/// The count that may run in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// No count.
    Free,
    /// The board's honour.
    BoardsHonour,
    /// The pieces' honour, against a bare king.
    PiecesHonour,
    /// The fifty-move rule, without pawns.
    FiftyMoves,
}

/// A counting rule. Two rules with the same name are equal.
///
/// ```
/// use sakmak_tables::distance::Moves;
/// use sakmak_tables::position::Position;
/// use sakmak_tables::rules::piece::Side;
/// use sakmak_tables::variants::MAKRUK;
///
/// // A rook alone has 16 moves, and the count begins at the three men on the board.
/// let armies = Position::from_fen(&MAKRUK, "8/8/8/4k3/8/4K3/8/R7 w - - 0 1")?.armies();
/// let makruk = MAKRUK.counting();
/// assert_eq!(makruk.limit(armies[0]), Some(Moves(16)));
/// assert_eq!(makruk.moves_left(armies, Side::White, Side::White), Some(Moves(14)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CountingRule {
    /// The name used on the command line and in file names.
    pub name: &'static str,
    /// The id in files; never given to another rule.
    pub id: u32,
    /// The pieces' honour: the first row that fits the attacker's pieces gives the limit.
    pub rows: &'static [LimitRow],
    /// The board's honour. `None` if the rule has none.
    pub boards: Option<BoardsHonour>,
    /// Effect of the limit.
    pub last_move: LastMove,
    /// The first number of the pieces' honour.
    pub first_call: FirstCall,
    /// Effect of a change of phase on a running count.
    pub on_change: OnChange,
    /// The counts that decide games.
    pub decisive: DecisiveCounts,
    /// The number of plies without a capture after which either side may claim a draw, as in
    /// chess. It binds both sides, and is considered only without pawns, where the pieces alone say
    /// when it starts again. `None` if no such draw can be claimed.
    pub fifty_moves: Option<Plies>,
}

/// Offset from the id of a variant's usual rule to the id of its rule by which nobody counts.
pub const NOBODY_COUNTS: u32 = 128;

impl PartialEq for CountingRule {
    fn eq(&self, other: &CountingRule) -> bool {
        self.name == other.name
    }
}

impl Eq for CountingRule {}

impl Hash for CountingRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl CountingRule {
    /// The rule by which nobody counts, of the variant with this usual rule. No table has it: the
    /// distance decides.
    pub const fn nobody_counts(name: &'static str, usual: &CountingRule) -> CountingRule {
        CountingRule {
            name,
            id: NOBODY_COUNTS + usual.id,
            rows: &[],
            boards: None,
            last_move: LastMove::Given,
            first_call: FirstCall::AfterMen,
            on_change: OnChange::Replace,
            decisive: DecisiveCounts::All,
            fifty_moves: None,
        }
    }

    /// Whether nobody counts.
    pub const fn is_uncounted(&self) -> bool {
        self.id >= NOBODY_COUNTS
    }

    /// A hash of the rule. It differs for rules that lead to different tables.
    pub fn fingerprint(&self) -> u64 {
        let mut bytes = Vec::new();
        for row in self.rows {
            let needs = row.needs.iter();
            bytes.extend(needs.flat_map(|&(kind, count)| [kind.letter() as u8, count as u8]));
            bytes.push(0);
            bytes.extend(row.limit.0.to_le_bytes());
        }
        if let Some(boards) = self.boards {
            bytes.extend([boards.most_men.min(u8::MAX.into()) as u8, boards.with_pawns.into()]);
            bytes.extend(boards.limit.0.to_le_bytes());
        }
        bytes.push((self.last_move == LastMove::Given).into());
        bytes.push((self.on_change == OnChange::Replace).into());
        // Three fields came later. Rules that keep their old meaning keep their fingerprint.
        if self.first_call == FirstCall::One {
            bytes.push(1);
        }
        if self.decisive != DecisiveCounts::All {
            bytes.push(0);
        }
        bytes.extend(self.fifty_moves.iter().flat_map(|plies| plies.0.to_le_bytes()));
        xxh3_64(&bytes)
    }

    /// The limit of a count of the pieces' honour that starts with these pieces of the
    /// attacker. Returns `None` if no row fits.
    pub fn limit(&self, attacker: Army) -> Option<Moves> {
        self.rows.iter().find(|row| row.fits(attacker)).map(|row| row.limit)
    }

    /// A limit in plies, as FEN gives it.
    pub fn limit_in_plies(&self, limit: Moves) -> Plies {
        Plies(
            2 * match self.last_move {
                LastMove::Given => limit.0,
                LastMove::Refused => limit.0.saturating_sub(1),
            },
        )
    }

    /// The number at which a clock with this limit in plies ends: the inverse of
    /// [`CountingRule::limit_in_plies`].
    pub fn limit_in_moves(&self, limit: Plies) -> Moves {
        Moves(limit.0 / 2 + u32::from(self.last_move == LastMove::Refused))
    }

    /// The limits in plies that a running count with these pieces may have, each with the kind of
    /// count. Ascending; empty if no count runs.
    ///
    /// The pieces at the start of a count fix its limit, and pieces only become fewer. So the row
    /// of the pieces' honour may be any up to the first that fits now.
    pub fn possible_limits(&self, armies: [Army; 2]) -> Vec<(Honour, Plies)> {
        let boards = self.boards.map(|boards| (Honour::Boards, self.limit_in_plies(boards.limit)));
        let mut limits = match self.phase(armies) {
            Phase::Free => vec![],
            Phase::BoardsHonour => boards.into_iter().collect(),
            Phase::FiftyMoves => {
                self.fifty_moves.map(|plies| (Honour::FiftyMoves, plies)).into_iter().collect()
            }
            Phase::PiecesHonour => {
                let fits = |row: &LimitRow| armies.iter().any(|&army| row.fits(army));
                let first = self.rows.iter().position(fits).map_or(0, |first| first + 1);
                let rows = self.rows[..first].iter();
                let pieces = rows.map(|row| (Honour::Pieces, self.limit_in_plies(row.limit)));
                let kept = boards.filter(|_| self.on_change == OnChange::KeepSooner);
                pieces.chain(kept).collect()
            }
        };
        limits.sort_by_key(|&(_, plies)| plies);
        limits.dedup_by_key(|&mut (_, plies)| plies);
        limits
    }

    /// The highest count with this limit and these pieces, in plies. The draw is claimed past the
    /// limit; only a count that starts above its limit is higher, and that of the fifty-move rule,
    /// which nobody has to claim.
    pub fn highest_count(&self, limit: Plies, armies: [Army; 2]) -> Plies {
        let men = armies.iter().map(|army| army.len() + 1).sum();
        let start = match self.phase(armies) {
            Phase::PiecesHonour => Plies(2 * self.called_at_start(men)),
            Phase::FiftyMoves => Plies(u16::MAX.into()),
            Phase::BoardsHonour | Phase::Free => Plies(0),
        };
        start.max(Plies(limit.0 + 1))
    }

    /// The side with a bare king that counts the pieces' honour. Returns `None` if no side does.
    pub(crate) fn bare_runner(&self, armies: [Army; 2]) -> Option<Side> {
        let runner = Side::BOTH.into_iter().find(|side| armies[side.index()].is_empty())?;
        let attacker = armies[(!runner).index()];
        let counted = attacker.count(PieceKind::Pawn) == 0 && self.limit(attacker).is_some();
        counted.then_some(runner)
    }

    /// The count that may run with these pieces.
    pub fn phase(&self, armies: [Army; 2]) -> Phase {
        let boards = |attacker| self.boards_against(armies, attacker).is_some();
        match self.bare_runner(armies) {
            Some(_) => Phase::PiecesHonour,
            None if self.has_fifty_moves(armies) => Phase::FiftyMoves,
            None if Side::BOTH.into_iter().any(boards) => Phase::BoardsHonour,
            None => Phase::Free,
        }
    }

    /// Whether the fifty-move rule is considered with these pieces.
    fn has_fifty_moves(&self, armies: [Army; 2]) -> bool {
        let pawns = armies.iter().any(|army| army.count(PieceKind::Pawn) > 0);
        self.fifty_moves.is_some() && !pawns && armies.iter().any(|army| !army.is_empty())
    }

    /// The board's honour, if it may run against this attacker.
    fn boards_against(&self, armies: [Army; 2], attacker: Side) -> Option<BoardsHonour> {
        let pawns = armies.iter().any(|army| army.count(PieceKind::Pawn) > 0);
        let few = |boards: &BoardsHonour| armies[(!attacker).index()].len() < boards.most_men;
        let attacks = !armies[attacker.index()].is_empty();
        self.boards.filter(|boards| (boards.with_pawns || !pawns) && few(boards) && attacks)
    }

    /// Whether there is a count by this rule.
    pub fn counts(&self) -> bool {
        !self.rows.is_empty() || self.boards.is_some() || self.fifty_moves.is_some()
    }

    /// Whether there are tables of counted distance under this rule.
    pub fn has_counted_tables(&self) -> bool {
        self.counts() && self.decisive == DecisiveCounts::All
    }

    /// Whether a count that decides games may run with these pieces.
    pub fn has_decisive_count(&self, armies: [Army; 2]) -> bool {
        Side::BOTH.into_iter().any(|attacker| self.phase_against(armies, attacker) != Phase::Free)
    }

    /// The count that may run against this attacker and decides games.
    pub fn phase_against(&self, armies: [Army; 2], attacker: Side) -> Phase {
        match (self.count_against(armies, attacker), self.decisive) {
            (Phase::BoardsHonour, DecisiveCounts::PiecesHonour) => Phase::Free,
            (phase, _) => phase,
        }
    }

    /// The count that may run against this attacker.
    pub(crate) fn count_against(&self, armies: [Army; 2], attacker: Side) -> Phase {
        match self.bare_runner(armies) == Some(!attacker) {
            true => Phase::PiecesHonour,
            false if self.boards_against(armies, attacker).is_some() => Phase::BoardsHonour,
            false if armies[attacker.index()].is_empty() => Phase::Free,
            false if self.has_fifty_moves(armies) => Phase::FiftyMoves,
            false => Phase::Free,
        }
    }

    /// Whether distance to mate alone decides which wins are in time with these pieces. It does if
    /// the only count that may run continues to the end of the game, if neither side can win, if no
    /// count that starts on the way decides games, or if none is considered with these pieces.
    pub fn is_decided_by_mate(&self, armies: [Army; 2]) -> bool {
        let decided = |attacker: Side| {
            armies[attacker.index()].is_empty()
                || self.phase_against(armies, attacker) == Phase::PiecesHonour
        };
        let is_left_out = self.fifty_moves.is_some() && !self.has_fifty_moves(armies);
        !self.has_counted_tables() || is_left_out || Side::BOTH.into_iter().all(decided)
    }

    /// Whether counted distance equals the distance to mate in time, with these pieces and after
    /// all captures and promotions. It does if a count runs against each attacker and continues to
    /// the mate.
    pub(crate) fn counts_to_mate(&self, armies: [Army; 2]) -> bool {
        let counted = |attacker: Side| {
            armies[attacker.index()].is_empty()
                || self.phase_against(armies, attacker) != Phase::Free
        };
        self.on_change == OnChange::KeepSooner && Side::BOTH.into_iter().all(counted)
    }

    /// The attacker's moves that a fresh count leaves with this side to move. Returns `None` if no
    /// count runs.
    pub fn moves_left(&self, armies: [Army; 2], attacker: Side, to_move: Side) -> Option<Moves> {
        let (clock, party) = self.fresh_against(armies, attacker, to_move)?;
        Some(clock.moves_left(party))
    }

    /// The longest counted distance of this attacker that is in time under a fresh count, see
    /// [`Clock::longest_in_time`]. Returns `None` if no count runs.
    pub fn longest_in_time(
        &self,
        armies: [Army; 2],
        attacker: Side,
        to_move: Side,
    ) -> Option<Moves> {
        let (clock, party) = self.fresh_against(armies, attacker, to_move)?;
        Some(clock.longest_in_time(party))
    }

    /// A fresh count against this attacker, and the party to move.
    fn fresh_against(
        &self,
        armies: [Army; 2],
        attacker: Side,
        to_move: Side,
    ) -> Option<(Clock, Party)> {
        let party = if to_move == attacker { Party::Attacker } else { Party::Runner };
        let runs = self.phase_against(armies, attacker) != Phase::Free;
        Some((runs.then(|| self.fresh_clock(armies, to_move))??, party))
    }

    /// The count as if it had started here: at the number of men for the pieces' honour, at 0
    /// otherwise. Returns `None` if no count runs. Includes a board's count against a bare king,
    /// although in a game it can only continue there.
    pub fn fresh_clock(&self, armies: [Army; 2], to_move: Side) -> Option<Clock> {
        match self.phase(armies) {
            Phase::Free => None,
            Phase::BoardsHonour => self.boards.map(|boards| self.boards_start(boards)),
            Phase::FiftyMoves => {
                self.fifty_moves.map(|plies| Clock::new(Honour::FiftyMoves, plies, Plies(0)))
            }
            Phase::PiecesHonour => {
                let runner = self.bare_runner(armies)?;
                let attacker = armies[(!runner).index()];
                let called = self.called_at_start(2 + attacker.len());
                // With the attacker to move, the runner's move that bared the king is already
                // played: one ply less, so that the runner's next call is the same.
                let count = (2 * called).saturating_sub(u32::from(to_move != runner));
                let limit = self.limit_in_plies(self.limit(attacker)?);
                Some(Clock::new(Honour::Pieces, limit, Plies(count)))
            }
        }
    }

    /// The count after a move that changed the armies from `before` to `after`; `to_move` is the
    /// side to move after it.
    ///
    /// A count that was not running starts with the move that leads into its phase. In a phase that
    /// existed before, it starts as soon as a side that may count is to move.
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
            Phase::FiftyMoves if before == after => {
                running.or_else(|| Some(self.fresh_clock(after, to_move)?.ticked()))
            }
            Phase::FiftyMoves => self.fresh_clock(after, to_move),
            Phase::BoardsHonour if running.is_some() => running,
            Phase::BoardsHonour => self.boards_clock(after, to_move),
            Phase::PiecesHonour if self.phase(before) != Phase::PiecesHonour => {
                let waits =
                    self.first_call == FirstCall::One && self.bare_runner(after) != Some(to_move);
                let fresh = self.fresh_clock(after, to_move).filter(|_| !waits);
                match (running, fresh, self.on_change) {
                    (Some(old), Some(new), OnChange::KeepSooner) => Some(old.sooner(new)),
                    _ => fresh,
                }
            }
            Phase::PiecesHonour if running.is_some() => running,
            Phase::PiecesHonour => {
                let runs = self.bare_runner(after) == Some(to_move);
                runs.then(|| self.fresh_clock(after, to_move)).flatten()
            }
        }
    }

    /// The number that counts as called when a count of the pieces' honour starts with this many
    /// men.
    pub fn called_at_start(&self, men: usize) -> u32 {
        match self.first_call {
            FirstCall::AfterMen => men as u32,
            FirstCall::One => 0,
        }
    }

    /// The board's count at its start, if this side may start it.
    fn boards_clock(&self, armies: [Army; 2], runner: Side) -> Option<Clock> {
        let boards = self.boards_against(armies, !runner)?;
        (!armies[runner.index()].is_empty()).then(|| self.boards_start(boards))
    }

    fn boards_start(&self, boards: BoardsHonour) -> Clock {
        Clock::new(Honour::Boards, self.limit_in_plies(boards.limit), Plies(0))
    }
}
