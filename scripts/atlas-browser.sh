#!/bin/sh
# Opens the atlas in Chromium, 1280 and 390 pixels wide: nothing runs over, boards and
# histograms are there, tables sort, lines play. Screenshots go to target/atlas-shots.
# Wants python3 with venv; installs the one pinned package into target/, and a Chromium too
# where none is installed. Not part of test.sh, which downloads no browser.
#   scripts/atlas-browser.sh            makes an atlas of three and four men and looks at it
#   scripts/atlas-browser.sh ATLAS      looks at the atlas there
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
wanted=scripts/atlas/browser-requirements.txt
venv=$target/atlas-browser-venv
. scripts/venv.sh

if [ $# -eq 0 ]; then
    cargo build --quiet --release -p sakmak-gen
    "$target/release/sakmak" generate 4 --tables "$target/atlas-tables" > /dev/null
    "$target/release/sakmak" report "$target/atlas-tables" -o "$target/atlas"
    set -- "$target/atlas"
fi
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
    "$python" -m playwright install chromium
fi
exec "$python" scripts/atlas/browser.py "$1" "$target/atlas-shots" "$chromium"
