#!/bin/sh
# Runs the fuzz targets in probe/fuzz: damaged files and random texts from libFuzzer must not
# make them panic or take much memory.
# usage: scripts/fuzz.sh [SECONDS]      in all, after building [default: 600]
# Needs the nightly toolchain, a C++ compiler, and on the first run the network for crates;
# installs cargo-fuzz if it is missing. The first build takes about eight minutes of processor
# time. Inputs that fail go to probe/fuzz/artifacts, and the command to run one again is printed.
# The corpus is kept in probe/fuzz/corpus, and the next run continues with it.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-600}
fuzz="--fuzz-dir probe/fuzz --target-dir target/fuzz"
if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "the nightly toolchain is missing: rustup toolchain install nightly" >&2
    exit 2
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked

# Damage is described in few bytes. Texts may be as long as a game; longer ones find no more.
longest() {
    case $1 in
        solved_file | packed_file | wdl_file) echo 256 ;;
        codec | fen | query) echo 512 ;;
        *) echo 4096 ;;
    esac
}

# Texts to start with.
seeds() {
    case $1 in
        pgn) echo gen/tests/data ;;
        fen | query) echo "probe/fuzz/seeds/$1" ;;
    esac
}

# gcc marks a constant table in zstd as out of scope, and the sanitizer reports it wrongly.
export CFLAGS="${CFLAGS:+$CFLAGS }-fno-sanitize-address-use-after-scope"

targets=$(cargo +nightly fuzz list --fuzz-dir probe/fuzz)
# shellcheck disable=SC2086 # the options are words
cargo +nightly fuzz build $fuzz
each=$((seconds / $(echo "$targets" | wc -l)))
found=
for target in $targets; do
    echo
    echo "== $target, $each seconds"
    mkdir -p "probe/fuzz/corpus/$target"
    # shellcheck disable=SC2046,SC2086
    cargo +nightly fuzz run $fuzz "$target" "probe/fuzz/corpus/$target" $(seeds "$target") -- \
        -max_total_time=$each -max_len=$(longest "$target") -len_control=0 \
        -rss_limit_mb=2048 -malloc_limit_mb=256 -timeout=20 -verbosity=1 -print_final_stats=1 \
        || found="$found $target"
done
echo
if [ -n "$found" ]; then
    echo "failures in:$found" >&2
    exit 1
fi
echo "no failures"
