// The explorer: set a position up, see the result under the count, and play it out.

import { askLine, askPosition, askVariants } from "./api.js";
import { Board } from "./board.js";
import { CountChoice } from "./count.js";
import { textOfError } from "./errors.js";
import { FenError, Position, sideOf } from "./fen.js";
import { openPage } from "./head.js";
import { History } from "./history.js";
import { listLine } from "./line.js";
import { listMoves } from "./moves.js";
import { Palette } from "./palette.js";
import { fenOf, kindName, learnGames, sideName, speakOf } from "./pieces.js";
import { EXAMPLES, addressOf, stepOfAddress, stepOfText } from "./step.js";
import { bestMoves, isOver, lacksMates, valueOf, valueOfMove } from "./value.js";
import { ruleName, variantName } from "./variants.js";
import { countText, verdict } from "./verdict.js";

/** Milliseconds until an answer that is not there is said to be worked out. */
const PATIENCE = 500;
/** The order of men in the name of a material. */
const ORDER = "KRNSMP";
/** Milliseconds before the table answers a move. */
const REPLY = 500;

class Explorer {
  constructor(language, variants) {
    this.language = language;
    learnGames(variants);
    this.games = new Map(variants.map((game) => [game.name, game]));
    this.rules = new Map(variants.map(({ name, counting }) => [name, counting]));
    const { step, error } = stepOfAddress();
    this.history = new History(step);
    this.answer = null;
    this.settingUp = false;
    this.opponent = "";
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
    if (error) this.#showWrong(language.say("fen.address", { reason: textOfError(language, error) }));
    this.ask();
  }

  get step() {
    return this.history.now;
  }

  /** Shows the step there is, and asks for its answer. `called`: the count in moves, as called. */
  async ask(called = {}) {
    this.#wait();
    const { variant, counting, position } = this.step;
    const request = new AbortController();
    this.request = request;
    const wait = this.#mayNeedTable() ? "wait.table" : "wait.answer";
    const patience = setTimeout(() => this.#say("", this.language.say(wait), ""), PATIENCE);
    try {
      const kings = missingKing(position);
      if (kings) throw new FenError("position.king", { side: sideName(this.language, kings), man: kindName(this.language, variant, "K") });
      const answer = await askPosition(variant, { fen: fenOf(variant, position), counting, ...called }, request.signal);
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
    this.#goOn(change);
    return this.ask(called);
  }

  /** Plays a move of the answer. */
  play(move) {
    const { language } = this;
    const side = sideName(language, this.step.position.side);
    this.board.announce(language.say("board.played", { side, san: move.san }));
    this.#goOn(this.#after(move));
    return this.ask();
  }

  #goOn(change) {
    this.#showWrong("");
    this.history.push({ ...this.step, ...change });
  }

  /** What a move of an answer makes of a step. */
  #after(move) {
    const position = Position.parse(move.fen);
    return {
      position: this.step.counted ? position : position.withoutCount(),
      lastMove: [move.uci.slice(0, 2), move.uci.slice(2, 4)],
    };
  }

