// Board games on the page: looked up, moved on, set up, and their addresses. Fails if something is not as it
// should be.
// usage: board-games.mjs DIRECTORY_OF_THE_PAGES ADDRESS_OF_THE_SERVICE; the service has tables of Janggi, KRRvK, of
// Rek, KMvKM, and of Min Rek Chanh and its variant `called`, KMMvKM.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [directory, service] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${directory}/${name}`));
const { ServiceError, inAddress } = await load("api.js");
const { answerOf } = await load("board-games.js");
const { servedReason, textOfError } = await load("errors.js");
const { FenError, Position } = await load("fen.js");
const { allGames, gameOf, learnGames } = await load("games.js");
const { Language } = await load("languages.js");
const { fenOf, pieceName, sideName, speakOf } = await load("pieces.js");
const { addressOf, stepOf, stepOfText } = await load("step.js");
const { isOver, valueOf, valueOfMove } = await load("value.js");
const { verdict } = await load("verdict.js");

const language = new Language("en", JSON.parse(await readFile(`${directory}/languages/en.json`, "utf8")), "latn");
const json = async (path) => (await fetch(service + path)).json();
const ask = (variant, fen) => json(`/${variant}?fen=${inAddress(fen)}`);
learnGames(await json("/variants"));
globalThis.location = new URL("/", service);

// Of board games those with tables are listed, after the other games.
const names = allGames().map(({ name }) => name);
assert.deepEqual(names.slice(names.indexOf("janggi")), ["janggi", "min-rek-chanh", "min-rek-chanh-called", "rek"]);

/** A value of the page in words. */
const worded = ({ kind, moves }) => (kind === "draw" ? "draw" : `${kind} in ${moves}`);
/** A category and plies of the service in the same words. */
const servedWords = (category, plies) => (category === "draw" ? "draw" : `${category} in ${Math.ceil(plies / 2)}`);
const REVERSED = { win: "loss", draw: "draw", loss: "win" };
/** The value of a move for the side that makes it: one ply more than after it. */
const wordsOfMove = ({ category, dtm }) => servedWords(REVERSED[category], Math.abs(dtm) + 1);

/** The answer of the page, which has the values of the service. */
async function answered(variant, fen) {
  const served = await ask(variant, fen);
  assert.equal(served.error, undefined, fen);
  const answer = answerOf(served, language);
  const position = Position.parse(answer.fen, gameOf(variant).shape);
  speakOf(language, variant);
  assert.equal(fenOf(variant, position), served.fen);
  assert.equal(worded(valueOf(answer, position.side, true)), servedWords(served.category, Math.abs(served.dtm)));
  assert.deepEqual(answer.moves.map((move) => worded(valueOfMove(move, true))), served.moves.map(wordsOfMove));
  assert.deepEqual(answer.line.map(({ uci }) => uci), served.line);
  // The address holds the game and the position.
  const address = addressOf({ variant, position, counted: true });
  assert.equal(stepOf(address).variant, variant);
  assert.equal(fenOf(variant, stepOf(address).position), served.fen);
  return { answer, position, said: verdict(language, answer, position.side, true) };
}

/** Plays best play to its end; the last move, and the position that it is made in. */
async function played(variant, fen) {
  let { answer, position } = await answered(variant, fen);
  const { line } = answer;
  let move;
  for (const { uci, san } of line) {
    move = answer.moves.find((other) => other.uci === uci);
    assert.equal(move.san, san);
    if (move.fen === null) break;
    ({ answer, position } = await answered(variant, move.fen));
  }
  return { answer, position, move, line: line.map(({ san }) => san) };
}

// Janggi: sides and men have its names, the board has ten ranks, and a pass is called one.
const janggi = "9/9/4k4/9/9/9/9/3K5/RR7/9 w - - 0 1";
const looked = await answered("janggi", janggi);
assert.equal(looked.said, "Cho wins in 4 moves.");
assert.ok(looked.answer.moves.some(({ san, uci }) => san === "pass" && uci === "d3d3"));
assert.ok(looked.answer.moves.some(({ san }) => san === "Ra2–a10"));
assert.equal(pieceName(language, "janggi", "h"), "Han horse");
assert.equal(sideName(language, "black"), "Han");
const mated = await played("janggi", janggi);
assert.equal(verdict(language, mated.answer, mated.position.side, true), "Cho has won.");
assert.ok(isOver(mated.answer));
// Where the generals face, a pass ends the game: no position follows.
const facing = await answered("janggi", "9/9/4k4/9/9/9/9/4K4/RR7/9 w");
assert.equal(facing.answer.moves.find(({ san }) => san === "pass").fen, null);

