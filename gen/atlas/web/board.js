// A board: a picture in SVG, and over it a grid of squares for pointers, keys and screen readers.
// The board knows no rules. Its owner decides which men may be picked up and where they may go,
// and is notified where a man is put down.

import { at } from "./address.js";
import { isChess, kindOf, sideOf } from "./fen.js";
import { gameOf } from "./games.js";
import { Hand } from "./hand.js";
import { pieceName, symbolOf } from "./pieces.js";
import { fileOf, rankOf, rows, squareAt } from "./squares.js";

const SVG = "http://www.w3.org/2000/svg";
/** The side of a square in the picture. In smaller units browsers draw letters wrong. */
const SQUARE = 45;
/** The room for the letters of files and the numbers of ranks, and around the board. */
const [LEFT, TOP, RIM] = [22, 4, 26];
/** The signs of what a move keeps, as paths about the middle of a square. */
const SIGNS = { win: "M-5 0H5M0 -5V5", late: "M-5 -2.5H5M-5 2.5H5", draw: "M-5 -2.5H5M-5 2.5H5", loss: "M-5 0H5" };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The boards made, for the ids of their help. */
let boards = 0;

export function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A man of a game: the picture of the file of pieces, or a stone with its sign and its letter. */
export function man(variant, letter, attributes = {}) {
  const { shape, pieces, sides } = gameOf(variant);
  const [side, kind] = [sideOf(letter), kindOf(letter)];
  const place = { width: SQUARE, height: SQUARE, ...attributes };
  if (isChess(shape)) return drawn("use", { href: `${at("pieces.svg")}#${side[0]}${symbolOf(variant, kind)}`, ...place });
  const { faces, letter: below } = pieces[kind];
  const face = faces[side === "white" ? 0 : 1];
  const r = kind === "K" ? 21 : 18;
  const signs = face ? [
    drawn("text", { x: 22.5, y: 20, "font-size": r + 2 }, face),
    // Where no font has the sign, the letter names the man.
    drawn("text", { x: 22.5, y: 16 + r, "font-size": 9 }, below),
  ] : [];
  const stone = drawn("circle", { cx: 22.5, cy: 22.5, r });
  return drawn("svg", { viewBox: "0 0 45 45", class: `stone ${sides[side]}`, translate: "no", ...place }, stone, ...signs);
}

export class Board {
  /**
   * `language`: the texts. `variant`: the name of the game, for the names of men.
   * `targets(from, letter)`: a map from squares to what a move there keeps ("win", "late", "draw",
   * "loss", or "" for no mark); null: every square and off the board; undefined: the man stays.
   * `onDrop(letter, from, to)`: a man is put down; `to` is null off the board.
   * `onHand()`: a man is picked up or let go.
   */
  constructor(host, options) {
    const { language, variant = "makruk", targets = () => undefined } = options;
    const { onDrop = () => {}, onHand = () => {} } = options;
    this.language = language;
    this.targets = targets;
    this.onDrop = onDrop;
    this.onHand = onHand;
    this.men = new Map();
    this.lastMove = [];
    this.arrows = [];
    this.marks = new Map();
    this.flipped = false;
    this.hand = new Hand({
      move: (x, y) => this.#drag(x, y),
      drop: (x, y) => this.#put(this.squareUnder(x, y)),
      stay: () => this.#stay(),
      cancel: () => this.release(),
    });
    this.#build(host);
    this.variant = variant;
  }

  get variant() {
    return this.name;
  }

  /** Shows the board of another game; one of another shape is empty. */
  set variant(name) {
    this.name = name;
    const { shape } = gameOf(name);
    if (shape === this.shape) return;
    this.shape = shape;
    this.focused = "e4";
    const { files, ranks } = shape;
    this.picture.setAttribute("viewBox", `${-LEFT} ${-TOP} ${SQUARE * files + RIM} ${SQUARE * ranks + RIM}`);
    this.ground.replaceChildren(...ground(shape));
    const { style } = document.documentElement;
    for (const [side, count] of Object.entries({ files, ranks })) style.setProperty(`--${side}`, count);
    this.#cells();
    Object.assign(this, { men: new Map(), lastMove: [], arrows: [], marks: new Map() });
    this.release();
  }

