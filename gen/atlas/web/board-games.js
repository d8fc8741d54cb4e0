// Answers for board games in the fields of the answers for chess-like games.

import { Position } from "./fen.js";
import { gameOf, isBoardGame } from "./games.js";
import { endsOf } from "./squares.js";

/** The first words of results. */
const SIGNS = { win: 1, loss: -1, lost: -1 };

/** The value of a position for its side to move, with the plies to the end and a sign. */
function valueFor(sign, plies) {
  const category = { 1: "win", "-1": "loss" }[sign] ?? "draw";
  const dtm = sign ? sign * plies : null;
  return { category, dtm, mate_in_time: dtm };
}

/** An answer in the page's fields. Moves have their men in `san`; the `fen` after a move that ends the game is null. */
export function answerOf(answer, language) {
  const { variant, fen, result, plies, moves, line } = answer;
  if (!isBoardGame(variant)) return answer;
  const { pieces, shape } = gameOf(variant);
  const signOf = (text) => SIGNS[text.split(" ")[0]] ?? 0;
  const men = new Map(Position.parse(fen, shape).men);
  const named = (uci) => {
    const [from, to] = endsOf(uci);
    if (from === to) return { uci, san: language.say("move.pass") };
    const { letter } = pieces[men.get(from).toUpperCase()];
    return { uci, san: `${letter}${from}–${to}${uci.slice(from.length + to.length)}` };
  };
  const listed = moves.map(({ move, ...rated }) => ({
    ...named(move),
    fen: rated.fen,
    // A move has the value for the side that makes it.
    ...valueFor(-signOf(rated.result), rated.plies - 1),
  }));
  const mainline = line.map((uci) => {
    const move = named(uci);
    const [from, to] = endsOf(uci);
    const man = men.get(from);
    men.delete(from);
    men.set(to, man);
    return move;
  });
  const sign = signOf(result);
  return {
    fen, ...valueFor(sign, plies), moves: listed, line: mainline, variant_loss: !moves.length && sign < 0, notes: [],
  };
}
