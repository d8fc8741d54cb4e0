#!/bin/sh
# Measures the service on this machine: answers a second, times, memory, processor time of an answer.
# Asks for random positions of five men with all moves. Needs tables of five men, wrk, curl, Python 3
# and Linux. PARAMETERS are more of a request, such as line=false.
# usage: scripts/serve-load.sh TABLES [SECONDS [CONNECTIONS [PARAMETERS]]]
#        IDLE is a number of idle connections beside, such as 10000
#        SAKMAK names the program; else it is compiled
#        MIXED=1 asks for all variants, games and paths instead, and needs neither wrk nor curl, nor
#        tables of five men; LIMIT=1700M puts the service into a memory group of this size (root)
set -eu
tables=${1:?usage: serve-load.sh TABLES [SECONDS [CONNECTIONS [PARAMETERS]]]}
seconds=${2:-30}
connections=${3:-16}
parameters=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${SAKMAK:-}" ]; then
    cargo build --release --quiet --manifest-path "$here/../Cargo.toml" -p sakmak-gen --bin sakmak
    SAKMAK=${CARGO_TARGET_DIR:-$here/../target}/release/sakmak
fi
work=$(mktemp -d)
pid=
idle=
group=
trap '[ -z "$pid" ] || { kill $pid $idle && wait $pid; } 2>/dev/null || true
    rm -rf "$work"; [ -z "$group" ] || rmdir "$group"' EXIT

# await PROCESS FILE: waits until the process has written to the file; it must not end before.
await() {
    until [ -s "$2" ]; do
        kill -0 "$1" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
        sleep 0.1
    done
}

# peak: prints the most memory of the group, and how often it reached its limit.
if [ -n "${LIMIT:-}" ]; then
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
        group=/sys/fs/cgroup/sakmak-serve-load-$$
        limit=memory.max
        peak() { echo "group: $(cat "$group/memory.peak") bytes at most; $(tr '\n' ' ' <"$group/memory.events")"; }
    else
        group=/sys/fs/cgroup/memory/sakmak-serve-load-$$
        limit=memory.limit_in_bytes
        peak() { echo "group: $(cat "$group/memory.max_usage_in_bytes") bytes at most; limit reached $(cat "$group/memory.failcnt") times; $(tail -n 1 "$group/memory.oom_control")"; }
    fi
    mkdir "$group"
    echo "$LIMIT" >"$group/$limit"
fi

GROUP=$group sh -c '[ -z "$GROUP" ] || echo $$ >"$GROUP/cgroup.procs"; exec "$@"' sh \
    "$SAKMAK" serve --tables "$tables" --listen 127.0.0.1:0 --timeout 3600 \
    >"$work/address" 2>"$work/log" &
pid=$!
await "$pid" "$work/address"
address=$(cat "$work/address")
field() { sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$pid/status"; }
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
answers() {
    curl -s "${address}metrics" |
        sed -n 's/^sakmak_requests_total{path="\/{variant}",status="200"} //p'
}

if [ -n "${MIXED:-}" ]; then
    python3 "$here/serve/load.py" mixed "$address" "$pid" "$seconds" "$connections"
    [ -z "$group" ] || peak
    grep -E ' (WARN|ERROR) ' "$work/log" | head -n 20 || true
    exit
fi

python3 "$here/serve/load.py" positions "$address" 5000 "$parameters" >"$work/paths"
if [ -n "${IDLE:-}" ]; then
    python3 "$here/serve/load.py" idle "$address" "$IDLE" >"$work/idle" &
    idle=$!
    await "$idle" "$work/idle"
    cat "$work/idle"
fi
# Once without measuring, so that files are in memory.
wrk -t1 -c"$connections" -d5s -s "$here/serve/load.lua" "$address" -- "$work/paths" >/dev/null
before=$(ticks)
first=$(answers)
resident=$(field VmRSS)
wrk -t1 -c"$connections" -d"${seconds}s" -s "$here/serve/load.lua" "$address" -- "$work/paths" |
    grep -E '^(answers|errors|milliseconds):'
used=$(($(ticks) - before))
asked=$(($(answers) - first))
echo "processor time of the service: $((used * 1000000 / $(getconf CLK_TCK) / asked)) microseconds an answer"
echo "memory: $resident kB before, $(field VmRSS) kB after, $(field RssAnon) kB of it not files"
