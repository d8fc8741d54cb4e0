// The names of games and of counting rules.

/** Counting rules that are not the usual one of their game. */
const RULES = { "makruk-khon-first": "rule.khon-first", "ouk-traditional": "rule.traditional" };

/** The name of a game; its name in addresses if the language has none. */
export const variantName = (language, variant) => language.find(`variant.${variant}`, variant);

/** The name of a counting rule. */
export const ruleName = (language, rule) => (RULES[rule] ? language.say(RULES[rule]) : rule);
