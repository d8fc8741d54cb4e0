// The names of men as players say them.

import { kindOf, sideOf } from "./fen.js";

/** The order of men in the name of a material. */
export const ORDER = "KRNSMP";
const SIDES = { white: "side.white", black: "side.black" };
const MEN = { white: "man.white", black: "man.black" };
/**
 * By game: `pieces`, its men by kind, each with its name in Latin letters and its letter in FEN, and
 * `goal`, what a winner forces.
 */
const GAMES = new Map();

/** Takes the words of the games of the service. */
export function learnGames(games) {
  for (const game of games) GAMES.set(game.name, game);
}

/** A name without what spellings differ in: letter case, hyphens, underscores and blanks. */
const plain = (name) => name.toLowerCase().split(/[-_\s]+/).filter(Boolean).join(" ");

/** The game with this name, which may be another name of it; undefined if there is none. */
export function gameNamed(name) {
  const games = [...GAMES.values()];
  return games.find((game) => [game.name, ...game.other_names].some((known) => plain(known) === plain(name)))?.name;
}

/** Lets texts speak of what a winner forces in the variant: mate, check or a win. */
export function speakOf(language, variant) {
  const goal = GAMES.get(variant)?.goal ?? "win";
  language.words = { goal: language.find(`goal.${goal}`, goal), goals: language.find(`goals.${goal}`, goal) };
}

/** The name of a kind of man, in the words of the variant. */
export function kindName(language, variant, kind) {
  const name = GAMES.get(variant)?.pieces[kind].name ?? kind;
  return language.find(`piece.${name}`, name);
}

/** The kinds of men of the variant by their letters in SAN. */
export function lettersOf(variant) {
  const kinds = GAMES.get(variant)?.pieces ?? {};
  return new Map(Object.entries(kinds).map(([kind, { letter }]) => [letter, kind]));
}

/** The FEN of a position, in the letters of the variant. */
export function fenOf(variant, position) {
  const kinds = GAMES.get(variant)?.pieces;
  return position.write((letter) => {
    const own = kinds?.[kindOf(letter)].letter ?? kindOf(letter);
    return sideOf(letter) === "white" ? own : own.toLowerCase();
  });
}

/** The name of a man with its side, such as "white khon". */
export function pieceName(language, variant, letter) {
  return language.say(MEN[sideOf(letter)], { man: kindName(language, variant, kindOf(letter)) });
}

/** The name of a side: White or Black. */
export const sideName = (language, side) => language.say(SIDES[side]);
