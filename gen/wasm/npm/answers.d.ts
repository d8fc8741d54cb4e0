// The answers of the service: written from its description, /openapi.json, by
// SAKMAK_WRITE=1 cargo test -p sakmak-wasm --test types

/** The answer for a position, for the side to move. */
export interface Answer extends State {
  count: Count | null;
  /** Best play under the count; absent with line=false, and with `missing_table`. */
  counted_line?: Line;
  /** Name of the counting rule. */
  counting: string;
  /** The position, with its count. */
  fen: string;
  /** Best play to mate with no count, in UCI; absent with line=false. */
  line?: string[];
  /** Material: the stronger side first. */
  material: string;
  /** The table of counted distance that is missing: then the answer is without the count, a win or a loss is `maybe-win` or `maybe-loss`, and `mate_in_time` and `counted` are null. Null if the count is considered. */
  missing_table: string | null;
  /** Legal moves, best first. */
  moves: LegalMove[];
  /** Counts that are dropped or may not be meant. */
  notes: string[];
  /** The right moves; only with solution=true, and absent with `missing_table`. */
  solution?: Solution;
  /** Name of the variant. */
  variant: string;
}

/** The answer for a position of a board game, for the side to move. */
export interface BoardAnswer extends BoardState {
  /** The position. */
  fen: string;
  /** Best play to the end, empty for a draw; absent with line=false. */
  line?: string[];
  /** Material: the stronger side first. */
  material: string;
  /** Legal moves, best first. */
  moves: BoardMove[];
  /** Name of the variant. */
  variant: string;
}

/** A game with a board of its own, such as Janggi. It has no counting rules. */
export interface BoardGame {
  /** FENs of a few men to begin with, which may lack tables. */
  examples: string[];
  /** Number of files. */
  files: number;
  /** Lines that are neither files nor ranks, each from a point to another. */
  lines: string[][];
  /** Materials that have files, by number of men. */
  materials: string[];
  /** Kinds of men. */
  men: BoardGameMan[];
  /** Name, for the path. */
  name: string;
  /** Whether men stand on crossings of lines, and not on squares. */
  on_crossings: boolean;
  /** Other names that the path may have. */
  other_names: string[];
  /** Number of ranks. */
  ranks: number;
  /** Names of the two sides; the first has capital letters in FEN. */
  sides: string[];
}

/** A kind of man of a board game. */
export interface BoardGameMan {
  /** The sign on the man of each side; empty if it has none. */
  faces: string[];
  /** Its capital letter in FEN. */
  letter: string;
  /** Its letter in names of materials. */
  material_letter: string;
  /** Its name in Latin letters. */
  name: string;
}

/** A legal move of a board game. From `variant_loss` to `dtm` the fields are those of the position after the move, for the side to move there. */
export interface BoardMove extends BoardState {
  /** The position after the move; null if the move ends the game. */
  fen: string | null;
  /** The origin and the target of the man; equal squares are a pass. In `min-rek-chanh-called`, `!` marks an order to rek, as in `a2a3!`. */
  uci: string;
}

/** A position and its value, for the side to move. */
export interface BoardState {
  /** Category, for the side to move. */
  category: "loss" | "draw" | "win";
  /** Plies to the end: positive if the side to move wins, negative if it loses, 0 if it has lost, null for a draw. */
  dtm: number | null;
  /** The game is over and the side to move has lost. */
  variant_loss: boolean;
}

/** The count that runs, or that starts in the position. */
export interface Count {
  /** The attacker must mate in time, the runner counts. */
  attacker: "white" | "black";
  /** Moves counted so far: the last number that the runner called, or the number before the first one. */
  called: number;
  /** True if the runner has called a number of this count. */
  has_called: boolean;
  /** Limit of the count in moves. */
  limit: number;
  /** Limit in plies, as in the FEN. */
  limit_plies: number;
  /** Moves left to the attacker for a mate in time. */
  moves_left: number;
  /** True if the runner may claim the draw. */
  over: boolean;
  /** Count in plies, as in the FEN. */
  plies: number;
  /** Kind of count. */
  rule: "pieces-honour" | "boards-honour" | "fifty-moves";
  /** The attacker must mate in time, the runner counts. */
  runner: "white" | "black";
  /** True if the FEN or the call has the count, false if it starts in the position. */
  running: boolean;
}

