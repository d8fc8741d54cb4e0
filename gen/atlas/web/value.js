// What an answer of the service says of a position and of its moves, with the count or without.
//
// `kind`: "win", "late" (mate comes too late, which is a draw), "draw" or "loss", for the side that
// moves.

import { otherSide } from "./fen.js";

const KINDS = {
  win: "win", "maybe-win": "win", "cursed-win": "late", draw: "draw", "blessed-loss": "draw", "maybe-loss": "loss", loss: "loss",
};
/** The categories of a position for the side that moved there. */
const REVERSED = {
  win: "loss", "maybe-win": "maybe-loss", "cursed-win": "blessed-loss", draw: "draw",
  "blessed-loss": "cursed-win", "maybe-loss": "maybe-win", loss: "win",
};
/** Moves of the attacker in plies to mate with a sign, or null. `own` is 1 to count a move before. */
export const movesIn = (plies, own = 0) => plies === null ? null : Math.ceil((Math.abs(plies) + own) / 2);

/** Whether the game is over in the position, by the rules of moves. */
export const isOver = (answer) =>
  answer.checkmate || answer.stalemate || answer.variant_win || answer.variant_loss || answer.moves.length === 0;

/** Whether an answer is shown with its count: somebody counts, and no table that the count needs is missing. */
export const isCounted = (step, answer) => step.counted && (!answer?.missing_table || Boolean(answer.count?.over));

/** The category of a position for its side to move; without a count by the distance to mate alone. */
export function categoryOf(answer, counted) {
  if (counted) return answer.category;
  if (answer.dtm === null) return "draw";
  return answer.dtm > 0 ? "win" : "loss";
}

/** Whether the tables lack the length of a mate in time, here or after a move. */
export const lacksMates = (answer) =>
  [answer, ...answer.moves].some(({ category, mate_in_time: mate }) => mate === null && (category === "win" || category === "loss"));

/** The value of a position: category, kind, the side that mates or null, and its moves or null. */
export function valueOf(answer, side, counted) {
  const category = categoryOf(answer, counted);
  const mates = { win: side, "cursed-win": side, loss: otherSide(side), "blessed-loss": otherSide(side) };
  const inTime = category === "win" || category === "loss";
  return {
    category,
    kind: KINDS[category],
    winner: mates[category] ?? null,
    moves: movesIn(counted && inTime ? answer.mate_in_time : answer.dtm),
  };
}

/** The same for a move, seen by the side that plays it. `moves` counts the move itself. */
export function valueOfMove(move, counted) {
  const category = REVERSED[categoryOf(move, counted)];
  const wins = category === "win" || category === "cursed-win";
  const inTime = category === "win" || category === "loss";
  return {
    category,
    kind: KINDS[category],
    moves: movesIn(counted && inTime ? move.mate_in_time : move.dtm, wins ? 1 : 0),
  };
}

/** The moves as good as the best one. */
export function bestMoves(answer, counted) {
  const moves = counted ? answer.moves : byDistance(answer.moves);
  if (!moves.length) return [];
  const same = (one, other) => one.category === other.category && one.moves === other.moves;
  const best = valueOfMove(moves[0], counted);
  const needed = moves[0].counted;
  return moves.filter((move) => same(valueOfMove(move, counted), best) && (!counted || move.counted === needed));
}

/** Moves by what they are worth if nothing is counted: quick wins first, long losses before short. */
export function byDistance(moves) {
  const rank = (move) => {
    const { kind, moves: count } = valueOfMove(move, false);
    if (kind === "draw") return 0;
    return kind === "win" ? -1e6 + count : 1e6 - count;
  };
  return [...moves].sort((one, other) => rank(one) - rank(other));
}
