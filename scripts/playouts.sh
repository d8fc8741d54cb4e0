#!/bin/sh
# Plays sakmak's lines under the count in Fairy-Stockfish: mate or claim, as predicted.
# Wants python3 with venv; installs the one pinned package into target/.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
cargo build --quiet --release -p sakmak-gen
cargo build --quiet --release -p sakmak-tables --example describe
exec "$python" scripts/crosscheck/playouts.py \
    "$target/release/sakmak" "$target/release/examples/describe" "$@"
