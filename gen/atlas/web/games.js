// The games that the page shows: chess-like ones, and board games, each with a shape of its own.

import { CHESS, isChess } from "./fen.js";

/** What chess-like games share. The examples are of three and four men. */
const CHESS_LIKE = {
  shape: CHESS,
  isUsual: true,
  sides: { white: "white", black: "black" },
  examples: [
    "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1",
    "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
    "8/8/3k4/8/8/3KS3/3N4/8 w - - 0 1",
    "8/1n2K3/8/3R4/8/7k/8/8 w - - 0 1",
    "1R6/K7/8/4k3/3P4/8/8/8 b - - 0 1",
  ],
};
const CHESS_EXAMPLES = [
  "8/8/8/4k3/8/4K3/4B3/4N3 w - - 0 1",
  "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
  "3k4/8/8/8/8/8/1r6/3KQ3 w - - 0 1",
  "8/8/8/8/1pP5/8/8/k1K5 b - c3 0 1",
  "4k3/8/8/8/4K3/8/4P3/8 w - - 0 1",
];
/** A game that the service does not list. */
const UNKNOWN = { ...CHESS_LIKE, counting: [], goal: "win", pieces: {}, on_the_spot: 0 };

/** The games by their names. */
const GAMES = new Map();

/** Takes the games of the service. */
export function learnGames({ variants, board_games: boardGames = [] }) {
  for (const game of variants) GAMES.set(game.name, chessLike(game));
  for (const game of boardGames) GAMES.set(game.name, boardGame(game));
}

/** A chess-like game. In chess itself, letters denote other kinds of men than in its neighbours. */
function chessLike(game) {
  const own = Object.fromEntries(Object.entries(game.pieces).map(([kind, { letter }]) => [letter, kind]));
  const isUsual = own.R === "R";
  if (isUsual) return { ...CHESS_LIKE, ...game };
  return { ...CHESS_LIKE, ...game, isUsual, shape: { ...CHESS, letters: own }, examples: CHESS_EXAMPLES };
}

/** A board game, with what it has in common with other games in the same fields. */
function boardGame({ files, ranks, lines, on_crossings: onCrossings, men, sides: [white, black], ...game }) {
  const pieces = Object.fromEntries(men.map(({ material_letter: kind, ...man }) => [kind, man]));
  const letters = Object.fromEntries(men.flatMap(({ material_letter: kind, letter }) => [[kind, kind], [letter, kind]]));
  const kinds = men.map(({ material_letter: kind }) => kind).join("");
  const shape = { files, ranks, lines, onCrossings, kinds, letters, rest: [] };
  return { ...UNKNOWN, ...game, shape, pieces, sides: { white, black } };
}

/**
 * A game: the `shape` of its board, the names of its `sides`, its men in `pieces` by kind, each with its
 * name in Latin letters and its letter in FEN, the `goal` that a winner forces, and `examples`.
 */
export const gameOf = (variant) => GAMES.get(variant) ?? UNKNOWN;

/** Whether a game has a board of its own, and no count. */
export const isBoardGame = (variant) => !isChess(gameOf(variant).shape);

export const allGames = () => [...GAMES.values()];

/** A name without what spellings differ in: letter case, hyphens, underscores and blanks. */
const plain = (name) => name.toLowerCase().split(/[-_\s]+/).filter(Boolean).join(" ");

/** The game with this name, which may be another name of it; undefined if there is none. */
export const gameNamed = (name) =>
  allGames().find((game) => [game.name, ...game.other_names].some((known) => plain(known) === plain(name)))?.name;

/** This game if its board has so many ranks, else the first game that has them; this one if there is none. */
export function gameWithRanks(variant, ranks) {
  if (gameOf(variant).shape.ranks === ranks) return variant;
  return allGames().find(({ shape }) => shape.ranks === ranks)?.name ?? variant;
}
