//! Alpha-beta search of the positions below the root, with probes of the tables.
//!
//! ```text
//! score(position, depth):
//!     repeated, bare kings, no move, count over     the result
//!     a capture or promotion led here, and a table  its category
//!     depth 0                                       captures and promotions only
//!     otherwise                                     the best of the moves
//! ```
//!
//! A table is probed where the material has changed: the positions after that have the same tables
//! and are never reached. Scores from the tables and estimates are never mixed up: see [`Score`].

use crate::budget::{MOST_PLIES, SearchBudget};
use crate::evaluation::{evaluate, worth};
use crate::game::{Game, REPETITIONS, repetition_key};
use crate::report::SearchEffort;
use crate::score::Score;
use crate::signals::SearchSignals;
use crate::transpositions::{ScoreBound, SearchResult, TranspositionTable};
use sakmak_probe::{ProbeError, Tablebase};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::material::MAX_MEN;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Instant;

/// The number of positions between two readings of the clock.
const CLOCK_NODES: u64 = 256;

/// The greatest depth of a line, captures and checks included.
const DEEPEST: u32 = 2 * MOST_PLIES;

/// The signal that a search has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchStopped;

/// The scores that matter for a position: between a score that the side to move has for certain and
/// one that the other side allows.
#[derive(Clone, Copy, Debug)]
pub struct ScoreWindow {
    /// Lower bound already secured elsewhere by the side to move.
    pub alpha: Score,
    /// Upper bound already secured elsewhere by the other side.
    pub beta: Score,
}

impl ScoreWindow {
    /// The widest window: every score matters.
    pub const FULL: ScoreWindow = ScoreWindow { alpha: Score::WORST, beta: Score::BEST };

    /// The window seen by the other side.
    #[must_use]
    pub fn reversed(self) -> ScoreWindow {
        ScoreWindow { alpha: -self.beta, beta: -self.alpha }
    }

    /// The narrowest window: tests whether a move is better than the lower bound.
    #[must_use]
    pub fn narrow(self) -> ScoreWindow {
        ScoreWindow { beta: self.alpha.above(), ..self }
    }
}

/// A search in progress.
pub struct NodeSearch<'a> {
    budget: SearchBudget,
    signals: &'a SearchSignals,
    tables: &'a Tablebase,
    transpositions: &'a mut TranspositionTable,
    /// Repetition keys of the game, then of the line searched.
    keys: Vec<u64>,
    /// The number of keys of the game.
    game_keys: usize,
    began: Instant,
    nodes: u64,
    table_hits: u64,
    /// The greatest depth of any line.
    pub selective_depth: Plies,
    /// The last two quiet moves that refuted a line, by depth.
    killers: Vec<[Option<Move>; 2]>,
    /// Counts of refutations by quiet moves, by squares; deep refutations count more.
    history: Vec<[u32; SQUARES]>,
    /// Materials without a table, and whether the count was fresh.
    missing: HashSet<(u64, bool)>,
    /// The first error of an existing table.
    pub problem: Option<ProbeError>,
}

