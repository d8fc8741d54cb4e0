// An exercise while it is played: the positions so far, what a move costs, the reply of the table,
// and how it ended. It has no texts and no page.

import { ServiceError, askPosition } from "./api.js";
import { otherSide } from "./fen.js";
import { bestMoves, isOver, valueOf, valueOfMove } from "./value.js";

/** What the side to move has to do, by the category of the position. */
const GOALS = { win: "mate", "blessed-loss": "hold", draw: "hold" };
/** Moves of the player after which a draw that nobody can force away counts as held. */
export const HELD = 15;

/** The answer for a position with its count: an exercise without it would be another one. */
async function answerOf(variant, fen) {
  const answer = await askPosition(variant, { fen, line: false, mate_in_time: true });
  const { missing_table: material } = answer;
  if (material) throw new ServiceError(404, { code: "no_table", missing: { material, too_many: 0 } });
  return answer;
}

export class Exercise {
  /** Opens an exercise in a position; none if the side to move has no goal there. */
  static async open(variant, fen) {
    const answer = await answerOf(variant, fen);
    const goal = !isOver(answer) && !answer.count?.over ? GOALS[answer.category] : undefined;
    return goal ? new Exercise(variant, goal, answer) : null;
  }

  constructor(variant, goal, answer) {
    this.variant = variant;
    this.goal = goal;
    this.material = answer.material;
    this.player = answer.fen.split(" ")[1] === "w" ? "white" : "black";
    this.steps = [{ answer }];
    this.mistakes = [];
    /** Whether a wrong move, a look at the solution or the end has settled that it is not done. */
    this.failed = false;
    /** "mate", "mated", "stalemate", "count", "bare" or "held" when it has ended. */
    this.ended = null;
  }

  /** The answer for the position on the board. */
  get answer() {
    return this.steps.at(-1).answer;
  }

  get toMove() {
    return this.answer.fen.split(" ")[1] === "w" ? "white" : "black";
  }

  get isPlayersTurn() {
    return !this.ended && this.toMove === this.player;
  }

  /** Whether neither side could force mate at the start. */
  get isDrawnWithoutCount() {
    return this.steps[0].answer.category === "draw";
  }

  /** Whether the exercise was done as it should be. */
  get isDone() {
    const done = this.goal === "mate" ? ["mate"] : ["mate", "stalemate", "count", "bare", "held"];
    return !this.failed && done.includes(this.ended);
  }

  /** Whether a move keeps the goal; its category is that of the other side after it. */
  keeps(move) {
    return this.goal === "mate" ? move.category === "loss" : move.category !== "win";
  }

  /** What a wrong move costs, in moves of the attacker: `before`, `after` (none: no mate), `left`. */
  cost(move) {
    const { answer } = this;
    const before = valueOf(answer, this.toMove, true).moves;
    return { before, after: valueOfMove(move, true).moves, left: answer.count?.moves_left ?? null };
  }

  /** Plays a move of the side to move. Returns it. */
  async play(uci) {
    const move = this.answer.moves.find((move) => move.uci === uci);
    const isPlayers = this.isPlayersTurn;
    const mistake = isPlayers && !this.keeps(move) ? { ply: this.steps.length, move, ...this.cost(move) } : null;
    const answer = await answerOf(this.variant, move.fen);
    if (mistake && !this.mistakes.length) this.failed = true;
    if (mistake) this.mistakes.push(mistake);
    this.steps.push({ answer, move });
    this.ended = this.#end(answer);
    return { move, mistake };
  }

  #end(answer) {
    const { stalemate, insufficient_material: bare, count } = answer;
    if (bare) return "bare";
    const lost = answer.category === "loss";
    if (isOver(answer) && (!stalemate || lost)) return this.toMove === this.player ? "mated" : "mate";
    if (stalemate) return "stalemate";
    if (count?.over) return "count";
    const played = Math.floor(this.steps.length / 2);
    const drawn = this.goal === "hold" && this.isDrawnWithoutCount && this.answer.category === "draw";
    return drawn && played >= HELD ? "held" : null;
  }

  /** The table plays one of the best replies. */
  async reply() {
    const best = bestMoves(this.answer, true);
    return this.play(best[Math.floor(Math.random() * best.length)].uci);
  }

  /** Takes back the last move of the player and the reply to it. */
  takeBack() {
    if (this.steps.length < 2) return;
    do this.steps.pop();
    while (this.toMove !== this.player && this.steps.length > 1);
    this.ended = null;
    this.mistakes = this.mistakes.filter(({ ply }) => ply < this.steps.length);
  }

  /** The other side than the player. */
  get opponent() {
    return otherSide(this.player);
  }
}
