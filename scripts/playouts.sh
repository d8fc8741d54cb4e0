#!/bin/sh
# Plays sakmak's lines under the count in Fairy-Stockfish: mate or claim, as predicted.
# Wants python3 with venv; installs the one pinned package into target/.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
# The whole workspace as `cargo test` builds it, so that nothing is compiled twice.
cargo build --quiet --release --workspace --lib --bins --examples
exec "$python" scripts/crosscheck/playouts.py \
    "$target/release/sakmak" "$target/release/examples/describe" "$@"
