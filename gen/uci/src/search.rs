//! A `go`: answered from the tables if they have the position, else by search; then the best move.

use crate::budget::{MOST_PLIES, SearchBudget};
use crate::command::GoCommand;
use crate::deepening::{RootLine, SearchRoot};
use crate::evaluation::evaluate;
use crate::game::{Game, legal_move};
use crate::node_search::{NodeSearch, final_score};
use crate::report::{InfoLine, Replies, SearchEffort, best_move};
use crate::score::Score;
use crate::signals::SearchSignals;
use crate::table_moves::{TableMove, table_moves};
use crate::transpositions::TranspositionTable;
use sakmak_probe::{LookupBudget, Tablebase};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::perft::perft;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The tables of an engine. Both tablebases read the same files.
#[derive(Debug)]
pub struct EngineTables {
    /// The tablebase for the root: it solves small tables that have no file.
    pub root: Tablebase,
    /// The tablebase for deeper positions: files only, because a search does not wait for a solver.
    pub nodes: Tablebase,
}

/// The task of a search.
pub struct SearchTask {
    /// The game; `None` if the last game was refused.
    pub game: Option<Game>,
    /// The limits and the moves to choose from.
    pub go: GoCommand,
    /// The number of best moves to report.
    pub lines: usize,
    /// Time reserved for communication with the graphical interface.
    pub overhead: Duration,
    /// The tables.
    pub tables: Arc<EngineTables>,
    /// The signals that stop the search.
    pub signals: Arc<SearchSignals>,
}

/// The time for a move below which the play after a move of the tables is not reported: finding it
/// may need a tenth of a second. Also the time after which the play after the second and later
/// moves of the tables is not reported.
const LINE_TIME: Duration = Duration::from_secs(1);

/// The maximum number of positions searched for the best among moves that draw by the tables: about
/// a second.
const DRAWN_NODES: u64 = 1_000_000;

/// Below this depth, counting positions cannot be stopped.
const SMALL_PERFT: u32 = 3;

impl SearchTask {
    /// Searches, then reports exactly one best move.
    pub fn run(&self, transpositions: &mut TranspositionTable, replies: &Replies<'_>) {
        if let (Some(game), Some(depth)) = (&self.game, self.go.perft) {
            self.count_positions(&game.position, depth, replies);
            self.signals.end();
            return;
        }
        let line = match &self.game {
            Some(game) => written(&self.best_line(game, transpositions, replies), &game.position),
            None => {
                replies.message(&"no position: the last 'position' was refused");
                Vec::new()
            }
        };
        self.signals.wait();
        self.signals.end();
        replies.line(&best_move(&line));
    }

    /// The best line. Empty without a legal move or a closing move.
    fn best_line(
        &self,
        game: &Game,
        transpositions: &mut TranspositionTable,
        replies: &Replies<'_>,
    ) -> Vec<Move> {
        let mut moves = self.choice(&game.position, replies);
        if moves.is_empty() {
            let value = game.position.final_value().unwrap_or(Value::Draw);
            let score = final_score(value, Plies(0));
            replies.line(&format_args!("info depth 0 score {score}"));
            // The game is lost; a program that expects one more move gets it.
            return game.position.closing_moves().iter().take(1).copied().collect();
        }
        let began = Instant::now();
        let mut budget = SearchBudget::new(&self.go, game.position.side(), self.overhead);
        let lookups = budget.lookups();
        let rated = table_moves(&self.tables.root, game, lookups).unwrap_or_else(|error| {
            replies.message(&error);
            None
        });
        let mut drawn = false;
        if let Some(mut rated) = rated {
            rated.retain(|rated| moves.contains(&rated.mv));
            match rated.first().map(|best| best.category) {
                // Among moves that draw, a search finds moves that set problems.
                Some(Category::Draw) => {
                    drawn = true;
                    rated.retain(|rated| rated.category == Category::Draw);
                    moves = rated.iter().map(|rated| rated.mv).collect();
                    if !self.go.infinite {
                        budget.nodes = budget.nodes.min(DRAWN_NODES);
                    }
                }
                _ => return self.table_line(&rated, began, lookups, replies),
            }
        }
        let (signals, tables) = (&*self.signals, &self.tables.nodes);
        let mut search = NodeSearch::new(game, budget, signals, tables, transpositions);
        let lines = self.lines;
        let root = SearchRoot { position: &game.position, moves: &moves, lines, budget, signals };
        let lines = root.deepen(&mut search, |search, depth, lines| {
            report(search, depth, lines, drawn, &game.position, replies);
        });
        if let Some(problem) = &search.problem {
            replies.message(problem);
        }
        // A search that ends before its first move returns any move.
        let best = lines.into_iter().next().unwrap_or_else(|| {
            let any = RootLine { score: evaluate(&game.position), moves: moves[..1].to_vec() };
            let told = std::slice::from_ref(&any);
            report(&search, Plies(1), told, drawn, &game.position, replies);
            any
        });
        best.moves
    }

