// Questions to the tables: to the service, or on a site of files to the module in a worker.

import { at } from "./address.js";

/** An answer that is an error: its status, its code and message, and what else it tells. */
export class ServiceError extends Error {
  constructor(status, { code = "internal", message = "", ...rest } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.missing = rest.missing;
    this.reason = rest.reason;
  }
}

/** The times a question is asked again while the service is busy, and the seconds between. */
const TRIES = 30;
const PAUSE = 1;

/** Milliseconds for an answer of the service, which has a shorter limit of its own: `--timeout`. */
const LIMIT = 60_000;

/** Spaces of a FEN may be underscores, which addresses show as they are. */
const underscored = (fen) => fen.replaceAll(" ", "_");

/** A value of a parameter. A slash needs no code there; a plus does, or it is read as a space. */
const encoded = (value) => encodeURIComponent(value).replaceAll("%2F", "/");

/** A FEN as the value of a parameter of an address. */
export const inAddress = (fen) => encoded(underscored(fen));

function address(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const query = given.map(([name, value]) => `${name}=${encoded(value)}`);
  return query.length ? `${path}?${query.join("&")}` : path;
}

/** The module of a site of files; undefined on the pages of a service. */
const MODULE = globalThis.document?.querySelector('meta[name="sakmak-module"]')?.content;
/** Whether the pages are files of a host, and answers are made in the browser. */
export const isSite = MODULE !== undefined;

/** The started module, or a promise of it. */
let started;

/** The answer of the module: its status and JSON. */
async function ofModule(target, signal) {
  started ??= import(at(MODULE)).then(({ Sakmak }) => Sakmak.start({ tables: { url: at("tables/") } }));
  const starting = started;
  try {
    const { status, body } = await (await starting).request(target, { signal });
    return { status, json: JSON.parse(body) };
  } catch (error) {
    // What failed to start, or has ended, is started again by the next question.
    const ended = await starting.then((module) => module.ended, () => true);
    if (ended && started === starting) started = undefined;
    throw error;
  }
}

/** The answer of the service: its status and JSON, and after how many seconds to ask again. */
async function ofService(target, signal) {
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, LIMIT);
  signal?.addEventListener("abort", end);
  try {
    signal?.throwIfAborted();
    const answer = await fetch(at(target.slice(1)), { signal: controller.signal });
    const json = answer.ok ? await answer.json() : await answer.json().catch(() => ({}));
    return { status: answer.status, json, pause: Number(answer.headers.get("Retry-After")) || PAUSE };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Asks for JSON. While the service is busy, for instance with a table, the question is repeated. */
export async function ask(path, parameters = {}, signal = undefined) {
  for (let tries = 1; ; tries += 1) {
    const { status, json, pause } = await (isSite ? ofModule : ofService)(address(path, parameters), signal);
    if (status === 200) return json;
    const busy = status === 503 || status === 429;
    if (!busy || tries === TRIES) throw new ServiceError(status, json.error);
    await new Promise((ready) => {
      setTimeout(ready, 1000 * pause);
      signal?.addEventListener("abort", ready);
    });
    signal?.throwIfAborted();
  }
}

/**
 * The answer for a position. A question has a FEN; it may have a counting rule, and a count in
 * moves: called, counter. An answer that lacks a table, and knows some moves only, counts as none.
 */
export async function askPosition(variant, { fen, ...rest }, signal) {
  const answer = await ask(`/${variant}`, { fen: underscored(fen), ...rest }, signal);
  if (answer.missing) throw new ServiceError(404, { code: "no_table", missing: answer.missing });
  return answer;
}

/** Best play from a position, with the question as above. */
export const askLine = (variant, { fen, ...rest }, signal) =>
  ask(`/${variant}/mainline`, { fen: underscored(fen), ...rest }, signal);

export const askVariants = () => ask("/variants");
