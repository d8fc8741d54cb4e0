#!/bin/sh
# Runs the tests, at one of three levels:
#
#   scripts/test.sh         everyday: the tests of the libraries and of the program, without the long ones
#   scripts/test.sh full    format, structure, links, lints of Rust and of pages, documents, all of these tests, examples in
#                           documents, wasm32, packages, npm, C, C++ and Python bindings, a release, cross-checks
#                           and games with Fairy-Stockfish, benches run once: what .ci/run runs
#   scripts/test.sh all     full, with the materials that take minutes each (SAKMAK_ALL=1)
#
# Everyday needs cargo, a C compiler and python3. Full also needs rustfmt and clippy, a C++ compiler,
# pkg-config, python3 with venv, and the network for crates and a few Python packages.
# docs/testing.md says how long each takes.
set -eu
cd "$(dirname "$0")/.."
level=${1:-everyday}

step() {
    echo
    echo "== $*"
    began=$(date +%s)
    "$@"
    echo "== $(($(date +%s) - began)) s"
}

case $level in
    everyday) exec python3 scripts/run_tests.py everyday ;;
    full) ;;
    all) export SAKMAK_ALL=1 ;;
    *)
        echo "test.sh: no level '$level'; there are everyday, full and all" >&2
        exit 2
        ;;
esac

# The solver and the look-ups for pages. A machine without the target says so and goes on.
wasm() {
    if rustup target add wasm32-unknown-unknown >/dev/null 2>&1 ||
        test -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown"; then
        cargo check --release --target wasm32-unknown-unknown --no-default-features \
            -p sakmak-solve -p sakmak-probe --features sakmak-probe/json
    else
        echo "not checked: this toolchain has no target wasm32-unknown-unknown and cannot fetch it"
    fi
}

# The packages that are compiled for the solver.
packages() {
    solve=$(cargo tree -p sakmak-solve -e normal,build --prefix none | sed 's/ .*//' | sort -u | wc -l)
    echo "sakmak-solve: $solve packages of at most 30"
    test "$solve" -le 30
    # The oracle and the benches are not published.
    cargo package --quiet --no-verify --allow-dirty --workspace --exclude sakmak-oracle --exclude sakmak-benches \
        --exclude sakmak-c --exclude sakmak-python --exclude sakmak-wasm
}

# One profile throughout, so that little is compiled twice: bindings and benches need release, and the
# tests take half the time in it.
step cargo fmt --all --check
step cargo fmt --manifest-path gen/fuzz/Cargo.toml --check
step python3 scripts/structure.py tables/src/lib.rs tables/codec/src/lib.rs probe/src/lib.rs \
    probe/c/src/lib.rs probe/python/src/lib.rs probe/wasm/src/lib.rs gen/*/src/lib.rs gen/src/main.rs benches/src/lib.rs
step python3 scripts/links.py
step scripts/lint-pages.sh
step python3 -m doctest scripts/scaling.py
step cargo clippy --release --workspace --all-targets -- -D warnings
step env RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
step python3 scripts/public_items.py sakmak-tables=150 sakmak-probe=60
step python3 scripts/run_tests.py release --include-ignored
step cargo test --release --workspace --doc
step wasm
step packages
program=${CARGO_TARGET_DIR:-target}/release/sakmak

# Packages and bindings are tested on one core most of the time, so what needs neither runs beside them.
# Its output follows when both have ended, also after a failure.
beside=$(mktemp)
{
    step scripts/crosscheck.sh
    step scripts/playouts.sh --positions 40
    step scripts/engine-match.sh --short
    step scripts/c-reader.sh
    step scripts/claims/test.sh "$program"
} >"$beside" 2>&1 &
running=$!
trap 'wait; cat "$beside"; rm -f "$beside"' EXIT
step scripts/wasm.sh "$program"
step scripts/bindings.sh
step scripts/release.sh --dry-run --quick "$program"
wait "$running"
trap - EXIT
cat "$beside"
rm -f "$beside"

step cargo bench --profile release --workspace --bench '*' -- --test
echo
echo "all tests passed"
