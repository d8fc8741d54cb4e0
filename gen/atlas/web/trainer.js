// The trainer: positions to win before the count ends, or to hold until it does. The table answers.

import { ServiceError, ask, inAddress, isSite } from "./api.js";
import { Board } from "./board.js";
import { textOfError } from "./errors.js";
import { Position } from "./fen.js";
import { gameNamed } from "./games.js";
import { loadPage } from "./loading.js";
import { fillFigured, legend } from "./san.js";
import { addressOf } from "./step.js";
import { Choice, endingsOf } from "./trainer-choice.js";
import { Exercise } from "./trainer-exercise.js";
import { Progress } from "./trainer-progress.js";
import { costText, countText, endText, playedMoves, taskText } from "./trainer-words.js";
import { bestMoves, movesIn } from "./value.js";
import { variantName } from "./variants.js";

/** What a player can do about an error, by its code. */
const ERRORS = {
  no_exercise: "trainer.error.no_exercise",
  no_count: "trainer.error.no_count",
  no_table: "trainer.error.no_table",
};
/** Numbers that draw an exercise, as many as are exact. */
const SEEDS = 2 ** 48;
const GOALS = { mate: "trainer.goal.mate", hold: "trainer.goal.hold" };
const LISTS = { hardest: "trainer.lists.hardest", tightest: "trainer.lists.tightest", classic: "trainer.lists.classic" };
/** Before the table replies, in milliseconds: the eye has to follow. */
const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350;

const element = (id) => document.getElementById(id);
const pause = (time) => new Promise((done) => setTimeout(done, time));

const { language, variants } = await loadPage({
  title: (texts) => `${texts.say("trainer.title")} – Sakmak`,
  refuse: (text) => (element("refused").textContent = text),
});
const progress = new Progress();
const choice = new Choice(element("choice"), language, new Map(variants.map((game) => [game.name, endingsOf(game)])));
const board = new Board(element("board"), {
  language,
  targets: (from) => targetsOf(from),
  onDrop: (letter, from, to) => move(from, to),
});
/** The exercise that is played; none before the first. */
let exercise = null;
/** Whether the table or the service is being waited for. */
let busy = false;
/** Whether the address has changed since then, so that its exercise is to be opened. */
let isLate = false;
let arrows = [];

/** Where a man may go: only where the player may move it. */
function targetsOf(from) {
  if (!exercise?.isPlayersTurn || busy || isStopped()) return undefined;
  const moves = exercise.answer.moves.filter(({ uci }) => uci.startsWith(from));
  return moves.length ? new Map(moves.map(({ uci }) => [uci.slice(2, 4), ""])) : undefined;
}

/** Whether a wrong move was shown and is neither taken back nor played on. */
function isStopped() {
  return choice.atOnce && exercise.mistakes.some(({ ply }) => ply === exercise.steps.length - 1);
}

/** Says a text in which these moves of the player may be. */
function say(text, kind = "", moves = []) {
  const said = element("said");
  said.className = `said ${kind}`;
  if (exercise) fillFigured(said, text, { variant: exercise.variant, side: exercise.player, moves });
  else said.textContent = text;
}

function draw() {
  const { answer, steps } = exercise;
  const last = steps.at(-1).move?.uci;
  board.variant = exercise.variant;
  const position = Position.parse(answer.fen);
  board.show({ men: position.men, lastMove: last ? [last.slice(0, 2), last.slice(2, 4)] : [], arrows });
  element("count").textContent = countText(language, answer);
  element("moves").replaceChildren(...playedMoves(exercise));
  element("back").disabled = busy || steps.length < 2;
  // After a wrong move it is that of the position before.
  element("solution").disabled = busy || !(exercise.isPlayersTurn || isStopped());
  const explore = element("explore");
  explore.hidden = false;
  explore.href = addressOf({ variant: exercise.variant, position, counted: true });
  // The last one is what is said.
  const atOnce = exercise.mistakes.slice(0, isStopped() ? -1 : undefined);
  const told = choice.atOnce ? atOnce : exercise.mistakes.filter(() => exercise.ended);
  element("mistakes").replaceChildren(...told.map((mistake) => {
    const item = document.createElement("li");
    const figures = { variant: exercise.variant, side: exercise.player, moves: [mistake.move.san] };
    fillFigured(item, costText(language, exercise, mistake), figures);
    return item;
  }));
}

function start(opened) {
  exercise = opened;
  arrows = [];
  legend(element("legend"), language, exercise.variant);
  if (board.flipped !== (exercise.player === "black")) board.flip();
  element("task").textContent = taskText(language, exercise);
  say("");
  draw();
}

/** Runs what asks the service, with one line if it fails. */
async function working(work) {
  if (busy) return;
  busy = true;
  element("refused").textContent = "";
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    const known = error instanceof ServiceError && ERRORS[error.code];
    element("refused").textContent = known ? language.say(known) : textOfError(language, error, choice.variant);
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
    if (exercise) draw();
  }
  if (isLate) await openAddress();
}

/** Opens an exercise. `enter(address)` puts it into the address of the page; else it is there. */
function open(variant, fen, enter = () => {}) {
  return working(async () => {
    const opened = await Exercise.open(variant, fen);
    if (isLate) return;
    if (!opened) {
      element("refused").textContent = language.say("trainer.no-goal");
      return;
    }
    choice.show(opened);
    start(opened);
    enter(addressOfExercise(variant, fen));
    scrollTo({ top: 0 });
  });
}

/** The address of an exercise. */
const addressOfExercise = (variant, fen) => `?variant=${variant}&fen=${inAddress(fen)}`;

