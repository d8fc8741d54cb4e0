// Keeps the files of a site in the browser: after the first visit its pages open without the network,
// and positions of up to four men have answers. `sakmak site` writes the version.

const VERSION = "";
const SITE = `sakmak ${self.registration.scope}`;
const NAME = `${SITE} ${VERSION}`;

/** Whether a file is kept: not tables, the atlas and licences. */
const isKept = (path) => !/^(?:atlas|tables)\/|LICENSE/.test(path) || path === "tables/tables.json";

async function keep() {
  const cache = await caches.open(NAME);
  const load = (path) => fetch(path, { cache: "no-cache" });
  const { files } = await (await load("site.json")).json();
  await Promise.all(Object.keys(files).filter(isKept).map(async (path) => {
    const response = await load(path);
    if (!response.ok) throw new Error(`${path}: status ${response.status}`);
    // A page that a host has moved cannot be answered as it is.
    const { status, headers } = response;
    await cache.put(path, response.redirected ? new Response(response.body, { status, headers }) : response);
  }));
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