  /** Shows men, the last move as two squares, arrows `{ from, to, kind }`, and marks by square. */
  show({ men = this.men, lastMove = [], arrows = [], marks = new Map() }) {
    Object.assign(this, { men, lastMove, arrows, marks });
    const held = this.hand.man;
    // An answer that comes late does not take a man out of the hand.
    if (held?.from && men.get(held.from) !== held.letter) this.release();
    else this.#draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.#cells();
    this.release();
  }

  /** Says a text to a screen reader. */
  announce(text) {
    this.live.textContent = text;
  }

  /** Picks up a man that is not on the board; with the event of a pointer, to be dragged. */
  take(letter, event) {
    this.again = false;
    this.#pick(letter, null, event);
    if (!event) this.focus();
  }

  /** The letter of the man that is picked up and is from off the board. */
  get taken() {
    return this.hand.man && this.hand.man.from === null ? this.hand.man.letter : null;
  }

  /** Lets go of the man picked up. */
  release() {
    this.hand.letGo();
    this.ghost.replaceChildren();
    this.#draw();
  }

  focus() {
    this.cells.get(this.focused).focus();
  }

  /** The square at a point of the window, or null. */
  squareUnder(x, y) {
    const box = this.grid.getBoundingClientRect();
    const { files, ranks } = this.shape;
    const file = Math.floor((files * (x - box.left)) / box.width);
    const rank = ranks - 1 - Math.floor((ranks * (y - box.top)) / box.height);
    return this.flipped ? squareAt(this.shape, files - 1 - file, ranks - 1 - rank) : squareAt(this.shape, file, rank);
  }

  #build(host) {
    this.ground = drawn("g", { class: "ground" });
    this.under = drawn("g");
    this.placed = drawn("g");
    this.over = drawn("g");
    this.ghost = drawn("g");
    this.rim = drawn("g", { class: "rim", translate: "no" });
    this.picture = drawn(
      "svg",
      { "aria-hidden": "true" },
      this.ground, this.rim, this.under, this.placed, this.over, this.ghost,
    );
    this.grid = document.createElement("div");
    this.grid.setAttribute("role", "grid");
    this.grid.className = "squares";
    this.grid.setAttribute("aria-label", this.language.say("board.label"));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("pointerdown", (event) => this.#press(event));
    this.live = document.createElement("p");
    this.live.className = "unseen";
    this.live.setAttribute("aria-live", "assertive");
    const help = document.createElement("p");
    help.className = "unseen";
    boards += 1;
    help.id = `board-help-${boards}`;
    help.textContent = this.language.say("board.help");
    this.grid.setAttribute("aria-describedby", help.id);
    host.classList.add("board");
    host.replaceChildren(this.picture, this.grid, this.live, help);
  }

