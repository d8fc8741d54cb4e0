#!/bin/sh
# Holds a real game against the tables: a correspondence game whose last fourteen moves are
# king, knight and three mets against a bare king. Makes the table KNMMMvK of six men, two
# and a half thousand million positions, and the smaller ones it leads to where they are not
# there: about a minute of one core's time and 0.8 GB of disk. With 10 GB of memory free all
# is done in memory; with less, down to 4 GB, layers go to disk, 5 GB more while it is made.
# usage: scripts/check-real-game.sh [DIRECTORY]
set -eu
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p sakmak-gen --bin sakmak -- \
    check gen/tests/data/krung-thep.pgn --tables "${1:-sakmak-tables}"
