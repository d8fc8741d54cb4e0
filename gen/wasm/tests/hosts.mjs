// Tests of the npm package in Node with hosts that hang, send other bytes than asked for, or list what
// cannot be: each question ends in time, with an error or the right answer, and the next one is answered. The
// module runs on the calling thread, then in a worker.
// usage: node hosts.mjs TABLES PACKAGE
//   TABLES is a folder with the tables of KRvKN, PACKAGE that of the npm package

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { gzipSync } from "node:zlib";

const [folder, packageFolder] = process.argv.slice(2);

/** The workers of pages, on threads of Node. */
globalThis.Worker = class {
  constructor(url) {
    const script = `
      const { parentPort } = require("node:worker_threads");
      globalThis.self = globalThis;
      globalThis.postMessage = (data) => parentPort.postMessage(data);
      import("${url}").then(() => parentPort.on("message", (data) => self.onmessage({ data })));`;
    this.thread = new Thread(script, { eval: true });
    this.thread.on("message", (data) => this.onmessage({ data }));
    this.thread.on("error", (error) => this.onerror(error));
  }

  postMessage(data) {
    this.thread.postMessage(data);
  }

  terminate() {
    this.thread.terminate();
  }
};
const { Sakmak } = await import(pathToFileURL(`${packageFolder}/node.js`));
const wasm = await WebAssembly.compile(readFileSync(`${packageFolder}/sakmak.wasm`));
const data = Object.fromEntries(readdirSync(folder).filter((name) => name.startsWith("KRvKN.")).map((name) => [name, readFileSync(`${folder}/${name}`)]));
const lengths = Object.fromEntries(Object.entries(data).map(([name, bytes]) => [name, bytes.length]));
const FEN = "8/8/8/3k4/8/3n4/4R3/4K3 w - - 0 1";
/** Solved on the spot, without a file. */
const SMALL = "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1";
/** Milliseconds: the limit of a request, and for what has to end by itself. */
const [TIMEOUT, PATIENCE] = [3000, 30_000];
const COMPRESSED = gzipSync(Buffer.alloc(64 << 20));

/** A promise that fails if it takes longer. */
function within(time, promise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`no end within ${time} ms`)), time)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Writes a body without an end, until the client has gone. */
function writeForever(response) {
  const chunk = Buffer.alloc(1 << 16);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    response.once("drain", write);
  };
  write();
}

/** A host with an answer to ranges, and one to the list, that can be replaced. */
async function hostOf() {
  const host = { hung: 0, closed: 0, sent: 0, ranges: right, list: (response) => response.end(JSON.stringify(lengths)) };
  const server = createServer((request, response) => {
    response.on("close", () => (host.closed += 1));
    const name = decodeURIComponent(request.url.slice(1));
    if (name === "tables.json") return host.list(response);
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
    return host.ranges(response, { name, first, last, bytes: data[name], part: Buffer.from(data[name].subarray(first, last + 1)) });
  });
  server.on("connection", (socket) => socket.on("close", () => (host.sent += socket.bytesWritten)));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  host.url = `http://127.0.0.1:${server.address().port}/`;
  host.end = () => {
    server.close();
    server.closeAllConnections();
  };
  return host;
}

