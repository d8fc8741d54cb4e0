// The start of a page that plays: its texts and the games, or why they are not there.

import { askVariants } from "./api.js";
import { textOfError } from "./errors.js";
import { learnGames } from "./games.js";
import { openPage } from "./head.js";
import { WITHOUT_TEXTS } from "./languages.js";

/**
 * Loads the language and the games. Returns the language and the chess-like variants. `title(language)`: the title of the page. `refuse(text)` says what
 * cannot be loaded; the page then goes no further until the button `retry` loads it again.
 */
export async function loadPage({ title, refuse }) {
  const variants = askVariants();
  // It is waited for below.
  variants.catch(() => {});
  let language = WITHOUT_TEXTS;
  try {
    language = await openPage();
    document.title = title(language);
    const games = await variants;
    learnGames(games);
    return { language, variants: games.variants };
  } catch (error) {
    refuse(textOfError(language, error));
    const retry = document.getElementById("retry");
    Object.assign(retry, { textContent: language.say("error.retry"), hidden: false });
    retry.addEventListener("click", () => location.reload());
    return new Promise(() => {});
  }
}
