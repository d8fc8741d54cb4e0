#!/bin/sh
# Uses the pages of `sakmak serve` and of `sakmak site` in Chromium, on a phone upright and sideways and
# on a desktop, in every language: positions set up by drag, by touch and by keyboard, the count, the
# verdict, best play, links, the history; board games; the trainer, the atlas; light and dark, where
# axe-core finds no error; the first paint; without the network. Screenshots go to target/browser-shots.
# Needs python3 with venv; installs pinned packages into target/, and Chromium if none is installed. Needs
# the npm package in target/npm, or builds it with scripts/wasm.sh. Not part of test.sh, which downloads
# no browser. Takes about ten minutes.
# usage: scripts/browser.sh [PROGRAM]      without PROGRAM: builds it
set -eu
if [ $# -gt 0 ]; then
    set -- "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
fi
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
. scripts/chromium.sh

if [ $# -eq 0 ]; then
    cargo build --quiet --release -p sakmak-gen
    set -- "$target/release/sakmak"
fi
if [ ! -f "$target/npm/sakmak.wasm" ]; then
    scripts/wasm.sh "$1"
fi
exec "$python" scripts/browser/main.py "$1" "$target/browser-shots" "$target/npm" "$chromium"
