#!/bin/sh
# Compares moves, checks, ends, FENs, counts and SAN with Fairy-Stockfish.
# Wants python3 with venv; installs the one pinned package into target/.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
venv=$target/crosscheck-venv
wanted=scripts/crosscheck/requirements.txt

# Made anew when it was left half done or the pin has changed.
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
cargo build --quiet --release -p sakmak-tables --example describe
exec "$venv/bin/python" scripts/crosscheck/crosscheck.py "$target/release/examples/describe" "$@"
