#!/bin/sh
# Runs the tests, at one of three levels:
#
#   scripts/test.sh         everyday: the tests of the libraries and of the program, without the long ones
#   scripts/test.sh full    format, links, lints of Rust and of pages, documents, all of these tests, examples in
#                           documents, packages, npm, wasm32, C, C++ and Python bindings, a release, cross-checks
#                           and games with Fairy-Stockfish, types of the fuzz targets, benches run once: what
#                           .ci/run runs
#   scripts/test.sh all     full, with the materials that take minutes each (SAKMAK_ALL=1)
#
# Everyday needs cargo, a C compiler and python3. Full also needs rustfmt and clippy, a C++ compiler,
# pkg-config, python3 with venv, and the network for crates and a few Python packages.
# docs/testing.md says how long each takes. SAKMAK_PROFILE is the profile of cargo that all of it is
# compiled in [default: everyday].
set -eu
cd "$(dirname "$0")/.."
level=${1:-everyday}
# One profile throughout, so that little is compiled twice. Scripts that are called here read it too.
target=${CARGO_TARGET_DIR:-target}
profile=${SAKMAK_PROFILE:-everyday}
export SAKMAK_PROFILE="$profile"

step() {
    echo
    echo "== $*"
    began=$(date +%s)
    "$@"
    echo "== $(($(date +%s) - began)) s"
}

case $level in
    everyday) exec python3 scripts/run_tests.py "$profile" ;;
    full) ;;
    all) export SAKMAK_ALL=1 ;;
    *)
        echo "test.sh: no level '$level'; there are everyday, full and all" >&2
        exit 2
        ;;
esac

# Counts the packages that the solver needs, and checks the licences in published packages.
packages() {
    tree=$(cargo tree -p sakmak-solve -e normal,build --prefix none)
    solve=$(echo "$tree" | sed 's/ .*//' | sort -u | wc -l)
    echo "sakmak-solve: $solve packages of at most 30"
    test -n "$tree"
    test "$solve" -le 30
    # The oracle and the benches are not published.
    packed=$(cargo package --no-verify --allow-dirty --workspace --exclude sakmak-oracle --exclude sakmak-benches \
        --exclude sakmak-c --exclude sakmak-python --exclude sakmak-wasm 2>&1) || { echo "$packed"; exit 1; }
    # The tests of the program need files of the workspace, so that they are left out.
    warned=$(echo "$packed" | grep '^warning' | grep -v 'ignoring test `program`' || true)
    [ -z "$warned" ] || { echo "$warned"; exit 1; }
    for crate in "$target"/package/sakmak-*.crate; do
        tar -tzf "$crate" | grep -q '^[^/]*/LICENSE-MIT$' || { echo "no licence in $crate"; exit 1; }
    done
}

# Code 3: FUSE cannot be mounted here.
cut_power() {
    SAKMAK=$program scripts/power-cut.sh 3 || {
        code=$?
        echo "power is not cut"
        test "$code" -eq 3
    }
}

step cargo fmt --all --check
step cargo fmt --manifest-path gen/fuzz/Cargo.toml --check
step python3 scripts/links.py
step scripts/lint-pages.sh
step cargo clippy --profile "$profile" --workspace --all-targets -- -D warnings
step env RUSTDOCFLAGS="-D warnings" cargo doc --profile "$profile" --workspace --no-deps
step python3 scripts/public_items.py sakmak-tables=150 sakmak-probe=60
step python3 scripts/run_tests.py "$profile" --include-ignored
step cargo test --profile "$profile" --workspace --doc
step cargo test --profile "$profile" -p sakmak-probe --no-default-features --features ruzstd
step packages
program=$target/$profile/sakmak

# Packages and bindings are tested on one core most of the time, so what needs neither runs beside them.
# Its output follows when both have ended, also after a failure.
beside=$(mktemp)
{
    step scripts/crosscheck.sh
    step scripts/playouts.sh --positions 40
    step scripts/engine-match.sh --short
    step scripts/c-reader.sh --positions 200000 --seconds 3
    step scripts/claims/test.sh "$program"
    # The fuzzer in C++ is not compiled: only a program that is linked needs it.
    step env CUSTOM_LIBFUZZER_PATH=/none/libfuzzer.a \
        cargo check --locked --profile "$profile" --target-dir "$target" --manifest-path gen/fuzz/Cargo.toml
} >"$beside" 2>&1 &
running=$!
trap 'wait; cat "$beside"; rm -f "$beside"; echo "failed: the step before those beside it" >&2' EXIT
step scripts/wasm.sh "$program"
step scripts/bindings.sh
step scripts/release.sh --dry-run --quick "$program"
step cut_power
wait "$running"
trap - EXIT
cat "$beside"
rm -f "$beside"

step cargo bench --profile "$profile" --workspace --bench '*' -- --test
echo
echo "all tests passed"
