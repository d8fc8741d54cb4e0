// The explorer: set a position up, see what it is worth under the count, and play it out.

import { ServiceError, askLine, askPosition, askVariants, inAddress } from "./api.js";
import { Board } from "./board.js";
import { CountChoice } from "./count.js";
import { FenError, Position, sideOf } from "./fen.js";
import { openPage } from "./head.js";
import { History } from "./history.js";
import { listLine } from "./line.js";
import { listMoves } from "./moves.js";
import { Palette } from "./palette.js";
import { kindName, sideName } from "./pieces.js";
import { bestMoves, isOver, valueOf, valueOfMove } from "./value.js";
import { countText, verdict } from "./verdict.js";

/** Positions to begin with, of three and four men. */
const EXAMPLES = [
  "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1",
  "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
  "8/8/3k4/8/8/3KS3/3N4/8 w - - 0 1",
  "8/1n2K3/8/3R4/8/7k/8/8 w - - 0 1",
  "1R6/K7/8/4k3/3P4/8/8/8 b - - 0 1",
];
const VARIANTS = { makruk: "variant.makruk", ouk: "variant.ouk" };
/** Milliseconds until an answer that is not there is said to be worked out. */
const PATIENCE = 500;
/** Milliseconds before the table answers a move. */
const REPLY = 500;
/** A step: variant, position, the last move, whether the count is taken into account. */

