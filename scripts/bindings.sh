#!/bin/sh
# The ways in that are not Rust: C, linked either way, and Python; and the examples.
# Wants a C compiler and python3 with venv; installs two pinned packages and the module
# into target/. Half a minute once the tests are compiled, two minutes the first time.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
work=$target/bindings
venv=$work/venv
wanted=probe/python/requirements.txt
positions=probe/tests/data/positions.tsv
mkdir -p "$work"

# The whole workspace as `cargo test` builds it, so that nothing is compiled twice.
cargo build --quiet --release --workspace --lib --bins --examples

tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
probe/tests/data/tables.sh "$target/release/sakmak" "$tables" >"$work/generate.log" 2>&1 ||
    { cat "$work/generate.log"; exit 1; }

echo "C"
compile() { cc -std=c11 -O1 -Wall -Wextra -Wpedantic -Werror probe/c/tests/positions.c "$@"; }
# The library by its path: a name would find one of the two, whichever the linker likes.
compile "$target/release/libsakmak.so" "-Wl,-rpath,$target/release" -lpthread -o "$work/shared"
compile "$target/release/libsakmak.a" -lpthread -ldl -lm -o "$work/static"
"$work/shared" "$tables" "$positions"
"$work/static" "$tables" "$positions"

echo "Rust example"
"$target/release/examples/search" "$tables" >"$work/search.txt"
diff probe/examples/search.txt "$work/search.txt"

echo "Python"
. scripts/venv.sh
# In a folder of its own: the build tool's surroundings differ from cargo's, and each would
# undo what the other has compiled.
CARGO_TARGET_DIR=$work/cargo PATH=$venv/bin:$PATH "$python" -m pip install --quiet \
    --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall ./probe/python
SAKMAK_TEST_TABLES=$tables "$python" -m pytest -q -p no:cacheprovider probe/python/tests
