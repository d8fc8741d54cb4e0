#!/bin/sh
# Compares moves, checks, ends, FENs, counts and SAN with Fairy-Stockfish.
# usage: scripts/crosscheck.sh [--positions N] [--games N] [--seed S] [--variant NAME]...
# Needs python3 with venv; installs one pinned package into target/. Takes half a minute on two cores.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
exec "$python" scripts/crosscheck/crosscheck.py "$built/examples/describe" "$@"
