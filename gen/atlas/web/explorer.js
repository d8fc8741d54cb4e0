// The explorer: set a position up, see the result under the count, and play it out.

import { askLine, askPosition, isSite } from "./api.js";
import { answerOf } from "./board-games.js";
import { Board } from "./board.js";
import { CountChoice } from "./count.js";
import { isUnanswered, servedReason, textOfError } from "./errors.js";
import { FenError, Position, sideOf } from "./fen.js";
import { allGames, gameOf } from "./games.js";
import { History } from "./history.js";
import { listLine } from "./line.js";
import { loadPage } from "./loading.js";
import { listMoves } from "./moves.js";
import { Palette } from "./palette.js";
import { fenOf, kindName, sideName, speakOf } from "./pieces.js";
import { legend } from "./san.js";
import { endsOf } from "./squares.js";
import { addressOf, stepOf, stepOfAddress, stepOfText } from "./step.js";
import { bestMoves, isCounted, isOver, lacksMates, valueOf, valueOfMove } from "./value.js";
import { ruleName, variantName } from "./variants.js";
import { countText, verdict } from "./verdict.js";

/** Milliseconds until an answer that is not there is said to be worked out. */
const PATIENCE = 500;
/** Milliseconds before the table answers a move. */
const REPLY = 500;
/** Milliseconds before a question that nothing answered is asked again, the first time and at most. */
const RETRY = [3000, 30_000];

/** The parts of the page that an answer fills. */
const PARTS = ["verdict", "moves-section", "line-section"];

class Explorer {
  constructor(language) {
    this.language = language;
    const { step, error } = stepOfAddress();
    this.history = new History(step, { addressOf, stepOf });
    this.answer = null;
    this.settingUp = false;
    this.opponent = this.history.kept.opponent ?? "";
    this.board = new Board(element("board"), {
      language,
      targets: (from) => this.#targets(from),
      onDrop: (letter, from, to) => this.#drop(letter, from, to),
      onHand: () => this.palettes?.forEach((palette) => palette.show()),
    });
    this.palettes = ["black", "white"].map((side) => new Palette(element(`palette-${side}`), this.board, side));
    this.countChoice = new CountChoice(element("count"), language, {
      onChange: (choice, isTyped) => this.#chooseCount(choice, isTyped),
      onOver: (limit) => this.#refuseInput(language.say("count.most", { limit })),
    });
    this.fields = element("position").elements;
    this.#fillFields();
    this.#listen();
    if (this.history.kept.flipped) this.board.flip();
    this.#begin(error);
  }

  get step() {
    return this.history.now;
  }

