// The head of a page of the atlas that a service shows, and the page in the chosen language.

import { openPage } from "./head.js";

const rendered = document.documentElement.lang;
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: "/style.css" });
// Before the style of the atlas, which has the last word.
document.head.prepend(style);
const head = document.createElement("header");
head.className = "top";
document.body.prepend(head);
// A page has one banner: this one.
document.querySelector("main").prepend(document.querySelector("header:not(.top)"));
const language = await openPage();
if (language.code !== rendered) {
  const address = new URL(location.href);
  const asked = address.searchParams.get("lang");
  document.documentElement.lang = rendered;
  // An atlas from files has one language.
  if (asked !== language.code) {
    address.searchParams.set("lang", language.code);
    location.replace(address);
  }
}
