#!/bin/sh
# Tests libsakmak and the Python module, and runs all examples in Rust, C, C++ and Python.
# libsakmak is tested as installed, shared and static, found by pkg-config and by CMake.
# Needs a C and a C++ compiler, pkg-config, and python3 with venv; installs pinned
# packages and the module into target/. Half a minute once the workspace is compiled, two
# minutes the first time.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
. scripts/built.sh
work=$target/bindings
venv=$work/venv
wanted=probe/python/requirements.txt
positions=$root/probe/tests/data/positions.tsv
mkdir -p "$work"

# Examples open `sakmak-tables` in the directory they run in.
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
tables=$run/sakmak-tables
probe/tests/data/tables.sh "$built/sakmak" "$tables" >"$work/generate.log" 2>&1 ||
    { cat "$work/generate.log"; exit 1; }
variants=$work/variants.tsv
python3 probe/tests/data/variants.py "$built/sakmak" "$tables" >"$variants"
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
scripts/install-c.sh "$run/prefix" "$built"
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
    cc -std=c11 $cflags probe/c/tests/variants.c $shared -lpthread -o "$work/variants"
    cc -std=c11 $cflags probe/c/examples/probe.c $shared -o "$work/probe"
    cc -std=c11 $cflags probe/c/examples/janggi.c $shared -o "$work/janggi"
    c++ -std=c++17 $cflags -fno-exceptions probe/c/tests/wrapper.cpp $shared -o "$work/wrapper"
}
# Side by side: most of the time one process waits for one child.
"$work/static" "$tables" "$positions" &
static_run=$!
"$work/shared" "$tables" "$positions"
wait "$static_run"
"$work/variants" "$tables" "$variants"
"$work/wrapper" "$tables" "$positions"
expect probe/c/examples/janggi.txt "$work/janggi"

echo "Examples in empty folders"
. scripts/venv.sh
mkdir "$run/c" "$run/cmake" "$run/rust" "$run/rust/src"
cp probe/c/examples/probe.c probe/c/examples/engine.cpp "$run/c/"
# shellcheck disable=SC2086
(
    cd "$run/c"
    c++ -std=c++17 engine.cpp $(pkg-config --cflags --libs sakmak) -Wl,-rpath,"$libdir" -o engine
)
expect probe/c/examples/engine.txt "$run/c/engine"
# The commands of the documents, in a folder where the system does not look for libraries.
grep '^cc probe\.c ' docs/engines.md >"$work/commands.txt"
while read -r command; do
    (cd "$run/c" && rm -f probe && eval "$command")
    expect probe/examples/probe.txt "$run/c/probe"
done <"$work/commands.txt"
cp probe/c/examples/CMakeLists.txt probe/c/examples/probe.c probe/c/examples/engine.cpp "$run/cmake/"
"$venv/bin/cmake" -S "$run/cmake" -B "$run/cmake/build" -DCMAKE_PREFIX_PATH="$run/prefix" \
    >"$work/cmake.log" && "$venv/bin/cmake" --build "$run/cmake/build" >>"$work/cmake.log" || {
    cat "$work/cmake.log"
    exit 1
}
expect probe/examples/probe.txt "$run/cmake/build/probe"
expect probe/c/examples/engine.txt "$run/cmake/build/engine"
cat >"$run/rust/Cargo.toml" <<TOML
[package]
name = "engine"
edition = "2024"

[dependencies]
sakmak-probe = { path = "$root/probe" }

$(sed -n "/^\[profile\.$profile\]/,/^$/p; /^\[profile\.$profile\.package\]/,/^$/p" Cargo.toml | grep -v '^sakmak-')
TOML
cp probe/examples/probe.rs "$run/rust/src/main.rs"
# With the versions, the profile and the target directory of the workspace, so that little is compiled again.
cp Cargo.lock "$run/rust/"
(cd "$run/rust" && CARGO_TARGET_DIR=$target cargo build --quiet --profile "$profile")
expect probe/examples/probe.txt "$built/engine"

echo "Rust examples"
expect probe/examples/probe.txt "$built/examples/probe"
expect probe/examples/search.txt "$built/examples/search" sakmak-tables

echo "Python"
# In the target directory of the workspace, of which maturin compiles pyo3 and the module again.
CARGO_TARGET_DIR=$target MATURIN_PEP517_ARGS="--profile $profile" PATH=$venv/bin:$PATH \
    "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    --force-reinstall ./probe/python
SAKMAK_TEST_TABLES=$tables SAKMAK_TEST_VARIANTS=$variants "$python" -m pytest -q -p no:cacheprovider probe/python/tests
expect probe/examples/probe.txt "$python" "$root/probe/python/examples/probe.py"
expect probe/python/examples/janggi.txt "$python" "$root/probe/python/examples/janggi.py"
expect probe/python/examples/python_chess.txt "$python" "$root/probe/python/examples/python_chess.py"

echo "Notebook"
"$built/sakmak" report --tables "$tables" -o "$run/dataset" >"$work/report.log"
cp probe/python/examples/endings.ipynb "$run/"
"$venv/bin/jupyter" execute "$run/endings.ipynb" >"$work/notebook.log" 2>&1 || {
    cat "$work/notebook.log"
    exit 1
}
