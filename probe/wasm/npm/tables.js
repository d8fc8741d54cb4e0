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

/**
 * Opens `options.tables`: bytes by path, `{ "KRNvKM.dtm.smp": bytes }`; or `{ url, files }`, where
 * `files` has lengths by path, or `{ length, part }` for a file that is cut in parts of this length,
 * each a file whose name ends with its number. Without `files`, `tables.json` at the address has them.
 */
export async function openTables({ tables = {} }) {
  if (typeof tables.url !== "string") return givenTables(tables);
  const url = tables.url.endsWith("/") ? tables.url : `${tables.url}/`;
  const files = tables.files ?? (await (await fetchOk(`${url}tables.json`)).json());
  return fetchedTables(url, files);
}

function listOf(lengths) {
  return Object.entries(lengths).map(([path, length]) => `${length} ${path}`).join("\n");
}

function givenTables(tables) {
  const files = Object.values(tables).map((bytes) => new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength));
  return {
    list: listOf(Object.fromEntries(Object.keys(tables).map((path, number) => [path, files[number].length]))),
    figures: {},
    read(number, offset, to) {
      to.set(files[number].subarray(offset, offset + to.length));
      return true;
    },
    expect() {},
    trim() {},
    async fetchMissing() {},
  };
}

function fetchedTables(url, listed) {
  const files = Object.fromEntries(Object.entries(listed).map(([name, file]) => [name, typeof file === "number" ? { length: file } : file]));
  const names = Object.keys(files);
  const lengths = Object.fromEntries(names.map((name) => [name, files[name].length]));
  const kept = new Map();
  let missing = new Set();
  const figures = { requests: 0, rounds: 0, bytes: 0, kept: 0 };
  const pagesOf = (offset, length) => {
    const [first, last] = [Math.floor(offset / PAGE), Math.floor((offset + length - 1) / PAGE)];
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  };
  const isKept = (number, offset, length) => pagesOf(offset, length).every((page) => kept.has(keyOf(number, page)));
  const expect = (number, offset, length) => {
    if (isKept(number, offset, length)) return;
    for (const page of pagesOf(...widened(lengths[names[number]], offset, length))) {
      const key = keyOf(number, page);
      if (!kept.has(key)) missing.add(key);
    }
  };
  /** Bytes of one file of the host, which has a table or a part of one. */
  const fetchBytes = async (name, total, offset, end) => {
    const headers = { Range: `bytes=${offset}-${end - 1}` };
    // Chromium lets requests for one address wait for each other if they may be cached.
    const response = await fetchOk(url + name.split("/").map(encodeURIComponent).join("/"), { headers, cache: "no-store" });
    const found = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
    if (response.status !== 206) {
      response.body?.cancel();
      throw new Error(`sakmak: the host of ${url} sends whole files, not ranges`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length !== end - offset || (found && Number(found) !== total)) {
      throw new Error(`sakmak: ${name} at ${url} has another length than in the list of tables`);
    }
    figures.requests += 1;
    figures.bytes += bytes.length;
    return bytes;
  };
  const fetchRange = async ({ number, pages }) => {
    const { length, part } = files[names[number]];
    const [offset, end] = [pages[0] * PAGE, Math.min((pages.at(-1) + 1) * PAGE, length)];
    const found = [];
    for (let at = offset; at < end; ) {
      const place = part ? Math.floor(at / part) : 0;
      const start = part ? place * part : 0;
      const total = Math.min(part ?? length, length - start);
      const until = Math.min(end, start + total);
      found.push(fetchBytes(part ? `${names[number]}.${place}` : names[number], total, at - start, until - start));
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
  return {
    list: listOf(lengths),
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
    /** Fetches all bytes that were missing. */
    async fetchMissing() {
      const merged = mergedPages(missing);
      missing = new Set();
      if (merged.length === 0) throw new Error("sakmak: bytes are missing, but none were asked for");
      figures.rounds += 1;
      await Promise.all(merged.map(fetchRange));
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
  for (const key of [...keys].sort((one, other) => one - other)) {
    const [number, page] = [Math.floor(key / PAGES), key % PAGES];
    const last = merged.at(-1);
    if (last?.number === number && page <= last.pages.at(-1) + 1 + GAP) last.pages.push(page);
    else merged.push({ number, pages: [page] });
  }
  return merged;
}

async function fetchOk(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`sakmak: ${address}: ${response.status} ${response.statusText}`);
  return response;
}
