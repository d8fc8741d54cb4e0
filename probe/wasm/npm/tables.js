// The files of tables: handed in as bytes, or fetched in ranges from a host.

/** Ranges of a file at most this far apart are fetched together. */
const GAP = 4096;
/** Bytes of ranges kept between requests. */
const KEPT = 64 << 20;

/**
 * Opens `options.tables`: bytes by path, `{ "KRNvKM.dtm.smp": bytes }`; or `{ url, files }`, where
 * `files` has lengths by path. Without `files`, `tables.json` at the address has them.
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

function fetchedTables(url, lengths) {
  const names = Object.keys(lengths);
  const kept = new Map();
  let missing = new Map();
  const keyOf = (number, offset, length) => `${number} ${offset} ${length}`;
  const figures = { requests: 0, rounds: 0, bytes: 0, kept: 0 };
  const expect = (number, offset, length) => {
    const key = keyOf(number, offset, length);
    if (!kept.has(key)) missing.set(key, { key, number, offset, length });
  };
  const fetchRange = async ({ number, offset, end, parts }) => {
    const headers = { Range: `bytes=${offset}-${end - 1}` };
    // Chromium lets requests for one address wait for each other if they may be cached.
    const response = await fetchOk(url + names[number].split("/").map(encodeURIComponent).join("/"), { headers, cache: "no-store" });
    const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
    if (response.status !== 206) {
      response.body?.cancel();
      throw new Error(`sakmak: the host of ${url} sends whole files, not ranges`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length !== end - offset || (total && Number(total) !== lengths[names[number]])) {
      throw new Error(`sakmak: ${names[number]} at ${url} has another length than in the list of tables`);
    }
    for (const part of parts) {
      const start = part.offset - offset;
      kept.set(part.key, bytes.slice(start, start + part.length));
      figures.kept += part.length;
    }
    figures.requests += 1;
    figures.bytes += bytes.length;
  };
  return {
    list: listOf(lengths),
    figures,
    expect,
    read(number, offset, to) {
      const range = kept.get(keyOf(number, offset, to.length));
      if (range) to.set(range);
      else expect(number, offset, to.length);
      return range !== undefined;
    },
    /** Forgets ranges if they are many. */
    trim() {
      missing = new Map();
      if (figures.kept > KEPT) {
        kept.clear();
        figures.kept = 0;
      }
    },
    /** Fetches all bytes that were missing. */
    async fetchMissing() {
      const merged = mergedRanges([...missing.values()]);
      missing = new Map();
      if (merged.length === 0) throw new Error("sakmak: bytes are missing, but none were asked for");
      figures.rounds += 1;
      await Promise.all(merged.map(fetchRange));
    },
  };
}

/** Ranges of files, with the parts of each. */
function mergedRanges(parts) {
  parts.sort((one, other) => one.number - other.number || one.offset - other.offset);
  const merged = [];
  for (const part of parts) {
    const [last, end] = [merged.at(-1), part.offset + part.length];
    if (last?.number === part.number && part.offset <= last.end + GAP) {
      last.end = Math.max(last.end, end);
      last.parts.push(part);
    } else {
      merged.push({ number: part.number, offset: part.offset, end, parts: [part] });
    }
  }
  return merged;
}

async function fetchOk(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`sakmak: ${address}: ${response.status} ${response.statusText}`);
  return response;
}