/** Best play under the count. */
export interface CountedMainline {
  /** How the line ends. */
  end: "checkmate" | "stalemate" | "bare-king" | "bare-kings" | "claim" | "repetition";
  /** The position at its end. */
  fen: string;
  /** The moves. */
  moves: LineMove[];
}

/** An error. */
export interface ErrorBody {
  error: ErrorFields;
}

/** The name of an error for programs. */
export type ErrorCode = "no_path" | "no_method" | "no_variant" | "bad_request" | "bad_fen" | "leap_rights" | "bad_call" | "no_table" | "no_exercise" | "no_count" | "too_large" | "busy" | "timed_out" | "bad_table" | "internal";

/** The fields of an error. */
export interface ErrorFields {
  code: ErrorCode;
  /** The error in one line. */
  message: string;
  /** With the code no_table only. */
  missing?: Missing;
  /** The reason for pages in other languages, where it has a name. */
  reason?: Reason;
}

/** An exercise. */
export interface Exercise {
  /** Category under the count, for the side to move. cursed-win and blessed-loss are draws: the mate comes too late. */
  category: "loss" | "blessed-loss" | "draw" | "cursed-win" | "win";
  /** Plies to mate with no count: positive if the side to move mates, negative if it is mated, null for a draw. */
  dtm: number | null;
  /** Position with its count. */
  fen: string;
  /** Task of the side to move: mate before the count ends, or hold the draw. */
  goal: "mate" | "hold";
  /** The moves left on the clock minus those that the attacker needs; null if no count runs or none leaves enough. */
  margin: number | null;
  /** Material: the stronger side first. */
  material: string;
  /** Name of the variant. */
  variant: string;
}

/** The answer for a position as JSON. */
export interface FoundAnswer extends Answer {
  /** The table that the answer lacks: moves to positions without a table are unknown, and there are no lines. Absent if the answer is whole. */
  missing?: Missing;
}

/** A legal move. From `checkmate` to `mate_in_time` the fields are those of the position after the move, for the side to move there. */
export interface LegalMove extends State {
  /** A capture or a promotion. */
  conversion: boolean;
  /** The position after the move, with its count. */
  fen: string;
  /** The move in SAN. */
  san: string;
  /** The move in UCI. */
  uci: string;
  /** A capture or a move of a pawn. */
  zeroing: boolean;
}

/** Best play under the count. */
export interface Line {
  /** How the line ends. */
  end: "checkmate" | "stalemate" | "bare-king" | "bare-kings" | "claim" | "repetition";
  /** The position at its end. */
  fen: string;
  /** The moves in UCI. */
  moves: string[];
}

/** A move of a line. */
export interface LineMove {
  /** The move in SAN. */
  san: string;
  /** The move in UCI. */
  uci: string;
}

/** Best play from a position. */
export interface Mainline {
  counted_mainline: CountedMainline | null;
  /** Plies to mate with no count: positive if the side to move mates, negative if it is mated, 0 if it is mated now, null for a draw. */
  dtm: number | null;
  /** Always null: there is no such distance in these games. */
  dtz: null;
  /** To mate, with no count; empty for a draw. */
  mainline: MainlineMove[];
  /** The table of counted distance that is missing: then the line under the count is not known. */
  missing_table: string | null;
  /** Always null: there is no such distance in these games. */
  precise_dtz: null;
  /** Who wins under the count, `w` or `b`; null for a draw, and with `missing_table` unless the mate is on the board or the next move. */
  winner: string | null;
}

/** A move of a line. Its distance is that of the position after it, for the side to move there. */
export interface MainlineMove extends LineMove {
  /** Plies to mate with no count. */
  dtm: number | null;
  /** Always null: there is no such distance in these games. */
  dtz: null;
  /** Always null: there is no such distance in these games. */
  precise_dtz: null;
}

/** The kind of positions that no table has. */
export interface Missing {
  /** The most men of a position that has an answer. */
  largest: number;
  /** Material of the position. */
  material: string;
  /** Its men, kings included. */
  men: number;
  /** Men above `largest`; 0 if only this material is missing. */
  too_many: number;
}

