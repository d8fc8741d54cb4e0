// Why there is no answer, in the words of the page.

import { ServiceError } from "./api.js";
import { FenError } from "./fen.js";
import { isBoardGame } from "./games.js";
import { kindName, sideName } from "./pieces.js";

/** Texts of reasons by their names. */
const REASONS = {
  kings_adjacent: "reason.kings-adjacent",
  checked_waiter: "reason.checked-waiter",
  pawn_rank: "reason.pawn-rank",
  kings: "reason.kings",
  nothing_counted: "reason.nothing-counted",
  either_side: "reason.either-side",
  other_side: "reason.other-side",
  below_men: "reason.below-men",
  over: "reason.over",
};
/** Texts of errors by their codes, where the code says enough. */
const CODES = {
  no_variant: "error.variant",
  leap_rights: "error.leaps",
  busy: "error.busy",
  timed_out: "error.busy",
  bad_fen: "error.position",
};

/** Texts of errors of board games, whose reason has no name. */
const BOARD_GAME_CODES = { bad_fen: "error.not-position", no_table: "error.no-table" };

/** The reason for an error in the words of the service, in English, where the page has none. */
export const servedReason = (error, variant) =>
  isBoardGame(variant) && error instanceof ServiceError && error.code in BOARD_GAME_CODES ? error.message : "";

/** Whether nothing has answered, so that it may be asked again. */
export const isUnanswered = (error) => !(error instanceof FenError) && !(error instanceof ServiceError);

function reasonText(language, variant, { name, side, ...holes }) {
  const named = side && sideName(language, side);
  const man = kindName(language, variant, name === "pawn_rank" ? "P" : "K");
  return language.say(REASONS[name], { ...holes, side: named, man });
}

/** Why there is no answer for a position of a variant, in a line. */
export function textOfError(language, error, variant = "makruk") {
  if (error instanceof FenError) return language.say(error.key, error.holes);
  if (!(error instanceof ServiceError)) return language.say("error.network");
  if (error.code === "no_table" && error.missing) {
    const { material, men, largest, too_many: tooMany } = error.missing;
    return tooMany > 0
      ? language.say("error.men", { men, largest, surplus: tooMany })
      : language.say("error.table", { material });
  }
  if (error.reason?.name in REASONS) return reasonText(language, variant, error.reason);
  if (servedReason(error, variant)) return language.say(BOARD_GAME_CODES[error.code]);
  return language.say(CODES[error.code] ?? "error.other", { message: error.message });
}
