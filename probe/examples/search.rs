//! A small alpha-beta search that probes, and how many positions the tables save it.
//!
//! usage: search TABLES [FEN [DEPTH]]
//!
//! If the tables have the root position, they give the move and there is no search. Within
//! the search a position with few enough men gets its score from the tables. Only a capture or
//! a promotion leads to such a position, so probes are rare. If a table is missing, the search
//! goes on without it.

use sakmak_probe::{
    Category, MAKRUK, Move, Piece, PieceKind, Position, ProbeError, Tablebase, Value,
};
use std::env;
use std::error::Error;

/// A rook and a met against a knight: five men.
const FEN: &str = "8/8/3k4/3n4/8/2M5/3R4/3K4 w - 128 10 1";

/// The default depth in plies.
const DEPTH: u32 = 5;

/// The search probes positions of at most this many men, kings included.
const MEN: usize = 4;

/// The score of mate, above that of all pieces together.
const MATE: i32 = 100_000;
/// The score of a win by the tables, below that of mate on the board.
const WON: i32 = 50_000;
/// The score of a win that comes too late: a draw unless the opponent forgets to count.
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
            let mate = match best.dtm {
                Value::Draw => String::new(),
                value => format!(", with no count {value}"),
            };
            println!("from the tables: {}, {}{mate}", best.san, best.category);
            return Ok(());
        }
        Ok(None) => return Err("the game is over".into()),
        Err(ProbeError::Missing { table, .. }) => println!("search: no table {table}"),
        Err(ProbeError::TooManyMen { men }) => println!("search: no table has {men} men"),
        Err(error) => return Err(error.into()),
    }
    println!("depth  positions  with tables  probes  saved  move  score");
    for depth in 1..=depth {
        let mut without = AlphaBeta::new(None);
        without.best(&position, depth)?;
        let mut with = AlphaBeta::new(Some(&tables));
        let (best, score) = with.best(&position, depth)?;
        let (many, few) = (without.positions, with.positions);
        let saved = 100 - (100 * few).div_ceil(many).min(100);
        let (probes, best) = (with.probes, best.uci(position.variant()));
        println!("{depth:5}  {many:9}  {few:11}  {probes:6}  {saved:4}%  {best}  {score:5}");
    }
    Ok(())
}

/// One search.
struct AlphaBeta<'a> {
    tables: Option<&'a Tablebase>,
    positions: u64,
    probes: u64,
}

impl<'a> AlphaBeta<'a> {
    fn new(tables: Option<&'a Tablebase>) -> AlphaBeta<'a> {
        AlphaBeta { tables, positions: 0, probes: 0 }
    }

    /// The best move and its score for the side to move, which must have a move.
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

    /// The score of the position after a move, for the side to move there; exact within the
    /// window. `ply` is its distance from the root.
    fn score(
        &mut self,
        before: &Position,
        mv: Move,
        depth: u32,
        [mut alpha, beta]: [i32; 2],
        ply: i32,
    ) -> Result<i32, ProbeError> {
        self.positions += 1;
        // `play` carries the count on, and the category takes it into account.
        let position = before.play(mv);
        match position.final_value() {
            Some(Value::Draw) => return Ok(0),
            Some(Value::Win(_)) => return Ok(MATE - ply),
            Some(Value::Loss(_)) => return Ok(ply - MATE),
            None => {}
        }
        if position.clock().is_some_and(|clock| clock.is_over()) {
            return Ok(0);
        }
        if let Some(category) = self.probe(before, &position)? {
            return Ok(match category {
                Category::Win => WON - ply,
                Category::CursedWin => TOO_LATE,
                Category::Draw => 0,
                Category::BlessedLoss => -TOO_LATE,
                Category::Loss => ply - WON,
            });
        }
        if depth == 0 {
            return Ok(balance(&position));
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

    /// The category of a position if a capture or promotion led to it and it has a table.
    fn probe(
        &mut self,
        before: &Position,
        position: &Position,
    ) -> Result<Option<Category>, ProbeError> {
        let Some(tables) = self.tables else { return Ok(None) };
        if position.occupied().len() > MEN || before.armies() == position.armies() {
            return Ok(None);
        }
        self.probes += 1;
        match tables.category(position) {
            Ok(category) => Ok(Some(category)),
            Err(ProbeError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The legal moves, captures first, in a fixed order.
fn ordered(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_cached_key(|mv| (position.at(mv.to).is_none(), mv.uci(position.variant())));
    moves
}

/// The balance of material in hundredths of a pawn, for the side to move.
fn balance(position: &Position) -> i32 {
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
