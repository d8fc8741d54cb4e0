// Moves in SAN with the pieces as pictures, which need no language. The letters stay as text for
// screen readers and to be copied, and those of board games, whose signs need a font, are seen too.

import { drawn, man } from "./board.js";
import { letterOf } from "./fen.js";
import { gameOf, isBoardGame } from "./games.js";
import { kindName, lettersOf } from "./pieces.js";

function picture(variant, letter) {
  return drawn("svg", { viewBox: "0 0 45 45", class: "figurine", "aria-hidden": "true" }, man(variant, letter));
}

/** The parts of a move of a side: pictures and texts. */
export function figured(variant, san, side) {
  const kinds = lettersOf(variant);
  return [...san.matchAll(/[A-Z]|[^A-Z]+/g)].flatMap(([part]) => {
    const kind = kinds.get(part);
    if (!kind) return [part];
    const drawing = picture(variant, letterOf(kind, side));
    if (isBoardGame(variant)) return [drawing, part];
    const letter = document.createElement("span");
    Object.assign(letter, { className: "unseen", textContent: part });
    return [drawing, letter];
  });
}

/** Fills an element with a text in which these moves of a side are figured. */
export function fillFigured(host, text, { variant, side, moves }) {
  const known = moves.filter(Boolean);
  if (!known.length) return host.replaceChildren(text);
  const escaped = known.map((san) => san.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${escaped.join("|")})`));
  return host.replaceChildren(...parts.flatMap((part, place) => {
    if (place % 2 === 0) return [part];
    const move = document.createElement("span");
    Object.assign(move, { className: "san", translate: false });
    move.append(...figured(variant, part, side));
    return [move];
  }));
}

/** What the pieces are called in a variant: pictures with names. */
export function legend(host, language, variant) {
  const { pieces, shape: { kinds } } = gameOf(variant);
  host.replaceChildren(...[...kinds].map((kind) => {
    const item = document.createElement("li");
    const name = kindName(language, variant, kind);
    item.append(picture(variant, kind), isBoardGame(variant) ? `${pieces[kind].letter}: ${name}` : name);
    return item;
  }));
}