  /** Shows the step of the address, or the error if it holds none. */
  #begin(error) {
    if (error) {
      this.#wait();
      this.#showError(error, (reason) => this.language.say("fen.address", { reason }));
    } else {
      this.ask();
    }
  }

  /** Shows the step there is, and asks for its answer. `called`: the count in moves, as called. */
  async ask(called = {}) {
    this.#wait();
    const request = new AbortController();
    this.request = request;
    const wait = this.#mayNeedTable() ? "wait.table" : isSite ? "wait.tables" : "wait.answer";
    const patience = setTimeout(() => {
      if (this.request === request) this.#say("waits", this.language.say(wait), "");
    }, PATIENCE);
    let answer;
    try {
      this.#checkKings();
      answer = await this.#answerFor(this.step, request, called);
    } catch (error) {
      if (this.request === request) this.#showError(error);
      return;
    } finally {
      clearTimeout(patience);
    }
    if (this.request !== request) return;
    this.tries = 0;
    this.history.replace({ ...this.step, position: this.#positionOf(answer.fen) });
    this.#show(answer);
  }

  /** The answer for a step; `more` has other parameters of the question. */
  async #answerFor({ variant, counting, position }, request, more = {}) {
    const question = { fen: fenOf(variant, position), counting, line: false, ...more };
    return answerOf(await askPosition(variant, question, request.signal), this.language);
  }

  /** The position of a FEN of the game that is shown. */
  #positionOf(fen) {
    return Position.parse(fen, gameOf(this.step.variant).shape);
  }

  /** Fails unless each side has one king. */
  #checkKings() {
    const { language } = this;
    const { variant, position } = this.step;
    const kings = [...position.men.values()].filter((letter) => letter.toUpperCase() === "K");
    for (const side of ["white", "black"]) {
      const given = kings.filter((letter) => sideOf(letter) === side).length;
      const holes = { side: sideName(language, side), man: kindName(language, variant, "K"), given };
      if (given !== 1) throw new FenError(given ? "reason.kings" : "position.king", holes);
    }
  }

  /** Goes on to another position. Unless the change has one, there is no last move. */
  go(change, called) {
    this.#goTo({ ...this.step, lastMove: [], ...change });
    return this.ask(called);
  }

  /** Plays a move of the answer. */
  play(move) {
    // The moves of the position before can be seen until those of this one are there.
    if (!this.answer) return undefined;
    const { language } = this;
    const side = sideName(language, this.step.position.side);
    this.board.announce(language.say("board.played", { side, san: move.san }));
    if (move.fen === null) return this.#showEnd(move);
    this.#goTo(this.#after(this.step, move));
    return this.ask();
  }

  /** Says how a move ends the game. No position follows it. */
  #showEnd(move) {
    clearTimeout(this.reply);
    const { language } = this;
    const { kind } = valueOfMove(move, true);
    const holes = { move: move.san, winner: sideName(language, this.step.position.side) };
    this.#point(move, kind);
    this.#say(kind, language.capital(language.say(kind === "win" ? "verdict.ends.win" : "verdict.ends.draw", holes)), "");
  }

  /** Goes on to the last of these steps. */
  #goTo(...steps) {
    this.isTyped = false;
    this.isTravelled = false;
    this.history.push(...steps);
  }

  /** The step after a move of an answer. */
  #after(step, move) {
    const position = this.#positionOf(move.fen);
    const [from, to] = endsOf(move.uci);
    return {
      ...step,
      position: step.counted ? position : position.withoutCount(),
      lastMove: from === to ? [] : [from, to],
    };
  }

  /** Ends the question that is under way, and what would follow after a while. */
  #stop() {
    this.request?.abort();
    clearTimeout(this.reply);
    clearTimeout(this.retry);
  }

  /** Shows the board of the step; what is said of another one is pale until the answer is there. */
  #wait() {
    this.#stop();
    this.answer = null;
    this.line = [];
    const { position, variant, lastMove } = this.step;
    this.board.variant = variant;
    this.#showGame();
    this.board.show({ men: position.men, lastMove });
    this.#showFields();
    this.#showMover();
    for (const id of PARTS) element(id).setAttribute("aria-busy", true);
  }

  /** `searched`: whether mates in time that are not in the tables have been searched. */
  #show(answer, searched = false) {
    clearTimeout(this.reply);
    this.answer = answer;
    const { language } = this;
    const { position, lastMove, variant } = this.step;
    const counted = isCounted(this.step, answer);
    const searches = !searched && counted && lacksMates(answer) && this.#mayBeSearched();
    const value = valueOf(answer, position.side, counted);
    const isLeast = value.moves === null && value.winner !== null && !isOver(answer);
    const more = searches ? ["wait.mate"] : isLeast ? ["note.least"] : [];
    if (this.step.counted && answer.missing_table) more.push("note.uncounted");
    this.#showFields();
    this.countChoice.show(answer.count, this.step.counted);
    const count = counted ? countText(language, answer.count) : language.say("count.off");
    const isCountless = !gameOf(variant).counts || isOver(answer);
    const holes = { table: answer.missing_table };
    const note = more.map((key) => language.capital(language.say(key, holes))).join(". ");
    this.#say(value.kind, verdict(language, answer, position.side, counted), isCountless ? "" : count, note, answer.notes);
    element("moves-section").setAttribute("aria-busy", false);
    this.board.show({ men: position.men, lastMove });
    element("moves-section").hidden = isOver(answer);
    listMoves(element("moves"), {
      language, variant, side: position.side, counted, moves: answer.moves,
      onPlay: (move) => this.play(move),
      onPoint: (move, moveKind) => this.#point(move, moveKind),
    });
    element("best").disabled = isOver(answer);
    if (this.opponent === position.side && !isOver(answer) && !this.settingUp && !this.isTravelled) {
      this.reply = setTimeout(() => this.#playBest(), REPLY);
    }
    this.#askLine(searched);
    if (searches) this.#askMates();
  }

  /** Whether a search does not have to fetch thousands of ranges of files. */
  #mayBeSearched() {
    const { variant, position } = this.step;
    return !isSite || position.men.size <= gameOf(variant).on_the_spot;
  }

  /** Asks again for what the tables do not tell. If it is not found, nothing is waited for any more. */
  async #askMates() {
    const { request, answer } = this;
    const found = await this.#answerFor(this.step, request, { mate_in_time: true }).catch(() => answer);
    if (this.request === request && this.answer === answer) this.#show({ ...answer, ...found, notes: answer.notes }, true);
  }

  /** Whether the table of the position may have to be made, which takes seconds. */
  #mayNeedTable() {
    const { variant, position } = this.step;
    const { on_the_spot: most, materials, shape: { kinds: order } } = gameOf(variant);
    const men = [...position.men.values()];
    if (men.length > most) return false;
    const armies = ["white", "black"].map((side) => {
      const kinds = men.filter((letter) => sideOf(letter) === side).map((letter) => letter.toUpperCase());
      return kinds.sort((one, other) => order.indexOf(one) - order.indexOf(other)).join("");
    });
    return ![armies, armies.toReversed()].some((pair) => materials.includes(pair.join("v")));
  }

  #point(move, kind) {
    if (!this.answer) return;
    const [from, to] = move ? endsOf(move.uci) : [];
    this.board.show({ lastMove: this.step.lastMove, arrows: from === to ? [] : [{ from, to, kind }] });
  }

  #playBest() {
    const best = bestMoves(this.answer, isCounted(this.step, this.answer));
    this.play(best[Math.floor(Math.random() * best.length)]);
  }

  async #askLine(searched) {
    const { variant, counting, position } = this.step;
    const { request } = this;
    const counted = isCounted(this.step, this.answer);
    const question = { fen: fenOf(variant, position), counting, mate_in_time: searched || undefined };
    let moves = this.answer.line;
    if (!moves) {
      const answer = await askLine(variant, question, request.signal).catch(() => null);
      if (this.request !== request) return;
      // A line may lead to positions without counts.
      moves = !answer ? [] : counted ? answer.counted_mainline?.moves ?? [] : answer.mainline;
    }
    this.line = moves;
    element("line-section").setAttribute("aria-busy", false);
    element("line-section").hidden = moves.length === 0;
    listLine(element("line"), { variant, moves, side: position.side, onGo: (count) => this.#playLine(moves.slice(0, count)) });
  }

  /** Plays the moves of a line, and shows the last position. */
  async #playLine(moves) {
    const { request } = this;
    let { answer, step } = this;
    if (!answer) return;
    const steps = [];
    let last;
    try {
      for (const [place, { uci }] of moves.entries()) {
        if (place > 0) {
          answer = await this.#answerFor(step, request);
          if (this.request !== request) return;
        }
        last = answer.moves.find((move) => move.uci === uci);
        if (last.fen === null) break;
        step = this.#after(step, last);
        steps.push(step);
      }
    } catch (error) {
      if (this.request === request) this.#showError(error);
      return;
    }
    if (steps.length) {
      this.#goTo(...steps);
      const asking = this.ask();
      const { request: latest } = this;
      await asking;
      if (this.request !== latest) return;
    }
    if (last.fen === null) this.play(last);
  }

  /** The error in the place of the verdict. What nothing answers is asked again after a while. */
  #showError(error, sentence = (reason) => reason) {
    const { language } = this;
    const { position, variant, lastMove } = this.step;
    const isLost = isUnanswered(error);
    this.#refuse(sentence(textOfError(language, error, variant)), servedReason(error, variant));
    element("retry").hidden = !isLost;
    if (isLost) {
      const [first, most] = RETRY;
      this.retry = setTimeout(() => this.ask(), Math.min(first * 2 ** (this.tries ?? 0), most));
      this.tries = (this.tries ?? 0) + 1;
      return;
    }
    const { square } = error.reason ?? {};
    this.board.show({ men: position.men, lastMove, marks: new Map(square ? [[square, "loss"]] : []) });
    element("moves-section").hidden = true;
    element("line-section").hidden = true;
  }

  /** Says that what was entered cannot be. An answer that is under way would say another thing. */
  #refuseInput(text) {
    this.#stop();
    this.request = new AbortController();
    this.#refuse(text);
  }

  /** Says that something cannot be; `reason`: why, in the words of the service. */
  #refuse(text, reason = "") {
    element("best").disabled = true;
    this.#say("wrong", text, "", "", [reason]);
  }

  #showMover() {
    const { language } = this;
    const { variant, position: { side } } = this.step;
    const disc = document.createElement("span");
    disc.className = `disc ${gameOf(variant).sides[side]}`;
    const text = language.say("mover", { side: sideName(language, side) });
    element("verdict").querySelector(".mover").replaceChildren(disc, text);
  }

  /**
   * The verdict: who moves, the sentence, the count, a note, and those of the service, in English.
   * Screen readers say what is not busy.
   */
  #say(kind, sentence, count, note = "", served = []) {
    const host = element("verdict");
    host.className = kind;
    this.#showMover();
    const texts = { sentence, count, note, served: served.map((text) => this.language.capital(text)).join(". ") };
    for (const [name, text] of Object.entries(texts)) host.querySelector(`.${name}`).textContent = text;
    element("retry").hidden = true;
    host.setAttribute("aria-busy", false);
  }

  #showFields() {
    const { fields } = this;
    const { variant, position } = this.step;
    this.#showRule();
    fields.side.value = position.side;
    fields.fen.value = fenOf(variant, position);
    fields.example.value = "";
    fields.opponent.value = this.opponent;
    element("undo").disabled = !this.history.hasPast;
    element("redo").disabled = !this.history.hasFuture;
    element("best").disabled = true;
  }

  #showRule() {
    const { variant, counting } = this.step;
    this.fields.counting.value = counting === gameOf(variant).counting[0] ? "" : counting ?? "";
  }

  /** What depends on the game alone: names of sides and men, counting rules, examples. */
  #showGame() {
    const { language, fields } = this;
    const { variant } = this.step;
    if (variant === this.game) return;
    this.game = variant;
    const { counting: [, ...rules], examples, shape } = gameOf(variant);
    speakOf(language, variant);
    fields.variant.value = variant;
    fields.counting.replaceChildren(
      new Option(language.say("rule.usual"), ""),
      ...rules.map((name) => new Option(ruleName(language, name), name)),
    );
    fields.counting.closest("label").hidden = rules.length === 0;
    const sides = ["white", "black"].map((side) => [sideName(language, side), side]);
    const options = (choices) => choices.map(([text, value]) => new Option(text, value));
    fields.side.replaceChildren(...options(sides));
    fields.opponent.replaceChildren(...options([[language.say("opponent.none"), ""], ...sides]));
    const shown = examples.map((fen) => [this.#menOf(Position.parse(fen, shape)), fen]);
    fields.example.replaceChildren(...options([[language.say("example.choose"), ""], ...shown]));
    element("count").hidden = !gameOf(variant).counts;
    this.palettes.forEach((palette) => palette.fill());
    legend(element("legend"), language, variant);
  }

  /** Where a man may go: anywhere while the board is set up, else as the moves of the answer. */
  #targets(from) {
    if (this.settingUp) return null;
    const counted = isCounted(this.step, this.answer);
    const moves = (this.answer?.moves ?? []).map((move) => [...endsOf(move.uci), valueOfMove(move, counted).kind]);
    const own = moves.filter(([start, to]) => start === from && to !== from);
    // Of two moves to a square, the better one, which comes first, is played.
    return own.length ? new Map(own.reverse().map(([, to, kind]) => [to, kind])) : undefined;
  }

  #drop(letter, from, to) {
    if (!this.settingUp) {
      const move = this.answer.moves.find(({ uci }) => endsOf(uci).join() === [from, to].join());
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

  /** Takes the count that is chosen. Numbers that are typed one after another are one step. */
  #chooseCount(choice, isTyped) {
    const goesOn = isTyped && this.isTyped;
    if (!choice) {
      this.isTyped = false;
      return;
    }
    const position = this.step.position.withoutCount();
    const isCalled = choice.kind === "called";
    const change = { position, counted: choice.kind !== "none" };
    if (goesOn) this.history.replace({ ...this.step, ...change });
    else this.#goTo({ ...this.step, ...change });
    this.isTyped = isTyped;
    this.ask(isCalled ? { called: choice.called, counter: choice.counter } : {});
  }

  #setUp(on) {
    this.settingUp = on;
    element("setup").setAttribute("aria-pressed", on);
    for (const id of ["palette-black", "palette-white", "clear", "setup-help", "side"]) element(id).hidden = !on;
    element("best").hidden = on;
    this.ask();
  }

  #fillFields() {
    const { language, fields } = this;
    fields.variant.append(...allGames().map(({ name }) => new Option(variantName(language, name), name)));
  }

  /** The men of both sides by name. */
  #menOf(position) {
    const { language } = this;
    const army = (side) => {
      const letters = [...position.men.values()].filter((letter) => sideOf(letter) === side);
      const kinds = letters.map((letter) => letter.toUpperCase());
      const order = position.shape.kinds;
      kinds.sort((one, other) => order.indexOf(one) - order.indexOf(other));
      return kinds.map((kind) => kindName(language, this.step.variant, kind)).join(" ");
    };
    return language.say("example.men", { white: army("white"), black: army("black") });
  }

  #listen() {
    const { fields } = this;
    addEventListener("popstate", ({ state }) => this.#travelled(state));
    addEventListener("keydown", (event) => this.#key(event));
    // What nothing has answered is asked again when there is a network.
    addEventListener("online", () => element("retry").hidden || this.ask());
    const click = (id, action) => element(id).addEventListener("click", action);
    // Until now they did nothing.
    for (const id of ["setup", "flip", "link"]) element(id).disabled = false;
    click("undo", () => this.#travel(-1));
    click("redo", () => this.#travel(1));
    click("best", () => this.#playBest());
    click("flip", () => this.#flip());
    click("setup", () => this.#setUp(!this.settingUp));
    click("clear", () => this.go({ position: Position.empty(this.step.position.shape) }));
    click("retry", () => this.ask());
    click("link", () => this.#copyLink());
    element("position").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#readFen();
    });
    fields.fen.addEventListener("change", () => this.#readFen());
    fields.variant.addEventListener("change", () => this.#chooseGame(fields.variant.value));
    fields.counting.addEventListener("change", () => {
      const counting = fields.counting.value || undefined;
      const { position, lastMove } = this.step;
      this.go({ counting, position: position.withoutCount(), lastMove });
    });
    fields.side.addEventListener("change", () => {
      const { count } = this.answer ?? {};
      const called = count?.running ? { called: count.called, counter: count.runner } : {};
      this.go({ position: this.step.position.to(fields.side.value) }, called);
    });
    fields.opponent.addEventListener("change", () => {
      this.opponent = fields.opponent.value;
      this.isTravelled = false;
      this.#keep({ opponent: this.opponent });
      this.ask();
    });
    fields.example.addEventListener("change", () => {
      this.go({ position: this.#positionOf(fields.example.value), counted: true });
    });
  }

  /** Goes on to another game: with the same men if it has the same examples, else to its first example. */
  #chooseGame(variant) {
    const { position: { men, side }, variant: before, counted } = this.step;
    const { shape, examples } = gameOf(variant);
    const isAlike = examples.join() === gameOf(before).examples.join();
    const position = isAlike ? new Position(shape, men, side) : Position.parse(examples[0], shape);
    this.go({ variant, counting: undefined, counted: counted || !isAlike, position });
  }

  /** Keeps a choice with the game. */
  #keep(choice) {
    Object.assign(this.history.kept, choice);
    this.history.keep();
  }

  /** Back or forth; against the table to a position in which the player moves. */
  #travel(way) {
    const { steps, at } = this.history;
    let to = at;
    do to += way;
    while (steps[to + way] && this.opponent === steps[to].position.side);
    if (!steps[to]) return;
    this.history.go(to);
    this.#gone();
  }

  /** The browser has gone to another entry of its history. */
  #travelled(state) {
    if (state?.steps) {
      this.history.restore(state);
      this.opponent = this.history.kept.opponent ?? "";
      this.#gone();
    } else {
      // The first entry has only its address until there is an answer.
      const { step, error } = stepOfAddress();
      this.history.begin(step);
      this.#gone(error);
    }
  }

  /** The table does not answer a move again that was taken back or gone to. */
  #gone(error) {
    this.isTyped = false;
    this.isTravelled = true;
    this.#begin(error);
  }

  /** The arrow keys step through the game and on through the line, where no field or square has them. */
  #key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest("input, select, textarea, [role=grid]")) return;
    if (key === "ArrowLeft") this.#travel(-1);
    else if (key !== "ArrowRight") return;
    else if (this.history.hasFuture) this.#travel(1);
    else if (this.answer && this.line.length) this.#playLine(this.line.slice(0, 1));
    event.preventDefault();
  }

  #flip() {
    this.board.flip();
    this.#keep({ flipped: this.board.flipped });
  }

  #readFen() {
    const text = this.fields.fen.value;
    if (text.trim() === fenOf(this.step.variant, this.step.position)) return;
    try {
      this.go(stepOfText(text, this.step.variant));
    } catch (error) {
      this.#refuseInput(textOfError(this.language, error, this.step.variant));
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

const { language } = await loadPage({
  title: (texts) => texts.say("explorer.title"),
  refuse: (text) => {
    element("verdict").className = "wrong";
    element("verdict").querySelector(".sentence").textContent = text;
  },
});
new Explorer(language);
