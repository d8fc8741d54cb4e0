// Sakmak: endgame tables of Makruk and Ouk, in a page. In Node, node.js is used in its place.

import { SakmakError, startModule } from "./module.js";

export { SakmakError };

const hasWorkers = typeof Worker !== "undefined";

/** Tables whose address is a whole one: a worker would resolve a relative one against its own. */
function located(tables) {
  const url = tables?.url;
  if (typeof url !== "string" && !(url instanceof URL)) return tables;
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  return { ...tables, url: new URL(url, base).href };
}

async function compile(source, signal) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  // Bundlers find the file by this form of its address.
  const url = source ?? new URL("./sakmak.wasm", import.meta.url);
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`sakmak: ${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The module in a worker, with the methods of `startModule`. */
async function startWorker(compiled, { signal, ...options }) {
  // Bundlers find the worker by this form of the call.
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  let [next, broken] = [0, undefined];
  const fail = (message) => {
    broken = new Error(`sakmak: ${message}`);
    waiting.forEach(({ reject }) => reject(broken));
    waiting.clear();
    worker.terminate();
  };
  worker.onerror = (event) => fail(event.message ?? "the worker cannot be loaded");
  worker.onmessage = ({ data: { id, answer, error, name, trap } }) => {
    // A cancelled request is no longer waited for.
    if (!waiting.has(id)) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) return resolve(answer);
    reject(Object.assign(new Error(error), { name }));
    if (trap) fail(error);
  };
  const send = (method, parameters, signal) =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      if (signal?.aborted) return reject(signal.reason);
      const id = next;
      next += 1;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, parameters });
      signal?.addEventListener("abort", () => {
        if (!waiting.delete(id)) return;
        worker.postMessage({ id, method: "cancel" });
        reject(signal.reason);
      });
    });
  try {
    await send("start", [compiled, options], signal);
  } catch (error) {
    fail(error.message);
    throw error;
  }
  return {
    request: (target, { signal } = {}) => send("request", [target], signal),
    solve: (variant, table) => send("solve", [variant, table]),
    figures: () => send("figures", []),
    end: () => fail("ended"),
    get ended() {
      return broken !== undefined;
    },
  };
}

/** The names of parameters of the service. */
const PARAMETERS = { mateInTime: "mate_in_time" };

export class Sakmak {
  #module;

  constructor(module) {
    this.#module = module;
  }

  static async start({ wasm, worker = hasWorkers, tables, signal } = {}) {
    if (worker && !hasWorkers) throw new Error("sakmak: no Worker here: start with { worker: false }");
    const options = { tables: located(tables), signal };
    const compiled = await compile(wasm, signal);
    return new this(await (worker ? startWorker : startModule)(compiled, options));
  }

  request(target, options) {
    return this.#module.request(target, options);
  }

  async #answer(path, { signal, ...parameters } = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(PARAMETERS[name] ?? name, value);
    }
    return parsed(await this.request(`${path}?${query}`, { signal }));
  }

  position(fen, { variant = "makruk", ...parameters } = {}) {
    return this.#answer(`/${encodeURIComponent(variant)}`, { fen, ...parameters });
  }

  mainline(fen, { variant = "makruk", ...parameters } = {}) {
    return this.#answer(`/${encodeURIComponent(variant)}/mainline`, { fen, ...parameters });
  }

  draw(goal, material, { variant = "makruk", seed = Math.floor(Math.random() * 2 ** 48), ...parameters } = {}) {
    return this.#answer(`/${encodeURIComponent(variant)}/draw`, { goal, material, seed, ...parameters });
  }

  variants(options) {
    return this.#answer("/variants", options);
  }

  async solve(table, { variant = "makruk" } = {}) {
    return parsed(await this.#module.solve(variant, table));
  }

  figures() {
    return this.#module.figures();
  }

  end() {
    this.#module.end();
  }

  get ended() {
    return this.#module.ended;
  }
}

function parsed({ status, body }) {
  const json = JSON.parse(body);
  if (status === 200) return json;
  throw new SakmakError(json.error);
}
