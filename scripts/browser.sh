#!/bin/sh
# Uses the pages of `sakmak serve` in Chromium, 1280 and 390 pixels wide, light and dark, in every
# language: positions set up by drag, by touch and by keyboard, the count, the verdict, best play,
# links; the trainer, the atlas; axe-core finds no error. Screenshots go to target/browser-shots.
# Needs python3 with venv; installs pinned packages into target/, and Chromium if none is installed.
# Not part of test.sh, which downloads no browser.
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
exec "$python" scripts/browser/main.py "$1" "$target/browser-shots" "$chromium"
