#!/bin/sh
# Builds Fairy-Stockfish with Sakmak's tables, as the program ENGINE.
#
#   build.sh [--embed DIR] ENGINE [SOURCE]
#
# With --embed the files of Makruk of up to four men in the folder DIR are inside the program: WDL files, and
# packed files if the engine is built with zstd.
#
# Takes the engine's source from SOURCE, a checkout, or else from the source distribution of pyffish on
# PyPI, which is downloaded. SOURCE stays as it is. Packed files are read if the variable ZSTD has the
# flags for zstd, such as -lzstd. OPTIMISE has other flags than those of a fast program. Needs a C++
# compiler and python3 with pip; takes a minute on two cores.
set -eu
usage() {
    echo "usage: build.sh [--embed DIR] ENGINE [SOURCE]" >&2
    exit 2
}
embed=''
# Scripts may name the form that reads files without a library, the only one.
[ "${1-}" != --reader ] || shift
if [ "${1-}" = --embed ]; then
    [ $# -ge 2 ] || usage
    embed=$(cd "$2" && pwd)
    shift 2
fi
[ $# -eq 1 ] || [ $# -eq 2 ] || usage
case $1 in -*) usage ;; /*) engine=$1 ;; *) engine=$PWD/$1 ;; esac
source=${2:+$(cd "$2" && pwd)}
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
[ -d "$source/src" ] || { echo "$source has no folder src; expected a checkout" >&2; exit 1; }
cp -R "$source/src" "$work/src"
find "$work/src" -name '*.o' -exec rm {} +
"$here/insert.sh" "$work/src"
cd "$work/src"

flags="${OPTIMISE:--O3 -flto=auto} -DNDEBUG -DIS_64BIT -DUSE_PTHREADS -DNNUE_EMBEDDING_OFF -I."
case $(uname -m) in
x86_64) flags="$flags -msse4.1 -mpopcnt -DUSE_POPCNT -DUSE_SSE2 -DUSE_SSSE3 -DUSE_SSE41" ;;
esac
[ -z "$embed" ] || {
    python3 "$here/embed.py" ${ZSTD:+--packed} "$embed" sakmak.files
    flags="$flags -DSAKMAK_EMBEDDED"
}
[ -z "${ZSTD-}" ] || flags="$flags -DSAKMAK_ZSTD $ZSTD"
# Both are bindings for other languages.
find . -name '*.cpp' ! -name pyffish.cpp ! -name ffishjs.cpp -print |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' sh -c \
        "${CXX:-c++} -std=c++17 -fno-exceptions $flags -c \"\$1\" -o \"\$1.o\"" sh '{}'
# Flags are lists of words.
# shellcheck disable=SC2046,SC2086
${CXX:-c++} $flags $(find . -name '*.o') ${ZSTD-} -lpthread -o "$engine"
echo "$engine: Fairy-Stockfish with the tables of Sakmak"
