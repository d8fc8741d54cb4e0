#!/bin/sh
# Tests an atlas in Chromium, 1280 and 390 pixels wide, light and dark: no page is too wide, boards
# and histograms are drawn, texts can be read and do not touch, tables sort, search and keep their
# heads, lines play. Screenshots go to target/atlas-shots.
# Needs python3 with venv; installs pinned packages into target/, and Chromium if none is installed.
# Not part of test.sh, which downloads no browser. Takes some minutes.
# usage: scripts/atlas-browser.sh [ATLAS]      without ATLAS: makes one of three and four men
set -eu
if [ $# -gt 0 ]; then
    if [ ! -f "$1/index.html" ]; then
        echo "no page index.html in $1: make pages with sakmak report --tables TABLES -o $1" >&2
        exit 1
    fi
    set -- "$(cd "$1" && pwd)"
fi
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
. scripts/chromium.sh

if [ $# -eq 0 ]; then
    cargo build --quiet --release -p sakmak-gen
    "$target/release/sakmak" generate 4 --tables "$target/atlas-tables" > /dev/null
    "$target/release/sakmak" report --tables "$target/atlas-tables" -o "$target/atlas"
    set -- "$target/atlas"
fi
exec "$python" scripts/browser/report.py "$1" "$target/atlas-shots" "$chromium"