  #wait() {
    this.request?.abort();
    clearTimeout(this.reply);
    this.answer = null;
    const { position, variant, lastMove } = this.step;
    this.board.variant = variant;
    speakOf(this.language, variant);
    this.board.show({ men: position.men, lastMove });
    this.palettes.forEach((palette) => palette.name());
    this.#showFields();
    element("moves-section").hidden = true;
    element("line-section").hidden = true;
    history.replaceState(null, "", addressOf(this.step));
  }

  /** `searched`: whether mates in time that are not in the tables have been searched. */
  #show(answer, searched = false) {
    this.answer = answer;
    const { language } = this;
    const { position, counted, lastMove } = this.step;
    const searches = !searched && counted && lacksMates(answer);
    const value = valueOf(answer, position.side, counted);
    const isLeast = value.moves === null && value.winner !== null && !isOver(answer);
    const more = searches ? ["wait.mate"] : isLeast ? ["note.least"] : [];
    const notes = [...answer.notes, ...more.map((key) => language.say(key))];
    this.#showFields();
    history.replaceState(null, "", addressOf(this.step));
    this.countChoice.show(answer.count, counted);
    const count = counted ? countText(language, answer.count) : language.say("count.off");
    this.#say(value.kind, verdict(language, answer, position.side, counted), isOver(answer) ? "" : count, notes);
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
    this.#askLine(searched);
    if (searches) this.#askMates();
  }

  /** Asks again for what the tables do not tell. If it is not found, nothing is waited for any more. */
  async #askMates() {
    const { variant, counting, position } = this.step;
    const { request, answer } = this;
    const question = { fen: fenOf(variant, position), counting, line: false, mate_in_time: true };
    const found = await askPosition(variant, question, request.signal).catch(() => answer);
    if (this.request === request && this.answer === answer) this.#show({ ...answer, ...found, notes: answer.notes }, true);
  }

  /** Whether the table of the position may have to be made, which takes seconds. */
  #mayNeedTable() {
    const { variant, position } = this.step;
    const game = this.games.get(variant);
    const men = [...position.men.values()];
    if (!game || men.length > game.on_the_spot) return false;
    const armies = ["white", "black"].map((side) => {
      const kinds = men.filter((letter) => sideOf(letter) === side).map((letter) => letter.toUpperCase());
      return kinds.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join("");
    });
    return ![armies, armies.toReversed()].some((pair) => game.materials.includes(pair.join("v")));
  }

  #point(move, kind) {
    const arrows = move ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4), kind }] : [];
    this.board.show({ lastMove: this.step.lastMove, arrows });
  }

  #playBest() {
    const best = bestMoves(this.answer, this.step.counted);
    this.play(best[Math.floor(Math.random() * best.length)]);
  }

  async #askLine(searched) {
    const { variant, counting, position, counted } = this.step;
    const { request } = this;
    const question = { fen: fenOf(variant, position), counting, mate_in_time: searched || undefined };
    const answer = await askLine(variant, question, request.signal).catch(() => null);
    if (!answer || this.request !== request) return;
    const moves = counted ? answer.counted_mainline.moves : answer.mainline;
    element("line-section").hidden = moves.length === 0;
    listLine(element("line"), { moves, side: position.side, onGo: (count) => this.#playLine(moves.slice(0, count)) });
  }

  /** Plays the moves of a line one after another, and shows the last position. */
  async #playLine(moves) {
    const { request } = this;
    let { answer } = this;
    try {
      for (const [place, { uci }] of moves.entries()) {
        if (place > 0) {
          const { variant, counting, position } = this.step;
          answer = await askPosition(variant, { fen: fenOf(variant, position), counting, line: false }, request.signal);
          if (this.request !== request) return;
        }
        this.#goOn(this.#after(answer.moves.find((move) => move.uci === uci)));
      }
    } catch (error) {
      if (this.request !== request) return;
      this.#showError(error);
      return;
    }
    this.ask();
  }

  #showError(error) {
    const { language } = this;
    element("best").disabled = true;
    this.#say("", textOfError(language, error), "");
    const { position } = this.step;
    this.countChoice.show(null, this.step.counted);
    this.board.show({ men: position.men, lastMove: this.step.lastMove });
  }

  /** The verdict: who moves, the sentence, the count, and the notes of the service, in English. */
  #say(kind, sentence, count, notes = []) {
    const host = element("verdict");
    const { language } = this;
    const { side } = this.step.position;
    const disc = document.createElement("span");
    disc.className = `disc ${side}`;
    host.className = kind;
    host.querySelector(".mover").replaceChildren(disc, language.say("mover", { side: sideName(language, side) }));
    host.querySelector(".sentence").textContent = sentence;
    host.querySelector(".count").textContent = count;
    host.querySelector(".note").textContent = notes.map((note) => language.capital(note)).join(". ");
  }

  #showFields() {
    const { variant, position } = this.step;
    this.fields.variant.value = variant;
    this.#showRules();
    this.fields.side.value = position.side;
    this.fields.fen.value = fenOf(variant, position);
    this.fields.example.value = "";
    element("undo").disabled = !this.history.hasPast;
    element("redo").disabled = !this.history.hasFuture;
    element("best").disabled = true;
  }

  /** The counting rules of the game, to choose from if there are several. */
  #showRules() {
    const { language, fields } = this;
    const { variant, counting } = this.step;
    const [usual, ...others] = this.rules.get(variant) ?? [];
    fields.counting.replaceChildren(
      new Option(language.say("rule.usual"), ""),
      ...others.map((name) => new Option(ruleName(language, name), name)),
    );
    fields.counting.value = counting === usual ? "" : counting ?? "";
    fields.counting.closest("label").hidden = others.length === 0;
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
    this.go({ position: same ? position.withSquares(men) : position.withMen(men) });
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
      fields.variant.append(new Option(variantName(language, name), name));
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
      kinds.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
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
      const position = this.step.position.to(this.step.position.side);
      this.go({ variant: fields.variant.value, counting: undefined, position });
    });
    fields.counting.addEventListener("change", () => {
      const counting = fields.counting.value || undefined;
      this.go({ counting, position: this.step.position.withoutCount() });
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
      this.go({ position: Position.parse(fields.example.value), counted: true });
    });
  }

  /** Back or forth; against the table to a position in which the player moves. */
  #travel(way) {
    const { history } = this;
    do history[way]();
    while (this.opponent === this.step.position.side && (way === "back" ? history.hasPast : history.hasFuture));
    this.#showWrong("");
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
    if (text.trim() === fenOf(this.step.variant, this.step.position)) return;
    try {
      this.go(stepOfText(text));
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

const language = await openPage();
document.title = language.say("explorer.title");
new Explorer(language, (await askVariants()).variants);
