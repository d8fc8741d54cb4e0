// Tests of the npm package in Node: answers are those of the program, tables those solved natively,
// by bytes, by ranges and solved on the spot. Prints the figures of docs/wasm.md.
// usage: node node.mjs SAKMAK POSITIONS TABLES PACKAGE [RANDOM]
//   SAKMAK is the program, POSITIONS positions.tsv, TABLES a folder with the tables of KRvKN, PACKAGE
//   that of the npm package. RANDOM positions are compared, 60 without it: of three and four men, and of
//   all packed files of more men in TABLES

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { pathToFileURL } from "node:url";

const [program, positions, folder, packageFolder, random = "60"] = process.argv.slice(2);
const { Sakmak, SakmakError } = await import(pathToFileURL(`${packageFolder}/node.js`));
const { openTables } = await import(pathToFileURL(`${packageFolder}/tables.js`));
const wasm = await WebAssembly.compile(readFileSync(`${packageFolder}/sakmak.wasm`));
const start = (options) => Sakmak.start({ wasm, ...options });

/** A module that starts, and traps when it is asked. */
const TRAP =
  "AGFzbQEAAAABFwRgAX8Bf2ACf38AYAJ/fwF/YAJ/fwF+AwUEAAECAwUDAQABBy8FBm1lbW9yeQIACHRleHRfbmV3AAAJdGV4dF9mcmVlAAEF" +
  "c3RhcnQAAgNhc2sAAwoSBAQAQQALAgALBABBAQsDAAAL";

