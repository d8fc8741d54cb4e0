// Tests of the npm package in Node: answers are those of the program, tables those solved natively,
// by bytes, by ranges and solved on the spot. Prints the figures of docs/wasm.md.
// usage: node node.mjs SAKMAK POSITIONS TABLES PACKAGE
//   SAKMAK is the program, POSITIONS positions.tsv, TABLES a folder with the tables of KRvKN, PACKAGE
//   that of the npm package

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { pathToFileURL } from "node:url";

const [program, positions, folder, packageFolder] = process.argv.slice(2);
const { Sakmak, SakmakError } = await import(pathToFileURL(`${packageFolder}/index.js`));
const wasm = await WebAssembly.compile(readFileSync(`${packageFolder}/sakmak.wasm`));
const start = (options) => Sakmak.start({ wasm, ...options });

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

const tests = {
  async "all tables of three and four men are those solved natively"() {
    const listed = readFileSync(new URL("checksums.txt", import.meta.url), "utf8").trimEnd().split("\n");
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
    const server = createServer((request, response) => {
      const name = decodeURIComponent(request.url.slice(1));
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
      if (!files.has(name)) files.set(name, openSync(`${folder}/${name}`));
      const bytes = Buffer.alloc(last - first + 1);
      readSync(files.get(name), bytes, 0, bytes.length, first);
      response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${lengths[name]}` });
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
      lines.push(`${requests} requests in ${rounds} rounds, ${bytes} bytes`);
    }
    const [krvkn] = (await given.variants()).variants.filter(({ name }) => name === "makruk");
    assert.ok(krvkn.materials.includes("KRvKN"), krvkn.materials.join(" "));
    server.close();
    server.closeAllConnections();
    return lines.join("; ");
  },

  async "errors are those of the service"() {
    const sakmak = await start();
    const refused = [
      [sakmak.position("8/8/8/3k4/8/8/4R3/4K3"), "bad_fen"],
      [sakmak.position("8/8/8/3k4/8/8/4R3/4K3 w", { variant: "chess" }), "no_variant"],
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
