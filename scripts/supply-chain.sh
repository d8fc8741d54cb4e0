#!/bin/sh
# Checks the crates that Sakmak is built from: known vulnerabilities, licences, versions that occur
# twice, sources; then builds with the lowest versions that Cargo.toml allows.
# usage: scripts/supply-chain.sh
# Needs the network for crates; installs cargo-deny if it is missing. Without access to the
# database of vulnerabilities that check is left out, and the last line says so. A database at
# another place may be named: ADVISORY_DB=URL.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
config=deny.toml
if [ -n "${ADVISORY_DB:-}" ]; then
    sed "s|^\[advisories\]|&\ndb-urls = [\"$ADVISORY_DB\"]|" deny.toml >"$place/deny.toml"
    config=$place/deny.toml
fi
left_out=
for manifest in Cargo.toml probe/fuzz/Cargo.toml; do
    echo "== $manifest"
    cargo deny --locked --manifest-path "$manifest" check --config "$PWD/deny.toml" \
        licenses bans sources
    if cargo deny --locked fetch --config "$config" db >/dev/null 2>&1; then
        cargo deny --locked --manifest-path "$manifest" check --config "$config" \
            --disable-fetch advisories
    else
        left_out=" (vulnerabilities were not checked: the database cannot be fetched)"
    fi
done

echo "== lowest versions"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$place" 2>/dev/null
rm "$place/Cargo.lock"
cd "$place"
# The option is not stable; the compiler is the one that the crates ask for.
RUSTC_BOOTSTRAP=1 cargo generate-lockfile -Z direct-minimal-versions
CARGO_TARGET_DIR="$target/lowest-versions" cargo check --workspace --all-targets --locked
echo
echo "the crates are in order$left_out"
