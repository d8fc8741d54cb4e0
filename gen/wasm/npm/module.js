// The WebAssembly module: requests in, answers out, on the calling thread.

import { openTables } from "./tables.js";

/** An answer that is an error: `code`, `missing` and `reason` as in the JSON of the service. */
export class SakmakError extends Error {
  constructor({ code, message, missing, reason }) {
    super(message);
    this.name = "SakmakError";
    this.code = code;
    this.missing = missing;
    this.reason = reason;
  }
}

/** Starts a compiled module, see `Sakmak.start`. */
export async function startModule(compiled, options = {}) {
  const tables = await openTables(options);
  let exports;
  /** Why the module answers no more. */
  let broken;
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length >>> 0);
  const host = {
    read: (file, offset, length, to) => Number(tables.read(file, offset, bytes(to, length))),
    expect: (file, offset, length) => tables.expect(file, offset, length >>> 0),
  };
  ({ exports } = await WebAssembly.instantiate(compiled, { host }));

  const withText = (text, use) => {
    if (broken) throw broken;
    const encoded = new TextEncoder().encode(text);
    try {
      const at = exports.text_new(encoded.length);
      bytes(at, encoded.length).set(encoded);
      const result = use(at, encoded.length);
      exports.text_free(at, encoded.length);
      return result;
    } catch (error) {
      // After a trap the module is in an unknown state.
      broken = new Error(`sakmak: ${error.message}`);
      throw error;
    }
  };
  /** The status and the JSON that an export answers. */
  const call = (name, request) => {
    const answer = BigInt.asUintN(64, withText(request, exports[name]));
    const [at, length] = [Number(answer & 0xffff_ffffn), Number(answer >> 32n)];
    const text = new TextDecoder().decode(bytes(at, length));
    exports.text_free(at, length);
    const end = text.indexOf("\n");
    return { status: Number(text.slice(0, end)), body: text.slice(end + 1) };
  };
  if (!withText(tables.list, exports.start)) throw new Error("sakmak: the list of tables cannot be read");

  return {
    /** Answers a path with its query as the service does: `{ status, body }`. */
    async request(target, { signal } = {}) {
      for (;;) {
        signal?.throwIfAborted();
        const answer = call("ask", target);
        if (answer.status !== 0) {
          tables.trim();
          return answer;
        }
        // Meanwhile other requests ask: the module holds nothing of this one.
        await tables.fetchMissing(signal);
      }
    },
    /** Solves a table, and answers with the checksum of its codes. */
    solve: async (variant, table) => call("solve", `${variant} ${table}`),
    /** Bytes of memory, and what was fetched. */
    figures: async () => {
      if (broken) throw broken;
      return { memory: exports.memory.buffer.byteLength, ...tables.figures };
    },
    end() {
      broken ??= new Error("sakmak: ended");
    },
    get ended() {
      return broken !== undefined;
    },
  };
}
