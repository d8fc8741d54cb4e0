#!/bin/sh
# Checks the crates that Sakmak is built from: known vulnerabilities, licences, versions that occur
# twice, sources; then builds with the lowest versions that Cargo.toml allows.
# usage: scripts/supply-chain.sh
# Needs the network for crates, and github.com for the database of vulnerabilities; without it
# that check is left out, and the last line says so. Installs cargo-deny if it is missing. Takes ten minutes.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
left_out=
cargo deny --locked fetch db || left_out=": vulnerabilities were NOT checked, there is no database"
for manifest in Cargo.toml gen/fuzz/Cargo.toml; do
    echo
    echo "== $manifest"
    deny="cargo deny --locked --manifest-path $manifest --config deny.toml"
    $deny check --hide-inclusion-graph licenses bans sources
    [ -n "$left_out" ] || $deny --offline check advisories
done

echo
echo "== lowest versions"
git ls-files -z | xargs -0 cp --parents -t "$place"
cd "$place"
rm Cargo.lock gen/fuzz/Cargo.lock
# The option is not stable; the compiler is the stable one.
for manifest in Cargo.toml gen/fuzz/Cargo.toml; do
    RUSTC_BOOTSTRAP=1 cargo generate-lockfile -Z direct-minimal-versions --manifest-path "$manifest"
done
CARGO_TARGET_DIR="$target/lowest-versions" cargo check --workspace --all-targets --locked
echo
echo "the crates are in order$left_out"
