#!/bin/sh
# Runs the fuzz targets in gen/fuzz: damaged files, hostile texts and arbitrary arguments of C
# from libFuzzer must not make them panic, answer wrongly or take much memory.
# usage: scripts/fuzz.sh [SECONDS]         in all, after building [default: 1200]
#        scripts/fuzz.sh --quick           60 seconds each
#        scripts/fuzz.sh --each SECONDS [TARGET...]
# Two targets run at a time. Needs the nightly toolchain, a C++ compiler, and on the first run the
# network for crates; installs cargo-fuzz if it is missing. The first build takes about ten
# minutes of processor time. Inputs that fail go to gen/fuzz/artifacts; the log of a target
# names its input and the command to run it again. Runs begin with gen/fuzz/seeds and keep what
# they find in gen/fuzz/corpus.
set -eu
cd "$(dirname "$0")/.."

target_dir=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
logs=$target_dir/logs

# Damage is described in few bytes. Texts may be as long as a game; longer ones find no more.
longest() {
    case $1 in
        solved_file | packed_file | wdl_file) echo 256 ;;
        c_border | codec | fen | query) echo 512 ;;
        *) echo 4096 ;;
    esac
}

# Runs one target; for xargs below.
if [ "${1:-}" = --one ]; then
    target=$2
    seconds=$3
    mkdir -p "gen/fuzz/corpus/$target" "gen/fuzz/seeds/$target" "gen/fuzz/artifacts/$target"
    # Output of the target itself is a page for each game.
    if "$target_dir/$(rustc -vV | sed -n 's/^host: //p')/release/$target" \
        "gen/fuzz/corpus/$target" "gen/fuzz/seeds/$target" \
        -artifact_prefix="gen/fuzz/artifacts/$target/" -max_total_time="$seconds" \
        -max_len="$(longest "$target")" -len_control=0 -rss_limit_mb=2048 -malloc_limit_mb=256 \
        -timeout=60 -print_final_stats=1 >"$logs/$target" 2>&1; then
        result="no failure"
    else
        result="FAILED, see $logs/$target"
        touch "$logs/$target.failed"
    fi
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$target")
    printf '%-12s %5s s %12s executions  %s\n' "$target" "$seconds" "${executed:-?}" "$result"
    exit 0
fi

each=
case ${1:-} in
    --quick)
        each=60
        shift
        ;;
    --each)
        each=$2
        shift 2
        ;;
    *)
        seconds=${1:-1200}
        [ $# -eq 0 ] || shift
        ;;
esac
if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "the nightly toolchain is missing: rustup toolchain install nightly" >&2
    exit 2
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked

# gcc marks a constant table in zstd as out of scope, and the sanitizer reports it wrongly.
export CFLAGS="${CFLAGS:+$CFLAGS }-fno-sanitize-address-use-after-scope"
cargo +nightly fuzz build --fuzz-dir gen/fuzz --target-dir "$target_dir"

# The program and tables for the targets that read files from a directory.
cargo build --release -p sakmak-gen --bin sakmak
export SAKMAK_PROGRAM="${CARGO_TARGET_DIR:-$PWD/target}/release/sakmak"
export SAKMAK_TABLES="$target_dir/tables"
"$SAKMAK_PROGRAM" generate 4 --counting makruk --counting ouk >/dev/null
"$SAKMAK_PROGRAM" wdl 3 >/dev/null

[ $# -gt 0 ] || set -- $(cargo +nightly fuzz list --fuzz-dir gen/fuzz)
each=${each:-$((seconds * 2 / $#))}
rm -rf "$logs"
mkdir -p "$logs"
echo "$# targets, $each seconds each, two at a time"
printf '%s\n' "$@" | xargs -P 2 -I '{}' scripts/fuzz.sh --one '{}' "$each"
if ls "$logs"/*.failed >/dev/null 2>&1; then
    exit 1
fi
echo "no failures"
