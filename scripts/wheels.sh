#!/bin/sh
# Builds a wheel of the Python module for CPython 3.9 and later, which runs on every Linux with glibc
# 2.17, and a source distribution; tries both in fresh environments: the wheel with each Python
# version, the source distribution with the first.
# Needs cargo, python3 with venv, and the network: maturin, Zig and uv come from PyPI, Python versions
# that are not here from uv. Two minutes of
# processor time.
# usage: scripts/wheels.sh [VERSION...]
#        the files go to target/wheels; without VERSION 3.9, 3.12 and 3.14;
#        VERSION is a number or the path of an interpreter
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
CARGO_TARGET_DIR=$target/wheels-cargo maturin build --quiet --release --locked --zig \
    --compatibility manylinux_2_17 --manifest-path probe/python/Cargo.toml --out "$out"
maturin sdist --manifest-path probe/python/Cargo.toml --out "$out" 2>"$out/sdist.log" || {
    cat "$out/sdist.log" >&2
    exit 1
}
rm "$out/sdist.log"

run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
cat >"$run/check.py" <<'PYTHON'
import sys

import sakmak

with sakmak.Tablebase(sys.argv[1]) as tables:
    assert tables.category("8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1") == "loss"
    assert tables.category("8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1") == "blessed-loss"
print(f"Python {sys.version.split()[0]}: sakmak {sakmak.__version__} works")
PYTHON

# check VERSION FILE: installs a file in a fresh environment, and probes.
check() {
    uv venv --quiet --clear --python "$1" "$run/venv"
    CARGO_TARGET_DIR=$target/wheels-cargo uv pip install --quiet --python "$run/venv/bin/python" "$2"
    (cd "$run" && venv/bin/python check.py "$root/probe/tests/data/tables")
}

[ $# -gt 0 ] || set -- 3.9 3.12 3.14
for version in "$@"; do
    check "$version" "$out"/*.whl
done
check "$1" "$out"/*.tar.gz
ls -l "$out"
