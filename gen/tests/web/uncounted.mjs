// An answer without the count, as the pages show it. Usage: node uncounted.mjs DIRECTORY SERVICE FEN;
// the service lacks the counted distance of the position, in which White mates.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [directory, service, fen] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${directory}/${name}`));
const { bestMoves, isCounted, lacksMates, valueOf, valueOfMove } = await load("value.js");

const ask = async (query) => {
  const response = await fetch(`${service}/makruk?${new URLSearchParams({ line: false, ...query })}`);
  return response.json();
};
const [answer, nobody] = [await ask({ fen }), await ask({ fen, counting: "none" })];
assert.equal(answer.category, "maybe-win");
assert.equal(nobody.category, "win");

// It is shown as if nobody counts, whatever the player has chosen; an answer with the count as chosen.
assert.equal(isCounted({ counted: true }, answer), false);
assert.equal(isCounted({ counted: false }, answer), false);
assert.equal(isCounted({ counted: true }, nobody), true);
assert.equal(isCounted({ counted: true }, null), true);
assert.equal(lacksMates(answer), false);
const seen = ({ side = "white", of }, counted) => [valueOf(of, side, counted), of.moves.map((move) => valueOfMove(move, counted))];
assert.deepEqual(seen({ of: answer }, false), seen({ of: nobody }, false));
assert.equal(valueOf(answer, "white", false).kind, "win");
assert.deepEqual(bestMoves(answer, false).map(({ uci }) => uci), bestMoves(nobody, false).map(({ uci }) => uci));
// No kind and no category is unknown to the page.
for (const move of answer.moves) assert.ok(valueOfMove(move, true).kind && valueOfMove(move, true).category);

// The trainer needs the count. Its pages are files here, so their requests go to the service.
const { fetch: asked } = globalThis;
globalThis.fetch = (target) => asked(`${service}/makruk${new URL(target).search}`);
const { Exercise } = await load("trainer-exercise.js");
const lacks = ({ code, missing }) => code === "no_table" && missing.material === answer.missing_table;
await assert.rejects(Exercise.open("makruk", fen), lacks);
