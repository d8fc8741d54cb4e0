// A panel beside an analysis board: the verdict of a position under the count, and its moves, best first.
//
//   <script type="module" src="panel.js"></script>
//   <sakmak-panel service="https://tables.example.org" variant="makruk" fen="..."></sakmak-panel>
//
// Set the attribute `fen` whenever the board changes. A click on a move sends the event `sakmak-move`, with
// `uci`, `san` and the `fen` behind it in `detail`. `service` is the address of `sakmak serve`. Without it
// the page answers by itself: set the property `ask` to a function of the npm package,
//
//   panel.ask = (fen, variant) => sakmak.position(fen, { variant, line: false });
//
// For another language set the property `words`.

const WORDS = {
  win: "Win", "cursed-win": "Win too late: a draw", draw: "Draw",
  "blessed-loss": "Loss too late: a draw", loss: "Loss",
  "maybe-win": "Win if nobody counts", "maybe-loss": "Loss if nobody counts",
  mate: "Mate", stalemate: "Stalemate", over: "The game is over",
  move: "Move", after: "Result", distance: "Mate in",
  calls: (count) => `count ${count.called} of ${count.limit}`,
  unknown: "Not in the tables", failed: "No answer", retry: "Try again",
};
// What a move gives whoever makes it, from what its successor is for the other side.
const TURNED = {
  win: "loss", "maybe-win": "maybe-loss", "cursed-win": "blessed-loss", draw: "draw",
  "blessed-loss": "cursed-win", "maybe-loss": "maybe-win", loss: "win", unknown: "unknown",
};
const KEPT = 200; // answers, for steps back and forth

const STYLE = `
  :host { display: block; font: 14px/1.5 system-ui, sans-serif; }
  p { margin: 0 0 .5em; font-weight: 600; } small { font-weight: 400; }
  table { border-collapse: collapse; width: 100%; } th { text-align: start; font-weight: 400; opacity: .7; }
  td:last-child, th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
  button { all: unset; cursor: pointer; text-decoration: underline; } button:focus-visible { outline: 2px solid; }
  .win { color: #1a7f37; } .loss { color: #c4281c; } .asking { opacity: .5; }`;

class Panel extends HTMLElement {
  static observedAttributes = ["fen", "variant", "service"];
  words = WORDS;
  #kept = new Map();
  #asked = 0;
  #root = this.attachShadow({ mode: "open" });

  attributeChangedCallback() {
    // Several attributes may be set one after the other: ask once.
    const asked = ++this.#asked;
    queueMicrotask(() => asked === this.#asked && this.update());
  }

  // Answers by the service; a page may set another function.
  ask = async (fen, variant) => {
    const query = new URLSearchParams({ fen, line: "false" });
    const response = await fetch(`${this.getAttribute("service")}/${variant}?${query}`);
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer;
  };

  async update() {
    const [fen, variant] = [this.getAttribute("fen"), this.getAttribute("variant") ?? "makruk"];
    if (!fen) return this.#root.replaceChildren();
    const asked = ++this.#asked;
    const key = `${variant} ${fen}`;
    this.#root.querySelector("main")?.classList.add("asking");
    try {
      const answer = this.#kept.get(key) ?? (await this.ask(fen, variant));
      this.#kept.set(key, answer);
      if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
      // An answer that comes after a later question is not shown.
      if (asked === this.#asked) this.#show(this.#verdict(answer), this.#moves(answer));
    } catch (error) {
      if (asked !== this.#asked) return;
      if (error.code === "no_table") return this.#show(element("p", this.words.unknown));
      const retry = element("button", this.words.retry);
      retry.onclick = () => this.update();
      this.#show(element("p", this.words.failed, " ", retry, element("br"), element("small", error.message)));
    }
  }

  #show(...parts) {
    const main = element("main", ...parts.filter(Boolean));
    main.setAttribute("aria-live", "polite");
    this.#root.replaceChildren(element("style", STYLE), main);
  }

  #verdict(answer) {
    const { category, checkmate, stalemate, moves, count } = answer;
    const { words } = this;
    const line = element("p");
    line.className = category;
    if (moves.length === 0) {
      line.append(checkmate ? words.mate : stalemate ? words.stalemate : words.over);
      return line;
    }
    const plies = pliesOf(answer);
    const distance = plies ? ` · ${words.distance} ${inMoves(plies)}` : "";
    const calls = count?.running ? ` · ${words.calls(count)}` : "";
    line.append(words[category], element("small", distance, calls));
    return line;
  }

  #moves({ moves }) {
    const { words } = this;
    const head = element("tr", ...["move", "after", "distance"].map((name) => element("th", words[name])));
    const rows = moves.map((move) => {
      const button = element("button", move.san);
      const detail = { uci: move.uci, san: move.san, fen: move.fen };
      button.onclick = () => this.dispatchEvent(new CustomEvent("sakmak-move", { detail, bubbles: true }));
      const category = TURNED[move.category];
      const result = element("td", words[category]);
      result.className = category;
      // The move counts too, if its side is the one that mates.
      const own = category.endsWith("win") ? 1 : 0;
      const plies = pliesOf(move);
      const distance = move.checkmate ? words.mate : plies ? inMoves(plies, own) : "";
      return element("tr", element("td", button), result, element("td", `${distance}`));
    });
    return moves.length ? element("table", head, ...rows) : null;
  }
}

// The plies to mate: in time where the count decides, if that is known.
const pliesOf = ({ category, mate_in_time: inTime, dtm }) =>
  category === "win" || category === "loss" ? inTime ?? dtm : dtm;

// A distance in plies as moves of the side that mates, with plies before it.
const inMoves = (plies, before = 0) => Math.ceil((Math.abs(plies) + before) / 2);

function element(name, ...parts) {
  const made = document.createElement(name);
  made.append(...parts);
  return made;
}

customElements.define("sakmak-panel", Panel);
