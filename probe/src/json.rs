//! Answers as JSON, the same from `sakmak probe --json` and from the service, and the values that
//! `sakmak check --json` has of positions and moves.
//!
//! Keys of lila-tablebase have the same meaning here: `category` and `dtm` of a move belong to the
//! position after it, for the side to move there. Doc comments of fields are their descriptions in
//! `/openapi.json`.

#[doc(hidden)]
pub mod board_game;
mod partial;

use crate::tablebase::answer::{MAYBE_LOSS, MAYBE_WIN};
use crate::{Answer, Count, CountedLine, LineEnd, RatedMove, Solution};
use sakmak_tables::counting::{Category, Honour};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

/// The category of a position without a table, as in lila-tablebase.
const UNKNOWN: &str = "unknown";

/// The answer for a position, for the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = answer)]
pub struct AnswerJson<'a> {
    /// The position, with its count.
    fen: String,
    /// Name of the variant.
    variant: &'static str,
    /// Name of the counting rule.
    counting: &'static str,
    /// Material: the stronger side first.
    material: String,
    #[serde(flatten)]
    state: StateJson,
    #[schema(required)]
    count: Option<CountJson>,
    /// The table of counted distance that is missing: then the answer is without the count, a win
    /// or a loss is `maybe-win` or `maybe-loss`, and `mate_in_time` and `counted` are null. Null if
    /// the count is considered.
    #[schema(required)]
    missing_table: Option<String>,
    /// Counts that are dropped or may not be meant.
    notes: &'a [String],
    /// Legal moves, best first.
    moves: Vec<MoveJson<'a>>,
    /// Best play to mate with no count, in UCI; absent with line=false.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<Vec<String>>,
    /// Best play under the count; absent with line=false, and with `missing_table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    counted_line: Option<LineJson>,
    /// The right moves; only with solution=true, and absent with `missing_table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    solution: Option<SolutionJson>,
}

/// The values of a position under its count, for the side to move.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = values)]
pub struct ValuesJson {
    #[schema(schema_with = answer_category_schema)]
    category: Option<&'static str>,
    /// Plies to mate with no count: positive if the side to move mates, negative if it is mated, 0
    /// if it is mated now, null for a draw.
    #[schema(required)]
    dtm: Option<i64>,
    /// The shortest mate under the count in plies, with the sign of `dtm`. Null if no mate is in
    /// time, and if its length is not known because it depends on the moves that the count has
    /// left: then it is no shorter than `dtm`. The service searches it with `mate_in_time=true`;
    /// it is still null if the budget of lookups does not suffice.
    #[schema(required)]
    mate_in_time: Option<i64>,
    /// Moves of the count that the attacker needs, to mate or to the next count; of a move, that
    /// move included. Null if no count leaves enough.
    #[schema(required)]
    counted: Option<u32>,
}

/// A position as lila-tablebase describes it, and its values.
#[derive(Serialize, ToSchema)]
#[schema(as = state)]
struct StateJson {
    /// The side to move is mated.
    checkmate: bool,
    /// The side to move has no legal move and is not in check.
    stalemate: bool,
    /// The game is over and the side to move has won.
    variant_win: bool,
    /// The game is over and the side to move has lost without mate.
    variant_loss: bool,
    /// Bare kings: the game is drawn.
    insufficient_material: bool,
    #[schema(schema_with = null_schema)]
    dtz: (),
    #[schema(schema_with = null_schema)]
    precise_dtz: (),
    #[serde(flatten)]
    values: ValuesJson,
}

/// A legal move. From `checkmate` to `mate_in_time` the fields are those of the position after the
/// move, for the side to move there.
#[derive(Serialize, ToSchema)]
#[schema(as = legal_move)]
struct MoveJson<'a> {
    /// The move in UCI.
    uci: String,
    /// The move in SAN.
    san: &'a str,
    /// A capture or a move of a pawn.
    zeroing: bool,
    /// A capture or a promotion.
    conversion: bool,
    #[serde(flatten)]
    state: StateJson,
    /// The position after the move, with its count.
    fen: String,
}

/// The count that runs, or that starts in the position.
#[derive(Serialize, ToSchema)]
#[schema(as = count)]
struct CountJson {
    #[schema(schema_with = honour_schema)]
    rule: &'static str,
    /// True if the FEN or the call has the count, false if it starts in the position.
    running: bool,
    #[schema(schema_with = side_schema)]
    attacker: &'static str,
    #[schema(schema_with = side_schema)]
    runner: &'static str,
    /// True if the runner may claim the draw.
    over: bool,
    /// Limit of the count in moves.
    limit: u32,
    /// Moves counted so far: the last number that the runner called, or the number before the
    /// first one.
    called: u32,
    /// True if the runner has called a number of this count.
    has_called: bool,
    /// Moves left to the attacker for a mate in time.
    moves_left: u32,
    /// Limit in plies, as in the FEN.
    limit_plies: u32,
    /// Count in plies, as in the FEN.
    plies: u32,
}

