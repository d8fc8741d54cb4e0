#!/bin/sh
# Builds libsakmak and installs it for C and C++: header, shared and static library, and a
# pkg-config file. Needs cargo and a C compiler; takes half a minute the first time.
# usage: install-c.sh PREFIX
set -eu
[ $# -eq 1 ] || { echo "usage: install-c.sh PREFIX" >&2; exit 2; }
mkdir -p "$1/include" "$1/lib/pkgconfig"
prefix=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-target}/release

cargo build --quiet --release -p sakmak-c
version=$(cargo pkgid -p sakmak-c | sed 's/.*[#@]//')
# The name of the library has the major and minor version, see probe/c/build.rs.
compatible=${version%.*}
cp probe/c/include/sakmak.h "$prefix/include/"
cp "$built/libsakmak.a" "$prefix/lib/"
case $(uname) in
Darwin)
    full=libsakmak.$version.dylib named=libsakmak.$compatible.dylib plain=libsakmak.dylib
    ;;
*)
    full=libsakmak.so.$version named=libsakmak.so.$compatible plain=libsakmak.so
    ;;
esac
cp "$built/$plain" "$prefix/lib/$full"
strip -S "$prefix/lib/libsakmak.a" "$prefix/lib/$full"
ln -sf "$full" "$prefix/lib/$named"
ln -sf "$named" "$prefix/lib/$plain"
cat >"$prefix/lib/pkgconfig/sakmak.pc" <<PC
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sakmak
Description: Endgame tablebases for Makruk and Ouk Chatrang
Version: $version
Libs: -L\${libdir} -lsakmak
Libs.private: -lpthread -ldl -lm
Cflags: -I\${includedir}
PC
echo "libsakmak $version installed in $prefix"
