// A position as FEN: men, side to move, first moves left, limit and count in plies, number of the
// move. The rules are the server's; here is only what a board has to know.

import { FILES, RANKS } from "./squares.js";

// Sites write Q, F or A for a met and B for a khon.
const OTHER_LETTERS = { Q: "M", F: "M", A: "M", B: "S" };
const KINDS = "KMSNRP";

/** What is wrong with a FEN: the key of a text and its holes. */
export class FenError extends Error {
  constructor(key, holes = {}) {
    super(key);
    this.key = key;
    this.holes = holes;
  }
}

/** The side of a letter of FEN. */
export const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");
/** The kind of a letter of FEN: K, M, S, N, R or P. */
export const kindOf = (letter) => letter.toUpperCase();
export const otherSide = (side) => (side === "white" ? "black" : "white");

export class Position {
  /** `men`: a map from squares to letters of FEN. `rest`: the fields after the side to move. */
  constructor(men, side, rest) {
    this.men = men;
    this.side = side;
    this.rest = rest;
  }

  static empty(side) {
    return new Position(new Map(), side, ["-", "-", "0", "1"]);
  }

  /** Reads FEN as people paste it: underscores for spaces, fields left out, an address around. */
  static parse(text) {
    const asked = /[?&#]fen=([^&]*)/.exec(text);
    const plain = asked ? decodeURIComponent(asked[1]) : text;
    const [placement = "", side = "w", ...rest] = plain.replaceAll("_", " ").trim().split(/\s+/);
    if (side !== "w" && side !== "b") throw new FenError("fen.side", { found: side });
    const fields = ["-", "-", "0", "1"].map((usual, place) => rest[place] ?? usual);
    return new Position(menOf(placement), side === "w" ? "white" : "black", fields);
  }

  /** The position as FEN. `letterOf(letter)`: the letter of a man in the game. */
  write(letterOf) {
    const placement = [...RANKS].reverse().map((rank) => {
      let [row, empty] = ["", 0];
      for (const file of FILES) {
        const letter = this.men.get(file + rank);
        if (!letter) {
          empty += 1;
          continue;
        }
        row += (empty || "") + letterOf(letter);
        empty = 0;
      }
      return row + (empty || "");
    });
    return [placement.join("/"), this.side[0], ...this.rest].join(" ");
  }

  /** The same men with this side to move and no count. */
  to(side) {
    return new Position(this.men, side, ["-", "-", "0", "1"]);
  }

  /** Other men, with no count. */
  withMen(men) {
    return new Position(men, this.side, ["-", "-", "0", "1"]);
  }

  withoutCount() {
    const [leaps, , , number] = this.rest;
    return new Position(this.men, this.side, [leaps, "-", "0", number]);
  }
}

function menOf(placement) {
  const rows = placement.replaceAll("~", "").split("/");
  if (rows.length !== 8) throw new FenError("fen.ranks", { found: rows.length });
  const men = new Map();
  rows.forEach((row, place) => {
    const rank = RANKS[7 - place];
    let file = 0;
    for (const sign of row) {
      if (/[1-8]/.test(sign)) {
        file += Number(sign);
        continue;
      }
      const kind = OTHER_LETTERS[sign.toUpperCase()] ?? sign.toUpperCase();
      if (!KINDS.includes(kind)) throw new FenError("fen.letter", { found: sign });
      if (file < 8) men.set(FILES[file] + rank, sideOf(sign) === "white" ? kind : kind.toLowerCase());
      file += 1;
    }
    if (file !== 8) throw new FenError("fen.files", { rank: Number(rank), found: file });
  });
  return men;
}
