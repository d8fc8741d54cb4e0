// Best play from a position as a list of moves, each to go to.

import { figured } from "./san.js";

/** Lists the moves `{ san }` of a line. `onGo(count)`: this many moves of it are to be played. */
export function listLine(host, { variant, moves, side, onGo }) {
  const parts = moves.map(({ san }, place) => {
    const item = document.createElement("li");
    const ply = place + (side === "white" ? 0 : 1);
    if (ply % 2 === 0 || place === 0) {
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "..."} `;
      item.append(number);
    }
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "san", translate: false });
    button.append(...figured(variant, san, ply % 2 === 0 ? "white" : "black"));
    button.addEventListener("click", () => onGo(place + 1));
    item.append(button);
    return item;
  });
  host.replaceChildren(...parts);
}
