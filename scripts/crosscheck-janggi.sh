#!/bin/sh
# Compares the rules of Janggi with Fairy-Stockfish, and replays the published positions.
# usage: scripts/crosscheck-janggi.sh [--positions N] [--seed S]
# Needs python3 with venv; installs one pinned package into target/. Takes some minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
exec "$python" scripts/crosscheck/janggi.py "$built/examples/moves" gen/oracle/tests/boards/data/janggi-positions.csv "$@"
