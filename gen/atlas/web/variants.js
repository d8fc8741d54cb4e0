// The names of games and of counting rules.

/** The name of a game; its name in addresses if the language has none. */
export const variantName = (language, variant) => language.find(`variant.${variant}`, variant);

/** The name of a counting rule; its name in files if the language has none. */
export const ruleName = (language, rule) => language.find(`rule.${rule}`, rule);
