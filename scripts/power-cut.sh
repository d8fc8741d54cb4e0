#!/bin/sh
# Cuts the power at random moments of `generate`, of both kinds of games, and of `fetch`, on a file system
# that keeps only what was synced: no finished file may be lost, none half written. Prints the numbers.
# usage: scripts/power-cut.sh [CUTS [SEED]]      CUTS: of each command and model [default: 10]
#        SAKMAK names the program; else it is compiled
# Needs Linux, root, /dev/fuse, libfuse (Debian: libfuse3-3, libfuse3-4 or libfuse2), cargo, a C compiler,
# python3 with venv, and the network for one package of Python. Takes about a minute on two cores, without the build.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
if [ -z "${SAKMAK:-}" ]; then
    cargo build --release -p sakmak-gen --bin sakmak
    SAKMAK=$target/release/sakmak
fi
venv=$target/faults-venv
wanted=scripts/faults/requirements.txt
. scripts/venv.sh
exec "$python" scripts/faults/power_cut.py "$SAKMAK" "$@"