class Explorer {
  constructor(language, variants) {
    this.language = language;
    this.history = new History(stepOfAddress());
    this.answer = null;
    this.settingUp = false;
    this.opponent = "";
    this.flipped = false;
    this.board = new Board(element("board"), {
      language,
      targets: (from) => this.#targets(from),
      onDrop: (letter, from, to) => this.#drop(letter, from, to),
      onHand: () => this.palettes?.forEach((palette) => palette.show()),
    });
    this.palettes = [
      new Palette(element("palette-top"), this.board, "black"),
      new Palette(element("palette-bottom"), this.board, "white"),
    ];
    this.countChoice = new CountChoice(element("count"), language, (choice) => this.#chooseCount(choice));
    this.fields = element("position").elements;
    this.#fillFields(variants);
    this.#listen();
    this.ask();
  }

  get step() {
    return this.history.now;
  }

  /** Shows the step there is, and asks for its answer. `called`: the count as players tell it. */
  async ask(called = {}) {
    this.#wait();
    const { variant, position } = this.step;
    const request = new AbortController();
    this.request = request;
    const patience = setTimeout(() => this.#say("", this.language.say("wait.table"), ""), PATIENCE);
    try {
      const kings = missingKing(position);
      if (kings) throw new FenError("position.king", { side: sideName(this.language, kings), man: kindName(this.language, variant, "K") });
      const answer = await askPosition(variant, { fen: position.fen, ...called }, request.signal);
      if (this.request !== request) return;
      this.history.replace({ ...this.step, position: Position.parse(answer.fen) });
      this.#show(answer);
    } catch (error) {
      if (this.request === request) this.#showError(error);
    } finally {
      clearTimeout(patience);
    }
  }

  /** Goes on to another position. */
  go(change, called) {
    this.history.push({ lastMove: [], ...this.step, ...change });
    return this.ask(called);
  }

  /** Plays a move of the answer. */
  play(move) {
    const position = Position.parse(move.fen);
    const { counted } = this.step;
    return this.go({
      position: counted ? position : position.withoutCount(),
      lastMove: [move.uci.slice(0, 2), move.uci.slice(2, 4)],
    });
  }

  #wait() {
    this.request?.abort();
    clearTimeout(this.reply);
    this.answer = null;
    const { position, variant, lastMove } = this.step;
    this.board.variant = variant;
    this.board.show({ men: position.men, lastMove });
    this.palettes.forEach((palette) => palette.name());
    this.#showFields();
    element("moves-section").hidden = true;
    element("line-section").hidden = true;
    history.replaceState(null, "", addressOf(this.step));
  }

  #show(answer) {
    this.answer = answer;
    const { language } = this;
    const { position, counted, lastMove } = this.step;
    this.#showFields();
    history.replaceState(null, "", addressOf(this.step));
    this.countChoice.show(answer.count, counted);
    const { kind } = valueOf(answer, position.side, counted);
    const count = counted ? countText(language, answer.count) : language.say("count.off");
    this.#say(kind, verdict(language, answer, position.side, counted), isOver(answer) ? "" : count);
    this.board.show({ men: position.men, lastMove });
    element("moves-section").hidden = isOver(answer);
    listMoves(element("moves"), {
      language, counted, moves: answer.moves,
      onPlay: (move) => this.play(move),
      onPoint: (move, moveKind) => this.#point(move, moveKind),
    });
    element("best").disabled = isOver(answer);
    if (this.opponent === position.side && !isOver(answer) && !this.settingUp) {
      this.reply = setTimeout(() => this.#playBest(), REPLY);
    }
    this.#askLine();
  }

  #point(move, kind) {
    const arrows = move ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4), kind }] : [];
    this.board.show({ lastMove: this.step.lastMove, arrows });
  }

  #playBest() {
    const best = bestMoves(this.answer, this.step.counted);
    this.play(best[Math.floor(Math.random() * best.length)]);
  }

  async #askLine() {
    const { variant, position, counted } = this.step;
    const { request } = this;
    const answer = await askLine(variant, position.fen, request.signal).catch(() => null);
    if (!answer || this.request !== request) return;
    const moves = counted ? answer.counted_mainline : answer.mainline;
    element("line-section").hidden = moves.length === 0;
    listLine(element("line"), { moves, side: position.side, onGo: (count) => this.#playLine(moves.slice(0, count)) });
  }

  /** Plays the moves of a line one after another. */
  async #playLine(moves) {
    for (const { uci } of moves) {
      const move = this.answer?.moves.find((known) => known.uci === uci);
      if (!move) return;
      await this.play(move);
    }
  }

  #showError(error) {
    const { language } = this;
    element("best").disabled = true;
    this.#say("", textOfError(language, error), "");
    const { position } = this.step;
    this.countChoice.show(null, this.step.counted);
    this.board.show({ men: position.men, lastMove: this.step.lastMove });
  }

  /** The verdict: who moves, the sentence, and the count. */
  #say(kind, sentence, count) {
    const host = element("verdict");
    const { side } = this.step.position;
    const disc = document.createElement("span");
    disc.className = `disc ${side}`;
    host.className = kind;
    host.querySelector(".mover").replaceChildren(disc, this.language.say("mover", { side: sideName(this.language, side) }));
    host.querySelector(".sentence").textContent = sentence;
    host.querySelector(".count").textContent = count;
  }

  #showFields() {
    const { variant, position } = this.step;
    this.fields.variant.value = variant;
    this.fields.side.value = position.side;
    this.fields.fen.value = position.fen;
    this.fields.example.value = "";
    this.#showWrong("");
    element("undo").disabled = !this.history.hasPast;
    element("redo").disabled = !this.history.hasFuture;
    element("best").disabled = true;
  }

  #showWrong(text) {
    const wrong = element("position").querySelector(".error");
    wrong.hidden = !text;
    wrong.textContent = text;
  }

  /** Where a man may go: anywhere while the board is set up, else as the moves of the answer. */
  #targets(from) {
    if (this.settingUp) return null;
    const { counted } = this.step;
    const moves = (this.answer?.moves ?? []).filter((move) => move.uci.slice(0, 2) === from);
    if (!moves.length) return undefined;
    return new Map(moves.map((move) => [move.uci.slice(2, 4), valueOfMove(move, counted).kind]));
  }

  #drop(letter, from, to) {
    if (!this.settingUp) {
      const move = this.answer.moves.find(({ uci }) => uci.startsWith(from + to));
      if (move) this.play(move);
      return;
    }
    const { position } = this.step;
    const men = new Map(position.men);
    if (from) men.delete(from);
    const taken = to && men.has(to);
    if (to) men.set(to, letter);
    // A man on another square leaves the count as it is.
    const same = from && to && !taken;
    this.go({ position: same ? new Position(men, position.side, position.rest) : position.withMen(men) });
  }

  #chooseCount(choice) {
    const bare = this.step.position.withoutCount();
    if (choice.kind === "called") {
      this.go({ position: bare, counted: true }, { called: choice.called, counter: choice.counter });
    } else {
      this.go({ position: bare, counted: choice.kind === "start" });
    }
  }

  #setUp(on) {
    this.settingUp = on;
    element("setup").setAttribute("aria-pressed", on);
    for (const id of ["palette-top", "palette-bottom", "clear", "setup-help"]) element(id).hidden = !on;
    element("best").hidden = on;
    this.ask();
  }

  #fillFields(variants) {
    const { language, fields } = this;
    for (const { name } of variants) {
      fields.variant.append(new Option(VARIANTS[name] ? language.say(VARIANTS[name]) : name, name));
    }
    for (const side of ["white", "black"]) fields.side.append(new Option(sideName(language, side), side));
    fields.opponent.append(new Option(language.say("opponent.none"), ""));
    for (const side of ["white", "black"]) fields.opponent.append(new Option(sideName(language, side), side));
    fields.example.append(new Option(language.say("example.choose"), ""));
    for (const fen of EXAMPLES) fields.example.append(new Option(this.#menOf(Position.parse(fen)), fen));
  }

  /** The men of both sides by name. */
  #menOf(position) {
    const { language } = this;
    const army = (side) => {
      const letters = [...position.men.values()].filter((letter) => sideOf(letter) === side);
      const kinds = letters.map((letter) => letter.toUpperCase());
      kinds.sort((one, other) => "KRNSMP".indexOf(one) - "KRNSMP".indexOf(other));
      return kinds.map((kind) => kindName(language, this.step.variant, kind)).join(" ");
    };
    return language.say("example.men", { white: army("white"), black: army("black") });
  }

  #listen() {
    const { fields } = this;
    const click = (id, action) => element(id).addEventListener("click", action);
    click("undo", () => this.#travel("back"));
    click("redo", () => this.#travel("forth"));
    click("best", () => this.#playBest());
    click("flip", () => this.#flip());
    click("setup", () => this.#setUp(!this.settingUp));
    click("clear", () => this.go({ position: Position.empty(this.step.position.side), lastMove: [] }));
    click("link", () => this.#copyLink());
    element("position").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#readFen();
    });
    fields.fen.addEventListener("change", () => this.#readFen());
    fields.variant.addEventListener("change", () => {
      this.go({ variant: fields.variant.value, position: this.step.position.withoutCount() });
    });
    fields.side.addEventListener("change", () => {
      const { count } = this.answer ?? {};
      const called = count?.running ? { called: count.called, counter: count.runner } : {};
      this.go({ position: this.step.position.to(fields.side.value), lastMove: [] }, called);
    });
    fields.opponent.addEventListener("change", () => {
      this.opponent = fields.opponent.value;
      this.ask();
    });
    fields.example.addEventListener("change", () => {
      this.go({ position: Position.parse(fields.example.value), lastMove: [], counted: true });
    });
  }

  /** Back or forth; the table does not answer then, or no move could be taken back. */
  #travel(way) {
    this.history[way]();
    this.opponent = "";
    this.fields.opponent.value = "";
    this.ask();
  }

  #flip() {
    this.board.flip();
    const [top, bottom] = [element("palette-top"), element("palette-bottom")];
    const [above, below] = [[...top.childNodes], [...bottom.childNodes]];
    top.append(...below);
    bottom.append(...above);
  }

  #readFen() {
    const text = this.fields.fen.value;
    if (text.trim() === this.step.position.fen) return;
    try {
      const variant = new URLSearchParams(text.split("?")[1] ?? "").get("variant");
      const known = [...this.fields.variant.options].some((option) => option.value === variant);
      const game = known ? { variant } : {};
      this.go({ ...game, position: Position.parse(text), lastMove: [], counted: true });
    } catch (error) {
      this.#showWrong(textOfError(this.language, error));
    }
  }

  async #copyLink() {
    const button = element("link");
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = this.language.say("position.copied");
      setTimeout(() => (button.textContent = this.language.say("position.link")), 2000);
    } catch {
      // A page that may not copy shows the address to be copied by hand.
      this.fields.fen.value = location.href;
      this.fields.fen.select();
    }
  }
}

