// The package in Node: the module is a file, and runs on the calling thread.

import { readFile } from "node:fs/promises";
import { Sakmak as PageSakmak, SakmakError } from "./index.js";

export { SakmakError };

export class Sakmak extends PageSakmak {
  static async start({ wasm = new URL("./sakmak.wasm", import.meta.url), worker = false, ...options } = {}) {
    const isAddress = typeof wasm === "string" || wasm instanceof URL;
    const isFile = isAddress && new URL(wasm).protocol === "file:";
    return super.start({ wasm: isFile ? await readFile(new URL(wasm)) : wasm, worker, ...options });
  }
}
