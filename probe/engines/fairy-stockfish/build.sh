#!/bin/sh
# Builds Fairy-Stockfish with Sakmak's tables. PREFIX is the folder where scripts/install-c.sh has
# installed libsakmak, ENGINE the program to be made. Takes the engine's source from SOURCE, a
# checkout, or else from the source distribution of pyffish on PyPI, which is downloaded. SOURCE stays
# as it is. Needs a C++ compiler and python3 with pip; takes a minute on two cores.
# usage: build.sh PREFIX ENGINE [SOURCE]
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: build.sh PREFIX ENGINE [SOURCE]" >&2; exit 2; }
prefix=$(cd "$1" && pwd)
[ -f "$prefix/include/sakmak.hpp" ] || {
    echo "$prefix has no include/sakmak.hpp: scripts/install-c.sh makes it" >&2
    exit 1
}
case $2 in /*) engine=$2 ;; *) engine=$PWD/$2 ;; esac
source=${3:+$(cd "$3" && pwd)}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$source" ]; then
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary pyffish \
        --dest "$work" pyffish
    tar -xzf "$work"/pyffish-*.tar.gz -C "$work"
    rm "$work"/pyffish-*.tar.gz
    source=$(echo "$work"/pyffish-*)
fi
[ -d "$source/src" ] || { echo "$source has no folder src: a checkout is expected" >&2; exit 1; }
cp -R "$source/src" "$work/src"
cp "$here/adapter.h" "$here/adapter.cpp" "$work/src/"
python3 "$here/insert.py" "$work/src"

cd "$work/src"
flags="-std=c++17 -O3 -flto=auto -fno-exceptions -DNDEBUG -DIS_64BIT -DUSE_PTHREADS"
flags="$flags -DNNUE_EMBEDDING_OFF -I. -I$prefix/include"
case $(uname -m) in
x86_64) flags="$flags -msse4.1 -mpopcnt -DUSE_POPCNT -DUSE_SSE2 -DUSE_SSSE3 -DUSE_SSE41" ;;
esac
find . -name '*.o' -exec rm {} +
# Both are bindings for other languages.
find . -name '*.cpp' ! -name pyffish.cpp ! -name ffishjs.cpp -print |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' sh -c "${CXX:-c++} $flags -c \"\$1\" -o \"\$1.o\"" sh '{}'
# Flags are lists of words.
# shellcheck disable=SC2046,SC2086
${CXX:-c++} $flags $(find . -name '*.o') "$prefix/lib/libsakmak.a" -lpthread -ldl -lm -o "$engine"
echo "$engine: Fairy-Stockfish with the tables of Sakmak"
