// The service worker of a site keeps the files of one version, or none. Fails if it keeps others.
// usage: service-worker.mjs DIRECTORY_OF_THE_PAGES ADDRESS_OF_THE_SERVICE

import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";

const script = await readFile(`${process.argv[2]}/service-worker.js`, "utf8");
const SCOPE = "https://h/site/";
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** A version of a site: its files by path, with the list of them. */
function site(pages) {
  const files = Object.fromEntries(Object.entries(pages).map(([path, text]) => [path, sha256(text)]));
  return { ...pages, "site.json": JSON.stringify({ version: "1", files }) };
}

/** Installs the worker of a version while the host has these files; the names of caches and what they have. */
async function installed(version, host) {
  const [kept, events] = [new Map(), {}];
  const caches = {
    open: async (name) => ({
      put: async (path, response) => {
        const text = await response.text();
        kept.set(name, { ...kept.get(name), [path]: text });
      },
    }),
    keys: async () => [...kept.keys()],
  };
  runInNewContext(script.replace('VERSION = ""', `VERSION = "${sha256(version["site.json"])}"`), {
    self: { registration: { scope: SCOPE }, addEventListener: (name, run) => (events[name] = run) },
    caches,
    crypto: webcrypto,
    Response,
    Uint8Array,
    URL,
    fetch: async (path) => (path in host ? new Response(host[path]) : new Response("", { status: 404 })),
  });
  let waited;
  events.install({ waitUntil: (promise) => (waited = promise) });
  const error = await waited.then(() => undefined, (error) => error.message);
  return { error, kept };
}

const pages = { "index.html": "<p>1", "explorer.js": "a", "tables/tables.json": "{}", "sakmak/sakmak.wasm": "wasm" };
const old = site({ ...pages, "tables/KRNvKM.dtm.smp": "table", "atlas/index.html": "atlas" });
const next = site({ ...pages, "explorer.js": "b", "other.js": "new" });

const { error, kept } = await installed(old, old);
assert.equal(error, undefined);
assert.deepEqual([...kept.values()], [pages]);
assert.deepEqual([...kept.keys()], [`sakmak ${SCOPE} ${sha256(old["site.json"])}`]);

// A host with files of two versions, in the order in which they may arrive.
const mixed = [
  [old, { ...old, "explorer.js": next["explorer.js"] }, /^explorer\.js: SHA-256 [0-9a-f]{64}, expected [0-9a-f]{64}$/],
  [old, { ...old, "site.json": next["site.json"] }, /^site\.json: SHA-256/],
  [next, { ...old, "site.json": next["site.json"] }, /^(?:explorer\.js: SHA-256|other\.js: status 404)/],
  [next, old, /^site\.json: SHA-256/],
  [next, { ...next, "index.html": "<p>1 with a line of the host" }, /^index\.html: SHA-256/],
  [next, { ...next, "sakmak/sakmak.wasm": "was" }, /^sakmak\/sakmak\.wasm: SHA-256/],
];
for (const [version, host, message] of mixed) {
  const { error, kept } = await installed(version, host);
  assert.match(error ?? "none", message);
  assert.equal(kept.size, 0);
}
assert.equal((await installed(next, next)).error, undefined);
