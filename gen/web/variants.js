// The names of games and of counting rules.

const VARIANTS = {
  makruk: "variant.makruk",
  ouk: "variant.ouk",
  "kar-ouk": "variant.kar-ouk",
  sittuyin: "variant.sittuyin",
  "ai-wok": "variant.ai-wok",
  asean: "variant.asean",
  makpong: "variant.makpong",
  shatranj: "variant.shatranj",
};
/** Counting rules that are not the usual one of their game. */
const RULES = { "makruk-khon-first": "rule.khon-first", "ouk-traditional": "rule.traditional" };

const named = (language, texts, name) => (texts[name] ? language.say(texts[name]) : name);

/** The name of a game; its name in addresses if the language has none. */
export const variantName = (language, variant) => named(language, VARIANTS, variant);

/** The name of a counting rule. */
export const ruleName = (language, rule) => named(language, RULES, rule);
