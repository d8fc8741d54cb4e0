// The names of men and of sides as players say them.

import { kindOf, letterOf, sideOf } from "./fen.js";
import { gameOf } from "./games.js";

/** Lets texts speak of the sides of a game and of what a winner forces: mate, check or a win. */
export function speakOf(language, variant) {
  const { goal, sides } = gameOf(variant);
  language.sides = sides;
  language.words = { goal: language.find(`goal.${goal}`, goal), goals: language.find(`goals.${goal}`, goal) };
}

/** The name of a kind of man, in the words of the variant. */
export function kindName(language, variant, kind) {
  const name = gameOf(variant).pieces[kind]?.name ?? kind;
  return language.find(`piece.${name}`, name);
}

/** The kinds of men of the variant by their letters in SAN. */
export function lettersOf(variant) {
  return new Map(Object.entries(gameOf(variant).pieces).map(([kind, { letter }]) => [letter, kind]));
}

/** The picture of a kind of man. Where pieces have other letters than Makruk's, they are those of chess. */
export function symbolOf(variant, kind) {
  const { isUsual, pieces } = gameOf(variant);
  return isUsual ? kind : `c${pieces[kind].letter}`;
}

/** The FEN of a position, in the letters of the variant. */
export function fenOf(variant, position) {
  const { pieces } = gameOf(variant);
  return position.write((letter) => letterOf(pieces[kindOf(letter)]?.letter ?? kindOf(letter), sideOf(letter)));
}

/** The name of a man with its side, such as "white khon". */
export function pieceName(language, variant, letter) {
  const side = gameOf(variant).sides[sideOf(letter)];
  return language.find(`man.${side}`, "{man}").replace("{man}", kindName(language, variant, kindOf(letter)));
}

/** The name of a side of the game that texts speak of, such as White. */
export function sideName(language, side) {
  const name = language.sides?.[side] ?? side;
  return language.find(`side.${name}`, name);
}
