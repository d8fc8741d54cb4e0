// The men to set up a board with: drag one, or tap it and then a square.

import { drawn, man } from "./board.js";
import { pieceName } from "./pieces.js";

const KINDS = "KRNSMP";

export class Palette {
  /** The men of a side, for this board. */
  constructor(host, board, side) {
    this.board = board;
    this.buttons = new Map();
    for (const kind of KINDS) {
      const letter = side === "white" ? kind : kind.toLowerCase();
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.letter = letter;
      button.append(drawn("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" }, man(letter)));
      button.addEventListener("pointerdown", (event) => this.#press(letter, event));
      // A click without a pointer is that of a key.
      button.addEventListener("click", (event) => event.detail === 0 && board.take(letter));
      this.buttons.set(letter, button);
      host.append(button);
    }
    this.name();
  }

  /** Names the men in the words of the board's variant. */
  name() {
    for (const [letter, button] of this.buttons) {
      const text = pieceName(this.board.language, this.board.variant, letter);
      button.setAttribute("aria-label", text);
      button.title = text;
    }
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
