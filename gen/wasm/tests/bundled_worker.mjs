// Starts the worker of a bundle in Node with the module of the bundle, asks it, and prints the verdict.
// usage: node bundled_worker.mjs SCRIPT MODULE

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [script, module] = process.argv.slice(2).map((path) => resolve(path));
const waiting = new Map();
Object.assign(globalThis, {
  self: globalThis,
  location: new URL(pathToFileURL(script)),
  postMessage: ({ id, ...answer }) => waiting.get(id)(answer),
});
await import(pathToFileURL(script));

async function send(id, method, parameters) {
  const answered = new Promise((answer) => waiting.set(id, answer));
  globalThis.onmessage({ data: { id, method, parameters } });
  const { answer, error } = await answered;
  if (error !== undefined) throw new Error(error);
  return answer;
}

await send(0, "start", [await WebAssembly.compile(readFileSync(module)), {}]);
const { body } = await send(1, "request", ["/makruk?fen=8/8/8/4k3/8/4K3/4S3/4M3_w_-_88_40_21&line=false"]);
const { category, moves } = JSON.parse(body);
console.log(category, moves[0].san);