    /// The legal moves to choose from.
    fn choice(&self, position: &Position, replies: &Replies<'_>) -> Vec<Move> {
        let mut moves = Vec::new();
        for text in &self.go.searchmoves {
            let legal = Move::from_uci(position.variant(), text)
                .ok()
                .and_then(|mv| legal_move(position, mv));
            match legal {
                Some(mv) if !moves.contains(&mv) => moves.push(mv),
                Some(_) => {}
                None => {
                    let text = Excerpt::of(text);
                    replies.message(&format_args!("go searchmoves: '{text}' is not a legal move"))
                }
            }
        }
        if moves.is_empty() { position.legal_moves().to_vec() } else { moves }
    }

    /// Reports the best moves of the tables. Returns the best line.
    fn table_line(
        &self,
        rated: &[TableMove],
        began: Instant,
        lookups: LookupBudget,
        replies: &Replies<'_>,
    ) -> Vec<Move> {
        let hits = rated.len() as u64;
        // The lines share the budget.
        let lookups =
            LookupBudget(lookups.0 / u32::try_from(self.lines).unwrap_or(u32::MAX).max(1));
        let mut best = Vec::new();
        let ranked = Instant::now();
        for (rated, rank) in rated.iter().zip(1..=self.lines) {
            let is_late = rank > 1 && ranked.elapsed() >= LINE_TIME;
            let line = match is_late || self.is_hurried(began) {
                true => vec![rated.mv],
                false => rated.line(&self.tables.root, lookups),
            };
            let length = Plies(line.len() as u32);
            replies.line(&InfoLine {
                depth: Plies(1),
                selective_depth: length,
                rank,
                score: rated.score,
                effort: SearchEffort { nodes: hits, table_hits: hits, time: began.elapsed() },
                line: &written(&line, &rated.after),
            });
            if rank == 1 {
                best = line;
            }
        }
        best
    }

    /// Whether a search that began at `began` has no time for the play expected after a move of the
    /// tables.
    fn is_hurried(&self, began: Instant) -> bool {
        let side = self.game.as_ref().map(|game| game.position.side());
        let time = side.and_then(|side| SearchBudget::new(&self.go, side, self.overhead).time);
        let left = time.map(|time| time.saturating_sub(began.elapsed()));
        self.signals.is_stopped() || left.is_some_and(|left| left < LINE_TIME)
    }

    /// Counts the lines of play after each move, like perft.
    fn count_positions(&self, position: &Position, depth: u64, replies: &Replies<'_>) {
        // Each ply needs stack.
        let Some(depth) = u32::try_from(depth).ok().filter(|&depth| depth <= MOST_PLIES) else {
            replies.message(&format_args!("perft counts at most {MOST_PLIES} plies, not {depth}"));
            return;
        };
        let mut sum = 0;
        for &mv in position.legal_moves().iter().filter(|_| depth > 0) {
            let Some(count) = self.perft(&position.play_uncounted(mv), depth - 1) else {
                replies.message(&"perft was stopped");
                return;
            };
            let mv = mv.uci(position.variant());
            replies.line(&format_args!("{mv}: {count}"));
            sum += count;
        }
        let sum = if depth == 0 { 1 } else { sum };
        replies.line(&format_args!("\nNodes searched: {sum}\n"));
    }

    /// The number of lines of play of this length. `None` if the count is stopped.
    fn perft(&self, position: &Position, depth: u32) -> Option<u64> {
        if depth <= SMALL_PERFT {
            return (!self.signals.is_stopped()).then(|| perft(position, depth));
        }
        let moves = position.legal_moves();
        moves.iter().map(|&mv| self.perft(&position.play_uncounted(mv), depth - 1)).sum()
    }
}

/// Moves in UCI with the letters of the variant of a position.
fn written(moves: &[Move], position: &Position) -> Vec<String> {
    moves.iter().map(|mv| mv.uci(position.variant())).collect()
}

/// Reports the lines of one depth.
fn report(
    search: &NodeSearch<'_>,
    depth: Plies,
    lines: &[RootLine],
    drawn: bool,
    position: &Position,
    replies: &Replies<'_>,
) {
    for (line, rank) in lines.iter().zip(1..) {
        replies.line(&InfoLine {
            depth,
            selective_depth: search.selective_depth,
            rank,
            score: if drawn { Score::DRAW } else { line.score },
            effort: search.effort(),
            line: &written(&line.moves, position),
        });
    }
}
