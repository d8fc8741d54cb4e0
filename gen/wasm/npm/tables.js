// The files of tables: handed in as bytes, or fetched in ranges from a host.

/** Files are fetched and kept in pages of this many bytes. */
const PAGE = 4096;
/** Bytes of each end of a file that are fetched together: a packed file has its model in one, and the
 * offsets of its rows in the other. */
const END = 65_536;
/** More pages than a file has. */
const PAGES = 2 ** 32;
/** Pages of a file with at most this many others between them are fetched together. */
const GAP = 4;
/** Bytes kept between requests. */
const KEPT = 64 << 20;
/** Bytes of a list of tables. */
const LONGEST_LIST = 16 << 20;
/** Milliseconds for a request to the host, by default. */
const TIMEOUT = 30_000;
/** The longest time that a timer takes. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
/** Names of files: those of a directory of tables, which have nothing that an address or a list of lines reads. */
const NAME = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/**
 * Opens `options.tables`: bytes by path, `{ "KRNvKM.dtm.smp": bytes }`; or `{ url, files, timeout }`, where
 * `files` has lengths by path, or `{ length, part }` for a file that is cut in parts of this length,
 * each a file whose name ends with its number. Without `files`, `tables.json` at the address has them.
 */
export async function openTables({ tables, signal }) {
  const given = tables ?? {};
  if (typeof given.url !== "string") return givenTables(given);
  const { timeout = TIMEOUT } = given;
  if (!(timeout > 0 && timeout <= LONGEST_TIMEOUT)) {
    throw new RangeError(`sakmak: timeout ${timeout}: expected milliseconds, from 1 to ${LONGEST_TIMEOUT}`);
  }
  const url = given.url.endsWith("/") ? given.url : `${given.url}/`;
  if (given.files !== undefined) return fetchedTables(url, listedFiles("tables.files", given.files), timeout);
  const address = `${url}tables.json`;
  return fetchedTables(url, listedFiles(address, await fetchList(address, { timeout, signal })), timeout);
}

async function fetchList(address, options) {
  const bytes = await fetchBytes(address, options, (response) => readBody(response, LONGEST_LIST, address));
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(`sakmak: ${address}: ${error.message}`);
  }
}

/** The entries of an object whose keys are names of files. `list` names it in errors. */
function namedEntries(list, object) {
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new TypeError(`sakmak: ${list}: expected an object with names of files`);
  }
  const entries = Object.entries(object);
  for (const [name] of entries) {
    if (!NAME.test(name)) throw new TypeError(`sakmak: ${list}: ${shown(name)} is no name of a table`);
  }
  return entries;
}

/** The files of a list: name, length, and the length of parts if the file is cut. */
function listedFiles(list, listed) {
  return namedEntries(list, listed).map(([name, file]) => {
    const { length, part } = typeof file === "object" && file !== null ? file : { length: file };
    const check = (value, field, least, most) => {
      if (Number.isSafeInteger(value) && value >= least && value <= most) return;
      const range = `a whole number from ${least} to ${most}`;
      throw new TypeError(`sakmak: ${list}: ${name}: ${field} ${shown(value)}: expected ${range}`);
    };
    check(length, "length", 0, PAGE * PAGES);
    if (part !== undefined) check(part, "part", PAGE, PAGE * PAGES);
    return { name, length, part };
  });
}

/** A value of a list in an error, in at most a hundred characters. */
function shown(value) {
  return (JSON.stringify(value) ?? String(value)).slice(0, 100);
}

/** The list of files for the module. */
function listOf(files) {
  return files.map(({ name, length }) => `${length} ${name}`).join("\n");
}

function givenTables(tables) {
  const files = namedEntries("tables", tables).map(([name, given]) => {
    if (!(given instanceof ArrayBuffer) && !ArrayBuffer.isView(given)) {
      throw new TypeError(`sakmak: tables: ${name}: expected an ArrayBuffer or a view of one`);
    }
    const bytes = new Uint8Array(given.buffer ?? given, given.byteOffset ?? 0, given.byteLength);
    return { name, length: bytes.length, bytes };
  });
  return {
    list: listOf(files),
    figures: {},
    read(number, offset, to) {
      to.set(files[number].bytes.subarray(offset, offset + to.length));
      return true;
    },
    expect() {},
    trim() {},
    async fetchMissing() {},
  };
}

