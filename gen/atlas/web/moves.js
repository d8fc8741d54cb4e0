// The list of all moves, in groups by what they keep.

import { drawn } from "./board.js";
import { figured } from "./san.js";
import { byDistance, valueOfMove } from "./value.js";

const GROUPS = { win: "moves.win", late: "moves.late", draw: "moves.draw", loss: "moves.loss" };
const SIGNS = { win: "M3 8H13M8 3V13", late: "M3 5.5H13M3 10.5H13", draw: "M3 5.5H13M3 10.5H13", loss: "M3 8H13" };

/** The sign of what a move keeps, so that it does not depend on colour alone. */
export function sign(kind) {
  return drawn(
    "svg", { viewBox: "0 0 16 16", class: `sign ${kind}`, "aria-hidden": "true" },
    drawn("circle", { cx: 8, cy: 8, r: 8 }), drawn("path", { d: SIGNS[kind] }),
  );
}

/**
 * Lists moves in an element. `onPlay(move)`: a move is chosen. `onPoint(move)`: one is pointed at,
 * or null.
 */
export function listMoves(host, { language, variant, side, moves, counted, onPlay, onPoint }) {
  const ordered = counted ? moves : byDistance(moves);
  const rated = ordered.map((move) => ({ move, value: valueOfMove(move, counted) }));
  const groups = Object.keys(GROUPS).map((kind) => [kind, rated.filter(({ value }) => value.kind === kind)]);
  // Keys that chose a move go on from the first one here.
  const isFocused = host.contains(document.activeElement);
  host.replaceChildren(...groups.filter(([, group]) => group.length).map(([kind, group]) => {
    const section = document.createElement("section");
    const head = document.createElement("h3");
    head.append(sign(kind), language.say(GROUPS[kind]));
    const list = document.createElement("ul");
    list.append(...group.map(({ move, value }) => {
      const item = document.createElement("li");
      item.append(moveButton({ language, variant, side, move, value, onPlay, onPoint }));
      return item;
    }));
    section.className = `group ${kind}`;
    section.append(head, list);
    return section;
  }));
  if (isFocused) host.querySelector("button")?.focus({ preventScroll: true });
}

function moveButton({ language, variant, side, move, value, onPlay, onPoint }) {
  const button = document.createElement("button");
  button.type = "button";
  const san = document.createElement("span");
  Object.assign(san, { className: "san", translate: false });
  san.append(...figured(variant, move.san, side));
  button.append(san);
  if (value.moves) {
    const length = document.createElement("span");
    length.className = "length";
    length.textContent = language.moves(value.moves);
    button.append(" ", length);
  }
  button.dataset.uci = move.uci;
  button.addEventListener("click", () => onPlay(move));
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => onPoint(move, value.kind));
  for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => onPoint(null));
  return button;
}
