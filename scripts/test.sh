#!/bin/sh
# All tests: form, lints, docs, import cycles, tests, the ways in from C and Python,
# cross-check, benches run once.
# Wants cargo with rustfmt and clippy, a C compiler, python3 with venv, and on the first
# run the network for crates and a few Python packages. From nothing it takes twenty minutes
# of one core's time, eleven or twelve minutes on two.
set -eu
cd "$(dirname "$0")/.."

step() {
    echo
    echo "== $*"
    "$@"
}

# One profile throughout, so that nothing is compiled twice: the tests solve tables and
# take minutes without it.
step cargo fmt --all --check
step cargo fmt --manifest-path probe/fuzz/Cargo.toml --check
step python3 scripts/import_cycles.py tables/src/lib.rs probe/src/lib.rs gen/src/lib.rs \
    gen/src/main.rs benches/src/lib.rs probe/c/src/lib.rs probe/python/src/lib.rs
step cargo clippy --release --workspace --all-targets -- -D warnings
step env RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
step cargo test --release --workspace
step scripts/bindings.sh
step scripts/crosscheck.sh
step scripts/playouts.sh --positions 40
step cargo bench --profile release --workspace --bench '*' -- --test
echo
echo "all tests passed"
