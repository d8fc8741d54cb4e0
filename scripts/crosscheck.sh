#!/bin/sh
# Compares moves, checks, ends, FENs, counts and SAN with Fairy-Stockfish.
# Wants python3 with venv; installs the one pinned package into target/.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
cargo build --quiet --release -p sakmak-tables --example describe
exec "$python" scripts/crosscheck/crosscheck.py "$target/release/examples/describe" "$@"
