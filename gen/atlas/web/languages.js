// The texts of the pages, the language they are in, and the digits of numbers.

import { at } from "./address.js";

/** The languages by their own names. */
export const LANGUAGES = { en: "English", th: "ไทย", km: "ខ្មែរ" };
/** Digits of their own, where a language has them. */
const OWN_DIGITS = { th: "thai", km: "khmr" };
const LANGUAGE = "sakmak.language";
const DIGITS = "sakmak.digits";

/** A value kept in the browser; none where it keeps nothing. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a value in the browser, where it can. */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing forgets the choice.
  }
}

/** The language chosen by hand, else the first of the browser's that there is. */
function chosen() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, kept(LANGUAGE), ...navigator.languages.map((tag) => tag.split("-")[0])];
  return wanted.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
}

export class Language {
  constructor(code, texts, digits) {
    this.code = code;
    this.texts = texts;
    this.digits = digits;
    // Words that fill holes of every text, such as {goal}; those of a text come first.
    this.words = {};
    this.numbers = new Intl.NumberFormat(code, { numberingSystem: digits, useGrouping: false });
  }

  /** The text of a key. Holes are filled with texts, or with numbers in the chosen digits. */
  say(key, holes = {}) {
    const text = this.texts[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (hole, name) => {
      const value = holes[name] ?? this.words[name] ?? hole;
      return typeof value === "number" ? this.number(value) : value;
    });
  }

  /** The text of a key that is made of a name, or another text if there is none. */
  find(key, other) {
    return this.texts[key] ?? other;
  }

  number(value) {
    return this.numbers.format(value);
  }

  /** So many moves. */
  moves(count) {
    return this.say(count === 1 ? "moves.one" : "moves.many", { count });
  }

  /** The text with a capital at the beginning, where the script has capitals. */
  capital(text) {
    return text.charAt(0).toLocaleUpperCase(this.code) + text.slice(1);
  }

  /** The digits to choose from, as numbering systems. */
  get choices() {
    return this.code in OWN_DIGITS ? ["latn", OWN_DIGITS[this.code]] : ["latn"];
  }

  /** Fills the elements that name their text: data-text, data-label, data-hint. */
  fill(root) {
    document.documentElement.lang = this.code;
    for (const element of root.querySelectorAll("[data-text]")) element.textContent = this.say(element.dataset.text);
    for (const element of root.querySelectorAll("[data-label]")) {
      element.setAttribute("aria-label", this.say(element.dataset.label));
    }
    for (const element of root.querySelectorAll("[data-hint]")) element.placeholder = this.say(element.dataset.hint);
  }

  keepDigits(digits) {
    keep(`${DIGITS}.${this.code}`, digits);
  }
}

/** What a page can say whose texts cannot be loaded. */
export const WITHOUT_TEXTS = new Language("en", {
  "error.network": "The service does not answer. Try again.",
  "error.retry": "Try again",
}, "latn");

/** Loads a language: the one named, else the one chosen before, else the browser's. */
export async function loadLanguage(code = chosen()) {
  const answer = await fetch(at(`languages/${code}.json`));
  if (!answer.ok) throw new Error(`no texts: status ${answer.status}`);
  const usual = new Intl.NumberFormat(code).resolvedOptions().numberingSystem;
  return new Language(code, await answer.json(), kept(`${DIGITS}.${code}`) ?? usual);
}

export const keepLanguage = (code) => keep(LANGUAGE, code);
