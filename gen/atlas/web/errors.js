// Why there is no answer, in the words of the page.

import { ServiceError } from "./api.js";
import { FenError } from "./fen.js";

/** Why there is no answer, in a line. */
export function textOfError(language, error) {
  if (error instanceof FenError) return language.say(error.key, error.holes);
  if (!(error instanceof ServiceError)) return language.say("error.network");
  if (error.code === "no_table") {
    const { material, men, largest, too_many: tooMany } = error.missing;
    return tooMany > 0
      ? language.say("error.men", { men, largest, surplus: tooMany })
      : language.say("error.table", { material });
  }
  return language.say(error.code === "bad_fen" ? "error.position" : "error.other", { message: error.message });
}
