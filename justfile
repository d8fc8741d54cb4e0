# The door to scripts/: `just` lists the recipes. Needs just (https://just.systems); each recipe is
# one line that can be run without it, and the head of a script says what it needs.

set positional-arguments

# List the recipes
default:
    @just --list --unsorted

# Run the tests that the README names
test *arguments:
    scripts/test.sh "$@"

# Check the links of the documents
links:
    python3 scripts/links.py

# Check the JavaScript of pages and examples
lint-pages *arguments:
    scripts/lint-pages.sh "$@"

# Test the published statements of up to four men
claims *arguments:
    scripts/claims/test.sh "$@"

# Make and verify the tables of three and four men
first-tables *arguments:
    scripts/first-tables.sh "$@"

# Test C, C++ and Python, and run all examples
bindings *arguments:
    scripts/bindings.sh "$@"

# Hold the reader of one C file to the library, and probe damaged files
c-reader *arguments:
    scripts/c-reader.sh "$@"

# Compare moves, counts and FENs with Fairy-Stockfish
crosscheck *arguments:
    scripts/crosscheck.sh "$@"

# Compare moves and draws of Janggi with Fairy-Stockfish
crosscheck-janggi *arguments:
    scripts/crosscheck-janggi.sh "$@"

# Play lines under the count in Fairy-Stockfish
playouts *arguments:
    scripts/playouts.sh "$@"

# Play endings and matches between engines
engine-match *arguments:
    scripts/engine-match.sh "$@"

# Use the pages of the service in Chromium
browser *arguments:
    scripts/browser.sh "$@"

# Test an atlas in Chromium
atlas-browser *arguments:
    scripts/atlas-browser.sh "$@"

# Run the fuzz targets
fuzz *arguments:
    scripts/fuzz.sh "$@"

# Kill runs, fill disks, fail reads and writes
faults *arguments:
    scripts/faults.sh "$@"

# Cut the power while tables are made and fetched
power-cut *arguments:
    scripts/power-cut.sh "$@"

# Kill a batch thirty times
kill-batch *arguments:
    scripts/kill-batch.sh "$@"

# Run loom, Miri and valgrind
sanitizers *arguments:
    scripts/sanitizers.sh "$@"

# Check the crates of others
supply-chain *arguments:
    scripts/supply-chain.sh "$@"

# Measure the service
serve-load *arguments:
    scripts/serve-load.sh "$@"

# Make tables by a cluster of local processes
cluster *arguments:
    scripts/cluster/try.sh "$@"

# Print figures of the pages from the JSON of `sakmak`
figures *arguments:
    scripts/figures.py "$@"

# Build, test and pack the npm package
wasm *arguments:
    scripts/wasm.sh "$@"

# Build the page of the npm package with bundlers, and open it in Chromium
bundlers *arguments:
    scripts/bundlers.sh "$@"

# Install headers and libraries for C and C++
install-c *arguments:
    scripts/install-c.sh "$@"

# Build a wheel of the Python module
wheels *arguments:
    scripts/wheels.sh "$@"

# Build the archives of a release
archives *arguments:
    scripts/archives.sh "$@"

# Make all files of a release and try them
release *arguments:
    scripts/release.sh "$@"