/** A kind of piece. */
export interface Piece {
  /** Its capital letter in FEN and SAN. */
  letter: string;
  /** Its name in Latin letters. */
  name: string;
}

/** Why a position or a count cannot be, for texts in other languages. */
export interface Reason {
  /** The number given. */
  given?: number;
  /** The least number that is possible. */
  least?: number;
  /** The greatest number that is possible. */
  most?: number;
  name: ReasonName;
  /** The side that it is about. */
  side?: string;
  /** The square that it is about. */
  square?: string;
}

/** The name of a reason. */
export type ReasonName = "kings_adjacent" | "checked_waiter" | "pawn_rank" | "kings" | "nothing_counted" | "either_side" | "other_side" | "below_men" | "over";

/** The moves that keep the result, and whether the solution of a win is unique. */
export interface Solution {
  /** Number of legal moves that keep the result under the count. */
  kept: number;
  /** Number of legal moves that keep the result if nobody counts. */
  kept_uncounted: number;
  /** Turns of the winner from here with exactly one move that wins in time, along best play. */
  only_moves: number;
  /** True if exactly one move has the shortest mate in time at every turn of the winner, against all defences. Null as for `unique`, and if a length is not known. */
  shortest_unique: boolean | null;
  /** True if exactly one move wins in time at every turn of the winner, against all defences. Null if the side to move does not win in time, and if the budget of lookups does not suffice. */
  unique: boolean | null;
}

/** A position as lila-tablebase describes it, and its values. */
export interface State extends Values {
  /** The side to move is mated. */
  checkmate: boolean;
  /** Always null: there is no such distance in these games. */
  dtz: null;
  /** Bare kings: the game is drawn. */
  insufficient_material: boolean;
  /** Always null: there is no such distance in these games. */
  precise_dtz: null;
  /** The side to move has no legal move and is not in check. */
  stalemate: boolean;
  /** The game is over and the side to move has lost without mate. */
  variant_loss: boolean;
  /** The game is over and the side to move has won. */
  variant_win: boolean;
}

/** The values of a position under its count, for the side to move. */
export interface Values {
  /** Category under the count, for the side to move. cursed-win and blessed-loss are draws: the mate comes too late. maybe-win and maybe-loss may be: the table that decides is missing. unknown where the service has no table, beside moves that lead into tables. */
  category?: "loss" | "blessed-loss" | "draw" | "cursed-win" | "win" | "maybe-loss" | "maybe-win" | "unknown";
  /** Moves of the count that the attacker needs, to mate or to the next count; of a move, that move included. Null if no count leaves enough. */
  counted: number | null;
  /** Plies to mate with no count: positive if the side to move mates, negative if it is mated, 0 if it is mated now, null for a draw. */
  dtm: number | null;
  /** The shortest mate under the count in plies, with the sign of `dtm`. Null if no mate is in time, and if its length is not known because it depends on the moves that the count has left: then it is no shorter than `dtm`. The service searches it with `mate_in_time=true`; it is still null if the budget of lookups does not suffice. */
  mate_in_time: number | null;
}

/** A variant. */
export interface Variant {
  /** Names of its counting rules, the usual one first. */
  counting: string[];
  /** Whether its usual counting rule has a count. */
  counts: boolean;
  /** Goal of the winner: `mate`, the first `check`, or a `win` in other ways than mate too. */
  goal: string;
  /** The most men of a position that has an answer. */
  largest: number;
  /** Materials that have files for the usual counting rule, by number of men. */
  materials: string[];
  /** Name, for the path. */
  name: string;
  /** All positions of at most this many men have an answer, but for those with refused pawns. */
  on_the_spot: number;
  /** Other names that the path may have. */
  other_names: string[];
  /** The pieces by the letters of materials. */
  pieces: Record<string, Piece>;
  /** Whether positions with pawns are refused. */
  refuses_pawns: boolean;
  /** The position at the start of a game. */
  start: string;
  /** Materials that have files of distances only: answers are without the count. */
  uncounted: string[];
}

/** The variants. */
export interface Variants {
  /** Games with a board of their own, such as Janggi, that have tables. */
  board_games: BoardGame[];
  variants: Variant[];
}
