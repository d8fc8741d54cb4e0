#!/bin/sh
# Tests what ordinary tests cannot see, as far as the tools are there:
#   loom      the lock-free cache, in all orders of its threads and of memory
#   Miri      undefined behaviour in the probe crate; needs a nightly toolchain with miri and rust-src
#   valgrind  memory errors and leaks behind the C border, in the test in C
# Prints a line for each tool that is missing and goes on. Needs the network on the first run, and
# what scripts/bindings.sh needs. Takes some minutes.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

echo "== loom"
# A directory of its own: the flag recompiles everything.
CARGO_TARGET_DIR=$target/loom RUSTFLAGS="--cfg loom" \
    cargo test --release -p sakmak-probe --test cache_model

echo "== Miri"
if cargo +nightly miri --version >/dev/null 2>&1; then
    # Miri runs no foreign code and few calls of the system: tests that map files, decode zstd or
    # change files are left out. It is slow: so is the test of the cache with 800,000 reads, which
    # loom replaces.
    CARGO_TARGET_DIR=$target/miri MIRIFLAGS=-Zmiri-disable-isolation \
        cargo +nightly miri test -p sakmak-probe --lib -- cache:: process:: \
        --skip readers_see_whole_lines
else
    echo "left out: rustup component add --toolchain nightly miri rust-src" >&2
fi

echo "== valgrind"
if command -v valgrind >/dev/null; then
    cargo build --quiet --release -p sakmak-c -p sakmak-gen
    run=$(mktemp -d)
    trap 'rm -rf "$run"' EXIT
    probe/tests/data/tables.sh "$target/release/sakmak" "$run/tables" >"$run/log" 2>&1 ||
        { cat "$run/log"; exit 1; }
    cc -std=c11 -O1 -g -Iprobe/c/include probe/c/tests/positions.c "$target/release/libsakmak.a" \
        -lpthread -ldl -lm -o "$run/positions"
    # Threads take turns: a child of a fork may lose what its parent's threads held, and is not
    # followed.
    valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite \
        --fair-sched=yes "$run/positions" "$run/tables" probe/tests/data/positions.tsv
else
    echo "left out: valgrind is missing" >&2
fi
