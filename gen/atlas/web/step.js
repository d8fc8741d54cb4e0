// What the explorer shows: a game, its counting rule if that is not the usual one, a position, the last
// move, and whether the count is taken into account. The address of the page holds it.

import { inAddress } from "./api.js";
import { Position, ranksOf } from "./fen.js";
import { gameNamed, gameOf, gameWithRanks, isBoardGame } from "./games.js";
import { fenOf } from "./pieces.js";

/** The address of a step: it holds the position. */
export function addressOf({ variant, counting, position, counted }) {
  const parts = [`fen=${inAddress(fenOf(variant, position))}`];
  if (variant !== "makruk") parts.push(`variant=${variant}`);
  if (counting) parts.push(`counting=${counting}`);
  if (!counted) parts.push("count=none");
  return `./?${parts.join("&")}`;
}

/** The game that an address names, by any of its names; else the one that the FEN is of. */
function variantOf(asked) {
  const name = asked.get("variant");
  if (name) return gameNamed(name) ?? name;
  return asked.has("fen") ? gameWithRanks("makruk", ranksOf(asked.get("fen"))) : "makruk";
}

/** The step that an address of the board holds, after a move if `lastMove` has its two squares. */
export function stepOf(address, lastMove = []) {
  const asked = new URL(address, location.href).searchParams;
  const variant = variantOf(asked);
  const { shape, examples } = gameOf(variant);
  return {
    variant,
    counting: asked.get("counting") ?? undefined,
    lastMove,
    counted: isBoardGame(variant) || asked.get("count") !== "none",
    position: Position.parse(asked.get("fen") ?? examples[0], shape),
  };
}

/** The step that the address of the page holds; an empty board, and the error, if it holds none. */
export function stepOfAddress() {
  try {
    return { step: stepOf(location.href) };
  } catch (error) {
    const variant = variantOf(new URLSearchParams(location.search));
    return { step: { variant, lastMove: [], counted: true, position: Position.empty(gameOf(variant).shape) }, error };
  }
}

/**
 * What a text that somebody pastes makes of a step: a FEN, or an address of this page or of the service
 * with a FEN, and with the game that its query or its path names. A FEN alone is of the game `current`,
 * unless its ranks are those of another.
 */
export function stepOfText(text, current = "makruk") {
  const [path, query = ""] = text.trim().split("?");
  const asked = new URLSearchParams(query);
  const isPage = query && /(?:\/|\.html)$/.test(path);
  const ofPath = query ? path.split("/").filter((part) => part !== "mainline").at(-1) : "";
  const ranks = ranksOf(text);
  const named = gameNamed(asked.get("variant") ?? (isPage ? gameWithRanks("makruk", ranks) : ofPath));
  const variant = named ?? gameWithRanks(current, ranks);
  const position = Position.parse(text, gameOf(variant).shape);
  const game = named || variant !== current ? { variant, counting: asked.get("counting") ?? undefined } : {};
  return { ...game, position, counted: isBoardGame(variant) || asked.get("count") !== "none" };
}
