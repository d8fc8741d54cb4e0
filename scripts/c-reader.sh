#!/bin/sh
# Tests probe/c-reader, the reader of one C file: compiles it as C and C++ of all standards from C99 and C++11 on,
# with gcc and clang and without warnings; holds it to libsakmak on random positions of all files in
# a folder; again under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer, with several
# threads, and as wasm32 in Node; probes damaged files and passes arguments at their limits under sanitizers;
# and runs the example and that of its README.
# Without --tables makes WDL files of up to four men and one of five, and some packed files. Needs C and C++
# compilers with sanitizers, better both gcc and clang, and for wasm32 Node and Zig, the program or
# `python3 -m ziglang`; without them it says so. Takes a minute on two cores once the workspace is compiled.
# usage: c-reader.sh [--tables DIR] [--positions N] [--seconds N]
#   --tables DIR    takes the files in DIR
#   --positions N   positions [default: 1000000]
#   --seconds N     seconds of damaged files [default: 10]
set -eu
tables='' positions=1000000 seconds=10
while [ $# -ge 2 ]; do
    case $1 in
    --tables) tables=$(cd "$2" && pwd) ;;
    --positions) positions=$2 ;;
    --seconds) seconds=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 0 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."
reader=probe/c-reader
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. scripts/built.sh
if [ -z "$tables" ]; then
    tables=$work/tables
    # The reader searches captures of KNMvKM, and in Makruk also captures of the packed files.
    for counting in makruk ouk; do
        case $counting in
        makruk) how="--converted-men 0 --tiles 8" ;;
        ouk) how="--tiles 2" ;;
        esac
        # shellcheck disable=SC2086
        {
            "$built/sakmak" generate 4 KNMvKM --tables "$tables" --counting $counting --wdl
            "$built/sakmak" pack KRvKM KRvKR KRRvK KSPvK KPPvK --tables "$tables" \
                --counting $counting $how
        } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    done
fi

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
# Links with libsakmak.a, if only for the zstd in it.
compile() {
    flags=$1
    shift
    # Flags are lists of words.
    # shellcheck disable=SC2086
    cc -std=c99 $warnings $flags "$@" "$built/libsakmak.a" -lpthread -ldl -lm
}
# As an engine is compiled.
case $(uname -m) in x86_64) fast="-O2 -mpopcnt" ;; *) fast=-O2 ;; esac
compile "$fast -DWITH_LIBRARY -Iprobe/c/include" $reader/sakmak_reader.c $reader/tests/positions.c \
    -o "$work/positions"
# As an engine in C or in C++ compiles it.
for standard in c99 c11 c17 c++11 c++14 c++17 c++20; do
    case $standard in
    c++*) language=c++ compilers="g++ clang++" ;;
    *) language=c compilers="gcc clang" ;;
    esac
    for compiler in $compilers; do
        command -v "$compiler" >/dev/null || { echo "$compiler is missing: -std=$standard not tried"; continue; }
        object=$work/$compiler-$standard.o
        # shellcheck disable=SC2086
        "$compiler" -x $language -std=$standard $warnings $fast -c $reader/sakmak_reader.c -o "$object"
    done
done
# The last one is C++.
compile "$fast" "$object" $reader/tests/positions.c -o "$work/positions-c++"
# With the numbers of the library.
{
    printf '#include <sakmak.h>\n#include "sakmak_reader.h"\nint main() { sakmak_reader_close(nullptr); }\n'
    for name in MAKRUK MAKRUK_KHON_FIRST OUK OUK_TRADITIONAL LOSS BLESSED_LOSS DRAW CURSED_WIN WIN BATCH_MAX; do
        echo "static_assert(int(SAKMAK_READER_$name) == int(SAKMAK_$name));"
    done
} >"$work/header.cpp"
c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I$reader -Iprobe/c/include -fsyntax-only "$work/header.cpp"
sed -n '/^```c$/,/^```$/p' $reader/README.md | grep -v '^```' >"$work/readme.c"
cc -std=c99 $warnings -I$reader "$work/readme.c" $reader/sakmak_reader.c -o "$work/readme"
ln -s "$tables" "$work/sakmak-tables"
test "$(cd "$work" && ./readme | tail -n 1)" = "win, but too late"
. scripts/zstd.sh
compile "$fast -DSAKMAK_ZSTD -I$zstd/lib" $reader/example.c $reader/sakmak_reader.c -o "$work/example"
"$work/example" "$work:$tables" "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1" 2>"$work/log" |
    diff $reader/tests/example.txt - || { cat "$work/log"; exit 1; }
"$work/positions" record "$tables" "$positions" "$work/rows"
"$work/positions" replay "$tables" "$work/rows" 2
"$work/positions-c++" replay "$tables" "$work/rows" 2

sanitizer="-g -O1 -fno-sanitize-recover=all"
compile "$sanitizer -fsanitize=address,undefined" $reader/sakmak_reader.c \
    $reader/tests/positions.c -o "$work/address"
compile "$sanitizer -fsanitize=thread" $reader/sakmak_reader.c $reader/tests/positions.c \
    -o "$work/thread"
compile "$sanitizer -fsanitize=address,undefined" $reader/tests/damage.c -o "$work/damage"
compile "$sanitizer -fsanitize=address,undefined" $reader/tests/arguments.c -o "$work/arguments"
echo "AddressSanitizer and UndefinedBehaviorSanitizer"
"$work/arguments" "$tables"
"$work/address" replay "$tables" "$work/rows" 2
echo "ThreadSanitizer"
"$work/thread" replay "$tables" "$work/rows" 4
echo "damaged files, $seconds seconds"
"$work/damage" "$tables" "$seconds" "$(date +%s)"

zig=''
if command -v zig >/dev/null; then
    zig=zig
elif python3 -m ziglang version >/dev/null 2>&1; then
    zig="python3 -m ziglang"
fi
if [ -n "$zig" ] && command -v node >/dev/null; then
    echo "Windows, compiled only"
    # shellcheck disable=SC2086
    $zig cc -target x86_64-windows-gnu -O2 -std=c99 $warnings -c $reader/sakmak_reader.c -o "$work/windows.o"
    echo "wasm32"
    # shellcheck disable=SC2086
    $zig cc -target wasm32-wasi -Os -w -DZSTD_DISABLE_ASM "$zstd"/lib/common/*.c \
        "$zstd"/lib/decompress/*.c $reader/sakmak_reader.c $reader/tests/positions.c \
        -o "$work/positions.wasm"
    mkdir "$work/folder"
    # Links do not lead out of the folder that a WASI program sees.
    find "$tables" -maxdepth 1 -name 'K*v*.sm[vp]' -size -2000k -exec cp {} "$work/folder/" \;
    "$work/positions" record "$work/folder" 20000 "$work/folder/rows" >/dev/null
    node --no-warnings $reader/tests/run_wasm.mjs "$work/folder" "$work/positions.wasm" replay / /rows 1
else
    echo "wasm32: not tried: Zig (pip install ziglang) or Node is missing"
fi
