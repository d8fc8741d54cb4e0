// The form in which a player chooses an exercise: game, goal, ending, length, margin, side.

import { isSite } from "./api.js";
import { kindName } from "./pieces.js";
import { variantName } from "./variants.js";

/** Ranges of moves to mate, as the service reads them. */
const LENGTHS = ["", "1-5", "6-12", "13-25", "26-999"];
/** Ranges of the margin to the clock. */
const MARGINS = { mate: ["", "0-0", "1-3", "4-10"], hold: ["", "-1--1", "-3--2", "-10--4"] };
/** The ending that is chosen first, if it is there. */
const FIRST = "KSMvK";

/** The kinds of men besides the king, the strongest first. */
const KINDS = "RNSMP";

/** The armies of this many men besides the king, in the order of names. */
function armies(men) {
  if (men === 0) return [""];
  return [...KINDS].flatMap((kind, place) => armies(men - 1)
    .filter((rest) => !rest || KINDS.indexOf(rest[0]) >= place)
    .map((rest) => kind + rest));
}

/** The endings of this many men, the stronger side first, as the service names them. */
function endings(men) {
  const found = [];
  for (let weaker = 0; 2 * weaker <= men - 2; weaker += 1) {
    const [strong, weak] = [armies(men - 2 - weaker), armies(weaker)];
    const alike = strong.length === weak.length && men - 2 === 2 * weaker;
    for (const [place, one] of strong.entries()) {
      for (const other of alike ? weak.slice(place) : weak) found.push(`K${one}vK${other}`);
    }
  }
  return found;
}

/**
 * All endings of a variant: those of every service, and those with tables. A site has tables of which
 * few positions can be fetched, too few to draw one.
 */
export function endingsOf({ on_the_spot: most, materials, refuses_pawns: refused }) {
  const always = [];
  for (let men = 3; men <= most; men += 1) {
    always.push(...endings(men).filter((ending) => !(refused && ending.includes("P"))));
  }
  if (isSite) return always;
  return [...always, ...materials.filter((material) => !always.includes(material))];
}

/** The ends of a range such as "-3--2". */
const endsOf = (range) => /^(-?\d+)-(-?\d+)$/.exec(range).slice(1).map(Number);

export class Choice {
  /** `games`: names of variants, each with the materials that have tables. */
  constructor(form, language, games) {
    this.form = form;
    this.language = language;
    this.games = games;
    this.#options("variant", [...games.keys()].map((name) => [name, variantName(language, name)]));
    this.#options("moves", LENGTHS.map((range) => [range, this.#length(range)]));
    this.#endings();
    this.#margins();
    form.elements.variant.addEventListener("change", () => this.#endings());
    for (const goal of form.elements.goal) goal.addEventListener("change", () => this.#margins());
  }

  get variant() {
    return this.form.elements.variant.value;
  }

  /** Whether a wrong move is shown at once. */
  get atOnce() {
    return this.form.elements.wrong.value === "once";
  }

  /** What the service is asked for. */
  get asked() {
    const { goal, material, moves, margin, side } = this.form.elements;
    const values = { goal, material, moves, margin, side };
    return Object.fromEntries(Object.entries(values).map(([name, field]) => [name, field.value || undefined]));
  }

  /** Shows the exercise that is played, where it is not the form that chose it. */
  show({ variant, goal, material }) {
    const { elements } = this.form;
    elements.variant.value = variant;
    this.#endings();
    elements.goal.value = goal;
    this.#margins();
    elements.material.value = material;
  }

  #options(name, pairs) {
    const select = this.form.elements[name];
    const before = select.value;
    select.replaceChildren(...pairs.map(([value, text]) => new Option(text, value)));
    if (pairs.some(([value]) => value === before)) select.value = before;
  }

  #endings() {
    const select = this.form.elements.material;
    const before = select.value || FIRST;
    const materials = this.games.get(this.variant) ?? [];
    const sizes = [...new Set(materials.map((name) => name.length - 1))].sort();
    select.replaceChildren(...sizes.map((men) => {
      const group = document.createElement("optgroup");
      group.label = this.language.say("trainer.men", { men });
      const those = materials.filter((name) => name.length - 1 === men);
      group.append(...those.map((name) => new Option(this.#ending(name), name)));
      return group;
    }));
    if (materials.includes(before)) select.value = before;
  }

  /** An ending by the names of its men: KSMvK: khon, met. */
  #ending(material) {
    const names = (army) => [...army.slice(1)].map((kind) => kindName(this.language, this.variant, kind)).join(", ");
    const [stronger, weaker] = material.split("v").map(names);
    const men = weaker ? `${stronger} – ${weaker}` : stronger;
    return this.language.say("trainer.ending.men", { material, men });
  }

  #length(range) {
    if (!range) return this.language.say("trainer.any");
    const [first, last] = endsOf(range);
    return last < 999 ? this.language.say("trainer.range", { first, last }) : this.language.say("trainer.more", { first });
  }

  #margins() {
    const goal = this.form.elements.goal.value;
    const text = (range) => {
      if (!range) return this.language.say("trainer.any");
      const [first, last] = endsOf(range).map(Math.abs).sort((one, other) => one - other);
      if (last === 0) return this.language.say("trainer.margin.none");
      const late = first === last ? "trainer.margin.late.one" : "trainer.margin.late.range";
      return this.language.say(goal === "mate" ? "trainer.margin.spare.range" : late, { first, last });
    };
    this.#options("margin", MARGINS[goal].map((range) => [range, text(range)]));
  }
}
