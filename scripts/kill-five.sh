#!/bin/sh
# Makes all five-men tables twice, undisturbed and killed thirty times at random moments, and
# compares every byte. Tables that exist already are not made again.
# Needs cargo, a C compiler, 16 GiB of memory and 20 GB of disk. Takes about four times as long
# as making the tables once: less than half an hour on two cores.
# usage: scripts/kill-five.sh [DIRECTORY [SEED]]
set -eu
directory=${1:-}
case $directory in '' | /*) ;; *) directory=$PWD/$directory ;; esac
cd "$(dirname "$0")/.."
directory=${directory:-kill-five}
seed=${2:-$(date +%s)}
kills=30
cargo build --release -p sakmak-gen --bin sakmak
program=${CARGO_TARGET_DIR:-target}/release/sakmak
mkdir -p "$directory"

start=$(date +%s)
"$program" generate 5 --tables "$directory/undisturbed"
time=$(($(date +%s) - start))
# If the undisturbed tables existed already, the time is not known.
[ "$time" -gt 60 ] || time=300

echo "seed $seed"
number=$seed
killed=0
while [ "$killed" -lt "$kills" ]; do
    # At most a fifteenth of the whole, so that thirty runs do not finish it.
    number=$(((number * 1103515245 + 12345) % 2147483648))
    life=$((1 + number / 65536 % (time / 15)))
    "$program" generate 5 --tables "$directory/killed" &
    child=$!
    sleep "$life"
    if ! kill -9 "$child" 2>/dev/null; then
        wait "$child"
        echo "all tables were made before the thirtieth kill" >&2
        exit 1
    fi
    wait "$child" 2>/dev/null || true
    killed=$((killed + 1))
    echo "== killed $killed times, the last time after $life s"
done
"$program" generate 5 --tables "$directory/killed"
# Hidden files too: no unfinished file may be left.
diff -r "$directory/undisturbed" "$directory/killed"
echo "the same bytes after $killed kills"
