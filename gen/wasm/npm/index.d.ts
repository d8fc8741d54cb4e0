// Sakmak: endgame tables of Makruk and Ouk, in a page or in Node.

import type { ErrorFields, Exercise, FoundAnswer, Mainline, Missing, Reason, Variants } from "./answers.js";

export type * from "./answers.js";

/** Where tables come from that are not solved on the spot. */
export type Tables =
  /** The bytes of files by name: `{ "KRNvKM.dtm.smp": bytes }`. */
  | Record<string, ArrayBuffer | Uint8Array>
  /**
   * Files below an address whose host answers to ranges. `files` has their lengths by name; without
   * it, the file `tables.json` there. A file with `part` is cut in files of this length, whose names
   * end with `.0`, `.1` and so on. A relative address is resolved against that of the page. `timeout`:
   * milliseconds for each request to the host; 30,000 by default. A request that takes longer fails with
   * an error named `TimeoutError`, and so does the question that needs it; the next question asks again.
   */
  | { url: string | URL; files?: Record<string, number | { length: number; part?: number }>; timeout?: number };

export interface Options {
  tables?: Tables;
  /** Whether the module runs in a worker; by default, yes in a page and no in Node. */
  worker?: boolean;
  /** The module, or its address; by default the file `sakmak.wasm` beside `index.js`. */
  wasm?: WebAssembly.Module | ArrayBuffer | Uint8Array | string | URL;
  /** Ends the start. */
  signal?: AbortSignal;
}

/** A question that can be ended. */
export interface Abortable {
  /** Ends the question, which then fails with the reason of the signal. */
  signal?: AbortSignal;
}

/** The parameters of the service for a position. */
export interface PositionOptions extends Abortable {
  /** Name of a variant; `makruk` by default. */
  variant?: string;
  /** Name of a counting rule of the variant. */
  counting?: string;
  /** Last number called, in moves, for a FEN without a count. */
  called?: number;
  /** Side that counts, if either may. */
  counter?: "white" | "black";
  /** Number at which the count ends, if not that of a count that starts here. */
  limit?: number;
  /** Whether the answer has lines of best play; without, it is far cheaper. */
  line?: boolean;
  /** Whether a mate in time that is not in the tables is searched, which takes up to some seconds. */
  mateInTime?: boolean;
  /** Whether the answer has the number of right moves, and whether the solution of a win is unique. */
  solution?: boolean;
}

/** The parameters of the service for an exercise. */
export interface DrawOptions extends Abortable {
  variant?: string;
  counting?: string;
  /** Side to move; either by default. */
  side?: "white" | "black";
  /** Range of the attacker's moves to mate with no count, such as `10-25`. */
  moves?: string;
  /** Range of the margin to the clock, such as `0-3` or `-3--1`. */
  margin?: string;
  /** The same number gives the same exercise. */
  seed?: number;
}

/** An answer that is an error of the service. */
export class SakmakError extends Error {
  code: ErrorFields["code"];
  missing?: Missing;
  reason?: Reason;
}

export class Sakmak {
  /** Starts the module. */
  static start(options?: Options): Promise<Sakmak>;
  /** The answer for a position. */
  position(fen: string, options?: PositionOptions): Promise<FoundAnswer>;
  /** Lines of best play from a position. */
  mainline(fen: string, options?: Omit<PositionOptions, "line">): Promise<Mainline>;
  /** An exercise drawn at random. */
  draw(goal: "mate" | "hold", material: string, options?: DrawOptions): Promise<Exercise>;
  /** The variants, and which positions of each have an answer. */
  variants(options?: Abortable): Promise<Variants>;
  /**
   * Solves a table such as `KRvKN` and those it depends on, so that later answers are quick; of any
   * number of men, though five with pawns take minutes and gigabytes. Resolves to a checksum.
   */
  solve(table: string, options?: { variant?: string }): Promise<string>;
  /** Answers a path with its query as the service does. */
  request(target: string, options?: Abortable): Promise<{ status: number; body: string }>;
  /** Bytes of memory; with tables at an address, what was fetched. */
  figures(): Promise<{ memory: number; requests?: number; rounds?: number; bytes?: number; kept?: number }>;
  /** Ends the module and its worker: it answers no more. */
  end(): void;
  /** Whether the module has ended, or failed. */
  readonly ended: boolean;
}
