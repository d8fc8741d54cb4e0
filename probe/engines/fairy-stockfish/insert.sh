#!/bin/sh
# Puts the adapter into the source of Fairy-Stockfish: usage: insert.sh SRC, the folder src of a checkout or of
# the source distribution of pyffish. Its Makefile, or setup.py beside it, then compiles everything.
set -eu
source=${1:?the folder src of Fairy-Stockfish is expected}
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/insert.py" "$source"
cp "$here/adapter.cpp" "$here/adapter.h" "$here/../../c-reader/sakmak_reader.h" "$source/"
# The engine compiles C++ only.
cp "$here/../../c-reader/sakmak_reader.c" "$source/sakmak_reader.cpp"
