// The trainer's messages to a player, in sentences.

import { sideName } from "./pieces.js";
import { figured } from "./san.js";
import { HELD } from "./trainer-exercise.js";

/** What is to be done. */
export function taskText(language, exercise) {
  const { goal, answer, player, opponent } = exercise;
  const [side, other] = [sideName(language, player), sideName(language, opponent)];
  const { count } = answer;
  if (goal === "mate") {
    return count
      ? language.say("trainer.task.mate", { side, moves: language.moves(count.moves_left) })
      : language.say("trainer.task.mate.free", { side });
  }
  return exercise.isDrawnWithoutCount
    ? language.say("trainer.task.hold.free", { side, moves: language.moves(HELD) })
    : language.say("trainer.task.hold", { side, other, moves: language.moves(count?.moves_left ?? 0) });
}

/** The count as it is called. */
export function countText(language, { count }) {
  if (!count) return language.say("trainer.count.none");
  const [runner, attacker] = [count.runner, count.attacker].map((side) => sideName(language, side));
  const holes = { runner, attacker, called: count.called, limit: count.limit };
  if (count.over) return language.say("trainer.count.over", holes);
  const moves = language.moves(count.moves_left);
  if (count.has_called) return language.say("trainer.count", { ...holes, moves });
  return language.say("trainer.count.next", { runner, attacker, moves, first: count.called + 1, limit: count.limit });
}

/** What a wrong move costs. */
export function costText(language, exercise, { move, before, after, left }) {
  const other = sideName(language, exercise.opponent);
  const holes = { move: move.san, other, before, after, left };
  if (exercise.goal === "hold") {
    return language.say(left === null ? "trainer.cost.hold.free" : "trainer.cost.hold", holes);
  }
  if (move.category === "win") return language.say("trainer.cost.loses", holes);
  if (after === null) return language.say("trainer.cost.draw", holes);
  return language.say(left === null ? "trainer.cost.late.free" : "trainer.cost.late", holes);
}

/** Keys of the ways an exercise ends. */
const ENDS = {
  mate: "trainer.end.mate",
  mated: "trainer.end.mated",
  stalemate: "verdict.stalemate",
  count: "trainer.end.count",
  bare: "verdict.bare",
  held: "trainer.end.held",
};

/** How an exercise has ended, and whether it was done. */
export function endText(language, exercise) {
  const end = language.say(ENDS[exercise.ended]);
  const wrong = exercise.mistakes.length;
  if (exercise.isDone) return `${end} ${language.say("trainer.done")}`;
  if (!wrong) return `${end} ${language.say("trainer.helped")}`;
  return `${end} ${language.say(wrong === 1 ? "trainer.mistakes.one" : "trainer.mistakes.many", { count: wrong })}`;
}

/** The moves played, with their numbers, as parts of an element. */
export function playedMoves({ variant, steps: [first, ...steps] }) {
  const black = first.answer.fen.split(" ")[1] === "b";
  return steps.flatMap(({ move }, place) => {
    const ply = place + Number(black);
    const number = `${Math.floor(ply / 2) + 1}.`;
    const figures = figured(variant, move.san, ply % 2 === 0 ? "white" : "black");
    if (ply % 2 === 0) return [`${number} `, ...figures, " "];
    return place === 0 ? [`${number}.. `, ...figures, " "] : [...figures, " "];
  });
}
