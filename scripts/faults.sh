#!/bin/sh
# Kills the program at random moments, and makes its reads and writes fail, each in turn; after
# that the same command must end with the same bytes as an undisturbed run. Prints the numbers.
# usage: scripts/faults.sh [KILLS [SEED]]     [default: 1000 kills]
# Needs Linux, cargo, a C compiler and Python 3. Takes about 25 minutes on two cores.
set -eu
cd "$(dirname "$0")/.."
cargo build --release -p sakmak-gen --bin sakmak
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/faults"
cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$target/faults/inject.so" \
    scripts/faults/inject.c -ldl
exec python3 scripts/faults/faults.py "$target/release/sakmak" "$target/faults/inject.so" "$@"
