#!/bin/sh
# Compares chess with Syzygy's results, by python-chess: without pawns under the fifty-move rule.
# usage: scripts/crosscheck-chess.sh SYZYGY [POSITIONS]
# SYZYGY is a folder of Syzygy files (.rtbw); every material with a file there is compared, with POSITIONS
# of its positions, or with all up to symmetry. Makes the tables in target/. Needs python3 with venv;
# installs one pinned package into target/. All positions of three and four men take an hour on two cores.
set -eu
cd "$(dirname "$0")/.."
syzygy=${1:?a folder of Syzygy files is expected}
syzygy=$(cd "$syzygy" && pwd)
. scripts/built.sh
venv=$target/crosscheck-chess-venv
wanted=scripts/crosscheck/requirements-chess.txt
. scripts/venv.sh
materials=$(cd "$syzygy" && ls -- *.rtbw | sed 's/\.rtbw$//')
tables=$target/crosscheck-chess-tables
# shellcheck disable=SC2086 # one argument for each material
"$built/sakmak" generate --variant chess --counting fifty-moves --tables "$tables" $materials
# shellcheck disable=SC2086
exec "$python" scripts/crosscheck/chess_syzygy.py "$built/examples/positions" "$tables" "$syzygy" "${2:-0}" $materials