/** A host that answers ranges of files of zeros of a length, below any path; the paths asked for. */
async function hostOf(length) {
  const paths = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
    response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${length}` });
    response.end(Buffer.alloc(last + 1 - first));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, paths, end };
}

/** The answers of the program, by FEN. */
function native(fens, variant, counting) {
  const command = ["probe", "-", "--json", "--tables", folder, "--variant", variant, "--counting", counting];
  const { stdout, stderr, error } = spawnSync(program, command, { input: fens.join("\n"), encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw error;
  assert.ok(stdout, stderr);
  return stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Asks all and compares every field. */
async function compare(sakmak, fens, counting = "makruk") {
  const { variants } = await sakmak.variants();
  const variant = variants.find((variant) => variant.counting.includes(counting)).name;
  const expected = native(fens, variant, counting);
  assert.equal(expected.length, fens.length);
  for (const [number, fen] of fens.entries()) {
    const { error, ...answer } = expected[number];
    if (error) await assert.rejects(sakmak.position(fen, { variant, counting, mateInTime: true }), SakmakError, fen);
    else assert.deepEqual(await sakmak.position(fen, { variant, counting, mateInTime: true }), answer, fen);
  }
  return fens.length;
}

const listed = readFileSync(new URL("checksums.txt", import.meta.url), "utf8").trimEnd().split("\n");
/** A whole number below a bound, from a generator that begins the same each time. */
const below = (() => {
  let state = 1;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
})();

/** A random placement of a material as FEN, legal or not. */
function placed(material) {
  const [white, black] = below(2) ? material.split("v") : material.split("v").toReversed();
  const board = Array.from({ length: 64 }, () => "");
  for (const man of white + black.toLowerCase()) {
    // Pawns of Makruk stand on three ranks.
    const first = { P: 16, p: 24 }[man];
    let square;
    do square = first === undefined ? below(64) : first + below(24);
    while (board[square]);
    board[square] = man;
  }
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => board.slice(8 * rank, 8 * rank + 8).map((man) => man || "1").join(""));
  return `${ranks.join("/").replace(/1+/g, (run) => run.length)} ${"wb"[below(2)]} - - 0 1`;
}

const tests = {
  async "all tables of three and four men are those solved natively"() {
    assert.equal(listed.length, 35);
    const one = await start();
    let begin = process.cpuUsage();
    const seconds = () => `${(process.cpuUsage(begin).user / 1e6).toFixed(2)} s of a core`;
    await one.solve("KRvKN");
    const single = seconds();
    const sakmak = await start();
    begin = process.cpuUsage();
    for (const line of listed) {
      const [material, checksum] = line.split(" ");
      assert.equal(await sakmak.solve(material), checksum, material);
    }
    const { memory } = await sakmak.figures();
    return `35 tables ${seconds()}, KRvKN with those below it ${single}, memory ${memory >> 20} MiB`;
  },

  async "answers without files are those of the program"() {
    const byRule = new Map();
    for (const line of readFileSync(positions, "utf8").split("\n").filter((line) => line && !line.startsWith("#"))) {
      const [fen, counting] = line.split("\t");
      byRule.set(counting, [...(byRule.get(counting) ?? []), fen]);
    }
    const sakmak = await start();
    let count = 0;
    for (const [counting, fens] of byRule) count += await compare(sakmak, fens, counting);
    return `${count} answers`;
  },

  async "answers from bytes and from ranges are those of the program"() {
    const lengths = Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(`${folder}/${name}`).size]));
    const files = new Map();
    // A name with a number is that of a part.
    const part = 10_000;
    const server = createServer((request, response) => {
      const [, name, number] = /^(.*?)(?:\.(\d+))?$/.exec(decodeURIComponent(request.url.slice(1)));
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
      const start = number === undefined ? 0 : part * Number(number);
      const length = number === undefined ? lengths[name] : Math.min(part, lengths[name] - start);
      if (!files.has(name)) files.set(name, openSync(`${folder}/${name}`));
      const bytes = Buffer.alloc(last - first + 1);
      readSync(files.get(name), bytes, 0, bytes.length, start + first);
      response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${length}` });
      response.end(bytes);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const fens = [
      "8/8/8/3k4/8/3n4/4R3/4K3 w - - 0 1",
      "8/8/2n5/3k4/8/8/1R6/4K3 b - - 0 1",
      "7k/8/5K2/8/8/8/n7/1R6 b - - 0 1",
    ];
    const bytes = Object.fromEntries(Object.keys(lengths).map((name) => [name, readFileSync(`${folder}/${name}`)]));
    const given = await start({ tables: bytes });
    await compare(given, fens);
    const lines = [];
    for (const fen of fens) {
      const sakmak = await start({ tables: { url, files: lengths } });
      await sakmak.position(fen, { line: false });
      const { requests, rounds, bytes } = await sakmak.figures();
      await compare(sakmak, [fen]);
      const cut = Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, { length, part }]));
      await compare(await start({ tables: { url, files: cut } }), [fen]);
      lines.push(`${requests} requests in ${rounds} rounds, ${bytes} bytes`);
    }
    const [krvkn] = (await given.variants()).variants.filter(({ name }) => name === "makruk");
    assert.ok(krvkn.materials.includes("KRvKN"), krvkn.materials.join(" "));
    server.close();
    server.closeAllConnections();
    return lines.join("; ");
  },

  async "random answers are those of the program"() {
    const packed = readdirSync(folder).filter((name) => name.endsWith(".smp"));
    const larger = packed.map((name) => name.split(".")[0]).filter((name) => name.length > 5);
    const small = listed.map((line) => line.split(" ")[0]);
    const material = () => (larger.length && below(2) ? larger[below(larger.length)] : small[below(small.length)]);
    const fens = [];
    while (fens.length < Number(random)) {
      // Two of three positions have a count, after a move or two of those that have none.
      const drawn = Array.from({ length: 50 }, () => placed(material()));
      for (const step of [0, 1, 2]) {
        const legal = native(drawn, "makruk", "makruk").filter(({ error, moves }) => !error && moves.length);
        fens.push(...legal.map(({ fen }) => fen).filter(() => step > 0 || below(2)));
        drawn.splice(0, drawn.length, ...legal.map(({ moves }) => moves[below(moves.length)].fen));
      }
    }
    const bytes = Object.fromEntries(packed.map((name) => [name, readFileSync(`${folder}/${name}`)]));
    const asked = fens.slice(0, Number(random));
    const count = await compare(await start({ tables: bytes }), asked);
    const men = (fen) => fen.split(" ")[0].replace(/[^a-z]/gi, "").length;
    return `${count} answers, ${asked.filter((fen) => men(fen) > 4).length} of five men`;
  },

  async "errors are those of the service"() {
    const sakmak = await start();
    const refused = [
      [sakmak.position("8/8/8/3k4/8/8/4R3/4K3"), "bad_fen"],
      [sakmak.position("8/8/8/3k4/8/8/4R3/4K3 w", { variant: "xiangqi" }), "no_variant"],
      [sakmak.position("8/8/8/3k4/8/8/4R3/4K3 w", { called: "many" }), "bad_request"],
      [sakmak.position("8/8/2n5/3k4/4m3/8/1R6/4K3 w"), "no_table"],
      [sakmak.draw("mate", "KvK"), "bad_request"],
      [sakmak.solve("KvK"), "bad_table"],
      [sakmak.solve("rook"), "bad_request"],
    ];
    for (const [answer, code] of refused) {
      await assert.rejects(answer, (error) => error instanceof SakmakError && error.code === code, code);
    }
    assert.equal((await sakmak.request("/nothing/here")).status, 404);
    const drawn = await sakmak.draw("mate", "KRvK", { seed: 1, moves: "5-14" });
    assert.deepEqual(await sakmak.draw("mate", "KRvK", { seed: 1, moves: "5-14" }), drawn);
    const { mainline, winner } = await sakmak.mainline(drawn.fen);
    assert.equal(mainline.length, Math.abs(drawn.dtm));
    assert.match(winner, /^[wb]$/);
  },

  async "a host that sends whole files is refused"() {
    const server = createServer((_, response) => response.end("whole"));
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${server.address().port}`;
    const sakmak = await start({ tables: { url, files: { "KRvK.dtm.smt": 5000 } } });
    await assert.rejects(sakmak.position("8/8/8/3k4/8/8/4R3/4K3 w"), /sends whole files/);
    server.close();
    server.closeAllConnections();
  },

  async "an address of tables may be a URL, and relative to the page"() {
    const { url, paths, end } = await hostOf(5000);
    const files = { "KRvK.dtm.smt": 5000 };
    const ask = async (address) => {
      const sakmak = await start({ tables: { url: address, files } });
      await assert.rejects(sakmak.position("8/8/8/3k4/8/8/4R3/4K3 w"), SakmakError);
      return paths.splice(0)[0];
    };
    assert.equal(await ask(new URL("one", url)), "/one/KRvK.dtm.smt");
    await assert.rejects(start({ tables: { url: "tables", files } }), TypeError);
    globalThis.document = { baseURI: `${url}folder/page.html` };
    assert.equal(await ask("tables"), "/folder/tables/KRvK.dtm.smt");
    delete globalThis.document;
    end();
  },

  async "bytes kept are counted once"() {
    const { url, end } = await hostOf(1 << 20);
    const tables = await openTables({ tables: { url, files: { "KRvK.dtm.smt": 1 << 20 } } });
    for (const pages of [[50], [49, 51]]) {
      for (const page of pages) tables.expect(0, 4096 * page, 4096);
      await tables.fetchMissing();
    }
    assert.equal(tables.figures.kept, 3 * 4096);
    end();
  },

  async "a module that has ended or failed answers no more"() {
    const fen = "8/8/8/3k4/8/8/4R3/4K3 w";
    const ended = await start();
    assert.equal(ended.ended, false);
    ended.end();
    assert.equal(ended.ended, true);
    await assert.rejects(ended.position(fen), /sakmak: ended/);
    await assert.rejects(ended.figures(), /sakmak: ended/);
    const failed = await start({ wasm: Buffer.from(TRAP, "base64") });
    await assert.rejects(failed.position(fen), WebAssembly.RuntimeError);
    assert.equal(failed.ended, true);
    await assert.rejects(failed.position(fen), /sakmak: unreachable/);
    await assert.rejects(start({ worker: true }), /no Worker/);
  },

  async "the module is small"() {
    const bytes = readFileSync(`${packageFolder}/sakmak.wasm`);
    const brotli = brotliCompressSync(bytes).length;
    assert.ok(brotli <= 350 << 10, `${brotli} bytes`);
    return `${bytes.length} bytes, ${brotli} with brotli`;
  },
};

for (const [name, test] of Object.entries(tests)) {
  const figures = await test();
  console.log(`ok: ${name}${figures ? `: ${figures}` : ""}`);
}
