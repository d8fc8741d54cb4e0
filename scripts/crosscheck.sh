#!/bin/sh
# Compares moves, checks, ends, FENs, counts and SAN with Fairy-Stockfish.
# Wants python3 with venv; installs the one pinned package into target/.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
# The whole workspace as `cargo test` builds it, so that nothing is compiled twice.
cargo build --quiet --release --workspace --lib --bins --examples
exec "$python" scripts/crosscheck/crosscheck.py "$target/release/examples/describe" "$@"