/// Best play under the count.
#[derive(Serialize, ToSchema)]
#[schema(as = line)]
struct LineJson {
    /// The moves in UCI.
    moves: Vec<String>,
    #[schema(schema_with = end_schema)]
    end: &'static str,
    /// The position at its end.
    fen: String,
}

/// The moves that keep the result, and whether the solution of a win is unique.
#[derive(Serialize, ToSchema)]
#[schema(as = solution)]
struct SolutionJson {
    /// Number of legal moves that keep the result under the count.
    kept: u32,
    /// Number of legal moves that keep the result if nobody counts.
    kept_uncounted: u32,
    /// True if exactly one move wins in time at every turn of the winner, against all defences.
    /// Null if the side to move does not win in time, and if the budget of lookups does not suffice.
    #[schema(required)]
    unique: Option<bool>,
    /// True if exactly one move has the shortest mate in time at every turn of the winner, against
    /// all defences. Null as for `unique`, and if a length is not known.
    #[schema(required)]
    shortest_unique: Option<bool>,
    /// Turns of the winner from here with exactly one move that wins in time, along best play.
    only_moves: u32,
}

impl<'a> AnswerJson<'a> {
    /// The JSON of an answer.
    pub fn new(answer: &'a Answer) -> AnswerJson<'a> {
        let position = &answer.position;
        AnswerJson {
            count: answer.count.as_ref().map(CountJson::new),
            missing_table: answer.missing.map(|table| table.to_string()),
            moves: answer.moves.iter().map(|rated| MoveJson::new(answer, rated)).collect(),
            line: answer.lines.as_ref().map(|lines| uci(&lines.uncounted, position)),
            counted_line: answer
                .lines
                .as_ref()
                .filter(|_| answer.missing.is_none())
                .map(|lines| LineJson::new(&lines.counted)),
            solution: answer.solution.map(SolutionJson::new),
            ..AnswerJson::without_moves(position, &answer.notes, ValuesJson::of_position(answer))
        }
    }

    fn without_moves(
        position: &Position,
        notes: &'a [String],
        values: ValuesJson,
    ) -> AnswerJson<'a> {
        AnswerJson {
            fen: position.fen(),
            variant: position.variant().name,
            counting: position.counting_rule().name,
            material: position.material().material.to_string(),
            state: StateJson::new(position, values),
            count: None,
            missing_table: None,
            notes,
            moves: Vec::new(),
            line: None,
            counted_line: None,
            solution: None,
        }
    }
}

impl ValuesJson {
    /// The values of the position of an answer.
    pub fn of_position(answer: &Answer) -> ValuesJson {
        let Answer { category, dtm, mate_in_time, counted, .. } = *answer;
        let values = ValuesJson::new(category, dtm, mate_in_time, counted);
        match answer.missing {
            None => values,
            Some(_) => values.without_count(answer.category_name()),
        }
    }

    /// The values of the position after a move.
    pub fn of_move(rated: &RatedMove) -> ValuesJson {
        let after = rated.mate_in_time.map(Value::after_move);
        let category = rated.category.reversed();
        ValuesJson::new(category, rated.dtm.after_move(), after, rated.counted)
    }

    /// The values if the count is left out because its table is missing.
    fn without_count(self, category: &'static str) -> ValuesJson {
        let in_time = [Category::Win, Category::Loss].map(Category::name).contains(&category);
        ValuesJson {
            category: Some(category),
            dtm: self.dtm,
            mate_in_time: self.dtm.filter(|_| in_time),
            counted: None,
        }
    }

    /// The values of a position without a table.
    fn unknown() -> ValuesJson {
        ValuesJson { category: Some(UNKNOWN), ..ValuesJson::default() }
    }

    fn new(
        category: Category,
        dtm: Value,
        mate_in_time: Option<Value>,
        counted: Value,
    ) -> ValuesJson {
        ValuesJson {
            category: Some(category.name()),
            dtm: dtm.signed_plies(),
            mate_in_time: mate_in_time.and_then(Value::signed_plies),
            counted: counted.moves().map(|moves| moves.0),
        }
    }
}

impl StateJson {
    fn new(position: &Position, values: ValuesJson) -> StateJson {
        let outcome = position.outcome();
        // A check that ends the game need not be mate.
        let mates = !position.variant().rules.end.check_loses;
        let checkmate = mates && outcome == Some(Outcome::Checkmate);
        let lost = position.final_value() == Some(Value::Loss(Moves(0)));
        StateJson {
            checkmate,
            stalemate: outcome == Some(Outcome::Stalemate),
            variant_win: false,
            variant_loss: lost && !checkmate,
            insufficient_material: position.has_bare_kings(),
            dtz: (),
            precise_dtz: (),
            values,
        }
    }
}

