#!/bin/sh
# Builds the example page of the npm package with webpack, Rspack, Vite 8 and 7, esbuild, Rollup and Parcel, each
# for production and in development, and opens every page in Chromium, also on the development servers.
# scripts/wasm.sh does a part of it without a browser. Needs npm and Python 3 with venv; installs pinned packages
# into target/, 400 MB, and Chromium if none is installed. Needs the npm package in target/npm, or builds it with
# scripts/wasm.sh. Not part of test.sh, which downloads no browser. Takes about two minutes.
# usage: scripts/bundlers.sh [PROGRAM]      PROGRAM is for scripts/wasm.sh
set -eu
if [ $# -gt 0 ]; then
    set -- "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
fi
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
. scripts/chromium.sh

if [ ! -f "$target/npm/sakmak.wasm" ]; then
    scripts/wasm.sh "$@"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packed=$(cd "$target/npm" && npm pack --silent --pack-destination "$folder")
"$python" scripts/bundlers.py "$folder/$packed" "$target/bundlers-all" "${chromium:-chromium}"
