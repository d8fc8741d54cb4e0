// What the explorer shows: a game, its counting rule if that is not the usual one, a position, the last
// move, and whether the count is taken into account. The address of the page holds it.

import { inAddress } from "./api.js";
import { Position } from "./fen.js";
import { fenOf, gameNamed } from "./pieces.js";

/** Positions to begin with, of three and four men. */
export const EXAMPLES = [
  "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1",
  "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
  "8/8/3k4/8/8/3KS3/3N4/8 w - - 0 1",
  "8/1n2K3/8/3R4/8/7k/8/8 w - - 0 1",
  "1R6/K7/8/4k3/3P4/8/8/8 b - - 0 1",
];

/** The address of a step: it holds the position. */
export function addressOf({ variant, counting, position, counted }) {
  const parts = [`fen=${inAddress(fenOf(variant, position))}`];
  if (variant !== "makruk") parts.push(`variant=${variant}`);
  if (counting) parts.push(`counting=${counting}`);
  if (!counted) parts.push("count=none");
  return `./?${parts.join("&")}`;
}

/** The game of this name, which may be another name of it. */
const gameOf = (name) => (name ? gameNamed(name) ?? name : "makruk");

/** The step that an address of the board holds, after a move if `lastMove` has its two squares. */
export function stepOf(address, lastMove = []) {
  const asked = new URL(address, location.href).searchParams;
  return {
    variant: gameOf(asked.get("variant")),
    counting: asked.get("counting") ?? undefined,
    lastMove,
    counted: asked.get("count") !== "none",
    position: Position.parse(asked.get("fen") ?? EXAMPLES[0]),
  };
}

/** The step that the address of the page holds; an empty board, and the error, if it holds none. */
export function stepOfAddress() {
  try {
    return { step: stepOf(location.href) };
  } catch (error) {
    const variant = gameOf(new URLSearchParams(location.search).get("variant"));
    return { step: { variant, lastMove: [], counted: true, position: Position.empty("white") }, error };
  }
}

/**
 * What a text that somebody pastes makes of a step: a FEN, or an address of this page or of the service
 * with a FEN, and with the game that its query or its path names.
 */
export function stepOfText(text) {
  const position = Position.parse(text);
  const [path, query = ""] = text.trim().split("?");
  const asked = new URLSearchParams(query);
  const isPage = query && /(?:\/|\.html)$/.test(path);
  const ofPath = query ? path.split("/").filter((part) => part !== "mainline").at(-1) : "";
  const named = asked.get("variant") ?? (isPage ? "makruk" : ofPath);
  const variant = named && gameNamed(named);
  const game = variant ? { variant, counting: asked.get("counting") ?? undefined } : {};
  return { ...game, position, counted: asked.get("count") !== "none" };
}