const element = (id) => document.getElementById(id);

/** The side whose king is not there, or null. */
function missingKing(position) {
  const kings = [...position.men.values()].filter((letter) => letter.toUpperCase() === "K");
  return ["white", "black"].find((side) => !kings.some((letter) => sideOf(letter) === side)) ?? null;
}

/** Why there is no answer, in a line. */
function textOfError(language, error) {
  if (error instanceof FenError) return language.say(error.key, error.holes);
  if (!(error instanceof ServiceError)) return language.say("error.network");
  if (error.code === "no_table") {
    const { material, men, largest, too_many: tooMany } = error.missing;
    return tooMany > 0
      ? language.say("error.men", { men, largest, surplus: tooMany })
      : language.say("error.table", { material });
  }
  return language.say(error.code === "bad_fen" ? "error.position" : "error.other", { message: error.message });
}

/** The address of a step: it holds the position. */
function addressOf({ variant, position, counted }) {
  const parts = [`fen=${inAddress(position.fen)}`];
  if (variant !== "makruk") parts.push(`variant=${variant}`);
  if (!counted) parts.push("count=none");
  return `/?${parts.join("&")}`;
}

/** The step that the address of the page holds, or an example. */
function stepOfAddress() {
  const asked = new URLSearchParams(location.search);
  const step = { variant: asked.get("variant") ?? "makruk", lastMove: [], counted: asked.get("count") !== "none" };
  try {
    return { ...step, position: Position.parse(asked.get("fen") ?? EXAMPLES[0]) };
  } catch {
    return { ...step, position: Position.parse(EXAMPLES[0]) };
  }
}

const language = await openPage();
document.title = language.say("explorer.title");
new Explorer(language, (await askVariants()).variants);
