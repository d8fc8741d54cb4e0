#!/bin/sh
# Makes the tables of a batch twice, undisturbed and killed thirty times at random moments, and
# compares every byte. Tables that exist already are not made again. With PROCESSES=2 two processes
# work in the directory and are killed together; KILLS and PROFILE replace 30 and release.
# Needs cargo and a C compiler; for the batch of all five-men tables 16 GiB of memory and 20 GB of disk.
# Takes about four times as long as making the tables once: less than half an hour on two cores for these.
# A batch that takes less than a minute may be finished before the last kill.
# usage: scripts/kill-batch.sh [DIRECTORY [SEED [ARGUMENT OF generate...]]]
#        scripts/kill-batch.sh kills 1 5 --packed      the default is 5
#        KILLS=20 PROCESSES=2 scripts/kill-batch.sh kills 1 5 --variant janggi
set -eu
directory=${1:-}
case $directory in '' | /*) ;; *) directory=$PWD/$directory ;; esac
cd "$(dirname "$0")/.."
directory=${directory:-kill-batch}
seed=${2:-$(date +%s)}
if [ $# -gt 2 ]; then shift 2; else set -- 5; fi
kills=${KILLS:-30}
profile=${PROFILE:-release}
cargo build --profile "$profile" -p sakmak-gen --bin sakmak
program=${CARGO_TARGET_DIR:-target}/$profile/sakmak
mkdir -p "$directory"

start=$(date +%s)
"$program" generate "$@" --tables "$directory/undisturbed"
# If the undisturbed tables existed already, the time of the run that made them is on record.
if [ ! -f "$directory/seconds" ]; then echo $(($(date +%s) - start)) >"$directory/seconds"; fi
# Tenths of a second: at most a fifteenth of the whole, so that the killed runs do not finish it.
most=$((10 * $(cat "$directory/seconds") / 15))
[ "$most" -gt 0 ] || most=1

echo "seed $seed"
number=$seed
killed=0
while [ "$killed" -lt "$kills" ]; do
    number=$(((number * 1103515245 + 12345) % 2147483648))
    life=$((5 + number / 65536 % most))
    children=
    for _ in $(seq "${PROCESSES:-1}"); do
        "$program" generate "$@" --tables "$directory/killed" &
        children="$children $!"
    done
    sleep "$((life / 10)).$((life % 10))"
    for child in $children; do
        if ! kill -9 "$child" 2>/dev/null; then
            wait "$child"
            echo "all tables were made before the last kill" >&2
            exit 1
        fi
    done
    for child in $children; do wait "$child" 2>/dev/null || true; done
    killed=$((killed + 1))
    echo "== killed $killed times, the last time after $((life / 10)).$((life % 10)) s"
done
"$program" generate "$@" --tables "$directory/killed"
# Hidden files too: no unfinished file may be left.
diff -r "$directory/undisturbed" "$directory/killed"
echo "the same bytes after $killed kills"
