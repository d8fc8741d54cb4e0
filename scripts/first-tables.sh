#!/bin/sh
# Makes and verifies all 35 tables of three and four men, 38 MB, and probes a position.
# Needs cargo, a C compiler, and on the first run the network for crates. On two idle cores compiling
# takes about three minutes, making the tables two seconds, and verifying them 17.
# usage: scripts/first-tables.sh [DIRECTORY]
set -eu
tables=${1:-}
case $tables in '' | /*) ;; *) tables=$PWD/$tables ;; esac
cd "$(dirname "$0")/.."
tables=${tables:-sakmak-tables}

sakmak() {
    echo
    echo "\$ sakmak $*"
    cargo run --quiet --release -p sakmak-gen --bin sakmak -- "$@"
}

echo "Compiling sakmak: about three minutes on two cores the first time"
cargo build --release -p sakmak-gen --bin sakmak
sakmak generate 4 --tables "$tables"
sakmak verify --tables "$tables"
sakmak probe --tables "$tables" "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"
