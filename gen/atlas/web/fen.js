// A position as FEN: men, side to move, first moves left, limit and count in plies, number of the
// move; where the first check wins, between limit and count the checks left, such as 1+1. The rules are
// the server's; here is only what a board has to know.

import { rows } from "./squares.js";

/** The kinds of men of chess-like games, in the order of the name of a material. */
const KINDS = "KRNSMP";
// Sites write Q, F or A for a met and B for a khon.
const OTHER_LETTERS = { Q: "M", F: "M", A: "M", B: "S" };
/** The ranks of a board of Janggi, which a service without its tables does not show. */
const JANGGI_RANKS = 10;

/**
 * The shape of chess-like games: `files`, `ranks`, the `kinds` of men, those kinds by the `letters` of
 * FEN, and the fields `rest` after the side to move of a position that is set up.
 */
export const CHESS = {
  files: 8,
  ranks: 8,
  kinds: KINDS,
  letters: { ...Object.fromEntries([...KINDS].map((kind) => [kind, kind])), ...OTHER_LETTERS },
  rest: ["-", "-", "0", "1"],
};

/** Whether a board is that of chess-like games. */
export const isChess = ({ rest }) => rest.length > 0;

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
/** The kind of a letter of FEN. */
export const kindOf = (letter) => letter.toUpperCase();
/** A kind as a letter of FEN of a side. */
export const letterOf = (kind, side) => (side === "white" ? kind : kind.toLowerCase());
export const otherSide = (side) => (side === "white" ? "black" : "white");

export class Position {
  /**
   * `men`: a map from squares to kinds as letters of FEN. `rest`: the fields after the side to move, without
   * `checks`, the checks left; null if the FEN has none.
   */
  constructor(shape, men, side, rest = shape.rest, checks = null) {
    this.shape = shape;
    this.men = men;
    this.side = side;
    this.rest = rest;
    this.checks = checks;
  }

  static empty(shape) {
    return new Position(shape, new Map(), "white");
  }

  /** Reads FEN as people paste it: as other programs write it, fields left out, an address around. */
  static parse(text, shape = CHESS) {
    const [placement = "", side = "w", ...fields] = fieldsOf(fenIn(text));
    if (side !== "w" && side !== "b") throw new FenError("fen.side", { found: side });
    const [men, name] = [menOf(placement, shape), side === "w" ? "white" : "black"];
    if (!isChess(shape)) return new Position(shape, men, name, fields);
    const place = fields.findIndex((field) => field.includes("+"));
    const [checks = null] = place < 0 ? [] : fields.splice(place, 1);
    return new Position(shape, men, name, restOf(fields), checks);
  }

  /** The position as FEN. `nameOf(letter)`: the letter of a man in the game. */
  write(nameOf) {
    const placement = rows(this.shape).map((squares) => {
      let [row, empty] = ["", 0];
      for (const square of squares) {
        const letter = this.men.get(square);
        if (!letter) {
          empty += 1;
          continue;
        }
        row += (empty || "") + nameOf(letter);
        empty = 0;
      }
      return row + (empty || "");
    });
    const checks = this.checks ? [this.checks] : [];
    return [placement.join("/"), this.side[0], ...this.rest.slice(0, 2), ...checks, ...this.rest.slice(2)].join(" ");
  }

  /** The same men with this side to move and no count. */
  to(side) {
    return new Position(this.shape, this.men, side);
  }

  /** Other men, with no count. */
  withMen(men) {
    return new Position(this.shape, men, this.side);
  }

  /** Men on other squares, with the same count. */
  withSquares(men) {
    return isChess(this.shape) ? new Position(this.shape, men, this.side, this.rest) : this.withMen(men);
  }

  withoutCount() {
    const [leaps] = this.rest;
    return new Position(this.shape, this.men, this.side, [leaps, "-", "0", this.rest[3] ?? "1"], this.checks);
  }
}

/** The number of ranks of the board of a FEN. */
export const ranksOf = (text) => fieldsOf(fenIn(text))[0].split("/").length;

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

function menOf(placement, shape) {
  const [board, pocket] = placement.split("[");
  // Brackets hold men that are still to be placed; programs write them empty for the rest of the game.
  if (pocket !== undefined && !/^-?\]$/.test(pocket)) throw new FenError("fen.pocket");
  const texts = board.replaceAll("~", "").split("/");
  const { files, ranks, kinds, letters } = shape;
  if (texts.length !== ranks) {
    throw new FenError(texts.length === JANGGI_RANKS ? "fen.janggi" : "fen.ranks", { ranks, found: texts.length });
  }
  const men = new Map();
  rows(shape).forEach((squares, place) => {
    let file = 0;
    for (const sign of texts[place]) {
      if (/[1-9]/.test(sign)) {
        file += Number(sign);
        continue;
      }
      const kind = letters[sign.toUpperCase()];
      if (!kind) throw new FenError("fen.letter", { found: sign, letters: [...kinds].join(", ") });
      if (file < files) men.set(squares[file], letterOf(kind, sideOf(sign)));
      file += 1;
    }
    if (file !== files) throw new FenError("fen.files", { rank: ranks - place, found: file, files });
  });
  return men;
}
