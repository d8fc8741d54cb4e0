#!/bin/sh
# Plays lines under the count in Fairy-Stockfish: they must end in mate or claim as predicted.
# usage: scripts/playouts.sh [--positions N] [--seed S] [--tables DIR] [--wins] [--material NAME]...
# Needs python3 with venv; installs one pinned package into target/. 40 positions of each kind take seconds.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
exec "$python" scripts/crosscheck/playouts.py \
    "$built/sakmak" "$built/examples/describe" "$@"
