#!/bin/sh
# Plays endings and matches between engines that speak UCI; by hand, for docs/engines.md.
#
# usage: engine-match.sh WITH WITHOUT TABLES RESULTS
#        engine-match.sh --short
#
# WITH and WITHOUT are engines as scripts/match/match.py names them, such as
# 'name=with command=sakmak-fairy option.SakmakPath=DIR'; TABLES is a directory with the tables of
# three to five men and their counted tables for Makruk; RESULTS is a directory. A run
# that was stopped goes on. The endings are won in time; the opponent is `sakmak uci`. The matches
# are from positions of six to eight men, each engine with each side.
#
# --short plays a few endings of three and four men of each variant with `sakmak uci` on both sides,
# and a match of four games; then builds Fairy-Stockfish with files in it and plays endings with that. All
# wins and draws must be kept and all moves be legal. It makes its tables.
# Needs python3 with venv, and for Fairy-Stockfish a C and a C++ compiler; installs one pinned package
# into target/ and fetches one. --short takes a minute and a half of processor time, the matches hours.
set -eu
if [ "${1-}" != --short ]; then
    with=$1 without=$2 tables=$(cd "$3" && pwd)
    mkdir -p "$4"
    results=$(cd "$4" && pwd)
fi
cd "$(dirname "$0")/.."
. scripts/crosscheck/venv.sh
sakmak=$built/sakmak
match() {
    "$python" scripts/match/match.py "$@"
}

if [ "${1-}" = --short ]; then
    results=$(mktemp -d)
    trap 'rm -rf "$results"' EXIT
    engine="command='$sakmak uci --tables $results/tables'"
    for variant in makruk ouk; do
        "$sakmak" generate KSMvK KRvKN --counting "$variant" --tables "$results/tables" > /dev/null
        for keep in win draw; do
            match endings "$sakmak" --variant "$variant" --tables "$results/tables" --keep $keep \
                --material KRvK KSMvK KRvKN --each 2 -o "$results/$variant-$keep"
            match keep "$results/$variant-$keep" --engine "name=one $engine" \
                --opponent "name=two $engine" --limit "nodes 500" \
                --results "$results/$variant-$keep.results" > /dev/null
        done
    done
    match positions --men 5 --number 2 -o "$results/positions"
    match games "$results/positions" --engine "name=one $engine" --engine "name=two $engine" \
        --limit "nodes 200" --results "$results/games.results" > /dev/null
    match report --perfect one "$results"/*.results

    # Fairy-Stockfish with the files of some endings inside. Little optimised: compiled in two thirds of the time.
    . scripts/zstd.sh
    endings="KRvK KSMvK KRvKN"
    # The lists are words.
    # shellcheck disable=SC2086
    "$sakmak" generate $endings --engine-set --tables "$results/set" > /dev/null
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary pyffish \
        --dest "$results" "$(cat "$wanted")"
    tar -xzf "$results"/pyffish-*.tar.gz -C "$results"
    OPTIMISE=-O1 ZSTD="-I$zstd/lib -L$built -l:libsakmak.a -ldl -lm" \
        probe/engines/fairy-stockfish/build.sh --embed "$results/set" "$results/fairy" \
        "$(echo "$results"/pyffish-*/)"
    fairy="name=embedded command='$results/fairy'"
    "$python" scripts/match/match.py hits --engine "$fairy" "8/1n2K3/8/3R4/8/7k/8/8 w - - 0 1" \
        "8/1n2K3/8/3R4/4N3/7k/8/8 w - - 0 1"
    for keep in win draw; do
        # shellcheck disable=SC2086
        match endings "$sakmak" --tables "$results/tables" --keep $keep --material $endings --each 2 \
            -o "$results/fairy-$keep"
        match keep "$results/fairy-$keep" --engine "$fairy" --opponent "name=two $engine" \
            --limit "nodes 3000" --results "$results/fairy-$keep.results" > /dev/null
    done
    match report --perfect embedded "$results"/fairy-*.results
    exit
fi

opponent="name=sakmak command='$sakmak uci --tables $tables'"
# Bare kings without pawns, then endings in which another count may begin on the way.
endings="KRvK KRMvK KRSvK KRNvK KRRvK KSMvK KSSvK KNSvK KNMvK KMMvK KSPvK KRPvK
    KRvKR KRvKN KRvKS KRvKM
    KSSMvK KSSSvK KRRMvK KRRSvK KRRNvK KRRRvK KRMMvK KRSMvK KRSSvK KRNSvK KRNMvK KRNNvK
    KNSSvK KNNSvK KNSMvK KSMMvK KNNMvK KMMMvK KNMMvK KNNNvK
    KSMvKM KSSvKS KSSvKN KNSvKS KRMvKR KRSvKR KRRvKR KRvKNN"
[ -e "$results/endings" ] ||
    match endings "$sakmak" --tables "$tables" --material $endings --each 8 -o "$results/endings"
[ -e "$results/positions" ] || match positions --men 6 7 8 --number 200 -o "$results/positions"
# Two processes, each with one game at a time.
match keep "$results/endings" --engine "$with" --engine "$without" \
    --opponent "$opponent" --results "$results/kept" > "$results/kept.txt" &
endings_match=$!
match games "$results/positions" --engine "$with" --engine "$without" \
    --results "$results/games" > "$results/games.txt"
wait "$endings_match"
cat "$results/kept.txt" "$results/games.txt"
