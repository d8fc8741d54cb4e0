// The module in a worker, driven by index.js.

import { startModule } from "./module.js";

let started;
const methods = {
  start: async (signal, compiled, options) => {
    started = await startModule(compiled, { ...options, signal });
  },
  request: (signal, target) => started.request(target, { signal }),
  solve: (_, variant, table) => started.solve(variant, table),
  figures: () => started.figures(),
};
/** Ends of the calls that run. */
const running = new Map();

self.onmessage = async ({ data: { id, method, parameters } }) => {
  if (method === "cancel") return running.get(id)?.abort();
  running.set(id, new AbortController());
  try {
    self.postMessage({ id, answer: await methods[method](running.get(id).signal, ...parameters) });
  } catch (error) {
    self.postMessage({ id, error: error.message, name: error.name, trap: started?.ended });
  }
  running.delete(id);
};
