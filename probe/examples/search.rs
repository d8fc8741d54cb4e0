//! A small alpha-beta search that asks the tables, and how many positions that saves it.
//!
//! usage: search TABLES [FEN [DEPTH]]
//!
//! At the root, where the tables know the position, they give the move and nothing is
//! searched. Within the search a position that has few enough pieces is given its verdict and
//! gone into no further; only a capture or a promotion leads to one, so that look-ups are
//! rare. A table that is missing is no error: the search goes on without it.

use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::{Piece, PieceKind};
use sakmak_tables::variants::MAKRUK;
use std::env;
use std::error::Error;

/// A rook and a met against a knight: five men.
const FEN: &str = "8/8/3k4/3n4/8/2M5/3R4/3K4 w - 128 10 1";

/// Plies searched unless another number is asked for.
const DEPTH: u32 = 5;

/// The most men of positions that tables are asked about.
const MEN: usize = 4;

/// Worth more than any pieces.
const MATE: i32 = 100_000;
/// A win by the tables is as good as mate, but one on the board is better.
const WON: i32 = 50_000;
/// Mate that comes too late is a draw, though the opponent may forget to count.
const TOO_LATE: i32 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let directory = arguments.first().ok_or("usage: search TABLES [FEN [DEPTH]]")?;
    let fen = arguments.get(1).map_or(FEN, String::as_str);
    let depth = arguments.get(2).map_or(Ok(DEPTH), |depth| depth.parse())?;
    let tables = Tablebase::open(directory)?;
    let position = Position::from_fen(&MAKRUK, fen)?.with_count_running();
    println!("{}", position.fen());

    match tables.best_move(&position) {
        Ok(Some(best)) => {
            let mate = match best.value {
                Value::Draw => String::new(),
                value => format!(", with no count {value}"),
            };
            println!("by the tables: {}, {}{mate}", best.san, best.category);
            return Ok(());
        }
        Ok(None) => return Err("the game is over".into()),
        Err(ProbeError::Missing { table, .. }) => println!("searched: no table of {table}"),
        Err(ProbeError::TooManyMen { men }) => println!("searched: no table has {men} men"),
        Err(error) => return Err(error.into()),
    }
    println!("depth  positions  with tables  look-ups  saved  move  score");
    for depth in 1..=depth {
        let mut without = Search::new(None);
        without.best(&position, depth)?;
        let mut with = Search::new(Some(&tables));
        let (best, score) = with.best(&position, depth)?;
        let (many, few) = (without.positions, with.positions);
        let saved = 100 - (100 * few).div_ceil(many).min(100);
        let (look_ups, best) = (with.look_ups, best.to_string());
        println!("{depth:5}  {many:9}  {few:11}  {look_ups:8}  {saved:4}%  {best}  {score:5}");
    }
    Ok(())
}

/// One search.
struct Search<'a> {
    tables: Option<&'a Tablebase>,
    positions: u64,
    look_ups: u64,
}

impl<'a> Search<'a> {
    fn new(tables: Option<&'a Tablebase>) -> Search<'a> {
        Search { tables, positions: 0, look_ups: 0 }
    }

    /// The best move and its score, for the mover, who has a move.
    fn best(&mut self, position: &Position, depth: u32) -> Result<(Move, i32), ProbeError> {
        let moves = ordered(position);
        let mut best = (moves[0], -MATE);
        for mv in moves {
            let score = -self.score(position, mv, depth - 1, [-MATE, -best.1], 1)?;
            if score > best.1 {
                best = (mv, score);
            }
        }
        Ok(best)
    }

    /// What the position after a move is worth to whoever moves there, `ply` moves from the
    /// root; exact within the window.
    fn score(
        &mut self,
        before: &Position,
        mv: Move,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        ply: i32,
    ) -> Result<i32, ProbeError> {
        self.positions += 1;
        // The count goes on by itself; the verdict heeds it.
        let position = before.play(mv);
        match position.final_value() {
            Some(Value::Draw) => return Ok(0),
            Some(_) => return Ok(ply - MATE),
            None => {}
        }
        if position.clock().is_some_and(|clock| clock.is_over()) {
            return Ok(0);
        }
        if let Some(category) = self.verdict(before, &position)? {
            return Ok(match category {
                Category::Win => WON - ply,
                Category::CursedWin => TOO_LATE,
                Category::Draw => 0,
                Category::BlessedLoss => -TOO_LATE,
                Category::Loss => ply - WON,
            });
        }
        if depth == 0 {
            return Ok(men(&position));
        }
        let mut best = -MATE;
        for mv in ordered(&position) {
            let score = -self.score(&position, mv, depth - 1, [-beta, -alpha], ply + 1)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// What the tables say of a position where the pieces are others than before.
    fn verdict(
        &mut self,
        before: &Position,
        position: &Position,
    ) -> Result<Option<Category>, ProbeError> {
        let Some(tables) = self.tables else { return Ok(None) };
        if position.occupied().len() > MEN || before.armies() == position.armies() {
            return Ok(None);
        }
        self.look_ups += 1;
        match tables.category(position) {
            Ok(category) => Ok(Some(category)),
            Err(ProbeError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The legal moves, captures first, and in an order that never changes.
fn ordered(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_cached_key(|mv| (position.at(mv.to).is_none(), mv.to_string()));
    moves
}

/// The pieces, in hundredths of a pawn, for the mover.
fn men(position: &Position) -> i32 {
    let worth = |kind| match kind {
        PieceKind::King => 0,
        PieceKind::Rook => 500,
        PieceKind::Knight => 300,
        PieceKind::Khon => 250,
        PieceKind::Met => 150,
        PieceKind::Pawn => 100,
    };
    let sum = |side| {
        let of = |kind| worth(kind) * position.pieces_of(Piece::new(side, kind)).len() as i32;
        PieceKind::ALL.into_iter().map(of).sum::<i32>()
    };
    sum(position.side()) - sum(!position.side())
}
