// The positions gone through. Each entry of the browser's history has all of them, so that Back, Forward
// and loading the page again keep the game; the tab has the last one for the link to the board.

const GAME = "sakmak.game";

/** The last game of this tab, as an entry of the history has it. */
function lastGame() {
  try {
    return JSON.parse(sessionStorage.getItem(GAME));
  } catch {
    return null;
  }
}

/** The address of the last position of this tab; that of the board if there is none. */
export const lastAddress = () => lastGame()?.steps[lastGame().at].address ?? "";

const queryOf = (address) => new URL(address, location.href).search;

export class History {
  /**
   * The game of the entry that is shown, or of the tab if the address is that of its position, else
   * one that begins with a step. `addressOf(step)` and `stepOf(address, lastMove)` write and read one.
   */
  constructor(first, { addressOf, stepOf }) {
    this.addressOf = addressOf;
    this.stepOf = stepOf;
    /** What is kept beside the steps. */
    this.kept = {};
    this.begin(first);
    const game = history.state?.steps ? history.state : lastGame();
    if (game && queryOf(game.steps[game.at].address) === location.search) this.restore(game);
  }

  get now() {
    return this.steps[this.at];
  }

  get hasPast() {
    return this.at > 0;
  }

  get hasFuture() {
    return this.at + 1 < this.steps.length;
  }

  /** Begins a game in the entry of the browser's history that is shown. */
  begin(first) {
    this.steps = [first];
    this.at = 0;
    this.isStepping = false;
  }

  /** Goes on to the last of new steps; steps that were taken back are gone. */
  push(...steps) {
    this.steps = [...this.steps.slice(0, this.at + 1), ...steps];
    this.at = this.steps.length - 1;
    this.isStepping = false;
    history.pushState(this.#game, "", this.addressOf(this.now));
    this.#remember();
  }

  /** Another step in place of this one. */
  replace(step) {
    this.steps[this.at] = step;
    this.keep();
  }

  /** Goes back or forth to a step; going on so is one entry of the browser's history. */
  go(to) {
    this.at = to;
    if (!this.isStepping) history.pushState(this.#game, "", this.addressOf(this.now));
    this.keep();
    this.isStepping = true;
  }

  /** Takes the game of an entry of the browser's history. */
  restore({ steps, at, kept }) {
    this.steps = steps.map(({ address, lastMove }) => this.stepOf(address, lastMove));
    this.at = at;
    this.kept = kept;
    this.isStepping = false;
    this.#remember();
  }

  /** Keeps the game as it is now. */
  keep() {
    history.replaceState(this.#game, "", this.addressOf(this.now));
    this.#remember();
  }

  get #game() {
    const { at, kept } = this;
    const steps = this.steps.map((step) => ({ address: this.addressOf(step), lastMove: step.lastMove }));
    return { steps, at, kept };
  }

  #remember() {
    try {
      sessionStorage.setItem(GAME, JSON.stringify(this.#game));
    } catch {
      // A tab that keeps nothing begins anew at the link to the board.
    }
  }
}