  #cells() {
    this.cells = new Map();
    const lines = rows(this.shape, this.flipped).map((squares) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (const square of squares) {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.dataset.square = square;
        this.cells.set(square, cell);
        row.append(cell);
      }
      return row;
    });
    this.grid.replaceChildren(...lines);
    const squares = rows(this.shape, this.flipped);
    const bottom = SQUARE * this.shape.ranks + 18;
    const letters = squares[0].map(([file], place) => drawn("text", { x: SQUARE * (place + 0.5), y: bottom }, file));
    const numbers = squares.map(([square], place) =>
      drawn("text", { x: -12, y: SQUARE * place + 28 }, square.slice(1)));
    this.rim.replaceChildren(...letters, ...numbers);
  }

  /** The corner of a square in the picture. */
  #corner(square) {
    const { files, ranks } = this.shape;
    const [file, rank] = [fileOf(square), rankOf(square)];
    return [this.flipped ? files - 1 - file : file, this.flipped ? rank : ranks - 1 - rank].map((steps) => SQUARE * steps);
  }

  #middle(square) {
    return this.#corner(square).map((at) => at + SQUARE / 2);
  }

  #draw() {
    const held = this.hand.man;
    const field = (square, name) => {
      const [x, y] = this.#corner(square);
      return drawn("rect", { x, y, width: SQUARE, height: SQUARE, class: name });
    };
    this.under.replaceChildren(
      ...this.lastMove.map((square) => field(square, "last")),
      ...(held?.from ? [field(held.from, "held")] : []),
    );
    this.placed.replaceChildren(...[...this.men].map(([square, letter]) => {
      const [x, y] = this.#corner(square);
      return man(this.variant, letter, { x, y });
    }));
    const targets = held ? this.targets(held.from, held.letter) : null;
    const marks = [...this.marks, ...(targets ?? [])];
    this.over.replaceChildren(
      ...this.arrows.map((arrow) => this.#arrow(arrow)),
      ...marks.map(([square, kind]) => this.#mark(square, kind)),
    );
    for (const [square, cell] of this.cells) this.#describe(square, cell, targets);
    this.onHand();
  }

  #mark(square, kind) {
    const [x, y] = this.#middle(square);
    const sign = SIGNS[kind];
    return drawn(
      "g", { class: `mark ${kind || "plain"}`, transform: `translate(${x} ${y})` },
      drawn("circle", { r: 10 }), ...(sign ? [drawn("path", { d: sign })] : []),
    );
  }

  #arrow({ from, to, kind }) {
    const [[x, y], [toX, toY]] = [this.#middle(from), this.#middle(to)];
    const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    const length = Math.hypot(toX - x, toY - y);
    const shaft = `M6 -4H${length - 18}V-11L${length - 2} 0L${length - 18} 11V4H6Z`;
    return drawn("path", { d: shaft, class: `arrow ${kind}`, transform: `translate(${x} ${y}) rotate(${angle})` });
  }

  /** The words of a square for a screen reader. */
  #describe(square, cell, targets) {
    const { language } = this;
    const letter = this.men.get(square);
    const name = letter ? pieceName(language, this.variant, letter) : language.say("board.empty");
    const held = this.hand.man;
    const kind = targets?.get(square);
    const parts = [language.say("board.square", { square, man: name })];
    if (held?.from === square) parts.push(language.say("board.held"));
    if (kind !== undefined) parts.push(language.say(TARGET_TEXTS[kind]));
    if (this.lastMove.includes(square)) parts.push(language.say("board.last"));
    cell.setAttribute("aria-label", parts.join(", "));
    cell.tabIndex = square === this.focused ? 0 : -1;
    cell.classList.toggle("movable", Boolean(letter) && this.#movable(square, letter));
  }

  #movable(square, letter) {
    return this.targets(square, letter) !== undefined;
  }

  #pick(letter, from, event) {
    this.hand.hold(letter, from);
    this.#draw();
    if (event) this.hand.follow(event);
    this.announce(this.language.say("board.picked", { man: pieceName(this.language, this.variant, letter) }));
  }

  /** Puts the man in the hand down, on a square where it may go. */
  #put(square) {
    const held = this.hand.man;
    if (!held) return;
    const { letter, from } = held;
    const targets = this.targets(from, letter);
    const allowed = targets === null || targets?.has(square);
    this.release();
    if (allowed && square !== from) this.onDrop(letter, from, square);
  }

  /** A tap picks a man up, or puts it back if it was picked up before. */
  #stay() {
    if (this.again) this.release();
  }

  #press(event) {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (!square || event.button !== 0) return;
    event.preventDefault();
    this.#focusOn(square);
    const held = this.hand.man;
    this.again = held?.from === square;
    const letter = this.men.get(square);
    if (held && !this.again && this.#accepts(held, square)) this.#put(square);
    else if (letter && this.#movable(square, letter)) this.#pick(letter, square, event);
    else this.release();
  }

  #accepts({ letter, from }, square) {
    const targets = this.targets(from, letter);
    return targets === null || Boolean(targets?.has(square));
  }

  /** The man follows the pointer. */
  #drag(x, y) {
    const { letter } = this.hand.man;
    const point = new DOMPoint(x, y).matrixTransform(this.picture.getScreenCTM().inverse());
    if (!this.ghost.firstChild) this.ghost.append(man(this.variant, letter));
    this.ghost.firstChild.setAttribute("x", point.x - SQUARE / 2);
    this.ghost.firstChild.setAttribute("y", point.y - SQUARE / 2);
  }

  #focusOn(square) {
    this.cells.get(this.focused).tabIndex = -1;
    this.focused = square;
    this.cells.get(square).tabIndex = 0;
    this.cells.get(square).focus({ preventScroll: true });
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const letter = this.men.get(this.focused);
    const step = STEPS[event.key];
    if (step) {
      const turn = this.flipped ? -1 : 1;
      const [file, rank] = [fileOf(this.focused) + turn * step[0], rankOf(this.focused) + turn * step[1]];
      const to = squareAt(this.shape, file, rank);
      if (to) this.#focusOn(to);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#enter(letter);
    } else if (event.key === "Escape") {
      this.release();
    } else if ((event.key === "Delete" || event.key === "Backspace") && letter) {
      if (this.targets(this.focused, letter) !== null) return;
      this.onDrop(letter, this.focused, null);
    } else {
      return;
    }
    event.preventDefault();
  }

  #enter(letter) {
    const held = this.hand.man;
    if (held && this.#accepts(held, this.focused)) {
      const man = pieceName(this.language, this.variant, held.letter);
      const square = this.focused;
      this.#put(square);
      this.announce(this.language.say("board.square", { square, man }));
    } else if (letter && held?.from !== this.focused && this.#movable(this.focused, letter)) {
      this.#pick(letter, this.focused);
    } else {
      this.release();
    }
  }
}

