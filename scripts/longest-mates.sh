#!/bin/sh
# Makes all tables of chess with three to five men, and compares their longest mates with the published ones of
# gen/make/tests/data/chess/longest.tsv. usage: scripts/longest-mates.sh DIRECTORY
# Takes 5 minutes on two cores, 10 GiB of disk and up to --memory of the machine. Tables that exist are kept, and then
# the list has fewer rows.
set -eu
cd "$(dirname "$0")/.."
directory=${1:?a directory for the tables is expected}
. scripts/built.sh
list=$(mktemp)
trap 'rm -f "$list"' EXIT
"$built/sakmak" generate 5 --variant chess --tables "$directory" | tee "$list"
awk -F '\t' '
    NR == FNR { if (!/^#/) { expected[$1] = $2 "\t" $3 }; next }
    /^K.*slots/ {
        split($0, words, " "); white = black = 0
        if (match($0, /white in [0-9]+/)) white = substr($0, RSTART + 9, RLENGTH - 9)
        if (match($0, /black in [0-9]+/)) black = substr($0, RSTART + 9, RLENGTH - 9)
        compared++
        if (expected[words[1]] != white "\t" black) { differ++; print words[1] ": " white ", " black " here" }
    }
    END { print compared + 0 " materials, " differ + 0 " differences"; exit differ > 0 }
' gen/make/tests/data/chess/longest.tsv "$list"
