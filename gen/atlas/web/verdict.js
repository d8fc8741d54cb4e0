// What a position is worth, in one sentence with its reason, and its count in one more.

import { otherSide } from "./fen.js";
import { sideName } from "./pieces.js";
import { movesIn, valueOf } from "./value.js";

const HONOURS = {
  "pieces-honour": "count.pieces",
  "boards-honour": "count.boards",
  "fifty-moves": "count.fifty-moves",
};

/** The moves that a count leaves: "25 moves are left". */
const left = (language, count) => language.say(count === 1 ? "left.one" : "left.many", { count });

/** The moves that a count leaves where they are too few: "only 2 moves are left". */
const only = (language, count) => language.say(count === 1 ? "only.one" : "only.many", { count });

/** The verdict on a position with this side to move. */
export function verdict(language, answer, side, counted) {
  const value = valueOf(answer, side, counted);
  const ended = endOf(language, answer, side);
  if (ended) return ended;
  if (counted && answer.count?.over) {
    return language.say("verdict.over", { runner: sideName(language, answer.count.runner) });
  }
  if (value.category === "draw") return language.say("verdict.draw");
  const winner = sideName(language, value.winner);
  const inTime = value.category === "win" || value.category === "loss";
  return inTime
    ? wonText(language, answer, winner, value, counted)
    : lateText(language, answer, winner, value);
}

function endOf(language, answer, side) {
  const other = sideName(language, otherSide(side));
  if (answer.checkmate) return language.say("verdict.mate", { winner: other });
  if (answer.variant_loss) return language.say("verdict.won", { winner: other });
  if (answer.variant_win) return language.say("verdict.won", { winner: sideName(language, side) });
  if (answer.stalemate && answer.category === "loss") return language.say("verdict.won", { winner: other });
  if (answer.stalemate) return language.say("verdict.stalemate");
  if (answer.insufficient_material) return language.say("verdict.bare");
  return null;
}

function wonText(language, answer, winner, value, counted) {
  const count = counted ? answer.count : null;
  if (value.moves === null) {
    const least = language.moves(movesIn(answer.dtm));
    return language.say("verdict.win.least", { winner, moves: least });
  }
  const moves = language.moves(value.moves);
  if (!count) return language.say("verdict.win", { winner, moves });
  if (value.moves > count.moves_left) return language.say("verdict.win.change", { winner, moves });
  return language.say("verdict.win.left", { winner, moves, left: left(language, count.moves_left) });
}

function lateText(language, answer, winner, value) {
  const moves = language.moves(value.moves);
  const { count } = answer;
  if (!count || value.moves <= count.moves_left) return language.say("verdict.late.change", { winner, moves });
  return language.say("verdict.late.left", { winner, moves, left: only(language, count.moves_left) });
}

/** The count of a position: whose it is, and how far. */
export function countText(language, count) {
  if (!count) return language.say("count.free");
  const holes = { runner: sideName(language, count.runner), limit: count.limit };
  const next = { ...holes, first: count.called + 1 };
  const text = count.has_called
    ? language.say("count.running", { ...holes, called: count.called })
    : language.say(count.running ? "count.next" : "count.starting", next);
  return `${language.say(HONOURS[count.rule])}: ${text}`;
}