/** What a target keeps, for a screen reader. */
const TARGET_TEXTS = {
  "": "board.target",
  win: "board.target.win",
  late: "board.target.late",
  draw: "board.target.draw",
  loss: "board.target.loss",
};

/**
 * The parts of an empty board. It has one colour, as in Makruk; there the shade shows which squares a met
 * can reach.
 */
function ground(shape) {
  const { files, ranks, onCrossings, lines = [] } = shape;
  const [width, height] = [SQUARE * files, SQUARE * ranks];
  const squares = isChess(shape) ? rows(shape).flat().filter((square) => (fileOf(square) + rankOf(square)) % 2 === 0) : [];
  const middle = (square) => `${SQUARE * (fileOf(square) + 0.5)} ${SQUARE * (ranks - rankOf(square) - 0.5)}`;
  const rim = onCrossings ? SQUARE / 2 : 0;
  let path = lines.map(([from, to]) => `M${middle(from)}L${middle(to)}`).join("");
  for (let x = rim; x <= width; x += SQUARE) path += `M${x} ${rim}V${height - rim}`;
  for (let y = rim; y <= height; y += SQUARE) path += `M${rim} ${y}H${width - rim}`;
  const shaded = (square) => {
    const [x, y] = [SQUARE * fileOf(square), SQUARE * (ranks - 1 - rankOf(square))];
    return drawn("rect", { x, y, width: SQUARE, height: SQUARE, class: "shade" });
  };
  return [
    drawn("rect", { width, height, class: "plain" }), ...squares.map(shaded),
    drawn("path", { d: path, class: "lines" }), drawn("rect", { width, height, class: "edge" }),
  ];
}