impl MoveJson<'_> {
    fn new<'a>(answer: &Answer, rated: &'a RatedMove) -> MoveJson<'a> {
        let values = match answer.missing {
            None => ValuesJson::of_move(rated),
            Some(_) => ValuesJson::of_move(rated).without_count(answer.category_name_after(rated)),
        };
        MoveJson::of(&answer.position, rated, values)
    }

    /// A rated move, with these values of the position after it.
    fn of<'a>(position: &Position, rated: &'a RatedMove, values: ValuesJson) -> MoveJson<'a> {
        let RatedMove { mv, san, after, .. } = rated;
        MoveJson::to(position, *mv, san, after, values)
    }

    /// A move to a position with these values.
    fn to<'a>(
        position: &Position,
        mv: Move,
        san: &'a str,
        after: &Position,
        values: ValuesJson,
    ) -> MoveJson<'a> {
        let pawns = position.pieces_of(Piece::new(position.side(), PieceKind::Pawn));
        let capture = position.is_capture(mv);
        MoveJson {
            uci: mv.uci(position.variant()),
            san,
            zeroing: capture || pawns.contains(mv.from),
            conversion: capture || mv.promotion.is_some(),
            state: StateJson::new(after, values),
            fen: after.fen(),
        }
    }
}

impl CountJson {
    fn new(count: &Count) -> CountJson {
        CountJson {
            rule: count.honour.name(),
            running: count.running,
            attacker: count.attacker.name(),
            runner: count.runner().name(),
            over: count.clock.is_over(),
            limit: count.limit.0,
            called: count.called.0,
            has_called: count.has_called,
            moves_left: count.moves_left.0,
            limit_plies: count.clock.limit().0,
            plies: count.clock.count().0,
        }
    }
}

impl SolutionJson {
    fn new(solution: Solution) -> SolutionJson {
        let Solution { kept, kept_uncounted, unique, shortest_unique, only_moves } = solution;
        SolutionJson { kept, kept_uncounted, unique, shortest_unique, only_moves }
    }
}

impl LineJson {
    fn new(line: &CountedLine) -> LineJson {
        LineJson { moves: uci(&line.moves, &line.last), end: line.end.name(), fen: line.last.fen() }
    }
}

/// Moves in UCI, in the letters of a position's variant.
fn uci(moves: &[Move], position: &Position) -> Vec<String> {
    moves.iter().map(|mv| mv.uci(position.variant())).collect()
}

/// The schema of a text that is one of these names.
#[doc(hidden)]
pub fn name_schema(
    names: impl IntoIterator<Item = &'static str>,
    description: &'static str,
) -> Object {
    let names = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    names.description(Some(description)).build()
}

/// The schema of a field that lila-tablebase has and that is always `null` here.
#[doc(hidden)]
pub fn null_schema() -> Object {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    null.description(Some("Always null: there is no such distance in these games.")).build()
}

/// The schema of a category.
#[doc(hidden)]
pub fn category_schema() -> Object {
    let description = "Category under the count, for the side to move. cursed-win and \
                       blessed-loss are draws: the mate comes too late.";
    name_schema(Category::ALL.map(Category::name), description)
}

/// The schema of the category of an answer, which may be without the count.
fn answer_category_schema() -> Object {
    let description = "Category under the count, for the side to move. cursed-win and \
                       blessed-loss are draws: the mate comes too late. maybe-win and maybe-loss \
                       may be: the table that decides is missing. unknown where the service has no \
                       table, beside moves that lead into tables.";
    let names = Category::ALL.map(Category::name).into_iter();
    name_schema(names.chain([MAYBE_LOSS, MAYBE_WIN, UNKNOWN]), description)
}

/// The schema of a side.
#[doc(hidden)]
pub fn side_schema() -> Object {
    let description = "The attacker must mate in time, the runner counts.";
    name_schema(Side::BOTH.map(Side::name), description)
}

/// The schema of a kind of count.
fn honour_schema() -> Object {
    let kinds = [Honour::Pieces, Honour::Boards, Honour::FiftyMoves];
    name_schema(kinds.map(Honour::name), "Kind of count.")
}

/// The schema of the end of a line.
#[doc(hidden)]
pub fn end_schema() -> Object {
    name_schema(LineEnd::ALL.map(LineEnd::name), "How the line ends.")
}

/// A value as JSON in one line.
///
/// # Errors
///
/// If the value cannot be written.
pub fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(value).map(escaped)
}

/// A value as JSON in lines.
///
/// # Errors
///
/// If the value cannot be written.
pub fn pretty_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(escaped)
}

/// Escapes the control characters that the library leaves unescaped. They occur in strings only.
fn escaped(json: String) -> String {
    let is_raw = |letter: char| ('\u{7f}'..='\u{9f}').contains(&letter);
    if !json.contains(is_raw) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_raw(letter) {
            true => escaped += &format!("\\u{:04x}", u32::from(letter)),
            false => escaped.push(letter),
        }
    }
    escaped
}
