#!/bin/sh
# Makes and verifies all 35 tables of three and four men, 37 MB, and probes a position.
# Needs cargo, a C compiler, and on the first run the network for crates. Compiling takes one or
# two minutes, making the tables seconds, and verifying them about a minute on two cores.
# usage: scripts/first-tables.sh [DIRECTORY]
set -eu
cd "$(dirname "$0")/.."
tables=${1:-sakmak-tables}

sakmak() {
    cargo run --quiet --release -p sakmak-gen --bin sakmak -- "$@"
}

sakmak generate 4 --tables "$tables"
sakmak verify "$tables"
sakmak probe --tables "$tables" "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"
