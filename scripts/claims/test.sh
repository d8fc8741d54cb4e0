#!/bin/sh
# Tests the statements of docs/claims.md, the lines of docs/players.md and figures of docs/count.md that need at
# most four men: makes the tables, and compares what they say with the pages.
#
# usage: scripts/claims/test.sh [SAKMAK]
#
# Needs python3 and a built program, target/release/sakmak if none is named. Takes half a minute on two cores.
set -eu
sakmak=${1:-}
case $sakmak in /*) ;; */*) sakmak=$PWD/$sakmak ;; esac
cd "$(dirname "$0")/../.."
sakmak=${sakmak:-${CARGO_TARGET_DIR:-target}/release/sakmak}
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT

make_tables() {
    "$sakmak" generate "$@" --tables "$tables" >"$tables/log" 2>&1 || {
        cat "$tables/log" >&2
        exit 1
    }
}
make_tables 4 --counting makruk
make_tables KNvKM --variant shatranj
python3 scripts/claims/count_check.py --sakmak "$sakmak" --tables "$tables" --men 4
python3 scripts/claims/claims.py --sakmak "$sakmak" --tables "$tables" --men 4 --check docs/claims.md
python3 scripts/claims/players.py --sakmak "$sakmak" --tables "$tables" --men 4 --check docs/players.md
# The page can be read, written again, and shown in the atlas.
python3 scripts/claims/claims.py --only Q9 --keep docs/claims.md 2>"$tables/log" | diff - docs/claims.md
python3 scripts/claims/claims.py --data docs/claims.md >"$tables/claims.json"
"$sakmak" report --tables "$tables" -o "$tables/atlas" --claims "$tables/claims.json"
