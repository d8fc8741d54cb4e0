// A position as FEN: men, side to move, first moves left, limit and count in plies, number of the
// move; where the first check wins, between limit and count the checks left, such as 1+1. The rules are
// the server's; here is only what a board has to know.

import { FILES, RANKS } from "./squares.js";

// Sites write Q, F or A for a met and B for a khon.
const OTHER_LETTERS = { Q: "M", F: "M", A: "M", B: "S" };
const KINDS = "KMSNRP";
/** The fields after the side to move where nothing is counted. */
const USUAL = ["-", "-", "0", "1"];
/** The ranks of a board of Janggi, which the page does not have. */
const JANGGI_RANKS = 10;

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
  /**
   * `men`: a map from squares to letters of FEN. `rest`: the fields after the side to move, without
   * `checks`, the checks left; null if the FEN has none.
   */
  constructor(men, side, rest, checks = null) {
    this.men = men;
    this.side = side;
    this.rest = rest;
    this.checks = checks;
  }

  static empty(side) {
    return new Position(new Map(), side, USUAL);
  }

  /** Reads FEN as people paste it: as other programs write it, fields left out, an address around. */
  static parse(text) {
    const [placement = "", side = "w", ...fields] = fieldsOf(fenIn(text));
    if (side !== "w" && side !== "b") throw new FenError("fen.side", { found: side });
    const place = fields.findIndex((field) => field.includes("+"));
    const [checks = null] = place < 0 ? [] : fields.splice(place, 1);
    return new Position(menOf(placement), side === "w" ? "white" : "black", restOf(fields), checks);
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
    const [leaps, limit, ...rest] = this.rest;
    const checks = this.checks ? [this.checks] : [];
    return [placement.join("/"), this.side[0], leaps, limit, ...checks, ...rest].join(" ");
  }

  /** The same men with this side to move and no count. */
  to(side) {
    return new Position(this.men, side, USUAL);
  }

  /** Other men, with no count. */
  withMen(men) {
    return new Position(men, this.side, USUAL);
  }

  /** Men on other squares, with the same count. */
  withSquares(men) {
    return new Position(men, this.side, this.rest);
  }

  withoutCount() {
    const [leaps] = this.rest;
    return new Position(this.men, this.side, [leaps, "-", "0", this.rest[3] ?? "1"], this.checks);
  }
}

/** The FEN in a text: of an address its parameter `fen`, with what addresses encode decoded. */
function fenIn(text) {
  const asked = /[?&#]fen=([^&#]*)/.exec(text);
  if (asked) return decoded(asked[1]);
  const plain = text.trim();
  const encoded = !/\s/.test(plain) && /%[0-9a-f]{2}|\+[wb](?:\+|$)/i.test(plain);
  return encoded ? decoded(plain) : plain;
}

/** A value of an address, where a plus is a blank. It may have been encoded twice. */
function decoded(value) {
  try {
    const once = decodeURIComponent(value.replaceAll("+", " "));
    return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return value;
  }
}

/** The fields of a FEN. Blanks may be underscores, and a plus in an address may have become a blank. */
function fieldsOf(text) {
  const fields = text.replace(/_(\d) (\d)(?=_|$)/g, "_$1+$2").replaceAll("_", " ").trim().split(/\s+/);
  const digits = (field) => /^\d$/.test(field);
  if (fields.length < 7 || !digits(fields[4]) || !digits(fields[5])) return fields;
  return [...fields.slice(0, 4), `${fields[4]}+${fields[5]}`, ...fields.slice(6)];
}

/**
 * The fields after the side to move, without the checks left, as this page writes them. Cute Chess has
 * the limit 0 for none; WinBoard leaves the limit out, and in games without leaps the leaps too.
 */
function restOf(fields) {
  const isNumber = (field) => /^\d+$/.test(field);
  if (fields.length === 2 && fields.every(isNumber)) return ["-", "-", ...fields];
  const [leaps = "-", limit = "-", ...numbers] = fields;
  if (limit === "0" && numbers.length === 1) return [leaps, "-", limit, ...numbers];
  // The service knows whether this is a limit or a clock.
  if (isNumber(limit) && numbers.length === 1) return [leaps, limit, ...numbers];
  const [count = "0", number = "1", ...more] = numbers;
  return [leaps, limit === "0" ? "-" : limit, count, number, ...more];
}

function menOf(placement) {
  const [board, pocket] = placement.split("[");
  // Brackets hold men that are still to be placed; programs write them empty for the rest of the game.
  if (pocket !== undefined && !/^-?\]$/.test(pocket)) throw new FenError("fen.pocket");
  const rows = board.replaceAll("~", "").split("/");
  if (rows.length === JANGGI_RANKS) throw new FenError("fen.janggi");
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
