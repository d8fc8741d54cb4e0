#!/bin/sh
# Builds a wheel of the Python module for CPython 3.9 and later, which runs on every Linux with glibc
# 2.17, and a source distribution; tries both in fresh environments: the wheel with each Python
# version, the source distribution with the first of them.
# Needs cargo, python3 with venv, and PyPI, for maturin, Zig and uv. Without VERSION it tries the
# python3 that is here, and 3.9, 3.12 and 3.14: here too, or fetched by uv, from GitHub. A version that
# cannot be obtained is left out, and named at the end. Two minutes of processor time.
# usage: scripts/wheels.sh [VERSION...]
#        the files go to target/wheels; VERSION is a number or the path of an interpreter, and must
#        be there
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
out=$target/wheels
venv=$target/wheels-venv
wanted=scripts/wheels-requirements.txt
. scripts/venv.sh
rm -rf "$out"
mkdir -p "$out"

PATH=$venv/bin:$PATH
export PATH
run=$(mktemp -d)
licences=$root/probe/python/LICENSES-THIRD-PARTY.txt
trap 'rm -rf "$run" "$licences"' EXIT
python3 scripts/licences.py "$(rustc -vV | sed -n 's/^host: //p')" sakmak-python >"$licences"
CARGO_TARGET_DIR=$target/wheels-cargo maturin build --quiet --release --locked --zig \
    --compatibility manylinux_2_17 --manifest-path probe/python/Cargo.toml --out "$out"
maturin sdist --manifest-path probe/python/Cargo.toml --out "$out" 2>"$out/sdist.log" || {
    cat "$out/sdist.log" >&2
    exit 1
}
rm "$out/sdist.log"

cat >"$run/check.py" <<'PYTHON'
import importlib.metadata
import sys

import sakmak

names = {file.name for file in importlib.metadata.files("sakmak")}
assert names >= {"LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt"}, names
with sakmak.Tablebase(sys.argv[1]) as tables:
    assert tables.category("8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1") == "loss"
    assert tables.category("8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1") == "blessed-loss"
print(f"Python {sys.version.split()[0]}: sakmak {sakmak.__version__} works")
PYTHON

# environment VERSION: makes a fresh one.
environment() {
    uv venv --quiet --clear --python "$1" "$run/venv" 2>"$run/uv.log"
}

# check FILE: installs a file in the environment, and probes.
check() {
    CARGO_TARGET_DIR=$target/wheels-cargo uv pip install --quiet --python "$run/venv/bin/python" "$1"
    (cd "$run" && venv/bin/python check.py "$root/probe/tests/data/tables")
}

left_out=
if [ $# -eq 0 ]; then
    here=$(command -v python3)
    for version in 3.9 3.12 3.14; do
        if environment "$version"; then
            set -- "$@" "$version"
        else
            left_out="$left_out $version"
            cp "$run/uv.log" "$run/left-out.log"
        fi
    done
    set -- "$here" "$@"
fi
for version in "$@"; do
    environment "$version" || { cat "$run/uv.log" >&2; exit 1; }
    check "$out"/*.whl
done
environment "$1"
check "$out"/*.tar.gz
ls -l "$out"
if [ -n "$left_out" ]; then
    echo "Not tried with Python$left_out, which uv neither finds here nor can fetch:"
    head -n 1 "$run/left-out.log"
fi
