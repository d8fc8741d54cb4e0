#!/bin/sh
# Builds the npm package `sakmak` into target/npm: the module for WebAssembly, its types, licences.
# Tests it in Node against the program and with hosts that misbehave, packs it, installs it in an empty folder and
# asks a question, makes a site of it, and builds the example page with webpack, esbuild and Vite, whose pinned
# versions npm installs into target/. scripts/bundlers.sh has more bundlers, and a browser.
# Machines without node, npm or the target wasm32-unknown-unknown say so and go on. Takes a minute and a half on two
# cores.
# usage: scripts/wasm.sh [PROGRAM]      without PROGRAM: builds it
set -eu
if [ $# -gt 0 ]; then
    set -- "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
fi
cd "$(dirname "$0")/.."
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)

if ! rustup target add wasm32-unknown-unknown >/dev/null 2>&1 &&
    ! test -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown"; then
    echo "not tested: this toolchain has no target wasm32-unknown-unknown and cannot fetch it"
    exit 0
fi

cargo build --quiet --profile web --target wasm32-unknown-unknown -p sakmak-wasm
if ! node --version >/dev/null 2>&1 || ! npm --version >/dev/null 2>&1; then
    echo "compiled, not tested: the npm package needs node and npm, which this machine does not have"
    exit 0
fi
if [ $# -eq 0 ]; then
    cargo build --quiet --profile everyday -p sakmak-gen
    set -- "$target/everyday/sakmak"
fi

rm -rf "$target/npm"
mkdir "$target/npm"
cp gen/wasm/npm/* LICENSE-MIT LICENSE-APACHE "$target/npm/"
python3 scripts/licences.py wasm32-unknown-unknown sakmak-wasm >"$target/npm/LICENSES-THIRD-PARTY.txt"
cp "$target/wasm32-unknown-unknown/web/sakmak_wasm.wasm" "$target/npm/sakmak.wasm"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tables"
"$1" generate KRvKN --counting makruk --tables "$folder/tables" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
"$1" pack KRvKN --tables "$folder/tables" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
node gen/wasm/tests/node.mjs "$1" probe/tests/data/positions.tsv "$folder/tables" "$target/npm"
node gen/wasm/tests/hosts.mjs "$folder/tables" "$target/npm"

packed=$(cd "$target/npm" && npm pack --silent --pack-destination "$folder")
mkdir "$folder/consumer"
root=$PWD
cd "$folder/consumer"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --offline "../$packed"
cp "$root/gen/wasm/examples/verdict.mjs" .
answer=$(node verdict.mjs)
test "$answer" = "win Md2" || { echo "verdict.mjs: $answer"; exit 1; }
echo "ok: $packed answers from an empty folder"
"$1" site "$folder/site" --module "$target/npm" >/dev/null
cmp "$folder/site/sakmak/sakmak.wasm" "$target/npm/sakmak.wasm"
if node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)'; then
    python3 "$root/scripts/bundlers.py" "$folder/$packed" "$target/bundlers"
else
    echo "not tested: bundlers need Node 20.19 or later"
fi
