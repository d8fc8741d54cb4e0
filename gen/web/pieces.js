// The names of men as players say them.

import { kindOf, sideOf } from "./fen.js";

const THAI = { K: "piece.khun", M: "piece.met", S: "piece.khon", N: "piece.ma", R: "piece.ruea", P: "piece.bia" };
const KHMER = { K: "piece.ang", M: "piece.neang", S: "piece.koul", N: "piece.ses", R: "piece.tuuk", P: "piece.trey" };
const KHMER_GAMES = ["ouk", "kar-ouk"];
const SIDES = { white: "side.white", black: "side.black" };
const MEN = { white: "man.white", black: "man.black" };

/** The name of a kind of man, in the words of the variant. */
export function kindName(language, variant, kind) {
  return language.say((KHMER_GAMES.includes(variant) ? KHMER : THAI)[kind]);
}

/** The name of a man with its side, such as "white khon". */
export function pieceName(language, variant, letter) {
  return language.say(MEN[sideOf(letter)], { man: kindName(language, variant, kindOf(letter)) });
}

/** The name of a side: White or Black. */
export const sideName = (language, side) => language.say(SIDES[side]);
