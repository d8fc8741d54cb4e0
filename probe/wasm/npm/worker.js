// The module in a worker, driven by index.js.

import { startModule } from "./module.js";

let started;
const methods = {
  start: async (compiled, options) => {
    started = await startModule(compiled, options);
  },
  request: (target) => started.request(target),
  solve: (variant, table) => started.solve(variant, table),
  figures: () => started.figures(),
};

self.onmessage = async ({ data: { id, method, parameters } }) => {
  try {
    self.postMessage({ id, answer: await methods[method](...parameters) });
  } catch (error) {
    // After a trap the module is in an unknown state.
    self.postMessage({ id, error: error.message, trap: error instanceof WebAssembly.RuntimeError });
  }
};
