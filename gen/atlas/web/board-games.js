// Answers for board games with the fields that the page reads besides.

import { Position } from "./fen.js";
import { gameOf, isBoardGame } from "./games.js";
import { endsOf } from "./squares.js";

/** An answer in the page's fields. Moves have their men in `san`; the `fen` after a move that ends the game is null. */
export function answerOf(answer, language) {
  const { variant, fen, dtm, moves, line } = answer;
  if (!isBoardGame(variant)) return answer;
  const { pieces, shape } = gameOf(variant);
  const men = new Map(Position.parse(fen, shape).men);
  const named = (uci) => {
    const [from, to] = endsOf(uci);
    if (from === to) return { uci, san: language.say("move.pass") };
    const { letter } = pieces[men.get(from).toUpperCase()];
    return { uci, san: `${letter}${from}–${to}${uci.slice(from.length + to.length)}` };
  };
  // Without a count every mate is in time.
  const listed = moves.map((rated) => ({ ...rated, ...named(rated.uci), mate_in_time: rated.dtm }));
  const mainline = line.map((uci) => {
    const move = named(uci);
    const [from, to] = endsOf(uci);
    const man = men.get(from);
    men.delete(from);
    men.set(to, man);
    return move;
  });
  return { ...answer, mate_in_time: dtm, moves: listed, line: mainline, notes: [] };
}
