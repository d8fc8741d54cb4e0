// What a player has tried and done, by game, ending and goal, kept in the browser.

import { keep, kept } from "./languages.js";

const PROGRESS = "sakmak.trainer";
const NOTHING = { tried: 0, done: 0, streak: 0 };

/** The records by name, such as "makruk KSMvK mate"; none if what is kept cannot be read. */
function read() {
  try {
    return JSON.parse(kept(PROGRESS) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

export class Progress {
  constructor() {
    this.records = read();
  }

  /** Rows of game, ending, goal and their numbers, in the order of their names. */
  get rows() {
    return Object.entries(this.records).sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, record]) => {
      const [variant, material, goal] = name.split(" ");
      return { variant, material, goal, ...NOTHING, ...record };
    });
  }

  /** Adds an exercise that has ended. */
  add({ variant, material, goal }, done) {
    const name = [variant, material, goal].join(" ");
    const { tried, done: before, streak } = { ...NOTHING, ...this.records[name] };
    this.records[name] = { tried: tried + 1, done: before + Number(done), streak: done ? streak + 1 : 0 };
    keep(PROGRESS, JSON.stringify(this.records));
  }

  clear() {
    this.records = {};
    keep(PROGRESS, "{}");
  }
}
