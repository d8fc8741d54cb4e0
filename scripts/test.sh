#!/bin/sh
# All tests: format, structure, links, lints, docs, tests, packages, C, C++ and Python bindings,
# cross-check, games between engines, benches run once.
# Needs cargo with rustfmt and clippy, a C and a C++ compiler, pkg-config, and python3 with
# venv; the first run also needs the network for crates and a few Python packages. From
# nothing it takes some half an hour of processor time, 20 minutes on two cores.
set -eu
cd "$(dirname "$0")/.."

step() {
    echo
    echo "== $*"
    began=$(date +%s)
    "$@"
    echo "== $(($(date +%s) - began)) s"
}

# One profile throughout, so that nothing is compiled twice: the tests solve tables and
# take minutes without it.
step cargo fmt --all --check
step cargo fmt --manifest-path probe/fuzz/Cargo.toml --check
step python3 scripts/structure.py tables/src/lib.rs tables/codec/src/lib.rs probe/src/lib.rs probe/c/src/lib.rs probe/python/src/lib.rs \
    gen/*/src/lib.rs gen/src/main.rs benches/src/lib.rs
step python3 scripts/links.py
step cargo clippy --release --workspace --all-targets -- -D warnings
step env RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
step cargo test --release --workspace
step cargo package --quiet --no-verify --allow-dirty \
    -p sakmak-tables -p sakmak-codec -p sakmak-probe -p sakmak-solve -p sakmak-make -p sakmak-analysis -p sakmak-games \
    -p sakmak-uci -p sakmak-atlas -p sakmak-serve -p sakmak-gen

# Bindings are tested on one core most of the time, so the comparisons with Fairy-Stockfish run
# beside them. The output of the comparisons follows when both have ended, also after a failure.
comparisons=$(mktemp)
{
    step scripts/crosscheck.sh
    step scripts/playouts.sh --positions 40
    step scripts/engine-match.sh --short
} >"$comparisons" 2>&1 &
running=$!
trap 'wait; cat "$comparisons"; rm -f "$comparisons"' EXIT
step scripts/bindings.sh
wait "$running"
trap - EXIT
cat "$comparisons"
rm -f "$comparisons"

step cargo bench --profile release --workspace --bench '*' -- --test
echo
echo "all tests passed"
