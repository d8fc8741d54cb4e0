// The men to set up a board with: drag one, or tap it and then a square.

import { drawn, man } from "./board.js";
import { letterOf } from "./fen.js";
import { gameOf } from "./games.js";
import { pieceName, sideName } from "./pieces.js";

export class Palette {
  /** The men of a side, for this board. */
  constructor(host, board, side) {
    this.host = host;
    this.board = board;
    this.side = side;
    this.buttons = new Map();
  }

  /** Has the men of the board's variant, in its words. */
  fill() {
    const { board: { language, variant }, host, side } = this;
    const letters = [...gameOf(variant).shape.kinds].map((kind) => letterOf(kind, side));
    this.buttons = new Map(letters.map((letter) => [letter, this.#button(letter)]));
    host.replaceChildren(...this.buttons.values());
    host.setAttribute("aria-label", language.say("palette", { side: sideName(language, side) }));
  }

  #button(letter) {
    const { board } = this;
    const button = document.createElement("button");
    const title = pieceName(board.language, board.variant, letter);
    Object.assign(button, { type: "button", title });
    button.setAttribute("aria-label", title);
    button.dataset.letter = letter;
    button.append(drawn("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, man(board.variant, letter)));
    button.addEventListener("pointerdown", (event) => this.#press(letter, event));
    // A click without a pointer is that of a key.
    button.addEventListener("click", (event) => event.detail === 0 && board.take(letter));
    return button;
  }

  /** Shows which man is picked up. */
  show() {
    for (const [letter, button] of this.buttons) button.classList.toggle("taken", this.board.taken === letter);
  }

  #press(letter, event) {
    if (event.button !== 0) return;
    event.preventDefault();
    if (this.board.taken === letter) this.board.release();
    else this.board.take(letter, event);
  }
}
