// The head of a page of the atlas that a service or a site shows, and the page in the chosen language.

import { at } from "./address.js";
import { openPage } from "./head.js";

const rendered = document.documentElement.lang;
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: at("style.css") });
// Before the style of the atlas, which has the last word.
document.head.prepend(style);
const head = document.createElement("header");
head.className = "top";
document.body.prepend(head);
// A page has one banner: this one.
document.querySelector("main").prepend(document.querySelector("header:not(.top)"));
const language = await openPage();
if (language.code !== rendered) {
  document.documentElement.lang = rendered;
  const [, page] = /\/atlas\/(?:(?:th|km)\/)?(.*)$/.exec(location.pathname);
  const folder = language.code === "en" ? "" : `${language.code}/`;
  // The service has a page of one name in the language that the parameter asks for.
  const address = at(`atlas/${folder}${page}?lang=${language.code}${location.hash}`);
  // An atlas may have one language only.
  const other = address === location.href ? null : await fetch(address).catch(() => null);
  if (other?.ok && (await other.text()).includes(`<html lang="${language.code}"`)) location.replace(address);
}
