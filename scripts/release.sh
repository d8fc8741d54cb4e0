#!/bin/sh
# Makes all that a release consists of, and tries it in an empty folder as a stranger would: archives of
# the program, wheels, npm and crate packages; the sets of tables; the data set; lists of checksums,
# a torrent file, CITATION.cff, metadata for Zenodo, release notes.
# Nothing is published: `--dry-run` says that this is known.
# usage: scripts/release.sh --dry-run [--quick PROGRAM] [--tables DIR]
#        --quick PROGRAM: packs this program only, for a test of the rest; half a minute instead of 20
#        --tables DIR: also the set of five men, from a directory that
#        `sakmak generate 5 --engine-set --census` has made
#        All goes to target/release-files. Needs what archives.sh, wheels.sh and wasm.sh need, and PyPI.
set -eu
# Paths among the arguments begin here.
export CALLED_IN="$PWD"
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
venv=$target/release-venv
wanted=scripts/release/requirements.txt
mkdir -p "$target"
. scripts/venv.sh
exec "$python" scripts/release/release.py "$@"