// Rek, and the king's capture, which ends it.
const rek = await played("rek", "8/8/8/8/8/7M/5m2/K6k w");
assert.match(rek.line[0], /^[KM][a-h][1-8]–[a-h][1-8]$/);
assert.ok(rek.move.fen === null || isOver(rek.answer));
assert.equal((await answered("rek", "8/8/8/8/8/7M/5m2/K6k w")).said, "White wins in 2 moves.");

// Min Rek Chanh: the answers to an order are in the FEN, and an order is part of a move.
const minRek = await played("min-rek-chanh", "8/7k/8/8/8/8/K1MM4/m7 w");
assert.equal(minRek.line.length, 5);
const ordered = await answered("min-rek-chanh", "1M6/7k/8/8/8/1m6/K1M5/8 b b3b2");
assert.deepEqual(ordered.answer.moves.map(({ san }) => san), ["Mb3–b2"]);
assert.deepEqual(ordered.position.rest, ["b3b2"]);
assert.deepEqual(ordered.position.withSquares(ordered.position.men).rest, []);
const called = await answered("min-rek-chanh-called", "8/7k/8/8/8/1m6/K4M2/7M w");
assert.ok(called.answer.moves.some(({ san }) => san === "Mf2–c2!"));

// A position is set up man by man, with letters of materials or of FEN.
let position = Position.empty(gameOf("janggi").shape);
for (const [square, letter] of Object.entries({ d3: "K", a2: "R", b2: "R", e8: "k" })) {
  position = position.withMen(new Map(position.men).set(square, letter));
}
assert.equal(fenOf("janggi", position), janggi.replace(" - - 0 1", ""));
const letters = (fen) => fenOf("janggi", stepOfText(fen, "janggi").position);
assert.equal(letters("4k4/9/9/9/9/9/9/9/HE7/4K4 w"), "4k4/9/9/9/9/9/9/9/NB7/4K4 w");

// A FEN without the name of its game is of the one that is shown, or of one with as many ranks.
assert.equal(stepOfText(janggi, "makruk").variant, "janggi");
assert.equal(stepOfText("8/8/8/8/8/7M/5m2/K6k w", "janggi").variant, "makruk");
assert.equal("variant" in stepOfText("8/8/8/8/8/7M/5m2/K6k w", "rek"), false);
assert.equal(stepOf(`/?fen=${inAddress(janggi)}`).variant, "janggi");
assert.equal(stepOfText(`${service}/janggitraditional?fen=${inAddress(janggi)}`, "makruk").variant, "janggi");
for (const [fen, variant, key] of [["8/8 w", "janggi", "fen.ranks"], ["9/9/4q4/9/9/9/9/3K5/9/9 w", "janggi", "fen.letter"]]) {
  assert.throws(() => stepOf(`/?variant=${variant}&fen=${fen}`), (error) => error instanceof FenError && error.key === key);
}

// What has no answer is said in the words of the page, with the service's reason beside it.
for (const [fen, text, reason] of [
  ["4k4/9/9/9/9/9/9/9/RC7/4K4 w", "A table that this position needs is not here.", /KRCvK/],
  ["4k4/9/9/9/9/9/9/9/9/K8 w", "This position cannot be in this game.", /cannot stand on a1/],
  ["4k4/9/9/9/9/9/9/9/4R4/4K4 w", "This position cannot be in this game.", /could take the general/],
]) {
  const { error } = await ask("janggi", fen);
  const failed = new ServiceError(400, error);
  assert.equal(textOfError(language, failed, "janggi"), text);
  assert.match(servedReason(failed, "janggi"), reason);
}

// A page whose service has none lists none, and says that it does not know a FEN of ten ranks.
assert.throws(() => Position.parse(janggi), (error) => error.key === "fen.janggi");
