#!/bin/sh
# Builds libsakmak and installs it for C and C++: header, shared and static library, and a
# pkg-config file. Needs cargo and a C compiler; takes half a minute the first time. The folder may
# be moved afterwards. With TARGET, installs what cargo has built in FOLDER for another system.
# usage: install-c.sh PREFIX [FOLDER TARGET]
set -eu
[ $# -eq 1 ] || [ $# -eq 3 ] || { echo "usage: install-c.sh PREFIX [FOLDER TARGET]" >&2; exit 2; }
mkdir -p "$1/include" "$1/lib/pkgconfig"
prefix=$(cd "$1" && pwd)
built=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
system=${3:-$(rustc -vV | sed -n 's/^host: //p')}

if [ -z "$built" ]; then
    cargo build --quiet --release -p sakmak-c
    built=${CARGO_TARGET_DIR:-target}/release
fi
version=$(cargo pkgid -p sakmak-c | sed 's/.*[#@]//')
# The name of the library has the major and minor version, see probe/c/build.rs.
compatible=${version%.*}
private="-lpthread -ldl -lm"
cp probe/c/include/sakmak.h "$prefix/include/"
cp "$built/libsakmak.a" "$prefix/lib/"
case $system in
*-musl)
    # Programs of this system are linked statically.
    full='' named='' plain=''
    ;;
*-darwin)
    full=libsakmak.$version.dylib named=libsakmak.$compatible.dylib plain=libsakmak.dylib
    ;;
*-windows-gnu)
    full='' named='' plain=''
    private="-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp"
    mkdir -p "$prefix/bin"
    cp "$built/sakmak.dll" "$prefix/bin/"
    cp "$built/libsakmak.dll.a" "$prefix/lib/"
    ;;
*)
    full=libsakmak.so.$version named=libsakmak.so.$compatible plain=libsakmak.so
    ;;
esac
if [ -n "$full" ]; then
    cp "$built/$plain" "$prefix/lib/$full"
    ln -sf "$full" "$prefix/lib/$named"
    ln -sf "$named" "$prefix/lib/$plain"
fi
# What was built elsewhere has no debug information.
[ $# -eq 3 ] || strip -S "$prefix/lib/libsakmak.a" ${full:+"$prefix/lib/$full"}
cat >"$prefix/lib/pkgconfig/sakmak.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sakmak
Description: Endgame tablebases for Makruk and Ouk Chatrang
Version: $version
Libs: -L\${libdir} -lsakmak
Libs.private: $private
Cflags: -I\${includedir}
PC
[ $# -eq 3 ] || echo "libsakmak $version installed in $prefix"
