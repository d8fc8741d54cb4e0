// Sorting tables, and playing lines through. Pages say all they have to say without it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 45;

function sortable(table) {
  const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  const body = table.tBodies[0];
  const key = (row, column) => row.cells[column].dataset.key ?? "";
  [...heads].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rows = [...body.rows];
      const keys = new Map(rows.map((row) => [row, key(row, column)]));
      const numbers = [...keys.values()].every((text) => text === "" || !isNaN(text));
      // The largest numbers first, words from the beginning; what is not there comes last.
      const first = numbers ? "descending" : "ascending";
      const other = numbers ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      const sign = order === "ascending" ? 1 : -1;
      rows.sort((one, two) => {
        const [a, b] = [keys.get(one), keys.get(two)];
        if (a === "" || b === "") return (a === "") - (b === "");
        return sign * (numbers ? a - b : a < b ? -1 : a > b ? 1 : 0);
      });
      [...heads].forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      body.append(...rows);
    });
  });
}

// The men of a placement, as FEN has it, on a board of squares 45 by 45.
function men(placement) {
  const found = [];
  placement.split("/").forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") {
        x += Number(letter);
        continue;
      }
      const man = document.createElementNS(SVG, "use");
      const kind = letter.toUpperCase();
      man.setAttribute("href", `#${letter === kind ? "w" : "b"}${kind}`);
      man.setAttribute("x", SQUARE * x);
      man.setAttribute("y", SQUARE * y);
      man.setAttribute("width", SQUARE);
      man.setAttribute("height", SQUARE);
      found.push(man);
      x += 1;
    }
  });
  return found;
}

function playable(game) {
  const boards = game.dataset.boards.split(" ");
  if (boards.length < 2) return;
  const group = game.querySelector(".board .men");
  const moves = [...game.querySelectorAll(".move")];
  const controls = document.createElement("div");
  const where = document.createElement("output");
  let now = 0;
  const show = (ply) => {
    now = Math.max(0, Math.min(boards.length - 1, ply));
    group.replaceChildren(...men(boards[now]));
    moves.forEach((move, place) => move.classList.toggle("now", place + 1 === now));
    where.textContent = `${now} / ${boards.length - 1}`;
  };
  const button = (sign, label, to) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => show(to()));
    return made;
  };
  controls.className = "controls";
  controls.append(
    button("⏮", "To the start", () => 0),
    button("◀", "One move back", () => now - 1),
    where,
    button("▶", "One move on", () => now + 1),
    button("⏭", "To the end", () => boards.length - 1),
  );
  game.querySelector(".board").after(controls);
  game.classList.add("playing");
  moves.forEach((move, place) => move.addEventListener("click", () => show(place + 1)));
  show(0);
}

document.querySelectorAll("table.sortable").forEach(sortable);
document.querySelectorAll(".game").forEach(playable);