impl<'a> NodeSearch<'a> {
    /// A search from the position of a game.
    pub fn new(
        game: &Game,
        budget: SearchBudget,
        signals: &'a SearchSignals,
        tables: &'a Tablebase,
        transpositions: &'a mut TranspositionTable,
    ) -> NodeSearch<'a> {
        NodeSearch {
            budget,
            signals,
            tables,
            transpositions,
            keys: game.keys.clone(),
            game_keys: game.keys.len(),
            began: Instant::now(),
            nodes: 0,
            table_hits: 0,
            selective_depth: Plies(0),
            killers: vec![[None; 2]; DEEPEST as usize + 1],
            history: vec![[0; SQUARES]; SQUARES],
            missing: HashSet::new(),
            problem: None,
        }
    }

    /// The work done so far.
    pub fn effort(&self) -> SearchEffort {
        let time = self.began.elapsed();
        SearchEffort { nodes: self.nodes, table_hits: self.table_hits, time }
    }

    /// The score of a move of the root for the side that plays the move. Writes the moves after it
    /// to `line`.
    ///
    /// # Errors
    ///
    /// If the search has to end.
    pub fn root_move(
        &mut self,
        root: &Position,
        mv: Move,
        depth: Plies,
        window: ScoreWindow,
        line: &mut Vec<Move>,
    ) -> Result<Score, SearchStopped> {
        self.keys.truncate(self.game_keys);
        self.after(root, mv, depth.0, window, 0, line)
    }

    /// The score of a move for the side that plays it. `ply` belongs to `position`; `depth` is the
    /// number of plies to search, including the move.
    fn after(
        &mut self,
        position: &Position,
        mv: Move,
        depth: u32,
        window: ScoreWindow,
        ply: u32,
        line: &mut Vec<Move>,
    ) -> Result<Score, SearchStopped> {
        let after = position.play(mv);
        let converted = after.material_key() != position.material_key();
        let node = Node { position: &after, converted, ply: ply + 1 };
        let window = window.reversed();
        let score = match depth.checked_sub(1) {
            None | Some(0) => self.quiet_score(node, window, line)?,
            Some(depth) => self.score(node, depth, window, line)?,
        };
        Ok(-score)
    }

    /// Counts a position; checks whether the search has to end.
    fn enter(&mut self, node: Node<'_>, line: &mut Vec<Move>) -> Result<(), SearchStopped> {
        line.clear();
        let late = self.nodes.is_multiple_of(CLOCK_NODES) && self.is_out_of_time();
        if self.nodes >= self.budget.nodes || self.signals.is_stopped() || late {
            return Err(SearchStopped);
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(Plies(node.ply));
        Ok(())
    }

    fn is_out_of_time(&self) -> bool {
        let limit = self.budget.time;
        limit.is_some_and(|limit| self.signals.time().is_some_and(|time| time >= limit))
    }

    /// The score of a position, exact within the window. `depth` is at least 1.
    fn score(
        &mut self,
        node: Node<'_>,
        depth: u32,
        window: ScoreWindow,
        line: &mut Vec<Move>,
    ) -> Result<Score, SearchStopped> {
        self.enter(node, line)?;
        let Node { position, ply, .. } = node;
        let repetition = repetition_key(position);
        if self.is_repeated(repetition) {
            return Ok(Score::DRAW);
        }
        let moves = position.legal_moves();
        if let Some(value) = position.final_value_given(&moves) {
            return Ok(final_score(value, Plies(ply)));
        }
        if let Some(score) = self.known(node) {
            return Ok(score);
        }
        if ply >= DEEPEST {
            return Ok(evaluate(position));
        }
        let key = with_count(repetition, position);
        let searched = self.transpositions.get(key);
        if let Some(score) = searched.and_then(|found| usable(found, depth, window, ply)) {
            return Ok(score);
        }
        // An answer to a check is no choice, so it costs no depth.
        let depth = depth + u32::from(position.in_check(position.side()));
        let ordered = self.ordered(position, &moves, searched.and_then(|found| found.best), ply);
        self.keys.push(repetition);
        let result = self.best(node, &ordered, depth, window, line);
        self.keys.pop();
        let (score, best) = result?;
        let bound = match score {
            score if score >= window.beta => ScoreBound::AtLeast,
            score if score > window.alpha => ScoreBound::Exact,
            _ => ScoreBound::AtMost,
        };
        let (here, depth) = (score.to_here(Plies(ply)), Plies(depth));
        self.transpositions.put(SearchResult { key, score: here, bound, depth, best });
        Ok(score)
    }

    /// The best of these moves: its score, and the move if it is above `alpha`.
    fn best(
        &mut self,
        node: Node<'_>,
        moves: &[Move],
        depth: u32,
        mut window: ScoreWindow,
        line: &mut Vec<Move>,
    ) -> Result<(Score, Option<Move>), SearchStopped> {
        let Node { position, ply, .. } = node;
        let (mut best, mut best_move) = (Score::WORST, None);
        let mut rest = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let mut score = Score::BEST;
            if index > 0 {
                score = self.after(position, mv, depth, window.narrow(), ply, &mut rest)?;
            }
            // The first move, and moves that may be better.
            if score > window.alpha && (index == 0 || score < window.beta) {
                score = self.after(position, mv, depth, window, ply, &mut rest)?;
            }
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(mv);
                line.clear();
                line.push(mv);
                line.append(&mut rest);
            }
            if score >= window.beta {
                self.note_refutation(position, mv, depth, ply);
                break;
            }
        }
        Ok((best, best_move))
    }

    /// The score of a position after captures and promotions only; in check, after every move.
    fn quiet_score(
        &mut self,
        node: Node<'_>,
        mut window: ScoreWindow,
        line: &mut Vec<Move>,
    ) -> Result<Score, SearchStopped> {
        self.enter(node, line)?;
        let Node { position, ply, .. } = node;
        let in_check = position.in_check(position.side());
        let moves = if in_check { position.legal_moves() } else { position.legal_conversions() };
        if moves.is_empty() && (in_check || position.legal_moves().is_empty()) {
            let value = position.final_value().unwrap_or(Value::Draw);
            return Ok(final_score(value, Plies(ply)));
        }
        if let Some(score) = self.known(node) {
            return Ok(score);
        }
        let mut best = Score::WORST;
        if !in_check || ply >= DEEPEST {
            best = evaluate(position);
            if best >= window.beta || ply >= DEEPEST {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }
        let mut rest = Vec::new();
        for mv in self.ordered(position, &moves, None, ply) {
            let score = self.after(position, mv, 0, window, ply, &mut rest)?;
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                line.clear();
                line.push(mv);
                line.append(&mut rest);
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// Whether the position counts as a draw: it was on the line searched, or twice in the game.
    fn is_repeated(&self, key: u64) -> bool {
        let (game, line) = self.keys.split_at(self.game_keys);
        let in_game = || game.iter().filter(|&&earlier| earlier == key).count();
        line.contains(&key) || in_game() + 1 >= REPETITIONS
    }

    /// The score of a position that has moves, if the rules or the tables decide it.
    fn known(&mut self, node: Node<'_>) -> Option<Score> {
        let position = node.position;
        if position.occupied().len() == 2 || position.clock().is_some_and(|clock| clock.is_over()) {
            return Some(Score::DRAW);
        }
        let may_be_in_table = position.occupied().len() <= MAX_MEN && position.leaps().is_empty();
        if !node.converted || !may_be_in_table {
            return None;
        }
        let clock = position.clock();
        let fresh = clock.is_none() || clock == position.fresh_clock();
        let material = (position.material_key().number(), fresh);
        if self.missing.contains(&material) {
            return None;
        }
        match self.tables.wdl_counted(position) {
            Ok(category) => {
                self.table_hits += 1;
                Some(category_score(category, position, Plies(node.ply)))
            }
            Err(error) => {
                self.missing.insert(material);
                if !matches!(error, ProbeError::Missing { .. }) {
                    self.problem.get_or_insert(error);
                }
                None
            }
        }
    }

    /// The moves, promising moves first: the best move of an earlier search, captures of valuable
    /// pieces by cheap pieces, promotions, quiet moves that refuted other lines.
    fn ordered(
        &self,
        position: &Position,
        moves: &[Move],
        best: Option<Move>,
        ply: u32,
    ) -> Vec<Move> {
        const CAPTURE: u32 = 1 << 30;
        const KILLER: u32 = 1 << 29;
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        let rank = |mv: Move| {
            if best == Some(mv) {
                return u32::MAX;
            }
            let piece = |square| position.at(square).map_or(0, |piece| worth(piece.kind) as u32);
            let taken = piece(mv.to) + u32::from(mv.promotion.is_some()) * 60;
            match taken {
                0 if killers.contains(&Some(mv)) => KILLER,
                0 => self.history[mv.from.index()][mv.to.index()].min(KILLER - 1),
                _ => CAPTURE + 16 * taken - piece(mv.from) / 16,
            }
        };
        let mut ordered: Vec<(Reverse<u32>, Move)> =
            moves.iter().map(|&mv| (Reverse(rank(mv)), mv)).collect();
        ordered.sort();
        ordered.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Notes a move that refuted a line.
    fn note_refutation(&mut self, position: &Position, mv: Move, depth: u32, ply: u32) {
        if mv.promotion.is_some() || position.at(mv.to).is_some() {
            return;
        }
        if let Some(killers) = self.killers.get_mut(ply as usize)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
        let count = &mut self.history[mv.from.index()][mv.to.index()];
        *count = count.saturating_add(depth * depth);
    }
}

/// A position on the line searched.
#[derive(Clone, Copy)]
struct Node<'a> {
    position: &'a Position,
    /// Whether the last move was a capture or promotion.
    converted: bool,
    /// The plies from the root.
    ply: u32,
}

/// The score of a game that is over.
pub fn final_score(value: Value, ply: Plies) -> Score {
    match value {
        Value::Draw => Score::DRAW,
        Value::Loss(_) => Score::mated_in(ply),
        Value::Win(_) => -Score::mated_in(ply),
    }
}

/// The score of a category. Draws differ: the opponent may go wrong.
fn category_score(category: Category, position: &Position, ply: Plies) -> Score {
    let chance = Score::DRAW_CHANCE;
    match category {
        Category::Win => Score::table_win(ply),
        Category::CursedWin => chance,
        Category::Draw => evaluate(position).scaled(1, 16).clamp(-chance, chance),
        Category::BlessedLoss => -chance,
        Category::Loss => -Score::table_win(ply),
    }
}

/// The key of a position with its count: the score depends on the count.
fn with_count(repetition: u64, position: &Position) -> u64 {
    /// An odd number with many bits.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    position.clock().map_or(repetition, |clock| {
        let count = u64::from(clock.limit().0) << 32 | u64::from(clock.count().0);
        repetition ^ (count + 1).wrapping_mul(SPREAD)
    })
}

/// The score of an earlier search, if it decides this search.
fn usable(found: SearchResult, depth: u32, window: ScoreWindow, ply: u32) -> Option<Score> {
    let score = found.score.from_here(Plies(ply));
    let decides = match found.bound {
        ScoreBound::Exact => true,
        ScoreBound::AtLeast => score >= window.beta,
        ScoreBound::AtMost => score <= window.alpha,
    };
    (decides && found.depth.0 >= depth).then_some(score)
}
