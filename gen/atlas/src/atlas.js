// Searching and sorting tables, and playing lines through. Pages say all they have to say
// without it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 45;
// The order of pieces in the name of a material.
const PIECES = "RNSMP";
// The pieces of the drawings, and their letters in the FEN of the game.
const DRAWN = "KRNSMP";
const { letters: LETTERS, variant: VARIANT } = document.body.dataset;
const TEXTS = JSON.parse(document.getElementById("texts").textContent);
// The folder of the pages of a service or a site, which shows the atlas in its folder `atlas`: there is
// a board on which positions open.
const PAGES = location.protocol.startsWith("http") && /^.*?\/(?=atlas\/)/.exec(location.pathname)?.[0];

const say = (key, holes = {}) => TEXTS[key].replace(/\{(\w+)\}/g, (hole, name) => holes[name] ?? hole);
const toMove = (side) => say("mover", { side: say(side === "w" ? "side.white" : "side.black") });

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

// What a word of the search may stand for: the name of a material has its pieces in one order and
// the stronger side first, people write any order.
function spellings(word) {
  const sides = word.toUpperCase().split("V");
  if (sides.length > 2 || !sides.every((side) => /^K[RNSMP]*$/.test(side))) return [word];
  const place = (piece) => PIECES.indexOf(piece);
  const ordered = sides.map((side) => "K" + [...side.slice(1)].sort((a, b) => place(a) - place(b)).join(""));
  return [ordered, [...ordered].reverse()].map((names) => names.join("v").toLowerCase());
}

// Words between the names of pieces, in a search.
const JOINTS = ["and", "against", "v", "vs", "+", "-", "–"];

// The words of a search: single letters are those of one material, and a plural is a name too.
function wordsOf(text) {
  const words = text.toLowerCase().split(/[\s,]+/).filter(Boolean);
  if (words.length > 1 && words.every((word) => /^[krnsmpv]$/.test(word))) return [words.join("")];
  return words.filter((word) => !JOINTS.includes(word)).map((word) => word.replace(/(?<=[a-z]{2})s$/, ""));
}

// Shows the rows that have all the words and the chosen values.
function searchable(form) {
  const rows = [...document.querySelectorAll("table.overview tbody tr")];
  const found = form.querySelector("output");
  const show = () => {
    const words = wordsOf(form.elements.words.value).map(spellings);
    let shown = 0;
    for (const row of rows) {
      const chosen = ["men", "white"].every((name) => {
        const value = form.elements[name].value;
        return value === "" || row.dataset[name] === value;
      });
      row.hidden = !(chosen && words.every((any) => any.some((word) => row.dataset.words.includes(word))));
      shown += row.hidden ? 0 : 1;
    }
    found.textContent = say("atlas.found", { shown, all: rows.length });
  };
  const names = ["words", "men", "white"];
  // The address has the search, behind the name of the page: in files too.
  const kept = new URLSearchParams(location.hash.slice(1));
  names.filter((name) => kept.has(name)).forEach((name) => (form.elements[name].value = kept.get(name)));
  form.addEventListener("input", () => {
    const chosen = names.map((name) => [name, form.elements[name].value]).filter(([, value]) => value);
    history.replaceState(null, "", `#${new URLSearchParams(chosen)}`);
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  show();
}

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
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
      const capital = letter.toUpperCase();
      found.push(drawn("use", {
        href: `#${letter === capital ? "w" : "b"}${DRAWN[LETTERS.indexOf(capital)]}`,
        x: SQUARE * x,
        y: SQUARE * y,
        width: SQUARE,
        height: SQUARE,
      }));
      x += 1;
    }
  });
  return found;
}

function playable(game) {
  const fens = game.dataset.fens.split("|");
  if (fens.length < 2) return;
  const group = game.querySelector(".board .men");
  const turn = game.querySelector(".turn");
  const moves = [...game.querySelectorAll(".move")];
  const controls = document.createElement("div");
  const where = document.createElement("output");
  let now = 0;
  const show = (ply) => {
    now = Math.max(0, Math.min(fens.length - 1, ply));
    const [placement, side] = fens[now].split(" ");
    group.replaceChildren(...men(placement));
    turn.className = side === "w" ? "turn white" : "turn black";
    turn.querySelector(".mover").textContent = toMove(side);
    game.querySelector(".fen code").textContent = fens[now];
    opens(turn, fens[now]);
    moves.forEach((move, place) => move.classList.toggle("now", place + 1 === now));
    where.textContent = `${now} / ${fens.length - 1}`;
  };
  const button = (path, label, to) => {
    const made = document.createElement("button");
    made.type = "button";
    made.setAttribute("aria-label", label);
    const sign = drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "sign" });
    sign.append(drawn("path", { d: path }));
    made.append(sign);
    made.addEventListener("click", () => show(to()));
    return made;
  };
  controls.className = "controls";
  controls.append(
    button("M5 4H8V20H5ZM20 4V20L9 12Z", say("atlas.play.start"), () => 0),
    button("M17 4V20L6 12Z", say("atlas.play.back"), () => now - 1),
    where,
    button("M7 4V20L18 12Z", say("atlas.play.on"), () => now + 1),
    button("M16 4H19V20H16ZM4 4V20L15 12Z", say("atlas.play.end"), () => fens.length - 1),
  );
  game.querySelector(".board").after(controls);
  game.classList.add("playing");
  moves.forEach((move, place) => move.addEventListener("click", () => show(place + 1)));
  show(0);
}

// A button that copies the FEN, or selects it where the browser does not let a page copy.
function copyable(turn) {
  const code = turn.nextElementSibling.querySelector("code");
  const button = document.createElement("button");
  const select = () => getSelection().selectAllChildren(code);
  button.type = "button";
  button.textContent = say("atlas.copy");
  button.addEventListener("click", () => {
    const copied = navigator.clipboard?.writeText(code.textContent) ?? Promise.reject();
    copied.then(() => (button.textContent = say("atlas.copied")), select);
  });
  turn.querySelector(".link").before(button);
}

// Sets the link that opens a position on the board of the service. A plus, as in the checks left of
// Kar Ouk, would be read as a blank.
function opens(turn, fen) {
  const link = turn.querySelector(".open");
  const game = VARIANT ? `variant=${VARIANT}&` : "";
  if (link) link.href = `${PAGES}?${game}fen=${fen.replaceAll(" ", "_").replaceAll("+", "%2B")}`;
}

function openable(turn) {
  const link = document.createElement("a");
  link.className = "open";
  link.textContent = say("atlas.open");
  turn.querySelector(".link").before(link);
  opens(turn, turn.nextElementSibling.querySelector("code").textContent);
}

document.querySelectorAll("form.search").forEach(searchable);
document.querySelectorAll("table.sortable").forEach(sortable);
document.querySelectorAll(".turn").forEach(copyable);
if (PAGES) document.querySelectorAll(".turn").forEach(openable);
document.querySelectorAll(".game").forEach(playable);
if (PAGES) import(`${PAGES}atlas-head.js`);
