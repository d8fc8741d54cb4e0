// Keeps the files of a site in the browser: after the first visit its pages open without the network,
// and positions of up to four men have answers. `sakmak site` writes the version, the SHA-256 of site.json.

const VERSION = "";
const SITE = `sakmak ${self.registration.scope}`;
const NAME = `${SITE} ${VERSION}`;

/** Whether a file is kept: not tables, the atlas and licences. */
const isKept = (path) => !/^(?:atlas|tables)\/|LICENSE/.test(path) || path === "tables/tables.json";

/** The SHA-256 of bytes, in hexadecimal. */
async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The file of the host, if its SHA-256 is the one expected. */
async function load(path, expected) {
  const response = await fetch(path, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  const bytes = await response.arrayBuffer();
  const found = await digest(bytes);
  if (found !== expected) throw new Error(`${path}: SHA-256 ${found}, expected ${expected}`);
  // Without other headers: those of a compressed body do not fit these bytes, and a page that a host has
  // moved cannot be answered as it is.
  const type = response.headers.get("Content-Type");
  return new Response(bytes, { headers: type ? { "Content-Type": type } : {} });
}

/** Keeps all files of this version, or none: a host that is being updated may have files of two versions. */
async function keep() {
  const { files } = await (await load("site.json", VERSION)).json();
  const found = await Promise.all(Object.keys(files).filter(isKept).map(async (path) => [path, await load(path, files[path])]));
  const cache = await caches.open(NAME);
  await Promise.all(found.map(([path, response]) => cache.put(path, response)));
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(`${SITE} `) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The answer to a request: what is kept, else that of the host. */
async function answer(request) {
  const cache = await caches.open(NAME);
  const { origin, pathname } = new URL(request.url);
  const names = pathname.endsWith("/") ? [`${pathname}index.html`] : [pathname, `${pathname}.html`];
  for (const name of names) {
    const kept = await cache.match(origin + name);
    if (kept) return kept;
  }
  return fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && !request.headers.has("Range")) event.respondWith(answer(request));
});
