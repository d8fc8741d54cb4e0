#!/bin/sh
# Reviews a real game: a correspondence game whose last fourteen moves are king, knight and
# three mets against a bare king. Makes the table KNMMMvK of six men (2.5 thousand million
# positions) and the smaller ones it leads to, if they are missing: about a minute of processor
# time and 0.8 GB of disk. With 10 GB of free memory all work is in memory; with less, down to
# 4 GB, layers go to disk, which takes 5 GB more while the table is made.
# usage: scripts/check-real-game.sh [DIRECTORY]
set -eu
cd "$(dirname "$0")/.."
cargo build --release -p sakmak-gen --bin sakmak
exec cargo run --quiet --release -p sakmak-gen --bin sakmak -- \
    check gen/tests/data/krung-thep.pgn --make-men 6 --tables "${1:-sakmak-tables}"
