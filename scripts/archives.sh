#!/bin/sh
# Builds archives for releases: the program, its manual pages and completions, libsakmak with
# header and pkg-config file, documents and licences. Each archive that can run here is unpacked
# and tried. The bytes depend on the commit, the Rust toolchain and Zig only.
# Needs cargo, git, GNU tar, zip, python3, cc and pkg-config; for other systems than this one
# also their standard library (rustup target add TARGET), and cargo-zigbuild with Zig as C
# compiler and linker (pip install cargo-zigbuild ziglang), and for macOS its SDK (SDKROOT). A
# missing part is named at the end. To try archives of other systems: qemu-user-static, and wine. Two or three
# minutes for each target on two cores.
# usage: scripts/archives.sh [TARGET...]
#        the archives and SHA256SUMS go to target/archives
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
out=$target/archives
all="x86_64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-gnu
    aarch64-unknown-linux-musl x86_64-pc-windows-gnu aarch64-apple-darwin x86_64-apple-darwin"
# The glibc of the oldest Linux on which an archive of linux-gnu runs.
glibc=2.17

host=$(rustc -vV | sed -n 's/^host: //p')
version=$(cargo pkgid -p sakmak-gen | sed 's/.*[#@]//')
libraries=$(rustc --print sysroot)/lib/rustlib
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# No names of folders of this machine in programs.
CARGO_ENCODED_RUSTFLAGS=$(printf '%s\037%s' "--remap-path-prefix=$PWD=sakmak" \
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo")
export CARGO_ENCODED_RUSTFLAGS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"
left_out=''

# build TARGET: builds program and library, or fails with the reason.
build() {
    packages="--profile archive -p sakmak-gen -p sakmak-c --bin sakmak --lib"
    if [ ! -d "$libraries/$1" ]; then
        reason="its standard library is missing: rustup target add $1"
        return 1
    fi
    case $1-$host in
    *-darwin-*-darwin) ;;
    *-darwin-*)
        if [ -z "${SDKROOT:-}" ]; then
            reason="the SDK of macOS is missing: SDKROOT must name its folder"
            return 1
        fi
        ;;
    esac
    # Options are lists of words.
    # shellcheck disable=SC2086
    if command -v cargo-zigbuild >/dev/null; then
        case $1 in *-linux-gnu) linked=$1.$glibc ;; *) linked=$1 ;; esac
        cargo zigbuild $packages --target "$linked" && return
    elif [ "$1" = "$host" ]; then
        cargo build $packages --target "$1" && return
    else
        reason="cargo-zigbuild is missing: pip install cargo-zigbuild ziglang"
        return 1
    fi
    reason="it does not build, see above"
    return 1
}

# pack TARGET: collects the files and packs them.
pack() {
    built=$target/$1/archive
    name=sakmak-$version-$1
    folder=$work/$name
    mkdir -p "$folder/bin" "$folder/share"
    case $1 in *-windows-*) program=sakmak.exe ;; *) program=sakmak ;; esac
    cp "$built/$program" "$folder/bin/"
    scripts/install-c.sh "$folder" "$built" "$1"
    cp -R "$work/share" "$folder/"
    cp -R docs README.md FORMAT.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/"
    python3 scripts/licences.py "$1" >"$folder/LICENSES-THIRD-PARTY.txt"
    find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    chmod -R u=rwX,go=rX "$folder"
    case $1 in
    *-windows-*)
        (cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -X -q -9 -@ "$out/$name.zip")
        ;;
    *)
        tar -C "$work" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -cf - "$name" |
            gzip -n >"$out/$name.tar.gz"
        ;;
    esac
}

# try TARGET: unpacks the archive elsewhere and runs what runs here.
try() {
    name=sakmak-$version-$1
    mkdir "$work/try-$1"
    if [ -f "$out/$name.zip" ]; then
        python3 -m zipfile -e "$out/$name.zip" "$work/try-$1"
    else
        tar -C "$work/try-$1" -xzf "$out/$name.tar.gz"
    fi
    unpacked=$work/try-$1/$name
    case $1 in
    "$(uname -m)"-*-linux-*) runner='' ;;
    *-linux-*) runner=qemu-${1%%-*}-static ;;
    *-windows-*) runner=wine ;;
    *) runner=$1 ;;
    esac
    if [ -n "$runner" ] && ! command -v "$runner" >/dev/null; then
        echo "$name: packed; does not run here"
        return
    fi
    (
        cd "$work/try-$1"
        program=$(find "$unpacked/bin" -name 'sakmak' -o -name 'sakmak.exe')
        $runner "$program" --version | grep -q "sakmak $version"
        $runner "$program" probe '8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21' | grep -q 'White wins in time'
        $runner "$program" generate KSMvK >log
        $runner "$program" verify --tables sakmak-tables >log
    )
    echo "$name: packed; the program runs"
    [ "$1" = "$host" ] || return 0
    (
        cd "$work/try-$1"
        PKG_CONFIG_PATH=$unpacked/lib/pkgconfig
        export PKG_CONFIG_PATH
        # Flags are lists of words.
        # shellcheck disable=SC2046
        cc "$OLDPWD/probe/c/examples/probe.c" $(pkg-config --cflags --libs sakmak) \
            -Wl,-rpath,"$unpacked/lib" -o shared
        # shellcheck disable=SC2046
        cc "$OLDPWD/probe/c/examples/probe.c" $(pkg-config --cflags sakmak) \
            "$unpacked/lib/libsakmak.a" \
            $(pkg-config --static --libs sakmak | sed 's/-lsakmak//') -o static
        ./shared | diff "$OLDPWD/probe/examples/probe.txt" -
        ./static | diff "$OLDPWD/probe/examples/probe.txt" -
    )
    echo "$name: a C program links with both libraries and runs"
}

# Manual pages and completions, by the program of this machine.
build "$host" || { echo "archives.sh: $host: $reason" >&2; exit 1; }
sakmak=$target/$host/archive/sakmak
"$sakmak" man -o "$work/share/man/man1"
mkdir -p "$work/share/bash-completion/completions" "$work/share/zsh/site-functions" \
    "$work/share/fish/vendor_completions.d" "$work/share/powershell"
"$sakmak" completions bash >"$work/share/bash-completion/completions/sakmak"
"$sakmak" completions zsh >"$work/share/zsh/site-functions/_sakmak"
"$sakmak" completions fish >"$work/share/fish/vendor_completions.d/sakmak.fish"
"$sakmak" completions powershell >"$work/share/powershell/sakmak.ps1"

# Targets are words.
# shellcheck disable=SC2086
for system in ${*:-$all}; do
    echo "== $system"
    if build "$system"; then
        pack "$system"
        try "$system"
    else
        left_out="$left_out$system: left out, $reason
"
    fi
done
(cd "$out" && sha256sum -- *.tar.gz *.zip 2>/dev/null >SHA256SUMS || true)
echo
cat "$out/SHA256SUMS"
printf '%s' "$left_out"
echo "archives in $out"
# A target of the arguments must not be left out.
[ $# -eq 0 ] || [ -z "$left_out" ]