function fetchedTables(url, files, timeout) {
  const kept = new Map();
  /** Fetches that run, by each of their pages. */
  const running = new Map();
  let missing = new Set();
  const figures = { requests: 0, rounds: 0, bytes: 0, kept: 0 };
  const pagesOf = (offset, length) => {
    const [first, last] = [Math.floor(offset / PAGE), Math.floor((offset + length - 1) / PAGE)];
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  };
  const isKept = (number, offset, length) => pagesOf(offset, length).every((page) => kept.has(keyOf(number, page)));
  const expect = (number, offset, length) => {
    if (isKept(number, offset, length)) return;
    for (const page of pagesOf(...widened(files[number].length, offset, length))) {
      const key = keyOf(number, page);
      if (!kept.has(key)) missing.add(key);
    }
  };
  /** Bytes of one file of the host, which has a table or a part of one. */
  const fetchPart = (name, total, offset, end, signal) => {
    const headers = { Range: `bytes=${offset}-${end - 1}` };
    const address = url + name.split("/").map(encodeURIComponent).join("/");
    // Chromium lets requests for one address wait for each other if they may be cached.
    return fetchBytes(address, { timeout, signal, headers, cache: "no-store" }, async (response) => {
      if (response.status !== 206) throw new Error(`sakmak: the host of ${url} sends whole files, not ranges`);
      const encoding = response.headers.get("Content-Encoding") ?? "identity";
      if (encoding !== "identity") throw new Error(`sakmak: the host of ${url} compresses ranges (${encoding})`);
      const found = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
      const bytes = await readBody(response, end - offset, address);
      if (bytes.length !== end - offset || (found && Number(found) !== total)) {
        throw new Error(`sakmak: ${name} at ${url} has another length than in the list of tables`);
      }
      figures.requests += 1;
      figures.bytes += bytes.length;
      return bytes;
    });
  };
  const fetchRange = async ({ number, pages }, signal) => {
    const { name, length, part } = files[number];
    const [offset, end] = [pages[0] * PAGE, Math.min((pages.at(-1) + 1) * PAGE, length)];
    const found = [];
    for (let at = offset; at < end; ) {
      const place = part ? Math.floor(at / part) : 0;
      const start = part ? place * part : 0;
      const total = Math.min(part ?? length, length - start);
      const until = Math.min(end, start + total);
      found.push(fetchPart(part ? `${name}.${place}` : name, total, at - start, until - start, signal));
      at = until;
    }
    const bytes = joined(await Promise.all(found));
    for (let at = offset; at < end; at += PAGE) {
      const [key, page] = [keyOf(number, at / PAGE), bytes.slice(at - offset, at - offset + PAGE)];
      // Pages between those that were missing may be kept already.
      if (!kept.has(key)) figures.kept += page.length;
      kept.set(key, page);
    }
  };
  /** Starts to fetch a run of pages, for any number of requests. It ends when none waits for it. */
  const startFetch = (run) => {
    const controller = new AbortController();
    const keys = run.pages.map((page) => keyOf(run.number, page));
    const fetched = { users: 0 };
    const forget = () => keys.filter((key) => running.get(key) === fetched).forEach((key) => running.delete(key));
    fetched.end = () => {
      forget();
      controller.abort();
    };
    fetched.done = fetchRange(run, controller.signal).finally(fetched.end);
    keys.forEach((key) => running.set(key, fetched));
    return fetched;
  };
  return {
    list: listOf(files),
    figures,
    expect,
    read(number, offset, to) {
      if (!isKept(number, offset, to.length)) {
        expect(number, offset, to.length);
        return false;
      }
      for (const page of pagesOf(offset, to.length)) {
        const [bytes, start] = [kept.get(keyOf(number, page)), page * PAGE];
        const part = bytes.subarray(Math.max(0, offset - start), offset + to.length - start);
        to.set(part, Math.max(0, start - offset));
      }
      return true;
    },
    /** Forgets pages if they are many. */
    trim() {
      missing = new Set();
      if (figures.kept > KEPT) {
        kept.clear();
        figures.kept = 0;
      }
    },
    /** Fetches all bytes that the last request to the module missed, until the signal ends it. */
    async fetchMissing(signal) {
      const keys = [...missing];
      missing = new Set();
      if (keys.length === 0) throw new Error("sakmak: bytes are missing, but none were asked for");
      figures.rounds += 1;
      const shared = keys.map((key) => running.get(key)).filter(Boolean);
      const started = mergedPages(keys.filter((key) => !running.has(key))).map(startFetch);
      const fetches = new Set([...shared, ...started]);
      fetches.forEach((fetched) => (fetched.users += 1));
      try {
        await untilAborted(Promise.all([...fetches].map(({ done }) => done)), signal);
      } finally {
        for (const fetched of fetches) {
          fetched.users -= 1;
          if (fetched.users === 0) fetched.end();
        }
      }
    },
  };
}

/** The offset and length of the end of a file of `total` bytes that a range is in, else of the range. */
function widened(total, offset, length) {
  const end = Math.min(END, total);
  if (offset + length <= end) return [0, end];
  return offset >= total - end ? [total - end, end] : [offset, length];
}

function joined(arrays) {
  if (arrays.length === 1) return arrays[0];
  const bytes = new Uint8Array(arrays.reduce((length, array) => length + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    bytes.set(array, at);
    at += array.length;
  }
  return bytes;
}

/** The key of a page of a file. */
function keyOf(number, page) {
  return number * PAGES + page;
}

/** Runs of pages of files, from the keys of the pages. */
function mergedPages(keys) {
  const merged = [];
  for (const key of keys.sort((one, other) => one - other)) {
    const [number, page] = [Math.floor(key / PAGES), key % PAGES];
    const last = merged.at(-1);
    if (last?.number === number && page <= last.pages.at(-1) + 1 + GAP) last.pages.push(page);
    else merged.push({ number, pages: [page] });
  }
  return merged;
}

/** A promise that fails when the signal is aborted. */
function untilAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The result of `read` for the answer to a request, within `timeout` milliseconds, until the signal ends it. */
async function fetchBytes(address, { timeout, signal, ...options }, read) {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const answer = async () => {
    const response = await fetch(address, { ...options, signal: controller.signal });
    if (!response.ok) throw new Error(`sakmak: ${address}: ${response.status} ${response.statusText}`);
    return read(response);
  };
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`sakmak: ${address}: no answer within ${timeout / 1000} s`);
    timer = setTimeout(() => reject(Object.assign(error, { name: "TimeoutError" })), timeout);
  });
  try {
    // Its own signal does not end every fetch: in Node it leaves a body that cannot be decoded.
    return await untilAborted(Promise.race([answer(), late]), signal);
  } finally {
    clearTimeout(timer);
    // Ends a body that is not read to its end.
    controller.abort();
  }
}

/** The bytes of an answer that has at most `most`. */
async function readBody(response, most, address) {
  const chunks = [];
  const reader = response.body?.getReader();
  for (let length = 0; ; ) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return joined(chunks);
    length += value.length;
    if (length > most) throw new Error(`sakmak: ${address}: the answer has more than ${most} bytes`);
    chunks.push(value);
  }
}
