#!/bin/sh
# Checks the JavaScript of the pages, the npm package, tests and examples with ESLint: names that are not
# defined or not used, and what cannot be meant. Needs npm and the network for two packages, which go to
# target/lint; without npm it says so. Takes seconds.
# usage: scripts/lint-pages.sh
set -eu
cd "$(dirname "$0")/.."
lint=${CARGO_TARGET_DIR:-target}/lint
if ! command -v npm >/dev/null; then
    echo "not checked: npm is missing"
    exit 0
fi
mkdir -p "$lint"
npm install --silent --no-audit --no-fund --no-save --prefix "$lint" eslint@9.39.5 globals@17.14.0
# Beside the packages that it imports.
cat >"$lint/eslint.config.mjs" <<'EOF'
import js from "@eslint/js";
import globals from "globals";
const known = { ...globals.browser, ...globals.worker, ...globals.node };
export default [js.configs.recommended, { languageOptions: { globals: known } }];
EOF
"$lint/node_modules/.bin/eslint" --config "$lint/eslint.config.mjs" gen probe scripts
echo "eslint: no errors"