function head(response, { first, last, bytes }, headers = {}) {
  response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${bytes.length}`, ...headers });
}

function right(response, range) {
  head(response, range);
  response.end(range.part);
}

/** Answers after which the same module answers rightly, as soon as the host does. */
const PASSING = {
  hang: [() => {}, /no answer within 3 s/],
  "hang after the head": [(response, range) => (head(response, range), response.flushHeaders()), /no answer within 3 s/],
  "hang after half": [(response, range) => (head(response, range), response.write(range.part.subarray(0, range.part.length / 2))), /no answer within 3 s/],
  "a byte now and then": [
    (response, range) => {
      head(response, range);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    },
    /no answer within 3 s/,
  ],
  "a body without an end": [(response, range) => (head(response, range), writeForever(response)), /has more than \d+ bytes/],
  "a false encoding": [(response, range) => (head(response, range, { "Content-Encoding": "gzip" }), response.end(range.part)), /compresses ranges \(gzip\)/],
  "a body without an end, compressed": [
    (response, range) => (head(response, range, { "Content-Encoding": "gzip" }), response.end(COMPRESSED)),
    /compresses ranges \(gzip\)/,
  ],
  "a broken connection": [(response, range) => (head(response, range), response.write("x"), setTimeout(() => response.destroy(), 50)), /./],
  "no connection": [(response) => response.destroy(), /./],
  "status 503": [(response) => response.writeHead(503).end(), /503/],
  "status 204": [(response) => response.writeHead(204).end(), /sends whole files/],
  "whole files": [(response, { bytes }) => response.end(bytes), /sends whole files/],
  "whole files without an end": [(response) => writeForever(response), /sends whole files/],
  "a byte less": [(response, range) => (head(response, range), response.end(range.part.subarray(1))), /another length/],
  "a byte more": [(response, range) => (head(response, range), response.end(Buffer.concat([range.part, Buffer.alloc(1)]))), /has more than \d+ bytes/],
  "no byte": [(response, range) => (head(response, range), response.end()), /another length/],
  "a file of another length": [
    (response, { first, last, bytes, part }) => (response.writeHead(206, { "Content-Range": `bytes ${first}-${last}/${bytes.length + 1}` }), response.end(part)),
    /another length/,
  ],
};
/** Answers with wrong bytes, which are errors too. */
const WRONG = {
  zeros: ({ part }) => part.fill(0),
  "bytes at random": ({ part }) => part.map(() => 256 * Math.random()),
  "bytes from another place": ({ bytes, first, last }) => Buffer.concat([Buffer.alloc(1), bytes]).subarray(first, last + 1),
  "flipped bits": ({ part }) => part.map((byte, at) => (at % 97 === 5 ? byte ^ 4 : byte)),
};
/** Lists that cannot be, with a part of the error. */
const named = (file) => JSON.stringify({ ...lengths, "KRvKN.dtm.smp": file });
const LISTS = {
  "a length of 2^53": [named(2 ** 53), /KRvKN\.dtm\.smp: length 9007199254740992: expected a whole number/],
  "a negative length": [named(-5), /length -5/],
  "a text": [named("x"), /length "x"/],
  "no number": [named(null), /length null/],
  "a fraction": [named(5.5), /length 5\.5/],
  "an object without a length": [named({}), /length undefined/],
  "a length that is an object": [named({ length: { length: 5 } }), /length \{"length":5\}/],
  "parts of -7": [named({ length: 50_000, part: -7 }), /part -7/],
  "parts of 0": [named({ length: 50_000, part: 0 }), /part 0/],
  "parts of a byte": [named({ length: 50_000, part: 1 }), /part 1: expected a whole number from 4096/],
  "parts of a fraction": [named({ length: 50_000, part: 4096.5 }), /part 4096\.5/],
  "parts of a text": [named({ length: 50_000, part: "x".repeat(1000) }), /part "x{90,100}: expected/],
  "a name of two lines": [JSON.stringify({ "x\n5 KRvK.dtm.smp": 5 }), /"x\\n5 KRvK\.dtm\.smp" is no name of a table/],
  "a name above the folder": [JSON.stringify({ "../KRvK.dtm.smp": 5 }), /is no name of a table/],
  "a name with dots inside": [JSON.stringify({ "ouk/../../KRvK.dtm.smp": 5 }), /is no name of a table/],
  "a name from the root": [JSON.stringify({ "/KRvK.dtm.smp": 5 }), /is no name of a table/],
  "an address": [JSON.stringify({ "http://h/KRvK.dtm.smp": 5 }), /is no name of a table/],
  "an empty name": [JSON.stringify({ "": 5 }), /"" is no name of a table/],
  "an array": ["[1,2,3]", /expected an object/],
  null: ["null", /expected an object/],
  "no JSON": ["<!doctype html>", /JSON/],
};

/** Whether the module runs in a worker. */
let worker = false;
let started = [];

async function startModule(options) {
  started.push(await Sakmak.start({ wasm, worker, ...options }));
  return started.at(-1);
}

const given = await startModule({ tables: data });
const truth = await given.position(FEN, { line: false });
assert.equal(truth.category, "draw");

const tests = {
  async "a question ends in time, and the next one is answered"() {
    await Promise.all(Object.entries(PASSING).map(async ([name, [answer, message]]) => {
      const host = await hostOf();
      const timeout = /answer/.test(message) ? TIMEOUT : PATIENCE;
      const sakmak = await startModule({ tables: { url: host.url, timeout } });
      host.ranges = answer;
      await assert.rejects(within(PATIENCE, sakmak.position(FEN, { line: false })), message, name);
      assert.equal(sakmak.ended, false, name);
      host.ranges = right;
      assert.deepEqual(await within(PATIENCE, sakmak.position(FEN, { line: false })), truth, name);
      // Buffers of the system and of Node hold some of a body that is not read.
      assert.ok(host.sent < 32 << 20, `${name}: ${host.sent} bytes were taken`);
      host.end();
    }));
    return `${Object.keys(PASSING).length} hosts`;
  },

  async "wrong bytes are errors"(host) {
    for (const [name, bytes] of Object.entries(WRONG)) {
      const sakmak = await startModule({ tables: { url: host.url } });
      host.ranges = (response, range) => (head(response, range), response.end(bytes(range)));
      await assert.rejects(within(PATIENCE, sakmak.position(FEN, { line: false })), Error, name);
    }
  },

  async "questions that do not need a file that hangs are answered meanwhile"(host) {
    const sakmak = await startModule({ tables: { url: host.url } });
    host.ranges = () => {};
    const controller = new AbortController();
    const hanging = assert.rejects(sakmak.position(FEN, { signal: controller.signal }), { name: "AbortError" });
    const small = await within(PATIENCE, sakmak.position(SMALL, { line: false }));
    assert.equal(small.category, "win");
    assert.ok((await within(PATIENCE, sakmak.variants())).variants.length > 1);
    assert.match(await within(PATIENCE, sakmak.solve("KSvK")), /^[0-9a-f]{16}$/);
    controller.abort();
    await within(PATIENCE, hanging);
  },

  async "a signal ends a question and its requests"(host) {
    const sakmak = await startModule({ tables: { url: host.url } });
    host.ranges = () => (host.hung += 1);
    [host.hung, host.closed] = [0, 0];
    for (const ask of [
      (options) => sakmak.position(FEN, options),
      (options) => sakmak.mainline(FEN, options),
      (options) => sakmak.request(`/makruk?fen=${FEN.replaceAll(" ", "_")}`, options),
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("enough")), 100);
      await assert.rejects(within(PATIENCE, ask({ signal: controller.signal })), /enough/);
    }
    await assert.rejects(sakmak.variants({ signal: AbortSignal.abort() }), { name: "AbortError" });
    await new Promise((seen) => setTimeout(seen, 200));
    assert.ok(host.hung >= 3);
    assert.equal(host.closed, host.hung);
    host.ranges = right;
    assert.deepEqual(await sakmak.position(FEN, { line: false }), truth);
  },

  async "questions share what is fetched, and one that ends takes nothing from others"(host) {
    const sakmak = await startModule({ tables: { url: host.url } });
    let requests = 0;
    host.ranges = (response, range) => {
      requests += 1;
      setTimeout(() => right(response, range), 300);
    };
    const controller = new AbortController();
    const ended = assert.rejects(sakmak.position(FEN, { line: false, signal: controller.signal }), { name: "AbortError" });
    const others = [sakmak.position(FEN, { line: false }), sakmak.position(FEN, { line: false })];
    setTimeout(() => controller.abort(), 100);
    await ended;
    for (const answer of await within(PATIENCE, Promise.all(others))) assert.deepEqual(answer, truth);
    const shared = requests;
    requests = 0;
    await (await startModule({ tables: { url: host.url } })).position(FEN, { line: false });
    assert.equal(shared, requests);
  },

  async "a list is checked when it is read"(host) {
    for (const [name, [text, message]] of Object.entries(LISTS)) {
      host.list = (response) => response.end(text);
      const started = within(PATIENCE, startModule({ tables: { url: host.url } }));
      await assert.rejects(started, (error) => {
        assert.ok(error.message.startsWith(`sakmak: ${host.url}tables.json: `), `${name}: ${error.message}`);
        assert.match(error.message, message, name);
        return error.message.length < 400;
      }, name);
      // So is one that the page has.
      if (!text.startsWith("<")) {
        const files = JSON.parse(text);
        await assert.rejects(startModule({ tables: { url: host.url, files } }), /^TypeError: sakmak: tables\.files: /, name);
      }
    }
    await assert.rejects(startModule({ tables: { "a b": new Uint8Array(1) } }), /tables: "a b" is no name/);
    await assert.rejects(startModule({ tables: { "KRvK.dtm.smp": "text" } }), /KRvK\.dtm\.smp: expected an ArrayBuffer/);
    await assert.rejects(startModule({ tables: { url: host.url, timeout: 0 } }), { name: "RangeError" });
    return `${Object.keys(LISTS).length} lists`;
  },

  async "a list that does not come ends the start"(host) {
    const start = (options) => within(PATIENCE, startModule({ tables: { url: host.url, timeout: TIMEOUT }, ...options }));
    host.list = () => {};
    await assert.rejects(start(), { name: "TimeoutError", message: `sakmak: ${host.url}tables.json: no answer within 3 s` });
    await assert.rejects(start({ signal: AbortSignal.timeout(100) }), (error) => error.name === "TimeoutError" && !/sakmak/.test(error.message));
    host.list = (response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end("{}");
    await assert.rejects(start(), /tables\.json|fetch|terminated/);
    host.list = (response) => writeForever(response);
    await assert.rejects(start(), /tables\.json: the answer has more than \d+ bytes|no answer within/);
    host.list = (response) => response.end(JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, place) => [`a${place}.smp`, 5]))));
    assert.equal((await (await start()).position(SMALL, { line: false })).category, "win");
  },
};

for (worker of [false, true]) {
  for (const [name, test] of Object.entries(tests)) {
    const host = await hostOf();
    const figures = await test(host);
    started.forEach((sakmak) => sakmak.end());
    started = [];
    host.end();
    console.log(`ok: ${name}${worker ? ", in a worker" : ""}${figures ? `: ${figures}` : ""}`);
  }
}
