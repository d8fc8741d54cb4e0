#!/bin/sh
# Builds libsakmak and installs it for C and C++: headers, shared and static library, a
# pkg-config file, and a CMake package. Needs cargo and a C compiler; takes half a minute the first
# time. The folder may be moved afterwards. With FOLDER, installs what cargo has built there, for
# the system TARGET if that is another one.
# usage: install-c.sh PREFIX [FOLDER [TARGET]]
set -eu
[ $# -ge 1 ] && [ $# -le 3 ] || { echo "usage: install-c.sh PREFIX [FOLDER [TARGET]]" >&2; exit 2; }
mkdir -p "$1/include" "$1/lib/pkgconfig" "$1/lib/cmake/sakmak"
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
cp probe/c/include/sakmak.h probe/c/include/sakmak.hpp "$prefix/include/"
cp "$built/libsakmak.a" "$prefix/lib/"
case $system in
*-musl)
    # Programs of this system are linked statically.
    full='' named='' plain=''
    shared="INTERFACE IMPORTED)
    target_link_libraries(sakmak::sakmak INTERFACE sakmak::static"
    ;;
*-darwin)
    full=libsakmak.$version.dylib named=libsakmak.$compatible.dylib plain=libsakmak.dylib
    soname=@rpath/$named
    ;;
*-windows-gnu)
    full='' named='' plain=''
    private="-lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp"
    mkdir -p "$prefix/bin"
    cp "$built/sakmak.dll" "$prefix/bin/"
    cp "$built/libsakmak.dll.a" "$prefix/lib/"
    shared="SHARED IMPORTED)
    set_target_properties(sakmak::sakmak PROPERTIES
        IMPORTED_LOCATION \"\${_sakmak_prefix}/bin/sakmak.dll\"
        IMPORTED_IMPLIB \"\${_sakmak_prefix}/lib/libsakmak.dll.a\"
        INTERFACE_INCLUDE_DIRECTORIES \"\${_sakmak_prefix}/include\""
    ;;
*)
    full=libsakmak.so.$version named=libsakmak.so.$compatible plain=libsakmak.so
    soname=$named
    ;;
esac
if [ -n "$full" ]; then
    shared="SHARED IMPORTED)
    set_target_properties(sakmak::sakmak PROPERTIES
        IMPORTED_LOCATION \"\${_sakmak_prefix}/lib/$full\"
        IMPORTED_SONAME $soname
        INTERFACE_INCLUDE_DIRECTORIES \"\${_sakmak_prefix}/include\""
    cp "$built/$plain" "$prefix/lib/$full"
    ln -sf "$full" "$prefix/lib/$named"
    ln -sf "$named" "$prefix/lib/$plain"
fi
# Libraries built for another system have no debug information.
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
cat >"$prefix/lib/cmake/sakmak/sakmak-config.cmake" <<CMAKE
# The targets sakmak::sakmak, the shared library where there is one, and sakmak::static.
get_filename_component(_sakmak_prefix "\${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET sakmak::static)
    add_library(sakmak::static STATIC IMPORTED)
    set_target_properties(sakmak::static PROPERTIES
        IMPORTED_LOCATION "\${_sakmak_prefix}/lib/libsakmak.a"
        INTERFACE_LINK_LIBRARIES "$(echo "$private" | sed 's/-l//g; s/ /;/g')"
        INTERFACE_INCLUDE_DIRECTORIES "\${_sakmak_prefix}/include")
    add_library(sakmak::sakmak $shared)
endif()
unset(_sakmak_prefix)
CMAKE
# As the name of the library: another minor version may break programs.
cat >"$prefix/lib/cmake/sakmak/sakmak-config-version.cmake" <<CMAKE
set(PACKAGE_VERSION $version)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND
        PACKAGE_FIND_VERSION VERSION_GREATER_EQUAL $compatible)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
endif()
CMAKE
[ $# -eq 3 ] || echo "libsakmak $version installed in $prefix"