/** Draws an exercise as the form asks for it. `enter(address)` puts it into the address of the page. */
function next(enter) {
  const { variant, asked } = choice;
  return working(async () => {
    const { fen } = await ask(`/${variant}/draw`, { ...asked, seed: Math.floor(SEEDS * Math.random()) });
    const opened = await Exercise.open(variant, fen);
    if (isLate) return;
    start(opened);
    enter(addressOfExercise(variant, fen));
    scrollTo({ top: 0 });
  });
}

function enterNew(address) {
  history.pushState(null, "", address);
  board.focus();
}

/** Opens the exercise that the address of the page has, else draws one. */
function openAddress() {
  isLate = busy;
  if (isLate) return undefined;
  const asked = new URLSearchParams(location.search);
  const game = asked.get("variant") ?? "makruk";
  if (asked.has("fen")) return open(gameNamed(game) ?? game, asked.get("fen"));
  return next((address) => history.replaceState(null, "", address));
}

/** The player's move, and the reply of the table. */
function move(from, to) {
  const found = exercise.answer.moves.find(({ uci }) => uci.startsWith(from + to));
  if (!found) return;
  const { failed } = exercise;
  arrows = [];
  working(async () => {
    const { mistake } = await exercise.play(found.uci);
    if (mistake && choice.atOnce) {
      say(costText(language, exercise, mistake), "bad", [found.san]);
      settle(failed);
      return;
    }
    say("");
    await reply();
    settle(failed);
  });
}

async function reply() {
  if (!exercise.ended) {
    draw();
    await pause(PAUSE);
    const { move } = await exercise.reply();
    board.announce(`${move.san}. ${countText(language, exercise.answer)}`);
  }
  if (exercise.ended) say(endText(language, exercise), exercise.isDone ? "good" : "bad");
}

/** Counts an exercise once: as failed at the first wrong move that is told, as done at its end. */
function settle(failed) {
  if (exercise.settled || failed && !exercise.ended) return;
  if (exercise.ended || exercise.failed && choice.atOnce) {
    exercise.settled = true;
    progress.add(exercise, exercise.isDone);
    showProgress();
  }
}

function showProgress() {
  const { rows } = progress;
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const key of ["trainer.ending", "trainer.goal", "trainer.tried", "trainer.finished", "trainer.streak"]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = language.say(key);
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { variant, material, goal, tried, done, streak } of rows) {
    const row = body.insertRow();
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = language.say("trainer.ending.game", { material, game: variantName(language, variant) });
    row.append(name);
    row.insertCell().textContent = language.say(GOALS[goal]);
    for (const number of [tried, done, streak]) row.insertCell().textContent = language.number(number);
  }
  const nothing = document.createElement("p");
  nothing.textContent = language.say("trainer.progress.none");
  element("progress").replaceChildren(rows.length ? table : nothing);
  element("clear").disabled = !rows.length;
}

/** A list as buttons, one for each exercise. */
function listed(variant, key, exercises) {
  const title = document.createElement("h3");
  title.textContent = language.say(key);
  const list = document.createElement("ul");
  for (const { fen, material, goal, dtm, good_moves: good, legal_moves: legal, source } of exercises) {
    const button = document.createElement("button");
    button.type = "button";
    const texts = [language.say("trainer.ending.goal", { material, goal: language.say(GOALS[goal]) })];
    if (dtm !== null) texts.push(language.say("trainer.lists.mate", { moves: language.moves(movesIn(dtm)) }));
    texts.push(language.say("trainer.lists.good", { good, legal }));
    button.textContent = texts.join(" · ");
    if (source) {
      const from = document.createElement("span");
      Object.assign(from, { className: "source", textContent: source, lang: "en", translate: false });
      button.append(from);
    }
    button.addEventListener("click", () => open(variant, fen, enterNew));
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  return exercises.length ? [title, list] : [];
}

element("choice").addEventListener("submit", (event) => {
  event.preventDefault();
  next(enterNew);
});
element("next").addEventListener("click", () => next(enterNew));
addEventListener("popstate", openAddress);
element("back").addEventListener("click", () => {
  exercise.takeBack();
  arrows = [];
  say("");
  draw();
});
element("solution").addEventListener("click", () => {
  if (isStopped()) exercise.takeBack();
  const { failed } = exercise;
  exercise.failed = true;
  const { moves } = exercise.answer;
  const good = moves.filter((move) => exercise.keeps(move));
  arrows = bestMoves(exercise.answer, true).map(({ uci }) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), kind: exercise.goal === "mate" ? "win" : "draw" }));
  const sans = (good.length ? good : moves.slice(0, 1)).map(({ san }) => san);
  say(language.say("trainer.solution.moves", { moves: sans.join(", ") }), "", sans);
  settle(failed);
  draw();
});
element("flip").addEventListener("click", () => board.flip());
element("clear").addEventListener("click", () => {
  progress.clear();
  showProgress();
});
element("open-lists").addEventListener("click", () => working(async () => {
  const { variant } = choice;
  element("lists").textContent = language.say("trainer.lists.wait");
  const lists = await ask(`/${variant}/lists`).catch((error) => {
    element("lists").textContent = "";
    throw error;
  });
  element("lists").replaceChildren(...Object.entries(LISTS).flatMap(([name, key]) => listed(variant, key, lists[name])));
}));

showProgress();
// Lists are counted from whole tables, which pages of a site do not have.
document.querySelector(".lists").hidden = isSite;
await openAddress();
delete document.querySelector("main").dataset.waits;
for (const id of ["next", "flip"]) element(id).disabled = false;
