#!/bin/sh
# Tests libsakmak and the Python module, and runs all examples in Rust, C, C++ and Python.
# libsakmak is tested as installed, shared and static.
# Needs a C and a C++ compiler, pkg-config, and python3 with venv; installs two pinned
# packages and the module into target/. Half a minute once the workspace is compiled, two
# minutes the first time.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
work=$target/bindings
venv=$work/venv
wanted=probe/python/requirements.txt
positions=$root/probe/tests/data/positions.tsv
mkdir -p "$work"

# The whole workspace with the features of `cargo test`, to share what that compiled.
cargo build --quiet --release --workspace --lib --bins --examples

# Examples open `sakmak-tables` in the directory they run in.
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
tables=$run/sakmak-tables
probe/tests/data/tables.sh "$target/release/sakmak" "$tables" >"$work/generate.log" 2>&1 ||
    { cat "$work/generate.log"; exit 1; }
# The table of the doctests is the one that the program makes.
cmp probe/tests/data/tables/KRvK.dtm.smt "$tables/KRvK.dtm.smt"

# expect FILE COMMAND...: the command prints what the file holds.
expect() {
    expected=$root/$1
    shift
    (cd "$run" && "$@") >"$work/printed.txt"
    diff "$expected" "$work/printed.txt"
}

echo "C and C++"
CARGO_TARGET_DIR=$target scripts/install-c.sh "$run/prefix"
export PKG_CONFIG_PATH="$run/prefix/lib/pkgconfig"
cflags="-O1 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags sakmak)"
libdir=$(pkg-config --variable=libdir sakmak)
shared="$(pkg-config --libs sakmak) -Wl,-rpath,$libdir"
# By its path: by its name the linker would take the shared library.
static="$libdir/libsakmak.a $(pkg-config --libs --static sakmak | sed 's/-lsakmak//')"
# Flags are lists of words.
# shellcheck disable=SC2086
{
    cc -std=c11 $cflags probe/c/tests/positions.c $shared -lpthread -o "$work/shared"
    cc -std=c11 $cflags probe/c/tests/positions.c $static -o "$work/static"
    cc -std=c11 $cflags probe/c/examples/probe.c $shared -o "$work/probe"
    c++ -std=c++17 $cflags probe/c/examples/engine.cpp $shared -o "$work/engine"
}
"$work/shared" "$tables" "$positions"
"$work/static" "$tables" "$positions"
expect probe/examples/probe.txt "$work/probe"
expect probe/c/examples/engine.txt "$work/engine"

echo "Rust examples"
expect probe/examples/probe.txt "$target/release/examples/probe"
expect probe/examples/search.txt "$target/release/examples/search" sakmak-tables

echo "Python"
. scripts/venv.sh
# In a target directory of its own: maturin sets other flags than cargo, and each would
# recompile what the other has compiled.
CARGO_TARGET_DIR=$work/cargo PATH=$venv/bin:$PATH "$python" -m pip install --quiet \
    --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall ./probe/python
SAKMAK_TEST_TABLES=$tables "$python" -m pytest -q -p no:cacheprovider probe/python/tests
expect probe/examples/probe.txt "$python" "$root/probe/python/examples/probe.py"
