#!/bin/sh
# Makes the tables of a batch twice, undisturbed and killed thirty times at random moments, and
# compares every byte. Tables that exist already are not made again.
# Needs cargo and a C compiler; for the batch of all five-men tables 16 GiB of memory and 20 GB of disk.
# Takes about four times as long as making the tables once: less than half an hour on two cores for these.
# A batch that takes less than a minute may be finished before the thirtieth kill.
# usage: scripts/kill-batch.sh [DIRECTORY [SEED [ARGUMENT OF generate...]]]
#        scripts/kill-batch.sh kills 1 5 --packed      the default is 5
set -eu
directory=${1:-}
case $directory in '' | /*) ;; *) directory=$PWD/$directory ;; esac
cd "$(dirname "$0")/.."
directory=${directory:-kill-batch}
seed=${2:-$(date +%s)}
if [ $# -gt 2 ]; then shift 2; else set -- 5; fi
kills=30
cargo build --release -p sakmak-gen --bin sakmak
program=${CARGO_TARGET_DIR:-target}/release/sakmak
mkdir -p "$directory"

start=$(date +%s)
"$program" generate "$@" --tables "$directory/undisturbed"
# If the undisturbed tables existed already, the time of the run that made them is on record.
if [ ! -f "$directory/seconds" ]; then echo $(($(date +%s) - start)) >"$directory/seconds"; fi
# Tenths of a second: at most a fifteenth of the whole, so that thirty runs do not finish it.
most=$((10 * $(cat "$directory/seconds") / 15))
[ "$most" -gt 0 ] || most=1

echo "seed $seed"
number=$seed
killed=0
while [ "$killed" -lt "$kills" ]; do
    number=$(((number * 1103515245 + 12345) % 2147483648))
    life=$((5 + number / 65536 % most))
    "$program" generate "$@" --tables "$directory/killed" &
    child=$!
    sleep "$((life / 10)).$((life % 10))"
    if ! kill -9 "$child" 2>/dev/null; then
        wait "$child"
        echo "all tables were made before the thirtieth kill" >&2
        exit 1
    fi
    wait "$child" 2>/dev/null || true
    killed=$((killed + 1))
    echo "== killed $killed times, the last time after $((life / 10)).$((life % 10)) s"
done
"$program" generate "$@" --tables "$directory/killed"
# Hidden files too: no unfinished file may be left.
diff -r "$directory/undisturbed" "$directory/killed"
echo "the same bytes after $killed kills"
