//! Lines of best play, compatible with lila-tablebase, with an additional line under the count.

use sakmak_probe::json::{end_schema, null_schema};
use sakmak_probe::{Answer, Lines};
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::rules::piece::Side;
use serde::Serialize;
use utoipa::ToSchema;

/// Best play from a position.
#[derive(Serialize, ToSchema)]
#[schema(as = mainline)]
pub struct MainlineJson {
    /// To mate, with no count; empty for a draw.
    mainline: Vec<MainlineMoveJson>,
    /// Who wins under the count, `w` or `b`; null for a draw, and with `missing_table` unless the mate
    /// is on the board or the next move.
    #[schema(required)]
    winner: Option<char>,
    #[schema(schema_with = null_schema)]
    dtz: (),
    #[schema(schema_with = null_schema)]
    precise_dtz: (),
    /// Plies to mate with no count: positive if the side to move mates, negative if it is mated, 0
    /// if it is mated now, null for a draw.
    #[schema(required)]
    dtm: Option<i64>,
    /// Null with `missing_table`.
    #[schema(required)]
    counted_mainline: Option<CountedMainlineJson>,
    /// The table of counted distance that is missing: then the line under the count is not known.
    #[schema(required)]
    missing_table: Option<String>,
}

/// A move of a line. Its distance is that of the position after it, for the side to move there.
#[derive(Serialize, ToSchema)]
#[schema(as = mainline_move)]
struct MainlineMoveJson {
    #[serde(flatten)]
    played: LineMoveJson,
    #[schema(schema_with = null_schema)]
    dtz: (),
    #[schema(schema_with = null_schema)]
    precise_dtz: (),
    /// Plies to mate with no count.
    #[schema(required)]
    dtm: Option<i64>,
}

/// Best play under the count.
#[derive(Serialize, ToSchema)]
#[schema(as = counted_mainline)]
struct CountedMainlineJson {
    /// The moves.
    moves: Vec<LineMoveJson>,
    #[schema(schema_with = end_schema)]
    end: &'static str,
    /// The position at its end.
    fen: String,
}

/// A move of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = line_move)]
struct LineMoveJson {
    /// The move in UCI.
    uci: String,
    /// The move in SAN.
    san: String,
}

impl MainlineJson {
    /// The lines of an answer.
    pub fn new(answer: &Answer, lines: &Lines) -> MainlineJson {
        let position = &answer.position;
        let left = (0..lines.uncounted.len()).rev();
        let left = left.map(|plies| Value::from_plies(Plies(plies as u32)));
        let mainline = with_san(position, &lines.uncounted).zip(left);
        let mainline = mainline.map(|(played, after)| MainlineMoveJson {
            played,
            dtz: (),
            precise_dtz: (),
            dtm: after.signed_plies(),
        });
        MainlineJson {
            mainline: mainline.collect(),
            winner: answer.winner().map(|side| if side == Side::White { 'w' } else { 'b' }),
            dtz: (),
            precise_dtz: (),
            dtm: answer.dtm.signed_plies(),
            counted_mainline: answer.missing.is_none().then(|| CountedMainlineJson {
                moves: with_san(position, &lines.counted.moves).collect(),
                end: lines.counted.end.name(),
                fen: lines.counted.last.fen(),
            }),
            missing_table: answer.missing.map(|table| table.to_string()),
        }
    }
}

/// The moves of a line in UCI and SAN.
fn with_san(position: &Position, line: &[Move]) -> impl Iterator<Item = LineMoveJson> {
    line.iter().scan(*position, |position, &mv| {
        let (uci, san) = (mv.uci(position.variant()), san(position, mv));
        *position = position.play(mv);
        Some(LineMoveJson { uci, san })
    })
}
