// The head of every page: where to go, language, digits, light or dark. A page has
// `<header class="top"></header>`.

import { isSite } from "./api.js";
import { at } from "./address.js";
import { lastAddress } from "./history.js";
import { LANGUAGES, keep, keepLanguage, kept, loadLanguage } from "./languages.js";

const THEME = "sakmak.theme";
const PLACES = { "": "head.board", "trainer.html": "head.trainer", "atlas/": "head.atlas" };
const THEMES = { "": "theme.system", light: "theme.light", dark: "theme.dark" };
/** One and two in the digits of a numbering system. */
const SAMPLES = { latn: "123", thai: "๑๒๓", khmr: "១២៣" };

/** The picture of the button that opens the choices: a globe, as languages are among them. */
const GLOBE =
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3A9 9 0 1 0 12 21A9 9 0 1 0 12 3M3.5 9H20.5M3.5 15H20.5M12 3C7 8 7 16 12 21M12 3C17 8 17 16 12 21"/></svg>';

/** Lights the page as chosen. */
function light(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** A choice with its name. */
function choice(name, options, value, onChange) {
  const select = document.createElement("select");
  for (const [key, text] of Object.entries(options)) select.append(new Option(text, key, false, key === value));
  select.addEventListener("change", () => onChange(select.value));
  const made = document.createElement("label");
  const label = document.createElement("span");
  label.textContent = name;
  made.append(label, select);
  return made;
}

/** Lets the browser keep the files of a site, after those that the page needs now. */
function keepSite() {
  const register = () => navigator.serviceWorker?.register(at("service-worker.js"));
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** The place that the address of the page is in. */
function here() {
  const path = location.pathname.slice(new URL(at("")).pathname.length);
  if (path.startsWith("atlas/")) return "atlas/";
  return path.startsWith("trainer") ? "trainer.html" : "";
}

function link(href, text, here) {
  const made = document.createElement("a");
  Object.assign(made, { href, textContent: text });
  if (here) made.setAttribute("aria-current", "page");
  return made;
}

/** Loads the language, fills the texts of the page and its head, and returns the language. */
export async function openPage() {
  light(kept(THEME));
  const language = await loadLanguage();
  language.fill(document);
  const nav = document.createElement("nav");
  nav.setAttribute("aria-label", language.say("head.pages"));
  for (const [path, key] of Object.entries(PLACES)) {
    // The board with its game, if one was played.
    const href = at(path || lastAddress());
    nav.append(link(href, language.say(key), here() === path));
  }
  const name = document.createElement("span");
  Object.assign(name, { className: "name", textContent: "Sakmak", translate: false });
  const choices = document.createElement("div");
  // A phone opens them by the button, other windows show them always.
  Object.assign(choices, { className: "choices", popover: "auto" });
  const open = document.createElement("button");
  Object.assign(open, { type: "button", className: "open-choices", innerHTML: GLOBE, popoverTargetElement: choices });
  open.setAttribute("aria-label", language.say("head.choices"));
  const languages = choice(language.say("head.language"), LANGUAGES, language.code, (code) => {
    keepLanguage(code);
    const address = new URL(location.href);
    // Without the parameter nothing is written anew, as the game is known by its address.
    if (address.searchParams.has("lang")) address.searchParams.delete("lang");
    // The entry of the history stays, and the game in it.
    history.replaceState(history.state, "", address);
    location.reload();
  });
  for (const option of languages.querySelectorAll("option")) Object.assign(option, { lang: option.value, translate: false });
  choices.append(languages);
  if (language.choices.length > 1) {
    const digits = Object.fromEntries(language.choices.map((system) => [system, SAMPLES[system]]));
    choices.append(choice(language.say("head.digits"), digits, language.digits, (system) => {
      language.keepDigits(system);
      location.reload();
    }));
  }
  const themes = Object.fromEntries(Object.entries(THEMES).map(([theme, key]) => [theme, language.say(key)]));
  choices.append(choice(language.say("head.theme"), themes, kept(THEME) ?? "", (theme) => {
    keep(THEME, theme);
    light(theme);
  }));
  document.querySelector("header.top").replaceChildren(name, nav, open, choices);
  if (isSite) keepSite();
  return language;
}
