// What TypeScript takes of the npm package, and what not.

import { Sakmak, SakmakError, type Answer, type Options, type Tables } from "sakmak";

const { signal } = new AbortController();
const bytes: Tables = { "KRvK.dtm.smp": new Uint8Array(1), "KRvK.makruk.smp": new ArrayBuffer(1) };
const host: Tables = { url: new URL("https://h/"), files: { a: 1, b: { length: 5, part: 4096 } }, timeout: 5000 };
const options: Options = { tables: host, worker: false, wasm: "sakmak.wasm", signal };
const sakmak: Sakmak = await Sakmak.start(options);
await Sakmak.start({ tables: bytes });
await Sakmak.start();
const answer: Answer = await sakmak.position("", { variant: "ouk", called: 3, line: false, mateInTime: true, signal });
const category: "win" | "maybe-win" | "cursed-win" | "draw" | "blessed-loss" | "maybe-loss" | "loss" | "unknown" = answer.category ?? "draw";
(await sakmak.mainline("", { signal })).mainline.at(0)?.san;
(await sakmak.draw("mate", "KRvK", { seed: 1, signal })).fen.at(0);
(await sakmak.variants({ signal })).variants.length.toFixed();
const { status, body }: { status: number; body: string } = await sakmak.request("/variants", { signal });
const sum: string = await sakmak.solve("KRvK", { variant: "ouk" });
const memory: number = (await sakmak.figures()).memory;
if (!sakmak.ended) sakmak.end();
const code: string = new SakmakError(category + status + body + sum + memory).code;
// @ts-expect-error: a goal that does not exist
sakmak.draw("win", code);
// @ts-expect-error: no time
Sakmak.start({ tables: { url: "", timeout: "5 s" } });
