// The addresses that the pages write and read, and the FENs that people paste. Fails if one of them is
// not as it should be.
// usage: addresses.mjs DIRECTORY_OF_THE_PAGES ADDRESS_OF_THE_SERVICE

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";

const [directory, service] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${directory}/${name}`));
const { inAddress } = await load("api.js");
const { FenError, Position } = await load("fen.js");
const { learnGames } = await load("games.js");
const { fenOf } = await load("pieces.js");
const { addressOf, stepOfAddress, stepOfText } = await load("step.js");

const json = async (path) => (await fetch(service + path)).json();
learnGames(await json("/variants"));

/** Opens the board at an address, as a browser does. */
function opened(address) {
  globalThis.location = new URL(address, service);
  const { step, error } = stepOfAddress();
  if (error) throw error;
  return step;
}

// What the board shows is what its address shows, in every game.
const shown = [
  ["kar-ouk", "5M2/8/8/8/8/8/6k1/K7 w - 126 1+1 101 60"],
  ["kar-ouk", "5M2/8/8/8/8/8/6k1/K7 w - 126 101 60"],
  ["kar-ouk", "8/8/8/8/8/2k5/8/K4M2 b - 126 60 60"],
  ["kar-ouk", "5M2/8/8/8/8/8/6k1/K7 w - - 0 12"],
  ["makruk", "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"],
  ["shatranj", "8/8/8/3k4/8/8/8/R3K3 w - - 0 9"],
];
for (const [variant, fen] of shown) {
  const asked = await json(`/${variant}?fen=${inAddress(fen)}&line=false`);
  assert.equal(asked.error, undefined, fen);
  const position = Position.parse(asked.fen);
  assert.equal(fenOf(variant, position), asked.fen);
  const address = addressOf({ variant, position, counted: true });
  assert.doesNotMatch(address, /[+\s]/);
  const again = opened(address);
  assert.equal(again.variant, variant);
  assert.equal(fenOf(variant, again.position), asked.fen);
  const answer = await json(`/${variant}?fen=${inAddress(fenOf(variant, again.position))}&line=false`);
  assert.deepEqual(answer, asked);
  assert.equal(stepOfText(service + address).variant, variant);
  // Without its count it has its number and the checks left.
  const bare = fenOf(variant, position.withoutCount());
  assert.equal(bare.split(" ").at(-1), asked.fen.split(" ").at(-1), bare);
  assert.equal((await json(`/${variant}?fen=${inAddress(bare)}&line=false`)).error, undefined, bare);
}

// Addresses of before, in which a plus of the FEN is a plus, and those of other programs.
const karOuk = "5M2/8/8/8/8/8/6k1/K7 w - 126 1+1 101 60";
const khon = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21";
const pasted = {
  "5M2/8/8/8/8/8/6k1/K7_w_-_126_1+1_101_60": karOuk,
  "/?fen=5M2/8/8/8/8/8/6k1/K7_w_-_126_1+1_101_60&variant=kar-ouk": karOuk,
  "http://h/kar-ouk?fen=5M2/8/8/8/8/8/6k1/K7+w+-+126+1+1+101+60": karOuk,
  "http://h/kar-ouk?fen=5M2%2F8%2F8%2F8%2F8%2F8%2F6k1%2FK7+w+-+126+1%2B1+101+60": karOuk,
  "http://h/?fen=8%2F8%2F8%2F4k3%2F8%2F4K3%2F4S3%2F4M3+w+-+88+40+21": khon,
  "http://h/?fen=8%2F8%2F8%2F4k3%2F8%2F4K3%2F4S3%2F4M3%20w%20-%2088%2040%2021#here": khon,
  "http://h/?fen=8%252F8%252F8%252F4k3%252F8%252F4K3%252F4S3%252F4M3%2520w%2520-%252088%252040%252021": khon,
  "8%2F8%2F8%2F4k3%2F8%2F4K3%2F4S3%2F4M3+w+-+88+40+21": khon,
  "8/8/8/4k3/8/4K3/4S3/4M3+w+-+88+40+21": khon,
  " 8/8/8/4k3/8/4K3/4S3/4M3   w - 88 40 21\n": khon,
  "8/8/8/4k3/8/4K3/4S3/4M3": "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1",
  // Cute Chess, WinBoard and UCI2WB, pyffish and pychess.
  "8/8/8/3k4/8/8/8/R3K3 w - 0 0 30": "8/8/8/3k4/8/8/8/R3K3 w - - 0 30",
  "8/8/8/3k4/8/8/8/R3K3 w 0 30": "8/8/8/3k4/8/8/8/R3K3 w - - 0 30",
  "8/8/8/3k4/8/8/8/R3K3 w 3 30": "8/8/8/3k4/8/8/8/R3K3 w - - 3 30",
  "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w EDed 0 1":
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w EDed - 0 1",
  "8/8/8/4k3/8/4K3/4S3/4F3[] w - - 0 30": "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 30",
  "http://h/?fen=8/8/8/4k3/8/4K3/4S3/4F3%5B%5D_w_-_-_0_30": "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 30",
};
for (const [text, fen] of Object.entries(pasted)) {
  assert.equal(fenOf("makruk", Position.parse(text)), fen, text);
}
for (const [text, key] of [
  ["8/8/8/4k3/8/4K3/4S3/4F3[SSrr] w - - 0 30", "fen.pocket"],
  ["8/8 w", "fen.ranks"],
  ["%", "fen.ranks"],
]) {
  assert.throws(() => Position.parse(text), (error) => error instanceof FenError && error.key === key, text);
}

// A game is known by its other names, and by the path of the service.
for (const [address, variant] of [
  ["/?variant=cambodian", "ouk"],
  ["/?variant=Thai-Chess", "makruk"],
  ["/?variant=kar_ouk", "kar-ouk"],
  ["/", "makruk"],
]) {
  assert.equal(opened(address).variant, variant, address);
}
assert.equal(stepOfText("http://h/cambodian/mainline?fen=8/8/8/3k4/8/8/8/R3K3_w").variant, "ouk");
assert.equal(stepOfText("http://h/?fen=8/8/8/3k4/8/8/8/R3K3_w&count=none").counted, false);
assert.equal("variant" in stepOfText("8/8/8/3k4/8/8/8/R3K3 w"), false);

// The link of a page of the atlas, which has no modules: it runs with the parts of a page that it needs.
const script = await readFile(`${directory}/../src/atlas.js`, "utf8");
const element = () => ({ append() {}, before() {}, addEventListener() {} });
const link = element();
const turn = {
  querySelector: (selector) => (selector === ".open" ? link : element()),
  nextElementSibling: { querySelector: () => ({ textContent: karOuk }) },
};
runInNewContext(script.replace("import(", "void ("), {
  document: {
    body: { dataset: { letters: "KRNSMP", variant: "kar-ouk" } },
    getElementById: () => ({ textContent: '{"atlas.open": "", "atlas.copy": ""}' }),
    querySelectorAll: (selector) => (selector === ".turn" ? [turn] : []),
    createElement: element,
  },
  location: { protocol: "http:", pathname: "/atlas/" },
});
assert.equal(fenOf("kar-ouk", opened(link.href).position), karOuk);
assert.equal(new URL(link.href, service).searchParams.get("fen"), karOuk.replaceAll(" ", "_"));
